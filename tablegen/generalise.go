package tablegen

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
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
	op := proof.Operator{Types: f.types, Exprs: es}
	for _, p := range op.Associativity() {
		if f.points.Refute(p, f.w.allowed) != nil {
			return false
		}
	}
	return true
}

// steps reports whether the operator is one of a family for which the matcher needs no
// entries: for every value of one operand it is a map of the other that sets it, keeps it, or
// clamps it; or what it answers always are values of the operands, or constants. There is
// such an operator for every condition, for every pair of bounds, and for every order.
func (f *filter) steps(es []ir.Expr) bool {
	if f.chooses(es) {
		return true
	}
	return len(es) == 1 && (f.fixes(es[0], f.xs[0], f.ys[0]) || f.fixes(es[0], f.ys[0], f.xs[0]) ||
		f.clamps(es[0], f.xs[0]) || f.clamps(es[0], f.ys[0]))
}

// chooses reports whether each component, a number, always is one of the operands'
// components or constants.
func (f *filter) chooses(es []ir.Expr) bool {
	if slices.Contains(f.types, ir.Bool) {
		return false
	}
	terms := slices.Concat(es, f.xs, f.ys)
	for i := range maxConstants {
		terms = append(terms, f.pool.K(i, f.constant))
	}
	code := tape.New(terms...)
	for _, block := range f.blocks {
		out := f.run(code, nil, block)
		for _, r := range out[:len(es)] {
			for l, v := range r {
				if !slices.ContainsFunc(out[len(es):], func(r *row) bool { return r[l] == v }) {
					return false
				}
			}
		}
	}
	return true
}

// bounds reports whether the operator's result always lies between the operands, as
// max(y, min(x, e)) does for every e; or whether each component of a tuple is, for every value
// of all else, a clamp of its own part of one operand. There is such an operator for all
// functions that may bound it.
func (f *filter) bounds(es []ir.Expr) bool {
	if slices.Contains(f.types, ir.Bool) {
		return false
	}
	if len(es) == 1 {
		x, y := f.xs[0], f.ys[0]
		return f.same(es[0], ir.MaxOf(ir.MinOf(es[0], ir.MaxOf(x, y)), ir.MinOf(x, y)))
	}
	for i, e := range es {
		if !f.clamps(e, f.xs[i]) && !f.clamps(e, f.ys[i]) {
			return false
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
	return f.same(e, ir.MaxOf(ir.MinOf(v, at(most)), at(least)))
}

// same compares two expressions at the filter's points.
func (f *filter) same(a, b ir.Expr) bool {
	code := tape.New(a, b)
	for _, block := range f.blocks {
		out := f.run(code, nil, block)
		for l, v := range out[0] {
			if w := out[1][l]; v != w && !testpoint.Close(a.Type(), f.w.allowed, v, w) {
				return false
			}
		}
	}
	return true
}

// fixes reports whether for every value of one operand the result is the other operand, or
// always the same.
func (f *filter) fixes(e, one, other ir.Expr) bool {
	code := tape.New(e)
	for _, block := range f.blocks {
		keeps, sets := ^uint64(0), ^uint64(0)
		var first row
		for turn := range 9 {
			env := map[ir.Expr]*row{one: block[one]}
			for v, r := range block {
				turned := *r
				if v == other {
					for l := range turned {
						turned[l] = r[(l+turn*7)%tape.Lanes]
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
			out := f.run(code, env, block)[0]
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
