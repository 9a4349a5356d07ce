package exec

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"math/bits"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// binary applies an operator to operands, the first of type t. The result has type to.
func (m *machine) binary(op token.Token, t types.Type, x, y any) any {
	if op == token.SHL || op == token.SHR {
		return m.shift(op, t, x, y)
	}
	switch a := x.(type) {
	case int64:
		return m.signed(op, t, a, y.(int64))
	case uint64:
		return m.unsigned(op, t, a, y.(uint64))
	case float32:
		return floating(op, a, y.(float32))
	case float64:
		return floating(op, a, y.(float64))
	case bool:
		return equal(op, a, y.(bool))
	case string:
		b := y.(string)
		if op == token.ADD {
			return a + b
		}
		return ordered(op, a, b)
	case pointer:
		return equal(op, a, y.(pointer))
	case thing:
		if b, ok := y.(thing); ok {
			return equal(op, a, b)
		}
	case slice: // of slices, only comparisons with nil
		b, ok := y.(slice)
		if ok && b.base == "" {
			return equal(op, a.base, "")
		}
		if ok && a.base == "" {
			return equal(op, b.base, "")
		}
	case complex128:
		b := y.(complex128)
		if isComplex64(t) {
			if r, ok := complexOperation(op, complex64(a), complex64(b)); ok {
				return complex128(r)
			}
		} else if r, ok := complexOperation(op, a, b); ok {
			return r
		}
		return equal(op, a, b)
	}
	panic(stuck{"operator " + op.String() + " of " + t.String()})
}

// isComplex64 tells complex64 from complex128. Values of both are complex128.
func isComplex64(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Complex64
}

func complexOperation[C complex64 | complex128](op token.Token, a, b C) (C, bool) {
	switch op {
	case token.ADD:
		return a + b, true
	case token.SUB:
		return a - b, true
	case token.MUL: // a * b, of which some machines fuse the parts
		x, y := complex128(a), complex128(b)
		return C(complex(float64(real(x)*real(y))-float64(imag(x)*imag(y)), float64(real(x)*imag(y))+float64(imag(x)*real(y)))), true
	case token.QUO:
		return a / b, true
	}
	return 0, false
}

func equal[T comparable](op token.Token, a, b T) any {
	switch op {
	case token.EQL:
		return a == b
	case token.NEQ:
		return a != b
	}
	panic(stuck{"operator " + op.String()})
}

func ordered[T int64 | uint64 | float32 | float64 | string](op token.Token, a, b T) any {
	switch op {
	case token.LSS:
		return a < b
	case token.LEQ:
		return a <= b
	case token.GTR:
		return a > b
	case token.GEQ:
		return a >= b
	}
	return equal(op, a, b)
}

func (m *machine) signed(op token.Token, t types.Type, a, b int64) any {
	var r int64
	switch op {
	case token.ADD:
		r = a + b
	case token.SUB:
		r = a - b
	case token.MUL:
		r = a * b
	case token.QUO, token.REM:
		if b == 0 {
			panic(panicked{"division"})
		}
		if r = a % b; op == token.QUO {
			r = a / b
		}
	case token.AND:
		r = a & b
	case token.OR:
		r = a | b
	case token.XOR:
		r = a ^ b
	case token.AND_NOT:
		r = a &^ b
	default:
		return ordered(op, a, b)
	}
	return m.wrap(t.Underlying().(*types.Basic), uint64(r))
}

func (m *machine) unsigned(op token.Token, t types.Type, a, b uint64) any {
	var r uint64
	switch op {
	case token.ADD:
		r = a + b
	case token.SUB:
		r = a - b
	case token.MUL:
		r = a * b
	case token.QUO, token.REM:
		if b == 0 {
			panic(panicked{"division"})
		}
		if r = a % b; op == token.QUO {
			r = a / b
		}
	case token.AND:
		r = a & b
	case token.OR:
		r = a | b
	case token.XOR:
		r = a ^ b
	case token.AND_NOT:
		r = a &^ b
	default:
		return ordered(op, a, b)
	}
	return m.wrap(t.Underlying().(*types.Basic), r)
}

func floating[F float32 | float64](op token.Token, a, b F) any {
	switch op {
	case token.ADD:
		return a + b
	case token.SUB:
		return a - b
	case token.MUL:
		return a * b
	case token.QUO:
		return a / b
	}
	return ordered(op, a, b)
}

