package program

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// elaborator turns syntax into typed expressions.
type elaborator struct {
	*tree
	pool    *ir.Pool
	mixed   bool    // a program: operands of mixed types promote
	guesses []guess // by node
	locals  map[localUse]ir.Expr
	resolve func(n int32) (ir.Type, ir.Expr) // a synName, synCall or synIndex: its type, and for a name the expression
	missing func(n int32)                    // reports a name that resolve does not know
}

func (l *elaborator) typeOfName(n int32) ir.Type {
	t, _ := l.resolve(n)
	return t
}

// want is node n as an expression of type t: cast to it in a program, an error otherwise.
func (l *elaborator) want(n int32, t ir.Type) ir.Expr {
	e := l.expr(n, t)
	if !e.IsValid() || e.Type() == t || t == ir.Invalid {
		return e
	}
	if l.mixed {
		return ir.CastTo(t, e)
	}
	cast := ir.CastTo(t, e).String()
	if e.Type() == ir.Bool {
		cast = fmt.Sprintf("select(%s, 1, 0)", e)
	}
	l.errorf(l.start(n), "this is %s where %s is wanted: cast it, as in %s", e.Type(), t, cast)
	return ir.Expr{}
}

// start is the leftmost position of node n.
func (l *elaborator) start(n int32) ir.Pos {
	s := &l.nodes[n]
	if s.kind == synIndex || s.kind == synOp && (s.op.Prec() > 0) {
		return min(l.start(s.a), ir.Pos(s.pos))
	}
	return ir.Pos(s.pos)
}

// expr is node n as an expression; literals take the type want, or a default where that
// is Invalid. The zero Expr means that an error was reported.
func (l *elaborator) expr(n int32, want ir.Type) ir.Expr {
	s := &l.nodes[n]
	switch s.kind {
	case synNum:
		return l.number(s, l.guesses[n].orDefault(want), false)
	case synLimit:
		return l.limit(s, l.guesses[n].orDefault(want))
	case synBool:
		return l.pool.Bool(s.a == 1)
	case synName, synCall, synIndex:
		return l.named(n)
	case synLocal:
		return l.local(s.a, want)
	case synCast:
		if a := l.castOperand(s.a, s.typ); a.IsValid() {
			return ir.CastTo(s.typ, a)
		}
	case synPow:
		return l.pow(n, want)
	case synWiden:
		return l.widen(s)
	case synOp:
		return l.op(n, want)
	case synDerived:
		return l.derived(n, want)
	case synTable:
		return l.table(n, want)
	}
	return ir.Expr{}
}

// castOperand is the operand of a cast to t: of an integer literal the value that it wraps to.
func (l *elaborator) castOperand(n int32, t ir.Type) ir.Expr {
	if s := &l.nodes[n]; s.kind == synNum && t.IsInt() && l.guesses[n] == intLiteral {
		return l.number(s, t, true)
	}
	return l.expr(n, t)
}

// number is a literal of type t. An integer that is no value of t is an error, unless it is cast.
func (l *elaborator) number(s *syn, t ir.Type, cast bool) ir.Expr {
	text := l.src.Text[s.a:s.b]
	num, ok := readNumber(text, s.neg)
	if !ok {
		l.errorf(ir.Pos(s.pos), "%q is not a number", text)
		return ir.Expr{}
	}
	var v uint64
	var problem string
	switch {
	case t.IsFloat():
		v, problem = num.inFloat(t)
	case l.mixed && num.isOctal():
		problem = "is octal in C++: write it in decimal"
	default:
		v, problem = num.inInt(t, cast)
	}
	if problem != "" {
		sign := ""
		if s.neg {
			sign = "-"
		}
		l.errorf(ir.Pos(s.pos), "%s%s %s", sign, text, problem)
		return ir.Expr{}
	}
	return l.pool.Const(t, v)
}

func (l *elaborator) limit(s *syn, t ir.Type) ir.Expr {
	switch s.a {
	case limitMin:
		return l.pool.Const(t, t.Min())
	case limitMax:
		return l.pool.Const(t, t.Max())
	}
	if !t.IsFloat() {
		l.errorf(ir.Pos(s.pos), "%s has no infinity and no NaN", t)
		return ir.Expr{}
	}
	switch {
	case s.a == limitNaN:
		return l.pool.Const(t, ir.FloatBits(t, math.NaN()))
	case s.neg:
		return l.pool.Const(t, t.Min())
	}
	return l.pool.Const(t, t.Max())
}

