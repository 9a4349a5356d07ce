package program

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// This file reads abstract updates: the types of variables, in front or apart, and then one
// expression for each component.

// ParseUpdate reads an abstract update, its components separated by semicolons.
// types declares the variables, as in "x0:i32, y0:u8, k0:i32, r:u31": x_i are the
// components, k_i do not change during the reduction, r, r.x and r0 are reduction
// coordinates, and any other name is an input. u31 is an i32 that is never negative. A coordinate
// that is not declared is an i32. Where types is empty the text begins with the types:
//
//	x0:i32, y0:u8
//	x0 + i32(y0)
//
// Mistakes in either text are an [ir.ErrorList]; where no types are given, it says which ones would do.
// A nil pool panics.
func ParseUpdate(pool *ir.Pool, types, text string) (*ir.Update, error) {
	u, _, err := parseAbstract(pool, types, &ir.Source{Name: "update", Text: text}, classify, true)
	return u, err
}

// ParseOperator reads an operator as an update whose inputs are the components y_i of its
// second operand, of the types of x_i. Names are as in ParseUpdate, but x is x0 and y is
// y0, and every other name is a constant.
// Mistakes in either text are an [ir.ErrorList]. A nil pool panics.
func ParseOperator(pool *ir.Pool, types, text string) (*ir.Update, error) {
	u, d, err := parseAbstract(pool, types, &ir.Source{Name: "operator", Text: text}, classifyOperand, true)
	if err != nil {
		return nil, err
	}
	operand := map[string]bool{} // by role and number
	for i, v := range u.Vars {
		role := fmt.Sprint(v.Kind(), v.Index())
		switch {
		case v.Kind() == ir.Param:
		case operand[role]:
			d.errorf(d.list[i].pos, "component %d of this operand has two names", v.Index())
		case v.Index() >= len(u.Types) || v.Type() != u.Types[v.Index()]:
			d.errorf(d.list[i].pos, "%s needs a component x%d of type %s beside it", v.Name(), v.Index(), v.Type())
		}
		operand[role] = true
	}
	if len(u.NonNeg) > 0 {
		d.errorf(d.list[0].pos, "u31 is for reduction coordinates, which no operator has")
	}
	if err := d.reporter.list(); err != nil {
		return nil, err
	}
	return u, nil
}

// IsAbstract reports whether a text is meant as an abstract update, not as a program: it begins with
// types, or it is about the state x0 and does not begin with a definition or a declaration. No
// program that [ParseProgram] reads is.
func IsAbstract(text string) bool {
	return len(text) <= ir.MaxSource && (skim(text).beginsTypes() || !skim(text).beginsProgram() && skim(text).mentionsState())
}

// CutTypes returns the types in front of an abstract update, and the update behind them.
func CutTypes(text string) (types, update string) {
	p := skim(text)
	if !p.beginsTypes() {
		return "", text
	}
	p.variables()
	if p.tok.kind == tokStop {
		return "", text
	}
	return text[:p.tok.pos], text[p.tok.pos:]
}

// skim returns a parser for a look at a text. Nobody is told of its errors.
func skim(text string) *parser {
	p := newParser(newTree(&ir.Source{Text: text}))
	p.abstract = true
	return p
}

// beginsTypes reports whether name: is next. It reads no further than that.
func (p *parser) beginsTypes() bool {
	at, tok := p.lex.at, p.tok
	defer func() { p.lex.at, p.tok = at, tok }()
	for p.tok.kind == tokIdent {
		if p.next(); !p.accept(".") {
			return p.is(":")
		}
	}
	return false
}

// beginsProgram reports whether a definition, a declaration, a directive or a loop is next.
func (p *parser) beginsProgram() bool {
	for p.accept(";") {
	}
	word, dotted := p.text(), false
	if p.tok.kind != tokIdent {
		return false
	}
	if declarations[word] != nil || loops[word] && p.isLoop() {
		return true
	}
	p.next()
	if ParseType(word) != ir.Invalid && p.tok.kind == tokIdent {
		return true
	}
	if _, assigns := compound[p.text()]; assigns || p.is("=") {
		kind, _ := classify(word)
		return kind != ir.State
	}
	for p.accept(".") {
		_, dotted = directives[p.text()]
		dotted = dotted || p.text() == "where" || p.text() == "update"
		p.next()
	}
	if !p.is("(") {
		return false
	}
	if dotted {
		return true
	}
	for depth := 0; p.tok.kind != tokEOF && p.tok.kind != tokStop; p.next() {
		if p.is("(") {
			depth++
		} else if p.is(")") {
			if depth--; depth == 0 {
				p.next()
				_, compound := compound[p.text()]
				return compound || p.is("=")
			}
		}
	}
	return false
}

