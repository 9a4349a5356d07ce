package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// maxProjective bounds the numbers that are divided by one sum.
const maxProjective = 2

// fitProjective fits steps that divide affine functions of several real numbers by one such function: a
// Kalman filter of one number and its variance, elimination in a tridiagonal system.
//
//	y1/(y0 - x0); (y2 - x1)/(y0 - x0)   →   the rows (0 0 y1), (0 -1 y2), (-1 0 y0)
//	p ∘ q = the product of the matrices q and p
//
// The cells are the rows of a matrix that acts on (x0, x1, 1), of which the last one gives the
// denominator. One number is left to family fraction. The laws need what those of fraction need.
func fitProjective(cx *lift.Context, p *tuple.Part) *lift.Shape {
	n := len(p.Types)
	t := p.Types[0]
	if n < 2 || n > maxProjective || !cx.Allowed.Has(ir.Reassoc) || slices.ContainsFunc(p.Types, func(u ir.Type) bool { return u != t || !u.IsFloat() }) {
		return nil
	}
	r := &rational{cx: cx, p: p, one: fold.Number(cx.Pool, t, 1)}
	quotients := make([]quotient, n)
	var under ir.Expr
	for i, v := range p.Values {
		q, ok := r.read(v)
		if !ok {
			return nil
		}
		if quotients[i] = q; !q.under.IsLeaf() {
			under = q.under
		}
	}
	if !under.IsValid() {
		return nil
	}
	var inject []ir.Expr
	for _, q := range quotients {
		over := q.over
		if q.under != under {
			if q.under != r.one || !over.IsLeaf() {
				return nil
			}
			over = r.normal(ir.MulOf(over, under))
		}
		inject = append(inject, r.row(over)...)
	}
	inject = append(inject, r.row(under)...)
	if len(inject) != (n+1)*(n+1) {
		return nil
	}
	f := algebra.NewRing(cx.Pool, n)
	var identity []ir.Expr
	for i := range n {
		identity = append(identity, f.State(i, t)...)
	}
	identity = append(identity, f.Leaf(r.one)...)
	rows := func(cells []ir.Expr) [][]ir.Expr { return slices.Collect(slices.Chunk(cells, n+1)) }
	return &lift.Shape{Name: "projective", Inject: inject, Identity: identity,
		Apply: func(x, cells []ir.Expr) (out []ir.Expr) {
			m := rows(cells)
			for _, row := range m[:n] {
				out = append(out, ir.DivOf(f.Apply(x, row), f.Apply(x, m[n])))
			}
			return out
		},
		Compose: func(a, b []ir.Expr) (out []ir.Expr) {
			first := rows(a)
			for _, row := range rows(b) {
				sum := algebra.MapCells(first[n], func(e ir.Expr) ir.Expr { return fold.Mul(e, row[n]) })
				for j := range n {
					sum = algebra.ZipCells(algebra.MapCells(first[j], func(e ir.Expr) ir.Expr { return fold.Mul(e, row[j]) }), sum, fold.Add)
				}
				out = append(out, sum...)
			}
			return out
		}}
}

// rational reads terms as quotients of polynomials in normal form.
type rational struct {
	cx  *lift.Context
	p   *tuple.Part
	one ir.Expr
}

type quotient struct{ over, under ir.Expr }

func (r *rational) normal(e ir.Expr) ir.Expr { return poly.Normal(e, r.cx.Allowed) }

// read returns the quotient that a term is; not ok where the term has another operator.
func (r *rational) read(e ir.Expr) (q quotient, ok bool) {
	if e.IsLeaf() || e.Op() == ir.Var {
		return quotient{e, r.one}, true
	}
	args := make([]quotient, e.NumArgs())
	for i := range args {
		if args[i], ok = r.read(e.Arg(i)); !ok {
			return q, false
		}
	}
	product := func(a, b ir.Expr) ir.Expr { return r.normal(fold.Mul(a, b)) }
	switch e.Op() {
	case ir.Neg:
		return quotient{r.normal(ir.NegOf(args[0].over)), args[0].under}, true
	case ir.Mul:
		return quotient{product(args[0].over, args[1].over), product(args[0].under, args[1].under)}, true
	case ir.Div:
		return quotient{product(args[0].over, args[1].under), product(args[0].under, args[1].over)}, true
	case ir.Add, ir.Sub:
		a, b := args[0], args[1]
		under := a.under
		if a.under != b.under {
			under = product(a.under, b.under)
			a.over, b.over = product(a.over, b.under), product(b.over, a.under)
		}
		return quotient{r.normal(ir.Make(e.Op(), a.over, b.over)), under}, true
	}
	return q, false
}

// row returns the factors of the states in a sum, and what is added; nil where the sum is not affine.
func (r *rational) row(e ir.Expr) (row []ir.Expr) {
	at := func(j int) ir.Expr {
		values := slices.Repeat([]ir.Expr{fold.Number(r.cx.Pool, e.Type(), 0)}, len(r.p.States))
		if j < len(values) {
			values[j] = r.one
		}
		return r.normal(ir.Subst(e, r.p.States, values))
	}
	added := at(len(r.p.States))
	for j := range r.p.States {
		row = append(row, r.normal(ir.SubOf(at(j), added)))
	}
	row = append(row, added)
	if rest := r.normal(ir.SubOf(e, algebra.NewRing(r.cx.Pool, len(row)-1).Apply(r.p.States, row))); !fold.IsNumber(rest, 0) {
		return nil
	}
	return row
}
