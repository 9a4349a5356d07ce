package lift

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// maxElements bounds the elements of a monoid that is written as a table of products.
const maxElements = 10

// indexed returns the shape with one index in place of cells that have few values together in all
// products: the elements of a finite monoid, which is composed by a table.
//
//	x1; x2; x3; x0 + y0   →   a power 0 to 3 of a permutation in place of a 4×4 matrix
//
// It returns nil where that would only join two flags, and for shapes of which the prover compares
// sums with their conditions: it does not see into conditions on an index.
func (o *observation) indexed() *Shape {
	if o.shape.Cellwise {
		return nil
	}
	first, second := o.operands()
	compose := o.shape.Compose(first, second)
	for _, set := range o.closed(compose) {
		if o.cx.Consider(FamilyCost); o.cx.Over() {
			return nil
		}
		m := &monoid{pool: o.cx.Pool, types: o.types, set: set}
		m.rest = slices.DeleteFunc(tuple.Indices(len(o.types)), func(i int) bool { return slices.Contains(set, i) })
		if !m.generate(o) || !m.close(o, tuple.Pick(compose, set), first, second) {
			continue
		}
		if s := m.shapeOf(o.shape); o.plausible(s) {
			return s
		}
	}
	return nil
}

// monoid is a finite monoid of values of some cells.
type monoid struct {
	pool     *ir.Pool
	set      []int // the cells
	rest     []int // the other cells
	types    []ir.Type
	elements [][]uint64 // of each the values of the cells in set
	products [][]int    // products[i][j] is i ∘ j
	steps    int        // the first elements are those of steps and the identity
}

// closed lists sets of at least three flags, or two cells of which one is a word, that have few values, and whose products depend on no
// other cells: larger sets first.
func (o *observation) closed(compose []ir.Expr) (sets [][]int) {
	n := len(o.types)
	reads := make([]uint64, n) // the cells that the product of each cell depends on
	for i := range reads {
		reads[i] = 1<<i | o.read(compose[i])
	}
	for range n {
		for i := range reads {
			for _, j := range tuple.Members(reads[i] &^ (1 << 63)) {
				reads[i] |= reads[j]
			}
		}
	}
	var few uint64
	for i := range n {
		if o.hasFewValues(i) {
			few |= 1 << i
		}
	}
	var all uint64
	add := func(mask uint64) {
		set := tuple.Members(mask)
		words := slices.ContainsFunc(set, func(i int) bool { return o.types[i] != ir.Bool })
		if (len(set) >= 3 || len(set) == 2 && words) && !slices.ContainsFunc(sets, func(other []int) bool { return slices.Equal(set, other) }) {
			sets = append(sets, set)
		}
	}
	for i := range reads {
		if reads[i]&^few == 0 {
			add(reads[i])
			all |= reads[i]
		}
	}
	add(all)
	slices.SortStableFunc(sets, func(a, b []int) int { return len(b) - len(a) })
	return sets[:min(len(sets), maxSets)]
}

// maxSets bounds the sets of cells that are tried.
const maxSets = 6

// read returns the cells that an expression reads, as a mask; with bit 63 where it reads anything else.
func (o *observation) read(e ir.Expr) (mask uint64) {
	if e.HasCall() {
		mask = 1 << 63
	}
	for _, v := range ir.Vars(e) {
		i := v.Index()
		if v.Kind() != ir.State && v.Kind() != ir.Leaf || i >= len(o.types) || v.Type() != o.types[i] {
			return 1 << 63
		}
		mask |= 1 << i
	}
	return mask
}

// hasFewValues reports whether a cell has only a few values in all products.
func (o *observation) hasFewValues(i int) bool {
	if o.types[i] == ir.Bool {
		return true
	}
	var values []uint64
	for n := range o.products {
		at := &o.products[n]
		for mask, lane := at.valid, 0; mask != 0; mask, lane = mask>>1, lane+1 {
			if v := at.rows[i][lane]; mask&1 != 0 && !slices.Contains(values, v) {
				if values = append(values, v); len(values) > maxElements {
					return false
				}
			}
		}
	}
	return true
}

// generate finds the elements of steps and the identity. It reports whether there are any, and few.
func (m *monoid) generate(o *observation) bool {
	f := o.cx.Sample
	add := func(rows []*sample.Row, valid uint64) bool {
		for lane := range rows[0] {
			if valid>>lane&1 == 0 {
				continue
			}
			var values []uint64
			for _, i := range m.set {
				values = append(values, rows[i][lane])
			}
			if m.index(values) < 0 {
				m.elements = append(m.elements, values)
			}
			if len(m.elements) > maxElements {
				return false
			}
		}
		return true
	}
	last := o.products[len(o.products)-1]
	if o.shape.Identity != nil && !add(last.rows, last.valid) {
		return false
	}
	ok := add(f.Run(o.cx.Workspace.Registers.NewTape(o.shape.Inject...), nil), f.Valid)
	m.steps = len(m.elements)
	return ok && m.steps > 0 // there are none where something overflows at all points
}

// index returns the number of an element, or −1.
func (m *monoid) index(values []uint64) int {
	return slices.IndexFunc(m.elements, func(e []uint64) bool { return slices.Equal(e, values) })
}

