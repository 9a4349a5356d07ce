package match

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

// Compare measures matching as it is and as it was, by turns, so that what else the machine does falls on both.
var Compare = &command.Command{
	Name:  "compare",
	About: "measures matching as it is beside what it was at another commit, by turns",
	Doc: `For each row of bench match it prints the medians over the rounds of both, and the median of the rounds' ratios. The other commit is
checked out into a worktree of its own, which is removed at the end.`,
	Args: "COMMIT [CORPUS.tsv]   (updates.tsv)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		rounds := f.Int("rounds", 5, "how often both are measured")
		return func(c *command.Call) error {
			switch {
			case len(c.Args) == 1:
				c.Args = append(c.Args, corpus)
			case len(c.Args) != 2:
				return command.Usage("it takes a commit, and perhaps a corpus")
			}
			if *rounds < 1 {
				return command.Usage("-rounds is less than 1")
			}
			return compare(c.Context, c.Args[0], c.Args[1], *rounds, c.Stdout, c.Stderr)
		}
	},
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
	before, err := build(ctx, tree, filepath.Join(dir, "before"))
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	after := []string{self, "match"}
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

// build builds what measures matching in a tree, and returns the words that start it. Before there was a module of
// benchmarks it was a command of its own.
func build(ctx context.Context, tree, to string) ([]string, error) {
	folder, source, words := filepath.Join(tree, "bench"), ".", []string{to, "match"}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil {
		folder, source, words = tree, "./cmd/bench-match", []string{to}
	}
	_, err := run(ctx, folder, "go", "build", "-o", to, source)
	return words, err
}

// series holds the microseconds of each round by corpus, assumptions and percentile.
type series map[string][]float64

// measure runs bench match once and returns the names of what it measured, in its order.
func (s series) measure(ctx context.Context, program []string, corpus string) (names []string, err error) {
	out, err := run(ctx, ".", program[0], append(program[1:len(program):len(program)], "-runs", "20", corpus)...)
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
