// Package extrema checks equations between extrema of sums.
//
//	max(x0 + y0, x0 + y1)  =  max(y1, y0) + x0                  for i32 under nsw
//	select(y1, x0, max(x0, y0))  =  max(x0, select(y1, x0, y0)) for all types, y1:bool
//
// The sides are compared for each combination of the flags that they ask for. A flag that is no
// connective of others is either true or false. Then a side is the greatest or the least of a set of
// linear sums, and equal sets are equal values. The atoms of sums are terms that are not looked into.
//
// Sums are read of signed integers under nsw, as unbounded ones; of unsigned integers under nuw, as
// natural numbers; and of floats under reassoc, nnan and nsz, as rational numbers with infinities. An
// extremum or a choice of integers is read under no assumption, an extremum of floats under nnan and nsz.
// Other terms are atoms. So is a difference of natural numbers: it does not exist where it is negative, and
// sums in which it cancels do.
//
// An accepted equation holds wherever neither side meets what is assumed not to happen. In particular both
// sides add no infinities of different signs, under nnan. Where some sum of a maximum would add them, its
// own side is +∞: it adds an operand that is +∞ to one that is not −∞. An infinite sum that exists is in
// the other set too, so that the other side is no less, and likewise the other way. A set of one sum is
// made of sets of one sum, which exists.
package extrema

