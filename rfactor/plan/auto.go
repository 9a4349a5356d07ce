package plan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// automatic chooses a schedule and applies it, update by update.
//
//	f() = f() + in(r)   →   split(r, ro, ri, 65536).rfactor(ro, u).parallel(u), and lanes of ri
//
// It gives directives that a user could have written:
//
//   - where an update has pure loops, the outermost runs in parallel, and the innermost in lanes if it steps
//     through what is read; one loop alone that does both is split into columns for that. Where a reduction loop
//     steps through what is read, its lanes are taken out instead, if floats are combined by an operator that commutes:
//     kernels regroup integers, minima and maxima without that;
//   - else, of several reduction loops the outermost is taken out and runs in parallel, and one
//     alone, or one that no input bounds, is split into contiguous slices for that;
//   - a recurrence, or an update that is answered in stages, is scanned in tiles, which run at once. Series of one that has
//     pure loops run at once instead;
//   - inside, lanes stride through the innermost loop where the operator commutes, if need
//     be by the tie rule.
//
// Updates that have no operator, and those that Options.Leave names, stay serial, and are listed with the reason.
func (s *scheduler) automatic() ([]*program.Directive, *ir.Error) {
	var all []*program.Directive
	for _, t := range slices.Clone(s.targets) {
		for _, n := range t.updates {
			a := &auto{s: s, target: t, n: n}
			if a.choose(); a.err != nil {
				return nil, a.err
			}
			all = append(all, a.list...)
		}
	}
	return all, nil
}

// auto is the choice for one update.
type auto struct {
	s      *scheduler
	target *target
	n      *nest
	list   []*program.Directive
	err    *ir.Error // of the first directive that failed: the context ended
}

func (a *auto) choose() {
	n := a.n
	if why := a.s.opts.Leave[n.def]; why != "" {
		a.s.serial = append(a.s.serial, Unfactored{Update: n.def, Code: Slower, Reason: why})
		return
	}
	at := place{a.target.buffer.Name, n.def.Stage}
	pure, order := n.pureLoops(), several(n.order)
	switch {
	case n.def.Place != nil:
		a.choosePlaces(at)
		return
	case len(pure) > 0 && n.def.Recurrence() != nil:
		a.choosePureScan(at, pure)
		return
	case len(pure) > 0:
		a.choosePure(at, pure)
		return
	case len(order) == 0:
		return
	case n.def.Recurrence() != nil:
		a.chooseScan(at, order[len(order)-1])
		return
	}
	op, err := a.s.operation(n, &program.Directive{Name: "auto", Func: at.fn, Stage: at.stage, Pos: n.def.Pos})
	if answer := a.s.answers[n.def]; answer != nil && answer.Status == rfactor.Staged {
		a.chooseScan(at, order[len(order)-1])
		return
	}
	if err != nil {
		a.s.leaveSerial(n.def, err)
		return
	}
	scatter := len(a.s.scatters(n)) > 0
	outer, inner := order[0].v.Name(), order[len(order)-1].v.Name()
	if len(order) == 1 || scatter || a.isLong(order[0]) {
		slice, rest := a.name(outer+"o"), a.name(outer+"i")
		a.do(at, program.Split, outer, slice, rest, a.slice(order, scatter))
		if inner == outer {
			inner = rest
		}
		outer = slice
	}
	u := a.name("u")
	slices := a.takeOut(at, outer, u)
	a.do(slices, program.Parallel, u)
	if scatter || inner == outer || !op.commutative && !a.ties(op) || a.s.endsOf(a.s.written[n.def].stage()) != nil { // lanes would end one by one
		return
	}
	a.takeOutLanes(slices, inner, place{slices.fn, -1}, u)
}

// chooseScan runs a loop in tiles, where its answer serves that. Floats have to be rounded as tiles say on one goroutine, too, so that
// it leaves those serial whose steps are dear to compose. Others are rounded by trees, which cost less on vectors than the loop, and in plain Go no more
// than to reduce tiles before they are stepped through.
func (a *auto) chooseScan(at place, loop *axis) {
	tile := a.s.pool.Int(ir.I32, int64(max(a.grain(1), TreeLanes)))
	d := &program.Directive{Func: at.fn, Stage: at.stage, Name: "auto", Pos: a.n.def.Pos, Args: []program.Arg{{Name: loop.v.Name()}, {Value: tile}}}
	if err := a.s.scan(a.target, a.n, d); err != nil {
		a.s.leaveSerial(a.n.def, err)
		return
	}
	for _, p := range a.n.scan.Passes {
		if p.lifted && !p.IsExact() && !a.n.scan.IsAffine(p) {
			a.n.scan = nil
			a.s.leaveSerial(a.n.def, a.s.errorf(d, "its steps compose (%s), and tiles would take longer than the loop on few cores; scan(%s, %s) runs them", a.s.answers[a.n.def].Via(), loop.v, tile))
			return
		}
	}
	d.Name = program.Scan
	a.list = append(a.list, d)
	a.do(at, program.Parallel, loop.v.Name())
	if a.n.scan.roundsByTrees() {
		a.do(at, program.Vectorize, loop.v.Name(), TreeLanes)
	}
}

