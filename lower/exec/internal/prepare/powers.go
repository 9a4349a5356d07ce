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
	for c, v := range s.Values {
		if v.Type().IsFloat() && !n.MayRegroup() {
			return nil
		}
		if !slices.Contains(p.Steady, c) {
			p.Linear = append(p.Linear, c)
		}
	}
	parts, ok := kernel.LinearOf(s.Values, p.Linear)
	if !ok || !slices.ContainsFunc(parts, func(l kernel.Linear) bool { return l.Step.Moves() }) {
		return nil
	}
	for _, l := range parts {
		if l.Step.OfBits() || len(l.Y) == 1 && !l.Y[0].IsValid() { // rows have no shuffles of bits
			return nil
		}
		for _, c := range l.Comps {
			if typ := s.Values[c].Type(); typ.IsFloat() { // which adds nothing to either zero
				if p.Start[c] = ir.FloatBits(typ, math.Copysign(0, -1)); l.Step.Negative() {
					return nil
				}
			}
		}
	}
	for p.Lanes = MaxTreeLanes; p.Lanes >= fewPowerLanes; p.Lanes /= 2 {
		if p.write(n, parts) {
			return p
		}
	}
	return nil
}

// fewPowerLanes is how many lanes are too few for a row to be worth its passes.
const fewPowerLanes = 64

// write puts the powers into expressions; it is false where one of them is dear, or no number that floats hold.
func (p *PowersForm) write(n *Stage, parts []kernel.Linear) bool {
	p.Update, p.Merges = append([]ir.Expr(nil), n.X...), nil
	for _, l := range parts {
		m, op := l.Step.Power(p.Lanes), l.Step.Combines()
		if !m.Cheap() {
			return false
		}
		for i, e := range m.Exprs(among(n.X, l.Comps)) {
			if y := l.Y[i]; y.IsValid() {
				e = ir.Make(op, e, y)
			}
			p.Update[l.Comps[i]] = e
		}
	}
	for by := 1; by < p.Lanes; by *= 2 {
		merge := append([]ir.Expr(nil), n.X...)
		for _, l := range parts {
			m, op := l.Step.Power(by), l.Step.Combines()
			if !m.Cheap() {
				return false
			}
			for i, e := range m.Exprs(among(n.X, l.Comps)) {
				merge[l.Comps[i]] = ir.Make(op, e, n.Y[l.Comps[i]])
			}
		}
		p.Merges = append(p.Merges, merge)
	}
	return true
}

// among are some of the expressions.
func among(es []ir.Expr, comps []int) (out []ir.Expr) {
	for _, c := range comps {
		out = append(out, es[c])
	}
	return out
}

// MaxTreeLanes is the most lanes of a tree. A tree has many registers; with more lanes they would not fit into the nearest cache.
const MaxTreeLanes = 512
