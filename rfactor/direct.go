package rfactor

import (
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// The update may be its own operator: leaves take the role of the second operand's
// components. Whole leaves are tried first (the product a·b of two inputs in x + a·b), then
// the inputs in them (z₀² + z₁² in the largest of |z|²), then each occurrence of a leaf
// apart.

// Bounds of what is tried for one part: its components, and the roles of its leaves.
const (
	maxDirect      = 9
	maxAssignments = 2000
)

func (m attempt) direct(p *tuple.Part) *Group {
	if len(p.Types) > maxDirect {
		return nil
	}
	if len(inputs(p.Values)) == 0 { // min(x*2, k): every step's operand is 2
		values := m.products(p.Values)
		units := literals(values)
		return m.assign(p, values, units, units)
	}
	for _, units := range [][]ir.Expr{wholeLeaves(p.Values), inputs(p.Values)} {
		if g := m.assign(p, p.Values, units, units); g != nil {
			return g
		}
		if len(units) < len(p.Types) && len(units) > 0 {
			values, places, leaves := m.apart(p.Values, units)
			if len(places) > len(units) && len(places) <= 2*len(p.Types) {
				if g := m.assign(p, values, places, leaves); g != nil {
					return g
				}
			}
		}
	}
	return m.listed(p)
}

// listed reads the update as a step of an operator of the table that has no identity to probe with.
// The second operand is made of leaves and of the numbers 0 and 1: a step that counts elements, say,
// or one that adds up weights relative to the largest.
func (m attempt) listed(p *tuple.Part) *Group {
	if len(p.Types) < 2 {
		return nil
	}
	defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
	var choices [][]ir.Expr
	for _, t := range p.Types {
		list := []ir.Expr{m.pool.Int(t, 0), m.pool.Int(t, 1)}
		for _, u := range slices.Concat(wholeLeaves(p.Values), inputs(p.Values)) {
			if u.Type() == t && !slices.Contains(list, u) {
				list = append(list, u)
			}
		}
		choices = append(choices, list)
	}
	m.sample.Evaluate(p, m.nonNeg, m.allowed)
	m.sample.Restrict(slices.Concat(m.state, m.inputs))
	for _, e := range m.probeTable(p).without {
		if hasParam(e.Exprs) || m.over() {
			continue
		}
		exprs := m.pool.Import(e.Exprs...)
		tape := m.workspace.Registers.NewTape(exprs...)
		for n := range maxOperands {
			m.consider(2)
			inject, ok := operandOf(choices, n)
			if !ok {
				break
			}
			if !m.sample.Agrees(tape, inject) {
				continue
			}
			if g := m.confirmEntry(p, "direct:", e, exprs, inject); g != nil {
				return g
			}
		}
	}
	return nil
}

// maxOperands bounds the operands that are tried with each operator.
const maxOperands = 64

// operandOf returns the n-th tuple of choices; not ok where there are no more than n.
func operandOf(choices [][]ir.Expr, n int) (operand []ir.Expr, ok bool) {
	for _, list := range choices {
		operand = append(operand, list[n%len(list)])
		n /= len(list)
	}
	return operand, n == 0
}

// wholeLeaves lists the largest subterms that mention no state and change from step to step.
func wholeLeaves(values []ir.Expr) []ir.Expr {
	return slices.DeleteFunc(tuple.MaximalLeaves(values), ir.Expr.IsInvariant)
}

// inputs lists the variables that change from step to step.
func inputs(values []ir.Expr) (out []ir.Expr) {
	for _, v := range ir.Vars(values...) {
		if v.Kind() == ir.Leaf || v.Kind() == ir.Coord {
			out = append(out, v)
		}
	}
	slices.SortStableFunc(out, func(a, b ir.Expr) int {
		if a.Kind() != b.Kind() {
			return int(a.Kind()) - int(b.Kind())
		}
		return a.Index() - b.Index()
	})
	return out
}

// products writes shifts by literals as products.
func (m attempt) products(values []ir.Expr) []ir.Expr {
	return m.pool.Map(values, func(e ir.Expr) ir.Expr {
		if t := e.Type(); e.Op() == ir.Shl && e.Arg(1).Op() == ir.Const && e.Arg(1).Value() < uint64(t.Bits()) {
			return ir.MulOf(e.Arg(0), m.pool.Const(t, 1<<e.Arg(1).Value()))
		}
		return ir.Expr{}
	})
}

// literals lists the numbers other than 0 and 1 in values.
func literals(values []ir.Expr) (out []ir.Expr) {
	ir.Walk(values, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type() != ir.Bool && !e.IsConst(0) && e != e.Pool().Int(e.Type(), 1) {
			out = append(out, e)
		}
	})
	return out
}