// mentionsState reports whether x0, or the like, occurs; or x, where no function is called that the
// language does not have.
func (p *parser) mentionsState() bool {
	x, calls := false, false
	for p.tok.kind != tokEOF && p.tok.kind != tokStop {
		if p.tok.kind != tokIdent {
			p.next()
			continue
		}
		name := p.text()
		p.next()
		called := p.is("(")
		if kind, _ := classify(name); kind == ir.State && !called {
			return true
		}
		x = x || name == "x" && !called
		calls = calls || called && !isReserved(name)
	}
	return x && !calls
}

// declaration is one name:type.
type declaration struct {
	name string
	word string // of the type
	pos  ir.Pos
}

// variableTypes is the declarations of an abstract update, in the source that has them.
type variableTypes struct {
	*reporter
	list []declaration
}

// variables reads name:type, …; in front of an update the last one ends where no other follows. Commas,
// semicolons or lines are between them.
func (p *parser) variables() (list []declaration) {
	for p.tok.kind != tokStop {
		d := declaration{pos: ir.Pos(p.tok.pos)}
		if p.tok.kind == tokIdent {
			d.name = p.dotted()
		}
		if d.name == "" || !p.is(":") {
			rest, _, _ := strings.Cut(p.src.Text[d.pos:], ",")
			p.failAt(int(d.pos), "expected name:type, such as x0:i32, not %q", strings.TrimSpace(rest))
			break
		}
		p.next()
		if d.word = p.text(); p.tok.kind != tokIdent {
			p.fail("expected the type of %s, not %s", d.name, p.found())
			break
		}
		p.next()
		if d.word == "unsigned" && p.tok.kind == tokIdent && p.text() == "int" {
			p.next()
		}
		if list = append(list, d); len(list) > MaxStmts {
			p.failAt(int(d.pos), "more than %d variables", MaxStmts)
			break
		}
		if !p.accept(",") {
			p.accept(";")
			if !p.beginsTypes() {
				break
			}
		}
	}
	return list
}

// parseAbstract reads an update or an operator, and offers what was meant by one with an error.
func parseAbstract(pool *ir.Pool, types string, src *ir.Source, role roles, offers bool) (*ir.Update, *variableTypes, error) {
	checkPool(pool)
	if err := checkSource(src); err != nil {
		return nil, nil, ir.ErrorList{err}
	}
	p := newParser(newTree(src))
	p.abstract = true
	if offers {
		p.offers = func() { p.meant(types, role) }
	}
	inFront, d := p.beginsTypes(), &variableTypes{reporter: p.reporter}
	switch {
	case strings.TrimSpace(types) == "" && !inFront:
		return nil, nil, p.missingTypes(role)
	case strings.TrimSpace(types) == "":
		d.list = p.variables()
	case inFront:
		p.failAt(p.tok.pos, "the types stand here and apart: leave them out here or there")
	case skim(src.Text).beginsProgram():
		p.offers = nil
		p.failAt(p.tok.pos, "this is a program, which needs no types beside it; an abstract update is x0 + y0")
	default:
		t := newTree(&ir.Source{Name: "types", Text: types})
		if err := checkSource(t.src); err != nil {
			return nil, nil, ir.ErrorList{err}
		}
		q := newParser(t)
		d.reporter, d.list = t.reporter, q.variables()
		if q.tok.kind != tokEOF {
			q.fail(`expected "," and another name:type, not %s`, q.found())
		}
	}
	u := &ir.Update{Source: src, Pool: pool}
	declareVars(u, d, role)
	if err := d.reporter.list(); err != nil {
		return nil, nil, err
	}
	state := make([]string, len(u.Types))
	for _, v := range u.Vars {
		if v.Kind() == ir.State {
			state[v.Index()] = v.Name()
		}
	}
	var err error
	if u.Values, err = varScope(u, role).values(pool, p, p.components(), u.Types, state); err != nil {
		return nil, nil, err
	}
	return u, d, nil
}

// meant offers what a text with an error is as an update or an operator; where it has no types, what it is as a program.
func (p *parser) meant(types string, role roles) {
	offered := p.offer("update", true, nil, func(text string) []posError {
		q := skim(text)
		if inFront := q.beginsTypes(); types == "" && !inFront && q.guess(role).best() != "" {
			return nil
		} else if _, _, err := parseAbstract(ir.NewPool(), types, &ir.Source{Text: text}, role, false); err == nil {
			return nil
		}
		return p.errs
	})
	isState := func(w string) bool { kind, _ := role(w); return kind == ir.State }
	if !offered && types == "" && !isState("x") && len(p.src.Text) <= longestForeign && !slices.ContainsFunc(foreignWords(p.src.Text), isState) {
		offered = p.offer("program", true, nil, func(text string) []posError { return programMistakes(text, ir.I32) })
	}
	if offered {
		p.parts = nil
	}
}

