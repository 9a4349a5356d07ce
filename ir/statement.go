package ir

import "strings"

// stmt is one statement, or one name of a declaration of several.
type stmt struct {
	kind   stmtKind
	name   string
	pos    int // of the name
	end    int
	types  []Type  // declInput, declParam: of the components; declExpr: a C++ type
	dims   int     // declInput
	args   []int32 // the left side's arguments; the bounds of a domain
	values []int32 // the right side; the condition of where
	tuple  bool    // the right side is a tuple
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
		list = p.statement(list)
		if p.tok.kind != tokStop && p.tok.kind != tokEOF && !p.is(";") {
			p.fail("expected \";\", not %s", p.found())
		}
		if len(list) > MaxStmts {
			p.errorf(Pos(p.tok.pos), "more than %d statements", MaxStmts)
			break
		}
		if !p.sync() || p.full() {
			break
		}
	}
	if len(list) == 0 && len(p.errs) == 0 {
		p.errorf(0, "the program is empty")
	}
	return list
}

// statement appends what one statement says.
func (p *parser) statement(list []stmt) []stmt {
	word := p.text()
	if p.tok.kind == tokIdent {
		if read, ok := declarations[word]; ok {
			p.next()
			return read(p, list)
		}
		if ParseType(word) != Invalid {
			t := p.typeName()
			return p.exprDecl(list, t)
		}
	}
	return append(list, p.definition())
}

// declarations reads what follows a declaring word.
var declarations map[string]func(*parser, []stmt) []stmt

func init() {
	names := func(k stmtKind) func(*parser, []stmt) []stmt {
		return func(p *parser, l []stmt) []stmt {
			return p.each(l, func() stmt {
				s := p.declared(k)
				p.nameArgument()
				return s
			})
		}
	}
	declarations = map[string]func(*parser, []stmt) []stmt{
		"Var":        names(declVar),
		"RVar":       names(declRVar),
		"Func":       func(p *parser, l []stmt) []stmt { return p.each(l, p.funcDecl) },
		"RDom":       func(p *parser, l []stmt) []stmt { return p.each(l, p.domainDecl) },
		"ImageParam": func(p *parser, l []stmt) []stmt { return p.each(l, p.imageDecl) },
		"Buffer":     (*parser).bufferDecl,
		"Param":      (*parser).paramDecl,
		"Tuple":      func(p *parser, l []stmt) []stmt { return p.each(l, p.tupleDecl) },
		"Expr":       func(p *parser, l []stmt) []stmt { return p.exprDecl(l, Invalid) },
		"auto":       func(p *parser, l []stmt) []stmt { return p.exprDecl(l, Invalid) },
		"const":      func(p *parser, l []stmt) []stmt { return p.statement(l) },
	}
}

// each reads names separated by commas.
func (p *parser) each(list []stmt, one func() stmt) []stmt {
	for {
		if s := one(); s.name != "" {
			list = append(list, s)
		}
		if !p.accept(",") {
			return list
		}
	}
}

// declared reads the name that is declared.
func (p *parser) declared(k stmtKind) stmt {
	s := stmt{kind: k, pos: p.tok.pos}
	if p.tok.kind != tokIdent {
		p.fail("expected a name to declare, not %s", p.found())
		return s
	}
	s.name = p.text()
	if isReserved(s.name) || declarations[s.name] != nil {
		p.fail("%s is a word of the language and cannot be declared", s.name)
		return s
	}
	p.next()
	s.end = p.tok.pos
	return s
}

// open accepts ( or { and answers how it is closed; "" where neither is next.
func (p *parser) open() string {
	switch {
	case p.accept("("):
		return ")"
	case p.accept("{"):
		return "}"
	}
	return ""
}

// nameArgument passes ("name"), which C++ needs and we do not.
func (p *parser) nameArgument() {
	if shut := p.open(); shut != "" {
		if p.tok.kind == tokString {
			p.next()
		}
		p.expect(shut, "after the name")
	}
}

// lastName passes a trailing , "name".
func (p *parser) lastName() {
	if p.tok.kind == tokString {
		p.next()
	}
}

// funcDecl reads f, f("f"), f({types}, dims) or intm = f.update(0).rfactor(…).
func (p *parser) funcDecl() stmt {
	s := p.declared(declFunc)
	if p.accept("=") {
		s.kind, s.assign = schedule, s.name
		p.chain(&s)
		return s
	}
	shut := p.open()
	if shut == "" || p.accept(shut) {
		return s
	}
	if p.tok.kind == tokString {
		p.next()
	} else {
		s.kind = declInput
		p.inputShape(&s)
	}
	p.expect(shut, "after the declaration of "+s.name)
	return s
}

func (p *parser) imageDecl() stmt {
	s := p.declared(declInput)
	shut := p.open()
	if shut == "" {
		p.fail("expected (type, dimensions) after %s, as in ImageParam in(UInt(8), 2)", s.name)
		return s
	}
	p.inputShape(&s)
	p.expect(shut, "after the declaration of "+s.name)
	return s
}

// inputShape reads type, dims and {type, …}, dims; a name may follow.
func (p *parser) inputShape(s *stmt) {
	if p.accept("{") {
		for p.tok.kind != tokStop {
			s.types = append(s.types, p.typeExpr())
			if !p.accept(",") {
				break
			}
		}
		p.expect("}", "after the types")
	} else {
		s.types = []Type{p.typeExpr()}
	}
	p.expect(",", "and the number of dimensions")
	s.dims = p.smallInt("the number of dimensions")
	if p.accept(",") {
		p.lastName()
	}
}

