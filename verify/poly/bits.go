package poly

import (
	"math/big"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// maxWords is how many different words one bitwise function may have; with more, the
// operator is not looked into. The search has the same limit.
const maxWords = 6

// Bits returns a bitwise operator's value as a sum of conjunctions. Where each bit of a sum of
// conjunctions is 0 or 1, a conjunction distributes over it, and
//
//	x | y = x + y − (x & y)    x ^ y = x + y − 2·(x & y)    ~x = −1 − x
//
// Equal functions of the bits of few words are equal sums. Over ℤ words are two's complement
// without end; operators on natural numbers are opaque.
func (s *Space) Bits(op ir.Op, t ir.Type, a, b Poly) Poly {
	r := s.Ring(t)
	if r == Wholes && !t.IsSigned() { // as the search does, whose plan is replayed
		return s.ApplySorted(op, t, a, b)
	}
	if op == ir.BitAnd {
		a, b = s.maskedBy(r, t, a, b), s.maskedBy(r, t, b, a)
	}
	f, _ := s.conjunctions(r, a)
	g, _ := s.conjunctions(r, b)
	var words []Poly
	for _, c := range slices.Concat(f, g) {
		words = union(words, c.words)
	}
	if len(words) > maxWords {
		return s.ApplySorted(op, t, a, b)
	}
	s.Burn(len(f) * len(g))
	var both []multiple
	for _, x := range f {
		for _, y := range g {
			both = append(both, multiple{new(big.Rat).Mul(x.times, y.times), union(x.words, y.words)})
		}
	}
	switch op {
	case ir.BitOr:
		both = slices.Concat(f, g, scaled(both, -1))
	case ir.BitXor:
		both = slices.Concat(f, g, scaled(both, -2))
	}
	return s.sumOf(r, t, collected(both))
}

// EachWord applies f to the words of which a is a bitwise function: f distributes over such functions, and gives 0 of 0. Where a is
// no function of several words, or not known to be 0 where all words are, it applies f to a.
func (s *Space) EachWord(r Ring, t ir.Type, a Poly, f func(Poly) Poly) Poly {
	sum, ok := s.conjunctions(r, a)
	none := func(c multiple) bool { return len(c.words) == 0 }
	if single := len(sum) == 1 && len(sum[0].words) == 1; !ok || single || slices.ContainsFunc(sum, none) {
		return f(a)
	}
	images := make([]multiple, len(sum))
	for i, c := range sum {
		images[i].times = c.times
		for _, w := range c.words {
			images[i].words = union(images[i].words, []Poly{f(w)})
		}
	}
	return s.sumOf(r, t, collected(images))
}

// sumOf returns a bitwise function as the sum of its conjunctions, and remembers that it is one.
func (s *Space) sumOf(r Ring, t ir.Type, conjunctions []multiple) (sum Poly) {
	for _, c := range conjunctions {
		sum = s.Plus(r, sum, s.Scale(r, c.times, s.conjunction(r, t, c.words)))
	}
	if !sum.IsConstant() {
		s.bitwise[sum.Key()] = conjunctions
		s.bitwise[s.Complement(r, sum).Key()] = append(scaled(conjunctions, -1), multiple{One, nil})
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
	if _, ok := s.conjunctions(r, a); ok && !slices.ContainsFunc(a.Terms(), product) {
		return a
	}
	a = s.Modulo(a, big.NewInt(low+1))
	a = s.Map(r, a, func(f int) Poly {
		if words := s.conjuncts(MonomialOf([]int{f})); len(words) > 1 {
			return s.conjunction(r, t, s.withoutMask(r, words, low))
		}
		return OfAtom(f)
	})
	return s.Modulo(a, big.NewInt(low+1))
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

// multiple is a number of times the conjunction of words, which is −1 where there are no words.
type multiple struct {
	times *big.Rat
	words []Poly // by ascending key
}

// conjunctions reads a as a sum of conjunctions. It reports false, and one word, where the bits of the sum
// may be others than 0 and 1.
func (s *Space) conjunctions(r Ring, a Poly) (out []multiple, ok bool) {
	if known, ok := s.bitwise[a.Key()]; ok {
		return known, true
	}
	for _, t := range a.Terms() {
		if t.Mono != "" {
			out = append(out, multiple{t.Coef, s.conjuncts(t.Mono)})
			continue
		}
		n, _ := Whole(Of("", t.Coef))
		times := One
		if n < 0 { // −1 − ~n
			out, n, times = append(out, multiple{One, nil}), ^n, minusOne
		}
		if n != 0 {
			out = append(out, multiple{times, []Poly{s.Number(r, n)}})
		}
	}
	if areBits(r, out) {
		return out, true
	}
	return []multiple{{One, []Poly{a}}}, false
}

func scaled(sum []multiple, k int64) []multiple {
	out := slices.Clone(sum)
	for i, c := range sum {
		out[i].times = new(big.Rat).Mul(big.NewRat(k, 1), c.times)
	}
	return out
}

// collected adds up multiples of one conjunction.
func collected(sum []multiple) (out []multiple) {
	for _, c := range sum {
		i := slices.IndexFunc(out, func(d multiple) bool { return slices.EqualFunc(c.words, d.words, sameKey) })
		if i < 0 {
			out = append(out, c)
		} else {
			out[i].times = new(big.Rat).Add(out[i].times, c.times)
		}
	}
	return slices.DeleteFunc(out, func(c multiple) bool { return c.times.Sign() == 0 })
}

// areBits reports whether conjunctions add up to 0 or 1 in every place, whatever bits the words have
// there that are no literals.
func areBits(r Ring, sum []multiple) bool {
	var words []Poly
	for _, c := range sum {
		words = union(words, c.words)
	}
	if len(words) > maxWords {
		return false
	}
	for i := range 1 << len(words) {
		if !occurs(words, i) {
			continue
		}
		total := new(big.Rat)
		for _, c := range sum {
			clear := func(w Poly) bool { return i>>place(words, w)&1 == 0 }
			if !slices.ContainsFunc(c.words, clear) {
				total.Add(total, c.times)
			}
		}
		if total = r.Reduce(total); total.Sign() != 0 && total.Cmp(One) != 0 {
			return false
		}
	}
	return true
}

// occurs reports whether there is a place in which literals have the bits that i says of words: in
// none has 6 a zero and 4 a one.
func occurs(words []Poly, i int) bool {
	for at := range 64 {
		if !slices.ContainsFunc(words, func(w Poly) bool {
			n, literal := Whole(w)
			return literal && n>>at&1 != int64(i>>place(words, w)&1)
		}) {
			return true
		}
	}
	return false
}

func place(words []Poly, w Poly) int {
	return slices.IndexFunc(words, func(v Poly) bool { return sameKey(v, w) })
}

func union(a, b []Poly) []Poly {
	out := slices.Concat(a, b)
	slices.SortFunc(out, func(p, q Poly) int { return strings.Compare(p.Key(), q.Key()) })
	return slices.CompactFunc(out, sameKey)
}

func sameKey(p, q Poly) bool { return p.Key() == q.Key() }

// conjuncts lists the words whose conjunction a monomial is: itself, mostly.
func (s *Space) conjuncts(m string) []Poly {
	if len(m) == 4 {
		if a := s.Atoms[Factors(m)[0]]; a.Kind == Conjunction {
			return a.Args
		}
	}
	return []Poly{Of(m, One)}
}

// conjunction returns the conjunction of words; −1 of none. Literals fold into one.
func (s *Space) conjunction(r Ring, t ir.Type, words []Poly) Poly {
	mask := int64(-1)
	var args []Poly
	for _, w := range words {
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
		args = union(args, []Poly{s.Number(r, mask)})
	case len(args) == 1:
		return args[0]
	}
	return s.Atom(Atom{Kind: Conjunction, Type: t, From: t, Args: args})
}
