package lift

import (
	"math"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
)

// relations returns what cells are of others, in all products of the observation: literals, other
// cells and their negations, boolean functions and exclusive or of flags, choices by a flag, and sums
// of numbers with small factors. Each is an expression over the cells x_i that have none; cells
// without a relation have a zero expression. With whereLive a relation holds only where the cell
// matters. The result is nil where no cell has a relation.
func (o *observation) relations(whereLive bool) (out []ir.Expr) {
	r := &relating{observation: o, whereLive: whereLive, found: make([]ir.Expr, len(o.types))}
	var second []ir.Expr
	r.cells, second = o.operands()
	ir.Walk(o.shape.Compose(r.cells, second), func(e ir.Expr) {
		r.adds = r.adds || e.Op() == ir.Add || e.Op() == ir.Sub || e.Op() == ir.Mul
	})
	for i := len(o.types) - 1; i >= 0; i-- {
		r.cx.Consider(len(o.types))
		if e := r.of(i); e.IsValid() {
			r.found[i], out = e, r.found
		}
	}
	return out
}

type relating struct {
	*observation
	whereLive bool
	adds      bool      // compositions add numbers
	cells     []ir.Expr // x_i
	found     []ir.Expr
}

// lanes returns the lanes of a product at which a relation of cell i has to hold.
func (r *relating) lanes(at *product, i int) uint64 {
	if r.whereLive {
		return at.valid & at.live[i]
	}
	return at.valid
}

// kept lists the other cells of a type without a relation.
func (r *relating) kept(i int, t ir.Type) (out []int) {
	for j, u := range r.types {
		if j != i && u == t && !r.found[j].IsValid() {
			out = append(out, j)
		}
	}
	return out
}

// of returns what cell i is of cells that are kept; a zero expression where it is not known.
func (r *relating) of(i int) (none ir.Expr) {
	all := func(*product) uint64 { return ^uint64(0) }
	if e := r.simple(i, all); e.IsValid() {
		return e
	}
	if r.types[i] == ir.Bool {
		if e := r.connective(i); e.IsValid() {
			return e
		}
		return r.parity(i)
	}
	for _, c := range r.kept(i, ir.Bool) {
		then := r.simple(i, func(at *product) uint64 { return sample.Truths(at.rows[c]) })
		if !then.IsValid() {
			continue
		}
		if other := r.simple(i, func(at *product) uint64 { return ^sample.Truths(at.rows[c]) }); other.IsValid() {
			return fold.Select(r.cells[c], then, other)
		}
	}
	return r.sum(i)
}

// simple returns what cell i is at some lanes: a literal, a cell that is kept, or the negation of one.
func (r *relating) simple(i int, among func(*product) uint64) (none ir.Expr) {
	t := r.types[i]
	agrees := func(of func(v uint64) uint64, j int) bool { // cell i is a function of cell j
		for n := range r.products {
			at := &r.products[n]
			mask := r.lanes(at, i) & among(at)
			if mask == 0 {
				continue
			}
			want, from := at.rows[i], at.rows[j]
			for ; mask != 0; mask &= mask - 1 {
				lane := bits.TrailingZeros64(mask)
				if want[lane] != of(from[lane]) {
					return false
				}
			}
		}
		return true
	}
	v := r.first(i, among)
	if agrees(func(uint64) uint64 { return v }, i) {
		return r.cx.Pool.Const(t, v)
	}
	for _, j := range r.kept(i, t) {
		switch {
		case agrees(func(v uint64) uint64 { return v }, j):
			return r.cells[j]
		case t == ir.Bool && agrees(func(v uint64) uint64 { return v ^ 1 }, j):
			return fold.Not(r.cells[j])
		case t != ir.Bool && r.adds && agrees(func(v uint64) uint64 { return ir.Apply1(ir.Neg, t, t, v) }, j):
			return fold.Neg(r.cells[j])
		}
	}
	return none
}

// first returns a value of cell i at the lanes that count; 0 where there are none.
func (r *relating) first(i int, among func(*product) uint64) uint64 {
	for n := range r.products {
		at := &r.products[n]
		if mask := r.lanes(at, i) & among(at); mask != 0 {
			return at.rows[i][bits.TrailingZeros64(mask)]
		}
	}
	return 0
}

// connective returns a flag as the conjunction or the disjunction of two flags that are kept, or of
// their negations.
func (r *relating) connective(i int) (none ir.Expr) {
	flags := r.kept(i, ir.Bool)
	want := r.truths(i)
	for n, a := range flags {
		for _, b := range flags[:n] {
			x, y := r.truths(a), r.truths(b)
			for form := range uint64(8) {
				flipX, flipY, flip := -(form & 1), -(form >> 1 & 1), -(form >> 2 & 1)
				wrong := uint64(0)
				for k := range r.products {
					wrong |= (want[k] ^ (x[k]^flipX)&(y[k]^flipY) ^ flip) & r.lanes(&r.products[k], i)
				}
				if wrong == 0 {
					return negated(flip, fold.And(negated(flipX, r.cells[a]), negated(flipY, r.cells[b])))
				}
			}
		}
	}
	return none
}

func negated(flip uint64, e ir.Expr) ir.Expr {
	switch {
	case flip == 0:
		return e
	case e.Op() == ir.And:
		return fold.Or(fold.Not(e.Arg(0)), fold.Not(e.Arg(1)))
	}
	return fold.Not(e)
}