// varScope knows the variables of u. It adds reduction coordinates that are not declared.
func varScope(u *ir.Update, role roles) Scope {
	byName := map[string]ir.Expr{}
	for _, v := range u.Vars {
		byName[v.Name()] = v
	}
	return Scope{Var: func(name string) (ir.Expr, bool) {
		v, ok := byName[name]
		if kind, index := role(name); !ok && kind == ir.Coord && isCoordName(name) {
			v, ok = u.Pool.Var(kind, name, index, ir.I32), true
			u.Vars, u.NonNeg, byName[name] = append(u.Vars, v), append(u.NonNeg, v), v
		}
		return v, ok
	}, names: func() []string {
		var names []string
		for _, v := range u.Vars {
			names = append(names, v.Name())
		}
		return names
	}}
}

// declareVars makes the variables of u.
func declareVars(u *ir.Update, d *variableTypes, role roles) {
	seen := map[string]bool{}
	state := map[int]ir.Type{}
	for _, v := range d.list {
		t := ParseType(v.word)
		if v.word == "u31" {
			t = ir.I32
		}
		switch {
		case t == ir.Invalid:
			d.errorf(v.pos, "there is no type %q (known: bool, i8 to i64, u8 to u64, f32, f64, u31)", v.word)
			continue
		case seen[v.name]:
			d.errorf(v.pos, "%s is declared twice", v.name)
			continue
		case isReserved(v.name):
			d.errorf(v.pos, "%s is a word of the language", v.name)
			continue
		}
		seen[v.name] = true
		kind, index := role(v.name)
		if kind == ir.State {
			if index >= ir.MaxState {
				d.errorf(v.pos, "component %d of a tuple of at most %d", index, ir.MaxState)
				continue
			}
			state[index] = t
		}
		e := u.Pool.Var(kind, v.name, index, t)
		u.Vars = append(u.Vars, e)
		if v.word == "u31" || kind == ir.Coord && t.IsSigned() {
			u.NonNeg = append(u.NonNeg, e)
		}
	}
	if len(d.errs) == 0 {
		declareComponents(u, state, d)
	}
}

// declareComponents sets the types of the components of u.
func declareComponents(u *ir.Update, state map[int]ir.Type, d *variableTypes) {
	for i := range len(state) {
		t, ok := state[i]
		if !ok {
			d.errorf(d.list[0].pos, "the components are x0, x1, …: x%d is missing", i)
			return
		}
		u.Types = append(u.Types, t)
	}
	if len(state) == 0 {
		d.errorf(d.list[0].pos, "no component is declared: x0:i32 is one")
	}
}

// roles tells the role and the number of a variable by its name.
type roles func(name string) (ir.VarKind, int)

// missingTypes is the error for an abstract update without types. It says which ones would do.
func (p *parser) missingTypes(role roles) error {
	begin := ir.Pos(p.tok.pos)
	if skim(p.src.Text).beginsProgram() {
		p.offers = nil
		p.errorf(begin, "this is a program, which rfactor match takes, and an abstract update is wanted, such as x0 + y0")
		return p.list()
	}
	g := p.guess(role)
	for n := range p.nodes {
		if p.nodes[n].kind == synCall {
			p.unknownFunction(int32(n))
		}
	}
	kind, _ := role("x")
	operator := operatorTypes(p.src.Text)
	switch {
	case len(p.errs) > 0:
		return p.list()
	case g.state == 0 && kind != ir.State && operator != "":
		p.offers = nil
		p.errorf(begin, "this is an operator, and the state before the step is x0: %s", whole(fmt.Sprintf("rfactor check -types %s '%s' knows its laws", operator, strings.TrimSpace(p.src.Text))))
	case g.state == 0:
		p.errorf(begin, "the state before the step is x0, and nothing here is about it")
	default:
		list := g.best()
		if list != "" {
			p.offers = nil
		}
		p.errorf(begin, "the types are missing: %s", whole(g.message(list)))
	}
	p.parts = nil
	return p.list()
}

// guess reads components whose variables have no types, and collects the variables.
func (p *parser) guess(role roles) *typeGuess {
	roots := p.components()
	g := &typeGuess{parser: p, role: role, roots: roots}
	if len(p.errs) == 0 {
		g.collect()
		p.endLocals()
	}
	return g
}

// whole is a text that an error shows whole.
type whole string

