package equation

import (
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// The checker's knowledge of products over ℤ and ℚ.

// maxClaimsMultiplied bounds the pairs that are multiplied.
const maxClaimsMultiplied = 32

// sign is a polynomial that is ≥ 0, or > 0 where strict.
type sign struct {
	typ    ir.Type
	p      poly
	strict bool
}

// multiplies reports whether monomials of the type are products of numbers, as far as p is
// concerned: there is no quotient in it, and no literal that is not a number of the ring.
func (c *checker) multiplies(t ir.Type, p poly) bool {
	if r := c.ring(t); r != wholes && r != fractions {
		return false
	}
	return !slices.ContainsFunc(c.atomsOf(p), func(n int) bool { return c.atoms[n].kind == inverse || c.atoms[n].op == ir.Const })
}

// signOf is what a claim says of the sign of a difference.
func (s *system) signOf(cl claim) (g sign, ok bool) {
	if cl.left == nil || !s.multiplies(cl.typ, cl.left) || !s.multiplies(cl.typ, cl.right) {
		return sign{}, false
	}
	r := s.ring(cl.typ)
	switch {
	case !cl.holds:
		return sign{cl.typ, s.sub(r, cl.left, cl.right), false}, true
	case r == wholes:
		return sign{cl.typ, s.sub(r, s.sub(r, cl.right, cl.left), poly{"": one}), false}, true
	}
	return sign{cl.typ, s.sub(r, cl.right, cl.left), true}, true
}

// multiplying says which claims are multiplied with each other.
type multiplying int

const (
	nothing multiplying = iota
	singles             // what is claimed of single atoms
	everything
)

// products states that squares are not negative, of integers not below their roots, and that
// products of what the claims say is not negative are not: those that mention no product
// of atoms which is not mentioned already, or is one of the roots of two squares. It answers
// whether there is any product.
func (s *system) products(claims []claim, level multiplying) bool {
	var signs []sign
	for _, cl := range claims {
		if g, ok := s.signOf(cl); ok && len(signs) < maxClaimsMultiplied {
			signs = append(signs, g)
		}
	}
	known := map[string]bool{}
	var roots []sign
	for _, name := range slices.Clone(s.names) {
		q := s.seen[name]
		if !s.multiplies(q.typ, q.p) || len(q.p) != 1 {
			continue
		}
		m := q.p.key1()
		switch fs := factors(m); {
		case len(fs) == 1 && q.typ.IsUnsigned() && len(signs) < maxClaimsMultiplied:
			signs = append(signs, sign{q.typ, q.p, false})
		case len(fs) > 1:
			known[m] = true
			if root, ok := rootOf(fs); ok {
				roots = append(roots, sign{q.typ, root, false})
				s.square(q, root)
			}
		}
	}
	if len(known) == 0 {
		return false
	}
	signs = s.quotients(signs)
	for i, a := range roots {
		for _, b := range roots[:i] {
			known[monomial(append(factors(a.p.key1()), factors(b.p.key1())...))] = true
		}
	}
	for i, g := range signs {
		for _, h := range signs[:i+1] {
			if level == everything || g.isSingle() && h.isSingle() {
				s.product(g, h, known)
			}
		}
	}
	return true
}

// isSingle reports whether a polynomial has one atom.
func (g sign) isSingle() bool {
	n := 0
	for m := range g.p {
		n += len(factors(m))
	}
	return n == 1
}

// quotients adds what the claims say of h where they say it of v·h, and v has a sign.
func (s *system) quotients(signs []sign) []sign {
	for i := 0; i < len(signs); i++ {
		for _, v := range signs {
			n, positive, ok := s.signed(v)
			if !ok || len(signs) >= maxClaimsMultiplied {
				continue
			}
			h, ok := s.over(signs[i], n, positive)
			if ok && !slices.ContainsFunc(signs, func(g sign) bool {
				return g.typ == h.typ && g.strict == h.strict && g.p.key() == h.p.key()
			}) {
				signs = append(signs, h)
				s.notNegative(h)
			}
		}
	}
	return signs
}

// signed is the one atom of a polynomial c·a − k ≥ 0 with k ≥ 0, or k = 0 where it is
// strict: it is above zero for positive c, else below.
func (s *system) signed(g sign) (n int, positive, ok bool) {
	k, n := new(big.Rat), -1
	for m, c := range g.p {
		switch fs := factors(m); {
		case len(fs) == 0:
			k = c
		case len(fs) == 1 && n < 0:
			n, positive = fs[0], c.Sign() > 0
		default:
			return 0, false, false
		}
	}
	return n, positive, n >= 0 && (k.Sign() < 0 || k.Sign() == 0 && g.strict)
}

// over divides a·h − k ≥ 0 with k ≥ 0 by the atom a, which is above or below zero.
func (s *system) over(g sign, n int, positive bool) (sign, bool) {
	r := s.ring(g.typ)
	h := sign{g.typ, poly{}, g.strict}
	products := false
	for m, c := range g.p {
		fs := factors(m)
		if len(fs) == 0 {
			if c.Sign() > 0 {
				return h, false
			}
			h.strict = true
			continue
		}
		at := slices.Index(fs, n)
		if at < 0 {
			return h, false
		}
		products = products || len(fs) > 1
		if !positive {
			c = new(big.Rat).Neg(c)
		}
		h.p = s.plus(r, h.p, poly{monomial(slices.Delete(fs, at, at+1)): c})
	}
	if h.strict && r == wholes {
		h.p, h.strict = s.sub(r, h.p, poly{"": one}), false
	}
	return h, products && !h.p.isConstant()
}

// rootOf is the monomial whose square has the factors, which ascend.
func rootOf(fs []int) (poly, bool) {
	if len(fs)%2 != 0 {
		return nil, false
	}
	var half []int
	for i := 0; i < len(fs); i += 2 {
		if fs[i] != fs[i+1] {
			return nil, false
		}
		half = append(half, fs[i])
	}
	return poly{monomial(half): one}, true
}

func (s *system) square(q quantityOf, root poly) {
	s.notNegative(sign{q.typ, q.p, false})
	if s.ring(q.typ) == wholes {
		s.notNegative(sign{q.typ, s.plus(wholes, q.p, root), false})
		s.notNegative(sign{q.typ, s.sub(wholes, q.p, root), false})
	}
}

func (s *system) product(g, h sign, known map[string]bool) {
	r := s.ring(g.typ)
	if r != s.ring(h.typ) {
		return
	}
	p := s.times(r, g.p, h.p)
	for m := range p {
		if len(factors(m)) > 1 && !known[m] {
			return
		}
	}
	s.notNegative(sign{g.typ, p, g.strict && h.strict})
}

// notNegative states −p ≤ 0, or −p < 0, scaled to whole coefficients.
func (s *system) notNegative(g sign) {
	r := s.ring(g.typ)
	in := inequality{coef: map[string]*big.Int{}, k: new(big.Int), strict: g.strict, whole: r == wholes}
	s.linear(g.typ, s.scale(r, commonDenominator(g.p), g.p), big.NewInt(-1), &in)
	s.all = append(s.all, in)
}

// commonDenominator is a multiple of the denominators of all coefficients.
func commonDenominator(p poly) *big.Rat {
	scale := big.NewInt(1)
	for _, k := range p {
		g := new(big.Int).GCD(nil, nil, scale, k.Denom())
		scale.Mul(scale, new(big.Int).Div(k.Denom(), g))
	}
	return new(big.Rat).SetInt(scale)
}

// signs checks the three cases of a variable's sign.
func (c *checker) signs(t *proof.Tree, depth int) {
	v := c.variableNamed(t.Term)
	if r := c.ring(v.Type()); r != wholes && r != fractions {
		fail("%s is not a number that is negative, zero or positive", t.Term)
	}
	if c.bound[v] != nil || len(t.Cases) != 3 {
		fail("%s is not told apart by its sign", t.Term)
	}
	p, zero := c.number(v), poly{}
	for i, cl := range [3]claim{{v.Type(), p, zero, true}, {}, {v.Type(), zero, p, true}} {
		if i == 1 {
			c.under(v, factors(p.key1())[0], zero, t.Cases[i], depth)
			continue
		}
		c.claims = append(c.claims, cl)
		c.prove(t.Cases[i], depth+1)
		c.claims = c.claims[:len(c.claims)-1]
	}
}

// variableNamed is a variable of the problem.
func (c *checker) variableNamed(name string) (v ir.Expr) {
	ir.Walk(append([]ir.Expr{c.problem.Left, c.problem.Right}, c.problem.Given...), func(e ir.Expr) {
		if e.Op() == ir.Var && e.Name() == name && e.Type().IsNumeric() && !v.IsValid() {
			v = e
		}
	})
	if !v.IsValid() {
		fail("there is no variable %q", name)
	}
	return v
}
