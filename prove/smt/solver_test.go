//go:build !js

package smt

import (
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// solvers are those that are installed.
func solvers(t *testing.T) (all []*Solver) {
	for _, command := range knownSolvers {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Logf("%s is not on the path: not tested with it", command[0])
			continue
		}
		s := New(command...)
		s.Patience = 20 * time.Second
		t.Cleanup(s.Close)
		all = append(all, s)
	}
	if len(all) == 0 {
		t.Skip("no solver on the path: z3 or cvc5 is needed")
	}
	return all
}

// z3 is the solver of the tests that need one that is fast on words.
func z3(t *testing.T) *Solver {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("z3 is not on the path")
	}
	s := New("z3", "-in")
	s.Limit, s.Patience = 2_000_000, 10*time.Second
	t.Cleanup(s.Close)
	return s
}

func TestSolverAnswers(t *testing.T) {
	ctx := context.Background()
	for _, s := range solvers(t) {
		name, err := s.Name(ctx)
		if err != nil || !strings.Contains(name, s.command[0]) {
			t.Fatalf("%s calls itself %q, %v", s.command[0], name, err)
		}
		for _, c := range []struct {
			types, left, right, assume string
			want                       prove.Status
		}{
			{"x:i8, y:i8", "(x ^ y) + ((x & y) << 1)", "x + y", "none", prove.Proved},
			{"x:i8, y:i8", "x + y", "x - y", "none", prove.Refuted},
			{"x:i8, y:i8", "-max(-x, -y)", "min(x, y)", "none", prove.Refuted},
			{"x:i8, y:i8", "-max(-x, -y)", "min(x, y)", "nsw", prove.Proved},
			{"x:u8, y:u8", "f(x + y)", "f(y + x)", "none", prove.Proved},
			{"x:u8, y:u8", "f(x)", "f(y)", "none", prove.Refuted},
			{"x:f32, y:f32", "x - y", "x + (-y)", "none", prove.Proved},
			{"x:f32, y:f32", "min(x, y)", "select(x < y, x, y)", "none", prove.Refuted},
			{"x:f32, y:f32", "min(x, y)", "select(x < y, x, y)", "nnan", prove.Refuted},
			{"x:f32, y:f32", "min(x, y)", "select(x < y, x, y)", "nnan,nsz", prove.Proved},
			{"x:f32, y:f32, z:f32", "x*(y + z)", "x*y + x*z", "reassoc", prove.Proved},
			{"x:i32, y:i32", "x*x", "-1", "none", prove.Refuted},
			{"x:bool, y:u8", "select(x, y, y)", "y", "none", prove.Proved},
		} {
			typ := program.ParseType(c.types[strings.LastIndex(c.types, ":")+1:])
			p := provetest.Problem(t, ir.NewPool(), typ, c.types, c.left, c.right, "")
			a, err := s.Prove(ctx, p, provetest.Assume(t, c.assume))
			if err != nil || a.Status != c.want {
				t.Errorf("%s: %s = %s under %s is %s, %v, want %s%s", name, c.left, c.right, c.assume, a.Status, err, c.want, provetest.Values(a.Counter))
				continue
			}
			if a.Status == prove.Refuted {
				provetest.Confirm(t, p, a.Counter)
			}
			if a.Status == prove.Proved {
				if err := s.Check(ctx, p, a.Assumes, a.Proof()); err != nil {
					t.Errorf("%s: %s = %s: %v", name, c.left, c.right, err)
				}
				if provetest.Check(t, p, a.Assumes, a.Proof()) == nil {
					t.Errorf("%s = %s: a verdict is taken for a proof", c.left, c.right)
				}
			}
		}
	}
}

// A solver that hangs is killed and started again, and so is one that the context ends.
func TestSolverIsKilled(t *testing.T) {
	hard := "x*y*z*(x + y)*(y + z + 1)*(x*x + z)"
	for _, s := range solvers(t) {
		s.Limit, s.Patience = 0, 50*time.Millisecond
		p := provetest.Problem(t, ir.NewPool(), ir.I64, "x:i64, y:i64, z:i64", hard, "3037000499", "x > 1; y > 1")
		if a, err := s.Prove(context.Background(), p, 0); !errors.Is(err, ErrNoAnswer) && a.Status == prove.Unknown {
			t.Errorf("%s: %s, %v", s.command[0], a.Status, err)
		}
		s.Patience = 20 * time.Second
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		if a, err := s.Prove(ctx, p, 0); a.Status == prove.Unknown && (!a.Stopped || err == nil) {
			t.Errorf("%s: %+v, %v, want stopped", s.command[0], a, err)
		}
		cancel()
		q := provetest.Problem(t, ir.NewPool(), ir.I64, "x:i64", "x + x", "x << 1", "")
		if a, err := s.Prove(context.Background(), q, 0); a.Status != prove.Proved {
			t.Errorf("%s after it was killed: %s, %v", s.command[0], a.Status, err)
		}
		s.Limit, s.Patience = 1000, 20*time.Second
		if a, err := s.Prove(context.Background(), p, 0); a.Status != prove.Unknown {
			t.Errorf("%s within 1000 steps: %s, %v", s.command[0], a.Status, err)
		}
	}
	if a, err := New("true").Prove(context.Background(), trivial(), 0); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("a process that ends: %v, %v", a.Status, err)
	}
	if a, err := New("no-such-solver").Prove(context.Background(), trivial(), 0); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("no process: %v, %v", a.Status, err)
	}
}

func trivial() proof.Problem {
	e := ir.NewPool().Bool(true)
	return proof.Problem{Left: e, Right: e}
}

