package find

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/verify/threshold"
)

// The n greatest elements so far, the greatest first, merge as polynomials multiply whose sum is
// max and whose product is min: 1 + x0·t + x1·t² + …, cut off behind the n-th power. So that is
// associative on all states, ordered or not; the same holds of the n least.

// Numbers n of elements. The tables have the operators for two, and associativity of seven has more variables than a proof by
// thresholds.
const (
	minRanked = 3
	maxRanked = threshold.MaxAtoms / 3
)

// ranked returns these two operators for a tuple of components of one ordered type.
func ranked(types []ir.Type) (out []*pattern.Entry) {
	n := len(types)
	if n < minRanked || n > maxRanked || types[0] == ir.Bool {
		return nil
	}
	for _, t := range types {
		if t != types[0] {
			return nil
		}
	}
	for _, order := range []struct {
		name      string
		sum, prod ir.Op
		none      uint64
	}{{"top", ir.Max, ir.Min, types[0].Min()}, {"bottom", ir.Min, ir.Max, types[0].Max()}} {
		p := ir.NewPool()
		x, y := p.Operands(types)
		e := &pattern.Entry{Name: fmt.Sprintf("%s_%d", order.name, n), Types: types, Commutative: true, Source: "ranked"}
		for k := range n {
			best := ir.Make(order.sum, x[k], y[k])
			for i := range k {
				best = ir.Make(order.sum, best, ir.Make(order.prod, x[i], y[k-1-i]))
			}
			e.Exprs, e.Identity = append(e.Exprs, best), append(e.Identity, p.Const(types[k], order.none))
		}
		out = append(out, e)
	}
	return out
}
