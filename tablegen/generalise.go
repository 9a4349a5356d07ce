package tablegen

import (
	"math"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

// maxConstants of an operator.
const maxConstants = 2

// generalise is the operator with its literals and terms over constants replaced by
// constants, equal ones by one, if it stays associative.
func (f *filter) generalise(es []ir.Expr) ([]ir.Expr, bool) {
	by := map[ir.Expr]ir.Expr{}
	changed := false
	var walk func(e ir.Expr) ir.Expr
	walk = func(e ir.Expr) ir.Expr {
		if e.IsInvariant() && e.Type() == f.constant {
			if _, ok := by[e]; !ok {
				by[e] = f.pool.K(len(by), e.Type())
			}
			changed = changed || by[e] != e
			return by[e]
		}
		if e.NumArgs() == 0 {
			return e
		}
		args := make([]ir.Expr, e.NumArgs())
		for i := range args {
			args[i] = walk(e.Arg(i))
		}
		return ir.Rebuild(e, args)
	}
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = walk(e)
	}
	return out, changed && len(by) <= maxConstants && f.associates(out)
}

// associates tries associativity at points of the prover's.
func (f *filter) associates(es []ir.Expr) bool {
	op := prove.Operator{Types: f.types, Exprs: es}
	for _, p := range op.Associativity() {
		if f.points.Refute(p, f.w.allowed) != nil {
			return false
		}
	}
	return true
}

// steps reports whether, for every value of one operand, the operator is a map of the other
// that the matcher lifts without a table: it sets it, keeps it, or clamps it; or whether its
// result always is one of the operands. There is such an operator for every condition, for
// every pair of bounds, and for every order of the values.
func (f *filter) steps(es []ir.Expr) bool {
	return len(es) == 1 && (f.chooses(es[0]) || f.fixes(es[0], f.xs[0], f.ys[0]) || f.fixes(es[0], f.ys[0], f.xs[0]) ||
		f.clamps(es[0], f.xs[0]) || f.clamps(es[0], f.ys[0]))
}

// chooses reports whether e always is x or y.
func (f *filter) chooses(e ir.Expr) bool {
	tape := ir.NewTape(e)
	for _, block := range f.blocks {
		x, y := block[f.xs[0]], block[f.ys[0]]
		for l, v := range f.run(tape, nil, block)[0] {
			if v != x[l] && v != y[l] {
				return false
			}
		}
	}
	return true
}

// clamps reports whether e is max(min(v, hi), lo), where lo and hi are its values at the
// least and the greatest v.
func (f *filter) clamps(e, v ir.Expr) bool {
	t := v.Type()
	if t == ir.Bool {
		return false
	}
	least, most := f.pool.Const(t, t.Min()), f.pool.Const(t, t.Max())
	if t.IsFloat() {
		least, most = f.pool.Float(t, math.Inf(-1)), f.pool.Float(t, math.Inf(1))
	}
	at := func(c ir.Expr) ir.Expr { return ir.Subst(e, []ir.Expr{v}, []ir.Expr{c}) }
	tape := ir.NewTape(e, ir.MaxOf(ir.MinOf(v, at(most)), at(least)))
	for _, block := range f.blocks {
		out := f.run(tape, nil, block)
		for l, a := range out[0] {
			if b := out[1][l]; a != b && !prove.Close(t, f.w.allowed, a, b) {
				return false
			}
		}
	}
	return true
}

// fixes reports whether for every value of one operand the result is the other operand, or
// always the same.
func (f *filter) fixes(e, one, other ir.Expr) bool {
	tape := ir.NewTape(e)
	for _, block := range f.blocks {
		keeps, sets := ^uint64(0), ^uint64(0)
		var first row
		for turn := range 9 {
			env := map[ir.Expr]*row{one: block[one]}
			for v, r := range block {
				turned := *r
				if v == other {
					for l := range turned {
						turned[l] = r[(l+turn*7)%ir.Lanes]
					}
				} else {
					for l := range turned {
						turned[l] = r[5] // constants are constant
					}
				}
				if v != one {
					env[v] = &turned
				}
			}
			out := f.run(tape, env, block)[0]
			if turn == 0 {
				first = *out
			}
			for l, v := range out {
				if v != env[other][l] {
					keeps &^= 1 << l
				}
				if v != first[l] {
					sets &^= 1 << l
				}
			}
			if keeps|sets != ^uint64(0) {
				return false
			}
		}
	}
	return true
}
