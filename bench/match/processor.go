package match

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/internal/pace"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Processor measures the processor time of matches of updates that nobody chose.
var Processor = &command.Command{
	Name:  "processor",
	About: "measures the processor time of matches of random and mutated updates, the collection of garbage included",
	Doc: `Times are those of the machine on which effort was fixed: calibration is how much slower this one is. Each update is matched once, and a
slow one again, of which the lesser time counts. One in three is random, the others are mutants of lines of all corpora.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		n := f.Int("n", 2_000, "`NUMBER` of updates")
		seed := f.Seed("updates")
		show := f.Int("show", 0, "print the `NUMBER` slowest as well")
		return func(c *command.Call) error {
			if *n < 1 {
				return command.Usage("-n is less than 1")
			}
			all, err := load(c, corpora)
			if err != nil {
				return err
			}
			return measureProcessor(c, all, *n, *seed, *show)
		}
	},
}

// The bounds of the processor time of a match at the default effort: of 999 updates in a thousand, and of all.
const (
	usualTime    = 250 * time.Millisecond
	greatestTime = 500 * time.Millisecond
)

// busy is a match and the processor time it took, over the calibration.
type busy struct {
	number int
	update *ir.Update
	took   time.Duration
	answer *rfactor.Answer
}

func measureProcessor(c *command.Call, corpora []*bench, n int, seed uint64, show int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var lines []*ir.Update
	for _, b := range corpora {
		lines = append(lines, b.updates...)
	}
	var calibrations []float64
	matches := make([]busy, n)
	for i := range matches {
		if i%200 == 0 {
			calibrations = append(calibrations, pace.Slower())
		}
		m := busy{number: i, update: drawOne(lines, seed, i)}
		for range 2 {
			start := pace.ProcessorTime()
			a, err := rfactor.Match(c.Context, m.update, rfactor.Options{Allowed: settings[i/3%2].allowed})
			took := time.Duration(float64(pace.ProcessorTime()-start) / calibrations[len(calibrations)-1])
			if err != nil {
				return fmt.Errorf("update %d: %w", i, err)
			}
			if m.answer == nil || took < m.took {
				m.answer, m.took = a, took
			}
			if took <= usualTime/2 {
				break
			}
		}
		matches[i] = m
	}
	slices.Sort(calibrations)
	slices.SortStableFunc(matches, func(a, b busy) int { return cmp.Compare(a.took, b.took) })
	fmt.Fprintln(c.Stdout, "figure\tvalue")
	fmt.Fprintf(c.Stdout, "calibration, median\t%.2f\ncalibration, greatest\t%.2f\nupdates\t%d\n", percentile(calibrations, 50), percentile(calibrations, 100), n)
	for _, bound := range []time.Duration{usualTime, greatestTime} {
		within, _ := slices.BinarySearchFunc(matches, bound, func(m busy, t time.Duration) int { return cmp.Compare(m.took, t+1) })
		fmt.Fprintf(c.Stdout, "within %v, %%\t%.3f\n", bound, 100*float64(within)/float64(n))
	}
	for _, p := range []float64{50, 90, 99, 99.9, 100} {
		fmt.Fprintf(c.Stdout, "p%v, ms\t%.2f\n", p, micros(percentile(matches, p).took)/1000)
	}
	if show == 0 {
		return nil
	}
	fmt.Fprintln(c.Stdout, "update\ttook_ms\teffort\tanswer\tcode\tas_written")
	for _, m := range matches[max(0, n-show):] {
		fmt.Fprintf(c.Stdout, "%d\t%.0f\t%.1f\t%s\t%s\t%.200s\n", m.number, micros(m.took)/1000, m.answer.Effort, m.answer.Status, m.answer.Code, ir.Strings(m.update.Values))
	}
	return nil
}

// drawOne draws the i-th update: a random one, or a mutant of a line.
func drawOne(lines []*ir.Update, seed uint64, i int) *ir.Update {
	rng := rand.New(rand.NewPCG(seed, uint64(i)))
	if i%3 == 0 {
		return drawn.Update(rng)
	}
	return drawn.Mutated(rng, lines[rng.IntN(len(lines))])
}
