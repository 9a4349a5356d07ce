package bits

import "slices"

// caseOf returns x where p holds, else y.
func caseOf(p lit, x, y *cases) *cases {
	switch p {
	case yes:
		return x
	case no:
		return y
	}
	return split(p, x.given(p), y.given(p.not()))
}

// split does what caseOf does where x and y do not ask for p. Where both are one sum there is no case.
func split(p lit, x, y *cases) *cases {
	if x.where == nil && y.where == nil && x.sum.equal(y.sum) {
		return x
	}
	return &cases{p: p, where: x, other: y}
}

func (s sum) equal(t sum) bool {
	return s.constant == t.constant && slices.EqualFunc(s.terms, t.terms, func(p, q product) bool {
		return p.coef == q.coef && slices.Equal(p.words, q.words)
	})
}

// given returns c where p is known to hold.
func (c *cases) given(p lit) *cases {
	switch {
	case c.where == nil:
		return c
	case c.p == p:
		return c.where.given(p)
	case c.p == p.not():
		return c.other.given(p)
	}
	where := c.where.given(p)
	return split(c.p, where, c.other.given(p))
}

// each changes every sum.
func (c *cases) each(f func(sum) sum) *cases {
	if c.where == nil {
		return &cases{sum: f(c.sum)}
	}
	where := c.where.each(f)
	return split(c.p, where, c.other.each(f))
}

// with combines every sum with one of d.
func (c *cases) with(d *cases, f func(s, t sum) sum) *cases {
	switch {
	case c.where != nil:
		where := c.where.with(d.given(c.p), f)
		return split(c.p, where, c.other.with(d.given(c.p.not()), f))
	case d.where != nil:
		where := c.with(d.where, f)
		return split(d.p, where, c.with(d.other, f))
	}
	return &cases{sum: f(c.sum, d.sum)}
}

// size returns how many sums there are, and how many terms the longest has.
func (c *cases) size() (leaves, terms int) {
	if c.where == nil {
		return 1, len(c.sum.terms)
	}
	m, k := c.where.size()
	n, l := c.other.size()
	return m + n, max(k, l)
}
