package bits

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/internal/reuse"
	"github.com/rfactor-go/rfactor/ir"
)

// blaster turns expressions into circuits, in arithmetic that wraps. What it does not look
// into, such as floats, is a word of inputs.
//
// A sum is gathered over all additions, subtractions, products, selects … below it before it is
// built, so that sums of the same words are one circuit however they are spelled. Package verify/bits
// builds the same circuit by code of its own: whatever changes the order in which gates are made must
// be changed there too.
type blaster struct {
	circuit
	words   [][]lit // by number, least significant bit first
	known   map[string]int
	values  map[ir.Expr]int // numbers of words
	sums    map[ir.Expr]*cases
	results map[applied]int // what is not looked into, by operands
	inputs  []blastInput
	opaque  bool // some input is no variable
	buf     []byte
}

// blastInput is a word of inputs. A counterexample gives it a value where e is a variable.
type blastInput struct {
	e    ir.Expr
	word int
}

// applied is an operator on two words.
type applied struct {
	op   ir.Op
	t    ir.Type
	a, b int
}

// sum is a polynomial in words, modulo 2^width.
type sum struct {
	mask     uint64 // 2^width − 1
	constant uint64
	terms    []product // by ascending words
}

// cases are the sums that an expression is, by conditions: that of where if p holds, else that
// of other. A leaf has no where.
type cases struct {
	sum          sum
	p            lit
	where, other *cases
}

// product is a coefficient times words, by ascending numbers.
type product struct {
	words []int
	coef  uint64
}

// Limits of a circuit.
const (
	maxGates    = 1 << 14
	maxPartials = 80 // bits of partial products of one multiplication; if there are more, …
	lowBits     = 8  // … only these bits of the result are computed
	maxProducts = 24 // terms of a sum
	maxLeaves   = 8  // sums of an expression
)

func newBlaster() blaster {
	return blaster{circuit: circuit{number: map[gate]lit{}}, known: map[string]int{}, values: map[ir.Expr]int{}, sums: map[ir.Expr]*cases{}, results: map[applied]int{}}
}

func (b *blaster) reset() {
	b.circuit.reset()
	b.words, b.inputs, b.opaque = b.words[:0], b.inputs[:0], false
	b.known, b.values, b.sums, b.results = reuse.Map(b.known), reuse.Map(b.values), reuse.Map(b.sums), reuse.Map(b.results)
}

// tooLarge reports whether a circuit has become too large to go on with.
func (b *blaster) tooLarge() bool { return len(b.gates) > maxGates || b.asked > b.mayAsk }

// numberOf interns a word.
func (b *blaster) numberOf(w []lit) int {
	b.buf = b.buf[:0]
	for _, l := range w {
		b.buf = binary.LittleEndian.AppendUint32(b.buf, uint32(l))
	}
	n, ok := b.known[string(b.buf)]
	if !ok {
		n = len(b.words)
		b.words = append(b.words, w)
		b.known[string(b.buf)] = n
	}
	return n
}

// fresh returns a word of new inputs.
func (b *blaster) fresh(e ir.Expr, t ir.Type) int {
	w := make([]lit, t.Bits())
	for i := range w {
		w[i] = b.input()
	}
	n := b.numberOf(w)
	b.inputs = append(b.inputs, blastInput{e, n})
	b.opaque = b.opaque || e.Op() != ir.Var
	return n
}

// result returns what an operator that is not looked into gives for two words.
func (b *blaster) result(e ir.Expr, op ir.Op, t ir.Type, x, y int) int {
	key := applied{op, t, x, y}
	n, ok := b.results[key]
	if !ok {
		n = b.fresh(e, t)
		b.results[key] = n
		b.opaque = true
	}
	return n
}

// bit returns the value of a boolean expression.
func (b *blaster) bit(e ir.Expr) lit { return b.words[b.word(e)][0] }

// word returns the number of the word that an expression is.
func (b *blaster) word(e ir.Expr) int {
	n, ok := b.values[e]
	if !ok && b.tooLarge() {
		return b.fresh(e, e.Type())
	}
	if !ok {
		if isSum(e) {
			n = b.build(e, b.cases(e))
		} else {
			n = b.evaluate(e)
		}
		b.values[e] = n
	}
	return n
}

// isSum reports whether an expression is gathered into sums of words.
func isSum(e ir.Expr) bool {
	if !e.Type().IsInt() {
		return false
	}
	switch e.Op() {
	case ir.Add, ir.Sub, ir.Neg, ir.BitNot, ir.Mul, ir.Const, ir.Select, ir.Min, ir.Max, ir.Abs:
		return true
	case ir.Shl:
		return e.Arg(1).Op() == ir.Const
	case ir.Cast:
		return e.Arg(0).Type().IsInt() && e.Type().Bits() <= e.Arg(0).Type().Bits()
	}
	return false
}

