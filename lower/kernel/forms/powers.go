package forms

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// powers makes lanes of components that are linear with literals. Of floats that are regrouped a run that is not finite in lanes is left to steps.
func powers(k serial) (*kernel.Kernel, string) {
	if len(k.Where) > 0 || k.May.Seen || k.UsesPlace() {
		return nil, ""
	}
	p := kernel.Powers{Advance: k.steady()}
	comps := slices.DeleteFunc(kernel.Below(len(k.To)), func(i int) bool { return slices.Contains(p.Advance.Comps, i) })
	parts, ok := kernel.LinearOf(k.To, comps)
	if !ok || !slices.ContainsFunc(parts, func(l kernel.Linear) bool { return l.Step.Moves() }) {
		return nil, ""
	}
	for _, l := range parts {
		for i, y := range l.Y {
			if !y.IsValid() {
				if len(l.Y) == 1 {
					return nil, ""
				}
				continue
			}
			if l.Y[i], ok = widened(y, kernel.LaneWord(y.Type())); !ok {
				return nil, differ
			}
		}
	}
	p.For = parts
	of := k.State[comps[0]]
	if of.IsFloat() && !k.May.Regroup {
		return nil, "sums of floats are not regrouped"
	}
	if slices.ContainsFunc(p.For, func(l kernel.Linear) bool { return k.State[l.Comps[0]] != of }) {
		return nil, differ
	}
	bits, elem := of.Bits(), k.Streams[0].Bits()
	if elem > bits || slices.ContainsFunc(k.Streams, func(t ir.Type) bool { return !kernel.HasVectors(t) || t.Bits() != elem || elem < bits && t.IsFloat() }) {
		return nil, ""
	}
	out := k.NewKernel()
	out.About, out.Least = ": lanes take elements by turns, and powers of a step keep them apart", 1
	out.Body = []kernel.Node{p, kernel.Rest{}}
	if v, why := p.Expand(out, kernel.Archsimd.Bits); v == nil {
		return nil, why
	}
	return out, ""
}

// steady is the components that no element changes, and that compose with one another alone.
func (k serial) steady() (a kernel.Advance) {
	if len(k.Operator) != len(k.State) || len(k.Identity) != len(k.State) {
		return a
	}
	pool := k.To[0].Pool()
	var states, none []ir.Expr
	for i, same := range k.Same(k.To) {
		if same && (k.May.Regroup || !k.State[i].IsFloat()) {
			a.Comps = append(a.Comps, i)
		}
		states, none = append(states, pool.X(i, k.State[i])), append(none, pool.Const(k.State[i], k.Identity[i]))
	}
	for before := -1; before != len(a.Comps); {
		before = len(a.Comps)
		a.Comps = slices.DeleteFunc(slices.Clone(a.Comps), func(i int) bool { return !k.composes(i, a.Comps) })
	}
	for _, i := range a.Comps {
		a.Step = append(a.Step, ir.Eval(ir.Subst(k.To[i], states, none), &ir.Env{}))
		a.Join = append(a.Join, k.Operator[i])
	}
	return a
}

// composes reports whether a component's steps are of some components alone, and compose whatever overflows.
func (k serial) composes(i int, of []int) bool {
	ok := true
	ir.Walk([]ir.Expr{k.Operator[i], k.To[i]}, func(e ir.Expr) {
		op, c, leaf := kernel.Operand(e)
		switch {
		case leaf:
			ok = ok && (op == kernel.State || op == kernel.Right) && slices.Contains(of, c)
		case e.IsClosed() || k.May.Wrap:
		default:
			ok = ok && slices.Contains([]ir.Op{ir.Add, ir.Mul, ir.BitAnd, ir.BitXor, ir.BitOr}, e.Op())
		}
	})
	return ok
}

// widened is an expression whose narrow elements are those of a wider type: where they are compared, and where they become that type.
func widened(e ir.Expr, word ir.Type) (out ir.Expr, ok bool) {
	ok = true
	done := map[ir.Expr]ir.Expr{}
	narrow := func(e ir.Expr) bool { return e.Type().IsInt() && e.Type().Bits() < word.Bits() }
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		args := make([]ir.Expr, e.NumArgs())
		changed := false
		for i := range args {
			args[i] = done[e.Arg(i)]
			changed = changed || args[i].Type() != e.Arg(i).Type()
		}
		op, stream, _ := kernel.Operand(e)
		switch {
		case narrow(e) && op == kernel.Load:
			done[e] = kernel.Elem(e.Pool(), stream, word)
		case narrow(e) && e.IsClosed():
			done[e] = e.Pool().Int(word, int64(ir.Eval(e, &ir.Env{})))
		case narrow(e) && e.Op() == ir.Select:
			done[e] = ir.SelectOf(args[0], args[1], args[2])
		case narrow(e) && (e.Op() == ir.Min || e.Op() == ir.Max):
			done[e] = ir.Make(e.Op(), args...)
		case narrow(e):
			ok = false
			done[e] = e.Pool().Int(word, 0)
		case changed && e.Op().IsComparison():
			done[e] = ir.Make(e.Op(), args...)
		case changed && e.Op() == ir.Cast:
			done[e] = ir.CastTo(e.Type(), args[0])
		case changed:
			ok = false
			done[e] = e
		case len(args) == 0:
			done[e] = e
		default:
			done[e] = ir.Rebuild(e, args)
		}
	})
	return done[e], ok
}
