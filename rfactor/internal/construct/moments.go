package construct

import (
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Conjugate yields operators of a part of rational functions that is a sum under a bijection φ: steps add
// to φ(x) what depends on their inputs alone. Component i of φ is x_i, times a power of components that
// count, and a polynomial of those before it; its coefficients solve linear equations.
//
//	x0 + 1; x1 + (y0 - x1)/(x0 + 1); x2 + (y0 - x1)*(y0 - x1)*x0/(x0 + 1)
//	φ = x0; x0*x1; x2 + x0*x1*x1
func Conjugate(pool *ir.Pool, p *tuple.Part, consider func(n int)) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		c := newConjugate(pool, p, consider)
		if c == nil {
			return
		}
		for weights := 1<<len(c.leaves) - 1; weights > 0; weights-- {
			if !c.weigh(weights) || !c.solve() {
				continue
			}
			inject := c.inject()
			if inject == nil {
				continue
			}
			if c.shifts(weights) && !yield(Candidate{c.operator(true), inject}) {
				return
			}
			if !yield(Candidate{c.operator(false), inject}) {
				return
			}
		}
	}
}

// Bounds of conjugates: components, inputs of a step, and the weight of a component.
const (
	maxConjugate = 6
	maxInputs    = 3
	maxWeight    = 4
)

// conjugate is a part with the bijection under which it is a sum. Values are residues modulo a prime.
type conjugate struct {
	pool     *ir.Pool
	p        *tuple.Part
	rng      *rand.Rand
	order    []int // components, each after those that it reads
	leaves   []ir.Expr
	weight   []int        // of each component: scaling inputs scales it by that power
	phi      [][]monomial // of each component, that of the component itself first
	mean     []bool       // components that move with the inputs
	consider func(n int)  // charges for n candidates
	share    int          // the input that is the share of φ that a step keeps; -1 for all of it
	code     []rational
	values   []int    // of each component, in code
	known    []uint64 // of each operation, in the last step
}

// monomial is a product of powers of components.
type monomial struct {
	powers      []int
	coefficient int64
}

// newConjugate returns a part that is made of sums, products and quotients; nil where it is not.
func newConjugate(pool *ir.Pool, p *tuple.Part, consider func(n int)) *conjugate {
	c := &conjugate{pool: pool, p: p, rng: rand.New(rand.NewPCG(11, 13)), share: -1, consider: consider}
	n := len(p.Types)
	if n < 2 || n > maxConjugate || slices.ContainsFunc(p.Types, func(t ir.Type) bool { return !t.IsFloat() || t != p.Types[0] }) {
		return nil
	}
	rational, divides := true, false
	ir.Walk(p.Values, func(e ir.Expr) {
		switch e.Op() {
		case ir.Var:
			if e.Kind() != ir.State {
				c.leaves = append(c.leaves, e)
			}
		case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.Const:
		case ir.Div:
			divides = divides || !e.IsLeaf()
		default:
			rational = false
		}
		rational = rational && e.Type() == p.Types[0]
	})
	if !rational || !divides || len(c.leaves) > maxInputs {
		return nil
	}
	reach := tuple.Reachable(p.Values)
	c.order = tuple.Indices(n)
	slices.SortStableFunc(c.order, func(i, j int) int { return bits.OnesCount64(reach[i]) - bits.OnesCount64(reach[j]) })
	for k, i := range c.order {
		if reach[i]&^tuple.MaskOf(c.order[:k+1]) != 0 {
			return nil // two components that read each other
		}
	}
	c.compile()
	return c
}

// prime is the modulus, of Mersenne.
const prime = 1<<61 - 1

// mulmod returns the residue of a product of residues.
func mulmod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	r := lo&prime + (lo>>61 | hi<<3) // 2^61 is 1
	if r >= prime {
		r -= prime
	}
	return r
}

func power(a uint64, n uint64) uint64 {
	out := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			out = mulmod(out, a)
		}
		a = mulmod(a, a)
	}
	return out
}

func inverseOf(a uint64) uint64 { return power(a, prime-2) }

func residue(n int64) uint64 {
	if n < 0 {
		return prime - uint64(-n)%prime
	}
	return uint64(n) % prime
}

// rational is an operation of a step on residues.
type rational struct {
	op    ir.Op
	a, b  int    // operations before it; of a variable a is its number …
	state bool   // … among the components, or else among the inputs
	value uint64 // of a literal
}

