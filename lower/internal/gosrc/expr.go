// Package gosrc writes expressions as Go, and declares the helpers and imports that what is written calls.
package gosrc

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Writer writes expressions as Go: the meaning is that of ir.Eval, bit for bit up to
// which NaN it is.
type Writer struct {
	Leaf func(ir.Expr) string // a variable or a call; in the Go type of the expression
	Temp map[ir.Expr]string   // subterms that have a name already
	Use  kernel.Use           // notes packages and helpers

	Contract bool // a product may be fused with the sum that it is added to
}

// Expr is e as a Go expression of type kernel.GoType[e.Type()], or an untyped constant.
func (w *Writer) Expr(e ir.Expr) string {
	if name, ok := w.Temp[e]; ok {
		return name
	}
	if e.IsClosed() {
		return w.Use.GoLiteral(e.Type(), ir.Eval(e, &ir.Env{}), false)
	}
	switch e.NumArgs() {
	case 0:
		return w.Leaf(e)
	case 1:
		if e.Op() != ir.Call {
			return w.unary(e)
		}
	case 2:
		if e.Op() != ir.Call {
			return w.binary(e)
		}
	}
	if e.Op() == ir.Call {
		return w.Leaf(e)
	}
	return fmt.Sprintf("%s(%s, %s, %s)", w.Use.Name("pick"), w.Expr(e.Arg(0)), w.Typed(e.Arg(1)), w.Typed(e.Arg(2)))
}

// Typed is e with its type even where it is a literal.
func (w *Writer) Typed(e ir.Expr) string {
	if _, named := w.Temp[e]; !named && e.IsClosed() {
		return w.Use.GoLiteral(e.Type(), ir.Eval(e, &ir.Env{}), true)
	}
	return w.Expr(e)
}

// operand is e where an operator of some precedence stands beside it.
func (w *Writer) operand(e ir.Expr, prec int) string {
	s := w.Expr(e)
	if _, named := w.Temp[e]; named || e.IsClosed() || goPrec(e) == 0 || goPrec(e) > prec {
		return s
	}
	return "(" + s + ")"
}

// goPrec is Go's precedence of the operator that e is written with, 0 where it is written
// as a call, a conversion or a name.
func goPrec(e ir.Expr) int {
	switch op := e.Op(); {
	case op == ir.Neg || op == ir.Not || op == ir.BitNot:
		return 6
	case isProduct(e):
		return 0
	case op == ir.Abs && e.Type().IsUnsigned(): // is its operand
		return goPrec(e.Arg(0))
	case op == ir.Mul || op == ir.Shl || op == ir.Shr || op == ir.BitAnd:
		return 5
	case op == ir.Div && e.Type().IsFloat():
		return 5
	case op == ir.Mod || op == ir.Div:
		return 5
	case op == ir.Add || op == ir.Sub || op == ir.BitOr || op == ir.BitXor:
		return 4
	case op.IsComparison(), op == ir.IsNaN, op == ir.Cast && e.Type() == ir.Bool:
		return 3
	case op == ir.And:
		return 2
	case op == ir.Or:
		return 1
	}
	return 0
}

// isProduct reports whether e is computed as a product of floats: so are quotients by literals that are powers of two. A sum may be fused with it
// where no conversion stands between.
func isProduct(e ir.Expr) bool {
	return e.Type().IsFloat() && (e.Op() == ir.Mul || e.Op() == ir.Div && e.Arg(1).IsClosed())
}

func (w *Writer) unary(e ir.Expr) string {
	a := e.Arg(0)
	t := a.Type()
	switch e.Op() {
	case ir.Neg:
		return "-" + w.operand(a, 6)
	case ir.Not:
		return "!" + w.operand(a, 6)
	case ir.BitNot:
		return "^" + w.operand(a, 6)
	case ir.Cast:
		return w.cast(t, e.Type(), a)
	case ir.IsNaN:
		if !t.IsFloat() {
			return "false"
		}
		return w.operand(a, 3) + " != " + w.operand(a, 3)
	case ir.Abs:
		switch {
		case t.IsUnsigned():
			return w.Expr(a)
		case t.IsSigned():
			return w.Use.Name("absInt") + "(" + w.Expr(a) + ")"
		}
		return w.float64Call("Abs", t, a)
	case ir.BitReverse:
		return fmt.Sprintf("%s(%s.Reverse%d(%s))", kernel.GoType[t], w.Use.Name("bits"), t.Bits(), w.unsigned(a))
	}
	if name := mathFunctions[e.Op()]; name != "" {
		return w.float64Call(name, t, a)
	}
	if name := bitCounts[e.Op()]; name != "" {
		return fmt.Sprintf("%s(%s.%s%d(%s))", kernel.GoType[t], w.Use.Name("bits"), name, t.Bits(), w.unsigned(a))
	}
	panic("emit: internal: unary " + e.Op().String())
}

