package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Bounds of a counter's phases: how many there are, and how far apart its literals lie.
const (
	maxPhases = 5
	maxWindow = 64
)

// fitPhased fits steps that do one thing or another by the range that a counter lies in: streaks of wins and of losses, runs of at
// least three. In each phase, which is one number or all numbers from one on or up to one, a step sets the counter, or moves it on within the phase.
//
//	select(y0, select(x0 > 0, x0 + 1, 1), select(x0 < 0, x0 - 1, -1)); max(x1, …)
//	   →   from 1 on: keeps = y0, by = select(y0, 1, -1), and x1 as max(x1, x0 + 1) or x1
//	(keeps, by) ∘ (keeps', by') = keeps ? (keeps && keeps', keeps' ? by + by' : by') : what the phase of by does to it
//
// The other components are lifted by an algebra over them and the counter, in each phase. Where the counter moves, the phase is the same
// behind the step, whatever the parameter: it counts as 0 where it leads out. Sums must not wrap.
func fitPhased(cx *lift.Context, p *tuple.Part) *lift.Shape {
	for w, t := range p.Types {
		if !t.IsInt() || len(p.Types) < 2 || p.Values[w].States() != 1<<w {
			continue
		}
		if s := phasedBy(cx, p, w); s != nil {
			return s
		}
	}
	return nil
}

// phase is a range of a counter: the number at, all numbers from it on, or all up to it.
type phase struct {
	at   int64
	side int // 0, 1 for all from it on, -1 for all up to it
}

// phases is a part by the phases of its counter.
type phases struct {
	cx     *lift.Context
	p      *tuple.Part
	w      int // the counter
	list   []phase
	blocks []phasedBlock
}

// phasedBlock is a set of the other components that an algebra fits.
type phasedBlock struct {
	comps   []int
	reads   bool // the counter is the first number of the algebra, the components are the others
	algebra algebra.Algebra
	mirror  bool // where the counter lies below, the algebra reads its negative
	width   int  // of a row
}

func phasedBy(cx *lift.Context, p *tuple.Part, w int) *lift.Shape {
	s := &phases{cx: cx, p: p, w: w}
	if s.list = s.split(); s.list == nil {
		return nil
	}
	values := make([][]ir.Expr, len(s.list))
	var steps [][]ir.Expr
	for k := range s.list {
		values[k] = s.within(k)
		step := s.step(values[k][w])
		if step == nil || !s.stays(k, step) {
			return nil
		}
		steps = append(steps, step)
	}
	var parts []*tuple.Part
	for _, v := range values {
		parts = append(parts, &tuple.Part{Values: v})
	}
	var rows [][][]ir.Expr // by block, phase: the rows of its components
	for _, comps := range algebra.Blocks(parts, slices.DeleteFunc(tuple.Indices(len(p.Types)), func(i int) bool { return i == w })) {
		b, r := s.block(values, comps)
		if r == nil {
			return nil
		}
		s.blocks, rows = append(s.blocks, b), append(rows, r)
	}
	var inject, identity []ir.Expr
	for k, ph := range s.list {
		same := []ir.Expr{cx.Pool.Bool(true), s.number(0)}
		if ph.side == 0 {
			same = []ir.Expr{cx.Pool.Bool(false), s.number(ph.at)}
		}
		inject, identity = append(inject, steps[k]...), append(identity, same...)
		for n, b := range s.blocks {
			inject = append(inject, rows[n][k]...)
			for j, i := range b.comps {
				identity = append(identity, b.algebra.State(j+b.first(), p.Types[i])...)
			}
		}
	}
	return &lift.Shape{Name: "phased", Inject: inject, Identity: identity, Apply: s.apply, Compose: s.compose}
}

// first returns how many numbers of the algebra come before the components.
func (b *phasedBlock) first() int {
	if b.reads {
		return 1
	}
	return 0
}

func (s *phases) number(v int64) ir.Expr { return s.cx.Pool.Int(s.p.Types[s.w], v) }

