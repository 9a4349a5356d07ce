package rfactor

import (
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/construct"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// keyed finds the operator of a part in which one component keeps the best of its inputs and others
// go with it.
func (m attempt) keyed(p *tuple.Part) *Group {
	for c := range construct.Keyed(m.pool, p) {
		g := m.confirm(p, "keyed", c.Exprs, c.Inject, func(t attempt) *prove.Proven { return t.laws(p, c.Exprs, t.allowed) })
		if g != nil {
			return g
		}
	}
	return nil
}