// bufferDecl reads Buffer<T> in(w, h) and Buffer<T, dims> in.
func (p *parser) bufferDecl(list []stmt) []stmt {
	p.expect("<", "after Buffer")
	t, dims := p.typeName(), -1
	if p.accept(",") {
		dims = p.smallInt("the number of dimensions")
	}
	p.expect(">", "after the type of a Buffer")
	return p.each(list, func() stmt {
		s := p.declared(declInput)
		s.types, s.dims = []Type{t}, dims
		if shut := p.open(); shut != "" && !p.accept(shut) {
			s.args = p.bounds(shut)
			s.dims = len(s.args)
		}
		return s
	})
}

// paramDecl reads Param<T> k, k("k"), k("k", 3).
func (p *parser) paramDecl(list []stmt) []stmt {
	p.expect("<", "after Param")
	t := p.typeName()
	p.expect(">", "after the type of a Param")
	return p.each(list, func() stmt {
		s := p.declared(declParam)
		s.types = []Type{t}
		if shut := p.open(); shut != "" && !p.accept(shut) {
			p.bounds(shut)
		}
		return s
	})
}

// domainDecl reads r(min, extent, …) and r({{min, extent}, …}).
func (p *parser) domainDecl() stmt {
	s := p.declared(declRDom)
	shut := p.open()
	if shut == "" {
		p.fail("expected (min, extent, …) after %s", s.name)
		return s
	}
	s.args = p.bounds(shut)
	return s
}

// bounds reads expressions up to the closing bracket; braces group, a string is a name.
func (p *parser) bounds(shut string) []int32 {
	var list []int32
	for p.tok.kind != tokStop && !p.accept(shut) {
		switch {
		case p.accept("{"):
			p.nest(func() int32 { list = append(list, p.bounds("}")...); return 0 })
		case p.tok.kind == tokString:
			p.next()
		default:
			list = append(list, p.nest(p.expr))
		}
		if !p.is(shut) && !p.accept(",") {
			p.fail("expected \",\" or %q, not %s", shut, p.found())
		}
	}
	return list
}

// exprDecl reads a = e, b = e; t is the C++ type that they are declared with.
func (p *parser) exprDecl(list []stmt, t Type) []stmt {
	return p.each(list, func() stmt {
		s := p.declared(declExpr)
		if t != Invalid {
			s.types = []Type{t}
		}
		if p.accept("(") {
			s.values = []int32{p.nest(p.expr)}
			p.expect(")", "after the value of "+s.name)
			return s
		}
		p.expect("=", "after "+s.name)
		s.values = []int32{p.expr()}
		return s
	})
}

func (p *parser) tupleDecl() stmt {
	s := p.declared(declTuple)
	if p.accept("=") {
		p.rightSide(&s)
		return s
	}
	shut := p.open()
	if shut == "" {
		p.fail("expected the components of %s", s.name)
		return s
	}
	s.values, s.tuple = p.bounds(shut), true
	return s
}

// rightSide reads an expression, {a, b} or Tuple(a, b).
func (p *parser) rightSide(s *stmt) {
	switch {
	case p.accept("{"):
		s.values, s.tuple = p.bounds("}"), true
	case p.tok.kind == tokIdent && p.text() == "Tuple":
		p.next()
		shut := p.open()
		if shut == "" {
			p.fail("expected the components after Tuple")
			return
		}
		if s.values, s.tuple = p.bounds(shut), true; len(s.values) == 0 {
			p.fail("a tuple has at least 1 component")
		}
	default:
		s.values = []int32{p.expr()}
	}
	if len(s.values) > MaxState {
		p.fail("a tuple of %d components, more than %d", len(s.values), MaxState)
	}
	s.end = p.tok.pos
}

// compound is the operator of a compound assignment.
var compound = map[string]Op{"+=": Add, "-=": Sub, "*=": Mul, "/=": Div}

// definition reads f(args) = value, r.where(condition) or a schedule statement.
func (p *parser) definition() stmt {
	s := stmt{kind: define, pos: p.tok.pos}
	at, tok := p.lex.at, p.tok
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
		p.fail("expected a definition such as %s() = …, not %s", name, p.found())
		return s
	}
	if isReserved(name) {
		p.failAt(s.pos, "%s is a word of the language and cannot be defined", name)
		return s
	}
	s.args = p.arguments()
	if p.is(".") {
		p.fail("%s(…) has no directives; write %s.update(0).…", name, name)
		return s
	}
	s.assign = p.text()
	op, ok := compound[s.assign]
	if !ok && s.assign != "=" {
		p.fail("expected = or += after %s(…), not %s", name, p.found())
		return s
	}
	eq := p.tok.pos
	p.next()
	p.rightSide(&s)
	if ok {
		p.expandCompound(&s, op, eq)
	}
	return s
}

// expandCompound makes f(a) = f(a) + e of f(a) += e.
func (p *parser) expandCompound(s *stmt, op Op, pos int) {
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
		p.fail("expected the name of a function, not %s", p.found())
		return
	}
	s.name, s.pos = name, p.tok.pos
	p.next()
	for p.accept(".") {
		l := link{name: p.text(), pos: p.tok.pos}
		if p.tok.kind != tokIdent {
			p.fail("expected a directive, not %s", p.found())
			return
		}
		p.next()
		p.expect("(", "after "+l.name)
		for p.tok.kind != tokStop && !p.accept(")") {
			l.args = append(l.args, p.directiveArg())
			if !p.is(")") {
				p.expect(",", "or \")\" after an argument")
			}
		}
		s.chain = append(s.chain, l)
	}
	if len(s.chain) == 0 {
		p.fail("expected a directive such as .update(0), not %s", p.found())
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
		list = append(list, [2]string{a, b})
		if !p.is("}") {
			p.expect(",", "or \"}\" after a pair")
		}
	}
	return list
}
