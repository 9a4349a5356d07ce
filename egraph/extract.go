package egraph

import (
	"fmt"
	"math"
)

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
	best []cheapest // by class
	memo map[Class]*Term
}

// A cheapest is the root of the cheapest term of a class.
type cheapest struct {
	cost    uint64 // noCost if no term is known
	node    Node
	waiting bool // its users are to be tried again
}

const noCost = math.MaxUint64

// Extract finds the cheapest term of every class, among equally cheap ones the
// first that a deterministic search meets. The result must not be used after
// the graph has changed. It panics for a nil cost.
func (g *Graph) Extract(cost CostFunc) *Extraction {
	if cost == nil {
		panic("egraph: Extract needs a cost")
	}
	g.Rebuild()
	x := &Extraction{g: g, best: make([]cheapest, g.nodes.n)}
	for c := range x.best {
		x.best[c].cost = noCost
	}
	var buf []uint64
	var queue []Class
	users := 0 // of the queued classes
	improve := func(n Node) {
		if c := g.find(Class(n)); x.try(n, c, cost, &buf) && !x.best[c].waiting {
			x.best[c].waiting = true
			queue = append(queue, c)
			users += int(g.class[c].users)
		}
	}
	// Reading all nodes in order is cheap beside following the users of a class, as long as the
	// classes that improve have many.
	for sweep := 0; sweep == 0 || sweep < 8 && users > g.nodes.n/4; sweep++ {
		for _, c := range queue {
			x.best[c].waiting = false
		}
		queue, users = queue[:0], 0
		for n := range g.nodes.n {
			if n := Node(n); g.head(n) < continued {
				improve(n)
			}
		}
	}
	for at := 0; at < len(queue); at++ {
		c := queue[at]
		x.best[c].waiting = false
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
		c := x.best[k].cost
		if c == noCost {
			return false
		}
		kids = append(kids, c)
	}
	*buf = kids
	v := cost(Op(x.g.head(n))&MaxOp, kids)
	if v >= x.best[c].cost {
		return false
	}
	x.best[c].cost, x.best[c].node = v, n
	return true
}

// Cost returns the cost of the cheapest term of a class; false if it has none.
func (x *Extraction) Cost(c Class) (uint64, bool) {
	v := x.best[x.g.Find(c)].cost
	return v, v != noCost
}

// Node returns the root of the cheapest term of a class, and panics where the class has none.
// Its children are those of Graph.Kids: classes, whose best nodes go on.
func (x *Extraction) Node(c Class) Node {
	best := &x.best[x.g.Find(c)]
	if best.cost == noCost {
		panic(fmt.Sprintf("egraph: no term of class %d has a cost", c))
	}
	return best.node
}

// Term returns the cheapest term of a class, nil if it has none. Equal subterms are one *Term.
func (x *Extraction) Term(c Class) *Term {
	c = x.g.Find(c)
	if x.best[c].cost == noCost {
		return nil
	}
	if t, ok := x.memo[c]; ok {
		return t
	}
	if x.memo == nil {
		x.memo = map[Class]*Term{}
	}
	op, kids := x.g.Op(x.best[c].node), x.g.Kids(x.best[c].node, nil)
	t := &Term{Op: op}
	for _, k := range kids {
		t.Kids = append(t.Kids, x.Term(k))
	}
	x.memo[c] = t
	return t
}
