package read

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/flow"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// Reading is one of the ways to read a loop, which all are right: LLVM's integers have no sign, and narrow ones are promoted.
type Reading struct {
	WithoutSign bool
	Narrow      bool // numbers that fit into 8 or 16 bits have such a type
}

// Loop reads a natural loop as an update. It returns nil for a narrow reading that is not narrower.
func Loop(m *syntax.Module, g *flow.Graph, l *flow.Loop, how Reading) *Result {
	r := newReader(m, how.WithoutSign)
	fr := &frame{f: g.Func, graph: g, loop: l, env: map[string]value{}}
	out := &Result{}
	stopped := func(o *Obstacle) *Result {
		out.Obstacles, out.Integers = append(out.Obstacles, o), r.integers
		return out
	}
	header := g.Func.Blocks[l.Header]
	if l.Inner {
		return stopped(stop(Nested, header.Insts[0], "%s", header.Name))
	}
	state, others, why := r.begin(fr, header)
	if why != nil {
		return stopped(why)
	}
	for _, b := range l.Blocks {
		r.always = r.runsAlways(fr, b)
		if why := r.block(fr, g.Func.Blocks[b]); why != nil {
			return stopped(why)
		}
	}
	if why := r.exits(fr); why != nil {
		return stopped(why)
	}
	for _, phi := range others {
		if v := r.next(fr, phi); v.state || v.bad != nil && (v.bad.Kind == Undefined || v.bad.Kind == Freeze) {
			return stopped(stop(StateType, phi, "%s", phi.Type))
		}
	}
	o := observed{}
	for _, phi := range state {
		v := r.next(fr, phi)
		if !v.isScalar() {
			return stopped(firstBad([]value{v}, phi))
		}
		o.next = append(o.next, v)
	}
	o.seen, o.defined = r.seen(fr, state)
	kept := r.needed(&o)
	if len(kept) == 0 {
		return stopped(stop(NoState, header.Insts[0], "nothing of it is used behind the loop"))
	}
	if !r.finish(fr, out, o, kept, state, how) {
		return nil
	}
	return out
}

// begin makes variables of the phis of the header: the state, and inputs of those that count steps. Others are pointers
// and what else has no type of ours. They are inputs too, as the place of a list's element is, if no step takes them from
// the state; the caller checks that.
func (r *reader) begin(fr *frame, header *syntax.Block) (state, others []*syntax.Inst, why *Obstacle) {
	var counters []*syntax.Inst
	for _, in := range header.Insts {
		if in.Op != "phi" {
			break
		}
		if _, ok := r.scalar(in.Type); r.counts(fr, in) {
			counters = append(counters, in)
		} else if ok {
			state = append(state, in)
		} else {
			others = append(others, in)
		}
	}
	if len(state) == 0 { // a sum of literals is all that it does
		for _, in := range counters {
			if _, ok := r.scalar(in.Type); ok && len(usersOutside(fr)[in.Res]) > 0 {
				state = append(state, in)
			}
		}
		counters = slices.DeleteFunc(counters, func(in *syntax.Inst) bool { return slices.Contains(state, in) })
	}
	switch {
	case len(state) == 0 && len(others) > 0:
		return nil, nil, stop(StateType, others[0], "%s", others[0].Type)
	case len(state) == 0:
		return nil, nil, stop(NoState, header.Insts[0], "")
	case len(state) > ir.MaxState:
		return nil, nil, stop(TooMany, header.Insts[0], "%d", len(state))
	}
	for i, in := range state {
		t, _ := r.scalar(in.Type)
		r.integers = r.integers || t.IsInt()
		fr.env[in.Res] = value{e: r.pool.X(i, t), state: true, poison: set{}.with(i)}
	}
	for _, in := range others {
		fr.env[in.Res] = value{bad: stop(StateType, in, "%s", in.Type)}
	}
	for _, in := range counters {
		v := value{bad: stop(Unread, in, "%s of type %s", in.Res, in.Type)}
		if t, ok := r.scalar(in.Type); ok {
			v = value{e: r.leaf(t, in)}
		}
		fr.env[in.Res] = v
	}
	return state, others, nil
}

// counts reports whether a phi moves by the same in every step, as an index or an address does.
func (r *reader) counts(fr *frame, phi *syntax.Inst) bool {
	if len(fr.loop.Latches) != 1 {
		return false
	}
	v, ok := incoming(fr, phi, fr.loop.Latches[0])
	if !ok || v.Kind != syntax.Local {
		return false
	}
	next := fr.f.Defs[v.Text]
	if next == nil {
		return false
	}
	switch next.Op {
	case "add", "sub":
		return isLocal(next.Args[0], phi.Res) && next.Args[1].Kind == syntax.Int && fr.inLoop(next) ||
			next.Op == "add" && isLocal(next.Args[1], phi.Res) && next.Args[0].Kind == syntax.Int && fr.inLoop(next)
	case "getelementptr":
		return len(next.Args) > 0 && isLocal(next.Args[0], phi.Res) && fr.inLoop(next) &&
			!slices.ContainsFunc(next.Args[1:], func(v syntax.Value) bool { return v.Kind != syntax.Int })
	}
	return false
}

func isLocal(v syntax.Value, name string) bool { return v.Kind == syntax.Local && v.Text == name }

func (fr *frame) inLoop(in *syntax.Inst) bool {
	for _, b := range fr.loop.Blocks {
		if slices.Contains(fr.f.Blocks[b].Insts, in) {
			return true
		}
	}
	return false
}

