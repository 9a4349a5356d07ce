package prove

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// proveSets are the sets of assumptions that the fuzzers grant.
var proveSets = []ir.Assume{0, 0, ir.NSW, ir.NSW | ir.NUW, ir.NUW, ir.NNaN, ir.NNaN | ir.NSZ, ir.NSZ, ir.Reassoc, ir.Reassoc | ir.NNaN | ir.NSZ, ir.NNaN | ir.NInf}

// FuzzProve: what is proved holds at every point tried, in the semantics that the
// assumptions claim, and the checker accepts the proof; what is refuted is refuted by the
// reference evaluator.
func FuzzProve(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, set uint8) {
		fuzzProve(t, seed, proveSets[int(set)%len(proveSets)], 1000)
	})
}

func fuzzProve(t *testing.T, seed uint64, assume ir.Assume, points int) Answer {
	g := newGenerator(seed, assume)
	p := g.problem()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	a := NewProver().Under(ctx, p, assume)
	switch a.Status {
	case Proved:
		if d := differs(p, assume, points, seed); d != "" {
			t.Errorf("seed %d: proved under %s, given %v: %s = %s, but at %s", seed, assume, p.Given, p.Left, p.Right, d)
		}
		if err := replay(t, p, a); err != nil {
			text, _ := json.Marshal(a.Proof)
			t.Errorf("seed %d: proved under %s, given %v: %s = %s, but the checker says %v\n%s", seed, assume, p.Given, p.Left, p.Right, err, text)
		}
	case Refuted:
		confirm(t, p, a)
	}
	return a
}

// confirm evaluates a counterexample by the reference evaluator.
func confirm(t *testing.T, p proof.Problem, a Answer) {
	t.Helper()
	c := a.Counter
	value := func(e ir.Expr) uint64 {
		for i, in := range c.Inputs {
			if in == e {
				return c.Values[i]
			}
		}
		t.Errorf("%s = %s is refuted without a value of %s", p.Left, p.Right, e)
		return 0
	}
	results := map[string]uint64{}
	env := &ir.Env{Var: value, Call: func(e ir.Expr, args []uint64) uint64 {
		v := value(e)
		text, _ := json.Marshal([]any{e.Name(), e.Index(), e.Type(), args})
		if old, ok := results[string(text)]; ok && old != v {
			t.Errorf("%s = %s is refuted with two values of one call %s", p.Left, p.Right, e)
		}
		results[string(text)] = v
		return v
	}}
	for _, g := range p.Given {
		if ir.Eval(g, env) == 0 {
			t.Errorf("%s = %s is refuted where %s is false", p.Left, p.Right, g)
		}
	}
	l, r := ir.Eval(p.Left, env), ir.Eval(p.Right, env)
	if l != c.Left || r != c.Right || l == r {
		t.Errorf("%s = %s under %s: refuted by %x and %x, evaluation gives %x and %x", p.Left, p.Right, a.Assumes, c.Left, c.Right, l, r)
	}
}

// TestRandomEquations is FuzzProve on a fixed range of seeds.
func TestRandomEquations(t *testing.T) {
	n := uint64(3000)
	if testing.Short() {
		n = 300
	}
	count := map[Status]int{}
	for seed := range n {
		a := fuzzProve(t, seed, proveSets[seed%uint64(len(proveSets))], 200)
		count[a.Status]++
	}
	t.Logf("%d proved, %d refuted, %d unknown", count[Proved], count[Refuted], count[Unknown])
}

// FuzzCheck: the checker never accepts a certificate, however mutated, of an equation that
// fails at some point.
func FuzzCheck(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, uint8(seed), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, seed uint64, set uint8, text []byte) {
		assume := proveSets[int(set)%len(proveSets)]
		var given *proof.Tree
		if len(text) > 0 && json.Unmarshal(text, &given) != nil {
			return
		}
		fuzzCheck(t, seed, assume, given)
	})
}

// fuzzCheck proves a random equation, and checks mutations of the certificate against that
// equation and against mutations of it. It answers how many false ones it tried.
func fuzzCheck(t *testing.T, seed uint64, assume ir.Assume, cert *proof.Tree) (accepted, rejected int) {
	g := newGenerator(seed, assume)
	p := g.problem()
	if cert == nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		a := NewProver().Prove(ctx, p, assume)
		if a.Status != Proved {
			return 0, 0
		}
		var err error
		if cert, err = Certify(p, assume, a.Proof); err != nil {
			t.Fatalf("%s = %s: %v", p.Left, p.Right, err)
		}
	}
	for i := range uint64(8) {
		q := p
		if g.IntN(2) == 0 {
			q.Right = g.vary(q.Right, 1)
		}
		if g.IntN(4) == 0 {
			q.Given = nil
		}
		tree := mutate(g.Rand, cert)
		if equation.Check(q, assume, tree) != nil {
			rejected++
			continue
		}
		accepted++
		if d := differs(q, assume, 300, seed+i); d != "" {
			text, _ := json.Marshal(tree)
			t.Errorf("seed %d: the checker accepts under %s, given %v: %s = %s, but at %s\n%s", seed, assume, q.Given, q.Left, q.Right, d, text)
		}
	}
	return accepted, rejected
}

var allKinds = []proof.Kind{proof.Split, proof.Equal, proof.Absurd, proof.Vacuous, proof.Squeeze, proof.Rewrite, proof.Substitute, proof.Carry, proof.Signs, proof.Solver}

// mutate copies a certificate, here and there changed.
func mutate(r *rand.Rand, t *proof.Tree) *proof.Tree {
	if t == nil {
		return nil
	}
	c := *t
	c.Then, c.Else = mutate(r, t.Then), mutate(r, t.Else)
	c.Cases = nil
	for _, k := range t.Cases {
		c.Cases = append(c.Cases, mutate(r, k))
	}
	if r.IntN(6) != 0 {
		return &c
	}
	switch r.IntN(8) {
	case 0, 1:
		c.Kind = allKinds[r.IntN(len(allKinds))]
	case 2:
		c.Then, c.Else = c.Else, c.Then
	case 3:
		c.Place += r.IntN(5) - 2
	case 4:
		c.Low += int64(r.IntN(5) - 2)
	case 5:
		c.Delta += int64(r.IntN(3) - 1)
	case 6:
		if len(c.Cases) > 0 {
			c.Cases = c.Cases[1:]
		} else if c.Then != nil {
			return c.Then
		}
	case 7:
		c.Term = []string{"x0", "y0", "k0", ""}[r.IntN(4)]
	}
	return &c
}

// TestMutatedCertificates is FuzzCheck on a fixed range of seeds.
func TestMutatedCertificates(t *testing.T) {
	n := uint64(1000)
	if testing.Short() {
		n = 300
	}
	var accepted, rejected int
	for seed := range n {
		a, r := fuzzCheck(t, seed, proveSets[seed%uint64(len(proveSets))], nil)
		accepted, rejected = accepted+a, rejected+r
	}
	t.Logf("%d accepted, %d rejected", accepted, rejected)
}
