package prove

import (
	"encoding/binary"
	"slices"

	"github.com/rfactor-go/rfactor/verify/proof"
)

// Method is what a proof needs, from the simplest: ring (both sides are one polynomial), cases
// (of decisions that linear arithmetic closes), equations (that follow from decisions and
// replace a quantity), carry (how often a sum wraps), signs (of a variable), bits (of both
// sides, which clauses prove equal), solver.
type Method uint8

const (
	Ring Method = iota
	Cases
	Equations
	Carries
	SignCases
	Bits
	Solved
	NumMethods
)

var methodNames = [NumMethods]string{"ring", "cases", "equations", "carry", "signs", "bits", "solver"}

func (m Method) String() string { return methodNames[m] }

// ParseMethod is the method with a name.
func ParseMethod(name string) (Method, bool) {
	i := slices.Index(methodNames[:], name)
	return Method(max(i, 0)), i >= 0
}

// MethodOf is the least that the tree needs.
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
	case proof.Circuit:
		return Bits
	case proof.Solver:
		return Solved
	}
	return Cases
}

// NumLemmas is the number of clauses of a Circuit.
func NumLemmas(t *proof.Tree) (n int) {
	rest := t.Lemmas
	next := func() uint64 {
		v, size := binary.Uvarint(rest)
		rest = rest[max(size, 1):]
		return v
	}
	for ; len(rest) > 0; n++ {
		for literals := next(); literals > 0 && len(rest) > 0; literals-- {
			next()
		}
	}
	return n
}
