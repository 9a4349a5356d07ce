// Package extrema checks equations between extrema of sums.
//
//	max(x0 + y0, x0 + y1)  =  max(y1, y0) + x0                  for i32 under nsw
//	select(y1, x0, max(x0, y0))  =  max(x0, select(y1, x0, y0)) for all types, y1:bool
//
// Each side becomes a set of linear sums, each with the condition under which it counts. The side is the
// greatest of the sums that count, or the least, or the only one. Equal sets are equal values. Conditions
// are boolean functions of flags: of terms that are not looked into. A sum has such terms as atoms.
//
// Sums are read of signed integers under nsw, as unbounded ones; of unsigned integers under nuw, as
// natural numbers; and of floats under reassoc, nnan and nsz, as rational numbers with infinities. An
// extremum or a choice of integers is read under no assumption, an extremum of floats under nnan and nsz.
// Other terms are atoms. So is a difference of natural numbers: it does not exist where it is negative, and
// sums in which it cancels do.
//
// An accepted equation holds wherever neither side meets what is assumed not to happen. In particular both
// sides add no infinities of different signs, under nnan. Where some sum of a set of kind greatest would
// add them, its own side is +∞: it adds an operand that is +∞ to one that is not −∞. An infinite sum that
// exists is in the other set too, so that the other side is no less, and likewise the other way.
package extrema

