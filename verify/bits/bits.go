// Package bits checks equations between words bit by bit.
//
//	(x0 << 8) ^ u32(y0)  =  x0*256 + u32(y0)     for y0:u8: no bit of one word meets one of the other
//	(x0 << 7) ^ u32(y0)  =  x0*128 + u32(y0)     refused: bit 7 carries
//
// Each bit of a side is a polynomial over the field of two elements in the bits of variables. That
// polynomial is unique, so equal polynomials are equal bits. A term that is not read as bits, such as
// a product of two variables, stands for a word of fresh variables.
//
// An accepted equation holds for all values in arithmetic that wraps. It says nothing of unbounded
// integers.
package bits

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

const (
	maxCaseBits  = 13      // bits of conditions and variables that cases fix
	maxCaseSteps = 1 << 20 // of one case: bounds the memory for polynomials
	maxSteps     = 1 << 24 // for all cases of an equation
)

// Equal returns nil if both sides have the same bits for all values of their variables. Burn is called
// with a number of elementary steps before they are made. An error means that the equation is not
// confirmed: it names the first bit that differs, the shift that is not understood, or the limit.
func Equal(left, right ir.Expr, burn func(steps int)) error {
	if left.Type() != right.Type() || width(left) == 0 {
		return fmt.Errorf("%s and %s are not words of one type", left.Type(), right.Type())
	}
	r := &reader{
		burn: burn, limit: maxSteps, left: maxCaseSteps,
		fixed: map[ir.Expr]*part{}, depends: map[ir.Expr]int{}, words: map[ir.Expr][]poly{}, first: map[ir.Expr]int{},
	}
	ir.Walk([]ir.Expr{left, right}, func(e ir.Expr) {
		if e.Op() == ir.Shl || e.Op() == ir.Shr {
			r.fix(e.Arg(1), width(e))
		}
	})
	if r.err != nil {
		return r.err
	}
	total := 0
	for _, p := range r.parts {
		p.first = total
		if total += p.bits; total > maxCaseBits {
			return fmt.Errorf("shift counts have more than 2^%d cases", maxCaseBits)
		}
	}
	r.depend(left, right)
	for n := range 1 << total {
		if err := r.inCase(n, left, right); err != nil {
			return err
		}
	}
	return nil
}

// width is the number of bits of a term's values; 0 for a float.
func width(e ir.Expr) int {
	if e.Type().IsFloat() {
		return 0
	}
	return e.Type().Bits()
}

// part is a term of a shift count whose low bits each case fixes. The other bits stay variables.
type part struct {
	bits  int
	first int // where its bits begin in the number of a case
	value uint64
}

// reader computes words of polynomials, lowest bit first.
type reader struct {
	burn  func(int)
	limit int // steps left for the equation
	left  int // steps left in this case
	err   error

	parts   []*part // in the order of the bits of a case's number
	fixed   map[ir.Expr]*part
	depends map[ir.Expr]int    // the bits of a case's number that a term depends on
	words   map[ir.Expr][]poly // the low bits known in this case
	first   map[ir.Expr]int    // number of the first variable of a word of variables
	next    int
}

// fix finds the terms that decide the low bits of a count: conditions of selects, and variables.
func (r *reader) fix(e ir.Expr, low int) {
	p := r.fixed[e]
	switch {
	case !r.spend(1) || e.Op() == ir.Const:
		return
	case e.Op() != ir.Var && e.Type() != ir.Bool:
	case p == nil:
		p = &part{bits: min(low, width(e))}
		r.fixed[e], r.parts = p, append(r.parts, p)
		return
	default:
		p.bits = max(p.bits, min(low, width(e)))
		return
	}
	switch e.Op() {
	case ir.Select:
		r.fix(e.Arg(0), 1)
		r.fix(e.Arg(1), low)
		r.fix(e.Arg(2), low)
	case ir.BitAnd:
		for i := range 2 {
			if m := e.Arg(i); m.Op() == ir.Const {
				low = min(low, bits.Len64(m.Value()))
			}
		}
		fallthrough
	case ir.Add, ir.Sub, ir.BitOr, ir.BitXor:
		r.fix(e.Arg(0), low)
		r.fix(e.Arg(1), low)
	case ir.Neg, ir.BitNot:
		r.fix(e.Arg(0), low)
	}
}

// depend notes on what bits of a case's number each term depends.
func (r *reader) depend(es ...ir.Expr) {
	ir.Walk(es, func(e ir.Expr) {
		if p := r.fixed[e]; p != nil {
			r.depends[e] = (1<<p.bits - 1) << p.first
			return
		}
		for i := range e.NumArgs() {
			r.depends[e] |= r.depends[e.Arg(i)]
		}
	})
}

// inCase compares both sides where the fixed parts have the bits of number n. Cases come in order: words
// that depend on no bit of n that has changed are still right.
func (r *reader) inCase(n int, left, right ir.Expr) error {
	for _, p := range r.parts {
		p.value = uint64(n>>p.first) & (1<<p.bits - 1)
	}
	r.left = maxCaseSteps
	for e, word := range r.words {
		if r.depends[e]&(n^(n-1)) != 0 {
			delete(r.words, e)
			continue
		}
		for _, bit := range word {
			r.left -= len(bit)
		}
	}
	a, b := r.word(left, width(left)), r.word(right, width(right))
	if r.err != nil {
		return r.err
	}
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			return fmt.Errorf("bit %d of both sides differs", i)
		}
	}
	return nil
}

// spend counts steps. It returns false once there are too many: results are void from then on.
func (r *reader) spend(steps int) bool {
	r.burn(steps)
	if r.left, r.limit = r.left-steps, r.limit-steps; r.left < 0 || r.limit < 0 {
		r.fail("the polynomials of both sides are too large")
	}
	return r.err == nil
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// word returns the low n bits of a term, of which it has at least n. Higher bits, which may be dear,
// are not computed.
func (r *reader) word(e ir.Expr, n int) []poly {
	if known := r.words[e]; len(known) >= n {
		return known[:n:n]
	}
	if !r.spend(n) {
		return make([]poly, n)
	}
	var out []poly
	if p := r.fixed[e]; p != nil {
		out = append(literal(p.value, min(n, p.bits)), r.input(e, n)[min(n, p.bits):]...)
	} else if out = r.read(e, n); out == nil {
		out = r.input(e, n)
	}
	r.words[e] = out
	return out
}

func literal(v uint64, n int) []poly {
	out := make([]poly, n)
	for i := range out {
		if v>>i&1 != 0 {
			out[i] = one
		}
	}
	return out
}

// input is the low n bits of a word of variables, the same ones whenever it is asked of a term.
func (r *reader) input(e ir.Expr, n int) []poly {
	first, ok := r.first[e]
	if !ok {
		first = r.next
		r.first[e] = first
		if r.next += width(e); r.next > maxVariables {
			r.fail("there are more than %d bits of variables", maxVariables)
		}
	}
	out := make([]poly, n)
	for i := range out {
		out[i] = poly{monomial(rune(first + i))}
	}
	return out
}
