package match

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/pace"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// Certificates measures what the checker takes.
var Certificates = &command.Command{
	Name:  "certificates",
	About: "measures the processor time in which the checker replays the certificates of all answers to corpora",
	Doc: `Each answer is written with its certificate as -proof does, and read and checked again. refutations are refusals whose values refute.
Exit code 1: a certificate does not hold, and is named on standard error.`,
	Args: "[CORPUS.tsv…]   (updates.tsv)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		return func(c *command.Call) error {
			all, err := load(c, corpora[:1])
			if err != nil {
				return err
			}
			fmt.Fprintln(c.Stdout, "corpus\tclaims\trefutations\tkilobytes\tseconds\tmedian_us\tp99_us\tmax_us\tslowest\tfailed")
			failed := 0
			for _, b := range all {
				for i := range settings {
					n, err := b.replay(i)
					if err != nil {
						return err
					}
					failed += n
				}
			}
			if failed > 0 {
				return command.ErrFailed
			}
			return nil
		}
	},
}

// replay prints a row about the answers under the i-th setting, and returns how many certificates fail.
func (b *bench) replay(i int) (failed int, err error) {
	type one struct {
		name string
		took time.Duration
	}
	var all []one
	var sum time.Duration
	claims, refutations, bytes := 0, 0, 0
	for j, u := range b.updates {
		a, err := rfactor.Match(b.ctx, u, rfactor.Options{Allowed: settings[i].allowed})
		if err != nil {
			return 0, fmt.Errorf("%s: %w", b.lines[j].Name, err)
		}
		line, err := a.JSON(true)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", b.lines[j].Name, err)
		}
		start := pace.ProcessorTime()
		record, err := verify.Check(line)
		took := pace.ProcessorTime() - start
		switch {
		case err != nil:
			fmt.Fprintf(b.stderr, "%s: %v\n", b.lines[j].Name, err)
			failed++
		case record.Status == verify.Refused && record.Counterexample == nil:
			continue // it claims nothing
		case record.Status == verify.Refused:
			refutations++
		default:
			claims++
		}
		all = append(all, one{b.lines[j].Name, took})
		sum += took
		bytes += len(line)
	}
	if len(all) == 0 {
		_, err = io.WriteString(b.stdout, b.corpus+":"+settings[i].name+"\t0\t0\t0\t0\t\t\t\t\t0\n")
		return 0, err
	}
	slices.SortStableFunc(all, func(a, b one) int { return cmp.Compare(a.took, b.took) })
	at := func(p float64) float64 { return micros(percentile(all, p).took) }
	_, err = fmt.Fprintf(b.stdout, "%s:%s\t%d\t%d\t%d\t%.2f\t%.1f\t%.1f\t%.1f\t%s\t%d\n", b.corpus, settings[i].name, claims, refutations, bytes/1000,
		sum.Seconds(), at(50), at(99), at(100), all[len(all)-1].name, failed)
	return failed, err
}
