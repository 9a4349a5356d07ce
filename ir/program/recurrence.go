package program

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Recurrence says of an update that it reads what earlier steps of it wrote, and keeps what each step writes: it
// is a scan.
//
//	f(r) = f(r - 1) + in(r)                  →   the state x0 is f(r - 1), its update x0 + in(r)
//	y(r) = in(r) + a*y(r - 1) + b*y(r - 2)   →   the state is y(r - 1) and y(r - 2): in(r) + a*x0 + b*x1; x0
type Recurrence struct {
	Var   ir.Expr // the coordinate whose steps it is about; no other loop runs inside of its loop, but for pure ones
	Dim   int     // the argument that Var moves, by 1 a step
	Back  bool    // the argument falls
	Depth int     // how many steps back the furthest read is
	State []Delay // x_0, x_1, …: the components one step back, then those of two steps, and so on

	def *Definition
}

// Delay is a component of the state of a recurrence: the element that a step wrote which is some steps back.
type Delay struct{ Component, Steps int }

// MaxDelay is how many steps back a recurrence may read.
const MaxDelay = 4

// Recurrence returns how the definition reads its own earlier results; nil for a reduction, which reads the
// element alone that it writes, and for what is neither.
func (d *Definition) Recurrence() *Recurrence { return d.recurrence }

// Matched returns the update that a matcher is asked about: of a recurrence that of its state, of elements that are kept one
// behind another that of the count, else that of the element.
func (d *Definition) Matched() *ir.Update {
	switch {
	case d.recurrence != nil:
		return d.recurrence.Update()
	case d.Place != nil:
		return d.counting()
	}
	return d.Update()
}

// Update returns the recurrence as the reduction that has the same state. The element itself, as it is before
// the step, is one of the leaves. Keep says which components the function keeps: those that are read again after
// the step, and those that are a component of the state as it is before it.
func (rec *Recurrence) Update() *ir.Update {
	d := rec.def
	p := d.parsed().Pool
	u := d.Update()
	u.Types, u.Values, u.Self, u.Init = nil, nil, nil, nil
	for i, s := range rec.State {
		t := d.Func.Types[s.Component]
		u.Types = append(u.Types, t)
		if s.Steps == 1 {
			u.Values = append(u.Values, rec.Value(s.Component))
		} else {
			u.Values = append(u.Values, p.X(slices.Index(rec.State, Delay{s.Component, s.Steps - 1}), t))
		}
		if initial := d.initial(); initial != nil && rec.alone() {
			u.Init = append(u.Init, initial[s.Component])
		}
		if s.Steps == 1 {
			u.Keep = append(u.Keep, ir.Kept{Component: i})
		}
	}
	for c := range d.Func.Types {
		if v := rec.Value(c); !rec.reads(c) && v.Op() == ir.Var && v.Kind() == ir.State {
			u.Keep = append(u.Keep, ir.Kept{Component: v.Index(), Before: true})
		}
	}
	u.Vars = ir.Vars(u.Values...)
	return u
}

// reads reports whether a step reads what an earlier one wrote of a component.
func (rec *Recurrence) reads(component int) bool {
	return slices.Contains(rec.State, Delay{component, 1})
}

// Value returns what a step writes of a component of the function, over the state x_i before the step.
func (rec *Recurrence) Value(component int) ir.Expr {
	d := rec.def
	return d.prog.Pool.Map(d.Values[component:component+1], func(e ir.Expr) ir.Expr {
		if s, ok := rec.delay(e); ok {
			return d.prog.Pool.X(slices.Index(rec.State, s), e.Type())
		}
		return ir.Expr{}
	})[0]
}

// Before returns the read of a component of the state in the first step.
func (rec *Recurrence) Before(state int) ir.Expr {
	domain := rec.def.Domain.Dims
	i := slices.IndexFunc(domain, func(dim Dim) bool { return dim.Var == rec.Var })
	return rec.Read(state, domain[i].Min)
}

