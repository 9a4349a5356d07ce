package poly

import (
	"math"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/internal/reuse"
	"github.com/rfactor-go/rfactor/ir"
)

// Space interns polynomials: within one space equal polynomials have equal numbers. It is not
// safe for concurrent use.
//
// A polynomial is a sum of monomials with coefficients; a monomial is a product of atoms;
// an atom is a term that the caller does not look into, or a conjunction a & b & … of words.
// Over words the bitwise operators are polynomials too, since
// a | b = a + b − (a & b), a ^ b = a + b − 2(a & b) and ~a = −a − 1, bit by bit
// (linear mixed boolean-arithmetic, Zhou et al. 2007).
type Space struct {
	atoms internTable // head, then operands (polynomial ids) as two words: see AtomOf
	monos internTable // atom ids, ascending, repeated for powers
	polys internTable // mono id, coefficient, …
	inv   map[Atom]Atom

	inverses map[Poly]Atom // 1/q of each sum q that something was divided by

	// Overflow is set when a result was too large to represent; every result since then
	// is meaningless. Reset clears it.
	Overflow bool

	Summed int // terms that were added up since it was set to 0
	Limit  int // of Summed, beyond which Overflow is set

	scratch []Term
	words   []uint32
}

// Atom is the number of an atom in a space.
type Atom uint32

// Mono is the number of a monomial in a space.
type Mono uint32

const One Mono = 0 // the empty product, in every space

// Poly is the number of a polynomial in a space.
type Poly uint32

const Zero Poly = 0 // the empty sum, in every space

// Coef is a coefficient N/D in lowest terms with D > 0; D is 1 over integers.
type Coef struct{ N, D int64 }

// Term is one summand.
type Term struct {
	Mono Mono
	Coef Coef
}

// Domain is the ring that coefficients are of. Domain(b) is the integers modulo 2^b, for b = 8,
// 16, 32 and 64; 0 is none.
type Domain uint8

const (
	Integer Domain = 1 // ℤ
	Real    Domain = 2 // ℚ, with division
)

// DomainOf returns the ring in which arithmetic of type t may be done under the assumptions,
// or 0 where there is none (exact floats, bool).
func DomainOf(t ir.Type, assume ir.Assume) Domain {
	switch {
	case t.IsFloat() && assume.Has(ir.Reassoc):
		return Real
	case !t.IsInt():
		return 0
	case assume.Unbounded(t):
		return Integer
	}
	return Domain(t.Bits())
}

// Bits returns the width of a domain of integers modulo a power of two, else 0.
func (d Domain) Bits() int {
	if d > Real {
		return int(d)
	}
	return 0
}

const (
	maxTerms  = 2048 // of a polynomial
	maxDegree = 24
	maxWords  = 1 << 22 // of all polynomials of a space, which take four bytes each
)

// NewSpace returns an empty space.
func NewSpace() *Space {
	p := &Space{Limit: math.MaxInt, inv: map[Atom]Atom{}, inverses: map[Poly]Atom{}}
	p.Reset()
	return p
}

// Reset forgets everything but keeps the memory.
func (p *Space) Reset() {
	p.atoms.reset()
	p.monos.reset()
	p.polys.reset()
	p.inv = reuse.Map(p.inv)
	p.inverses = reuse.Map(p.inverses)
	p.Overflow = false
	p.monos.intern(nil) // One
	p.polys.intern(nil) // Zero
}

// AtomOf returns the atom with the given head word and operands.
func (p *Space) AtomOf(head uint64, args ...Poly) Atom {
	w := append(p.words[:0], uint32(head), uint32(head>>32))
	for _, a := range args {
		w = append(w, uint32(a))
	}
	p.words = w
	return Atom(p.atoms.intern(w))
}

// Head returns the head word of an atom.
func (p *Space) Head(a Atom) uint64 {
	w := p.atoms.words(uint32(a))
	return uint64(w[0]) | uint64(w[1])<<32
}

// NumArgs returns the number of operands of an atom.
func (p *Space) NumArgs(a Atom) int { return len(p.atoms.words(uint32(a))) - 2 }

// Arg returns the i-th operand of an atom.
func (p *Space) Arg(a Atom, i int) Poly { return Poly(p.atoms.words(uint32(a))[2+i]) }

// Factors lists the atoms of a monomial, ascending, repeated for powers.
// The slice is the workspace's own.
func (p *Space) Factors(m Mono) []uint32 { return p.monos.words(uint32(m)) }

// Terms lists the summands of a polynomial by ascending monomial id, appended to buf.
func (p *Space) Terms(q Poly, buf []Term) []Term {
	for i := range p.Len(q) {
		buf = append(buf, p.Term(q, i))
	}
	return buf
}

