package rfactor

import (
	"context"
	"flag"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

var hintsEvery = flag.Int("hints-every", suite.More(39, 13), "TestHints takes one line in so many of the corpora")

// toAssume finds the list that a reason tells people to pass.
var toAssume = regexp.MustCompile(`\(-assume ([a-z,+]+)\)`)

// TestHints follows hints: an update has an answer under what its refusal asks for, and under the list
// that the reason prints.
func TestHints(t *testing.T) {
	skipShort(t)
	t.Parallel()
	hints, n := 0, 0
	for _, name := range []string{"updates.tsv", "unseen.tsv", "unseen_lift.tsv", "real.tsv", "go-std.tsv"} {
		for _, l := range readCorpus(t, name) {
			if n++; n%*hintsEvery != 0 {
				continue
			}
			for _, allowed := range []ir.Assume{ir.DefaultAssumptions, 0, ir.NNaN | ir.NSZ | ir.NInf, ir.NInf | ir.AFN} {
				hints += followHint(t, l, allowed)
			}
		}
	}
	t.Logf("%d hints were followed", hints)
	if hints == 0 {
		t.Error("there are no hints")
	}
}

// followHint counts a refusal that has a hint, and matches again as it says.
func followHint(t *testing.T, l program.CorpusLine, allowed ir.Assume) int {
	t.Helper()
	u := parse(t, l.Types, l.Exprs)
	if l.Pre != "" {
		given, err := program.ParseGiven(u, l.Pre)
		if err != nil {
			t.Fatal(err)
		}
		u.Given = given
	}
	a, err := Match(context.Background(), u, Options{Allowed: allowed})
	if err != nil {
		t.Fatal(err)
	}
	hinted := a.Code == NeedsAssumption || a.Code == LiftNeedsAssumption || a.Code == NeedsGiven || a.Code == LosesCompensation
	text := a.Reason
	if a.Status == Staged { // an answer in one pass is hinted at in a remark
		hinted, text = a.Hint.Assume != 0 || len(a.Hint.Given) > 0, strings.Join(a.Remarks, "\n")
	}
	if hinted != (a.Hint.Assume != 0 || len(a.Hint.Given) > 0) {
		t.Errorf("%s under %s: %s has the hint %s, %s", l.Name, allowed, a.Code, a.Hint.Assume, ir.Strings(a.Hint.Given))
	}
	if !hinted {
		return 0
	}
	if len(a.Hint.Given) > 0 {
		u.Given = u.Pool.Import(a.Hint.Given...)
	}
	lists := []string{a.Hint.Assume.String()}
	if found := toAssume.FindStringSubmatch(text); found != nil {
		lists = append(lists, found[1])
	} else if len(a.Hint.Given) == 0 {
		t.Errorf("%s under %s: no list to pass: %s", l.Name, allowed, text)
	}
	for _, list := range lists {
		assume, err := ir.ParseAssume(list)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Match(context.Background(), u, Options{Allowed: assume, Named: Named(list)})
		if err != nil {
			t.Fatal(err)
		}
		if assume != a.Hint.Assume || b.Operator == nil {
			t.Errorf("%s under %s: %s; under %s it has no answer: %s", l.Name, allowed, a.Reason, list, b.Reason)
		}
	}
	return 1
}
