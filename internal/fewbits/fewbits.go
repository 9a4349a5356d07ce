// Package fewbits decides by trial whether an update has an operator where integers have 2 or 3 bits. An update that has none at some
// width has no operator that is written alike at every width.
package fewbits

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Draw draws an update of up to 5 leaves over bools and integers of 8 bits. It draws none, and returns nil, where some components
// change alike in every step: they are one function over and over, whose powers are numbered by an operator of no use.
func Draw(rng *rand.Rand) *ir.Update {
	pool := ir.NewPool()
	number := []ir.Type{ir.I8, ir.U8}[rng.IntN(2)]
	types := [][]ir.Type{{ir.Bool}, {number}, {number}, {ir.Bool, ir.Bool}, {number, ir.Bool}, {number, number}}[rng.IntN(6)]
	u := &ir.Update{Pool: pool, Types: types, Source: &ir.Source{Name: "small"}}
	leaves := len(types) + rng.IntN(6-len(types))
	for i, typ := range types {
		n := leaves
		if i+1 < len(types) {
			n = 1 + rng.IntN(leaves-1)
		}
		leaves -= n
		u.Values = append(u.Values, smallTree(rng, pool, types, typ, n))
	}
	if slices.ContainsFunc(closedSets(u.Values), func(set []ir.Expr) bool { return !readsInput(set) }) {
		return nil
	}
	return u
}

// closedSets lists the components of one or two that can be answered apart, because they depend on no others.
func closedSets(values []ir.Expr) [][]ir.Expr {
	if len(values) == 1 {
		return [][]ir.Expr{values}
	}
	first, second := values[0].States()&2 != 0, values[1].States()&1 != 0 // whether it depends on the other
	if first || second {
		return [][]ir.Expr{values}
	}
	return [][]ir.Expr{values[:1], values[1:]}
}

func readsInput(values []ir.Expr) bool {
	return slices.ContainsFunc(ir.Vars(values...), func(v ir.Expr) bool { return v.Kind() == ir.Leaf })
}

var (
	intOps   = []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor, ir.Shl, ir.Shr, ir.Div, ir.Mod, ir.SatAdd, ir.SatSub}
	compares = []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}
)

// smallTree draws a term with n leaves over the state, inputs, a constant, and literals that
// every width has.
func smallTree(rng *rand.Rand, pool *ir.Pool, types []ir.Type, t ir.Type, n int) ir.Expr {
	draw := func(t ir.Type, n int) ir.Expr { return smallTree(rng, pool, types, t, n) }
	number := types[0] // a type to compare at
	for _, u := range types {
		if u != ir.Bool {
			number = u
		}
	}
	switch {
	case n == 1 && rng.IntN(6) == 0 && t == ir.Bool:
		return ir.NotOf(draw(t, 1))
	case n == 1 && rng.IntN(6) == 0 && t != ir.Bool:
		return ir.Make([]ir.Op{ir.Neg, ir.BitNot, ir.Abs}[rng.IntN(3)], draw(t, 1))
	case n == 1:
		var of []ir.Expr
		for i, u := range types {
			if u == t {
				of = append(of, pool.X(i, t), pool.X(i, t), pool.Y(i, t), pool.Y(i, t))
			}
		}
		if t != ir.Bool {
			of = append(of, pool.K(0, t), pool.Int(t, 0), pool.Int(t, 1), pool.Int(t, -1), pool.Const(t, t.Min()), pool.Const(t, t.Max()))
		}
		if len(of) == 0 {
			return pool.Bool(rng.IntN(2) == 0)
		}
		return of[rng.IntN(len(of))]
	case n >= 3 && rng.IntN(3) == 0:
		a := 1 + rng.IntN(n-2)
		b := 1 + rng.IntN(n-a-1)
		return ir.SelectOf(draw(ir.Bool, a), draw(t, b), draw(t, n-a-b))
	}
	left := 1 + rng.IntN(n-1)
	if t != ir.Bool {
		return ir.Make(intOps[rng.IntN(len(intOps))], draw(t, left), draw(t, n-left))
	}
	if number != ir.Bool && rng.IntN(2) == 0 {
		return ir.Make(compares[rng.IntN(6)], draw(number, left), draw(number, n-left))
	}
	return ir.Make([]ir.Op{ir.And, ir.Or, ir.Eq, ir.Ne}[rng.IntN(4)], draw(t, left), draw(t, n-left))
}

