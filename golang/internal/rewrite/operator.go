package rewrite

import (
	"fmt"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/ir"
)

// writeOperator writes the identity, and sees that the operator can be written in Go.
func (r *Rewrite) writeOperator() error {
	op := r.loop.Answer.Operator
	if slices.ContainsFunc(r.loop.Parts, func(p read.Part) bool { return p >= read.Token }) {
		return refuse("a component of the state is no number")
	}
	if len(op.Given) > 0 || len(op.Exprs) != len(r.components) || len(op.Identity) != len(r.components) {
		return refuse("the operator holds of some states only")
	}
	for _, e := range slices.Concat(op.Exprs, op.Identity) {
		for _, v := range ir.Vars(e) {
			if v.Kind() != ir.State && v.Kind() != ir.Leaf || v.Index() >= len(r.components) {
				return refuse("the operator depends on %s", v)
			}
		}
	}
	for _, g := range r.loop.Answer.Groups {
		if len(g.Where) > 0 || len(g.NonNeg) > 0 {
			return refuse("the answer holds of some inputs only")
		}
	}
	for i, e := range op.Identity {
		if !e.IsClosed() {
			return refuse("the identity depends on the state")
		}
		text, ok := r.literal(e.Type(), ir.Eval(e, &ir.Env{}), r.typeOf(i, e.Type()))
		if !ok {
			return refuse("the identity has no literal in Go")
		}
		r.start = append(r.start, text)
	}
	r.start = r.variables(r.start)
	if r.merge = r.mergeBody(op.Exprs, 0); r.merge == "" {
		return refuse("the operator is more than arithmetic, comparisons and a few choices")
	}
	if strings.Contains(r.merge, "min(") || strings.Contains(r.merge, "max(") {
		if v := r.version(); v != "" && olderThan(v, 21) {
			return refuse("the code is written for %s: min and max are of go1.21", v)
		}
	}
	return r.checkNames()
}

// typeOf is the type of a component: of its variable, or of the parts of a complex one.
func (r *Rewrite) typeOf(i int, t ir.Type) types.Type {
	switch c := r.components[i]; {
	case c.part == read.All:
		return r.states[c.variable].Type()
	case t == ir.F32:
		return types.Typ[types.Float32]
	}
	return types.Typ[types.Float64]
}

// variables makes a text for each variable of texts for the components.
func (r *Rewrite) variables(parts []string) (list []string) {
	for i, c := range r.components {
		switch c.part {
		case read.All:
			list = append(list, parts[i])
		case read.Imag:
			text, t := "complex("+parts[i-1]+", "+parts[i]+")", r.states[c.variable].Type()
			if _, isBasic := types.Unalias(t).(*types.Basic); !isBasic {
				text = r.types.write(t) + "(" + text + ")"
			}
			list = append(list, text)
		}
	}
	return list
}

// literal writes a number in the type of a variable.
func (r *Rewrite) literal(t ir.Type, v uint64, of types.Type) (text string, ok bool) {
	if t.IsFloat() {
		return r.floatLiteral(t, v, of)
	}
	name := fmt.Sprint(t.Bits())
	if isWord(of) {
		name = ""
	}
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(v != 0), true
	case t.IsSigned() && v == t.Min():
		return r.needs("math.MinInt" + name), true
	case t.IsSigned() && v == t.Max():
		return r.needs("math.MaxInt" + name), true
	case t.IsUnsigned() && v == t.Max():
		return r.needs("math.MaxUint" + name), true
	case t.IsUnsigned():
		return fmt.Sprint(v), name != "" || v <= math.MaxUint32
	}
	n := int64(v)
	return fmt.Sprint(n), name != "" || n == int64(int32(n))
}

func (r *Rewrite) floatLiteral(t ir.Type, v uint64, of types.Type) (text string, ok bool) {
	f := math.Float64frombits(v)
	if t == ir.F32 {
		f = float64(math.Float32frombits(uint32(v)))
	}
	switch {
	case math.IsNaN(f):
		return "", false
	case math.IsInf(f, 0):
		text = r.needs(fmt.Sprintf("math.Inf(%+d)", map[bool]int{true: -1, false: 1}[f < 0]))
		text = strings.Replace(text, "+", "", 1)
	case f == 0 && math.Signbit(f):
		text = r.needs("math.Copysign(0, -1)")
	default:
		return strconv.FormatFloat(f, 'g', -1, map[bool]int{true: 32, false: 64}[t == ir.F32]), true
	}
	if !types.Identical(of, types.Typ[types.Float64]) {
		text = r.types.write(of) + "(" + text + ")"
	}
	return text, true
}

// needs notes that a text mentions package math.
func (r *Rewrite) needs(text string) string {
	r.usesMath = true
	return text
}

// isWord reports whether a type has the size of an int.
func isWord(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Kind() == types.Uint || b.Kind() == types.Uintptr)
}

// mostChoices bounds how deep choices are nested in the code of an operator.
const mostChoices = 3

