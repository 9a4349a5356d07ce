package plan

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// operation is an update x = x ⊕ inject with the facts that are proven of it, in the program's pool.
type operation struct {
	types       []ir.Type
	exprs       []ir.Expr // ⊕ over x_i, y_i and what does not change in the nest for an element
	inject      []ir.Expr // over the variables of the nest
	written     []ir.Expr // the update over x_i as the program has it, where that is x ⊕ inject of partial results, too
	identity    []ir.Expr // in the variables of the definition
	side        proof.Side
	commutative bool
	answer      *rfactor.Answer
	inOrder     []ir.Expr // of a tie rule: what serves for ⊕ on elements in their serial order
	empty       bool      // inject may be just an identity, or hold parts of one
	holds       []ir.Expr // for each component the coordinate that inject puts there, if it is one
	encodes     []bool    // for each component whether inject puts the place in the serial order there
	wide        bool      // types are wider than the update's: see widened
	starts      int64     // how many slices of wider parameters may start from the identity
	lift        *action   // of an operation on parameters of steps, for the state that they act on
}

// operation finds the operator of a nest.
func (s *scheduler) operation(n *nest, d *program.Directive) (*operation, *ir.Error) {
	if n.op != nil {
		return n.op, nil
	}
	if n.def == nil {
		return nil, s.errorf(d, "%s has no update here; say %s.update(0).%s", d.Func, d.Func, d.Name)
	}
	op, err := s.match(n.def, d)
	if err != nil {
		return nil, err
	}
	for _, e := range op.inject {
		op.holds = append(op.holds, held(e, n.coords))
		op.encodes = append(op.encodes, encodes(e, n.serialCoords(), n.def.Domain))
	}
	matched := *op
	s.matched[n.def] = &matched
	n.op = op.with(n.coords, n.now)
	return n.op, nil
}

// with returns the operation with expressions in the place of variables. The identity stays in those of the definition.
func (op *operation) with(from, to []ir.Expr) *operation {
	next := *op
	for _, es := range []*[]ir.Expr{&next.exprs, &next.inject, &next.written, &next.inOrder} {
		*es = substAll(*es, from, to)
	}
	if op.lift != nil {
		next.lift = &action{op.lift.types, substAll(op.lift.exprs, from, to)}
	}
	return &next
}

// held is the coordinate that e is, perhaps in a wider type.
func held(e ir.Expr, coords []ir.Expr) ir.Expr {
	if e.Op() == ir.Cast && e.Type().IsSigned() && e.Type().Bits() > e.Arg(0).Type().Bits() {
		e = e.Arg(0)
	}
	if slices.Contains(coords, e) {
		return e
	}
	return ir.Expr{}
}

// encodes reports whether e numbers the points of a domain in the order of coords, outermost
// first: r.y*w + r.x, where r.x runs over 0..w. With 0 <= r.x < w that is less for an earlier
// r.y, and for an earlier r.x of the same, as long as it does not overflow.
func encodes(e ir.Expr, coords []ir.Expr, domain *program.RDom) bool {
	if domain == nil || len(coords) == 0 {
		return false
	}
	last := len(coords) - 1
	i := slices.IndexFunc(domain.Dims, func(d program.Dim) bool { return d.Var == coords[last] })
	switch {
	case i < 0 || !domain.Dims[i].Min.IsConst(0):
		return false
	case last == 0:
		return e == coords[0]
	case e.Op() != ir.Add:
		return false
	}
	row := e.Arg(0)
	if row == coords[last] {
		row = e.Arg(1)
	} else if e.Arg(1) != coords[last] {
		return false
	}
	extent := domain.Dims[i].Extent
	return row.Op() == ir.Mul && (row.Arg(1) == extent && encodes(row.Arg(0), coords[:last], domain) ||
		row.Arg(0) == extent && encodes(row.Arg(1), coords[:last], domain))
}

// numbering is what stands for the leaves of an answer in the program, by their names.
type numbering map[string]ir.Expr

// in writes expressions of an answer in the program's pool. With operands, leaves y_i stay.
func (n numbering) in(pool *ir.Pool, es []ir.Expr, operands bool) []ir.Expr {
	return pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var || operands && e.Kind() == ir.Leaf {
			return ir.Expr{}
		}
		return n[e.Name()]
	})
}

