package exec

import (
	"math"
	"math/bits"
	"strings"

	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// call executes a call of an intrinsic.
func (fr *Frame) call(in *syntax.Inst) (Value, bool) {
	name, ok := strings.CutPrefix(in.Callee, "@llvm.")
	if !ok || len(in.Args) == 0 {
		unknown("a call of %s", in.Callee)
	}
	for _, silent := range []string{"dbg.", "lifetime.", "experimental.noalias", "donothing"} {
		if strings.HasPrefix(name, silent) {
			return Value{}, false
		}
	}
	args := make([]Value, len(in.Args))
	poison := false
	for i, v := range in.Args {
		args[i] = fr.value(v)
		poison = poison || args[i].Poison
	}
	if name == "assume" {
		if poison || args[0].Bits == 0 {
			undefined()
		}
		return Value{}, false
	}
	if poison {
		return Value{Poison: true}, true
	}
	t := in.Args[0].Type
	if t.Kind == syntax.FloatType || t.Kind == syntax.DoubleType {
		return fr.flagged(in, ofFloats(name, t, args), args...), true
	}
	return ofIntegers(strings.TrimSuffix(name, "."+t.String()), width(t), args), true
}

// ofIntegers computes an intrinsic on integers of some bits.
func ofIntegers(name string, n int, args []Value) Value {
	a, b := args[0].Bits, uint64(0)
	if len(args) > 1 {
		b = args[1].Bits
	}
	x, y := signed(a, n), signed(b, n)
	least, most := signed(1<<(n-1), n), int64(mask(n)>>1)
	of := func(v uint64) Value { return Value{Bits: v & mask(n)} }
	clamp := func(sum int64, over bool) Value {
		switch {
		case over && x < 0, !over && sum < least:
			return of(uint64(least))
		case over, sum > most:
			return of(uint64(most))
		}
		return of(uint64(sum))
	}
	switch name {
	case "smax":
		return of(uint64(max(x, y)))
	case "smin":
		return of(uint64(min(x, y)))
	case "umax":
		return of(max(a, b))
	case "umin":
		return of(min(a, b))
	case "abs":
		if x == least {
			return Value{a, b&1 != 0}
		}
		return of(uint64(max(x, -x)))
	case "uadd.sat":
		sum, carry := bits.Add64(a, b, 0)
		if carry != 0 || sum > mask(n) {
			sum = mask(n)
		}
		return of(sum)
	case "usub.sat":
		return of(a - min(a, b))
	case "sadd.sat":
		return clamp(sumOf(x, y))
	case "ssub.sat":
		return clamp(differenceOf(x, y))
	case "ctpop":
		return of(uint64(bits.OnesCount64(a)))
	case "ctlz":
		return Value{uint64(bits.LeadingZeros64(a) - 64 + n), a == 0 && b&1 != 0}
	case "cttz":
		return Value{uint64(min(bits.TrailingZeros64(a), n)), a == 0 && b&1 != 0}
	case "bitreverse":
		return of(bits.Reverse64(a) >> (64 - n))
	case "bswap":
		return of(bits.ReverseBytes64(a) >> (64 - n))
	case "fshl", "fshr":
		by := args[2].Bits % uint64(n)
		if name == "fshr" {
			by = uint64(n) - by
		}
		return of(a<<by | b>>(uint64(n)-by))
	case "expect":
		return of(a)
	}
	unknown("llvm.%s", name)
	return Value{}
}

// ofFloats computes an intrinsic on floats.
func ofFloats(name string, t *syntax.Type, args []Value) Value {
	base, _, _ := strings.Cut(name, ".")
	f := make([]float64, len(args))
	for i, v := range args {
		f[i] = floatOf(t, v)
	}
	switch base {
	case "fabs":
		return ofFloat(t, math.Abs(f[0]))
	case "sqrt":
		return ofFloat(t, math.Sqrt(f[0]))
	case "floor":
		return ofFloat(t, math.Floor(f[0]))
	case "fmuladd": // not fused
		return ofFloat(t, floatOf(t, ofFloat(t, f[0]*f[1]))+f[2])
	case "maximum", "minimum":
		switch {
		case f[0] != f[0] || f[1] != f[1]: // math.Max prefers infinities to NaN
			return ofFloat(t, math.NaN())
		case base == "maximum":
			return ofFloat(t, math.Max(f[0], f[1]))
		}
		return ofFloat(t, math.Min(f[0], f[1]))
	case "maxnum", "minnum":
		switch {
		case f[0] != f[0]:
			return args[1]
		case f[1] != f[1]:
			return args[0]
		case base == "maxnum":
			return ofFloat(t, math.Max(f[0], f[1]))
		}
		return ofFloat(t, math.Min(f[0], f[1]))
	}
	unknown("llvm.%s", name)
	return Value{}
}
