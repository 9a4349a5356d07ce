package linear

import (
	"math/big"
	"slices"
)

// Inequality says Σ Coef·quantity + K ≤ 0, or < 0 where Strict. The coefficients are
// integers; where Whole is set the quantities are, too.
type Inequality struct {
	Terms  []Multiple // ascending by quantity, none of them zero
	K      *big.Int
	Strict bool
	Whole  bool
}

// Multiple is an integer times a quantity, given by its number.
type Multiple struct {
	Quantity int
	Coef     *big.Int
}

var bigOne = big.NewInt(1)

// IsAbsurd reports whether the inequality reads 0 < 0.
func (in *Inequality) IsAbsurd() bool {
	return len(in.Terms) == 0 && (in.K.Sign() > 0 || in.K.Sign() == 0 && in.Strict)
}

func (in *Inequality) add(n int, k *big.Int) {
	i, found := slices.BinarySearchFunc(in.Terms, n, func(m Multiple, n int) int { return m.Quantity - n })
	switch {
	case !found && k.Sign() != 0:
		in.Terms = slices.Insert(in.Terms, i, Multiple{n, new(big.Int).Set(k)})
	case found:
		sum := new(big.Int).Add(in.Terms[i].Coef, k)
		if in.Terms[i].Coef = sum; sum.Sign() == 0 {
			in.Terms = slices.Delete(in.Terms, i, i+1)
		}
	}
}

// Of returns the coefficient of a quantity; nil where it is zero.
func (in *Inequality) Of(n int) *big.Int {
	i, found := slices.BinarySearchFunc(in.Terms, n, func(m Multiple, n int) int { return m.Quantity - n })
	if !found {
		return nil
	}
	return in.Terms[i].Coef
}

// Combined returns a·up + b·down, for positive a and b.
func Combined(up *Inequality, a *big.Int, down *Inequality, b *big.Int) Inequality {
	out := Inequality{Whole: up.Whole && down.Whole, Strict: up.Strict || down.Strict, Terms: make([]Multiple, 0, len(up.Terms)+len(down.Terms))}
	x, y := up.Terms, down.Terms
	for len(x) > 0 || len(y) > 0 {
		var m Multiple
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].Quantity < y[0].Quantity:
			m = Multiple{x[0].Quantity, new(big.Int).Mul(a, x[0].Coef)}
			x = x[1:]
		case len(x) == 0 || y[0].Quantity < x[0].Quantity:
			m = Multiple{y[0].Quantity, new(big.Int).Mul(b, y[0].Coef)}
			y = y[1:]
		default:
			m = Multiple{x[0].Quantity, new(big.Int).Mul(a, x[0].Coef)}
			m.Coef.Add(m.Coef, new(big.Int).Mul(b, y[0].Coef))
			x, y = x[1:], y[1:]
		}
		if m.Coef.Sign() != 0 {
			out.Terms = append(out.Terms, m)
		}
	}
	out.K = new(big.Int).Mul(a, up.K)
	out.K.Add(out.K, new(big.Int).Mul(b, down.K))
	return out
}

// Tighten divides by the common factor g of the coefficients; of integers k rounds up,
// since Σ ≤ −k/g means Σ ≤ ⌊−k/g⌋.
func (in *Inequality) Tighten() {
	g := new(big.Int)
	for _, m := range in.Terms {
		if m.Coef.CmpAbs(bigOne) == 0 {
			return
		}
		g.GCD(nil, nil, g, new(big.Int).Abs(m.Coef))
	}
	if !in.Whole {
		g.GCD(nil, nil, g, new(big.Int).Abs(in.K))
	}
	if g.Cmp(bigOne) <= 0 {
		return
	}
	terms := make([]Multiple, len(in.Terms))
	for i, m := range in.Terms {
		terms[i] = Multiple{m.Quantity, new(big.Int).Div(m.Coef, g)}
	}
	in.Terms = terms
	k := new(big.Int).Neg(in.K)
	in.K = k.Neg(k.Div(k, g))
}
