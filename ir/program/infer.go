package program

import "github.com/rfactor-go/rfactor/ir"

// inference finds types for the inputs, parameters and components that a program does not
// declare. Every syntax node and every unknown has a type variable; variables that must
// agree are united; what is left over takes the default. Where two known types meet, they
// stay apart: there the program promotes.
//
// Coordinates and extents are i32, and so is what is computed of them and of integer literals alone. In sums, products and comparisons
// they decide nothing else: in(r)/r is a quotient of whatever in is. A component that is set to one, and meets no input, is an i32, too:
// select(in(r) > f()[0], r, f()[1]).
type inference struct {
	*tree
	parent  []int32
	types   []ir.Type // of a class, at its root
	float   []bool    // a class that a float literal or sqrt belongs to
	unknown map[unknownKey]int32
	order   []unknownKey
	places  []placeKind // of the nodes, as far as they are known
	set32   []int32     // nodes that are set to coordinates
}

// placeKind says of a node whether it is computed of coordinates and integer literals.
type placeKind uint8

const (
	notAsked placeKind = iota
	other
	integer  // of literals alone
	position // of coordinates
)

// unknownKey names an unknown: component index of an input or function, or a parameter.
type unknownKey struct {
	name  string
	index int
}

func newInference(t *tree) *inference {
	f := &inference{tree: t, unknown: map[unknownKey]int32{}}
	for range t.nodes {
		f.fresh()
	}
	return f
}

func (f *inference) fresh() int32 {
	v := int32(len(f.parent))
	f.parent, f.types, f.float = append(f.parent, v), append(f.types, ir.Invalid), append(f.float, false)
	return v
}

// of is the type variable of an unknown.
func (f *inference) of(name string, index int) int32 {
	k := unknownKey{name, index}
	v, ok := f.unknown[k]
	if !ok {
		v = f.fresh()
		f.unknown[k] = v
		f.order = append(f.order, k)
	}
	return v
}

func (f *inference) find(v int32) int32 {
	for f.parent[v] != v {
		f.parent[v] = f.parent[f.parent[v]]
		v = f.parent[v]
	}
	return v
}

func (f *inference) unite(a, b int32) {
	a, b = f.find(a), f.find(b)
	switch {
	case a == b:
		return
	case f.types[a] == ir.Invalid:
		f.parent[a] = b
		f.float[b] = f.float[b] || f.float[a]
	case f.types[b] == ir.Invalid || f.types[a] == f.types[b]:
		f.parent[b] = a
		f.float[a] = f.float[a] || f.float[b]
	}
}

// set gives a type to a variable that has none.
func (f *inference) set(v int32, t ir.Type) {
	if v = f.find(v); f.types[v] == ir.Invalid {
		f.types[v] = t
	}
}

// solve is the type of an unknown, the default where nothing decided it.
func (f *inference) solve(v int32, typ ir.Type) ir.Type {
	v = f.find(v)
	if f.types[v] == ir.Invalid {
		f.types[v] = typ
		if f.float[v] && !typ.IsFloat() {
			f.types[v] = ir.F32
		}
	}
	return f.types[v]
}

// known sets what a node alone says.
func (f *inference) known(n int32) {
	s := &f.nodes[n]
	switch s.kind {
	case synBool:
		f.set(n, ir.Bool)
	case synNum:
		num, _ := readNumber(f.src.Text[s.a:s.b], false)
		f.float[f.find(n)] = num.float
	case synLimit:
		if s.typ != ir.Invalid {
			f.set(n, s.typ)
		}
		f.float[f.find(n)] = s.a >= limitInf
	case synCast:
		f.set(n, s.typ)
	case synCall:
		for _, k := range f.kids(n) {
			f.set(k, ir.I32)
		}
	case synOp:
		f.knownOp(n, s)
	case synDerived:
		f.float[f.find(n)] = f.float[f.find(n)] || derivedFuncs[f.name(n)].takes(ir.F32)
	}
}

