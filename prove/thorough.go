package prove

import (
	"context"
	"errors"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/verify/exhaustive"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// This file has what a match cannot afford, and whoever asks about one operator can.

// Associative proves or refutes that an operator is associative, as Decide does. If o is Thorough it evaluates
// components that depend on few bits for all operands.
func (w *Prover) Associative(ctx context.Context, op proof.Operator, o Options) Theorem {
	problems := op.Associativity()
	if !o.Thorough {
		return w.Prove(ctx, problems, o)
	}
	exact := Theorem{Status: Proved}
	cases := o
	cases.Allowed, cases.Effort, cases.Tried = 0, CasesOnly, nil // a proof that tells more than that all values were tried
	for i, p := range problems {
		t := w.Prove(ctx, []proof.Problem{p}, cases)
		if t.Status == Unknown && !t.Stopped && exhaustive.Fits(op, i) {
			fuel := thoroughFuel
			if err := exhaustive.Associative(&fuel, op, i); err != nil {
				t = w.shrunk(problems[i:i+1], refutedBy(problems[i:i+1], err, t))
			} else {
				t = Theorem{Status: Proved, Proofs: []*proof.Tree{{Kind: proof.Exhaustive}}}
			}
		}
		if t.Status != Proved {
			t.Failed, exact = i, t
			break
		}
		exact.Proofs = append(exact.Proofs, t.Proofs...)
	}
	if exact.Status == Proved {
		return exact
	}
	if t := w.Decide(ctx, problems, o); t.Status != Unknown || exact.Status != Refuted {
		return t
	}
	return exact
}

// thoroughFuel is more than the steps of any evaluation of all values.
const thoroughFuel = 1 << 25

// Decide is Prove, and where that is Unknown and o is Thorough a search for values that refute the problems:
// under all that is allowed, or else under no assumption, which the theorem then says.
func (w *Prover) Decide(ctx context.Context, problems []proof.Problem, o Options) Theorem {
	t := w.Prove(ctx, problems, o)
	if t.Status != Unknown || !o.Thorough || t.Stopped {
		return t
	}
	if t = w.withoutOverflow(ctx, problems, o, t); t.Status == Unknown {
		t = w.searchFurther(problems, t)
	}
	if t.Status == Unknown && o.Allowed != 0 {
		o.Allowed, o.Tried = 0, nil
		if exact := w.Decide(ctx, problems, o); exact.Status == Refuted {
			return exact
		}
	}
	return w.shrunk(problems, t)
}

// shrunk makes the values of a refutation small.
func (w *Prover) shrunk(problems []proof.Problem, t Theorem) Theorem {
	if t.Counter != nil {
		t.Counter = w.points.Shrink(problems[t.Failed], t.Assumes, t.Counter)
	}
	return t
}

// withoutOverflow looks for values that refute the problems where integers wrap, and at which
// nothing overflows that is promised not to.
func (w *Prover) withoutOverflow(ctx context.Context, problems []proof.Problem, o Options, t Theorem) Theorem {
	allowed := o.Allowed
	o.Allowed, o.Exactly, o.Tried = allowed&^(ir.NSW|ir.NUW), true, nil
	exact := w.Prove(ctx, problems, o)
	if exact.Counter == nil {
		return t
	}
	c := w.points.Shrink(problems[exact.Failed], exact.Assumes, exact.Counter)
	code := tape.New(problems[exact.Failed].Left, problems[exact.Failed].Right)
	in := make([]*[tape.Lanes]uint64, len(code.Inputs))
	for i, v := range code.Inputs {
		in[i] = new([tape.Lanes]uint64)
		if at := slices.Index(c.Inputs, v); at >= 0 {
			in[i][0] = c.Values[at]
		}
	}
	if code.Run(in); code.Overflowed(allowed)&1 != 0 {
		return t
	}
	exact.Assumes, exact.Counter = allowed, c
	return exact
}

// searchFurther looks for a counterexample at many more points, and returns t where it finds none. It tries no points
// under reassoc: near a pole the sides differ by rounding alone.
func (w *Prover) searchFurther(problems []proof.Problem, t Theorem) Theorem {
	if t.Assumes.Has(ir.Reassoc) {
		return t
	}
	w.points.MinRounds = 200
	defer func() { w.points.MinRounds = 0 }()
	if refuted := w.refuteAny(problems, t.Assumes); refuted != nil {
		return *refuted
	}
	return t
}

// byValues evaluates both sides for all values of their variables, if these have few bits. It returns what
// proveOne does.
func (w *Prover) byValues(p proof.Problem) (*proof.Tree, Theorem) {
	fuel := thoroughFuel
	err := exhaustive.Equal(&fuel, p)
	if err == nil {
		return &proof.Tree{Kind: proof.Exhaustive}, Theorem{}
	}
	return nil, refutedBy([]proof.Problem{p}, err, Theorem{})
}

// refutedBy is the theorem that one of some problems is false where an evaluation says so; otherwise t.
func refutedBy(problems []proof.Problem, err error, t Theorem) Theorem {
	var d *exhaustive.Difference
	if !errors.As(err, &d) {
		return t
	}
	for i, p := range problems {
		c := &Counterexample{Inputs: d.Vars, Values: d.Values, Type: p.Left.Type()}
		if c.Confirm(p, t.Assumes) {
			return Theorem{Status: Refuted, Assumes: t.Assumes, Counter: c, Failed: i}
		}
	}
	return t
}
