package poly

import (
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// maxWords is how many different words one bitwise function may have; with more, the
// operator is not looked into. The search has the same limit.
const maxWords = 6

// bitFunction is a function of the bits of words at one position: value[i] is its result
// where word j has the bit i>>j&1.
type bitFunction struct {
	words []Poly   // by ascending key
	value []uint64 // 0 or 1
}

// Bits returns a bitwise operator's value: where both sides are functions of the bits of few words, so
// is the result, and it is written as a sum of conjunctions. Since the words' bits at each
// position take the same combinations, sums of conjunctions with equal values at every
// combination are equal. Over ℤ words are two's complement without end.
func (s *Space) Bits(op ir.Op, t ir.Type, a, b Poly) Poly {
	r := s.Ring(t)
	if op == ir.BitAnd {
		a, b = s.maskedBy(r, t, a, b), s.maskedBy(r, t, b, a)
	}
	f, g := s.asBits(r, a), s.asBits(r, b)
	words := slices.Clone(f.words)
	for _, w := range g.words {
		words = addWord(words, w)
	}
	if len(words) > maxWords {
		return s.ApplySorted(op, t, a, b)
	}
	out := bitFunction{words, make([]uint64, 1<<len(words))}
	for i := range out.value {
		out.value[i] = ir.Apply2(op, ir.U8, f.at(words, i), g.at(words, i))
	}
	sum := s.fromBits(r, t, out)
	if !sum.IsConstant() {
		s.functions[sum.Key()] = out
		s.functions[s.Complement(r, sum).Key()] = out.complement()
	}
	return sum
}

// maskedBy is a sum that agrees with a in the bits of the mask 2^n − 1: the lowest n bits
// of a sum of products depend on the lowest n bits of its coefficients and factors only, so
// that coefficients count modulo 2^n and a mask of at least n bits changes nothing. A literal
// stays as it is: of two masks each would reduce the other.
func (s *Space) maskedBy(r Ring, t ir.Type, a, mask Poly) Poly {
	low, ok := Whole(mask)
	if a.IsConstant() || !ok || low <= 0 || low >= 1<<61 || low&(low+1) != 0 {
		return a
	}
	product := func(t Term) bool { return len(t.Mono) > 4 }
	if _, ok := s.recognise(r, a); ok && !slices.ContainsFunc(a.Terms(), product) {
		return a
	}
	a = s.Modulo(a, big.NewInt(low+1))
	return s.Map(r, a, func(f int) Poly {
		if words := s.conjuncts(MonomialOf([]int{f})); len(words) > 1 {
			return s.conjunctionOf(r, t, s.withoutMask(r, words, low), 1<<len(words)-1)
		}
		return OfAtom(f)
	})
}

// withoutMask replaces a literal that has all bits of low by −1.
func (s *Space) withoutMask(r Ring, words []Poly, low int64) []Poly {
	out := slices.Clone(words)
	for i, w := range words {
		if n, ok := Whole(w); ok && n&low == low {
			out[i] = s.Number(r, -1)
		}
	}
	return out
}

func addWord(words []Poly, w Poly) []Poly {
	i, found := slices.BinarySearchFunc(words, w, compareKeys)
	if found {
		return words
	}
	return slices.Insert(words, i, w)
}

func compareKeys(a, b Poly) int { return strings.Compare(a.Key(), b.Key()) }

func (f bitFunction) complement() bitFunction {
	out := bitFunction{f.words, slices.Clone(f.value)}
	for i, v := range out.value {
		out.value[i] = 1 - v
	}
	return out
}

// at is f where words[j] has the bit i>>j&1.
func (f bitFunction) at(words []Poly, i int) uint64 {
	n := 0
	for k, w := range f.words {
		if hasBit(words, w, i) {
			n |= 1 << k
		}
	}
	return f.value[n]
}

// asBits reads a as a function of the bits of words; of a itself where it is no other.
func (s *Space) asBits(r Ring, a Poly) bitFunction {
	if f, ok := s.recognise(r, a); ok {
		return f
	}
	return bitFunction{[]Poly{a}, []uint64{0, 1}}
}

// recognise reads a sum Σ k·(w & …) as a function of bits: it is one if at each combination
// of bits the coefficients of the conjunctions that are 1 there add up to 0 or 1. The
// constant term n is a word, too, or for n < 0 the complement −1 − ~n of one, where −1 has
// all bits set. Sums that Bits made are known.
func (s *Space) recognise(r Ring, a Poly) (bitFunction, bool) {
	if f, ok := s.functions[a.Key()]; ok {
		return f, true
	}
	var words []Poly
	for _, t := range a.Terms() {
		for _, w := range s.conjuncts(t.Mono) {
			words = addWord(words, w)
		}
	}
	all, times := int64(0), int64(1)
	literal := a.Constant().Num().Int64()
	if literal < 0 {
		all, times, literal = 1, -1, ^literal
	}
	k := s.Number(r, literal)
	if k != nil {
		words = addWord(words, k)
	}
	if len(words) > maxWords || !a.Constant().Num().IsInt64() {
		return bitFunction{}, false
	}
	f := bitFunction{words, make([]uint64, 1<<len(words))}
	for i := range f.value {
		if !bitsOccur(words, i) {
			continue
		}
		sum := big.NewRat(all, 1)
		if k != nil && hasBit(words, k, i) {
			sum.Add(sum, big.NewRat(times, 1))
		}
		for _, t := range a.Terms() {
			without := func(w Poly) bool { return !hasBit(words, w, i) }
			if t.Mono != "" && !slices.ContainsFunc(s.conjuncts(t.Mono), without) {
				sum.Add(sum, t.Coef)
			}
		}
		sum = r.Reduce(sum)
		if sum.Sign() != 0 && sum.Cmp(One) != 0 {
			return bitFunction{}, false
		}
		f.value[i] = sum.Num().Uint64()
	}
	return f, true
}

// hasBit reports whether the word w has its bit set in combination i of the words' bits.
func hasBit(words []Poly, w Poly, i int) bool {
	j, _ := slices.BinarySearchFunc(words, w, compareKeys)
	return i>>j&1 != 0
}

// bitsOccur reports whether the literals among words have, at some position, the bits that i
// gives them.
func bitsOccur(words []Poly, i int) bool {
	for position := range 64 {
		possible := true
		for j, w := range words {
			if n, ok := Whole(w); ok && n>>position&1 != int64(i>>j&1) {
				possible = false
			}
		}
		if possible {
			return true
		}
	}
	return false
}

// conjuncts lists the words whose conjunction a monomial is: itself, mostly.
func (s *Space) conjuncts(m string) []Poly {
	if m == "" {
		return nil
	}
	if len(m) == 4 {
		if a := s.Atoms[Factors(m)[0]]; a.Kind == Conjunction {
			return a.Args
		}
	}
	return []Poly{Of(m, One)}
}

// fromBits writes a bitwise function as Σ k·(conjunction of a set of words), k by inclusion
// and exclusion over the subsets of the set.
func (s *Space) fromBits(r Ring, t ir.Type, f bitFunction) Poly {
	var sum Poly
	for set := range f.value {
		k := int64(0)
		for sub := range f.value {
			if sub&set == sub && f.value[sub] != 0 {
				k += 1 - 2*int64(bits.OnesCount(uint(set&^sub))%2)
			}
		}
		if k != 0 {
			sum = s.Plus(r, sum, s.Scale(r, big.NewRat(k, 1), s.conjunctionOf(r, t, f.words, set)))
		}
	}
	return sum
}

// conjunctionOf is the conjunction of some of the words; −1 of none. Literals fold into one.
func (s *Space) conjunctionOf(r Ring, t ir.Type, words []Poly, set int) Poly {
	mask := int64(-1)
	var args []Poly
	for k, w := range words {
		if set>>k&1 == 0 {
			continue
		}
		if n, ok := Whole(w); ok {
			mask &= n
		} else {
			args = append(args, w)
		}
	}
	switch {
	case len(args) == 0 || mask == 0:
		return s.Number(r, mask)
	case mask != -1:
		args = addWord(args, s.Number(r, mask))
	case len(args) == 1:
		return args[0]
	}
	return s.Atom(Atom{Kind: Conjunction, Type: t, From: t, Args: args})
}
