package construct

import (
	"iter"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Decay is a part that is a sum under a bijection φ of which each step keeps a share: φ(step(x)) is λ·φ(x) and what depends on inputs alone.
type Decay struct {
	Share  ir.Expr   // λ, an input
	Inject []ir.Expr // a state to which φ gives what a step adds
	c      *conjugate
}

// Decayed yields the readings of a part of rational functions as such a sum, with each input as the share: averages and moments of which old
// elements count for less.
//
//	x0*k0 + 1; (x0*k0*x1 + y0)/(x0*k0 + 1)
//	φ = x0; x0*x1, of which a step keeps k0 and adds 1; y0
func Decayed(pool *ir.Pool, p *tuple.Part, consider func(n int)) iter.Seq[*Decay] {
	return func(yield func(*Decay) bool) {
		c := newConjugate(pool, p, consider)
		if c == nil {
			return
		}
		for i, share := range c.leaves {
			c.share = i
			for weights := 1<<len(c.leaves) - 1; weights > 0; weights-- {
				if weights>>i&1 != 0 || !c.weigh(weights) || !c.solve() {
					continue
				}
				if inject := c.inject(); inject != nil {
					if !yield(&Decay{share, inject, c}) {
						return
					}
				}
			}
		}
	}
}

// Joined returns φ⁻¹(share·φ(x) + φ(y)).
func (d *Decay) Joined(x, y []ir.Expr, share ir.Expr) []ir.Expr {
	return d.c.inverse(func(phi []monomial) ir.Expr { return fold.Add(fold.Mul(share, d.c.sumOf(phi, x)), d.c.sumOf(phi, y)) })
}
