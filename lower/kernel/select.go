package kernel

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
)

// selector makes values of operations that its target has.
type selector struct {
	target *Target
	done   map[*Value]*Value
	lacks  string // the first operation for which there is none
}

// value is v as the target computes it, its operands first.
func (s *selector) value(v *Value) *Value {
	if out, ok := s.done[v]; ok {
		return out
	}
	w := *v
	w.Args = nil
	for _, a := range v.Args {
		w.Args = append(w.Args, s.value(a))
	}
	out := s.choose(&w)
	s.done[v] = out
	return out
}

// choose is a value whose operands the target has: by a rule that makes it shorter, else as it is, else by what stands for it.
func (s *selector) choose(v *Value) *Value {
	for _, r := range shorter {
		if w := r(v); w != nil {
			return w
		}
	}
	if v.Op.IsLeaf() || s.target.Has(v) {
		return v
	}
	for _, r := range instead {
		if w := r(v); w != nil {
			return s.value(w)
		}
	}
	if s.lacks == "" {
		s.lacks = fmt.Sprintf("the package simd lacks %s of %s", v.Op, v.OperandType())
	}
	return v
}

// rule gives what a value becomes, nil where it does not apply.
type rule func(v *Value) *Value

// shorter are rules for what takes fewer operations than are written.
var shorter = []rule{
	// choose(−1, m, 0) → lanes(m), of integers: those of a mask are −1
	func(v *Value) *Value {
		ones, _ := v.Arg(0).Literal()
		if zero, ok := v.Arg(2).Literal(); v.Op == Choose && v.Type.Elem.IsInt() && ok && zero == 0 && ones == v.Type.Elem.Wrap(^uint64(0)) {
			return SameBits(as(Lanes, SignedOf(v.Type.Elem.Bits()), v.Args[1]), v.Type.Elem)
		}
		return nil
	},
	// choose(a, m, 0) → masked(a, m)
	func(v *Value) *Value {
		if zero, ok := v.Arg(2).Literal(); v.Op == Choose && ok && zero == 0 {
			return as(Masked, v.Type.Elem, v.Args[:2]...)
		}
		return nil
	},
	// a · 1 → a, of floats, too
	func(v *Value) *Value {
		if v.Op != Op(ir.Mul) {
			return nil
		}
		for i, a := range v.Args {
			one := uint64(1)
			if v.Type.Elem.IsFloat() {
				one = ir.FloatBits(v.Type.Elem, 1)
			}
			if x, ok := a.Literal(); ok && x == one {
				return v.Args[1-i]
			}
		}
		return nil
	},
	// max(a, c) → choose(c, a ≤ c, a), of floats: NaN is not less, and of two zeros the literal is the one that max takes
	func(v *Value) *Value {
		op := ir.Op(v.Op)
		if op != ir.Min && op != ir.Max || !v.Type.Elem.IsFloat() {
			return nil
		}
		for i, c := range v.Args {
			x, ok := c.Literal()
			f := ir.Float(v.Type.Elem, x)
			if !ok || f != f || f == 0 && math.Signbit(f) != (op == ir.Min) {
				continue
			}
			compare := map[ir.Op]ir.Op{ir.Min: ir.Ge, ir.Max: ir.Le}[op]
			return as(Choose, v.Type.Elem, c, Apply(compare, v.Args[1-i], c), v.Args[1-i])
		}
		return nil
	},
	// a + −b → a − b, of floats, too; of unsigned types the negation is 0 − b by now
	func(v *Value) *Value {
		if v.Op != Op(ir.Add) {
			return nil
		}
		for i := 1; i >= 0; i-- {
			b := v.Args[i]
			if zero, ok := b.Arg(0).Literal(); b.Op == Op(ir.Sub) && v.Type.Elem.IsInt() && ok && zero == 0 {
				return Apply(ir.Sub, v.Args[1-i], b.Args[1])
			} else if b.Op == Op(ir.Neg) {
				return Apply(ir.Sub, v.Args[1-i], b.Args[0])
			}
		}
		return nil
	},
	// a + masked(1, m) → a − lanes(m), of signed types: the lanes of a mask are −1
	func(v *Value) *Value {
		if v.Op != Op(ir.Add) || !v.Type.Elem.IsSigned() {
			return nil
		}
		for i := 1; i >= 0; i-- {
			m := v.Args[i]
			if one, ok := m.Arg(0).Literal(); m.Op == Masked && ok && one == 1 {
				return Apply(ir.Sub, v.Args[1-i], as(Lanes, v.Type.Elem, m.Args[1]))
			}
		}
		return nil
	},
}

