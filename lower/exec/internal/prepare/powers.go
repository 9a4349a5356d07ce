package prepare

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// PowersForm is the steps of a lift whose parameters are linear with literals: p = M·p ⊕ y. Lanes take elements by turns, as they lie in memory, and meet
// a power of M each time; neighbours are then combined by M, by M² and so on.
//
//	p*31 + in(r)   →   acc = acc*31⁵¹² + in of 512 elements after another
type PowersForm struct {
	Lanes  int
	Linear []int       // the components that have lanes
	Steady []int       // those that no element changes: their steps compose to a power of one
	Update []ir.Expr   // the component behind a row; of others itself
	Merges [][]ir.Expr // of neighbours, by distance
	Start  []uint64    // of lanes but the last, which starts with the identity
	Step   []uint64    // of steady components
}

// powersOf is nil where some parameter is computed otherwise.
func powersOf(n *Stage) *PowersForm {
	s := n.Stage
	if !n.Composes() || n.Seen() || len(s.Where) > 0 || len(s.Operator) != len(s.Values) {
		return nil
	}
	p := &PowersForm{Steady: n.steady(), Start: make([]uint64, len(s.Values))}
	p.Step = n.steadyStep(p.Steady)
	maps, rests := make([]kernel.LinearMap, len(s.Values)), make([]ir.Expr, len(s.Values))
	moving := false
	for c, v := range s.Values {
		if v.Type().IsFloat() && !n.MayRegroup() {
			return nil
		}
		if slices.Contains(p.Steady, c) {
			continue
		}
		m, rest, ok := kernel.LinearOf(v, c)
		if !ok || m.OfBits() || !rest.IsValid() || rest.States() != 0 { // rows have no shuffles of bits
			return nil
		}
		p.Linear, maps[c], rests[c] = append(p.Linear, c), m, rest
		moving = moving || m.Moves()
		if v.Type().IsFloat() { // which adds nothing to either zero
			if p.Start[c] = ir.FloatBits(v.Type(), math.Copysign(0, -1)); m.Negative() {
				return nil
			}
		}
	}
	if !moving {
		return nil
	}
	for p.Lanes = MaxTreeLanes; p.Lanes >= fewPowerLanes; p.Lanes /= 2 {
		if p.write(n, maps, rests) {
			return p
		}
	}
	return nil
}

// fewPowerLanes is how many lanes are too few for a row to be worth its passes.
const fewPowerLanes = 64

// write puts the powers into expressions; it is false where one of them is dear, or no number that floats hold.
func (p *PowersForm) write(n *Stage, maps []kernel.LinearMap, rests []ir.Expr) bool {
	p.Update, p.Merges = append([]ir.Expr(nil), n.X...), nil
	for _, c := range p.Linear {
		m := maps[c].Power(p.Lanes)
		if !m.Cheap() {
			return false
		}
		p.Update[c] = ir.Make(m.Combines(), m.Expr(n.X[c]), rests[c])
	}
	for by := 1; by < p.Lanes; by *= 2 {
		merge := append([]ir.Expr(nil), n.X...)
		for _, c := range p.Linear {
			m := maps[c].Power(by)
			if !m.Cheap() {
				return false
			}
			merge[c] = ir.Make(m.Combines(), m.Expr(n.X[c]), n.Y[c])
		}
		p.Merges = append(p.Merges, merge)
	}
	return true
}

// MaxTreeLanes keeps the registers of a tree, of which there are many, in the nearest cache.
const MaxTreeLanes = 512
