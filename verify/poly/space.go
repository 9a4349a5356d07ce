package poly

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Atom is something that polynomials do not look into: an operator applied to polynomials
// of the type From, or a leaf.
type Atom struct {
	Kind     AtomKind
	Op       ir.Op
	Type     ir.Type
	From     ir.Type
	Name     string // of calls; the bits of literals; the number of a variable
	Args     []Poly
	Variable ir.Expr // of variables
}

// AtomKind says what an atom stands for.
type AtomKind uint8

// The kinds of atoms.
const (
	Opaque      AtomKind = iota // Op(Args)
	Conjunction                 // the bitwise and of Args, all different
	Inverse                     // 1/Args[0]
)

// Space numbers the atoms of one check and pays for its steps.
type Space struct {
	Assume ir.Assume
	Fuel   int // elementary steps that may still be made
	Atoms  []Atom
	ids    map[string]int

	bitwise map[string][]multiple // sums of conjunctions whose bits are 0 or 1, by their keys
}

// NewSpace returns a space without atoms.
func NewSpace(assume ir.Assume, fuel int) *Space {
	return &Space{Assume: assume, Fuel: fuel, ids: map[string]int{}, bitwise: map[string][]multiple{}}
}

// Burn pays for n elementary steps. It fails when they are used up.
func (s *Space) Burn(n int) {
	if s.Fuel -= n; s.Fuel < 0 {
		Fail("it takes too long to check")
	}
}

// Ring returns the ring of a type.
func (s *Space) Ring(t ir.Type) Ring { return RingOf(t, s.Assume) }

// Atom returns the polynomial that consists of an atom. Equal atoms have one number.
func (s *Space) Atom(a Atom) Poly {
	k := []byte{byte(a.Kind), byte(a.Op), byte(a.Type), byte(a.From)}
	k = append(strconv.AppendQuote(k, a.Name), byte(len(a.Args)))
	for _, p := range a.Args {
		key := p.Key()
		k = append(strconv.AppendInt(k, int64(len(key)), 10), ':')
		k = append(k, key...)
	}
	s.Burn(1 + len(k)/16)
	n, ok := s.ids[string(k)]
	if !ok {
		n = len(s.Atoms)
		s.ids[string(k)] = n
		s.Atoms = append(s.Atoms, a)
	}
	return OfAtom(n)
}

// Apply returns an operator's value that is not looked into.
func (s *Space) Apply(op ir.Op, t, from ir.Type, args ...Poly) Poly {
	return s.Atom(Atom{Op: op, Type: t, From: from, Args: args})
}

// ApplySorted is Apply for an operator that commutes.
func (s *Space) ApplySorted(op ir.Op, t ir.Type, a, b Poly) Poly {
	if b.Key() < a.Key() {
		a, b = b, a
	}
	return s.Apply(op, t, t, a, b)
}

// Sole returns the atom that p consists of; ok is false where p is anything but a single atom.
func (s *Space) Sole(p Poly) (Atom, bool) {
	n, ok := p.Atom()
	if !ok {
		return Atom{}, false
	}
	return s.Atoms[n], true
}

// SoleOp returns the atom that p consists of, like Sole; ok is false unless the atom is an application of op.
func (s *Space) SoleOp(p Poly, op ir.Op) (Atom, bool) {
	a, ok := s.Sole(p)
	return a, ok && a.Kind == Opaque && a.Op == op
}

// Variable returns the variable that a monomial consists of, and the number of its atom.
func (s *Space) Variable(mono string) (ir.Expr, int, bool) {
	if len(mono) != 4 {
		return ir.Expr{}, 0, false
	}
	n := Factors(mono)[0]
	v := s.Atoms[n].Variable
	return v, n, v.IsValid()
}

// AtomsOf lists the atoms that occur in p, not those inside others.
func (s *Space) AtomsOf(p Poly) []int {
	var out []int
	for _, t := range p.Terms() {
		out = append(out, Factors(t.Mono)...)
	}
	return out
}

// Occurs reports whether an atom occurs in p at any depth.
func (s *Space) Occurs(n int, p Poly) bool {
	for _, f := range s.AtomsOf(p) {
		s.Burn(1)
		if f == n || slices.ContainsFunc(s.Atoms[f].Args, func(q Poly) bool { return s.Occurs(n, q) }) {
			return true
		}
	}
	return false
}

// Whole returns the value of a constant integer; every one that matters fits 64 bits.
func Whole(p Poly) (int64, bool) {
	if p == nil {
		return 0, true
	}
	if !p.IsConstant() || !p.terms[0].Coef.IsInt() {
		return 0, false
	}
	k := p.terms[0].Coef
	if !k.Num().IsInt64() {
		Fail("the constant %v is too large", k)
	}
	return k.Num().Int64(), true
}

// Number returns the constant v of a ring.
func (s *Space) Number(r Ring, v int64) Poly { return s.Scale(r, big.NewRat(v, 1), Unit()) }

