package rfactor

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var reducibleEvery = flag.Int("reducible-every", suite.More(60, 30), "TestNothingLeft takes one line of the corpora in so many")

// reduction is a subterm of an expression that equals a smaller term wherever it is evaluated.
type reduction struct {
	of, from, to ir.Expr
	under        []ir.Expr
}

func (r reduction) String() string {
	return fmt.Sprintf("in %s: %s is %s under %s", r.of, r.from, r.to, texts(r.under))
}

// reductions looks for subterms that the prover takes for a literal or for one of their own subterms.
func reductions(p *prove.Prover, e ir.Expr, given []ir.Expr, assume ir.Assume) (found []reduction) {
	o := prove.Options{Allowed: assume &^ overflow.Flags, Limit: 2_000_000}
	equal := func(a, b ir.Expr, given []ir.Expr) bool {
		return p.Prove(context.Background(), []proof.Problem{{Given: given, Left: a, Right: b}}, o).Status == prove.Proved
	}
	seen := map[string]bool{}
	var visit func(s ir.Expr, given []ir.Expr)
	visit = func(s ir.Expr, given []ir.Expr) {
		key := fmt.Sprint(s, texts(given))
		if s.NumArgs() == 0 || s.Op() == ir.Call || seen[key] || len(found) > 0 {
			return
		}
		seen[key] = true
		for _, to := range smallerTerms(s) {
			if equal(s, to, given) && !equal(s.Pool().Bool(true), s.Pool().Bool(false), given) {
				found = append(found, reduction{e, s, to, given})
				return
			}
		}
		not := ir.NotOf
		for i := range s.NumArgs() {
			under := given
			switch {
			case s.Op() == ir.Select && i == 1:
				under = append(slices.Clip(given), s.Arg(0))
			case s.Op() == ir.Select && i == 2:
				under = append(slices.Clip(given), not(s.Arg(0)))
			case s.Op() == ir.And:
				under = append(slices.Clip(given), s.Arg(1-i))
			case s.Op() == ir.Or:
				under = append(slices.Clip(given), not(s.Arg(1-i)))
			}
			visit(s.Arg(i), under)
		}
	}
	visit(e, given)
	return found
}

// smallerTerms returns literals and the subterms of a term.
func smallerTerms(e ir.Expr) (out []ir.Expr) {
	p, t := e.Pool(), e.Type()
	out = append(out, p.Const(t, 0))
	switch {
	case t == ir.Bool:
		out = append(out, p.Bool(true))
	case t.IsInt():
		out = append(out, p.Int(t, 1), p.Const(t, t.Wrap(t.Max())), p.Const(t, t.Wrap(^uint64(0))))
	}
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) {
		if s != e && s.Type() == t && s.Op() != ir.Const {
			out = append(out, s)
		}
	})
	return out
}

// Nothing is left to simplify in what answers print: no subterm is, for the prover, a literal or one of its own subterms.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	n, left := 0, 0
	var p prove.Prover
	for _, corpus := range []string{"updates.tsv", "unseen.tsv", "unseen_lift.tsv", "unseen_chains.tsv", "real.tsv", "go-std.tsv", "bits.tsv", "counters.tsv"} {
		for i, l := range readCorpus(t, corpus) {
			if i%*reducibleEvery != 0 {
				continue
			}
			for _, allowed := range []ir.Assume{ir.DefaultAssumptions, ir.AllAssumptions} {
				a, err := Match(context.Background(), parse(t, l.Types, l.Exprs), Options{Allowed: allowed})
				if err != nil {
					t.Fatal(err)
				}
				n++
				if found := leftIn(&p, a); len(found) > 0 {
					left++
					if _, known := leftToSimplify[l.Exprs]; !known {
						t.Errorf("%s: %s: %s under %s: %s", corpus, l.Exprs, a.Via(), a.Assumes, found[0])
					}
				}
			}
		}
	}
	t.Logf("%d answers, of which %d have something left to simplify", n, left)
}

// leftToSimplify says why answers to some lines of the corpora are not as simple as they might be.
var leftToSimplify = map[string]string{
	"y0; select(y0 == x0, x1 + 1, 1); max(x2, select(y0 == x0, x1 + 1, 1)); select(select(y0 == x0, x1 + 1, 1) > x2, r, x3)": "the composition of ten parameters takes longer than what simplifying may",
	"select((x2 || (((y0 || (y1 && (x1 != i64(6)))) || y2) || (select(y1, false, !((x1 == i64(3)))) && !((x1 == i64(8)))))), x0, (x0 + i64(1))); select((x2 || (((y0 || (y1 && (x1 != i64(6)))) || y2) || (select(y1, false, !((x1 == i64(3)))) && !((x1 == i64(8)))))), x1, select(y1, i64(7), select((x1 == i64(3)), i64(2), i64(5)))); (x2 || (((y0 || (y1 && (x1 != i64(6)))) || y2) || (select(y1, false, !((x1 == i64(3)))) && !((x1 == i64(8))))))": "the laws of an index into eight cases take longer to prove anew",
	"(select(((k0 & x2) != u32(0)), (x0 | i32(1)), x0) << i32(1)); (x1 - i32(1)); (x2 >> u32(1))": "the proof by bits of the simpler parameters takes longer",
}

// leftIn returns what is left to simplify in an answer's inject, operator and apply.
func leftIn(p *prove.Prover, a *Answer) (out []reduction) {
	for _, s := range a.Stages {
		out = append(out, leftIn(p, s.Answer)...)
	}
	if a.Operator == nil {
		return out
	}
	for _, e := range slices.Concat(a.Inject, a.Operator.Exprs) {
		out = append(out, reductions(p, e, nil, a.Assumes)...)
	}
	if a.Lift != nil {
		for _, e := range a.Lift.Apply {
			out = append(out, reductions(p, e, nil, a.Assumes)...)
		}
	}
	return out
}

// Nothing is left to simplify in the entries of the tables, so that a match does not look for it.
func TestTablesAreSimple(t *testing.T) {
	tables := pattern.Signatures()
	if len(tables) < 100 {
		t.Fatalf("there are %d tables", len(tables))
	}
	var p prove.Prover
	for i, types := range tables {
		if testing.Short() && i%8 != 0 {
			continue
		}
		for _, e := range pattern.Entries(types) {
			if len(tuple.Params(e.Exprs)) > 0 {
				continue // a match looks at these with the parameters in their place
			}
			for _, x := range e.Exprs {
				if found := reductions(&p, x, nil, e.Assumes); len(found) > 0 {
					t.Errorf("%v %s: %s", types, e.Name, found[0])
				}
			}
		}
	}
}
