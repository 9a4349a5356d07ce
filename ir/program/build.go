package program

import "github.com/rfactor-go/rfactor/ir"

// builder makes a Program of statements, one after another as C++ would run them.
type builder struct {
	*elaborator
	prog          *Program
	stmts         []stmt
	typ           ir.Type // of what nothing decides
	symbols       map[string]*symbol
	declaredLater map[string]bool
	infer         *inference
	depths        map[ir.Expr]int
	made          int // numbers the functions that rfactor makes without a name
}

func newBuilder(t *tree, pool *ir.Pool, stmts []stmt, typ ir.Type) *builder {
	b := &builder{
		prog: &Program{Source: t.src, Pool: pool}, stmts: stmts, typ: typ,
		symbols: map[string]*symbol{}, declaredLater: map[string]bool{}, depths: map[ir.Expr]int{},
	}
	b.elaborator = &elaborator{tree: t, pool: pool, mixed: true, resolve: b.lookup, missing: b.unknownName}
	return b
}

func (b *builder) build() {
	strict := false
	for i := range b.stmts {
		s := &b.stmts[i]
		if s.kind != define && s.kind != where && (s.kind != schedule || s.assign != "") {
			strict = true
			b.declaredLater[s.name] = true
		}
	}
	if !strict {
		b.declareAll()
	}
	b.inferAll()
	if !b.checkConditions() {
		return
	}
	if !strict {
		b.typeAll()
	}
	for i := range b.stmts {
		if b.statement(&b.stmts[i]); b.full() {
			break
		}
	}
	for _, in := range b.prog.Inputs {
		if len(in.Types) > 1 {
			b.pool.MarkTuple(in.Name)
		}
	}
	for _, f := range b.prog.Funcs {
		if len(f.Types) > 1 {
			b.pool.MarkTuple(f.Name)
		}
		if f.Init == nil && len(f.Updates) == 0 && len(b.errs) == 0 {
			b.errorf(f.Pos, "%s is declared but never defined", f.Name)
		}
	}
	if len(b.errs) == 0 {
		b.arrange()
	}
}

func (b *builder) statement(s *stmt) {
	if s.kind != define {
		b.settle(s.args...)
		b.settle(s.values...)
	}
	switch s.kind {
	case define:
		b.define(s)
	case where:
		b.where(s)
	case schedule:
		b.directives(s)
	default:
		b.declare(s)
	}
}

func (b *builder) declare(s *stmt) {
	if b.symbols[s.name] != nil {
		b.errorf(ir.Pos(s.pos), "%s is declared twice", s.name)
		return
	}
	sym := &symbol{}
	b.checkName(s)
	switch s.kind {
	case declFunc:
		sym.fn = b.newFunc(s.name, ir.Pos(s.pos))
	case declVar:
		sym.value = b.variable(ir.Param, s.name, ir.I32)
	case declRVar:
		sym.rvar = true
	case declInput:
		sym.input = &Input{Name: s.name, Types: s.types, Dims: s.dims, Pos: ir.Pos(s.pos)}
		b.prog.Inputs = append(b.prog.Inputs, sym.input)
	case declParam:
		sym.value = b.variable(ir.Param, s.name, s.types[0])
		b.prog.Params = append(b.prog.Params, &Parameter{s.name, sym.value, ir.Pos(s.pos)})
	case declExpr:
		sym.value, sym.nodes = b.abbreviation(s), s.values
		sym.bad = !sym.value.IsValid()
	case declTuple:
		sym.nodes = b.rightSide(s, -1)
		for i := range sym.nodes {
			e := b.value(s, i, ir.Invalid)
			sym.tuple, sym.bad = append(sym.tuple, e), sym.bad || !e.IsValid()
		}
	case declRDom:
		sym.dom = b.domain(s)
	}
	b.symbols[s.name] = sym
}

