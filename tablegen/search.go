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
	s       *space[T]
	screen  *screen
	r       *reader[T]
	tape    tupleTape[T]
	triples *batch[T]      // at which associativity is tried first
	others  []*batch[T]    // and then
	depend  []env[T]       // points at which dependence on variables is tried
	plain   columns[T]     // the same
	changed [][]columns[T] // of each operand: with other values of it
	choices [][]identity[T]
	found   []candidate
	seen    map[xxh3.Uint128]bool
	tally
}

func newSearcher[T simd.Number](s *space[T], k *screen) *searcher[T] {
	own := *k // what it holds is the searcher's
	w := &searcher[T]{s: s, screen: &own, r: newReader(s), tape: tupleTape[T]{s: s}, seen: map[xxh3.Uint128]bool{},
		triples: newBatch(s, s.pts.triples[:]), choices: identityChoices(s.types, identities(s))}
	ts, depend := laterPoints(s)
	w.depend, w.plain = depend, columnsOf(s, depend)
	for v := range 2 * len(s.types) {
		w.changed = append(w.changed, []columns[T]{columnsOf(s, turned(depend, v, 1)), columnsOf(s, turned(depend, v, 7, 20))})
	}
	for n := 60; len(ts) > 0; n *= 2 { // most are refuted by the first ones
		n = min(n, len(ts))
		w.others = append(w.others, newBatch(s, ts[:n]))
		ts = ts[n:]
	}
	return w
}

// laterPoints are where what passes the first triples is tried: associativity, and
// dependence on variables.
func laterPoints[T simd.Number](s *space[T]) (ts []triple[T], depend []env[T]) {
	d := drawer[T]{s.w.values, rand.New(rand.NewPCG(3, 4))}
	for i := range 2000 {
		ts = append(ts, d.triple(s.vars, len(s.types), style(i%numStyles)))
	}
	for i := range 64 {
		depend = append(depend, d.env(s.vars, style(i%numStyles)))
	}
	return ts, depend
}