import (
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// maxSteps bounds the elementary steps of one equation. One takes less than a microsecond.
const maxSteps = 1 << 19

// Equal returns nil if both sides have the same value under what is assumed. An error means that the
// equation is not confirmed. The elementary steps that were made are taken off fuel.
func Equal(left, right ir.Expr, assume ir.Assume, fuel *int) (err error) {
	defer poly.Catch(&err)
	if left.Type() != right.Type() {
		return errors.New("the sides are of two types")
	}
	r := &reader{Space: poly.NewSpace(assume, min(maxSteps, *fuel))}
	defer func(given int) { *fuel -= given - max(r.Fuel, 0) }(r.Fuel)
	for {
		r.restart()
		if !r.same(left, right) {
			return errors.New("both sides are not the same extremum of sums")
		}
		if !r.next() {
			return nil
		}
	}
}

// reader reads terms for one combination of flags.
type reader struct {
	*poly.Space
	decided []decision // in the order in which they were met
	truths  map[ir.Expr]bool
	values  map[ir.Expr]set
}

type decision struct {
	flag ir.Expr
	is   bool
}

// restart forgets what was read, but for the flags that are decided.
func (r *reader) restart() {
	r.truths, r.values = map[ir.Expr]bool{}, map[ir.Expr]set{}
	for _, d := range r.decided {
		r.truths[d.flag] = d.is
	}
}

// next goes on to the next combination: the last true flag becomes false, and those after it are open. It
// returns false where no flag is true.
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

func (r *reader) same(left, right ir.Expr) bool {
	if left.Type() == ir.Bool {
		return r.truth(left) == r.truth(right)
	}
	a, b := r.value(left), r.value(right)
	return a.op == b.op && slices.EqualFunc(a.sums, b.sums, sameSum)
}

// truth returns the value of a flag. One that is met first is true.
func (r *reader) truth(e ir.Expr) bool {
	is, ok := r.truths[e]
	if ok {
		return is
	}
	r.Burn(1)
	switch op := e.Op(); {
	case op == ir.Const:
		is = e.IsConst(1)
	case op == ir.Not:
		is = !r.truth(e.Arg(0))
	case op == ir.And:
		is = r.truth(e.Arg(0)) && r.truth(e.Arg(1))
	case op == ir.Or:
		is = r.truth(e.Arg(0)) || r.truth(e.Arg(1))
	case op == ir.Select:
		is = r.truth(r.chosen(e))
	case (op == ir.Eq || op == ir.Ne) && e.Arg(0).Type() == ir.Bool:
		is = (r.truth(e.Arg(0)) == r.truth(e.Arg(1))) == (op == ir.Eq)
	default:
		is = true
		r.decided = append(r.decided, decision{e, is})
	}
	r.truths[e] = is
	return is
}

func (r *reader) chosen(e ir.Expr) ir.Expr {
	if r.truth(e.Arg(0)) {
		return e.Arg(1)
	}
	return e.Arg(2)
}

// set is the extremum of sums, which ascend by their keys.
type set struct {
	op   ir.Op // Max or Min, or sole
	sums []poly.Poly
}

const sole ir.Op = 0 // the operator of one sum

// value returns the set of a number.
func (r *reader) value(e ir.Expr) set {
	out, ok := r.values[e]
	if !ok {
		r.Burn(1)
		out = r.read(e)
		r.values[e] = out
	}
	return out
}

func (r *reader) read(e ir.Expr) set {
	t := e.Type()
	ordered := t.IsInt() || r.Assume.Has(ir.NNaN|ir.NSZ)
	adds := r.Assume.Unbounded(t) || t.IsFloat() && r.Assume.Has(ir.Reassoc|ir.NNaN|ir.NSZ)
	switch op := e.Op(); {
	case op == ir.Const:
		return r.make(sole, []poly.Poly{r.literal(e)})
	case op == ir.Select:
		return r.value(r.chosen(e))
	case (op == ir.Max || op == ir.Min) && ordered:
		a, b := r.value(e.Arg(0)), r.value(e.Arg(1))
		return r.make(common(op, common(a.op, b.op)), slices.Concat(a.sums, b.sums))
	case op == ir.Add && adds:
		return r.plus(r.value(e.Arg(0)), r.value(e.Arg(1)))
	case op == ir.Sub && adds && !t.IsUnsigned():
		return r.plus(r.value(e.Arg(0)), r.negative(r.value(e.Arg(1))))
	case op == ir.Neg && adds && !t.IsUnsigned():
		return r.negative(r.value(e.Arg(0)))
	}
	return r.make(sole, []poly.Poly{poly.OfAtom(e.ID())})
}

// literal is the sum of a literal. That of an infinity, of NaN, and of −0 where its sign matters is an atom.
func (r *reader) literal(e ir.Expr) poly.Poly {
	v := new(big.Rat)
	switch t := e.Type(); {
	case t.IsSigned():
		v.SetInt64(e.Int())
	case t.IsInt():
		v.SetUint64(e.Value())
	case v.SetFloat64(ir.Float(t, e.Value())) == nil || !r.Assume.Has(ir.NSZ) && v.Sign() == 0:
		return poly.OfAtom(e.ID())
	}
	return r.Scale(poly.Fractions, v, poly.Unit())
}

// common is the operator of a set that is made of two.
func common(a, b ir.Op) ir.Op {
	if a != sole && b != sole && a != b {
		poly.Fail("a side mixes the greatest and the least of sums")
	}
	return max(a, b)
}

// make puts sums in order, each once.
func (r *reader) make(op ir.Op, sums []poly.Poly) set {
	r.Burn(len(sums))
	slices.SortFunc(sums, func(p, q poly.Poly) int { return strings.Compare(p.Key(), q.Key()) })
	if sums = slices.CompactFunc(sums, sameSum); len(sums) == 1 {
		op = sole
	}
	return set{op, sums}
}

func sameSum(p, q poly.Poly) bool { return p.Key() == q.Key() }

// plus adds each sum of one set to each of the other: a sum of extrema is the extremum of sums.
func (r *reader) plus(a, b set) set {
	var sums []poly.Poly
	for _, p := range a.sums {
		for _, q := range b.sums {
			sums = append(sums, r.Plus(poly.Fractions, p, q))
		}
	}
	return r.make(common(a.op, b.op), sums)
}

// negative is the set of −s: the greatest of numbers is the least of their negatives.
func (r *reader) negative(s set) set {
	var sums []poly.Poly
	for _, p := range s.sums {
		sums = append(sums, r.Negate(poly.Fractions, p))
	}
	opposite := map[ir.Op]ir.Op{sole: sole, ir.Max: ir.Min, ir.Min: ir.Max}
	return r.make(opposite[s.op], sums)
}
