package combine

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// joinSegments fits steps that cut their inputs into segments: where an input ends one, some components are set to inputs, and the others take what
// they were. Words, runs, averages with gaps, a condition on what was assigned last.
//
//	select(y1, 0, x0 + y0); x1 + select(y1 && x0 > 10, 1, 0)
//	select(y1, 1, x1*k0); select(y1, (x1*k0*x0 + y0)/(x1*k0 + 1), x0)
//
// The first piece of a slice waits for the state: the segment that it ends began before. A slice is what it does to that segment, x ↦ P(x, p), and to the
// totals before its first end; the inputs w that this end reads; what it does to the totals behind that end; and the segment e that it leaves open.
// Slices compose as Blelloch's segmented scans do, where the end of the second slice closes the open segment of the first one.
//
// Segments and totals are lifted by any family. What a step that ends nothing does to totals reads no segment, but for three cases: conditions on a
// segment that such steps keep as it is, whose outcomes are told apart, and a count that passes a number, which it does once.
func joinSegments(cx *lift.Context, p *tuple.Part, memory family.Memory, unbounded bool) *lift.Shape {
	if memory != family.None || len(p.Types) < 2 {
		return nil
	}
	for _, c := range family.Resets(p.Values) {
		start, ok := family.When(cx, p.Values, c, true)
		rest, also := family.When(cx, p.Values, c, false)
		if !ok || !also {
			continue
		}
		if shapes := segmentsOf(cx, p, []cut{{c, start, rest}}, unbounded); shapes != nil {
			return shapes[0]
		}
	}
	return nil
}

// cutSegments is joinSegments of parts that are alternatives of one step, as finite control tells them apart: some of them end a segment, and others do
// not. It returns a shape for each of them, or nil.
func cutSegments(cx *lift.Context, parts []*tuple.Part, unbounded bool) []*lift.Shape {
	if len(parts) < 2 || len(parts[0].Types) < 2 {
		return nil
	}
	var cuts []cut
	for _, p := range parts {
		if slices.ContainsFunc(p.Values, ir.Expr.IsLeaf) {
			cuts = append(cuts, cut{cx.Pool.Bool(true), p.Values, nil})
		} else {
			cuts = append(cuts, cut{cx.Pool.Bool(false), nil, p.Values})
		}
	}
	return segmentsOf(cx, parts[0], cuts, unbounded)
}

// cut is a step: what it does where it ends a segment, and where it does not; nil where it never does the one or the other.
type cut struct {
	c           ir.Expr // whether it ends one
	start, rest []ir.Expr
}

// segmentsOf returns a shape for each of several steps on the state of a part; nil where they cut no segments.
func segmentsOf(cx *lift.Context, p *tuple.Part, cuts []cut, unbounded bool) (out []*lift.Shape) {
	s := &segments{cx: cx, p: p, of: segmentOf(p, cuts)}
	s.rest = slices.DeleteFunc(tuple.Indices(len(p.Types)), func(i int) bool { return slices.Contains(s.of, i) })
	if len(s.of) == 0 || len(s.rest) == 0 || !s.fitSegment(cuts, unbounded) || !s.fitTotals(cuts, unbounded) {
		return nil
	}
	for i, c := range cuts {
		out = append(out, s.shape(i, c))
	}
	return out
}

// segments is a part by its roles.
type segments struct {
	cx       *lift.Context
	p        *tuple.Part
	of, rest []int           // components of a segment, and totals
	segment  []*lift.Shape   // of each cut, what a step does to a segment that it does not end; nil where it ends one always
	totals   []*lift.Shape   // what a step does to totals: one that ends a segment, …
	early    [][]*lift.Shape // … and, of each cut, one that does not, for each outcome of the conditions
	sums     bool            // totals are sums of their cells, in any order
	conds    []ir.Expr       // on a segment that steps keep
	passed   []ir.Expr       // what each total has counted of the segment that is open; the zero Expr for nothing
	ends     []ir.Expr       // the cells of an end
	before   []ir.Expr       // variables for the segment in them
	reads    []ir.Expr       // the inputs in them
}

