package gf2

import "slices"

// poly is a sum of monomials, ascending and each once; nil is zero.
type poly []monomial

// monomial is a product of variables. Up to four variables with small numbers are packed into it, the least one
// lowest; other products are numbers that stand for their set. 0 is the empty product.
type monomial uint64

const (
	bitsOfVariable = 15
	packed         = 4 // variables at most
	variableMask   = 1<<bitsOfVariable - 1
	byNumber       = 1 << 63
)

var one = poly{0}

// monomials numbers sets of variables.
type monomials struct {
	sets     [][]int32
	numbers  map[string]monomial
	products map[[2]monomial]monomial // of those with a number
	large    int                      // terms that could have been made while products were, since it was counted
	next     int32                    // variable
	free     poly                     // memory for small sums
}

// room returns an empty sum with room for n terms.
func (m *monomials) room(n int) poly {
	const chunk, small = 512, 32
	if n > small {
		return make(poly, 0, n)
	}
	if len(m.free) < n {
		m.free = make(poly, chunk)
	}
	out := m.free[:0:n]
	m.free = m.free[n:]
	return out
}

func newMonomials() monomials {
	return monomials{numbers: map[string]monomial{}, products: map[[2]monomial]monomial{}}
}

// variable is a new one.
func (m *monomials) variable() poly {
	m.next++
	return poly{m.of([]int32{m.next})}
}

// of returns the product of a set of variables, ascending.
func (m *monomials) of(set []int32) monomial {
	if n := len(set); n == 0 || n <= packed && set[n-1] <= variableMask {
		var out monomial
		for i, v := range set {
			out |= monomial(v) << (i * bitsOfVariable)
		}
		return out
	}
	key := make([]byte, 0, 4*len(set))
	for _, v := range set {
		key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	n, ok := m.numbers[string(key)]
	if !ok {
		n = byNumber | monomial(len(m.sets))
		m.sets = append(m.sets, set)
		m.numbers[string(key)] = n
	}
	return n
}

// factors appends the variables of a product to a list.
func (m *monomials) factors(list []int32, a monomial) []int32 {
	if a&byNumber != 0 {
		return append(list, m.sets[a&^byNumber]...)
	}
	for ; a != 0; a >>= bitsOfVariable {
		list = append(list, int32(a&variableMask))
	}
	return list
}

func (m *monomials) product(a, b monomial) monomial {
	switch {
	case a == 0 || a == b:
		return b
	case b == 0:
		return a
	}
	if (a|b)&byNumber == 0 {
		if n, ok := merged(a, b); ok {
			return n
		}
	}
	if a > b {
		a, b = b, a
	}
	n, ok := m.products[[2]monomial{a, b}]
	if !ok {
		set := m.factors(m.factors(nil, a), b)
		slices.Sort(set)
		n = m.of(slices.Compact(set))
		m.products[[2]monomial{a, b}] = n
		m.large += 10 + len(set)
	}
	return n
}

// merged returns the product of packed monomials. It reports false where that has too many variables.
func merged(a, b monomial) (out monomial, ok bool) {
	for at := 0; a|b != 0; at += bitsOfVariable {
		x, y := a&variableMask, b&variableMask
		v := x
		if x == 0 || y != 0 && y < x {
			v = y
		}
		if v == x {
			a >>= bitsOfVariable
		}
		if v == y {
			b >>= bitsOfVariable
		}
		if at == packed*bitsOfVariable {
			return 0, false
		}
		out |= v << at
	}
	return out, true
}

func (w *words) plus(a, b poly) poly {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	case w.left < 0:
		return nil
	}
	out := w.room(len(a) + len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case b[0] < a[0]:
			out, b = append(out, b[0]), b[1:]
		default: // twice is not at all
			a, b = a[1:], b[1:]
		}
	}
	out = append(append(out, a...), b...)
	w.left -= len(out)
	return out
}

func (w *words) times(a, b poly) poly {
	switch {
	case len(a) == 0 || len(b) == 0:
		return nil
	case slices.Equal(a, one):
		return b
	case slices.Equal(b, one):
		return a
	}
	if len(a)*len(b) > w.left { // which are not made
		w.left = min(w.left, -1)
		return nil
	}
	w.left -= len(a) * len(b)
	if len(a) == 1 && len(b) == 1 {
		return append(w.room(1), w.product(a[0], b[0]))
	}
	terms := w.room(len(a) * len(b))
	for _, x := range a {
		for _, y := range b {
			terms = append(terms, w.product(x, y))
		}
	}
	w.left, w.large = w.left-w.large, 0
	slices.Sort(terms)
	out := terms[:0]
	for i := 0; i < len(terms); {
		n := i + 1
		for n < len(terms) && terms[n] == terms[i] {
			n++
		}
		if (n-i)%2 != 0 {
			out = append(out, terms[i])
		}
		i = n
	}
	return out
}
