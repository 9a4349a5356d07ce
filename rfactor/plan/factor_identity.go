package plan

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
)

// Slices of wider parameters start from a step that changes no state of the serial loop.
//
//	max(x + p0, p1) on i32   →   p0 = 0, p1 = -2^32
//
// The state that they act on is one of the
// serial loop, in the range of its type, so that 2^32 is as good as ∞ and −2^32 as −∞: of the
// step max(x + p0, p1), p0 = 0 and p1 = −2^32 change no such x. apply(apply(x, e), p) =
// apply(x, e ∘ p) then makes a slice that starts from e what it is without; elements and
// slices are bounded so that nothing overflows.

// wideEnd is beyond every difference of two values of 32 bits.
const wideEnd = 1 << 32

// maxStart bounds the parameters for which a start is searched.
const maxStart = 7

// start is parameters of a step that changes no state of the given types; nil where none is
// found. The action is in wider types. Zeros are looked for first, which narrower lanes hold as well.
func (w *widened) start(types []ir.Type) []ir.Expr {
	if len(w.types) > maxStart {
		return nil
	}
	if e := w.startOf(types, 0); e != nil {
		return e
	}
	return w.startOf(types, 0, -wideEnd, wideEnd)
}

// startOf is such parameters of which the integers are among some numbers.
func (w *widened) startOf(types []ir.Type, numbers ...int64) []ir.Expr {
	p := w.exprs[0].Pool()
	states, _ := p.Operands(w.states)
	_, y := p.Operands(w.types)
	known := map[ir.Expr]interval.Interval{}
	for i, x := range states {
		known[x] = interval.Whole(types[i])
	}
	choices := make([][]ir.Expr, len(y))
	for i, t := range w.types {
		switch t {
		case ir.I64:
			for _, n := range numbers {
				choices[i] = append(choices[i], p.Int(t, n))
			}
		case ir.Bool:
			choices[i] = []ir.Expr{p.Bool(true), p.Bool(false)}
		default:
			return nil
		}
	}
	e := make([]ir.Expr, len(y))
	var try func(i int) bool
	try = func(i int) bool {
		if i < len(e) {
			for _, c := range choices[i] {
				if e[i] = c; try(i + 1) {
					return true
				}
			}
			return false
		}
		for c, f := range w.action {
			if s, _, _ := decide(substAll([]ir.Expr{f}, y, e)[0], known); s != states[c] {
				return false
			}
		}
		return true
	}
	if !try(0) {
		return nil
	}
	return e
}

// decide simplifies e where the known ranges of variables decide comparisons, and answers
// its range, if it has one. What it adds stays far below 2^63.
func decide(e ir.Expr, known map[ir.Expr]interval.Interval) (_ ir.Expr, r interval.Interval, ok bool) {
	if r, ok := known[e]; ok {
		return e, r, true
	}
	p := e.Pool()
	var args []ir.Expr
	var of []interval.Interval
	all := e.Type() == ir.I64 || e.Type() == ir.Bool
	for i := range e.NumArgs() {
		a, r, ok := decide(e.Arg(i), known)
		args, of, all = append(args, a), append(of, r), all && ok
	}
	switch op := e.Op(); {
	case op == ir.Const && all:
		v := e.Int()
		return e, interval.Interval{Lo: v, Hi: v}, -1<<40 < v && v < 1<<40
	case op == ir.Select && args[0].IsConst(1):
		return args[1], of[1], all
	case op == ir.Select && args[0].IsConst(0):
		return args[2], of[2], all
	case op == ir.And && args[0].IsConst(1), op == ir.Or && args[0].IsConst(0):
		return args[1], of[1], all
	case op == ir.And && args[1].IsConst(1), op == ir.Or && args[1].IsConst(0):
		return args[0], of[0], all
	case op == ir.And && (args[0].IsConst(0) || args[1].IsConst(0)):
		return p.Bool(false), interval.Interval{}, true
	case op == ir.Or && (args[0].IsConst(1) || args[1].IsConst(1)):
		return p.Bool(true), interval.Interval{Lo: 1, Hi: 1}, true
	case !all:
	case op == ir.Not && args[0].Op() == ir.Const:
		v := args[0].IsConst(0)
		return p.Bool(v), interval.Interval{Lo: 1 - of[0].Lo, Hi: 1 - of[0].Lo}, true
	case op == ir.Neg:
		return ir.Make(op, args...), interval.Interval{Lo: -of[0].Hi, Hi: -of[0].Lo}, true
	case op == ir.Add && args[0].IsConst(0):
		return args[1], of[1], true
	case (op == ir.Add || op == ir.Sub) && args[1].IsConst(0):
		return args[0], of[0], true
	case op == ir.Add:
		return ir.Make(op, args...), interval.Interval{Lo: of[0].Lo + of[1].Lo, Hi: of[0].Hi + of[1].Hi}, true
	case op == ir.Sub:
		return ir.Make(op, args...), interval.Interval{Lo: of[0].Lo - of[1].Hi, Hi: of[0].Hi - of[1].Lo}, true
	case op == ir.Max && of[0].Lo >= of[1].Hi, op == ir.Min && of[0].Hi <= of[1].Lo:
		return args[0], of[0], true
	case op == ir.Max && of[1].Lo >= of[0].Hi, op == ir.Min && of[1].Hi <= of[0].Lo:
		return args[1], of[1], true
	case op == ir.Max:
		return ir.Make(op, args...), interval.Interval{Lo: max(of[0].Lo, of[1].Lo), Hi: max(of[0].Hi, of[1].Hi)}, true
	case op == ir.Min:
		return ir.Make(op, args...), interval.Interval{Lo: min(of[0].Lo, of[1].Lo), Hi: min(of[0].Hi, of[1].Hi)}, true
	case op == ir.Le && of[0].Hi <= of[1].Lo, op == ir.Ge && of[0].Lo >= of[1].Hi,
		op == ir.Lt && of[0].Hi < of[1].Lo, op == ir.Gt && of[0].Lo > of[1].Hi:
		return p.Bool(true), interval.Interval{Lo: 1, Hi: 1}, true
	case op == ir.Le && of[0].Lo > of[1].Hi, op == ir.Ge && of[0].Hi < of[1].Lo,
		op == ir.Lt && of[0].Lo >= of[1].Hi, op == ir.Gt && of[0].Hi <= of[1].Lo:
		return p.Bool(false), interval.Interval{}, true
	}
	return ir.Rebuild(e, args), interval.Interval{}, false
}
