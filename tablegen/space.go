package tablegen

import (
	"context"
	"slices"
	"unsafe"

	"github.com/dolthub/swiss"
	"github.com/zeebo/xxh3"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

// node is the root of a function: an operation and its operands, which are functions of
// the sorts that the operation takes; of a variable, its index.
type node struct {
	op   opcode
	args [3]uint32
}

// leaf is a variable or literal of the expressions that are enumerated.
type leaf struct {
	name  byte // x, y, k; # for a literal
	index int
	sort  sort
	value int // of a literal
}

// bank holds the functions of one sort: function i has nodes[i], and its values at the
// points where it belongs to a level whose values are kept.
type bank[V any] struct {
	nodes  []node
	values []V // points values for each function, while kept
	levels []uint32
	seen   *swiss.Map[xxh3.Uint128, uint32]

	reads []uint16 // the variables of a function's expression, one bit each
}

// level is the range of ids of the functions with n leaves.
func (b *bank[V]) level(n int) (from, to uint32) { return b.levels[n-1], b.levels[n] }

func (b *bank[V]) append(nd node, reads uint16) {
	b.nodes = append(b.nodes, nd)
	b.reads = append(b.reads, reads)
}

// levelOf is how many leaves a function has.
func (b *bank[V]) levelOf(id uint32) int {
	n := 1
	for n < len(b.levels) && id >= b.levels[n] {
		n++
	}
	return n
}

// space is the functions of a signature over the variables of a tuple.
type space[T simd.Number] struct {
	w       *world
	ops     []opcode
	types   []sort // of the components
	vars    []leaf
	numbers bank[T]
	flags   bank[bool]
	pts     points[T]
	reader  *reader[T]
	scratch struct {
		numbers []T
		flags   []bool
	}
	kernels  *simd.Table[T]
	complete int // levels that are enumerated
	merged   int // levels in which a function occurs once; beyond them, most occur once anyway
	target   int // leaves of the largest functions that the space is made for
}

// Levels that are merged, of one component and of several. The values of the last of them are
// not kept: only functions beyond have its functions as operands.
const (
	mergedSingle = 6
	mergedTuple  = 5
)

// newSpace is the space with no level yet. The tuple's components have the given sorts;
// ks constants and the literals are leaves too.
func newSpace[T simd.Number](w *world, ops []opcode, types []sort, ks int, literals []int, target int) *space[T] {
	s := &space[T]{w: w, ops: ops, types: types, kernels: simd.For[T](), merged: mergedSingle, target: target}
	if len(types) > 1 {
		s.merged = mergedTuple
	}
	for i, t := range types {
		s.vars = append(s.vars, leaf{name: 'x', index: i, sort: t})
	}
	for i, t := range types {
		s.vars = append(s.vars, leaf{name: 'y', index: i, sort: t})
	}
	for i := range ks {
		s.vars = append(s.vars, leaf{name: 'k', index: i, sort: types[0]})
	}
	for _, v := range literals {
		s.vars = append(s.vars, leaf{name: '#', sort: number, value: v})
	}
	s.pts = newPoints[T](w, s.vars, len(types))
	s.reader = newReader(s)
	s.scratch.numbers, s.scratch.flags = make([]T, s.pts.n), make([]bool, s.pts.n)
	s.numbers.levels, s.flags.levels = []uint32{0}, []uint32{0}
	s.numbers.seen, s.flags.seen = swiss.NewMap[xxh3.Uint128, uint32](1024), swiss.NewMap[xxh3.Uint128, uint32](1024)
	return s
}

// grow enumerates the functions with one leaf more, as far as functions of the target
// may have them as operands.
func (s *space[T]) grow(ctx context.Context) error {
	n := s.complete + 1
	add := func(nd node, of sort) {
		switch {
		case n <= s.merged:
			s.insert(nd, of, n)
		case of == flag:
			s.flags.append(nd, s.readsOf(nd))
		default:
			s.numbers.append(nd, s.readsOf(nd))
		}
	}
	if n == 1 {
		for _, of := range []bool{true, false} { // first constants: 0 is k0 - k0, not x0 - x0
			for i, v := range s.vars {
				if constant := v.name == 'k' || v.name == '#'; constant == of {
					add(node{op: opVar, args: [3]uint32{uint32(i)}}, v.sort)
				}
			}
		}
	}
	for _, op := range s.ops {
		if n > 1 && operations[op].result == flag && n > s.target-2 && !s.flagged() {
			continue
		}
		if err := s.combine(ctx, op, n, whole, func(args [3]uint32) { add(node{op, args}, operations[op].result) }); err != nil {
			return err
		}
	}
	s.complete = n
	s.numbers.levels = append(s.numbers.levels, uint32(len(s.numbers.nodes)))
	s.flags.levels = append(s.flags.levels, uint32(len(s.flags.nodes)))
	return nil
}

// readsOf are the variables in a function's expression.
func (s *space[T]) readsOf(nd node) (reads uint16) {
	if nd.op == opVar {
		return 1 << nd.args[0]
	}
	for i, of := range operations[nd.op].args {
		if of == flag {
			reads |= s.flags.reads[nd.args[i]]
		} else {
			reads |= s.numbers.reads[nd.args[i]]
		}
	}
	return reads
}

// operands are the variables x_i and the variables y_i.
func (s *space[T]) operands() (x, y uint16) {
	n := len(s.types)
	return 1<<n - 1, (1<<n - 1) << n
}

// composite reports whether a function is a term over constants that is no constant itself.
// With the largest numbers of leaves such operands are left out: where they do not come
// from choosing the constant of an operator with fewer leaves, one with more constants has
// fewer leaves.
func (s *space[T]) composite(of sort, id uint32) bool {
	x, y := s.operands()
	if of == flag {
		return s.flags.reads[id]&(x|y) == 0
	}
	return s.numbers.reads[id]&(x|y) == 0 && s.numbers.nodes[id].op != opVar
}

// regrouped reports whether a function of two operands is, grouped in another way, one that
// is enumerated too: a + (b + c) is (a + b) + c, with as many leaves.
func (s *space[T]) regrouped(o *operation, a, b uint32) bool {
	if o.args[0] != number {
		return false
	}
	left, right := s.numbers.nodes[a], s.numbers.nodes[b]
	is := func(n node, op ir.Op) bool { return n.op != opVar && operations[n.op].op == op }
	switch o.op {
	case ir.Sub: // (a - b) - c is a - (b + c), a - (b - c) is (a + c) - b
		return is(left, ir.Sub) || is(right, ir.Sub)
	case ir.Add: // (a - b) + c is (a + c) - b
		if is(left, ir.Sub) || is(right, ir.Sub) {
			return true
		}
	case ir.Mul:
	case ir.Min, ir.Max, ir.BitAnd, ir.BitOr:
		if a == b {
			return true
		}
	default:
		return false
	}
	return is(right, o.op) || is(left, o.op) && b > left.args[1]
}

// flagged reports whether a component of the tuple is a flag.
func (s *space[T]) flagged() bool { return slices.Contains(s.types, flag) }

// levelOf is the range of ids of the functions of a sort with n leaves.
func (s *space[T]) levelOf(of sort, n int) (from, to uint32) {
	if n < 1 || n > s.complete {
		return 0, 0
	}
	if of == flag {
		return s.flags.level(n)
	}
	return s.numbers.level(n)
}

// share is a part of the work of a level: the outer operands whose id leaves the remainder
// part when divided by of.
type share struct{ part, of uint32 }

var whole = share{0, 1}

// start is the first id from a range that belongs to the share.
func (h share) start(from uint32) uint32 {
	return from + (h.part+h.of-from%h.of)%h.of
}

// combine lists the operands with n leaves in all, one order of each where op commutes and
// no operand beside itself where that is trivial.
func (s *space[T]) combine(ctx context.Context, op opcode, n int, h share, f func(args [3]uint32)) error {
	o := &operations[op]
	switch left := n - o.leaves(); len(o.args) {
	case 1:
		from, to := s.levelOf(o.args[0], left)
		for a := h.start(from); a < to; a += h.of {
			f([3]uint32{a})
		}
	case 2:
		for na := 1; na < left; na++ {
			if err := s.pairs(ctx, o, na, left-na, n > s.merged, h, f); err != nil {
				return err
			}
		}
	case 3:
		for nc := 1; nc < left-1; nc++ {
			for na := 1; na < left-nc; na++ {
				if err := s.choices(ctx, o, [3]int{nc, na, left - nc - na}, n > s.merged, h, f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *space[T]) pairs(ctx context.Context, o *operation, na, nb int, prune bool, h share, f func(args [3]uint32)) error {
	if o.commutes && na < nb {
		return nil
	}
	fa, ta := s.levelOf(o.args[0], na)
	fb, tb := s.levelOf(o.args[1], nb)
	for a := h.start(fa); a < ta; a += h.of {
		if err := ctx.Err(); err != nil {
			return err
		}
		if prune && s.composite(o.args[0], a) {
			continue
		}
		end := tb
		if o.commutes && na == nb {
			end = a + 1
		}
		for b := fb; b < end; b++ {
			if !prune || !s.composite(o.args[1], b) && !s.regrouped(o, a, b) {
				f([3]uint32{a, b})
			}
		}
	}
	return nil
}

// beside lists the functions of a with na leaves and of those with nb, which are no more:
// what pairs lists, of one operation and function.
func (s *space[T]) beside(op opcode, a uint32, na, nb int, f func(nd node)) {
	o := &operations[op]
	if s.composite(number, a) {
		return
	}
	from, to := s.levelOf(number, nb)
	if o.commutes && na == nb {
		to = a + 1
	}
	for b := from; b < to; b++ {
		if s.composite(number, b) {
			continue
		}
		if !s.regrouped(o, a, b) {
			f(node{op, [3]uint32{a, b}})
		}
		if !o.commutes && na != nb && !s.regrouped(o, b, a) {
			f(node{op, [3]uint32{b, a}})
		}
	}
}

func (s *space[T]) choices(ctx context.Context, o *operation, n [3]int, prune bool, h share, f func(args [3]uint32)) error {
	fc, tc := s.levelOf(o.args[0], n[0])
	fa, ta := s.levelOf(o.args[1], n[1])
	fb, tb := s.levelOf(o.args[2], n[2])
	for a := h.start(fa); a < ta; a += h.of {
		if err := ctx.Err(); err != nil {
			return err
		}
		if prune && s.composite(o.args[1], a) {
			continue
		}
		for c := fc; c < tc; c++ {
			if prune && s.composite(flag, c) {
				continue
			}
			for b := fb; b < tb; b++ {
				if a != b && !(prune && s.composite(o.args[2], b)) {
					f([3]uint32{c, a, b})
				}
			}
		}
	}
	return nil
}

// insert adds a function to the level n, unless an earlier one has its values.
func (s *space[T]) insert(nd node, of sort, n int) {
	if of == flag {
		row := s.scratch.flags
		s.reader.flagValues(nd, row)
		add(&s.flags, nd, row, xxh3.Hash128(bytesOf(row)), s.readsOf(nd), n <= s.merged-1)
		return
	}
	row := s.scratch.numbers
	s.reader.numberValues(nd, row)
	add(&s.numbers, nd, row, xxh3.Hash128(bytesOf(row)), s.readsOf(nd), n <= s.merged-1)
}

func add[V any](b *bank[V], nd node, row []V, key xxh3.Uint128, reads uint16, keep bool) {
	if b.seen.Has(key) {
		return
	}
	b.seen.Put(key, uint32(len(b.nodes)))
	b.append(nd, reads)
	if keep {
		b.values = append(b.values, row...)
	}
}

// bytesOf is the memory of a row, for hashing.
func bytesOf[V any](row []V) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(row))), len(row)*int(unsafe.Sizeof(row[0])))
}

// expression is a function as an expression over the types of the components.
func (s *space[T]) expression(pool *ir.Pool, types []ir.Type, nd node) ir.Expr {
	if nd.op == opVar {
		return s.variable(pool, types, int(nd.args[0]))
	}
	o := &operations[nd.op]
	args := make([]ir.Expr, len(o.args))
	for i, of := range o.args {
		child := s.node(of, nd.args[i])
		args[i] = s.expression(pool, types, child)
	}
	if o.commutes && before(args[1], args[0]) {
		args[0], args[1] = args[1], args[0]
	}
	return ir.Make(o.op, args...)
}

// before orders the operands of a commutative operation as people write them: short ones
// first, x before y before constants.
func before(a, b ir.Expr) bool {
	if na, nb := a.Size(), b.Size(); na != nb {
		return na < nb
	}
	return rank(a) < rank(b)
}

// rank is the place of a term's first variable among x_i, y_i and the rest.
func rank(e ir.Expr) int {
	vars := ir.Vars(e)
	if len(vars) == 0 {
		return 300
	}
	switch v := vars[0]; v.Kind() {
	case ir.State:
		return v.Index()
	case ir.Leaf:
		return 100 + v.Index()
	}
	return 200
}

func (s *space[T]) node(of sort, id uint32) node {
	if of == flag {
		return s.flags.nodes[id]
	}
	return s.numbers.nodes[id]
}

func (s *space[T]) variable(pool *ir.Pool, types []ir.Type, i int) ir.Expr {
	v := s.vars[i]
	switch v.name {
	case 'x':
		return pool.X(v.index, types[v.index])
	case 'y':
		return pool.Y(v.index, types[v.index])
	case 'k':
		return pool.K(v.index, types[0])
	}
	for _, t := range types {
		if t.IsFloat() {
			return pool.Float(t, float64(v.value))
		}
		if t != ir.Bool {
			return pool.Int(t, int64(v.value))
		}
	}
	panic("tablegen: internal: a literal among flags")
}
