package lift

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// algebra is a family of functions of the n numbers in a state, by which each component is fitted by
// itself. An element, which is the function of one component, is a list of cells; a nil list says
// that a term does not have the family's form.
type algebra interface {
	leaf(e ir.Expr) []ir.Expr                          // the constant function
	state(j int, t ir.Type) []ir.Expr                  // x ↦ x_j
	choose(c ir.Expr, a, b []ir.Expr) []ir.Expr        // pointwise select, by a condition without numbers of the state
	op(op ir.Op, args []term) []ir.Expr                // an operator at whose operands some number of the state occurs
	apply(x []ir.Expr, row []ir.Expr) ir.Expr          // the value of an element
	compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr // row after rows
}

// term is an operand of an operator: its element, and the expression itself where it is a leaf.
type term struct {
	cells []ir.Expr
	leaf  ir.Expr // zero where numbers of the state occur
	whole ir.Expr
}

// roles says how the components of a part are lifted: flags by a table of what every combination of
// them becomes, numbers by an algebra, memories by remembering the first and the last elements of a
// slice. A memory is set to an input; an older memory is computed of memories and inputs.
type roles struct {
	flags, numbers, memories, older []int
}

func rolesOf(p *tuple.Part, back int) (r roles) {
	n := len(p.Values)
	var memory, older uint64
	for i, v := range p.Values {
		if back > 0 && v.States() == 0 {
			memory |= 1 << i
		}
	}
	for i, v := range p.Values {
		if back > 1 && !v.IsLeaf() && v.States()&^memory == 0 {
			older |= 1 << i
		}
	}
	recent := memory
	memory |= older
	flag := uint64(0)
	for i, t := range p.Types {
		if t == ir.Bool && memory>>i&1 == 0 {
			flag |= 1 << i
		}
	}
	for range n {
		for i, v := range p.Values {
			if v.States()&^(flag|memory) != 0 {
				flag &^= 1 << i
			}
		}
	}
	all := uint64(1)<<n - 1
	return roles{tuple.Members(flag), tuple.Members(all &^ flag &^ memory), tuple.Members(recent), tuple.Members(older)}
}

// maxFlags bounds the flags of a table, which has 2^n rows.
const maxFlags = 2

// fit returns the shape of a part in a family; nil where the part does not have its form. Steps may
// look at the last back elements, of 0, 1 and 2.
func (cx *Context) fit(p *tuple.Part, name string, algebra func(*ir.Pool, int) algebra, back int) *Shape {
	r, ok := readableRoles(p, back)
	if !ok || len(r.numbers) == 0 && name != "affine" { // affine makes a table alone
		return nil
	}
	f := &fitting{cx: cx, p: p, roles: r, name: name, algebra: algebra(cx.Pool, len(r.numbers))}
	for _, i := range r.numbers {
		if p.Types[i] != p.Types[r.numbers[0]] {
			return nil
		}
	}
	if len(r.numbers) > 0 && f.algebra.state(0, p.Types[r.numbers[0]]) == nil {
		return nil
	}
	return f.shape([]block{{r.numbers, f.algebra}}, back)
}

// readableRoles returns the roles of the components of a part. It is not ok where there are too many
// flags, or where no component holds an element that steps look back at.
func readableRoles(p *tuple.Part, back int) (r roles, ok bool) {
	r = rolesOf(p, back)
	if len(r.flags) > maxFlags && len(r.numbers) == 0 {
		r.flags, r.numbers = nil, r.flags // a table would be too large
	}
	return r, len(r.flags) <= maxFlags && (back == 0 || len(r.memories) > 0) && (back <= 1 || len(r.older) > 0)
}

// shape returns the shape of a part whose numbers fall into blocks.
func (f *fitting) shape(blocks []block, back int) *Shape {
	s := f.table(blocks)
	switch {
	case s == nil || back == 0:
		return s
	case back == 1:
		return f.remembering(s)
	}
	return f.rememberingTwo(s)
}

type fitting struct {
	roles
	cx      *Context
	p       *tuple.Part
	name    string
	algebra algebra // of all numbers, where they are one block
}

// block is a set of numbers that an algebra fits. The numbers of a block do not read those of others.
type block struct {
	numbers []int
	algebra algebra
}

