//go:build !js

package smt

import (
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

// integerOf returns the value of an integer type that v carries.
func integerOf(t ir.Type, v uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(v)
}

func limits(t ir.Type) (lo, hi *big.Int) { return integerOf(t, t.Min()), integerOf(t, t.Max()) }

// containsType reports whether every value of the integer type small is one of big.
func containsType(big, small ir.Type) bool {
	if !big.IsInt() || !small.IsInt() {
		return false
	}
	lo, hi := limits(big)
	low, high := limits(small)
	return lo.Cmp(low) <= 0 && high.Cmp(hi) <= 0
}
