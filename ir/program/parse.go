package program

import (
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
)

// parser reads expressions into a tree. After an error its token is a tokStop, which no
// production accepts, so that every loop ends; sync starts again at the next statement.
type parser struct {
	*tree
	lex   lexer
	tok   token
	depth int

	last  int // where the token before ended
	start int // of the statement or component
	calls int // whose arguments are being read

	locals   map[string]*local
	counting bool // components of a tuple: errors name them
	braced   bool // in the braces of a tuple, where a semicolon ends no statement
	abstract bool // an abstract update, or an expression of one
}

func newParser(t *tree) *parser {
	p := &parser{tree: t}
	p.lex = lexer{text: t.src.Text, fail: func(pos int, format string, args ...any) {
		t.errorf(ir.Pos(pos), format, args...)
	}}
	p.next()
	return p
}

func (p *parser) next() {
	if p.tok.kind != tokStop {
		p.last, p.tok = p.tok.end, p.lex.next()
	}
}

// beginUnit says that a statement or a component begins.
func (p *parser) beginUnit() {
	p.start = p.tok.pos
	p.units = append(p.units, ir.Pos(p.start))
}

// begin says that a component is next: errors in it name it. A negative number is none.
func (p *parser) begin(component int) {
	name := ""
	if component >= 0 {
		name = "component " + strconv.Itoa(component)
	}
	p.parts = append(p.parts, part{ir.Pos(p.tok.pos), name})
}

func (p *parser) text() string { return p.src.Text[p.tok.pos:p.tok.end] }

func (p *parser) is(punct string) bool { return p.tok.kind == tokPunct && p.text() == punct }

