package read

import (
	"fmt"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

func itoa(i int) string { return strconv.Itoa(i) }

// key names a value that has no equal.
func key(v ssa.Value) string { return fmt.Sprintf("value %p", v) }

// operators of Go that are operators of the notation at all types on which they are taken here.
var operators = map[token.Token]ir.Op{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.AND: ir.BitAnd, token.OR: ir.BitOr, token.XOR: ir.BitXor,
	token.EQL: ir.Eq, token.NEQ: ir.Ne, token.LSS: ir.Lt, token.LEQ: ir.Le, token.GTR: ir.Gt, token.GEQ: ir.Ge,
}

// binary reads operators of two operands. Those of strings, complex numbers, pointers and the like are leaves.
func (r *reader) binary(v *ssa.BinOp) value {
	if r.isComplex(v.X.Type()) {
		return r.complexBinary(v)
	}
	if r.isTokenType(v.X.Type()) {
		if got, ok := r.compareTokens(v); ok {
			return got
		}
		return r.compose(v, "binary "+v.Op.String()+" "+types.TypeString(v.X.Type(), nil), false, v.X, v.Y)
	}
	a, b := r.value(v.X), r.value(v.Y)
	if !a.expr.IsValid() || !b.expr.IsValid() || r.scalar(v.Type()) == ir.Invalid {
		return r.compose(v, "binary "+v.Op.String()+" "+types.TypeString(v.X.Type(), nil), false, v.X, v.Y)
	}
	k, t := max(a.kind, b.kind), a.expr.Type()
	if op, ok := operators[v.Op]; ok {
		return value{expr: operation(op, a.expr, b.expr), kind: k}
	}
	var e ir.Expr
	switch v.Op {
	case token.AND_NOT:
		e = ir.Make(ir.BitAnd, a.expr, ir.Make(ir.BitNot, b.expr))
	case token.SHL:
		e = ir.Make(ir.Shl, a.expr, count(t, b.expr))
	case token.SHR:
		e = ir.Make(ir.Shr, a.expr, count(t, b.expr))
	case token.QUO:
		e = quotient(t, a.expr, b.expr)
	case token.REM:
		e = program.Derive("rem", a.expr, b.expr)
	default:
		r.stop(Unread, v.Pos(), v.Op.String())
		return a
	}
	return value{expr: e, kind: k}
}

// operation applies an operator. A switch without a tag compares each case with true.
func operation(op ir.Op, a, b ir.Expr) ir.Expr {
	if op == ir.Eq && a.Type() == ir.Bool {
		switch {
		case a.IsConst(1):
			return b
		case b.IsConst(1):
			return a
		}
	}
	return ir.Make(op, a, b)
}

// quotient rounds toward zero, of integers.
func quotient(t ir.Type, a, b ir.Expr) ir.Expr {
	if t.IsFloat() {
		return ir.DivOf(a, b)
	}
	return program.Derive("quo", a, b)
}

// count converts a shift count to the type of what is shifted, where it is read as unsigned. A wider count is cut
// to the width first: one that is not below the width shifts everything out.
func count(t ir.Type, n ir.Expr) ir.Expr {
	p, width := n.Pool(), int64(t.Bits())
	u := n.Type().Unsigned()
	if n.Op() == ir.Const {
		return p.Const(t, min(u.Wrap(n.Value()), uint64(width)))
	}
	n = ir.CastTo(u, n)
	if u.Bits() > t.Bits() {
		n = ir.MinOf(n, p.Int(u, width))
	}
	return ir.CastTo(t, n)
}

// convert reads conversions between numbers. A float that does not fit an integer gives whatever the machine
// gives: such a conversion is a leaf, and an obstacle of the state.
func (r *reader) convert(v *ssa.Convert) value {
	a, t := r.value(v.X), r.scalar(v.Type())
	if to := r.partType(v.Type()); to != ir.Invalid && a.parts != nil && r.isComplex(v.X.Type()) {
		return r.pair(ir.CastTo(to, a.parts[0].expr), ir.CastTo(to, a.parts[1].expr), a.kind)
	}
	if !a.expr.IsValid() || t == ir.Invalid || r.isTokenType(v.X.Type()) || a.expr.Type().IsFloat() && t.IsInt() {
		return r.compose(v, "convert "+types.TypeString(v.X.Type(), nil)+" "+types.TypeString(v.Type(), nil), true, v.X)
	}
	return value{expr: ir.CastTo(t, a.expr), kind: a.kind}
}

// call reads calls of functions that the notation has, of scalars. Other pure calls are leaves.
func (r *reader) call(v *ssa.Call) value {
	var name string
	switch f := v.Call.Value.(type) {
	case *ssa.Builtin:
		name = f.Name()
		switch {
		case name == "append" && r.appended[v]:
			return r.appendTo(v)
		case name == "len" && r.appended[v.Call.Args[0]]:
			return r.value(v.Call.Args[0])
		case name == "real" || name == "imag" || name == "complex":
			if got, ok := r.complexBuiltin(v, name); ok {
				return got
			}
		case name == "min" || name == "max":
			if got, ok := r.extremeToken(v, name); ok {
				return got
			}
		}
	case *ssa.Function:
		if !r.purity.Has(f) {
			return r.unknownCall(v)
		}
		name = f.RelString(nil)
	default:
		return r.unknownCall(v)
	}
	var args []ir.Expr
	k := invariant
	for _, x := range v.Call.Args {
		a := r.value(x)
		if a.expr.IsValid() && !r.isTokenType(x.Type()) {
			args = append(args, a.expr)
		}
		k = max(k, a.kind)
	}
	t := r.scalar(v.Type())
	if t != ir.Invalid && len(args) > 0 && len(args) == len(v.Call.Args) {
		if e := known(name, args); e.IsValid() && e.Type() == t {
			return value{expr: e, kind: k}
		}
	}
	if name == "math.FMA" && k == onState && len(args) == 3 && !isRest(args) { // rounding once is what contract permits
		r.out.Contract = true
		return value{expr: ir.AddOf(ir.MulOf(args[0], args[1]), args[2]), kind: k}
	}
	if k == onState && t != ir.Invalid {
		if got, ok := r.inline(v, 0); ok && got.expr.Type() == t {
			return got
		}
	}
	if _, isStruct := numbersIn(v.Type()); isStruct && k == onState {
		if got, ok := r.inline(v, 0); ok {
			return got
		}
	}
	loads := name != "len" && name != "cap"
	return r.compose(v, "call "+name, loads, v.Call.Args...)
}

// unknownCall is a leaf; of a promise it is like a call of a pure function that loads.
func (r *reader) unknownCall(v *ssa.Call) value {
	if !r.isPromised(v) {
		return r.opaque(v, key(v), onInput)
	}
	method := ""
	if v.Call.IsInvoke() {
		method = v.Call.Method.Name()
	}
	return r.compose(v, "promised "+method, true, append([]ssa.Value{v.Call.Value}, v.Call.Args...)...)
}

// known writes a call in the notation; the zero Expr where that cannot be.
func known(name string, a []ir.Expr) ir.Expr {
	p := a[0].Pool()
	if op, ok := unaryCalls[name]; ok {
		return ir.Make(op, a[0])
	}
	if f, ok := bitCalls[name]; ok {
		return f(a)
	}
	switch name {
	case "min", "max":
		e, op := a[0], map[string]ir.Op{"min": ir.Min, "max": ir.Max}[name]
		for _, b := range a[1:] {
			e = ir.Make(op, e, b)
		}
		return e
	case "math.Max": // infinity, even beside NaN
		return orLimit(ir.Max, p.Const(ir.F64, ir.F64.Max()), a)
	case "math.Min":
		return orLimit(ir.Min, p.Const(ir.F64, ir.F64.Min()), a)
	case "math.Ceil":
		return ir.NegOf(ir.Make(ir.Floor, ir.NegOf(a[0])))
	case "math.Pow":
		return ir.Make(ir.Pow, a[0], a[1])
	case "math.IsInf":
		return isInf(a)
	}
	return ir.Expr{}
}

// isRest reports whether math.FMA(x, y, -p) may compute what was lost when p = x*y was rounded: its last argument has that product.
func isRest(a []ir.Expr) (found bool) {
	same := func(x, y ir.Expr) bool { return magnitude(x) == magnitude(y) }
	ir.Walk(a[2:], func(e ir.Expr) {
		found = found || e.Op() == ir.Mul && (same(e.Arg(0), a[0]) && same(e.Arg(1), a[1]) || same(e.Arg(0), a[1]) && same(e.Arg(1), a[0]))
	})
	return found
}

// magnitude is a float without its minus signs.
func magnitude(e ir.Expr) ir.Expr {
	for e.Op() == ir.Neg {
		e = e.Arg(0)
	}
	return e
}

// orLimit is the extremum of two floats, where limit beats NaN.
func orLimit(op ir.Op, limit ir.Expr, a []ir.Expr) ir.Expr {
	return ir.SelectOf(ir.OrOf(ir.EqOf(a[0], limit), ir.EqOf(a[1], limit)), limit, ir.Make(op, a[0], a[1]))
}

// isInf takes literal signs only.
func isInf(a []ir.Expr) ir.Expr {
	if a[1].Op() != ir.Const {
		return ir.Expr{}
	}
	p, sign := a[0].Pool(), a[1].Int()
	above := ir.EqOf(a[0], p.Const(ir.F64, ir.F64.Max()))
	below := ir.EqOf(a[0], p.Const(ir.F64, ir.F64.Min()))
	switch {
	case sign > 0:
		return above
	case sign < 0:
		return below
	}
	return ir.OrOf(above, below)
}

// unaryCalls are functions that one operator computes.
var unaryCalls = map[string]ir.Op{
	"math.Abs": ir.Abs, "math.Sqrt": ir.Sqrt, "math.Exp": ir.Exp, "math.Log": ir.Log, "math.Log1p": ir.Log1p, "math.Sin": ir.Sin,
	"math.Cos": ir.Cos, "math.Tanh": ir.Tanh, "math.Floor": ir.Floor, "math.RoundToEven": ir.Round, "math.IsNaN": ir.IsNaN,
}

// bitCalls are the functions of math/bits at each width; that of uint is known by its operand.
var bitCalls = map[string]func(a []ir.Expr) ir.Expr{}

func init() {
	asInt := func(e ir.Expr) ir.Expr { return ir.CastTo(ir.I64, e) }
	each := map[string]func(a []ir.Expr) ir.Expr{
		"OnesCount":     func(a []ir.Expr) ir.Expr { return asInt(ir.Make(ir.PopCount, a[0])) },
		"LeadingZeros":  func(a []ir.Expr) ir.Expr { return asInt(ir.Make(ir.Clz, a[0])) },
		"TrailingZeros": func(a []ir.Expr) ir.Expr { return asInt(ir.Make(ir.Ctz, a[0])) },
		"Len": func(a []ir.Expr) ir.Expr {
			return ir.SubOf(a[0].Pool().Int(ir.I64, int64(a[0].Type().Bits())), asInt(ir.Make(ir.Clz, a[0])))
		},
		"Reverse": func(a []ir.Expr) ir.Expr { return ir.Make(ir.BitReverse, a[0]) },
		"RotateLeft": func(a []ir.Expr) ir.Expr {
			if a[1].Op() == ir.Const { // of a count in its own type only the lowest bits matter
				return program.Derive("rotl", a[0], a[0].Pool().Int(a[0].Type(), a[1].Int()&int64(a[0].Type().Bits()-1)))
			}
			return program.Derive("rotl", a[0], ir.CastTo(a[0].Type(), a[1]))
		},
	}
	for name, f := range each {
		for _, width := range []string{"", "8", "16", "32", "64"} {
			bitCalls["math/bits."+name+width] = f
		}
	}
}
