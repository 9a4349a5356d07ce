package egraph

import "math"

// A CostFunc returns the cost of a node over the cheapest terms of its
// children. It must not fall when a child's cost rises, and be larger than
// each child's.
type CostFunc func(op Op, kids []uint64) uint64

// TermSize counts the nodes of a term.
func TermSize(_ Op, kids []uint64) uint64 {
	n := uint64(1)
	for _, k := range kids {
		n += k
	}
	return n
}

// An Extraction holds the cheapest term of every class, as of when it was made.
type Extraction struct {
	g    *Graph
	cost []uint64 // by class; noCost if no term is known
	best []Node
	memo map[Class]*Term
}

const noCost = math.MaxUint64

// Extract finds the cheapest term of every class, among equally cheap ones the
// first that a deterministic search meets. The result must not be used after
// the graph has changed.
func (g *Graph) Extract(cost CostFunc) *Extraction {
	g.Rebuild()
	x := &Extraction{g: g, cost: make([]uint64, g.nodes.n), best: make([]Node, g.nodes.n)}
	for c := range x.cost {
		x.cost[c] = noCost
	}
	var buf []uint64
	var queue []Class
	waiting := make([]bool, g.nodes.n)
	improve := func(n Node) {
		if c := g.Find(Class(n)); x.try(n, c, cost, &buf) && !waiting[c] {
			waiting[c] = true
			queue = append(queue, c)
		}
	}
	for n := range g.nodes.n {
		if n := Node(n); g.head(n) < continued {
			improve(n)
		}
	}
	for at := 0; at < len(queue); at++ {
		c := queue[at]
		waiting[c] = false
		for pos := g.class[c].first; pos != 0; pos = g.next(pos) {
			if n := g.owner(pos); g.head(n) != dead {
				improve(n)
			}
		}
	}
	return x
}

// try reports whether node n is cheaper than what its class c has.
func (x *Extraction) try(n Node, c Class, cost CostFunc, buf *[]uint64) bool {
	kids := (*buf)[:0]
	for _, k := range x.g.kids(n) {
		if x.cost[k] == noCost {
			return false
		}
		kids = append(kids, x.cost[k])
	}
	*buf = kids
	v := cost(Op(x.g.head(n))&MaxOp, kids)
	if v >= x.cost[c] {
		return false
	}
	x.cost[c], x.best[c] = v, n
	return true
}

// Cost returns the cost of the cheapest term of a class; false if it has none.
func (x *Extraction) Cost(c Class) (uint64, bool) {
	v := x.cost[x.g.Find(c)]
	return v, v != noCost
}

// Node returns the root of the cheapest term of a class, which must have one.
// Its children are those of Graph.Kids: classes, whose best nodes go on.
func (x *Extraction) Node(c Class) Node { return x.best[x.g.Find(c)] }

// Term returns the cheapest term of a class, nil if it has none.
func (x *Extraction) Term(c Class) *Term {
	c = x.g.Find(c)
	if x.cost[c] == noCost {
		return nil
	}
	if t, ok := x.memo[c]; ok {
		return t
	}
	if x.memo == nil {
		x.memo = map[Class]*Term{}
	}
	op, kids := x.g.Op(x.best[c]), x.g.Kids(x.best[c], nil)
	t := &Term{Op: op}
	for _, k := range kids {
		t.Kids = append(t.Kids, x.Term(k))
	}
	x.memo[c] = t
	return t
}
