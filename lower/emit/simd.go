package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// vectorForm writes a kernel on vectors.
type vectorForm interface {
	write(g *generator, k *kernel)
}

// forms are the ways in which a kernel runs on vectors, in the order of preference. Each gives
// nil where it does not apply.
var forms = []func(*plan.Plan, *kernel) vectorForm{widening, floatWidening, independent, counting, coupled}

// vectorise gives the form in which a kernel runs on vectors; nil where it has none.
func vectorise(p *plan.Plan, k *kernel) vectorForm {
	folds := k
	if len(k.where) > 0 {
		folds = k.guarded()
	}
	for _, f := range forms {
		if folds == nil {
			break
		}
		if v := f(p, folds); v != nil {
			return v
		}
	}
	return skipping(p, k)
}

// guarded moves the condition of a kernel into its operands, since lanes cannot leave an element
// out. It is nil where a component is no fold.
//
//	where c: x + h   →   x + select(c, h, 0)
func (k *kernel) guarded() *kernel {
	out := *k
	out.where, out.values = nil, nil
	cond := k.where[0]
	for _, c := range k.where[1:] {
		cond = ir.AndOf(cond, c)
	}
	for i, v := range k.values {
		p, ok := fold.Of(v, i)
		if !ok || p.Op == ir.Const || v.Type() == ir.Bool {
			return nil
		}
		x := v.Pool().X(i, v.Type())
		out.values = append(out.values, ir.Make(p.Op, x, ir.SelectOf(cond, p.Leaf, fold.Neutral(p.Op, x))))
	}
	return &out
}

// vectorKernels is the files on vectors: on the portable package simd, for amd64, and for other machines.
func (g *generator) vectorKernels() (simd, amd64, other string) {
	g.file = newUnit()
	for _, k := range g.kernels {
		if k.laned() {
			k.vector.write(g, k)
		}
		if k.flat != nil {
			k.flat.write(g, k)
		}
	}
	text := g.file.b.String()
	text, arch, calls := g.onArch(text + floatOrderText(text, ""))
	g.file = newUnit()
	for _, k := range g.kernels {
		if k.vector != nil && !k.laned() {
			k.vector.write(g, k)
		}
	}
	rest := g.wideVectors()
	for _, d := range g.denses {
		d.vector(g)
	}
	rest = g.file.b.String() + rest
	amd64, other = g.wideArch(arch, calls)
	return header + "//go:build " + simdTag + "\n\npackage " + g.pkg + "\n\n" + withImports(text+rest+floatOrderText(rest, text)+bytesOfText(text)), amd64, other
}

// vecTypes are the vector types of package simd.
var vecTypes = [ir.NumTypes]string{
	ir.I8: "Int8s", ir.I16: "Int16s", ir.I32: "Int32s", ir.I64: "Int64s",
	ir.U8: "Uint8s", ir.U16: "Uint16s", ir.U32: "Uint32s", ir.U64: "Uint64s", ir.F32: "Float32s", ir.F64: "Float64s",
}

// vecWriter writes expressions on vectors whose lanes are all of one width.
type vecWriter struct {
	bits    int
	leaf    func(ir.Expr) string // a vector that is there already, "" for none
	scalar  func(ir.Expr) string // what is the same in all lanes, as Go
	hoisted []string             // declarations of broadcast values
	names   map[string]string    // of broadcast values by their text
	failed  bool

	contract bool // a product is fused with the sum that it is added to
}

func (w *vecWriter) fail() string {
	w.failed = true
	return "?"
}

// spread is a value in all lanes, made once before the loop.
func (w *vecWriter) spread(t ir.Type, text string) string {
	call := fmt.Sprintf("simd.Broadcast%s(%s)", vecTypes[t], text)
	if name, ok := w.names[call]; ok {
		return name
	}
	if w.names == nil {
		w.names = map[string]string{}
	}
	name := fmt.Sprintf("all%d", len(w.names))
	w.names[call] = name
	w.hoisted = append(w.hoisted, name+" := "+call)
	return name
}

func (w *vecWriter) literal(t ir.Type, v uint64) string {
	return w.spread(t, (&exprWriter{}).literal(t, v, false))
}

// vec is e as a vector.
func (w *vecWriter) vec(e ir.Expr) string {
	if v := w.leaf(e); v != "" {
		return v
	}
	t := e.Type()
	if t.Bits() != w.bits || t == ir.Bool {
		return w.fail()
	}
	if e.IsClosed() {
		return w.literal(t, ir.Eval(e, &ir.Env{}))
	}
	if e.NumArgs() == 0 || access.IsRead(e) {
		if s := w.scalar(e); s != "" {
			return w.spread(t, s)
		}
		return w.fail()
	}
	if e.Op() == ir.Select {
		return w.pick(e)
	}
	if e.NumArgs() == 1 {
		return w.unary(e)
	}
	return w.binary(e)
}

func (w *vecWriter) pick(e ir.Expr) string {
	if e.Arg(2).IsConst(0) {
		return fmt.Sprintf("%s.Masked(%s)", w.vec(e.Arg(1)), w.mask(e.Arg(0)))
	}
	return fmt.Sprintf("%s.IfElse(%s, %s)", w.vec(e.Arg(1)), w.mask(e.Arg(0)), w.vec(e.Arg(2)))
}