// Read returns the read of a component of the state before the step in which the recurrence's coordinate has a value.
func (rec *Recurrence) Read(state int, at ir.Expr) ir.Expr {
	d, s, p := rec.def, rec.State[state], rec.def.prog.Pool
	by := int64(s.Steps)
	if rec.Back {
		by = -by
	}
	args := slices.Clone(d.Args)
	moved := ir.LinearOf(args[rec.Dim]).Minus(ir.LinearOf(p.Int(ir.I32, by))).Expr(p)
	moved = p.Map([]ir.Expr{moved}, func(e ir.Expr) ir.Expr {
		if e == rec.Var {
			return at
		}
		return ir.Expr{}
	})[0]
	args[rec.Dim] = ir.LinearOf(moved).Expr(p)
	return p.Call(d.Func.Types[s.Component], d.Func.Name, s.Component, args...)
}

// alone reports whether the loop runs once for each series: then it starts with what the function had before.
func (rec *Recurrence) alone() bool {
	return !slices.ContainsFunc(rec.def.Domain.Dims, func(d Dim) bool { return d.Var != rec.Var && !rec.def.isPure(d.Var) })
}

// isPure reports whether different values of a coordinate write different elements: an argument is that
// coordinate, or shifted by a literal.
func (d *Definition) isPure(v ir.Expr) bool {
	return slices.ContainsFunc(d.Args, func(a ir.Expr) bool {
		if (a.Op() == ir.Add || a.Op() == ir.Sub) && a.Arg(1).Op() == ir.Const {
			a = a.Arg(0)
		}
		return a == v
	})
}

// delay returns which earlier result a term reads.
func (rec *Recurrence) delay(e ir.Expr) (Delay, bool) {
	if e.Op() != ir.Call || e.Name() != rec.def.Func.Name {
		return Delay{}, false
	}
	dim, by, ok := rec.def.distance(e)
	if !ok || by == 0 || dim != rec.Dim {
		return Delay{}, false
	}
	if !rec.Back {
		by = -by
	}
	return Delay{e.Index(), int(by)}, true
}

// distance returns in which argument a read of the function differs from what is written, and by how much: by 0
// where it does not. It reports false where it differs in several, or by what is not a number.
func (d *Definition) distance(call ir.Expr) (dim int, by int64, ok bool) {
	for i, a := range d.Args {
		if call.Arg(i) == a {
			continue
		}
		diff := ir.LinearOf(call.Arg(i)).Minus(ir.LinearOf(a))
		switch {
		case len(diff.Atoms) > 0 || by != 0 && diff.Const != 0:
			return 0, 0, false
		case diff.Const != 0:
			dim, by = i, diff.Const
		}
	}
	return dim, by, true
}

// recurrenceOf finds what a definition reads of its own earlier results. Where it reads something else of itself, the
// first such read gets a hint.
func (b *builder) recurrenceOf(d *Definition) *Recurrence {
	var rec *Recurrence
	for i := range d.Self {
		s := &d.Self[i]
		if _, by, ok := d.distance(s.Call); s.Same || ok && by == 0 {
			continue
		}
		if rec == nil {
			if rec, s.Hint = b.along(d, s.Call); rec == nil {
				return nil
			}
		}
		at, ok := rec.delay(s.Call)
		switch {
		case !ok:
			s.Hint = "it reads itself along " + rec.Var.Name() + " and elsewhere: let one function scan along one coordinate, and another one scan its results along the other"
		case at.Steps < 0:
			s.Hint = "a later step writes it; a recurrence may read " + d.steps(rec)
		case at.Steps > MaxDelay:
			s.Hint = fmt.Sprintf("it is %d steps back, and a recurrence may read %s", at.Steps, d.steps(rec))
		}
		if s.Hint != "" {
			return nil
		}
		rec.Depth = max(rec.Depth, at.Steps)
	}
	if rec != nil {
		b.state(rec)
		if len(rec.State) > ir.MaxState {
			b.errorf(d.Pos, "the state of this recurrence is %s, more than %d", plural(len(rec.State), "component"), ir.MaxState)
			return nil
		}
	}
	return rec
}

