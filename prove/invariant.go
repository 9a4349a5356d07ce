package prove

import (
	"context"

	"github.com/rfactor-go/rfactor/ir"
)

// preserved proves that the operator preserves its invariant, under what its associativity
// assumes.
func (w *Prover) preserved(ctx context.Context, p *Proven) bool {
	t := w.AllUnder(ctx, p.Closure(), p.Assumes)
	p.Proofs.Closed = t.Proofs
	return t.Status == Proved
}

// admits proves that an identity has the invariant: slices start from it.
func (w *Prover) admits(ctx context.Context, p *Proven, e []ir.Expr, assume ir.Assume) bool {
	t := w.AllUnder(ctx, p.Holds(e, nil), assume)
	p.Proofs.Start = t.Proofs
	return t.Status == Proved
}
