package tablegen

import (
	"context"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/simd"
)

// Spaces keeps the functions of the studies that were enumerated last, which pieces of work of a study have in common. Runs in one
// process, each of a shard, share one Spaces: else every shard makes these functions anew. Shards may be done in any order, and several
// at a time. The zero Spaces is empty. Several goroutines may use it.
type Spaces struct {
	mu   sync.Mutex
	kept []*keptSpace // the one asked for last is the last
}

// mostKept is how many studies are kept. Beam's prism runner does 8 bundles at a time, and each goes through the studies in their order.
const mostKept = 8

// keptSpace is the space of a study, which one shard makes while others wait for it.
type keptSpace struct {
	study study
	mu    sync.Mutex
	space any // *prepared[T], or nil before it is made
}

// prepared is a space whose levels are complete, with its screen. Nothing changes it.
type prepared[T simd.Number] struct {
	space  *space[T]
	screen *screen
}

// of is the place of a study's space.
func (s *Spaces) of(study study) *keptSpace {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.kept, func(k *keptSpace) bool { return k.study == study })
	k := &keptSpace{study: study}
	switch {
	case i >= 0:
		k = s.kept[i]
		s.kept = slices.Delete(s.kept, i, i+1)
	case len(s.kept) == mostKept:
		s.kept = slices.Delete(s.kept, 0, 1)
	}
	s.kept = append(s.kept, k)
	return k
}

// spaceOf is the space of a study: one that is kept, or a new one. A nil s keeps none.
func spaceOf[T simd.Number](ctx context.Context, s *Spaces, study study) (*prepared[T], error) {
	if s == nil {
		return prepare[T](ctx, study)
	}
	k := s.of(study)
	k.mu.Lock()
	defer k.mu.Unlock()
	if p, ok := k.space.(*prepared[T]); ok {
		return p, nil
	}
	p, err := prepare[T](ctx, study)
	if err == nil {
		k.space = p
	}
	return p, err
}

func prepare[T simd.Number](ctx context.Context, of study) (*prepared[T], error) {
	ops, ks, literals := of.signature()
	space := newSpace[T](of.world, ops, of.sorts(), ks, literals, of.largest())
	for range min(of.levels(), space.merged+1) {
		if err := space.grow(ctx); err != nil {
			return nil, err
		}
	}
	return &prepared[T]{space, newScreen(space)}, nil
}
