package exec

import (
	"math"
	"math/bits"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// step executes an instruction that is no terminator. It reports false for one without effect and result.
func (fr *Frame) step(in *syntax.Inst) (Value, bool) {
	switch in.Op {
	case "call":
		return fr.call(in)
	case "load":
		return fr.load(in), true
	case "getelementptr":
		return fr.address(in), true
	case "select":
		c := fr.value(in.Args[0])
		if c.Poison {
			return c, true
		}
		return fr.flagged(in, fr.value(in.Args[2-c.Bits&1])), true
	case "freeze":
		v := fr.value(in.Args[0])
		return Value{Bits: v.Bits & mask(width(in.Type))}, true
	}
	args := make([]Value, len(in.Args))
	for i, v := range in.Args {
		args[i] = fr.value(v)
		if args[i].Poison {
			if i == 1 && strings.HasSuffix(in.Op, "div") || i == 1 && strings.HasSuffix(in.Op, "rem") {
				undefined()
			}
			return Value{Poison: true}, true
		}
	}
	if len(args) == 0 {
		unknown("%s", in.Op)
	}
	t := in.Args[0].Type
	if t.Kind == syntax.FloatType || t.Kind == syntax.DoubleType {
		return fr.flagged(in, float(in, t, args), args...), true
	}
	return integer(in, width(t), args), true
}

// integer computes an instruction on integers of some bits.
func integer(in *syntax.Inst, n int, args []Value) Value {
	a, b := args[0].Bits, uint64(0)
	if len(args) > 1 {
		b = args[1].Bits
	}
	x, y := signed(a, n), signed(b, n)
	least := signed(1<<(n-1), n)
	out := func(v uint64, poison bool) Value { return Value{v & mask(n), poison} }
	nsw, nuw := in.Flags["nsw"], in.Flags["nuw"]
	switch in.Op {
	case "icmp":
		return Value{truth(compared(in.Pred, a, b, x, y)), in.Flags["samesign"] && (x < 0) != (y < 0)}
	case "add":
		sum, carry := bits.Add64(a, b, 0)
		s, over := sumOf(x, y)
		return out(sum, nsw && (over || signed(sum, n) != s) || nuw && (carry != 0 || sum&mask(n) != sum))
	case "sub":
		d, over := differenceOf(x, y)
		return out(a-b, nsw && (over || signed(a-b, n) != d) || nuw && a < b)
	case "mul":
		high, low := bits.Mul64(a, b)
		shigh, slow := productOf(x, y)
		return out(a*b, nsw && (shigh != int64(slow)>>63 || signed(slow, n) != int64(slow)) || nuw && (high != 0 || low&mask(n) != low))
	case "and":
		return out(a&b, false)
	case "or":
		return out(a|b, in.Flags["disjoint"] && a&b != 0)
	case "xor":
		return out(a^b, false)
	case "shl":
		v := a << b & mask(n)
		return out(v, b >= uint64(n) || nsw && signed(v, n)>>min(b, 63) != x || nuw && v>>min(b, 63) != a)
	case "lshr":
		return out(a>>b, b >= uint64(n) || in.Flags["exact"] && a>>b<<b != a)
	case "ashr":
		return out(uint64(x>>min(b, 63)), b >= uint64(n) || in.Flags["exact"] && x>>b<<b != x)
	case "udiv", "urem", "sdiv", "srem":
		if b == 0 || in.Op[0] == 's' && x == least && y == -1 {
			undefined()
		}
		switch in.Op {
		case "udiv":
			return out(a/b, in.Flags["exact"] && a%b != 0)
		case "urem":
			return out(a%b, false)
		case "sdiv":
			return out(uint64(x/y), in.Flags["exact"] && x%y != 0)
		}
		return out(uint64(x%y), false)
	}
	return converted(in, n, a, x)
}

// converted computes a cast of an integer.
func converted(in *syntax.Inst, n int, a uint64, x int64) Value {
	to := width(in.Type)
	switch in.Op {
	case "trunc":
		v := a & mask(to)
		return Value{v, in.Flags["nsw"] && signed(v, to) != x || in.Flags["nuw"] && v != a}
	case "zext":
		return Value{a, in.Flags["nneg"] && x < 0}
	case "sext":
		return Value{uint64(x) & mask(to), false}
	case "sitofp":
		return ofInteger(in.Type, ir.I64, uint64(x), false)
	case "uitofp":
		return ofInteger(in.Type, ir.U64, a, in.Flags["nneg"] && x < 0)
	case "bitcast", "inttoptr", "ptrtoint", "addrspacecast":
		if to == n {
			return Value{a, false}
		}
	}
	unknown("%s", in.Op)
	return Value{}
}

func ofInteger(t *syntax.Type, from ir.Type, a uint64, poison bool) Value {
	to := ir.F64
	if t.Kind == syntax.FloatType {
		to = ir.F32
	}
	v := ofFloat(t, ir.Float(to, ir.Apply1(ir.Cast, from, to, a)))
	v.Poison = poison
	return v
}

func sumOf(x, y int64) (sum int64, over bool) {
	sum = x + y
	return sum, (x < 0) == (y < 0) && (sum < 0) != (x < 0)
}

func differenceOf(x, y int64) (d int64, over bool) {
	d = x - y
	return d, (x < 0) != (y < 0) && (d < 0) != (x < 0)
}

func productOf(x, y int64) (high int64, low uint64) {
	h, low := bits.Mul64(uint64(x), uint64(y))
	return int64(h) - (x>>63)&y - (y>>63)&x, low
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func compared(pred string, a, b uint64, x, y int64) bool {
	switch pred {
	case "eq":
		return a == b
	case "ne":
		return a != b
	case "ult":
		return a < b
	case "ule":
		return a <= b
	case "ugt":
		return a > b
	case "uge":
		return a >= b
	case "slt":
		return x < y
	case "sle":
		return x <= y
	case "sgt":
		return x > y
	case "sge":
		return x >= y
	}
	unknown("icmp %s", pred)
	return false
}

func toDouble(b uint64) float64 { return math.Float64frombits(b) }

// floatOf is the number that a value of a type has.
func floatOf(t *syntax.Type, v Value) float64 {
	if t.Kind == syntax.FloatType {
		return float64(math.Float32frombits(uint32(v.Bits)))
	}
	return toDouble(v.Bits)
}

// ofFloat is a value of a type, to which the number is rounded.
func ofFloat(t *syntax.Type, f float64) Value {
	if t.Kind == syntax.FloatType {
		return Value{Bits: uint64(math.Float32bits(float32(f)))}
	}
	return Value{Bits: math.Float64bits(f)}
}

// float computes an instruction on floats of type t. A sum, product, quotient or root of floats that is computed as doubles and
// rounded to a float is rounded as if once.
func float(in *syntax.Inst, t *syntax.Type, args []Value) Value {
	a, b := floatOf(t, args[0]), 0.0
	if len(args) > 1 {
		b = floatOf(t, args[1])
	}
	switch in.Op {
	case "fadd":
		return ofFloat(t, a+b)
	case "fsub":
		return ofFloat(t, a-b)
	case "fmul":
		return ofFloat(t, a*b)
	case "fdiv":
		return ofFloat(t, a/b)
	case "fneg":
		return ofFloat(t, -a)
	case "fcmp":
		return Value{Bits: truth(comparedFloats(in.Pred, a, b))}
	case "fptrunc", "fpext":
		return ofFloat(in.Type, a)
	case "bitcast":
		return args[0]
	case "fptosi", "fptoui":
		n := width(in.Type)
		whole := math.Trunc(a)
		low, high := 0.0, math.Ldexp(1, n)
		if in.Op == "fptosi" {
			low, high = -math.Ldexp(1, n-1), math.Ldexp(1, n-1)
		}
		if !(whole >= low && whole < high) {
			return Value{Poison: true}
		}
		if whole < 0 {
			return Value{Bits: uint64(int64(whole)) & mask(n)}
		}
		return Value{Bits: uint64(whole)}
	}
	unknown("%s", in.Op)
	return Value{}
}

func comparedFloats(pred string, a, b float64) bool {
	nan := a != a || b != b
	switch pred {
	case "true", "false":
		return pred == "true"
	case "ord", "uno":
		return nan == (pred == "uno")
	}
	if nan {
		return pred[0] == 'u'
	}
	switch pred[1:] {
	case "eq":
		return a == b
	case "ne":
		return a != b
	case "lt":
		return a < b
	case "le":
		return a <= b
	case "gt":
		return a > b
	case "ge":
		return a >= b
	}
	unknown("fcmp %s", pred)
	return false
}

// flagged is a result, or poison where nnan or ninf are broken.
func (fr *Frame) flagged(in *syntax.Inst, v Value, args ...Value) Value {
	nan, inf := in.Flags["nnan"] || in.Flags["fast"], in.Flags["ninf"] || in.Flags["fast"]
	breaks := func(t *syntax.Type, v Value) bool {
		if t.Kind != syntax.FloatType && t.Kind != syntax.DoubleType || v.Poison {
			return v.Poison
		}
		f := floatOf(t, v)
		return nan && f != f || inf && math.IsInf(f, 0)
	}
	if !nan && !inf {
		return v
	}
	v.Poison = breaks(in.Type, v)
	for i, a := range args {
		v.Poison = v.Poison || breaks(in.Args[i].Type, a)
	}
	return v
}