// questions lists the conditions on the counter alone that the update asks, and the literals of them and of extrema with it.
func (s *phases) questions() (asks []ir.Expr, literals []int64) {
	x := s.p.States[s.w]
	ir.Walk(s.p.Values, func(e ir.Expr) {
		alone := func(e ir.Expr) bool { vars := ir.Vars(e); return len(vars) == 1 && vars[0] == x }
		switch {
		case e.Op().IsComparison() && alone(e):
			if !slices.Contains(asks, e) {
				asks = append(asks, e)
			}
		case (e.Op() == ir.Min || e.Op() == ir.Max) && alone(e):
			for i := range 2 {
				if l := e.Arg(i); l.Op() == ir.Const && l.Type() == x.Type() { // of a cast counter it may have another
					asks = append(asks, ir.LtOf(x, l), ir.LtOf(l, x))
				}
			}
		default:
			return
		}
		ir.Walk([]ir.Expr{e}, func(l ir.Expr) {
			if l.Op() == ir.Const && l.Type() == x.Type() {
				literals = append(literals, l.Int())
			}
		})
	})
	return asks, literals
}

// split returns the phases of the counter, ascending; nil where it has none or too many.
func (s *phases) split() (list []phase) {
	asks, literals := s.questions()
	if len(asks) == 0 || len(literals) == 0 {
		return nil
	}
	from, to := slices.Min(literals)-3, slices.Max(literals)+3
	if to < from || to-from > maxWindow {
		return nil
	}
	var below, above bool // the counter may be less, or greater
	from, to, below, above = s.allowed(from, to)
	answers := func(v int64) (out []bool) {
		for _, e := range asks {
			out = append(out, ir.Eval(ir.Subst(e, s.p.States[s.w:s.w+1], []ir.Expr{s.number(v)}), &ir.Env{}) != 0)
		}
		return out
	}
	low, high := from-1, to+1 // what lies between them are points
	if below {
		for low = from; low < to && slices.Equal(answers(low+1), answers(from)); {
			low++
		}
		list = append(list, phase{low, -1})
	}
	if above {
		for high = to; high > from && slices.Equal(answers(high-1), answers(to)); {
			high--
		}
	}
	if low >= high { // one phase
		return nil
	}
	for v := low + 1; v < high; v++ {
		if list = append(list, phase{v, 0}); len(list) > maxPhases {
			return nil
		}
	}
	if above {
		list = append(list, phase{high, 1})
	}
	if len(list) > maxPhases {
		return nil
	}
	return list
}

// allowed narrows a range of the counter by its type and by what is given of it alone. It reports whether the counter may lie below the
// range or above it.
func (s *phases) allowed(from, to int64) (least, most int64, below, above bool) {
	x := s.p.States[s.w]
	may := func(v int64) bool {
		return !slices.ContainsFunc(s.cx.State, func(c ir.Expr) bool {
			vars := ir.Vars(c)
			return len(vars) == 1 && vars[0] == x && ir.Eval(ir.Subst(c, vars, []ir.Expr{s.number(v)}), &ir.Env{}) == 0
		})
	}
	below, above = true, true
	if x.Type().IsUnsigned() && from < 0 {
		from, below = 0, false
	}
	for ; from < to && !may(from); from++ {
		below = false
	}
	for ; from < to && !may(to); to-- {
		above = false
	}
	return from, to, below, above
}

// within returns the values of all components in a phase.
func (s *phases) within(k int) []ir.Expr {
	ph, x := s.list[k], s.p.States[s.w]
	asks, _ := s.questions()
	at := func(e ir.Expr) uint64 {
		return ir.Eval(ir.Subst(e, []ir.Expr{x}, []ir.Expr{s.number(ph.at)}), &ir.Env{})
	}
	out := s.cx.Pool.Map(s.p.Values, func(e ir.Expr) ir.Expr {
		switch {
		case e == x && ph.side == 0:
			return s.number(ph.at)
		case e.Type() == ir.Bool && slices.Contains(asks, e):
			return s.cx.Pool.Const(ir.Bool, at(e))
		case (e.Op() == ir.Min || e.Op() == ir.Max) && e.Arg(0) == x && e.Arg(1).Op() == ir.Const:
			switch {
			case ph.side == 0:
				return s.cx.Pool.Const(x.Type(), at(e))
			case at(e) == at(x):
				return x
			}
			return e.Arg(1)
		}
		return ir.Expr{}
	})
	for i, e := range out {
		out[i] = s.signed(algebra.Settled(e), ph)
	}
	return out
}

