package program

import (
	"fmt"
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
	es, err := parseValues(pool, scope, []ir.Type{want}, nil, src)
	if err != nil {
		return ir.Expr{}, err
	}
	return es[0], nil
}

// ParseExprs reads expressions separated by semicolons, one for each type, as ParseExpr does. name
// is what errors call the text.
func ParseExprs(pool *ir.Pool, scope Scope, name string, types []ir.Type, text string) ([]ir.Expr, error) {
	return parseValues(pool, scope, types, nil, &ir.Source{Name: name, Text: text})
}

// checkPool panics where a caller gave no pool.
func checkPool(pool *ir.Pool) {
	if pool == nil {
		panic("program: the pool is nil")
	}
}

// ParseUpdate reads an abstract update, its components separated by semicolons.
// types declares every variable, as in "x0:i32, y0:u8, k0:i32, r:u31": x_i are the
// components, k_i do not change during the reduction, r, r.x and r0 are reduction
// coordinates, and any other name is an input. u31 is an i32 that is never negative. Mistakes in
// either text are an [ir.ErrorList]. A nil pool panics.
func ParseUpdate(pool *ir.Pool, types, text string) (*ir.Update, error) {
	return parseAbstract(pool, types, "update", text, classify)
}

// ParseOperator reads an operator as an update whose inputs are the components y_i of its
// second operand, of the types of x_i. Names are as in ParseUpdate, but x is x0 and y is
// y0, and every other name is a constant.
// Mistakes in either text are an [ir.ErrorList]. A nil pool panics.
func ParseOperator(pool *ir.Pool, types, text string) (*ir.Update, error) {
	u, err := parseAbstract(pool, types, "operator", text, classifyOperand)
	if err != nil {
		return nil, err
	}
	r := &reporter{src: &ir.Source{Name: "types", Text: types}}
	operand := map[string]bool{} // by role and number
	at := ir.Pos(0)
	for i, part := range strings.Split(types, ",") {
		v := u.Vars[i]
		role := fmt.Sprint(v.Kind(), v.Index())
		switch {
		case v.Kind() == ir.Param:
		case operand[role]:
			r.errorf(at, "component %d of this operand has two names", v.Index())
		case v.Index() >= len(u.Types) || v.Type() != u.Types[v.Index()]:
			r.errorf(at, "%s needs a component x%d of type %s beside it", v.Name(), v.Index(), v.Type())
		}
		operand[role] = true
		at += ir.Pos(len(part) + 1)
	}
	if len(u.NonNeg) > 0 {
		r.errorf(0, "u31 is for reduction coordinates, which no operator has")
	}
	if err := r.list(); err != nil {
		return nil, err
	}
	return u, nil
}

func parseAbstract(pool *ir.Pool, types, name, text string, role func(name string) (ir.VarKind, int)) (*ir.Update, error) {
	checkPool(pool)
	u := &ir.Update{Source: &ir.Source{Name: name, Text: text}, Pool: pool}
	if err := declareVars(u, types, role); err != nil {
		return nil, err
	}
	byName := map[string]ir.Expr{}
	for _, v := range u.Vars {
		byName[v.Name()] = v
	}
	scope := Scope{Var: func(name string) (ir.Expr, bool) {
		v, ok := byName[name]
		return v, ok
	}, names: func() []string {
		var names []string
		for _, v := range u.Vars {
			names = append(names, v.Name())
		}
		return names
	}}
	var err error
	state := make([]string, len(u.Types))
	for _, v := range u.Vars {
		if v.Kind() == ir.State {
			state[v.Index()] = v.Name()
		}
	}
	if u.Values, err = parseValues(pool, scope, u.Types, state, u.Source); err != nil {
		return nil, err
	}
	return u, nil
}

