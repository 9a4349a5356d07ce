package equation

import (
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// exponential writes exp(Σ k·m) as the product of exp(m)^k; exp(log(a)) is a.
func (c *checker) exponential(t ir.Type, a poly) poly {
	out := poly{"": one}
	for _, m := range a.monomials() {
		k := new(big.Rat).Abs(a[m])
		base, times := poly{m: one}, 1
		if k.IsInt() && k.Num().IsInt64() && k.Num().Int64() <= maxExponent {
			times = int(k.Num().Int64())
		} else {
			base = c.scale(fractions, k, base)
		}
		factor := c.apply(ir.Exp, t, t, base)
		if x, ok := c.soleOp(base, ir.Log); ok && len(x.args[0]) > 0 {
			factor = x.args[0]
		}
		if a[m].Sign() < 0 {
			factor = c.reciprocal(factor)
		}
		for range times {
			out = c.times(fractions, out, factor)
		}
	}
	return out
}

// logarithm takes out of log(a) the exponentials that divide a, each as often as it does.
func (c *checker) logarithm(t ir.Type, a poly) poly {
	var exps []int // atoms that are exponentials, over and under fractions
	for _, f := range c.atomsOf(a) {
		if e, _ := c.exponent(f); e >= 0 && !slices.Contains(exps, e) {
			exps = append(exps, e)
		}
	}
	sum := poly{}
	for _, e := range exps {
		ms := a.monomials()
		least := c.exponentIn(ms[0], e)
		for _, m := range ms {
			least = min(least, c.exponentIn(m, e))
		}
		factor := poly{monomial([]int{e}): one}
		if least > 0 {
			factor = c.reciprocal(factor)
		}
		for range max(least, -least) {
			a = c.times(fractions, a, factor)
		}
		sum = c.plus(fractions, sum, c.scale(fractions, big.NewRat(int64(least), 1), c.atoms[e].args[0]))
	}
	if len(a) == 1 && a[""] != nil && a[""].Cmp(one) == 0 {
		return sum
	}
	return c.plus(fractions, sum, c.apply(ir.Log, t, t, a))
}

// exponent is the exponential that an atom is, or is 1 over, and which of them; −1 where it
// is neither.
func (c *checker) exponent(f int) (atom, n int) {
	isExp := func(g int) bool { return c.atoms[g].kind == opaque && c.atoms[g].op == ir.Exp }
	if isExp(f) {
		return f, 1
	}
	if a := c.atoms[f]; a.kind == inverse {
		if m := a.args[0].key1(); len(m) == 4 && isExp(factors(m)[0]) {
			return factors(m)[0], -1
		}
	}
	return -1, 0
}

// exponentIn is how often an exponential divides a monomial.
func (c *checker) exponentIn(m string, e int) (n int) {
	for _, f := range factors(m) {
		if g, k := c.exponent(f); g == e {
			n += k
		}
	}
	return n
}

// realProduct is a·b over the reals, where two equal roots are what is under them if no root is
// NaN.
func (c *checker) realProduct(a, b poly) poly {
	p := c.times(fractions, a, b)
	for c.assume.Has(ir.AFN | ir.NNaN) {
		m, at := c.squaredRoot(p)
		if at < 0 {
			break
		}
		var rest []int
		skip := 2
		for _, f := range factors(m) {
			if f == at && skip > 0 {
				skip--
				continue
			}
			rest = append(rest, f)
		}
		term := poly{m: p[m]}
		p = c.plus(fractions, c.sub(fractions, p, term), c.times(fractions, poly{monomial(rest): p[m]}, c.atoms[at].args[0]))
	}
	return p
}

// squaredRoot is a monomial of p and a root that is in it twice; −1 if there is none.
func (c *checker) squaredRoot(p poly) (m string, at int) {
	for _, m := range p.monomials() {
		fs := factors(m)
		for i := 1; i < len(fs); i++ {
			if x := c.atoms[fs[i]]; fs[i] == fs[i-1] && x.kind == opaque && x.op == ir.Sqrt {
				return m, fs[i]
			}
		}
	}
	return "", -1
}

// maxExponent is the largest n for which exp(n·a) is written as a power.
const maxExponent = 8
