// Package sample evaluates parts of updates at fixed points, which refute nearly every candidate
// before anything is proven.
package sample

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Row holds one quantity at all points of a sample. Rows are shared, and never written to
// once they are made.
type Row = [tape.Lanes]uint64

// New returns a sample that computes in a workspace.
func New(w *Workspace) *Sample { return &Sample{workspace: w} }

// Sample is a part of an update evaluated at fixed points: what refutes nearly every
// candidate before anything is proven.
type Sample struct {
	workspace *Workspace
	Allowed   ir.Assume
	Tape      tape.Tape // of the values
	vars      []ir.Expr // what has a row
	rows      []*Row    // of each of vars
	States    []*Row
	Want      []*Row // the values at the points
	Valid     uint64 // the points at which nothing overflows that must not
	Telling   uint64 // those of them at which the update changes the state, where there are any
	in        []*Row // of the last run
	targets   []target

	known [ir.NumTypes][]*Row // the first rows of each type …
	kept  ir.Assume           // … under these assumptions
}

// Evaluate draws the points for a part and evaluates it there.
func (s *Sample) Evaluate(p *tuple.Part, nonNeg []ir.Expr, allowed ir.Assume) {
	s.Draw(p, nonNeg, allowed)
	s.Want = s.Run(&s.Tape, nil)
	s.Valid = ^s.Tape.Overflowed(allowed)
}

// Draw chooses the points for a part.
func (s *Sample) Draw(p *tuple.Part, nonNeg []ir.Expr, allowed ir.Assume) {
	s.Allowed = allowed
	s.Tape.Compile(p.Values...)
	s.vars, s.rows = s.vars[:0], s.rows[:0]
	for _, v := range p.States {
		s.drawVar(v, nonNeg)
	}
	s.States = append(s.States[:0], s.rows...)
	for _, v := range s.Tape.Inputs {
		s.drawVar(v, nonNeg)
	}
	s.aim(p.Values, nonNeg)
	copy(s.States, s.rows)
}

func (s *Sample) drawVar(v ir.Expr, nonNeg []ir.Expr) {
	if slices.Contains(s.vars, v) {
		return
	}
	r := s.shared(v.Type(), len(s.vars))
	if slices.Contains(nonNeg, v) {
		positive := s.workspace.Rows.Take()
		for lane := range positive {
			positive[lane] = r[lane] & v.Type().Max()
		}
		r = positive
	}
	s.vars, s.rows = append(s.vars, v), append(s.rows, r)
}

// shared returns the i-th row of values of a type. A row is drawn once and kept by the sample.
func (s *Sample) shared(t ir.Type, i int) *Row {
	if s.kept != s.Allowed {
		s.known, s.kept = [ir.NumTypes][]*Row{}, s.Allowed
	}
	for len(s.known[t]) <= i {
		s.known[t] = append(s.known[t], nil)
	}
	if s.known[t][i] == nil {
		s.known[t][i] = testpoint.Row(t, s.Allowed, i)
	}
	return s.known[t][i]
}

// Instead replaces the rows of some variables of a sample in one run.
type Instead struct {
	Vars []ir.Expr
	Rows []*Row
}