// ask asks Match for the answer of a definition. Leaves are made variables here, so
// that what stands for them in the answer is known.
func (s *scheduler) ask(def *program.Definition, d *program.Directive) (*rfactor.Answer, numbering, *ir.Error) {
	if a := s.answers[def]; a != nil {
		return a, s.numbers[def], nil
	}
	if slices.ContainsFunc(def.Args, func(e ir.Expr) bool { return reads(e, def.Func.Name) }) {
		return nil, nil, s.errorf(d, "%s writes to places that depend on %s itself", def, def.Func.Name)
	}
	u, kept := def.Matched(), def.Recurrence() != nil
	if len(s.opts.Given) > 0 {
		var err error
		if u.Given, err = program.ParseGiven(u, s.opts.Given...); err != nil {
			return nil, nil, s.errorf(d, "%v", err)
		}
		s.given[def] = u.Given
	}
	numbered := numbering{}
	mapped := s.pool.Map(slices.Concat(u.Values, u.Given), func(e ir.Expr) ir.Expr {
		var v ir.Expr
		switch {
		case !kept && e.Op() == ir.Call && e.Name() == def.Func.Name:
			return e // decided by Match
		case !kept && e.Op() == ir.Call && reads(e, def.Func.Name):
			return ir.Expr{}
		case e.Op() == ir.Call && e.IsInvariant(), e.Op() == ir.Var && e.Kind() == ir.Param && !s.isPureVar(e):
			v = s.pool.K(len(numbered), e.Type())
		case e.Op() == ir.Call && e.IsLeaf():
			v = s.pool.Y(len(numbered), e.Type())
		case e.Op() == ir.Var && e.Kind() == ir.Param:
			v = s.pool.K(len(numbered), e.Type()) // of a pure dimension: the same in each step
		default:
			return ir.Expr{}
		}
		numbered[v.Name()] = e
		return v
	})
	u.Values, u.Given = mapped[:len(u.Types)], mapped[len(u.Types):]
	opts := s.opts.Match
	opts.Name = def.Func.Name
	a, err := rfactor.Match(s.ctx, u, opts)
	if list, ok := err.(ir.ErrorList); ok {
		return nil, nil, list[0]
	} else if err != nil {
		return nil, nil, s.errorf(d, "%v", err)
	}
	coords := map[string]ir.Expr{}
	for _, v := range ir.Vars(u.Values...) {
		if v.Kind() == ir.Coord {
			coords[v.Name()] = v
		}
	}
	for i, l := range a.Leaves {
		if e, ok := numbered[l.Var.Name()]; ok {
			a.Leaves[i].Text = e.String()
		} else if e, ok := coords[l.Text]; ok {
			numbered[l.Var.Name()] = e // Match may have given the coordinate another name
		}
	}
	s.answers[def], s.numbers[def] = a, numbered
	return a, numbered, nil
}

// match finds the operation of a definition.
func (s *scheduler) match(def *program.Definition, d *program.Directive) (*operation, *ir.Error) {
	a, numbers, err := s.ask(def, d)
	if err != nil {
		return nil, err
	}
	if err := s.usable(def, a, d); err != nil {
		return nil, err
	}
	toProgram := func(es []ir.Expr, operands bool) []ir.Expr { return numbers.in(s.pool, es, operands) }
	if a.Status == rfactor.Lifted {
		return s.ofSteps(def, a, d, toProgram)
	}
	if err := s.multiplied(def, a, d, a.Operator.Exprs); err != nil {
		return nil, err
	}
	op := &operation{types: a.Types, answer: a, side: a.Operator.Side, commutative: a.Operator.Commutative}
	exprs, inject := a.Operator.Exprs, a.Inject
	if a.Assumes&(ir.NSW|ir.NUW) != 0 {
		w, reason := s.widen(a)
		if w == nil {
			return nil, s.errorf(d, "%s has the operator %s only while nothing overflows (%s), which partial results may do where the serial loop does not; "+
				"they cannot be widened: %s; an update that needs no such assumption can be factored", def, ir.Strings(a.Operator.Exprs), a.Assumes&(ir.NSW|ir.NUW), reason)
		}
		exprs, inject = w.exprs, w.inject
		op.types, op.wide, op.side, op.commutative = w.types, true, proof.NoSide, false
		s.needElements(def, w.elements)
	}
	if written, ok := a.AsWritten(); ok {
		exprs, op.side = written, proof.NoSide
	}
	op.exprs = toProgram(exprs, true)
	op.inject = toProgram(inject, false)
	if !op.wide && len(a.Given) == 0 {
		op.written = toProgram(a.Update, false)
	}
	if op.side != proof.NoSide {
		op.identity = toProgram(a.Operator.Identity, false)
	}
	return op, nil
}

