package program

import (
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// stmt is one statement, or one name of a declaration of several.
type stmt struct {
	kind   stmtKind
	name   string
	pos    int // of the name
	end    int
	types  []ir.Type // declInput, declParam: of the components; declExpr: a C++ type
	dims   int       // declInput
	args   []int32   // the left side's arguments; the bounds of a domain
	values []int32   // the right side; the condition of where
	tuple  bool      // the right side is a tuple
	steps  []int32   // of a definition that ends early: the right side without its end, and without the flag
	until  int32     // of the same: the condition
	place  string    // the function that counts where a definition writes; "" for most
	assign string
	chain  []link // the directives of a schedule statement
}

type stmtKind uint8

const (
	declFunc stmtKind = iota
	declVar
	declRVar
	declRDom
	declExpr
	declTuple
	declParam
	declInput
	define
	where
	schedule
)

// link is one method call of a chain such as f.update(0).parallel(u).
type link struct {
	name string
	pos  int
	args []synArg
}

// synArg is an argument of a directive: a name, an expression, or a list of pairs.
type synArg struct {
	name  string
	value int32
	pairs [][2]string
	pos   int
}

// statements reads a source up to its end.
func (p *parser) statements() []stmt {
	var list []stmt
	for {
		for p.accept(";") {
		}
		if p.tok.kind == tokEOF {
			break
		}
		p.locals = nil
		if p.beginUnit(); len(p.errs) > 0 && !p.beginsStatement() { // part of one that has an error
			p.tok.kind = tokStop
			if !p.sync() {
				break
			}
			continue
		}
		p.begin(-1)
		if list = p.statement(list); len(list) > MaxStmts {
			p.fail("more than %d statements and declared names", MaxStmts)
		}
		if p.tok.kind != tokStop && p.tok.kind != tokEOF && !p.is(";") {
			p.unended(";", "\";\"")
		}
		if !p.sync() || p.full() || len(list) > MaxStmts {
			break
		}
	}
	p.endings(list)
	if len(list) == 0 && len(p.errs) == 0 {
		p.errorf(0, "the program is empty")
	}
	return list
}

// statement appends what one statement says.
func (p *parser) statement(list []stmt) []stmt {
	word := p.text()
	if p.tok.kind == tokIdent {
		if loops[word] && p.isLoop() {
			p.fail("a loop of another language: write its update alone, such as f() = f() + in(r) for sum += in[i], where r runs over the iterations")
			p.lex.at, p.tok.pos = len(p.src.Text), len(p.src.Text) // what follows belongs to the loop
			return list
		}
		if read, ok := declarations[word]; ok {
			p.next()
			return read(p, list)
		}
		if ParseType(word) != ir.Invalid {
			t := p.typeName()
			return p.exprDecl(list, t)
		}
	}
	return append(list, p.definition())
}

// loops are the words that loops of other languages begin with.
var loops = map[string]bool{"for": true, "while": true, "do": true}

// isLoop reports whether what follows such a word is no definition: the words may name functions.
func (p *parser) isLoop() bool {
	rest := strings.TrimLeft(p.src.Text[p.tok.end:], " \t\r\n")
	if !strings.HasPrefix(rest, "(") {
		return !strings.HasPrefix(rest, ".")
	}
	depth := 0
	for i, c := range rest {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			after := strings.TrimLeft(rest[i+1:], " \t\r\n")
			return !strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "+=") && !strings.HasPrefix(after, "-=") && !strings.HasPrefix(after, "*=") && !strings.HasPrefix(after, "/=")
		}
	}
	return true
}

// rightSide reads an expression, {a, b} or Tuple(a, b).
func (p *parser) rightSide(s *stmt) {
	switch {
	case p.accept("{"):
		for p.braced = true; p.assignment(); {
			p.expect(";", "after an assignment")
		}
		if s.values, s.tuple = p.tuple("}"), true; len(s.values) == 0 {
			p.fail("a tuple has at least 1 component")
		}
		p.braced = p.tok.kind == tokStop
		p.endLocals()
	case p.tok.kind == tokIdent && p.text() == "Tuple":
		p.next()
		shut := p.open()
		if shut == "" {
			p.fail("expected the components after Tuple")
			return
		}
		if s.values, s.tuple = p.tuple(shut), true; len(s.values) == 0 {
			p.fail("a tuple has at least 1 component")
		}
	default:
		s.values = []int32{p.expr()}
	}
	if len(s.values) > ir.MaxState {
		p.fail("a tuple of %d components, more than %d", len(s.values), ir.MaxState)
	}
	s.end = p.tok.pos
}

// tuple reads components up to the closing bracket.
func (p *parser) tuple(shut string) []int32 {
	first := len(p.parts)
	p.counting = true
	list := p.bounds(shut)
	p.counting = false
	if p.tok.kind != tokStop && len(list) == 1 {
		p.parts = p.parts[:first]
	}
	return list
}

// compound is the operator of a compound assignment.
var compound = map[string]ir.Op{"+=": ir.Add, "-=": ir.Sub, "*=": ir.Mul, "/=": ir.Div}