// signed writes magnitudes of sums with the counter without abs, by the sign that the phase has.
func (s *phases) signed(e ir.Expr, ph phase) ir.Expr {
	return s.cx.Pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Abs || e.States()>>s.w&1 == 0 {
			return ir.Expr{}
		}
		a := e.Arg(0)
		switch {
		case a.Op() == ir.Select && a.Arg(0).IsLeaf():
			return ir.SelectOf(a.Arg(0), s.signed(absOf(a.Arg(1)), ph), s.signed(absOf(a.Arg(2)), ph))
		case ph.side > 0:
			return a
		}
		return ir.NegOf(a)
	})[0]
}

func absOf(e ir.Expr) ir.Expr { return canon.Greedy(ir.Make(ir.Abs, e), 0) }

// step reads what a step does to the counter: whether it moves it, and by what, or what it sets it to. It returns nil for other terms.
func (s *phases) step(e ir.Expr) []ir.Expr {
	pool := s.cx.Pool
	switch {
	case e.IsLeaf():
		return []ir.Expr{pool.Bool(false), e}
	case e == s.p.States[s.w]:
		return []ir.Expr{pool.Bool(true), s.number(0)}
	case e.Op() == ir.Select && e.Arg(0).IsLeaf():
		if a, b := s.step(e.Arg(1)), s.step(e.Arg(2)); a != nil && b != nil {
			return algebra.Chosen(e.Arg(0), a, b)
		}
	case e.Op() == ir.Add && e.Arg(1).IsLeaf(), e.Op() == ir.Sub && e.Arg(1).IsLeaf():
		if a := s.step(e.Arg(0)); a != nil {
			return []ir.Expr{a[0], canon.Greedy(ir.Make(e.Op(), a[1], e.Arg(1)), 0)}
		}
	case e.Op() == ir.Add && e.Arg(0).IsLeaf():
		return s.step(ir.AddOf(e.Arg(1), e.Arg(0)))
	}
	return nil
}

// stays reports whether a step that moves the counter may stay in its phase: no literal leads out.
func (s *phases) stays(k int, step []ir.Expr) bool {
	side := s.list[k].side
	if step[0].IsConst(0) {
		return true
	}
	var out func(keeps, by ir.Expr) bool
	out = func(keeps, by ir.Expr) bool {
		switch {
		case keeps.IsConst(0):
			return false
		case by.Op() == ir.Select:
			where := func(holds bool) ir.Expr {
				return canon.Decided(ir.Subst(keeps, []ir.Expr{by.Arg(0)}, []ir.Expr{s.cx.Pool.Bool(holds)}))
			}
			return out(where(true), by.Arg(1)) || out(where(false), by.Arg(2))
		case by.Op() == ir.Const && !by.Type().IsUnsigned():
			return by.Int()*int64(side) < 0
		}
		return false
	}
	return side != 0 && !out(step[0], step[1])
}

// block returns a set of components with the first algebra that fits them in all phases, and their rows; nil rows where none does.
func (s *phases) block(values [][]ir.Expr, comps []int) (b phasedBlock, rows [][]ir.Expr) {
	var read uint64
	for _, v := range values {
		for _, i := range comps {
			read |= v[i].States()
		}
	}
	b = phasedBlock{comps: comps, reads: read>>s.w&1 != 0}
	algebras := []func(*ir.Pool, int) algebra.Algebra{algebra.NewRing, algebra.NewMaxPlus, algebra.NewMinPlus}
	if b.reads {
		algebras = algebras[1:]
	}
	for _, mirror := range []bool{false, true} {
		if b.mirror = mirror; mirror && !b.reads {
			break
		}
		for _, make := range algebras {
			b.algebra = make(s.cx.Pool, len(comps)+b.first())
			if rows := s.rows(values, &b); rows != nil {
				return b, rows
			}
		}
	}
	return b, nil
}

