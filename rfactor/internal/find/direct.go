package find

import (
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
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
	MaxDirect      = 9
	maxAssignments = 2000
)

// Direct proposes the part itself as its operator, for each assignment of roles that points do not refute, and then the operators of the
// table without an identity that agree with the part.
func (cx *Context) Direct(p *tuple.Part) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if len(p.Types) <= MaxDirect && cx.direct(p, yield) && len(tuple.Inputs(p.Values)) > 0 {
			cx.listed(p, yield)
		}
	}
}

// direct assigns roles to whole leaves, to inputs, and to their occurrences. It reports whether the caller wants more.
func (cx *Context) direct(p *tuple.Part, yield func(Candidate) bool) (more bool) {
	if len(tuple.Inputs(p.Values)) == 0 { // min(x*2, k): every step's operand is 2
		values := products(cx.Pool, p.Values)
		units := literals(values)
		return cx.assign(p, values, units, units, yield)
	}
	for _, units := range [][]ir.Expr{tuple.WholeLeaves(p.Values), tuple.Inputs(p.Values)} {
		if !cx.assign(p, p.Values, units, units, yield) {
			return false
		}
		if len(units) < len(p.Types) && len(units) > 0 {
			values, places, leaves := cx.apart(p.Values, units)
			if len(places) > len(units) && len(places) <= 2*len(p.Types) && !cx.assign(p, values, places, leaves, yield) {
				return false
			}
		}
	}
	return true
}

