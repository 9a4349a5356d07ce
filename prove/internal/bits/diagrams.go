package bits

import (
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Diagrams returns a proof that both sides are the same polynomial, or that their bits have the
// same decision diagrams, in an order of the variables in which these are small. It returns nil
// where no order that it tries makes them equal within the steps that the checker may take, and the
// meter, which may be nil, pays for.
func Diagrams(p proof.Problem, m *effort.Meter) *proof.Tree {
	given := effort.Diagrams.Items(m.Left()) / stepsOfEqual
	t, left := &proof.Tree{Kind: proof.Equal}, given
	err := equation.CheckWithin(&left, p, 0, t)
	if m.Spend(effort.Diagrams, (given-left)*stepsOfEqual); err == nil { // products of long words
		return t
	}
	for _, fuel := range [...]int{fewSteps, manySteps} {
		for _, first := range orders(p) {
			given := min(fuel, effort.Diagrams.Items(m.Left()))
			t, left := &proof.Tree{Kind: proof.Bits, First: first}, given
			err := equation.CheckWithin(&left, p, 0, t)
			m.Spend(effort.Diagrams, given-left)
			switch {
			case err == nil:
				return t
			case m.Done():
				return nil
			}
		}
	}
	return nil
}

// Steps of the checker for one order, and how many of them are as long as one on polynomials.
const (
	stepsOfEqual = 16

	fewSteps  = 1 << 21
	manySteps = 1 << 24
)

// orders lists which variables diagrams may ask first, in groups: none; those in fewer shifts before
// those in more, of both sides, or of one; one variable.
func orders(p proof.Problem) [][][]string {
	sides := append([]ir.Expr{p.Left, p.Right}, p.Given...)
	out := [][][]string{nil}
	for _, es := range [][]ir.Expr{sides, sides[:1], sides[1:2]} {
		if groups := byShifts(es); len(groups) > 1 {
			out = append(out, groups)
		}
	}
	for i, v := range ir.Vars(sides...) {
		if i < maxAlone {
			out = append(out, [][]string{{v.Name()}})
		}
	}
	return out
}

// maxAlone bounds the variables that are tried as the first one.
const maxAlone = 6

// byShifts groups variables by the shifts around them. The count of a shift comes before the word that is
// shifted: it says which bits matter.
func byShifts(es []ir.Expr) (groups [][]string) {
	depth := map[ir.Expr]int{}
	var visit func(e ir.Expr, d int)
	visit = func(e ir.Expr, d int) {
		if known, ok := depth[e]; ok && known <= d {
			return
		}
		depth[e] = d
		shift := e.Op() == ir.Shl || e.Op() == ir.Shr
		for i := range e.NumArgs() {
			if shift {
				visit(e.Arg(i), d+2-i)
			} else {
				visit(e.Arg(i), d)
			}
		}
	}
	for _, e := range es {
		visit(e, 0)
	}
	at := map[int][]string{}
	for _, v := range ir.Vars(es...) {
		at[depth[v]] = append(at[depth[v]], v.Name())
	}
	for _, d := range slices.Sorted(maps.Keys(at)) {
		groups = append(groups, at[d])
	}
	return groups
}