// shift shifts bit by bit, as the language says: as if the count were spent in steps of one.
func (m *machine) shift(op token.Token, t types.Type, x, y any) any {
	n := bitsOf(y)
	if s, ok := y.(int64); ok && s < 0 {
		panic(panicked{"shift count"})
	}
	for range min(n, 64) {
		switch v := x.(type) {
		case int64:
			if op == token.SHR {
				x = v >> 1
			} else {
				x = m.wrap(t.Underlying().(*types.Basic), uint64(v)<<1)
			}
		case uint64:
			if op == token.SHR {
				x = v >> 1
			} else {
				x = m.wrap(t.Underlying().(*types.Basic), v<<1)
			}
		default:
			panic(stuck{"a shift"})
		}
	}
	return x
}

func (m *machine) convert(from, to types.Type, x any) any {
	b, ok := to.Underlying().(*types.Basic)
	if !ok {
		return m.result("convert "+from.String(), to, x)
	}
	info := b.Info()
	switch x := x.(type) {
	case int64, uint64:
		switch {
		case info&types.IsInteger != 0:
			return m.wrap(b, bitsOf(x))
		case b.Kind() == types.Float32:
			from := ir.U64
			if _, ok := x.(int64); ok {
				from = ir.I64
			}
			return float32(ir.Float(ir.F32, ir.Apply1(ir.Cast, from, ir.F32, bitsOf(x))))
		case info&types.IsFloat != 0:
			if s, ok := x.(int64); ok {
				return float64(s)
			}
			return float64(x.(uint64))
		}
	case float32:
		return m.fromFloat(from, to, b, float64(x))
	case float64:
		return m.fromFloat(from, to, b, x)
	case complex128:
		if isComplex64(to) {
			return complex128(complex64(x))
		}
		return x
	}
	return m.result("convert "+from.String(), to, x)
}

// fromFloat draws an integer where the float does not fit: the language does not say which.
func (m *machine) fromFloat(from, to types.Type, b *types.Basic, x float64) any {
	switch info := b.Info(); {
	case b.Kind() == types.Float32:
		return float32(x)
	case info&types.IsFloat != 0:
		return x
	case info&types.IsInteger != 0 && math.Abs(x) < 100:
		if info&types.IsUnsigned == 0 || x >= 0 {
			return m.wrap(b, uint64(int64(x)))
		}
	}
	return m.result("convert "+from.String(), to, x)
}

// call runs a builtin, a function of the library that is known here, or a body. Other functions give a drawn result.
func (f *frame) call(i *ssa.Call) any {
	var args []any
	for _, a := range i.Call.Args {
		args = append(args, f.get(a))
	}
	switch fn := i.Call.Value.(type) {
	case *ssa.Builtin:
		return f.builtin(i, fn.Name(), args)
	case *ssa.Function:
		name := fn.RelString(nil)
		if r, ok := library(name, args); ok {
			return r
		}
		if fn.Blocks == nil && f.m.elsewhere[name] != nil {
			fn = f.m.elsewhere[name]
		}
		if fn.Blocks != nil && len(fn.TypeArgs()) == 0 && fn.TypeParams().Len() == 0 { // bodies with type parameters are not executed
			return f.callee(fn, args)
		}
		return f.m.result(name, i.Type(), args...)
	}
	panic(stuck{"a call of a value"})
}

func (f *frame) builtin(i *ssa.Call, name string, args []any) any {
	switch name {
	case "len", "cap":
		switch x := args[0].(type) {
		case string:
			return int64(len(x))
		case slice:
			return int64(f.m.length(x, 0))
		}
		return f.m.result(name, i.Type(), args...)
	case "append":
		return f.m.extend(i.Type().Underlying().(*types.Slice).Elem(), args[0].(slice), args[1])
	case "min", "max":
		r := args[0]
		for _, a := range args[1:] {
			r = extremum(name, r, a)
		}
		return r
	case "complex":
		switch re := args[0].(type) {
		case float64:
			return complex(re, args[1].(float64))
		case float32:
			return complex(float64(re), float64(args[1].(float32)))
		}
	case "real":
		if c, ok := args[0].(complex128); ok {
			return f.part(i, real(c))
		}
	case "imag":
		if c, ok := args[0].(complex128); ok {
			return f.part(i, imag(c))
		}
	}
	panic(stuck{"builtin " + name})
}

// extend appends to a slice, in place or to a new array; what elements that are copied to one are is not kept.
func (m *machine) extend(element types.Type, s slice, more any) slice {
	n, added := m.length(s, 0), 0
	to := s
	if s.base == "" || m.rng.IntN(2) == 0 {
		to = slice{base: m.name()}
	}
	switch more := more.(type) {
	case string:
		added = len(more)
	case slice:
		added = m.length(more, 0)
		for i := range min(added, 100) { // of the rest it draws what is read
			if value, ok := m.memory[keyOf(fmt.Sprintf("%s[%d]", more.base, more.first+i), element)]; ok {
				at := fmt.Sprintf("%s[%d]", to.base, to.first+n+i)
				m.read(at, element)
				m.memory[keyOf(at, element)] = value
			}
		}
	default:
		panic(stuck{"append of something else"})
	}
	to.n, to.hasNumber = n+added, true
	return to
}

