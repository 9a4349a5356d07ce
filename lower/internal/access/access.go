// Package access describes how the stages of a plan read and write arrays: which arrays, at
// which coordinates, and how those move with the loops.
//
// Of f() = f() + in(8*u + r) in loops over u and r, the read in(8*u + r) is affine with the
// coefficients 8 and 1, and contiguous in the loop over r.
package access

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Access is a read of an input or of a buffer in a stage, or the element that the stage
// updates.
type Access struct {
	Call      ir.Expr // the read; the zero Expr for the element that is updated
	Array     string
	Component int
	Dims      []Coordinate
}

// Coordinate is one index of an access: Σ Coef[i]·loop i + Rest where it is Affine. Otherwise
// only Index is set.
type Coordinate struct {
	Index  ir.Expr
	Affine bool
	Coef   []ir.Expr // of the stage's loops, outermost first; free of their variables, as Rest is
	Rest   ir.Expr
	Scale  ir.Expr // multiplies Rest, in 64 bits; the zero Expr stands for 1
}

// Reads describes the reads of a stage in the order in which its conditions, its index and
// its values mention them. A read inside the index of another comes before it.
func Reads(s *plan.Stage) []Access {
	var out []Access
	vars := LoopVars(s)
	ir.Walk(stageExprs(s), func(e ir.Expr) {
		if IsRead(e) {
			out = append(out, Access{e, e.Name(), e.Index(), Coordinates(Operands(e), vars)})
		}
	})
	return out
}

// Affine reports whether all coordinates are affine, as those of an access without any are.
func (a *Access) Affine() bool {
	for _, c := range a.Dims {
		if !c.Affine {
			return false
		}
	}
	return true
}

// Contiguous returns the number of the loop that steps through the array element by element: by one in the first dimension, and not
// at all in the others. It is -1 where no loop does.
func (a *Access) Contiguous() int {
	if !a.Affine() || len(a.Dims) == 0 {
		return -1
	}
	for l, c := range a.Dims[0].Coef {
		if c.IsConst(1) && !a.movesBeyondFirst(l) {
			return l
		}
	}
	return -1
}

func (a *Access) movesBeyondFirst(loop int) bool {
	for _, d := range a.Dims[1:] {
		if !d.Coef[loop].IsConst(0) {
			return true
		}
	}
	return false
}

// LoopVars lists the variables of a stage's loops, the outermost first.
func LoopVars(s *plan.Stage) []ir.Expr {
	var vs []ir.Expr
	for _, l := range s.Loops {
		vs = append(vs, l.Var)
	}
	return vs
}

func stageExprs(s *plan.Stage) []ir.Expr {
	var es []ir.Expr
	es = append(es, s.Where...)
	es = append(es, s.Index...)
	return append(es, s.Values...)
}

// IsRead reports whether e reads an array. An extent such as in.width() does not.
func IsRead(e ir.Expr) bool { return e.Op() == ir.Call && !IsExtent(e) }

// AnyRead reports whether some expression reads an array.
func AnyRead(es ...ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || IsRead(e) })
	return found
}

// IsExtent reports whether e is an extent of an input, such as in.width().
func IsExtent(e ir.Expr) bool {
	return e.Op() == ir.Call && e.NumArgs() == 0 && strings.Contains(e.Name(), ".")
}

// Operands lists the operands of e; empty where e has none.
func Operands(e ir.Expr) []ir.Expr {
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = e.Arg(i)
	}
	return args
}

// Coordinates takes each index apart by the variables vars.
func Coordinates(index, vars []ir.Expr) []Coordinate {
	var out []Coordinate
	for _, e := range index {
		c := Coordinate{Index: e}
		c.Coef, c.Rest, c.Affine = affine(e, vars)
		out = append(out, c)
	}
	return out
}

// Mentions reports whether one of vars occurs in e.
func Mentions(e ir.Expr, vars ...ir.Expr) bool {
	found := false
	ir.Walk([]ir.Expr{e}, func(n ir.Expr) { found = found || slices.Contains(vars, n) })
	return found
}