func (f *inference) knownOp(n int32, s *syn) {
	switch {
	case isLogical(s.op):
		for _, k := range f.kids(n) {
			f.set(k, ir.Bool)
		}
		f.set(n, ir.Bool)
	case s.op.IsComparison():
		f.set(n, ir.Bool)
	case s.op.FloatsOnly():
		f.float[f.find(n)] = true
	}
	switch s.op {
	case ir.Select:
		f.set(s.a, ir.Bool)
	case ir.IsNaN:
		f.set(n, ir.Bool)
		f.float[f.find(s.a)] = true
	}
}

// related unites the node with the operands that have its type.
func (f *inference) related(n int32) {
	s := &f.nodes[n]
	switch s.kind {
	case synPow, synLocal:
		f.join(n, s.a)
	case synWiden:
		f.unite(s.a, s.b)
	case synDerived:
		f.join(n, f.kids(n)...)
	case synTable:
		f.join(n, f.kids(n)[1:]...)
	case synOp:
		switch {
		case s.op.IsComparison():
			f.compared(s.a, s.b)
		case s.op == ir.Select:
			for _, k := range []int32{s.b, s.c} {
				if f.join(n, k); f.place(k) == position {
					f.set32 = append(f.set32, n)
				}
			}
		case isLogical(s.op) || s.op == ir.IsNaN:
		default:
			f.join(n, f.kids(n)...)
		}
	}
}

// join unites a node with those of its operands that decide its type.
func (f *inference) join(n int32, kids ...int32) {
	for _, k := range kids {
		if f.place(k) != position || f.place(n) == position {
			f.unite(n, k)
		}
	}
}

// compared unites both sides of a comparison, unless one of them is a coordinate.
func (f *inference) compared(a, b int32) {
	if p, q := f.place(a), f.place(b); p == q || p != position && q != position || p == integer || q == integer {
		f.unite(a, b)
	}
}

// place returns of what a node is computed.
func (f *inference) place(n int32) placeKind {
	if f.places == nil {
		return other
	}
	if f.places[n] != notAsked {
		return f.places[n]
	}
	s, kind := &f.nodes[n], other
	var kids []int32
	switch {
	case s.kind == synNum:
		if num, _ := readNumber(f.src.Text[s.a:s.b], false); !num.float {
			kind = integer
		}
	case s.kind == synLocal || s.kind == synPow:
		kids = []int32{s.a}
	case s.kind == synDerived && !derivedFuncs[f.name(n)].takes(ir.F32):
		kids = f.kids(n)
	case s.kind != synOp || s.op.IsComparison() || isLogical(s.op) || s.op == ir.IsNaN || s.op.FloatsOnly():
	case s.op == ir.Select:
		kids = []int32{s.b, s.c}
	default:
		kids = f.kids(n)
	}
	for i, k := range kids {
		switch p := f.place(k); {
		case i == 0:
			kind = p
		case p == other || kind == other:
			kind = other
		default:
			kind = max(kind, p)
		}
	}
	f.places[n] = kind
	return kind
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
		if _, t := b.nodeVar(int32(n), decl); t != ir.Invalid {
			f.set(int32(n), t)
		}
	}
	f.places = make([]placeKind, len(b.nodes))
	for n := range b.nodes {
		if b.isPosition(int32(n), decl) {
			f.places[n] = position
		}
	}
	for n := range b.nodes {
		if v, t := b.nodeVar(int32(n), decl); t == ir.Invalid && v >= 0 {
			f.unite(int32(n), v)
		}
		f.related(int32(n))
	}
	initial := map[string]bool{}
	for i := range b.stmts {
		if s := &b.stmts[i]; s.kind == define {
			b.inferDefinition(s, !initial[s.name])
			initial[s.name] = true
			if s.place != "" {
				b.infer.set(b.infer.of(s.place, 0), ir.I32)
			}
		}
	}
	inputs := map[int32]bool{} // the classes that have one
	for _, k := range f.order {
		if _, isFunc := initial[k.name]; !isFunc {
			inputs[f.find(f.unknown[k])] = true
		}
	}
	for _, n := range f.set32 {
		if v := f.find(n); !f.float[v] && !inputs[v] {
			f.set(v, ir.I32)
		}
	}
}

