package read

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// A value that is no number may be the state where steps only pass it on, compare it with nil, or order strings. It is read as a token: a
// number that stands for the value, 0 for nil or "", and of strings in their order.
//
//	for _, s := range a { if s > last { last = s } }   →   select(x0 < y0, y0, x0)
//
// A law that is proven of all tokens by equality, order, choice and 0 alone holds of the values: values that refuted it would be finitely many, and
// could be numbered in their order. SameTokens tells whether an expression has nothing else.

// Token is the part of a value that is no number: which value it is.
const Token Part = Imag + 1

// tokenType is the type of tokens.
const tokenType = ir.U64

// isTokenType reports whether values of a type may be tokens: they are no numbers.
func (r *reader) isTokenType(t types.Type) bool {
	_, isTuple := t.(*types.Tuple)
	return !isTuple && r.scalar(t) == ir.Invalid && !r.isComplex(t)
}

// token is a value as a token; what is computed of the state is none, but the state itself and choices of it.
func (r *reader) token(v value) value {
	switch {
	case v.expr.IsValid() || v.of == nil || v.kind == onState || !r.isTokenType(v.of.Type()):
		return v
	case isZeroToken(v.of):
		return value{expr: r.pool.Int(tokenType, 0), kind: v.kind}
	}
	leaf := r.partLeaf(v.of, tokenType, "token "+v.id(), max(v.kind, counted), Token) // even of one that is the same in all steps: it is passed on
	leaf.kind = v.kind
	return leaf
}

// isZeroToken reports whether a value is the zero of its type, as written: nil, "", T{}.
func isZeroToken(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || c.Value.Kind() == constant.String && constant.StringVal(c.Value) == "")
}

// compareTokens reads comparisons with the state of strings, and of others with nil; false where it is another one. Those of other
// values may panic, or may differ for a value and itself.
func (r *reader) compareTokens(v *ssa.BinOp) (value, bool) {
	op, isComparison := operators[v.Op]
	isEquation := op == ir.Eq || op == ir.Ne
	if a, b := r.value(v.X), r.value(v.Y); !isComparison || max(a.kind, b.kind) < onState || !isBoolean(v.Type()) ||
		!isString(r.out.Actual(v.X.Type())) && !(isEquation && (isZeroToken(v.X) || isZeroToken(v.Y)) && hasNil(v.X.Type())) {
		return value{}, false
	}
	a, b := r.token(r.value(v.X)), r.token(r.value(v.Y))
	if !a.expr.IsValid() || !b.expr.IsValid() {
		return value{}, false
	}
	return value{expr: ir.Make(op, a.expr, b.expr), kind: onState}, true
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// hasNil reports whether nil is a value of a type.
func hasNil(t types.Type) bool {
	if isTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// extremeToken reads min and max of strings.
func (r *reader) extremeToken(v *ssa.Call, name string) (value, bool) {
	op := map[string]ir.Op{"min": ir.Min, "max": ir.Max}[name]
	if op == 0 || !isString(r.out.Actual(v.Type())) || r.scalar(v.Type()) != ir.Invalid {
		return value{}, false
	}
	var made value
	for i, x := range v.Call.Args {
		a := r.token(r.value(x))
		switch {
		case !a.expr.IsValid():
			return value{}, false
		case i == 0:
			made = a
		default:
			made = value{expr: ir.Make(op, made.expr, a.expr), kind: max(made.kind, a.kind)}
		}
	}
	return made, made.kind == onState
}

// Tokens tells of variables which tokens they are: the type that has the values; nil of numbers. A variable that it does not have may be
// either.
type Tokens map[ir.Expr]types.Type

// Same reports whether an expression of a type, nil of a number, only chooses, compares and orders tokens, those of each type by
// themselves. It adds variables that it did not know.
func (ts Tokens) Same(e ir.Expr, t types.Type) bool {
	switch {
	case e.Op() == ir.Var:
		if known, ok := ts[e]; ok {
			return identical(known, t)
		}
		ts[e] = t
		return t == nil || e.Type() == tokenType
	case e.Op() == ir.Const:
		return t == nil || e.IsConst(0)
	case e.Op() == ir.Select:
		return ts.Same(e.Arg(0), nil) && ts.Same(e.Arg(1), t) && ts.Same(e.Arg(2), t)
	case t != nil:
		return (e.Op() == ir.Min || e.Op() == ir.Max) && isString(t) && ts.Same(e.Arg(0), t) && ts.Same(e.Arg(1), t)
	case slices.Contains(comparisons, e.Op()):
		of := ts.Compared(e)
		isEquation := e.Op() == ir.Eq || e.Op() == ir.Ne
		return (of == nil || isEquation || isString(of)) && ts.Same(e.Arg(0), of) && ts.Same(e.Arg(1), of)
	}
	for i := range e.NumArgs() {
		if !ts.Same(e.Arg(i), nil) {
			return false
		}
	}
	return true
}

var comparisons = []ir.Op{ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge}

func identical(a, b types.Type) bool {
	return a == nil && b == nil || a != nil && b != nil && types.Identical(a, b)
}

// Compared is the type of the tokens that an expression compares; nil where it compares none.
func (ts Tokens) Compared(e ir.Expr) types.Type {
	if !slices.Contains(comparisons, e.Op()) {
		return nil
	}
	if t := ts.typeOf(e.Arg(0)); t != nil {
		return t
	}
	return ts.typeOf(e.Arg(1))
}

// typeOf is the type of the tokens that an expression gives; nil where it gives a number, or nothing is known.
func (ts Tokens) typeOf(e ir.Expr) types.Type {
	switch e.Op() {
	case ir.Var:
		return ts[e]
	case ir.Select:
		if t := ts.typeOf(e.Arg(1)); t != nil {
			return t
		}
		return ts.typeOf(e.Arg(2))
	case ir.Min, ir.Max:
		if t := ts.typeOf(e.Arg(0)); t != nil {
			return t
		}
		return ts.typeOf(e.Arg(1))
	}
	return nil
}
