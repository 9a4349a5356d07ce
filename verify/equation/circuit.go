package equation

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// circuit checks that both sides have the same bits. Each bit is a literal in clauses that
// say what every gate computes; the certificate's clauses must follow by unit propagation,
// each from those before it, and so must at last that no bit of one side differs from that
// of the other.
func (c *checker) circuit(t *proof.Tree) {
	if c.Assume&(ir.NSW|ir.NUW) != 0 {
		poly.Fail("bits of integers that do not wrap")
	}
	if c.problem.Left.Type() != c.problem.Right.Type() {
		poly.Fail("the sides have different types")
	}
	m := &machine{checker: c, gates: map[[3]int]int{}, names: map[string]int{}, values: map[ir.Expr]int{}, sums: map[ir.Expr]*choice{}, results: map[string]int{}}
	m.clauseSet.burn = c.Burn
	m.always(-m.clauseSet.variable())
	var given []int
	for _, g := range c.problem.Given {
		given = append(given, m.bit(g))
	}
	l := m.value(c.problem.Left)
	r := m.value(c.problem.Right)
	for _, g := range given {
		m.always(g)
	}
	for rest := t.Lemmas; len(rest) > 0; {
		rest = m.lemma(rest)
	}
	for i, a := range m.words[l] {
		if b := m.words[r][i]; a != b && (!m.follows(-a, b) || !m.follows(a, -b)) {
			poly.Fail("bit %d of both sides is not seen to be the same", i)
		}
	}
}

// falseBit is the literal of what is never true.
const falseBit = 1

// machine makes the bits of expressions. It makes gates in the order in which the search
// does, so that both give them the same numbers.
type machine struct {
	*checker
	clauseSet
	gates   map[[3]int]int // by function and operands
	words   [][]int        // lowest bit first
	names   map[string]int // numbers of words
	values  map[ir.Expr]int
	sums    map[ir.Expr]*choice
	results map[string]int // of operators that are not looked into
}

// lemma reads one clause as byBits.lemmas writes it, checks that it follows, and adds it.
func (m *machine) lemma(text []byte) (rest []byte) {
	next := func() int {
		v, n := binary.Uvarint(text)
		if n <= 0 || v > 1<<30 {
			poly.Fail("a clause breaks off")
		}
		text = text[n:]
		return int(v)
	}
	var clause []int
	code := 0
	for range next() {
		code += next()
		v := code/2 + 1
		if v >= len(m.clauseSet.truth) {
			poly.Fail("there is no gate %d", v-1)
		}
		if code%2 == 1 {
			v = -v
		}
		clause = append(clause, v)
	}
	if !m.follows(clause...) {
		poly.Fail("the clause %v does not follow by unit propagation", clause)
	}
	m.always(clause...)
	return text
}

// gate is the literal of a function of two literals; its definition is added when it is new.
func (m *machine) gate(function, a, b int) int {
	if a > b {
		a, b = b, a
	}
	key := [3]int{function, a, b}
	n, ok := m.gates[key]
	if ok {
		return n
	}
	n = m.clauseSet.variable()
	m.gates[key] = n
	switch function {
	case conjunctionGate:
		m.always(-n, a)
		m.always(-n, b)
		m.always(n, -a, -b)
	case differenceGate:
		m.always(-n, a, b)
		m.always(-n, -a, -b)
		m.always(n, -a, b)
		m.always(n, a, -b)
	}
	return n
}

// The functions of gates.
const (
	conjunctionGate = iota
	differenceGate
)

func (m *machine) both(a, b int) int {
	for range 2 {
		switch {
		case a == falseBit || a == -b:
			return falseBit
		case a == -falseBit || a == b:
			return b
		}
		a, b = b, a
	}
	return m.gate(conjunctionGate, a, b)
}

func (m *machine) either(a, b int) int { return -m.both(-a, -b) }

// differ is an exclusive or; the signs of its operands go to the result.
func (m *machine) differ(a, b int) int {
	sign := 1
	if a < 0 {
		a, sign = -a, -sign
	}
	if b < 0 {
		b, sign = -b, -sign
	}
	switch falseBit {
	case a:
		return sign * b
	case b:
		return sign * a
	}
	if a == b {
		return sign * falseBit
	}
	return sign * m.gate(differenceGate, a, b)
}

// ifElse is a where p is true and b where not.
func (m *machine) ifElse(p, a, b int) int {
	if a == b {
		return a
	}
	if a == -b {
		return m.differ(p, b)
	}
	then := m.both(p, a)
	otherwise := m.both(-p, b)
	return m.either(then, otherwise)
}

// name is the number of a word.
func (m *machine) name(w []int) int {
	m.checker.Burn(1 + len(w)/4)
	key := fmt.Sprint(w)
	n, ok := m.names[key]
	if !ok {
		n = len(m.words)
		m.names[key] = n
		m.words = append(m.words, w)
	}
	return n
}

