package lift

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// planes fits steps that do the same at each bit of several words: bit k of the state is a machine of
// 2ⁿ states, of which word i holds bit i, and the machines of a word run side by side.
//
//	x0 ^ y0, x1 | (x0 ^ y0)   →   x0 ^ y0, (1 ^ y0) & x1 ^ x0 ^ x0 & x1 ^ y0
//
// Here 1 stands for the word of all ones. A step is a polynomial in the words of the state over the ring of words with ^ and &, in which
// x & x = x, so that each monomial is a set of words. The cells are the coefficients or, where compositions
// of those are longer, the words that a step makes of the 2ⁿ states of which each word is all zeros or all ones:
// a step chooses among them bit by bit.
func (cx *Context) planes(p *tuple.Part, memory memory) *Shape {
	if memory != none {
		return nil
	}
	s := &planes{pool: cx.Pool, t: p.Types[0], n: len(p.Types)}
	var values [][]ir.Expr
	for _, e := range p.Values {
		values = append(values, mapCells(s.read(e), func(c ir.Expr) ir.Expr { return canon.Greedy(c, 0) }))
	}
	polynomials := &Shape{Name: bitPlanes, Inject: concat(values), Identity: concat(s.unknowns()), Apply: s.apply, Compose: s.compose}
	corners := &Shape{Name: bitPlanes, Inject: s.corners(values), Identity: s.corners(s.unknowns()), Apply: s.choose, Compose: s.composeCorners}
	if cx.composed(polynomials) < cx.composed(corners) {
		return polynomials
	}
	return corners
}

// composed returns how long the composition of two steps is, written down.
func (cx *Context) composed(s *Shape) (size int) {
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

// fitsPlanes reports whether a part consists of two or three words of one type whose steps compute with
// the state by bitwise operators alone. One word by itself is a matter of the family "bitwise".
func fitsPlanes(p *tuple.Part) bool {
	if n := len(p.Types); n < 2 || n > 3 {
		return false
	}
	for i, t := range p.Types {
		if !t.IsInt() || t != p.Types[0] || !isBitwise(p.Values[i]) {
			return false
		}
	}
	return true
}

// isBitwise reports whether each bit of e depends on the bits of the state at the same place, and on
// inputs.
func isBitwise(e ir.Expr) bool {
	if e.States() == 0 {
		return true
	}
	switch e.Op() {
	case ir.Var:
		return true
	case ir.BitAnd, ir.BitOr, ir.BitXor, ir.BitNot:
	case ir.Select:
		if e.Arg(0).States() != 0 {
			return false
		}
	default:
		return false
	}
	for i := range e.NumArgs() {
		if !isBitwise(e.Arg(i)) {
			return false
		}
	}
	return true
}

// planes are the functions of n words of type t that act on each bit. A word as a polynomial in the words of the state
// is a list of 2ⁿ coefficients: that of index k belongs to the product of the words i of which bit i of k is 1.
type planes struct {
	pool *ir.Pool
	t    ir.Type
	n    int
}

// constant returns a polynomial without the state.
func (s *planes) constant(c ir.Expr) []ir.Expr {
	f := slices.Repeat([]ir.Expr{s.pool.Int(s.t, 0)}, 1<<s.n)
	f[0] = c
	return f
}

// ones returns the word of all ones, which is the 1 of this ring.
func (s *planes) ones() ir.Expr { return s.pool.Const(s.t, s.t.Wrap(^uint64(0))) }

// read returns the polynomial of an expression that isBitwise accepts.
func (s *planes) read(e ir.Expr) []ir.Expr {
	if e.States() == 0 {
		return s.constant(e)
	}
	switch e.Op() {
	case ir.Var:
		return s.unknowns()[e.Index()]
	case ir.BitNot:
		return s.sum(s.read(e.Arg(0)), s.constant(s.ones()))
	case ir.Select:
		return zipCells(s.read(e.Arg(1)), s.read(e.Arg(2)), func(a, b ir.Expr) ir.Expr { return fold.Select(e.Arg(0), a, b) })
	}
	f, g := s.read(e.Arg(0)), s.read(e.Arg(1))
	switch e.Op() {
	case ir.BitAnd:
		return s.product(f, g)
	case ir.BitOr:
		return s.sum(s.sum(f, g), s.product(f, g))
	}
	return s.sum(f, g)
}

// unknowns returns the words of the state themselves.
func (s *planes) unknowns() (words [][]ir.Expr) {
	for i := range s.n {
		f := s.constant(s.pool.Int(s.t, 0))
		f[1<<i] = s.ones()
		words = append(words, f)
	}
	return words
}

func (s *planes) sum(f, g []ir.Expr) []ir.Expr {
	return zipCells(f, g, func(a, b ir.Expr) ir.Expr { return s.total([]ir.Expr{a, b}) })
}

func (s *planes) product(f, g []ir.Expr) []ir.Expr {
	terms := make([][]ir.Expr, len(f))
	for i, a := range f {
		for j, b := range g {
			terms[i|j] = append(terms[i|j], s.both(a, b))
		}
	}
	out := make([]ir.Expr, len(f))
	for i := range out {
		out[i] = s.total(terms[i])
	}
	return out
}

// both returns a & b, folded.
func (s *planes) both(a, b ir.Expr) ir.Expr {
	switch {
	case a == b || fold.IsNumber(a, 0) || b == s.ones():
		return a
	case fold.IsNumber(b, 0) || a == s.ones():
		return b
	case b.Op() == ir.BitXor && b.Arg(1) == a: // the example has it: y & (1 ^ y)
		return s.total([]ir.Expr{a, s.both(a, b.Arg(0))})
	case b.Op() == ir.BitXor && b.Arg(0) == a:
		return s.total([]ir.Expr{a, s.both(a, b.Arg(1))})
	}
	return ir.Make(ir.BitAnd, a, b)
}

// total returns the exclusive or of words, of which equal ones cancel.
func (s *planes) total(words []ir.Expr) ir.Expr {
	var left []ir.Expr
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		if w.Op() == ir.BitXor {
			words = append([]ir.Expr{w.Arg(0), w.Arg(1)}, words...)
		} else if i := slices.Index(left, w); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			left = append(left, w)
		}
	}
	out := s.pool.Int(s.t, 0)
	for _, w := range left {
		out = fold.BitXor(out, w)
	}
	return out
}