// choosePureScan chooses for a recurrence with pure loops, whose series are independent of one another. Of a lone pure loop
// through contiguous elements columns are scanned side by side, row by row.
func (a *auto) choosePureScan(at place, pure []*axis) {
	n, order := a.n, several(a.n.order)
	outer := pure[0]
	if len(pure) > 1 || len(order) > 1 || n.index[0] != outer.v {
		if n.axes[0] == outer {
			a.do(at, program.Parallel, outer.v.Name())
		}
		return
	}
	inside := n.axes[0] != outer
	slice, rest := a.name(outer.v.Name()+"o"), a.name(outer.v.Name()+"i")
	a.do(at, program.Split, outer.v.Name(), slice, rest, columnBytes/a.elementBytes())
	a.do(at, program.Parallel, slice)
	switch {
	case len(order) == 0:
	case inside:
		a.do(at, "reorder", order[0].v.Name(), slice)
	default:
		a.do(at, "reorder", rest, order[0].v.Name())
	}
}

// takeOutLanes factors lanes out of a loop of an update. The partial results are computed inside of a loop of
// the function consumer.
func (a *auto) takeOutLanes(at place, loop string, consumer place, around string) {
	steps, lane, v := a.name(loop+"o"), a.name(loop+"i"), a.name("v")
	a.do(at, program.Split, loop, steps, lane, a.lanes())
	lanes := a.takeOut(at, lane, v)
	a.do(place{lanes.fn, -1}, program.ComputeAt, consumer.fn, around)
	a.do(place{lanes.fn, -1}, program.Vectorize, v)
	a.do(lanes, program.Vectorize, v)
}

// choosePure chooses for an update with pure loops.
func (a *auto) choosePure(at place, pure []*axis) {
	n := a.n
	outer, inner := pure[0], pure[len(pure)-1]
	first := len(n.index) > 0 && n.index[0] == inner.v
	switch {
	case first && inner != outer && a.contiguous(inner.v):
		a.do(at, program.Vectorize, inner.v.Name(), a.lanes())
		a.do(at, program.Parallel, outer.v.Name())
		return
	case first && a.contiguous(inner.v):
		columns := columnBytes / a.elementBytes()
		if n, ok := literal(inner.span.Extent); ok && n <= int64(columns) { // one slice
			a.do(at, program.Vectorize, inner.v.Name(), a.lanes())
			return
		}
		slice, rest := a.name(inner.v.Name()+"o"), a.name(inner.v.Name()+"i")
		a.do(at, program.Split, inner.v.Name(), slice, rest, columns)
		a.do(at, program.Parallel, slice)
		a.do(at, program.Vectorize, rest, a.lanes())
		return
	}
	a.do(at, program.Parallel, outer.v.Name())
	if order := several(n.order); len(order) > 0 && len(a.s.scatters(n)) == 0 {
		if inner := order[len(order)-1]; a.contiguous(inner.v) && a.reorders() {
			a.takeOutLanes(at, inner.v.Name(), at, outer.v.Name())
		}
	}
}

// columnBytes is the width of a slice of columns: whole lines of the cache, and rows of them long enough for memory to be
// read ahead.
const columnBytes = 2048

// reorders reports whether the update has an operator by which its elements may be combined in another order, and must be
// for lanes. Where that is not so nothing changes.
func (a *auto) reorders() bool {
	n := a.n
	op, err := a.s.operation(n, &program.Directive{Name: "auto", Pos: n.def.Pos})
	if err == nil && op.commutative && op.answer.Assumes.Has(ir.Reassoc) {
		return true
	}
	n.op = nil
	delete(a.s.answers, n.def)
	delete(a.s.matched, n.def)
	return false
}

// contiguous reports whether the loop over v steps through whatever it reads element by element: v is a term of the first
// coordinate, and of no other one.
func (a *auto) contiguous(v ir.Expr) bool {
	some, all := false, true
	ir.Walk(slices.Concat(a.n.def.Values, a.n.where), func(e ir.Expr) {
		if e.Op() != ir.Call || e.NumArgs() == 0 || e.Name() == a.target.buffer.Name {
			return
		}
		for i := range e.NumArgs() {
			if at := e.Arg(i); uses(at, v) {
				some, all = true, all && i == 0 && stepsBy(at, v)
			}
		}
	})
	return some && all
}

// stepsBy reports whether e is v, or the sum of v and of what does not mention v.
func stepsBy(e, v ir.Expr) bool {
	switch {
	case e == v:
		return true
	case e.Op() == ir.Add && uses(e.Arg(1), v):
		return !uses(e.Arg(0), v) && stepsBy(e.Arg(1), v)
	case e.Op() == ir.Add || e.Op() == ir.Sub:
		return !uses(e.Arg(1), v) && stepsBy(e.Arg(0), v)
	}
	return false
}

