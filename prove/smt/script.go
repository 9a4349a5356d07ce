//go:build !js

package smt

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// script is a problem in SMT-LIB 2. The equation holds if the script is unsatisfiable.
type script struct {
	text   string
	inputs []ir.Expr // variables and opaque calls
	terms  []string  // how the script names them
}

// write writes a problem under assumptions as SMT-LIB 2: words as bit-vectors, integers that
// are assumed unbounded as Int, floats as FloatingPoint, or as Real under reassoc. It is an
// error where an operator has no counterpart.
func write(p proof.Problem, assume ir.Assume) (script, error) {
	w := &writer{assume: assume, declared: map[string]bool{}}
	es := append(append([]ir.Expr{}, p.Given...), p.Left, p.Right)
	ir.Walk(es, w.define)
	for _, g := range p.Given {
		w.printf("(assert %s)\n", name(g))
	}
	same := fmt.Sprintf("(= %s %s)", name(p.Left), name(p.Right))
	if w.isFP(p.Left.Type()) && assume.Has(ir.NSZ) {
		same = fmt.Sprintf("(or %s (and (fp.isZero %s) (fp.isZero %s)))", same, name(p.Left), name(p.Right))
	}
	w.printf("(assert (not %s))\n", same)
	w.text = w.out.String()
	return w.script, w.err
}

// writer defines one constant for each distinct subterm.
type writer struct {
	script
	out      strings.Builder
	assume   ir.Assume
	declared map[string]bool // functions
	err      error
}

func name(e ir.Expr) string { return fmt.Sprintf("t%d", e.ID()) }

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.out, format, args...) }

// refuse records why a problem cannot be written.
func (w *writer) refuse(format string, args ...any) string {
	if w.err == nil {
		w.err = fmt.Errorf("SMT-LIB: "+format, args...)
	}
	return "false"
}

func (w *writer) isInt(t ir.Type) bool  { return w.assume.Unbounded(t) }
func (w *writer) isReal(t ir.Type) bool { return t.IsFloat() && w.assume.Has(ir.Reassoc) }
func (w *writer) isFP(t ir.Type) bool   { return t.IsFloat() && !w.assume.Has(ir.Reassoc) }

func (w *writer) sort(t ir.Type) string {
	switch {
	case t == ir.Bool:
		return "Bool"
	case w.isInt(t):
		return "Int"
	case w.isReal(t):
		return "Real"
	case w.isFP(t):
		return "(_ FloatingPoint " + fpSize(t) + ")"
	}
	return fmt.Sprintf("(_ BitVec %d)", t.Bits())
}

// fpSize returns the number of exponent and significand bits.
func fpSize(t ir.Type) string {
	if t == ir.F32 {
		return "8 24"
	}
	return "11 53"
}

// define writes the definition of a subterm whose operands are defined.
func (w *writer) define(e ir.Expr) {
	t := e.Type()
	n := name(e)
	switch e.Op() {
	case ir.Var:
		w.printf("(declare-const %s %s) ; %s\n", n, w.sort(t), e)
		w.input(e)
	case ir.Call:
		w.printf("(define-fun %s () %s %s)\n", n, w.sort(t), w.function(fmt.Sprintf("%s[%d]", e.Name(), e.Index()), e))
		w.input(e)
	default:
		body := w.body(e)
		w.printf("(define-fun %s () %s %s)\n", n, w.sort(t), body)
	}
	if !w.isFP(t) {
		return
	}
	if w.assume.Has(ir.NNaN) {
		w.printf("(assert (not (fp.isNaN %s)))\n", n)
	}
	if w.assume.Has(ir.NInf) {
		w.printf("(assert (not (fp.isInfinite %s)))\n", n)
	}
}

// input is a value that the problem quantifies over. An unsigned one is never negative.
func (w *writer) input(e ir.Expr) {
	w.inputs, w.terms = append(w.inputs, e), append(w.terms, name(e))
	if e.Type().IsUnsigned() && w.isInt(e.Type()) {
		w.printf("(assert (>= %s 0))\n", name(e))
	}
}

