package egraph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
)

// bytesOf deals out random numbers from a fuzzer's bytes; zeros at the end.
type bytesOf struct{ data []byte }

func (b *bytesOf) below(n int) int {
	if len(b.data) == 0 {
		return 0
	}
	v := int(b.data[0])
	b.data = b.data[1:]
	return v % n
}

// Operators of the random terms: their number gives their arity, and one is
// longer than what the engine holds in one record, one longer than two.
var arities = []int{0, 0, 0, 1, 1, 2, 2, 3, 4, 7}

func (b *bytesOf) op() (Op, int) {
	i := b.below(len(arities))
	return Op(i), arities[i]
}

func (b *bytesOf) pattern(depth, vars int) Pattern {
	if depth == 0 || b.below(3) == 0 {
		return PVar(b.below(vars))
	}
	op, arity := b.op()
	p := PNode(op)
	for range arity {
		p.Kids = append(p.Kids, b.pattern(depth-1, vars))
	}
	return p
}

func (b *bytesOf) rules() []Rule {
	var rules []Rule
	for i := range b.below(4) {
		r := Rule{Name: fmt.Sprint("r", i), LHS: b.pattern(2, 3), RHS: b.pattern(2, 3)}
		if b.below(4) == 0 {
			op, arity := b.op()
			p := PNode(op)
			for range arity {
				p.Kids = append(p.Kids, b.pattern(1, 3))
			}
			r.Also = []Pattern{p}
		}
		if _, err := Compile([]Rule{r}); err == nil {
			rules = append(rules, r)
		}
	}
	return rules
}

// pair is a graph beside its definition.
type pair struct {
	g     *Graph
	v     naive
	nodes []Node // nodes[i] is node i of v
	joins [][2]Node
	rules []Rule
}

func newPair(proofs bool) *pair { return &pair{g: New(Options{Proofs: proofs})} }

func (p *pair) grow(b *bytesOf, steps int) {
	for range steps {
		if len(p.nodes) > 1 && b.below(4) == 0 {
			p.join(b)
			continue
		}
		op, arity := b.op()
		var kids []int
		var ks []Node
		for range arity {
			if len(p.nodes) == 0 {
				op, kids, ks = 0, nil, nil
				break
			}
			k := b.below(len(p.nodes))
			kids, ks = append(kids, k), append(ks, p.nodes[k])
		}
		p.v.add(op, kids...)
		p.nodes = append(p.nodes, p.g.AddNode(op, ks...))
		if b.below(5) == 0 {
			p.g.Rebuild()
		}
	}
	p.g.Rebuild()
	p.v.close()
}

// join makes two nodes equal.
func (p *pair) join(b *bytesOf) {
	x, y := b.below(len(p.nodes)), b.below(len(p.nodes))
	p.g.UnionNodes(p.nodes[x], p.nodes[y], uint32(len(p.joins)))
	p.v.union(x, y)
	p.joins = append(p.joins, [2]Node{p.nodes[x], p.nodes[y]})
}

// compare checks that graph and definition agree.
func (p *pair) compare() error {
	n, c := p.v.counts()
	if p.g.NodeCount() != n || p.g.ClassCount() != c {
		return fmt.Errorf("%d nodes %d classes, want %d %d", p.g.NodeCount(), p.g.ClassCount(), n, c)
	}
	listed := 0
	for c := range p.g.Classes() {
		for range p.g.Nodes(c) {
			listed++
		}
	}
	if listed != n {
		return fmt.Errorf("%d nodes listed, want %d", listed, n)
	}
	for i := range p.nodes {
		for j := range i {
			want := p.v.find(i) == p.v.find(j)
			if have := p.g.ClassOf(p.nodes[i]) == p.g.ClassOf(p.nodes[j]); have != want {
				return fmt.Errorf("nodes %d %d equal: %v, want %v", i, j, have, want)
			}
		}
	}
	return nil
}

