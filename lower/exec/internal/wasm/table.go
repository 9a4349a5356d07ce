package wasm

import (
	"math"
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
)

// instructions are those that compute an operation as package ir means it, for i32, i64, f32, f64; 0 where there is none. Integers of less than 32 bits
// are wrapped behind them.
var instructions = map[ir.Op][4]byte{
	ir.Add: {add32, add64, 0x92, 0xa0}, ir.Sub: {sub32, sub64, 0x93, 0xa1}, ir.Mul: {mul32, mul64, 0x94, 0xa2}, ir.Div: {0, 0, 0x95, 0xa3},
	ir.And: {and32}, ir.Or: {or32}, ir.Not: {eqz32}, ir.BitAnd: {and32, and64}, ir.BitOr: {or32, or64}, ir.BitXor: {xor32, xor64},
	ir.Min: {0, 0, 0x96, 0xa4}, ir.Max: {0, 0, 0x97, 0xa5}, ir.Neg: {0, 0, 0x8c, 0x9a}, ir.Abs: {0, 0, 0x8b, 0x99},
	ir.Floor: {0, 0, 0x8e, 0x9c}, ir.Round: {0, 0, 0x90, 0x9e}, ir.Sqrt: {0, 0, 0x91, 0x9f},
	ir.Eq: {eq32, 0x51, 0x5b, 0x61}, ir.Ne: {ne32, 0x52, 0x5c, 0x62},
	ir.Lt: {lts32, 0x53, 0x5d, 0x63}, ir.Gt: {0x4a, 0x55, 0x5e, 0x64}, ir.Le: {0x4c, 0x57, 0x5f, 0x65}, ir.Ge: {ges32, 0x59, 0x60, 0x66},
}

func width(machine byte) int { return int(i32 - machine) }

// instruction is that of an operation on operands of a type; 0 where there is none.
func instruction(op ir.Op, t ir.Type) byte {
	code := instructions[op][width(machineType(t))]
	if op >= ir.Lt && op <= ir.Ge && !t.IsSigned() && !t.IsFloat() {
		code++ // the comparison of unsigned numbers
	}
	return code
}

// narrow reports whether a type has less bits than the one that holds it.
func narrow(t ir.Type) bool { return t.IsInt() && t.Bits() < 32 }

// wrapped wraps what is on the stack to a type of less than 32 bits.
func (f *function) wrapped(t ir.Type) {
	switch {
	case !narrow(t):
	case t == ir.I8:
		f.emit(ext8)
	case t == ir.I16:
		f.emit(ext16)
	default:
		f.number(i32, int64(t.Max()))
		f.emit(and32)
	}
}

// operations have no instruction of their own. Each puts its result on the stack.
var operations = map[ir.Op]func(f *function, t ir.Type, args []value){
	ir.Neg: func(f *function, t ir.Type, args []value) {
		f.constant(t, 0)
		f.push(args[0])
		f.emit(instruction(ir.Sub, t))
		f.wrapped(t)
	},
	ir.BitNot: func(f *function, t ir.Type, args []value) {
		f.push(args[0])
		f.number(machineType(t), -1)
		f.emit(instruction(ir.BitXor, t))
		f.wrapped(t)
	},
	ir.Abs: func(f *function, t ir.Type, args []value) {
		f.push(args[0])
		if t.IsUnsigned() {
			return
		}
		f.constant(t, 0)
		f.push(args[0])
		f.emit(instruction(ir.Sub, t))
		f.wrapped(t)
		f.push(args[0])
		f.constant(t, 0)
		f.emit(instruction(ir.Ge, t), opSelect)
	},
	ir.Min:    func(f *function, t ir.Type, args []value) { f.chosen(ir.Lt, t, args) },
	ir.Max:    func(f *function, t ir.Type, args []value) { f.chosen(ir.Gt, t, args) },
	ir.IsNaN:  func(f *function, t ir.Type, args []value) { f.push(args[0], args[0]); f.emit(instruction(ir.Ne, t)) },
	ir.Shl:    func(f *function, t ir.Type, args []value) { f.shift(ir.Shl, t, args) },
	ir.Shr:    func(f *function, t ir.Type, args []value) { f.shift(ir.Shr, t, args) },
	ir.Div:    func(f *function, t ir.Type, args []value) { f.divide(t, args, false) },
	ir.Mod:    func(f *function, t ir.Type, args []value) { f.divide(t, args, true) },
	ir.SatAdd: func(f *function, t ir.Type, args []value) { f.saturate(ir.Add, t, args) },
	ir.SatSub: func(f *function, t ir.Type, args []value) { f.saturate(ir.Sub, t, args) },
	ir.PopCount: func(f *function, t ir.Type, args []value) {
		f.unsigned(t, args[0])
		f.emit([2]byte{0x69, 0x7b}[width(machineType(t))])
	},
	ir.Clz: func(f *function, t ir.Type, args []value) {
		f.unsigned(t, args[0])
		f.emit([2]byte{0x67, 0x79}[width(machineType(t))])
		if narrow(t) {
			f.number(i32, int64(32-t.Bits()))
			f.emit(sub32)
		}
	},
	ir.Ctz: func(f *function, t ir.Type, args []value) {
		f.push(args[0])
		if narrow(t) {
			f.number(i32, 1<<t.Bits())
			f.emit(or32)
		}
		f.emit([2]byte{0x68, 0x7a}[width(machineType(t))])
	},
}