// unknown is a word of bits of which nothing is said.
func (m *machine) unknown(t ir.Type) int {
	w := make([]int, t.Bits())
	for i := range w {
		w[i] = m.clauseSet.variable()
	}
	return m.name(w)
}

// opaque is unknown for an operator, the same for the same operands.
func (m *machine) opaque(op ir.Op, t ir.Type, x, y int) int {
	key := fmt.Sprint(op, t, x, y)
	n, ok := m.results[key]
	if !ok {
		n = m.unknown(t)
		m.results[key] = n
	}
	return n
}

func (m *machine) bit(e ir.Expr) int { return m.words[m.value(e)][0] }

// value is the number of an expression's word.
func (m *machine) value(e ir.Expr) int {
	if n, ok := m.values[e]; ok {
		return n
	}
	m.enter()
	var n int
	if isLinear(e) {
		n = m.chosen(e.Type(), m.gather(e))
	} else {
		n = m.evaluate(e)
	}
	m.checker.depth--
	m.values[e] = n
	return n
}

// isLinear reports whether an expression is a sum or product of words.
func isLinear(e ir.Expr) bool {
	if !e.Type().IsInt() {
		return false
	}
	switch e.Op() {
	case ir.Const, ir.Neg, ir.BitNot, ir.Abs, ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.Select:
		return true
	case ir.Shl:
		return e.Arg(1).Op() == ir.Const
	case ir.Cast:
		return e.Arg(0).Type().IsInt() && e.Arg(0).Type().Bits() >= e.Type().Bits()
	}
	return false
}

// Limits of what an expression is gathered into. The search has the same.
const (
	maxChoices    = 8
	maxProductsOf = 24
)

// gather writes an expression as polynomials in words.
func (m *machine) gather(e ir.Expr) *choice {
	if !isLinear(e) {
		return word(m.value(e))
	}
	if c, ok := m.sums[e]; ok {
		return c
	}
	m.enter()
	c := m.polynomials(e)
	m.checker.Burn(16)
	if leaves, products := c.extent(); leaves > maxChoices || products > maxProductsOf {
		c = word(m.chosen(e.Type(), c))
	}
	m.checker.depth--
	m.sums[e] = c
	return c
}

func (m *machine) polynomials(e ir.Expr) *choice {
	t := e.Type()
	r := poly.Ring(t.Bits())
	minus := func(p poly.Poly) poly.Poly { return m.Negate(r, p) }
	switch e.Op() {
	case ir.Const:
		return &choice{sum: m.Number(r, int64(e.Value()))}
	case ir.Select:
		p := m.bit(e.Arg(0))
		x := m.gather(e.Arg(1))
		return choose(p, x, m.gather(e.Arg(2)))
	case ir.Min, ir.Max: // the operand with the smaller number is compared with the other
		low, high := e.Arg(0), e.Arg(1)
		a := m.value(low)
		b := m.value(high)
		if a > b {
			a, b, low, high = b, a, high, low
		}
		p := m.lower(t, m.words[a], m.words[b])
		if e.Op() == ir.Max {
			low, high = high, low
		}
		x := m.gather(low)
		return choose(p, x, m.gather(high))
	}
	x := m.gather(e.Arg(0))
	switch e.Op() {
	case ir.Abs:
		if t.IsUnsigned() {
			return x
		}
		w := m.words[m.value(e.Arg(0))]
		return choose(w[len(w)-1], x.all(minus), x)
	case ir.Neg:
		return x.all(minus)
	case ir.BitNot:
		return x.all(func(p poly.Poly) poly.Poly { return m.Complement(r, p) })
	case ir.Shl:
		power := big.NewInt(0)
		if k := t.Unsigned().Wrap(e.Arg(1).Value()); k < 64 {
			power.Lsh(big.NewInt(1), uint(k))
		}
		return x.all(func(p poly.Poly) poly.Poly { return m.Scale(r, new(big.Rat).SetInt(power), p) })
	case ir.Cast:
		return x.all(func(p poly.Poly) poly.Poly { return m.lowBits(t, p) })
	}
	y := m.gather(e.Arg(1))
	switch e.Op() {
	case ir.Add:
		return x.pairs(y, func(p, q poly.Poly) poly.Poly { return m.Plus(r, p, q) })
	case ir.Sub:
		return x.pairs(y, func(p, q poly.Poly) poly.Poly { return m.Sub(r, p, q) })
	}
	_, a := x.extent()
	_, b := y.extent()
	if a*b > maxProductsOf {
		n := m.value(e.Arg(0))
		x, y = word(n), word(m.value(e.Arg(1)))
	}
	return x.pairs(y, func(p, q poly.Poly) poly.Poly { return m.multiplied(r, p, q) })
}