// prove explains all equalities of the nodes that were added, and has the
// explanations checked.
func (p *pair) prove() error {
	trust := func(s Step, left, right *Term) error {
		if s.Rule != "" || int(s.Reason) >= len(p.joins) {
			return fmt.Errorf("unexpected step %+v", s)
		}
		j := p.joins[s.Reason]
		if !left.Equal(p.g.Term(j[0])) || !right.Equal(p.g.Term(j[1])) {
			return fmt.Errorf("union %d was of other terms", s.Reason)
		}
		return nil
	}
	for i, a := range p.nodes {
		for j, b := range p.nodes {
			e, err := p.g.Explain(a, b)
			if (err == nil) != (p.v.find(i) == p.v.find(j)) {
				return fmt.Errorf("explain %d %d: %v", i, j, err)
			}
			if err != nil {
				continue
			}
			proof, err := e.Flatten(2000)
			if err == ErrTooLong {
				continue
			}
			if err != nil {
				return err
			}
			if err := Check(proof, p.g.Term(a), p.g.Term(b), p.rules, trust); err != nil {
				return fmt.Errorf("proof of %d = %d: %w", i, j, err)
			}
		}
	}
	return nil
}

// engine grows a pair, runs random rules on both sides and compares.
func engine(data []byte) error {
	b := &bytesOf{data}
	const never = 1 << 30
	sizes := []Sizes{
		{never, never, 1, 0, 1}, {never, 0, 1, 0, 1}, {0, never, 1, never, 1}, {0, 0, 3, never, 2}, {0, never, 1, 7, 2}, {10, 0, 2, 30, 3},
	}
	defer sizes[b.below(len(sizes))].Set()()
	proofs := b.below(2) == 0
	p := newPair(proofs)
	if b.below(4) == 0 { // a used graph must do what a fresh one does
		p.grow(b, 10)
		p.g.Reset()
		p = &pair{g: p.g}
	}
	p.rules = b.rules()
	p.grow(b, 5+b.below(30))
	if err := p.compare(); err != nil {
		return err
	}
	rs, err := Compile(p.rules)
	if err != nil {
		return err
	}
	if b.below(3) == 0 {
		if p.detour(b, rs); p.compare() != nil {
			return fmt.Errorf("after a detour: %w", p.compare())
		}
	}
	if b.below(3) == 0 {
		if err := p.cutShort(b, rs); err != nil {
			return err
		}
	}
	Run(context.Background(), p.g, rs, Limits{Iterations: 3}, func(it Iteration) bool {
		if want := p.v.iterate(p.rules); it.Matches != want {
			err = fmt.Errorf("iteration %d: %d matches, want %d", it.Number, it.Matches, want)
		} else {
			err = p.compare()
		}
		if b.below(3) == 1 && len(p.nodes) > 1 { // a hook may change the graph
			p.join(b)
			p.v.close()
		}
		return err == nil && len(p.v.nodes) < 150
	})
	if err == nil && proofs {
		err = p.prove()
	}
	return err
}

func TestEngineAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 3000
	if testing.Short() {
		n = 300
	}
	for i := range n {
		data := make([]byte, 40+rng.IntN(200))
		for j := range data {
			data[j] = byte(rng.Uint32())
		}
		if err := engine(data); err != nil {
			t.Fatalf("input %d %x: %v", i, data, err)
		}
	}
}

// A root that only gets another name is not told of its old matches again.
func TestRenamedRoot(t *testing.T) {
	for _, sizes := range []Sizes{{Wide: 1 << 30, Table: 1 << 30, Chunk: 1, Workers: 1}, {Wide: 0, Chunk: 1, Rows: 1 << 30, Workers: 1}} {
		back := sizes.Set()
		var s Symbols
		rules, err := s.ParseRules("comm: (+ ?a ?b) => (+ ?b ?a)")
		if err != nil {
			t.Fatal(err)
		}
		g := New(Options{})
		sum := add(t, &s, g, "(+ x y)")
		other := add(t, &s, g, "z")
		add(t, &s, g, "(g (f z) (h z))") // z has more users, so that the sum takes its name
		var did []Iteration
		Run(context.Background(), g, MustCompile(rules), Limits{}, func(it Iteration) bool {
			if did = append(did, it); it.Number == 1 {
				g.Union(sum, other, 0)
			}
			return true
		})
		if g.Find(sum) != other {
			t.Error("the sum has kept its name")
		}
		if len(did) != 2 || did[1].Matches != 2 || did[1].Applied != 1 { // that of the sum that was added
			t.Errorf("%+v: %+v, want 2 iterations, and 1 of 2 matches applied in the second", sizes, did)
		}
		back()
	}
}

func FuzzEngine(f *testing.F) {
	f.Add([]byte("0"))
	f.Add([]byte("the engine and its definition must agree on everything they say"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 300 {
			return
		}
		if err := engine(data); err != nil {
			t.Fatal(err)
		}
	})
}
