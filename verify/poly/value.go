package poly

import (
	"math/big"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
)

// BitsOf returns the value of a literal that is an atom.
func (s *Space) BitsOf(p Poly) (uint64, bool) {
	a, ok := s.SoleOp(p, ir.Const)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseUint(a.Name, 16, 64)
	return v, err == nil
}

// OrderOf returns the place of a literal in the order of its type.
func (s *Space) OrderOf(t ir.Type, p Poly) (*big.Int, bool) {
	if t.IsInt() {
		n, ok := Whole(p)
		return Order(t, t.Wrap(uint64(n))), ok
	}
	v, ok := s.BitsOf(p)
	return Order(t, v), ok
}

// Order numbers the values of a type in their order: integers by themselves, floats by
// their bits, which ascend with the magnitude.
func Order(t ir.Type, v uint64) *big.Int {
	switch {
	case t.IsSigned():
		return big.NewInt(int64(v))
	case !t.IsFloat():
		return new(big.Int).SetUint64(v)
	}
	sign := uint64(1) << (t.Bits() - 1)
	n := new(big.Int).SetUint64(v &^ sign)
	if v&sign != 0 { // −0 is −1, just below +0
		n.Not(n)
	}
	return n
}

// Limits returns the places of a type's least and greatest value in the order of the type.
func Limits(t ir.Type) (lo, hi *big.Int) { return Order(t, t.Min()), Order(t, t.Max()) }

// Contains reports whether every value of the integer type small is one of big.
func Contains(big, small ir.Type) bool {
	if !big.IsInt() || !small.IsInt() {
		return false
	}
	lo, hi := Limits(big)
	low, high := Limits(small)
	return lo.Cmp(low) <= 0 && high.Cmp(hi) <= 0
}