// narrow evaluates integers as if they had w bits; values are kept as they print.
type narrow struct {
	w   int
	env map[ir.Expr]int
}

func (v narrow) limits(t ir.Type) (lo, hi int) {
	switch {
	case t == ir.Bool:
		return 0, 1
	case t.IsSigned():
		return -1 << (v.w - 1), 1<<(v.w-1) - 1
	}
	return 0, 1<<v.w - 1
}

func (v narrow) wrap(t ir.Type, n int) int {
	lo, hi := v.limits(t)
	size := hi - lo + 1
	return ((n-lo)%size+size)%size + lo
}

func (v narrow) clamp(t ir.Type, n int) int {
	lo, hi := v.limits(t)
	return min(max(n, lo), hi)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (v narrow) eval(e ir.Expr) int {
	t := e.Type()
	lo, hi := v.limits(t)
	switch e.Op() {
	case ir.Const:
		switch {
		case t == ir.Bool:
			return int(e.Value())
		case e.Value() == t.Min():
			return lo
		case e.Value() == t.Max():
			return hi
		}
		return v.wrap(t, int(e.Int()))
	case ir.Var:
		return v.env[e]
	case ir.Select:
		if v.eval(e.Arg(0)) != 0 {
			return v.eval(e.Arg(1))
		}
		return v.eval(e.Arg(2))
	}
	a := v.eval(e.Arg(0))
	switch e.Op() {
	case ir.Neg:
		return v.wrap(t, -a)
	case ir.BitNot:
		return v.wrap(t, -a-1)
	case ir.Not:
		return 1 - a
	case ir.Abs:
		return v.wrap(t, max(a, -a))
	}
	b := v.eval(e.Arg(1))
	count := b // of a shift
	if count < 0 {
		count += 1 << v.w
	}
	switch e.Op() {
	case ir.Add:
		return v.wrap(t, a+b)
	case ir.Sub:
		return v.wrap(t, a-b)
	case ir.Mul:
		return v.wrap(t, a*b)
	case ir.SatAdd:
		return v.clamp(t, a+b)
	case ir.SatSub:
		return v.clamp(t, a-b)
	case ir.Min:
		return min(a, b)
	case ir.Max:
		return max(a, b)
	case ir.And, ir.BitAnd:
		return a & b
	case ir.Or, ir.BitOr:
		return a | b
	case ir.BitXor:
		return a ^ b
	case ir.Shl:
		if count >= v.w {
			return 0
		}
		return v.wrap(t, a<<count)
	case ir.Shr:
		return a >> min(count, v.w)
	case ir.Div, ir.Mod: // the remainder is not negative
		if b == 0 {
			return 0
		}
		r := ((a % b) + max(b, -b)) % b
		if e.Op() == ir.Mod {
			return r
		}
		return v.wrap(t, (a-r)/b)
	case ir.Lt:
		return truth(a < b)
	case ir.Le:
		return truth(a <= b)
	case ir.Gt:
		return truth(a > b)
	case ir.Ge:
		return truth(a >= b)
	case ir.Eq:
		return truth(a == b)
	case ir.Ne:
		return truth(a != b)
	}
	panic("no value of " + e.Op().String())
}

// assignments lists every choice of values for variables.
func (v narrow) assignments(vars []ir.Expr) [][]int {
	out := [][]int{nil}
	for _, x := range vars {
		lo, hi := v.limits(x.Type())
		var next [][]int
		for _, a := range out {
			for n := lo; n <= hi; n++ {
				next = append(next, append(slices.Clone(a), n))
			}
		}
		out = next
	}
	return out
}

func (v narrow) set(vars []ir.Expr, values []int) {
	for i, x := range vars {
		v.env[x] = values[i]
	}
}

// transitions are the different functions of the state that inputs choose among, for each
// choice of the constants. A function lists the number of the next state for each state.
func (v narrow) transitions(u *ir.Update) (byConstants [][][]int) {
	var states, inputs, constants []ir.Expr
	for i, t := range u.Types {
		states = append(states, u.Pool.X(i, t))
	}
	for _, x := range ir.Vars(u.Values...) {
		switch x.Kind() {
		case ir.Leaf:
			inputs = append(inputs, x)
		case ir.Param:
			constants = append(constants, x)
		}
	}
	all := v.assignments(states)
	number := map[string]int{}
	for i, s := range all {
		number[fmt.Sprint(s)] = i
	}
	for _, k := range v.assignments(constants) {
		v.set(constants, k)
		seen := map[string]bool{}
		var fs [][]int
		for _, y := range v.assignments(inputs) {
			v.set(inputs, y)
			f := make([]int, len(all))
			for i, s := range all {
				v.set(states, s)
				next := make([]int, len(u.Values))
				for j, e := range u.Values {
					next[j] = v.eval(e)
				}
				f[i] = number[fmt.Sprint(next)]
			}
			if key := fmt.Sprint(f); !seen[key] {
				seen[key] = true
				fs = append(fs, f)
			}
		}
		byConstants = append(byConstants, fs)
	}
	return byConstants
}

// operatorSearch looks for h and ⊕ with f(x) = x ⊕ h(f) for every generator f: functions of n
// states. ⊕ is wanted for second operands that products of the h(f) reach; there it must be
// associative. right[s] is the function x ↦ x ⊕ s, where it is settled.
type operatorSearch struct {
	n      int
	gens   [][]int
	right  [][]int
	budget int
}

func after(f, g []int) []int { // g, then f
	out := make([]int, len(g))
	for i, s := range g {
		out[i] = f[s]
	}
	return out
}

// products reports whether the generators make at most limit functions by composition: each
// needs an element of its own.
func (o *operatorSearch) products(limit int) bool {
	seen := map[string]bool{}
	var list [][]int
	add := func(f []int) {
		if key := fmt.Sprint(f); !seen[key] {
			seen[key] = true
			list = append(list, f)
		}
	}
	for _, g := range o.gens {
		add(g)
	}
	for i := 0; i < len(list) && len(list) <= limit; i++ {
		for _, g := range o.gens {
			add(after(g, list[i]))
		}
	}
	return len(list) <= limit
}

// settle enters x ⊕ s = f(x) and what follows from associativity: s ⊕ h(g) is g(s), so that
// x ⊕ g(s) = g(f(x)). trail lists what was entered; false is a contradiction.
func (o *operatorSearch) settle(s int, f []int, upTo int, trail *[]int) bool {
	if o.right[s] != nil {
		return slices.Equal(o.right[s], f)
	}
	o.right[s] = f
	*trail = append(*trail, s)
	for _, g := range o.gens[:upTo] {
		if !o.settle(g[s], after(g, f), upTo, trail) {
			return false
		}
	}
	return true
}

// try chooses elements for the generators from the i-th on.
func (o *operatorSearch) try(i int) bool {
	if i == len(o.gens) {
		return true
	}
	for s := range o.n {
		if o.budget--; o.budget < 0 {
			return false
		}
		if o.right[s] != nil && !slices.Equal(o.right[s], o.gens[i]) {
			continue
		}
		var trail []int
		ok := o.settle(s, o.gens[i], i+1, &trail)
		for t := 0; ok && t < o.n; t++ { // what was settled before, times the new generator
			if o.right[t] != nil {
				ok = o.settle(o.gens[i][t], after(o.gens[i], o.right[t]), i+1, &trail)
			}
		}
		if ok && o.try(i+1) {
			return true
		}
		for _, t := range trail {
			o.right[t] = nil
		}
	}
	return false
}

// HasOperator searches at w bits; undecided where the budget ends first.
func HasOperator(u *ir.Update, w int) (found, decided bool) {
	v := narrow{w, map[ir.Expr]int{}}
	for _, fs := range v.transitions(u) {
		o := &operatorSearch{n: len(fs[0]), gens: fs, right: make([][]int, len(fs[0])), budget: 50_000}
		if !o.products(o.n) || !o.try(0) {
			return false, o.budget >= 0
		}
	}
	return true, true
}