// operation puts the result of an operation on operands of type t on the stack.
func operation(f *function, op ir.Op, t ir.Type, args []value) {
	if code := instruction(op, t); code != 0 {
		f.push(args...)
		f.emit(code)
		if !op.IsComparison() {
			f.wrapped(t)
		}
		return
	}
	if write := operations[op]; write != nil && !(t.IsFloat() && op == ir.Mod) {
		write(f, t, args)
		return
	}
	f.applied(op, t, t, args)
}

// chosen puts the first operand on the stack where it compares so with the second, else the second.
func (f *function) chosen(op ir.Op, t ir.Type, args []value) {
	f.push(args...)
	f.push(args...)
	f.emit(instruction(op, t), opSelect)
}

// unsigned puts the bits of a value on the stack, with zeros above them.
func (f *function) unsigned(t ir.Type, v value) {
	f.push(v)
	f.wrapped(t.Unsigned())
}

// shift shifts by a count that is read as unsigned, and may be the width or more.
func (f *function) shift(op ir.Op, t ir.Type, args []value) {
	machine := machineType(t)
	codes := map[ir.Op][2]byte{ir.Shl: {shl32, shl64}, ir.Shr: {shru32, shru64}}[op]
	if op == ir.Shr && t.IsSigned() {
		codes = [2]byte{shrs32, shrs64}
	}
	less := [2]byte{ltu32, ltu64}[width(machine)]
	f.unsigned(t, args[1])
	count := f.local(machine)
	f.with(opSet, count)
	if op == ir.Shr && t.IsSigned() { // a greater count leaves the sign
		last := int64(t.Bits() - 1)
		f.push(args[0])
		f.get(count)
		f.number(machine, last)
		f.get(count)
		f.number(machine, last)
		f.emit(less, opSelect, codes[width(machine)])
		return
	}
	f.push(args[0])
	f.get(count)
	f.emit(codes[width(machine)])
	f.wrapped(t)
	f.number(machine, 0)
	f.get(count)
	f.number(machine, int64(t.Bits()))
	f.emit(less, opSelect)
}

// widened puts an operand of at most 32 bits on the stack, as the same number in 64.
func (f *function) widened(v value) {
	f.push(v)
	switch {
	case machineType(v.t) == i64:
	case v.t.IsSigned():
		f.emit(extendS)
	default:
		f.emit(extendU)
	}
}