import (
	"cmp"
	"errors"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

const (
	maxAddends = 1 << 16 // addends of all sums that are made for one equation
	maxChoices = 1 << 16 // conditions that are made of others
)

var (
	errDiffer = errors.New("both sides are not the same extremum of sums")
	errMixed  = errors.New("a side mixes the greatest and the least of sums")
	errLarge  = errors.New("the sums and conditions of both sides are too many")
)

// Equal returns nil if both sides have the same value under what is assumed. Burn is called with a number
// of elementary steps before they are made. An error means that the equation is not confirmed.
func Equal(left, right ir.Expr, assume ir.Assume, burn func(steps int)) error {
	if left.Type() != right.Type() {
		return errDiffer
	}
	r := &reader{
		conditions: newConditions(burn), assume: assume, left: maxAddends,
		values: map[ir.Expr]set{}, flags: map[ir.Expr]condition{},
	}
	same := false
	if left.Type() == ir.Bool {
		same = r.flag(left) == r.flag(right)
	} else {
		a, b := r.value(left), r.value(right)
		_, joined := join(a.kind, b.kind)
		same = joined && slices.EqualFunc(a.sums, b.sums, func(a, b guarded) bool { return a.key == b.key && a.when == b.when })
	}
	switch {
	case r.err != nil:
		return r.err
	case r.tooMany():
		return errLarge
	case !same:
		return errDiffer
	}
	return nil
}

// reader reads terms as sets. After an error what it returns is void.
type reader struct {
	*conditions
	assume ir.Assume
	values map[ir.Expr]set
	flags  map[ir.Expr]condition
	left   int // addends that may still be made
	err    error
}

// sums reports whether numbers of a type are added as numbers are.
func (r *reader) sums(t ir.Type) bool {
	return r.assume.Unbounded(t) || t.IsFloat() && r.assume.Has(ir.Reassoc|ir.NNaN|ir.NSZ)
}

// ordered reports whether the extrema of a type are those of an order.
func (r *reader) ordered(t ir.Type) bool { return t.IsInt() || r.assume.Has(ir.NNaN|ir.NSZ) }

// value is the set of a number.
func (r *reader) value(e ir.Expr) set {
	out, ok := r.values[e]
	if !ok && r.err == nil {
		out = r.read(e)
		r.values[e] = out
	}
	return out
}

func (r *reader) read(e ir.Expr) set {
	t := e.Type()
	switch op := e.Op(); {
	case op == ir.Const:
		return r.make(only, []guarded{{sum: r.number(e), when: always}})
	case op == ir.Select:
		c := r.flag(e.Arg(0))
		return r.union(only, r.when(c, r.value(e.Arg(1))), r.when(r.not(c), r.value(e.Arg(2))))
	case op == ir.Max && r.ordered(t):
		return r.union(greatest, r.value(e.Arg(0)), r.value(e.Arg(1)))
	case op == ir.Min && r.ordered(t):
		return r.union(least, r.value(e.Arg(0)), r.value(e.Arg(1)))
	case op == ir.Add && r.sums(t):
		return r.plus(r.value(e.Arg(0)), r.value(e.Arg(1)))
	case op == ir.Sub && r.sums(t) && !t.IsUnsigned():
		return r.plus(r.value(e.Arg(0)), r.negative(r.value(e.Arg(1))))
	case op == ir.Neg && r.sums(t) && !t.IsUnsigned():
		return r.negative(r.value(e.Arg(0)))
	}
	return r.make(only, []guarded{{sum: atom(e), when: always}})
}

// number is the sum of a literal. That of an infinity, of NaN, and of −0 where its sign matters is an atom.
func (r *reader) number(e ir.Expr) sum {
	v := new(big.Rat)
	switch t := e.Type(); {
	case t.IsSigned():
		v.SetInt64(e.Int())
	case t.IsInt():
		v.SetUint64(e.Value())
	case v.SetFloat64(ir.Float(t, e.Value())) == nil || !r.assume.Has(ir.NSZ) && v.Sign() == 0:
		return atom(e)
	}
	if v.Sign() == 0 {
		return nil
	}
	return sum{literal: v}
}

// make puts sums in order, each once. A sum that counts under no condition is left out.
func (r *reader) make(k kind, all []guarded) set {
	for i := range all {
		g := &all[i]
		r.burn(len(g.sum) + 1)
		if r.left -= len(g.sum) + 1; r.left < 0 {
			r.err = errLarge
			return set{}
		}
		if g.key == "" {
			g.key = g.sum.key()
		}
	}
	slices.SortStableFunc(all, func(a, b guarded) int { return cmp.Compare(a.key, b.key) })
	out := set{kind: k}
	for _, g := range all {
		if n := len(out.sums); n > 0 && out.sums[n-1].key == g.key {
			out.sums[n-1].when = r.or(out.sums[n-1].when, g.when)
		} else if g.when != never {
			out.sums = append(out.sums, g)
		}
	}
	return out
}

// union has the sums of both sets and their kinds.
func (r *reader) union(k kind, a, b set) set {
	for _, s := range []set{a, b} {
		var ok bool
		if k, ok = join(k, s.kind); !ok && r.err == nil {
			r.err = errMixed
		}
	}
	return r.make(k, slices.Concat(a.sums, b.sums))
}

// when is a set whose sums count under one more condition.
func (r *reader) when(c condition, s set) set {
	out := set{kind: s.kind}
	for _, g := range s.sums {
		g.when = r.and(g.when, c)
		out.sums = append(out.sums, g)
	}
	return out
}

// plus adds each sum of one set to each of the other: a sum of extrema is the extremum of sums.
func (r *reader) plus(a, b set) set {
	k, ok := join(a.kind, b.kind)
	if !ok && r.err == nil {
		r.err = errMixed
	}
	var all []guarded
	for _, g := range a.sums {
		for _, h := range b.sums {
			cost := len(g.sum) + len(h.sum) + 1
			r.burn(cost)
			if r.left -= cost; r.left < 0 || r.err != nil {
				r.err = cmp.Or(r.err, errLarge)
				return set{}
			}
			all = append(all, guarded{sum: g.sum.plus(big.NewRat(1, 1), h.sum), when: r.and(g.when, h.when)})
		}
	}
	return r.make(k, all)
}

// negative is the set of −s: the greatest of numbers is the least of their negatives.
func (r *reader) negative(s set) set {
	var all []guarded
	for _, g := range s.sums {
		all = append(all, guarded{sum: sum{}.plus(big.NewRat(-1, 1), g.sum), when: g.when})
	}
	return r.make([...]kind{only: only, greatest: least, least: greatest}[s.kind], all)
}

// flag is the condition that a flag holds.
func (r *reader) flag(e ir.Expr) condition {
	if c, ok := r.flags[e]; ok || r.err != nil {
		return c
	}
	r.burn(1)
	c := never
	arg := func(i int) condition { return r.flag(e.Arg(i)) }
	switch op := e.Op(); {
	case op == ir.Const && e.IsConst(1):
		c = always
	case op == ir.Const:
	case op == ir.Not:
		c = r.not(arg(0))
	case op == ir.And:
		c = r.and(arg(0), arg(1))
	case op == ir.Or:
		c = r.or(arg(0), arg(1))
	case op == ir.Select:
		c = r.choose(arg(0), arg(1), arg(2))
	case op == ir.Eq && e.Arg(0).Type() == ir.Bool:
		c = r.choose(arg(0), arg(1), r.not(arg(1)))
	case op == ir.Ne && e.Arg(0).Type() == ir.Bool:
		c = r.choose(arg(0), r.not(arg(1)), arg(1))
	default:
		c = r.decide(len(r.flags), always, never)
	}
	r.flags[e] = c
	return c
}
