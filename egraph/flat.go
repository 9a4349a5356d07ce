package egraph

import "slices"

// A Proof is a chain of terms, each equal to the one before by one step.
type Proof struct {
	Start *Term
	Steps []Step
}

// A Step turns one term into the next by rewriting one subterm.
type Step struct {
	Rule     string // name of the rule; "" for a Union of the caller
	Reason   uint32 // the caller's number, if Rule is ""
	Backward bool   // from the right side to the left, or from b to a of Union(a, b)
	Path     []int  // child indices that lead to the subterm
	Term     *Term  // the whole term after the step
}

// End returns the last term.
func (p *Proof) End() *Term {
	if len(p.Steps) == 0 {
		return p.Start
	}
	return p.Steps[len(p.Steps)-1].Term
}

// Flatten writes the explanation out as a chain without congruence steps, in
// which no term occurs twice. It fails with ErrTooLong if the chain is longer
// than limit steps, or far too many had to be cut out to make it short.
func (e *Explanation) Flatten(limit int) (*Proof, error) {
	if e == nil || len(e.Lemmas) == 0 {
		panic("egraph: the Explanation is not one that Explain returned")
	}
	f := &flattener{
		e: e, bank: New(Options{}), limit: limit, work: 100*limit + 100_000,
		node: map[Node]Node{}, seen: map[Node]int{}, term: map[Node]*Term{},
	}
	start := f.store(e.Lemmas[0].A)
	f.chain, f.seen[start] = []Node{start}, 0
	if err := f.lemma(0, false); err != nil {
		return nil, err
	}
	p := &Proof{Start: f.read(start), Steps: f.steps}
	for i := range p.Steps {
		p.Steps[i].Term = f.read(f.chain[i+1])
	}
	return p, nil
}

// flattener keeps its terms as nodes of a graph of their own, so that equal
// terms are equal numbers.
type flattener struct {
	e     *Explanation
	bank  *Graph
	node  map[Node]Node // of the explained graph to the bank
	term  map[Node]*Term
	chain []Node       // whole terms: chain[i] is after i steps
	seen  map[Node]int // place in chain
	steps []Step
	path  []int
	limit int
	work  int
}

// store returns the bank's node for the term of a node.
func (f *flattener) store(n Node) Node {
	if b, ok := f.node[n]; ok {
		return b
	}
	forest := f.e.forest
	kids := make([]Class, forest.arity(n))
	for i := range kids {
		kids[i] = Class(f.store(forest.kid(n, i)))
	}
	b := f.bank.add(Op(forest.head(n))&MaxOp, kids)
	f.node[n] = b
	return b
}

func (f *flattener) read(b Node) *Term {
	if t, ok := f.term[b]; ok {
		return t
	}
	t := &Term{Op: f.bank.Op(b)}
	for _, k := range f.bank.Kids(b, nil) {
		t.Kids = append(t.Kids, f.read(Node(k)))
	}
	f.term[b] = t
	return t
}

func (f *flattener) lemma(i int, backward bool) error {
	links := f.e.Lemmas[i].Links
	for at := range links {
		l := &links[at]
		if backward {
			l = &links[len(links)-1-at]
		}
		if err := f.link(l, l.Backward != backward); err != nil {
			return err
		}
	}
	return nil
}

func (f *flattener) link(l *Link, backward bool) error {
	first, last := l.Before, l.After
	if backward {
		first, last = last, first
	}
	if err := f.premises(first, backward); err != nil {
		return err
	}
	if l.Kind != Congruence {
		if err := f.step(l, backward); err != nil {
			return err
		}
	}
	return f.premises(last, backward)
}

func (f *flattener) premises(ps []Premise, backward bool) error {
	for at := range ps {
		p := &ps[at]
		if backward {
			p = &ps[len(ps)-1-at]
		}
		depth := len(f.path)
		f.path = append(f.path, p.Path...)
		if err := f.lemma(p.Lemma, p.Backward != backward); err != nil {
			return err
		}
		f.path = f.path[:depth]
	}
	return nil
}

// step rewrites the subterm at the present path. If the whole term was there
// before, what lies between is a detour and goes.
func (f *flattener) step(l *Link, backward bool) error {
	f.work--
	now := f.replace(f.chain[len(f.chain)-1], f.path, f.target(l, backward))
	if at, ok := f.seen[now]; ok {
		for _, n := range f.chain[at+1:] {
			delete(f.seen, n)
		}
		f.chain, f.steps = f.chain[:at+1], f.steps[:at]
		return nil
	}
	if len(f.steps) >= f.limit || f.work < 0 {
		return ErrTooLong
	}
	s := Step{Reason: l.Reason, Backward: backward, Path: slices.Clone(f.path)}
	if l.Kind == Rewrite {
		s.Rule = l.Rule.Name
	}
	f.seen[now] = len(f.chain)
	f.chain, f.steps = append(f.chain, now), append(f.steps, s)
	return nil
}

// target returns what the step makes of the subterm.
func (f *flattener) target(l *Link, backward bool) Node {
	switch {
	case l.Kind == Rewrite && backward:
		return f.instance(l.Rule.LHS, l.Subst)
	case l.Kind == Rewrite && l.Rule.Apply == nil:
		return f.instance(l.Rule.RHS, l.Subst)
	case backward:
		return f.store(l.From)
	}
	return f.store(l.To)
}

func (f *flattener) instance(p Pattern, subst []Node) Node {
	if p.Var >= 0 {
		return f.store(subst[p.Var])
	}
	kids := make([]Class, len(p.Kids))
	for i, k := range p.Kids {
		kids[i] = Class(f.instance(k, subst))
	}
	return f.bank.add(p.Op, kids)
}

func (f *flattener) replace(t Node, path []int, sub Node) Node {
	if len(path) == 0 {
		return sub
	}
	kids := f.bank.Kids(t, nil)
	kids[path[0]] = Class(f.replace(Node(kids[path[0]]), path[1:], sub))
	return f.bank.add(f.bank.Op(t), kids)
}
