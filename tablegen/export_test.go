package tablegen

import (
	"context"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/simd"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Dropped lists what the filter leaves out though evaluation takes it for associative, with
// an identity, and the type at which it stands for the world: functions of one component
// with at most so many leaves over the paper's signature, or pairs of them, of which those
// that fall apart as an update are counted.
func Dropped(ctx context.Context, world string, pairs bool, leaves int) (exprs []string, t ir.Type, err error) {
	w := worldOf(world)
	switch w.values {
	case signedWords:
		exprs, err = dropped[int32](ctx, w, pairs, leaves)
	case unsignedWords:
		exprs, err = dropped[uint32](ctx, w, pairs, leaves)
	case integers, naturals:
		exprs, err = dropped[int64](ctx, w, pairs, leaves)
	default:
		exprs, err = dropped[float64](ctx, w, pairs, leaves)
	}
	return exprs, w.types[0], err
}

func dropped[T simd.Number](ctx context.Context, w *world, pairs bool, leaves int) ([]string, error) {
	s := study{w, "n", false, leaves}
	if pairs {
		s.shape = "nn"
	}
	ops, ks, literals := s.signature()
	space := newSpace[T](w, ops, s.sorts(), ks, literals, leaves)
	for range leaves - 1 {
		if err := space.grow(ctx); err != nil {
			return nil, err
		}
	}
	searcher := newSearcher(space, newScreen(space))
	var out []string
	if pairs {
		searcher.examineFallingApart(leaves)
		out = exprsOf(searcher.found)
		searcher.found = nil
	}
	for n := 1; n <= leaves; n++ {
		for n0 := 2; pairs && n0 <= n-2; n0++ {
			if err := searcher.pairs(ctx, n0, n-n0, whole); err != nil {
				return nil, err
			}
		}
		if pairs {
			continue
		}
		if err := searcher.single(ctx, n, whole); err != nil {
			return nil, err
		}
	}
	c := newChooser(w, s.shape)
	kept, err := c.sift(ctx, searcher.found, &searcher.tally)
	if err != nil {
		return nil, err
	}
	for _, cand := range searcher.found {
		es, err := pattern.Parse(c.pool, c.types, cand.exprs)
		if err != nil {
			return nil, err
		}
		if c.hasIdentity(es) && (!slices.Contains(kept, cand) || c.filter.bounds(es) && c.proves(ctx, es)) {
			out = append(out, cand.exprs)
		}
	}
	return out, nil
}

// proves reports whether the prover finds an operator associative; what it does not is no
// entry either way.
func (c *chooser) proves(ctx context.Context, es []ir.Expr) bool {
	p, _ := c.prover.Characterise(ctx, proof.Operator{Types: c.types, Exprs: ir.NewPool().Import(es...)}, proving(c.w.allowed))
	return p != nil
}

func exprsOf(cs []candidate) (out []string) {
	for _, c := range cs {
		out = append(out, c.exprs)
	}
	return out
}

// examineFallingApart examines the pairs that apart drops, as if it did not.
func (w *searcher[T]) examineFallingApart(leaves int) {
	for n0 := 1; n0 < leaves; n0++ {
		for n1 := 1; n0+n1 <= leaves; n1++ {
			from0, to0 := w.s.levelOf(number, n0)
			from1, to1 := w.s.levelOf(number, n1)
			for a := from0; a < to0; a++ {
				for b := from1; b < to1; b++ {
					if pair := []part{w.screen.part(number, a, n0), w.screen.part(number, b, n1)}; w.apart(pair) && !w.screen.refutes(pair) {
						w.examine(pair)
					}
				}
			}
		}
	}
}
