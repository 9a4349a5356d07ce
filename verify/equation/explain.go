package equation

import (
	"errors"
	"fmt"
	"maps"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/linear"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Finder finds why claims contradict each other; ok is false where it does not see it. The
// decisions come first among the claims, and the refutation names them by their numbers. Hint
// lists decisions that may suffice; nil where nothing is known of that.
type Finder func(space *poly.Space, decisions, extra []linear.Claim, carries []linear.Carry, hint []int) (why proof.Refutation, ok bool)

// Complete returns a copy of a proof tree with the refutations that Check asks for. A search
// that made the tree knew that cases are contradictory, and not always in the checker's
// numbers why.
func Complete(p proof.Problem, assume ir.Assume, t *proof.Tree, finder Finder) (*proof.Tree, error) {
	t = copyOf(t)
	return t, check(p, assume, t, finder)
}

func copyOf(t *proof.Tree) *proof.Tree {
	if t == nil {
		return nil
	}
	c := *t
	c.Then, c.Else, c.Cases = copyOf(t.Then), copyOf(t.Else), nil
	for _, b := range t.Cases {
		c.Cases = append(c.Cases, copyOf(b))
	}
	return &c
}

// explain puts a refutation of the decisions and extra claims in place n of a node.
func (c *checker) explain(t *proof.Tree, n int, extra []linear.Claim) {
	var hint []int
	if len(t.Why) > 0 {
		hint = t.Why[0].Using
	}
	why, ok := c.finder(c.Space, c.claims, extra, c.carries, hint)
	if !ok {
		poly.Fail("no refutation of the decisions is found")
	}
	t.Why = append(append([]proof.Refutation{}, t.Why[:min(n, len(t.Why))]...), why)
}

// complete finds out which form of an equation, and which of its terms, settles a node. The
// decisions may contradict each other, which the search did not see.
func (c *checker) complete(t *proof.Tree, depth int) {
	whole := *t
	absurd := proof.Tree{Kind: proof.Absurd}
	if c.succeeds(func() { c.prove(&absurd, depth) }) == nil {
		*t = absurd
		return
	}
	var e equality
	reason := fmt.Errorf("decision %d implies no equation", t.Place)
	for _, other := range [2]bool{false, true} {
		*t = whole
		t.Other = other
		if c.succeeds(func() { e = c.implied(t) }) != nil {
			continue
		}
		r := c.Ring(e.typ)
		parts := 1
		if t.Kind == proof.Rewrite {
			parts = len(c.Sub(r, e.left, e.right).Terms())
		}
		for t.Part = range parts {
			t.Then = copyOf(whole.Then)
			if reason = c.succeeds(func() { c.useEquation(t, e, depth) }); reason == nil {
				return
			}
		}
	}
	poly.Fail("%v", reason)
}

// succeeds tries a part of a check, and leaves no trace of it but the fuel it took.
func (c *checker) succeeds(part func()) (err error) {
	outer := *c
	c.claims, c.carries = c.claims[:len(c.claims):len(c.claims)], c.carries[:len(c.carries):len(c.carries)]
	c.decided = maps.Clone(c.decided)
	c.numbers, c.truths, c.trail = map[ir.Expr]poly.Poly{}, map[ir.Expr]bool{}, nil
	defer func() {
		r := recover()
		failed, expected := r.(poly.Failure)
		if r != nil && (!expected || c.Fuel < 0) {
			panic(r)
		}
		*c = outer
		if r != nil {
			err = errors.New(string(failed))
		}
	}()
	part()
	return nil
}
