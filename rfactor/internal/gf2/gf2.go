// Package gf2 decides equations between words bit by bit: each bit of both sides is brought to
// its algebraic normal form, a sum of products of bits of variables over the field of two
// elements, which is unique. What it cannot read as bits stands for a word of new variables, so
// that an equation it confirms holds in arithmetic that wraps for all values; one that it does not
// confirm may still hold.
package gf2

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
)

// Bounds of the terms of polynomials that are computed for one equation: in each case of counts,
// and in all of them.
const (
	maxTerms    = 1 << 17
	maxAllTerms = 1 << 23
)

// Equal reports whether it is confirmed that both sides have the same value. What shifts are
// counted by is told apart by its values, where a mask bounds them. The meter, which may be nil, pays
// for that.
func Equal(left, right ir.Expr, m *effort.Meter) bool {
	if left.Type() != right.Type() || left.Type().IsFloat() {
		return false
	}
	c := &counts{}
	if m.Done() || !c.find([]ir.Expr{left, right}) {
		return false
	}
	all := min(maxAllTerms, effort.Polynomials.Items(m.Left()))
	w := newWords(c)
	for n := range 1 << c.bits() {
		w.forget(n ^ (n - 1))
		c.tell(n)
		terms := min(maxTerms, all)
		w.left = terms
		a, b := w.word(left), w.word(right)
		m.Spend(effort.Polynomials, terms-w.left)
		all -= terms - w.left
		if w.left < 0 || all < 0 || !slices.EqualFunc(a, b, slices.Equal[poly]) {
			return false
		}
	}
	return true
}

// words computes the bits of expressions, lowest first.
type words struct {
	monomials
	counts *counts
	known  map[ir.Expr][]poly // in this case
	needs  map[ir.Expr]int    // see cases
	inputs map[ir.Expr][]poly // of what is not read, in every case
	left   int                // terms that may still be made in this case; negative where that was too many
	unused [][]poly           // memory of words that were forgotten
}

func newWords(c *counts) *words {
	return &words{counts: c, known: map[ir.Expr][]poly{}, needs: map[ir.Expr]int{}, inputs: map[ir.Expr][]poly{}, monomials: newMonomials()}
}

// forget drops the words that depend on bits of the case's number that changed.
func (w *words) forget(changed int) {
	for e, word := range w.known {
		if w.cases(e)&changed == 0 {
			continue
		}
		delete(w.known, e)
		if w.inputs[e] == nil {
			w.unused = append(w.unused, word)
		}
	}
}

// zeros returns a word of n bits, each 0.
func (w *words) zeros(n int) []poly {
	if last := len(w.unused) - 1; last >= 0 && cap(w.unused[last]) >= n {
		out := w.unused[last][:n]
		w.unused = w.unused[:last]
		clear(out)
		return out
	}
	return make([]poly, n)
}

// cases returns the bits of a case's number on which a term depends.
func (w *words) cases(e ir.Expr) int {
	if bits, ok := w.needs[e]; ok {
		return bits
	}
	c, bits := w.counts, 0
	if i := slices.Index(c.conditions, e); i >= 0 {
		bits = 1 << i
	} else if i := slices.Index(c.vars, e); i >= 0 {
		bits = (1<<c.width - 1) << (len(c.conditions) + i*c.width)
	}
	for i := range e.NumArgs() {
		bits |= w.cases(e.Arg(i))
	}
	w.needs[e] = bits
	return bits
}

func (w *words) word(e ir.Expr) []poly {
	if out, ok := w.known[e]; ok {
		return out
	}
	if i := slices.Index(w.counts.conditions, e); i >= 0 {
		return w.literal(w.counts.values[i], 1)
	}
	out := w.read(e)
	if out == nil {
		out = w.input(e)
	}
	w.known[e] = out
	return out
}

func width(t ir.Type) int {
	if t == ir.Bool {
		return 1
	}
	return t.Bits()
}