// definition reads f(args) = value, r.where(condition) or a schedule statement.
func (p *parser) definition() stmt {
	s := stmt{kind: define, pos: p.tok.pos}
	at, tok := p.lex.at, p.tok
	if tok.kind != tokIdent {
		p.expected("a definition such as f() = …")
		return s
	}
	name := p.dotted()
	if p.tok.kind == tokStop {
		return s
	}
	if target, method, ok := cutLast(name); ok {
		if method == "where" {
			s.kind, s.name = where, target
			p.expect("(", "after where")
			s.values = []int32{p.nest(p.expr)}
			p.expect(")", "after the condition of where")
			return s
		}
		p.lex.at, p.tok = at, tok
		s.kind = schedule
		p.chain(&s)
		return s
	}
	s.name = name
	if !p.is("(") {
		p.undefined(name)
		return s
	}
	if isReserved(name) {
		p.failAt(s.pos, "%s is a word of the language and cannot be defined: an update is f() = …", name)
		return s
	}
	if !p.placed(&s) {
		s.args = p.arguments()
	}
	if len(s.args) > ir.MaxArgs {
		p.failAt(s.pos, "%s has more than %d arguments", name, ir.MaxArgs)
		return s
	}
	if p.is(".") {
		p.fail("%s(…) has no directives; write %s.update(0).…", name, name)
		return s
	}
	s.assign = p.text()
	op, ok := compound[s.assign]
	if !ok && s.assign != "=" {
		switch s.assign {
		case ":=", "==":
			p.fail("a definition has one =: %s(…) = …", name)
		case "++", "--":
			p.fail("write %s(…) %s= 1", name, s.assign[:1])
		default:
			p.expected("= or += after %s(…)", name)
		}
		return s
	}
	eq := p.tok.pos
	if ok && s.place != "" {
		p.fail("a place is written once: %s(%s++) = …", name, s.place)
		return s
	}
	p.next()
	p.rightSide(&s)
	if ok {
		p.expandCompound(&s, op, eq)
	}
	if s.place != "" && p.tok.kind == tokIdent && p.text() == "until" {
		p.fail("what is kept at counted places is kept up to the end of the domain: r.where(condition) leaves elements out")
		return s
	}
	p.until(&s)
	return s
}

// undefined reports a statement that begins with a name, and no definition.
func (p *parser) undefined(name string) {
	_, assigns := compound[p.text()]
	switch {
	case assigns || p.is("=") || p.is(":="):
		p.fail("a function is defined with its coordinates, if only with parentheses: %s() %s …", name, strings.TrimPrefix(p.text(), ":"))
	case p.tok.kind == tokIdent:
		words := slices.Sorted(maps.Keys(declarations))
		p.fail("expected a definition such as %s() = …, not %s%s", name, p.found(), whole(DidYouMean(name, words)))
	default:
		p.expected("a definition such as %s() = …", name)
	}
}

// beginsStatement reports whether a statement is next. It reads no further.
func (p *parser) beginsStatement() bool {
	lex, tok := p.lex, p.tok
	defer func() { p.lex, p.tok = lex, tok }()
	p.lex.fail = func(int, string, ...any) {}
	return p.beginsProgram()
}

// expandCompound makes f(a) = f(a) + e of f(a) += e.
func (p *parser) expandCompound(s *stmt, op ir.Op, pos int) {
	for i, v := range s.values {
		first := int32(len(p.args))
		p.args = append(p.args, s.args...)
		self := p.node(syn{kind: synCall, pos: int32(s.pos), a: p.intern(s.name), b: first, c: int32(len(s.args))}, s.args...)
		if s.tuple {
			self = p.node(syn{kind: synIndex, pos: int32(s.pos), a: self, b: int32(i)}, self)
		}
		s.values[i] = p.op(pos, op, self, v)
	}
}

func cutLast(name string) (before, last string, found bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

// chain reads f.update(0).split(…).parallel(…).
func (p *parser) chain(s *stmt) {
	name := p.text()
	if p.tok.kind != tokIdent {
		p.expected("the name of a function")
		return
	}
	s.name, s.pos = name, p.tok.pos
	p.next()
	for p.accept(".") {
		l := link{name: p.text(), pos: p.tok.pos}
		if p.tok.kind != tokIdent {
			p.expected("a directive")
			return
		}
		p.next()
		p.expect("(", "after "+l.name)
		for p.tok.kind != tokStop && !p.accept(")") {
			if l.args = append(l.args, p.directiveArg()); len(l.args) > manyArgs {
				p.fail("more than %d arguments of a directive", manyArgs)
			}
			if !p.is(")") {
				p.expect(",", "or \")\" after an argument")
			}
		}
		if s.chain = append(s.chain, l); len(s.chain) > manyArgs {
			p.fail("more than %d directives in one statement", manyArgs)
		}
	}
	if len(s.chain) == 0 {
		p.expected("a directive such as .update(0)")
	}
	s.end = p.tok.pos
}

func (p *parser) directiveArg() synArg {
	a := synArg{pos: p.tok.pos}
	if p.accept("{") {
		a.pairs = p.pairs()
		return a
	}
	at, tok := p.lex.at, p.tok
	if tok.kind == tokIdent {
		a.name = p.dotted()
		if p.accept("::") {
			a.name += "::" + p.dotted()
		}
		if p.is(",") || p.is(")") || p.tok.kind == tokStop {
			return a
		}
		p.lex.at, p.tok, a.name = at, tok, ""
	}
	a.value = p.expr()
	return a
}

// pairs reads {r.x, u}, {r.y, v}} after its opening brace.
func (p *parser) pairs() [][2]string {
	var list [][2]string
	for p.tok.kind != tokStop && !p.accept("}") {
		p.expect("{", "of a pair, as in {{r.x, u}, {r.y, v}}")
		a := p.dotted()
		p.expect(",", "between the reduction variable and its new name")
		b := p.dotted()
		p.expect("}", "after the pair")
		if list = append(list, [2]string{a, b}); len(list) > manyArgs {
			p.fail("more than %d pairs", manyArgs)
		}
		if !p.is("}") {
			p.expect(",", "or \"}\" after a pair")
		}
	}
	return list
}
