// Package poly computes with polynomials in numbered atoms: over the integers, modulo 2ⁿ,
// and over the rationals with division. It is the checker's arithmetic, plain and exact.
//
// Two terms that have the same polynomial are equal for all values of their atoms. A bitwise
// function of few words is a sum of conjunctions, so that 2·(x & y) + (x ^ y) and x + y have
// the same polynomial.
package poly

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Ring says which laws polynomials of a type obey. A value of b ≥ 8 is the ring of integers
// modulo 2^b.
type Ring int

// The rings that are no words.
const (
	NoRing    Ring = 0 // exact floats and flags: no identities
	Wholes    Ring = 1 // ℤ
	Fractions Ring = 2 // ℚ with division
)

// IsModular reports whether r is a ring of words.
func (r Ring) IsModular() bool { return r > Fractions }

// RingOf returns the ring in which values of a type are computed under assumptions.
func RingOf(t ir.Type, assume ir.Assume) Ring {
	switch {
	case t.IsFloat() && assume.Has(ir.Reassoc):
		return Fractions
	case t.IsFloat() || t == ir.Bool:
		return NoRing
	case t.IsSigned() && assume.Has(ir.NSW), t.IsUnsigned() && assume.Has(ir.NUW):
		return Wholes
	}
	return Ring(t.Bits())
}

// Term is a product of atoms with a coefficient other than zero.
type Term struct {
	Mono string // four bytes for each atom's number, ascending
	Coef *big.Rat
}

// Poly is a sum of terms; nil is zero. No Poly is changed once it is made.
type Poly = *Sum

// Sum holds the terms of a polynomial other than zero, ascending by their monomials.
type Sum struct {
	terms []Term
	key   string
}

// One is the coefficient 1.
var One = big.NewRat(1, 1)

var minusOne = big.NewRat(-1, 1)

// Of returns the polynomial of one term. The coefficient must not be zero.
func Of(mono string, coef *big.Rat) Poly { return &Sum{terms: []Term{{mono, coef}}} }

// OfAtom returns the polynomial that consists of atom number n.
func OfAtom(n int) Poly { return Of(string(binary.BigEndian.AppendUint32(nil, uint32(n))), One) }

// Unit is the polynomial 1.
func Unit() Poly { return Of("", One) }

// Terms lists the terms, ascending by their monomials.
func (p *Sum) Terms() []Term {
	if p == nil {
		return nil
	}
	return p.terms
}

// Coef returns the coefficient of a monomial; nil where it is zero.
func (p *Sum) Coef(mono string) *big.Rat {
	i, found := slices.BinarySearchFunc(p.Terms(), mono, func(t Term, m string) int { return strings.Compare(t.Mono, m) })
	if !found {
		return nil
	}
	return p.terms[i].Coef
}

// Key returns a text that tells polynomials apart.
func (p *Sum) Key() string {
	if p == nil {
		return ""
	}
	if p.key == "" {
		var b []byte
		for _, t := range p.terms {
			b = append(appendRat(b, t.Coef), '*', byte(len(t.Mono)/4))
			b = append(b, t.Mono...)
		}
		p.key = string(b)
	}
	return p.key
}

func appendRat(b []byte, k *big.Rat) []byte {
	b = k.Num().Append(b, 16)
	if !k.IsInt() {
		b = k.Denom().Append(append(b, '/'), 16)
	}
	return b
}

// Monomial returns the monomial where p is one with coefficient 1; ok is false where it is not.
func (p *Sum) Monomial() (mono string, ok bool) {
	if p == nil || len(p.terms) != 1 || p.terms[0].Coef.Cmp(One) != 0 {
		return "", false
	}
	return p.terms[0].Mono, true
}

// Atom returns the number of the atom that p consists of; ok is false where it is not one.
func (p *Sum) Atom() (n int, ok bool) {
	m, ok := p.Monomial()
	if !ok || len(m) != 4 {
		return 0, false
	}
	return Factors(m)[0], true
}

// IsConstant reports whether p has no atoms.
func (p *Sum) IsConstant() bool {
	return p == nil || len(p.terms) == 1 && p.terms[0].Mono == ""
}

// Constant returns the coefficient of the empty monomial, which may be zero.
func (p *Sum) Constant() *big.Rat {
	if k := p.Coef(""); k != nil {
		return k
	}
	return new(big.Rat)
}

// Factors lists the numbers of a monomial's atoms.
func Factors(mono string) []int {
	out := make([]int, 0, len(mono)/4)
	for i := 0; i+4 <= len(mono); i += 4 {
		out = append(out, int(binary.BigEndian.Uint32([]byte(mono[i:i+4]))))
	}
	return out
}

// MonomialOf returns the product of atoms. It sorts them in place.
func MonomialOf(atoms []int) string {
	slices.Sort(atoms)
	var b []byte
	for _, n := range atoms {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return string(b)
}

// Failure ends a check: functions of the checker panic with it, and only the check recovers
// it.
type Failure string

// Fail panics with a Failure.
func Fail(format string, args ...any) { panic(Failure(fmt.Sprintf("certificate: "+format, args...))) }

// Catch puts a Failure into the error. It is deferred.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case Failure:
		*err = errors.New(string(r))
	default:
		panic(r)
	}
}
