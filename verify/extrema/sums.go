package extrema

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// sum is Σ factor·atom, ascending by atom, each once and none with the factor 0.
type sum []addend

// addend is a multiple of the term with an id, or of 1 where the id is literal. Factors are shared and
// never changed.
type addend struct {
	id     int
	factor *big.Rat
}

const literal = -1

func atom(e ir.Expr) sum { return sum{{e.ID(), big.NewRat(1, 1)}} }

// key is a text that no other sum has.
func (s sum) key() string {
	var text []byte
	for _, a := range s {
		text = fmt.Appendf(text, "%d*%s ", a.id, a.factor)
	}
	return string(text)
}

func (s sum) plus(t sum) sum {
	all := slices.Concat(s, t)
	slices.SortStableFunc(all, func(a, b addend) int { return cmp.Compare(a.id, b.id) })
	out := all[:0]
	for _, a := range all {
		if n := len(out); n > 0 && out[n-1].id == a.id {
			a.factor = new(big.Rat).Add(out[n-1].factor, a.factor)
			out = out[:n-1]
		}
		if a.factor.Sign() != 0 {
			out = append(out, a)
		}
	}
	return out
}

func (s sum) negative() sum {
	out := make(sum, len(s))
	for i, a := range s {
		out[i] = addend{a.id, new(big.Rat).Neg(a.factor)}
	}
	return out
}

// kind says which of the sums whose conditions hold is the value.
type kind int

const (
	only     kind = iota // one condition holds, no matter what the flags are
	greatest             // one at least holds
	least
)

// join returns a kind that describes values of both kinds. A set of kind only is one of the others too.
func join(a, b kind) (kind, bool) { return max(a, b), a == b || a == only || b == only }

// set is a value: sums with conditions, ascending by key.
type set struct {
	kind kind
	sums []guarded
}

type guarded struct {
	key  string
	sum  sum
	when condition
}
