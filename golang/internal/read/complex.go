package read

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// A complex number is a pair of components: its real and its imaginary part. They are computed as the gc compiler computes
// them: products of complex64 numbers in float64, rounded at the end.
//
//	for _, v := range a { s += v }   →   {x0 + y0, x1 + y1}, where y0 is real(a[i]) and y1 is imag(a[i])
//
// Division is a function of the runtime with cases of its own: of the state it is an obstacle.

// Part says which part of a complex number a component or a leaf is.
type Part int

// The parts.
const (
	All Part = iota // the value is not complex
	Real
	Imag
)

// Text writes the part of a value of a type that is written as text.
func (p Part) Text(t types.Type, text string) string {
	switch {
	case p == Real:
		return "real(" + text + ")"
	case p == Imag:
		return "imag(" + text + ")"
	case p >= Field:
		path, _ := p.Path(t)
		for _, i := range path {
			field := t.Underlying().(*types.Struct).Field(i)
			text, t = text+"."+field.Name(), field.Type()
		}
	}
	return text
}

// partType returns the type of both parts of a complex number, and Invalid for other types.
func (r *reader) partType(t types.Type) ir.Type {
	if t = r.out.Actual(t); isTypeParam(t) {
		return ir.Invalid
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch b.Kind() {
		case types.Complex64:
			return ir.F32
		case types.Complex128, types.UntypedComplex:
			return ir.F64
		}
	}
	return ir.Invalid
}

func (r *reader) isComplex(t types.Type) bool { return r.partType(t) != ir.Invalid }

// complexBinary reads operators of complex operands.
func (r *reader) complexBinary(v *ssa.BinOp) value {
	a, b := r.value(v.X), r.value(v.Y)
	k := max(a.kind, b.kind)
	if a.parts == nil || b.parts == nil || v.Op == token.QUO {
		if v.Op == token.QUO && k == onState {
			r.stop(StateType, v.Pos(), "complex division")
		}
		return r.compose(v, "binary "+v.Op.String()+" "+types.TypeString(v.X.Type(), nil), false, v.X, v.Y)
	}
	ar, ai, br, bi := a.parts[0].expr, a.parts[1].expr, b.parts[0].expr, b.parts[1].expr
	switch v.Op {
	case token.ADD, token.SUB:
		return r.pair(operation(operators[v.Op], ar, br), operation(operators[v.Op], ai, bi), k)
	case token.MUL:
		t := ar.Type()
		wide := func(e ir.Expr) ir.Expr { return ir.CastTo(ir.F64, e) }
		ar, ai, br, bi = wide(ar), wide(ai), wide(br), wide(bi)
		re := ir.SubOf(ir.MulOf(ar, br), ir.MulOf(ai, bi))
		im := ir.AddOf(ir.MulOf(ar, bi), ir.MulOf(ai, br))
		return r.pair(ir.CastTo(t, re), ir.CastTo(t, im), k)
	}
	e := ir.AndOf(ir.EqOf(ar, br), ir.EqOf(ai, bi))
	if v.Op == token.NEQ {
		e = ir.NotOf(e)
	}
	return value{expr: e, kind: k}
}

// complexBuiltin reads real, imag and complex; false where an operand is not read.
func (r *reader) complexBuiltin(v *ssa.Call, name string) (value, bool) {
	var args []value
	for _, x := range v.Call.Args {
		args = append(args, r.value(x))
	}
	t := r.scalar(v.Type())
	switch {
	case name == "complex" && args[0].expr.IsValid() && args[1].expr.IsValid() && r.isComplex(v.Type()):
		return r.pair(args[0].expr, args[1].expr, max(args[0].kind, args[1].kind)), true
	case name == "real" && args[0].parts != nil && t != ir.Invalid:
		return value{expr: args[0].parts[0].expr, kind: args[0].kind}, true
	case name == "imag" && args[0].parts != nil && t != ir.Invalid:
		return value{expr: args[0].parts[1].expr, kind: args[0].kind}, true
	}
	return value{}, false
}

// pair is a complex number of its parts.
func (r *reader) pair(re, im ir.Expr, k kind) value {
	return r.whole("complex", []value{{expr: re, kind: k}, {expr: im, kind: k}})
}

// complexLeaf is a complex number whose parts are inputs of the update. The key says from what it is computed.
func (r *reader) complexLeaf(v ssa.Value, key string, k kind) value {
	t := r.partType(v.Type())
	re, im := r.partLeaf(v, t, key+" real", k, Real), r.partLeaf(v, t, key+" imag", k, Imag)
	return r.whole("complex", []value{re, im})
}

// complexLiteral is a constant; a nil one is zero.
func (r *reader) complexLiteral(c *ssa.Const) value {
	t := r.partType(c.Type())
	if c.Value == nil {
		return r.pair(r.pool.Int(t, 0), r.pool.Int(t, 0), invariant)
	}
	part := func(x constant.Value) ir.Expr {
		if t == ir.F32 {
			f, _ := constant.Float32Val(x)
			return r.pool.Float(t, float64(f))
		}
		f, _ := constant.Float64Val(x)
		return r.pool.Float(t, f)
	}
	x := constant.ToComplex(c.Value)
	return r.pair(part(constant.Real(x)), part(constant.Imag(x)), invariant)
}
