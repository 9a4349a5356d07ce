package ir

import "strconv"

// Read reads the canonical notation: exactly what String writes. It returns the expression
// of pool that text stands for, or an *Error.
//
//	Read(pool, vars, I32, "max(x0 + 1, y0)")
//
// vars answers the variable of a name; nil knows none. A literal takes the type of the operand beside it, of
// the cast around it, or the type want; two literals that are compared are i32. The result
// has type want, unless that is Invalid. Opaque calls are not read.
//
// A text has at most MaxSource bytes, and MaxDepth operators or parentheses around one
// another. Read takes time linear in the text.
func Read(pool *Pool, vars func(name string) (Expr, bool), want Type, text string) (Expr, error) {
	r := &reader{src: &Source{Name: "expression", Text: text}, pool: pool, vars: vars}
	if len(text) > MaxSource {
		r.fail(0, "the text has %d bytes, more than %d", len(text), MaxSource)
	}
	o := r.infix(0)
	if r.skip() < len(text) {
		r.fail(r.at, "expected an operator or the end")
	}
	if want == Invalid && !o.expr.IsValid() {
		r.fail(o.pos, "nothing gives this literal a type")
	}
	e := r.settle(o, want)
	if r.err == nil && want != Invalid && e.Type() != want {
		r.fail(0, "this is %s where %s is wanted", e.Type(), want)
	}
	if r.err != nil {
		return Expr{}, r.err
	}
	return e, nil
}

// reader reads one expression by recursive descent. After an error it stands at the end of
// the text, where every loop ends.
type reader struct {
	src   *Source
	pool  *Pool
	vars  func(name string) (Expr, bool)
	at    int // the next byte
	depth int // parentheses and prefix operators around it
	err   *Error
}

// operand is a subterm that was read: an expression, or the syntax of one that has no type
// yet because it consists of literals and operators alone.
type operand struct {
	expr  Expr
	op    Op        // without an expression: Const, or an operator
	text  string    // of a Const
	args  []operand // of an operator
	pos   int
	depth int // operators around one another
}

// fail reports the first error.
func (r *reader) fail(pos int, format string, args ...any) operand {
	if r.err == nil {
		r.err = r.src.Errorf(Pos(pos), format, args...)
	}
	r.at = len(r.src.Text)
	return operand{}
}

// skip passes spaces and returns where the reader stands then.
func (r *reader) skip() int {
	for r.at < len(r.src.Text) && r.src.Text[r.at] == ' ' {
		r.at++
	}
	return r.at
}