// leaveSerial records why an update cannot be factored.
func (s *scheduler) leaveSerial(def *program.Definition, err *ir.Error) {
	u := Unfactored{Update: def, Code: NoSchedule, Reason: strings.TrimPrefix(err.Msg, "auto: ")}
	switch a := s.answers[def]; {
	case a == nil:
	case a.Code != "":
		u.Code, u.Reason = a.Code, a.Reason
	case a.Status == rfactor.Staged:
		u.Reason = fmt.Sprintf("it takes a scan before the reduction (%s): %s%s", a.Via(), u.Reason, remarks(a))
	}
	delete(s.answers, def)
	s.serial = append(s.serial, u)
}

// place is a function and the number of an update of it.
type place struct {
	fn    string
	stage int
}

// do applies a directive; its arguments are names and numbers.
func (a *auto) do(at place, name string, args ...any) *program.Directive {
	d := &program.Directive{Func: at.fn, Stage: at.stage, Name: name, Pos: a.n.def.Pos}
	for _, arg := range args {
		switch arg := arg.(type) {
		case string:
			d.Args = append(d.Args, program.Arg{Name: arg, Pos: d.Pos})
		case int:
			d.Args = append(d.Args, program.Arg{Value: a.s.pool.Int(ir.I32, int64(arg)), Pos: d.Pos})
		}
	}
	if name == program.RFactor {
		d.Result = a.s.unused(at.fn + "_intm")
	}
	if a.err == nil {
		a.err = a.s.apply(d)
		a.list = append(a.list, d)
	}
	return d
}

// takeOut factors one loop, and returns the update of the intermediate function.
func (a *auto) takeOut(at place, loop, u string) place {
	return place{a.do(at, program.RFactor, loop, u).Result, 0}
}

// ties reports whether the tie rule makes the operator commute.
func (a *auto) ties(op *operation) bool {
	tied, _ := a.s.tie(a.n, op)
	return tied != nil
}

// name makes a name that the program does not have.
func (a *auto) name(base string) string {
	taken := func(name string) bool {
		v := a.s.pool.Var(ir.Param, name, 0, ir.I32)
		return a.s.isParam(name) ||
			slices.ContainsFunc(a.n.axes, func(x *axis) bool { return x.v.Name() == name }) ||
			slices.Contains(a.target.vars, v) || uses(a.s.all(a.n.def), v)
	}
	base = strings.ReplaceAll(base, ".", "")
	name := base
	for i := 1; taken(name); i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// all is an expression that mentions what a definition mentions.
func (s *scheduler) all(d *program.Definition) ir.Expr {
	return s.pool.Call(ir.I32, "all", 0, append(slices.Clone(d.Args), d.Values...)...)
}

func (n *nest) pureLoops() []*axis {
	var out []*axis
	for _, a := range n.axes {
		if a.pure {
			out = append(out, a)
		}
	}
	return out
}

// sliceBytes is the least number of bytes that a goroutine should have to read.
const sliceBytes = 256 << 10

// mostSlices bounds the partial results of an update whose loop is literal.
const mostSlices = 1 << 16

// isLong reports whether a loop may have more iterations than there should be partial results: neither a literal nor the extents of
// inputs, which lie in memory themselves, say how many.
func (a *auto) isLong(loop *axis) bool {
	if n, ok := literal(loop.span.Extent); ok {
		return n > mostSlices
	}
	return slices.ContainsFunc(ir.Vars(loop.span.Extent), func(v ir.Expr) bool { return v.Kind() == ir.Param })
}

// slice returns the number of iterations of the outermost loop that make a slice. What slices scatter into are copies of all elements,
// which are together no more than a quarter of what a lone loop scatters.
func (a *auto) slice(order []*axis, scatter bool) int {
	grain := a.grain(len(order))
	n, ok := literal(order[0].span.Extent)
	switch {
	case a.s.opts.Grain > 0:
	case ok:
		grain = max(grain, int(n/mostSlices)+1)
	case len(order) > 1 && a.isLong(order[0]):
		grain = 1 << 10
	}
	if scatter && len(order) == 1 {
		size := 4
		for _, d := range a.target.buffer.Dims {
			if n, ok := literal(d.Extent); ok {
				size = int(min(int64(size)*max(n, 1), math.MaxInt32))
			}
		}
		grain = max(grain, size)
	}
	return grain
}

// grain returns the number of iterations that make a slice, of the outermost of some loops.
func (a *auto) grain(loops int) int {
	if g := a.s.opts.Grain; g > 0 {
		return g
	}
	if loops > 1 {
		return 64 // rows: their length is not known
	}
	bytes := 0
	ir.Walk(a.n.def.Values, func(e ir.Expr) {
		if e.Op() == ir.Call && e.NumArgs() > 0 && e.Name() != a.target.buffer.Name {
			bytes += (e.Type().Bits() + 7) / 8
		}
	})
	return sliceBytes / max(bytes, 1)
}

// laneBytes is the width of a vector.
const laneBytes = 64

// lanes returns the number of lanes that a vector of the widest component has.
func (a *auto) lanes() int { return laneBytes / a.elementBytes() }

// elementBytes is the width of the widest component.
func (a *auto) elementBytes() int {
	widest := 8
	for _, t := range a.target.buffer.Types {
		widest = max(widest, t.Bits())
	}
	return widest / 8
}
