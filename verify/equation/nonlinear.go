package equation

import (
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// The checker's knowledge of products over ℤ and ℚ.

// maxClaimsMultiplied bounds the pairs that are multiplied.
const maxClaimsMultiplied = 32

// sign is a polynomial that is ≥ 0, or > 0 where strict.
type sign struct {
	typ    ir.Type
	p      poly.Poly
	strict bool
}

// multiplies reports whether monomials of the type are products of numbers, as far as p is
// concerned: there is no quotient in it, and no literal that is not a number of the ring.
func (c *checker) multiplies(t ir.Type, p poly.Poly) bool {
	if r := c.Ring(t); r != poly.Wholes && r != poly.Fractions {
		return false
	}
	return !slices.ContainsFunc(c.AtomsOf(p), func(n int) bool { return c.Atoms[n].Kind == poly.Inverse || c.Atoms[n].Op == ir.Const })
}

// signOf is what a claim says of the sign of a difference.
func (s *system) signOf(cl claim) (g sign, ok bool) {
	if !cl.compares || !s.multiplies(cl.typ, cl.left) || !s.multiplies(cl.typ, cl.right) {
		return sign{}, false
	}
	r := s.Ring(cl.typ)
	switch {
	case !cl.holds:
		return sign{cl.typ, s.Sub(r, cl.left, cl.right), false}, true
	case r == poly.Wholes:
		return sign{cl.typ, s.Sub(r, s.Sub(r, cl.right, cl.left), poly.Unit()), false}, true
	}
	return sign{cl.typ, s.Sub(r, cl.right, cl.left), true}, true
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
	for _, q := range slices.Clone(s.seen) {
		m, ok := q.p.Monomial()
		if !ok || !s.multiplies(q.typ, q.p) {
			continue
		}
		switch fs := poly.Factors(m); {
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
			known[rootMonomial(a, b)] = true
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

// rootMonomial is the product of the roots of two squares.
func rootMonomial(a, b sign) string {
	m, _ := a.p.Monomial()
	n, _ := b.p.Monomial()
	return poly.MonomialOf(append(poly.Factors(m), poly.Factors(n)...))
}

// isSingle reports whether a polynomial has one atom.
func (g sign) isSingle() bool {
	n := 0
	for _, part := range g.p.Terms() {
		n += len(part.Mono) / 4
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
				return g.typ == h.typ && g.strict == h.strict && g.p.Key() == h.p.Key()
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
	for _, part := range g.p.Terms() {
		switch fs := poly.Factors(part.Mono); {
		case len(fs) == 0:
			k = part.Coef
		case len(fs) == 1 && n < 0:
			n, positive = fs[0], part.Coef.Sign() > 0
		default:
			return 0, false, false
		}
	}
	return n, positive, n >= 0 && (k.Sign() < 0 || k.Sign() == 0 && g.strict)
}

// over divides a·h − k ≥ 0 with k ≥ 0 by the atom a, which is above or below zero.
func (s *system) over(g sign, n int, positive bool) (sign, bool) {
	r := s.Ring(g.typ)
	h := sign{g.typ, nil, g.strict}
	products := false
	for _, part := range g.p.Terms() {
		fs, c := poly.Factors(part.Mono), part.Coef
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
		h.p = s.Plus(r, h.p, poly.Of(poly.MonomialOf(slices.Delete(fs, at, at+1)), c))
	}
	if h.strict && r == poly.Wholes {
		h.p, h.strict = s.Sub(r, h.p, poly.Unit()), false
	}
	return h, products && !h.p.IsConstant()
}

// rootOf is the monomial whose square has the factors, which ascend.
func rootOf(fs []int) (poly.Poly, bool) {
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
	return poly.Of(poly.MonomialOf(half), poly.One), true
}

func (s *system) square(q quantity, root poly.Poly) {
	s.notNegative(sign{q.typ, q.p, false})
	if s.Ring(q.typ) == poly.Wholes {
		s.notNegative(sign{q.typ, s.Plus(poly.Wholes, q.p, root), false})
		s.notNegative(sign{q.typ, s.Sub(poly.Wholes, q.p, root), false})
	}
}

func (s *system) product(g, h sign, known map[string]bool) {
	r := s.Ring(g.typ)
	if r != s.Ring(h.typ) {
		return
	}
	p := s.Times(r, g.p, h.p)
	for _, part := range p.Terms() {
		if len(part.Mono) > 4 && !known[part.Mono] {
			return
		}
	}
	s.notNegative(sign{g.typ, p, g.strict && h.strict})
}

// notNegative states −p ≤ 0, or −p < 0, scaled to whole coefficients.
func (s *system) notNegative(g sign) {
	r := s.Ring(g.typ)
	in := inequality{k: new(big.Int), strict: g.strict, whole: r == poly.Wholes}
	s.linear(g.typ, s.Scale(r, commonDenominator(g.p), g.p), big.NewInt(-1), &in)
	s.all = append(s.all, in)
}

// commonDenominator is a multiple of the denominators of all coefficients.
func commonDenominator(p poly.Poly) *big.Rat {
	scale := big.NewInt(1)
	for _, part := range p.Terms() {
		g := new(big.Int).GCD(nil, nil, scale, part.Coef.Denom())
		scale.Mul(scale, new(big.Int).Div(part.Coef.Denom(), g))
	}
	return new(big.Rat).SetInt(scale)
}

// signs checks the three cases of a variable's sign.
func (c *checker) signs(t *proof.Tree, depth int) {
	v := c.variableNamed(t.Term)
	if r := c.Ring(v.Type()); r != poly.Wholes && r != poly.Fractions {
		poly.Fail("%s is not a number that is negative, zero or positive", t.Term)
	}
	if c.isBound(v) || len(t.Cases) != 3 {
		poly.Fail("%s is not told apart by its sign", t.Term)
	}
	p := c.number(v)
	for i, cl := range [3]claim{{v.Type(), p, nil, true, true}, {}, {v.Type(), nil, p, true, true}} {
		if i == 1 {
			n, _ := p.Atom()
			c.under(v, n, nil, t.Cases[i], depth)
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
		poly.Fail("there is no variable %q", name)
	}
	return v
}
