package read

import (
	"math"
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// value is what an instruction computes, as far as it is known: a scalar, a pointer to memory that is followed, or an
// aggregate of values. A value without any has an obstacle, which matters only to what depends on it.
type value struct {
	e      ir.Expr   // of a scalar
	ptr    *pointer  // of an address that is followed
	agg    []value   // of an aggregate
	bad    *Obstacle // where none of these is known
	state  bool      // it depends on the state
	steady bool      // it is the same in every step
	poison set       // the sources whose poison makes it poison
}

func (v value) isScalar() bool { return v.e.IsValid() }

// pointer is an address: an object and an offset in bytes, or one of two addresses.
type pointer struct {
	object int
	offset int64
	cond   ir.Expr // valid where the address is that of a if cond holds, else that of b
	a, b   *pointer
}

// set is a set of sources of poison, by number.
type set []uint64

func (s set) has(i int) bool { return i/64 < len(s) && s[i/64]>>(i%64)&1 != 0 }

func (s set) with(i int) set {
	out := make(set, max(len(s), i/64+1))
	copy(out, s)
	out[i/64] |= 1 << (i % 64)
	return out
}

func (s set) union(t set) set {
	if len(s) < len(t) {
		s, t = t, s
	}
	if len(t) == 0 {
		return s
	}
	out := append(set{}, s...)
	for i, w := range t {
		out[i] |= w
	}
	return out
}

func (s set) intersect(t set) set {
	out := make(set, min(len(s), len(t)))
	for i := range out {
		out[i] = s[i] & t[i]
	}
	return out
}

func (s set) meets(t set) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// shifted adds a number to every member.
func (s set) shifted(by int) (out set) {
	for i := range s.each {
		out = out.with(i + by)
	}
	return out
}

func (s set) each(yield func(int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(i*64 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// scalar returns the type of rfactor that a type of LLVM is. Integers of LLVM have no sign, and are all read with one or all without.
func (r *reader) scalar(t *syntax.Type) (ir.Type, bool) {
	switch {
	case t == nil:
	case t.Kind == syntax.FloatType:
		return ir.F32, true
	case t.Kind == syntax.DoubleType:
		return ir.F64, true
	case t.Kind == syntax.Integer:
		i := map[int]int{1: 1, 8: 2, 16: 3, 32: 4, 64: 5}[t.Bits]
		if r.unsigned {
			return [...]ir.Type{ir.Invalid, ir.Bool, ir.U8, ir.U16, ir.U32, ir.U64}[i], i > 0
		}
		return [...]ir.Type{ir.Invalid, ir.Bool, ir.I8, ir.I16, ir.I32, ir.I64}[i], i > 0
	}
	return ir.Invalid, false
}

// signed and unsigned reinterpret an integer.
func signed(e ir.Expr) ir.Expr {
	if t := e.Type(); t.IsUnsigned() {
		return ir.CastTo(map[ir.Type]ir.Type{ir.U8: ir.I8, ir.U16: ir.I16, ir.U32: ir.I32, ir.U64: ir.I64}[t], e)
	}
	return e
}

func unsigned(e ir.Expr) ir.Expr {
	if e.Type().IsSigned() {
		return ir.CastTo(e.Type().Unsigned(), e)
	}
	return e
}

// constant is the value of a literal.
func (r *reader) constant(v syntax.Value, in *syntax.Inst) value {
	out := value{steady: true}
	t, ok := r.scalar(v.Type)
	switch {
	case v.Kind == syntax.Undefined:
		out.bad = stop(Undefined, in, "%s", v.Text)
		if v.Type.Kind == syntax.Struct || v.Type.Kind == syntax.Array {
			out = r.aggregate(v.Type, out)
		}
	case v.Kind == syntax.Null && (v.Type.Kind == syntax.Struct || v.Type.Kind == syntax.Array):
		out = r.zeros(v.Type, in)
	case v.Kind == syntax.Global && r.memory != nil:
		out.ptr = &pointer{object: r.memory.global(v.Text)}
	case !ok:
		out.bad = stop(Unread, in, "a value %s of type %s", v.Text, v.Type)
	case v.Kind == syntax.Float:
		out.e = r.pool.Float(t, math.Float64frombits(v.Bits))
	case v.Kind == syntax.Int && !v.Wide:
		out.e = r.pool.Const(t, v.Bits)
		if t == ir.Bool {
			out.e = r.pool.Bool(v.Bits&1 != 0)
		}
	case v.Kind == syntax.Null && t.IsFloat():
		out.e = r.pool.Float(t, 0)
	case v.Kind == syntax.Null:
		out.e = r.pool.Const(t, 0)
	default:
		out.bad = stop(Unread, in, "a value %s", v.Text)
	}
	return out
}

// maxFields bounds the parts of an aggregate that is followed.
const maxFields = ir.MaxState

// aggregate returns one value for each part of a type.
func (r *reader) aggregate(t *syntax.Type, of value) value {
	n := len(t.Elems)
	if t.Kind == syntax.Array {
		n = t.Len
	}
	if n > maxFields {
		return of
	}
	out := value{steady: true, agg: make([]value, n)}
	for i := range out.agg {
		if elem := element(t, i); elem.Kind == syntax.Struct || elem.Kind == syntax.Array {
			out.agg[i] = r.aggregate(elem, of)
		} else {
			out.agg[i] = of
		}
	}
	return out
}

func element(t *syntax.Type, i int) *syntax.Type {
	if t.Kind == syntax.Array {
		return t.Elem
	}
	return t.Elems[i]
}

func (r *reader) zeros(t *syntax.Type, in *syntax.Inst) value {
	out := r.aggregate(t, value{bad: stop(Unread, in, "zeroinitializer")})
	for i := range out.agg {
		out.agg[i] = r.constant(syntax.Value{Kind: syntax.Null, Type: element(t, i), Text: "zeroinitializer"}, in)
	}
	return out
}