// typeGuess finds types for the variables of an abstract update that declares none.
type typeGuess struct {
	*parser
	role  roles
	roots []int32
	names []string // of the variables but the state, and of the state behind them
	state int      // how many components there are
}

// collect lists the variables. An update of assignments alone has the components that it mentions.
func (g *typeGuess) collect() {
	used := map[string]bool{}
	for name := range g.locals {
		if kind, i := g.role(name); kind == ir.State && len(g.roots) == 0 {
			g.state = max(g.state, i+1)
			used[name] = true
		}
	}
	for n := range g.nodes {
		if g.nodes[n].kind != synName || used[g.name(int32(n))] {
			continue
		}
		name := g.name(int32(n))
		switch kind, i := g.role(name); {
		case kind == ir.State:
			g.state = max(g.state, i+1)
		case kind == ir.Coord && isCoordName(name):
			continue
		default:
			g.names = append(g.names, name)
		}
		used[name] = true
	}
	if g.state > 0 {
		g.state = min(max(g.state, len(g.roots)), ir.MaxState)
	}
	for i := range g.state {
		name := "x" + strconv.Itoa(i)
		if i == 0 && !used[name] && used["x"] {
			name = "x"
		}
		g.names = slices.Insert(g.names, i, name)
	}
	if len(g.roots) == 0 {
		g.roots = g.assigned(g.names[:g.state])
	}
}

// best is the first guess that the whole text agrees with; "" where there is none.
func (g *typeGuess) best() string {
	const most = 1 << 14 // of a longer text nobody wants a line of types
	if len(g.nodes) > most {
		return ""
	}
	for _, list := range g.guesses() {
		if _, _, err := parseAbstract(ir.NewPool(), list, g.src, g.role, false); err == nil {
			return list
		}
	}
	return ""
}

// message says what to write, with the guess that is best.
func (g *typeGuess) message(list string) string {
	if list != "" {
		return fmt.Sprintf("-types %s, or the same in front", list)
	}
	list = g.declare(func(string) string { return "TYPE" })
	if len(list) > 200 {
		list = "x0:i32,…"
	}
	return fmt.Sprintf("-types %s, or the same in front; types are %s to %s", list, ir.Bool, ir.F64)
}

// guesses lists what may be declared: what the use of each name says, and one type for all of them.
func (g *typeGuess) guesses() []string {
	var known []ir.Type // of the components; what their expressions are is learnt
	var lists []string
	for range 3 {
		f := newInference(g.tree)
		for i, t := range known {
			f.set(f.of(g.names[i], 0), t)
		}
		for n := range g.nodes {
			f.known(int32(n))
		}
		for n := range g.nodes {
			if g.nodes[n].kind == synName {
				f.unite(int32(n), f.of(g.name(int32(n)), 0))
			}
			f.related(int32(n))
		}
		for i, n := range g.roots {
			if i < g.state {
				f.unite(f.of(g.names[i], 0), n)
			}
		}
		for n, s := range g.nodes {
			if s.kind == synWiden {
				f.set(int32(n), widened(s.op, f.solve(s.a, ir.I32)))
			}
		}
		typeOf := func(name string) ir.Type {
			if operand, ok := strings.CutPrefix(name, "y"); ok {
				if kind, _ := g.role(name); kind == ir.Leaf && g.pairs() {
					name = "x" + operand
				}
			}
			return f.solve(f.of(name, 0), ir.I32)
		}
		lists = append(lists, g.declare(func(name string) string { return typeOf(name).String() }))
		known = known[:0]
		for i := range min(g.state, len(g.roots)) {
			known = append(known, g.valueType(g.roots[i], typeOf))
		}
	}
	for _, t := range []ir.Type{ir.I32, ir.F32, ir.I64, ir.U32, ir.U8, ir.F64, ir.Bool} {
		lists = append(lists, g.declare(func(string) string { return t.String() }))
	}
	return lists
}

// pairs reports whether every y is an operand's component, with the type of an x.
func (g *typeGuess) pairs() bool { kind, _ := g.role("z0"); return kind == ir.Param }

// declare joins the names with their types.
func (g *typeGuess) declare(typ func(name string) string) string {
	var b strings.Builder
	for i, name := range g.names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(name + ":" + typ(name))
	}
	return b.String()
}

// valueType is the type that an expression has where its variables have those types.
func (g *typeGuess) valueType(root int32, typeOf func(string) ir.Type) ir.Type {
	l := &elaborator{tree: g.tree, resolve: func(n int32) (ir.Type, ir.Expr) {
		if g.nodes[n].kind == synName {
			return typeOf(g.name(n)), ir.Expr{}
		}
		return ir.Invalid, ir.Expr{}
	}}
	l.settle(root)
	return l.guesses[root].orDefault(ir.Invalid)
}