// segmentOf lists the components that an end sets to inputs, and that read no others elsewhere.
func segmentOf(p *tuple.Part, cuts []cut) []int {
	mask := uint64(1)<<len(p.Types) - 1
	ends := false
	for _, c := range cuts {
		ends = ends || c.start != nil
		for i, e := range c.start {
			if !e.IsLeaf() {
				mask &^= 1 << i
			}
		}
	}
	for ends {
		smaller := mask
		for _, c := range cuts {
			for _, i := range tuple.Members(mask) {
				if c.rest != nil && c.rest[i].States()&^mask != 0 {
					smaller &^= 1 << i
				}
			}
		}
		if smaller == mask {
			return tuple.Members(mask)
		}
		mask = smaller
	}
	return nil
}

// fitSegment lifts the components of a segment: by an operator with an identity, or by families. It reports whether it could.
func (s *segments) fitSegment(cuts []cut, unbounded bool) bool {
	s.segment = make([]*lift.Shape, len(cuts))
	var parts []*tuple.Part
	kept := true
	for _, c := range cuts {
		if c.rest != nil {
			q := tuple.Restrict(s.cx.Pool, s.p.Types, c.rest, s.of)
			parts, kept = append(parts, q), kept && slices.Equal(q.Values, q.States)
		}
	}
	var shapes []*lift.Shape
	switch {
	case kept:
		same := &lift.Shape{Identity: []ir.Expr{}, Apply: func(x, _ []ir.Expr) []ir.Expr { return x }, Compose: func(a, _ []ir.Expr) []ir.Expr { return a }}
		shapes = slices.Repeat([]*lift.Shape{same}, len(parts))
	case len(parts) == 1:
		if op, inject := s.cx.Operator(parts[0], nil); op != nil && op.Side == proof.Two {
			shapes = []*lift.Shape{{Inject: inject, Identity: op.Identity, Apply: op.Apply, Compose: op.Apply}}
		}
	}
	if shapes == nil {
		shapes = sideBySide(s.cx.Within(s.of), parts, unbounded)
	}
	if len(shapes) == 0 || shapes[0].Identity == nil {
		return false
	}
	for i, c := range cuts {
		s.segment[i] = shapes[0]
		if c.rest != nil {
			s.segment[i], shapes = shapes[0], append(shapes[1:], shapes[0])
		}
	}
	return true
}

// fitTotals lifts the totals. It reports whether it could: all ends must do the same to them.
func (s *segments) fitTotals(cuts []cut, unbounded bool) bool {
	for _, i := range s.of {
		s.before = append(s.before, s.cx.Pool.Var(ir.Leaf, "segment", 1<<18+i, s.p.Types[i]))
	}
	s.passed = make([]ir.Expr, len(s.rest))
	var start []ir.Expr
	var rests [][]ir.Expr
	for _, c := range cuts {
		if c.start != nil && start != nil && !slices.Equal(c.start, start) {
			return false
		}
		if c.start != nil {
			start = c.start
		}
		if c.rest == nil {
			continue
		}
		rest := slices.Clone(c.rest)
		for k, i := range s.rest {
			if len(cuts) == 1 {
				rest[i], s.passed[k] = s.passing(rest[i], i)
			}
			s.conds = s.conditions(s.conds, rest[i])
		}
		rests = append(rests, rest)
	}
	if len(s.conds) > maxConditions || len(s.conds) > 0 && len(s.segment[0].Inject) > 0 {
		return false
	}
	parts := []*tuple.Part{s.total(start)}
	for _, rest := range rests {
		for outcome := range 1 << len(s.conds) {
			q := s.total(s.assuming(rest, outcome))
			if slices.ContainsFunc(ir.Vars(q.Values...), func(v ir.Expr) bool { return slices.Contains(s.before, v) }) {
				return false // a step that ends nothing reads the segment
			}
			parts = append(parts, q)
		}
	}
	shapes := s.folded(parts)
	if s.sums = shapes != nil && len(s.conds) == 0; shapes == nil {
		if slices.ContainsFunc(s.passed, ir.Expr.IsValid) {
			return false
		}
		shapes = sideBySide(s.cx.Within(s.rest), parts, unbounded)
	}
	if shapes == nil || shapes[0].Identity == nil {
		return false
	}
	s.totals, shapes = shapes[:1], shapes[1:]
	for _, c := range cuts {
		var early []*lift.Shape
		if c.rest != nil {
			early, shapes = shapes[:1<<len(s.conds)], shapes[1<<len(s.conds):]
		}
		s.early = append(s.early, early)
	}
	begins := tuple.Pick(start, s.of)
	for i, e := range s.totals[0].Inject {
		if i < len(s.passed) && s.passed[i].IsValid() {
			e = fold.Add(fold.Add(e, s.at(s.passed[i], s.before)), fold.Neg(s.at(s.passed[i], begins)))
		}
		s.ends = append(s.ends, e)
	}
	for _, v := range lift.Varying(s.ends) {
		if !slices.Contains(s.before, v) {
			s.reads = append(s.reads, v)
		}
	}
	return true
}