// divide divides with a remainder that is not negative. What is divided by 0 is 0, quotient and remainder.
func (f *function) divide(t ir.Type, args []value, remainder bool) {
	x, y := f.local(i64), f.local(i64)
	f.widened(args[0])
	f.with(opSet, x)
	f.widened(args[1])
	f.with(opSet, y)
	// The least number by -1, and anything by 0, would trap. The divisor is 1 there.
	one := func() {
		f.number(i64, 1)
		f.get(y)
		f.get(y)
		if t.IsSigned() {
			f.number(i64, 1)
			f.emit(add64)
			f.number(i64, 2)
			f.emit(ltu64) // 0 or -1
		} else {
			f.emit(eqz64)
		}
		f.emit(opSelect)
	}
	q, r := f.local(i64), f.local(i64)
	f.get(x)
	one()
	f.emit(map[bool]byte{true: divs64, false: divu64}[t.IsSigned()])
	f.with(opSet, q)
	f.get(x, q)
	one()
	f.emit(mul64, sub64)
	f.with(opSet, r)
	if t.IsSigned() {
		// r < 0: r += |y|, q -= sign of y
		sign := f.local(i64)
		f.get(r)
		f.number(i64, 63)
		f.emit(shrs64)
		f.with(opSet, sign) // -1 where r is negative
		if remainder {
			f.get(r, y)
			f.get(y)
			f.number(i64, 63)
			f.emit(shrs64, xor64)
			f.get(y)
			f.number(i64, 63)
			f.emit(shrs64, sub64) // |y|
			f.get(sign)
			f.emit(and64, add64)
		} else {
			// of -1 the quotient is -x
			f.number(i64, 0)
			f.get(x)
			f.emit(sub64)
			f.get(q, sign)
			f.get(y)
			f.number(i64, 63)
			f.emit(shrs64)
			f.number(i64, 1)
			f.emit(or64, and64, sub64) // q ∓ 1 where r is negative
			f.get(y)
			f.number(i64, -1)
			f.emit(0x51, opSelect)
		}
	} else {
		f.get(map[bool]uint32{true: r, false: q}[remainder])
	}
	f.number(i64, 0)
	f.get(y)
	f.number(i64, 0)
	f.emit(0x52, opSelect) // 0 where y is
	if machineType(t) == i32 {
		f.emit(wrap)
		f.wrapped(t)
	}
}

// saturate adds or subtracts without wrapping.
func (f *function) saturate(op ir.Op, t ir.Type, args []value) {
	if t.Bits() == 64 {
		f.saturate64(op, t, args)
		return
	}
	s := f.local(i64)
	f.widened(args[0])
	f.widened(args[1])
	f.emit(instruction(op, ir.I64))
	f.with(opSet, s)
	f.clamped(s, int64(t.Min()), int64(t.Max()))
	f.emit(wrap)
}

// clamped puts a number of 64 bits on the stack, or the closest limit.
func (f *function) clamped(s uint32, lo, hi int64) {
	bounded := f.local(i64)
	for _, c := range []struct {
		limit int64
		less  byte
	}{{hi, 0x53}, {lo, 0x55}} {
		f.get(s)
		f.number(i64, c.limit)
		f.get(s)
		f.number(i64, c.limit)
		f.emit(c.less, opSelect)
		f.with(opSet, bounded)
		s = bounded
	}
	f.get(s)
}

func (f *function) saturate64(op ir.Op, t ir.Type, args []value) {
	f.push(args...)
	f.emit(instruction(op, t))
	s := f.take(t)
	a, b := args[0], args[1]
	if t.IsUnsigned() {
		limit := map[ir.Op]int64{ir.Add: -1, ir.Sub: 0}[op]
		f.number(i64, limit)
		f.push(s)
		if op == ir.Add {
			f.push(s, a) // wrapped: the sum is less than an operand
		} else {
			f.push(a, b)
		}
		f.emit(ltu64, opSelect)
		return
	}
	// The limit on the side of a, where the signs say that the result has wrapped.
	f.push(a)
	f.number(i64, 63)
	f.emit(shrs64)
	f.number(i64, math.MaxInt64)
	f.emit(xor64)
	f.push(s)
	f.push(a)
	if op == ir.Add {
		f.push(s)
		f.emit(xor64)
		f.push(b, s)
	} else {
		f.push(b)
		f.emit(xor64)
		f.push(a, s)
	}
	f.emit(xor64, and64)
	f.number(i64, 0)
	f.emit(0x53, opSelect)
}

// applied asks the host for an operation: see Applied.
func (f *function) applied(op ir.Op, t, to ir.Type, args []value) {
	f.number(i32, int64(op)|int64(t)<<8|int64(to)<<16)
	for _, a := range args {
		f.carried(a)
	}
	if len(args) == 1 {
		f.number(i64, 0)
	}
	f.with(opCall, 0)
	if op.IsComparison() || op == ir.IsNaN {
		to = ir.Bool
	}
	switch machineType(to) {
	case i32:
		f.emit(wrap)
	case f32:
		f.emit(wrap, floatOf32)
	case f64:
		f.emit(floatOf64)
	}
}

// carried puts a value on the stack as ir.Type.Wrap carries it.
func (f *function) carried(v value) {
	switch machineType(v.t) {
	case f32:
		f.push(v)
		f.emit(bitsOf32, extendU)
	case f64:
		f.push(v)
		f.emit(bitsOf64)
	default:
		f.widened(v)
	}
}

