package ir

// Map rebuilds es bottom-up in pool p, sharing what they share: where leaf answers an
// expression for a subterm, that expression takes its place and nothing below it is
// visited; the zero Expr means "go on". p may be another pool than theirs.
// leaf is asked once for each distinct subterm, before its operands.
func (p *Pool) Map(es []Expr, leaf func(Expr) Expr) []Expr {
	m := mapper{to: p, leaf: leaf, done: map[uint32]Expr{}}
	out := make([]Expr, len(es))
	for i, e := range es {
		out[i] = m.visit(e)
	}
	return out
}

type mapper struct {
	to   *Pool
	leaf func(Expr) Expr
	done map[uint32]Expr
}

func (m *mapper) visit(e Expr) Expr {
	if d, ok := m.done[e.id]; ok {
		return d
	}
	d := m.leaf(e)
	if !d.IsValid() {
		d = m.rebuild(e)
	}
	m.done[e.id] = d
	return d
}

func (m *mapper) rebuild(e Expr) Expr {
	switch e.Op() {
	case Const:
		return m.to.Const(e.Type(), e.Value())
	case Var:
		return m.to.Var(e.Kind(), e.Name(), e.Index(), e.Type())
	case Call:
		args := make([]Expr, e.NumArgs())
		for i := range args {
			args[i] = m.visit(e.Arg(i))
		}
		if e.pool != m.to && e.pool.isTuple(e) {
			m.to.MarkTuple(e.Name())
		}
		return m.to.Call(e.Type(), e.Name(), e.Index(), args...)
	}
	var args [3]Expr
	n := e.NumArgs()
	for i := range n {
		args[i] = m.visit(e.Arg(i))
	}
	if e.Op() == Cast {
		return m.to.intern(node{op: Cast, typ: e.Type(), a: args[0].id}, nil)
	}
	return makeTyped(e.Op(), e.Type(), args[:n])
}

// Import copies es into pool p.
func (p *Pool) Import(es ...Expr) []Expr {
	return p.Map(es, func(Expr) Expr { return Expr{} })
}

// Subst is e with each occurrence of the expression from[i] replaced by to[i].
func Subst(e Expr, from, to []Expr) Expr {
	return e.pool.Map([]Expr{e}, func(s Expr) Expr {
		for i, f := range from {
			if s == f {
				return to[i]
			}
		}
		return Expr{}
	})[0]
}

// Walk calls f once for each distinct subterm of es, operands first, in a fixed order.
func Walk(es []Expr, f func(Expr)) {
	seen := map[uint32]bool{}
	var visit func(Expr)
	visit = func(e Expr) {
		if seen[e.id] {
			return
		}
		seen[e.id] = true
		for i := range e.NumArgs() {
			visit(e.Arg(i))
		}
		f(e)
	}
	for _, e := range es {
		visit(e)
	}
}

// Vars lists the distinct variables of es in the order of their first occurrence.
func Vars(es ...Expr) []Expr {
	var vs []Expr
	Walk(es, func(e Expr) {
		if e.Op() == Var {
			vs = append(vs, e)
		}
	})
	return vs
}
