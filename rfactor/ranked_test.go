package rfactor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/threshold"
)

// The k best elements merge like polynomials, however a step keeps them: as a network of extrema, or sorted by choices
// where the order is given. Each answer is verified.
func TestRanked(t *testing.T) {
	t.Parallel()
	for k := 3; k <= threshold.MaxAtoms/3; k++ {
		types, network, chain := []string{"y0:i16"}, []string{"max(x0, y0)"}, []string{"select(y0 > x0, y0, x0)"}
		given := []string{}
		for i := range k {
			types = append(types, fmt.Sprintf("x%d:i16", i))
			if i > 0 {
				network = append(network, fmt.Sprintf("max(min(x%d, y0), x%d)", i-1, i))
				chain = append(chain, fmt.Sprintf("select(y0 > x%d, x%d, select(y0 > x%d, y0, x%d))", i-1, i-1, i, i))
				given = append(given, fmt.Sprintf("x%d >= x%d", i-1, i))
			}
		}
		for _, test := range []struct{ types, exprs, given string }{
			{strings.Join(types, ","), strings.Join(network, "; "), ""},
			{strings.ReplaceAll(strings.Join(types, ","), "i16", "f32"), strings.Join(network, "; "), ""},
			{strings.Join(types, ","), strings.Join(chain, "; "), strings.Join(given, " && ")},
		} {
			if k > 4 && test.given != "" { // a proof by cases, which the effort does not reach
				continue
			}
			a := matchGiven(t, test.types, test.exprs, test.given, ir.DefaultAssumptions)
			if a.Status != Associative || !a.Operator.Commutative {
				t.Errorf("%s given %q: %s %s", test.exprs, test.given, a.Status, a.Reason)
				continue
			}
			line, err := a.JSON(true)
			if err != nil {
				t.Fatal(err)
			}
			if err := verified(line); err != nil {
				t.Errorf("%s: %v", test.exprs, err)
			}
		}
	}
}
