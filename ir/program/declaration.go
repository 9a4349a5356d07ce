package program

import "github.com/rfactor-go/rfactor/ir"

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
		"Expr":       func(p *parser, l []stmt) []stmt { return p.exprDecl(l, ir.Invalid) },
		"auto":       func(p *parser, l []stmt) []stmt { return p.exprDecl(l, ir.Invalid) },
		"const":      func(p *parser, l []stmt) []stmt { return p.statement(l) },
	}
}

// each reads names separated by commas.
func (p *parser) each(list []stmt, one func() stmt) []stmt {
	for {
		if s := one(); s.name != "" {
			list = append(list, s)
		}
		if !p.accept(",") || len(list) > MaxStmts {
			return list
		}
	}
}

// declared reads the name that is declared.
func (p *parser) declared(k stmtKind) stmt {
	s := stmt{kind: k, pos: p.tok.pos}
	if p.tok.kind != tokIdent {
		p.expected("a name to declare")
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
			if s.types = append(s.types, p.typeExpr()); len(s.types) > ir.MaxState {
				p.fail("more than %d components", ir.MaxState)
			}
			if !p.accept(",") {
				break
			}
		}
		p.expect("}", "after the types")
	} else {
		s.types = []ir.Type{p.typeExpr()}
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
		s.types, s.dims = []ir.Type{t}, dims
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
		s.types = []ir.Type{t}
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
			if p.counting {
				p.begin(len(list))
			}
			list = append(list, p.nest(p.expr))
		}
		if !p.is(shut) && !p.accept(",") {
			p.unended(",", "\",\" or %q", shut)
		}
	}
	return list
}

// exprDecl reads a = e, b = e; t is the C++ type that they are declared with.
func (p *parser) exprDecl(list []stmt, t ir.Type) []stmt {
	return p.each(list, func() stmt {
		s := p.declared(declExpr)
		if t != ir.Invalid {
			s.types = []ir.Type{t}
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
