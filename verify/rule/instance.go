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

// Problem states the rule's equation over fresh variables.
func (in Instance) Problem() proof.Problem {
	pool := ir.NewPool()
	fresh := func(name string, t ir.Type) ir.Expr { return pool.Var(ir.Leaf, name, 0, t) }
	return proof.Problem{Left: in.Rule.LHS.Build(pool, in.Type, fresh), Right: in.Rule.RHS.Build(pool, in.Type, fresh)}
}
