package linear

import (
	"math/big"

	"github.com/rfactor-go/rfactor/verify/poly"
)

// Inequality says P ≤ 0, or P < 0 where Strict. P is a linear sum over ℚ whose atoms are the
// numbers of quantities; where Whole is set the quantities are integers.
type Inequality struct {
	P      poly.Poly
	Strict bool
	Whole  bool
}

// IsAbsurd reports whether the inequality reads 0 < 0.
func (in *Inequality) IsAbsurd() bool {
	k := in.P.Constant().Sign()
	return in.P.IsConstant() && (k > 0 || k == 0 && in.Strict)
}

// Plus returns in + k·other, for a positive k.
func (in *Inequality) Plus(space *poly.Space, k *big.Rat, other *Inequality) Inequality {
	p := space.Plus(poly.Fractions, in.P, space.Scale(poly.Fractions, k, other.P))
	return Inequality{p, in.Strict || other.Strict, in.Whole && other.Whole}
}

// Tightened returns the inequality with whole coefficients that have no common factor. Of
// integers the constant k does not count and rounds up, since Σ ≤ −k means Σ ≤ ⌊−k⌋.
func (in *Inequality) Tightened(space *poly.Space) Inequality {
	over, under := new(big.Int), big.NewInt(1) // gcd of the numerators, lcm of the denominators
	for _, part := range in.P.Terms() {
		if in.Whole && part.Mono == "" {
			continue
		}
		over.GCD(nil, nil, over, new(big.Int).Abs(part.Coef.Num()))
		g := new(big.Int).GCD(nil, nil, under, part.Coef.Denom())
		under.Mul(under, g.Div(part.Coef.Denom(), g))
	}
	if over.Sign() == 0 || over.Cmp(under) == 0 {
		return *in
	}
	p := space.Scale(poly.Fractions, new(big.Rat).SetFrac(under, over), in.P)
	if k := p.Constant(); !k.IsInt() {
		up := new(big.Int).Div(k.Num(), k.Denom()) // rounded down
		up.Add(up, big.NewInt(1))
		p = space.Plus(poly.Fractions, p, poly.Of("", new(big.Rat).Sub(new(big.Rat).SetInt(up), k)))
	}
	return Inequality{p, in.Strict, in.Whole}
}
