package egraph

import (
	"math"
	"slices"
)

// A DAG holds a term of every class whose distinct subterms cost little
// together: a subterm that occurs twice is paid once, as for code in which each
// value has a name.
type DAG struct {
	g     *Graph
	best  []int32 // by class: a choice; -1 if no term is known
	made  []choice
	terms map[int32]*Term
}

// A choice is a node over choices made before it, so that it stands for a term
// whatever is chosen later.
type choice struct {
	node Node
	kids []int32
	all  []int32 // the choices in it, itself too, ascending
	cost uint64  // of all of them
}

// ExtractDAG looks for terms whose distinct subterms cost little. The cost of an
// operator must be at least 1; sums stop at the largest number. To find the cheapest is NP-hard: this
// begins with the terms that Extract finds, and improves class by class as long
// as another node, over what its children have at the time, is cheaper. So the
// result never costs more than the term of Extract with equal subterms paid
// once, and may cost more than the cheapest. It takes memory for all subterms
// of all classes' terms: it is for graphs of thousands of nodes. The result
// must not be used after the graph has changed. It panics for a nil cost.
func (g *Graph) ExtractDAG(cost func(Op) uint64) *DAG {
	if cost == nil {
		panic("egraph: ExtractDAG needs a cost")
	}
	x := g.Extract(func(op Op, kids []uint64) uint64 {
		sum := cost(op)
		for _, k := range kids {
			sum = addCost(sum, k)
		}
		return min(sum, noCost-1)
	})
	d := &DAG{g: g, best: make([]int32, g.nodes.n), terms: map[int32]*Term{}}
	for c := range d.best {
		d.best[c] = -1
	}
	for c := range x.best {
		if x.best[c].cost != noCost && g.class[c].parent == Class(c) {
			d.seed(x, Class(c), cost)
		}
	}
	d.improve(cost)
	return d
}

func addCost(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// seed makes the choices of an extraction.
func (d *DAG) seed(x *Extraction, c Class, cost func(Op) uint64) {
	if d.best[c] >= 0 {
		return
	}
	n := x.best[c].node
	for _, k := range d.g.Kids(n, nil) {
		d.seed(x, k, cost)
	}
	d.try(n, c, cost)
}

// improve tries every node, and again the users of classes that got cheaper.
func (d *DAG) improve(cost func(Op) uint64) {
	g := d.g
	var queue []Class
	waiting := make([]bool, g.nodes.n)
	try := func(n Node) {
		if c := g.find(Class(n)); d.try(n, c, cost) && !waiting[c] {
			waiting[c] = true
			queue = append(queue, c)
		}
	}
	for n := range g.nodes.n {
		if n := Node(n); g.head(n) < continued {
			try(n)
		}
	}
	for at := 0; at < len(queue); at++ {
		c := queue[at]
		waiting[c] = false
		for pos := g.class[c].first; pos != 0; pos = g.next(pos) {
			if n := g.owner(pos); g.head(n) != dead {
				try(n)
			}
		}
	}
}

// try chooses node n for its class c if that is cheaper. A choice over an older
// choice of the same class never is: it contains that one.
func (d *DAG) try(n Node, c Class, cost func(Op) uint64) bool {
	next := choice{node: n, cost: cost(d.g.Op(n))}
	for _, k := range d.g.kids(n) {
		if d.best[k] < 0 {
			return false
		}
		next.kids = append(next.kids, d.best[k])
		next.all = append(next.all, d.made[d.best[k]].all...)
	}
	slices.Sort(next.all)
	next.all = slices.Compact(next.all)
	for _, i := range next.all {
		next.cost = addCost(next.cost, cost(d.g.Op(d.made[i].node)))
	}
	if old := d.best[c]; old >= 0 && next.cost >= d.made[old].cost {
		return false
	}
	id := int32(len(d.made))
	next.all = append(next.all, id)
	d.made = append(d.made, next)
	d.best[c] = id
	return true
}

// Cost returns what the distinct subterms of a class's term cost together, and
// false if it has no term. Where the term contains equal subterms that were
// chosen at different times, they may be counted twice.
func (d *DAG) Cost(c Class) (uint64, bool) {
	i := d.best[d.g.Find(c)]
	if i < 0 {
		return 0, false
	}
	return d.made[i].cost, true
}

// Term returns the term of a class, in which shared subterms are one *Term; nil
// if it has none.
func (d *DAG) Term(c Class) *Term {
	i := d.best[d.g.Find(c)]
	if i < 0 {
		return nil
	}
	return d.term(i)
}

func (d *DAG) term(i int32) *Term {
	if t, ok := d.terms[i]; ok {
		return t
	}
	t := &Term{Op: d.g.Op(d.made[i].node)}
	for _, k := range d.made[i].kids {
		t.Kids = append(t.Kids, d.term(k))
	}
	d.terms[i] = t
	return t
}
