package gf2

import "slices"

// poly is a sum of monomials, ascending and each once; nil is zero.
type poly []monomial

// monomial is a product of variables: a number that stands for their set. Number 0 is the
// empty product.
type monomial int32

var one = poly{0}

// monomials numbers sets of variables.
type monomials struct {
	sets     [][]int32
	numbers  map[string]monomial
	products map[[2]monomial]monomial
	next     int32 // variable
}

func newMonomials() monomials {
	return monomials{sets: [][]int32{nil}, numbers: map[string]monomial{"": 0}, products: map[[2]monomial]monomial{}}
}

// variable is a new one.
func (m *monomials) variable() poly {
	m.next++
	return poly{m.number([]int32{m.next})}
}

func (m *monomials) number(set []int32) monomial {
	key := make([]byte, 0, 4*len(set))
	for _, v := range set {
		key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	n, ok := m.numbers[string(key)]
	if !ok {
		n = monomial(len(m.sets))
		m.sets = append(m.sets, set)
		m.numbers[string(key)] = n
	}
	return n
}

func (m *monomials) product(a, b monomial) monomial {
	switch {
	case a == 0 || a == b:
		return b
	case b == 0:
		return a
	case a > b:
		a, b = b, a
	}
	n, ok := m.products[[2]monomial{a, b}]
	if !ok {
		set := slices.Concat(m.sets[a], m.sets[b])
		slices.Sort(set)
		n = m.number(slices.Compact(set))
		m.products[[2]monomial{a, b}] = n
	}
	return n
}

func (w *words) plus(a, b poly) poly {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make(poly, 0, len(a)+len(b))
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
	if w.left -= len(a) * len(b); w.left < 0 {
		return nil
	}
	if len(a) == 1 && len(b) == 1 {
		return poly{w.product(a[0], b[0])}
	}
	terms := make(poly, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			terms = append(terms, w.product(x, y))
		}
	}
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
