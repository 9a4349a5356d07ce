package ir

import "math"

// elaborator turns syntax into typed expressions.
type elaborator struct {
	*tree
	pool    *Pool
	mixed   bool                       // a program: operands of mixed types promote
	guesses []guess                    // by node
	resolve func(n int32) (Type, Expr) // a synName, synCall or synIndex: its type, and for a name the expression
	missing func(n int32)              // reports a name that resolve does not know
}

func (l *elaborator) typeOfName(n int32) Type {
	t, _ := l.resolve(n)
	return t
}

// want is node n as an expression of type t: cast to it in a program, an error otherwise.
func (l *elaborator) want(n int32, t Type) Expr {
	e := l.expr(n, t)
	if !e.IsValid() || e.Type() == t || t == Invalid {
		return e
	}
	if l.mixed {
		return CastTo(t, e)
	}
	l.errorf(l.start(n), "this is %s where %s is wanted: cast it", e.Type(), t)
	return Expr{}
}

// start is the leftmost position of node n.
func (l *elaborator) start(n int32) Pos {
	s := &l.nodes[n]
	if s.kind == synIndex || s.kind == synOp && (s.op.Prec() > 0) {
		return min(l.start(s.a), Pos(s.pos))
	}
	return Pos(s.pos)
}

// expr is node n as an expression; literals take the type want, or a default where that
// is Invalid. The zero Expr means that an error was reported.
func (l *elaborator) expr(n int32, want Type) Expr {
	s := &l.nodes[n]
	switch s.kind {
	case synNum:
		return l.number(s, l.guesses[n].orDefault(want))
	case synLimit:
		return l.limit(s, l.guesses[n].orDefault(want))
	case synBool:
		return l.pool.Bool(s.a == 1)
	case synName, synCall, synIndex:
		return l.named(n)
	case synCast:
		if a := l.expr(s.a, s.typ); a.IsValid() {
			return CastTo(s.typ, a)
		}
	case synPow:
		return l.pow(n, want)
	case synWiden:
		return l.widen(s)
	case synOp:
		return l.op(n, want)
	}
	return Expr{}
}

func (l *elaborator) number(s *syn, t Type) Expr {
	text := l.src.Text[s.a:s.b]
	num, ok := readNumber(text, s.neg)
	if !ok {
		l.errorf(Pos(s.pos), "%q is not a number", text)
		return Expr{}
	}
	var v uint64
	var problem string
	if t.IsFloat() {
		v, problem = num.inFloat(t)
	} else {
		v, problem = num.inInt(t, l.mixed)
	}
	if problem != "" {
		sign := ""
		if s.neg {
			sign = "-"
		}
		l.errorf(Pos(s.pos), "%s%s %s", sign, text, problem)
		return Expr{}
	}
	return l.pool.Const(t, v)
}

func (l *elaborator) limit(s *syn, t Type) Expr {
	switch s.a {
	case limitMin:
		return l.pool.Const(t, t.Min())
	case limitMax:
		return l.pool.Const(t, t.Max())
	}
	if !t.IsFloat() {
		l.errorf(Pos(s.pos), "%s has no infinity and no NaN", t)
		return Expr{}
	}
	switch {
	case s.a == limitNaN:
		return l.pool.Const(t, FloatBits(t, math.NaN()))
	case s.neg:
		return l.pool.Const(t, t.Min())
	}
	return l.pool.Const(t, t.Max())
}

// named is a variable, a call or a component of one.
func (l *elaborator) named(n int32) Expr {
	t, e := l.resolve(n)
	if e.IsValid() {
		return e
	}
	inner, index, _ := l.unindexed(n)
	s := &l.nodes[inner]
	if t == Invalid {
		l.missing(n)
		return Expr{}
	}
	if s.kind != synCall {
		l.errorf(Pos(l.nodes[n].pos), "an index needs a call or a tuple before it")
		return Expr{}
	}
	args := make([]Expr, 0, 4)
	ok := true
	for _, k := range l.kids(inner) {
		a := l.want(k, l.argType(k))
		ok = ok && a.IsValid()
		args = append(args, a)
	}
	if !ok {
		return Expr{}
	}
	return l.pool.Call(t, l.names[s.a], index, args...)
}

// argType is the type of an argument of a call: coordinates are i32 in a program.
func (l *elaborator) argType(n int32) Type {
	if l.mixed {
		return I32
	}
	return l.guesses[n].orDefault(I32)
}

func (l *elaborator) widen(s *syn) Expr {
	t := l.joinOf(s.a, s.b).orDefault(Invalid)
	w := widened(s.op, t)
	if w == Invalid {
		l.errorf(Pos(s.pos), "there is no type wider than %s", t)
		return Expr{}
	}
	a, b := l.want(s.a, t), l.want(s.b, t)
	if !a.IsValid() || !b.IsValid() {
		return Expr{}
	}
	return Make(s.op, CastTo(w, a), CastTo(w, b))
}