// maxConditions bounds the conditions on a segment whose outcomes are told apart.
const maxConditions = 2

// total is the totals as a part, with variables for the segment.
func (s *segments) total(values []ir.Expr) *tuple.Part {
	var states []ir.Expr
	for _, i := range s.of {
		states = append(states, s.p.States[i])
	}
	out := slices.Clone(values)
	for _, i := range s.rest {
		out[i] = ir.Subst(values[i], states, s.before)
	}
	return tuple.Restrict(s.cx.Pool, s.p.Types, out, s.rest)
}

// conditions adds what a value asks of the segment alone.
func (s *segments) conditions(out []ir.Expr, value ir.Expr) []ir.Expr {
	ir.Walk([]ir.Expr{value}, func(e ir.Expr) {
		if n := family.Normal(e); s.asks(e) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	})
	return out
}

func (s *segments) asks(e ir.Expr) bool {
	return e.Op().IsComparison() && e.States() != 0 && e.States()&^tuple.MaskOf(s.of) == 0 && len(lift.Varying([]ir.Expr{e})) == 0
}

// assuming returns values where the conditions have an outcome.
func (s *segments) assuming(values []ir.Expr, outcome int) []ir.Expr {
	out := s.cx.Pool.Map(values, func(e ir.Expr) ir.Expr {
		if !s.asks(e) {
			return ir.Expr{}
		}
		n := family.Normal(e)
		at := slices.Index(s.conds, n)
		if at < 0 { // the segment itself asks it
			return ir.Expr{}
		}
		holds := outcome>>at&1 != 0
		if op := e.Op(); op == ir.Ne || (op == ir.Ge || op == ir.Le) && n.Op() == ir.Lt {
			holds = !holds
		}
		return s.cx.Pool.Bool(holds)
	})
	for i, e := range out {
		out[i] = algebra.Settled(e)
	}
	return out
}

// passing takes the term off a sum that adds something when a count in a segment has reached a number, or as long as it is not below one. It returns
// the rest, and what the total has of a segment: once it is beyond that number, what is added, or as often as it is.
//
//	x1 + select(x0 == 2, 1, 0)   →   x1, select(x0 > 2, 1, 0)
//	x1 + select(x0 >= 2, 1, 0)   →   x1, max(x0 - 2, 0)
func (s *segments) passing(e ir.Expr, i int) (rest, once ir.Expr) {
	f, ok := s.fold(e, i)
	if !ok || f.Op != ir.Add || f.Leaf.Op() != ir.Select {
		return e, once
	}
	c, yes, no := f.Leaf.Arg(0), f.Leaf.Arg(1), f.Leaf.Arg(2)
	switch {
	case !c.Op().IsComparison() || c.States() == 0 || !c.Arg(0).Type().IsInt():
	case c.Op() == ir.Eq && c.Arg(1).IsInvariant() && yes.IsInvariant() && fold.IsNumber(no, 0):
		once = fold.Select(ir.LtOf(c.Arg(1), c.Arg(0)), yes, no)
	case fold.IsNumber(yes, 1) && fold.IsNumber(no, 0):
		once = s.above(c, e.Type())
	case fold.IsNumber(yes, 0) && fold.IsNumber(no, 1):
		once = s.above(fold.Not(c), e.Type())
	}
	if once.IsValid() {
		e = s.p.States[i]
	}
	return e, once
}

