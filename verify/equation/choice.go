package equation

import "github.com/rfactor-go/rfactor/verify/poly"

// choice is one of two by the literal p, or else a polynomial whose atoms are numbers of words,
// modulo 2^width.
type choice struct {
	p           int
	then, other *choice
	sum         poly.Poly
}

func word(n int) *choice { return &choice{sum: poly.OfAtom(n)} }

// choose is x where p is true, else y.
func choose(p int, x, y *choice) *choice {
	if p == -falseBit {
		return x
	}
	if p == falseBit {
		return y
	}
	return choiceOf(p, x.where(p), y.where(-p))
}

func choiceOf(p int, x, y *choice) *choice {
	if x.then == nil && y.then == nil && x.sum.Key() == y.sum.Key() {
		return x
	}
	return &choice{p: p, then: x, other: y}
}

// where is c, of which p is known to be true.
func (c *choice) where(p int) *choice {
	if c.then == nil {
		return c
	}
	switch c.p {
	case p:
		return c.then.where(p)
	case -p:
		return c.other.where(p)
	}
	return choiceOf(c.p, c.then.where(p), c.other.where(p))
}

// all applies f to the polynomials.
func (c *choice) all(f func(poly.Poly) poly.Poly) *choice {
	if c.then == nil {
		return &choice{sum: f(c.sum)}
	}
	then := c.then.all(f)
	return choiceOf(c.p, then, c.other.all(f))
}

// pairs applies f to the polynomials of c and d that go together.
func (c *choice) pairs(d *choice, f func(p, q poly.Poly) poly.Poly) *choice {
	if c.then == nil && d.then == nil {
		return &choice{sum: f(c.sum, d.sum)}
	}
	if c.then == nil {
		then := c.pairs(d.then, f)
		return choiceOf(d.p, then, c.pairs(d.other, f))
	}
	then := c.then.pairs(d.where(c.p), f)
	return choiceOf(c.p, then, c.other.pairs(d.where(-c.p), f))
}

// extent is the number of polynomials and the most products in one.
func (c *choice) extent() (leaves, products int) {
	if c.then != nil {
		a, m := c.then.extent()
		b, n := c.other.extent()
		return a + b, max(m, n)
	}
	products = len(c.sum.Terms())
	if c.sum.Coef("") != nil {
		products--
	}
	return 1, products
}
