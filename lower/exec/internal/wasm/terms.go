package wasm

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
)

// term computes an expression in the scope where it is asked for, once. Both branches of a select are computed, and no operation can fail: reads that
// may be outside of their array give 0 there, and are asked for by bad.
func (w *writer) term(e ir.Expr) value {
	if v, ok := w.known[e]; ok {
		return v
	}
	var v value
	switch op := e.Op(); {
	case op == ir.Const:
		w.constant(e.Type(), e.Value())
		v = w.take(e.Type())
	case op == ir.Var || op == ir.Call:
		v = w.leaf(e)
	case op == ir.Select:
		c, a, b := w.term(e.Arg(0)), w.term(e.Arg(1)), w.term(e.Arg(2))
		w.push(a, b, c)
		w.emit(opSelect)
		v = w.take(e.Type())
	case op == ir.Cast:
		w.cast(w.term(e.Arg(0)), e.Type())
		v = w.take(e.Type())
	default:
		v = w.applied(e)
	}
	w.keep(e, v)
	return v
}

func (w *writer) terms(es []ir.Expr) (out []value) {
	for _, e := range es {
		out = append(out, w.term(e))
	}
	return out
}

// applied is an operation, of which a literal operand may be cheaper.
func (w *writer) applied(e ir.Expr) value {
	op, t := e.Op(), e.Arg(0).Type()
	x := w.term(e.Arg(0))
	if e.NumArgs() == 2 && e.Arg(1).Op() == ir.Const && t.IsInt() && w.byLiteral(op, t, x, e.Arg(1).Value()) {
		return w.take(e.Type())
	}
	args := []value{x}
	if e.NumArgs() == 2 {
		args = append(args, w.term(e.Arg(1)))
	}
	operation(&w.function, op, t, args)
	return w.take(e.Type())
}

// byLiteral puts an operation by a literal on the stack, where that is cheaper than by any number.
func (w *writer) byLiteral(op ir.Op, t ir.Type, x value, n uint64) bool {
	machine := machineType(t)
	switch k := int64(n); {
	case op == ir.Mul && k > 2 && n&(n-1) == 0: // shifts take less time than products
		w.push(x)
		w.number(machine, int64(bits.TrailingZeros64(n)))
		w.emit([2]byte{shl32, shl64}[width(machine)])
		w.wrapped(t)
		return true
	case op == ir.Mul && k > 2 && n&(n+1) == 0 && n != t.Unsigned().Max():
		w.nearPower(t, x, bits.Len64(n), ir.Sub)
		return true
	case op == ir.Mul && k > 2 && (n-1)&(n-2) == 0:
		w.nearPower(t, x, bits.Len64(n)-1, ir.Add)
		return true
	case (op == ir.Div || op == ir.Mod) && n != 0 && (t.IsUnsigned() || int64(n) > 0):
		return w.divideBy(t, x, n, op == ir.Mod)
	case op == ir.Shl || op == ir.Shr:
		count := t.Unsigned().Wrap(n)
		codes := map[ir.Op][2]byte{ir.Shl: {shl32, shl64}, ir.Shr: {shru32, shru64}}[op]
		if op == ir.Shr && t.IsSigned() {
			codes, count = [2]byte{shrs32, shrs64}, min(count, uint64(t.Bits()-1))
		}
		if count >= uint64(t.Bits()) {
			w.number(machine, 0)
			return true
		}
		w.push(x)
		w.number(machine, int64(count))
		w.emit(codes[width(machine)])
		w.wrapped(t)
		return true
	}
	return false
}

// nearPower puts x·2^k + x, or x·2^k - x, on the stack.
func (w *writer) nearPower(t ir.Type, x value, k int, op ir.Op) {
	machine := machineType(t)
	w.push(x)
	w.number(machine, int64(k))
	w.emit([2]byte{shl32, shl64}[width(machine)])
	w.push(x)
	w.emit(instruction(op, t))
	w.wrapped(t)
}

// mayFail reports whether an expression reads what may be outside of its array here.
func (w *writer) mayFail(e ir.Expr) bool {
	if known, ok := w.fails[e]; ok {
		return known
	}
	found := w.checked(e)
	for i := range e.NumArgs() {
		found = found || w.mayFail(e.Arg(i))
	}
	w.fails[e] = found
	return found
}

// bad is a truth value in a local: whether a read that e asks for is outside of its array. Of a select that is one branch's. It is asked where
// mayFail.
func (w *writer) bad(e ir.Expr) value {
	if v, ok := w.faulty[e]; ok {
		return v
	}
	w.term(e)
	var v value
	some := func(es ...ir.Expr) bool {
		n := 0
		for _, a := range es {
			if w.mayFail(a) {
				if w.push(w.bad(a)); n > 0 {
					w.emit(or32)
				}
				n++
			}
		}
		return n > 0
	}
	branch := func(a ir.Expr) value {
		if w.mayFail(a) {
			return w.bad(a)
		}
		w.number(i32, 0)
		return w.take(ir.Bool)
	}
	if e.Op() == ir.Select {
		a, b := branch(e.Arg(1)), branch(e.Arg(2))
		w.push(a, b, w.term(e.Arg(0)))
		w.emit(opSelect)
		if w.mayFail(e.Arg(0)) {
			w.push(w.bad(e.Arg(0)))
			w.emit(or32)
		}
	} else {
		var args []ir.Expr
		for i := range e.NumArgs() {
			args = append(args, e.Arg(i))
		}
		any := some(args...)
		if w.checked(e) {
			if w.push(w.outside[e]); any {
				w.emit(or32)
			}
		}
	}
	v = w.take(ir.Bool)
	w.keepBad(e, v)
	return v
}