// named is a variable, a call or a component of one.
func (l *elaborator) named(n int32) ir.Expr {
	t, e := l.resolve(n)
	if e.IsValid() {
		return e
	}
	inner, index, _ := l.unindexed(n)
	s := &l.nodes[inner]
	if t == ir.Invalid {
		l.missing(n)
		return ir.Expr{}
	}
	if s.kind != synCall {
		l.errorf(ir.Pos(l.nodes[n].pos), "an index needs a call or a tuple before it")
		return ir.Expr{}
	}
	args := make([]ir.Expr, 0, 4)
	ok := true
	for _, k := range l.kids(inner) {
		a := l.want(k, l.argType(k))
		ok = ok && a.IsValid()
		args = append(args, a)
	}
	if !ok {
		return ir.Expr{}
	}
	return l.pool.Call(t, l.names[s.a], index, args...)
}

// argType is the type of an argument of a call: coordinates are i32 in a program.
func (l *elaborator) argType(n int32) ir.Type {
	if l.mixed {
		return ir.I32
	}
	return l.guesses[n].orDefault(ir.I32)
}

func (l *elaborator) widen(s *syn) ir.Expr {
	t := l.joinOf(s.a, s.b).orDefault(ir.Invalid)
	w := widened(s.op, t)
	if w == ir.Invalid {
		l.errorf(ir.Pos(s.pos), "there is no type wider than %s", t)
		return ir.Expr{}
	}
	a, b := l.want(s.a, t), l.want(s.b, t)
	if !a.IsValid() || !b.IsValid() {
		return ir.Expr{}
	}
	return ir.Make(s.op, ir.CastTo(w, a), ir.CastTo(w, b))
}

// MaxPow is the largest literal exponent of an integer power.
const MaxPow = 64

// literalExponent is the exponent of a pow, where it is an integer literal ≥ 0.
func (l *elaborator) literalExponent(s *syn) (uint64, bool) {
	e := &l.nodes[s.b]
	for e.kind == synLocal {
		e = &l.nodes[e.a]
	}
	if e.kind != synNum || e.neg {
		return 0, false
	}
	num, ok := readNumber(l.src.Text[e.a:e.b], false)
	if !ok || num.float {
		return 0, false
	}
	v, err := num.magnitude()
	return v, err == nil
}

func (l *elaborator) pow(n int32, want ir.Type) ir.Expr {
	s := &l.nodes[n]
	t := l.guesses[n].orDefault(want)
	exponent, literal := l.literalExponent(s)
	switch {
	case t.IsFloat():
		a, b := l.want(s.a, t), l.want(s.b, t)
		return l.make(ir.Pos(s.pos), ir.Pow, a, b)
	case !literal:
		l.errorf(ir.Pos(s.pos), "pow of %s needs a literal exponent of 0 to %d: cast the base to f32 or f64", t, MaxPow)
	case exponent > MaxPow:
		l.errorf(ir.Pos(l.nodes[s.b].pos), "exponent %d is more than %d: cast the base to f32 or f64", exponent, MaxPow)
	case !t.IsInt():
		l.errorf(ir.Pos(s.pos), "pow does not take %s", t)
	default:
		if a := l.want(s.a, t); a.IsValid() {
			return PowInt(a, int(exponent))
		}
	}
	return ir.Expr{}
}

// op is an operator of operands that meet in one type.
func (l *elaborator) op(n int32, want ir.Type) ir.Expr {
	s := &l.nodes[n]
	switch {
	case isLogical(s.op):
		a := l.expr(s.a, ir.Bool)
		if s.op == ir.Not {
			return l.make(ir.Pos(s.pos), ir.Not, a)
		}
		return l.make(ir.Pos(s.pos), s.op, a, l.expr(s.b, ir.Bool))
	case s.op == ir.IsNaN:
		return l.make(ir.Pos(s.pos), ir.IsNaN, l.expr(s.a, l.guesses[s.a].orDefault(ir.F64)))
	case s.op == ir.Select:
		return l.selection(n, want)
	case s.op.IsComparison():
		t := l.joinOf(s.a, s.b).orDefault(ir.Invalid)
		return l.compare(s, l.expr(s.a, t), l.expr(s.b, t), t)
	}
	t := l.guesses[n].orDefault(want)
	l.intDivision(s, t)
	a := l.operand(s.a, t)
	if s.op.Arity() == 1 {
		return l.make(ir.Pos(s.pos), s.op, a)
	}
	b := l.operand(s.b, t)
	return l.make(ir.Pos(s.pos), onBool(s.op, t), a, b)
}