func (w *vecWriter) unary(e ir.Expr) string {
	a := e.Arg(0)
	t := e.Type()
	switch e.Op() {
	case ir.Neg:
		if t.IsUnsigned() {
			return w.fail()
		}
		return w.vec(a) + ".Neg()"
	case ir.BitNot:
		return w.vec(a) + ".Not()"
	case ir.Abs:
		if t.IsUnsigned() {
			return w.vec(a)
		}
		if t == ir.I64 {
			return w.fail()
		}
		return w.vec(a) + ".Abs()"
	case ir.Sqrt:
		return w.vec(a) + ".Sqrt()"
	case ir.Cast:
		return w.cast(a, t)
	}
	return w.fail()
}

// cast converts between types of one width.
func (w *vecWriter) cast(a ir.Expr, t ir.Type) string {
	from := a.Type()
	switch {
	case from == ir.Bool && t.IsInt():
		return fmt.Sprintf("%s.Masked(%s)", w.literal(t, 1), w.mask(a))
	case from.Bits() != w.bits:
		return w.fail()
	case from.IsInt() && t.IsInt(), from == ir.I32 && t == ir.F32:
		return fmt.Sprintf("%s.ConvertTo%s()", w.vec(a), strings.TrimSuffix(vecTypes[t], "s"))
	}
	return w.fail()
}

// hasMin reports whether vectors of integers of a type have Min, Max and Mul.
func hasMin(t ir.Type) bool { return t.IsInt() && t.Bits() < 64 }

var vecOps = map[ir.Op]string{
	ir.Add: "Add", ir.Sub: "Sub", ir.Mul: "Mul", ir.BitAnd: "And", ir.BitOr: "Or", ir.BitXor: "Xor", ir.Min: "Min", ir.Max: "Max",
}

func (w *vecWriter) binary(e ir.Expr) string {
	a, b, t := e.Arg(0), e.Arg(1), e.Type()
	switch op := e.Op(); op {
	case ir.Add:
		if c, ok := fold.Counted(b); ok && t.IsSigned() { // a mask's lanes are −1
			return fmt.Sprintf("%s.Sub(%s.To%s())", w.vec(a), w.mask(c), vecTypes[t])
		}
		if c, ok := fold.Counted(a); ok && t.IsSigned() {
			return fmt.Sprintf("%s.Sub(%s.To%s())", w.vec(b), w.mask(c), vecTypes[t])
		}
		if p, rest, ok := contracted(e); ok && w.contract {
			return fmt.Sprintf("%s.MulAdd(%s, %s)", w.vec(p.Arg(0)), w.vec(p.Arg(1)), w.vec(rest))
		}
		return w.call(e)
	case ir.Sub, ir.BitAnd, ir.BitOr, ir.BitXor:
		return w.call(e)
	case ir.Mul:
		if t.Bits() == 64 && t.IsInt() || t.Bits() == 8 {
			return w.fail()
		}
		return w.call(e)
	case ir.Div:
		if t.IsFloat() {
			return fmt.Sprintf("%s.Div(%s)", w.vec(a), w.vec(b))
		}
		if n, ok := powerOfTwo(b); ok && t.Bits() > 8 && (t.IsUnsigned() || t.Bits() < 64) {
			return fmt.Sprintf("%s.ShiftAllRight(%d)", w.vec(a), n)
		}
	case ir.Mod:
		if n, ok := powerOfTwo(b); ok {
			return fmt.Sprintf("%s.And(%s)", w.vec(a), w.literal(t, uint64(1)<<n-1))
		}
	case ir.Shl, ir.Shr:
		if b.Op() == ir.Const && b.Value() < uint64(t.Bits()) && t.Bits() > 8 && (op == ir.Shl || t != ir.I64) {
			return fmt.Sprintf("%s.ShiftAll%s(%d)", w.vec(a), map[ir.Op]string{ir.Shl: "Left", ir.Shr: "Right"}[op], b.Value())
		}
	case ir.Min, ir.Max:
		return w.order(op, t, w.vec(a), w.vec(b))
	}
	return w.fail()
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

func (w *vecWriter) call(e ir.Expr) string {
	return fmt.Sprintf("%s.%s(%s)", w.vec(e.Arg(0)), vecOps[e.Op()], w.vec(e.Arg(1)))
}

// order is the lesser or the greater of two vectors, with Go's rules for floats.
func (w *vecWriter) order(op ir.Op, t ir.Type, a, b string) string {
	switch {
	case hasMin(t):
		return fmt.Sprintf("%s.%s(%s)", a, vecOps[op], b)
	case t.IsInt():
		return fmt.Sprintf("%s.IfElse(%s.%s(%s), %s)", a, a, map[ir.Op]string{ir.Min: "Less", ir.Max: "Greater"}[op], b, b)
	}
	return fmt.Sprintf("%s%s(%s, %s)", map[ir.Op]string{ir.Min: "lesser", ir.Max: "greater"}[op], vecTypes[t], a, b)
}

// floatOrderText declares min and max of floats where a text uses them, unless another one does.
func floatOrderText(text, declares string) string {
	var b strings.Builder
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		v := vecTypes[t]
		bits := fmt.Sprintf("Float%d", t.Bits())
		for _, o := range [][4]string{{"lesser", "min", "Less", "Or"}, {"greater", "max", "Greater", "And"}} {
			if !strings.Contains(text, o[0]+v+"(") || strings.Contains(declares, "func "+o[0]+v+"(") {
				continue
			}
			fmt.Fprintf(&b, `
// %[1]s%[2]s is Go's %[3]s: an unordered comparison leaves y, so that a NaN in x is put back;
// equal operands are the same bits or two zeros, whose signs are combined.
func %[1]s%[2]s(x, y simd.%[2]s) simd.%[2]s {
	r := x.IfElse(x.%[4]s(y), y)
	r = x.ToBits().%[5]s(y.ToBits()).BitsTo%[6]s().IfElse(x.Equal(y), r)
	return x.IfElse(x.NotEqual(x), r)
}
`, o[0], v, o[1], o[2], o[3], bits)
		}
	}
	return b.String()
}

