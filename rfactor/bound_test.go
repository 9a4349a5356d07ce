package rfactor

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

var (
	boundUpdates = flag.Int("bound", suite.More(24, 200), "how many random and mutated updates TestBound matches")
	boundFirst   = flag.Int("bound-first", 0, "the number of the first of them")
)

// boundSlack is by how much a match may exceed its effort: by an eighth that simplifying takes, and by a tenth and half of that, since a
// step that has begun is finished, an iteration of a saturation or the terms of one evaluation; see slackShare.
const boundSlack = 28

// boundedMatch is what TestBound compares of two matches.
type boundedMatch struct {
	status  Status
	code    Code
	effort  float64
	written float64 // effort of writing the certificate
}

// TestBound matches random updates, and lines of the corpora with other operators and literals, on one
// processor, where it writes and checks the certificates, and then on two, in another order: neither a match nor a certificate
// exceeds the default effort by more than boundSlack, and an update has the same status both times.
func TestBound(t *testing.T) {
	n := *boundUpdates
	if testing.Short() {
		n = min(n, 100)
	}
	lines := boundedLines(t)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	once := boundedMatches(t, lines, *boundFirst, n, 1)
	runtime.GOMAXPROCS(2)
	again := boundedMatches(t, lines, *boundFirst, n, 2)

	greatest, mostWritten, of, ended := 0.0, 0.0, 0, 0
	for i, a := range once {
		if a.status != again[i].status || a.code != again[i].code {
			t.Errorf("update %d: %s %s on one processor, %s %s on two: %s", *boundFirst+i, a.status, a.code, again[i].status, again[i].code, boundedText(boundedUpdate(t, lines, *boundFirst+i)))
		}
		if effort := max(a.effort, again[i].effort); effort > DefaultEffort+boundSlack {
			t.Errorf("update %d takes an effort of %.1f: %s", *boundFirst+i, effort, boundedText(boundedUpdate(t, lines, *boundFirst+i)))
		}
		if a.written > DefaultEffort+boundSlack {
			t.Errorf("the certificate of update %d takes an effort of %.1f: %s", *boundFirst+i, a.written, boundedText(boundedUpdate(t, lines, *boundFirst+i)))
		}
		mostWritten = max(mostWritten, a.written)
		if a.effort > greatest {
			greatest, of = a.effort, *boundFirst+i
		}
		if a.code == NeedsEffort {
			ended++
		}
	}
	t.Logf("of %d updates effort ended %d; the greatest effort is %.1f, of update %d, and that of a certificate %.1f", n, ended, greatest, of, mostWritten)
}

// boundedLines returns the lines whose mutants TestBound matches.
func boundedLines(t *testing.T) (lines []program.CorpusLine) {
	for _, corpus := range []string{"updates", "unseen", "unseen_lift", "real", "go-std"} {
		lines = append(lines, readCorpus(t, corpus+".tsv")...)
	}
	return lines
}

// boundedUpdate returns the i-th update of TestBound: of nine three are random, three are mutated lines, and three of either are grown.
func boundedUpdate(t *testing.T, lines []program.CorpusLine, i int) *ir.Update {
	rng := rand.New(rand.NewPCG(uint64(i), 43))
	if i%3 == 0 {
		u := randomLine(i)
		if i%9 == 0 {
			u = drawn.Grown(rng, u, MaxSize)
		}
		return u
	}
	l := lines[rng.IntN(len(lines))]
	u := drawn.Mutated(rng, parse(t, l.Types, l.Exprs))
	if i%9 < 3 {
		u = drawn.Grown(rng, u, MaxSize)
	}
	return u
}

// boundedMatches matches n updates in so many goroutines: upwards in one, with certificates, and downwards in several.
func boundedMatches(t *testing.T, lines []program.CorpusLine, first, n, goroutines int) []boundedMatch {
	matches := make([]boundedMatch, n)
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if goroutines > 1 {
					i = n - 1 - i
				}
				u, opts := boundedUpdate(t, lines, first+i), Options{Allowed: assumeOfUpdate(first + i), Describe: true}
				var a *Answer
				var written float64
				var err error
				if goroutines == 1 && !isCut(u) {
					a, written, err = matchProven(u, opts)
				} else {
					a, err = Match(t.Context(), u, opts)
				}
				if err != nil {
					errs[i] = fmt.Errorf("update %d: %.600s", first+i, err.Error())
					continue
				}
				matches[i] = boundedMatch{a.Status, a.Code, a.Effort, written}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	return matches
}

// isCut reports whether an update is too large to be printed whole: it has no certificate.
func isCut(u *ir.Update) bool {
	return slices.ContainsFunc(u.Values, func(e ir.Expr) bool { return e.Size() > ir.PrintLimit/16 })
}

// boundedText is the beginning of an update's text.
func boundedText(u *ir.Update) string { return fmt.Sprintf("%.300s", lineText(u)) }

var boundAllowed = []ir.Assume{ir.DefaultAssumptions, ir.AllAssumptions}

// assumeOfUpdate returns what the i-th update of TestBound may assume.
func assumeOfUpdate(i int) ir.Assume { return boundAllowed[i/3%len(boundAllowed)] }
