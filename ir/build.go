package ir

import (
	"regexp"
	"slices"
)

// builder makes a Program of statements, one after another as C++ would run them.
type builder struct {
	*elaborator
	prog          *Program
	stmts         []stmt
	typ           Type // of what nothing decides
	symbols       map[string]*symbol
	declaredLater map[string]bool
	infer         *inference
	depths        map[Expr]int
}

func newBuilder(t *tree, pool *Pool, stmts []stmt, typ Type) *builder {
	b := &builder{
		prog: &Program{Source: t.src, Pool: pool}, stmts: stmts, typ: typ,
		symbols: map[string]*symbol{}, declaredLater: map[string]bool{}, depths: map[Expr]int{},
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
	if !strict {
		b.typeAll()
	}
	b.guesses = make([]guess, 0, len(b.nodes))
	for i := range b.stmts {
		b.statement(&b.stmts[i])
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
}

// guessUpTo guesses the types of the nodes that the statement made; a name must have been
// declared by then, so that this cannot be done for all statements at once.
func (b *builder) guessUpTo(roots ...int32) {
	last := int32(-1)
	for _, r := range roots {
		last = max(last, r)
	}
	for n := len(b.guesses); n <= int(last); n++ {
		b.guesses = append(b.guesses, unknown)
		b.guesses[n] = b.guessNode(int32(n))
	}
}

func (b *builder) statement(s *stmt) {
	if s.kind != define {
		b.guessUpTo(s.args...)
		b.guessUpTo(s.values...)
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
		b.errorf(Pos(s.pos), "%s is declared twice", s.name)
		return
	}
	sym := &symbol{}
	switch s.kind {
	case declFunc:
		sym.fn = b.newFunc(s.name, Pos(s.pos))
	case declVar:
		sym.value = b.pool.Var(Param, s.name, 0, I32)
	case declRVar:
		sym.rvar = true
	case declInput:
		sym.input = &Input{Name: s.name, Types: s.types, Dims: s.dims, Pos: Pos(s.pos)}
		b.prog.Inputs = append(b.prog.Inputs, sym.input)
	case declParam:
		sym.value = b.pool.Var(Param, s.name, 0, s.types[0])
		b.prog.Params = append(b.prog.Params, &Parameter{s.name, sym.value, Pos(s.pos)})
	case declExpr:
		sym.value, sym.nodes = b.abbreviation(s), s.values
		sym.bad = !sym.value.IsValid()
	case declTuple:
		sym.nodes = s.values
		for i := range b.rightSide(s, -1) {
			e := b.value(s, i, Invalid)
			sym.tuple, sym.bad = append(sym.tuple, e), sym.bad || !e.IsValid()
		}
	case declRDom:
		sym.dom = b.domain(s)
	}
	b.symbols[s.name] = sym
}

func (b *builder) newFunc(name string, pos Pos) *Func {
	f := &Func{Name: name, Pos: pos}
	b.prog.Funcs = append(b.prog.Funcs, f)
	return f
}

// abbreviation is the value of Expr a = e, or of int a = e.
func (b *builder) abbreviation(s *stmt) Expr {
	var e Expr
	if s.types != nil {
		e = b.want(s.values[0], s.types[0])
	} else {
		e = b.expr(s.values[0], Invalid)
	}
	if e.IsValid() && b.depth(e) > MaxDepth {
		b.errorf(Pos(s.pos), "%s is more than %d operators deep", s.name, MaxDepth)
		return Expr{}
	}
	return e
}

// depth is the number of operators around one another; abbreviations add up.
func (b *builder) depth(e Expr) int {
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
	d := &RDom{Name: s.name, Pos: Pos(s.pos)}
	b.prog.Domains = append(b.prog.Domains, d)
	switch n := len(s.args); {
	case n == 0 || n%2 != 0:
		b.errorf(d.Pos, "a domain is (min, extent) pairs, not %s: RDom %s(0, n) runs from 0 to n-1", plural(n, "number"), s.name)
		d.Dims = []Dim{{Var: b.pool.R(s.name, I32)}}
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
		d.Dims = append(d.Dims, Dim{b.pool.R(name, I32), b.want(s.args[i], I32), b.want(s.args[i+1], I32)})
	}
	return d
}

// where adds a condition to a domain.
func (b *builder) where(s *stmt) {
	sym := b.symbols[s.name]
	if sym == nil || sym.dom == nil {
		b.errorf(Pos(s.pos), "%s is not a reduction domain%s", s.name, didYouMean(s.name, b.knownNames()))
		return
	}
	for _, d := range b.prog.Definitions() {
		if d.Domain == sym.dom {
			b.errorf(Pos(s.pos), "%s.where comes after an update over %s, which would run without it", s.name, s.name)
			return
		}
	}
	if c := b.expr(s.values[0], Bool); c.IsValid() {
		if c.Type() != Bool {
			b.errorf(b.start(s.values[0]), "the condition of where is %s, not bool", c.Type())
			return
		}
		sym.dom.Where = append(sym.dom.Where, c)
	}
}

var coordName = regexp.MustCompile(`^r([0-9]+|[xyzw])?$|\.[xyzw]$`)

// declareAll declares what a program without declarations mentions.
func (b *builder) declareAll() {
	for i := range b.stmts {
		if s := &b.stmts[i]; s.kind == define && b.symbols[s.name] == nil {
			b.symbols[s.name] = &symbol{fn: b.newFunc(s.name, Pos(s.pos))}
		}
	}
	for n := range b.nodes {
		s := &b.nodes[n]
		switch s.kind {
		case synCall:
			b.declareCall(b.names[s.a], s)
		case synName:
			if name := b.names[s.a]; coordName.MatchString(name) {
				b.declareCoord(name, Pos(s.pos))
			}
		}
	}
	for _, d := range b.prog.Domains {
		for i := range d.Dims {
			name := d.Name
			if len(d.Dims) > 1 {
				name += "." + memberNames[i]
			}
			d.Dims[i].Var = b.pool.R(name, I32)
		}
	}
}

// declareCall declares an input that is read somewhere.
func (b *builder) declareCall(name string, s *syn) {
	base, size, dotted := cutLast(name)
	if !dotted {
		base = name
	} else if !slices.Contains(sizes, size) || s.c != 0 {
		return
	}
	sym := b.symbols[base]
	if sym == nil {
		in := &Input{Name: base, Dims: -1, Pos: Pos(s.pos)}
		b.prog.Inputs = append(b.prog.Inputs, in)
		sym = &symbol{input: in}
		b.symbols[base] = sym
	}
	if !dotted && sym.input != nil && sym.input.Dims < 0 {
		sym.input.Dims = int(s.c)
	}
}

// declareCoord declares the domain of a reduction coordinate, with as many dimensions as
// are mentioned.
func (b *builder) declareCoord(name string, pos Pos) {
	base, member, ok := cutLast(name)
	dims := 1
	if ok {
		dims += slices.Index(memberNames[:], member)
	} else {
		base = name
	}
	sym := b.symbols[base]
	if sym == nil {
		sym = &symbol{dom: &RDom{Name: base, Pos: pos}}
		b.prog.Domains = append(b.prog.Domains, sym.dom)
		b.symbols[base] = sym
	}
	for sym.dom != nil && len(sym.dom.Dims) < dims {
		sym.dom.Dims = append(sym.dom.Dims, Dim{})
	}
}

// inferAll relates the types of everything that is not declared.
func (b *builder) inferAll() {
	b.infer = newInference(b.tree)
	f := b.infer
	decl := map[string]*stmt{}
	for i := range b.stmts {
		if s := &b.stmts[i]; s.kind != define && s.kind != where && s.kind != schedule {
			decl[s.name] = s
		}
	}
	for n := range b.nodes {
		f.known(int32(n))
		if _, t := b.nodeVar(int32(n), decl); t != Invalid {
			f.set(int32(n), t)
		}
	}
	for n := range b.nodes {
		if v, t := b.nodeVar(int32(n), decl); t == Invalid && v >= 0 {
			f.unite(int32(n), v)
		}
		f.related(int32(n))
	}
	initial := map[string]bool{}
	for i := range b.stmts {
		if s := &b.stmts[i]; s.kind == define {
			b.inferDefinition(s, !initial[s.name])
			initial[s.name] = true
		}
	}
}

// nodeVar is the type variable that a name, call or component shares with its other
// occurrences, or its declared type; -1 where it has neither.
func (b *builder) nodeVar(n int32, decl map[string]*stmt) (int32, Type) {
	inner, index, _ := b.unindexed(n)
	s := &b.nodes[inner]
	if s.kind != synName && s.kind != synCall {
		return -1, Invalid
	}
	name := b.names[s.a]
	if _, _, dotted := cutLast(name); dotted { // r.x, in.width()
		return -1, I32
	}
	d := decl[name]
	switch {
	case s.kind == synName && coordName.MatchString(name) && d == nil:
		return -1, I32
	case d == nil || d.kind == declFunc:
		return b.infer.of(name, index), Invalid
	case d.kind == declVar || d.kind == declRDom:
		return -1, I32
	case d.kind == declExpr && d.types == nil, d.kind == declTuple && index < len(d.values) && d.tuple:
		return d.values[index], Invalid
	case index < len(d.types):
		return -1, d.types[index]
	}
	return -1, Invalid
}

// inferDefinition relates a function's components to the values that it is given.
func (b *builder) inferDefinition(s *stmt, first bool) {
	for i, v := range s.values {
		if !s.tuple && i > 0 {
			break
		}
		comp := b.infer.of(s.name, i)
		if kind := b.nodes[v].kind; first && kind == synNum { // f() = 0 is an i32 0
			if num, _ := readNumber(b.src.Text[b.nodes[v].a:b.nodes[v].b], false); !num.float {
				b.infer.set(comp, I32)
			}
		}
		b.infer.unite(comp, v)
	}
}

// typeAll gives inferred types to the inputs and parameters of a program that declares none.
func (b *builder) typeAll() {
	pure := map[string]bool{}
	for i := range b.stmts {
		for _, a := range b.stmts[i].args {
			if b.nodes[a].kind == synName {
				pure[b.name(a)] = true
			}
		}
	}
	for i := 0; i < len(b.infer.order); i++ {
		k := b.infer.order[i]
		sym := b.symbols[k.name]
		switch {
		case sym == nil:
			v := b.pool.Var(Param, k.name, 0, b.infer.solve(b.infer.of(k.name, 0), b.typ))
			b.symbols[k.name] = &symbol{value: v}
			if !pure[k.name] {
				b.prog.Params = append(b.prog.Params, &Parameter{k.name, v, b.firstUse(k.name)})
			}
		case sym.input != nil:
			for len(sym.input.Types) <= k.index {
				sym.input.Types = append(sym.input.Types, b.inferred(k.name, len(sym.input.Types)))
			}
		}
	}
}

// inferred is the type of a component.
func (b *builder) inferred(name string, index int) Type {
	return b.infer.solve(b.infer.of(name, index), b.typ)
}

func (b *builder) firstUse(name string) Pos {
	for n := range b.nodes {
		if s := &b.nodes[n]; s.kind == synName && b.names[s.a] == name {
			return Pos(s.pos)
		}
	}
	return 0
}
