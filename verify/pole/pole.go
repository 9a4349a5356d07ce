// Package pole checks that the laws of an identity hold at poles, too.
//
//	x/1.0*y        identity 1.0   →   accepted: the denominator is 1
//	x + y/x*0.0    identity 0.0   →   refused: in x ⊕ e it is 0/x, of which 0 is one
//
// Under reassoc a law of floats is proven as one of rational functions, which says nothing of x/0, and
// under nnan one that leaves NaN out. Both are promises about the serial loop. It never meets an identity:
// slices start from it. So x ⊕ e must have a value for every finite x, and for x = e.
//
// The law is evaluated for every combination of the signs of its variables. What is known of a number is its kind: whether it is negative,
// zero, positive, infinite or NaN. Numbers do not overflow or vanish by rounding. A division by zero is accepted only where both sides of
// the law are the same infinity or zero in the end.
package pole

import (
	"errors"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Promises are the assumptions under which a law may hold only away from poles.
const Promises = ir.Reassoc | ir.NNaN | ir.NInf | ir.AFN

// maxSteps bounds the elementary steps of one law.
const maxSteps = 1 << 19

// maxVars is the number of variables whose signs are told apart: 3⁶ combinations.
const maxVars = 6

// Identity checks that the law of an identity on one side holds where operands are finite, and where the other operand is the identity
// itself. The law is proven already, under what is assumed. An error names the term that may have no value.
func Identity(fuel *int, op proof.Operator, side proof.Side, e []ir.Expr, assume ir.Assume) error {
	if err := Free(fuel, op.IdentityOn(side, e), assume); err != nil {
		return err
	}
	return Free(fuel, proof.Equations(nil, op.Apply(e, e), e), assume)
}

// Free checks that both sides of equations, which are proven under the assumptions, have a value for all finite values of their
// variables. 1/x has none at 0.
func Free(fuel *int, ps []proof.Problem, assume ir.Assume) error {
	if assume&Promises == 0 {
		return nil
	}
	for _, p := range ps {
		if err := free(fuel, p); err != nil {
			return err
		}
	}
	return nil
}

func free(fuel *int, p proof.Problem) (err error) {
	if ir.TypesIn(append([]ir.Expr{p.Left, p.Right}, p.Given...))&ir.FloatTypes == 0 {
		return nil
	}
	defer catch(&err)
	c := &evaluator{fuel: min(maxSteps, *fuel), signs: map[ir.Expr]class{}}
	defer func(given int) { *fuel -= given - max(c.fuel, 0) }(c.fuel)
	var vars []ir.Expr
	for _, v := range ir.Vars(append([]ir.Expr{p.Left, p.Right}, p.Given...)...) {
		if v.Type() != ir.Bool && len(vars) < maxVars {
			vars = append(vars, v)
		}
	}
	return c.each(vars, p)
}

// evaluator evaluates both sides for one combination of signs.
type evaluator struct {
	fuel  int
	signs map[ir.Expr]class // of variables
	pole  ir.Expr           // a term that divided by zero; none at first

	numbers map[ir.Expr]class
	truths  map[ir.Expr]truth
}

// failure ends the evaluation of a law.
type failure string

func fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// catch puts a failure into the error. It is deferred.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = errors.New(string(r))
	default:
		panic(r)
	}
}

// each tries all signs of variables.
func (c *evaluator) each(vars []ir.Expr, p proof.Problem) error {
	if len(vars) == 0 {
		return c.law(p)
	}
	for sign := range finite.kinds {
		if sign == negative && vars[0].Type().IsUnsigned() {
			continue
		}
		c.signs[vars[0]] = sign
		if err := c.each(vars[1:], p); err != nil {
			return err
		}
	}
	return nil
}

// law checks the equation for the present signs.
func (c *evaluator) law(p proof.Problem) error {
	c.numbers, c.truths, c.pole = map[ir.Expr]class{}, map[ir.Expr]truth{}, ir.Expr{}
	for _, g := range p.Given {
		if c.truth(g) == no {
			return nil
		}
	}
	c.pole = ir.Expr{}
	if p.Left.Type() == ir.Bool {
		c.truth(p.Left)
		c.truth(p.Right)
	} else if l, r := c.number(p.Left), c.number(p.Right); l&r == 0 {
		return fmt.Errorf("%s is not %s at every point", p.Left, p.Right)
	} else if l == r && l.single() {
		return nil
	}
	if c.pole.IsValid() {
		return fmt.Errorf("%s may divide by zero", c.pole)
	}
	return nil
}