// rows returns the cells of the components of a block, by phase; nil where the algebra does not fit them.
func (s *phases) rows(values [][]ir.Expr, b *phasedBlock) (rows [][]ir.Expr) {
	numbers := slices.Clone(b.comps)
	if b.reads {
		numbers = append([]int{s.w}, numbers...)
	}
	for _, i := range numbers {
		if s.p.Types[i] != s.p.Types[numbers[0]] {
			return nil
		}
	}
	q := &tuple.Part{Set: numbers, Values: nil}
	for _, i := range numbers {
		q.Types = append(q.Types, s.p.Types[i])
		q.States = append(q.States, s.cx.Pool.X(len(q.States), s.p.Types[i]))
	}
	f := &algebra.Fitting{Context: s.cx.Within(numbers), Part: q, Roles: algebra.Roles{Numbers: tuple.Indices(len(numbers))}, Name: "phased", Algebra: b.algebra}
	if b.algebra.State(0, s.p.Types[numbers[0]]) == nil {
		return nil
	}
	for k, v := range values {
		var row []ir.Expr
		for _, i := range b.comps {
			e := v[i]
			if b.mirrors(s.list[k]) {
				e = s.mirrored(e)
			}
			e = tuple.MapStates(s.cx.Pool, []ir.Expr{e}, func(i int, t ir.Type) ir.Expr { return q.States[slices.Index(numbers, i)] })[0]
			cells := f.Element(e)
			if cells == nil {
				return nil
			}
			b.width = len(cells)
			row = append(row, cells...)
		}
		rows = append(rows, row)
	}
	return rows
}

func (b *phasedBlock) mirrors(ph phase) bool { return b.mirror && ph.side < 0 }

// mirrored writes a term over the negative of the counter.
func (s *phases) mirrored(e ir.Expr) ir.Expr {
	x := s.p.States[s.w]
	var sums func(e ir.Expr) ir.Expr
	sums = func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() == ir.Neg && e.Arg(0).Op() == ir.Select:
			a := e.Arg(0)
			return ir.SelectOf(a.Arg(0), sums(ir.NegOf(a.Arg(1))), sums(ir.NegOf(a.Arg(2))))
		case e.Op() == ir.Add, e.Op() == ir.Sub, e.Op() == ir.Neg:
			return poly.Normal(e, s.cx.Allowed)
		}
		return s.cx.Pool.Map([]ir.Expr{e}, func(a ir.Expr) ir.Expr {
			if a == e {
				return ir.Expr{}
			}
			return sums(a)
		})[0]
	}
	return sums(ir.Subst(e, []ir.Expr{x}, []ir.Expr{ir.NegOf(x)}))
}

// onward returns the move that a parameter stands for in a phase: one that leads out of it counts as 0.
func (s *phases) onward(k int, by ir.Expr) ir.Expr {
	zero := s.number(0)
	switch side := s.list[k].side; {
	case by.Op() == ir.Const && by.Int()*int64(side) >= 0:
		return by
	case side < 0:
		return ir.MinOf(by, zero)
	case s.p.Types[s.w].IsUnsigned():
		return by
	}
	return ir.MaxOf(by, zero)
}

// choose returns the option of the phase that a number lies in.
func (s *phases) choose(w ir.Expr, options [][]ir.Expr) []ir.Expr {
	last := len(options) - 1
	out := options[last]
	for k := last - 1; k >= 0; k-- {
		at := s.number(s.list[k].at)
		holds := fold.Equal(w, at)
		if k == 0 && !w.Type().IsUnsigned() { // what is given excludes is of the nearest phase
			holds = ir.LeOf(w, at)
		}
		if w.Op() == ir.Const {
			holds = s.cx.Pool.Const(ir.Bool, ir.Eval(holds, &ir.Env{}))
		}
		out = algebra.Chosen(holds, options[k], out)
	}
	return out
}

