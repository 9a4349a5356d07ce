package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/lab"
)

var experimentVerb = verb{
	usage: `[flags] EXPERIMENT.json
       rfactor-lab diff A[:CONFIG] B[:CONFIG]
       rfactor-lab verdicts FILE
       rfactor-lab tablegen [flags] [PART… | TABLE.txt…]
       rfactor-lab serve [flags] [DIR]
       rfactor-lab version

Examples:
  rfactor-lab -init > experiment.json
  rfactor-lab -out out experiment.json
  rfactor-lab -out out -resume experiment.json
  rfactor-lab -out out -resume -verdicts halide=halide-verdicts.tsv experiment.json
  rfactor-lab diff before after

The directory that -out names receives results.jsonl with a line for every match as soon as it is
done, and at the end tables as CSV, plots as SVG and report.html, which needs no server. Ctrl-C ends a run with a
report on what was done, and -resume completes it. A line of a corpus that is wrong is reported, skipped and counted.
docs/experiments.md describes experiment files, and those of -verdicts.
Exit code 0; 2 bad usage or input, such as a line that was skipped, or output that cannot be written; 130 interrupted.`,
}

// The verb runs experiments of which its usage tells: the loop is closed here.
func init() { experimentVerb.run = runLab }

func runLab(c *command, args []string) int {
	fs := cli.NewFlags()
	begin := fs.Bool("init", false, "print an experiment that uses every field, and end")
	dir := fs.String("out", "", "`DIR` for the results (default: the experiment's file without .json)")
	resume := fs.Bool("resume", false, "go on with the results in the directory")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "`N` matches at the same time; verdicts do not depend on it, times may")
	var verdicts cli.List
	fs.Var(&verdicts, "verdicts", "`[NAME=]FILE` with another matcher's verdicts on the same updates, which become a column of tables and\nreport; the name is that of the file unless given. The flag may be given several times")
	rest, code, ok := c.parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case *begin:
		c.stdout.Printf("%s", lab.Example)
		return exitDone
	case len(rest) == 0:
		return c.errorf("an experiment is missing: rfactor-lab [flags] EXPERIMENT.json")
	case *workers < 1:
		return c.errorf("-workers needs at least 1, not %d", *workers)
	}
	if *dir == "" {
		*dir = strings.TrimSuffix(rest[0], filepath.Ext(rest[0]))
	}
	text, err := os.ReadFile(rest[0])
	if err != nil {
		return c.errorf("%v", err)
	}
	e, err := lab.ReadExperiment(rest[0], string(text))
	if err != nil {
		return c.errorf("%v", err)
	}
	for _, v := range verdicts {
		name, file, named := strings.Cut(v, "=")
		if !named {
			name, file = strings.TrimSuffix(filepath.Base(v), filepath.Ext(v)), v
		}
		if err := e.AddVerdicts(name, file); err != nil {
			return c.errorf("-verdicts %s: %v", v, err)
		}
	}
	return c.runExperiment(e, *dir, *workers, *resume, "rfactor-lab "+strings.Join(args, " "))
}

// firstReport is when the report of a run that is on its way is written first.
const firstReport = 3 * time.Second

// reportMeanwhile writes the report of what is done so far, first after some time and then whenever twice that time has passed:
// it takes a core from matches that are timed. The function that it returns ends that. Errors are left to the report at the end.
func reportMeanwhile(e *lab.Experiment, dir string, after time.Duration) (stop func()) {
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for ; ; after *= 2 {
			select {
			case <-ended:
				return
			case <-time.After(after):
			}
			if s, err := lab.Summarise(dir, e); err == nil {
				_ = s.Report(dir)
			}
		}
	}()
	return func() { close(ended); <-done }
}

// runExperiment runs an experiment and reports it, also where it could not be completed.
func (c *command) runExperiment(e *lab.Experiment, dir string, workers int, resume bool, line string) int {
	bar := cli.NewBar(c.stderr, 1)
	bar.At(0, 1, "reading the corpora")
	run := &lab.Run{Dir: dir, Workers: workers, Resume: resume, Command: line, Step: bar.At}
	stop := reportMeanwhile(e, dir, firstReport)
	failed := run.Do(c.ctx, e)
	stop()
	bar.Clear()
	interrupted := errors.Is(failed, context.Canceled)
	if failed != nil && !interrupted {
		return c.errorf("%v", failed)
	}
	s, err := lab.Summarise(dir, e)
	if err == nil {
		err = s.Report(dir)
	}
	switch {
	case err != nil:
		return c.errorf("the results are in %s, and there is no report: %v", dir, err)
	case interrupted:
		c.errorf("interrupted: %s/report.html is of what was done, and -resume completes it", dir)
		return exitInterrupted
	}
	for _, why := range s.Skipped {
		c.errorf("skipped: %v", why)
	}
	c.stdout.Printf("%s", s.Text())
	c.stdout.Printf("%s/report.html\n", dir)
	if len(s.Skipped) > 0 {
		return exitBadInput
	}
	return exitDone
}
