package prove

import (
	"context"
	"math"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Status is the outcome of an attempt at a proof.
type Status uint8

// The outcomes.
const (
	Unknown Status = iota
	Proved
	Refuted
)

// String is the status in words.
func (s Status) String() string { return [...]string{"unknown", "proved", "refuted"}[s] }

// Answer is what is known of an equation.
type Answer struct {
	Status  Status
	Assumes ir.Assume       // what the proof relied on; of a refutation: what was granted in vain
	Proof   *proof.Tree     // of Proved
	Counter *Counterexample // of Refuted
	Stopped bool            // the context ended the attempt
}

// Prover is a reusable workspace. It is not safe for concurrent use.
type Prover struct {
	// Limit bounds the work of one proof, and Left that of all to come, in steps of some ten
	// nanoseconds that are counted, not timed: what is not proven within them is unknown.
	// Where Limit is zero there is no bound but the size of a proof.
	Limit, Left int
	// CasesOnly leaves out proofs by bits.
	CasesOnly bool
	// Describe writes conditions of cases in words as well. That costs time, and the checker,
	// which meets the same conditions, has no use for them.
	Describe bool

	search search
	bits   byBits
	points Points
}

// NewProver makes a workspace.
func NewProver() *Prover {
	return &Prover{search: search{symbolic: newSymbolic()}, bits: byBits{blaster: newBlaster()}}
}

// NewPlainProver is a prover that proves less: nothing by bits, and no sums of many
// inequalities of one left side. It is the measure of what an entry of a table may need.
func NewPlainProver() *Prover {
	w := NewProver()
	w.CasesOnly, w.search.refuter.keepsAll = true, true
	return w
}

var provers = sync.Pool{New: func() any { return NewProver() }}

// Equation tries to prove or refute a problem with as few of the allowed assumptions as it
// can.
func Equation(ctx context.Context, p proof.Problem, allowed ir.Assume) Answer {
	w := provers.Get().(*Prover)
	defer provers.Put(w)
	return w.Equation(ctx, p, allowed)
}

// Equation is the function Equation in this workspace. Where nothing is proven the answer is
// that under all allowed assumptions.
func (w *Prover) Equation(ctx context.Context, p proof.Problem, allowed ir.Assume) Answer {
	var a Answer
	for _, assume := range Ladder(allowed, p.Given, p.Left, p.Right) {
		if a = w.Under(ctx, p, assume); a.Status == Proved || a.Stopped {
			break
		}
	}
	return a
}

// Under tries to prove or refute a problem under exactly the given assumptions.
func (w *Prover) Under(ctx context.Context, p proof.Problem, assume ir.Assume) Answer {
	if p.Left != p.Right {
		if c := w.points.Refute(p, assume); c != nil {
			return Answer{Status: Refuted, Assumes: assume, Counter: c}
		}
	}
	return w.Prove(ctx, p, assume)
}

// Prove is Under for a problem that evaluation did not refute.
func (w *Prover) Prove(ctx context.Context, p proof.Problem, assume ir.Assume) Answer {
	if p.Left == p.Right {
		return Answer{Status: Proved, Assumes: assume, Proof: leafEqual}
	}
	s := &w.search
	s.start(p.Left.Pool(), assume)
	s.ctx, s.given, s.lhs, s.rhs, s.describe = ctx, p.Given, p.Left, p.Right, w.Describe
	s.budget, s.depth, s.cancelled = maxNodes, 0, false
	s.refuter.work, s.limit = 0, math.MaxInt
	if w.Limit > 0 {
		s.limit = min(w.Limit, w.Left)
	}
	tree := s.run()
	w.Left -= min(s.refuter.work, s.limit)
	switch {
	case s.cancelled:
		return Answer{Status: Unknown, Assumes: assume, Stopped: true}
	case tree == nil || s.ps.Overflow:
		return w.proveBits(ctx, p, assume)
	}
	if !divisionHolds(p, assume, tree) {
		return Answer{Status: Unknown, Assumes: assume}
	}
	return Answer{Status: Proved, Assumes: assume, Proof: tree}
}

// divisionHolds asks the checker about a proof over the rationals that divides by what may be
// zero, where NaN is not excluded: the search takes the laws of a field for granted, and
// 0/0 obeys none.
func divisionHolds(p proof.Problem, assume ir.Assume, t *proof.Tree) bool {
	if !assume.Has(ir.Reassoc) || assume.Has(ir.NNaN) {
		return true
	}
	divides := false
	ir.Walk(append([]ir.Expr{p.Left, p.Right}, p.Given...), func(e ir.Expr) {
		switch op := e.Op(); {
		case op == ir.Div:
			divides = divides || e.Type().IsFloat() && e.Arg(1).Op() != ir.Const
		case op == ir.Const && e.Type().IsFloat():
			f := ir.Float(e.Type(), e.Value())
			divides = divides || f-f != 0 // ∞ and NaN
		default:
			divides = divides || op == ir.Exp || op == ir.Log
		}
	})
	if !divides {
		return true
	}
	_, err := Certify(p, assume, t)
	return err == nil
}

var onlyNothing = []ir.Assume{0}

// Ladder lists the sets of assumptions worth trying, from none to all that are allowed and
// concern the expressions' types.
func Ladder(allowed ir.Assume, given []ir.Expr, es ...ir.Expr) []ir.Assume {
	types := ir.TypesIn(given) | ir.TypesIn(es)
	signed, unsigned, float := types&ir.SignedTypes != 0, types&ir.UnsignedTypes != 0, types&ir.FloatTypes != 0
	if !float && !signed && !unsigned {
		return onlyNothing
	}
	transcendental := false
	if float {
		look := func(e ir.Expr) {
			switch e.Op() {
			case ir.Exp, ir.Log, ir.Sqrt, ir.Pow:
				transcendental = true
			}
		}
		ir.Walk(given, look)
		ir.Walk(es, look)
	}
	steps := make([]ir.Assume, 1, 12)
	climb := func(a ir.Assume) {
		last := steps[len(steps)-1]
		if allowed.Has(a) && last|a != last {
			steps = append(steps, last|a)
		}
	}
	if float {
		for _, a := range []ir.Assume{ir.NNaN, ir.NSZ, ir.NNaN | ir.NSZ, ir.Reassoc, ir.Reassoc | ir.NSZ, ir.Reassoc | ir.NNaN, ir.Reassoc | ir.NNaN | ir.NSZ} {
			if allowed.Has(a) {
				steps = append(steps, a)
			}
		}
		climb(ir.NInf)
		if transcendental {
			climb(ir.AFN)
		}
	}
	if signed {
		climb(ir.NSW)
	}
	if unsigned {
		climb(ir.NUW)
	}
	return steps
}
