package family

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// maxResidues bounds the numbers of a part that residues fits: n numbers have n·(n + 1) cells.
const maxResidues = 3

// fitResidues fits steps (Σ a_j·x_j + b) % k of numbers below a literal k, where that range is given of the state and of inputs: checksums,
// hashes. Unlike family modular it assumes nothing.
//
//	(x0*10 + y0) % 97 given x0 < 97 && y0 < 10   →   a = 10, b = y0
//	(a, b) ∘ (a', b') = (a*a' % 97, (b*a' + b') % 97)
//
// Cells are reduced before they are multiplied, so that nothing wraps where k² has room. A state out of the range is kept: the laws hold
// of all numbers, and only the step relies on the range.
func fitResidues(cx *lift.Context, p *tuple.Part) *lift.Shape {
	n := len(p.Types)
	if n > maxResidues {
		return nil
	}
	for _, t := range p.Types {
		if t != p.Types[0] || !t.IsInt() {
			return nil
		}
	}
	if !contains(p.Values, func(e ir.Expr) bool { return e.Op() == ir.Mod && !e.IsLeaf() }) {
		return nil
	}
	c := congruences{algebra.Ring{Pool: cx.Pool, N: n, Semiring: algebra.PlusTimes}, new(ir.Expr)}
	f := algebra.NewFitting(cx, p, tuple.Indices(n), c)
	var inject, identity []ir.Expr
	for i, e := range p.Values {
		row := f.Element(e)
		if row == nil {
			return nil
		}
		inject, identity = append(inject, row...), append(identity, c.State(i, p.Types[i])...)
	}
	if !c.k.IsValid() {
		return nil
	}
	rows := func(cells []ir.Expr) (out [][]ir.Expr) {
		for i := range n {
			out = append(out, algebra.MapCells(cells[i*(n+1):(i+1)*(n+1)], c.mod))
		}
		return out
	}
	return &lift.Shape{Name: "residues", Inject: inject, Identity: identity,
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			within := cx.Pool.Bool(true)
			for _, e := range x {
				within = fold.And(within, c.within(e))
			}
			out, small := make([]ir.Expr, n), algebra.MapCells(x, c.mod)
			for i, row := range rows(cells) {
				out[i] = fold.Select(within, c.mod(c.Ring.Apply(small, row)), x[i])
			}
			return out
		},
		Compose: func(a, b []ir.Expr) (out []ir.Expr) {
			first := rows(a)
			for _, row := range rows(b) {
				out = append(out, algebra.MapCells(c.Ring.Compose(first, row), c.mod)...)
			}
			return out
		}}
}

// congruences has the linear functions of numbers modulo k, where remainders by k count as what they are of.
type congruences struct {
	algebra.Ring
	k *ir.Expr // of the first remainder that is met
}

func (c congruences) Op(op ir.Op, args []algebra.Term) []ir.Expr {
	if op != ir.Mod {
		return c.Ring.Op(op, args)
	}
	k := args[1].Leaf
	if !k.IsValid() || k.Op() != ir.Const || k.Type().IsSigned() && k.Int() <= 0 || c.k.IsValid() && *c.k != k {
		return nil
	}
	*c.k = k
	return args[0].Cells
}

// mod returns e % k; a remainder as it is.
func (c congruences) mod(e ir.Expr) ir.Expr {
	switch k := *c.k; {
	case e.Op() == ir.Mod && e.Arg(1) == k:
		return e
	case e.Op() == ir.Const:
		return e.Pool().Const(e.Type(), ir.Eval(ir.ModOf(e, k), &ir.Env{}))
	default:
		return ir.ModOf(e, k)
	}
}

// within returns the condition that a number is one of 0 … k−1.
func (c congruences) within(x ir.Expr) ir.Expr {
	below := ir.LtOf(x, *c.k)
	if x.Type().IsSigned() {
		below = ir.AndOf(ir.LeOf(fold.Number(c.Pool, x.Type(), 0), x), below)
	}
	return algebra.Evaluated(below)
}