// mathFunctions are those of package math that compute in float64.
var mathFunctions = map[ir.Op]string{
	ir.Sqrt: "Sqrt", ir.Exp: "Exp", ir.Log: "Log", ir.Log1p: "Log1p", ir.Sin: "Sin", ir.Cos: "Cos", ir.Tanh: "Tanh",
	ir.Floor: "Floor", ir.Round: "RoundToEven",
}

// bitCounts are the functions of package math/bits for a width that give an int.
var bitCounts = map[ir.Op]string{ir.PopCount: "OnesCount", ir.Clz: "LeadingZeros", ir.Ctz: "TrailingZeros"}

// unsigned is the integer e as one of the unsigned type of its width.
func (w *Writer) unsigned(e ir.Expr) string {
	if e.Type().IsUnsigned() {
		return w.Expr(e)
	}
	return kernel.GoType[e.Type().Unsigned()] + "(" + w.Expr(e) + ")"
}

// float64Call calls a function of package math, which computes in float64 and rounds once.
func (w *Writer) float64Call(name string, t ir.Type, args ...ir.Expr) string {
	var list []string
	for _, a := range args {
		s := w.Expr(a)
		if t == ir.F32 { // 0.1 is another number there
			s = "float64(" + w.Typed(a) + ")"
		}
		list = append(list, s)
	}
	s := w.Use.Name("math") + "." + name + "(" + strings.Join(list, ", ") + ")"
	if t == ir.F32 {
		s = "float32(" + s + ")"
	}
	return s
}

func (w *Writer) cast(from, to ir.Type, a ir.Expr) string {
	switch {
	case from == to:
		return w.Expr(a)
	case to == ir.Bool:
		return w.operand(a, 3) + " != 0"
	case from == ir.Bool:
		return fmt.Sprintf("%s[%s](%s, 1, 0)", w.Use.Name("pick"), kernel.GoType[to], w.Expr(a))
	case from.IsFloat() && to.IsInt():
		name := "floatToInt"
		if to.IsUnsigned() {
			name = "floatToUint"
		}
		x := w.Expr(a)
		if from == ir.F32 {
			x = "float64(" + x + ")"
		}
		return fmt.Sprintf("%s[%s](%s, %s, %s)", w.Use.Name(name), kernel.GoType[to], x, w.Use.GoLiteral(to, to.Min(), false), w.Use.GoLiteral(to, to.Max(), false))
	case from.IsInt() && from.Bits() == 64 && to == ir.F32:
		return w.Use.Name("toFloat32") + "(" + w.Expr(a) + ")"
	}
	return kernel.GoType[to] + "(" + w.Expr(a) + ")"
}

