package rfactor

import "github.com/rfactor-go/rfactor/ir"

// Cells come in pairs where a quantity may be missing: whether it is there, and its value.
// No −∞ is stored: something is added to it.
type optional struct{ has, v ir.Expr }

func missing(p *ir.Pool, t ir.Type) optional { return optional{p.Bool(false), number(p, t, 0)} }

func present(v ir.Expr) optional { return optional{v.Pool().Bool(true), v} }

// better is the extremum of what is there.
func better(op ir.Op, a, b optional) optional {
	switch {
	case a.has.IsConst(0):
		return b
	case b.has.IsConst(0):
		return a
	}
	both := b.v
	if a.v != b.v {
		both = ir.Make(op, a.v, b.v)
	}
	return optional{or(a.has, b.has), choose(a.has, choose(b.has, both, a.v), b.v)}
}

// sum is there where both are.
func sum(a, b optional) optional {
	if a.has.IsConst(0) || b.has.IsConst(0) {
		return missing(a.v.Pool(), a.v.Type())
	}
	return optional{and(a.has, b.has), addTo(a.v, b.v)}
}

func either(c ir.Expr, a, b optional) optional {
	switch { // the value of what is missing does not matter
	case a.has.IsConst(0):
		a.v = b.v
	case b.has.IsConst(0):
		b.v = a.v
	}
	return optional{choose(c, a.has, b.has), choose(c, a.v, b.v)}
}

// tropical has the functions max(x_0 + a_0, x_1 + a_1, …, b), or min: cells are pairs for
// a_0, a_1, …, b. Of a function that has none of its terms, the value is that of b.
type tropical struct {
	pool *ir.Pool
	n    int
	best ir.Op
}

func newMaxPlus(pool *ir.Pool, n int) algebra { return tropical{pool, n, ir.Max} }
func newMinPlus(pool *ir.Pool, n int) algebra { return tropical{pool, n, ir.Min} }

func pack(row []optional) (out []ir.Expr) {
	for _, o := range row {
		out = append(out, o.has, o.v)
	}
	return out
}

func unpack(cells []ir.Expr) (out []optional) {
	for i := 0; i < len(cells); i += 2 {
		out = append(out, optional{cells[i], cells[i+1]})
	}
	return out
}

// row reads cells as a function that has a term.
func (t tropical) row(cells []ir.Expr) []optional {
	row := unpack(cells)
	some := t.pool.Bool(false)
	for _, o := range row[:t.n] {
		some = or(some, o.has)
	}
	row[t.n].has = or(row[t.n].has, not(some))
	return row
}

func (t tropical) only(j int, typ ir.Type, o optional) []ir.Expr {
	row := make([]optional, t.n+1)
	for i := range row {
		row[i] = missing(t.pool, typ)
	}
	row[j] = o
	return pack(row)
}

func (t tropical) leaf(e ir.Expr) []ir.Expr {
	if e.Type() == ir.Bool {
		return nil
	}
	return t.only(t.n, e.Type(), present(e))
}

func (t tropical) state(j int, typ ir.Type) []ir.Expr {
	if typ == ir.Bool {
		return nil
	}
	return t.only(j, typ, present(number(t.pool, typ, 0)))
}

