package tablegen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// candidate is an operator that evaluation takes for associative.
type candidate struct {
	leaves int
	exprs  string
}

// component is a function of a tuple: its root, whose operands are functions of the space.
type component struct {
	node   node
	sort   sort
	leaves int
}

// searcher looks for associative tuples among the functions of a space.
type searcher[T simd.Number] struct {
	s          *space[T]
	r          *reader[T]
	triples    [triples]triple[T] // its own: left and right are written to
	others     []triple[T]
	depend     []env[T] // points at which dependence on variables is tried
	found      []candidate
	seen       map[xxh3.Uint128]bool
	identities []identity[T]
	tally
}

func newSearcher[T simd.Number](s *space[T]) *searcher[T] {
	w := &searcher[T]{s: s, r: newReader(s), triples: s.pts.triples, seen: map[xxh3.Uint128]bool{}, identities: identities(s)}
	d := drawer[T]{s.w.values, rand.New(rand.NewPCG(3, 4))}
	for i := range 2000 {
		w.others = append(w.others, d.triple(s.vars, len(s.types), style(i%numStyles)))
	}
	for i := range 64 {
		w.depend = append(w.depend, d.env(s.vars, style(i%numStyles)))
	}
	return w
}

// value is a component at a point, a flag as 0 or 1.
func (w *searcher[T]) value(c *component, e *env[T]) T {
	if c.sort == flag {
		return ofFlag[T](w.s.truthOf(&c.node, e))
	}
	return w.s.numberOf(&c.node, e)
}

func ofFlag[T simd.Number](b bool) T {
	if b {
		return 1
	}
	return 0
}

// associates reports whether a tuple is associative at a triple, as far as its results are
// exact.
func (w *searcher[T]) associates(tuple []component, t *triple[T]) bool {
	n := len(tuple)
	for i := range tuple {
		c := &tuple[i]
		t.left[i] = w.value(c, &t.xy)
		t.right[n+i] = w.value(c, &t.yz)
	}
	for i := range tuple {
		if !w.s.exact(t.left[i], tuple[i].leaves) || !w.s.exact(t.right[n+i], tuple[i].leaves) {
			return true
		}
	}
	for i := range tuple {
		c := &tuple[i]
		if !w.s.same(w.value(c, &t.left), w.value(c, &t.right)) {
			return false
		}
	}
	return true
}

// try examines a tuple, from the cheapest test to the dearest, and keeps it if it passes.
func (w *searcher[T]) try(tuple ...component) {
	w.tried++
	var reads uint16
	for i := range tuple {
		reads |= w.s.readsOf(tuple[i].node)
	}
	if x, y := w.s.operands(); reads&x == 0 || reads&y == 0 || len(tuple) == 2 && !w.mixes(tuple) {
		w.independent++
		return
	}
	for i := range w.triples {
		if !w.associates(tuple, &w.triples[i]) {
			w.early++
			return
		}
	}
	w.examine(tuple)
}

// mixes reports whether one component's expression mentions the other component.
func (w *searcher[T]) mixes(pair []component) bool {
	const first, second = 1 | 1<<2, 1<<1 | 1<<3 // x0 and y0, x1 and y1
	return w.s.readsOf(pair[0].node)&second != 0 || w.s.readsOf(pair[1].node)&first != 0
}

// examine is what try does after the first triples.
func (w *searcher[T]) examine(tuple []component) {
	if !w.connected(tuple) {
		w.independent++
		return
	}
	key, known := w.key(tuple)
	if known || w.seen[key] {
		w.known++
		return
	}
	for i := range w.others {
		if !w.associates(tuple, &w.others[i]) {
			w.tally.more++
			return
		}
	}
	if !w.sided(tuple) {
		w.unsided++
		return
	}
	w.seen[key] = true
	w.found = append(w.found, w.candidate(tuple))
}

