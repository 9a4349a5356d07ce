package bits

import (
	"cmp"
	"slices"
)

// poly is a sum of monomials, ascending and each once; nil is zero.
type poly []monomial

// monomial is a product of variables: one rune each, ascending. A bit is its own square, so that each
// occurs once. The empty string is 1.
type monomial string

const maxVariables = 0xd800 // runes from here on are no runes of strings

var one = poly{""}

// plus is the sum. A monomial of both is none of it.
func (r *reader) plus(a, b poly) poly {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	case !r.spend(len(a) + len(b)):
		return nil
	}
	out := make(poly, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch c := cmp.Compare(a[0], b[0]); {
		case c < 0:
			out, a = append(out, a[0]), a[1:]
		case c > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func (r *reader) times(a, b poly) poly {
	switch {
	case len(a) == 0 || len(b) == 0:
		return nil
	case slices.Equal(a, one):
		return b
	case slices.Equal(b, one):
		return a
	}
	var all poly
	for _, x := range a {
		for _, y := range b {
			if !r.spend(1 + (len(x)+len(y))/2) {
				return nil
			}
			all = append(all, product(x, y))
		}
	}
	slices.Sort(all)
	out := all[:0]
	for _, m := range all { // two equal ones cancel
		if n := len(out); n > 0 && out[n-1] == m {
			out = out[:n-1]
		} else {
			out = append(out, m)
		}
	}
	return out
}

// product has the variables of both monomials.
func product(x, y monomial) monomial {
	if x == y || y == "" {
		return x
	}
	vars := []rune(x + y)
	slices.Sort(vars)
	return monomial(slices.Compact(vars))
}

func (r *reader) not(a poly) poly { return r.plus(a, one) }

// either is a + b + a·b: 1 where a or b is.
func (r *reader) either(a, b poly) poly { return r.plus(r.plus(a, b), r.times(a, b)) }

// choose is b + c·(a + b): a where c is 1, else b.
func (r *reader) choose(c, a, b poly) poly { return r.plus(b, r.times(c, r.plus(a, b))) }