// compile lists the operations of a step, each once, and where the components are among them.
func (c *conjugate) compile() {
	at := map[ir.Expr]int{}
	ir.Walk(c.p.Values, func(e ir.Expr) {
		r := rational{op: e.Op()}
		switch e.Op() {
		case ir.Var:
			if r.state = e.Kind() == ir.State; r.state {
				r.a = e.Index()
			} else {
				r.a = slices.Index(c.leaves, e)
			}
		case ir.Const:
			r.value = residueOf(ir.Float(e.Type(), e.Value()))
		default:
			r.a, r.b = at[e.Arg(0)], at[e.Arg(e.NumArgs()-1)]
		}
		at[e] = len(c.code)
		c.code = append(c.code, r)
	})
	for _, e := range c.p.Values {
		c.values = append(c.values, at[e])
	}
	c.known = make([]uint64, len(c.code))
}

// step returns the residues of the components after a step.
func (c *conjugate) step(x, l []uint64) []uint64 {
	for i, r := range c.code {
		var v uint64
		switch r.op {
		case ir.Var:
			if r.state {
				v = x[r.a]
			} else {
				v = l[r.a]
			}
		case ir.Const:
			v = r.value
		case ir.Neg:
			v = (prime - c.known[r.a]) % prime
		case ir.Add:
			v = (c.known[r.a] + c.known[r.b]) % prime
		case ir.Sub:
			v = (c.known[r.a] + prime - c.known[r.b]) % prime
		case ir.Mul:
			v = mulmod(c.known[r.a], c.known[r.b])
		case ir.Div:
			v = mulmod(c.known[r.a], inverseOf(c.known[r.b]))
		}
		c.known[i] = v
	}
	out := make([]uint64, len(c.values))
	for i, k := range c.values {
		out[i] = c.known[k]
	}
	return out
}

// residueOf returns the residue of a float, which is a fraction.
func residueOf(f float64) uint64 {
	mantissa, exponent := math.Frexp(f)
	v := residue(int64(mantissa * (1 << 53)))
	if exponent -= 53; exponent < 0 {
		return mulmod(v, inverseOf(power(2, uint64(-exponent))))
	}
	return mulmod(v, power(2, uint64(exponent)))
}

func (c *conjugate) draw(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = c.rng.Uint64N(prime-2) + 1
	}
	return out
}

// weigh finds weights of components: where some inputs are scaled by s and each component by s to its
// weight, so is each component after a step. It reports false where there are none.
func (c *conjugate) weigh(leaves int) bool {
	n := len(c.p.Types)
	c.weight = make([]int, n)
	x, l, s := c.draw(n), c.draw(len(c.leaves)), c.draw(1)[0]
	before := c.step(x, l)
	scaled := slices.Clone(l)
	for i := range l {
		if leaves>>i&1 != 0 {
			scaled[i] = mulmod(l[i], s)
		}
	}
	y := slices.Clone(x)
	for _, i := range c.order {
		ok := false
		for w := 0; w <= maxWeight && !ok; w++ {
			by := power(s, uint64(w))
			y[i] = mulmod(x[i], by)
			c.weight[i] = w
			ok = c.step(y, scaled)[i] == mulmod(before[i], by)
		}
		if !ok {
			return false
		}
	}
	return slices.Max(c.weight) > 0
}

// monomials lists those that φ may have in component i: of its weight, and of those before it.
func (c *conjugate) monomials(i int) (out []monomial) {
	before := c.order[:slices.Index(c.order, i)+1]
	powers := make([]int, len(c.p.Types))
	var fill func(k, weight int)
	fill = func(k, weight int) {
		if k == len(before) {
			if weight == 0 && slices.ContainsFunc(powers, func(n int) bool { return n != 0 }) {
				out = append(out, monomial{powers: slices.Clone(powers)})
			}
			return
		}
		j := before[k]
		low, high := 0, 0
		switch {
		case j == i && c.weight[j] == 0:
			low, high = 0, 1
		case c.weight[j] == 0:
			low, high = -2, 2
		default:
			high = weight / c.weight[j]
		}
		for powers[j] = low; powers[j] <= high; powers[j]++ {
			fill(k+1, weight-powers[j]*c.weight[j])
		}
		powers[j] = 0
	}
	fill(0, c.weight[i])
	if len(out) > maxMonomials {
		return nil
	}
	return out
}