// operand is an operand of a node whose operands meet in type t.
func (l *elaborator) operand(n int32, t ir.Type) ir.Expr {
	e := l.expr(n, t)
	if l.mixed && e.IsValid() {
		return ir.CastTo(t, e)
	}
	return e
}

// compare compares two operands that meet in type t.
func (l *elaborator) compare(s *syn, a, b ir.Expr, t ir.Type) ir.Expr {
	if l.mixed && a.IsValid() && b.IsValid() {
		a, b = ir.CastTo(t, a), ir.CastTo(t, b)
	}
	return l.make(ir.Pos(s.pos), s.op, a, b)
}

func (l *elaborator) selection(n int32, want ir.Type) ir.Expr {
	s := &l.nodes[n]
	t := l.guesses[n].orDefault(want)
	c := l.expr(s.a, ir.Bool)
	a, b := l.operand(s.b, t), l.operand(s.c, t)
	return l.make(ir.Pos(s.pos), ir.Select, c, a, b)
}

// intDivision refuses 1/2 where C++ computes 0 and the type around it would make it 0.5.
func (l *elaborator) intDivision(s *syn, t ir.Type) {
	if l.mixed && s.op == ir.Div && t.IsFloat() && l.guesses[s.a] == intLiteral && l.guesses[s.b] == intLiteral {
		l.errorf(ir.Pos(s.pos), "a quotient of integer literals in %s: write 1.0f/2", t)
	}
}

// onBool: on bool & | ^ are the logical operators.
func onBool(op ir.Op, t ir.Type) ir.Op {
	if t == ir.Bool {
		switch op {
		case ir.BitAnd:
			return ir.And
		case ir.BitOr:
			return ir.Or
		case ir.BitXor:
			return ir.Ne
		}
	}
	return op
}

// make applies an operator, or reports why it cannot be.
func (l *elaborator) make(pos ir.Pos, op ir.Op, args ...ir.Expr) ir.Expr {
	var types [3]ir.Type
	for i, a := range args {
		if !a.IsValid() {
			return ir.Expr{}
		}
		types[i] = a.Type()
	}
	if _, err := ir.CheckTypes(op, types[:len(args)]...); err != nil {
		l.errorf(pos, "%s%s", err, converted(op, args))
		return ir.Expr{}
	}
	return ir.Make(op, args...)
}

// converted is the end of the message that an operator does not take its operands: what it takes in place of one of them.
func converted(op ir.Op, args []ir.Expr) string {
	logical := isLogical(op)
	if op == ir.Select && args[0].Type() != ir.Bool {
		logical, args = true, args[:1]
	} else if op == ir.Select {
		args = args[1:]
	}
	first := args[0]
	for _, a := range slices.Backward(args) {
		switch t := a.Type(); {
		case logical && t != ir.Bool:
			return fmt.Sprintf(": %s is a condition", ir.Make(ir.Ne, a, a.Pool().Int(t, 0)))
		case !logical && t == ir.Bool && op != ir.Select && !(op.IsComparison() && op >= ir.Eq && args[len(args)-1].Type() == first.Type()):
			return fmt.Sprintf(": select(%s, 1, 0) is a number", a)
		case op.FloatsOnly() && t.IsInt():
			return fmt.Sprintf(": f32(%s) is a float", a)
		case t != first.Type() && (first.Op() == ir.Var && first.Kind() == ir.State || t != Promote(t, first.Type())):
			return fmt.Sprintf(", as in %s(%s)", first.Type(), a)
		case t != first.Type():
			return fmt.Sprintf(", as in %s(%s)", t, first)
		}
	}
	return ""
}