// MaxPow is the largest literal exponent of an integer power.
const MaxPow = 64

// literalExponent is the exponent of a pow, where it is an integer literal ≥ 0.
func (l *elaborator) literalExponent(s *syn) (uint64, bool) {
	e := &l.nodes[s.b]
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

func (l *elaborator) pow(n int32, want Type) Expr {
	s := &l.nodes[n]
	t := l.guesses[n].orDefault(want)
	exponent, literal := l.literalExponent(s)
	switch {
	case t.IsFloat():
		a, b := l.want(s.a, t), l.want(s.b, t)
		return l.make(Pos(s.pos), Pow, a, b)
	case !literal:
		l.errorf(Pos(s.pos), "pow of %s needs a literal exponent of 0 to %d: cast the base to f32 or f64", t, MaxPow)
	case exponent > MaxPow:
		l.errorf(Pos(l.nodes[s.b].pos), "exponent %d is more than %d: cast the base to f32 or f64", exponent, MaxPow)
	case !t.IsInt():
		l.errorf(Pos(s.pos), "pow does not take %s", t)
	default:
		if a := l.want(s.a, t); a.IsValid() {
			return PowInt(a, int(exponent))
		}
	}
	return Expr{}
}

// op is an operator of operands that meet in one type.
func (l *elaborator) op(n int32, want Type) Expr {
	s := &l.nodes[n]
	switch {
	case isLogical(s.op):
		a := l.expr(s.a, Bool)
		if s.op == Not {
			return l.make(Pos(s.pos), Not, a)
		}
		return l.make(Pos(s.pos), s.op, a, l.expr(s.b, Bool))
	case s.op == IsNaN:
		return l.make(Pos(s.pos), IsNaN, l.expr(s.a, l.guesses[s.a].orDefault(F64)))
	case s.op == Select:
		return l.selection(n, want)
	case s.op.IsComparison():
		t := l.joinOf(s.a, s.b).orDefault(Invalid)
		return l.compare(s, l.expr(s.a, t), l.expr(s.b, t), t)
	}
	t := l.guesses[n].orDefault(want)
	l.intDivision(s, t)
	a := l.operand(s, s.a, t)
	if s.op.Arity() == 1 {
		return l.make(Pos(s.pos), s.op, a)
	}
	b := l.operand(s, s.b, t)
	return l.make(Pos(s.pos), onBool(s.op, t), a, b)
}

// operand is an operand of a node whose operands meet in type t.
func (l *elaborator) operand(s *syn, n int32, t Type) Expr {
	e := l.expr(n, t)
	if l.mixed && e.IsValid() {
		return CastTo(t, e)
	}
	return e
}

// compare compares two operands that meet in type t.
func (l *elaborator) compare(s *syn, a, b Expr, t Type) Expr {
	if l.mixed && a.IsValid() && b.IsValid() {
		a, b = CastTo(t, a), CastTo(t, b)
	}
	return l.make(Pos(s.pos), s.op, a, b)
}

func (l *elaborator) selection(n int32, want Type) Expr {
	s := &l.nodes[n]
	t := l.guesses[n].orDefault(want)
	c := l.expr(s.a, Bool)
	a, b := l.operand(s, s.b, t), l.operand(s, s.c, t)
	return l.make(Pos(s.pos), Select, c, a, b)
}

// intDivision refuses 1/2 where C++ computes 0 and the type around it would make it 0.5.
func (l *elaborator) intDivision(s *syn, t Type) {
	if l.mixed && s.op == Div && t.IsFloat() && l.guesses[s.a] == intLiteral && l.guesses[s.b] == intLiteral {
		l.errorf(Pos(s.pos), "a quotient of integer literals in %s: write 1.0f/2", t)
	}
}

// onBool: on bool & | ^ are the logical operators.
func onBool(op Op, t Type) Op {
	if t == Bool {
		switch op {
		case BitAnd:
			return And
		case BitOr:
			return Or
		case BitXor:
			return Ne
		}
	}
	return op
}

// make applies an operator, or reports why it cannot be.
func (l *elaborator) make(pos Pos, op Op, args ...Expr) Expr {
	var types [3]Type
	for i, a := range args {
		if !a.IsValid() {
			return Expr{}
		}
		types[i] = a.Type()
	}
	if _, err := CheckTypes(op, types[:len(args)]...); err != nil {
		l.errorf(pos, "%s", err)
		return Expr{}
	}
	return Make(op, args...)
}