// apart gives each occurrence of a unit a variable of its own, a place. It returns the values over
// places, the places, and the unit at each place.
func (m attempt) apart(values, units []ir.Expr) (out, places, leaves []ir.Expr) {
	const first = 1 << 16 // numbers that no other leaf has
	var visit func(ir.Expr) ir.Expr
	visit = func(e ir.Expr) ir.Expr {
		if slices.Contains(units, e) {
			v := m.pool.Var(ir.Leaf, "place", first+len(places), e.Type())
			places, leaves = append(places, v), append(leaves, e)
			return v
		}
		if len(places) > 2*len(values) {
			return e
		}
		args := make([]ir.Expr, e.NumArgs())
		for i := range args {
			args[i] = visit(e.Arg(i))
		}
		return ir.Rebuild(e, args)
	}
	for _, v := range values {
		out = append(out, visit(v))
	}
	return out, places, leaves
}

// assign tries roles for the units of values: unit u stands for the leaf leaves[u].
// Different leaves have different roles, and one leaf may have several.
func (m attempt) assign(p *tuple.Part, values, units, leaves []ir.Expr) *Group {
	if len(units) == 0 && len(p.Types) > 0 {
		return nil
	}
	defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
	w := m.assignment(p, values, units, leaves)
	if len(units) > maxUnguided {
		if g := w.atIdentity(); g != nil {
			return g
		}
	}
	return w.try(0)
}

// maxUnguided is the number of units up to which all assignments of roles are tried.
const maxUnguided = 6

// atIdentity reads the roles off what a step makes of a state of zeros and ones: of the identity of a
// product of matrices it makes the second operand.
func (w *assignment) atIdentity() *Group {
	if len(w.units) != len(w.p.Types) {
		return nil
	}
	rows := func(v int64) (out []*sample.Row) {
		for _, t := range w.p.Types {
			out = append(out, w.sample.Value(fold.Number(w.m.pool, t, v)))
		}
		return out
	}
	if slices.Contains(w.p.Types, ir.Bool) {
		return nil
	}
	zeros, ones := rows(0), rows(1)
	var units []*sample.Row
	for _, v := range w.places {
		units = append(units, w.sample.Value(v))
	}
	start := sample.Instead{Vars: w.p.States, Rows: slices.Clone(zeros)}
	for _, inOrder := range []bool{true, false} { // of many such states first the one that gives leaves the roles of their names
		for e := range 1 << len(zeros) {
			for i := range zeros {
				if start.Rows[i] = zeros[i]; e>>i&1 != 0 {
					start.Rows[i] = ones[i]
				}
			}
			made := w.sample.Tape.Run(w.sample.Inputs(&w.sample.Tape, &start))
			if !w.rolesFrom(made, units) || inOrder != w.rolesInOrder() || !w.associativeAtPoints() {
				continue
			}
			if g := w.confirm(); g != nil {
				return g
			}
		}
	}
	return nil
}

// rolesInOrder reports whether each leaf that is a variable has the role of its number.
func (w *assignment) rolesInOrder() bool {
	for u, l := range w.leaves {
		if l.Op() == ir.Var && l.Kind() == ir.Leaf && l.Index() != w.role[u] {
			return false
		}
	}
	return true
}