// Term returns the i-th summand of a polynomial.
func (p *Space) Term(q Poly, i int) Term {
	w := p.polys.words(uint32(q))[5*i : 5*i+5]
	return Term{Mono(w[0]), Coef{int64(uint64(w[1]) | uint64(w[2])<<32), int64(uint64(w[3]) | uint64(w[4])<<32)}}
}

// Len returns the number of summands.
func (p *Space) Len(q Poly) int { return len(p.polys.words(uint32(q))) / 5 }

// IsConst returns the value of q, and whether q is a constant.
func (p *Space) IsConst(q Poly) (Coef, bool) {
	w := p.polys.words(uint32(q))
	switch {
	case len(w) == 0:
		return Coef{0, 1}, true
	case len(w) == 5 && Mono(w[0]) == One:
		return Coef{int64(uint64(w[1]) | uint64(w[2])<<32), int64(uint64(w[3]) | uint64(w[4])<<32)}, true
	}
	return Coef{}, false
}

// IsMono returns the monomial of q, and whether q is a single one with coefficient 1.
func (p *Space) IsMono(q Poly) (Mono, bool) {
	w := p.polys.words(uint32(q))
	if len(w) == 5 && w[0] != 0 && w[1] == 1 && w[2] == 0 && w[3] == 1 && w[4] == 0 {
		return Mono(w[0]), true
	}
	return 0, false
}

// Sum returns the polynomial of terms in any order, several of one monomial among them. It may reorder the slice.
func (p *Space) Sum(d Domain, ts []Term) Poly {
	p.count(len(ts))
	slices.SortFunc(ts, func(a, b Term) int { return int(a.Mono) - int(b.Mono) })
	w := p.words[:0]
	for i := 0; i < len(ts); {
		c := ts[i].Coef
		j := i + 1
		for ; j < len(ts) && ts[j].Mono == ts[i].Mono; j++ {
			c = p.addCoef(d, c, ts[j].Coef)
		}
		w = appendTerm(w, Term{ts[i].Mono, d.reduce(c)})
		i = j
	}
	return p.ofWords(w)
}

// count notes that so many terms are added up.
func (p *Space) count(terms int) {
	if p.Summed += terms; p.Summed > p.Limit {
		p.Overflow = true
	}
}

// appendTerm appends a summand as words, unless it is 0.
func appendTerm(w []uint32, t Term) []uint32 {
	if t.Coef.N == 0 {
		return w
	}
	return append(w, uint32(t.Mono), uint32(t.Coef.N), uint32(uint64(t.Coef.N)>>32), uint32(t.Coef.D), uint32(uint64(t.Coef.D)>>32))
}

// ofWords returns the polynomial of summands in words, by ascending monomial.
func (p *Space) ofWords(w []uint32) Poly {
	p.words = w
	if len(w) > 5*maxTerms || len(p.polys.data) > maxWords {
		p.Overflow = true
	}
	return Poly(p.polys.intern(w))
}

// Const returns the polynomial c.
func (p *Space) Const(d Domain, c Coef) Poly {
	p.count(1)
	return p.ofWords(appendTerm(p.words[:0], Term{One, d.reduce(c)}))
}

// Int returns the constant v.
func (p *Space) Int(d Domain, v int64) Poly { return p.Const(d, Coef{v, 1}) }

// OfAtom returns the atom as a polynomial.
func (p *Space) OfAtom(a Atom) Poly {
	return p.OfMono(p.mono([]uint32{uint32(a)}))
}

// OfMono returns the monomial as a polynomial.
func (p *Space) OfMono(m Mono) Poly {
	p.words = append(p.words[:0], uint32(m), 1, 0, 1, 0)
	return Poly(p.polys.intern(p.words))
}

func (p *Space) mono(atoms []uint32) Mono {
	if len(atoms) > maxDegree {
		p.Overflow = true
		atoms = atoms[:maxDegree]
	}
	return Mono(p.monos.intern(atoms))
}

// Add returns a + k·b.
func (p *Space) Add(d Domain, a Poly, k int64, b Poly) Poly {
	n, m := p.Len(a), p.Len(b)
	p.count(n + m)
	w := p.words[:0]
	for i, j := 0, 0; i < n || j < m; {
		var x, y Term
		if i < n {
			x = p.Term(a, i)
		}
		if j < m {
			y = p.Term(b, j)
			y.Coef = p.mulCoef(d, y.Coef, Coef{k, 1})
		}
		switch {
		case j == m || i < n && x.Mono < y.Mono:
			i++
		case i == n || y.Mono < x.Mono:
			x = y
			j++
		default:
			x.Coef = p.addCoef(d, x.Coef, y.Coef)
			i, j = i+1, j+1
		}
		x.Coef = d.reduce(x.Coef)
		w = appendTerm(w, x)
	}
	return p.ofWords(w)
}

