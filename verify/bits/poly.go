package bits

import "slices"

// poly is a sum of monomials, ascending and each once; nil is zero.
type poly []monomial

// monomial is a product of variables: their numbers, ascending, in two bytes each. The empty string
// is 1. A variable occurs once because a bit is its own square.
type monomial string

const maxVariables = 1 << 16

var one = poly{""}

func variable(n int) poly { return poly{monomial([]byte{byte(n >> 8), byte(n)})} }

// plus is the sum. A monomial of both cancels.
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
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case b[0] < a[0]:
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
	case a[0] == "" && len(a) == 1:
		return b
	case b[0] == "" && len(b) == 1:
		return a
	case !r.spend(len(a) * len(b)):
		return nil
	}
	all := make(poly, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			if !r.spend((len(x) + len(y)) / 2) {
				return nil
			}
			all = append(all, product(x, y))
		}
	}
	slices.Sort(all)
	out := all[:0]
	for _, m := range all {
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
	out := make([]byte, 0, len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		a, b := x[:2], y[:2]
		out = append(out, min(a, b)...)
		if a <= b {
			x = x[2:]
		}
		if b <= a {
			y = y[2:]
		}
	}
	return monomial(append(append(out, x...), y...))
}

func (r *reader) not(a poly) poly { return r.plus(a, one) }

// either is a + b + a·b: 1 where a or b is.
func (r *reader) either(a, b poly) poly { return r.plus(r.plus(a, b), r.times(a, b)) }

// choose is b + c·(a + b): a where c is 1, else b.
func (r *reader) choose(c, a, b poly) poly { return r.plus(b, r.times(c, r.plus(a, b))) }