// function applies an uninterpreted function to the operands of e.
func (w *writer) function(f string, e ir.Expr) string {
	var sorts, args []string
	for i := range e.NumArgs() {
		f += " " + e.Arg(i).Type().String()
		sorts, args = append(sorts, w.sort(e.Arg(i).Type())), append(args, name(e.Arg(i)))
	}
	f = "|" + strings.NewReplacer("|", "!", "\\", "!").Replace(f+" "+e.Type().String()) + "|"
	if !w.declared[f] {
		w.declared[f] = true
		w.printf("(declare-fun %s (%s) %s)\n", f, strings.Join(sorts, " "), w.sort(e.Type()))
	}
	if len(args) == 0 {
		return f
	}
	return "(" + f + " " + strings.Join(args, " ") + ")"
}

func (w *writer) body(e ir.Expr) string {
	t := e.Type()
	switch e.Op() {
	case ir.Const:
		return w.literal(t, e.Value())
	case ir.Select:
		return fmt.Sprintf("(ite %s %s %s)", name(e.Arg(0)), name(e.Arg(1)), name(e.Arg(2)))
	case ir.Not, ir.And, ir.Or:
		return w.call(map[ir.Op]string{ir.Not: "not", ir.And: "and", ir.Or: "or"}[e.Op()], e)
	case ir.Cast:
		return w.cast(e.Arg(0).Type(), t, name(e.Arg(0)))
	}
	switch from := e.Arg(0).Type(); {
	case from == ir.Bool && e.Op() == ir.Eq:
		return w.call("=", e)
	case from == ir.Bool:
		return w.call("distinct", e)
	case w.isInt(from):
		return w.onInt(e)
	case w.isReal(from):
		return w.onReal(e)
	case w.isFP(from):
		return w.onFP(e)
	}
	return w.onWord(e)
}

// call returns (f operands…).
func (w *writer) call(f string, e ir.Expr) string {
	s := "(" + f
	for i := range e.NumArgs() {
		s += " " + name(e.Arg(i))
	}
	return s + ")"
}

// fill writes a template over the operands $a and $b, with %d etc. already filled in.
func fill(e ir.Expr, template string) string {
	r := []string{"$a", name(e.Arg(0))}
	if e.NumArgs() > 1 {
		r = append(r, "$b", name(e.Arg(1)))
	}
	return strings.NewReplacer(r...).Replace(template)
}

func (w *writer) literal(t ir.Type, v uint64) string {
	switch {
	case t == ir.Bool:
		return fmt.Sprint(v != 0)
	case w.isInt(t):
		return intText(integerOf(t, v))
	case w.isReal(t):
		f := ir.Float(t, v)
		if f-f != 0 {
			return w.refuse("%v is no real number", f)
		}
		q := new(big.Rat).SetFloat64(f)
		return fmt.Sprintf("(/ (to_real %s) (to_real %s))", intText(q.Num()), intText(q.Denom()))
	case t.IsFloat() && ir.Float(t, v) != ir.Float(t, v):
		return "(_ NaN " + fpSize(t) + ")"
	case t.IsFloat():
		return fmt.Sprintf("((_ to_fp %s) %s)", fpSize(t), bitText(t.Bits(), v))
	}
	return bitText(t.Bits(), v)
}

func bitText(width int, v uint64) string {
	return fmt.Sprintf("#x%0*x", width/4, v&(math.MaxUint64>>(64-width)))
}

func intText(z *big.Int) string {
	if z.Sign() < 0 {
		return "(- " + new(big.Int).Neg(z).String() + ")"
	}
	return z.String()
}

// intOps are the operators on Int. SMT-LIB's div and mod are Euclidean.
var intOps = map[ir.Op]string{
	ir.Neg: "(- $a)", ir.Abs: "(ite (< $a 0) (- $a) $a)",
	ir.Add: "(+ $a $b)", ir.Sub: "(- $a $b)", ir.Mul: "(* $a $b)",
	ir.Div: "(ite (= $b 0) 0 (div $a $b))", ir.Mod: "(ite (= $b 0) 0 (mod $a $b))",
	ir.Min: "(ite (< $b $a) $b $a)", ir.Max: "(ite (< $a $b) $b $a)",
	ir.Lt: "(< $a $b)", ir.Le: "(<= $a $b)", ir.Gt: "(> $a $b)", ir.Ge: "(>= $a $b)",
	ir.Eq: "(= $a $b)", ir.Ne: "(distinct $a $b)", ir.IsNaN: "false",
}

