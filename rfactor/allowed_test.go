package rfactor

import (
	"context"
	"flag"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

var allowedEvery = flag.Int("allowed-every", 53, "TestAllowingMore and TestAssumesLeast take one line of the corpora in so many")

// eachAssumption lists the assumptions one by one.
func eachAssumption() (out []ir.Assume) {
	for one := ir.Assume(1); one != 0; one <<= 1 {
		if ir.AllAssumptions.Has(one) {
			out = append(out, one)
		}
	}
	return out
}

// matchAllowed matches a line of a corpus under what is allowed.
func matchAllowed(t *testing.T, u *ir.Update, allowed ir.Assume) *Answer {
	t.Helper()
	a, err := Match(context.Background(), u, Options{Allowed: allowed, Unexplained: true})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// roomForMore is the effort that allowing more may cost beside twice what less did: of small updates the proofs of one candidate more.
const roomForMore = 8

// TestAllowingMore matches lines of the corpora under no assumptions, those of the default, all, and the default with each one more:
// allowing more loses no answer, and takes at most twice the effort.
func TestAllowingMore(t *testing.T) {
	lines := boundedLines(t)
	dear, n := 0, 0
	for i := 0; i < len(lines); i += *allowedEvery {
		l := lines[i]
		u := parse(t, l.Types, l.Exprs)
		more := func(name string, less, a *Answer) {
			n++
			if less.Status != Refused && a.Status == Refused {
				t.Errorf("%s: %s under less, and under %s refused: %s", l.Name, less.Status, name, a.Reason)
			}
			if a.Effort > 2*less.Effort+roomForMore && less.Status != Refused {
				dear++
				t.Errorf("%s: an effort of %.1f under less, and of %.1f under %s", l.Name, less.Effort, a.Effort, name)
			}
		}
		none, standard, all := matchAllowed(t, u, 0), matchAllowed(t, u, ir.DefaultAssumptions), matchAllowed(t, u, ir.AllAssumptions)
		more("default", none, standard)
		more("all", standard, all)
		for _, one := range eachAssumption() {
			if !ir.DefaultAssumptions.Has(one) {
				more("default and "+one.String(), standard, matchAllowed(t, u, ir.DefaultAssumptions|one))
			}
		}
	}
	t.Logf("of %d pairs %d are dear", n, dear)
}

// TestAssumesLeast matches lines of the corpora again without each assumption of their answers: no answer names one without which the
// same operator and inject are proven.
func TestAssumesLeast(t *testing.T) {
	lines := boundedLines(t)
	n := 0
	for i := 0; i < len(lines); i += *allowedEvery {
		u := parse(t, lines[i].Types, lines[i].Exprs)
		for _, allowed := range boundAllowed {
			a := matchAllowed(t, u, allowed)
			for _, one := range eachAssumption() {
				if a.Operator == nil || !a.Assumes.Has(one) {
					continue
				}
				n++
				b := matchAllowed(t, u, a.Assumes&^one)
				if b.Operator != nil && slices.Equal(texts(a.Operator.Exprs), texts(b.Operator.Exprs)) && slices.Equal(texts(a.Inject), texts(b.Inject)) {
					t.Errorf("%s assumes %s, and the same is proven under %s", lines[i].Name, a.Assumes, b.Assumes)
				}
			}
		}
	}
	t.Logf("%d assumptions were left out", n)
}
