package read

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
)

// compareSigned compares numbers as signed ones that are compared without sign and are never negative: LLVM prefers that, and
// extrema are of one kind only then.
//
//	x0 = 0, x1 = 0; u32(x1) < u32(max(x0 + y0, 0))   →   x1 < max(x0 + y0, 0)
func (r *reader) compareSigned(u *ir.Update) {
	natural := make([]bool, len(u.Types)) // components that start at 0 or above, and stay there
	known := map[ir.Expr]bool{}
	for i, init := range u.Init {
		natural[i] = init.IsValid() && u.Types[i].IsSigned() && init.Int() >= 0
	}
	for changed := true; changed; {
		changed = false
		for i, e := range u.Values {
			if natural[i] && !isNatural(e, natural, known) {
				natural[i], changed = false, true
				clear(known)
			}
		}
	}
	for range maxRounds {
		u.Values = r.pool.Map(u.Values, func(e ir.Expr) ir.Expr {
			if isSignedAgain(e) && bothNatural(e.Arg(0), natural, known) {
				return ir.Make(e.Arg(0).Op(), e.Arg(0).Arg(0).Arg(0), e.Arg(0).Arg(1).Arg(0))
			}
			if (e.Op() == ir.Lt || e.Op() == ir.Le) && bothNatural(e, natural, known) {
				return ir.Make(e.Op(), e.Arg(0).Arg(0), e.Arg(1).Arg(0))
			}
			return ir.Expr{}
		})
	}
}

// maxRounds is how deep comparisons within one another are looked for.
const maxRounds = 4

// isSignedAgain reports whether e is an extremum of numbers without sign, taken as a signed number.
func isSignedAgain(e ir.Expr) bool {
	return e.Op() == ir.Cast && e.Type().IsSigned() && e.Arg(0).Type() == e.Type().Unsigned() && (e.Arg(0).Op() == ir.Max || e.Arg(0).Op() == ir.Min)
}

// bothNatural reports whether the operands of e are signed numbers that are taken as numbers without sign and not negative.
func bothNatural(e ir.Expr, natural []bool, known map[ir.Expr]bool) bool {
	for i := range 2 {
		if a := e.Arg(i); !isReinterpreted(a) || !isNatural(a.Arg(0), natural, known) {
			return false
		}
	}
	return true
}

// isReinterpreted reports whether e is a signed number taken as one without sign.
func isReinterpreted(e ir.Expr) bool {
	return e.Op() == ir.Cast && e.Type().IsUnsigned() && e.Arg(0).Type().IsSigned() && e.Arg(0).Type().Bits() == e.Type().Bits()
}

// isNatural reports whether a signed number is seen not to be negative, where some components are not. It notes what it finds out.
func isNatural(e ir.Expr, natural []bool, known map[ir.Expr]bool) (yes bool) {
	if yes, ok := known[e]; ok {
		return yes
	}
	of := func(i int) bool { return isNatural(e.Arg(i), natural, known) }
	switch e.Op() {
	case ir.Var:
		yes = e.Kind() == ir.State && natural[e.Index()]
	case ir.Max:
		yes = of(0) || of(1)
	case ir.Min:
		yes = of(0) && of(1)
	case ir.Select:
		c := e.Arg(0)
		positive := (c.Op() == ir.Lt || c.Op() == ir.Le) && c.Arg(0).IsConst(0) && c.Arg(1) == e.Arg(1)
		yes = (positive || of(1)) && of(2)
	case ir.Cast:
		yes = isSignedAgain(e) && bothNatural(e.Arg(0), natural, known) || interval.Of(e, nil).Lo >= 0
	default:
		yes = e.Type().IsSigned() && interval.Of(e, nil).Lo >= 0
	}
	known[e] = yes
	return yes
}
