package combine

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitPolynomial fits steps that are polynomials in the state whose degree compositions do not raise.
//
//	x0*k0 + y0; x1 + x0*x0   →   x0*a + b; x1 + x0*x0*c + x0*d + e  with cells k0, y0, 1, 0, 0
//
// A component that enters by its square moves by itself, and linearly, so that the square is a polynomial of no
// higher degree after any number of steps. The cells are the coefficients of the monomials that compositions have.
func fitPolynomial(cx *lift.Context, p *tuple.Part, memory family.Memory) *lift.Shape {
	if memory != family.None {
		return nil
	}
	r := &polynomials{pool: cx.Pool, Semiring: algebra.PlusTimes, t: p.Types[0], n: len(p.Types)}
	values, ok := r.readAll(p.Values)
	if !ok || !r.close(values) {
		return nil
	}
	return r.shape(polynomialSteps, values)
}

// polynomialSteps is the family's name.
const polynomialSteps = "polynomial"

// isPolynomial reports whether a part consists of a few numbers of one type, and multiplies terms with the state.
func isPolynomial(p *tuple.Part) bool {
	if n := len(p.Types); n < 2 || n > maxWords || !p.Types[0].IsNumeric() || !ofOneType(p) {
		return false
	}
	found := false
	ir.Walk(p.Values, func(e ir.Expr) {
		found = found || e.Op() == ir.Mul && e.Arg(0).States() != 0 && e.Arg(1).States() != 0
	})
	return found
}

// Bounds of what the family takes: components of the state, the degree of a polynomial, and its monomials in one component.
const (
	maxWords     = 3
	maxDegree    = 4
	maxMonomials = 16
)

// monomial is a product of components of the state, as their exponents.
type monomial [maxWords]uint8

// one is the product of no components.
var one monomial

func (m monomial) degree() (d int) {
	for _, e := range m {
		d += int(e)
	}
	return d
}

// coefficients are a polynomial: what each of its monomials is multiplied by. Those of other monomials are 0.
type coefficients map[monomial]ir.Expr

// polynomials computes with polynomials in n components of type t over a semiring.
type polynomials struct {
	pool *ir.Pool
	*algebra.Semiring
	t          ir.Type
	n          int
	idempotent bool         // x*x = x: the semiring is that of words with ^ and &
	support    [][]monomial // of each component: the monomials of compositions of steps, in the order of cells
}

// constant returns the polynomial without the state.
func (r *polynomials) constant(e ir.Expr) coefficients { return coefficients{one: e} }

// component returns component i.
func (r *polynomials) component(i int) coefficients {
	var m monomial
	m[i] = 1
	return coefficients{m: fold.Number(r.pool, r.t, r.One)}
}

func (r *polynomials) times(m, k monomial) monomial {
	for i := range m {
		m[i] += k[i]
		if r.idempotent {
			m[i] = min(m[i], 1)
		}
	}
	return m
}

func (r *polynomials) sum(f, g coefficients) coefficients {
	out := coefficients{}
	for _, m := range union(f, g) {
		a, b := f[m], g[m]
		switch {
		case !a.IsValid():
			out[m] = b
		case !b.IsValid():
			out[m] = a
		default:
			out[m] = r.Add(a, b)
		}
		if fold.IsNumber(out[m], 0) {
			delete(out, m)
		}
	}
	return out
}

func (r *polynomials) product(f, g coefficients) coefficients {
	out := coefficients{}
	for _, m := range union(f, nil) {
		part := coefficients{}
		for _, k := range union(g, nil) {
			part = r.sum(part, coefficients{r.times(m, k): r.Mul(f[m], g[k])})
		}
		out = r.sum(out, part)
	}
	return out
}

// union returns the monomials of two polynomials, in the order of cells.
func union(f, g coefficients) (ms []monomial) {
	for m := range f {
		ms = append(ms, m)
	}
	for m := range g {
		if _, ok := f[m]; !ok {
			ms = append(ms, m)
		}
	}
	slices.SortFunc(ms, compareMonomials)
	return ms
}

// compareMonomials puts products of more components first.
func compareMonomials(a, b monomial) int {
	if d := b.degree() - a.degree(); d != 0 {
		return d
	}
	return slices.Compare(b[:], a[:])
}

func (r *polynomials) readAll(es []ir.Expr) (values []coefficients, ok bool) {
	for _, e := range es {
		f := r.read(e)
		if f == nil {
			return nil, false
		}
		for m, c := range f {
			f[m] = tidied(c)
		}
		values = append(values, f)
	}
	return values, true
}

// tidied returns a simpler coefficient. What is computed of float literals alone stands: 1.0 - 0.1 is no float where floats are real numbers.
func tidied(c ir.Expr) ir.Expr {
	computes := false
	ir.Walk([]ir.Expr{c}, func(e ir.Expr) {
		computes = computes || e.Type().IsFloat() && e.NumArgs() > 0 && e.IsClosed()
	})
	if computes {
		return poly.Normal(c, ir.Reassoc)
	}
	return canon.Greedy(c, 0)
}

