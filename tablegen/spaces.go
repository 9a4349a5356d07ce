package tablegen

import (
	"context"
	"sync"

	"github.com/rfactor-go/rfactor/simd"
)

// Spaces keeps the functions of the study that was enumerated last, which its pieces of work have in common. Runs in one
// process, each of a shard, share one: else every shard makes these functions anew, which takes as long as the work
// of a shard or longer. The zero Spaces is empty. Several goroutines may use it.
type Spaces struct {
	mu    sync.Mutex
	study study
	space any // *prepared[T]
}

// prepared is a space whose levels are complete, with its screen. Nothing changes it.
type prepared[T simd.Number] struct {
	space  *space[T]
	screen *screen
}

// spaceOf is the space of a study: the one that is kept, or a new one, while which is made others wait. A nil s keeps none.
func spaceOf[T simd.Number](ctx context.Context, s *Spaces, of study) (*prepared[T], error) {
	if s == nil {
		return prepare[T](ctx, of)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.space.(*prepared[T]); ok && s.study == of {
		return p, nil
	}
	s.space = nil // so that there are not two at once
	p, err := prepare[T](ctx, of)
	if err == nil {
		s.study, s.space = of, p
	}
	return p, err
}

func prepare[T simd.Number](ctx context.Context, of study) (*prepared[T], error) {
	ops, ks, literals := of.signature()
	space := newSpace[T](of.world, ops, of.sorts(), ks, literals, of.largest())
	for range min(of.leaves-1, space.merged+1) {
		if err := space.grow(ctx); err != nil {
			return nil, err
		}
	}
	return &prepared[T]{space, newScreen(space)}, nil
}
