package rfactor

import (
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/construct"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// keyed finds the operator of a part in which one component keeps the best of its inputs and others
// go with it.
func (m attempt) keyed(p *tuple.Part) *Group {
	for c := range construct.Keyed(m.pool, p) {
		g := m.confirm(p, "keyed", c.Exprs, c.Inject, func(t attempt) *prove.Proven {
			proven, _ := t.prover.Characterise(t.ctx, proof.Operator{Types: p.Types, Exprs: c.Exprs, Given: t.state}, t.proving(t.allowed))
			return proven
		})
		if g != nil {
			return g
		}
	}
	return nil
}