func zip(a, b []optional, f func(a, b optional) optional) []optional {
	out := make([]optional, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

func (t tropical) choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return pack(zip(unpack(a), unpack(b), func(a, b optional) optional { return either(c, a, b) }))
}

// shift adds a number to every term.
func shift(row []optional, by ir.Expr) []optional {
	out := make([]optional, len(row))
	for i, o := range row {
		out[i] = sum(o, present(by))
	}
	return out
}

// shifted is the row and the number added to it in a sum or difference, if that is what
// an operator with these operands is.
func shifted(op ir.Op, args []term) (cells []ir.Expr, by ir.Expr) {
	switch {
	case op == ir.Add && args[1].leaf.IsValid():
		return args[0].cells, args[1].leaf
	case op == ir.Add && args[0].leaf.IsValid():
		return args[1].cells, args[0].leaf
	case op == ir.Sub && args[1].leaf.IsValid():
		return args[0].cells, negative(args[1].leaf)
	}
	return nil, ir.Expr{}
}

func (t tropical) op(op ir.Op, args []term) []ir.Expr {
	if op == t.best {
		return pack(zip(unpack(args[0].cells), unpack(args[1].cells), func(a, b optional) optional { return better(op, a, b) }))
	}
	if cells, by := shifted(op, args); cells != nil {
		return pack(shift(unpack(cells), by))
	}
	return nil
}

func (t tropical) apply(x, cells []ir.Expr) ir.Expr {
	row := t.row(cells)
	out := row[t.n]
	for j := t.n - 1; j >= 0; j-- {
		out = better(t.best, sum(present(x[j]), row[j]), out)
	}
	return out.v
}

func (t tropical) compose(rows [][]ir.Expr, cells []ir.Expr) []ir.Expr {
	row := t.row(cells)
	typ := cells[1].Type()
	out := unpack(t.only(t.n, typ, row[t.n]))
	for j := t.n - 1; j >= 0; j-- {
		first := t.row(rows[j])
		out = zip(first, out, func(a, b optional) optional { return better(t.best, sum(a, row[j]), b) })
	}
	return pack(out)
}

// clamped has the functions max(min(x + a, c), b) of one number: cells are a, and pairs
// for c and b. A constant is one whose bounds agree.
type clamped struct {
	pool *ir.Pool
	n    int
}

func newClamp(pool *ir.Pool, n int) algebra { return clamped{pool, n} }

func (k clamped) leaf(e ir.Expr) []ir.Expr {
	if k.n != 1 || e.Type() == ir.Bool {
		return nil
	}
	return []ir.Expr{number(k.pool, e.Type(), 0), k.pool.Bool(true), e, k.pool.Bool(true), e}
}

func (k clamped) state(_ int, t ir.Type) []ir.Expr {
	if k.n != 1 {
		return nil
	}
	return append([]ir.Expr{number(k.pool, t, 0)}, pack([]optional{missing(k.pool, t), missing(k.pool, t)})...)
}

func (k clamped) choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	out := []ir.Expr{choose(c, a[0], b[0])}
	return append(out, pack(zip(unpack(a[1:]), unpack(b[1:]), func(a, b optional) optional { return either(c, a, b) }))...)
}

func (k clamped) op(op ir.Op, args []term) []ir.Expr {
	if cells, by := shifted(op, args); cells != nil {
		return append([]ir.Expr{addTo(cells[0], by)}, pack(shift(unpack(cells[1:]), by))...)
	}
	if op != ir.Min && op != ir.Max {
		return nil
	}
	cells, l := args[0].cells, args[1].leaf
	if !l.IsValid() {
		cells, l = args[1].cells, args[0].leaf
	}
	if !l.IsValid() {
		return nil
	}
	bound := []optional{missing(k.pool, l.Type()), present(l)}
	if op == ir.Min {
		bound[0], bound[1] = bound[1], bound[0]
	}
	return k.then(cells, number(k.pool, l.Type(), 0), bound)
}

// then is max(min(f(x) + a, c), b) for the function f of some cells.
func (k clamped) then(cells []ir.Expr, a ir.Expr, bounds []optional) []ir.Expr {
	f := shift(unpack(cells[1:]), a)
	c, b := bounds[0], bounds[1]
	upper, lower := better(ir.Min, f[0], c), f[1]
	if !c.has.IsConst(0) { // a lower bound stays below the new upper one
		low := ir.MinOf(lower.v, c.v)
		if lower.v == c.v {
			low = c.v
		}
		lower.v = choose(c.has, low, lower.v)
	}
	return append([]ir.Expr{addTo(cells[0], a)}, pack([]optional{upper, better(ir.Max, lower, b)})...)
}

func (k clamped) apply(x, cells []ir.Expr) ir.Expr {
	bounds := unpack(cells[1:])
	v := better(ir.Min, present(addTo(x[0], cells[0])), bounds[0])
	return better(ir.Max, v, bounds[1]).v
}

func (k clamped) compose(rows [][]ir.Expr, cells []ir.Expr) []ir.Expr {
	return k.then(rows[0], cells[0], unpack(cells[1:]))
}