// maxMonomials bounds the unknowns of one component.
const maxMonomials = 80

func (m monomial) at(x []uint64) uint64 {
	out := uint64(1)
	for i, n := range m.powers {
		switch {
		case n > 0:
			out = mulmod(out, power(x[i], uint64(n)))
		case n < 0:
			out = mulmod(out, inverseOf(power(x[i], uint64(-n))))
		}
	}
	return out
}

// residuesOfCandidate is how many products of residues take as long as a candidate is charged for.
const residuesOfCandidate = 500

// solve finds φ; false where there is none.
func (c *conjugate) solve() bool {
	n := len(c.p.Types)
	c.phi = make([][]monomial, n)
	for _, i := range c.order {
		ms := c.monomials(i)
		if len(ms) == 0 {
			return false
		}
		c.consider((len(ms) + 4) * (len(ms)*len(ms) + 8*len(c.code)) / residuesOfCandidate)
		var rows [][]uint64
		for range len(ms) + 4 {
			l := c.draw(len(c.leaves))
			row := make([]uint64, len(ms))
			for side := range 2 { // what a step adds to φ is the same for two states
				x := c.draw(n)
				y := c.step(x, l)
				for k, m := range ms {
					d := (m.at(y) + prime - mulmod(c.kept(l), m.at(x))) % prime
					if side == 1 {
						d = (prime - d) % prime
					}
					row[k] = (row[k] + d) % prime
				}
			}
			rows = append(rows, row)
		}
		for _, v := range nullspace(rows, len(ms)) {
			if phi := component(i, ms, v); phi != nil && (c.phi[i] == nil || len(phi) < len(c.phi[i])) {
				c.phi[i] = phi
			}
		}
		if c.phi[i] == nil {
			return false
		}
	}
	return true
}

// kept returns the share of φ that a step with these inputs keeps.
func (c *conjugate) kept(l []uint64) uint64 {
	if c.share < 0 {
		return 1
	}
	return l[c.share]
}

// component returns component i of φ with coefficients of which one residue each is known; nil where
// they are no small numbers, or the component itself does not occur just once.
func component(i int, ms []monomial, v []uint64) (out []monomial) {
	var scale uint64
	for k, m := range ms {
		if v[k] != 0 && m.powers[i] != 0 {
			if scale != 0 || m.powers[i] != 1 {
				return nil
			}
			scale = inverseOf(v[k])
		}
	}
	for k, m := range ms {
		r := mulmod(v[k], scale)
		switch {
		case r == 0:
			continue
		case r < 1<<10:
			m.coefficient = int64(r)
		case prime-r < 1<<10:
			m.coefficient = -int64(prime - r)
		default:
			return nil
		}
		if out = append(out, m); m.powers[i] != 0 {
			out[0], out[len(out)-1] = out[len(out)-1], out[0]
		}
	}
	return out
}

// nullspace returns a basis of the vectors that all rows map to zero.
func nullspace(rows [][]uint64, n int) (basis [][]uint64) {
	pivot := make([]int, n) // row of each column, or −1
	at := 0
	for col := range n {
		pivot[col] = -1
		k := at
		for k < len(rows) && rows[k][col] == 0 {
			k++
		}
		if k == len(rows) {
			continue
		}
		rows[at], rows[k] = rows[k], rows[at]
		inv := inverseOf(rows[at][col])
		for j := range rows[at] {
			rows[at][j] = mulmod(rows[at][j], inv)
		}
		for k, r := range rows {
			if f := r[col]; k != at && f != 0 {
				for j := range r {
					r[j] = (r[j] + prime - mulmod(f, rows[at][j])) % prime
				}
			}
		}
		pivot[col] = at
		at++
	}
	for free := range n {
		if pivot[free] >= 0 {
			continue
		}
		v := make([]uint64, n)
		v[free] = 1
		for col, row := range pivot {
			if row >= 0 {
				v[col] = (prime - rows[row][free]) % prime
			}
		}
		basis = append(basis, v)
	}
	return basis
}

// sum returns component i of φ at residues.
func (c *conjugate) sum(i int, x []uint64) (out uint64) {
	for _, m := range c.phi[i] {
		out = (out + mulmod(residue(m.coefficient), m.at(x))) % prime
	}
	return out
}

