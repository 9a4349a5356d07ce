package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rfactor-go/rfactor/internal/lab"
)

var labVerb = verb{
	name:  "lab",
	about: "runs an experiment on matching coverage, and reports it",
	run:   runLab,
	tidy:  true,
	usage: `[flags] EXPERIMENT.json | diff A[:CONFIG] B[:CONFIG]

Examples:
  rfactor lab -init > experiment.json
  rfactor lab -out out experiment.json
  rfactor lab -out out -resume experiment.json
  rfactor lab diff before after
  rfactor lab diff out:lift 'out:lift without rule select-add'

The directory that -out names receives results.jsonl with a line for every match as soon as it is
done, and at the end tables as CSV, plots as SVG and report.html, which needs no server. Ctrl-C ends a run with a
report on what was done, and -resume completes it. docs/experiments.md describes experiment files.
diff prints verdicts that were gained and lost from A to B, and times.
Exit code 0; diff: 1 where a verdict was lost; 2 bad usage or input, or output that cannot be written; 130 interrupted.`,
}

func runLab(c *command, args []string) int {
	if len(args) > 0 && args[0] == "diff" {
		return c.labDiff(args[1:])
	}
	fs := newFlags()
	begin := fs.Bool("init", false, "print an experiment that uses every field, and end")
	dir := fs.String("out", "", "`DIR` for the results (default: the experiment's file without .json)")
	resume := fs.Bool("resume", false, "go on with the results in the directory")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "`N` matches at the same time; verdicts do not depend on it, times may")
	rest, code, ok := c.parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case *begin:
		c.stdout.printf("%s", lab.Example)
		return exitMatched
	case len(rest) == 0:
		return c.errorf("an experiment is missing: rfactor lab [flags] EXPERIMENT.json")
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
	return c.runExperiment(e, *dir, *workers, *resume, "rfactor lab "+strings.Join(args, " "))
}

// runExperiment runs an experiment and reports it, also where it could not be completed.
func (c *command) runExperiment(e *lab.Experiment, dir string, workers int, resume bool, line string) int {
	bar := newProgress(c.stderr, 0)
	run := &lab.Run{Dir: dir, Workers: workers, Resume: resume, Command: line, Step: func(done, total int, what string) {
		bar.n, bar.total = done-1, total
		bar.step(what)
	}}
	failed := run.Do(c.ctx, e)
	bar.clear()
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
	c.stdout.printf("%s", s.Text())
	c.stdout.printf("%s/report.html\n", dir)
	return exitMatched
}

func (c *command) labDiff(args []string) int {
	rest, code, ok := c.parse(newFlags(), args, 2)
	switch {
	case !ok:
		return code
	case len(rest) != 2:
		return c.errorf("diff compares two directories: rfactor lab diff A B")
	}
	losses, err := lab.Diff(c.stdout, rest[0], rest[1])
	switch {
	case err != nil:
		return c.errorf("%v", err)
	case losses > 0:
		return exitRefused
	}
	return exitMatched
}
