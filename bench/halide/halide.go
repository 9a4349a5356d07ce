// Package halide measures matching beside the prover of Halide 14, in one run on the same updates.
//
// It builds the driver in its folder with c++ against the library libHalide14, which Debian has in the
// package libhalide14-0-dev. Updates whose operators the driver does not read are left out. Halide takes
// overflow of 32 and 64 bits for impossible and floats for real numbers, so matching is measured under all
// assumptions. Both are warm: each update is matched once before its time is taken, and its median counts. They take
// turns, of 50 updates each, so that what else the machine does falls on both.
package halide

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Command measures matching beside the prover of Halide 14.
var Command = &command.Command{
	Name:  "halide",
	About: "measures matching beside the prover of Halide 14, over the updates that both accept",
	Doc:   "It needs a C++ compiler and Debian's package libhalide14-0-dev.",
	Args:  "[CORPUS.tsv…]   (updates.tsv and unseen.tsv)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		runs := f.Int("runs", 20, "how often each update is matched")
		include := f.String("include", "/usr/include/halide14", "the folder with Halide.h")
		library := f.String("library", "Halide14", "the library, as the linker names it")
		return func(c *command.Call) error {
			if *runs < 1 {
				return command.Usage("-runs is less than 1")
			}
			corpora := c.Args
			if len(corpora) == 0 {
				corpora = []string{"testdata/corpus/updates.tsv", "testdata/corpus/unseen.tsv"}
			}
			return compare(c.Context, halide{include: *include, library: *library, runs: *runs, stderr: c.Stderr}, corpora, c.Stdout)
		}
	},
}

// driver is the source of the program that asks Halide.
//
//go:embed driver/driver.cpp
var driver []byte

// line is an update that both read, with what was measured of it.
type line struct {
	name         string
	update       *ir.Update
	text         string // as the driver reads it
	ours, theirs verdict
}

// verdict says whether an update has an operator, and the median time of its matches.
type verdict struct {
	accepted bool
	median   time.Duration
}

func compare(ctx context.Context, h halide, files []string, stdout io.Writer) error {
	var lines []*line
	for _, file := range files {
		some, err := load(file)
		if err != nil {
			return err
		}
		lines = append(lines, some...)
	}
	dir, err := os.MkdirTemp("", "bench halide")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	built := filepath.Join(dir, "driver")
	if err := h.build(ctx, built); err != nil {
		return err
	}
	var read []*line // that Halide rejects none of
	for turn := range slices.Chunk(lines, 50) {
		theirs, err := h.measure(ctx, built, turn)
		if err != nil {
			return err
		}
		for _, l := range turn {
			var ok bool
			if l.theirs, ok = theirs[l.name]; !ok {
				continue
			}
			if l.ours, err = match(ctx, l.update, h.runs); err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			read = append(read, l)
		}
	}
	lines = read
	fmt.Fprintln(stdout, "updates\tmatcher\tn\taccepted\tmedian_us\tp90_us\tp99_us\tmax_us")
	report(stdout, "both accept", slices.DeleteFunc(slices.Clone(lines), func(l *line) bool { return !l.ours.accepted || !l.theirs.accepted }))
	report(stdout, "both read", lines)
	return nil
}

// load reads the updates of a corpus that the driver reads as well.
func load(file string) (lines []*line, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	corpus, err := program.ReadCorpus(f)
	if err != nil {
		return nil, err
	}
	for _, l := range corpus {
		u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, l.Line, err)
		}
		if text, ok := prefix(u.Values); ok {
			lines = append(lines, &line{name: filepath.Base(file) + ":" + l.Name, update: u, text: text})
		}
	}
	return lines, nil
}

// match matches an update once, and then so many times by the clock. A lift is not accepted: Halide has none.
func match(ctx context.Context, u *ir.Update, runs int) (v verdict, err error) {
	times := make([]time.Duration, runs+1)
	for i := range times {
		a, err := rfactor.Match(ctx, u, rfactor.Options{Allowed: ir.AllAssumptions})
		if err != nil {
			return verdict{}, err
		}
		v.accepted, times[i] = a.Status == rfactor.Associative, a.Elapsed
	}
	times = times[1:] // the first one warms up
	slices.Sort(times)
	v.median = percentile(times, 50)
	return v, nil
}

// report prints a row of each matcher over some updates, and nothing of none.
func report(stdout io.Writer, updates string, lines []*line) {
	if len(lines) == 0 {
		return
	}
	for _, of := range []struct {
		name    string
		verdict func(*line) verdict
	}{
		{"rfactor", func(l *line) verdict { return l.ours }},
		{"Halide 14", func(l *line) verdict { return l.theirs }},
	} {
		accepted, times := 0, make([]time.Duration, len(lines))
		for i, l := range lines {
			v := of.verdict(l)
			if times[i] = v.median; v.accepted {
				accepted++
			}
		}
		slices.Sort(times)
		fmt.Fprintf(stdout, "%s\t%s\t%d\t%d", updates, of.name, len(lines), accepted)
		for _, p := range []int{50, 90, 99, 100} {
			fmt.Fprintf(stdout, "\t%.1f", float64(percentile(times, p).Nanoseconds())/1000)
		}
		fmt.Fprintln(stdout)
	}
}

// percentile is the nearest-rank percentile of sorted times.
func percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

// halide says how the driver is built and run.
type halide struct {
	include, library string
	runs             int
	stderr           io.Writer
}

// build compiles the driver.
func (h halide) build(ctx context.Context, to string) error {
	if _, err := os.Stat(filepath.Join(h.include, "Halide.h")); err != nil {
		return fmt.Errorf("no Halide 14 is installed: %w (on Debian: apt-get install libhalide14-0-dev)", err)
	}
	source := to + ".cpp"
	if err := save.Text(source, driver); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "c++", "-O2", "-std=c++17", "-I"+h.include, source, "-l"+h.library, "-o", to).CombinedOutput()
	if err != nil {
		return fmt.Errorf("the driver was not built: %w\n%s", err, out)
	}
	return nil
}

// measure runs the driver and returns the verdicts of Halide by the names of the updates. An update that
// Halide rejects as ill-formed has none.
func (h halide) measure(ctx context.Context, built string, lines []*line) (map[string]verdict, error) {
	var in strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&in, "%s\t%s\n", l.name, l.text)
	}
	run := exec.CommandContext(ctx, built, strconv.Itoa(h.runs))
	var answers bytes.Buffer
	run.Stdin, run.Stdout, run.Stderr = strings.NewReader(in.String()), &answers, h.stderr
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("the driver failed: %w", err)
	}
	return readVerdicts(answers.String())
}

// readVerdicts reads what the driver prints.
func readVerdicts(text string) (map[string]verdict, error) {
	verdicts := map[string]verdict{}
	for row := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("the driver printed %q", row)
		}
		accepted, err1 := strconv.ParseBool(cells[1])
		ns, err2 := strconv.ParseInt(cells[2], 10, 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("the driver printed %q: %w", row, err)
		}
		verdicts[cells[0]] = verdict{accepted, time.Duration(ns)}
	}
	return verdicts, nil
}
