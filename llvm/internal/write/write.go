// Package write prints expressions over integers and conditions as instructions of LLVM IR.
//
//	max(x0, y0) + 1   →   %t0 = call i32 @llvm.smax.i32(i32 %x0, i32 %y0)
//	                      %t1 = add i32 %t0, 1
//
// The instructions give the value that the evaluator of package ir gives, and never poison where their operands are none: no
// instruction has a flag, counts of shifts are bounded, and divisors are not zero.
package write

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Printer prints the instructions of a block.
type Printer struct {
	Body     strings.Builder
	Name     func(v ir.Expr) string // of a variable, with %
	declared map[string]bool
	known    map[ir.Expr]string
	count    int
}

// unwritten is the panic for an expression that is not printed.
type unwritten struct{ what string }

// maxInstructions bounds what is printed.
const maxInstructions = 2000

// Operands prints instructions that compute expressions, and returns the operands that name their results. Floats, calls,
// and divisions by what may be negative are errors.
func (p *Printer) Operands(es []ir.Expr) (operands []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unwritten)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s is not written as IR", u.what)
		}
	}()
	if p.known == nil {
		p.known, p.declared = map[ir.Expr]string{}, map[string]bool{}
	}
	ir.Walk(es, func(e ir.Expr) { // operands come first
		if _, ok := p.known[e]; !ok {
			p.known[e] = p.term(e)
		}
	})
	for _, e := range es {
		operands = append(operands, p.known[e])
	}
	return operands, nil
}

// Declarations returns declarations of the intrinsics that are called.
func (p *Printer) Declarations() string {
	return strings.Join(slices.Sorted(maps.Keys(p.declared)), "")
}

// Type is the type of LLVM that an integer or a condition has.
func Type(t ir.Type) (string, bool) {
	switch {
	case t == ir.Bool:
		return "i1", true
	case t.IsInt():
		return fmt.Sprintf("i%d", t.Bits()), true
	}
	return "", false
}

func typeOf(e ir.Expr) string {
	t, ok := Type(e.Type())
	if !ok {
		panic(unwritten{e.Type().String()})
	}
	return t
}

// Line prints an instruction, and returns its result.
func (p *Printer) Line(format string, args ...any) string {
	if p.count++; p.count > maxInstructions {
		panic(unwritten{"more than " + fmt.Sprint(maxInstructions) + " instructions"})
	}
	result := fmt.Sprintf("%%t%d", p.count-1)
	fmt.Fprintf(&p.Body, "  %s = %s\n", result, fmt.Sprintf(format, args...))
	return result
}

// call prints a call of an intrinsic, whose first operands have the type of its result; more are literals of i1.
func (p *Printer) call(name, typ string, operands []string, more ...string) string {
	var params, args []string
	for _, a := range operands {
		params, args = append(params, typ), append(args, typ+" "+a)
	}
	for _, a := range more {
		params, args = append(params, "i1"), append(args, "i1 "+a)
	}
	callee := fmt.Sprintf("@llvm.%s.%s", name, typ)
	p.declared[fmt.Sprintf("declare %s %s(%s)\n", typ, callee, strings.Join(params, ", "))] = true
	return p.Line("call %s %s(%s)", typ, callee, strings.Join(args, ", "))
}