// inject finds a state to which φ gives what a step adds: of zeros, ones, inputs and products of two of
// them. It is nil where there is none.
func (c *conjugate) inject() []ir.Expr {
	n, t := len(c.p.Types), c.p.Types[0]
	x, l := c.draw(n), c.draw(len(c.leaves))
	y := c.step(x, l)
	choices := []ir.Expr{c.pool.Float(t, 0), c.pool.Float(t, 1)}
	residues := []uint64{0, 1}
	for i, a := range c.leaves {
		choices, residues = append(choices, a), append(residues, l[i])
	}
	for i, a := range c.leaves {
		for j := range i + 1 {
			choices, residues = append(choices, ir.MulOf(c.leaves[j], a)), append(residues, mulmod(l[i], l[j]))
		}
	}
	out, at := make([]ir.Expr, n), make([]uint64, n)
	for _, i := range c.order {
		added := (c.sum(i, y) + prime - mulmod(c.kept(l), c.sum(i, x))) % prime
		k := 0
		for ; k < len(residues); k++ {
			if at[i] = residues[k]; c.sum(i, at) == added {
				break
			}
		}
		if k == len(residues) {
			return nil
		}
		out[i] = choices[k]
	}
	return out
}

// shifts finds the components that move with the inputs that have a weight. It reports whether all others
// stay where they are then: the operator may be computed relative to these components of x.
func (c *conjugate) shifts(leaves int) bool {
	n := len(c.p.Types)
	c.mean = make([]bool, n)
	x, l, by := c.draw(n), c.draw(len(c.leaves)), c.draw(1)[0]
	moved, inputs := slices.Clone(x), slices.Clone(l)
	for i := range l {
		if leaves>>i&1 != 0 {
			inputs[i] = (l[i] + by) % prime
		}
	}
	some := false
	for i, w := range c.weight {
		if c.mean[i] = w == 1 && !slices.Equal(c.phi[i][0].powers, single(n, i)); c.mean[i] {
			moved[i], some = (x[i]+by)%prime, true
		}
	}
	before, after := c.step(x, l), c.step(moved, inputs)
	for i, v := range before {
		if c.mean[i] {
			v = (v + by) % prime
		}
		if after[i] != v {
			return false
		}
	}
	return some
}

func single(n, i int) []int {
	out := make([]int, n)
	out[i] = 1
	return out
}

// operator returns φ⁻¹(φ(x) + φ(y)); relative to the components of x that move with inputs, if it may be.
func (c *conjugate) operator(relative bool) []ir.Expr {
	x, y := c.pool.Operands(c.p.Types)
	origin := slices.Clone(x)
	for i, v := range x {
		if relative && c.mean[i] {
			x[i], y[i] = fold.Number(c.pool, v.Type(), 0), ir.SubOf(y[i], v)
		}
	}
	out := c.inverse(func(phi []monomial) ir.Expr { return fold.Add(c.sumOf(phi, x), c.sumOf(phi, y)) })
	for i, v := range origin {
		if relative && c.mean[i] {
			out[i] = fold.Add(v, out[i])
		}
	}
	return out
}

// inverse returns the state to which φ gives some values.
func (c *conjugate) inverse(value func(phi []monomial) ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(c.order))
	for _, i := range c.order {
		phi := c.phi[i]
		e := value(phi)
		if rest := c.sumOf(phi[1:], out); !fold.IsNumber(rest, 0) {
			e = ir.SubOf(e, rest)
		}
		for j, n := range phi[0].powers {
			for ; j != i && n > 0; n-- {
				e = ir.DivOf(e, out[j])
			}
			for ; j != i && n < 0; n++ {
				e = fold.Mul(e, out[j])
			}
		}
		out[i] = e
	}
	return out
}

// sumOf returns a sum of monomials of components.
func (c *conjugate) sumOf(ms []monomial, x []ir.Expr) ir.Expr {
	t := c.p.Types[0]
	sum := fold.Number(c.pool, t, 0)
	for _, m := range ms {
		e := fold.Number(c.pool, t, m.coefficient)
		for i, n := range m.powers {
			for ; n > 0; n-- {
				e = fold.Mul(e, x[i])
			}
		}
		for i, n := range m.powers {
			for ; n < 0; n++ {
				e = ir.DivOf(e, x[i])
			}
		}
		sum = fold.Add(sum, e)
	}
	return sum
}