// instead are rules for what a target lacks.
var instead = []rule{
	// abs(a) → a, of unsigned types
	func(v *Value) *Value {
		if v.Op == Op(ir.Abs) && v.Type.Elem.IsUnsigned() {
			return v.Args[0]
		}
		return nil
	},
	// −a → 0 − a, of unsigned types
	func(v *Value) *Value {
		if v.Op == Op(ir.Neg) && v.Type.Elem.IsUnsigned() {
			return Apply(ir.Sub, Spread(v.Type.Elem, 0), v.Args[0])
		}
		return nil
	},
	// abs(a) → max(a, −a), of signed types; the least number stays, as it does there
	func(v *Value) *Value {
		if v.Op == Op(ir.Abs) && v.Type.Elem.IsSigned() {
			return Apply(ir.Max, v.Args[0], Apply(ir.Neg, v.Args[0]))
		}
		return nil
	},
	// a / 2ⁿ → a >> n, which rounds down as well
	func(v *Value) *Value {
		if n, ok := powerOfTwo(v); ok && v.Op == Op(ir.Div) {
			return &Value{Op: Op(ir.Shr), Type: v.Type, Args: v.Args[:1], Imm: n}
		}
		return nil
	},
	// a % 2ⁿ → a & (2ⁿ − 1)
	func(v *Value) *Value {
		if n, ok := powerOfTwo(v); ok && v.Op == Op(ir.Mod) {
			return Apply(ir.BitAnd, v.Args[0], Spread(v.Type.Elem, 1<<n-1))
		}
		return nil
	},
	// min(a, b) → choose(a, a < b, b), of integers
	func(v *Value) *Value {
		compare := map[Op]ir.Op{Op(ir.Min): ir.Lt, Op(ir.Max): ir.Gt}[v.Op]
		if compare == 0 || !v.Type.Elem.IsInt() {
			return nil
		}
		a, b := v.Args[0], v.Args[1]
		return as(Choose, v.Type.Elem, a, Apply(compare, a, b), b)
	},
	// a < b → max(a, b) ≠ a, of types that have no order but min and max: bytes
	func(v *Value) *Value {
		if v.Type.Shape != Mask || len(v.Args) != 2 || !v.OperandType().IsInt() {
			return nil
		}
		a, b := v.Args[0], v.Args[1]
		switch ir.Op(v.Op) {
		case ir.Lt:
			return Apply(ir.Ne, Apply(ir.Max, a, b), a)
		case ir.Le:
			return Apply(ir.Eq, Apply(ir.Min, a, b), a)
		case ir.Gt:
			return Apply(ir.Ne, Apply(ir.Min, a, b), a)
		case ir.Ge:
			return Apply(ir.Eq, Apply(ir.Max, a, b), a)
		}
		return nil
	},
	negated,
	// a << n → words << n without the bits of other bytes, of bytes, which have no shifts of their own
	func(v *Value) *Value {
		if op := ir.Op(v.Op); v.Type.Elem == ir.U8 && (op == ir.Shl || op == ir.Shr) {
			return Apply(ir.BitAnd, bytesShifted(op, v.Args[0], int(v.Imm)), Spread(ir.U8, ir.Apply2(op, ir.U8, 255, v.Imm)))
		}
		return nil
	},
	// sumabsdiff(a, b) → sums of neighbours of max(a, b) − min(a, b), then of neighbours of those
	func(v *Value) *Value {
		if v.Op != SumAbsDiff {
			return nil
		}
		a, b := v.Args[0], v.Args[1]
		sums := Apply(ir.Sub, Apply(ir.Max, a, b), Apply(ir.Min, a, b))
		for _, wide := range []ir.Type{ir.U16, ir.U32, ir.U64} {
			sums = neighbours(sums, wide)
		}
		return sums
	},
}

// bytesShifted is words of two bytes that are shifted, as bytes.
func bytesShifted(op ir.Op, v *Value, by int) *Value {
	return as(Reshape, ir.U8, Shifted(op, as(Reshape, ir.U16, v), by))
}

// negated is the mask of the opposite condition. That of an order of floats holds for NaN, too.
func negated(v *Value) *Value {
	if v.Op != Op(ir.Not) {
		return nil
	}
	c := v.Args[0]
	if len(c.Args) != 2 {
		return nil
	}
	a, b := c.Args[0], c.Args[1]
	switch op := ir.Op(c.Op); {
	case op == ir.And:
		return Apply(ir.Or, Apply(ir.Not, a), Apply(ir.Not, b))
	case op == ir.Or:
		return Apply(ir.And, Apply(ir.Not, a), Apply(ir.Not, b))
	case opposite[op] == 0:
		return nil
	case c.OperandType().IsFloat() && op != ir.Eq && op != ir.Ne:
		return Apply(ir.Or, Apply(ir.Or, Apply(opposite[op], a, b), Apply(ir.Ne, a, a)), Apply(ir.Ne, b, b))
	default:
		return Apply(opposite[op], a, b)
	}
}

var opposite = map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt, ir.Eq: ir.Ne, ir.Ne: ir.Eq}

// powerOfTwo is n where the second operand is the literal 2ⁿ > 0.
func powerOfTwo(v *Value) (n uint64, ok bool) {
	x, ok := v.Arg(1).Literal()
	if !ok || v.Type.Elem.IsFloat() || v.Type.Elem.IsSigned() && int64(x) <= 0 || bits.OnesCount64(x) != 1 {
		return 0, false
	}
	return uint64(bits.TrailingZeros64(x)), true
}

// Arg is an operand, a value of no operation where there are not so many.
func (v *Value) Arg(i int) *Value {
	if i < len(v.Args) {
		return v.Args[i]
	}
	return &Value{}
}

// OperandType is the type of the lanes that an operation works on.
func (v *Value) OperandType() ir.Type {
	if len(v.Args) > 0 && v.Type.Shape == Mask {
		return v.Args[0].Type.Elem
	}
	return v.Type.Elem
}

// Legalize rewrites a kernel to operations that the target has. It returns nil and the name of the first operation that the target lacks
// where no rule replaces it.
func (k *Kernel) Legalize(t *Target) (legal *Kernel, lacks string) {
	s := selector{target: t, done: map[*Value]*Value{}}
	legal = k.mapped(s.value)
	if s.lacks != "" {
		return nil, s.lacks
	}
	return legal, ""
}

// Legalize rewrites values that stand alone, in no kernel, into operations that the target has.
func (t *Target) Legalize(values []*Value) (legal []*Value, lacks string) {
	s := selector{target: t, done: map[*Value]*Value{}}
	for _, v := range values {
		legal = append(legal, s.value(v))
	}
	if s.lacks != "" {
		return nil, s.lacks
	}
	return legal, ""
}