// of returns the polynomial whose coefficients are cells at words that are polynomials themselves.
func (s *planes) of(cells []ir.Expr, words [][]ir.Expr) []ir.Expr {
	out := s.constant(s.pool.Int(s.t, 0))
	for k, c := range cells {
		term := s.constant(s.ones())
		for i, w := range words {
			if k>>i&1 == 1 {
				term = s.product(term, w)
			}
		}
		out = s.sum(out, s.product(s.constant(c), term))
	}
	return out
}

func (s *planes) apply(x, cells []ir.Expr) (out []ir.Expr) {
	words := make([][]ir.Expr, s.n)
	for i := range words {
		words[i] = s.constant(x[i])
	}
	for f := range slices.Chunk(cells, 1<<s.n) {
		out = append(out, s.of(f, words)[0])
	}
	return out
}

func (s *planes) compose(a, b []ir.Expr) (out []ir.Expr) {
	words := slices.Collect(slices.Chunk(a, 1<<s.n))
	for f := range slices.Chunk(b, 1<<s.n) {
		out = append(out, s.of(f, words)...)
	}
	return out
}

// corners returns what polynomials are at each of the corners: corner k has all ones in the words i of
// which bit i of k is 1, and there the monomials of such words are what is left.
func (s *planes) corners(values [][]ir.Expr) (cells []ir.Expr) {
	for k := range 1 << s.n {
		for _, f := range values {
			var words []ir.Expr
			for j, c := range f {
				if j&^k == 0 {
					words = append(words, c)
				}
			}
			cells = append(cells, s.total(words))
		}
	}
	return cells
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
					words[j] = canon.Greedy(fold.BitXor(b, s.both(mask, fold.BitXor(a, b))), 0)
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
