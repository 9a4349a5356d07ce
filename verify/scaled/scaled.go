// Package scaled checks equations between extrema of products.
//
//	max(x*max(y, z), x*min(y, z)) = max(x*y, x*z)
//
// Both sides are compared for each combination of the signs of factors. A factor that is not negative keeps the order, so that
// x·max(y, z) is max(x·y, x·z). A negative one reverses it: x·max(y, z) is min(x·y, x·z). Then the sides are extrema of
// polynomials, and package threshold decides whether they are the same in every order of these. A flag that chooses is true or false
// in its turn; v >= 0, v < 0 and max(v, 0) of an atom v are what its sign says.
//
// Integers are read where they are unbounded, and floats under reassoc, nnan and nsz, with infinities. An accepted equation holds
// wherever neither side is NaN: with 0·∞ = 0 products keep and reverse the order of all numbers, and where neither side
// computes 0·∞ it has the value that it has with 0·∞ = 0. Sums of floats are read under ninf alone.
package scaled

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/threshold"
)

// maxSteps bounds the elementary steps of one equation.
const maxSteps = 1 << 19

// Reads reports whether extrema of products of a type are read under some assumptions.
func Reads(t ir.Type, assume ir.Assume) bool {
	return assume.Unbounded(t) || t.IsFloat() && assume.Has(ir.Reassoc|ir.NNaN|ir.NSZ)
}

// Equal returns nil if both sides have the same value under what is assumed. An error means that the equation is not
// confirmed. The elementary steps that were made are taken off fuel.
func Equal(fuel *int, p proof.Problem, assume ir.Assume) (err error) {
	defer poly.Catch(&err)
	switch t := p.Left.Type(); {
	case t != p.Right.Type():
		return errors.New("the sides are of two types")
	case !Reads(t, assume):
		return fmt.Errorf("products of %s do not keep the order", t)
	}
	r := &reader{Space: poly.NewSpace(assume, min(maxSteps, *fuel)), pool: p.Left.Pool()}
	defer func(given int) { *fuel -= given - max(r.Fuel, 0) }(r.Fuel)
	for {
		r.restart()
		sides := proof.Problem{Left: r.value(p.Left), Right: r.value(p.Right)}
		if sides.Left != sides.Right {
			if err := threshold.Equal(&r.Fuel, sides, assume); err != nil {
				return err
			}
		}
		if !r.next() {
			return nil
		}
	}
}

// reader reads terms for one combination of signs and flags.
type reader struct {
	*poly.Space
	pool    *ir.Pool
	decided []decision // in the order in which they were met
	truths  map[ir.Expr]bool
	atoms   map[int]ir.Expr       // by their numbers
	values  map[ir.Expr]ir.Expr   // minima and maxima of leaves
	leaves  map[string]ir.Expr    // by the keys of polynomials
	polys   map[ir.Expr]poly.Poly // of leaves
}

// decision is that a flag is true or false, or that a number is not negative or negative.
type decision struct {
	e  ir.Expr
	is bool
}

// restart forgets what was read, but for what is decided.
func (r *reader) restart() {
	r.truths, r.atoms, r.values = map[ir.Expr]bool{}, map[int]ir.Expr{}, map[ir.Expr]ir.Expr{}
	r.leaves, r.polys = map[string]ir.Expr{}, map[ir.Expr]poly.Poly{}
	for _, d := range r.decided {
		r.truths[d.e] = d.is
	}
}

// next goes on to the next combination: the last decision that is true becomes false, and those after it are open. It
// returns false where none is true.
func (r *reader) next() bool {
	for n := len(r.decided) - 1; n >= 0; n-- {
		if r.decided[n].is {
			r.decided = r.decided[:n+1]
			r.decided[n].is = false
			return true
		}
	}
	return false
}

// decide returns what is decided of a flag, or of the sign of a number. It is true where it is met first.
func (r *reader) decide(e ir.Expr) bool {
	is, ok := r.truths[e]
	if !ok {
		r.Burn(1)
		is = true
		r.truths[e] = is
		r.decided = append(r.decided, decision{e, is})
	}
	return is
}