// mergeBody writes statements that return the operator of x and y; empty where it has what is not written here. A choice is a branch:
//
//	{min(x0, y0), select(y0 < x0, y1, x1)}   →   if y.least < x.least { return state{min(…), y.at} }; return state{min(…), x.at}
func (r *Rewrite) mergeBody(es []ir.Expr, depth int) string {
	var cond ir.Expr
	ir.Walk(es, func(e ir.Expr) {
		if e.Op() == ir.Select && !cond.IsValid() && !hasSelect(e.Arg(0)) {
			cond = e.Arg(0)
		}
	})
	if !cond.IsValid() {
		return r.mergeReturn(es)
	}
	test := r.expression(cond, 0)
	if depth == mostChoices || test == "" {
		return ""
	}
	pool := ir.NewPool()
	given := func(branch int) []ir.Expr {
		var choose func(e ir.Expr) ir.Expr
		choose = func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Select && e.Arg(0) == cond {
				return pool.Map([]ir.Expr{e.Arg(branch)}, choose)[0]
			}
			return ir.Expr{}
		}
		return pool.Map(es, choose)
	}
	yes, no := r.mergeBody(given(1), depth+1), r.mergeBody(given(2), depth+1)
	if yes == "" || no == "" {
		return ""
	}
	return "if " + test + " {\n" + yes + "\n}\n" + no
}

func hasSelect(e ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { found = found || e.Op() == ir.Select })
	return found
}

// mergeReturn returns components; x or y where they are just those.
func (r *Rewrite) mergeReturn(es []ir.Expr) string {
	var parts []string
	for _, e := range es {
		text := r.expression(e, 0)
		if text == "" {
			return ""
		}
		parts = append(parts, text)
	}
	parts = r.variables(parts)
	if len(parts) == 1 {
		return "return " + parts[0]
	}
	for side, kind := range map[string]ir.VarKind{"x": ir.State, "y": ir.Leaf} {
		same := true
		for i, e := range es {
			same = same && e.Op() == ir.Var && e.Kind() == kind && e.Index() == i
		}
		if same {
			return "return " + side
		}
	}
	return "return STATE{" + strings.Join(parts, ", ") + "}"
}

// infix are operators of Go with their precedence.
var infix = map[ir.Op]struct {
	token      string
	precedence int
}{
	ir.Mul: {"*", 5}, ir.BitAnd: {"&", 5}, ir.Add: {"+", 4}, ir.Sub: {"-", 4}, ir.BitOr: {"|", 4}, ir.BitXor: {"^", 4},
	ir.Eq: {"==", 3}, ir.Ne: {"!=", 3}, ir.Lt: {"<", 3}, ir.Le: {"<=", 3}, ir.Gt: {">", 3}, ir.Ge: {">=", 3}, ir.And: {"&&", 2}, ir.Or: {"||", 1},
}

// expression writes an expression beside an operator of some precedence; empty where it has other operators than those of Go that mean the
// same.
func (r *Rewrite) expression(e ir.Expr, beside int) string {
	sub := func(i, precedence int) string { return r.expression(e.Arg(i), precedence) }
	switch op := e.Op(); op {
	case ir.Var:
		side := map[ir.VarKind]string{ir.State: "x", ir.Leaf: "y"}[e.Kind()]
		c := r.components[e.Index()]
		if len(r.states) > 1 {
			side += "." + r.states[c.variable].Name()
		}
		return c.part.Text(r.states[c.variable].Type(), side)
	case ir.Const:
		of := types.Type(types.Typ[types.Int64])
		if e.Type() == ir.F64 || e.Type() == ir.F32 {
			of = types.Typ[types.Float64]
		}
		text, ok := r.literal(e.Type(), e.Value(), of)
		if !ok || strings.Contains(text, "(") && e.Type() != ir.F64 {
			return ""
		}
		return text
	case ir.Min, ir.Max:
		a, b := sub(0, 0), sub(1, 0)
		if a == "" || b == "" {
			return ""
		}
		return map[ir.Op]string{ir.Min: "min", ir.Max: "max"}[op] + "(" + a + ", " + b + ")"
	case ir.Not, ir.Neg, ir.BitNot:
		a := sub(0, 6)
		if a == "" {
			return ""
		}
		return map[ir.Op]string{ir.Not: "!", ir.Neg: "-", ir.BitNot: "^"}[op] + a
	}
	is, ok := infix[e.Op()]
	if !ok || e.NumArgs() != 2 || (e.Op() == ir.Mul || e.Op() == ir.Div) && e.Type().IsFloat() && beside > 0 { // nothing is fused with a product, which x/8 is as well
		return ""
	}
	a, b := sub(0, is.precedence-1), sub(1, is.precedence)
	if a == "" || b == "" {
		return ""
	}
	text := a + " " + is.token + " " + b
	if is.precedence <= beside {
		return "(" + text + ")"
	}
	return text
}

// merging is the operator as a function literal: x is the state after some steps, and y what later steps gave that began with the identity.
func (r *Rewrite) merging(state string) string {
	body := strings.ReplaceAll(r.merge, "STATE", state)
	if strings.Contains(body, "\n") {
		body = "\n" + body + "\n"
	}
	return fmt.Sprintf("func(x, y %s) %s { %s }", state, state, body)
}

// checkNames refuses places where a name that is written there means something else.
func (r *Rewrite) checkNames() error {
	scope := r.pkg.Types.Scope().Innermost(r.Pos)
	if scope == nil {
		scope = r.pkg.Types.Scope()
	}
	written := r.merge + " " + strings.Join(r.start, " ") + " " + r.count() + " int " + r.header.typ
	for _, word := range []string{"min", "max", "len", "int", "true", "false", "real", "imag", "complex", r.header.typ} {
		if word == "" {
			continue
		}
		if s, _ := scope.LookupParent(word, r.Pos); s != types.Universe && strings.Contains(written, word) {
			return refuse("%s means something else here", word)
		}
	}
	for word, path := range map[string]string{parName: r.pkg.Par, "math": "math"} {
		_, o := scope.LookupParent(word, r.Pos)
		if p, ok := o.(*types.PkgName); o != nil && (!ok || p.Imported().Path() != path) {
			return refuse("%s means something else here", word)
		}
	}
	return nil
}
