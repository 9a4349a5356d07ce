package egraph_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
)

func one(Op) uint64 { return 1 }

// distinct counts the different subterms of a term.
func distinct(t *Term) uint64 {
	g := New(Options{})
	g.AddTerm(t)
	return uint64(g.NodeCount())
}

func TestExtractDAGShares(t *testing.T) {
	var s Symbols
	g := New(Options{})
	shared, flat := add(t, &s, g, "(+ (f (f (f a))) (f (f (f a))))"), add(t, &s, g, "(h b c (k d (k d d)))")
	g.Union(shared, flat, 0)
	g.Rebuild()
	if size, _ := g.Extract(TermSize).Cost(shared); size != 8 {
		t.Errorf("the smallest term has %d nodes, want 8", size)
	}
	d := g.ExtractDAG(one)
	cost, ok := d.Cost(flat)
	if term := d.Term(flat); !ok || cost != 5 || s.Format(term) != "(+ (f (f (f a))) (f (f (f a))))" {
		t.Errorf("cost %d: %s", cost, s.Format(term))
	} else if term.Kids[0] != term.Kids[1] {
		t.Error("equal subterms are two")
	}
}

// The term is one of the class, costs what is said or less, and no more than
// the smallest tree with its subterms shared.
func TestExtractDAGOfRandomGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	better := 0
	for i := range 300 {
		data := make([]byte, 150)
		for j := range data {
			data[j] = byte(rng.Uint32())
		}
		p := newPair(false)
		p.grow(&bytesOf{data}, 40)
		x, d := p.g.Extract(TermSize), p.g.ExtractDAG(one)
		for _, n := range p.nodes {
			c := p.g.ClassOf(n)
			cost, ok := d.Cost(c)
			if !ok {
				t.Fatalf("graph %d: class %d has no term", i, c)
			}
			term, tree := d.Term(c), distinct(x.Term(c))
			if distinct(term) > cost || cost > tree {
				t.Fatalf("graph %d: cost %d of a term of %d, the smallest tree has %d", i, cost, distinct(term), tree)
			}
			if cost < tree {
				better++
			}
			nodes := p.g.NodeCount()
			if p.g.ClassOf(p.g.AddTerm(term)) != c || p.g.NodeCount() != nodes {
				t.Fatalf("graph %d: the term is not of its class", i)
			}
		}
	}
	if better == 0 {
		t.Error("sharing never made a difference")
	}
}