// burn pays for a step.
func (c *evaluator) burn() {
	if c.fuel--; c.fuel < 0 {
		fail("it takes too long to check")
	}
}

// number returns the set in which a number is. A term that may be no number is a failure.
func (c *evaluator) number(e ir.Expr) class {
	if v, ok := c.numbers[e]; ok {
		return v
	}
	c.burn()
	v := c.apply(e)
	if e.IsClosed() {
		v = classOf(e.Type(), ir.Eval(e, &ir.Env{}))
	}
	c.numbers[e] = v
	return v
}

func (c *evaluator) apply(e ir.Expr) class {
	t := e.Type()
	switch op := e.Op(); {
	case op == ir.Const:
		return classOf(t, e.Value())
	case op == ir.Var:
		if sign, ok := c.signs[e]; ok {
			return sign
		}
		return finite
	case op == ir.Select:
		return c.choice(e)
	case op == ir.Cast:
		return c.cast(e)
	case op == ir.Min || op == ir.Max:
		return c.pairs(e, func(a, b class) (class, bool) {
			if (op == ir.Min) == (a < b) {
				return a, true
			}
			return b, true
		})
	case t.IsInt():
		return c.integer(e)
	case op == ir.Call:
		return finite
	case op == ir.Neg:
		return c.number(e.Arg(0)).opposite()
	case op == ir.Add || op == ir.Sub:
		return c.sum(e)
	case op == ir.Mul:
		return c.pairs(e, product)
	case op == ir.Div:
		return c.pairs(e, func(a, b class) (class, bool) {
			if b == zero {
				c.pole = e
				return infinite, a != zero
			}
			return quotient(a, b)
		})
	case op == ir.Pow:
		return c.pairs(e, func(a, b class) (class, bool) { return positive, a == positive && b&finite != 0 })
	}
	return c.function(e)
}

// pairs returns the set of what an operator gives of two kinds. NaN stays NaN.
func (c *evaluator) pairs(e ir.Expr, of func(a, b class) (class, bool)) (out class) {
	left, right := c.number(e.Arg(0)), c.number(e.Arg(1))
	for a := range left.kinds {
		for b := range right.kinds {
			if a == nan || b == nan {
				out |= nan
				continue
			}
			v, ok := of(a, b)
			if !ok {
				fail("%s may be NaN", e)
			}
			out |= v
		}
	}
	return out
}

// sum returns the set of a sum or a difference. Finite terms that cancel are left out: x + 1.0 - x is 1.0.
func (c *evaluator) sum(e ir.Expr) class {
	all := c.pairs(e, func(a, b class) (class, bool) {
		if e.Op() == ir.Sub {
			b = b.opposite()
		}
		return sum(a, b)
	})
	if all&^finite != 0 || all.single() {
		return all
	}
	times, order := map[ir.Expr]int{}, []ir.Expr{}
	var collect func(e ir.Expr, sign int)
	collect = func(e ir.Expr, sign int) {
		c.burn()
		switch a := withoutOne(e); {
		case a.Op() == ir.Add || a.Op() == ir.Sub:
			collect(a.Arg(0), sign)
			if a.Op() == ir.Sub {
				sign = -sign
			}
			collect(a.Arg(1), sign)
		case a.Op() == ir.Neg:
			collect(a.Arg(0), -sign)
		default:
			if times[a] == 0 {
				order = append(order, a)
			}
			times[a] += sign
		}
	}
	collect(e, 1)
	left := zero
	for _, a := range order {
		of := c.number(a)
		if times[a] == 0 {
			continue
		} else if times[a] < 0 {
			of = of.opposite()
		}
		times[a] = 0 // it may stand in the order twice
		var next class
		for k := range left.kinds {
			for l := range of.kinds {
				v, _ := sum(k, l) // of finite terms
				next |= v
			}
		}
		left = next
	}
	return left & all
}

// withoutOne returns a product with 1.0 as its other operand.
func withoutOne(e ir.Expr) ir.Expr {
	for e.Op() == ir.Mul {
		one := e.Pool().Float(e.Type(), 1)
		switch {
		case e.Arg(0) == one:
			e = e.Arg(1)
		case e.Arg(1) == one:
			e = e.Arg(0)
		default:
			return e
		}
	}
	return e
}

// function returns the set of values of a function of one float.
func (c *evaluator) function(e ir.Expr) (out class) {
	for a := range c.number(e.Arg(0)).kinds {
		v, ok := c.valueOf(e, a)
		if a == nan {
			v, ok = nan, true
		}
		if !ok {
			fail("%s may be NaN", e)
		}
		out |= v
	}
	return out
}

