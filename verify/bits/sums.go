package bits

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// sums makes polynomials over the field of two elements, whose variables are inputs.
type sums struct {
	*poly.Space         // which pays
	all         [][]sum // by their numbers, in chunks
	room        []product
	made        bit
	inputs      int
	deep        bool // a product of more than four inputs was met
}

// sum is a polynomial: products in ascending order, each once. Nil is zero.
type sum []product

// product is a set of at most four inputs: their numbers from 1 on, 16 bits each, the least one lowest.
// The product of none is 1.
type product uint64

const (
	inputBits = 16
	chunk     = 1 << 12 // of memory
)

func newSums(space *poly.Space) *sums {
	return &sums{Space: space, all: [][]sum{append(make([]sum, 0, chunk), nil, sum{0})}, made: yes}
}

func (s *sums) of(a bit) sum { return s.all[a/chunk][a%chunk] }

// empty returns a polynomial without products, with room for n of them.
func (s *sums) empty(n int) sum {
	if len(s.room) < n {
		s.room = make([]product, max(n, chunk))
	}
	return s.room[:0:n]
}

// number returns the number of a polynomial that was empty.
func (s *sums) number(a sum) bit {
	switch {
	case len(a) == 0:
		return no
	case len(a) == 1 && a[0] == 0:
		return yes
	}
	s.room = s.room[len(a):]
	if s.made++; s.made%chunk == 0 {
		s.all = append(s.all, make([]sum, 0, chunk))
	}
	last := &s.all[len(s.all)-1]
	*last = append(*last, slices.Clip(a))
	return s.made
}

func (s *sums) fresh(t ir.Type, _ string) word {
	w := make(word, t.Bits())
	for i := range w {
		s.Burn(1)
		if s.inputs++; s.inputs >= 1<<inputBits {
			poly.Fail("%d bits of inputs", s.inputs)
		}
		w[i] = s.number(append(s.empty(1), product(s.inputs)))
	}
	return w
}

func (s *sums) lost() bool {
	deep := s.deep
	s.deep = false
	return deep
}

func (s *sums) same(a, b bit) bool { return slices.Equal(s.of(a), s.of(b)) }

func (s *sums) choose(p, a, b bit) bit {
	switch {
	case p == yes || a == b:
		return a
	case p == no:
		return b
	}
	return s.xor(b, s.and(p, s.xor(a, b)))
}

func (s *sums) not(a bit) bit   { return s.xor(a, yes) }
func (s *sums) or(a, b bit) bit { return s.xor(s.xor(a, b), s.and(a, b)) }

// xor adds polynomials: a product of both is in neither.
func (s *sums) xor(a, b bit) bit {
	if a == no || b == no {
		return a + b
	}
	x, y := s.of(a), s.of(b)
	s.Burn(1 + (len(x)+len(y))/8)
	out := s.empty(len(x) + len(y))
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			out, x = append(out, x[0]), x[1:]
		case y[0] < x[0]:
			out, y = append(out, y[0]), y[1:]
		default:
			x, y = x[1:], y[1:]
		}
	}
	return s.number(append(append(out, x...), y...))
}

// and multiplies polynomials.
func (s *sums) and(a, b bit) bit {
	switch {
	case a == no || b == no || s.deep:
		return no
	case a == yes:
		return b
	case b == yes:
		return a
	}
	x, y := s.of(a), s.of(b)
	s.Burn(1 + len(x)*len(y)/8)
	all := s.empty(len(x) * len(y))
	for _, m := range x {
		for _, n := range y {
			all = append(all, s.union(m, n))
		}
	}
	slices.Sort(all)
	out := all[:0]
	for i := 0; i < len(all); i++ {
		if i+1 < len(all) && all[i] == all[i+1] {
			i++ // twice is not at all
		} else {
			out = append(out, all[i])
		}
	}
	return s.number(out)
}

// union returns the product of two products.
func (s *sums) union(a, b product) (out product) {
	for at := 0; a != 0 || b != 0; at += inputBits {
		x, y := a%(1<<inputBits), b%(1<<inputBits)
		least := x
		if x == 0 || y != 0 && y < x {
			least = y
		}
		if x == least {
			a >>= inputBits
		}
		if y == least {
			b >>= inputBits
		}
		out |= least << at
		s.deep = s.deep || at >= 64
	}
	return out
}
