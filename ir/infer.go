package ir

// inference finds types for the inputs, parameters and components that a program does not
// declare. Every syntax node and every unknown has a type variable; variables that must
// agree are united; what is left over takes the default. Where two known types meet, they
// stay apart: there the program promotes.
type inference struct {
	*tree
	parent  []int32
	types   []Type // of a class, at its root
	float   []bool // a class that a float literal or sqrt belongs to
	unknown map[unknownKey]int32
	order   []unknownKey
}

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
	f.parent, f.types, f.float = append(f.parent, v), append(f.types, Invalid), append(f.float, false)
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
	case f.types[a] == Invalid:
		f.parent[a] = b
		f.float[b] = f.float[b] || f.float[a]
	case f.types[b] == Invalid || f.types[a] == f.types[b]:
		f.parent[b] = a
		f.float[a] = f.float[a] || f.float[b]
	}
}

// set gives a type to a variable that has none.
func (f *inference) set(v int32, t Type) {
	if v = f.find(v); f.types[v] == Invalid {
		f.types[v] = t
	}
}

// solve is the type of an unknown, the default where nothing decided it.
func (f *inference) solve(v int32, typ Type) Type {
	v = f.find(v)
	if f.types[v] == Invalid {
		f.types[v] = typ
		if f.float[v] && !typ.IsFloat() {
			f.types[v] = F32
		}
	}
	return f.types[v]
}

// known sets what a node alone says.
func (f *inference) known(n int32) {
	s := &f.nodes[n]
	switch s.kind {
	case synBool:
		f.set(n, Bool)
	case synNum:
		num, _ := readNumber(f.src.Text[s.a:s.b], false)
		f.float[f.find(n)] = num.float
	case synLimit:
		if s.typ != Invalid {
			f.set(n, s.typ)
		}
		f.float[f.find(n)] = s.a >= limitInf
	case synCast:
		f.set(n, s.typ)
	case synCall:
		for _, k := range f.kids(n) {
			f.set(k, I32)
		}
	case synOp:
		f.knownOp(n, s)
	}
}

func (f *inference) knownOp(n int32, s *syn) {
	switch ops[s.op].class {
	case boolOp:
		for _, k := range f.kids(n) {
			f.set(k, Bool)
		}
		f.set(n, Bool)
	case compOp, equalOp:
		f.set(n, Bool)
	case floatOp:
		f.float[f.find(n)] = true
	}
	switch s.op {
	case Select:
		f.set(s.a, Bool)
	case IsNaN:
		f.set(n, Bool)
		f.float[f.find(s.a)] = true
	}
}

// related unites the node with the operands that have its type.
func (f *inference) related(n int32) {
	s := &f.nodes[n]
	switch s.kind {
	case synPow:
		f.unite(n, s.a)
	case synWiden:
		f.unite(s.a, s.b)
	case synOp:
		switch {
		case s.op.IsComparison():
			f.unite(s.a, s.b)
		case s.op == Select:
			f.unite(s.b, s.c)
			f.unite(n, s.b)
			f.unite(n, s.c)
		case ops[s.op].class == boolOp || s.op == IsNaN:
		default:
			for _, k := range f.kids(n) {
				f.unite(n, k)
			}
		}
	}
}
