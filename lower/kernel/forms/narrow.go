package forms

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// NarrowMost is how many steps a part has at most whose components are kept in narrower lanes.
const NarrowMost = 512

// Steps is a kernel of steps alone, from one that changes nothing.
func Steps(state []ir.Type, identity []uint64, to []ir.Expr) *kernel.Kernel {
	return &kernel.Kernel{State: state, Identity: identity, Body: []kernel.Node{kernel.Each{To: to}}}
}

// Narrowed returns a kernel of 64-bit components with 32-bit steps, for parts of a run in which all values fit into 32 bits. It
// returns what the first element of a part makes of the identity, in the kernel's types, and the steps behind that element. ok is
// false where some value of a part may not fit.
func Narrowed(k *kernel.Kernel) (first, to []ir.Expr, ok bool) {
	return serial{k, k.Each()}.narrowed()
}

// narrowed is the steps of components of 64 bits in 32 bits: what the first element of a part makes of a step that changes nothing, which is
// computed as ever, and the steps behind it. It is not ok where some value of a part may not fit.
//
// Components are widened since sums over the whole run may be great; those over a part are not, as bounds of elements show, step by step.
func (k serial) narrowed() (first, to []ir.Expr, ok bool) {
	if k.May.Seen || len(k.Identity) != len(k.State) || slices.Contains(k.Streams, ir.I64) || slices.Contains(k.Streams, ir.U64) {
		return nil, nil, false
	}
	pool := k.To[0].Pool()
	var states, none []ir.Expr
	for i, t := range k.State {
		if t != ir.I64 && t != ir.Bool {
			return nil, nil, false
		}
		states, none = append(states, pool.X(i, t)), append(none, pool.Const(t, k.Identity[i]))
	}
	wide := make([]ir.Expr, len(k.To))
	for i, v := range k.To {
		wide[i] = withoutLimits(v)
		w, fits := in32(wide[i])
		if !fits {
			return nil, nil, false
		}
		first, to = append(first, Decided(ir.Subst(wide[i], states, none))), append(to, w)
	}
	return first, to, fits(first, wide)
}

// fits reports whether all values of a part's steps are numbers of 32 bits behind the first, whose values are given.
func fits(first, to []ir.Expr) bool {
	at := make([]interval.Interval, len(first))
	for i, v := range first {
		at[i] = interval.Of(v, nil)
	}
	var terms []ir.Expr // operands come first
	ir.Walk(to, func(e ir.Expr) { terms = append(terms, e) })
	bounds := map[ir.Expr]interval.Interval{}
	for range NarrowMost {
		clear(bounds)
		known := func(e ir.Expr) (interval.Interval, bool) { r, ok := bounds[e]; return r, ok }
		for _, e := range terms {
			op, i, _ := kernel.Operand(e)
			r := interval.Interval{}
			if op == kernel.State {
				r = at[i]
			} else {
				r = interval.Of(e, known)
			}
			if e.Type() == ir.I64 && (r.Lo < math.MinInt32 || r.Hi > math.MaxInt32) {
				return false
			}
			bounds[e] = r
		}
		grown := false
		for i, v := range to {
			r := interval.Union(at[i], bounds[v])
			grown = grown || r != at[i]
			at[i] = r
		}
		if !grown {
			return true
		}
	}
	return true
}

// in32 is an expression whose terms of 64 bits are of 32; ok is false where there is none.
func in32(e ir.Expr) (out ir.Expr, ok bool) {
	ok = true
	done := map[ir.Expr]ir.Expr{}
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		if !ok {
			return
		}
		args, changed := make([]ir.Expr, e.NumArgs()), false
		for i := range args {
			args[i] = done[e.Arg(i)]
			changed = changed || args[i] != e.Arg(i)
		}
		wide := e.Type() == ir.I64
		switch op, i, _ := kernel.Operand(e); {
		case wide && op == kernel.State:
			done[e] = e.Pool().X(i, ir.I32)
		case wide && e.IsClosed():
			x := int64(ir.Eval(e, &ir.Env{}))
			ok = int64(int32(x)) == x
			done[e] = e.Pool().Int(ir.I32, int64(int32(x)))
		case wide && e.Op() == ir.Cast:
			from := args[0].Type()
			ok = from == ir.Bool || from == ir.I32 || from.IsInt() && from.Bits() < 32
			done[e] = ir.CastTo(ir.I32, args[0])
		case len(args) == 0:
			ok, done[e] = !wide, e
		case wide && e.Op() == ir.Select || wide && slices.Contains([]ir.Op{ir.Add, ir.Sub, ir.Neg, ir.Mul, ir.Min, ir.Max, ir.Abs}, e.Op()), changed && e.Op().IsComparison():
			done[e] = ir.Make(e.Op(), args...)
		case wide || changed && slices.ContainsFunc(args, func(a ir.Expr) bool { return a.Type() == ir.I32 }) && e.Type() != ir.Bool:
			ok = false
		default:
			done[e] = ir.Rebuild(e, args)
		}
	})
	return done[e], ok
}