// declareVars reads the types of the variables of u.
func declareVars(u *ir.Update, types string, role func(name string) (ir.VarKind, int)) error {
	src := &ir.Source{Name: "types", Text: types}
	if err := checkSource(src); err != nil {
		return ir.ErrorList{err}
	}
	r := &reporter{src: src}
	seen := map[string]bool{}
	state := map[int]ir.Type{}
	at := 0
	for _, part := range strings.SplitN(types, ",", MaxStmts+2) {
		start := ir.Pos(at + len(part) - len(strings.TrimLeft(part, " \t\n")))
		at += len(part) + 1
		name, word, ok := strings.Cut(part, ":")
		name, word = strings.TrimSpace(name), strings.TrimSpace(word)
		t := ParseType(word)
		if word == "u31" {
			t = ir.I32
		}
		switch {
		case !ok || !isName(name):
			r.errorf(start, "expected name:type, not %q", strings.TrimSpace(part))
			continue
		case t == ir.Invalid:
			r.errorf(start, "there is no type %q (known: bool, i8 to i64, u8 to u64, f32, f64, u31)", word)
			continue
		case seen[name]:
			r.errorf(start, "%s is declared twice", name)
			continue
		case isReserved(name):
			r.errorf(start, "%s is a word of the language", name)
			continue
		}
		if seen[name] = true; len(seen) > MaxStmts {
			r.errorf(start, "more than %d variables", MaxStmts)
			break
		}
		kind, index := role(name)
		if kind == ir.State {
			if index >= ir.MaxState {
				r.errorf(start, "component %d of a tuple of at most %d", index, ir.MaxState)
				continue
			}
			state[index] = t
		}
		v := u.Pool.Var(kind, name, index, t)
		u.Vars = append(u.Vars, v)
		if word == "u31" || kind == ir.Coord && t.IsSigned() {
			u.NonNeg = append(u.NonNeg, v)
		}
	}
	if len(r.errs) == 0 {
		declareComponents(u, state, r)
	}
	return r.list()
}

// declareComponents sets the types of the components of u.
func declareComponents(u *ir.Update, state map[int]ir.Type, r *reporter) {
	for i := range len(state) {
		t, ok := state[i]
		if !ok {
			r.errorf(0, "the components are x0, x1, …: x%d is missing", i)
			return
		}
		u.Types = append(u.Types, t)
	}
	if len(state) == 0 {
		r.errorf(0, "no component is declared: x0:i32 is one")
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

func isName(s string) bool {
	for _, part := range strings.Split(s, ".") {
		if part == "" || !isLetter(part[0]) {
			return false
		}
		for i := range len(part) {
			if !isLetter(part[i]) && !isDigit(part[i]) {
				return false
			}
		}
	}
	return true
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

// parseValues reads expressions separated by semicolons, one for each type; or, where there are
// none, assignments to components of those names.
func parseValues(pool *ir.Pool, scope Scope, types []ir.Type, state []string, src *ir.Source) ([]ir.Expr, error) {
	checkPool(pool)
	if err := checkSource(src); err != nil {
		return nil, ir.ErrorList{err}
	}
	t := newTree(src)
	p := newParser(t)
	var roots []int32
	for {
		if !p.assignment() {
			roots = append(roots, p.expr())
		}
		if p.tok.kind != tokStop && p.tok.kind != tokEOF && !p.is(";") {
			p.fail("expected an operator, \";\" or the end, not %s", p.found())
		}
		if p.tok.kind == tokEOF || !p.sync() || p.full() || p.tok.kind == tokEOF {
			break
		}
	}
	if len(roots) == 0 {
		roots = p.assigned(state)
	}
	p.endLocals()
	if len(roots) != len(types) && len(t.errs) == 0 {
		t.errorf(ir.Pos(len(src.Text)), "%s for %s", plural(len(roots), "expression"), plural(len(types), "component"))
	}
	if err := t.list(); err != nil {
		return nil, err
	}
	l := scope.elaborator(pool, t)
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
		if l.full() {
			return
		}
		inner, _, _ := t.unindexed(n)
		s := &t.nodes[inner]
		switch {
		case s.kind == synName && inner == n:
			var known []string
			if sc.names != nil {
				known = sc.names()
			}
			l.errorf(ir.Pos(s.pos), "%s is not declared%s", t.names[s.a], didYouMean(t.names[s.a], known))
		case s.kind == synCall:
			l.errorf(ir.Pos(s.pos), "there is no function %s%s", t.names[s.a], didYouMean(t.names[s.a], builtinNames()))
		default:
			l.errorf(ir.Pos(t.nodes[n].pos), "an index needs a call before it")
		}
	}
	return l
}