// Inputs are the rows of a tape's inputs: those of the sample, except where by has another.
// They hold until the next call.
func (s *Sample) Inputs(code *tape.Tape, by *Instead) []*Row {
	s.in = s.in[:0]
	for _, v := range code.Inputs {
		if by != nil {
			if i := slices.Index(by.Vars, v); i >= 0 {
				s.in = append(s.in, by.Rows[i])
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
var noRow Row

// Run evaluates a tape at the rows that inputs gives. The results are copies.
func (s *Sample) Run(code *tape.Tape, by *Instead) []*Row {
	return s.workspace.Rows.Copied(code.Run(s.Inputs(code, by)), tape.Lanes)
}

// Value evaluates one expression over the sample's inputs.
func (s *Sample) Value(e ir.Expr) *Row {
	if e.Op() == ir.Const {
		r := s.workspace.Rows.Take()
		for lane := range r {
			r[lane] = e.Value()
		}
		return r
	}
	return s.Run(s.workspace.Registers.NewTape(e), nil)[0]
}

// Agrees reports whether x ⊕ operand has the values of the part at all points where values can be compared. The operator is given
// as a tape, the operand as terms over the sample's variables.
func (s *Sample) Agrees(op *tape.Tape, operand []ir.Expr) bool {
	var in []*Row
	for _, v := range op.Inputs {
		if v.Kind() == ir.State {
			in = append(in, s.States[v.Index()])
		} else {
			in = append(in, s.Value(operand[v.Index()]))
		}
	}
	var types []ir.Type
	for _, e := range operand {
		types = append(types, e.Type())
	}
	out := op.Run(in)
	wrong, vague := s.Differ(types, s.Want, out)
	valid := s.Valid &^ op.Overflowed(s.Allowed)
	return wrong&valid == 0 && valid&^vague != 0
}

// Changes reports whether a part that the points were drawn for computes something else
// than its states at one of the first of them.
func (s *Sample) Changes(p *tuple.Part) bool {
	var wrong uint64
	for i, r := range s.Tape.RunFirst(s.Inputs(&s.Tape, nil), tape.Few) {
		for lane := range tape.Few {
			if a, b := r[lane], s.States[i][lane]; a != b && !testpoint.Close(p.Types[i], s.Allowed, a, b) {
				wrong |= 1 << lane
			}
		}
	}
	for _, over := range s.Tape.OverflowedEach(s.Allowed) {
		wrong &^= over
	}
	return wrong != 0
}

// TellingFirst finds the points at which the update is valid and changes the state, and puts
// some of each style first. Where it changes nothing, x ⊕ e is right for any operator with identity e.
func (s *Sample) TellingFirst() {
	s.Telling = s.Valid
	for lane := range tape.Lanes {
		if !slices.ContainsFunc(tuple.Indices(len(s.Want)), func(i int) bool { return s.Want[i][lane] != s.States[i][lane] }) {
			s.Telling &^= 1 << lane
		}
	}
	if s.Telling == 0 {
		s.Telling = s.Valid
	}
	var first []int
	for rest := s.Telling; rest != 0; {
		for _, style := range [...]int{1, 0, 3, 2} { // small numbers, ties, and large ones: see testpoint.Draw
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
	for _, rs := range [][]*Row{s.rows, s.Want} {
		for i, r := range rs {
			moved := s.workspace.Rows.Take()
			*moved = *r
			for to, from := range first {
				moved[to], moved[from] = moved[from], moved[to]
			}
			rs[i] = moved
		}
	}
	copy(s.States, s.rows)
	for to, from := range first {
		s.Valid = swapBits(s.Valid, to, from)
		s.Telling = swapBits(s.Telling, to, from)
	}
}

func swapBits(mask uint64, i, j int) uint64 {
	if mask>>i&1 != mask>>j&1 {
		mask ^= 1<<i | 1<<j
	}
	return mask
}

// Differ returns two masks of lanes: those in which two tuples of rows have different values under the assumptions, and the vague
// ones, in which an infinity or NaN prevents the comparison.
func (s *Sample) Differ(types []ir.Type, a, b []*Row) (mask, vague uint64) {
	for i, t := range types {
		x, y := a[i], b[i]
		for lane := range x {
			switch {
			case x[lane] == y[lane]:
			case !testpoint.Close(t, s.Allowed, x[lane], y[lane]):
				mask |= 1 << lane
			case !IsFinite(t, x[lane]) || !IsFinite(t, y[lane]):
				vague |= 1 << lane
			}
		}
	}
	return mask, vague
}

func IsFinite(t ir.Type, v uint64) bool {
	f := ir.Float(t, v)
	return f-f == 0
}

// Restrict keeps the points of a sample at which conditions hold.
func (s *Sample) Restrict(conditions []ir.Expr) {
	s.Valid &= s.Holding(conditions)
}

// Holding is the mask of the points at which conditions hold.
func (s *Sample) Holding(conditions []ir.Expr) uint64 {
	mask := ^uint64(0)
	for _, c := range conditions {
		mask &= Truths(s.Value(c))
	}
	return mask
}

// Truths is the mask of the points at which a condition, given as a row, holds.
func Truths(r *Row) (mask uint64) {
	for lane, v := range r {
		if v != 0 {
			mask |= 1 << lane
		}
	}
	return mask
}

// Drawn returns the i-th row of values of a type, which are drawn as those of a variable are. It must
// not be written to.
func (s *Sample) Drawn(t ir.Type, i int) *Row { return s.shared(t, i) }
