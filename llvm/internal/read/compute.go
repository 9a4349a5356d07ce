package read

import (
	"math"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// compute reads an instruction whose operands are scalars.
func (r *reader) compute(in *syntax.Inst, args []value) value {
	if in.Op == "select" {
		return r.choose(in, args[0], args[1], args[2])
	}
	e, why := r.term(in, args)
	if why != nil {
		return r.opaque(in, args, why)
	}
	return r.flagged(in, strict(e, args...), args)
}

// term is the expression that an instruction computes, or why there is none.
func (r *reader) term(in *syntax.Inst, args []value) (ir.Expr, *Obstacle) {
	a := args[0].e
	t := a.Type()
	switch in.Op {
	case "icmp", "fcmp":
		return r.comparison(in, a, args[1].e)
	case "fneg":
		return ir.NegOf(a), nil
	case "trunc", "zext", "sext", "fptrunc", "fpext", "sitofp", "uitofp", "fptosi", "fptoui":
		return r.cast(in, a)
	case "bitcast":
		if to, ok := r.scalar(in.Type); ok && to == t {
			return a, nil
		}
	case "shl", "lshr", "ashr":
		return r.shift(in, a, args[1].e)
	case "udiv", "urem", "sdiv", "srem":
		return r.division(in, a, args[1].e)
	case "and", "or", "xor", "add", "sub", "mul", "fadd", "fsub", "fmul", "fdiv":
		if t == ir.Bool {
			return r.logic(in, a, args[1].e)
		}
		b := args[1].e
		if in.Op == "xor" && b.Op() == ir.Const && t.Wrap(b.Value()) == t.Wrap(^uint64(0)) {
			return ir.Make(ir.BitNot, a), nil
		}
		op := map[string]ir.Op{"and": ir.BitAnd, "or": ir.BitOr, "xor": ir.BitXor, "add": ir.Add, "sub": ir.Sub, "mul": ir.Mul,
			"fadd": ir.Add, "fsub": ir.Sub, "fmul": ir.Mul, "fdiv": ir.Div}[in.Op]
		return ir.Make(op, a, b), nil
	}
	return ir.Expr{}, stop(Unread, in, "%s", in.Op)
}

// logic reads operations of bits that are conditions.
func (r *reader) logic(in *syntax.Inst, a, b ir.Expr) (ir.Expr, *Obstacle) {
	switch in.Op {
	case "and", "mul":
		return ir.AndOf(a, b), nil
	case "or":
		return ir.OrOf(a, b), nil
	}
	if b.Op() == ir.Const { // xor, add and sub of one bit are one
		if b.Value() != 0 {
			return ir.NotOf(a), nil
		}
		return a, nil
	}
	return ir.Make(ir.Ne, a, b), nil
}

// comparison reads icmp and fcmp. Of floats that are compared "unordered" the result is true where one is NaN.
func (r *reader) comparison(in *syntax.Inst, a, b ir.Expr) (ir.Expr, *Obstacle) {
	if a.Type() == ir.Bool && in.Pred != "eq" && in.Pred != "ne" {
		a, b = ir.CastTo(ir.U8, a), ir.CastTo(ir.U8, b)
		if in.Pred[0] == 's' { // true is -1
			a, b = b, a
		}
	}
	if a.Type().IsInt() {
		switch in.Pred[0] {
		case 'u':
			a, b = unsigned(a), unsigned(b)
		case 's':
			a, b = signed(a), signed(b)
		}
	}
	nan := func(e ir.Expr) ir.Expr { return ir.Make(ir.IsNaN, e) }
	switch in.Pred {
	case "eq", "oeq":
		return ir.EqOf(a, b), nil
	case "ne", "une":
		return ir.Make(ir.Ne, a, b), nil
	case "ult", "ule", "ugt", "uge":
		if a.Type().IsFloat() {
			return ir.NotOf(less(map[string]string{"ult": "oge", "ule": "ogt", "ugt": "ole", "uge": "olt"}[in.Pred], a, b)), nil
		}
		return less(in.Pred, a, b), nil
	case "slt", "sle", "sgt", "sge", "olt", "ole", "ogt", "oge":
		return less(in.Pred, a, b), nil
	case "one":
		return ir.OrOf(ir.LtOf(a, b), ir.LtOf(b, a)), nil
	case "ueq":
		return ir.NotOf(ir.OrOf(ir.LtOf(a, b), ir.LtOf(b, a))), nil
	case "uno":
		if a == b || isNumber(b) {
			return nan(a), nil
		}
		return ir.OrOf(nan(a), nan(b)), nil
	case "ord":
		if a == b || isNumber(b) {
			return ir.NotOf(nan(a)), nil
		}
		return ir.NotOf(ir.OrOf(nan(a), nan(b))), nil
	}
	return ir.Expr{}, stop(Unread, in, "%s %s", in.Op, in.Pred)
}

// isNumber reports whether e is a literal that is not NaN.
func isNumber(e ir.Expr) bool {
	return e.Op() == ir.Const && !math.IsNaN(ir.Float(e.Type(), e.Value()))
}

// less reads a predicate by its last two letters.
func less(pred string, a, b ir.Expr) ir.Expr {
	switch pred[1:] {
	case "lt":
		return ir.LtOf(a, b)
	case "le":
		return ir.LeOf(a, b)
	case "gt":
		return ir.LtOf(b, a)
	}
	return ir.LeOf(b, a)
}

// cast reads conversions. A float that is out of the range of an integer becomes poison, so that one of the state is refused.
func (r *reader) cast(in *syntax.Inst, a ir.Expr) (ir.Expr, *Obstacle) {
	to, ok := r.scalar(in.Type)
	if !ok {
		return ir.Expr{}, stop(Unread, in, "%s to %s", in.Op, in.Type)
	}
	isBit := a.Type() == ir.Bool
	switch in.Op {
	case "trunc":
		if to == ir.Bool {
			one := r.pool.Int(a.Type(), 1)
			return ir.EqOf(ir.Make(ir.BitAnd, a, one), one), nil
		}
		return ir.CastTo(to, a), nil
	case "zext", "uitofp":
		return ir.CastTo(to, unsigned(a)), nil
	case "sext", "sitofp":
		if isBit {
			return ir.SelectOf(a, r.number(to, -1), r.number(to, 0)), nil
		}
		return ir.CastTo(to, signed(a)), nil
	case "fptrunc", "fpext":
		return ir.CastTo(to, a), nil
	}
	return ir.Expr{}, stop(FloatToInt, in, "%s", in.Op)
}

func (r *reader) number(t ir.Type, n int64) ir.Expr { return r.pool.Int(t, n) }

// shift reads a shift by less than the width. By the width and more the result is poison.
func (r *reader) shift(in *syntax.Inst, a, by ir.Expr) (ir.Expr, *Obstacle) {
	width := int64(a.Type().Bits())
	if a.Type() == ir.Bool {
		return ir.Expr{}, stop(Unread, in, "%s of a bit", in.Op)
	}
	inside := func(count interval.Interval) bool { return count.Lo >= 0 && count.Hi < width }
	if !inside(interval.Of(by, nil)) && !inside(interval.Of(unsigned(by), nil)) {
		return ir.Expr{}, stop(Shift, in, "%s", in.Op)
	}
	switch in.Op {
	case "shl":
		return ir.Make(ir.Shl, a, by), nil
	case "lshr":
		return ir.CastTo(a.Type(), ir.Make(ir.Shr, unsigned(a), unsigned(by))), nil
	}
	return ir.CastTo(a.Type(), ir.Make(ir.Shr, signed(a), signed(by))), nil
}

// division reads a division by a literal that is neither 0 nor, of signed numbers, −1: by other numbers it may end the
// program, and must not be computed where the loop does not compute it.
func (r *reader) division(in *syntax.Inst, a, b ir.Expr) (ir.Expr, *Obstacle) {
	t := a.Type()
	if t == ir.Bool || b.Op() != ir.Const || b.Value() == 0 || t.Wrap(b.Value()) == t.Wrap(^uint64(0)) {
		return ir.Expr{}, stop(Division, in, "%s", in.Op)
	}
	switch in.Op {
	case "udiv":
		return ir.CastTo(t, ir.DivOf(unsigned(a), unsigned(b))), nil
	case "urem":
		return ir.CastTo(t, ir.ModOf(unsigned(a), unsigned(b))), nil
	case "sdiv":
		return ir.CastTo(t, program.Derive("quo", signed(a), signed(b))), nil
	}
	return ir.CastTo(t, program.Derive("rem", signed(a), signed(b))), nil
}

// choose reads a select. It is poison where its condition is, or what it selects.
func (r *reader) choose(in *syntax.Inst, c, a, b value) value {
	if c.e.Type() != ir.Bool {
		return r.opaque(in, []value{c, a, b}, stop(Unread, in, "select of a vector"))
	}
	v := r.gate(in, c.e, c.state, c.steady, a, b)
	v.poison = v.poison.union(c.poison)
	if v.isScalar() {
		return r.flagged(in, v, []value{v})
	}
	return v
}

// gate is a where a condition holds, and b elsewhere.
func (r *reader) gate(in *syntax.Inst, cond ir.Expr, state, steady bool, a, b value) value {
	out := value{state: state || a.state || b.state, steady: steady && a.steady && b.steady, poison: a.poison.intersect(b.poison)}
	switch {
	case a.isScalar() && b.isScalar() && a.e.Type() == b.e.Type():
		out.e = selected(cond, a.e, b.e)
	case a.ptr != nil && b.ptr != nil && a.ptr.is(b.ptr):
		return a
	case a.ptr != nil && b.ptr != nil:
		out.ptr = &pointer{cond: cond, a: a.ptr, b: b.ptr}
	case len(a.agg) > 0 && len(a.agg) == len(b.agg):
		for i := range a.agg {
			out.agg = append(out.agg, r.gate(in, cond, state, steady, a.agg[i], b.agg[i]))
		}
	default:
		return r.opaque(in, []value{{state: state, steady: steady}, a, b}, firstBad([]value{a, b}, in))
	}
	return out
}

// selected is select(c, a, b), of conditions in their own words.
func selected(c, a, b ir.Expr) ir.Expr {
	switch {
	case a == b:
		return a
	case a.Type() == ir.Bool && b.IsConst(0):
		return ir.AndOf(c, a)
	case a.Type() == ir.Bool && a.IsConst(1):
		return ir.OrOf(c, b)
	case a.Type() == ir.Bool && a.IsConst(0):
		return ir.AndOf(ir.NotOf(c), b)
	case a.Type() == ir.Bool && b.IsConst(1):
		return ir.OrOf(ir.NotOf(c), a)
	case c.Op() == ir.Not:
		return ir.SelectOf(c.Arg(0), b, a)
	}
	return ir.SelectOf(c, a, b)
}
