package combine

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitPlanes fits steps that do the same at each bit of several words: bit k of the state is a machine of
// 2ⁿ states, of which word i holds bit i, and the machines of a word run side by side.
//
//	x0 ^ y0; x1 | (x0 ^ y0)   →   x0 ^ a; x0 & x1 & b ^ x0 & c ^ x1 & d ^ e  with cells y0, 1, 1, 1 ^ y0, y0
//
// Here 1 stands for the word of all ones. A step is a polynomial over the ring of words with ^ and &, in which
// x & x = x. The cells are its coefficients or, where compositions of those are longer, the words that a step makes of the
// 2ⁿ states of which each word is all zeros or all ones: a step chooses among them bit by bit.
func fitPlanes(cx *lift.Context, p *tuple.Part, memory family.Memory) *lift.Shape {
	if memory != family.None {
		return nil
	}
	s := &planes{polynomials{pool: cx.Pool, Semiring: planewise, t: p.Types[0], n: len(p.Types), idempotent: true}}
	values, ok := s.readAll(p.Values)
	if !ok || !s.close(values) {
		return nil
	}
	whole := s.shape(bitPlanes, values)
	corners := &lift.Shape{Name: bitPlanes, Inject: s.corners(values), Identity: s.corners(s.identity()), Apply: s.choose, Compose: s.composeCorners}
	if composed(cx, whole) < composed(cx, corners) {
		return whole
	}
	return corners
}

// composed returns how long the composition of two steps is, written down.
func composed(cx *lift.Context, s *lift.Shape) (size int) {
	s = s.Varying(cx.Pool)
	variables := func(of func(i int, t ir.Type) ir.Expr) (cells []ir.Expr) {
		for i, c := range s.Inject {
			cells = append(cells, of(i, c.Type()))
		}
		return cells
	}
	for _, e := range s.Compose(variables(cx.Pool.X), variables(cx.Pool.Y)) {
		size += e.Size()
	}
	return size
}

// bitPlanes is the family's name.
const bitPlanes = "bit planes"

// isPlanes reports whether a part consists of two or three words of one type. One word by itself is a matter of the
// family "bitwise".
func isPlanes(p *tuple.Part) bool {
	n, t := len(p.Types), p.Types[0]
	return n > 1 && n <= maxWords && t.IsInt() && ofOneType(p)
}

// ofOneType reports whether all components have one type.
func ofOneType(p *tuple.Part) bool {
	return !slices.ContainsFunc(p.Types, func(t ir.Type) bool { return t != p.Types[0] })
}

// planes are the functions of n words that act on each bit.
type planes struct{ polynomials }

// planewise is xorAnd with sums of which equal operands cancel.
var planewise = &algebra.Semiring{Accepts: algebra.IsBits, One: -1, Add: cancelled, Mul: masked}

// cancelled returns a ^ b, of whose operands equal ones cancel.
func cancelled(a, b ir.Expr) ir.Expr {
	var left []ir.Expr
	for words := []ir.Expr{b, a}; len(words) > 0; {
		w := words[len(words)-1]
		words = words[:len(words)-1]
		if w.Op() == ir.BitXor {
			words = append(words, w.Arg(1), w.Arg(0))
		} else if i := slices.Index(left, w); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			left = append(left, w)
		}
	}
	out := fold.Number(a.Pool(), a.Type(), 0)
	for _, w := range left {
		out = fold.BitXor(out, w)
	}
	return out
}

// masked returns a & b, where y & (1 ^ y) is 0.
func masked(a, b ir.Expr) ir.Expr {
	if b.Op() == ir.BitXor {
		for i := range 2 {
			if b.Arg(i) == a {
				return cancelled(a, masked(a, b.Arg(1-i)))
			}
		}
	}
	if a == b {
		return a
	}
	return fold.BitAnd(a, b)
}

// corners returns what polynomials are at each of the corners: corner k has all ones in the words i of
// which bit i of k is 1, and there the monomials of such words are what is left.
func (s *planes) corners(values []coefficients) (cells []ir.Expr) {
	for k := range 1 << s.n {
		for _, f := range values {
			at := fold.Number(s.pool, s.t, 0)
			for _, m := range union(f, nil) {
				if m.within(k) {
					at = cancelled(at, f[m])
				}
			}
			cells = append(cells, at)
		}
	}
	return cells
}

// within reports whether all components of a monomial are bits of a number that are 1.
func (m monomial) within(bits int) bool {
	for i, e := range m {
		if e > 0 && bits>>i&1 == 0 {
			return false
		}
	}
	return true
}

// choose returns for each word the bits of the corners that the bits of x name.
func (s *planes) choose(x, cells []ir.Expr) (out []ir.Expr) {
	for i := range s.n {
		words := make([]ir.Expr, 1<<s.n)
		for k := range words {
			words[k] = cells[k*s.n+i]
		}
		for _, mask := range x {
			for j := range len(words) / 2 {
				a, b := words[2*j+1], words[2*j]
				words[j] = b
				if a != b {
					words[j] = canon.Greedy(fold.BitXor(b, masked(mask, fold.BitXor(a, b))), 0)
				}
			}
			words = words[:len(words)/2]
		}
		out = append(out, words[0])
	}
	return out
}

func (s *planes) composeCorners(a, b []ir.Expr) (out []ir.Expr) {
	for x := range slices.Chunk(a, s.n) {
		out = append(out, s.choose(x, b)...)
	}
	return out
}
