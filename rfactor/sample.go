package rfactor

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// row holds one quantity at all points of a sample. Rows are shared, and never written to
// once they are made.
type row = [tape.Lanes]uint64

// newSample returns a sample that computes in a workspace.
func newSample(w *workspace) *sample { return &sample{workspace: w} }

// sample is a part of an update evaluated at fixed points: what refutes nearly every
// candidate before anything is proven.
type sample struct {
	workspace *workspace
	allowed   ir.Assume
	tape      tape.Tape // of the values
	vars      []ir.Expr // what has a row
	rows      []*row    // of each of vars
	states    []*row
	want      []*row // the values at the points
	valid     uint64 // the points at which nothing overflows that must not
	telling   uint64 // those of them at which the update changes the state, where there are any
	in        []*row // of the last run

	known [ir.NumTypes][]*row // the first rows of each type …
	kept  ir.Assume           // … under these assumptions
}

// evaluate draws the points for a part and evaluates it there.
func (s *sample) evaluate(p *tuple.Part, nonNeg []ir.Expr, allowed ir.Assume) {
	s.draw(p, nonNeg, allowed)
	s.want = s.run(&s.tape, nil)
	s.valid = ^s.tape.Overflowed(allowed)
}

// draw chooses the points for a part.
func (s *sample) draw(p *tuple.Part, nonNeg []ir.Expr, allowed ir.Assume) {
	s.allowed = allowed
	s.tape.Compile(p.Values...)
	s.vars, s.rows = s.vars[:0], s.rows[:0]
	for _, v := range p.States {
		s.drawVar(v, nonNeg)
	}
	s.states = append(s.states[:0], s.rows...)
	for _, v := range s.tape.Inputs {
		s.drawVar(v, nonNeg)
	}
}

func (s *sample) drawVar(v ir.Expr, nonNeg []ir.Expr) {
	if slices.Contains(s.vars, v) {
		return
	}
	r := s.shared(v.Type(), len(s.vars))
	if slices.Contains(nonNeg, v) {
		positive := s.workspace.rows.take()
		for lane := range positive {
			positive[lane] = r[lane] & v.Type().Max()
		}
		r = positive
	}
	s.vars, s.rows = append(s.vars, v), append(s.rows, r)
}

// shared is the i-th row of values of a type, which the sample remembers.
func (s *sample) shared(t ir.Type, i int) *row {
	if s.kept != s.allowed {
		s.known, s.kept = [ir.NumTypes][]*row{}, s.allowed
	}
	for len(s.known[t]) <= i {
		s.known[t] = append(s.known[t], nil)
	}
	if s.known[t][i] == nil {
		s.known[t][i] = prove.Row(t, s.allowed, i)
	}
	return s.known[t][i]
}

// instead says that variables have other rows than the sample's.
type instead struct {
	vars []ir.Expr
	rows []*row
}

// inputs are the rows of a tape's inputs: those of the sample, except where by has another.
// They hold until the next call.
func (s *sample) inputs(code *tape.Tape, by *instead) []*row {
	s.in = s.in[:0]
	for _, v := range code.Inputs {
		if by != nil {
			if i := slices.Index(by.vars, v); i >= 0 {
				s.in = append(s.in, by.rows[i])
				continue
			}
		}
		r := &noRow
		if i := slices.Index(s.vars, v); i >= 0 {
			r = s.rows[i]
		}
		s.in = append(s.in, r)
	}
	return s.in
}

// noRow is that of a variable that the part does not have.
var noRow row

// run evaluates a tape at the rows that inputs gives. The results are copies.
func (s *sample) run(code *tape.Tape, by *instead) []*row {
	return s.workspace.rows.copied(code.Run(s.inputs(code, by)), tape.Lanes)
}

// value evaluates one expression over the sample's inputs.
func (s *sample) value(e ir.Expr) *row {
	if e.Op() == ir.Const {
		r := s.workspace.rows.take()
		for lane := range r {
			r[lane] = e.Value()
		}
		return r
	}
	return s.run(s.workspace.registers.NewTape(e), nil)[0]
}

