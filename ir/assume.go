package ir

import (
	"fmt"
	"slices"
	"strings"
)

// Assume is a set of assumptions: what a proof may rely on beyond the machine's semantics.
// The names are LLVM's: NSW, NUW, Reassoc, NNaN, NInf, NSZ, AFN and Contract.
type Assume uint8

// The assumptions, each one bit.
const (
	NSW     Assume = 1 << iota // no signed overflow, at any width: signed integers are ℤ
	NUW                        // no unsigned overflow, at any width: unsigned integers are ℕ
	Reassoc                    // the field identities of + − × ÷ hold on floats
	NNaN                       // no NaN
	NInf                       // no infinity
	NSZ                        // the sign of zero does not matter
	AFN                        // the identities of exp, log and sqrt hold, and log1p(a) is log(1 + a)

	// Contract lets emitted code fuse a product with the sum that it is added to, which then round
	// once. No proof uses it, and no set of assumptions has it: it must be named.
	Contract
)

// AllAssumptions has every assumption that proofs use. DefaultAssumptions has those that the tools
// allow when not told otherwise: integers exact, floats as real numbers without NaN.
const (
	AllAssumptions     = NSW | NUW | Reassoc | NNaN | NInf | NSZ | AFN
	DefaultAssumptions = Reassoc | NNaN | NSZ
)

var assumeNames = [...]string{"nsw", "nuw", "reassoc", "nnan", "ninf", "nsz", "afn", "contract"}

// Has reports whether a contains every assumption of b.
func (a Assume) Has(b Assume) bool { return a&b == b }

// Names lists the assumptions of a in a fixed order. The list is never nil.
func (a Assume) Names() []string {
	names := []string{}
	for i, n := range assumeNames {
		if a>>i&1 != 0 {
			names = append(names, n)
		}
	}
	return names
}

// String returns the comma-separated list of names, or "none".
func (a Assume) String() string {
	if a == 0 {
		return "none"
	}
	return strings.Join(a.Names(), ",")
}

// ParseAssume reads a comma-separated list of names and of the sets "all", "none" and "default". A
// list that begins with "+" is added to the default: "+nsw" is "default,nsw". The empty text is
// "none". An unknown name is an error that lists the known ones.
func ParseAssume(s string) (Assume, error) {
	var a Assume
	s, more := strings.CutPrefix(s, "+")
	switch {
	case more:
		a = DefaultAssumptions
	case s == "":
		return 0, nil
	}
	for _, word := range strings.Split(s, ",") {
		word = strings.TrimSpace(word)
		if more {
			word = strings.TrimPrefix(word, "+")
		}
		one, ok := assumeNamed(word)
		if !ok {
			return 0, fmt.Errorf("unknown assumption %q (known: all, none, default, %s)", word, strings.Join(assumeNames[:], ", "))
		}
		a |= one
	}
	return a, nil
}

// assumeNamed returns the assumption or the set of a name; false where there is none.
func assumeNamed(name string) (a Assume, ok bool) {
	switch name {
	case "all":
		return AllAssumptions, true
	case "none":
		return 0, true
	case "default":
		return DefaultAssumptions, true
	}
	i := slices.Index(assumeNames[:], name)
	return 1 << max(i, 0), i >= 0
}

// Unbounded reports whether a lets integers of type t be taken as unbounded.
func (a Assume) Unbounded(t Type) bool { return a.AnyUnbounded(1 << t) }

// AnyUnbounded reports whether integers of one of the types are unbounded.
func (a Assume) AnyUnbounded(ts TypeSet) bool {
	return a.Has(NSW) && ts&SignedTypes != 0 || a.Has(NUW) && ts&UnsignedTypes != 0
}
