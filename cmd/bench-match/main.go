// Bench-match measures matching on the corpus of updates and prints a table as
// tab-separated values, and nothing else on standard output.
//
// Without flags it measures time, of each corpus and of -random random updates. Every update is
// parsed before the clock starts, and matched once to warm up: tables are compiled and their
// operators proven then, as in a process that has been running for a while; no answer is kept. Then
// each update is matched -runs times, and its median is one value of the percentiles printed. A row
// names the slowest update and the one of the greatest counted effort.
//
// With -each it prints the median of every update from a source, under all assumptions, and how the
// update was answered. With -coverage it counts what is matched by a greedy simplifier with the same table, by
// saturation alone, and by everything. With -outcomes it counts how updates are answered and the codes of refusals. With -scramble every operator of the table, or every update of
// a corpus, is matched in random spellings, and misses are printed on standard error.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench-match", flag.ContinueOnError)
	flags.SetOutput(stderr)
	runs := flags.Int("runs", 20, "how often each update is matched")
	each := flags.String("each", "", "print a row for every update whose source contains `WORD`, in place of percentiles")
	coverage := flags.Bool("coverage", false, "count what is matched in place of measuring time")
	answers := flags.Bool("outcomes", false, "count how updates are answered, and the codes of refusals, in place of measuring time")
	scrambles := flags.Int("scramble", 0, "match every operator of the table, or update of the corpus, in `N` random spellings")
	seed := flags.Uint64("seed", 1, "of the random spellings and updates")
	random := flags.Int("random", 0, "measure `N` random updates as well")
	types := flags.String("types", "", "scramble the operators of one table alone, such as i32-bool")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *scrambles > 0 && flags.NArg() == 0 {
		if err := measureScrambled(ctx, *scrambles, *seed, *types, stdout, stderr); err != nil {
			fmt.Fprintln(stderr, "bench-match:", err)
			return 1
		}
		return 0
	}
	times := !*coverage && *each == "" && *scrambles == 0 && !*answers
	if flags.NArg() < 1 || flags.NArg() > 1 && !times && !*answers || *runs < 1 {
		fmt.Fprintln(stderr, "usage: bench-match [-runs N] [-random N [-seed S]] CORPUS.tsv..., bench-match -outcomes CORPUS.tsv..., bench-match [-runs N -each WORD | -coverage | -scramble N [-seed S]] CORPUS.tsv, or bench-match -scramble N [-seed S] [-types LIST]")
		return 2
	}
	corpora, err := loadAll(flags.Args())
	if err == nil {
		b := corpora[0]
		b.ctx, b.stdout, b.stderr = ctx, stdout, stderr
		switch {
		case *scrambles > 0:
			err = b.scramble(*scrambles, *seed)
		case *answers:
			err = outcomes(ctx, corpora, stdout, stderr)
		case *coverage:
			err = b.count()
		case *each != "":
			err = b.each(*runs, *each)
		default:
			if *random > 0 {
				corpora = append(corpora, drawRandom(*random, *seed))
			}
			err = measure(ctx, corpora, *runs, stdout, stderr)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench-match:", err)
		return 1
	}
	return 0
}

// bench is a corpus that has been parsed.
type bench struct {
	ctx            context.Context
	stdout, stderr io.Writer
	corpus         string // file name
	lines          []program.CorpusLine
	updates        []*ir.Update
}

func loadAll(files []string) (corpora []*bench, err error) {
	for _, file := range files {
		b, err := load(file)
		if err != nil {
			return nil, err
		}
		corpora = append(corpora, b)
	}
	return corpora, nil
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

func load(file string) (*bench, error) {
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