// plain are the operations that are one instruction of the same meaning.
var plain = map[ir.Op]string{ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul", ir.And: "and", ir.Or: "or", ir.BitAnd: "and", ir.BitOr: "or", ir.BitXor: "xor"}

// comparisons are predicates without the letter for the sign.
var comparisons = map[ir.Op]string{ir.Eq: "eq", ir.Ne: "ne", ir.Lt: "lt", ir.Le: "le", ir.Gt: "gt", ir.Ge: "ge"}

// counts are the intrinsics of bits.
var counts = map[ir.Op]string{ir.PopCount: "ctpop", ir.Clz: "ctlz", ir.Ctz: "cttz", ir.BitReverse: "bitreverse"}

// extrema are intrinsics without the letter for the sign.
var extrema = map[ir.Op]string{ir.Min: "min", ir.Max: "max", ir.SatAdd: "add.sat", ir.SatSub: "sub.sat"}

// term prints one operation.
func (p *Printer) term(e ir.Expr) string {
	typ := typeOf(e)
	var a []string
	for i := range e.NumArgs() {
		a = append(a, p.known[e.Arg(i)])
	}
	sign := func(t ir.Type) string {
		if t.IsSigned() {
			return "s"
		}
		return "u"
	}
	switch op := e.Op(); op {
	case ir.Const:
		return literal(e.Type(), e.Value())
	case ir.Var:
		return p.Name(e)
	case ir.Neg:
		return p.Line("sub %s 0, %s", typ, a[0])
	case ir.Not:
		return p.Line("xor i1 %s, true", a[0])
	case ir.BitNot:
		return p.Line("xor %s %s, -1", typ, a[0])
	case ir.Abs:
		if !e.Type().IsSigned() {
			return a[0]
		}
		return p.call("abs", typ, a, "false")
	case ir.PopCount, ir.BitReverse:
		return p.call(counts[op], typ, a)
	case ir.Clz, ir.Ctz:
		return p.call(counts[op], typ, a, "false")
	case ir.Cast:
		return p.cast(e, typ, a[0])
	case ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.BitAnd, ir.BitOr, ir.BitXor:
		return p.Line("%s %s %s, %s", plain[op], typ, a[0], a[1])
	case ir.Min, ir.Max, ir.SatAdd, ir.SatSub:
		return p.call(sign(e.Type())+extrema[op], typ, a)
	case ir.Div, ir.Mod:
		return p.division(e, typ, a)
	case ir.Shl, ir.Shr:
		return p.shift(e, typ, a)
	case ir.Eq, ir.Ne:
		return p.Line("icmp %s %s %s, %s", comparisons[op], typeOf(e.Arg(0)), a[0], a[1])
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
		return p.Line("icmp %s%s %s %s, %s", sign(e.Arg(0).Type()), comparisons[op], typeOf(e.Arg(0)), a[0], a[1])
	case ir.Select:
		return p.Line("select i1 %s, %s %s, %s %s", a[0], typ, a[1], typ, a[2])
	}
	panic(unwritten{e.Op().String()})
}

func literal(t ir.Type, bits uint64) string {
	if t == ir.Bool {
		return fmt.Sprint(bits != 0)
	}
	shift := 64 - t.Bits()
	return fmt.Sprint(int64(bits) << shift >> shift)
}

// cast prints a conversion between integers and conditions.
func (p *Printer) cast(e ir.Expr, typ, a string) string {
	from, to := e.Arg(0).Type(), e.Type()
	of := typeOf(e.Arg(0))
	switch {
	case from == to, from.IsInt() && to.IsInt() && from.Bits() == to.Bits():
		return a
	case to == ir.Bool:
		return p.Line("icmp ne %s %s, 0", of, a)
	case from == ir.Bool, from.Bits() < to.Bits() && from.IsUnsigned():
		return p.Line("zext %s %s to %s", of, a, typ)
	case from.Bits() < to.Bits():
		return p.Line("sext %s %s to %s", of, a, typ)
	}
	return p.Line("trunc %s %s to %s", of, a, typ)
}

// shift prints a shift whose count may be past the width: the result is 0 then, or the sign.
func (p *Printer) shift(e ir.Expr, typ string, a []string) string {
	width := e.Type().Bits()
	if c := e.Arg(1); c.Op() == ir.Const && c.Type().Unsigned().Wrap(c.Value()) < uint64(width) {
		return p.Line("%s %s %s, %s", shiftOf(e), typ, a[0], a[1])
	}
	if shiftOf(e) == "ashr" {
		return p.Line("ashr %s %s, %s", typ, a[0], p.call("umin", typ, []string{a[1], fmt.Sprint(width - 1)}))
	}
	inside := p.Line("icmp ult %s %s, %d", typ, a[1], width)
	shifted := p.Line("%s %s %s, %s", shiftOf(e), typ, a[0], p.Line("and %s %s, %d", typ, a[1], width-1))
	return p.Line("select i1 %s, %s %s, %s 0", inside, typ, shifted, typ)
}

func shiftOf(e ir.Expr) string {
	switch {
	case e.Op() == ir.Shl:
		return "shl"
	case e.Type().IsSigned():
		return "ashr"
	}
	return "lshr"
}

// division prints a Euclidean division of numbers without sign, or by a literal that is positive.
func (p *Printer) division(e ir.Expr, typ string, a []string) string {
	by, t := e.Arg(1), e.Type()
	op := map[ir.Op]string{ir.Div: "div", ir.Mod: "rem"}[e.Op()]
	isPositive := by.Op() == ir.Const && by.Value() != 0 && (t.IsUnsigned() || by.Int() > 0)
	switch {
	case t.IsUnsigned() && isPositive:
		return p.Line("u%s %s %s, %s", op, typ, a[0], a[1])
	case t.IsUnsigned(): // by 0 it is 0
		zero := p.Line("icmp eq %s %s, 0", typ, a[1])
		divisor := p.Line("select i1 %s, %s 1, %s %s", zero, typ, typ, a[1])
		return p.Line("select i1 %s, %s 0, %s %s", zero, typ, typ, p.Line("u%s %s %s, %s", op, typ, a[0], divisor))
	case !isPositive:
		panic(unwritten{"a division by what is not a positive literal"})
	}
	rest := p.Line("srem %s %s, %s", typ, a[0], a[1])
	negative := p.Line("icmp slt %s %s, 0", typ, rest)
	if op == "rem" {
		return p.Line("select i1 %s, %s %s, %s %s", negative, typ, p.Line("add %s %s, %s", typ, rest, a[1]), typ, rest)
	}
	quotient := p.Line("sdiv %s %s, %s", typ, a[0], a[1])
	return p.Line("select i1 %s, %s %s, %s %s", negative, typ, p.Line("sub %s %s, 1", typ, quotient), typ, quotient)
}
