package prove_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// FuzzProve: what is proved holds at every point tried, in the semantics that the
// assumptions claim, and the checker accepts the proof; what is refuted is refuted by the
// reference evaluator.
func FuzzProve(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, set uint8) {
		fuzzProve(t, seed, provetest.Sets[int(set)%len(provetest.Sets)], 1000)
	})
}

func fuzzProve(t *testing.T, seed uint64, assume ir.Assume, points int) prove.Theorem {
	g := provetest.NewGenerator(seed, assume)
	p := g.Problem()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	a := prove.Prove(ctx, []proof.Problem{p}, prove.Options{Allowed: assume, Exactly: true})
	switch a.Status {
	case prove.Proved:
		if d := provetest.Differs(p, assume, points, seed); d != "" {
			t.Errorf("seed %d: proved under %s, given %v: %s = %s, but at %s", seed, assume, p.Given, p.Left, p.Right, d)
		}
		if err := provetest.Check(t, p, a.Assumes, a.Proof()); err != nil {
			text, _ := json.Marshal(a.Proof())
			t.Errorf("seed %d: proved under %s, given %v: %s = %s, but the checker says %v\n%s", seed, assume, p.Given, p.Left, p.Right, err, text)
		}
	case prove.Refuted:
		provetest.Confirm(t, p, a.Counter)
	}
	return a
}

// TestRandomEquations is FuzzProve on a fixed range of seeds.
func TestRandomEquations(t *testing.T) {
	count := map[prove.Status]int{}
	for seed := range uint64(suite.Sample(suite.More(300, 600), 3000)) {
		a := fuzzProve(t, seed, provetest.Sets[seed%uint64(len(provetest.Sets))], 200)
		count[a.Status]++
	}
	t.Logf("%d proved, %d refuted, %d unknown", count[prove.Proved], count[prove.Refuted], count[prove.Unknown])
}

// FuzzCheck: the checker never accepts a certificate, however mutated, of an equation that
// fails at some point.
func FuzzCheck(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, uint8(seed), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, seed uint64, set uint8, text []byte) {
		assume := provetest.Sets[int(set)%len(provetest.Sets)]
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
	g := provetest.NewGenerator(seed, assume)
	p := g.Problem()
	if cert == nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		a := prove.Prove(ctx, []proof.Problem{p}, prove.Options{Allowed: assume, Exactly: true})
		if a.Status != prove.Proved {
			return 0, 0
		}
		var err error
		if cert, err = prove.Certify(p, assume, a.Proof()); err != nil {
			t.Fatalf("%s = %s: %v", p.Left, p.Right, err)
		}
	}
	for i := range uint64(8) {
		q := p
		if g.IntN(2) == 0 {
			q.Right = g.Vary(q.Right, 1)
		}
		if g.IntN(4) == 0 {
			q.Given = nil
		}
		tree := mutate(g.Rand, cert)
		if verify.Equation(q, assume, tree) != nil {
			rejected++
			continue
		}
		accepted++
		if d := provetest.Differs(q, assume, 300, seed+i); d != "" {
			text, _ := json.Marshal(tree)
			t.Errorf("seed %d: the checker accepts under %s, given %v: %s = %s, but at %s\n%s", seed, assume, q.Given, q.Left, q.Right, d, text)
		}
	}
	return accepted, rejected
}

var allKinds = []proof.Kind{proof.Split, proof.Equal, proof.Absurd, proof.Vacuous, proof.Squeeze, proof.Rewrite, proof.Substitute, proof.Carry, proof.Signs, proof.Integers, proof.Solver}

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
	var accepted, rejected int
	for seed := range uint64(suite.Sample(suite.More(100, 200), 1000)) {
		a, r := fuzzCheck(t, seed, provetest.Sets[seed%uint64(len(provetest.Sets))], nil)
		accepted, rejected = accepted+a, rejected+r
	}
	t.Logf("%d accepted, %d rejected", accepted, rejected)
}
