package equation

import (
	"math"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// bitTable says for a bitwise operator's two bits a and b, at index a + 2b, what comes out.
var bitTable = map[ir.Op][4]bool{
	ir.BitAnd: {3: true},
	ir.BitOr:  {1: true, 2: true, 3: true},
	ir.BitXor: {1: true, 2: true},
}

// maxWords is how many different words one bitwise function may have; with more, the
// operator is not looked into. The search has the same limit.
const maxWords = 6

// bitFunction is a function of the bits of words at one position: value[i] is its result
// where word j has the bit i>>j&1.
type bitFunction struct {
	words []poly // by ascending key
	value []bool
}

// bits is a bitwise operator: where both sides are functions of the bits of few words, so
// is the result, and it is written as a sum of conjunctions. Since the words' bits at each
// position take the same combinations, sums of conjunctions with equal values at every
// combination are equal. Over ℤ words are two's complement without end.
func (c *checker) bits(op ir.Op, t ir.Type, a, b poly) poly {
	r := c.ring(t)
	if r == wholes && !t.IsSigned() {
		return c.applySorted(op, t, a, b)
	}
	if op == ir.BitAnd {
		a, b = c.maskedBy(r, t, a, b), c.maskedBy(r, t, b, a)
	}
	f, g := c.asBits(r, a), c.asBits(r, b)
	words := slices.Clone(f.words)
	for _, w := range g.words {
		words = addWord(words, w)
	}
	if len(words) > maxWords {
		return c.applySorted(op, t, a, b)
	}
	out := bitFunction{words, make([]bool, 1<<len(words))}
	for i := range out.value {
		x, y := f.at(words, i), g.at(words, i)
		out.value[i] = bitTable[op][b2i(x)+2*b2i(y)]
	}
	return c.fromBits(r, t, out)
}

// maskedBy is a sum that agrees with a in the bits of the mask 2^n − 1: the lowest n bits
// of a sum of products depend on the lowest n bits of its coefficients and factors only, so
// that coefficients count modulo 2^n and a mask of at least n bits changes nothing. A literal
// stays as it is: of two masks each would reduce the other.
func (c *checker) maskedBy(r ring, t ir.Type, a, mask poly) poly {
	low, ok := mask.whole()
	if a.isConstant() || !ok || low <= 0 || low >= 1<<61 || low&(low+1) != 0 {
		return a
	}
	product := func(m string) bool { return len(m) > 4 }
	if _, ok := c.recognise(r, a); ok && !slices.ContainsFunc(a.monomials(), product) {
		return a
	}
	sum := poly{}
	for m, k := range a {
		n := new(big.Int).And(k.Num(), big.NewInt(low))
		if n.Cmp(big.NewInt((low+1)/2)) > 0 {
			n.Sub(n, big.NewInt(low+1))
		}
		part := poly{"": one}
		for _, f := range factors(m) {
			word := poly{monomial([]int{f}): one}
			if words := c.conjuncts(monomial([]int{f})); len(words) > 1 {
				word = c.conjunctionOf(r, t, c.withoutMask(r, words, low), 1<<len(words)-1)
			}
			part = c.times(r, part, word)
		}
		sum = c.plus(r, sum, c.scale(r, new(big.Rat).SetInt(n), part))
	}
	return sum
}

// withoutMask replaces a literal that has all bits of low by −1.
func (c *checker) withoutMask(r ring, words []poly, low int64) []poly {
	out := slices.Clone(words)
	for i, w := range words {
		if n, ok := w.whole(); ok && n&low == low {
			out[i] = c.constant(r, -1)
		}
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func addWord(words []poly, w poly) []poly {
	i, found := slices.BinarySearchFunc(words, w, func(a, b poly) int { return compareKeys(a, b) })
	if found {
		return words
	}
	return slices.Insert(words, i, w)
}

func compareKeys(a, b poly) int {
	x, y := a.key(), b.key()
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// at is f where words[j] has the bit i>>j&1.
func (f bitFunction) at(words []poly, i int) bool {
	n := 0
	for k, w := range f.words {
		j := slices.IndexFunc(words, func(v poly) bool { return compareKeys(v, w) == 0 })
		n |= i >> j & 1 << k
	}
	return f.value[n]
}

// asBits reads a as a function of the bits of words; of a itself where it is no other.
// A literal and its complement share a word.
func (c *checker) asBits(r ring, a poly) bitFunction {
	if n, ok := a.whole(); ok {
		switch {
		case n == 0:
			return bitFunction{nil, []bool{false}}
		case n == -1:
			return bitFunction{nil, []bool{true}}
		case n < 0:
			return bitFunction{[]poly{c.constant(r, ^n)}, []bool{true, false}}
		}
		return bitFunction{[]poly{a}, []bool{false, true}}
	}
	if f, ok := c.recognise(r, a); ok {
		return f
	}
	if k := a[""]; len(a) > 2 && k != nil && k.Cmp(big.NewRat(-1, 1)) == 0 { // a sum and its complement are one word
		return bitFunction{[]poly{c.complement(r, a)}, []bool{true, false}}
	}
	return bitFunction{[]poly{a}, []bool{false, true}}
}

// recognise reads a sum Σ k·(w & …) as a function of bits: it is one if at each combination
// of bits the coefficients of the conjunctions that are 1 there add up to 0 or 1. The
// constant term k counts −k everywhere, since −1 has all bits set. Where that fails, words of
// conjunctions that are no monomials are looked for among the terms.
func (c *checker) recognise(r ring, a poly) (bitFunction, bool) {
	if f, ok := c.recogniseBeside(r, a, nil, nil); ok || r == fractions {
		return f, ok
	}
	if f, ok := c.recogniseBesideLiteral(r, a); ok {
		return f, ok
	}
	var hidden []poly
	for _, m := range a.monomials() {
		for _, w := range c.conjuncts(m) {
			if w.key1() == "" {
				hidden = addWord(hidden, w)
			}
		}
	}
	if len(hidden) > maxHidden {
		return bitFunction{}, false
	}
	return c.recogniseHidden(r, a, hidden, nil, nil)
}

// recogniseBesideLiteral is recognise where the constant term is a word of its own, or the
// complement of one: k = −1 − ~k.
func (c *checker) recogniseBesideLiteral(r ring, a poly) (bitFunction, bool) {
	k := a[""]
	if k == nil || len(a) < 2 || !k.Num().IsInt64() {
		return bitFunction{}, false
	}
	n, times := k.Num().Int64(), one
	if n < 0 {
		n, times = ^n, big.NewRat(-1, 1)
	}
	if n == 0 || n == math.MaxInt64 {
		return bitFunction{}, false
	}
	word := c.constant(r, n)
	return c.recogniseBeside(r, c.sub(r, a, c.scale(r, times, word)), []poly{word}, []*big.Rat{times})
}

// maxHidden is how many words are looked for among the terms of a sum.
const maxHidden = 3

// recogniseHidden is recognise where hidden words may stand alone: once, or −1 times, or as
// often as one of their terms.
func (c *checker) recogniseHidden(r ring, a poly, hidden, words []poly, times []*big.Rat) (bitFunction, bool) {
	if len(hidden) == 0 {
		return bitFunction{}, false
	}
	w, rest := hidden[0], hidden[1:]
	guesses := []*big.Rat{one, big.NewRat(-1, 1)}
	for _, m := range w.monomials() {
		if k := a[m]; k != nil {
			if n := new(big.Rat).Quo(k, w[m]); n.IsInt() {
				guesses = append(guesses, n)
			}
		}
	}
	for _, k := range guesses {
		left := c.sub(r, a, c.scale(r, k, w))
		ws, ts := append(slices.Clone(words), w), append(slices.Clone(times), k)
		if f, ok := c.recogniseBeside(r, left, ws, ts); ok {
			return f, true
		}
		if f, ok := c.recogniseHidden(r, left, rest, ws, ts); ok {
			return f, true
		}
	}
	return c.recogniseHidden(r, a, rest, words, times)
}

// recogniseBeside is recognise for a sum beside so many times other words.
func (c *checker) recogniseBeside(r ring, a poly, others []poly, times []*big.Rat) (bitFunction, bool) {
	words := slices.Clone(others)
	slices.SortFunc(words, compareKeys)
	for m := range a {
		for _, w := range c.conjuncts(m) {
			words = addWord(words, w)
		}
	}
	if len(words) == 0 || len(words) > maxWords {
		return bitFunction{}, false
	}
	f := bitFunction{words, make([]bool, 1<<len(words))}
	for i := range f.value {
		if !bitsOccur(words, i) {
			continue
		}
		sum := new(big.Rat)
		for m, k := range a {
			switch {
			case m == "":
				sum.Sub(sum, k)
			case c.conjunctionHolds(m, words, i):
				sum.Add(sum, k)
			}
		}
		for n, w := range others {
			if i>>slices.IndexFunc(words, func(v poly) bool { return compareKeys(v, w) == 0 })&1 != 0 {
				sum.Add(sum, times[n])
			}
		}
		sum = r.reduce(sum)
		if sum.Sign() != 0 && sum.Cmp(one) != 0 {
			return bitFunction{}, false
		}
		f.value[i] = sum.Sign() != 0
	}
	return f, true
}

// bitsOccur reports whether the literals among words have, at some position, the bits that i
// gives them.
func bitsOccur(words []poly, i int) bool {
	for position := range 64 {
		possible := true
		for j, w := range words {
			if n, ok := w.whole(); ok && n>>position&1 != int64(i>>j&1) {
				possible = false
			}
		}
		if possible {
			return true
		}
	}
	return false
}

func (c *checker) conjunctionHolds(m string, words []poly, i int) bool {
	for _, w := range c.conjuncts(m) {
		j := slices.IndexFunc(words, func(v poly) bool { return compareKeys(v, w) == 0 })
		if i>>j&1 == 0 {
			return false
		}
	}
	return true
}

// conjuncts lists the words whose conjunction a monomial is: itself, mostly.
func (c *checker) conjuncts(m string) []poly {
	if m == "" {
		return nil
	}
	if len(m) == 4 {
		if a := c.atoms[factors(m)[0]]; a.kind == conjunction {
			return a.args
		}
	}
	return []poly{{m: one}}
}

// fromBits writes a bitwise function as Σ k·(conjunction of a set of words), k by inclusion
// and exclusion over the subsets of the set.
func (c *checker) fromBits(r ring, t ir.Type, f bitFunction) poly {
	sum := poly{}
	for set := range f.value {
		k := int64(0)
		for sub := range f.value {
			if sub&set == sub && f.value[sub] {
				k += 1 - 2*int64(ones(set&^sub)%2)
			}
		}
		if k != 0 {
			sum = c.plus(r, sum, c.scale(r, big.NewRat(k, 1), c.conjunctionOf(r, t, f.words, set)))
		}
	}
	return sum
}

func ones(n int) (count int) {
	for ; n != 0; n &= n - 1 {
		count++
	}
	return count
}

// conjunctionOf is the conjunction of some of the words; −1 of none. Literals fold into one.
func (c *checker) conjunctionOf(r ring, t ir.Type, words []poly, set int) poly {
	mask := int64(-1)
	var args []poly
	for k, w := range words {
		if set>>k&1 == 0 {
			continue
		}
		if n, ok := w.whole(); ok {
			mask &= n
		} else {
			args = append(args, w)
		}
	}
	switch {
	case len(args) == 0 || mask == 0:
		return c.constant(r, mask)
	case mask != -1:
		args = addWord(args, c.constant(r, mask))
	case len(args) == 1:
		return args[0]
	}
	return c.atom(atom{kind: conjunction, typ: t, from: t, args: args})
}
