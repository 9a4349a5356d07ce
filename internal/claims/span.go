package claims

import (
	"math"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

// function is sqrt, exp, pow or their like of real numbers: under afn an interval, where one is known,
// else the machine's function of the nearest float.
func (p *compiled) function(n *node, a, b value) value {
	if !p.spans {
		f, ok := a.double()
		g, ok2 := 0.0, true
		if n.n == 2 {
			g, ok2 = b.double()
		}
		switch {
		case !ok || !ok2:
			return voided
		case n.n == 2:
			return p.realOf(ir.Float(n.typ, ir.Apply2(n.op, n.from, ir.FloatBits(n.from, f), ir.FloatBits(n.from, g))))
		}
		return p.realOf(ir.Float(n.typ, ir.Apply1(n.op, n.from, n.typ, ir.FloatBits(n.from, f))))
	}
	if a.nan || b.nan {
		return value{nan: true}
	}
	switch n.op {
	case ir.Exp:
		return spanExp(a)
	case ir.Log:
		return spanLog(a)
	case ir.Log1p:
		return spanLog(sum(p.realOf(1), a))
	case ir.Sqrt:
		return spanSqrt(a)
	}
	if s, ok := a.sign(); n.op == ir.Pow && a.inf == 0 && b.inf == 0 && ok && s > 0 {
		return spanExp(product(b, spanLog(a)))
	}
	return voided
}

func spanExp(a value) value {
	switch {
	case a.void || a.unsure:
		return voided
	case a.inf > 0:
		return a
	case a.inf < 0:
		return value{lo: ending(big.ToNegativeInf), hi: ending(big.ToPositiveInf)}
	case a.lo.MantExp(nil) > 20 || a.hi.MantExp(nil) > 20:
		return voided
	}
	return value{lo: widened(expOf(a.lo), big.ToNegativeInf), hi: widened(expOf(a.hi), big.ToPositiveInf)}
}

func spanLog(a value) value {
	switch {
	case a.void || a.unsure:
		return voided
	case a.inf > 0:
		return a
	case a.inf < 0 || a.hi.Sign() < 0:
		return value{nan: true}
	case a.hi.Sign() == 0 && a.lo.Sign() == 0:
		return value{inf: -1}
	case a.lo.Sign() <= 0:
		return voided
	}
	return value{lo: widened(logOf(a.lo), big.ToNegativeInf), hi: widened(logOf(a.hi), big.ToPositiveInf)}
}

func spanSqrt(a value) value {
	switch {
	case a.void || a.unsure:
		return voided
	case a.inf > 0:
		return a
	case a.inf < 0 || a.hi.Sign() < 0:
		return value{nan: true}
	case a.lo.Sign() < 0:
		return voided
	}
	root := func(x *big.Float, mode big.RoundingMode) *big.Float {
		r := new(big.Float).SetPrec(spanPrec).Sqrt(x)
		if new(big.Float).SetPrec(2*spanPrec).Mul(r, r).Cmp(x) == 0 {
			return ending(mode).Set(r)
		}
		return widened(r, mode)
	}
	return value{lo: root(a.lo, big.ToNegativeInf), hi: root(a.hi, big.ToPositiveInf)}
}

// widened moves an end of an interval outward by one part in 2^200, which is more than the
// error of what computes it. Zero and one are exact.
func widened(x *big.Float, mode big.RoundingMode) *big.Float {
	if x.Sign() == 0 || x.Cmp(big.NewFloat(1)) == 0 {
		return ending(mode).Set(x)
	}
	by := new(big.Float).SetPrec(spanPrec).SetMantExp(x, -200)
	by.Abs(by)
	if mode == big.ToNegativeInf {
		return ending(mode).Sub(x, by)
	}
	return ending(mode).Add(x, by)
}

// workPrec is the precision in which exp and log are computed.
const workPrec = 420

func work() *big.Float { return new(big.Float).SetPrec(workPrec) }

// expOf is e^x: the Taylor series of x/2^k, squared k times.
func expOf(x *big.Float) *big.Float {
	k := max(0, x.MantExp(nil)+16)
	r := work().SetMantExp(work().Set(x), -k)
	sum, term := work().SetInt64(1), work().SetInt64(1)
	for i := int64(1); i < 40; i++ {
		term.Mul(term, r)
		term.Quo(term, work().SetInt64(i))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

var ln2 = func() *big.Float { return logSmall(work().SetInt64(2)) }()

// logOf is the natural logarithm of x > 0, by that of its mantissa.
func logOf(x *big.Float) *big.Float {
	if x.Cmp(big.NewFloat(1)) == 0 {
		return work()
	}
	m := work()
	e := x.MantExp(m)
	if e == 0 || e == 1 { // near 1 nothing may cancel
		return logSmall(work().Set(x))
	}
	return work().Add(logSmall(m), work().Mul(ln2, work().SetInt64(int64(e))))
}

// logSmall is the logarithm of a number near 1, by Halley's iteration.
func logSmall(x *big.Float) *big.Float {
	f, _ := x.Float64()
	y := work().SetFloat64(math.Log(f))
	for range 4 {
		e := expOf(y)
		d := work().Quo(work().Sub(x, e), work().Add(x, e))
		y.Add(y, d.Mul(d, work().SetInt64(2)))
	}
	return y
}
