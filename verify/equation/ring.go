package equation

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// The checker's arithmetic: polynomials with big coefficients, slow and plain.

// ring says where arithmetic on a type may be done: modulo 2^b for a ring of value b.
type ring int

const (
	noRing    ring = 0 // exact floats: no identities
	wholes    ring = 1 // ℤ
	fractions ring = 2 // ℚ with division
)

func (r ring) modular() bool { return r > fractions }

func (c *checker) ring(t ir.Type) ring {
	switch {
	case t.IsFloat() && c.assume.Has(ir.Reassoc):
		return fractions
	case t.IsFloat() || t == ir.Bool:
		return noRing
	case t.IsSigned() && c.assume.Has(ir.NSW), t.IsUnsigned() && c.assume.Has(ir.NUW):
		return wholes
	}
	return ring(t.Bits())
}

// poly is a sum: from monomials, which are strings of atom numbers of four bytes each in
// ascending order, to coefficients other than zero. No poly is changed once it is made.
type poly map[string]*big.Rat

var one = big.NewRat(1, 1)

// atom is something that polynomials do not look into: an operator applied to polynomials
// of the type from, or a leaf.
type atom struct {
	kind      atomKind
	op        ir.Op
	typ, from ir.Type
	name      string // of calls; the bits of literals; the number of a variable
	args      []poly
	variable  ir.Expr
}

type atomKind uint8

const (
	opaque      atomKind = iota // op(args)
	conjunction                 // the bitwise and of args, all different
	inverse                     // 1/args[0]
)

// quantities numbers the atoms of one check.
type quantities struct {
	atoms []atom
	ids   map[string]int
}

// atom is the polynomial that consists of one atom.
func (c *checker) atom(a atom) poly {
	var k strings.Builder
	fmt.Fprintf(&k, "%d %d %d %d %q", a.kind, a.op, a.typ, a.from, a.name)
	for _, p := range a.args {
		fmt.Fprintf(&k, " %q", p.key())
	}
	c.burn(1 + k.Len()/16)
	n, ok := c.ids[k.String()]
	if !ok {
		n = len(c.atoms)
		c.ids[k.String()] = n
		c.atoms = append(c.atoms, a)
	}
	return poly{string(binary.BigEndian.AppendUint32(nil, uint32(n))): one}
}

// apply is an operator that is not looked into.
func (c *checker) apply(op ir.Op, t, from ir.Type, args ...poly) poly {
	return c.atom(atom{op: op, typ: t, from: from, args: args})
}

// applySorted is apply for an operator that commutes.
func (c *checker) applySorted(op ir.Op, t ir.Type, a, b poly) poly {
	if b.key() < a.key() {
		a, b = b, a
	}
	return c.apply(op, t, t, a, b)
}

// factors lists the numbers of a monomial's atoms.
func factors(m string) []int {
	var out []int
	for i := 0; i+4 <= len(m); i += 4 {
		out = append(out, int(binary.BigEndian.Uint32([]byte(m[i:]))))
	}
	return out
}