// close adds the products of elements until there are no new ones. It reports whether they are few.
func (m *monoid) close(o *observation, compose, first, second []ir.Expr) bool {
	code := o.cx.Workspace.Registers.NewTape(compose...)
	x, y := tuple.Pick(first, m.set), tuple.Pick(second, m.set)
	for done := 0; done < len(m.elements); {
		n := len(m.elements)
		m.products = nil
		for _, a := range m.elements[:n] {
			var products []int
			by := m.rowsOf(o, x, y, a)
			rows := code.Run(o.cx.Sample.Inputs(code, by))
			for lane := range n {
				var values []uint64
				for _, r := range rows {
					values = append(values, r[lane])
				}
				k := m.index(values)
				if k < 0 {
					k, m.elements = len(m.elements), append(m.elements, values)
				}
				products = append(products, k)
			}
			if len(m.elements) > maxElements {
				return false
			}
			m.products = append(m.products, products)
		}
		done = n
	}
	return true
}

// rowsOf gives the first operand the value a, and the second operand one element in each lane.
func (m *monoid) rowsOf(o *observation, x, y []ir.Expr, a []uint64) *sample.Instead {
	by := &sample.Instead{Vars: slices.Concat(x, y)}
	row := func(of func(lane int) uint64) {
		r := o.cx.Workspace.Rows.Take()
		for lane := range r {
			r[lane] = of(min(lane, len(m.elements)-1))
		}
		by.Rows = append(by.Rows, r)
	}
	for c := range x {
		row(func(int) uint64 { return a[c] })
	}
	for c := range y {
		row(func(lane int) uint64 { return m.elements[lane][c] })
	}
	return by
}

// shapeOf returns the shape with an index in front, and without the cells of the set.
func (m *monoid) shapeOf(s *Shape) *Shape {
	project := func(cells []ir.Expr) []ir.Expr {
		return append([]ir.Expr{m.indexOf(tuple.Pick(cells, m.set), tuple.Indices(m.steps))}, tuple.Pick(cells, m.rest)...)
	}
	var of, composed []ir.Expr // the operands of the last composition, which is asked for again and again, and what it gave
	out := &Shape{Name: s.Name, Cellwise: s.Cellwise, Inject: project(s.Inject),
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			return m.choose(cells[0], func(i int) []ir.Expr { return s.Apply(x, m.restored(i, cells)) })
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			if operands := slices.Concat(a, b); !slices.Equal(of, operands) {
				of, composed = operands, nil
			}
			if composed != nil {
				return slices.Clone(composed)
			}
			index := m.choose(a[0], func(i int) []ir.Expr {
				return m.choose(b[0], func(j int) []ir.Expr { return []ir.Expr{m.literal(m.products[i][j])} })
			})
			rest := m.choose(a[0], func(i int) []ir.Expr {
				return m.choose(b[0], func(j int) []ir.Expr {
					return tuple.Pick(s.Compose(m.restored(i, a), m.restored(j, b)), m.rest)
				})
			})
			composed = append(index, rest...)
			return slices.Clone(composed)
		}}
	if s.Identity != nil {
		out.Identity = project(s.Identity)
	}
	return out
}

func (m *monoid) literal(i int) ir.Expr { return m.pool.Int(ir.U8, int64(i)) }

// restored returns all cells where the cells of the set are element i.
func (m *monoid) restored(i int, cells []ir.Expr) []ir.Expr {
	all := make([]ir.Expr, len(m.types))
	for k, c := range m.set {
		all[c] = m.pool.Const(m.types[c], m.elements[i][k])
	}
	for k, c := range m.rest {
		all[c] = cells[k+1]
	}
	return all
}

// choose returns what of gives for the element of an index. An index behind the last element means
// the last one.
func (m *monoid) choose(index ir.Expr, of func(i int) []ir.Expr) []ir.Expr {
	n := len(m.elements)
	if index.Op() == ir.Const {
		return of(min(int(index.Value()), n-1))
	}
	options := make([][]ir.Expr, n)
	for i := range options {
		options[i] = of(i)
	}
	out := slices.Clone(options[n-1])
	for k := range out {
		done := []ir.Expr{out[k]}
		for i := n - 2; i >= 0; i-- {
			e := options[i][k]
			if slices.Contains(done, e) {
				continue
			}
			done = append(done, e)
			at := m.pool.Bool(false)
			for j := range n - 1 {
				if options[j][k] == e {
					at = fold.Or(at, ir.EqOf(index, m.literal(j)))
				}
			}
			out[k] = fold.Select(at, e, out[k])
		}
	}
	return out
}

// indexOf returns the index of the element, one of among, that some cells have.
func (m *monoid) indexOf(cells []ir.Expr, among []int) ir.Expr {
	if len(among) == 1 {
		return m.literal(among[0])
	}
	for k, cell := range cells {
		v := m.elements[among[0]][k]
		same := slices.DeleteFunc(slices.Clone(among), func(i int) bool { return m.elements[i][k] != v })
		if len(same) == len(among) {
			continue
		}
		other := slices.DeleteFunc(slices.Clone(among), func(i int) bool { return m.elements[i][k] == v })
		is := cell
		if m.types[m.set[k]] == ir.Bool {
			if v == 0 {
				is = fold.Not(cell)
			}
		} else {
			is = fold.Equal(cell, m.pool.Const(cell.Type(), v))
		}
		switch {
		case is.IsConst(1):
			return m.indexOf(cells, same)
		case is.IsConst(0):
			return m.indexOf(cells, other)
		}
		return fold.Select(is, m.indexOf(cells, same), m.indexOf(cells, other))
	}
	return m.literal(among[0])
}