// agrees reports whether an operator, given as a tape, with a second operand over the sample's
// variables gives the values of the part wherever they can be told.
func (s *sample) agrees(op *tape.Tape, operand []ir.Expr) bool {
	var in []*row
	for _, v := range op.Inputs {
		if v.Kind() == ir.State {
			in = append(in, s.states[v.Index()])
		} else {
			in = append(in, s.value(operand[v.Index()]))
		}
	}
	var types []ir.Type
	for _, e := range operand {
		types = append(types, e.Type())
	}
	out := op.Run(in)
	wrong, vague := s.differ(types, s.want, out)
	valid := s.valid &^ op.Overflowed(s.allowed)
	return wrong&valid == 0 && valid&^vague != 0
}

// changes reports whether a part that the points were drawn for computes something else
// than its states at one of the first of them.
func (s *sample) changes(p *tuple.Part) bool {
	var wrong uint64
	for i, r := range s.tape.RunFirst(s.inputs(&s.tape, nil), tape.Few) {
		for lane := range tape.Few {
			if a, b := r[lane], s.states[i][lane]; a != b && !prove.Close(p.Types[i], s.allowed, a, b) {
				wrong |= 1 << lane
			}
		}
	}
	for _, over := range s.tape.OverflowedEach(s.allowed) {
		wrong &^= over
	}
	return wrong != 0
}

// tellingFirst finds the points at which the update is valid and changes the state, and puts
// some of each style first. Where it changes nothing, x ⊕ e is right for any operator with identity e.
func (s *sample) tellingFirst() {
	s.telling = s.valid
	for lane := range tape.Lanes {
		if !slices.ContainsFunc(tuple.Indices(len(s.want)), func(i int) bool { return s.want[i][lane] != s.states[i][lane] }) {
			s.telling &^= 1 << lane
		}
	}
	if s.telling == 0 {
		s.telling = s.valid
	}
	var first []int
	for rest := s.telling; rest != 0; {
		for _, style := range [...]int{1, 0, 3, 2} { // small numbers, ties, and large ones: see prove.Draw
			if some := rest & (0x1111_1111_1111_1111 << style); some != 0 && len(first) < tape.Few {
				first = append(first, bits.TrailingZeros64(some))
				rest &^= some & -some
			}
		}
		if len(first) == tape.Few {
			break
		}
	}
	slices.Sort(first)
	for _, rs := range [][]*row{s.rows, s.want} {
		for i, r := range rs {
			moved := s.workspace.rows.take()
			*moved = *r
			for to, from := range first {
				moved[to], moved[from] = moved[from], moved[to]
			}
			rs[i] = moved
		}
	}
	copy(s.states, s.rows)
	for to, from := range first {
		s.valid = swapBits(s.valid, to, from)
		s.telling = swapBits(s.telling, to, from)
	}
}

func swapBits(mask uint64, i, j int) uint64 {
	if mask>>i&1 != mask>>j&1 {
		mask ^= 1<<i | 1<<j
	}
	return mask
}

// differ is the mask of the lanes in which two tuples of rows have different values, as
// far as the assumptions tell values apart; and of those in which they only cannot be told apart,
// since they hold an infinity or NaN.
func (s *sample) differ(types []ir.Type, a, b []*row) (mask, vague uint64) {
	for i, t := range types {
		x, y := a[i], b[i]
		for lane := range x {
			switch {
			case x[lane] == y[lane]:
			case !prove.Close(t, s.allowed, x[lane], y[lane]):
				mask |= 1 << lane
			case !isFinite(t, x[lane]) || !isFinite(t, y[lane]):
				vague |= 1 << lane
			}
		}
	}
	return mask, vague
}

func isFinite(t ir.Type, v uint64) bool {
	f := ir.Float(t, v)
	return f-f == 0
}

// restrict keeps the points of a sample at which conditions hold.
func (s *sample) restrict(conditions []ir.Expr) {
	s.valid &= s.holding(conditions)
}

// holding is the mask of the points at which conditions hold.
func (s *sample) holding(conditions []ir.Expr) uint64 {
	mask := ^uint64(0)
	for _, c := range conditions {
		mask &= truths(s.value(c))
	}
	return mask
}

// truths is the mask of the points at which a condition, given as a row, holds.
func truths(r *row) (mask uint64) {
	for lane, v := range r {
		if v != 0 {
			mask |= 1 << lane
		}
	}
	return mask
}
