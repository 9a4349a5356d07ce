package fewest

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// This file reads variables from values that are polynomials.
//
//	p0 + p1; 2*p0 + p1        →   p0 = q1 - q0;  p1 = 2*q0 - q1
//	p0*p1; p0*p1 + p1; p0     →   p1 = q1 - q0

// maxMonomials bounds the monomials of a polynomial.
const maxMonomials = 32

// monomial is a product of terms that are no sums: their IDs, ascending.
type monomial string

const unit monomial = ""

func monomialOf(e ir.Expr) monomial {
	return monomial(binary.BigEndian.AppendUint32(nil, uint32(e.ID())))
}

// times returns the product of two monomials.
func (m monomial) times(n monomial) monomial {
	var out monomial
	for len(m) > 0 && len(n) > 0 {
		if m[:4] > n[:4] {
			m, n = n, m
		}
		out, m = out+m[:4], m[4:]
	}
	return out + m + n
}

// row is an equation: a sum of monomials is a sum of values.
type row struct {
	poly map[monomial]uint64
	of   map[ir.Expr]uint64 // multiples of values
}

// linear adds the variables that Gaussian elimination over the integers modulo 2ⁿ gives to those that are known.
func (s *Search) linear(f *family, known map[ir.Expr]ir.Expr) {
	for _, t := range []ir.Type{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64} {
		var rows []*row
		read := map[ir.Expr]map[monomial]uint64{}
		for i, e := range f.values {
			if e.Type() != t {
				continue
			}
			if p := s.expand(e, read); p != nil {
				rows = append(rows, &row{p, map[ir.Expr]uint64{s.at[i]: 1}})
			}
		}
		if len(rows) == 0 {
			continue
		}
		s.eliminate(rows)
		for _, v := range f.vars {
			if _, ok := known[v]; ok || v.Type() != t {
				continue
			}
			for _, r := range rows {
				if read := r.reads(v); read.IsValid() {
					known[v] = read
					break
				}
			}
		}
	}
}

// eliminate leaves each monomial in one row, as far as coefficients can be inverted: products and other terms that are no variables
// first.
func (s *Search) eliminate(rows []*row) {
	columns := map[monomial]bool{}
	for _, r := range rows {
		for m := range r.poly {
			columns[m] = m != unit
		}
	}
	order := slices.Collect(maps.Keys(columns))
	slices.SortFunc(order, func(a, b monomial) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	used := map[*row]bool{}
	for _, m := range order {
		if !columns[m] {
			continue
		}
		i := slices.IndexFunc(rows, func(r *row) bool { return !used[r] && r.poly[m]&1 != 0 })
		if i < 0 {
			continue
		}
		pivot := rows[i]
		used[pivot] = true
		pivot.scale(inverseModulo(pivot.poly[m]))
		for _, r := range rows {
			if c := r.poly[m]; r != pivot && c != 0 {
				r.add(pivot, -c)
			}
		}
		s.Meter.Spend(effort.Polynomials, len(rows)*len(columns))
	}
}

func (r *row) scale(by uint64) {
	for m := range r.poly {
		r.poly[m] *= by
	}
	for v := range r.of {
		r.of[v] *= by
	}
}

// add adds a multiple of another row.
func (r *row) add(other *row, by uint64) {
	addTo(r.poly, other.poly, by)
	addTo(r.of, other.of, by)
}

func addTo[K comparable](to, from map[K]uint64, by uint64) {
	for k, c := range from {
		if to[k] += c * by; to[k] == 0 {
			delete(to, k)
		}
	}
}

// reads returns the variable as a sum of values, where the row has no other monomial; else the zero Expr.
func (r *row) reads(v ir.Expr) ir.Expr {
	t, pool := v.Type(), v.Pool()
	m := monomialOf(v)
	for other, c := range r.poly {
		if other != m && other != unit && t.Wrap(c) != 0 {
			return ir.Expr{}
		}
	}
	if r.poly[m]&1 == 0 {
		return ir.Expr{}
	}
	by := inverseModulo(r.poly[m])
	out := pool.Const(t, t.Wrap(-by*r.poly[unit]))
	values := slices.SortedFunc(maps.Keys(r.of), func(a, b ir.Expr) int { return a.Index() - b.Index() })
	for _, x := range values {
		if c := t.Wrap(by * r.of[x]); c != 0 {
			out = fold.Add(out, fold.Mul(x, pool.Const(t, c)))
		}
	}
	return out
}

// expand returns an integer term as a polynomial modulo 2⁶⁴, of which as many low bits count as the type has; nil where it is too large.
// Terms that were read before are in known.
func (s *Search) expand(e ir.Expr, known map[ir.Expr]map[monomial]uint64) map[monomial]uint64 {
	if p, ok := known[e]; ok {
		return maps.Clone(p)
	}
	sum := func(by uint64) map[monomial]uint64 {
		a, b := s.expand(e.Arg(0), known), s.expand(e.Arg(1), known)
		if a == nil || b == nil || len(a)+len(b) > maxMonomials {
			return nil
		}
		addTo(a, b, by)
		return a
	}
	p := map[monomial]uint64{monomialOf(e): 1}
	switch e.Op() {
	case ir.Const:
		p = map[monomial]uint64{unit: e.Value()}
	case ir.Add:
		p = sum(1)
	case ir.Sub:
		p = sum(^uint64(0))
	case ir.Neg:
		p = product(s.expand(e.Arg(0), known), map[monomial]uint64{unit: ^uint64(0)})
	case ir.Mul:
		p = product(s.expand(e.Arg(0), known), s.expand(e.Arg(1), known))
	}
	s.Meter.Spend(effort.Polynomials, 8*(1+len(p)))
	known[e] = p
	return maps.Clone(p)
}

func product(a, b map[monomial]uint64) map[monomial]uint64 {
	if a == nil || b == nil || len(a)*len(b) > maxMonomials {
		return nil
	}
	out := map[monomial]uint64{}
	for m, c := range a {
		for n, d := range b {
			addTo(out, map[monomial]uint64{m.times(n): c}, d)
		}
	}
	return out
}