// Reduce brings a coefficient of a ring of words into −2^(b−1) … 2^(b−1)−1.
func (r Ring) Reduce(k *big.Rat) *big.Rat {
	if !r.IsModular() {
		return k
	}
	if !k.IsInt() {
		Fail("internal: a fraction in a ring of words")
	}
	half := uint(r) - 1
	if n := k.Num(); n.IsInt64() && (half == 63 || n.Int64() >= -1<<half && n.Int64() < 1<<half) {
		return k
	}
	n := new(big.Int).Add(k.Num(), new(big.Int).Lsh(big.NewInt(1), half))
	n.Mod(n, new(big.Int).Lsh(big.NewInt(1), uint(r))) // in 0 … 2^b−1
	return new(big.Rat).SetInt(n.Sub(n, new(big.Int).Lsh(big.NewInt(1), half)))
}

// Collect adds up terms, in any order, to a polynomial.
func (s *Space) Collect(r Ring, terms []Term) Poly {
	slices.SortStableFunc(terms, func(a, b Term) int { return strings.Compare(a.Mono, b.Mono) })
	out := terms[:0]
	for i := 0; i < len(terms); {
		sum := terms[i]
		for i++; i < len(terms) && terms[i].Mono == sum.Mono; i++ {
			sum.Coef = new(big.Rat).Add(sum.Coef, terms[i].Coef)
		}
		s.Burn(1 + sum.Coef.Num().BitLen()/256)
		if sum.Coef = r.Reduce(sum.Coef); sum.Coef.Sign() != 0 {
			out = append(out, sum)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return &Sum{terms: slices.Clip(out)}
}

// Scale returns k·a.
func (s *Space) Scale(r Ring, k *big.Rat, a Poly) Poly {
	terms := make([]Term, 0, len(a.Terms()))
	for _, t := range a.Terms() {
		terms = append(terms, Term{t.Mono, new(big.Rat).Mul(k, t.Coef)})
	}
	return s.Collect(r, terms)
}

// Plus returns a + b.
func (s *Space) Plus(r Ring, a, b Poly) Poly {
	return s.Collect(r, slices.Concat(a.Terms(), b.Terms()))
}

// Sub returns a − b.
func (s *Space) Sub(r Ring, a, b Poly) Poly { return s.Plus(r, a, s.Negate(r, b)) }

// Negate returns −a.
func (s *Space) Negate(r Ring, a Poly) Poly { return s.Scale(r, minusOne, a) }

// Complement returns ~a, which is −1 − a.
func (s *Space) Complement(r Ring, a Poly) Poly { return s.Sub(r, s.Number(r, -1), a) }

// Times returns a·b.
func (s *Space) Times(r Ring, a, b Poly) Poly {
	if f, c, ok := s.denominator(r, a, b); ok {
		return s.cancelled(a, b, f, c)
	}
	if f, c, ok := s.denominator(r, b, a); ok {
		return s.cancelled(b, a, f, c)
	}
	s.Burn(len(a.Terms()) * len(b.Terms()))
	terms := make([]Term, 0, len(a.Terms())*len(b.Terms()))
	for _, x := range a.Terms() {
		for _, y := range b.Terms() {
			terms = append(terms, Term{s.product(x.Mono, y.Mono), new(big.Rat).Mul(x.Coef, y.Coef)})
		}
	}
	return s.Collect(r, terms)
}

// product multiplies monomials. An atom and its inverse cancel, a field identity: where the
// atom is zero the product is NaN.
func (s *Space) product(m, n string) string {
	if m == "" || n == "" {
		return m + n
	}
	atoms := Factors(m)
	s.Burn(len(m) + len(n))
	for _, f := range Factors(n) {
		i := -1
		if s.Assume.Has(ir.NNaN) {
			i = slices.IndexFunc(atoms, func(g int) bool { return s.areInverse(f, g) })
		}
		if i < 0 {
			atoms = append(atoms, f)
		} else {
			atoms = slices.Delete(atoms, i, i+1)
		}
	}
	return MonomialOf(atoms)
}

// areInverse reports whether one atom is 1 over the other.
func (s *Space) areInverse(f, g int) bool {
	for _, pair := range [2][2]int{{f, g}, {g, f}} {
		if a := s.Atoms[pair[0]]; a.Kind == Inverse {
			if n, ok := a.Args[0].Atom(); ok && n == pair[1] {
				return true
			}
		}
	}
	return false
}

// Map returns p with each atom replaced by what f returns for its number.
func (s *Space) Map(r Ring, p Poly, f func(atom int) Poly) Poly {
	var terms []Term
	for _, t := range p.Terms() {
		part := Of("", t.Coef)
		for _, n := range Factors(t.Mono) {
			part = s.Times(r, part, f(n))
		}
		terms = append(terms, part.Terms()...)
	}
	return s.Collect(r, terms)
}

// Replace returns p with atom number n replaced.
func (s *Space) Replace(r Ring, n int, to, p Poly) Poly {
	return s.Map(r, p, func(atom int) Poly {
		if atom == n {
			return to
		}
		return OfAtom(atom)
	})
}

// Modulo returns a with its coefficients, which are integers, reduced to 0 … n−1.
func (s *Space) Modulo(a Poly, n *big.Int) Poly {
	terms := slices.Clone(a.Terms())
	for i, t := range terms {
		terms[i].Coef = new(big.Rat).SetInt(new(big.Int).Mod(t.Coef.Num(), n))
	}
	return s.Collect(Wholes, terms)
}
