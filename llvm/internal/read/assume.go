package read

import (
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// A flag such as nsw makes a result poison where the promise is broken, and poison matters only where it is observed. An
// assumption of package ir says more: that the promise is never broken. It is granted where a breach makes all that is
// observed of the loop poison, or ends the program:
//
//	%t = add nsw i32 %s, %a      %s' = %t                      →   nsw: an overflow stays in %s for good
//	%t = add nsw i32 %s, %a      %s' = select %p, %t, %s       →   nothing: where %p is false nobody looks at %t
//
// Poison is followed through operations that are strict, through conditions of selects, and where both arms of a select have it.

// source is an instruction that may make poison, with what it then breaks. The first ir.MaxState sources are the
// components of the state.
type source struct {
	signed   []ir.Expr // terms that overflow as signed numbers
	unsigned []ir.Expr
	nan, inf []ir.Expr // terms that are NaN, infinite
	given    []ir.Expr // conditions that do not hold
}

// floatFlags are the flags of instructions on floats that speak of results, and of NaN and infinities.
type floatFlags struct{ reassoc, nan, inf, zero, approx bool }

func flagsOf(in *syntax.Inst) floatFlags {
	f, fast := in.Flags, in.Flags["fast"]
	return floatFlags{f["reassoc"] || fast, f["nnan"] || fast, f["ninf"] || fast, f["nsz"] || fast, f["afn"] || fast}
}

// note keeps the flags of a term of floats: those that all instructions have which compute it.
func (r *reader) note(e ir.Expr, f floatFlags) {
	if old, ok := r.flags[e]; ok {
		f = floatFlags{f.reassoc && old.reassoc, f.nan && old.nan, f.inf && old.inf, f.zero && old.zero, f.approx && old.approx}
	}
	r.flags[e] = f
}

// flagged adds what the flags of an instruction promise.
func (r *reader) flagged(in *syntax.Inst, v value, args []value) value {
	f := flagsOf(in)
	if v.e.Type() == ir.Bool && len(args) > 0 && args[0].e.Type().IsFloat() {
		if !f.nan {
			r.asks |= ir.NNaN
		}
		if !f.inf {
			r.asks |= ir.NInf
		}
	}
	if v.e.Op() == ir.Var || v.e.Op() == ir.Const {
		return v
	}
	var s source
	if v.e.Type().IsFloat() {
		r.note(v.e, f)
	}
	terms := []ir.Expr{v.e}
	for _, a := range args {
		terms = append(terms, a.e)
	}
	if strings.HasPrefix(in.Callee, "@llvm.fmuladd.") && f.nan { // a product that is no number makes a sum that is none
		terms = append(terms, v.e.Arg(0))
	}
	if f.nan {
		s.nan = floats(terms)
	}
	if f.inf {
		s.inf = floats(terms)
	}
	if in.Flags["nsw"] || in.Op == "call" && v.e.Op() == ir.Abs && len(args) == 2 && args[1].e.IsConst(1) {
		s.signed = []ir.Expr{v.e}
	}
	if in.Flags["nuw"] {
		s.unsigned = []ir.Expr{v.e}
	}
	return r.from(s, v)
}

func floats(es []ir.Expr) (out []ir.Expr) {
	for _, e := range es {
		if e.Type().IsFloat() {
			out = append(out, e)
		}
	}
	return out
}

// maxSources bounds the instructions whose promises are followed.
const maxSources = 2048

// from makes a value poison where the promises of a source are broken.
func (r *reader) from(s source, v value) value {
	if len(s.signed)+len(s.unsigned)+len(s.nan)+len(s.inf)+len(s.given) == 0 || len(r.sources) == maxSources || !r.always {
		return v // of what does not run in every step nobody promises anything
	}
	v.poison = v.poison.with(len(r.sources))
	r.sources = append(r.sources, s)
	return v
}

// ranged adds what !range says of a value that was loaded.
func (r *reader) ranged(in *syntax.Inst, v value) value {
	lo, hi, ok := r.module.Range(in.Meta["!range"])
	if !ok || !v.isScalar() || !v.e.Type().IsInt() {
		return v
	}
	t := v.e.Type()
	l, h := r.pool.Const(t, lo), r.pool.Const(t, hi)
	inside := ir.Eval(ir.LtOf(l, h), nil) != 0 // else it is a range that wraps
	if !inside {
		return v
	}
	s := source{given: []ir.Expr{ir.LeOf(l, v.e), ir.LtOf(v.e, h)}}
	if in.Meta["!noundef"] != "" && r.always {
		r.ub = r.ub.with(len(r.sources))
	}
	return r.from(s, v)
}

// observed says what outsiders see of a state.
type observed struct {
	next    []value // of each component
	seen    []bool  // by component: its last value is used
	defined []bool  // by component: that use ends the program where it is poison
	right   int     // of operators: by how much the numbers of a second operand's components are higher; else 0
}

// allowed returns the assumptions that flags grant to an update, and what is given of its inputs.
func (r *reader) allowed(o observed, kept []int, attrs map[string]bool) (a ir.Assume, given []ir.Expr) {
	granted := struct{ signed, unsigned, nan, inf map[ir.Expr]bool }{map[ir.Expr]bool{}, map[ir.Expr]bool{}, map[ir.Expr]bool{}, map[ir.Expr]bool{}}
	for i := ir.MaxState; i < len(r.sources); i++ {
		if !r.isObserved(i, o) {
			continue
		}
		s := r.sources[i]
		for to, es := range map[*map[ir.Expr]bool][]ir.Expr{&granted.signed: s.signed, &granted.unsigned: s.unsigned, &granted.nan: s.nan, &granted.inf: s.inf} {
			for _, e := range es {
				(*to)[e] = true
			}
		}
		given = append(given, s.given...)
	}
	var es []ir.Expr
	for _, i := range kept {
		es = append(es, o.next[i].e)
	}
	all := map[ir.Assume]int{} // 1 where some term speaks of it and all agree, −1 where one does not
	agree := func(of ir.Assume, ok bool) {
		if !ok {
			all[of] = -1
		} else if all[of] == 0 {
			all[of] = 1
		}
	}
	ir.Walk(es, func(e ir.Expr) {
		t := e.Type()
		switch {
		case t.IsFloat():
			r.agreeFloat(e, attrs, agree)
			agree(ir.NNaN, attrs["no-nans-fp-math"] || follows(e, granted.nan))
			agree(ir.NInf, attrs["no-infs-fp-math"] || follows(e, granted.inf))
		case t.IsSigned() && e.Op().MayOverflow():
			agree(ir.NSW, granted.signed[e])
		case t.IsUnsigned() && e.Op().MayOverflow():
			agree(ir.NUW, granted.unsigned[e])
		}
	})
	for of, n := range all {
		if n > 0 {
			a |= of
		}
	}
	return a, given
}

// follows reports whether a term of floats is one of those that are granted, or is made of these without arithmetic.
func follows(e ir.Expr, granted map[ir.Expr]bool) bool {
	if known, ok := granted[e]; ok { // operands come first, so that they are known
		return known
	}
	switch e.Op() {
	case ir.Const:
		granted[e] = true
	case ir.Select:
		granted[e] = follows(e.Arg(1), granted) && follows(e.Arg(2), granted)
	case ir.Max, ir.Min:
		granted[e] = follows(e.Arg(0), granted) && follows(e.Arg(1), granted)
	case ir.Neg, ir.Abs:
		granted[e] = follows(e.Arg(0), granted)
	default:
		granted[e] = false
	}
	return granted[e]
}

// agreeFloat compares what is granted with the flags of one term: those of arithmetic allow other orders, and those of all that
// gives a float allow another sign of zero.
func (r *reader) agreeFloat(e ir.Expr, attrs map[string]bool, agree func(ir.Assume, bool)) {
	f := r.flags[e]
	switch e.Op() {
	case ir.Const, ir.Var:
		return
	case ir.Add, ir.Sub, ir.Mul, ir.Div:
		agree(ir.Reassoc, f.reassoc)
	case ir.Exp, ir.Log, ir.Sqrt, ir.Log1p:
		agree(ir.AFN, f.approx)
	}
	if e.Op() != ir.Cast {
		agree(ir.NSZ, f.zero || attrs["no-signed-zeros-fp-math"])
	}
}

// isObserved reports whether a breach of a source's promise ends the program, or makes all poison that is seen: right after the
// step, and after as many more as there may be.
func (r *reader) isObserved(i int, o observed) bool {
	if r.ub.has(i) {
		return true
	}
	now := set{}
	for c, v := range o.next {
		if v.poison.has(i) {
			now = now.with(c)
		}
	}
	for range len(o.next) + 1 {
		if !o.isSeen(now) {
			return false
		}
		if r.ub.meets(now) {
			return true
		}
		after := set{}
		for c, v := range o.next {
			if v.poison.meets(now) && (o.right == 0 || v.poison.meets(now.shifted(o.right))) {
				after = after.with(c)
			}
		}
		now = after
	}
	return true
}

// isSeen reports whether poison in some components shows: in all that are seen, or in one whose use ends the program.
func (o observed) isSeen(now set) bool {
	all, any := true, false
	for c := range o.next {
		if o.seen[c] {
			all = all && now.has(c)
			any = true
		}
		if o.defined[c] && now.has(c) {
			return true
		}
	}
	return all && any
}