// at returns the cells of a phase.
func (s *phases) at(cells []ir.Expr, k int) []ir.Expr {
	width := len(cells) / len(s.list)
	return cells[k*width : (k+1)*width]
}

// rowsOf returns the rows of a block among the cells of a phase.
func (s *phases) rowsOf(cells []ir.Expr, n int) (rows [][]ir.Expr) {
	at := 2
	for _, b := range s.blocks[:n] {
		at += b.width * len(b.comps)
	}
	b := &s.blocks[n]
	for range b.comps {
		rows, at = append(rows, cells[at:at+b.width]), at+b.width
	}
	return rows
}

// moved returns what the counter is behind a step with the cells of its phase.
func (s *phases) moved(k int, w ir.Expr, cells []ir.Expr) ir.Expr {
	if s.list[k].side == 0 {
		return cells[1]
	}
	return fold.Select(cells[0], fold.Add(w, s.onward(k, cells[1])), cells[1])
}

// seen returns the counter as an algebra reads it in a phase.
func (b *phasedBlock) seen(ph phase, w ir.Expr) ir.Expr {
	if b.mirrors(ph) {
		return fold.Neg(w)
	}
	return w
}

func (s *phases) apply(x, cells []ir.Expr) []ir.Expr {
	options := make([][]ir.Expr, len(s.list))
	for k, ph := range s.list {
		own := s.at(cells, k)
		out := slices.Clone(x)
		out[s.w] = s.moved(k, x[s.w], own)
		for n := range s.blocks {
			b := &s.blocks[n]
			numbers := tuple.Pick(x, b.comps)
			if b.reads {
				numbers = append([]ir.Expr{b.seen(ph, x[s.w])}, numbers...)
			}
			for j, row := range s.rowsOf(own, n) {
				out[b.comps[j]] = b.algebra.Apply(numbers, row)
			}
		}
		options[k] = out
	}
	return s.choose(x[s.w], options)
}

func (s *phases) compose(a, b []ir.Expr) (out []ir.Expr) {
	for k, ph := range s.list {
		first := s.at(a, k)
		options := make([][]ir.Expr, len(s.list)) // where the first slice sets the counter, by the phase that it lies in then
		for t, then := range s.list {
			second := s.at(b, t)
			options[t] = []ir.Expr{s.cx.Pool.Bool(false), s.moved(t, first[1], second)}
			for n := range s.blocks {
				options[t] = append(options[t], s.composed(n, first, second, func(f *phasedBlock) []ir.Expr { return f.algebra.Leaf(f.seen(then, first[1])) })...)
			}
		}
		set := s.choose(first[1], options)
		if ph.side == 0 {
			out = append(out, set...)
			continue
		}
		second, by := s.at(b, k), s.onward(k, first[1])
		kept := []ir.Expr{second[0], fold.Select(second[0], fold.Add(by, s.onward(k, second[1])), second[1])}
		for n := range s.blocks {
			kept = append(kept, s.composed(n, first, second, func(f *phasedBlock) []ir.Expr {
				x := s.cx.Pool.X(0, s.p.Types[s.w])
				return f.algebra.Op(ir.Add, []algebra.Term{{Cells: f.algebra.State(0, x.Type()), Whole: x}, {Cells: f.algebra.Leaf(by), Leaf: f.seen(ph, by), Whole: by}})
			})...)
		}
		out = append(out, algebra.Chosen(first[0], kept, set)...)
	}
	return out
}

// composed returns the rows of a block behind two steps; counter is the row of the counter behind the first one.
func (s *phases) composed(n int, first, second []ir.Expr, counter func(*phasedBlock) []ir.Expr) (out []ir.Expr) {
	b := &s.blocks[n]
	rows := s.rowsOf(first, n)
	if b.reads {
		rows = append([][]ir.Expr{counter(b)}, rows...)
	}
	for _, row := range s.rowsOf(second, n) {
		out = append(out, b.algebra.Compose(rows, row)...)
	}
	return out
}