func (f *frame) part(i *ssa.Call, x float64) any {
	if b, ok := i.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
		return float32(x)
	}
	return x
}

func extremum(name string, x, y any) any {
	switch a := x.(type) {
	case int64:
		return pick(name, a, y.(int64))
	case uint64:
		return pick(name, a, y.(uint64))
	case float32:
		return pick(name, a, y.(float32))
	case float64:
		return pick(name, a, y.(float64))
	case string:
		return pick(name, a, y.(string))
	}
	panic(stuck{"builtin " + name})
}

func pick[T int64 | uint64 | float32 | float64 | string](name string, a, b T) any {
	if name == "min" {
		return min(a, b)
	}
	return max(a, b)
}

// library runs functions of math and math/bits.
func library(name string, a []any) (any, bool) {
	if f, ok := floatCalls[name]; ok {
		return f(a[0].(float64)), true
	}
	switch name {
	case "math.Max":
		return math.Max(a[0].(float64), a[1].(float64)), true
	case "math.Min":
		return math.Min(a[0].(float64), a[1].(float64)), true
	case "math.FMA": // as contract permits
		return float64(a[0].(float64)*a[1].(float64)) + a[2].(float64), true
	case "math.Pow":
		return math.Pow(a[0].(float64), a[1].(float64)), true
	case "math.IsNaN":
		return math.IsNaN(a[0].(float64)), true
	case "math.IsInf":
		return math.IsInf(a[0].(float64), int(a[1].(int64))), true
	case "math/bits.OnesCount", "math/bits.OnesCount8", "math/bits.OnesCount16", "math/bits.OnesCount32", "math/bits.OnesCount64":
		return int64(bits.OnesCount64(a[0].(uint64))), true
	case "math/bits.Len", "math/bits.Len8", "math/bits.Len16", "math/bits.Len32", "math/bits.Len64":
		return int64(bits.Len64(a[0].(uint64))), true
	case "math/bits.LeadingZeros8":
		return int64(bits.LeadingZeros8(uint8(a[0].(uint64)))), true
	case "math/bits.LeadingZeros16":
		return int64(bits.LeadingZeros16(uint16(a[0].(uint64)))), true
	case "math/bits.LeadingZeros32":
		return int64(bits.LeadingZeros32(uint32(a[0].(uint64)))), true
	case "math/bits.LeadingZeros64", "math/bits.LeadingZeros":
		return int64(bits.LeadingZeros64(a[0].(uint64))), true
	case "math/bits.TrailingZeros8":
		return int64(bits.TrailingZeros8(uint8(a[0].(uint64)))), true
	case "math/bits.TrailingZeros16":
		return int64(bits.TrailingZeros16(uint16(a[0].(uint64)))), true
	case "math/bits.TrailingZeros32":
		return int64(bits.TrailingZeros32(uint32(a[0].(uint64)))), true
	case "math/bits.TrailingZeros64", "math/bits.TrailingZeros":
		return int64(bits.TrailingZeros64(a[0].(uint64))), true
	case "math/bits.Reverse8":
		return uint64(bits.Reverse8(uint8(a[0].(uint64)))), true
	case "math/bits.Reverse16":
		return uint64(bits.Reverse16(uint16(a[0].(uint64)))), true
	case "math/bits.Reverse32":
		return uint64(bits.Reverse32(uint32(a[0].(uint64)))), true
	case "math/bits.Reverse64", "math/bits.Reverse":
		return bits.Reverse64(a[0].(uint64)), true
	case "math/bits.RotateLeft8":
		return uint64(bits.RotateLeft8(uint8(a[0].(uint64)), int(a[1].(int64)))), true
	case "math/bits.RotateLeft16":
		return uint64(bits.RotateLeft16(uint16(a[0].(uint64)), int(a[1].(int64)))), true
	case "math/bits.RotateLeft32":
		return uint64(bits.RotateLeft32(uint32(a[0].(uint64)), int(a[1].(int64)))), true
	case "math/bits.RotateLeft64", "math/bits.RotateLeft":
		return bits.RotateLeft64(a[0].(uint64), int(a[1].(int64))), true
	}
	return nil, false
}

var floatCalls = map[string]func(float64) float64{
	"math.Abs": math.Abs, "math.Sqrt": math.Sqrt, "math.Exp": math.Exp, "math.Log": math.Log, "math.Log1p": math.Log1p,
	"math.Sin": math.Sin, "math.Cos": math.Cos, "math.Tanh": math.Tanh, "math.Floor": math.Floor, "math.Ceil": math.Ceil,
	"math.RoundToEven": math.RoundToEven,
}