// variable makes a variable of the program. Where checkVariable refuses its name, the variable
// stands in for it until the errors are returned.
func (b *builder) variable(kind ir.VarKind, name string, t ir.Type) ir.Expr {
	if role, _ := classify(name); role == ir.State || !ir.IsName(name) {
		return b.pool.Placeholder(kind, name, 0, t)
	}
	return b.pool.Var(kind, name, 0, t)
}

// checkName refuses the names that updates give to the components.
func (b *builder) checkName(s *stmt) {
	if s.kind == declVar || s.kind == declParam || s.kind == declRDom {
		b.checkVariable(s.name, ir.Pos(s.pos))
	}
}

func (b *builder) checkVariable(name string, pos ir.Pos) {
	if kind, i := classify(name); kind == ir.State {
		b.errorf(pos, "%s is what component %d of a reduction is called: choose another name", name, i)
	} else if !ir.IsName(name) {
		b.errorf(pos, "%s is a word of the language and no variable", name)
	}
}

func (b *builder) newFunc(name string, pos ir.Pos) *Func {
	f := &Func{Name: name, Pos: pos}
	b.prog.Funcs = append(b.prog.Funcs, f)
	return f
}

// abbreviation is the value of Expr a = e, or of int a = e.
func (b *builder) abbreviation(s *stmt) ir.Expr {
	var e ir.Expr
	if s.types != nil {
		e = b.want(s.values[0], s.types[0])
	} else {
		e = b.expr(s.values[0], ir.Invalid)
	}
	if e.IsValid() && b.depth(e) > ir.MaxDepth {
		b.errorf(ir.Pos(s.pos), "%s is more than %d operators deep", s.name, ir.MaxDepth)
		return ir.Expr{}
	}
	return e
}

// depth is the number of operators around one another; abbreviations add up.
func (b *builder) depth(e ir.Expr) int {
	if d, ok := b.depths[e]; ok {
		return d
	}
	d := 0
	for i := range e.NumArgs() {
		d = max(d, b.depth(e.Arg(i)))
	}
	b.depths[e] = d + 1
	return d + 1
}

// domain makes a reduction domain of (min, extent) pairs.
func (b *builder) domain(s *stmt) *RDom {
	d := &RDom{Name: s.name, Pos: ir.Pos(s.pos)}
	b.prog.Domains = append(b.prog.Domains, d)
	switch n := len(s.args); {
	case n == 0 || n%2 != 0:
		b.errorf(d.Pos, "a domain is (min, extent) pairs, not %s: RDom %s(0, n) runs from 0 to n-1", plural(n, "number"), s.name)
		d.Dims = []Dim{{Var: b.variable(ir.Coord, s.name, ir.I32)}}
		return d
	case n > 2*len(memberNames):
		b.errorf(d.Pos, "a domain has at most %d dimensions", len(memberNames))
		return d
	}
	for i := 0; i < len(s.args); i += 2 {
		name := s.name
		if len(s.args) > 2 {
			name += "." + memberNames[i/2]
		}
		d.Dims = append(d.Dims, Dim{b.variable(ir.Coord, name, ir.I32), b.want(s.args[i], ir.I32), b.want(s.args[i+1], ir.I32)})
	}
	return d
}

// where adds a condition to a domain.
func (b *builder) where(s *stmt) {
	sym := b.symbols[s.name]
	if sym == nil || sym.dom == nil {
		b.errorf(ir.Pos(s.pos), "%s is not a reduction domain%s", s.name, DidYouMean(s.name, b.knownNames(func(s *symbol) bool { return s.dom != nil })))
		return
	}
	for _, d := range b.prog.Definitions() {
		if d.Domain == sym.dom {
			b.errorf(ir.Pos(s.pos), "%s.where comes after an update over %s, which would run without it", s.name, s.name)
			return
		}
	}
	if c := b.expr(s.values[0], ir.Bool); c.IsValid() {
		if c.Type() != ir.Bool {
			b.errorf(b.start(s.values[0]), "the condition of where is %s, not bool", c.Type())
			return
		}
		sym.dom.Where = append(sym.dom.Where, c)
	}
}