// truth returns the value of a flag.
func (r *reader) truth(e ir.Expr) bool {
	switch op := e.Op(); {
	case op == ir.Const:
		return e.IsConst(1)
	case op == ir.Not:
		return !r.truth(e.Arg(0))
	case op == ir.And:
		return r.truth(e.Arg(0)) && r.truth(e.Arg(1))
	case op == ir.Or:
		return r.truth(e.Arg(0)) || r.truth(e.Arg(1))
	case op == ir.Select:
		return r.truth(r.chosen(e))
	case op == ir.Le && isZero(e.Arg(0)) && isAtom(e.Arg(1)):
		return r.natural(e.Arg(1))
	case op == ir.Ge && isZero(e.Arg(1)) && isAtom(e.Arg(0)):
		return r.natural(e.Arg(0))
	case op == ir.Gt && isZero(e.Arg(0)) && isAtom(e.Arg(1)):
		return !r.natural(e.Arg(1))
	case op == ir.Lt && isZero(e.Arg(1)) && isAtom(e.Arg(0)):
		return !r.natural(e.Arg(0))
	}
	return r.decide(e)
}

func (r *reader) chosen(e ir.Expr) ir.Expr {
	if r.truth(e.Arg(0)) {
		return e.Arg(1)
	}
	return e.Arg(2)
}

// natural reports whether an atom is not negative.
func (r *reader) natural(e ir.Expr) bool { return e.Type().IsUnsigned() || r.decide(e) }

// isAtom reports whether a number is read as an atom: it is no term of those that value looks into.
func isAtom(e ir.Expr) bool {
	switch e.Op() {
	case ir.Const, ir.Select, ir.Min, ir.Max, ir.Neg, ir.Add, ir.Sub, ir.Mul:
		return false
	}
	return Reads(e.Type(), ir.AllAssumptions)
}

func isZero(e ir.Expr) bool {
	return e.Op() == ir.Const && (e.IsConst(0) || e.Type().IsFloat() && ir.Float(e.Type(), e.Value()) == 0)
}

// value returns a number as minima and maxima of leaves.
func (r *reader) value(e ir.Expr) ir.Expr {
	out, ok := r.values[e]
	if !ok {
		r.Burn(1)
		out = r.read(e)
		r.values[e] = out
	}
	return out
}

func (r *reader) read(e ir.Expr) ir.Expr {
	t := e.Type()
	adds := t.IsInt() || r.Assume.Has(ir.NInf)
	switch op := e.Op(); {
	case op == ir.Const:
		return r.literal(e)
	case op == ir.Select:
		return r.value(r.chosen(e))
	case op == ir.Max && isAtom(e.Arg(0)) && isZero(e.Arg(1)): // one of both, by the sign
		if r.natural(e.Arg(0)) {
			return r.value(e.Arg(0))
		}
		return r.value(e.Arg(1))
	case op == ir.Min || op == ir.Max:
		return ir.Make(op, r.value(e.Arg(0)), r.value(e.Arg(1)))
	case op == ir.Neg && !t.IsUnsigned():
		return r.times(r.value(e.Arg(0)), r.Scale(poly.Fractions, big.NewRat(-1, 1), poly.Unit()))
	case op == ir.Add && adds:
		return r.plus(r.value(e.Arg(0)), r.value(e.Arg(1)), big.NewRat(1, 1))
	case op == ir.Sub && adds && !t.IsUnsigned():
		return r.plus(r.value(e.Arg(0)), r.value(e.Arg(1)), big.NewRat(-1, 1))
	case op == ir.Mul:
		a, b := r.value(e.Arg(0)), r.value(e.Arg(1))
		if p, ok := r.polys[a]; ok {
			return r.times(b, p)
		}
		if p, ok := r.polys[b]; ok {
			return r.times(a, p)
		}
		poly.Fail("two extrema are multiplied")
	}
	r.atoms[e.ID()] = e
	return r.leaf(t, poly.OfAtom(e.ID()))
}