// read is the bits of an operator's value; nil where they are not known of it.
func (w *words) read(e ir.Expr) []poly {
	t := e.Type()
	if t != ir.Bool && !t.IsInt() || w.left < 0 {
		return nil
	}
	n := width(t)
	switch e.Op() {
	case ir.Const:
		return w.literal(e.Value(), n)
	case ir.BitAnd, ir.And:
		return w.zip(e, w.times)
	case ir.BitXor:
		return w.zip(e, w.plus)
	case ir.BitOr, ir.Or:
		return w.zip(e, w.either)
	case ir.BitNot, ir.Not:
		return w.inverse(w.word(e.Arg(0)))
	case ir.Add:
		return w.sum(w.word(e.Arg(0)), w.word(e.Arg(1)), nil)
	case ir.Sub:
		return w.sum(w.word(e.Arg(0)), w.inverse(w.word(e.Arg(1))), one)
	case ir.Neg:
		return w.sum(w.literal(0, n), w.inverse(w.word(e.Arg(0))), one)
	case ir.Mul:
		for i := range 2 {
			if f := e.Arg(i); f.Op() == ir.Const {
				return w.multiple(w.word(e.Arg(1-i)), f.Value())
			}
		}
	case ir.Shl, ir.Shr:
		return w.shift(w.word(e.Arg(0)), e.Op(), w.counts.value(e.Arg(1)), t.IsSigned())
	case ir.Div, ir.Mod: // the remainder is not negative
		f := e.Arg(1)
		if f.Op() != ir.Const || bits.OnesCount64(f.Value()) != 1 || t.IsSigned() && f.Int() < 0 {
			return nil
		}
		if e.Op() == ir.Mod {
			return append(slices.Clone(w.word(e.Arg(0))[:bits.TrailingZeros64(f.Value())]), w.literal(0, n)[bits.TrailingZeros64(f.Value()):]...)
		}
		return w.shift(w.word(e.Arg(0)), ir.Shr, uint64(bits.TrailingZeros64(f.Value())), t.IsSigned())
	case ir.Cast:
		if t == ir.Bool {
			return w.nonzero(e.Arg(0))
		}
		return w.cast(e.Arg(0), n)
	case ir.Select:
		c, a, b := w.word(e.Arg(0))[0], w.word(e.Arg(1)), w.word(e.Arg(2))
		out := w.zeros(n)
		for i := range out {
			out[i] = w.plus(b[i], w.times(c, w.plus(a[i], b[i])))
		}
		return out
	case ir.Eq, ir.Ne:
		return w.compare(e)
	}
	return nil
}

func (w *words) zip(e ir.Expr, f func(a, b poly) poly) []poly {
	a, b := w.word(e.Arg(0)), w.word(e.Arg(1))
	out := w.zeros(len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

func (w *words) literal(v uint64, n int) []poly {
	out := w.zeros(n)
	for i := range out {
		if v>>i&1 != 0 {
			out[i] = one
		}
	}
	return out
}

func (w *words) input(e ir.Expr) []poly {
	out, ok := w.inputs[e]
	if !ok {
		out = make([]poly, width(e.Type()))
		for i := range out {
			out[i] = w.variable()
		}
		w.inputs[e] = out
	}
	return out
}

func (w *words) inverse(a []poly) []poly {
	out := w.zeros(len(a))
	for i := range a {
		out[i] = w.plus(a[i], one)
	}
	return out
}

// sum adds with a carry into the lowest bit.
func (w *words) sum(a, b []poly, carry poly) []poly {
	out := w.zeros(len(a))
	for i := range a {
		half := w.plus(a[i], b[i])
		out[i] = w.plus(half, carry)
		if i+1 < len(a) {
			carry = w.plus(w.times(a[i], b[i]), w.times(carry, half))
		}
	}
	return out
}

// multiple is a times a literal.
func (w *words) multiple(a []poly, by uint64) []poly {
	out := make([]poly, len(a))
	for i := range a {
		if by>>i&1 != 0 {
			out = w.sum(out, w.shift(a, ir.Shl, uint64(i), false), nil)
		}
	}
	return out
}

func (w *words) shift(a []poly, op ir.Op, by uint64, signed bool) []poly {
	n := len(a)
	out := w.zeros(n)
	if signed && op == ir.Shr {
		for i := range out {
			out[i] = a[n-1]
		}
	}
	if by >= uint64(n) {
		return out
	}
	if op == ir.Shl {
		copy(out[by:], a)
	} else {
		copy(out, a[by:])
	}
	return out
}

// nonzero is a word as a flag.
func (w *words) nonzero(e ir.Expr) []poly {
	if t := e.Type(); t != ir.Bool && !t.IsInt() {
		return nil
	}
	zero := one
	for _, bit := range w.word(e) {
		zero = w.times(zero, w.plus(bit, one))
	}
	return []poly{w.plus(zero, one)}
}

func (w *words) cast(e ir.Expr, n int) []poly {
	t := e.Type()
	if t != ir.Bool && !t.IsInt() {
		return nil
	}
	a := w.word(e)
	out := make([]poly, n)
	copy(out, a)
	if t.IsSigned() {
		for i := len(a); i < n; i++ {
			out[i] = a[len(a)-1]
		}
	}
	return out
}

func (w *words) compare(e ir.Expr) []poly {
	if t := e.Arg(0).Type(); t != ir.Bool && !t.IsInt() {
		return nil
	}
	equal := one
	for _, differ := range w.zip(e, w.plus) {
		equal = w.times(equal, w.plus(differ, one))
	}
	if e.Op() == ir.Ne {
		equal = w.plus(equal, one)
	}
	return []poly{equal}
}

func (w *words) either(a, b poly) poly { return w.plus(w.plus(a, b), w.times(a, b)) }