// accept passes spaces, and c where it is next.
func (r *reader) accept(c byte) bool {
	if r.skip() < len(r.src.Text) && r.src.Text[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *reader) expect(c byte) {
	if !r.accept(c) {
		r.fail(r.at, "expected %q", c)
	}
}

// word passes spaces, and the number without a sign or the name that is next. It returns ""
// where neither is. A name may have dots, as r.x, and a number a signed exponent.
func (r *reader) word() string {
	start, text := r.skip(), r.src.Text
	for ; r.at < len(text); r.at++ {
		switch c := text[r.at]; {
		case isLetter(c) || isDigit(c):
		case c == '.' && r.at > start:
		case (c == '+' || c == '-') && r.at > start && isDigit(text[start]) && text[r.at-1] == 'e':
		default:
			return text[start:r.at]
		}
	}
	return text[start:]
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// IsName reports whether a variable or a call may have the name: a word of letters, digits and
// dots that is not a literal, a type or a function.
func IsName(name string) bool {
	r := &reader{src: &Source{Text: name}}
	if r.word() != name || name == "" || isLiteral(name) || name == "true" || name == "false" {
		return false
	}
	return ParseType(name) == Invalid && opsByName[name] == Const
}

// isLiteral reports whether a word is a number or the name of one.
func isLiteral(word string) bool {
	switch word {
	case "tmin", "tmax", "inf", "nan":
		return true
	}
	return word != "" && isDigit(word[0])
}

// opsByName finds an operator by its symbol or function name; "-" is Sub.
var opsByName = func() map[string]Op {
	m := map[string]Op{}
	for op := range Op(NumOps) {
		if op.Arity() > 0 && op != Cast {
			m[op.String()] = op
		}
	}
	return m
}()

// prefixPrec is more than the binding strength of every infix operator.
const prefixPrec = 100

// infix reads operands joined by infix operators that bind tighter than prec.
func (r *reader) infix(prec int) operand {
	left := r.prefix()
	for {
		pos := r.skip()
		rest := r.src.Text[pos:]
		op := opsByName[rest[:min(2, len(rest))]]
		if op.Prec() == 0 {
			op = opsByName[rest[:min(1, len(rest))]]
		}
		if op.Prec() <= prec {
			return left
		}
		r.at += len(op.String())
		left = r.apply(pos, op, left, r.infix(op.Prec()))
	}
}

// prefix reads an operand with its prefix operators. A minus sign before a number or inf
// belongs to the literal; -(5) is a negation.
func (r *reader) prefix() operand {
	pos := r.skip()
	switch {
	case r.accept('!'):
		return r.apply(pos, Not, r.nested(prefixPrec))
	case r.accept('~'):
		return r.apply(pos, BitNot, r.nested(prefixPrec))
	case r.accept('-'):
		at := r.at
		if word := r.word(); word == "inf" || word != "" && isDigit(word[0]) {
			return operand{op: Const, text: "-" + word, pos: pos}
		}
		if r.at = at; r.at < len(r.src.Text) && r.src.Text[r.at] == '-' { // the notation has no --
			return r.fail(r.at, "-- is not an operator here; write -(-x)")
		}
		return r.apply(pos, Neg, r.nested(prefixPrec))
	}
	return r.primary()
}

// nested reads what stands in parentheses, or with prefixPrec behind a prefix operator.
func (r *reader) nested(prec int) operand {
	if r.depth++; r.depth > MaxDepth {
		return r.fail(r.at, "more than %d operators and parentheses around one another", MaxDepth)
	}
	o := r.infix(prec)
	r.depth--
	return o
}

// primary reads a literal, a variable, a function, a cast, or what stands in parentheses.
func (r *reader) primary() operand {
	pos := r.skip()
	word := r.word()
	switch {
	case isLiteral(word):
		return operand{op: Const, text: word, pos: pos}
	case word == "true" || word == "false":
		return operand{expr: r.pool.Bool(word == "true")}
	case r.accept('('):
		if word != "" {
			return r.function(pos, word)
		}
		o := r.nested(0)
		r.expect(')')
		return o
	case word == "":
		return r.fail(pos, "expected an operand")
	}
	var e Expr
	ok := r.vars != nil
	if ok {
		e, ok = r.vars(word)
	}
	if !ok {
		return r.fail(pos, "%.40q is not declared", word)
	}
	return operand{expr: e}
}

// function reads the operands of a function or a cast, and the closing parenthesis.
func (r *reader) function(pos int, name string) operand {
	t, op := ParseType(name), opsByName[name]
	if t == Invalid && op == Const {
		return r.fail(pos, "there is no function %.40q, and opaque calls are not read", name)
	}
	args := make([]operand, max(op.Arity(), 1))
	for i := range args {
		if i > 0 {
			r.expect(',')
		}
		args[i] = r.nested(0)
	}
	r.expect(')')
	if t == Invalid {
		return r.apply(pos, op, args...)
	}
	e := r.settle(args[0], t)
	if r.err != nil {
		return operand{}
	}
	return operand{expr: CastTo(t, e), depth: r.around(pos, args)}
}

// around is the depth of an operator around args.
func (r *reader) around(pos int, args []operand) (depth int) {
	for _, a := range args {
		depth = max(depth, a.depth+1)
	}
	if depth > MaxDepth {
		r.fail(pos, "more than %d operators around one another", MaxDepth)
	}
	return depth
}

// apply is op of args. Where one of them has a type, the others take it.
func (r *reader) apply(pos int, op Op, args ...operand) operand {
	o := operand{op: op, args: args, pos: pos, depth: r.around(pos, args)}
	if op == Select {
		args[0].expr = r.settle(args[0], Bool)
	}
	t := Invalid
	for i, a := range args {
		if t == Invalid && a.expr.IsValid() && (op != Select || i > 0) {
			t = a.expr.Type()
		}
	}
	switch {
	case op == Not || op == And || op == Or:
		t = Bool
	case t == Invalid && op.IsComparison():
		t = I32
	case t == Invalid && op == IsNaN:
		return r.fail(pos, "the operand of is_nan needs a type, as in is_nan(f32(1.0))")
	}
	if t != Invalid {
		o = operand{expr: r.settle(o, t), depth: o.depth}
	}
	return o
}

// settle is the expression of o, in which what has no type takes t. It returns the zero Expr
// after an error.
func (r *reader) settle(o operand, t Type) Expr {
	switch {
	case r.err != nil:
		return Expr{}
	case o.expr.IsValid():
		return o.expr
	case o.op == Const:
		v, ok := readLiteral(t, o.text)
		if !ok {
			r.fail(o.pos, "%.40q is not how a value of %s is written", o.text, t)
		}
		return r.pool.Const(t, v)
	}
	args := make([]Expr, len(o.args))
	for i, a := range o.args {
		args[i] = r.settle(a, t)
	}
	if r.err != nil {
		return Expr{}
	}
	e, err := tryMake(o.op, args)
	if err != nil {
		r.fail(o.pos, "%v", err)
	}
	return e
}

// readLiteral is the value of type t that prints as text; false where there is none.
func readLiteral(t Type, text string) (v uint64, ok bool) {
	var err error
	switch {
	case t.IsFloat():
		f, e := strconv.ParseFloat(text, t.Bits())
		v, err = FloatBits(t, f), e
	case text == "tmin":
		v = t.Min()
	case text == "tmax":
		v = t.Max()
	case t.IsSigned():
		i, e := strconv.ParseInt(text, 10, 64)
		v, err = uint64(i), e
	default:
		v, err = strconv.ParseUint(text, 10, 64)
	}
	v = t.Wrap(v)
	return v, err == nil && literal(t, v) == text
}