// accept passes the punctuation where it is next.
func (p *parser) accept(punct string) bool {
	if !p.is(punct) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(punct, after string) {
	if !p.accept(punct) {
		p.expected("%q %s", punct, after)
	}
}

// fail reports a syntax error at the token and gives up the statement.
func (p *parser) fail(format string, args ...any) {
	p.failAt(p.tok.pos, format, args...)
}

func (p *parser) failAt(pos int, format string, args ...any) {
	if p.tok.kind != tokStop {
		p.errorf(ir.Pos(pos), format, args...)
		p.tok.kind = tokStop
	}
}

// found is the token in the words of an error message.
func (p *parser) found() string {
	if p.tok.kind == tokEOF {
		return "the end"
	}
	return strconv.Quote(short(p.text()))
}

// sync passes the rest of a statement and its semicolon; false at the end of the source. Where brackets of the
// statement have no partner, nobody knows where it ends, so that the rest of the source is passed.
func (p *parser) sync() bool {
	report, failed := p.lex.fail, p.tok.kind == tokStop
	p.lex.fail = func(int, string, ...any) {}
	if p.tok.kind == tokStop { // the token may be the semicolon, or the end
		p.lex.at = p.tok.pos
		p.tok = p.lex.next()
	}
	for {
		if p.is(";") && !p.braced || p.tok.kind == tokEOF {
			break
		}
		p.braced = p.braced && !p.is("}")
		p.tok = p.lex.next()
	}
	if failed && p.tok.kind != tokEOF && !balanced(p.src.Text[p.start:p.tok.pos]) {
		p.lex.at = len(p.src.Text)
		p.tok = p.lex.next()
	}
	p.lex.fail = report
	p.depth, p.calls, p.braced, p.counting = 0, 0, false, false
	return p.accept(";")
}

// balanced reports whether each bracket of a text has its partner.
func balanced(text string) bool {
	var open []byte
	for i := range len(text) {
		switch c := text[i]; c {
		case '(':
			open = append(open, ')')
		case '[':
			open = append(open, ']')
		case '{':
			open = append(open, '}')
		case ')', ']', '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// node adds a node above the given operands.
func (p *parser) node(s syn, kids ...int32) int32 {
	if p.tok.kind == tokStop {
		return 0
	}
	if len(p.nodes) >= MaxNodes {
		p.failAt(int(s.pos), "more than %d operators, names and literals", MaxNodes)
		return 0
	}
	for _, k := range kids {
		s.depth = max(s.depth, p.nodes[k].depth)
	}
	if s.depth++; int(s.depth) > ir.MaxDepth {
		p.failAt(int(s.pos), "more than %d operators around one another: name a part of it", ir.MaxDepth)
		return 0
	}
	p.nodes = append(p.nodes, s)
	return int32(len(p.nodes) - 1)
}

// nest guards a production that can contain itself.
func (p *parser) nest(f func() int32) int32 {
	if p.depth++; p.depth > ir.MaxDepth {
		p.fail("more than %d parentheses and operators around one another", ir.MaxDepth)
		return 0
	}
	n := f()
	p.depth--
	return n
}

// infix finds a binary operator by its symbol.
var infix = func() map[string]ir.Op {
	m := map[string]ir.Op{}
	for o := range ir.Op(ir.NumOps) {
		if o.Prec() > 0 {
			m[o.String()] = o
		}
	}
	return m
}()

// expr reads an expression.
func (p *parser) expr() int32 {
	if p.tok.kind == tokIdent && p.text() == "let" {
		return p.let()
	}
	c := p.binary(0)
	if !p.is("?") {
		return c
	}
	pos := p.tok.pos
	p.next()
	return p.nest(func() int32 {
		a := p.expr()
		p.expect(":", "of c ? a : b")
		b := p.expr()
		return p.node(syn{kind: synOp, op: ir.Select, pos: int32(pos), a: c, b: a, c: b}, c, a, b)
	})
}

// binary reads operands joined by operators that bind tighter than prec.
func (p *parser) binary(prec int) int32 {
	l := p.unary()
	for ordered := false; p.tok.kind == tokPunct; {
		op, ok := infix[p.text()]
		if !ok || op.Prec() <= prec {
			break
		}
		pos := p.tok.pos
		if orders := op.IsComparison() && op != ir.Eq && op != ir.Ne; orders && ordered {
			p.fail("a < b < c compares a truth value with c: write a < b && b < c")
			break
		} else {
			ordered = orders
		}
		p.next()
		r := p.binary(op.Prec())
		l = p.node(syn{kind: synOp, op: op, pos: int32(pos), a: l, b: r}, l, r)
	}
	return l
}

func (p *parser) unary() int32 {
	var op ir.Op
	switch {
	case p.is("-"):
		op = ir.Neg
	case p.is("!"):
		op = ir.Not
	case p.is("~"):
		op = ir.BitNot
	case p.is("--") || p.is("++"):
		p.fail("%s is not an operator here; write -(-x)", p.text())
		return 0
	case p.accept("+"):
		return p.nest(p.unary)
	default:
		return p.postfix()
	}
	pos := p.tok.pos
	p.next()
	if op == ir.Neg && (p.tok.kind == tokInt || p.tok.kind == tokFloat || p.tok.kind == tokIdent && p.text() == "inf") {
		// A minus sign before a number makes a negative literal; -(5) is a negation.
		n := p.primary()
		if p.tok.kind != tokStop && (p.nodes[n].kind == synNum || p.nodes[n].kind == synLimit) {
			p.nodes[n].neg, p.nodes[n].pos = true, int32(pos)
		}
		return n
	}
	return p.nest(func() int32 {
		a := p.unary()
		return p.node(syn{kind: synOp, op: op, pos: int32(pos), a: a}, a)
	})
}

// postfix reads a primary and the tuple index behind it.
func (p *parser) postfix() int32 {
	n := p.primary()
	for p.is("[") {
		pos := p.tok.pos
		p.next()
		if p.tok.kind != tokStop && p.nodes[n].kind == synLocal {
			n = p.nodes[n].a // a call of a tuple, which has no other value than its components
		}
		if p.tok.kind != tokInt && p.tok.kind != tokStop && p.nodes[n].kind == synName {
			p.failAt(pos, "%s", p.subscript(p.name(n)))
			return n
		}
		index := p.smallInt("a tuple index")
		p.expect("]", "after the tuple index")
		n = p.node(syn{kind: synIndex, pos: int32(pos), a: n, b: int32(index)}, n)
	}
	if p.is(".") {
		p.fail("a call has no members; a directive is a statement of its own")
	}
	return n
}

// smallInt reads a literal in 0..MaxState-1.
func (p *parser) smallInt(what string) int {
	if p.tok.kind != tokInt {
		p.expected("%s", what)
		return 0
	}
	v, err := strconv.ParseUint(p.text(), 0, 64)
	if err != nil || v >= ir.MaxState {
		p.fail("%s is 0 to %d, not %s", what, ir.MaxState-1, p.text())
		return 0
	}
	p.next()
	return int(v)
}

func (p *parser) primary() int32 {
	pos := p.tok.pos
	switch {
	case p.tok.kind == tokInt, p.tok.kind == tokFloat:
		end := p.tok.end
		p.next()
		return p.node(syn{kind: synNum, pos: int32(pos), a: int32(pos), b: int32(end)})
	case p.tok.kind == tokIdent:
		return p.named()
	case p.accept("("):
		return p.nest(func() int32 {
			n := p.expr()
			if !p.accept(")") {
				p.unended("", "%q to close the parenthesis", ")")
			}
			return n
		})
	}
	if p.is("{") || p.is("[") {
		p.fail("%s", whole(p.grouped()))
	}
	p.expected("an expression")
	return 0
}

// dotted reads a name with its members: r.x, in.width.
func (p *parser) dotted() string {
	if p.tok.kind != tokIdent {
		p.expected("a name")
		return ""
	}
	name := p.text()
	p.next()
	for p.is(".") {
		p.next()
		if p.tok.kind != tokIdent {
			p.expected("a name after the dot")
			return name
		}
		if name += "." + p.text(); len(name) > MaxName {
			p.fail("a name of more than %d bytes", MaxName)
		}
		p.next()
	}
	return name
}

// named reads what starts with a name: a literal with a name, a variable, a cast, a
// function, a call.
func (p *parser) named() int32 {
	pos := p.tok.pos
	switch word := p.text(); word {
	case "true", "false":
		p.next()
		s := syn{kind: synBool, pos: int32(pos)}
		if word == "true" {
			s.a = 1
		}
		return p.node(s)
	case "tmin", "tmax", "inf", "nan":
		p.next()
		return p.node(syn{kind: synLimit, pos: int32(pos), a: limitNames[word]})
	case "cast":
		return p.castCall()
	case "UInt", "Int", "Float", "Bool", "type_of":
		return p.typeLimit()
	case "let":
		p.fail("let begins an expression: put parentheses around it")
		return 0
	}
	name := p.dotted()
	if !p.is("(") {
		if n, ok := p.local(name, pos); ok {
			return n
		}
		if p.misplaced(name, pos) {
			return 0
		}
		return p.node(syn{kind: synName, pos: int32(pos), a: p.intern(name)})
	}
	args := p.arguments()
	if name == "if" && p.beginsOperand() {
		p.failAt(pos, "if is written %s", foreign().meant["word"][name])
	}
	return p.apply(pos, name, args)
}

// arguments reads "(a, b, …)".
func (p *parser) arguments() []int32 {
	p.next()
	var args []int32
	if p.accept(")") {
		return nil
	}
	p.calls++
	defer func() { p.calls-- }()
	for p.tok.kind != tokStop {
		args = append(args, p.nest(p.expr))
		if p.accept(")") {
			break
		}
		if !p.accept(",") {
			p.unended(",", "\",\" or \")\" after an argument")
		}
	}
	return args
}

// castCall reads cast<T>(e) and cast(T, e).
func (p *parser) castCall() int32 {
	pos := p.tok.pos
	p.next()
	var t ir.Type
	if p.accept("<") {
		t = p.typeName()
		p.expect(">", "after the type of cast")
		p.expect("(", "after cast<"+t.String()+">")
	} else {
		p.expect("(", "after cast")
		t = p.typeExpr()
		p.expect(",", "after the type of cast")
	}
	a := p.nest(p.expr)
	p.expect(")", "after the operand of cast")
	return p.node(syn{kind: synCast, typ: t, pos: int32(pos), a: a}, a)
}

// typeName reads the name of a type.
func (p *parser) typeName() ir.Type {
	word := p.text()
	if p.tok.kind == tokIdent {
		if t := ParseType(word); t != ir.Invalid {
			p.next()
			if word == "unsigned" && p.tok.kind == tokIdent && p.text() == "int" {
				p.next()
			}
			return t
		}
	}
	p.expected("a type such as uint8_t or i32")
	return ir.Invalid
}

// typeExpr reads UInt(8), Int(32), Float(32), Bool(), type_of<T>() or the name of a type.
func (p *parser) typeExpr() ir.Type {
	word, pos := p.text(), p.tok.pos
	switch word {
	case "UInt", "Int", "Float", "Bool":
		p.next()
		p.expect("(", "after "+word)
		bits := p.text()
		if word == "Bool" {
			bits = ""
		} else {
			p.next()
		}
		p.expect(")", "after "+word+"("+bits)
		t := ParseType(map[string]string{"UInt": "u", "Int": "i", "Float": "f", "Bool": "bool"}[word] + bits)
		if word == "UInt" && bits == "1" {
			t = ir.Bool
		}
		if t == ir.Invalid {
			p.failAt(pos, "there is no type %s(%s)", word, bits)
		}
		return t
	case "type_of":
		p.next()
		p.expect("<", "after type_of")
		t := p.typeName()
		p.expect(">", "after type_of<"+t.String())
		p.expect("(", "after type_of<>")
		p.expect(")", "after type_of<>(")
		return t
	}
	return p.typeName()
}

// typeLimit reads Int(32).max() and the like.
func (p *parser) typeLimit() int32 {
	pos := p.tok.pos
	t := p.typeExpr()
	p.expect(".", "after a type in an expression, for its min() or max()")
	s := syn{kind: synLimit, typ: t, pos: int32(pos)}
	switch word := p.text(); word {
	case "max":
		s.a = limitMax
	case "min":
		s.a = limitMin
	default:
		p.fail("a type has min() and max(), not %s", p.found())
	}
	p.next()
	p.expect("(", "after min or max")
	p.expect(")", "after min( or max(")
	return p.node(s)
}
