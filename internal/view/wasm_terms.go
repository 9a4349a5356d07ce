package view

import "github.com/rfactor-go/rfactor/ir"

// terms computes expressions, each distinct subterm once. Terms have no effects and cannot fail, so all branches of a select are
// computed.
func (f *wasmFunc) terms(es []ir.Expr, vars func(ir.Expr) wasmValue) (out []wasmValue) {
	done := map[ir.Expr]wasmValue{}
	ir.Walk(es, func(e ir.Expr) {
		args := make([]wasmValue, e.NumArgs())
		for i := range args {
			args[i] = done[e.Arg(i)]
		}
		switch e.Op() {
		case ir.Var:
			done[e] = vars(e)
			return
		case ir.Const:
			f.constant(e.Type(), e.Value())
		case ir.Select:
			f.get(args[1], args[2], args[0])
			f.emit(0x1b)
		case ir.Cast:
			f.get(args[0])
			f.cast(args[0].t, e.Type())
		default:
			f.operation(e, args)
		}
		done[e] = f.take(e.Type())
	})
	for _, e := range es {
		out = append(out, done[e])
	}
	return out
}

// opcodes are those of operations that WebAssembly has as we mean them, for i32, i64, f32, f64; 0 where there is none.
var opcodes = map[ir.Op][4]byte{
	ir.Add: {0x6a, 0x7c, 0x92, 0xa0}, ir.Sub: {0x6b, 0x7d, 0x93, 0xa1}, ir.Mul: {0x6c, 0x7e, 0x94, 0xa2}, ir.Div: {0, 0, 0x95, 0xa3},
	ir.And: {0x71}, ir.Or: {0x72}, ir.BitAnd: {0x71, 0x83}, ir.BitOr: {0x72, 0x84}, ir.BitXor: {0x73, 0x85},
	ir.Min: {0, 0, 0x96, 0xa4}, ir.Max: {0, 0, 0x97, 0xa5}, ir.Neg: {0, 0, 0x8c, 0x9a}, ir.Abs: {0, 0, 0x8b, 0x99},
	ir.Floor: {0, 0, 0x8e, 0x9c}, ir.Round: {0, 0, 0x90, 0x9e}, ir.Sqrt: {0, 0, 0x91, 0x9f},
	ir.PopCount: {0x69, 0x7b}, ir.Clz: {0x67, 0x79}, ir.Ctz: {0x68, 0x7a}, ir.Not: {0x45},
	ir.Eq: {0x46, 0x51, 0x5b, 0x61}, ir.Ne: {0x47, 0x52, 0x5c, 0x62},
	ir.Lt: {0x48, 0x53, 0x5d, 0x63}, ir.Gt: {0x4a, 0x55, 0x5e, 0x64}, ir.Le: {0x4c, 0x57, 0x5f, 0x65}, ir.Ge: {0x4e, 0x59, 0x60, 0x66},
}

// operation puts the result of an operation on the stack.
func (f *wasmFunc) operation(e ir.Expr, args []wasmValue) {
	if len(args) == 0 {
		*f.missing = true
		return
	}
	t := args[0].t
	code := forType(t, opcodes[e.Op()])
	if ordered := e.Op() >= ir.Lt && e.Op() <= ir.Ge; ordered && t.IsInt() && !t.IsSigned() {
		code++ // the comparison of unsigned integers
	}
	if code != 0 {
		f.get(args...)
		f.emit(code)
		return
	}
	switch less := forType(t, opcodes[ir.Lt]); e.Op() {
	case ir.Min, ir.Max:
		if !t.IsSigned() {
			less++
		}
		f.get(args...)
		if e.Op() == ir.Max {
			args[0], args[1] = args[1], args[0]
		}
		f.get(args...)
		f.emit(less, 0x1b)
	case ir.Neg:
		f.constant(t, 0)
		f.get(args...)
		f.emit(forType(t, opcodes[ir.Sub]))
	case ir.BitNot:
		f.get(args...)
		f.constant(t, ^uint64(0))
		f.emit(forType(t, opcodes[ir.BitXor]))
	case ir.IsNaN:
		f.get(args[0], args[0])
		f.emit(forType(t, opcodes[ir.Ne]))
	default:
		*f.missing = true
	}
}

// cast converts what is on the stack: toward zero and saturating from floats, as the language does.
func (f *wasmFunc) cast(from, to ir.Type) {
	a, b := wasmType(from), wasmType(to)
	unsigned := byte(0)
	if !from.IsSigned() {
		unsigned = 1
	}
	switch {
	case from == ir.Bool || to == ir.Bool:
		*f.missing = true
	case a == b:
	case a == 0x7f && b == 0x7e:
		f.emit(0xac + unsigned)
	case a == 0x7e && b == 0x7f:
		f.emit(0xa7)
	case a == 0x7d && b == 0x7c:
		f.emit(0xbb)
	case a == 0x7c && b == 0x7d:
		f.emit(0xb6)
	case from.IsInt() && to.IsFloat():
		f.emit(forType(to, [4]byte{2: 0xb2, 3: 0xb7}) + 2*(0x7f-a) + unsigned)
	case from.IsFloat() && to.IsInt():
		unsigned = 0
		if !to.IsSigned() {
			unsigned = 1
		}
		f.emit(0xfc, 4*(0x7f-b)+2*(0x7d-a)+unsigned)
	default:
		*f.missing = true
	}
}
