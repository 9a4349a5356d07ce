//go:build !js

package smt

import (
	"fmt"
	"math"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

// cast converts the term a.
func (w *writer) cast(from, to ir.Type, a string) string {
	switch {
	case to == ir.Bool:
		return w.notZero(from, a)
	case from == ir.Bool:
		return fmt.Sprintf("(ite %s %s %s)", a, w.numeral(to, 1), w.numeral(to, 0))
	case from.IsFloat() && to.IsFloat():
		return w.floatToFloat(to, a)
	case to.IsFloat():
		return w.intToFloat(from, to, a)
	case from.IsFloat():
		return w.floatToInt(from, to, a)
	case w.isInt(to):
		return w.wrapped(from, to, w.asInt(from, a))
	case w.isInt(from):
		return fmt.Sprintf("((_ int2bv %d) %s)", to.Bits(), a)
	}
	return resized(from, to, a)
}

func (w *writer) numeral(t ir.Type, n int64) string {
	if t.IsFloat() {
		return w.literal(t, ir.FloatBits(t, float64(n)))
	}
	return w.literal(t, uint64(n))
}

func (w *writer) notZero(t ir.Type, a string) string {
	switch {
	case w.isFP(t): // NaN is not zero
		return "(not (fp.isZero " + a + "))"
	default:
		return fmt.Sprintf("(distinct %s %s)", a, w.numeral(t, 0))
	}
}

// resized truncates a word, or extends it by its own sign.
func resized(from, to ir.Type, a string) string {
	switch d := to.Bits() - from.Bits(); {
	case d < 0:
		return fmt.Sprintf("((_ extract %d 0) %s)", to.Bits()-1, a)
	case d == 0:
		return a
	case from.IsSigned():
		return fmt.Sprintf("((_ sign_extend %d) %s)", d, a)
	default:
		return fmt.Sprintf("((_ zero_extend %d) %s)", d, a)
	}
}

// asInt returns the number that an integer of type t is.
func (w *writer) asInt(t ir.Type, a string) string {
	switch {
	case w.isInt(t):
		return a
	case t.IsSigned():
		return fmt.Sprintf("(ite (bvslt %s %s) (- (bv2nat %s) %v) (bv2nat %s))", a, bitText(t.Bits(), 0), a, power(t.Bits()), a)
	}
	return "(bv2nat " + a + ")"
}

func power(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// wrapped reduces the number a of type from to the width of type to, where it may not fit.
func (w *writer) wrapped(from, to ir.Type, a string) string {
	switch {
	case containsType(to, from):
		return a
	case to.IsUnsigned():
		return fmt.Sprintf("(mod %s %v)", a, power(to.Bits()))
	}
	half := power(to.Bits() - 1)
	return fmt.Sprintf("(- (mod (+ %s %v) %v) %v)", a, half, power(to.Bits()), half)
}

func (w *writer) floatToFloat(to ir.Type, a string) string {
	if w.isReal(to) {
		return a
	}
	return fmt.Sprintf("((_ to_fp %s) RNE %s)", fpSize(to), a)
}

func (w *writer) intToFloat(from, to ir.Type, a string) string {
	switch {
	case w.isReal(to):
		return "(to_real " + w.asInt(from, a) + ")"
	case w.isInt(from):
		return w.refuse("a float of an unbounded integer")
	case from.IsSigned():
		return fmt.Sprintf("((_ to_fp %s) RNE %s)", fpSize(to), a)
	}
	return fmt.Sprintf("((_ to_fp_unsigned %s) RNE %s)", fpSize(to), a)
}

// floatToInt goes toward zero and saturates; NaN gives 0. The limits are powers of two, and
// so floats, but for the largest value, before which its successor stands.
func (w *writer) floatToInt(from, to ir.Type, a string) string {
	lo, hi := limits(to)
	if w.isReal(from) {
		n := fmt.Sprintf("(ite (< %s 0.0) (- (to_int (- %s))) (to_int %s))", a, a, a)
		n = fmt.Sprintf("(let ((n %s)) (ite (< n %s) %s (ite (> n %s) %s n)))", n, intText(lo), intText(lo), intText(hi), intText(hi))
		if w.isInt(to) {
			return n
		}
		return fmt.Sprintf("((_ int2bv %d) %s)", to.Bits(), n)
	}
	if w.isInt(to) {
		return w.refuse("an unbounded integer of a float")
	}
	least := w.literal(from, ir.FloatBits(from, toFloat(lo)))
	beyond := w.literal(from, ir.FloatBits(from, toFloat(new(big.Int).Add(hi, big.NewInt(1)))))
	convert := "fp.to_ubv"
	if to.IsSigned() {
		convert = "fp.to_sbv"
	}
	b := to.Bits()
	return fmt.Sprintf("(ite (fp.isNaN %s) %s (ite (fp.leq %s %s) %s (ite (fp.geq %s %s) %s ((_ %s %d) RTZ %s))))",
		a, bitText(b, 0), a, least, bitText(b, to.Min()), a, beyond, bitText(b, to.Max()), convert, b, a)
}

func toFloat(z *big.Int) float64 {
	f, _ := new(big.Float).SetInt(z).Float64()
	if math.IsInf(f, 0) {
		panic("prove: internal: a limit beyond float64")
	}
	return f
}
