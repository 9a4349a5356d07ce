package prove

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// Operator is (x, y) ↦ x ⊕ y on tuples: one expression per component over the variables
// x_i (State), y_i (Leaf) of the component types, and invariants.
type Operator struct {
	Types []ir.Type
	Exprs []ir.Expr
	Given []ir.Expr // what every operand satisfies, over x_i and invariants; see Closure
}

// Apply is a ⊕ b.
func (o Operator) Apply(a, b []ir.Expr) []ir.Expr {
	p := o.Exprs[0].Pool()
	return p.Map(o.Exprs, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var || e.Index() >= len(o.Types) {
			return ir.Expr{}
		}
		switch e.Kind() {
		case ir.State:
			return a[e.Index()]
		case ir.Leaf:
			return b[e.Index()]
		}
		return ir.Expr{}
	})
}

// Operands are fresh tuples x, y and z of the operator's component types.
func (o Operator) Operands() (x, y, z []ir.Expr) {
	p := o.Exprs[0].Pool()
	for i, t := range o.Types {
		x = append(x, p.X(i, t))
		y = append(y, p.Y(i, t))
		z = append(z, p.Var(ir.Leaf, fmt.Sprintf("z%d", i), len(o.Types)+i, t))
	}
	return x, y, z
}

// Side says on which side an identity e is one.
type Side uint8

// The sides, from weakest to strongest. Middle means x ⊕ e ⊕ y = x ⊕ y, which each of the
// others implies.
const (
	NoSide Side = iota
	Middle
	Left  // e ⊕ y = y
	Right // x ⊕ e = x
	Two
)

// String is the side's name in the JSON contract.
func (s Side) String() string { return [...]string{"none", "middle", "left", "right", "two"}[s] }

// Associativity states (x ⊕ y) ⊕ z = x ⊕ (y ⊕ z), an equation for each component.
func (o Operator) Associativity() []Problem {
	x, y, z := o.Operands()
	return equations(o.givenOf(x, y, z), o.Apply(o.Apply(x, y), z), o.Apply(x, o.Apply(y, z)))
}

// Commutativity states x ⊕ y = y ⊕ x.
func (o Operator) Commutativity() []Problem {
	x, y, _ := o.Operands()
	return equations(o.givenOf(x, y), o.Apply(x, y), o.Apply(y, x))
}

// Idempotence states x ⊕ x = x.
func (o Operator) Idempotence() []Problem {
	x, _, _ := o.Operands()
	return equations(o.givenOf(x), o.Apply(x, x), x)
}

// IdentityOn states that e is an identity on the side: Left, Right or Middle.
func (o Operator) IdentityOn(side Side, e []ir.Expr) []Problem {
	x, y, _ := o.Operands()
	switch side {
	case Left:
		return equations(o.givenOf(y), o.Apply(e, y), y)
	case Right:
		return equations(o.givenOf(x), o.Apply(x, e), x)
	}
	return equations(o.givenOf(x, y), o.Apply(o.Apply(x, e), y), o.Apply(x, y))
}

func equations(given, a, b []ir.Expr) []Problem {
	ps := make([]Problem, len(a))
	for i := range a {
		ps[i] = Problem{Given: given, Left: a[i], Right: b[i]}
	}
	return ps
}

// Theorem is what is known of several equations together.
type Theorem struct {
	Status  Status
	Assumes ir.Assume
	Proofs  []*Tree         // one per equation, of Proved
	Counter *Counterexample // of Refuted
	Failed  int             // the first equation that was not proved
	Stopped bool
}

// Equations tries to prove all problems under one set of assumptions, the smallest that
// serves. Where there is none the theorem is that under all allowed assumptions.
func (w *Prover) Equations(ctx context.Context, ps []Problem, allowed ir.Assume) Theorem {
	var es, given []ir.Expr
	for _, p := range ps {
		es = append(es, p.Left, p.Right)
		given = append(given, p.Given...)
	}
	var t Theorem
	steps := Ladder(allowed, given, es...)
	for i, assume := range steps {
		if t = w.AllUnder(ctx, ps, assume); t.Status == Proved || t.Stopped {
			break
		}
		if i == 0 && len(steps) > 2 { // what is refuted under all of them is so on every step
			if last := w.refuteAny(ps, steps[len(steps)-1]); last != nil {
				return *last
			}
		}
	}
	return t
}

// refuteAny evaluates the problems until one is refuted; nil where none is.
func (w *Prover) refuteAny(ps []Problem, assume ir.Assume) *Theorem {
	for i, p := range ps {
		if p.Left == p.Right {
			continue
		}
		if c := w.points.Refute(p, assume); c != nil {
			return &Theorem{Status: Refuted, Assumes: assume, Counter: c, Failed: i}
		}
	}
	return nil
}

// AllUnder tries to prove all problems under exactly the given assumptions.
// Evaluation goes first for all of them: it is the cheapest way to fail.
func (w *Prover) AllUnder(ctx context.Context, ps []Problem, assume ir.Assume) Theorem {
	if t := w.refuteAny(ps, assume); t != nil {
		return *t
	}
	return w.proveAll(ctx, ps, assume)
}

// Expected is Equations for what is most likely to hold: where no assumption can matter, it
// is proven before it is evaluated.
func (w *Prover) Expected(ctx context.Context, ps []Problem, allowed ir.Assume) Theorem {
	if nothingConcerns(ps, allowed) {
		if t := w.proveAll(ctx, ps, 0); t.Status == Proved || t.Stopped {
			return t
		}
	}
	return w.Equations(ctx, ps, allowed)
}

// nothingConcerns reports whether none of the assumptions is about the types of the problems.
func nothingConcerns(ps []Problem, allowed ir.Assume) bool {
	var types ir.TypeSet
	for _, p := range ps {
		types |= ir.TypesIn(p.Given) | p.Left.Types() | p.Right.Types()
	}
	return !allowed.AnyUnbounded(types) && (allowed&^(ir.NSW|ir.NUW) == 0 || types&ir.FloatTypes == 0)
}

// proveAll proves problems that evaluation did not refute.
func (w *Prover) proveAll(ctx context.Context, ps []Problem, assume ir.Assume) Theorem {
	t := Theorem{Status: Proved, Assumes: assume, Proofs: make([]*Tree, 0, len(ps))}
	for i, p := range ps {
		a := w.Prove(ctx, p, assume)
		if a.Status != Proved {
			return Theorem{Status: a.Status, Assumes: assume, Counter: a.Counter, Failed: i, Stopped: a.Stopped}
		}
		t.Proofs = append(t.Proofs, a.Proof)
	}
	return t
}
