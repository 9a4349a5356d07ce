package combine

import (
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitMatrix fits steps that are affine over the field of two elements: each bit of the state after a step
// is the exclusive or of bits of the state before it, and of an input.
//
//	select((x0 & 1) != 0, x0 >> 1 ^ 184, x0 >> 1) ^ y0   →   184, 1, 2, 4, 8, 16, 32, 64; y0, of 8 bits
//	(A, b) ∘ (A', b') = (A'·A, A'·b ^ b')
//
// The cells are the columns of a matrix A, which say what each bit of the state becomes, and the words b
// that are added. Any such step has them, however it is written: b is what the step makes of 0, and a
// column is what it makes of one bit, less b. Steps are sampled only; the caller proves that they are affine.
func fitMatrix(cx *lift.Context, p *tuple.Part, memory family.Memory) *lift.Shape {
	if memory != family.None {
		return nil
	}
	m := &matrix{cx: cx, types: p.Types, width: bitsOf(p)}
	if !m.isAffine(p) {
		return nil
	}
	inject := m.columns(p)
	if inject == nil {
		return nil
	}
	identity := m.units()
	if m.adds {
		identity = append(identity, m.zeros())
	}
	return &lift.Shape{Name: bitMatrix, Inject: inject, Identity: slices.Concat(identity...), Matrix: true, Apply: m.apply, Compose: m.compose}
}

// bitMatrix is the family's name.
const bitMatrix = "bit matrix"

// isMatrix reports whether the state of a part is of integers, and a matrix on its bits small enough to
// be parameters.
func isMatrix(p *tuple.Part) bool {
	for _, t := range p.Types {
		if !t.IsInt() {
			return false
		}
	}
	return bitsOf(p)*len(p.Types) <= ir.MaxState
}

func bitsOf(p *tuple.Part) (n int) {
	for _, t := range p.Types {
		n += t.Bits()
	}
	return n
}

type matrix struct {
	cx    *lift.Context
	types []ir.Type // of the state
	width int       // bits of the state
	adds  bool      // steps add words, which are cells behind the columns
}

// units returns the states of which one bit is 1.
func (m *matrix) units() (units [][]ir.Expr) {
	for i, t := range m.types {
		for j := range t.Bits() {
			unit := m.zeros()
			unit[i] = m.cx.Pool.Const(t, t.Wrap(1<<j))
			units = append(units, unit)
		}
	}
	return units
}

// zeros returns the state of which no bit is 1.
func (m *matrix) zeros() (zeros []ir.Expr) {
	for _, t := range m.types {
		zeros = append(zeros, m.cx.Pool.Int(t, 0))
	}
	return zeros
}

// samples is how many times a step is sampled.
const samples = 6

// isAffine reports whether samples of a step f have f(u ^ v) = f(u) ^ f(v) ^ f(0), as affine steps have.
func (m *matrix) isAffine(p *tuple.Part) bool {
	rng := rand.New(rand.NewPCG(1, 2))
	for range samples {
		inputs := m.drawInputs(rng)
		u, v := m.drawState(rng), m.drawState(rng)
		both := make([]uint64, len(u))
		for k := range u {
			both[k] = u[k] ^ v[k]
		}
		a, b, c, d := m.step(p, inputs, u), m.step(p, inputs, v), m.step(p, inputs, both), m.step(p, inputs, make([]uint64, len(u)))
		for k := range a {
			if a[k]^b[k]^c[k]^d[k] != 0 {
				return false
			}
		}
	}
	return true
}

// drawInputs returns a value for each input.
func (m *matrix) drawInputs(rng *rand.Rand) func(ir.Expr) uint64 {
	values := map[ir.Expr]uint64{}
	return func(v ir.Expr) uint64 {
		if _, ok := values[v]; !ok {
			values[v] = v.Type().Wrap(rng.Uint64() >> (8 * rng.IntN(8)))
		}
		return values[v]
	}
}

func (m *matrix) drawState(rng *rand.Rand) []uint64 {
	out := make([]uint64, len(m.types))
	for k, t := range m.types {
		out[k] = t.Wrap(rng.Uint64())
	}
	return out
}

// step returns the values after a step from a state.
func (m *matrix) step(p *tuple.Part, inputs func(ir.Expr) uint64, x []uint64) []uint64 {
	m.cx.Consider(1)
	value := func(v ir.Expr) uint64 {
		if v.Kind() == ir.State {
			return x[v.Index()]
		}
		return inputs(v)
	}
	return ir.EvalAll(p.Values, &ir.Env{Var: value, Call: func(call ir.Expr, _ []uint64) uint64 { return inputs(call) }})
}

// columns returns the cells of a step; nil where more than ir.MaxState of them vary. Columns that are the same in
// all samples are literals.
func (m *matrix) columns(p *tuple.Part) (cells []ir.Expr) {
	at := func(x []ir.Expr) []ir.Expr {
		return algebra.MapCells(p.Values, func(e ir.Expr) ir.Expr { return canon.Greedy(ir.Subst(e, p.States, x), 0) })
	}
	b := at(m.zeros())
	m.adds = !slices.Equal(b, m.zeros())
	if m.adds && (m.width+1)*len(b) > ir.MaxState {
		return nil
	}
	for _, unit := range m.units() {
		if cx := m.cx; cx.Over() {
			return nil
		}
		column := m.constant(p, unit)
		if column == nil {
			column = algebra.ZipCells(at(unit), b, m.difference)
		}
		cells = append(cells, column...)
	}
	if m.adds {
		cells = append(cells, b...)
	}
	return cells
}

// constant returns the column of a bit as literals; nil where it depends on inputs.
func (m *matrix) constant(p *tuple.Part, unit []ir.Expr) []ir.Expr {
	rng := rand.New(rand.NewPCG(3, 4))
	var column []uint64
	bit := make([]uint64, len(unit))
	for k, e := range unit {
		bit[k] = e.Value()
	}
	for range samples {
		inputs := m.drawInputs(rng)
		a, b := m.step(p, inputs, bit), m.step(p, inputs, make([]uint64, len(bit)))
		for k := range a {
			a[k] ^= b[k]
		}
		if column != nil && !slices.Equal(a, column) {
			return nil
		}
		column = a
	}
	out := make([]ir.Expr, len(column))
	for k, v := range column {
		out[k] = m.cx.Pool.Const(m.types[k], m.types[k].Wrap(v))
	}
	return out
}

// difference returns a ^ b, where both are choices by one condition, or sums with an operand in common, without what
// they have in common.
func (m *matrix) difference(a, b ir.Expr) ir.Expr {
	zero := m.cx.Pool.Int(a.Type(), 0)
	switch {
	case a == b:
		return zero
	case a.Op() == ir.Select && b.Op() == ir.Select && a.Arg(0) == b.Arg(0):
		return fold.Select(a.Arg(0), m.difference(a.Arg(1), b.Arg(1)), m.difference(a.Arg(2), b.Arg(2)))
	case a.Op() == ir.Select && b == zero:
		return fold.Select(a.Arg(0), m.difference(a.Arg(1), b), m.difference(a.Arg(2), b))
	case a.Op() == ir.Const && b.Op() == ir.Const:
		return m.cx.Pool.Const(a.Type(), a.Type().Wrap(a.Value()^b.Value()))
	}
	for i := range 2 {
		for j := range 2 {
			if a.Op() == ir.BitXor && b.Op() == ir.BitXor && a.Arg(i) == b.Arg(j) {
				return m.difference(a.Arg(1-i), b.Arg(1-j))
			}
		}
		if a.Op() == ir.BitXor && a.Arg(i) == b {
			return a.Arg(1 - i)
		}
		if b.Op() == ir.BitXor && b.Arg(i) == a {
			return b.Arg(1 - i)
		}
	}
	return fold.BitXor(a, b)
}

// times returns the product of a matrix and a state, as the cells of the matrix have it.
func (m *matrix) times(cells, x []ir.Expr) []ir.Expr {
	n := len(m.types)
	terms := make([][]ir.Expr, n)
	for i, t := range m.types {
		for j := range t.Bits() {
			on := m.bit(x[i], j)
			for k := range n {
				zero := m.cx.Pool.Int(m.types[k], 0)
				if term := fold.Select(on, cells[k], zero); term != zero {
					terms[k] = append(terms[k], term)
				}
			}
			cells = cells[n:]
		}
	}
	out := make([]ir.Expr, n)
	for k := range out {
		out[k] = m.total(m.types[k], terms[k])
	}
	return out
}

// bit returns the condition that bit j of a word is set.
func (m *matrix) bit(x ir.Expr, j int) ir.Expr {
	t := x.Type()
	mask := t.Wrap(1 << j)
	if x.Op() == ir.Const {
		return m.cx.Pool.Bool(x.Value()&mask != 0)
	}
	return ir.Make(ir.Ne, ir.Make(ir.BitAnd, x, m.cx.Pool.Const(t, mask)), m.cx.Pool.Int(t, 0))
}

// total returns the exclusive or of words, in a balanced tree: sums of few terms are cheap to prove equal.
func (m *matrix) total(t ir.Type, terms []ir.Expr) ir.Expr {
	switch n := len(terms); n {
	case 0:
		return m.cx.Pool.Int(t, 0)
	case 1:
		return terms[0]
	default:
		a, b := m.total(t, terms[:n/2]), m.total(t, terms[n/2:])
		if a.Op() == ir.Const && b.Op() == ir.Const {
			return m.cx.Pool.Const(t, t.Wrap(a.Value()^b.Value()))
		}
		return fold.BitXor(a, b)
	}
}

func (m *matrix) apply(x, cells []ir.Expr) []ir.Expr {
	y := m.times(cells, x)
	if m.adds {
		y = algebra.ZipCells(y, cells[m.width*len(m.types):], fold.BitXor)
	}
	return y
}

func (m *matrix) compose(a, b []ir.Expr) (out []ir.Expr) {
	n := len(m.types)
	for range m.width {
		out = append(out, m.times(b, a[:n])...)
		a = a[n:]
	}
	if m.adds {
		out = append(out, m.apply(a, b)...)
	}
	return out
}
