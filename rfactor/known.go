package rfactor

import (
	"context"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
)

// known remembers what was proven of the table's operators, so that each is proven once in
// a process. It holds facts about operators, never answers about updates.
var known sync.Map // factKey → *fact

type factKey struct {
	entry   *pattern.Entry
	text    string // of an operator whose constants are bound, else empty
	allowed ir.Assume
}

type fact struct {
	once   sync.Once
	proven *prove.Proven // nil where associativity was not proven
}

// facts are what is known of an operator of the table with its constants bound.
// The result's expressions belong to a pool of its own.
func (m *matcher) facts(e *pattern.Entry, exprs []ir.Expr) *prove.Proven {
	key := factKey{entry: e, allowed: m.allowed}
	v, ok := known.Load(key)
	if !ok {
		if hasParam(e.Exprs) {
			key.text = ir.Strings(exprs)
		}
		v, _ = known.LoadOrStore(key, &fact{})
	}
	f := v.(*fact)
	f.once.Do(func() {
		pool := ir.NewPool()
		op := prove.Operator{Types: e.Types, Exprs: pool.Import(exprs...)}
		f.proven, _ = prove.NewProver().Characterise(context.Background(), op, m.allowed)
	})
	return f.proven
}

func hasParam(es []ir.Expr) bool {
	for _, v := range ir.Vars(es...) {
		if v.Kind() == ir.Param {
			return true
		}
	}
	return false
}

// adopt copies what was proven into the pool of the match.
func (m *matcher) adopt(p *prove.Proven) *prove.Proven {
	q := *p
	q.Exprs = m.pool.Import(p.Exprs...)
	if p.Side != prove.NoSide {
		q.Identity = m.pool.Import(p.Identity...)
	}
	return &q
}
