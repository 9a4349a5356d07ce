package rfactor

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// No answer to a corpus lists an assumption without which the same operator and inject are found.
func TestLeastOverCorpora(t *testing.T) {
	if testing.Short() {
		t.Skip("matches the corpora several times")
	}
	answers, more := 0, 0
	for _, file := range []string{"updates.tsv", "unseen.tsv", "unseen_lift.tsv"} {
		run := matchCorpus(t, file, ir.AllAssumptions, 0)
		for i, l := range run.lines {
			a := run.answers[i]
			if a.Operator == nil || a.Assumes == 0 {
				continue
			}
			answers++
			for _, name := range a.Assumes.Names() {
				without, err := ir.ParseAssume(name)
				if err != nil {
					t.Fatal(err)
				}
				b, err := Match(context.Background(), parse(t, l.Types, l.Exprs), Options{Allowed: a.Assumes &^ without})
				if err != nil {
					t.Fatal(err)
				}
				if b.Status == a.Status && ir.Strings(b.Operator.Exprs) == ir.Strings(a.Operator.Exprs) && ir.Strings(b.Inject) == ir.Strings(a.Inject) {
					more++
					t.Errorf("%s: %s of %s is not needed: %s", l.Name, name, a.Assumes, a.Via())
				}
			}
		}
	}
	t.Logf("%d answers with assumptions, %d not needed", answers, more)
}
