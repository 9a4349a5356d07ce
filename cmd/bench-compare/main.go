// Bench-compare measures matching as it is and as it was at another commit, by turns, so that what
// else the machine does falls on both. It prints a table as tab-separated values: for each row of
// bench-match the medians over the rounds of both, and the median of the rounds' ratios.
//
// The other commit is checked out into a worktree of its own, which is removed at the end.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench-compare", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rounds := flags.Int("rounds", 5, "how often both are measured")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() != 2 || *rounds < 1 {
		fmt.Fprintln(stderr, "usage: bench-compare [-rounds N] COMMIT CORPUS.tsv")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := compare(ctx, flags.Arg(0), flags.Arg(1), *rounds, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "bench-compare:", err)
		return 1
	}
	return 0
}

func compare(ctx context.Context, commit, corpus string, rounds int, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "bench-compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, "tree")
	if _, err := run(ctx, ".", "git", "worktree", "add", "--detach", tree, commit); err != nil {
		return err
	}
	// The context may have ended by then.
	defer func() {
		_, e := run(context.Background(), ".", "git", "worktree", "remove", "--force", tree)
		err = errors.Join(err, e)
	}()
	before, after := filepath.Join(dir, "before"), filepath.Join(dir, "after")
	if _, err := run(ctx, tree, "go", "build", "-o", before, "./cmd/bench-match"); err != nil {
		return err
	}
	if _, err := run(ctx, ".", "go", "build", "-o", after, "./cmd/bench-match"); err != nil {
		return err
	}
	was, is := series{}, series{}
	var names []string
	for round := range rounds {
		fmt.Fprintf(stderr, "round %d of %d\n", round+1, rounds)
		if _, err := was.measure(ctx, before, corpus); err != nil {
			return err
		}
		if names, err = is.measure(ctx, after, corpus); err != nil {
			return err
		}
	}
	fmt.Fprintln(stdout, "row\tbefore_us\tafter_us\tratio")
	for _, name := range names {
		var ratios []float64
		for i, t := range is[name] {
			if i < len(was[name]) {
				ratios = append(ratios, t/was[name][i])
			}
		}
		fmt.Fprintf(stdout, "%s\t%.1f\t%.1f\t%.3f\n", name, median(was[name]), median(is[name]), median(ratios))
	}
	return nil
}

// series holds the microseconds of each round by corpus, assumptions and percentile.
type series map[string][]float64

// measure runs bench-match once and returns the names of what it measured, in its order.
func (s series) measure(ctx context.Context, program, corpus string) (names []string, err error) {
	out, err := run(ctx, ".", program, corpus)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	head := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		for i, column := range head {
			if !strings.HasSuffix(column, "_us") {
				continue
			}
			t, err := strconv.ParseFloat(cells[i], 64)
			if err != nil {
				return nil, err
			}
			name := cells[0] + ":" + strings.TrimSuffix(column, "_us")
			names = append(names, name)
			s[name] = append(s[name], t)
		}
	}
	return names, nil
}

// median returns the middle one of some numbers; NaN of none.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	xs = slices.Sorted(slices.Values(xs))
	return xs[len(xs)/2]
}

// run returns what a command prints; where it fails the error has what it says.
func run(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", name, err, errs.String())
	}
	return string(out), nil
}