// isPosition reports whether a node is a coordinate, or an extent.
func (b *builder) isPosition(n int32, decl map[string]*stmt) bool {
	s := &b.nodes[n]
	if s.kind != synName && s.kind != synCall {
		return false
	}
	name := b.names[s.a]
	_, _, dotted := cutLast(name)
	d := decl[name]
	return dotted || d == nil && s.kind == synName && isCoordName(name) || d != nil && (d.kind == declVar || d.kind == declRDom)
}

// checkConditions refuses conditions that are numbers elsewhere: f() ? in(r) : 3 would make f a bool, and 3
// the mistake. It reports whether there are none.
func (b *builder) checkConditions() bool {
	f, ok := b.infer, true
	number := map[int32]bool{} // classes that a number other than 0 and 1 belongs to
	for n := range b.nodes {
		s := &b.nodes[n]
		if s.kind != synNum {
			continue
		}
		num, _ := readNumber(b.src.Text[s.a:s.b], s.neg)
		if v, err := num.magnitude(); err == nil && !num.float && v <= 1 {
			continue
		}
		number[f.find(int32(n))] = true
	}
	for n := range b.nodes {
		s := &b.nodes[n]
		if s.kind != synOp || s.op != ir.Select || !number[f.find(s.a)] {
			continue
		}
		inner, _, _ := b.unindexed(s.a)
		text := ""
		switch b.nodes[inner].kind {
		case synName:
			text = b.name(inner)
		case synCall:
			text = b.name(inner) + "()"
		default:
			continue
		}
		b.errorf(b.start(s.a), "%s is a condition here and a number elsewhere: compare it, as in %s != 0", text, text)
		ok = false
	}
	return ok
}

// nodeVar is the type variable that a name, call or component shares with its other
// occurrences, or its declared type; -1 where it has neither.
func (b *builder) nodeVar(n int32, decl map[string]*stmt) (int32, ir.Type) {
	inner, index, _ := b.unindexed(n)
	s := &b.nodes[inner]
	if s.kind != synName && s.kind != synCall {
		return -1, ir.Invalid
	}
	name := b.names[s.a]
	if _, _, dotted := cutLast(name); dotted { // r.x, in.width()
		return -1, ir.I32
	}
	d := decl[name]
	switch {
	case s.kind == synName && isCoordName(name) && d == nil:
		return -1, ir.I32
	case d == nil || d.kind == declFunc:
		return b.infer.of(name, index), ir.Invalid
	case d.kind == declVar || d.kind == declRDom:
		return -1, ir.I32
	case index < len(d.values) && (d.kind == declExpr && d.types == nil || d.kind == declTuple && d.tuple):
		return d.values[index], ir.Invalid
	case index < len(d.types):
		return -1, d.types[index]
	}
	return -1, ir.Invalid
}

// inferDefinition relates a function's components to the values that it is given.
func (b *builder) inferDefinition(s *stmt, first bool) {
	for i, v := range s.values {
		if !s.tuple && i > 0 {
			break
		}
		comp := b.infer.of(s.name, i)
		if !first && b.infer.place(v) == position {
			b.infer.set32 = append(b.infer.set32, comp)
			continue
		}
		if kind := b.nodes[v].kind; first && kind == synNum { // f() = 0 is an i32 0
			if num, _ := readNumber(b.src.Text[b.nodes[v].a:b.nodes[v].b], false); !num.float {
				b.infer.set(comp, ir.I32)
			}
		}
		b.infer.unite(comp, v)
	}
}