// chosen makes the word of what an expression was gathered into.
func (m *machine) chosen(t ir.Type, c *choice) int {
	if c.then == nil {
		return m.total(t, c.sum)
	}
	x := m.chosen(t, c.then)
	y := m.chosen(t, c.other)
	return m.name(m.pick(c.p, m.words[x], m.words[y]))
}

// multiplied is times for polynomials in words, none of which is the inverse of another.
func (m *machine) multiplied(r poly.Ring, a, b poly.Poly) poly.Poly {
	var terms []poly.Term
	for _, x := range a.Terms() {
		for _, y := range b.Terms() {
			terms = append(terms, poly.Term{Mono: poly.MonomialOf(poly.Factors(x.Mono + y.Mono)), Coef: new(big.Rat).Mul(x.Coef, y.Coef)})
		}
	}
	m.Burn(len(terms))
	return m.Collect(r, terms)
}

// lowBits is a polynomial for a narrower type.
func (m *machine) lowBits(t ir.Type, p poly.Poly) poly.Poly {
	r := poly.Ring(t.Bits())
	var sum poly.Poly
	for _, part := range p.Terms() {
		var low []int
		for _, n := range poly.Factors(part.Mono) {
			low = append(low, m.name(m.words[n][:t.Bits()]))
		}
		sum = m.Plus(r, sum, m.Scale(r, part.Coef, poly.Of(poly.MonomialOf(low), poly.One)))
	}
	return sum
}

// total adds up a polynomial. A word is added once for each bit of its coefficient, or its
// complement for each bit of the negated one where those are fewer: −w = ^w + 1.
func (m *machine) total(t ir.Type, p poly.Poly) int {
	width := uint(t.Bits())
	mask := t.Unsigned().Max()
	var rest uint64
	var rows [][]int
	for _, part := range p.Terms() {
		coef := part.Coef.Num().Uint64() // modulo 2^64, of negative numbers …
		if part.Coef.Sign() < 0 {
			coef = -coef // … as magnitude
		}
		coef &= mask
		if part.Mono == "" {
			rest += coef
			continue
		}
		w := m.words[m.productOf(t, poly.Factors(part.Mono))]
		if minus := -coef & mask; bits.OnesCount64(minus) < bits.OnesCount64(coef) {
			coef, w = minus, negated(w)
			rest += minus
		}
		for i := range width {
			if coef>>i&1 == 1 {
				rows = append(rows, append(slices.Repeat([]int{falseBit}, int(i)), w[:width-i]...))
			}
		}
	}
	rest &= mask
	carry := falseBit
	if rest == 1 && len(rows) > 1 {
		carry, rest = -falseBit, 0
	}
	if rest != 0 || len(rows) == 0 {
		rows = append(rows, literalBits(rest, int(width)))
	}
	out := rows[0]
	for _, row := range rows[1:] {
		out, _ = m.addBits(out, row, carry)
		carry = falseBit
	}
	return m.name(out)
}

func literalBits(v uint64, width int) []int {
	w := slices.Repeat([]int{falseBit}, width)
	for i := range w {
		if v>>i&1 == 1 {
			w[i] = -falseBit
		}
	}
	return w
}

func negated(w []int) []int {
	w = slices.Clone(w)
	for i := range w {
		w[i] = -w[i]
	}
	return w
}

// addBits adds two words and a carry, and answers the last carry.
func (m *machine) addBits(a, b []int, carry int) ([]int, int) {
	out := make([]int, len(a))
	for i := range a {
		half := m.differ(a[i], b[i])
		generated := m.both(a[i], b[i])
		out[i] = m.differ(half, carry)
		carry = m.either(generated, m.both(half, carry))
	}
	return out, carry
}

// productOf multiplies words from the first to the last.
func (m *machine) productOf(t ir.Type, words []int) int {
	n := words[0]
	for _, k := range words[1:] {
		n = m.product(t, min(n, k), max(n, k))
	}
	return n
}

// maxPartialBits is the limit of the size of a product, of which only the low bits are looked
// into where it is larger. The search has the same.
const (
	maxPartialBits = 80
	lowWidth       = 8
)

func (m *machine) product(t ir.Type, x, y int) int {
	a, b := m.words[x], m.words[y]
	zeros := func(w []int) (n int) {
		for _, l := range w {
			if l == falseBit {
				n++
			}
		}
		return n
	}
	if zeros(b) > zeros(a) {
		a, b = b, a
	}
	var high []int
	width := len(a)
	if (width-zeros(a))*width > maxPartialBits {
		width = lowWidth
		high = m.words[m.opaque(ir.Mul, t, x, y)][width:]
	}
	out := literalBits(0, width)
	for i, l := range a[:width] {
		if l == falseBit {
			continue
		}
		row := literalBits(0, width)
		for j, k := range b[:width-i] {
			row[i+j] = m.both(l, k)
		}
		out, _ = m.addBits(out, row, falseBit)
	}
	return m.name(append(out, high...))
}