// steps names what a recurrence may read.
func (d *Definition) steps(rec *Recurrence) string {
	read := func(steps int64) string {
		if rec.Back {
			steps = -steps
		}
		args := slices.Clone(d.Args)
		args[rec.Dim] = ir.LinearOf(args[rec.Dim]).Minus(ir.LinearOf(d.prog.Pool.Int(ir.I32, steps))).Expr(d.prog.Pool)
		return d.prog.Pool.Call(d.Func.Types[0], d.Func.Name, 0, args...).String()
	}
	return read(1) + " to " + read(MaxDelay)
}

// along finds the coordinate along which a definition reads itself; nil, and what it could do instead, where there
// is none.
func (b *builder) along(d *Definition, call ir.Expr) (*Recurrence, string) {
	dim, _, ok := d.distance(call)
	switch {
	case !ok:
		return nil, "a recurrence reads what it writes, some steps back in one argument: f(r - 1) where f(r) is written"
	case d.Domain == nil:
		return nil, "a recurrence runs over a reduction domain: RDom r(1, n - 1); f(r) = f(r - 1) + in(r)"
	case len(d.Domain.Where) > 0:
		return nil, d.Domain.Name + " has a condition: put it into the value, as in f(r) = select(condition, f(r - 1) + in(r), f(r - 1))"
	}
	at := ir.LinearOf(d.Args[dim])
	rec := &Recurrence{Dim: dim, def: d}
	for _, c := range d.Domain.Dims {
		moves := at.Coef(c.Var)
		if moves == 0 {
			continue
		}
		if rec.Var.IsValid() || moves != 1 && moves != -1 {
			return nil, "the argument in which it differs has to be one coordinate, forwards or backwards: f(r + 1), f(n - 1 - r)"
		}
		rec.Var, rec.Back = c.Var, moves < 0
	}
	if !rec.Var.IsValid() {
		return nil, "the argument in which it differs has to be a coordinate of the domain: f(r - 1) where f(r) is written"
	}
	others := at.Minus(ir.LinearOf(rec.Var))
	if rec.Back {
		others = at.Minus(ir.LinearOf(ir.NegOf(rec.Var)))
	}
	rest := append(slices.Delete(slices.Clone(d.Args), dim, dim+1), others.Atoms...)
	if slices.Contains(ir.Vars(rest...), rec.Var) {
		return nil, rec.Var.Name() + " may occur in one argument alone, as f(r, x) and f(r - 1, x)"
	}
	if slices.ContainsFunc(d.Args, func(a ir.Expr) bool { return callsNamed(a, d.Func.Name) }) {
		return nil, "where it writes must not depend on " + d.Func.Name
	}
	for _, inner := range d.Domain.Dims {
		if inner.Var == rec.Var {
			break
		}
		if !d.isPure(inner.Var) {
			return nil, fmt.Sprintf("%s runs inside of %s, so that each of its steps reads the same: let %s be the first dimension of the domain", inner.Var, rec.Var, rec.Var)
		}
	}
	return rec, ""
}

func callsNamed(e ir.Expr, name string) bool {
	found := false
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { found = found || e.Op() == ir.Call && e.Name() == name })
	return found
}

// state lists the components of the state. Of one that is read some steps back the steps between belong to it.
func (b *builder) state(rec *Recurrence) {
	most := make([]int, len(rec.def.Func.Types))
	for _, s := range rec.def.Self {
		if at, ok := rec.delay(s.Call); ok {
			most[at.Component] = max(most[at.Component], at.Steps)
		}
	}
	for steps := 1; steps <= rec.Depth; steps++ {
		for c, n := range most {
			if steps <= n {
				rec.State = append(rec.State, Delay{c, steps})
			}
		}
	}
}
