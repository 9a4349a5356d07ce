// Package match measures matching: its times, what it covers, and what it answers.
package match

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// corpus is the file of updates that is measured where none is named.
const corpus = "testdata/corpus/updates.tsv"

// corpora are all files of updates.
var corpora = []string{corpus, "testdata/corpus/unseen.tsv", "testdata/corpus/unseen_lift.tsv", "testdata/corpus/real.tsv", "testdata/corpus/go-std.tsv"}

// Times measures the time of a match.
var Times = &command.Command{
	Name:  "match",
	About: "measures the time of a match: percentiles over each corpus and over random updates",
	Doc: `Every update is parsed before the clock starts, and matched once to warm up. Then it is matched -runs times, and its median is one
value of the percentiles. A row names the slowest update and the one of the greatest counted effort. With -each it prints the
median of every update of a source, under all assumptions, and how the update was answered.`,
	Args: "[CORPUS.tsv…]   (all corpora; of one, updates.tsv, with -each)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		runs := f.Int("runs", 3, "how often each update is matched")
		random := f.Int("random", 0, "measure `N` random updates as well")
		seed := f.Seed("random updates")
		source := f.String("each", "", "print a row for every update whose source contains `WORD`, in place of percentiles")
		return func(c *command.Call) error {
			if *runs < 1 {
				return command.Usage("-runs is less than 1")
			}
			if *source != "" {
				b, err := one(c)
				if err != nil {
					return err
				}
				return b.each(*runs, *source)
			}
			all, err := load(c, corpora)
			if err != nil {
				return err
			}
			if *random > 0 {
				all = append(all, drawRandom(*random, *seed))
			}
			return measure(c, all, *runs)
		}
	},
}

// Coverage counts what is matched by which means.
var Coverage = &command.Command{
	Name:  "coverage",
	About: "counts what is matched by a greedy simplifier with the same table, by saturation alone, and by everything",
	Args:  "[CORPUS.tsv]   (updates.tsv)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		return func(c *command.Call) error {
			b, err := one(c)
			if err != nil {
				return err
			}
			return b.count()
		}
	},
}

// Outcomes counts answers and the codes of refusals.
var Outcomes = &command.Command{
	Name:  "outcomes",
	About: "counts how updates of real programs are answered, and the codes of refusals",
	Args:  "[CORPUS.tsv…]   (real.tsv and go-std.tsv)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		return func(c *command.Call) error {
			all, err := load(c, corpora[3:])
			if err != nil {
				return err
			}
			return outcomes(c, all)
		}
	},
}

// Scramble counts the spellings of what is known that are found again.
var Scramble = &command.Command{
	Name:  "scramble",
	About: "matches every operator of the table, or every update of a corpus, in random spellings",
	Doc:   "Misses are printed on standard error.",
	Args:  "[CORPUS.tsv]   (the operators of the table)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		times := f.Int("times", 1, "in how many spellings each is matched")
		seed := f.Seed("spellings")
		types := f.String("types", "", "scramble the operators of one table alone, such as i32-bool")
		return func(c *command.Call) error {
			if *times < 1 {
				return command.Usage("-times is less than 1")
			}
			if len(c.Args) == 0 {
				return measureScrambled(c.Context, *times, *seed, *types, c.Stdout, c.Stderr)
			}
			b, err := one(c)
			if err != nil {
				return err
			}
			return b.scramble(*times, *seed)
		}
	},
}

// bench is a corpus that has been parsed.
type bench struct {
	ctx            context.Context
	stdout, stderr io.Writer
	corpus         string // file name
	lines          []program.CorpusLine
	updates        []*ir.Update
}

// load reads the corpora that a call names, or these where it names none.
func load(c *command.Call, files []string) (all []*bench, err error) {
	if len(c.Args) > 0 {
		files = c.Args
	}
	for _, file := range files {
		b, err := read(file)
		if err != nil {
			return nil, err
		}
		b.ctx, b.stdout, b.stderr = c.Context, c.Stdout, c.Stderr
		all = append(all, b)
	}
	return all, nil
}

// one reads the only corpus that a call names.
func one(c *command.Call) (*bench, error) {
	if len(c.Args) > 1 {
		return nil, command.Usage("it takes one corpus")
	}
	all, err := load(c, []string{corpus})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// drawRandom draws n updates. They are named by their numbers, and the same number is the same update
// in every run with the seed.
func drawRandom(n int, seed uint64) *bench {
	b := &bench{corpus: "random"}
	for i := range n {
		b.lines = append(b.lines, program.CorpusLine{Name: fmt.Sprintf("random %d", i)})
		b.updates = append(b.updates, drawn.Update(rand.New(rand.NewPCG(seed, uint64(i)))))
	}
	return b
}

// read parses a corpus.
func read(file string) (*bench, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := &bench{corpus: filepath.Base(file)}
	if b.lines, err = program.ReadCorpus(f); err != nil {
		return nil, err
	}
	for _, l := range b.lines {
		u, err := l.Update()
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, l.Line, err)
		}
		b.updates = append(b.updates, u)
	}
	if len(b.lines) == 0 {
		return nil, fmt.Errorf("%s: there is no update in it", file)
	}
	return b, nil
}

// settings are the sets of assumptions that rows are about.
var settings = []struct {
	name    string
	allowed ir.Assume
}{
	{"all", ir.AllAssumptions},
	{"default", ir.DefaultAssumptions},
}

// each measures every update from a source on its own, under all assumptions.
func (b *bench) each(runs int, source string) error {
	fmt.Fprintln(b.stdout, "update\tstatus\tvia\tmedian_us")
	for i, u := range b.updates {
		if !strings.Contains(b.lines[i].Source, source) {
			continue
		}
		var times []time.Duration
		var a *rfactor.Answer
		for range runs + 1 {
			var err error
			if a, err = rfactor.Match(b.ctx, u, rfactor.Options{Allowed: ir.AllAssumptions}); err != nil {
				return fmt.Errorf("%s: %w", b.lines[i].Name, err)
			}
			times = append(times, a.Elapsed)
		}
		times = times[1:] // the first one warms up
		slices.Sort(times)
		fmt.Fprintf(b.stdout, "%s\t%s\t%s\t%.1f\n", b.lines[i].Name, a.Status, a.Via(), micros(percentile(times, 50)))
	}
	return nil
}