// reads reports whether an expression reads the function or input of that name.
func reads(e ir.Expr, name string) bool {
	found := false
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { found = found || e.Op() == ir.Call && e.Name() == name })
	return found
}

// remarks are those of an answer, to be read behind a sentence.
func remarks(a *rfactor.Answer) (text string) {
	for _, r := range a.Remarks {
		text += "; " + r
	}
	return text
}

// usable reports why a match does not allow the update to be factored.
func (s *scheduler) usable(def *program.Definition, a *rfactor.Answer, d *program.Directive) *ir.Error {
	if a.Status == rfactor.Staged {
		return s.errorf(d, "%s has no operator in one pass: it takes a scan before the reduction (%s); scan(%s, 65536) runs it in tiles%s", def, a.Via(), def.Domain.Dims[0].Var, remarks(a))
	}
	if a.Status != rfactor.Associative && a.Status != rfactor.Lifted {
		return s.errorf(d, "%s has no associative operator: %s", def, a.Reason)
	}
	return nil
}

// apply is x ⊕ inject.
func (op *operation) apply() []ir.Expr {
	x, y := op.exprs[0].Pool().Operands(op.types)
	return substAll(op.exprs, slices.Concat(x, y), slices.Concat(x, op.inject))
}

// size is how many nodes terms have.
func size(es []ir.Expr) (n int) {
	for _, e := range es {
		n += e.Size()
	}
	return n
}

// asWritten reports whether the update as the program has it takes fewer operations than x ⊕ inject: as that of three greatest,
// where an element is one and −∞ the others, or that of (x + y)/2 + s, whose sum waits for one addition and not for two.
func (op *operation) asWritten(values []ir.Expr) bool {
	w := op.written
	if w == nil {
		return false
	}
	literal := slices.ContainsFunc(op.inject, func(e ir.Expr) bool { return e.Op() == ir.Const })
	return literal && size(w) < size(values) || size(w) <= size(values) && waits(w) < waits(values)
}

// waits is how many operations the slowest component of a step takes from its last value to its next one.
func waits(step []ir.Expr) (most int) {
	for i, e := range step {
		depth := map[ir.Expr]int{e.Pool().X(i, e.Type()): 1} // of what has the component in it
		ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
			for j := range e.NumArgs() {
				if n := depth[e.Arg(j)]; n > 0 {
					depth[e] = max(depth[e], n+1)
				}
			}
		})
		most = max(most, depth[e])
	}
	return most
}

// enough reports whether the identity serves: at least a middle one, or a right one for
// slices that may be empty.
func (op *operation) enough(right bool) bool {
	if right {
		return op.side == proof.Right || op.side == proof.Two
	}
	return op.side != proof.NoSide
}

// update returns what a step writes to an element of the buffer. This is x ⊕ inject. Where the buffer has a flag, the
// first element that arrives writes inject. Where the buffer holds states of a lift, the step is applied to them.
func (op *operation) update(b *Buffer) []ir.Expr {
	if op.lift != nil {
		return canon.SimplifyStep(op.applied(b))
	}
	values := op.apply()
	if op.answer.Lift != nil {
		values = canon.SimplifyStep(values)
	} else if op.asWritten(values) {
		values = slices.Clone(op.written)
	}
	if !b.Seen {
		return op.narrow(values, op.types, b.Types)
	}
	p := values[0].Pool()
	seen := p.X(len(op.types), ir.Bool)
	for i := range values {
		values[i] = ir.SelectOf(seen, values[i], op.inject[i])
	}
	return append(values, p.Bool(true))
}

// narrow makes values of wider types those of the update's, which they fit.
func (op *operation) narrow(values []ir.Expr, wide, types []ir.Type) []ir.Expr {
	if !op.wide || slices.Equal(types, wide) {
		return values
	}
	p := values[0].Pool()
	var from, to []ir.Expr
	for i, t := range wide {
		if t != types[i] {
			from, to = append(from, p.X(i, t)), append(to, ir.CastTo(t, p.X(i, types[i])))
		}
	}
	values = substAll(values, from, to)
	for i, t := range types {
		values[i] = ir.CastTo(t, values[i])
	}
	return values
}

// start is the first values of an element of the buffer: the identity, or anything that the
// flag says not to use. args are the definition's arguments, vars the buffer's variables
// for them.
func (op *operation) start(p *ir.Pool, b *Buffer, args, vars []ir.Expr) []ir.Expr {
	if !b.Seen {
		return substAll(op.identity, args, vars)
	}
	var values []ir.Expr
	for _, t := range op.types {
		values = append(values, p.Const(t, 0))
	}
	return append(values, p.Bool(false))
}
