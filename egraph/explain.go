package egraph

import (
	"errors"
	"slices"
)

// An Explanation says why two nodes are equal, as lemmas that use each other:
// each equality is explained once, so it stays small where the written-out
// proof would not. Lemmas[0] is what was asked; the graph of uses has no cycle.
type Explanation struct {
	Lemmas []Lemma
	forest *forest
	byPair map[[2]Node]int
}

// A Lemma says that the terms of two nodes are equal: a chain of links leads
// from A to B.
type Lemma struct {
	A, B  Node
	Links []Link
}

// LinkKind says why the two terms of a link are equal: by Congruence, External knowledge or a Rewrite.
type LinkKind int

// The kinds of links.

const (
	Congruence LinkKind = iota // the children are equal
	External                   // a Union of the caller
	Rewrite                    // a rule
)

// A Link is one reason. It is told forward, from the left side of the rule (the
// first class of the Union) to the right; Backward says that the lemma's chain
// uses it the other way round.
type Link struct {
	Kind     LinkKind
	From, To Node
	Backward bool
	Rule     *Rule  // of a Rewrite
	Reason   uint32 // of an External link
	Subst    []Node // of a Rewrite: what each variable stands for
	// Before turns the term of From into the left side of the rule (for
	// Congruence, into To); After turns the right side into the term of To.
	Before, After []Premise
}

// A Premise is a lemma used at a path of child indices; Backward: from B to A.
type Premise struct {
	Path     []int
	Lemma    int
	Backward bool
}

// The errors of Explain and Flatten.
var (
	ErrNoProofs = errors.New("egraph: the graph does not record proofs")
	ErrNotEqual = errors.New("egraph: the nodes are not known to be equal")
	ErrTooLong  = errors.New("egraph: the written-out proof is too long")
)

// Explain says why the terms of two nodes are equal. The explanation stays valid until the
// next Reset. Without Options.Proofs the error is ErrNoProofs, and ErrNotEqual where the nodes are
// of different classes.
func (g *Graph) Explain(a, b Node) (*Explanation, error) {
	if g.forest == nil {
		return nil, ErrNoProofs
	}
	if g.ClassOf(a) != g.ClassOf(b) {
		return nil, ErrNotEqual
	}
	e := &Explanation{forest: g.forest, byPair: map[[2]Node]int{}}
	e.lemma(a, b)
	for i := 0; i < len(e.Lemmas); i++ {
		e.Lemmas[i].Links = e.chain(e.Lemmas[i].A, e.Lemmas[i].B)
	}
	return e, nil
}

// lemma returns the number of the lemma about two nodes, and whether it tells
// the equality from b to a.
func (e *Explanation) lemma(a, b Node) (int, bool) {
	if i, ok := e.byPair[[2]Node{a, b}]; ok {
		return i, false
	}
	if i, ok := e.byPair[[2]Node{b, a}]; ok {
		return i, true
	}
	i := len(e.Lemmas)
	e.byPair[[2]Node{a, b}] = i
	e.Lemmas = append(e.Lemmas, Lemma{A: a, B: b})
	return i, false
}

// use adds the premise that a = b at a path, unless they are the same node.
func (e *Explanation) use(ps []Premise, path []int, a, b Node) []Premise {
	if a == b {
		return ps
	}
	i, back := e.lemma(a, b)
	return append(ps, Premise{slices.Clone(path), i, back})
}

// chain follows the tree from a up to the common ancestor and down to b.
func (e *Explanation) chain(a, b Node) []Link {
	f := e.forest
	da, db := f.depth(a), f.depth(b)
	var up, down []Link
	for a != b {
		if da >= db {
			up = append(up, e.link(a))
			a = f.parent(a)
			da--
		} else {
			l := e.link(b)
			l.Backward = !l.Backward
			down = append(down, l)
			b = f.parent(b)
			db--
		}
	}
	slices.Reverse(down)
	return append(up, down...)
}

func (f *forest) depth(n Node) int {
	d := 0
	for ; f.parent(n) != n; n = f.parent(n) {
		d++
	}
	return d
}

// link tells the edge from n to its parent.
func (e *Explanation) link(n Node) Link {
	edge := e.forest.nodes.at(uint32(n))
	l := Link{From: n, To: edge.to}
	if edge.why&flipped != 0 {
		l = Link{From: edge.to, To: n, Backward: true}
	}
	note := uint32(edge.why >> 3)
	switch edge.why & kindMask {
	case congruence:
		l.Kind = Congruence
		for i := range e.forest.arity(l.From) {
			l.Before = e.use(l.Before, []int{i}, e.forest.kid(l.From, i), e.forest.kid(l.To, i))
		}
	case byCaller:
		l.Kind, l.Reason = External, uint32(*e.forest.notes.at(note))
	case byRule:
		l.Kind = Rewrite
		e.rewrite(&l, note)
	}
	return l
}

// rewrite fills in a link by a rule from what forest.ruled noted.
func (e *Explanation) rewrite(l *Link, note uint32) {
	notes := &e.forest.notes
	rs, rule := e.forest.sets[*notes.at(note)], *notes.at(note + 1)
	l.Rule = &rs.rules[rule].Rule
	a := &rs.rules[rule].applier
	nodes := make([]Node, len(a.build)+a.nodes)
	for i := range nodes {
		nodes[i] = Node(*notes.at(note + 2 + uint32(i)))
	}
	built, matched := nodes[:len(a.build)], nodes[len(a.build):]
	l.Subst = make([]Node, a.vars)
	for v, s := range a.sources {
		l.Subst[v] = l.From // the root of a bare variable
		if s.kid >= 0 {
			l.Subst[v] = e.forest.kid(matched[int(s.place)-a.nodesAt], int(s.kid))
		}
	}
	r := replay{e: e, l: l, matched: matched, built: built}
	r.left(l.Rule.LHS, l.From)
	if l.Rule.Apply == nil {
		r.right(l.Rule.RHS)
	}
}

// replay walks the patterns of a rule beside the nodes of one application.
type replay struct {
	e              *Explanation
	l              *Link
	matched, built []Node
	path           []int
}

// left turns the term of node t into the pattern: t into the node that was
// matched, and its children in turn.
func (r *replay) left(p Pattern, t Node) {
	if p.Var >= 0 {
		r.l.Before = r.e.use(r.l.Before, r.path, t, r.l.Subst[p.Var])
		return
	}
	q := r.matched[0]
	r.matched = r.matched[1:]
	r.l.Before = r.e.use(r.l.Before, r.path, t, q)
	for i, k := range p.Kids {
		r.path = append(r.path, i)
		r.left(k, r.e.forest.kid(q, i))
		r.path = r.path[:len(r.path)-1]
	}
}

// right turns the instance of the pattern into the term of the node that was
// built or found for it, children first, and returns that node.
func (r *replay) right(p Pattern) Node {
	if p.Var >= 0 {
		return r.l.Subst[p.Var]
	}
	kids := make([]Node, len(p.Kids))
	for i, k := range p.Kids {
		r.path = append(r.path, i)
		kids[i] = r.right(k)
		r.path = r.path[:len(r.path)-1]
	}
	n := r.built[0]
	r.built = r.built[1:]
	for i, k := range kids {
		r.path = append(r.path, i)
		r.l.After = r.e.use(r.l.After, r.path, k, r.e.forest.kid(n, i))
		r.path = r.path[:len(r.path)-1]
	}
	return n
}
