package prove

import (
	"context"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Theorem is what is known of several equations together.
type Theorem struct {
	Status  Status
	Assumes ir.Assume
	Proofs  []*proof.Tree   // one per equation, of Proved
	Counter *Counterexample // of Refuted
	Failed  int             // the first equation that was not proved
	Stopped bool
}

// Equations tries to prove all problems under one set of assumptions, the smallest that
// serves. Where there is none the theorem is that under all allowed assumptions.
func (w *Prover) Equations(ctx context.Context, ps []proof.Problem, allowed ir.Assume) Theorem {
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
func (w *Prover) refuteAny(ps []proof.Problem, assume ir.Assume) *Theorem {
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
func (w *Prover) AllUnder(ctx context.Context, ps []proof.Problem, assume ir.Assume) Theorem {
	if t := w.refuteAny(ps, assume); t != nil {
		return *t
	}
	return w.proveAll(ctx, ps, assume)
}

// Expected is Equations for what is most likely to hold: where no assumption can matter, it
// is proven before it is evaluated.
func (w *Prover) Expected(ctx context.Context, ps []proof.Problem, allowed ir.Assume) Theorem {
	if nothingConcerns(ps, allowed) {
		if t := w.proveAll(ctx, ps, 0); t.Status == Proved || t.Stopped {
			return t
		}
	}
	return w.Equations(ctx, ps, allowed)
}

// nothingConcerns reports whether none of the assumptions is about the types of the problems.
func nothingConcerns(ps []proof.Problem, allowed ir.Assume) bool {
	var types ir.TypeSet
	for _, p := range ps {
		types |= ir.TypesIn(p.Given) | p.Left.Types() | p.Right.Types()
	}
	return !allowed.AnyUnbounded(types) && (allowed&^(ir.NSW|ir.NUW) == 0 || types&ir.FloatTypes == 0)
}

// proveAll proves problems that evaluation did not refute.
func (w *Prover) proveAll(ctx context.Context, ps []proof.Problem, assume ir.Assume) Theorem {
	t := Theorem{Status: Proved, Assumes: assume, Proofs: make([]*proof.Tree, 0, len(ps))}
	for i, p := range ps {
		a := w.Prove(ctx, p, assume)
		if a.Status != Proved {
			return Theorem{Status: a.Status, Assumes: assume, Counter: a.Counter, Failed: i, Stopped: a.Stopped}
		}
		t.Proofs = append(t.Proofs, a.Proof)
	}
	return t
}
