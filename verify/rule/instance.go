package rule

import (
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Instance is a rule at one type, in one arithmetic.
type Instance struct {
	Rule   *rules.Rule
	Type   ir.Type
	Assume ir.Assume
}

// Instances lists all that a rule claims, in the order of the types. Other types do not
// matter: every subterm of a rule has the type T of the instance or is a bool, so that an
// assumption on signed integers concerns only instances at signed types, one on unsigned
// integers only those at unsigned ones, and one on floats only those at floats.
//
// At a float type there is one instance, under what the class needs. It stands for all sets
// of assumptions that include these: nnan and ninf take values away, nsz makes two of them
// one, and reassoc and afn add equations.
func Instances(r *rules.Rule) (instances []Instance) {
	for t := ir.Bool; t <= ir.F64; t++ {
		arithmetics := []ir.Assume{0, ir.NSW, ir.NUW}
		if t.IsFloat() {
			arithmetics = []ir.Assume{r.Needs(t)}
		}
		for _, a := range arithmetics {
			if (a == 0 || t.IsFloat() || a.Unbounded(t)) && r.Allowed(t, a) {
				instances = append(instances, Instance{r, t, a})
			}
		}
	}
	return instances
}

// String names the instance among those of its rule: i32, i32/nsw, f64/nnan+nsz.
func (in Instance) String() string {
	if in.Assume == 0 {
		return in.Type.String()
	}
	return in.Type.String() + "/" + strings.Join(in.Assume.Names(), "+")
}

// Goal returns the instance that is proven in place of in: in itself, unless a proof for
// signed integers serves unsigned ones. Of these the checker of equations reads no bits.
func (in Instance) Goal() Instance {
	if in.Assume == ir.NUW && ignoresSign(in.Rule.LHS) && ignoresSign(in.Rule.RHS) {
		return Instance{in.Rule, in.Type - ir.U8 + ir.I8, ir.NSW}
	}
	return in
}

// Problem states the rule's equation over fresh variables.
func (in Instance) Problem() proof.Problem {
	pool := ir.NewPool()
	fresh := func(name string, t ir.Type) ir.Expr { return pool.Var(ir.Leaf, name, 0, t) }
	return proof.Problem{Left: in.Rule.LHS.Build(pool, in.Type, fresh), Right: in.Rule.RHS.Build(pool, in.Type, fresh)}
}

// ignoresSign reports whether a term means the same over unbounded signed and unbounded
// unsigned integers, whatever the width. Then a proof for all integers, with bits as in two's
// complement without end, is one for the natural numbers among them.
func ignoresSign(side *rules.Term) bool {
	for _, a := range side.Args {
		if !ignoresSign(a) {
			return false
		}
	}
	switch side.Op {
	case ir.Var, ir.Add, ir.Sub, ir.Mul, ir.Select, ir.BitAnd, ir.BitOr, ir.BitXor:
		return true
	case ir.Shl:
		return side.Args[1].Op == ir.Const
	case ir.Const: // -1 and the limits depend on the width of an unsigned type
		return side.Name[0] != '-' && side.Name != "tmin" && side.Name != "tmax"
	}
	return false
}