// What the solver is told of an operator is what evaluation says: closed expressions equal
// their values.
func TestSMTMeansEvaluation(t *testing.T) {
	s := z3(t)
	n := uint64(suite.Sample(100, 300))
	refused := 0
	for seed := range n {
		g := provetest.NewGenerator(seed, 0)
		e := g.Expr([]ir.Type{g.Main, g.Main, ir.Bool}[g.IntN(3)], 2+g.IntN(5))
		if e.HasCall() || mentions(e, ir.Exp, ir.Log, ir.Log1p, ir.Sin, ir.Cos, ir.Tanh, ir.Pow, ir.Gcd) {
			continue
		}
		vars := ir.Vars(e)
		var values []ir.Expr
		for _, v := range vars {
			values = append(values, g.Pool.Const(v.Type(), testpoint.Draw(g.Rand, v.Type(), 0, g.IntN(4))))
		}
		e = ir.Subst(e, vars, values)
		p := proof.Problem{Left: e, Right: g.Pool.Const(e.Type(), ir.Eval(e, &ir.Env{}))}
		a, err := s.Prove(context.Background(), p, 0)
		switch {
		case err != nil:
			t.Errorf("seed %d: %s: %v", seed, e, err)
		case a.Status == prove.Unknown:
			refused++
		case a.Status != prove.Proved:
			t.Errorf("seed %d: %s = %s is %s", seed, e, p.Right, a.Status)
		}
	}
	t.Logf("%d of %d unknown", refused, n)
}

// The operators on bits and those that round to integers, at the edges and between.
func TestSMTOfBits(t *testing.T) {
	s := z3(t)
	for _, op := range []ir.Op{ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse, ir.Floor, ir.Round} {
		for typ := ir.I8; typ <= ir.F64; typ++ {
			if typ.IsFloat() != op.FloatsOnly() || (int(op)+int(typ))%suite.More(2, 1) != 0 {
				continue
			}
			p := ir.NewPool()
			left, right := p.Bool(true), p.Bool(true)
			for _, v := range []int64{0, 1, -1, 6, -100, 77} {
				a := p.Int(typ, v)
				if typ.IsFloat() {
					a = p.Float(typ, float64(v)/2)
				}
				at := ir.Make(op, a)
				left = ir.AndOf(left, ir.EqOf(at, p.Const(typ, ir.Eval(at, nil))))
			}
			if a, err := s.Prove(context.Background(), proof.Problem{Left: left, Right: right}, 0); err != nil || a.Status != prove.Proved {
				t.Errorf("%s is %s, %v", left, a.Status, err)
			}
		}
	}
}

func mentions(e ir.Expr, ops ...ir.Op) (found bool) {
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) {
		for _, op := range ops {
			found = found || s.Op() == op
		}
	})
	return found
}

// On the 8-bit types and f32 the solver agrees with the table of equations, and with the
// prover on random ones.
func TestSolverAgreesOnTable(t *testing.T) {
	s := z3(t)
	count := map[prove.Status]int{}
	for _, g := range provetest.Equations {
		for _, typ := range strings.Fields(g.On) {
			if typ != "i8" && typ != "u8" && typ != "f32" {
				continue
			}
			for i, l := range g.Lines {
				if i%suite.Sample(suite.More(16, 8), 1) != 0 {
					continue
				}
				p, assume := g.Problem(t, l, typ)
				a, err := s.Prove(context.Background(), p, assume)
				count[a.Status]++
				if err != nil && !strings.Contains(err.Error(), "SMT-LIB") && !errors.Is(err, ErrNoAnswer) {
					t.Errorf("%s: %s = %s: %v", typ, l.Left, l.Right, err)
				}
				if want := l.Status(g); a.Status != prove.Unknown && want != prove.Unknown && a.Status != want {
					t.Errorf("%s: %s = %s under %s: the solver says %s, the table %s%s", typ, l.Left, l.Right, g.Assume, a.Status, want, provetest.Values(a.Counter))
				}
			}
		}
	}
	t.Logf("%d proved, %d refuted, %d unknown", count[prove.Proved], count[prove.Refuted], count[prove.Unknown])
}

func TestSolverAgreesOnRandom(t *testing.T) {
	s := z3(t)
	s.Limit, s.Patience = 300_000, 2*time.Second
	n := uint64(suite.Sample(100, 400))
	count := map[[2]prove.Status]int{}
	rng := rand.New(rand.NewPCG(7, 7))
	for seed := range n {
		assume := provetest.Sets[rng.IntN(len(provetest.Sets))]
		g := provetest.NewGenerator(seed+1_000_000, assume)
		p := g.Problem()
		if p.Left.Type().IsFloat() && seed%4 != 0 { // slow
			continue
		}
		a := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: assume, Exactly: true})
		b, err := s.Prove(context.Background(), p, assume)
		if err != nil && !strings.Contains(err.Error(), "SMT-LIB") && !errors.Is(err, ErrNoAnswer) {
			t.Errorf("seed %d: %s = %s: %v", seed, p.Left, p.Right, err)
		}
		count[[2]prove.Status{a.Status, b.Status}]++
		poison := assume&(ir.NNaN|ir.NInf) != 0 && a.Status == prove.Refuted // test points do not look for NaN within
		if a.Status != b.Status && a.Status != prove.Unknown && b.Status != prove.Unknown && !poison {
			t.Errorf("seed %d: given %v %s = %s under %s: the prover says %s, the solver %s%s%s", seed, p.Given, p.Left, p.Right, assume, a.Status, b.Status, provetest.Values(a.Counter), provetest.Values(b.Counter))
		}
	}
	for k, n := range count {
		t.Logf("prover %s, solver %s: %d", k[0], k[1], n)
	}
}
