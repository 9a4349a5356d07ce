package program

import (
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Scope gives the names in an expression their meaning. The zero Scope knows no name.
type Scope struct {
	Var  func(name string) (ir.Expr, bool)            // a variable, or any expression in its place; nil: there are no variables
	Call func(name string, index int) (ir.Type, bool) // the type of name(…)[index]; nil: there are no calls

	names func() []string // for "did you mean"
}

// ParseExpr reads one expression of the abstract notation into pool. Literals that nothing else
// gives a type take want; the result must have type want unless that is Invalid. Mistakes in the
// text are an [ir.ErrorList].
func ParseExpr(pool *ir.Pool, scope Scope, want ir.Type, text string) (ir.Expr, error) {
	src := &ir.Source{Name: "expression", Text: text}
	es, err := parseValues(pool, scope, []ir.Type{want}, src)
	if err != nil {
		return ir.Expr{}, err
	}
	return es[0], nil
}

// ParseExprs reads expressions separated by semicolons, one for each type, as ParseExpr does. name
// is what errors call the text.
func ParseExprs(pool *ir.Pool, scope Scope, name string, types []ir.Type, text string) ([]ir.Expr, error) {
	return parseValues(pool, scope, types, &ir.Source{Name: name, Text: text})
}

// checkPool panics where a caller gave no pool.
func checkPool(pool *ir.Pool) {
	if pool == nil {
		panic("program: the pool is nil")
	}
}

// classify tells the role of a variable by its name.
func classify(name string) (ir.VarKind, int) {
	if name == "r" || strings.HasPrefix(name, "r.") {
		return ir.Coord, 0
	}
	index, err := strconv.Atoi(name[1:])
	if err != nil || index < 0 || strconv.Itoa(index) != name[1:] {
		return ir.Leaf, 0
	}
	switch name[0] {
	case 'x':
		return ir.State, index
	case 'k':
		return ir.Param, index
	case 'r':
		return ir.Coord, 0 // as Pool.R makes it
	}
	return ir.Leaf, index
}

// classifyOperand tells the role of a variable of an operator by its name.
func classifyOperand(name string) (ir.VarKind, int) {
	switch name {
	case "x":
		return ir.State, 0
	case "y":
		return ir.Leaf, 0
	}
	switch kind, index := classify(name); {
	case kind == ir.State, kind == ir.Leaf && name == "y"+strconv.Itoa(index):
		return kind, index
	}
	return ir.Param, 0
}

// isReserved reports whether a name is a literal, a type, a function or let.
func isReserved(name string) bool {
	if _, ok := builtins[name]; ok {
		return true
	}
	if _, ok := limitNames[name]; ok {
		return true
	}
	switch name {
	case "true", "false", "let", "cast", "UInt", "Int", "Float", "Bool", "type_of", "Tuple":
		return true
	}
	return ParseType(name) != ir.Invalid
}

// parseValues reads expressions separated by semicolons, one for each type.
func parseValues(pool *ir.Pool, scope Scope, types []ir.Type, src *ir.Source) ([]ir.Expr, error) {
	checkPool(pool)
	if err := checkSource(src); err != nil {
		return nil, ir.ErrorList{err}
	}
	p := newParser(newTree(src))
	p.abstract = true
	return scope.values(pool, p, p.components(), types, nil)
}

// components reads expressions separated by semicolons up to the end, and assignments between them.
func (p *parser) components() (roots []int32) {
	for {
		p.beginUnit()
		p.begin(len(roots))
		if !p.assignment() {
			roots = append(roots, p.expr())
		}
		if p.tok.kind != tokStop && p.tok.kind != tokEOF && !p.is(";") {
			p.unended(";", "an operator, \";\" or the end")
		}
		if p.tok.kind == tokEOF || !p.sync() || p.full() || p.tok.kind == tokEOF {
			return roots
		}
	}
}

// values returns the components of an update, each of its type. Without roots, the components are the expressions that the
// source assigned to the names of the state.
func (sc Scope) values(pool *ir.Pool, p *parser, roots []int32, types []ir.Type, state []string) ([]ir.Expr, error) {
	t := p.tree
	if len(roots) == 0 {
		roots = p.assigned(state)
	}
	p.checkMixed(state)
	p.endLocals()
	if max(len(roots), len(types)) == 1 {
		t.parts = nil
	}
	if len(roots) != len(types) && len(t.errs) == 0 {
		t.parts = nil
		t.errorf(ir.Pos(len(t.src.Text)), "%s for %s", plural(len(roots), "expression"), plural(len(types), "component"))
	}
	if err := t.list(); err != nil {
		return nil, err
	}
	l := sc.elaborator(pool, t)
	l.settle(roots...)
	values := make([]ir.Expr, len(roots))
	for i, n := range roots {
		values[i] = l.want(n, types[i])
	}
	if err := t.list(); err != nil {
		return nil, err
	}
	return values, nil
}

// elaborator resolves names in the scope.
func (sc Scope) elaborator(pool *ir.Pool, t *tree) *elaborator {
	l := &elaborator{tree: t, pool: pool}
	l.resolve = func(n int32) (ir.Type, ir.Expr) {
		inner, index, indexed := t.unindexed(n)
		s := &t.nodes[inner]
		switch {
		case s.kind == synName && !indexed && sc.Var != nil:
			if e, ok := sc.Var(t.names[s.a]); ok {
				return e.Type(), e
			}
		case s.kind == synCall && sc.Call != nil:
			if typ, ok := sc.Call(t.names[s.a], index); ok {
				return typ, ir.Expr{}
			}
		}
		return ir.Invalid, ir.Expr{}
	}
	l.missing = func(n int32) {
		inner, _, _ := t.unindexed(n)
		s := &t.nodes[inner]
		switch {
		case s.kind == synName && inner == n:
			var known []string
			if sc.names != nil {
				known = sc.names()
			}
			l.undeclared(ir.Pos(s.pos), t.names[s.a], known, "")
		case s.kind == synCall:
			l.unknownFunction(inner)
		case s.kind == synName:
			l.errorf(ir.Pos(s.pos), "%s", indexedName(t.names[s.a], int(t.nodes[n].b)))
		default:
			l.errorf(ir.Pos(t.nodes[n].pos), "only a call of a tuple has an index")
		}
	}
	return l
}