// above returns by how much a number is above what a condition says that it is not below; the zero Expr where the condition says no such thing.
func (s *segments) above(c ir.Expr, t ir.Type) (none ir.Expr) {
	if c.Op() == ir.Not {
		opposite := map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Le: ir.Gt, ir.Gt: ir.Le, ir.Ge: ir.Lt}[c.Arg(0).Op()]
		if opposite == 0 {
			return none
		}
		c = ir.Make(opposite, c.Arg(0).Arg(0), c.Arg(0).Arg(1))
	}
	x, least := c.Arg(0), c.Arg(1)
	if c.Op() == ir.Lt || c.Op() == ir.Le {
		x, least = least, x
	}
	if least.Op() != ir.Const || c.Op() == ir.Eq || c.Op() == ir.Ne {
		return none
	}
	over := ir.SubOf(x, least)
	if c.Op() == ir.Lt || c.Op() == ir.Gt {
		over = ir.SubOf(over, fold.Number(s.cx.Pool, x.Type(), 1))
	}
	return ir.CastTo(t, ir.MaxOf(poly.Normal(over, s.cx.Allowed), fold.Number(s.cx.Pool, x.Type(), 0)))
}

// fold reads a component as a fold of what may read the segment.
func (s *segments) fold(e ir.Expr, i int) (f folds.Part, ok bool) {
	states := tuple.Pick(s.p.States, s.of)
	f, ok = folds.Propose(ir.Subst(e, states, s.before), i)
	if ok && f.Op != ir.Const {
		f.Leaf = ir.Subst(f.Leaf, s.before, states)
	}
	return f, ok
}

// folded returns shapes of parts whose components are folds by operations that commute, with one cell each; nil where they are none.
func (s *segments) folded(parts []*tuple.Part) (out []*lift.Shape) {
	ops := make([]ir.Op, len(s.rest))
	for i, once := range s.passed {
		if once.IsValid() {
			ops[i] = ir.Add
		}
	}
	leaves := make([][]ir.Expr, len(parts))
	for n, q := range parts {
		for i, v := range q.Values {
			f, ok := folds.Propose(v, i)
			switch {
			case !ok || f.Op != ir.Const && ops[i] != 0 && ops[i] != f.Op:
				return nil
			case f.Op != ir.Const:
				ops[i] = f.Op
			}
			if f.Op == ir.Const {
				f.Leaf = ir.Expr{}
			}
			leaves[n] = append(leaves[n], f.Leaf)
		}
	}
	var identity []ir.Expr
	for i, op := range ops {
		switch op {
		case ir.Add, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor, ir.And, ir.Or:
		default:
			return nil
		}
		identity = append(identity, folds.Neutral(op, parts[0].States[i]))
	}
	join := func(a, b []ir.Expr) (out []ir.Expr) {
		for i, op := range ops {
			out = append(out, joined(op, a[i], b[i]))
		}
		return out
	}
	for _, list := range leaves {
		for i, e := range list {
			if !e.IsValid() {
				list[i] = identity[i]
			}
		}
		out = append(out, &lift.Shape{Inject: list, Identity: identity, Apply: join, Compose: join})
	}
	return out
}

func joined(op ir.Op, a, b ir.Expr) ir.Expr {
	switch op {
	case ir.Add:
		return fold.Add(a, b)
	case ir.And:
		return fold.And(a, b)
	case ir.Or:
		return fold.Or(a, b)
	}
	return ir.Make(op, a, b)
}

// slice is the cells of a slice by their roles.
type slice struct {
	ends    ir.Expr   // whether it ends a segment
	segment []ir.Expr // the steps before the first end, or all
	open    []ir.Expr // the segment behind the last end
	reads   []ir.Expr // the inputs that the first end reads
	early   [][]ir.Expr
	late    []ir.Expr // what steps do to totals before the first end, by outcomes, and behind it; of sums all of it is the one list of early
}

func (s *segments) pack(c slice) []ir.Expr {
	return slices.Concat([]ir.Expr{c.ends}, c.segment, c.open, c.reads, slices.Concat(c.early...), c.late)
}

func (s *segments) unpack(cells []ir.Expr) (c slice) {
	take := func(n int) (out []ir.Expr) {
		out, cells = cells[:n], cells[n:]
		return out
	}
	c.ends = take(1)[0]
	c.segment, c.open, c.reads = take(len(s.segment[0].Inject)), take(len(s.of)), take(len(s.reads))
	for range 1 << len(s.conds) {
		c.early = append(c.early, take(len(s.totals[0].Inject)))
	}
	c.late = cells
	return c
}