func (w *writer) onInt(e ir.Expr) string {
	t := e.Arg(0).Type()
	if s, ok := intOps[e.Op()]; ok {
		return fill(e, s)
	}
	if e.Op() == ir.BitNot {
		minusOne := "(- 1)" // ~a = −1 − a of signed numbers, max − a of unsigned ones
		if t.IsUnsigned() {
			minusOne = intText(integerOf(t, t.Max()))
		}
		return fill(e, "(- "+minusOne+" $a)")
	}
	return w.refuse("%s of unbounded integers", e.Op())
}

// realOps are the operators on Real.
var realOps = map[ir.Op]string{
	ir.Neg: "(- $a)", ir.Abs: "(ite (< $a 0.0) (- $a) $a)",
	ir.Add: "(+ $a $b)", ir.Sub: "(- $a $b)", ir.Mul: "(* $a $b)", ir.Div: "(/ $a $b)",
	ir.Min: "(ite (< $b $a) $b $a)", ir.Max: "(ite (< $a $b) $b $a)",
	ir.Lt: "(< $a $b)", ir.Le: "(<= $a $b)", ir.Gt: "(> $a $b)", ir.Ge: "(>= $a $b)",
	ir.Eq: "(= $a $b)", ir.Ne: "(distinct $a $b)", ir.IsNaN: "false",
}

// onReal: the field identities hold where no denominator is zero.
func (w *writer) onReal(e ir.Expr) string {
	if e.Op() == ir.Div {
		w.printf("%s\n", fill(e, "(assert (distinct $b 0.0))"))
	}
	if s, ok := realOps[e.Op()]; ok {
		return fill(e, s)
	}
	return w.function(e.Op().String(), e)
}

// fpOps are the operators on FloatingPoint. min and max propagate NaN and order −0 < +0.
var fpOps = map[ir.Op]string{
	ir.Neg: "(fp.neg $a)", ir.Abs: "(fp.abs $a)", ir.Sqrt: "(fp.sqrt RNE $a)", ir.IsNaN: "(fp.isNaN $a)",
	ir.Floor: "(fp.roundToIntegral RTN $a)", ir.Round: "(fp.roundToIntegral RNE $a)",
	ir.Add: "(fp.add RNE $a $b)", ir.Sub: "(fp.sub RNE $a $b)", ir.Mul: "(fp.mul RNE $a $b)", ir.Div: "(fp.div RNE $a $b)",
	ir.Min: "(ite (fp.isNaN $a) $a (ite (fp.isNaN $b) $b (ite (fp.lt $a $b) $a (ite (fp.lt $b $a) $b (ite (fp.isNegative $a) $a $b)))))",
	ir.Max: "(ite (fp.isNaN $a) $a (ite (fp.isNaN $b) $b (ite (fp.lt $a $b) $b (ite (fp.lt $b $a) $a (ite (fp.isNegative $a) $b $a)))))",
	ir.Lt:  "(fp.lt $a $b)", ir.Le: "(fp.leq $a $b)", ir.Gt: "(fp.gt $a $b)", ir.Ge: "(fp.geq $a $b)",
	ir.Eq: "(fp.eq $a $b)", ir.Ne: "(not (fp.eq $a $b))",
}

func (w *writer) onFP(e ir.Expr) string {
	if s, ok := fpOps[e.Op()]; ok {
		return fill(e, s)
	}
	return w.function(e.Op().String(), e) // exp, log, pow and the like
}

// wordOps are the operators on bit-vectors that do not care about the sign.
var wordOps = map[ir.Op]string{
	ir.Neg: "(bvneg $a)", ir.BitNot: "(bvnot $a)", ir.IsNaN: "false",
	ir.Add: "(bvadd $a $b)", ir.Sub: "(bvsub $a $b)", ir.Mul: "(bvmul $a $b)",
	ir.BitAnd: "(bvand $a $b)", ir.BitOr: "(bvor $a $b)", ir.BitXor: "(bvxor $a $b)",
	ir.Shl: "(bvshl $a $b)", // a count ≥ the width gives 0 here, too
	ir.Eq:  "(= $a $b)", ir.Ne: "(distinct $a $b)",
}

