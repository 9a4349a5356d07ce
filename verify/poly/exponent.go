package poly

import (
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Exponential writes exp(Σ k·m) as the product of exp(m)^k; exp(log(a)) is a.
func (s *Space) Exponential(t ir.Type, a Poly) Poly {
	out := Unit()
	for _, summand := range a.Terms() {
		k := new(big.Rat).Abs(summand.Coef)
		base, times := Of(summand.Mono, One), 1
		if k.IsInt() && k.Num().IsInt64() && k.Num().Int64() <= MaxExponent {
			times = int(k.Num().Int64())
		} else {
			base = s.Scale(Fractions, k, base)
		}
		factor := s.Apply(ir.Exp, t, t, base)
		if x, ok := s.SoleOp(base, ir.Log); ok && x.Args[0] != nil {
			factor = x.Args[0]
		}
		if summand.Coef.Sign() < 0 {
			factor = s.Reciprocal(factor)
		}
		for range times {
			out = s.Times(Fractions, out, factor)
		}
	}
	return out
}

// Logarithm takes out of log(a) the exponentials that divide a, each as often as it does.
func (s *Space) Logarithm(t ir.Type, a Poly) Poly {
	var exps []int // atoms that are exponentials, over and under Fractions
	for _, f := range s.AtomsOf(a) {
		if e, _ := s.exponent(f); e >= 0 && !slices.Contains(exps, e) {
			exps = append(exps, e)
		}
	}
	var sum Poly
	for _, e := range exps {
		least := s.exponentIn(a.Terms()[0].Mono, e)
		for _, t := range a.Terms() {
			least = min(least, s.exponentIn(t.Mono, e))
		}
		factor := OfAtom(e)
		if least > 0 {
			factor = s.Reciprocal(factor)
		}
		for range max(least, -least) {
			a = s.Times(Fractions, a, factor)
		}
		sum = s.Plus(Fractions, sum, s.Scale(Fractions, big.NewRat(int64(least), 1), s.Atoms[e].Args[0]))
	}
	if m, ok := a.Monomial(); ok && m == "" {
		return sum
	}
	return s.Plus(Fractions, sum, s.Apply(ir.Log, t, t, a))
}

// exponent is the exponential that an atom is, or is 1 over, and which of them; −1 where it
// is neither.
func (s *Space) exponent(f int) (atom, n int) {
	isExp := func(g int) bool { return s.Atoms[g].Kind == Opaque && s.Atoms[g].Op == ir.Exp }
	if isExp(f) {
		return f, 1
	}
	if a := s.Atoms[f]; a.Kind == Inverse {
		if n, ok := a.Args[0].Atom(); ok && isExp(n) {
			return n, -1
		}
	}
	return -1, 0
}

// exponentIn is how often an exponential divides a monomial.
func (s *Space) exponentIn(m string, e int) (n int) {
	for _, f := range Factors(m) {
		if g, k := s.exponent(f); g == e {
			n += k
		}
	}
	return n
}

// RealProduct returns a·b over the reals, where two equal roots are what is under them if no root is
// NaN.
func (s *Space) RealProduct(a, b Poly) Poly {
	p := s.Times(Fractions, a, b)
	for s.Assume.Has(ir.AFN | ir.NNaN) {
		m, at := s.squaredRoot(p)
		if at < 0 {
			break
		}
		var rest []int
		skip := 2
		for _, f := range Factors(m) {
			if f == at && skip > 0 {
				skip--
				continue
			}
			rest = append(rest, f)
		}
		term := Of(m, p.Coef(m))
		p = s.Plus(Fractions, s.Sub(Fractions, p, term), s.Times(Fractions, Of(MonomialOf(rest), p.Coef(m)), s.Atoms[at].Args[0]))
	}
	return p
}

// squaredRoot is a monomial of p and a root that is in it twice; −1 if there is none.
func (s *Space) squaredRoot(p Poly) (m string, at int) {
	for _, t := range p.Terms() {
		fs := Factors(t.Mono)
		for i := 1; i < len(fs); i++ {
			if x := s.Atoms[fs[i]]; fs[i] == fs[i-1] && x.Kind == Opaque && x.Op == ir.Sqrt {
				return t.Mono, fs[i]
			}
		}
	}
	return "", -1
}

// MaxExponent is the largest n for which exp(n·a) is written as a power.
const MaxExponent = 8