func maskOf(t ir.Type) uint64 { return ^uint64(0) >> (64 - t.Bits()) }

func sumOf(t ir.Type, word int) sum {
	return sum{mask: maskOf(t), terms: []product{{[]int{word}, 1}}}
}

// cases gathers an expression into sums of words.
func (b *blaster) cases(e ir.Expr) *cases {
	if !isSum(e) || b.tooLarge() {
		return &cases{sum: sumOf(e.Type(), b.word(e))}
	}
	c, ok := b.sums[e]
	if !ok {
		c = b.gather(e)
		if leaves, terms := c.size(); leaves > maxLeaves || terms > maxProducts {
			c = &cases{sum: sumOf(e.Type(), b.build(e, c))}
		}
		b.sums[e] = c
	}
	return c
}

func (b *blaster) gather(e ir.Expr) *cases {
	t := e.Type()
	negated := func(s sum) sum { return s.scaled(^uint64(0)) }
	switch e.Op() {
	case ir.Const:
		return &cases{sum: sum{mask: maskOf(t), constant: e.Value() & maskOf(t)}}
	case ir.Select:
		p := b.bit(e.Arg(0))
		where := b.cases(e.Arg(1))
		return caseOf(p, where, b.cases(e.Arg(2)))
	case ir.Min, ir.Max:
		return b.extremum(e)
	}
	x := b.cases(e.Arg(0))
	switch e.Op() {
	case ir.Abs:
		if t.IsUnsigned() {
			return x
		}
		w := b.words[b.word(e.Arg(0))]
		return caseOf(w[len(w)-1], x.each(negated), x)
	case ir.Neg:
		return x.each(negated)
	case ir.BitNot:
		return x.each(func(s sum) sum { return plus(negated(s), sum{mask: s.mask, constant: s.mask}) })
	case ir.Shl:
		return x.each(func(s sum) sum { return s.scaled(ir.Apply2(ir.Shl, t, 1, e.Arg(1).Value())) })
	case ir.Cast:
		return x.each(func(s sum) sum { return b.narrowed(s, t) })
	}
	y := b.cases(e.Arg(1))
	switch e.Op() {
	case ir.Add:
		return x.with(y, plus)
	case ir.Sub:
		return x.with(y.each(negated), plus)
	}
	_, m := x.size()
	_, n := y.size()
	if m*n > maxProducts {
		x = &cases{sum: sumOf(t, b.word(e.Arg(0)))}
		y = &cases{sum: sumOf(t, b.word(e.Arg(1)))}
	}
	return x.with(y, times)
}

// extremum chooses between the operands of min or max, of which that with the smaller number
// is compared first.
func (b *blaster) extremum(e ir.Expr) *cases {
	first, second := e.Arg(0), e.Arg(1)
	x := b.word(first)
	y := b.word(second)
	if x > y {
		x, y, first, second = y, x, second, first
	}
	p := b.below(e.Type(), b.words[x], b.words[y])
	if e.Op() == ir.Max {
		first, second = second, first
	}
	where := b.cases(first)
	return caseOf(p, where, b.cases(second))
}

func (s sum) scaled(k uint64) sum {
	out := sum{mask: s.mask, constant: s.constant * k}
	for _, t := range s.terms {
		out.terms = append(out.terms, product{t.words, t.coef * k})
	}
	return out.collected()
}

func plus(s, t sum) sum {
	return sum{s.mask, s.constant + t.constant, slices.Concat(s.terms, t.terms)}.collected()
}

func times(s, t sum) sum {
	out := plus(s.scaled(t.constant), t.scaled(s.constant))
	out.constant = s.constant * t.constant
	for _, p := range s.terms {
		for _, q := range t.terms {
			words := slices.Concat(p.words, q.words)
			slices.Sort(words)
			out.terms = append(out.terms, product{words, p.coef * q.coef})
		}
	}
	return out.collected()
}

// collected adds up the terms with the same words, and sorts them.
func (s sum) collected() sum {
	slices.SortFunc(s.terms, func(p, q product) int { return slices.Compare(p.words, q.words) })
	terms := s.terms[:0]
	for _, t := range s.terms {
		if n := len(terms); n > 0 && slices.Equal(terms[n-1].words, t.words) {
			terms[n-1].coef += t.coef
		} else {
			terms = append(terms, t)
		}
	}
	for i := range terms {
		terms[i].coef &= s.mask
	}
	s.constant &= s.mask
	s.terms = slices.DeleteFunc(terms, func(t product) bool { return t.coef == 0 })
	return s
}

// narrowed keeps the low bits of all words.
func (b *blaster) narrowed(s sum, t ir.Type) sum {
	out := sum{mask: maskOf(t), constant: s.constant}
	for _, p := range s.terms {
		words := make([]int, len(p.words))
		for i, n := range p.words {
			words[i] = b.numberOf(b.words[n][:t.Bits()])
		}
		slices.Sort(words)
		out.terms = append(out.terms, product{words, p.coef})
	}
	return out.collected()
}

