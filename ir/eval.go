package ir

import (
	"math"
	"math/bits"
)

// This file is the reference evaluator: it *is* the semantics of expressions.

// Env gives the values of variables and the results of opaque calls, carried as [Type.Wrap]
// says. A field may be nil where there are none, and so may a pointer to an Env.
type Env struct {
	Var  func(v Expr) uint64
	Call func(c Expr, args []uint64) uint64
}

// Eval returns the value of e in env, carried as [Type.Wrap] says. It panics where env lacks what
// e needs. Of a select it evaluates one branch.
func Eval(e Expr, env *Env) uint64 { return EvalAll([]Expr{e}, env)[0] }

// EvalAll evaluates several expressions of one pool, as Eval does, each shared subterm once.
func EvalAll(es []Expr, env *Env) []uint64 {
	done := map[uint32]uint64{}
	var visit func(Expr) uint64
	visit = func(e Expr) uint64 {
		if v, ok := done[e.id]; ok {
			return v
		}
		v := evalRoot(e, env, visit)
		done[e.id] = v
		return v
	}
	out := make([]uint64, len(es))
	for i, e := range es {
		out[i] = visit(e)
	}
	if len(done) > 64 { // whoever asks for fewer pays for as much
		es[0].pool.Work(2 * len(done))
	}
	return out
}

func evalRoot(e Expr, env *Env, visit func(Expr) uint64) uint64 {
	switch e.Op() {
	case Const:
		return e.Value()
	case Var:
		if env == nil || env.Var == nil {
			panic("ir: Env.Var is nil, and there is a variable " + e.Name())
		}
		return env.Var(e)
	case Call:
		if env == nil || env.Call == nil {
			panic("ir: Env.Call is nil, and there is a call of " + e.Name())
		}
		args := make([]uint64, e.NumArgs())
		for i := range args {
			args[i] = visit(e.Arg(i))
		}
		return env.Call(e, args)
	case Select:
		if visit(e.Arg(0)) != 0 {
			return visit(e.Arg(1))
		}
		return visit(e.Arg(2))
	}
	a := visit(e.Arg(0))
	if e.NumArgs() == 1 {
		return Apply1(e.Op(), e.Arg(0).Type(), e.Type(), a)
	}
	return Apply2(e.Op(), e.Arg(0).Type(), a, visit(e.Arg(1)))
}

// Apply1 applies a unary operator to a value of type t. result is the type that op gives, and
// matters for Cast only. It panics where op is not unary; t must be a type that op takes.
func Apply1(op Op, t, result Type, a uint64) uint64 {
	if op == Cast {
		return castValue(t, result, a)
	}
	if t.IsFloat() {
		return floatBits1(op, t, Float(t, a))
	}
	switch op {
	case Neg:
		return t.Wrap(-a)
	case BitNot:
		return t.Wrap(^a)
	case Not:
		return a ^ 1
	case Abs:
		if t.IsSigned() && int64(a) < 0 {
			return t.Wrap(-a)
		}
		return a
	case IsNaN:
		return 0
	}
	return bits1(op, t, t.Unsigned().Wrap(a))
}

// bits1 applies a unary operator on the bits of an integer, which the lowest bits of a are.
func bits1(op Op, t Type, a uint64) uint64 {
	switch op {
	case PopCount:
		return uint64(bits.OnesCount64(a))
	case Clz:
		return uint64(bits.LeadingZeros64(a) + t.Bits() - 64)
	case Ctz:
		return uint64(min(bits.TrailingZeros64(a), t.Bits()))
	case BitReverse:
		return t.Wrap(bits.Reverse64(a) >> (64 - t.Bits()))
	}
	panic("ir: there is no unary " + op.String() + " of " + t.String())
}

// floatFunctions are computed in float64 and rounded once.
var floatFunctions = [256]func(float64) float64{
	Sqrt: math.Sqrt, Exp: math.Exp, Log: math.Log, Log1p: math.Log1p, Sin: math.Sin, Cos: math.Cos, Tanh: math.Tanh,
	Floor: math.Floor, Round: math.RoundToEven,
}

func floatBits1(op Op, t Type, f float64) uint64 {
	switch op {
	case Neg:
		return FloatBits(t, -f)
	case Abs:
		return FloatBits(t, math.Abs(f))
	case IsNaN:
		return bit(f != f)
	}
	if function := floatFunctions[op]; function != nil {
		return FloatBits(t, function(f))
	}
	panic("ir: there is no unary " + op.String() + " of " + t.String())
}

// Apply2 applies a binary operator to two values of type t. It panics where op is not binary; t
// must be a type that op takes.
func Apply2(op Op, t Type, a, b uint64) uint64 {
	if t.IsFloat() {
		return float2(op, t, a, b)
	}
	switch op {
	case Add:
		return t.Wrap(a + b)
	case Sub:
		return t.Wrap(a - b)
	case Mul:
		return t.Wrap(a * b)
	case Div:
		q, _ := euclid(t, a, b)
		return t.Wrap(q)
	case Mod:
		_, r := euclid(t, a, b)
		return r
	case Min:
		if less(t, b, a) {
			return b
		}
		return a
	case Max:
		if less(t, a, b) {
			return b
		}
		return a
	case And, BitAnd:
		return a & b
	case Or, BitOr:
		return a | b
	case BitXor:
		return a ^ b
	case Shl:
		return shiftLeft(t, a, b)
	case Shr:
		return shiftRight(t, a, b)
	case SatAdd:
		return saturate(t, a, b, false)
	case SatSub:
		return saturate(t, a, b, true)
	case Gcd:
		return gcd(t, a, b)
	case Lt:
		return bit(less(t, a, b))
	case Le:
		return bit(!less(t, b, a))
	case Gt:
		return bit(less(t, b, a))
	case Ge:
		return bit(!less(t, a, b))
	case Eq:
		return bit(a == b)
	case Ne:
		return bit(a != b)
	}
	panic("ir: there is no binary " + op.String() + " of " + t.String())
}