// Scale returns c·a.
func (p *Space) Scale(d Domain, c Coef, a Poly) Poly {
	ts := p.Terms(a, p.scratch[:0])
	for i := range ts {
		ts[i].Coef = p.mulCoef(d, ts[i].Coef, c)
	}
	p.scratch = ts
	return p.Sum(d, ts)
}

// Mul returns a·b.
func (p *Space) Mul(d Domain, a, b Poly) Poly {
	if c, ok := p.IsConst(a); ok {
		return p.Scale(d, c, b)
	}
	if c, ok := p.IsConst(b); ok {
		return p.Scale(d, c, a)
	}
	if d == Real && len(p.inverses) > 0 {
		if out, ok := p.cancelled(a, b); ok {
			return out
		}
		if out, ok := p.cancelled(b, a); ok {
			return out
		}
	}
	if p.Len(a)*p.Len(b) > 8*maxTerms {
		p.Overflow = true
	}
	if p.Overflow {
		return Zero
	}
	var few, more [8]Term
	as, bs := p.Terms(a, few[:0]), p.Terms(b, more[:0])
	out := p.scratch[:0]
	for _, x := range as {
		for _, y := range bs {
			out = append(out, Term{p.MulMono(x.Mono, y.Mono), p.mulCoef(d, x.Coef, y.Coef)})
		}
	}
	p.scratch = out
	return p.Sum(d, out)
}

// cancelled returns a·b where a is a sum c·q and b divides by q in some terms: of these it is c times what is divided.
// It reports false where there are none.
//
//	(x + y)·(z/(x + y) + z)   →   z + (x + y)·z
func (p *Space) cancelled(a, b Poly) (out Poly, ok bool) {
	n := p.Len(a)
	if n < 2 {
		return Zero, false
	}
	c := p.Term(a, n-1).Coef
	f, known := p.monic(a)
	if !known {
		return Zero, false
	}
	var with, without []Term
	for i := range p.Len(b) {
		t := p.Term(b, i)
		if k := slices.Index(p.Factors(t.Mono), uint32(f)); k >= 0 {
			rest := slices.Delete(slices.Clone(p.Factors(t.Mono)), k, k+1)
			with = append(with, Term{p.mono(rest), p.mulCoef(Real, c, t.Coef)})
		} else {
			without = append(without, t)
		}
	}
	if len(with) == 0 {
		return Zero, false
	}
	out = p.Sum(Real, with)
	if len(without) > 0 {
		out = p.Add(Real, out, 1, p.Mul(Real, a, p.Sum(Real, without)))
	}
	return out, true
}

// monic returns the atom 1/q where a is a multiple of q. It reports false where there is no such atom.
func (p *Space) monic(a Poly) (Atom, bool) {
	c := p.Term(a, p.Len(a)-1).Coef
	if c != (Coef{1, 1}) {
		by, ok := reciprocal(c)
		if !ok {
			return 0, false
		}
		a = p.Scale(Real, by, a)
	}
	f, ok := p.inverses[a]
	return f, ok
}

// reciprocal returns 1/c of c ≠ 0. It reports false where that is too large to represent.
func reciprocal(c Coef) (Coef, bool) {
	switch {
	case c.N == minInt64:
		return Coef{}, false
	case c.N < 0:
		return Coef{-c.D, -c.N}, true
	}
	return Coef{c.D, c.N}, true
}

// MulMono returns the product of two monomials; an atom and its inverse cancel.
func (p *Space) MulMono(a, b Mono) Mono {
	if a == One {
		return b
	}
	if b == One {
		return a
	}
	var few [2 * maxDegree]uint32
	w := append(few[:0], p.Factors(a)...)
	for _, f := range p.Factors(b) {
		if i := p.inverseIn(w, Atom(f)); i >= 0 {
			w = slices.Delete(w, i, i+1)
		} else {
			w = append(w, f)
		}
	}
	slices.Sort(w)
	return p.mono(w)
}

func (p *Space) inverseIn(w []uint32, f Atom) int {
	if len(p.inv) == 0 {
		return -1
	}
	if i, ok := p.inv[f]; ok {
		return slices.Index(w, uint32(i))
	}
	return -1
}

// headInverse marks the atom 1/q of a polynomial q with leading coefficient 1.
const headInverse = uint64(1) << 63

// Inverse returns 1/a in the domain Real. For a = 0 it sets Overflow and returns Zero.
func (p *Space) Inverse(a Poly) Poly {
	ts := p.Terms(a, nil)
	if len(ts) == 0 {
		p.Overflow = true
		return Zero
	}
	lead := ts[len(ts)-1].Coef
	c, ok := reciprocal(lead)
	if !ok {
		p.Overflow = true
		return Zero
	}
	if len(ts) > 1 {
		return p.Scale(Real, c, p.OfAtom(p.inverseAtom(p.Scale(Real, c, a))))
	}
	var w []uint32
	for _, f := range p.Factors(ts[0].Mono) {
		i, ok := p.inv[Atom(f)]
		if !ok {
			i = p.inverseAtom(p.OfAtom(Atom(f)))
		}
		w = append(w, uint32(i))
	}
	slices.Sort(w)
	return p.Scale(Real, c, p.OfMono(p.mono(w)))
}

