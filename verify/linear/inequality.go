package linear

import "math/big"

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
	if len(in.Terms) == 0 && k.Sign() != 0 {
		in.Terms = []Multiple{{n, new(big.Int).Set(k)}}
		return
	}
	in.Terms = sum(in.Terms, bigOne, []Multiple{{n, bigOne}}, k)
}

// Combined returns a·up + b·down, for positive a and b.
func Combined(up *Inequality, a *big.Int, down *Inequality, b *big.Int) Inequality {
	k := new(big.Int).Mul(a, up.K)
	k.Add(k, new(big.Int).Mul(b, down.K))
	return Inequality{sum(up.Terms, a, down.Terms, b), k, up.Strict || down.Strict, up.Whole && down.Whole}
}

// sum returns a·x + b·y without what is zero.
func sum(x []Multiple, a *big.Int, y []Multiple, b *big.Int) []Multiple {
	out := make([]Multiple, 0, len(x)+len(y))
	for len(x) > 0 || len(y) > 0 {
		var m Multiple
		left := len(y) == 0 || len(x) > 0 && x[0].Quantity <= y[0].Quantity
		right := len(x) == 0 || len(y) > 0 && y[0].Quantity <= x[0].Quantity
		if left {
			m = Multiple{x[0].Quantity, new(big.Int).Mul(a, x[0].Coef)}
			x = x[1:]
		}
		if right {
			k := new(big.Int).Mul(b, y[0].Coef)
			if left {
				k.Add(k, m.Coef)
			}
			m = Multiple{y[0].Quantity, k}
			y = y[1:]
		}
		if m.Coef.Sign() != 0 {
			out = append(out, m)
		}
	}
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