// table makes the shape of flags and numbers: for every combination of the flags, what the flags
// become, and the cells of the numbers.
//
//	!(x0 && y0)   →   f = true, t = !y0: the step is x ↦ select(x, t, f)
//	(f, t) ∘ b = (select(f, b.t, b.f), select(t, b.t, b.f))
//
// Without flags the shape is that of the numbers. Without numbers it is a table alone.
func (f *fitting) table(blocks []block) *Shape {
	pool := f.cx.Pool
	k := len(f.flags)
	inject, identity := [][]ir.Expr{}, [][]ir.Expr{} // per combination, flags and then rows
	lengths := make([]int, len(blocks))              // of a row of each block
	for s := range 1 << k {
		values := f.under(s)
		var cells, same []ir.Expr
		for b, i := range f.flags {
			cells = append(cells, values[i])
			same = append(same, pool.Bool(s>>b&1 != 0))
		}
		for n, b := range blocks {
			for j, i := range b.numbers {
				row := f.of(b).element(values[i])
				if row == nil {
					return nil
				}
				unit := b.algebra.state(j, f.p.Types[i])
				cells, same, lengths[n] = append(cells, row...), append(same, unit...), len(row)
			}
		}
		inject, identity = append(inject, cells), append(identity, same)
	}
	width := len(inject[0])
	at := func(cells []ir.Expr, s int) []ir.Expr { return cells[s*width : (s+1)*width] }
	split := func(cells []ir.Expr) (out [][][]ir.Expr) { // the rows of each block
		cells = cells[k:]
		for n, b := range blocks {
			var rows [][]ir.Expr
			for range b.numbers {
				rows, cells = append(rows, cells[:lengths[n]]), cells[lengths[n]:]
			}
			out = append(out, rows)
		}
		return out
	}
	choose := func(flags, cells []ir.Expr) []ir.Expr {
		options := [][]ir.Expr{}
		for s := range 1 << k {
			options = append(options, at(cells, s))
		}
		return chooseCells(flags, options)
	}
	name := f.name
	if k > 0 {
		name = "table of " + name
		if len(f.numbers) == 0 {
			name = "table"
		}
	}
	return &Shape{Name: name, Inject: concat(inject), Identity: concat(identity),
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			out := append([]ir.Expr{}, x...)
			chosen := choose(tuple.Pick(x, f.flags), cells)
			for b, i := range f.flags {
				out[i] = chosen[b]
			}
			for n, rows := range split(chosen) {
				b := blocks[n]
				for j, row := range rows {
					out[b.numbers[j]] = b.algebra.apply(tuple.Pick(x, b.numbers), row)
				}
			}
			return out
		},
		Compose: func(a, b []ir.Expr) (out []ir.Expr) {
			for s := range 1 << k {
				first := at(a, s)
				second := choose(first[:k], b)
				out = append(out, second[:k]...)
				before := split(first)
				for n, rows := range split(second) {
					for _, row := range rows {
						out = append(out, blocks[n].algebra.compose(before[n], row)...)
					}
				}
			}
			return out
		}}
}

// of returns the fitting of a block alone.
func (f *fitting) of(b block) *fitting {
	g := *f
	g.numbers, g.algebra = b.numbers, b.algebra
	return &g
}

// under returns the values where the flags have combination s.
func (f *fitting) under(s int) []ir.Expr {
	values := f.cx.Pool.Map(f.p.Values, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			for b, i := range f.flags {
				if e.Index() == i {
					return f.cx.Pool.Bool(s>>b&1 != 0)
				}
			}
		}
		return ir.Expr{}
	})
	if len(f.flags) > 0 {
		for i, v := range values {
			values[i] = settled(v)
		}
	}
	return values
}

