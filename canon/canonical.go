package canon

import (
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// maxTidy is the size up to which terms are normalised for printing.
const maxTidy = 500

// tidied returns e with its operands in reading order, a ring term in its normal form where that
// is no longer.
func tidied(e ir.Expr, allowed ir.Assume) ir.Expr {
	if e.NumArgs() == 0 || e.Op() == ir.Call {
		return e
	}
	if isRingOp(e.Op()) && e.Size() < maxTidy {
		if n := poly.Normal(e, allowed); treeCost(n) <= treeCost(e) {
			return n
		}
	}
	return inOrder(e)
}

// Tidy returns e with the operands of each subterm in reading order, and each sum of products that mentions the state in its normal
// form where that is no longer and has no other literals. Spellings that differ in these are one text then. It is exact: sums and
// products of floats are left as they are.
func Tidy(e ir.Expr) ir.Expr {
	known := map[ir.Expr]ir.Expr{}
	var tidy func(e ir.Expr) ir.Expr
	tidy = func(e ir.Expr) ir.Expr {
		if e.NumArgs() == 0 || e.IsLeaf() {
			return e
		}
		out, ok := known[e]
		if !ok {
			args := make([]ir.Expr, e.NumArgs())
			for i := range args {
				args[i] = tidy(e.Arg(i))
			}
			plain := ir.Rebuild(e, args)
			if out = tidied(plain, 0); !hasLiteralsOf(out, plain) {
				out = inOrder(plain)
			}
			known[e] = out
		}
		return out
	}
	return tidy(e)
}

// hasLiteralsOf reports whether all literals of a term are literals of another.
func hasLiteralsOf(e, other ir.Expr) bool {
	literals := func(e ir.Expr) map[ir.Expr]bool {
		out := map[ir.Expr]bool{}
		ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
			if e.Op() == ir.Const {
				out[e] = true
			}
		})
		return out
	}
	of := literals(other)
	for l := range literals(e) {
		if !of[l] {
			return false
		}
	}
	return true
}

// treeCost returns the cost of e as extraction counts it.
func treeCost(e ir.Expr) uint32 {
	cost := uint32(costOf(firstLiteral))
	if n := e.NumArgs(); n > 0 && e.Op() != ir.Call {
		cost = costOf(exprSymbol(e))
	}
	for i := range e.NumArgs() {
		cost += treeCost(e.Arg(i))
	}
	return cost
}