// rolesFrom gives each unit the role of the component that has its values; false where there is none.
func (w *assignment) rolesFrom(components, units []*sample.Row) bool {
	for u, row := range units {
		w.role[u] = slices.IndexFunc(components, func(c *sample.Row) bool { return *c == *row })
		if w.role[u] < 0 || w.p.Types[w.role[u]] != w.units[u].Type() || slices.Contains(w.role[:u], w.role[u]) {
			return false
		}
	}
	return true
}

func (m attempt) assignment(p *tuple.Part, values, units, leaves []ir.Expr) *assignment {
	w := &assignment{m: m, sample: m.assigned, p: p, values: values, units: units, leaves: leaves, left: maxAssignments}
	w.role = make([]int, len(units))
	w.owner = make([]ir.Expr, len(p.Types))
	const first = 1 << 17 // numbers that no other leaf has
	for i, u := range units {
		w.places = append(w.places, m.pool.Var(ir.Leaf, "unit", first+i, u.Type()))
	}
	w.sample.Evaluate(&tuple.Part{Types: p.Types, States: p.States, Values: w.replaceUnits(w.places)}, m.nonNeg, m.allowed)
	w.triples()
	return w
}

// assignments counts the assignments of roles to the leaves of the whole update. It reports whether
// all of them are refuted by values.
func (m attempt) assignments() (tried int, all bool) {
	p := m.restrict(tuple.Indices(len(m.answer.Types)))
	read := inputs(p.Values)
	if len(p.Types) > maxDirect || len(read) == 0 {
		return 0, false
	}
	m.state, m.inputs = restrictGiven(m.pool, m.promised, p.Set)
	survey := func(values, units, leaves []ir.Expr) bool {
		defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
		w := m.assignment(p, values, units, leaves)
		w.survey = true
		w.try(0)
		tried += w.tried
		return !w.open
	}
	for i, units := range [][]ir.Expr{wholeLeaves(p.Values), read} {
		if i > 0 && slices.Equal(units, wholeLeaves(p.Values)) {
			break // as many leaves as inputs: they are the same
		}
		if !survey(p.Values, units, units) {
			return tried, false
		}
		if len(units) < len(p.Types) {
			values, places, leaves := m.apart(p.Values, units)
			if len(places) > 2*len(p.Types) || len(places) > len(units) && !survey(values, places, leaves) {
				return tried, false
			}
		}
	}
	return tried, true
}

// assignment searches roles depth first.
type assignment struct {
	m      attempt
	p      *tuple.Part
	values []ir.Expr
	units  []ir.Expr
	leaves []ir.Expr
	places []ir.Expr // variables that stand for the units in the sample
	survey bool      // count assignments that points refute, and prove nothing
	tried  int       // of a survey
	open   bool      // in a survey: points did not refute an assignment, or not all were tried
	role   []int     // of each unit
	owner  []ir.Expr // the leaf that has a role, or the zero Expr
	left   int
	sample *sample.Sample // over the places

	x, y, z []*sample.Row // operands at the points
	valid   uint64
	slots   []slot           // of the tape's inputs
	results [3][]*sample.Row // of an inner ⊕ and of the two sides
}

func (w *assignment) try(u int) *Group {
	w.m.consider(2)
	if u == len(w.units) {
		w.left--
		w.tried++
		if !w.associativeAtPoints() {
			return nil
		}
		if w.survey {
			w.open = true
			return nil
		}
		g := w.confirm()
		w.m.unproven = w.m.unproven || g == nil
		return g
	}
	if !w.enoughRoles(u) {
		return nil
	}
	for r, t := range w.p.Types {
		if w.left <= 0 || w.m.over() {
			w.open = true
			return nil
		}
		if t != w.units[u].Type() || w.owner[r].IsValid() && w.owner[r] != w.leaves[u] {
			continue
		}
		before := w.owner[r]
		w.role[u], w.owner[r] = r, w.leaves[u]
		if g := w.try(u + 1); g != nil {
			return g
		}
		w.owner[r] = before
	}
	return nil
}