// read returns the polynomial that e is; nil where it is none, or one of too high a degree.
func (r *polynomials) read(e ir.Expr) coefficients {
	if e.States() == 0 {
		return r.constant(e)
	}
	if e.Op() == ir.Var {
		return r.component(e.Index())
	}
	if e.Op() == ir.Select {
		return r.choose(e)
	}
	var args []coefficients
	for i := range e.NumArgs() {
		f := r.read(e.Arg(i))
		if f == nil {
			return nil
		}
		args = append(args, f)
	}
	minus := fold.Number(r.pool, r.t, -1) // of words the one with all bits set, which is the 1 of (^, &)
	bits := r.idempotent
	switch op := e.Op(); {
	case op == ir.Add && !bits, op == ir.BitXor && bits:
		return r.sum(args[0], args[1])
	case op == ir.Sub && !bits:
		return r.sum(args[0], r.product(r.constant(minus), args[1]))
	case op == ir.Neg && !bits:
		return r.product(r.constant(minus), args[0])
	case op == ir.Mul && !bits, op == ir.BitAnd && bits:
		return r.bounded(r.product(args[0], args[1]))
	case op == ir.Div && r.t.IsFloat() && e.Arg(1).States() == 0:
		return r.product(r.constant(ir.DivOf(fold.Number(r.pool, r.t, 1), e.Arg(1))), args[0])
	case op == ir.BitNot && bits:
		return r.sum(args[0], r.constant(minus))
	case op == ir.BitOr && bits:
		return r.sum(r.sum(args[0], args[1]), r.product(args[0], args[1]))
	}
	return nil
}

// choose reads a select whose condition does not read the state.
func (r *polynomials) choose(e ir.Expr) coefficients {
	f, g := r.read(e.Arg(1)), r.read(e.Arg(2))
	if f == nil || g == nil || e.Arg(0).States() != 0 {
		return nil
	}
	out := coefficients{}
	for _, m := range union(f, g) {
		out[m] = fold.Select(e.Arg(0), r.of(f, m), r.of(g, m))
	}
	return out
}

// of returns the coefficient of a monomial.
func (r *polynomials) of(f coefficients, m monomial) ir.Expr {
	if c, ok := f[m]; ok {
		return c
	}
	return fold.Number(r.pool, r.t, 0)
}

// bounded returns f, or nil where its degree is too high.
func (r *polynomials) bounded(f coefficients) coefficients {
	for m := range f {
		if m.degree() > maxDegree {
			return nil
		}
	}
	return f
}

// close sets the support of each component: the monomials of the component itself, of a step, and of what becomes of these when
// a step is put in for the components. It reports whether they are few.
func (r *polynomials) close(values []coefficients) bool {
	for i, f := range values {
		r.support = append(r.support, union(r.sum(r.component(i), r.constant(fold.Number(r.pool, r.t, r.One))), f))
	}
	for grown := true; grown; {
		grown = false
		for i := range r.support {
			for _, m := range r.support[i] {
				made := r.reached(m)
				if made == nil {
					return false
				}
				for _, k := range made {
					if !slices.Contains(r.support[i], k) {
						r.support[i], grown = append(r.support[i], k), true
					}
				}
			}
			if len(r.support[i]) > maxMonomials {
				return false
			}
		}
	}
	for _, support := range r.support {
		slices.SortFunc(support, compareMonomials)
	}
	return true
}

// reached returns the monomials that a monomial may become in a step; nil where their degree is too high.
func (r *polynomials) reached(m monomial) []monomial {
	made := []monomial{one}
	for i, support := range r.support {
		for range m[i] {
			var next []monomial
			for _, k := range made {
				for _, l := range support {
					if n := r.times(k, l); n.degree() > maxDegree {
						return nil
					} else if !slices.Contains(next, n) {
						next = append(next, n)
					}
				}
			}
			made = next
		}
	}
	return made
}

// put returns a monomial of polynomials.
func (r *polynomials) put(m monomial, components []coefficients) coefficients {
	out := r.constant(fold.Number(r.pool, r.t, r.One))
	for i, f := range components {
		for range m[i] {
			out = r.product(out, f)
		}
	}
	return out
}

// shape returns the shape whose cells are the coefficients of the components.
func (r *polynomials) shape(name string, values []coefficients) *lift.Shape {
	return &lift.Shape{Name: name, Inject: r.cells(values), Identity: r.cells(r.identity()), Apply: r.apply, Compose: r.compose}
}

// identity returns the components themselves.
func (r *polynomials) identity() (components []coefficients) {
	for i := range r.n {
		components = append(components, r.component(i))
	}
	return components
}

func (r *polynomials) cells(components []coefficients) (cells []ir.Expr) {
	for i, f := range components {
		for _, m := range r.support[i] {
			cells = append(cells, r.of(f, m))
		}
	}
	return cells
}

// components is the inverse of cells.
func (r *polynomials) components(cells []ir.Expr) (components []coefficients) {
	for _, support := range r.support {
		f := coefficients{}
		for _, m := range support {
			if !fold.IsNumber(cells[0], 0) {
				f[m] = cells[0]
			}
			cells = cells[1:]
		}
		components = append(components, f)
	}
	return components
}

// after returns the components after a step, where before are those before it.
func (r *polynomials) after(before []coefficients, cells []ir.Expr) (after []coefficients) {
	for _, f := range r.components(cells) {
		out := coefficients{}
		for _, m := range union(f, nil) {
			out = r.sum(out, r.product(r.constant(f[m]), r.put(m, before)))
		}
		after = append(after, out)
	}
	return after
}

func (r *polynomials) apply(x, cells []ir.Expr) (out []ir.Expr) {
	var before []coefficients
	for _, e := range x {
		before = append(before, r.constant(e))
	}
	for _, f := range r.after(before, cells) {
		out = append(out, r.of(f, one))
	}
	return out
}

func (r *polynomials) compose(a, b []ir.Expr) []ir.Expr {
	return r.cells(r.after(r.components(a), b))
}