func (p *Space) inverseAtom(q Poly) Atom {
	i := p.AtomOf(headInverse, q)
	if m, ok := p.IsMono(q); ok && len(p.Factors(m)) == 1 {
		f := Atom(p.Factors(m)[0])
		p.inv[f], p.inv[i] = i, f
	} else {
		p.inverses[q] = i
	}
	return i
}

// IsInverse returns q, and whether a is the atom 1/q.
func (p *Space) IsInverse(a Atom) (Poly, bool) {
	if p.Head(a) == headInverse {
		return p.Arg(a, 0), true
	}
	return 0, false
}

// ClearInverses multiplies a by the denominators of its inverse atoms, until none is left:
// the result is zero exactly where a is, wherever the denominators are not.
func (p *Space) ClearInverses(a Poly) Poly {
	for range 8 {
		atom, q, found := p.someInverse(a)
		if !found || p.Overflow {
			return a
		}
		a = p.timesDenominator(a, atom, q)
	}
	p.Overflow = true
	return a
}

func (p *Space) someInverse(a Poly) (Atom, Poly, bool) {
	for _, t := range p.Terms(a, nil) {
		for _, f := range p.Factors(t.Mono) {
			if q, ok := p.IsInverse(Atom(f)); ok {
				return Atom(f), q, true
			}
		}
	}
	return 0, 0, false
}

// timesDenominator multiplies a by q to the highest power that the atom 1/q has in a.
func (p *Space) timesDenominator(a Poly, inverse Atom, q Poly) Poly {
	ts := p.Terms(a, nil)
	power := func(m Mono) (n int) {
		for _, f := range p.Factors(m) {
			if Atom(f) == inverse {
				n++
			}
		}
		return n
	}
	most := 0
	for _, t := range ts {
		most = max(most, power(t.Mono))
	}
	var sum []Term
	for _, t := range ts {
		rest := slices.DeleteFunc(slices.Clone(p.Factors(t.Mono)), func(f uint32) bool { return Atom(f) == inverse })
		part := p.Scale(Real, t.Coef, p.OfMono(p.mono(rest)))
		if len(rest) == 0 {
			part = p.Const(Real, t.Coef)
		}
		for range most - power(t.Mono) {
			part = p.Mul(Real, part, q)
		}
		if sum = p.Terms(part, sum); len(sum) > 8*maxTerms {
			p.Overflow = true
			return Zero
		}
	}
	return p.Sum(Real, sum)
}

const minInt64 = -1 << 63

func (d Domain) reduce(c Coef) Coef {
	switch d {
	case 8:
		c.N = int64(int8(c.N))
	case 16:
		c.N = int64(int16(c.N))
	case 32:
		c.N = int64(int32(c.N))
	}
	return c
}

func (p *Space) addCoef(d Domain, a, b Coef) Coef {
	if d == Real && (a.D != 1 || b.D != 1) {
		g := gcd(a.D, b.D)
		n := p.add64(p.mul64(a.N, b.D/g), p.mul64(b.N, a.D/g))
		return lowest(Coef{n, p.mul64(a.D, b.D/g)})
	}
	if d.Bits() > 0 {
		return d.reduce(Coef{a.N + b.N, 1})
	}
	return Coef{p.add64(a.N, b.N), 1}
}

func (p *Space) mulCoef(d Domain, a, b Coef) Coef {
	if d == Real && (a.D != 1 || b.D != 1) {
		a, b = lowest(Coef{a.N, b.D}), lowest(Coef{b.N, a.D})
		return Coef{p.mul64(a.N, b.N), p.mul64(a.D, b.D)}
	}
	if d.Bits() > 0 {
		return d.reduce(Coef{a.N * b.N, 1})
	}
	return Coef{p.mul64(a.N, b.N), 1}
}

func (p *Space) add64(a, b int64) int64 {
	s := a + b
	if (a^s)&(b^s) < 0 {
		p.Overflow = true
	}
	return s
}

func (p *Space) mul64(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(abs64(a)), uint64(abs64(b)))
	if hi != 0 || lo >= 1<<63 || a == minInt64 || b == minInt64 {
		p.Overflow = true
	}
	return a * b
}

func abs64(a int64) int64 {
	if a < 0 {
		return -a
	}
	return a
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return abs64(a)
}

func lowest(c Coef) Coef {
	if g := gcd(c.N, c.D); g > 1 {
		return Coef{c.N / g, c.D / g}
	}
	return c
}