// enoughRoles reports whether the leaves of the units from u on that have no role yet can each get
// one of their own. Without it the search visits every way to fill roles that leave none for the rest.
func (w *assignment) enoughRoles(u int) bool {
	var spare [ir.NumTypes]int
	for r, t := range w.p.Types {
		if !w.owner[r].IsValid() {
			spare[t]++
		}
	}
	for i, l := range w.leaves[u:] {
		if slices.Contains(w.leaves[u:u+i], l) || slices.Contains(w.owner, l) {
			continue
		}
		t := w.units[u+i].Type()
		if spare[t]--; spare[t] < 0 {
			return false
		}
	}
	return true
}

// associativeAtPoints evaluates (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) at the sample's points; most
// assignments are refuted at the first of them.
func (w *assignment) associativeAtPoints() bool {
	return w.associativeAt(tape.Few) && w.associativeAt(tape.Lanes)
}

func (w *assignment) associativeAt(lanes int) bool {
	valid := w.valid & (1<<lanes - 1)
	apply := func(into int, a, b []*sample.Row) []*sample.Row {
		out := w.results[into]
		for i, r := range w.sample.Tape.RunFirst(w.inputs(a, b), lanes) {
			copy(out[i][:lanes], r[:lanes])
		}
		valid &^= w.sample.Tape.Overflowed(w.sample.Allowed) | w.sample.Tape.Poisoned(w.sample.Allowed)
		return out
	}
	left := apply(1, apply(0, w.x, w.y), w.z)
	right := apply(2, w.x, apply(0, w.y, w.z))
	if valid == 0 {
		return lanes < tape.Lanes || w.survey
	}
	for i, t := range w.p.Types {
		for lane := range lanes {
			a, b := left[i][lane], right[i][lane]
			if valid>>lane&1 != 0 && a != b && !testpoint.Close(t, w.sample.Allowed, a, b) {
				return false
			}
		}
	}
	return true
}

// triples fills in the rows of x, y and z, which are the rows of the states in other orders, and the
// points at which the given conditions hold of all three.
func (w *assignment) triples() {
	n := len(w.p.Types)
	w.x = w.sample.States
	for i := range n {
		y, z := w.m.workspace.Rows.Take(), w.m.workspace.Rows.Take()
		for lane := range tape.Lanes {
			y[lane] = w.x[i][(lane*5+8)%tape.Lanes]
			z[lane] = w.x[i][(lane*11+20)%tape.Lanes]
		}
		w.y, w.z = append(w.y, y), append(w.z, z)
		for into := range w.results {
			w.results[into] = append(w.results[into], w.m.workspace.Rows.Take())
		}
	}
	w.valid = ^uint64(0)
	for _, c := range w.m.state {
		tape := w.m.workspace.Registers.NewTape(c)
		for _, operand := range [3][]*sample.Row{w.x, w.y, w.z} {
			w.valid &= sample.Truths(w.sample.Run(tape, &sample.Instead{Vars: w.p.States, Rows: operand})[0])
		}
	}
	for _, v := range w.sample.Tape.Inputs {
		w.slots = append(w.slots, slot{slices.Index(w.p.States, v), slices.Index(w.places, v)})
	}
}

// slot says which input of the sample's tape is meant: a state, a place, or neither.
type slot struct{ state, place int }

// inputs returns the rows of the tape's inputs for a ⊕ b. They hold until the next call.
func (w *assignment) inputs(a, b []*sample.Row) []*sample.Row {
	in := w.sample.Inputs(&w.sample.Tape, nil)
	for i, s := range w.slots {
		switch {
		case s.state >= 0:
			in[i] = a[s.state]
		case s.place >= 0:
			in[i] = b[w.role[s.place]]
		}
	}
	return in
}

