package algebra

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Algebra is a family of functions of the n numbers in a state, by which each component is fitted by
// itself. An element, which is the function of one component, is a list of cells; a nil list says
// that a term does not have the family's form.
type Algebra interface {
	Leaf(e ir.Expr) []ir.Expr                          // the constant function
	State(j int, t ir.Type) []ir.Expr                  // x ↦ x_j
	Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr        // pointwise select, by a condition without numbers of the state
	Op(op ir.Op, args []Term) []ir.Expr                // an operator at whose operands some number of the state occurs
	Apply(x []ir.Expr, row []ir.Expr) ir.Expr          // the value of an element
	Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr // row after rows
}

// Term is an operand of an operator: its element, and the expression itself where it is a leaf.
type Term struct {
	Cells []ir.Expr
	Leaf  ir.Expr // zero where numbers of the state occur
	Whole ir.Expr
}

// Roles says how the components of a part are lifted: flags by a table of what every combination of
// them becomes, numbers by an algebra, memories by remembering the first and the last elements of a
// slice. A memory is set to an input; an older memory is computed of memories and inputs.
type Roles struct {
	Flags, Numbers, Memories, older []int
}

func rolesOf(p *tuple.Part, back int) (r Roles) {
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
	return Roles{tuple.Members(flag), tuple.Members(all &^ flag &^ memory), tuple.Members(recent), tuple.Members(older)}
}

// maxFlags bounds the flags of a table, which has 2^n rows.
const maxFlags = 2

// Fit returns the shape of a part in a family; nil where the part does not have its form. Steps may
// look at the last back elements, of 0, 1 and 2.
func Fit(cx *lift.Context, p *tuple.Part, name string, algebra func(*ir.Pool, int) Algebra, back int) *lift.Shape {
	r, ok := ReadableRoles(p, back)
	if !ok || len(r.Numbers) == 0 && name != "affine" { // affine makes a table alone
		return nil
	}
	f := &Fitting{Context: cx, Part: p, Roles: r, Name: name, Algebra: algebra(cx.Pool, len(r.Numbers))}
	for _, i := range r.Numbers {
		if p.Types[i] != p.Types[r.Numbers[0]] {
			return nil
		}
	}
	if len(r.Numbers) > 0 && f.Algebra.State(0, p.Types[r.Numbers[0]]) == nil {
		return nil
	}
	return f.Shape([]Block{{r.Numbers, f.Algebra}}, back)
}

// ReadableRoles returns the roles of the components of a part. It is not ok where there are too many
// flags, or where no component holds an element that steps look back at.
func ReadableRoles(p *tuple.Part, back int) (r Roles, ok bool) {
	r = rolesOf(p, back)
	if len(r.Flags) > maxFlags && len(r.Numbers) == 0 {
		r.Flags, r.Numbers = nil, r.Flags // a table would be too large
	}
	return r, len(r.Flags) <= maxFlags && (back == 0 || len(r.Memories) > 0) && (back <= 1 || len(r.older) > 0)
}

// Shape returns the shape of a part whose numbers fall into blocks.
func (f *Fitting) Shape(blocks []Block, back int) *lift.Shape {
	s := f.table(blocks)
	switch {
	case s == nil || back == 0:
		return s
	case back == 1:
		return f.remembering(s)
	}
	return f.rememberingTwo(s)
}

// Fitting is how the components of a part are read in a family.
type Fitting struct {
	Roles
	Context *lift.Context
	Part    *tuple.Part
	Name    string
	Algebra Algebra // of all numbers, where they are one block
}

// NewFitting returns how an algebra fits some components of a part, its numbers.
func NewFitting(cx *lift.Context, p *tuple.Part, numbers []int, by Algebra) *Fitting {
	return &Fitting{Context: cx, Part: p, Roles: Roles{Numbers: numbers}, Algebra: by}
}

// Block is a set of numbers that an algebra fits. The numbers of a block do not read those of others.
type Block struct {
	Numbers []int
	Algebra Algebra
}