func (w *Writer) binary(e ir.Expr) string {
	op, a, b := e.Op(), e.Arg(0), e.Arg(1)
	t := a.Type()
	infix := func(sym string) string {
		p := goPrec(e)
		return w.operand(a, p-1) + " " + sym + " " + w.operand(b, p)
	}
	call := func(name string, extra ...string) string {
		args := append([]string{w.Typed(a), w.Typed(b)}, extra...)
		return w.Use.Name(name) + "(" + strings.Join(args, ", ") + ")"
	}
	if p, rest, ok := contracted(e); ok && w.Contract { // Go may fuse what no conversion keeps apart
		return fmt.Sprintf("%s*%s + %s", w.operand(p.Arg(0), 4), w.operand(p.Arg(1), 5), w.operand(rest, 4))
	}
	if isProduct(e) {
		return fmt.Sprintf("%s(%s %s %s)", kernel.GoType[t], w.operand(a, 4), op, w.operand(b, 5))
	}
	if fused(e) {
		return w.operand(a, goPrec(e)-1) + " " + map[ir.Op]string{ir.BitOr: "|", ir.BitXor: "^"}[op] + " " + w.Use.Name("apart") + "(" + w.Typed(b) + ")"
	}
	switch op {
	case ir.Mul:
		return infix("*")
	case ir.Add, ir.Sub, ir.BitOr, ir.BitAnd, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne:
		return infix(op.String())
	case ir.BitXor:
		return infix("^")
	case ir.And, ir.Or:
		return w.junction(e)
	case ir.Div:
		if t.IsFloat() {
			return infix("/")
		}
		return w.intDiv(e)
	case ir.Mod:
		return w.intMod(e)
	case ir.Min, ir.Max:
		return op.String() + "(" + w.Expr(a) + ", " + w.Expr(b) + ")"
	case ir.Shl, ir.Shr:
		if b.IsClosed() && t.Unsigned().Wrap(ir.Eval(b, &ir.Env{})) >= uint64(t.Bits()) {
			return w.shiftedOut(op, a)
		}
		shifted := w.operand(a, 4)
		if a.IsClosed() { // the literal would have the type of what the shift is converted to
			shifted = w.Typed(a)
		}
		return shifted + " " + op.String() + " " + w.count(b)
	case ir.SatAdd, ir.SatSub:
		name := map[ir.Op]string{ir.SatAdd: "satAdd", ir.SatSub: "satSub"}[op]
		if t.IsUnsigned() {
			return call(name + "Unsigned")
		}
		return call(name, w.Use.GoLiteral(t, t.Min(), false), w.Use.GoLiteral(t, t.Max(), false))
	case ir.Pow:
		return w.float64Call("Pow", t, a, b)
	case ir.Gcd:
		if t.IsUnsigned() {
			return call("gcdUnsigned")
		}
		return call("gcd")
	}
	panic("emit: internal: binary " + op.String())
}

// fused reports whether Go 1.26 makes one instruction of two shifts of 64 bits, of which one goes by s and the other by (64 - s) % 64: where s is 0 that
// leaves the second operand out.
func fused(e ir.Expr) bool {
	bare := func(e ir.Expr) ir.Expr {
		for e.Op() == ir.Cast && e.Arg(0).Type().IsInt() && e.Arg(0).Type().Bits() == e.Type().Bits() {
			e = e.Arg(0)
		}
		return e
	}
	if e.Op() != ir.BitOr && e.Op() != ir.BitXor || e.Type().Bits() != 64 {
		return false
	}
	a, b := bare(e.Arg(0)), bare(e.Arg(1))
	if b.Op() == ir.Shl {
		a, b = b, a
	}
	return a.Op() == ir.Shl && b.Op() == ir.Shr && !a.Arg(1).IsClosed() && !b.Arg(1).IsClosed() && bare(a.Arg(0)) != bare(b.Arg(0))
}

// shiftedOut is a shift by the width or more, which vet takes for a mistake: no bit is left,
// or copies of the sign.
func (w *Writer) shiftedOut(op ir.Op, a ir.Expr) string {
	if t := a.Type(); op == ir.Shr && t.IsSigned() {
		return fmt.Sprintf("%s >> %d", w.operand(a, 4), t.Bits()-1)
	}
	return w.operand(a, 4) + " & 0" // a is used, as Go wants
}

