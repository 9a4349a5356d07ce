package prove

import (
	"slices"

	"github.com/rfactor-go/rfactor/verify/proof"
)

// Method is the strongest means that a proof needs. Each constant is stronger than those before.
type Method uint8

const (
	Ring      Method = iota // both sides are one polynomial
	Cases                   // decisions, of which linear arithmetic excludes some
	Equations               // equations that follow from decisions and replace a quantity
	Carries                 // how often a sum wraps
	SignCases               // the sign of a variable
	Bits                    // the bits of both sides
	Evaluated               // all values
	Solved                  // the word of a solver
)

// NumMethods is the number of methods.
const NumMethods = int(Solved) + 1

var methodNames = [NumMethods]string{"ring", "cases", "equations", "carry", "signs", "bits", "exhaustive", "solver"}

// String returns the method's name, which tables of operators use.
func (m Method) String() string { return methodNames[m] }

// ParseMethod returns the method with a name; false where there is none.
func ParseMethod(name string) (Method, bool) {
	i := slices.Index(methodNames[:], name)
	return Method(max(i, 0)), i >= 0
}

// MethodOf returns the strongest method that a tree uses; Ring of nil.
func MethodOf(t *proof.Tree) Method {
	if t == nil {
		return Ring
	}
	m := max(methodOf(t.Kind), MethodOf(t.Then), MethodOf(t.Else))
	for _, c := range t.Cases {
		m = max(m, MethodOf(c))
	}
	return m
}

func methodOf(k proof.Kind) Method {
	switch k {
	case proof.Equal:
		return Ring
	case proof.Rewrite, proof.Substitute:
		return Equations
	case proof.Carry:
		return Carries
	case proof.Signs:
		return SignCases
	case proof.Bits, proof.GF2:
		return Bits
	case proof.Exhaustive:
		return Evaluated
	case proof.Solver:
		return Solved
	}
	return Cases
}
