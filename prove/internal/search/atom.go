package search

import (
	"math"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// This file makes and reads atoms: what polynomials cannot look into.

// head packs what an atom is into its head word. extra has at most 31 bits.
func head(op ir.Op, t, from ir.Type, extra uint32) uint64 {
	return uint64(op) | uint64(t)<<8 | uint64(from)<<16 | uint64(extra)<<32
}

func headOp(h uint64) ir.Op         { return ir.Op(h) }
func headType(h uint64) ir.Type     { return ir.Type(h >> 8) }
func headFromType(h uint64) ir.Type { return ir.Type(h >> 16) }
func headExtra(h uint64) uint32     { return uint32(h >> 32) }

// isOwn tells atoms made here from those that poly.Space makes.
func isOwn(h uint64) bool { return h>>63 == 0 }

// literal returns a constant: a coefficient where the domain has it, else an atom.
func (s *symbolic) literal(t ir.Type, v uint64) poly.Poly {
	d := s.domain(t)
	if t.IsInt() {
		if d == poly.Integer && t == ir.U64 && int64(v) < 0 {
			return s.literalAtom(t, v)
		}
		return s.ps.Int(d, int64(v))
	}
	if s.assume.Has(ir.NSZ) && ir.Float(t, v) == 0 {
		v = 0
	}
	if d == poly.Real {
		if c, ok := rational(ir.Float(t, v)); ok {
			return s.ps.Const(d, c)
		}
	}
	return s.literalAtom(t, v)
}

func (s *symbolic) literalAtom(t ir.Type, v uint64) poly.Poly {
	return s.ps.OfAtom(s.ps.AtomOf(head(ir.Const, t, 0, 0), poly.Poly(uint32(v)), poly.Poly(uint32(v>>32))))
}

// constBits returns the value of a literal of a type without a ring.
func (s *symbolic) constBits(p poly.Poly) (uint64, bool) {
	a, ok := s.soleAtom(p)
	if !ok || !isOwn(s.ps.Head(a)) || headOp(s.ps.Head(a)) != ir.Const {
		return 0, false
	}
	return uint64(s.ps.Arg(a, 0)) | uint64(s.ps.Arg(a, 1))<<32, true
}

// soleAtom returns the atom that p consists of.
func (s *symbolic) soleAtom(p poly.Poly) (poly.Atom, bool) {
	m, ok := s.ps.IsMono(p)
	if !ok || len(s.ps.Factors(m)) != 1 {
		return 0, false
	}
	return poly.Atom(s.ps.Factors(m)[0]), true
}

// rational returns f as a fraction of small integers, where it is one.
func rational(f float64) (poly.Coef, bool) {
	for shift := 0; shift <= 40; shift++ {
		if g := math.Ldexp(f, shift); g == math.Trunc(g) {
			return poly.Coef{N: int64(g), D: 1 << shift}, math.Abs(g) < 1<<53
		}
	}
	return poly.Coef{}, false
}

func (s *symbolic) opaque(op ir.Op, t, from ir.Type, args ...poly.Poly) poly.Poly {
	return s.ps.OfAtom(s.ps.AtomOf(head(op, t, from, 0), args...))
}

func (s *symbolic) call(e ir.Expr) (poly.Poly, bool) {
	args := make([]poly.Poly, e.NumArgs())
	for i := range args {
		a, ok := s.number(e.Arg(i))
		if !ok {
			return 0, false
		}
		args[i] = a
	}
	return s.ps.OfAtom(s.ps.AtomOf(head(ir.Call, e.Type(), 0, s.callName(e)), args...)), true
}

// callName numbers a call's name together with its tuple index and its operands' types.
func (s *symbolic) callName(e ir.Expr) uint32 {
	key := e.Name() + "\x00" + strconv.Itoa(e.Index())
	for i := range e.NumArgs() {
		key += "\x00" + e.Arg(i).Type().String()
	}
	id, ok := s.names[key]
	if !ok {
		id = uint32(len(s.nameOf))
		s.names[key] = id
		s.nameOf = append(s.nameOf, key)
	}
	return id
}

// callText writes an opaque call for people.
func (s *symbolic) callText(a poly.Atom) string {
	name, _, _ := strings.Cut(s.nameOf[headExtra(s.ps.Head(a))], "\x00")
	return name + "(…)"
}