// replaceUnits returns the values with expressions in place of the units.
func (w *assignment) replaceUnits(by []ir.Expr) []ir.Expr {
	return w.m.pool.Map(w.values, func(e ir.Expr) ir.Expr {
		if i := slices.Index(w.units, e); i >= 0 {
			return by[i]
		}
		return ir.Expr{}
	})
}

func (w *assignment) confirm() *Group {
	by := make([]ir.Expr, len(w.units))
	inject := make([]ir.Expr, len(w.p.Types))
	for i, t := range w.p.Types {
		inject[i] = w.m.pool.Const(t, 0)
	}
	for u := range w.units {
		r := w.role[u]
		by[u] = w.m.pool.Y(r, w.p.Types[r])
		inject[r] = w.leaves[u]
	}
	exprs := w.replaceUnits(by)
	for _, v := range ir.Vars(exprs...) {
		if v.Kind() == ir.Leaf && !slices.Contains(by, v) || v.Kind() == ir.Coord {
			return nil // a leaf was left over; one that is named as an operand may have another type
		}
	}
	tidy := make([]ir.Expr, len(exprs))
	for i, e := range exprs {
		tidy[i] = canon.Tidy(canon.Greedy(e, w.m.allowed&^(ir.NSW|ir.NUW)))
	}
	if least := absorbed(tidy); !slices.Equal(least, tidy) {
		if g := w.confirmAs(least, inject); g != nil {
			return g
		}
	}
	if g := w.confirmAs(tidy, inject); g != nil {
		return g
	}
	if !slices.Equal(tidy, exprs) {
		if g := w.confirmAs(exprs, inject); g != nil {
			return g
		}
	}
	return w.confirmListed(inject)
}

// confirmListed proves that the step equals an operator of the table that has no identity, or an
// infinite one, and so cannot be probed for. It serves where no proof is found that the step as it
// is written is associative.
func (w *assignment) confirmListed(inject []ir.Expr) *Group {
	table := w.m.probeTable(w.p)
	entries := table.without
	for _, e := range table.entries {
		if slices.ContainsFunc(e.identity, isInfinite) {
			entries = append(slices.Clip(entries), e.Entry)
		}
	}
	for _, e := range entries {
		if w.m.over() || hasParam(e.Exprs) {
			continue
		}
		if g := w.m.confirmEntry(w.p, "direct:", e, w.m.pool.Import(e.Exprs...), inject); g != nil {
			return g
		}
	}
	return nil
}

// AsWritten returns the operator as the update itself writes it, for answers by the matcher "direct"
// that name an operator of the table and inject inputs as they are; not ok for other answers. Code
// that runs should use it: log(exp(x) + exp(y)) overflows where x + log(1 + exp(y - x)) does not. It
// has no identity.
func (a *Answer) AsWritten() (exprs []ir.Expr, ok bool) {
	if len(a.Groups) != 1 || !strings.HasPrefix(a.Groups[0].Via, "direct:") || len(a.Given) > 0 {
		return nil, false
	}
	_, y := a.Pool().Operands(a.Types)
	exprs = a.Pool().Map(a.Update, func(e ir.Expr) ir.Expr {
		if i := slices.Index(a.Inject, e); i >= 0 {
			return y[i]
		}
		return ir.Expr{}
	})
	for i, e := range a.Inject {
		if e.Op() != ir.Var || e.Kind() != ir.Leaf || slices.Index(a.Inject, e) != i {
			return nil, false
		}
	}
	return exprs, len(inputs(a.Update)) == len(a.Inject)
}

func isInfinite(e ir.Expr) bool {
	return e.Op() == ir.Const && e.Type().IsFloat() && math.IsInf(ir.Float(e.Type(), e.Value()), 0)
}

func (w *assignment) confirmAs(exprs, inject []ir.Expr) *Group {
	return w.m.confirm(w.p, "direct", exprs, inject, func(t attempt) *prove.Proven { return t.laws(w.p, exprs, t.allowed) })
}