// Applied is what a module imports as "apply": what says the operation, the type of its operands and, of casts, that of its result.
func Applied(what uint32, a, b uint64) uint64 {
	op, t, to := ir.Op(what&255), ir.Type(what>>8&255), ir.Type(what>>16)
	if op.Arity() == 1 {
		return ir.Apply1(op, t, to, a)
	}
	return ir.Apply2(op, t, a, b)
}

// cast puts a value as one of another type on the stack: integers wrap, and floats become the closest integer toward zero, of NaN 0.
func (f *function) cast(v value, to ir.Type) {
	from := v.t
	a, b := machineType(from), machineType(to)
	switch {
	case to == ir.Bool:
		f.push(v)
		f.constant(from, 0)
		f.emit(instruction(ir.Ne, from))
	case from.IsFloat() && to.IsFloat():
		f.push(v)
		if a == f32 && b == f64 {
			f.emit(promote)
		} else if a == f64 && b == f32 {
			f.emit(demote)
		}
	case to.IsFloat():
		f.push(v)
		f.emit(map[byte]byte{f32: 0xb2, f64: 0xb7}[b] + 2*(i32-a) + sign(from))
	case from.IsFloat():
		f.truncated(v, to)
	case a == i64 && b == i32:
		f.push(v)
		f.emit(wrap)
		f.wrapped(to)
	case b == i64:
		f.widened(v)
	default:
		f.push(v)
		if from.Bits() > to.Bits() || from.Bits() == to.Bits() && from != to || from.IsSigned() && !to.IsSigned() {
			f.wrapped(to)
		}
	}
}

// sign is what is added to the instruction of a conversion of signed numbers for unsigned ones.
func sign(t ir.Type) byte {
	if t.IsSigned() {
		return 0
	}
	return 1
}

// truncated puts a float on the stack as an integer.
func (f *function) truncated(v value, to ir.Type) {
	f.push(v)
	wide := byte(i32)
	if to.Bits() == 64 {
		wide = i64
	}
	f.emit(saturating, 4*(i32-wide)+2*(f32-machineType(v.t))+sign(to))
	if !narrow(to) {
		return
	}
	x := value{f.local(i32), ir.I32.Unsigned()}
	if to.IsSigned() {
		x.t = ir.I32
	}
	f.with(opSet, x.local)
	for _, c := range []struct {
		limit uint64
		op    ir.Op
	}{{to.Max(), ir.Lt}, {to.Min(), ir.Gt}} {
		f.constant(x.t, c.limit)
		limit := f.take(x.t)
		f.chosen(c.op, x.t, []value{x, limit})
		f.with(opSet, x.local)
	}
	f.push(x)
}

// divideBy divides by a literal above 0.
//
//	x / 2^k   →   x >> k        x / d   →   x · ⌈2^s/d⌉ >> s, of numbers of at most 32 bits
func (f *function) divideBy(t ir.Type, x value, d uint64, remainder bool) bool {
	machine := machineType(t)
	if d&(d-1) == 0 {
		f.push(x)
		switch {
		case remainder:
			f.number(machine, int64(d-1))
			f.emit(instruction(ir.BitAnd, t))
		default:
			f.number(machine, int64(bits.TrailingZeros64(d)))
			f.emit(map[bool][2]byte{true: {shrs32, shrs64}, false: {shru32, shru64}}[t.IsSigned()][width(machine)])
		}
		return true
	}
	if machine == i64 || d >= 1<<31 {
		return false
	}
	// With s = 32 + ⌈log d⌉ the product with the rounded reciprocal is exact for all x below 2^32 (Granlund and Montgomery 1994, theorem 4.2); its
	// factor has 33 bits, so x is taken below 2^31, where 31 + ⌈log d⌉ and 32 bits do. Greater x are divided.
	if !t.IsSigned() && t.Bits() == 32 {
		return false
	}
	s := 31 + bits.Len64(d-1)
	factor := int64((uint64(1)<<s + d - 1) / d)
	q, flip := f.local(i64), f.local(i64)
	f.widened(x)
	f.with(opTee, q)
	f.number(i64, 63)
	f.emit(shrs64)
	f.with(opSet, flip) // ⌊x/d⌋ = ~⌊~x/d⌋
	f.get(q, flip)
	f.emit(xor64)
	f.number(i64, factor)
	f.emit(mul64)
	f.number(i64, int64(s))
	f.emit(shru64)
	f.get(flip)
	f.emit(xor64, wrap)
	if remainder {
		quotient := f.local(i32)
		f.with(opSet, quotient)
		f.push(x)
		f.get(quotient)
		f.number(i32, int64(d))
		f.emit(mul32, sub32)
	}
	return true
}