// literal is the leaf of a literal. An infinity is an atom.
func (r *reader) literal(e ir.Expr) ir.Expr {
	v, t := new(big.Rat), e.Type()
	switch {
	case t.IsSigned():
		v.SetInt64(e.Int())
	case t.IsInt():
		v.SetInt(new(big.Int).SetUint64(e.Value()))
	case v.SetFloat64(ir.Float(t, e.Value())) == nil:
		r.atoms[e.ID()] = e
		return r.leaf(t, poly.OfAtom(e.ID()))
	}
	return r.leaf(t, r.Scale(poly.Fractions, v, poly.Unit()))
}

// leaf returns the variable that stands for a polynomial. Those of literals are alike: nothing is used of their order.
func (r *reader) leaf(t ir.Type, p poly.Poly) ir.Expr {
	out, ok := r.leaves[p.Key()]
	if !ok {
		out = r.pool.Var(ir.Leaf, fmt.Sprintf("m%d", len(r.leaves)), 1<<23+len(r.leaves), t)
		r.leaves[p.Key()], r.polys[out] = out, p
	}
	return out
}

// times multiplies a number by a polynomial. That of an extremum has to be a monomial, whose sign is known.
func (r *reader) times(e ir.Expr, by poly.Poly) ir.Expr {
	if p, ok := r.polys[e]; ok {
		return r.leaf(e.Type(), r.product(p, by))
	}
	reverses := r.isNegative(by)
	return r.each(e, reverses, func(p poly.Poly) poly.Poly { return r.product(p, by) })
}

// plus returns a + k·b. One of them has to be a polynomial, and a where k is negative.
func (r *reader) plus(a, b ir.Expr, k *big.Rat) ir.Expr {
	if p, ok := r.polys[b]; ok {
		p = r.Scale(poly.Fractions, k, p)
		return r.each(a, false, func(q poly.Poly) poly.Poly { return r.Plus(poly.Fractions, p, q) })
	}
	p, ok := r.polys[a]
	if !ok {
		poly.Fail("two extrema are added")
	}
	return r.each(b, k.Sign() < 0, func(q poly.Poly) poly.Poly { return r.Plus(poly.Fractions, p, r.Scale(poly.Fractions, k, q)) })
}

// each applies a monotonic function f to the leaves of a number. Where f reverses the order, min becomes max and max min.
func (r *reader) each(e ir.Expr, reverses bool, f func(poly.Poly) poly.Poly) ir.Expr {
	done := map[ir.Expr]ir.Expr{}
	var visit func(ir.Expr) ir.Expr
	visit = func(e ir.Expr) ir.Expr {
		out, ok := done[e]
		if ok {
			return out
		}
		r.Burn(1)
		if p, ok := r.polys[e]; ok {
			out = r.leaf(e.Type(), f(p))
		} else {
			op := e.Op()
			switch {
			case reverses && op == ir.Min:
				op = ir.Max
			case reverses:
				op = ir.Min
			}
			out = ir.Make(op, visit(e.Arg(0)), visit(e.Arg(1)))
		}
		done[e] = out
		return out
	}
	return visit(e)
}

// product multiplies polynomials.
func (r *reader) product(p, q poly.Poly) poly.Poly {
	r.Burn(len(p.Terms()) * len(q.Terms()))
	var terms []poly.Term
	for _, x := range p.Terms() {
		for _, y := range q.Terms() {
			mono := poly.MonomialOf(append(poly.Factors(x.Mono), poly.Factors(y.Mono)...))
			terms = append(terms, poly.Term{Mono: mono, Coef: new(big.Rat).Mul(x.Coef, y.Coef)})
		}
	}
	return r.Collect(poly.Fractions, terms)
}

// isNegative reports whether a monomial is not positive; otherwise it is not negative.
func (r *reader) isNegative(p poly.Poly) bool {
	switch {
	case len(p.Terms()) == 0:
		return false
	case len(p.Terms()) > 1:
		poly.Fail("an extremum is multiplied by a sum")
	}
	only := p.Terms()[0]
	negative := only.Coef.Sign() < 0
	for _, n := range poly.Factors(only.Mono) {
		negative = negative != !r.natural(r.atoms[n])
	}
	return negative
}