// listed reads the update as a step of an operator of the table that has no identity to probe with.
// The second operand is made of leaves and of the numbers 0 and 1: a step that counts elements, say,
// or one that adds up weights relative to the largest.
func (cx *Context) listed(p *tuple.Part, yield func(Candidate) bool) {
	if len(p.Types) < 2 {
		return
	}
	defer cx.Rows.GiveBack(cx.Rows.Used)
	var choices [][]ir.Expr
	for _, t := range p.Types {
		list := []ir.Expr{cx.Pool.Int(t, 0), cx.Pool.Int(t, 1)}
		for _, u := range slices.Concat(tuple.WholeLeaves(p.Values), tuple.Inputs(p.Values)) {
			if u.Type() == t && !slices.Contains(list, u) {
				list = append(list, u)
			}
		}
		choices = append(choices, list)
	}
	cx.Points.Evaluate(p, cx.NonNeg, cx.Allowed)
	cx.Points.Restrict(slices.Concat(cx.State, cx.Inputs))
	for _, e := range cx.probeTable(p).without {
		if len(tuple.Params(e.Exprs)) > 0 || cx.Over() {
			continue
		}
		exprs := cx.Pool.Import(e.Exprs...)
		tape := cx.Registers.NewTape(exprs...)
		for n := range maxOperands {
			cx.Consider(2)
			inject, ok := operandOf(choices, n)
			if !ok {
				break
			}
			if cx.Points.Agrees(tape, inject) && !yield(ofEntry("direct:", e, exprs, inject)) {
				return
			}
		}
	}
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
func (cx *Context) apart(values, units []ir.Expr) (out, places, leaves []ir.Expr) {
	const first = 1 << 16 // numbers that no other leaf has
	var visit func(ir.Expr) ir.Expr
	visit = func(e ir.Expr) ir.Expr {
		if slices.Contains(units, e) {
			v := cx.Pool.Var(ir.Leaf, "place", first+len(places), e.Type())
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
// It reports whether the caller wants more.
func (cx *Context) assign(p *tuple.Part, values, units, leaves []ir.Expr, yield func(Candidate) bool) (more bool) {
	if len(units) == 0 && len(p.Types) > 0 {
		return true
	}
	defer cx.Rows.GiveBack(cx.Rows.Used)
	w := cx.assignment(p, values, units, leaves)
	w.yield = yield
	return (len(units) <= maxUnguided || w.atIdentity()) && w.try(0)
}

// maxUnguided is the number of units up to which all assignments of roles are tried.
const maxUnguided = 6

// atIdentity reads the roles off what a step makes of a state of zeros and ones: of the identity of a
// product of matrices it makes the second operand. It reports whether the caller wants more.
func (w *assignment) atIdentity() (more bool) {
	if len(w.units) != len(w.p.Types) {
		return true
	}
	rows := func(v int64) (out []*sample.Row) {
		for _, t := range w.p.Types {
			out = append(out, w.cx.Roles.Value(fold.Number(w.cx.Pool, t, v)))
		}
		return out
	}
	if slices.Contains(w.p.Types, ir.Bool) {
		return true
	}
	zeros, ones := rows(0), rows(1)
	var units []*sample.Row
	for _, v := range w.places {
		units = append(units, w.cx.Roles.Value(v))
	}
	start := sample.Instead{Vars: w.p.States, Rows: slices.Clone(zeros)}
	for _, inOrder := range []bool{true, false} { // of many such states first the one that gives leaves the roles of their names
		for e := range 1 << len(zeros) {
			for i := range zeros {
				if start.Rows[i] = zeros[i]; e>>i&1 != 0 {
					start.Rows[i] = ones[i]
				}
			}
			made := w.cx.Roles.Tape.Run(w.cx.Roles.Inputs(&w.cx.Roles.Tape, &start))
			if !w.rolesFrom(made, units) || inOrder != w.rolesInOrder() || !w.associativeAtPoints() {
				continue
			}
			if !w.propose() {
				return false
			}
		}
	}
	return true
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

func (cx *Context) assignment(p *tuple.Part, values, units, leaves []ir.Expr) *assignment {
	w := &assignment{cx: cx, p: p, values: values, units: units, leaves: leaves, left: maxAssignments}
	w.role = make([]int, len(units))
	w.owner = make([]ir.Expr, len(p.Types))
	const first = 1 << 17 // numbers that no other leaf has
	for i, u := range units {
		w.places = append(w.places, cx.Pool.Var(ir.Leaf, "unit", first+i, u.Type()))
	}
	w.cx.Roles.Evaluate(&tuple.Part{Types: p.Types, States: p.States, Values: tuple.Replace(cx.Pool, values, units, w.places)}, cx.NonNeg, cx.Allowed)
	w.triples()
	return w
}

// Survey counts the assignments of roles to the leaves of a part. It reports whether all of them are refuted by values.
func (cx *Context) Survey(p *tuple.Part) (tried int, all bool) {
	read := tuple.Inputs(p.Values)
	if len(p.Types) > MaxDirect || len(read) == 0 {
		return 0, false
	}
	survey := func(values, units, leaves []ir.Expr) bool {
		defer cx.Rows.GiveBack(cx.Rows.Used)
		w := cx.assignment(p, values, units, leaves)
		w.try(0)
		tried += w.tried
		return !w.open
	}
	for i, units := range [][]ir.Expr{tuple.WholeLeaves(p.Values), read} {
		if i > 0 && slices.Equal(units, tuple.WholeLeaves(p.Values)) {
			break // as many leaves as inputs: they are the same
		}
		if !survey(p.Values, units, units) {
			return tried, false
		}
		if len(units) < len(p.Types) {
			values, places, leaves := cx.apart(p.Values, units)
			if len(places) > 2*len(p.Types) || len(places) > len(units) && !survey(values, places, leaves) {
				return tried, false
			}
		}
	}
	return tried, true
}

// assignment searches roles depth first.
type assignment struct {
	cx     *Context
	p      *tuple.Part
	values []ir.Expr
	units  []ir.Expr
	leaves []ir.Expr
	places []ir.Expr            // variables that stand for the units in the sample
	yield  func(Candidate) bool // nil in a survey, which proposes nothing …
	tried  int                  // … and counts assignments
	open   bool                 // in a survey: points did not refute an assignment, or not all were tried
	role   []int                // of each unit
	owner  []ir.Expr            // the leaf that has a role, or the zero Expr
	left   int

	x, y, z []*sample.Row // operands at the points
	valid   uint64
	slots   []slot           // of the tape's inputs
	results [3][]*sample.Row // of an inner ⊕ and of the two sides
}

// try assigns roles to the units from u on, and proposes each assignment that points do not refute. It reports whether the caller
// wants more.
func (w *assignment) try(u int) (more bool) {
	w.cx.Consider(2)
	if u == len(w.units) {
		w.left--
		w.tried++
		if !w.associativeAtPoints() {
			return true
		}
		if w.yield == nil {
			w.open = true
			return true
		}
		more = w.propose()
		w.cx.Unrefuted = w.cx.Unrefuted || more
		return more
	}
	if !w.enoughRoles(u) {
		return true
	}
	for r, t := range w.p.Types {
		if w.left <= 0 || w.cx.Over() {
			w.open = true
			return true
		}
		if t != w.units[u].Type() || w.owner[r].IsValid() && w.owner[r] != w.leaves[u] {
			continue
		}
		before := w.owner[r]
		w.role[u], w.owner[r] = r, w.leaves[u]
		if !w.try(u + 1) {
			return false
		}
		w.owner[r] = before
	}
	return true
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
	return w.associativeAt(tape.Few) && w.associativeAt(tape.Lanes) && (!w.follow() || w.associativeAt(tape.Lanes))
}

// Of an automaton nearly all points lead to one state: it fails at every byte but few, which differ from state to state.
const (
	fewResults = tape.Lanes / 2 // from how many points with one result on others are looked for
	followed   = 8              // how often
)

// follow changes operands at points with the commonest result of x ⊕ y, and then of (x ⊕ y) ⊕ z, until they have another. It reports whether it did.
func (w *assignment) follow() (changed bool) {
	if len(w.p.Types) > 2 || len(w.cx.State) > 0 || !w.cx.Roles.Tape.Compares() {
		return false
	}
	left := w.x
	for _, operand := range [][]*sample.Row{w.y, w.z} {
		for turn := range followed {
			out := w.cx.Roles.Tape.Run(w.inputs(left, operand))
			dull := commonest(out)
			if bits.OnesCount64(dull) < fewResults || turn == followed-1 {
				for i, r := range w.results[0] {
					*r = *out[i]
				}
				break
			}
			changed = true
			for u := range w.units {
				row := w.cx.Roles.Value(w.places[u])
				for lane := range row {
					if dull>>lane&1 != 0 {
						operand[w.role[u]][lane] = row[(lane*(2*turn+3)+turn)%tape.Lanes]
					}
				}
			}
		}
		left = slices.Clone(w.results[0])
		for i, r := range left {
			left[i] = w.cx.Rows.Take()
			*left[i] = *r
		}
	}
	return changed
}

// commonest marks the points at which results are what they are at most points.
func commonest(results []*sample.Row) (mask uint64) {
	for lane := range tape.Lanes {
		same := uint64(0)
		for other := range tape.Lanes {
			if !slices.ContainsFunc(results, func(r *sample.Row) bool { return r[lane] != r[other] }) {
				same |= 1 << other
			}
		}
		if bits.OnesCount64(same) > bits.OnesCount64(mask) {
			mask = same
		}
	}
	return mask
}

func (w *assignment) associativeAt(lanes int) bool {
	valid := w.valid & (1<<lanes - 1)
	apply := func(into int, a, b []*sample.Row) []*sample.Row {
		out := w.results[into]
		for i, r := range w.cx.Roles.Tape.RunFirst(w.inputs(a, b), lanes) {
			copy(out[i][:lanes], r[:lanes])
		}
		valid &^= w.cx.Roles.Tape.Overflowed(w.cx.Roles.Allowed) | w.cx.Roles.Tape.Poisoned(w.cx.Roles.Allowed)
		return out
	}
	left := apply(1, apply(0, w.x, w.y), w.z)
	right := apply(2, w.x, apply(0, w.y, w.z))
	if valid == 0 {
		return lanes < tape.Lanes || w.yield == nil
	}
	for i, t := range w.p.Types {
		for lane := range lanes {
			a, b := left[i][lane], right[i][lane]
			if valid>>lane&1 != 0 && a != b && !testpoint.Close(t, w.cx.Roles.Allowed, a, b) {
				return false
			}
		}
	}
	return true
}

// triples fills in the rows of x, y and z, and the points at which the given conditions hold of all three. The rows of y and z are those of the
// states in other orders: at every other point of those at which a state is as given, which may be few.
func (w *assignment) triples() {
	w.x = w.cx.Roles.States
	all, kept := tuple.Indices(tape.Lanes), tuple.Members(w.kept(w.x))
	if len(kept) == 0 {
		kept = all
	}
	for _, x := range w.x {
		y, z := w.cx.Rows.Take(), w.cx.Rows.Take()
		for lane := range tape.Lanes {
			from := all
			if lane&1 != 0 {
				from = kept
			}
			y[lane], z[lane] = x[from[(lane*5+8)%len(from)]], x[from[(lane*11+20)%len(from)]]
		}
		w.y, w.z = append(w.y, y), append(w.z, z)
		for into := range w.results {
			w.results[into] = append(w.results[into], w.cx.Rows.Take())
		}
	}
	w.valid = w.kept(w.x) & w.kept(w.y) & w.kept(w.z)
	if len(w.cx.State) == 0 {
		for i, t := range w.p.Types {
			w.asUnits(t, w.y[i], 2)
			w.asUnits(t, w.z[i], 4)
		}
	}
	for _, v := range w.cx.Roles.Tape.Inputs {
		w.slots = append(w.slots, slot{slices.Index(w.p.States, v), slices.Index(w.places, v)})
	}
}

// kept marks the points at which the given conditions hold of an operand.
func (w *assignment) kept(operand []*sample.Row) (points uint64) {
	points = ^uint64(0)
	for _, c := range w.cx.State {
		tape := w.cx.Registers.NewTape(c)
		points &= sample.Truths(w.cx.Roles.Run(tape, &sample.Instead{Vars: w.p.States, Rows: operand})[0])
	}
	return points
}

// asUnits puts values of units into half of the points of an operand, whose component has a type: steps compare operands with other literals
// than states. A lexer of bytes would else be refuted at no point, and its proof takes long to fail.
func (w *assignment) asUnits(t ir.Type, operand *sample.Row, turn int) {
	n := 0
	for u, v := range w.places {
		if w.units[u].Type() != t {
			continue
		}
		row := w.cx.Roles.Value(v)
		for lane := range operand {
			if lane&turn != 0 && lane/8%len(w.places) >= n {
				operand[lane] = row[(lane*turn+3*lane)%tape.Lanes]
			}
		}
		n++
	}
}

// slot says which input of the sample's tape is meant: a state, a place, or neither.
type slot struct{ state, place int }

// inputs returns the rows of the tape's inputs for a ⊕ b. They hold until the next call.
func (w *assignment) inputs(a, b []*sample.Row) []*sample.Row {
	in := w.cx.Roles.Inputs(&w.cx.Roles.Tape, nil)
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

// propose yields the part as it is written with the units in their roles, in its smallest form first. It reports whether the caller
// wants more.
func (w *assignment) propose() (more bool) {
	by := make([]ir.Expr, len(w.units))
	inject := make([]ir.Expr, len(w.p.Types))
	for i, t := range w.p.Types {
		inject[i] = w.cx.Pool.Const(t, 0)
	}
	for u := range w.units {
		r := w.role[u]
		by[u] = w.cx.Pool.Y(r, w.p.Types[r])
		inject[r] = w.leaves[u]
	}
	exprs := tuple.Replace(w.cx.Pool, w.values, w.units, by)
	for _, v := range ir.Vars(exprs...) {
		if v.Kind() == ir.Leaf && !slices.Contains(by, v) || v.Kind() == ir.Coord {
			return true // a leaf was left over; one that is named as an operand may have another type
		}
	}
	exponential := false
	ir.Walk(exprs, func(e ir.Expr) {
		exponential = exponential || e.Op() == ir.Exp || e.Op() == ir.Log || e.Op() == ir.Log1p
	})
	if exponential && !w.proposeListed(inject) { // operators whose exponentials do not overflow
		return false
	}
	tidy := make([]ir.Expr, len(exprs))
	for i, e := range exprs {
		tidy[i] = canon.Tidy(canon.Greedy(e, w.cx.Allowed&^(ir.NSW|ir.NUW)))
	}
	if least := absorbed(tidy); !slices.Equal(least, tidy) && !w.yield(Candidate{Via: "direct", Exprs: least, Inject: inject}) {
		return false
	}
	if !w.yield(Candidate{Via: "direct", Exprs: tidy, Inject: inject}) {
		return false
	}
	if !slices.Equal(tidy, exprs) && !w.yield(Candidate{Via: "direct", Exprs: exprs, Inject: inject}) {
		return false
	}
	return w.proposeListed(inject)
}

// proposeListed yields the operators of the table that have no identity, or an infinite one, and so cannot be probed for. They serve
// where no proof is found that the step as it is written is associative. It reports whether the caller wants more.
func (w *assignment) proposeListed(inject []ir.Expr) (more bool) {
	table := w.cx.probeTable(w.p)
	entries := table.without
	for _, e := range table.entries {
		if slices.ContainsFunc(e.identity, isInfinite) {
			entries = append(slices.Clip(entries), e.Entry)
		}
	}
	for _, e := range entries {
		if w.cx.Over() || len(tuple.Params(e.Exprs)) > 0 {
			continue
		}
		if !w.yield(ofEntry("direct:", e, w.cx.Pool.Import(e.Exprs...), inject)) {
			return false
		}
	}
	return true
}

func isInfinite(e ir.Expr) bool {
	return e.Op() == ir.Const && e.Type().IsFloat() && math.IsInf(ir.Float(e.Type(), e.Value()), 0)
}
