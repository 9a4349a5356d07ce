package prove

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// floatSets lists sets of assumptions on floats, each after those that it contains.
var floatSets = []ir.Assume{
	ir.NNaN, ir.NSZ, ir.NNaN | ir.NSZ,
	ir.Reassoc, ir.Reassoc | ir.NSZ, ir.Reassoc | ir.NNaN, ir.Reassoc | ir.NNaN | ir.NSZ,
	ir.NInf, ir.NInf | ir.NNaN, ir.Reassoc | ir.NInf, ir.Reassoc | ir.NNaN | ir.NInf,
}

// Ladder returns the sets of assumptions that Prove tries, in order: from none to all that are
// allowed and concern the types of the given conditions and of es.
func Ladder(allowed ir.Assume, given []ir.Expr, es ...ir.Expr) []ir.Assume {
	return climb(nil, allowed, given, es)
}

// climb appends the ladder to steps, which are empty.
func climb(steps []ir.Assume, allowed ir.Assume, given, es []ir.Expr) []ir.Assume {
	types := ir.TypesIn(given) | ir.TypesIn(es)
	signed, unsigned, float := types&ir.SignedTypes != 0, types&ir.UnsignedTypes != 0, types&ir.FloatTypes != 0
	transcendental := false
	if float {
		look := func(e ir.Expr) {
			switch e.Op() {
			case ir.Exp, ir.Log, ir.Log1p, ir.Sqrt, ir.Pow:
				transcendental = true
			}
		}
		ir.Walk(given, look)
		ir.Walk(es, look)
	}
	steps = append(slices.Grow(steps, 24), 0)
	add := func(a ir.Assume) {
		last := steps[len(steps)-1]
		if allowed.Has(a) && last|a != last {
			steps = append(steps, last|a)
		}
	}
	if float {
		for _, a := range floatSets {
			if allowed.Has(a) {
				steps = append(steps, a)
			}
			// The identities of exp, log and sqrt are those of real numbers.
			if transcendental && a.Has(ir.Reassoc) && allowed.Has(a|ir.AFN) {
				steps = append(steps, a|ir.AFN)
			}
		}
		all := ir.Reassoc | ir.NNaN | ir.NInf | ir.NSZ
		if transcendental {
			all |= ir.AFN
		}
		if all &= allowed; steps[len(steps)-1] != all {
			steps = append(steps, all)
		}
	}
	if signed {
		add(ir.NSW)
	}
	if unsigned {
		add(ir.NUW)
	}
	return steps
}
