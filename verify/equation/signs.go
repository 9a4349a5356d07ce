package equation

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/linear"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// signs checks the three cases of a variable's sign.
func (c *checker) signs(t *proof.Tree, depth int) {
	v := c.variableNamed(t.Term)
	if r := c.Ring(v.Type()); r != poly.Wholes && r != poly.Fractions {
		poly.Fail("%s is not a number that is negative, zero or positive", t.Term)
	}
	if c.isBound(v) || len(t.Cases) != 3 {
		poly.Fail("%s is not told apart by its sign", t.Term)
	}
	p := c.number(v)
	for i, cl := range [3]linear.Claim{linear.Less(v.Type(), p, nil), {}, linear.Less(v.Type(), nil, p)} {
		if i == 1 {
			n, _ := p.Atom()
			c.under(v, n, nil, t.Cases[i], depth)
			continue
		}
		c.claims = append(c.claims, cl)
		c.prove(t.Cases[i], depth+1)
		c.claims = c.claims[:len(c.claims)-1]
	}
}

// variableNamed is a variable of the problem.
func (c *checker) variableNamed(name string) (v ir.Expr) {
	ir.Walk(append([]ir.Expr{c.problem.Left, c.problem.Right}, c.problem.Given...), func(e ir.Expr) {
		if e.Op() == ir.Var && e.Name() == name && e.Type().IsNumeric() && !v.IsValid() {
			v = e
		}
	})
	if !v.IsValid() {
		poly.Fail("there is no variable %q", name)
	}
	return v
}
