package tablegen

import (
	"context"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/simd"
)

// Dropped lists the associative functions of one component, with at most so many leaves over
// the paper's signature, that the filter leaves out though they have an identity; and the
// type at which they stand for the world.
func Dropped(ctx context.Context, world string, leaves int) (exprs []string, t ir.Type, err error) {
	w := worldOf(world)
	switch w.values {
	case signedWords:
		exprs, err = dropped[int32](ctx, w, leaves)
	case unsignedWords:
		exprs, err = dropped[uint32](ctx, w, leaves)
	case integers, naturals:
		exprs, err = dropped[int64](ctx, w, leaves)
	default:
		exprs, err = dropped[float64](ctx, w, leaves)
	}
	return exprs, w.types[0], err
}

func dropped[T simd.Number](ctx context.Context, w *world, leaves int) ([]string, error) {
	s := study{w, "n", false, leaves}
	ops, ks, literals := s.signature()
	space := newSpace[T](w, ops, s.sorts(), ks, literals, leaves)
	for range leaves - 1 {
		if err := space.grow(ctx); err != nil {
			return nil, err
		}
	}
	searcher := newSearcher(space, newScreen(space))
	for n := 1; n <= leaves; n++ {
		if err := searcher.single(ctx, n, whole); err != nil {
			return nil, err
		}
	}
	c := newChooser(w, s.shape)
	kept, err := c.sift(ctx, searcher.found, &searcher.tally)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, cand := range searcher.found {
		es, err := pattern.Parse(c.pool, c.types, cand.exprs)
		if err != nil {
			return nil, err
		}
		if c.hasIdentity(es) && !slices.Contains(kept, cand) {
			out = append(out, cand.exprs)
		}
	}
	return out, nil
}