// shape returns the shape of a cut, the n-th.
func (s *segments) shape(n int, at cut) *lift.Shape {
	none := s.totals[0].Identity
	start := zeros(tuple.Pick(s.p.States, s.of))
	same := slice{ends: s.cx.Pool.Bool(false), segment: s.segment[n].Identity, open: start, reads: zeros(s.reads)}
	step := slice{ends: at.c, segment: algebra.Chosen(at.c, s.segment[n].Identity, s.segment[n].Inject), open: start, reads: s.reads}
	if at.start != nil {
		step.open = tuple.Pick(at.start, s.of)
	}
	for i := range 1 << len(s.conds) {
		early := none
		if at.rest != nil {
			early = algebra.Chosen(at.c, none, s.early[n][i].Inject)
		}
		step.early, same.early = append(step.early, early), append(same.early, none)
	}
	if !s.sums {
		step.late, same.late = none, none
	}
	return &lift.Shape{Name: "segments", Inject: s.pack(step), Identity: s.pack(same), Apply: s.apply, Compose: s.compose}
}

func zeros(es []ir.Expr) (out []ir.Expr) {
	for _, e := range es {
		out = append(out, e.Pool().Const(e.Type(), 0))
	}
	return out
}

// at returns a term over the segment at another segment.
func (s *segments) at(e ir.Expr, segment []ir.Expr) ir.Expr {
	return ir.Subst(e, tuple.Pick(s.p.States, s.of), segment)
}

// chosen returns the cells of the outcome that the conditions have at a segment.
func (s *segments) chosen(early [][]ir.Expr, segment []ir.Expr) []ir.Expr {
	var outcomes []ir.Expr
	for _, c := range s.conds {
		outcomes = append(outcomes, s.at(c, segment))
	}
	return algebra.ChooseCells(outcomes, early)
}

// closed returns what the end of a segment does to totals, given the inputs that it reads.
func (s *segments) closed(segment, reads []ir.Expr) (cells []ir.Expr) {
	for _, e := range s.ends {
		cells = append(cells, ir.Subst(ir.Subst(e, s.reads, reads), s.before, segment))
	}
	return cells
}

// counted adds to totals what they have of an open segment, or takes it off.
func (s *segments) counted(totals, segment []ir.Expr, sign func(ir.Expr) ir.Expr) []ir.Expr {
	out := slices.Clone(totals)
	for i, once := range s.passed {
		if once.IsValid() {
			out[i] = fold.Add(out[i], sign(s.at(once, segment)))
		}
	}
	return out
}

func (s *segments) apply(x, cells []ir.Expr) []ir.Expr {
	c, t := s.unpack(cells), s.totals[0]
	before := tuple.Pick(x, s.of)
	lead := s.segment[0].Apply(before, c.segment)
	open := t.Apply(s.counted(tuple.Pick(x, s.rest), before, fold.Neg), s.chosen(c.early, before))
	done := t.Apply(open, s.closed(lead, c.reads))
	if !s.sums {
		done = t.Apply(done, c.late)
	}
	segment := algebra.Chosen(c.ends, c.open, lead)
	totals := s.counted(algebra.Chosen(c.ends, done, open), segment, func(e ir.Expr) ir.Expr { return e })
	out := slices.Clone(x)
	for k, i := range s.of {
		out[i] = segment[k]
	}
	for k, i := range s.rest {
		out[i] = totals[k]
	}
	return out
}

func (s *segments) compose(f, g []ir.Expr) []ir.Expr {
	a, b, t := s.unpack(f), s.unpack(g), s.totals[0]
	lead := s.segment[0].Apply(a.open, b.segment)
	closed := s.closed(lead, b.reads)
	out := slice{ends: fold.Or(a.ends, b.ends), segment: algebra.Chosen(a.ends, a.segment, s.segment[0].Compose(a.segment, b.segment)),
		open: algebra.Chosen(b.ends, b.open, lead), reads: algebra.Chosen(a.ends, a.reads, b.reads)}
	if s.sums {
		all := t.Compose(a.early[0], b.early[0])
		out.early = [][]ir.Expr{algebra.Chosen(fold.And(a.ends, b.ends), t.Compose(all, closed), all)}
		return s.pack(out)
	}
	for i := range a.early {
		out.early = append(out.early, algebra.Chosen(a.ends, a.early[i], t.Compose(a.early[i], b.early[i])))
	}
	behind := t.Compose(a.late, s.chosen(b.early, a.open))
	out.late = algebra.Chosen(a.ends, algebra.Chosen(b.ends, t.Compose(t.Compose(behind, closed), b.late), behind), b.late)
	return s.pack(out)
}