// build returns the word of an expression that was gathered.
func (b *blaster) build(e ir.Expr, c *cases) int {
	if c.where == nil {
		return b.addUp(e, c.sum)
	}
	x := b.build(e, c.where)
	y := b.build(e, c.other)
	return b.numberOf(b.chooseWord(c.p, b.words[x], b.words[y]))
}

// addUp adds up the words of a sum: each as often as the bits of its coefficient say, and
// complemented where −1 times the coefficient has fewer. What that leaves of the constant is
// the carry into the first addition if it is 1, else it is added last.
func (b *blaster) addUp(e ir.Expr, s sum) int {
	width := e.Type().Bits()
	constant := s.constant
	var summands [][]lit
	for _, t := range s.terms {
		w := b.words[b.multiply(e, t.words)]
		k := t.coef
		if m := -k & s.mask; bits.OnesCount64(m) < bits.OnesCount64(k) {
			w, k = complement(w), m
			constant += k
		}
		for ; k != 0; k &= k - 1 {
			summands = append(summands, shiftedUp(w, bits.TrailingZeros64(k), no))
		}
	}
	carry := no
	if constant &= s.mask; constant == 1 && len(summands) > 1 {
		carry, constant = yes, 0
	}
	if constant != 0 || len(summands) == 0 {
		summands = append(summands, literalWord(constant, width))
	}
	total := summands[0]
	for _, w := range summands[1:] {
		total, _ = b.addWords(total, w, carry)
		carry = no
	}
	return b.numberOf(total)
}

func literalWord(v uint64, width int) []lit {
	w := make([]lit, width)
	for i := range w {
		w[i] = lit(v >> i & 1)
	}
	return w
}

func complement(w []lit) []lit {
	out := make([]lit, len(w))
	for i, l := range w {
		out[i] = l.not()
	}
	return out
}

// shiftedUp returns w·2^n with bits fill coming in.
func shiftedUp(w []lit, n int, fill lit) []lit {
	if n == 0 {
		return w
	}
	out := slices.Repeat([]lit{fill}, len(w))
	if n < len(w) {
		copy(out[n:], w)
	}
	return out
}

// shiftedDown returns w without its n lowest bits, with bits fill coming in.
func shiftedDown(w []lit, n int, fill lit) []lit {
	if n == 0 {
		return w
	}
	out := slices.Repeat([]lit{fill}, len(w))
	if n < len(w) {
		copy(out, w[n:])
	}
	return out
}

// addWords returns the sum and the last carry.
func (b *blaster) addWords(x, y []lit, carry lit) ([]lit, lit) {
	out := make([]lit, len(x))
	for i := range x {
		out[i], carry = b.add(x[i], y[i], carry)
	}
	return out, carry
}

// multiply returns the product of words, where they are more than one.
func (b *blaster) multiply(e ir.Expr, words []int) int {
	n := words[0]
	for _, m := range words[1:] {
		n = b.product(e, min(n, m), max(n, m))
	}
	return n
}

// product adds up shifted words; with too many partial products, for the low bits only.
func (b *blaster) product(e ir.Expr, x, y int) int {
	v, w := b.words[x], b.words[y]
	if occupied(w) < occupied(v) {
		v, w = w, v
	}
	var high []lit
	if occupied(v)*len(w) > maxPartials {
		high = b.words[b.result(e, ir.Mul, e.Type(), x, y)][lowBits:]
		v, w = v[:lowBits], w[:lowBits]
	}
	total := literalWord(0, len(w))
	for i, l := range v {
		if l == no {
			continue
		}
		row := make([]lit, len(w))
		for j := range row {
			if j >= i {
				row[j] = b.and(l, w[j-i])
			}
		}
		total, _ = b.addWords(total, row, no)
	}
	return b.numberOf(append(total, high...))
}

// occupied counts the bits that may be set.
func occupied(w []lit) (n int) {
	for _, l := range w {
		if l != no {
			n++
		}
	}
	return n
}

// below returns x < y: the borrow of x − y.
func (b *blaster) below(t ir.Type, x, y []lit) lit {
	carry := yes
	top := len(x) - 1
	for i := range x {
		u, v := x[i], y[i]
		if i == top && t.IsSigned() {
			u, v = v, u
		}
		_, carry = b.add(u, v.not(), carry)
	}
	return carry.not()
}

func (b *blaster) same(x, y []lit) lit {
	all := yes
	for i := range x {
		all = b.and(all, b.xor(x[i], y[i]).not())
	}
	return all
}

func (b *blaster) chooseWord(p lit, x, y []lit) []lit {
	out := make([]lit, len(x))
	for i := range x {
		out[i] = b.choose(p, x[i], y[i])
	}
	return out
}
