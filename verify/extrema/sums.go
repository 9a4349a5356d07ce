package extrema

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// sum is Σ factor·atom without factors 0. The number 1 has the id literal among the ids of atoms.
type sum map[int]*big.Rat

const literal = -1

func atom(e ir.Expr) sum { return sum{e.ID(): big.NewRat(1, 1)} }

// key is a text that no other sum has.
func (s sum) key() string {
	var text []byte
	for _, id := range slices.Sorted(maps.Keys(s)) {
		text = fmt.Appendf(text, "%d*%s ", id, s[id])
	}
	return string(text)
}

// plus is s + factor·t.
func (s sum) plus(factor *big.Rat, t sum) sum {
	out := sum{}
	maps.Copy(out, s)
	for id, f := range t {
		v := new(big.Rat).Mul(factor, f)
		if g, ok := s[id]; ok {
			v.Add(v, g)
		}
		if out[id] = v; v.Sign() == 0 {
			delete(out, id)
		}
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