// turned are points with a variable's values from points some places further.
func turned[T simd.Number](at []env[T], v int, by ...int) (out []env[T]) {
	for _, d := range by {
		for i, e := range at {
			e[v] = at[(i+d)%len(at)][v]
			out = append(out, e)
		}
	}
	return out
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

// try examines a tuple, from the cheapest test to the dearest, and keeps it if it passes.
func (w *searcher[T]) try(tuple ...part) {
	w.tried++
	switch {
	case w.apart(tuple):
		w.independent++
	case w.screen.refutes(tuple):
		w.early++
	default:
		w.examine(tuple)
	}
}

// apart reports whether the expressions alone show that a tuple does not depend on both
// operands, or that no component needs another.
func (w *searcher[T]) apart(tuple []part) bool {
	var reads [2]uint16
	for i := range tuple {
		reads[i] = w.s.readsOf(tuple[i].node)
	}
	return w.s.apart(len(tuple), reads[0], reads[1])
}

// apart is the same, given the variables in the expressions of the components. Pairs that
// fall apart when they are used are counted with them.
func (s *space[T]) apart(components int, reads0, reads1 uint16) bool {
	if components == 2 {
		return fallsApart(reads0, reads1)
	}
	x, y := s.operands()
	return reads0&x == 0 || reads0&y == 0
}

// fallsApart reports whether an update by a pair needs no operator on pairs: a component
// that reads no x or no y is, if there is an identity, the other operand's, so that the
// state keeps its first value or the last one read; one whose state is read by none is
// computed from the other's; and where neither reads the other's state there are two updates
// side by side.
func fallsApart(reads0, reads1 uint16) bool {
	const x, y, x0, x1 = 1<<0 | 1<<1, 1<<2 | 1<<3, 1 << 0, 1 << 1
	all := reads0 | reads1
	return reads0&x == 0 || reads0&y == 0 || reads1&x == 0 || reads1&y == 0 || all&x != x || reads0&x1 == 0 && reads1&x0 == 0
}

// examine is what try does by evaluation.
func (w *searcher[T]) examine(tuple []part) {
	w.tape.compile(tuple)
	if !w.tape.associates(tuple, w.triples) {
		w.early++
		return
	}
	if !w.sided(tuple) {
		w.unsided++
		return
	}
	if !w.connected(tuple) {
		w.independent++
		return
	}
	key, known := w.key(tuple)
	if known || w.seen[key] {
		w.known++
		return
	}
	for _, b := range w.others {
		if !w.tape.associates(tuple, b) {
			w.tally.more++
			return
		}
	}
	w.seen[key] = true
	w.found = append(w.found, w.candidate(tuple))
}

// key is what tells functions apart; known, that a tuple of fewer leaves has the same values.
func (w *searcher[T]) key(tuple []part) (key xxh3.Uint128, known bool) {
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

// connected reports whether the tuple, as evaluation sees it, depends on both operands and is
// no side by side of independent ones: each component uses x and y, or is used by one that does, and from
// some component all are reached over the states that they read.
func (w *searcher[T]) connected(tuple []part) bool {
	n := len(tuple)
	reads := w.reads(tuple)
	var all uint
	for i := range tuple {
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

// reads are the operands on whose values component i is seen to depend: bit j for x_j, bit
// 4+j for y_j. The tape is that of the tuple.
func (w *searcher[T]) reads(tuple []part) (reads [4]uint) {
	n := len(tuple)
	w.tape.run(&w.plain, len(w.depend))
	w.tape.keep(tuple, len(w.depend))
	for v := range 2 * n {
		bit := uint(1) << v
		if v >= n {
			bit = 1 << (4 + v - n)
		}
		for _, c := range w.changed[v] {
			open := false // whether the expressions leave it open
			for i := range tuple {
				open = open || reads[i]&bit == 0 && w.s.readsOf(tuple[i].node)>>v&1 == 1
			}
			if !open {
				break
			}
			w.tape.run(&c, len(c.numbers[0]))
			for i := range tuple {
				if w.tape.changes(tuple, i, len(w.depend), len(c.numbers[0])) {
					reads[i] |= bit
				}
			}
		}
	}
	return reads
}

// sided reports whether some tuple of the usual ones is an identity on one side. The
// operators of the paper's table have one, and an operator without any cannot be probed for.
func (w *searcher[T]) sided(tuple []part) bool {
	n := len(tuple)
	for _, pick := range w.choices {
		if w.unchanged(tuple, pick, 0) || w.unchanged(tuple, pick, n) {
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

// identityChoices returns the tuples of identities whose components have the given types.
func identityChoices[T simd.Number](types []sort, ids []identity[T]) (all [][]identity[T]) {
	all = [][]identity[T]{nil}
	for _, of := range types {
		var next [][]identity[T]
		for _, pick := range all {
			for _, e := range ids {
				if e.sort == of {
					next = append(next, append(slices.Clone(pick), e))
				}
			}
		}
		all = next
	}
	return all
}

// withIdentity is a point with e in the place of the operand whose variables begin there.
func withIdentity[T simd.Number](at env[T], es []identity[T], operand int) env[T] {
	for i, e := range es {
		if at[operand+i] = e.value; e.variable >= 0 {
			at[operand+i] = at[e.variable]
		}
	}
	return at
}

// unchanged reports whether f(e, y) = y (at 0) or f(x, e) = x (at n) at all points.
func (w *searcher[T]) unchanged(tuple []part, es []identity[T], at int) bool {
	n := len(tuple)
	for p := range w.depend {
		e := withIdentity(w.depend[p], es, at)
		for i := range tuple {
			if !w.s.same(w.value(&tuple[i].component, &e), e[n-at+i]) {
				return false
			}
		}
	}
	return true
}

func (w *searcher[T]) candidate(tuple []part) candidate {
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
// below n.
func (w *searcher[T]) single(ctx context.Context, n int, h share) error {
	of := w.s.types[0]
	if n <= min(w.s.complete, w.s.merged) {
		from, to := w.s.levelOf(of, n)
		for id := h.start(from); id < to; id += h.of {
			w.try(w.screen.part(of, id, n))
		}
		return ctx.Err()
	}
	return w.functions(ctx, of, n, h, func(nd node) { w.try(w.screen.root(nd, of, n)) })
}

// functions makes all of a sort with n leaves.
func (w *searcher[T]) functions(ctx context.Context, of sort, n int, h share, f func(nd node)) error {
	far := n > w.s.merged+1 // operands may be functions without a row
	var arithmetic []opcode
	for _, op := range w.s.ops {
		o := &operations[op]
		switch {
		case o.result != of:
			continue
		case far && len(o.args) == 2 && o.args[0] == number && o.args[1] == number:
			arithmetic = append(arithmetic, op)
			continue
		}
		if err := w.s.combine(ctx, op, n, h, func(args [3]uint32) { f(node{op, args}) }); err != nil {
			return err
		}
	}
	for na := n - 1; na >= n-na; na-- {
		from, to := w.s.levelOf(number, na)
		for a := h.start(from); a < to && len(arithmetic) > 0; a += h.of {
			if err := ctx.Err(); err != nil {
				return err
			}
			w.screen.hold(a)
			for _, op := range arithmetic {
				w.s.beside(op, a, na, n-na, f)
			}
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
