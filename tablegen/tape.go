package tablegen

import "github.com/rfactor-go/rfactor/simd"

// columns are the values of a space's variables at many points.
type columns[T simd.Number] struct {
	numbers [maxVars][]T
	flags   [maxVars][]bool // of those that are flags
}

// batch is many triples, side by side: as triple has them.
type batch[T simd.Number] struct {
	n                   int
	xy, yz, left, right columns[T]
}

// newBatch transposes triples. The operands that are results are left to be filled in.
func newBatch[T simd.Number](s *space[T], ts []triple[T]) *batch[T] {
	var envs [4][]env[T]
	for i := range ts {
		t := &ts[i]
		for j, e := range []env[T]{t.xy, t.yz, t.left, t.right} {
			envs[j] = append(envs[j], e)
		}
	}
	return &batch[T]{len(ts), columnsOf(s, envs[0]), columnsOf(s, envs[1]), columnsOf(s, envs[2]), columnsOf(s, envs[3])}
}

func columnsOf[T simd.Number](s *space[T], at []env[T]) (c columns[T]) {
	for v := range s.vars {
		for i := range at {
			c.numbers[v] = append(c.numbers[v], at[i][v])
			c.flags[v] = append(c.flags[v], at[i][v] != 0)
		}
	}
	return c
}

// tupleTape evaluates a tuple at all points of a batch, step by step.
type tupleTape[T simd.Number] struct {
	s       *space[T]
	steps   []step
	numbers [][]T // of the steps
	flags   [][]bool
	outs    []int // steps of the components; a variable v is −1−v
	at      *columns[T]
	kept    [4]struct { // results of the components
		numbers []T
		flags   []bool
	}
	inexact []bool
}

// step is a function; its operands are steps, or variables.
type step struct {
	op   opcode
	of   sort
	id   uint32
	args [3]int
}

// compile makes the steps of a tuple, each of a function that occurs in it.
func (t *tupleTape[T]) compile(tuple []part) {
	t.steps, t.outs = t.steps[:0], t.outs[:0]
	for i := range tuple {
		t.outs = append(t.outs, t.root(&tuple[i].node, tuple[i].sort, noID))
	}
}

const noID = 1<<32 - 1

func (t *tupleTape[T]) function(of sort, id uint32) int {
	for i := range t.steps {
		if st := &t.steps[i]; st.id == id && st.of == of {
			return i
		}
	}
	n := t.s.node(of, id)
	return t.root(&n, of, id)
}

func (t *tupleTape[T]) root(n *node, of sort, id uint32) int {
	if n.op == opVar {
		return -1 - int(n.args[0])
	}
	st := step{op: n.op, of: of, id: id}
	for i, arg := range operations[n.op].args {
		st.args[i] = t.function(arg, n.args[i])
	}
	t.steps = append(t.steps, st)
	return len(t.steps) - 1
}

func (t *tupleTape[T]) number(i, n int) []T {
	if i < 0 {
		return t.at.numbers[-1-i][:n]
	}
	return t.numbers[i][:n]
}

func (t *tupleTape[T]) flag(i, n int) []bool {
	if i < 0 {
		return t.at.flags[-1-i][:n]
	}
	return t.flags[i][:n]
}

// run evaluates at the first n points.
func (t *tupleTape[T]) run(at *columns[T], n int) {
	t.at = at
	for i := range t.steps {
		st := &t.steps[i]
		if i == len(t.numbers) {
			t.numbers, t.flags = append(t.numbers, nil), append(t.flags, nil)
		}
		if len(t.numbers[i]) < n {
			t.numbers[i], t.flags[i] = make([]T, n), make([]bool, n)
		}
		if args := operations[st.op].args; st.of == number {
			var cond []bool
			operands := st.args[:len(args)]
			if args[0] == flag {
				cond, operands = t.flag(st.args[0], n), operands[1:]
			}
			a := t.number(operands[0], n)
			b := a
			if len(operands) == 2 {
				b = t.number(operands[1], n)
			}
			t.s.mapNumbers(st.op, t.numbers[i][:n], cond, a, b)
		} else if args[0] == number {
			t.s.compare(st.op, t.flags[i][:n], t.number(st.args[0], n), t.number(st.args[1], n))
		} else {
			var operands [3][]bool
			for j := range args {
				operands[j] = t.flag(st.args[j], n)
			}
			t.s.mapFlags(st.op, t.flags[i][:n], operands[0], operands[1], operands[2])
		}
	}
}

// associates reports whether a tuple is associative at all triples of a batch, as far as
// its results are exact. The tape is that of the tuple.
func (t *tupleTape[T]) associates(tuple []part, b *batch[T]) bool {
	n, components := b.n, len(tuple)
	if len(t.inexact) < n {
		t.inexact = make([]bool, n)
	}
	inexact := t.inexact[:n]
	clear(inexact)
	t.run(&b.xy, n)
	for i := range tuple {
		t.result(tuple, i, n, b.left.numbers[i], b.left.flags[i], inexact)
	}
	t.run(&b.yz, n)
	for i := range tuple {
		t.result(tuple, i, n, b.right.numbers[components+i], b.right.flags[components+i], inexact)
	}
	t.run(&b.left, n)
	t.keep(tuple, n)
	t.run(&b.right, n)
	for i := range tuple {
		k := &t.kept[i]
		if tuple[i].sort == flag {
			for p, v := range t.flag(t.outs[i], n) {
				if v != k.flags[p] && !inexact[p] {
					return false
				}
			}
			continue
		}
		for p, v := range t.number(t.outs[i], n) {
			if !t.s.same(v, k.numbers[p]) && !inexact[p] {
				return false
			}
		}
	}
	return true
}

// keep copies the results at n points.
func (t *tupleTape[T]) keep(tuple []part, n int) {
	for i := range tuple {
		k := &t.kept[i]
		if len(k.numbers) < n {
			k.numbers, k.flags = make([]T, n), make([]bool, n)
		}
		t.result(tuple, i, n, k.numbers, k.flags, nil)
	}
}

// changes reports whether a component differs at one of m points from what was kept of n.
func (t *tupleTape[T]) changes(tuple []part, i, n, m int) bool {
	k := &t.kept[i]
	if tuple[i].sort == flag {
		for p, v := range t.flag(t.outs[i], m) {
			if v != k.flags[p%n] {
				return true
			}
		}
		return false
	}
	for p, v := range t.number(t.outs[i], m) {
		if !t.s.same(v, k.numbers[p%n]) {
			return true
		}
	}
	return false
}

// result copies a component's values, and marks where they are not exact.
func (t *tupleTape[T]) result(tuple []part, i, n int, numbers []T, flags []bool, inexact []bool) {
	if tuple[i].sort == flag {
		copy(flags, t.flag(t.outs[i], n))
		return
	}
	values := t.number(t.outs[i], n)
	copy(numbers, values)
	if inexact == nil || !t.s.bounded() {
		return
	}
	for p, v := range values {
		if !t.s.exact(v, tuple[i].leaves) {
			inexact[p] = true
		}
	}
}