func (c *evaluator) valueOf(e ir.Expr, a class) (out class, defined bool) {
	switch e.Op() {
	case ir.Abs:
		return signed(a.sign()*a.sign(), a&infinite != 0), true
	case ir.Sqrt:
		return a, a.sign() >= 0
	case ir.Exp:
		switch a {
		case negInf:
			return zero, true
		case posInf:
			return posInf, true
		}
		return positive, true
	case ir.Log:
		switch a {
		case zero:
			c.pole = e
			return negInf, true
		case posInf:
			return posInf, true
		}
		return finite, a == positive
	case ir.Log1p:
		return a, a.sign() >= 0
	case ir.Sin, ir.Cos:
		return finite, a&infinite == 0
	case ir.Tanh:
		return signed(a.sign(), false), true
	case ir.Floor, ir.Round:
		if a&infinite != 0 {
			return a, true
		}
		return a | zero, true
	}
	fail("of %s nothing is known", e)
	return 0, false
}

// integer returns the set of an integer that operations on integers give, all of which have values.
func (c *evaluator) integer(e ir.Expr) class {
	for i := range e.NumArgs() {
		if t := e.Arg(i).Type(); t == ir.Bool {
			c.truth(e.Arg(i))
		} else {
			c.number(e.Arg(i))
		}
	}
	if e.Op() == ir.Add { // a count that nothing was added to
		if a, b := c.number(e.Arg(0)), c.number(e.Arg(1)); a == zero {
			return b
		} else if b == zero {
			return a
		}
	}
	if e.Type().IsUnsigned() {
		return zero | positive
	}
	return finite
}

// cast returns the set of a number of another type.
func (c *evaluator) cast(e ir.Expr) class {
	from, to := e.Arg(0).Type(), e.Type()
	if from == ir.Bool {
		c.truth(e.Arg(0))
		return zero | positive
	}
	v := c.number(e.Arg(0))
	switch {
	case to.IsFloat():
		return v
	case v == zero:
		return zero
	case to.IsUnsigned():
		return zero | positive
	}
	return finite
}

// choice returns the set of a select: of the operands that it may choose.
func (c *evaluator) choice(e ir.Expr) (out class) {
	which := c.truth(e.Arg(0))
	if which&yes != 0 {
		out |= c.number(e.Arg(1))
	}
	if which&no != 0 {
		out |= c.number(e.Arg(2))
	}
	return out
}

// truth returns the set in which a condition is.
func (c *evaluator) truth(e ir.Expr) truth {
	if v, ok := c.truths[e]; ok {
		return v
	}
	c.burn()
	v := c.condition(e)
	c.truths[e] = v
	return v
}

func (c *evaluator) condition(e ir.Expr) (out truth) {
	switch op := e.Op(); {
	case op == ir.Const:
		return truthOf(e.Value() != 0)
	case op == ir.Not:
		return c.negation(e.Arg(0))
	case op == ir.And || op == ir.Or:
		ends := truthOf(op == ir.Or) // the value of an operand that settles it
		a := c.truth(e.Arg(0))
		if a == ends {
			return a
		}
		b := c.truth(e.Arg(1))
		if b == ends {
			return b
		}
		return a&ends | b&ends | a&b
	case op == ir.IsNaN:
		v := c.number(e.Arg(0))
		if v&nan != 0 {
			out |= yes
		}
		if v&^nan != 0 {
			out |= no
		}
		return out
	case op.IsComparison() && e.Arg(0).Type() != ir.Bool:
		a, b := c.number(e.Arg(0)), c.number(e.Arg(1))
		for k := range a.kinds {
			for l := range b.kinds {
				out |= compare(op, k, l)
			}
		}
		return out
	case op == ir.Select:
		which := c.truth(e.Arg(0))
		if which&yes != 0 {
			out |= c.truth(e.Arg(1))
		}
		if which&no != 0 {
			out |= c.truth(e.Arg(2))
		}
		return out
	}
	for i := range e.NumArgs() {
		if e.Arg(i).Type() == ir.Bool {
			c.truth(e.Arg(i))
		} else {
			c.number(e.Arg(i))
		}
	}
	return unknown
}

// negation is the set of !a.
func (c *evaluator) negation(a ir.Expr) (out truth) {
	v := c.truth(a)
	if v&yes != 0 {
		out |= no
	}
	if v&no != 0 {
		out |= yes
	}
	return out
}