// key is what tells functions apart; known, that a tuple of fewer leaves has the same values.
func (w *searcher[T]) key(tuple []component) (key xxh3.Uint128, known bool) {
	var sum []byte
	for i := range tuple {
		c := &tuple[i]
		var h xxh3.Uint128
		if c.sort == flag {
			row := make([]bool, w.s.pts.n)
			w.r.flagValues(c.node, row)
			h = xxh3.Hash128(bytesOf(row))
			id, ok := w.s.flags.seen.Get(h)
			known = known || ok && w.s.flags.nodes[id] != c.node
		} else {
			row := make([]T, w.s.pts.n)
			w.r.numberValues(c.node, row)
			h = xxh3.Hash128(bytesOf(row))
			id, ok := w.s.numbers.seen.Get(h)
			known = known || ok && w.s.numbers.nodes[id] != c.node
		}
		b := h.Bytes()
		sum = append(sum, b[:]...)
	}
	return xxh3.Hash128(sum), known
}

// connected reports whether the tuple depends on both operands and is no side by side of
// independent ones: each component uses x and y, or is used by one that does, and from
// some component all are reached over the states that they read.
func (w *searcher[T]) connected(tuple []component) bool {
	n := len(tuple)
	var reads [4]uint // of component i: bit j for x_j, bit 4+j for y_j
	var all uint
	for i := range tuple {
		for j := range n {
			if w.depends(&tuple[i], j) {
				reads[i] |= 1 << j
			}
			if w.depends(&tuple[i], n+j) {
				reads[i] |= 1 << (4 + j)
			}
		}
		all |= reads[i]
	}
	for j := range n {
		if all>>j&1 == 0 && all>>(4+j)&1 == 0 {
			return false
		}
	}
	if all&15 == 0 || all>>4 == 0 {
		return false
	}
	for i := range n {
		reach := uint(1) << i
		for range n {
			for j := range n {
				if reach>>j&1 == 1 {
					reach |= (reads[j] | reads[j]>>4) & 15
				}
			}
		}
		if reach == 1<<n-1 {
			return true
		}
	}
	return false
}

// depends reports whether some of the points shows that a component reads a variable.
func (w *searcher[T]) depends(c *component, v int) bool {
	for i := range w.depend {
		e := w.depend[i]
		a := w.value(c, &e)
		for _, j := range []int{1, 7, 20} {
			e[v] = w.depend[(i+j)%len(w.depend)][v]
			if !w.s.same(a, w.value(c, &e)) {
				return true
			}
		}
	}
	return false
}

// sided reports whether some tuple of the usual ones is an identity on one side. The
// operators of the paper's table have one, and an operator without any cannot be probed for.
func (w *searcher[T]) sided(tuple []component) bool {
	n := len(tuple)
	var choices [4][]int // of component i: indices in w.identities
	total := 1
	for i := range tuple {
		for j, e := range w.identities {
			if e.sort == w.s.types[i] {
				choices[i] = append(choices[i], j)
			}
		}
		total *= len(choices[i])
	}
	for c := range total {
		var pick [4]identity[T]
		for i := range tuple {
			pick[i] = w.identities[choices[i][c%len(choices[i])]]
			c /= len(choices[i])
		}
		if w.unchanged(tuple, pick[:n], 0) || w.unchanged(tuple, pick[:n], n) {
			return true
		}
	}
	return false
}

// identity is a value that may be one: a literal, or the value of a variable.
type identity[T simd.Number] struct {
	sort     sort
	value    T
	variable int // -1 for a literal
}

