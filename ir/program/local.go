package program

import "github.com/rfactor-go/rfactor/ir"

// This file reads names for parts of expressions, each of which is one node that its uses share:
//
//	let t = x0 + y0 in max(t, 0)
//	t := x0 + y0; max(t, 0); min(t, x1)
//	x0 := x0 + y0; x1 := max(x1, x0)

// local is a name while what may use it is read.
type local struct {
	node int32 // what it stands for
	pos  int   // of the name
	used bool
}

// let reads let t = e in body.
func (p *parser) let() int32 {
	p.next()
	pos := p.tok.pos
	name := p.localName("after let")
	p.expect("=", "after let "+name)
	value := p.nest(p.expr)
	if p.tok.kind != tokIdent || p.text() != "in" {
		p.expected("\"in\" after the value of %s", name)
		return 0
	}
	p.next()
	outer := p.locals[name]
	p.bind(name, pos, value)
	body := p.nest(p.expr)
	p.checkUsed(name)
	p.locals[name] = outer
	return body
}

// assignment reads t := e where that is next, and reports whether it is. What follows it means the new t.
func (p *parser) assignment() bool {
	at, tok := p.lex.at, p.tok
	if tok.kind != tokIdent {
		return false
	}
	p.next()
	assigns := p.is(":=")
	p.lex.at, p.tok = at, tok
	if !assigns {
		return false
	}
	pos := p.tok.pos
	name := p.localName("before :=")
	p.expect(":=", "after "+name)
	p.bind(name, pos, p.nest(p.expr))
	return true
}

// localName reads a name that is to stand for an expression.
func (p *parser) localName(where string) string {
	name := p.text()
	switch {
	case p.tok.kind != tokIdent:
		p.expected("a name %s", where)
	case isReserved(name) || declarations[name] != nil:
		p.fail("%s is a word of the language and cannot name an expression", name)
	}
	p.next()
	return name
}

// bind lets a name stand for a node. The name's former meaning must have been used.
func (p *parser) bind(name string, pos int, n int32) {
	p.checkUsed(name)
	if p.locals == nil {
		p.locals = map[string]*local{}
	}
	p.locals[name] = &local{node: n, pos: pos}
}

// checkUsed reports a name that nothing has used: what it stands for would not even be typed.
func (p *parser) checkUsed(name string) {
	if l := p.locals[name]; l != nil && !l.used && p.tok.kind != tokStop {
		p.errorf(ir.Pos(l.pos), "%s is not used", name)
	}
}

// endLocals forgets the names, each of which must have been used.
func (p *parser) endLocals() {
	for name := range p.locals {
		p.checkUsed(name)
	}
	p.locals = nil
}

// local returns a use of a name that stands for an expression; false for another name.
func (p *parser) local(name string, pos int) (int32, bool) {
	l := p.locals[name]
	if l == nil {
		return 0, false
	}
	l.used = true
	return p.node(syn{kind: synLocal, pos: int32(pos), a: l.node}, l.node), true
}

// assigned returns the components after assignments to some of them, by their names. It is
// empty where none was assigned.
func (p *parser) assigned(names []string) (roots []int32) {
	some := false
	for _, name := range names {
		some = some || p.locals[name] != nil
	}
	for _, name := range names {
		if n, ok := p.local(name, p.tok.pos); ok {
			roots = append(roots, n)
		} else if some {
			roots = append(roots, p.node(syn{kind: synName, pos: int32(p.tok.pos), a: p.intern(name)}))
		}
	}
	return roots
}

// checkMixed reports a component that was assigned, and not used, where others are expressions.
func (p *parser) checkMixed(names []string) {
	for _, name := range names {
		if l := p.locals[name]; l != nil && !l.used {
			l.used = true
			p.errorf(ir.Pos(l.pos), "%s is assigned, and other components are expressions: assign all of them, or none", name)
		}
	}
}

// localUse is what a named node is wanted as.
type localUse struct {
	node int32
	want ir.Type
}

// local returns a named node as an expression, as expr does, made once for each type that is wanted.
func (l *elaborator) local(n int32, want ir.Type) ir.Expr {
	use := localUse{n, want}
	e, ok := l.locals[use]
	if !ok {
		e = l.expr(n, want)
		if l.locals == nil {
			l.locals = map[localUse]ir.Expr{}
		}
		l.locals[use] = e
	}
	return e
}