// truths returns the lanes of each product at which a flag is set.
func (r *relating) truths(i int) []uint64 {
	out := make([]uint64, len(r.products))
	for k := range out {
		out[k] = sample.Truths(r.products[k].rows[i])
	}
	return out
}

// parity returns a flag as the exclusive or of flags that are kept, by elimination over GF(2).
func (r *relating) parity(i int) (none ir.Expr) {
	type row struct {
		set []uint64
		of  uint64 // the flags that it is the sum of
	}
	masked := func(j int) []uint64 {
		set := r.truths(j)
		for k := range set {
			set[k] &= r.lanes(&r.products[k], i)
		}
		return set
	}
	add := func(a, b row) row {
		a.set = slices.Clone(a.set)
		for k := range a.set {
			a.set[k] ^= b.set[k]
		}
		a.of ^= b.of
		return a
	}
	pivot := func(set []uint64) (k int, bit uint64) {
		for k, b := range set {
			if b != 0 {
				return k, b & -b
			}
		}
		return 0, 0
	}
	var basis []row
	reduce := func(v row) row {
		for _, b := range basis {
			if k, bit := pivot(b.set); v.set[k]&bit != 0 {
				v = add(v, b)
			}
		}
		return v
	}
	flags := r.kept(i, ir.Bool)
	for _, j := range flags {
		if v := reduce(row{masked(j), 1 << j}); slices.Max(v.set) != 0 {
			basis = append(basis, v)
		}
	}
	v := reduce(row{masked(i), 0})
	if slices.Max(v.set) != 0 || v.of == 0 {
		return none
	}
	out := r.cx.Pool.Bool(false)
	for _, j := range flags {
		if v.of>>j&1 != 0 {
			out = fold.BitXor(out, r.cells[j])
		}
	}
	return out
}

// Bounds of sums: the numbers that are looked at, and the greatest factor. Larger factors are rare, and
// the values of products grow.
const (
	maxSummed = 1 << 30
	maxFactor = 8
)

// sum returns a number as a sum of numbers that are kept and 1, each with a small factor that is an
// integer. It takes the relation from points at which the numbers are small.
func (r *relating) sum(i int) (none ir.Expr) {
	t := r.types[i]
	if !r.adds || t.IsFloat() && !r.cx.Allowed.Has(ir.Reassoc) {
		return none
	}
	kept := r.kept(i, t)
	var points [][]float64 // of the numbers that are kept, 1, and cell i
	for n := range r.products {
		at := &r.products[n]
		for mask, lane := r.lanes(at, i), 0; mask != 0 && len(points) < (n+1)*4*(len(kept)+1); mask, lane = mask>>1, lane+1 {
			if mask&1 == 0 {
				continue
			}
			point := make([]float64, 0, len(kept)+2)
			for _, j := range kept {
				point = append(point, number(t, at.rows[j][lane]))
			}
			point = append(point, 1, number(t, at.rows[i][lane]))
			if !slices.ContainsFunc(point, func(v float64) bool { return !(math.Abs(v) < maxSummed) }) {
				points = append(points, point)
			}
		}
	}
	factors := solve(points, len(kept)+1)
	if factors == nil {
		return none
	}
	pool := r.cx.Pool
	out := fold.Number(pool, t, int64(factors[len(kept)]))
	for k, j := range kept {
		if factors[k] != 0 {
			out = fold.Add(fold.Mul(r.cells[j], fold.Number(pool, t, int64(factors[k]))), out)
		}
	}
	return out
}

// number returns a value as a number: an unsigned one of the upper half as what it is below 0.
func number(t ir.Type, v uint64) float64 {
	if t.IsFloat() {
		return ir.Float(t, v)
	}
	shift := 64 - t.Bits()
	return float64(int64(v<<shift) >> shift)
}

// solve returns small integers by which the first n numbers of each point add up to its last. It
// returns nil where there are none, or where the points are too few to tell. It takes time linear in
// the points, and quadratic in n for each.
func solve(points [][]float64, n int) []float64 {
	if len(points) < 4*n {
		return nil
	}
	var rows [][]float64 // in echelon form, each with its pivot
	var pivots []int
	for _, p := range points {
		v := slices.Clone(p)
		for k, row := range rows {
			if by := v[pivots[k]]; by != 0 {
				for c := range v {
					v[c] -= float64(by * row[c])
				}
			}
		}
		at := -1
		for c := range n {
			if math.Abs(v[c]) > 1e-6 && (at < 0 || math.Abs(v[c]) > math.Abs(v[at])) {
				at = c
			}
		}
		switch {
		case at >= 0:
			by := v[at]
			for c := range v {
				v[c] /= by
			}
			rows, pivots = append(rows, v), append(pivots, at)
		case math.Abs(v[n]) > 1e-3:
			return nil
		}
	}
	out := make([]float64, n) // numbers without a pivot have the factor 0
	for k, row := range slices.Backward(rows) {
		sum := row[n]
		for c := range n {
			if c != pivots[k] {
				sum -= float64(row[c] * out[c])
			}
		}
		out[pivots[k]] = math.Round(sum)
		if math.Abs(out[pivots[k]]-sum) > 1e-3 || math.Abs(sum) > maxFactor {
			return nil
		}
	}
	return out
}