// element returns the cells of a term in the family; nil where the term does not have its form.
func (f *fitting) element(e ir.Expr) []ir.Expr {
	mask := tuple.MaskOf(f.numbers)
	_, keeps := f.algebra.(keeping) // it reads no operator
	whole, reads := f.algebra.(aligned)
	seen := map[ir.Expr][]ir.Expr{}
	var visit func(e ir.Expr) []ir.Expr
	visit = func(e ir.Expr) []ir.Expr {
		if e.States()&mask == 0 {
			return f.algebra.leaf(e)
		}
		if out, ok := seen[e]; ok {
			return out
		}
		var out []ir.Expr
		switch {
		case e.Op() == ir.Var:
			out = f.algebra.state(bits.OnesCount64(mask&(1<<e.Index()-1)), e.Type())
		case e.Op() == ir.Select && e.Arg(0).States()&mask == 0:
			if a, b := visit(e.Arg(1)), visit(e.Arg(2)); a != nil && b != nil {
				out = f.algebra.choose(e.Arg(0), a, b)
			}
		case e.Op() == ir.Select:
			if g := f.cx.unfold(e, mask); g.IsValid() {
				out = visit(g)
			} else if !keeps && visit(e.Arg(1)) != nil && visit(e.Arg(2)) != nil {
				f.cx.Unread(f.name, e)
			}
		case reads:
			out = whole.whole(e, f.cx.Allowed)
		default:
			var args []term
			for i := range e.NumArgs() {
				t := term{cells: visit(e.Arg(i)), whole: e.Arg(i)}
				if t.cells == nil {
					args = nil
					break
				}
				if e.Arg(i).States()&mask == 0 {
					t.leaf = e.Arg(i)
				}
				args = append(args, t)
			}
			c, reduces := f.algebra.(modular)
			switch {
			case args == nil: // a select may have the form only together with the rest of a sum
				if g := f.cx.inside(e, ir.Select); g.IsValid() {
					out = visit(g)
				}
			case reduces && e.Op() == ir.Cast:
				out = c.cast(e.Type(), args[0])
			default:
				if out = f.algebra.op(e.Op(), args); out == nil && !keeps {
					if g := f.cx.inside(e, ir.Min, ir.Max); g.IsValid() {
						out = visit(g)
					} else {
						f.cx.Unread(f.name, e)
					}
				}
			}
		}
		seen[e] = out
		return out
	}
	return visit(e)
}

// inside rewrites the sum of an extremum, or of a select, and another term with the state as the extremum
// of two sums, or a select of them. It returns the zero Expr where e is no such sum of one of the operators.
func (cx *Context) inside(e ir.Expr, ops ...ir.Op) (none ir.Expr) {
	op := e.Op()
	if op != ir.Add && op != ir.Sub || e.Arg(0).IsLeaf() || e.Arg(1).IsLeaf() {
		return none
	}
	for i := range 2 {
		x := e.Arg(i)
		best := x.Op()
		if !slices.Contains(ops, best) || best == ir.Select && x.Arg(0).IsLeaf() {
			continue
		}
		sum := func(a ir.Expr) ir.Expr {
			args := []ir.Expr{e.Arg(0), e.Arg(1)}
			args[i] = a
			return poly.Normal(ir.Make(op, args...), cx.Allowed)
		}
		switch {
		case best == ir.Select:
			return ir.SelectOf(x.Arg(0), sum(x.Arg(1)), sum(x.Arg(2)))
		case op == ir.Sub && i == 1:
			best = ir.Min + ir.Max - best
		}
		return ir.Make(best, sum(x.Arg(0)), sum(x.Arg(1)))
	}
	return none
}

// unfold rewrites a select whose condition reads the state: as selects under conditions on inputs,
// or as what guess answers. It returns the zero Expr where there is no such form.
func (cx *Context) unfold(e ir.Expr, mask uint64) ir.Expr {
	c, a, b := e.Arg(0), e.Arg(1), e.Arg(2)
	switch c.Op() {
	case ir.Not:
		return ir.SelectOf(c.Arg(0), b, a)
	case ir.And, ir.Or:
		u, v := c.Arg(0), c.Arg(1)
		if u.States()&mask != 0 {
			u, v = v, u
		}
		if u.States()&mask != 0 {
			break
		}
		if c.Op() == ir.And {
			return ir.SelectOf(u, ir.SelectOf(v, a, b), b)
		}
		return ir.SelectOf(u, a, ir.SelectOf(v, a, b))
	}
	if a.Type() == ir.Bool {
		return ir.Expr{}
	}
	if g, ok := cx.Unfolded[e]; ok {
		return g
	}
	g := cx.guess(e)
	cx.Unfolded[e] = g
	return g
}

// guess returns a term that equals a select at all points of a sample: an extremum of its branches,
// or of one branch and a side of its condition; where something is given of the state, also a
// remainder. It returns the zero Expr where none of these does.
func (cx *Context) guess(e ir.Expr) (none ir.Expr) {
	defer cx.Workspace.Rows.GiveBack(cx.Workspace.Rows.Used)
	t := e.Type()
	f := cx.Sample
	f.Evaluate(&tuple.Part{Types: []ir.Type{t}, Values: []ir.Expr{e}}, cx.NonNeg, cx.Allowed)
	f.Restrict(slices.Concat(cx.State, cx.Inputs))
	for _, g := range cx.guesses(e) {
		tape := cx.Workspace.Registers.NewTape(g)
		wrong, _ := f.Differ([]ir.Type{t}, f.Want, f.Run(tape, nil))
		if valid := f.Valid &^ tape.Overflowed(cx.Allowed); valid != 0 && wrong&valid == 0 {
			return g
		}
	}
	return none
}

