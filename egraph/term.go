package egraph

// A Term is an operator and its arguments. Terms share subterms and must not be
// changed; a nil Kids is a leaf.
type Term struct {
	Op   Op
	Kids []*Term
}

// Equal reports whether two terms are the same tree. A nil term equals only itself.
func (t *Term) Equal(u *Term) bool {
	if t == u {
		return true
	}
	if t == nil || u == nil || t.Op != u.Op || len(t.Kids) != len(u.Kids) {
		return false
	}
	for i := range t.Kids {
		if !t.Kids[i].Equal(u.Kids[i]) {
			return false
		}
	}
	return true
}

// Size returns the number of nodes of the tree, and takes time in that number.
func (t *Term) Size() int {
	n := 1
	for _, k := range t.Kids {
		n += k.Size()
	}
	return n
}

// Term returns the term that a node stands for: the node as it was added, over
// the terms of its children. It panics without Options.Proofs.
func (g *Graph) Term(n Node) *Term {
	if g.checkNode(n); g.forest == nil {
		panic("egraph: Term needs Options.Proofs")
	}
	return g.forest.term(n, map[Node]*Term{})
}

func (f *forest) term(n Node, memo map[Node]*Term) *Term {
	if t, ok := memo[n]; ok {
		return t
	}
	t := &Term{Op: Op(f.head(n)) & MaxOp}
	for i := range f.arity(n) {
		t.Kids = append(t.Kids, f.term(f.kid(n, i), memo))
	}
	memo[n] = t
	return t
}
