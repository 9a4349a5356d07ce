package forms

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// NarrowMost is how many steps a part has at most whose components are kept in narrower lanes.
const NarrowMost = 512

func (k serial) narrowed(as ir.Type, steps int) (first, to []ir.Expr, ok bool) {
	if k.May.Seen || len(k.Identity) != len(k.State) || slices.Contains(k.Streams, ir.I64) || slices.Contains(k.Streams, ir.U64) {
		return nil, nil, false
	}
	pool, n := k.To[0].Pool(), narrowing{as}
	if !slices.ContainsFunc(k.State, func(t ir.Type) bool { return n.wide(t) || n.held(t) }) {
		return nil, nil, false
	}
	var states, none []ir.Expr
	widest := ir.I16.Bits() // since lanes of parts have no fewer
	for i, t := range k.State {
		widest = max(widest, t.Bits())
		if !n.wide(t) && !n.held(t) && t != ir.Bool && t.Bits() != as.Bits() {
			return nil, nil, false
		}
		states, none = append(states, pool.X(i, t)), append(none, pool.Const(t, k.Identity[i]))
	}
	if widest < as.Bits() {
		return nil, nil, false
	}
	wide := make([]ir.Expr, len(k.To))
	for i, v := range k.To {
		wide[i] = withoutLimits(v)
		first = append(first, canon.Decided(ir.Subst(wide[i], states, none)))
	}
	terms := operations(wide)
	narrow := map[ir.Expr]ir.Expr{}
	for _, e := range terms {
		if narrow[e], ok = n.term(e, narrow); !ok {
			return nil, nil, false
		}
	}
	for i, v := range wide {
		v = narrow[v]
		if n.held(k.State[i]) {
			v = n.number(v)
		}
		to = append(to, v)
	}
	return first, to, n.fits(first, wide, terms, steps)
}

// narrowing makes terms of wider signed integers ones of a narrower type, and holds components of narrower types in it, so that all lanes are
// equally wide.
type narrowing struct{ as ir.Type }

// held reports whether numbers of a type are held in a wider one.
func (n narrowing) held(t ir.Type) bool { return t.IsInt() && t.Bits() < n.as.Bits() }

// number is a term of a held type as one of the type that it is held in.
func (n narrowing) number(e ir.Expr) ir.Expr {
	switch {
	case e.Type() == n.as:
		return e
	case e.IsClosed():
		return e.Pool().Int(n.as, int64(ir.Apply1(ir.Cast, e.Type(), n.as, ir.Eval(e, &ir.Env{}))))
	case e.Op() == ir.Cast && e.Arg(0).Type() == n.as:
		return n.wrapped(e.Arg(0), e.Type())
	}
	return ir.CastTo(n.as, e)
}

// wrapped is a number as one of a held type, which wraps.
func (n narrowing) wrapped(e ir.Expr, t ir.Type) ir.Expr {
	least, most := int64(t.Min()), int64(t.Max())
	switch r := interval.Of(e, nil); {
	case r.Lo >= least && r.Hi <= most:
		return e
	case least == 0:
		return ir.Make(ir.BitAnd, e, e.Pool().Int(n.as, most))
	}
	return ir.CastTo(n.as, ir.CastTo(t, e))
}

// operations lists the terms that values are computed of, operands first, and reads without their places.
func operations(values []ir.Expr) (terms []ir.Expr) {
	seen := map[ir.Expr]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		if e.Op() != ir.Call {
			for i := range e.NumArgs() {
				visit(e.Arg(i))
			}
		}
		terms = append(terms, e)
	}
	for _, v := range values {
		visit(v)
	}
	return terms
}

// wide reports whether terms of a type are narrowed.
func (n narrowing) wide(t ir.Type) bool { return t.IsSigned() && t.Bits() > n.as.Bits() }

// fits reports whether all values of so many steps are numbers of the narrower type behind the first, whose values are given.
func (n narrowing) fits(first, to, terms []ir.Expr, steps int) bool {
	least, most := int64(n.as.Min()), int64(n.as.Max())
	at := make([]interval.Interval, len(first))
	outside := func(t ir.Type, r interval.Interval) bool { return n.wide(t) && (r.Lo < least || r.Hi > most) }
	for i, v := range first {
		if at[i] = interval.Of(v, nil); outside(v.Type(), at[i]) {
			return false
		}
	}
	bounds := map[ir.Expr]interval.Interval{}
	for range steps {
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
			if outside(e.Type(), r) {
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

// term is a term whose operands are narrow; ok is false where there is none.
func (n narrowing) term(e ir.Expr, narrow map[ir.Expr]ir.Expr) (out ir.Expr, ok bool) {
	if e.Op() == ir.Call {
		return e, !n.wide(e.Type())
	}
	args, alike := make([]ir.Expr, e.NumArgs()), true
	for i := range args {
		args[i] = narrow[e.Arg(i)]
		alike = alike && args[i].Type() == e.Arg(i).Type()
	}
	wide, pool := n.wide(e.Type()), e.Pool()
	switch op, i, _ := kernel.Operand(e); {
	case (wide || n.held(e.Type())) && op == kernel.State:
		return pool.X(i, n.as), true
	case wide && e.IsClosed():
		x := int64(ir.Eval(e, &ir.Env{}))
		return pool.Int(n.as, x), n.as.Wrap(uint64(x)) == uint64(x)
	case len(args) == 0:
		return e, !wide
	case alike && !wide:
		return ir.Rebuild(e, args), true
	case e.Op() == ir.Cast:
		return n.cast(e, args[0])
	case wide && e.Op() != ir.Select && !slices.Contains([]ir.Op{ir.Add, ir.Sub, ir.Neg, ir.Mul, ir.Min, ir.Max, ir.Abs}, e.Op()):
		return e, false
	case wide:
		return ir.Make(e.Op(), args...), true
	}
	return n.onNumbers(e, args)
}

// cast is a cast of a term that is narrow.
func (n narrowing) cast(e, arg ir.Expr) (out ir.Expr, ok bool) {
	from := arg.Type()
	switch to := e.Type(); {
	case n.wide(to):
		return ir.CastTo(n.as, arg), from == ir.Bool || from == n.as || from.IsInt() && from.Bits() < n.as.Bits()
	case n.held(to):
		return n.wrapped(arg, to), from == n.as
	case to == n.as || to.IsFloat():
		return ir.CastTo(to, arg), true
	}
	return e, false
}

// onNumbers is a term of a held type, or a comparison, whose operands are made numbers of one type.
func (n narrowing) onNumbers(e ir.Expr, args []ir.Expr) (out ir.Expr, ok bool) {
	for i, a := range args {
		if t := a.Type(); t != ir.Bool && t != n.as {
			if !n.held(t) {
				return e, false
			}
			args[i] = n.number(a)
		}
	}
	switch out = ir.Make(e.Op(), args...); {
	case e.Op().IsComparison(), slices.Contains([]ir.Op{ir.Select, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor}, e.Op()):
		return out, true
	case slices.Contains([]ir.Op{ir.Add, ir.Sub, ir.Mul}, e.Op()):
		return n.wrapped(out, e.Type()), true
	}
	return e, false
}