// unsignedOps and signedOps are the others. $0, $1, $min and $max are literals, #b and #s
// the width and the position of the sign. Saturating operators have one more bit of room.
var unsignedOps = map[ir.Op]string{
	ir.Abs: "$a",
	ir.Div: "(ite (= $b $0) $0 (bvudiv $a $b))", ir.Mod: "(ite (= $b $0) $0 (bvurem $a $b))",
	ir.Min: "(ite (bvult $b $a) $b $a)", ir.Max: "(ite (bvult $a $b) $b $a)",
	ir.Shr:    "(bvlshr $a $b)",
	ir.SatAdd: "(ite (bvult (bvadd $a $b) $a) $max (bvadd $a $b))",
	ir.SatSub: "(ite (bvult $a $b) $0 (bvsub $a $b))",
	ir.Lt:     "(bvult $a $b)", ir.Le: "(bvule $a $b)", ir.Gt: "(bvugt $a $b)", ir.Ge: "(bvuge $a $b)",
}

var signedOps = map[ir.Op]string{
	ir.Abs: "(ite (bvslt $a $0) (bvneg $a) $a)",
	ir.Div: "(ite (= $b $0) $0 (ite (bvslt (bvsrem $a $b) $0) (ite (bvslt $b $0) (bvadd (bvsdiv $a $b) $1) (bvsub (bvsdiv $a $b) $1)) (bvsdiv $a $b)))",
	ir.Mod: "(ite (= $b $0) $0 (ite (bvslt (bvsrem $a $b) $0) (ite (bvslt $b $0) (bvsub (bvsrem $a $b) $b) (bvadd (bvsrem $a $b) $b)) (bvsrem $a $b)))",
	ir.Min: "(ite (bvslt $b $a) $b $a)", ir.Max: "(ite (bvslt $a $b) $b $a)",
	ir.Shr:    "(bvashr $a $b)",
	ir.SatAdd: saturated("bvadd"), ir.SatSub: saturated("bvsub"),
	ir.Lt: "(bvslt $a $b)", ir.Le: "(bvsle $a $b)", ir.Gt: "(bvsgt $a $b)", ir.Ge: "(bvsge $a $b)",
}

// saturated computes with one more bit: the two topmost bits differ where the result does
// not fit, and the topmost is then its sign.
func saturated(op string) string {
	return "(let ((s (" + op + " ((_ sign_extend 1) $a) ((_ sign_extend 1) $b))))" +
		" (ite (= ((_ extract #b #b) s) ((_ extract #s #s) s)) ((_ extract #s 0) s) (ite (= ((_ extract #b #b) s) #b1) $min $max)))"
}

func (w *writer) onWord(e ir.Expr) string {
	t := e.Arg(0).Type()
	s, ok := wordOps[e.Op()]
	if !ok && t.IsSigned() {
		s, ok = signedOps[e.Op()]
	} else if !ok {
		s, ok = unsignedOps[e.Op()]
	}
	b := t.Bits()
	switch e.Op() {
	case ir.Gcd:
		return w.function("gcd", e)
	case ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse:
		return countedBits(e.Op(), b, name(e.Arg(0)))
	}
	if !ok {
		return w.refuse("%s of %s", e.Op(), t)
	}
	s = strings.NewReplacer("#b1", "#b1", "#b", fmt.Sprint(b), "#s", fmt.Sprint(b-1),
		"$0", bitText(b, 0), "$1", bitText(b, 1), "$min", bitText(b, t.Min()), "$max", bitText(b, t.Max())).Replace(s)
	return fill(e, s)
}

// countedBits is an operator on the bits of a word a.
func countedBits(op ir.Op, width int, a string) string {
	bit := func(i int) string { return fmt.Sprintf("((_ extract %d %d) %s)", i, i, a) }
	if op == ir.BitReverse {
		text := "(concat"
		for i := range width {
			text += " " + bit(i)
		}
		return text + ")"
	}
	text := bitText(width, 0)
	if op != ir.PopCount {
		text = bitText(width, uint64(width))
	}
	for i := range width {
		switch op {
		case ir.PopCount:
			text = fmt.Sprintf("(bvadd ((_ zero_extend %d) %s) %s)", width-1, bit(i), text)
		case ir.Clz: // the highest bit decides first
			text = fmt.Sprintf("(ite (= %s #b1) %s %s)", bit(i), bitText(width, uint64(width-1-i)), text)
		default:
			text = fmt.Sprintf("(ite (= %s #b1) %s %s)", bit(width-1-i), bitText(width, uint64(width-1-i)), text)
		}
	}
	return text
}
