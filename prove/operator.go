package prove

import (
	"context"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Proven is an associative operator with everything that is known of it. Characterise and Also
// alone make one, and prove all of it.
type Proven struct {
	proof.Claims
	Assumes ir.Assume // what associativity rests on
}

// Characterise proves that an operator is associative, as Associative does, and finds its identity
// and its other properties under the assumptions that associativity needs. Hints are tuples
// that may be identities, tried before others. An identity is one in arithmetic that wraps,
// whatever associativity assumes: slices start from it at run time. Where associativity, or
// that the operator keeps its invariant, is not proven, Characterise returns nil, and the
// theorem says why.
func Characterise(ctx context.Context, op proof.Operator, o Options, hints ...[]ir.Expr) (*Proven, Theorem) {
	w := provers.Get().(*Prover)
	p, t := w.Characterise(ctx, op, o, hints...)
	provers.Put(w)
	return p, t
}

// Characterise returns the function Characterise in this workspace.
func (w *Prover) Characterise(ctx context.Context, op proof.Operator, o Options, hints ...[]ir.Expr) (*Proven, Theorem) {
	t := w.Associative(ctx, op, o)
	if t.Status != Proved {
		return nil, t
	}
	p := &Proven{Claims: proof.Claims{Operator: op}, Assumes: t.Assumes}
	p.Proofs.Associative = t.Proofs
	o = o.exactly(t.Assumes)
	if !w.preserved(ctx, p, o) {
		return nil, Theorem{Assumes: t.Assumes}
	}
	if c := w.Prove(ctx, op.Commutativity(), o); c.Status == Proved {
		p.Commutative, p.Proofs.Commutative = true, c.Proofs
	}
	if c := w.Prove(ctx, op.Idempotence(), o); c.Status == Proved {
		p.Idempotent, p.Proofs.Idempotent = true, c.Proofs
	}
	w.findIdentity(ctx, p, o, hints)
	if p.Side == proof.NoSide {
		p.Proofs.Start = nil
	}
	return p, t
}

// exactly returns options for proofs under exactly some assumptions.
func (o Options) exactly(assume ir.Assume) Options {
	o.Allowed, o.Exactly, o.ProveFirst, o.Tried = assume, true, false, nil
	return o
}

// Also proves the laws of a proven operator under other assumptions, all of Allowed: of
// integers that are unbounded, those that hold where they wrap need not hold. It returns nil
// where the operator is not proven to be associative under them.
func (w *Prover) Also(ctx context.Context, p *Proven, o Options) *Proven {
	assume := o.Allowed
	o = o.exactly(assume)
	t := w.Prove(ctx, p.Associativity(), o)
	if t.Status != Proved {
		return nil
	}
	q := *p
	q.Assumes, q.Proofs.Associative = assume, t.Proofs
	if !w.preserved(ctx, &q, o) {
		return nil
	}
	c := w.Prove(ctx, p.Commutativity(), o)
	q.Commutative, q.Proofs.Commutative = p.Commutative && c.Status == Proved, c.Proofs
	c = w.Prove(ctx, p.Idempotence(), o)
	q.Idempotent, q.Proofs.Idempotent = p.Idempotent && c.Status == Proved, c.Proofs
	if assume&(ir.NSW|ir.NUW) != 0 && q.Side != proof.Left && q.Side != proof.Two { // see findIdentity
		q.Side, q.Identity = proof.NoSide, nil
		q.Proofs.Right, q.Proofs.Middle, q.Proofs.Start = nil, nil, nil
	}
	return &q
}

// preserved proves that the operator preserves its invariant.
func (w *Prover) preserved(ctx context.Context, p *Proven, o Options) bool {
	t := w.Prove(ctx, p.Closure(), o)
	p.Proofs.Closed = t.Proofs
	return t.Status == Proved
}

// admits proves that an identity has the invariant: slices start from it.
func (w *Prover) admits(ctx context.Context, p *Proven, e []ir.Expr, o Options) bool {
	t := w.Prove(ctx, p.Holds(e, nil), o)
	p.Proofs.Start = t.Proofs
	return t.Status == Proved
}