func float2(op Op, t Type, x, y uint64) uint64 {
	a, b := Float(t, x), Float(t, y)
	switch op {
	case Lt:
		return bit(a < b)
	case Le:
		return bit(a <= b)
	case Gt:
		return bit(a > b)
	case Ge:
		return bit(a >= b)
	case Eq:
		return bit(a == b)
	case Ne:
		return bit(a != b)
	case Min:
		return FloatBits(t, min(a, b)) // Go's built-ins propagate NaN and order −0 < +0
	case Max:
		return FloatBits(t, max(a, b))
	case Pow:
		return FloatBits(t, math.Pow(a, b))
	}
	if t == F32 {
		return FloatBits(t, float64(arith(op, float32(a), float32(b))))
	}
	return FloatBits(t, arith(op, a, b))
}

func arith[F float32 | float64](op Op, a, b F) F {
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Div:
		return a / b
	}
	panic("ir: there is no binary " + op.String() + " of floats")
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func less(t Type, a, b uint64) bool {
	if t.IsSigned() {
		return int64(a) < int64(b)
	}
	return a < b
}

// euclid divides with a remainder in [0, |b|); both are 0 where b is.
func euclid(t Type, a, b uint64) (q, r uint64) {
	if b == 0 {
		return 0, 0
	}
	if !t.IsSigned() {
		return a / b, a % b
	}
	x, y := int64(a), int64(b)
	if y == -1 {
		return uint64(-x), 0
	}
	qs, rs := x/y, x%y
	if rs < 0 {
		if y > 0 {
			qs, rs = qs-1, rs+y
		} else {
			qs, rs = qs+1, rs-y
		}
	}
	return uint64(qs), uint64(rs)
}

// count reads a shift count of type t as unsigned.
func count(t Type, b uint64) uint64 { return t.Unsigned().Wrap(b) }

func shiftLeft(t Type, a, b uint64) uint64 {
	n := count(t, b)
	if n >= uint64(t.Bits()) {
		return 0
	}
	return t.Wrap(a << n)
}

func shiftRight(t Type, a, b uint64) uint64 {
	n := min(count(t, b), 63)
	if t.IsSigned() {
		return uint64(int64(a) >> n)
	}
	if count(t, b) >= uint64(t.Bits()) {
		return 0
	}
	return a >> n
}

// saturate adds or subtracts without wrapping.
func saturate(t Type, a, b uint64, sub bool) uint64 {
	if t.IsUnsigned() {
		if sub {
			if a < b {
				return 0
			}
			return a - b
		}
		sum, carry := bits.Add64(a, b, 0)
		if carry != 0 || sum > t.Max() {
			return t.Max()
		}
		return sum
	}
	s := a + b
	overflow := int64((a^s)&(b^s)) < 0
	if sub {
		s = a - b
		overflow = int64((a^b)&(a^s)) < 0
	}
	switch {
	case overflow && int64(a) < 0, !overflow && less(t, s, t.Min()):
		return t.Min()
	case overflow, less(t, t.Max(), s):
		return t.Max()
	}
	return s
}

func castValue(from, to Type, a uint64) uint64 {
	switch {
	case to == Bool && from.IsFloat():
		return bit(Float(from, a) != 0)
	case to == Bool:
		return bit(a != 0)
	case to.IsFloat() && from.IsFloat():
		return FloatBits(to, Float(from, a))
	case to == F32 && from.IsSigned() && int64(a) < 0:
		return uint64(math.Float32bits(-single(-a)))
	case to == F32:
		return uint64(math.Float32bits(single(a)))
	case to == F64 && from.IsSigned():
		return math.Float64bits(float64(int64(a)))
	case to == F64:
		return math.Float64bits(float64(a))
	case from.IsFloat():
		return floatToInt(to, Float(from, a))
	}
	return to.Wrap(a)
}

// single returns the float32 nearest to a. Go's own conversion of 64-bit integers rounds some
// of them up on 32-bit machines. That to float64 does not, and where a has more than its 53 bits
// the last of them is set for those that are dropped, which decides ties.
func single(a uint64) float32 {
	const dropped = 1<<11 - 1
	if a>>53 != 0 && a&dropped != 0 {
		a = a&^dropped | (dropped + 1)
	}
	return float32(float64(a))
}

func floatToInt(t Type, f float64) uint64 {
	if f != f {
		return 0
	}
	f = math.Trunc(f)
	if t.IsSigned() {
		lo, hi := float64(int64(t.Min())), math.Ldexp(1, t.Bits()-1)
		switch {
		case f <= lo:
			return t.Min()
		case f >= hi:
			return t.Max()
		}
		return uint64(int64(f))
	}
	switch {
	case f <= 0:
		return 0
	case f >= math.Ldexp(1, t.Bits()):
		return t.Max()
	}
	return uint64(f)
}

// gcd computes with magnitudes: that of tmin is 2^(width−1), and stands for tmin in the result.
func gcd(t Type, a, b uint64) uint64 {
	if t.IsSigned() {
		a, b = magnitude(a), magnitude(b)
	}
	for b != 0 {
		a, b = b, a%b
	}
	return t.Wrap(a)
}

func magnitude(a uint64) uint64 {
	if int64(a) < 0 {
		return -a
	}
	return a
}
