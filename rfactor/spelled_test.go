package rfactor

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// In the texts of an answer no input is called like an operand, and operators have no names but those of operands, parameters
// and what does not change.
func TestSpelled(t *testing.T) {
	skipShort(t)
	for _, corpus := range []struct {
		file    string
		allowed ir.Assume
	}{{"updates.tsv", ir.DefaultAssumptions}, {"unseen_lift.tsv", ir.AllAssumptions}, {"unseen.tsv", ir.AllAssumptions}} { // which other tests match, too
		run := matchCorpus(t, corpus.file, corpus.allowed, 0)
		for n, l := range run.lines {
			a := run.answers[n]
			inputs := map[string]bool{}
			for _, leaf := range a.Leaves {
				inputs[leaf.Spelling()] = true
				if isOperandName(leaf.Spelling()) {
					t.Errorf("%s: an input is called %s", l.Exprs, leaf.Spelling())
				}
			}
			if a.Operator == nil {
				continue
			}
			for _, v := range ir.Vars(a.Inject...) {
				if texts := a.Spelled(v); !inputs[texts[0]] {
					t.Errorf("%s: nothing introduces %s in inject", l.Exprs, texts[0])
				}
			}
			for _, v := range ir.Vars(a.Operator.Exprs...) {
				if texts := a.SpelledOperator(v); !isOperandName(texts[0]) && !inputs[texts[0]] {
					t.Errorf("%s: nothing introduces %s in the operator", l.Exprs, texts[0])
				}
			}
		}
	}
}

// A leaf leads back to the expression that the importer built.
func TestLeafSource(t *testing.T) {
	p := ir.NewPool()
	load := p.Call(ir.I32, "a", 0, p.R("i", ir.I32))
	u := &ir.Update{Pool: p, Types: []ir.Type{ir.I32}, Values: []ir.Expr{ir.AddOf(p.X(0, ir.I32), ir.MulOf(load, p.K(0, ir.I32)))}}
	a, err := Match(context.Background(), u, Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[ir.Expr]bool{}
	for _, l := range a.Leaves {
		found[l.Source] = true
	}
	if !found[load] || !found[p.K(0, ir.I32)] {
		t.Errorf("leaves %v do not lead back to %v", a.Leaves, load)
	}
}

// Names of operands and of parameters are told from all others.
func TestOperandNames(t *testing.T) {
	for text, want := range map[string]bool{"x": true, "y": true, "z12": true, "p0": true, "q7": true,
		"": false, "p": false, "q": false, "xa": false, "x0 ": false, "y-1": false, "k0": false, "in(r)": false, "x0y": false, "X0": false} {
		if got := isOperandName(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
