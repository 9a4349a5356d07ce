package poly

import (
	"math/bits"
	"slices"
)

// headAnd marks the atom a & b & … of at least two different words, ascending by id.
const headAnd = uint64(1)<<63 | 1

// maxBitAtoms is the number of different words in one bitwise expression beyond which it
// is left opaque (2^n conjunctions would be needed).
const maxBitAtoms = 6

// BitOp is a bitwise operator as a truth table: bit (a + 2b) is the result for bits a and b.
type BitOp uint8

// The bitwise operators that Bitwise takes.
const (
	BitAnd BitOp = 0b1000
	BitOr  BitOp = 0b1110
	BitXor BitOp = 0b0110
)

// boolean is a bitwise function of words: bit i of table is its value where word j has bit
// i>>j&1.
type boolean struct {
	words []Poly
	table uint64
}

// Bitwise applies op to two words of a modular domain: the result is a sum of
// conjunctions. It reports false where too many different words meet.
// In the domain Integer it is valid too (two's complement of unbounded length).
func (p *Space) Bitwise(d Domain, op BitOp, a, b Poly) (Poly, bool) {
	x, y := p.asBoolean(d, a), p.asBoolean(d, b)
	words := slices.Clone(x.words)
	for _, w := range y.words {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	if len(words) > maxBitAtoms {
		return 0, false
	}
	slices.Sort(words)
	x, y = x.over(words), y.over(words)
	var table uint64
	for i := range 1 << len(words) {
		in := x.table>>i&1 | y.table>>i&1<<1
		table |= uint64(op) >> in & 1 << i
	}
	return p.fromBoolean(d, boolean{words, table}), true
}

// EachWord applies f to the words of which a is a bitwise function: f distributes over such functions, and gives 0 of 0. Where a is
// no function of several words, or one that is not 0 where all words are, it applies f to a. It reports false where f does.
func (p *Space) EachWord(d Domain, a Poly, f func(Poly) (Poly, bool)) (Poly, bool) {
	g, ok := p.recogniseBoolean(d, a)
	if !ok || len(g.words) < 2 || g.table&1 != 0 {
		return f(a)
	}
	images := make([]Poly, len(g.words))
	for i, w := range g.words {
		if images[i], ok = f(w); !ok {
			return 0, false
		}
	}
	words := slices.Clone(images)
	slices.Sort(words)
	words = slices.Compact(words)
	var table uint64
	for i := range 1 << len(words) {
		j := 0
		for k, w := range images {
			j |= i >> slices.Index(words, w) & 1 << k
		}
		table |= g.table >> j & 1 << i
	}
	return p.fromBoolean(d, boolean{words, table}), true
}

// BitNot returns ~a = −a − 1.
func (p *Space) BitNot(d Domain, a Poly) Poly {
	return p.Add(d, p.Int(d, -1), -1, a)
}

// LowBits returns a polynomial that agrees with a in the lowest n < 62 bits: coefficients count
// modulo 2^n only, and masks of at least these bits change nothing. What is a bitwise
// function of words already, none of them a product, is left as it is.
func (p *Space) LowBits(d Domain, a Poly, n int) Poly {
	var buf [8]Term
	product := func(t Term) bool { return len(p.Factors(t.Mono)) > 1 }
	if _, ok := p.recogniseBoolean(d, a); ok && !slices.ContainsFunc(p.Terms(a, buf[:0]), product) {
		return a
	}
	mod := int64(1) << n
	sum := Zero
	for _, t := range p.Terms(p.modulo(d, a, mod), buf[:0]) {
		part := p.Int(d, 1)
		for _, f := range p.Factors(t.Mono) {
			word := p.OfAtom(Atom(f))
			if words := p.conjuncts(p.mono([]uint32{f}), nil); len(words) > 1 {
				word = p.conjunction(d, p.withoutMask(words, mod-1), 1<<len(words)-1)
			}
			part = p.Mul(d, part, word)
		}
		sum = p.Add(d, sum, t.Coef.N, part)
	}
	return p.modulo(d, sum, mod)
}

// modulo returns a polynomial with its coefficients reduced to 0 … n−1, for a power of two n.
func (p *Space) modulo(d Domain, a Poly, n int64) Poly {
	var buf [8]Term
	terms := p.Terms(a, buf[:0])
	for i, t := range terms {
		terms[i].Coef.N = t.Coef.N & (n - 1)
	}
	return p.Sum(d, terms)
}

// withoutMask replaces a literal among words by −1 where it has all bits of low.
func (p *Space) withoutMask(words []Poly, low int64) []Poly {
	out := slices.Clone(words)
	for i, w := range words {
		if c, ok := p.IsConst(w); ok && c.N&low == low {
			out[i] = p.Int(Integer, -1)
		}
	}
	return out
}

// over returns the same function of a longer ascending list of words.
func (f boolean) over(words []Poly) boolean {
	var table uint64
	for i := range 1 << len(words) {
		j := 0
		for k, w := range f.words {
			j |= i >> slices.Index(words, w) & 1 << k
		}
		table |= f.table >> j & 1 << i
	}
	return boolean{words, table}
}

// asBoolean reads a as a bitwise function of words; of itself, where it is no other.
func (p *Space) asBoolean(d Domain, a Poly) boolean {
	if c, ok := p.IsConst(a); ok {
		switch {
		case c.N == 0:
			return boolean{nil, 0}
		case c.N == -1:
			return boolean{nil, 1}
		case c.N < 0: // c and ~c are one word
			return boolean{[]Poly{p.Int(d, ^c.N)}, 0b01}
		}
		return boolean{[]Poly{a}, 0b10}
	}
	if f, ok := p.recogniseBoolean(d, a); ok {
		return f
	}
	if p.Len(a) > 2 && p.coefficient(a, One).N == -1 { // a sum and its complement are one word
		return boolean{[]Poly{p.BitNot(d, a)}, 0b01}
	}
	return boolean{[]Poly{a}, 0b10}
}

// maxHidden is how many words recogniseBoolean tells from the sum that they are in; where there
// are more it looks for none, so that the checker does the same whatever its order.
const maxHidden = 3

// recogniseBoolean finds out whether a sum of conjunctions takes, bit by bit, only the
// values 0 and 1. A word of a conjunction that is a sum or a literal may also stand alone, its
// terms among those of a: how often is guessed by the coefficients of its terms.
func (p *Space) recogniseBoolean(d Domain, a Poly) (boolean, bool) {
	if f, ok := p.booleanOf(d, a, nil); ok || d == Real {
		return f, ok
	}
	if f, ok := p.booleanBesideLiteral(d, a); ok {
		return f, ok
	}
	var hidden []Poly
	for i := 0; i < p.Len(a) && len(hidden) <= maxHidden; i++ {
		for _, w := range p.conjuncts(p.Term(a, i).Mono, nil) {
			if _, visible := p.IsMono(w); !visible && !slices.Contains(hidden, w) {
				hidden = append(hidden, w)
			}
		}
	}
	if len(hidden) > maxHidden {
		return boolean{}, false
	}
	return p.booleanBeside(d, a, hidden, nil)
}

// hasConjunction reports whether a conjunction of words is among the terms of a: else a is no
// bitwise function of more than one.
func (p *Space) hasConjunction(a Poly) bool {
	for i := range p.Len(a) {
		if fs := p.Factors(p.Term(a, i).Mono); len(fs) == 1 && p.Head(Atom(fs[0])) == headAnd {
			return true
		}
	}
	return false
}

// booleanBesideLiteral does what recogniseBoolean does where the constant term of a sum with masks is a word
// of its own, or the complement of one.
func (p *Space) booleanBesideLiteral(d Domain, a Poly) (boolean, bool) {
	c := p.coefficient(a, One).N
	if c == 0 || c == -1 || c == minInt64 || !p.hasConjunction(a) {
		return boolean{}, false
	}
	if c > 0 {
		return p.booleanOf(d, p.Add(d, a, -1, p.Int(d, c)), []alone{{p.Int(d, c), Coef{1, 1}}})
	}
	return p.booleanOf(d, p.Add(d, a, 1, p.Int(d, ^c)), []alone{{p.Int(d, ^c), Coef{-1, 1}}})
}

// alone says that a word occurs by itself, with a coefficient.
type alone struct {
	word Poly
	coef Coef
}

func (p *Space) booleanBeside(d Domain, a Poly, hidden []Poly, known []alone) (boolean, bool) {
	if len(hidden) == 0 || p.Overflow {
		return boolean{}, false
	}
	w, rest := hidden[0], hidden[1:]
	for _, n := range p.multiples(a, w) {
		left := p.Add(d, a, -n, w)
		k := append(slices.Clone(known), alone{w, Coef{n, 1}})
		if f, ok := p.booleanOf(d, left, k); ok {
			return f, true
		}
		if f, ok := p.booleanBeside(d, left, rest, k); ok {
			return f, true
		}
	}
	return p.booleanBeside(d, a, rest, known)
}

// multiples guesses how often a word occurs in a: as often as one of its terms, or ±1.
func (p *Space) multiples(a, w Poly) []int64 {
	out := []int64{1, -1}
	var buf [8]Term
	for _, t := range p.Terms(w, buf[:0]) {
		c := p.coefficient(a, t.Mono).N
		if c%t.Coef.N == 0 && c != 0 && c != minInt64 && !slices.Contains(out, c/t.Coef.N) {
			out = append(out, c/t.Coef.N)
		}
	}
	return out
}

// coefficient returns that of a monomial in a.
func (p *Space) coefficient(a Poly, m Mono) Coef {
	for i := range p.Len(a) {
		if t := p.Term(a, i); t.Mono == m {
			return t.Coef
		}
	}
	return Coef{0, 1}
}

// booleanOf does what recogniseBoolean does for a sum beside words that stand alone.
func (p *Space) booleanOf(d Domain, a Poly, more []alone) (boolean, bool) {
	var few, buf [maxBitAtoms + 2]Poly
	words := few[:0]
	enter := func(w Poly) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	for i := 0; i < p.Len(a) && len(words) <= maxBitAtoms; i++ {
		for _, w := range p.conjuncts(p.Term(a, i).Mono, buf[:0]) {
			enter(w)
		}
	}
	for _, k := range more {
		enter(k.word)
	}
	if len(words) == 0 || len(words) > maxBitAtoms {
		return boolean{}, false
	}
	slices.Sort(words)
	p.count(4 * (p.Len(a) + 1<<len(words)))
	var weight [1 << maxBitAtoms]Coef
	var weighed uint64 // the sets that have a weight
	for n := range p.Len(a) {
		t := p.Term(a, n)
		set := 0
		for _, w := range p.conjuncts(t.Mono, buf[:0]) {
			set |= 1 << slices.Index(words, w)
		}
		weight[set], weighed = t.Coef, weighed|1<<set
		if set == 0 { // the empty conjunction is −1, all ones
			weight[0] = p.mulCoef(d, t.Coef, Coef{-1, 1})
		}
	}
	for _, k := range more { // which are no monomials
		set := 1 << slices.Index(words, k.word)
		weight[set], weighed = k.coef, weighed|1<<set
	}
	var table uint64
	possible := p.combinations(words)
	for i := range 1 << len(words) {
		if possible>>i&1 == 0 {
			continue
		}
		v := Coef{0, 1}
		for left := weighed; left != 0; left &= left - 1 {
			if set := bits.TrailingZeros64(left); set&i == set {
				v = p.addCoef(d, v, weight[set])
			}
		}
		if v.N != 0 && v.N != 1 {
			return boolean{}, false
		}
		table |= uint64(v.N) << i
	}
	return boolean{words, table}, true
}

// combinations returns the mask of those combinations of bits of the words that literals among
// them have at some position.
func (p *Space) combinations(words []Poly) (possible uint64) {
	var fixed uint64 // the words that are literals
	var values [maxBitAtoms]int64
	for j, w := range words {
		if c, ok := p.IsConst(w); ok {
			fixed |= 1 << j
			values[j] = c.N
		}
	}
	if fixed == 0 {
		return ^uint64(0)
	}
	var occurs uint64 // the combinations of bits of literals
	for bit := range 64 {
		at := 0
		for j := range words {
			at |= int(uint64(values[j])>>bit&1) << j
		}
		occurs |= 1 << at
	}
	for i := range uint64(1) << len(words) {
		possible |= occurs >> (i & fixed) & 1 << i
	}
	return possible
}

// conjuncts appends the words whose conjunction a monomial is.
func (p *Space) conjuncts(m Mono, out []Poly) []Poly {
	if m == One {
		return out
	}
	fs := p.Factors(m)
	if len(fs) == 1 && p.Head(Atom(fs[0])) == headAnd {
		a := Atom(fs[0])
		for i := range p.NumArgs(a) {
			out = append(out, p.Arg(a, i))
		}
		return out
	}
	return append(out, p.OfMono(m))
}

// fromBoolean writes a bitwise function as a sum of conjunctions (its Möbius transform).
func (p *Space) fromBoolean(d Domain, f boolean) Poly {
	n := len(f.words)
	var c [1 << maxBitAtoms]int64
	for i := range 1 << n {
		c[i] = int64(f.table >> i & 1)
	}
	for k := range n {
		for i := range 1 << n {
			if i>>k&1 == 1 {
				c[i] -= c[i^1<<k]
			}
		}
	}
	sum := append(p.scratch[:0], Term{One, Coef{-c[0], 1}})
	for set := 1; set < 1<<n; set++ {
		if c[set] == 0 {
			continue
		}
		at := len(sum)
		sum = p.Terms(p.conjunction(d, f.words, set), sum)
		for i := range sum[at:] {
			sum[at+i].Coef = p.mulCoef(d, sum[at+i].Coef, Coef{c[set], 1})
		}
	}
	p.scratch = sum
	return p.Sum(d, sum)
}

// conjunction returns the word ∧ of the chosen words; literals among them fold into one.
func (p *Space) conjunction(d Domain, words []Poly, set int) Poly {
	mask := int64(-1)
	var args []Poly
	for k, w := range words {
		if set>>k&1 == 0 {
			continue
		}
		if c, ok := p.IsConst(w); ok {
			mask &= c.N
		} else {
			args = append(args, w)
		}
	}
	switch {
	case len(args) == 0 || mask == 0:
		return p.Int(d, mask)
	case mask != -1:
		args = append(args, p.Int(d, mask))
	}
	if len(args) == 1 {
		return args[0]
	}
	slices.Sort(args)
	return p.OfAtom(p.AtomOf(headAnd, args...))
}

// IsConjunction reports whether a is an atom x & y & …
func (p *Space) IsConjunction(a Atom) bool { return p.Head(a) == headAnd }
