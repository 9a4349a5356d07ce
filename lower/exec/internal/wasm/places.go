package wasm

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// place computes where the element is, which may be outside of the buffer: then the function fails.
func (r *row) place() (out []pointer) {
	for _, e := range r.s.index {
		r.failIf(e)
	}
	offset, outside := r.offset(r.s.buffer.Name, r.s.index)
	if outside != nil {
		r.push(*outside)
		r.within(opIf, func(int) { r.fail() })
	}
	for c, t := range r.s.buffer.Types {
		r.address(r.s.buffer.Name, c, t, offset)
		out = append(out, pointer{at: r.take(ir.I32).local})
	}
	return out
}

// address puts the address of an element on the stack.
func (w *writer) address(array string, component int, t ir.Type, offset value) {
	w.push(w.slot(Slot{What: Base, Array: array, Component: component}))
	if offset.t == 0 {
		return // it has no dimensions
	}
	w.push(offset)
	if shift := loads[t].shift; shift > 0 {
		w.number(i32, int64(shift))
		w.emit(shl32)
	}
	w.emit(add32)
}

// offset is how many elements lie before that of an index, and whether the index is outside of the array; nil where it cannot be.
func (w *writer) offset(array string, index []ir.Expr) (offset value, outside *value) {
	for d, e := range index {
		x, least := w.term(e), w.s.least(array, d)
		apart := x.local
		compared := false
		switch wide := machineType(x.t) == i64 || x.t == ir.U32; { // others are numbers of 32 bits with a sign, and so are the coordinates of arrays
		case wide:
			w.widened(x)
			w.widened(w.term(least))
			w.emit(sub64)
			at := w.local(i64)
			w.with(opTee, at)
			w.emit(wrap)
			apart = w.take(ir.I32).local
			w.get(at)
			w.push(w.slot(Slot{What: Extent, Array: array, Dim: d}))
			w.emit(extendS, geu64)
			compared = true
		case !least.IsConst(0):
			w.push(x, w.term(least))
			w.emit(sub32)
			apart = w.take(ir.I32).local
		}
		if !compared && !w.s.inRange(array, d, e) {
			w.get(apart)
			w.push(w.slot(Slot{What: Extent, Array: array, Dim: d}))
			w.emit(geu32)
			compared = true
		}
		if compared {
			if outside != nil {
				w.push(*outside)
				w.emit(or32)
			}
			v := w.take(ir.Bool)
			outside = &v
		}
		w.get(apart)
		if d > 0 {
			w.push(w.slot(Slot{What: Stride, Array: array, Dim: d}))
			w.emit(mul32)
			w.push(offset)
			w.emit(add32)
		}
		offset = w.take(ir.I32)
	}
	return offset, outside
}

// leaf is a variable, an extent, or a read.
func (w *writer) leaf(e ir.Expr) value {
	switch {
	case e.Op() == ir.Var && e.Kind() == ir.State:
		return w.state[e.Index()]
	case e.Op() == ir.Var && w.vars[e].t != 0:
		return w.vars[e]
	case e == w.s.vars[len(w.s.vars)-1]:
		w.row.coordinate()
		return w.take(ir.I32)
	case !access.IsRead(e):
		return w.slot(Slot{What: Scalar, Expr: e})
	case e.Name() == w.s.counter:
		return w.count
	}
	offset, outside := w.offset(e.Name(), access.Operands(e))
	w.address(e.Name(), e.Index(), e.Type(), offset)
	if w.checked(e) {
		at := w.take(ir.I32)
		w.outside[e] = *outside
		w.get(frame) // an address at which something lies
		w.push(at, *outside)
		w.emit(opSelect)
	}
	w.load(e.Type(), 0)
	return w.take(e.Type())
}

// checked reports whether a read may be outside of its array.
func (w *writer) checked(e ir.Expr) bool {
	if !access.IsRead(e) || e.Name() == w.s.counter {
		return false
	}
	if _, inside := w.pointers[e]; inside {
		return false
	}
	for d, i := range access.Operands(e) {
		if !w.s.inRange(e.Name(), d, i) {
			return true
		}
	}
	return false
}