func monomial(atoms []int) string {
	slices.Sort(atoms)
	var b []byte
	for _, n := range atoms {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return string(b)
}

func (p poly) monomials() []string {
	var ms []string
	for m := range p {
		ms = append(ms, m)
	}
	slices.Sort(ms)
	return ms
}

// key tells polynomials apart.
func (p poly) key() string {
	var b strings.Builder
	for _, m := range p.monomials() {
		fmt.Fprintf(&b, "%s*%x+", p[m].RatString(), m)
	}
	return b.String()
}

// key1 is p's monomial where p is one with coefficient 1, else no monomial of one atom.
func (p poly) key1() string {
	if len(p) == 1 {
		for m, k := range p {
			if k.Cmp(one) == 0 {
				return m
			}
		}
	}
	return ""
}

// sole is the atom that p consists of.
func (c *checker) sole(p poly) (atom, bool) {
	if m := p.key1(); len(m) == 4 {
		return c.atoms[factors(m)[0]], true
	}
	return atom{}, false
}

// soleOp is sole for an atom of that operator.
func (c *checker) soleOp(p poly, op ir.Op) (atom, bool) {
	a, ok := c.sole(p)
	return a, ok && a.kind == opaque && a.op == op
}

func (p poly) isConstant() bool {
	return len(p) == 0 || len(p) == 1 && p[""] != nil
}

// whole is the value of a constant integer; every one that matters fits 64 bits.
func (p poly) whole() (int64, bool) {
	if len(p) == 0 {
		return 0, true
	}
	k := p[""]
	if len(p) != 1 || k == nil || !k.IsInt() {
		return 0, false
	}
	if !k.Num().IsInt64() {
		fail("the constant %v is too large", k)
	}
	return k.Num().Int64(), true
}

func (c *checker) constant(r ring, v int64) poly { return c.scale(r, big.NewRat(v, 1), poly{"": one}) }

// reduce brings a coefficient of a modular ring into −2^(b−1) … 2^(b−1)−1.
func (r ring) reduce(k *big.Rat) *big.Rat {
	if !r.modular() {
		return k
	}
	if !k.IsInt() {
		fail("internal: a fraction in a ring of words")
	}
	half := new(big.Int).Lsh(big.NewInt(1), uint(r)-1)
	n := new(big.Int).Add(k.Num(), half)
	n.Mod(n, new(big.Int).Lsh(half, 1)) // in 0 … 2^b−1
	return new(big.Rat).SetInt(n.Sub(n, half))
}

// collect makes a polynomial of terms.
func (c *checker) collect(r ring, add func(term func(m string, k *big.Rat))) poly {
	out := poly{}
	add(func(m string, k *big.Rat) {
		c.burn(1 + k.Num().BitLen()/256)
		sum := k
		if old := out[m]; old != nil {
			sum = new(big.Rat).Add(old, k)
		}
		if sum = r.reduce(sum); sum.Sign() == 0 {
			delete(out, m)
		} else {
			out[m] = sum
		}
	})
	return out
}

func (c *checker) scale(r ring, k *big.Rat, a poly) poly {
	return c.collect(r, func(term func(string, *big.Rat)) {
		for m, x := range a {
			term(m, new(big.Rat).Mul(k, x))
		}
	})
}

func (c *checker) plus(r ring, a, b poly) poly {
	return c.collect(r, func(term func(string, *big.Rat)) {
		for m, k := range a {
			term(m, k)
		}
		for m, k := range b {
			term(m, k)
		}
	})
}

func (c *checker) sub(r ring, a, b poly) poly { return c.plus(r, a, c.negate(r, b)) }

func (c *checker) negate(r ring, a poly) poly { return c.scale(r, big.NewRat(-1, 1), a) }

// complement is ~a.
func (c *checker) complement(r ring, a poly) poly { return c.sub(r, c.constant(r, -1), a) }

func (c *checker) times(r ring, a, b poly) poly {
	return c.collect(r, func(term func(string, *big.Rat)) {
		for m, x := range a {
			for n, y := range b {
				term(c.product(m, n), new(big.Rat).Mul(x, y))
			}
		}
	})
}

// product of monomials: an atom and its inverse cancel, a field identity.
func (c *checker) product(m, n string) string {
	atoms := factors(m)
	c.burn(len(m) + len(n))
	for _, f := range factors(n) {
		i := slices.IndexFunc(atoms, func(g int) bool { return c.areInverse(f, g) })
		if i < 0 {
			atoms = append(atoms, f)
		} else {
			atoms = slices.Delete(atoms, i, i+1)
		}
	}
	return monomial(atoms)
}

// areInverse reports whether one atom is 1 over the other.
func (c *checker) areInverse(f, g int) bool {
	for _, pair := range [2][2]int{{f, g}, {g, f}} {
		if a := c.atoms[pair[0]]; a.kind == inverse {
			if m := a.args[0].key1(); len(m) == 4 && factors(m)[0] == pair[1] {
				return true
			}
		}
	}
	return false
}

// reciprocal is 1/a for a ≠ 0: atom by atom of a monomial, otherwise an atom of the sum
// brought to leading coefficient 1.
func (c *checker) reciprocal(a poly) poly {
	ms := a.monomials()
	if len(ms) == 0 {
		fail("a quotient by zero")
	}
	k := new(big.Rat).Inv(a[ms[len(ms)-1]])
	if len(ms) > 1 {
		return c.scale(fractions, k, c.atom(atom{kind: inverse, args: []poly{c.scale(fractions, k, a)}}))
	}
	out := c.scale(fractions, k, poly{"": one})
	for _, f := range factors(ms[0]) {
		base := poly{monomial([]int{f}): one}
		part := base
		if x := c.atoms[f]; x.kind == inverse && len(x.args[0].key1()) == 4 {
			part = x.args[0] // 1/(1/y)
		} else {
			part = c.atom(atom{kind: inverse, args: []poly{base}})
		}
		out = c.times(fractions, out, part)
	}
	return out
}

// withoutInverses multiplies by the denominators: zero exactly where a is, as far as no
// denominator is zero.
func (c *checker) withoutInverses(a poly) poly {
	for range 64 {
		n := slices.IndexFunc(c.atomsOf(a), func(f int) bool { return c.atoms[f].kind == inverse })
		if n < 0 {
			return a
		}
		a = c.timesDenominator(a, c.atomsOf(a)[n])
	}
	fail("fractions are nested too deep")
	return nil
}

// atomsOf lists the atoms that occur in p, not those inside others.
func (c *checker) atomsOf(p poly) []int {
	var out []int
	for _, m := range p.monomials() {
		out = append(out, factors(m)...)
	}
	return out
}

// timesDenominator multiplies by the highest power of 1/f that occurs.
func (c *checker) timesDenominator(a poly, f int) poly {
	power := func(m string) (n int) {
		for _, g := range factors(m) {
			if g == f {
				n++
			}
		}
		return n
	}
	most := 0
	for m := range a {
		most = max(most, power(m))
	}
	sum := poly{}
	for m, k := range a {
		rest := slices.DeleteFunc(factors(m), func(g int) bool { return g == f })
		part := poly{monomial(rest): k}
		for range most - power(m) {
			part = c.times(fractions, part, c.atoms[f].args[0])
		}
		sum = c.plus(fractions, sum, part)
	}
	return sum
}

// variable is the variable that a monomial consists of, and the number of its atom.
func (c *checker) variable(m string) (ir.Expr, int, bool) {
	if len(m) != 4 {
		return ir.Expr{}, 0, false
	}
	n := factors(m)[0]
	v := c.atoms[n].variable
	return v, n, v.IsValid()
}

// occurs reports whether an atom occurs in p at any depth.
func (c *checker) occurs(n int, p poly) bool {
	for _, f := range c.atomsOf(p) {
		c.burn(1)
		if f == n || slices.ContainsFunc(c.atoms[f].args, func(q poly) bool { return c.occurs(n, q) }) {
			return true
		}
	}
	return false
}