// table makes the shape of flags and numbers: for every combination of the flags, what the flags
// become, and the cells of the numbers.
//
//	!(x0 && y0)   →   f = true, t = !y0: the step is x ↦ select(x, t, f)
//	(f, t) ∘ b = (select(f, b.t, b.f), select(t, b.t, b.f))
//
// Without flags the shape is that of the numbers. Without numbers it is a table alone.
func (f *Fitting) table(blocks []Block) *lift.Shape {
	pool := f.Context.Pool
	k := len(f.Flags)
	inject, identity := [][]ir.Expr{}, [][]ir.Expr{} // per combination, flags and then rows
	lengths := make([]int, len(blocks))              // of a row of each block
	for s := range 1 << k {
		values := f.Under(s)
		var cells, same []ir.Expr
		for b, i := range f.Flags {
			cells = append(cells, values[i])
			same = append(same, pool.Bool(s>>b&1 != 0))
		}
		for n, b := range blocks {
			for j, i := range b.Numbers {
				row := f.Of(b).Element(values[i])
				if row == nil {
					return nil
				}
				unit := b.Algebra.State(j, f.Part.Types[i])
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
			for range b.Numbers {
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
		return ChooseCells(flags, options)
	}
	name := f.Name
	if k > 0 {
		name = "table of " + name
		if len(f.Numbers) == 0 {
			name = "table"
		}
	}
	return &lift.Shape{Name: name, Inject: slices.Concat(inject...), Identity: slices.Concat(identity...),
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			out := append([]ir.Expr{}, x...)
			chosen := choose(tuple.Pick(x, f.Flags), cells)
			for b, i := range f.Flags {
				out[i] = chosen[b]
			}
			for n, rows := range split(chosen) {
				b := blocks[n]
				for j, row := range rows {
					out[b.Numbers[j]] = b.Algebra.Apply(tuple.Pick(x, b.Numbers), row)
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
						out = append(out, blocks[n].Algebra.Compose(before[n], row)...)
					}
				}
			}
			return out
		}}
}

// Of returns the fitting of a block alone.
func (f *Fitting) Of(b Block) *Fitting {
	g := *f
	g.Numbers, g.Algebra = b.Numbers, b.Algebra
	return &g
}

// Under returns the values where the flags have combination s.
func (f *Fitting) Under(s int) []ir.Expr {
	values := f.Context.Pool.Map(f.Part.Values, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			for b, i := range f.Flags {
				if e.Index() == i {
					return f.Context.Pool.Bool(s>>b&1 != 0)
				}
			}
		}
		return ir.Expr{}
	})
	if len(f.Flags) > 0 {
		for i, v := range values {
			values[i] = Settled(v)
		}
	}
	return values
}