// incoming is what a phi takes where a block leads to it.
func incoming(fr *frame, phi *syntax.Inst, from int) (syntax.Value, bool) {
	for i, label := range phi.Labels {
		if label == fr.f.Blocks[from].Name {
			return phi.Args[i], true
		}
	}
	return syntax.Value{}, false
}

// runsAlways reports whether every step that is completed runs a block.
func (r *reader) runsAlways(fr *frame, b int) bool {
	return !slices.ContainsFunc(fr.loop.Latches, func(latch int) bool { return !fr.graph.Dominates(b, latch) })
}

// exits checks that inputs alone decide when the loop ends, so that every number of steps is one of the reduction.
func (r *reader) exits(fr *frame) *Obstacle {
	for _, b := range fr.loop.Blocks {
		leaves := slices.ContainsFunc(fr.graph.Succs[b], func(s int) bool { return !fr.loop.Has(s) })
		last := fr.f.Blocks[b].Last()
		if !leaves || len(last.Args) == 0 {
			continue
		}
		reached := r.runsAlways(fr, b) || !r.pathsFrom(fr, fr.loop.Header).to(b).state // whatever the state is
		if v := r.operand(fr, last.Args[0], last); v.state || !reached {
			return stop(StateExit, last, "")
		}
	}
	return nil
}

// next is the value of a phi of the header after a step.
func (r *reader) next(fr *frame, phi *syntax.Inst) value {
	ps := r.pathsFrom(fr, fr.loop.Header)
	var conds []path
	var values []value
	for _, latch := range fr.loop.Latches {
		v, ok := incoming(fr, phi, latch)
		if !ok {
			return value{bad: stop(Unread, phi, "a phi without %s", fr.f.Blocks[latch].Name)}
		}
		r.always = len(fr.loop.Latches) == 1
		conds, values = append(conds, ps.edge(latch, fr.loop.Header)), append(values, r.operand(fr, v, phi))
	}
	return r.gatedBy(phi, conds, values)
}

// needed lists the components that are seen, and those that they depend on.
func (r *reader) needed(o *observed) (kept []int) {
	need := slices.Clone(o.seen)
	for changed := true; changed; {
		changed = false
		for i, v := range o.next {
			for j := range need {
				if need[i] && !need[j] && v.e.States()>>j&1 != 0 {
					need[j], changed = true, true
				}
			}
		}
	}
	for i, ok := range need {
		if ok {
			kept = append(kept, i)
		}
	}
	return kept
}

// finish makes the update of the components that are kept. It reports false for one that is not as narrow as is wanted.
func (r *reader) finish(fr *frame, out *Result, o observed, kept []int, state []*syntax.Inst, how Reading) bool {
	var from, to []ir.Expr
	for n, i := range kept {
		t := o.next[i].e.Type()
		from, to = append(from, r.pool.X(i, t)), append(to, r.pool.X(n, t))
	}
	var given []ir.Expr
	out.Allowed, given = r.allowed(o, kept, fr.f.Attrs)
	out.Named = out.Allowed &^ r.asks
	u := &ir.Update{Pool: r.pool, Source: r.module.Source, Given: given}
	for _, i := range kept {
		e := ir.Subst(o.next[i].e, from, to)
		u.Values, u.Types = append(u.Values, e), append(u.Types, e.Type())
		u.Init = append(u.Init, r.initial(fr, state[i], e.Type()))
		out.State = append(out.State, state[i].Res)
	}
	r.compareSigned(u)
	if narrower := r.narrow(u, !how.Narrow); how.Narrow && !narrower {
		return false
	}
	used := ir.Vars(u.Values...)
	u.Given = slices.DeleteFunc(u.Given, func(g ir.Expr) bool {
		return slices.ContainsFunc(ir.Vars(g), func(v ir.Expr) bool { return !slices.Contains(used, v) })
	})
	out.Update, out.Integers = u, r.integers
	r.renumber(out, used)
	return true
}

// renumber numbers the inputs that are used from 0: y0, y1, … and k0, k1, …
func (r *reader) renumber(out *Result, used []ir.Expr) {
	var from, to []ir.Expr
	leaves, constants := 0, 0
	for _, in := range r.inputs {
		if !slices.Contains(used, in.Var) {
			continue
		}
		from = append(from, in.Var)
		if t := in.Var.Type(); in.Var.Kind() == ir.Param {
			in.Var = r.pool.K(constants, t)
			constants++
		} else {
			in.Var = r.pool.Y(leaves, t)
			leaves++
		}
		to, out.Inputs = append(to, in.Var), append(out.Inputs, in)
	}
	u := out.Update
	for _, list := range [][]ir.Expr{u.Values, u.Given} {
		for i, e := range list {
			list[i] = ir.Subst(e, from, to)
		}
	}
	u.Vars = to
}

// initial is the literal that a component starts with; the zero Expr where it is none.
func (r *reader) initial(fr *frame, phi *syntax.Inst, t ir.Type) (init ir.Expr) {
	for i, label := range phi.Labels {
		b := fr.f.Named[label]
		if b == nil || fr.loop.Has(b.Index) {
			continue
		}
		v := r.constant(phi.Args[i], phi)
		if phi.Args[i].Kind == syntax.Local || phi.Args[i].Kind == syntax.Global || !v.isScalar() || init.IsValid() && init != v.e || v.e.Type() != t {
			return ir.Expr{}
		}
		init = v.e
	}
	return init
}