func (cx *Context) guesses(e ir.Expr) (out []ir.Expr) {
	c, a, b := e.Arg(0), e.Arg(1), e.Arg(2)
	extrema := func(a, b ir.Expr) { out = append(out, ir.MinOf(a, b), ir.MaxOf(a, b)) }
	extrema(a, b)
	if !c.Op().IsComparison() || c.Arg(0).Type() != e.Type() {
		return out
	}
	for i := range 2 {
		k := c.Arg(i)
		if !k.IsLeaf() {
			continue
		}
		if x := c.Arg(1 - i); c.Op() == ir.Eq && k.Op() == ir.Const { // at the end of the range, the value there
			extrema(b, canon.Greedy(ir.Subst(a, []ir.Expr{x}, []ir.Expr{k}), 0))
		}
		if k != a && k != b {
			extrema(a, k)
			extrema(b, k)
		}
		if len(cx.State) > 0 && k.Type().IsSigned() { // at the end of the range, and else
			by := ir.SubOf(c.Arg(1-i), k)
			for _, e := range [][2]ir.Expr{{a, b}, {b, a}} {
				extrema(e[0], ir.AddOf(e[1], by))
				extrema(e[0], ir.SubOf(e[1], by))
			}
		}
		if len(cx.State) > 0 && k.IsInvariant() && k.Type().IsInt() {
			for _, n := range []ir.Expr{k, canon.Greedy(fold.Add(k, fold.Number(cx.Pool, k.Type(), 1)), 0)} {
				out = append(out, ir.Make(ir.Mod, a, n), ir.Make(ir.Mod, b, n))
			}
		}
	}
	return out
}

// remembering extends a shape by a memory of the last element: sums of differences, runs.
//
//	y0; x1 + abs(y0 - x0)   →   first = y0, last = y0, s = 0
//	(f, l, s) ∘ (f', l', s') = (f, l', s + abs(f' - l) + s')
//
// The cells are the inputs of the first element of a slice, the memories after its last one, and the
// inner cells of all its steps but the first, which depends on the slice before. The shape has no
// identity: every slice has a first element.
func (f *fitting) remembering(inner *Shape) *Shape {
	pool := f.cx.Pool
	leaves := varying(f.p.Values)
	k, n := len(leaves), len(f.memories)
	last := tuple.Pick(f.p.Values, f.memories)
	if n == 0 || k == 0 {
		return nil
	}
	inject := concat([][]ir.Expr{leaves, last, inner.Identity})
	with := func(es, memories, first []ir.Expr, states []ir.Expr) []ir.Expr {
		return pool.Map(es, func(e ir.Expr) ir.Expr {
			if e.Op() != ir.Var {
				return ir.Expr{}
			}
			for i, l := range leaves {
				if e == l {
					return first[i]
				}
			}
			if e.Kind() == ir.State {
				for i, c := range f.memories {
					if e.Index() == c {
						return memories[i]
					}
				}
				return states[e.Index()]
			}
			return ir.Expr{}
		})
	}
	return &Shape{Name: "last element and " + inner.Name, Inject: inject,
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			step := with(f.p.Values, tuple.Pick(x, f.memories), cells[:k], x)
			out := inner.Apply(step, cells[k+n:])
			for i, c := range f.memories {
				out[c] = cells[k+i]
			}
			return out
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			joint := with(inner.Inject, a[k:k+n], b[:k], nil)
			rest := inner.Compose(inner.Compose(a[k+n:], joint), b[k+n:])
			return concat([][]ir.Expr{a[:k], b[k : k+n], rest})
		}}
}

func concat(lists [][]ir.Expr) (out []ir.Expr) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// chooseCells returns options[s] for the combination s that the flags have.
func chooseCells(flags []ir.Expr, options [][]ir.Expr) []ir.Expr {
	if len(flags) == 0 {
		return options[0]
	}
	last := len(flags) - 1
	half := len(options) / 2
	off, on := chooseCells(flags[:last], options[:half]), chooseCells(flags[:last], options[half:])
	out := make([]ir.Expr, len(on))
	for i := range out {
		out[i] = fold.Select(flags[last], on[i], off[i])
	}
	return out
}