// identities are the usual ones. The least and the greatest word stand for infinities too.
func identities[T simd.Number](s *space[T]) (all []identity[T]) {
	switch s.w.values {
	case unsignedWords:
		all = append(all, identity[T]{number, T(0) - 1, -1})
	case signedWords, integers, reals:
		all = append(all, identity[T]{number, 0 - T(1), -1}, identity[T]{number, ofInt[T](math.MinInt32), -1}, identity[T]{number, ofInt[T](math.MaxInt32), -1})
	case naturals:
		all = append(all, identity[T]{number, ofInt[T](math.MaxInt32), -1})
	case ieee, numbers:
		d := drawer[T]{}
		all = append(all, identity[T]{number, d.of(math.Inf(1)), -1}, identity[T]{number, d.of(math.Inf(-1)), -1})
	}
	if s.w.values != truths {
		all = append(all, identity[T]{number, 0, -1}, identity[T]{number, 1, -1})
	}
	all = append(all, identity[T]{flag, 0, -1}, identity[T]{flag, 1, -1})
	for i, v := range s.vars {
		if v.name == 'k' {
			all = append(all, identity[T]{sort: v.sort, variable: i})
		}
	}
	return all
}

// unchanged reports whether f(e, y) = y (at 0) or f(x, e) = x (at n) at all points.
func (w *searcher[T]) unchanged(tuple []component, es []identity[T], at int) bool {
	n := len(tuple)
	for p := range w.depend {
		e := w.depend[p]
		for i := range es {
			e[at+i] = es[i].value
			if es[i].variable >= 0 {
				e[at+i] = e[es[i].variable]
			}
		}
		for i := range tuple {
			if !w.s.same(w.value(&tuple[i], &e), e[n-at+i]) {
				return false
			}
		}
	}
	return true
}

func (w *searcher[T]) candidate(tuple []component) candidate {
	pool := ir.NewPool()
	types := w.s.irTypes()
	var es []ir.Expr
	leaves := 0
	for _, c := range tuple {
		es = append(es, w.s.expression(pool, types, c.node))
		leaves += c.leaves
	}
	return candidate{leaves, ir.Strings(es)}
}

// irTypes are the component types at which the space's expressions are written.
func (s *space[T]) irTypes() []ir.Type {
	var types []ir.Type
	for _, t := range s.types {
		if t == flag {
			types = append(types, ir.Bool)
		} else {
			types = append(types, s.w.types[0])
		}
	}
	return types
}

// single tries every function of one component with n leaves. The space has all levels
// below n, and perhaps n.
func (w *searcher[T]) single(ctx context.Context, n int, h share) error {
	of := w.s.types[0]
	if n <= w.s.complete {
		from, to := w.s.levelOf(of, n)
		for id := h.start(from); id < to; id += h.of {
			w.try(component{w.s.node(of, id), of, n})
		}
		return ctx.Err()
	}
	for _, op := range w.s.ops {
		if operations[op].result != of {
			continue
		}
		err := w.s.combine(ctx, op, n, h, func(args [3]uint32) { w.try(component{node{op, args}, of, n}) })
		if err != nil {
			return err
		}
	}
	return nil
}

// pairs tries every pair of functions with n0 and n1 leaves.
func (w *searcher[T]) pairs(ctx context.Context, n0, n1 int, h share) error {
	s0, s1 := w.s.types[0], w.s.types[1]
	from0, to0 := w.s.levelOf(s0, n0)
	from1, to1 := w.s.levelOf(s1, n1)
	for a := h.start(from0); a < to0; a += h.of {
		if err := ctx.Err(); err != nil {
			return err
		}
		for b := from1; b < to1; b++ {
			w.try(component{w.s.node(s0, a), s0, n0}, component{w.s.node(s1, b), s1, n1})
		}
	}
	return nil
}

func sortCandidates(cs []candidate) {
	slices.SortFunc(cs, func(a, b candidate) int {
		if a.leaves != b.leaves {
			return a.leaves - b.leaves
		}
		if len(a.exprs) != len(b.exprs) {
			return len(a.exprs) - len(b.exprs)
		}
		if a.exprs < b.exprs {
			return -1
		}
		return 1
	})
}

func ofInt[T simd.Number](v int64) T { return T(v) }