// Element returns the cells of a term in the family; nil where the term does not have its form.
func (f *Fitting) Element(e ir.Expr) []ir.Expr {
	mask := tuple.MaskOf(f.Numbers)
	_, keeps := f.Algebra.(keeping) // it reads no operator
	whole, reads := f.Algebra.(aligned)
	seen := map[ir.Expr][]ir.Expr{}
	var visit func(e ir.Expr) []ir.Expr
	visit = func(e ir.Expr) []ir.Expr {
		if e.States()&mask == 0 {
			return f.Algebra.Leaf(e)
		}
		if out, ok := seen[e]; ok {
			return out
		}
		var out []ir.Expr
		switch {
		case e.Op() == ir.Var:
			out = f.Algebra.State(bits.OnesCount64(mask&(1<<e.Index()-1)), e.Type())
		case e.Op() == ir.Select && e.Arg(0).States()&mask == 0:
			if a, b := visit(e.Arg(1)), visit(e.Arg(2)); a != nil && b != nil {
				out = f.Algebra.Choose(e.Arg(0), a, b)
			}
		case e.Op() == ir.Select:
			if g := Unfold(f.Context, e, mask); g.IsValid() {
				out = visit(g)
			} else if !keeps && visit(e.Arg(1)) != nil && visit(e.Arg(2)) != nil {
				f.Context.Unread(f.Name, e)
			}
		case reads:
			out = whole.whole(e, f.Context.Allowed)
		default:
			var args []Term
			for i := range e.NumArgs() {
				t := Term{Cells: visit(e.Arg(i)), Whole: e.Arg(i)}
				if t.Cells == nil {
					args = nil
					break
				}
				if e.Arg(i).States()&mask == 0 {
					t.Leaf = e.Arg(i)
				}
				args = append(args, t)
			}
			c, reduces := f.Algebra.(modular)
			switch {
			case args == nil: // a select may have the form only together with the rest of a sum
				if g := inside(f.Context, e, ir.Select); g.IsValid() {
					out = visit(g)
				}
			case reduces && e.Op() == ir.Cast:
				out = c.cast(e.Type(), args[0])
			default:
				if out = f.Algebra.Op(e.Op(), args); out == nil && !keeps {
					if g := inside(f.Context, e, ir.Min, ir.Max); g.IsValid() {
						out = visit(g)
					} else {
						f.Context.Unread(f.Name, e)
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
func inside(cx *lift.Context, e ir.Expr, ops ...ir.Op) (none ir.Expr) {
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

// Unfold rewrites a select whose condition reads the state: as selects under conditions on inputs,
// or as what guess answers. It returns the zero Expr where there is no such form.
func Unfold(cx *lift.Context, e ir.Expr, mask uint64) ir.Expr {
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
	g := guess(cx, e)
	cx.Unfolded[e] = g
	return g
}

// guess returns a term that equals a select at all points of a sample: an extremum of its branches,
// or of one branch and a side of its condition; where something is given of the state, also a
// remainder. It returns the zero Expr where none of these does.
func guess(cx *lift.Context, e ir.Expr) (none ir.Expr) {
	defer cx.Workspace.Rows.GiveBack(cx.Workspace.Rows.Used)
	t := e.Type()
	f := cx.Sample
	f.Evaluate(&tuple.Part{Types: []ir.Type{t}, Values: []ir.Expr{e}}, cx.NonNeg, cx.Allowed)
	f.Restrict(slices.Concat(cx.State, cx.Inputs))
	for _, g := range guesses(cx, e) {
		tape := cx.Workspace.Registers.NewTape(g)
		wrong, _ := f.Differ([]ir.Type{t}, f.Want, f.Run(tape, nil))
		if valid := f.Valid &^ tape.Overflowed(cx.Allowed); valid != 0 && wrong&valid == 0 {
			return g
		}
	}
	return none
}

func guesses(cx *lift.Context, e ir.Expr) (out []ir.Expr) {
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
func (f *Fitting) remembering(inner *lift.Shape) *lift.Shape {
	pool := f.Context.Pool
	leaves := lift.Varying(f.Part.Values)
	k, n := len(leaves), len(f.Memories)
	last := tuple.Pick(f.Part.Values, f.Memories)
	if n == 0 || k == 0 {
		return nil
	}
	inject := slices.Concat(leaves, last, inner.Identity)
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
				for i, c := range f.Memories {
					if e.Index() == c {
						return memories[i]
					}
				}
				return states[e.Index()]
			}
			return ir.Expr{}
		})
	}
	return &lift.Shape{Name: "last element and " + inner.Name, Inject: inject,
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			step := with(f.Part.Values, tuple.Pick(x, f.Memories), cells[:k], x)
			out := inner.Apply(step, cells[k+n:])
			for i, c := range f.Memories {
				out[c] = cells[k+i]
			}
			return out
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			joint := with(inner.Inject, a[k:k+n], b[:k], nil)
			rest := inner.Compose(inner.Compose(a[k+n:], joint), b[k+n:])
			return slices.Concat(a[:k], b[k:k+n], rest)
		}}
}

// ChooseCells returns options[s] for the combination s that the flags have.
func ChooseCells(flags []ir.Expr, options [][]ir.Expr) []ir.Expr {
	if len(flags) == 0 {
		return options[0]
	}
	last := len(flags) - 1
	half := len(options) / 2
	off, on := ChooseCells(flags[:last], options[:half]), ChooseCells(flags[:last], options[half:])
	out := make([]ir.Expr, len(on))
	for i := range out {
		out[i] = fold.Select(flags[last], on[i], off[i])
	}
	return out
}

// Blocks lists the connected components of the dependencies among some components, in parts on the
// same state.
func Blocks(parts []*tuple.Part, among []int) (out [][]int) {
	var masks []uint64
	for _, i := range among {
		mask := uint64(1) << i
		for _, p := range parts {
			mask |= p.Values[i].States() & tuple.MaskOf(among)
		}
		masks = slices.DeleteFunc(masks, func(other uint64) bool {
			if other&mask == 0 {
				return false
			}
			mask |= other
			return true
		})
		masks = append(masks, mask)
	}
	for _, mask := range masks {
		out = append(out, tuple.Members(mask))
	}
	slices.SortFunc(out, slices.Compare)
	return out
}