var vecCompare = map[ir.Op]string{
	ir.Lt: "Less", ir.Le: "LessEqual", ir.Gt: "Greater", ir.Ge: "GreaterEqual", ir.Eq: "Equal", ir.Ne: "NotEqual",
}

// mask is a condition as a mask.
func (w *vecWriter) mask(e ir.Expr) string {
	switch op := e.Op(); {
	case op == ir.And || op == ir.Or:
		return fmt.Sprintf("%s.%s(%s)", w.mask(e.Arg(0)), map[ir.Op]string{ir.And: "And", ir.Or: "Or"}[op], w.mask(e.Arg(1)))
	case op == ir.Not && e.Arg(0).Op().IsComparison() && !e.Arg(0).Arg(0).Type().IsFloat():
		opposite := map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt, ir.Eq: ir.Ne, ir.Ne: ir.Eq}
		c := e.Arg(0)
		return w.mask(ir.Make(opposite[c.Op()], c.Arg(0), c.Arg(1)))
	case op == ir.Not && (e.Arg(0).Op() == ir.And || e.Arg(0).Op() == ir.Or):
		a, b := ir.NotOf(e.Arg(0).Arg(0)), ir.NotOf(e.Arg(0).Arg(1))
		if e.Arg(0).Op() == ir.And {
			return w.mask(ir.OrOf(a, b))
		}
		return w.mask(ir.AndOf(a, b))
	case op == ir.Not && e.Arg(0).Op().IsComparison(): // of floats: the opposite, or NaN
		c := e.Arg(0)
		a, b := w.vec(c.Arg(0)), w.vec(c.Arg(1))
		switch c.Op() {
		case ir.Eq:
			return fmt.Sprintf("%s.NotEqual(%s)", a, b)
		case ir.Ne:
			return fmt.Sprintf("%s.Equal(%s)", a, b)
		}
		opposite := map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt}
		return fmt.Sprintf("%[1]s.%[3]s(%[2]s).Or(%[1]s.NotEqual(%[1]s)).Or(%[2]s.NotEqual(%[2]s))", a, b, vecCompare[opposite[c.Op()]])
	case e.Type() == ir.Bool && w.bits == 8 && w.leaf(e) != "": // truth values, which are bytes
		return fmt.Sprintf("%s.NotEqual(%s)", w.leaf(e), w.literal(ir.U8, 0))
	case op == ir.Not && e.Arg(0).Type() == ir.Bool && w.bits == 8 && w.leaf(e.Arg(0)) != "":
		return fmt.Sprintf("%s.Equal(%s)", w.leaf(e.Arg(0)), w.literal(ir.U8, 0))
	case op.IsComparison() && e.Arg(0).Type() != ir.Bool:
		a, b := w.vec(e.Arg(0)), w.vec(e.Arg(1))
		if e.Arg(0).Type() == ir.U8 {
			return byteCompare(op, a, b)
		}
		return fmt.Sprintf("%s.%s(%s)", a, vecCompare[op], b)
	case op == ir.IsNaN && e.Arg(0).Type().IsFloat():
		a := w.vec(e.Arg(0))
		return fmt.Sprintf("%s.NotEqual(%s)", a, a)
	}
	return w.fail()
}

// byteCompare orders unsigned bytes, for which there is no comparison.
func byteCompare(op ir.Op, a, b string) string {
	switch op {
	case ir.Lt:
		return fmt.Sprintf("%s.Max(%s).NotEqual(%s)", a, b, a)
	case ir.Le:
		return fmt.Sprintf("%s.Min(%s).Equal(%s)", a, b, a)
	case ir.Gt:
		return fmt.Sprintf("%s.Min(%s).NotEqual(%s)", a, b, a)
	case ir.Ge:
		return fmt.Sprintf("%s.Max(%s).Equal(%s)", a, b, a)
	}
	return fmt.Sprintf("%s.%s(%s)", a, vecCompare[op], b)
}
