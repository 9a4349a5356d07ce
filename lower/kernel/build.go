package kernel

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// Builder makes values of expressions, for lanes of one width.
type Builder struct {
	Bits     int
	Truth    func(ir.Expr) *Value // the mask that a truth value is; may be nil
	Leaf     func(ir.Expr) *Value // the value of a subterm that is there already, or that does not change; nil for none
	Contract bool                 // a product is fused with the sum that it is added to

	lacks string // why there is no value
}

// Lacks is the reason why some value could not be made, "" where all were.
func (b *Builder) Lacks() string { return b.lacks }

// Value gives the value of an expression; nil where there is none, then Lacks says why. Its operations are those of the expression, whether
// a target has them or not: see Legalize.
func (b *Builder) Value(e ir.Expr) *Value { return b.vector(e) }

// Mask returns the mask of a condition. It is nil where the target has none for it, and Lacks then says why.
func (b *Builder) Mask(e ir.Expr) *Value { return b.mask(e) }

func (b *Builder) fail(format string, args ...any) *Value {
	if b.lacks == "" {
		b.lacks = fmt.Sprintf(format, args...)
	}
	return nil
}

// vector is e in lanes.
func (b *Builder) vector(e ir.Expr) *Value {
	t := e.Type()
	if v := b.Leaf(e); v != nil {
		return v
	}
	if t == ir.Bool || t.Bits() != b.Bits {
		return b.fail("%s is no number of %d bits", e, b.Bits)
	}
	if e.IsClosed() {
		return Spread(t, ir.Eval(e, &ir.Env{}))
	}
	switch op := e.Op(); {
	case e.NumArgs() == 0 || op == ir.Call:
		return b.fail("%s is not known in lanes", e)
	case op == ir.Select:
		yes, cond, no := b.vector(e.Arg(1)), b.mask(e.Arg(0)), b.vector(e.Arg(2))
		if yes == nil || cond == nil || no == nil {
			return nil
		}
		return &Value{Op: Choose, Type: yes.Type, Args: []*Value{yes, cond, no}}
	case op == ir.Cast:
		return b.cast(e.Arg(0), t)
	case op == ir.Shl || op == ir.Shr:
		return b.shift(op, e.Arg(0), e.Arg(1))
	}
	return b.applied(e)
}

// applied is an operation of package ir on the lanes of its operands.
func (b *Builder) applied(e ir.Expr) *Value {
	var args []*Value
	for i := range e.NumArgs() {
		v := b.vector(e.Arg(i))
		if v == nil {
			return nil
		}
		args = append(args, v)
	}
	v := Apply(e.Op(), args...)
	if b.Contract && e.Op() == ir.Add && e.Type().IsFloat() {
		return contracted(v)
	}
	return v
}

// contracted fuses a sum of floats with a product, of two products with the second one.
//
//	a·b + c   →   muladd(a, b, c)
func contracted(v *Value) *Value {
	for i := 1; i >= 0; i-- {
		if p := v.Args[i]; p.Op == Op(ir.Mul) {
			return as(MulAdd, v.Type.Elem, p.Args[0], p.Args[1], v.Args[1-i])
		}
	}
	return v
}

// shift is a shift by a literal that leaves something.
func (b *Builder) shift(op ir.Op, a, by ir.Expr) *Value {
	if by.Op() != ir.Const || by.Value() >= uint64(b.Bits) {
		return b.fail("lanes are shifted by a literal alone")
	}
	v := b.vector(a)
	if v == nil {
		return nil
	}
	return &Value{Op: Op(op), Type: v.Type, Args: []*Value{v}, Imm: by.Value()}
}

// cast converts between types of one width.
func (b *Builder) cast(a ir.Expr, t ir.Type) *Value {
	if from := a.Type(); from == ir.Bool && t.IsInt() {
		m := b.mask(a)
		if m == nil {
			return nil
		}
		return as(Masked, t, Spread(t, 1), m)
	} else if from.Bits() != b.Bits || !(from.IsInt() && t.IsInt() || from == ir.I32 && t == ir.F32) {
		return b.fail("there is no conversion of %s to %s in lanes", from, t)
	}
	v := b.vector(a)
	if v == nil {
		return nil
	}
	return as(Convert, t, v)
}

// mask is a condition.
func (b *Builder) mask(e ir.Expr) *Value {
	if e.Type() == ir.Bool && b.Bits == 8 {
		if v := b.Leaf(e); v != nil { // truth values, which are bytes
			return Apply(ir.Ne, v, Spread(ir.U8, 0))
		}
	}
	if e.Type() == ir.Bool && b.Truth != nil {
		if m := b.Truth(e); m != nil {
			return m
		}
	}
	switch op := e.Op(); {
	case e.IsClosed() && e.Type() == ir.Bool:
		t := SignedOf(b.Bits)
		return Apply(ir.Ne, Spread(t, ir.Eval(e, &ir.Env{})), Spread(t, 0))
	case op == ir.Select:
		return b.mask(ir.OrOf(ir.AndOf(e.Arg(0), e.Arg(1)), ir.AndOf(ir.NotOf(e.Arg(0)), e.Arg(2))))
	case op == ir.And || op == ir.Or:
		p, q := b.mask(e.Arg(0)), b.mask(e.Arg(1))
		if p == nil || q == nil {
			return nil
		}
		return Apply(op, p, q)
	case op == ir.Not:
		if p := b.mask(e.Arg(0)); p != nil {
			return Apply(op, p)
		}
		return nil
	case op.IsComparison() && e.Arg(0).Type() != ir.Bool:
		return b.applied(e)
	case op == ir.IsNaN && e.Arg(0).Type().IsFloat():
		if v := b.vector(e.Arg(0)); v != nil {
			return Apply(ir.Ne, v, v)
		}
		return nil
	}
	return b.fail("%s is no condition that lanes compute", e)
}

// Builder returns a builder that makes values of expressions in lanes of so many bits. A leaf of an expression is what more returns for
// it; where that is nil, an element of a stream or a scalar.
func (k *Kernel) Builder(bits int, more func(ir.Expr) *Value) *Builder {
	return &Builder{Bits: bits, Leaf: func(e ir.Expr) *Value {
		if v := more(e); v != nil {
			return v
		}
		if LaneBits(e.Type()) != bits {
			return nil
		}
		switch op, i, _ := Operand(e); {
		case op == Load:
			return Leaf(Load, i, LaneType(e.Type()))
		case op == Scalar && e.Type() != ir.Bool:
			return SpreadScalar(i, e.Type())
		}
		return nil
	}}
}