// junction is a chain of && or ||. The vet that go test runs takes a repeated operand, and
// x != 1 || x != 2, for mistakes; where the program says so, the operand is written once,
// and the comparisons as negations.
func (w *Writer) junction(e ir.Expr) string {
	op, p := e.Op(), goPrec(e)
	dubious := map[ir.Op]ir.Op{ir.Or: ir.Ne, ir.And: ir.Eq}[op]
	var terms []ir.Expr
	var add func(ir.Expr)
	add = func(t ir.Expr) {
		if _, named := w.Temp[t]; t.Op() == op && !named && !t.IsClosed() {
			add(t.Arg(0))
			add(t.Arg(1))
		} else if !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	add(e.Arg(0))
	add(e.Arg(1))
	compared := map[ir.Expr]int{} // with literals
	for _, t := range terms {
		if t.Op() == dubious && t.Arg(1).IsClosed() {
			compared[t.Arg(0)]++
		}
	}
	var parts []string
	for _, t := range terms {
		text := w.operand(t, p)
		if _, named := w.Temp[t]; !named && t.Op() == dubious && compared[t.Arg(0)] > 1 {
			other := map[ir.Op]string{ir.Ne: " == ", ir.Eq: " != "}[dubious]
			text = "!(" + w.operand(t.Arg(0), 3) + other + w.operand(t.Arg(1), 3) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " "+op.String()+" ")
}

// count is a shift count, read as unsigned.
func (w *Writer) count(b ir.Expr) string {
	t := b.Type()
	if b.IsClosed() {
		return strconv.FormatUint(t.Unsigned().Wrap(ir.Eval(b, &ir.Env{})), 10)
	}
	if t.IsSigned() {
		return kernel.GoType[t.Unsigned()] + "(" + w.Expr(b) + ")"
	}
	return w.operand(b, 5)
}

// powerOfTwo is n where e is the literal 2ⁿ > 0.
func powerOfTwo(e ir.Expr) (int, bool) {
	if e.Op() != ir.Const || e.Int() <= 0 || bits.OnesCount64(e.Value()) != 1 {
		return 0, false
	}
	return bits.TrailingZeros64(e.Value()), true
}

// intDiv rounds down for positive divisors: so do shifts.
func (w *Writer) intDiv(e ir.Expr) string {
	a, b := e.Arg(0), e.Arg(1)
	if n, ok := powerOfTwo(b); ok {
		return fmt.Sprintf("%s >> %d", w.operand(a, 4), n)
	}
	if e.Type().IsUnsigned() && b.Op() == ir.Const && b.Value() != 0 {
		return w.operand(a, 4) + " / " + w.operand(b, 5)
	}
	return w.divide("Div", e)
}

func (w *Writer) intMod(e ir.Expr) string {
	a, b := e.Arg(0), e.Arg(1)
	if n, ok := powerOfTwo(b); ok {
		return fmt.Sprintf("%s & %d", w.operand(a, 4), uint64(1)<<n-1)
	}
	if e.Type().IsUnsigned() && b.Op() == ir.Const && b.Value() != 0 {
		return w.operand(a, 4) + " % " + w.operand(b, 5)
	}
	return w.divide("Mod", e)
}

func (w *Writer) divide(what string, e ir.Expr) string {
	name := "euclid" + what
	if e.Type().IsUnsigned() {
		name = "unsigned" + what
	}
	return fmt.Sprintf("%s(%s, %s)", w.Use.Name(name), w.Typed(e.Arg(0)), w.Typed(e.Arg(1)))
}

// contracted takes a sum with a product of floats apart, of two products the second.
func contracted(e ir.Expr) (product, rest ir.Expr, ok bool) {
	if e.Op() != ir.Add || !e.Type().IsFloat() {
		return product, rest, false
	}
	for i := 1; i >= 0; i-- {
		if e.Arg(i).Op() == ir.Mul {
			return e.Arg(i), e.Arg(1 - i), true
		}
	}
	return product, rest, false
}

// Conjunction joins conditions.
func (w *Writer) Conjunction(conds []ir.Expr) string {
	var parts []string
	for _, c := range conds {
		parts = append(parts, w.operand(c, 1))
	}
	return strings.Join(parts, " && ")
}

// Assignment is the statement that gives a state a value: x += y and the like where the value is of that form.
func (w *Writer) Assignment(v ir.Expr, state string) string {
	if v.NumArgs() == 2 && v.Op() != ir.Call && w.Temp[v] == "" {
		a, b := v.Arg(0), v.Arg(1)
		updates := a.Op() == ir.Var && a.Kind() == ir.State && v.Type() == b.Type() && w.Expr(a) == state
		switch op := v.Op(); {
		case !updates:
		case op == ir.Add && b.Type().IsInt() && b.IsConst(1):
			return state + "++\n"
		case op == ir.Add || op == ir.Sub || op == ir.Mul && v.Type().IsInt() || op == ir.BitAnd || op == ir.BitOr || op == ir.BitXor:
			return fmt.Sprintf("%s %s= %s\n", state, op, w.Expr(b))
		}
	}
	return fmt.Sprintf("%s = %s\n", state, w.Expr(v))
}
