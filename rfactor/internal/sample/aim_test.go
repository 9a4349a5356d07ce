package sample_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	. "github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// A chain of comparisons is entered at each of its literals, however many there are.
func TestAimAtChains(t *testing.T) {
	for _, n := range []int{2, 9, 40, 64} {
		chain := "x0"
		for i := range n {
			chain = fmt.Sprintf("select(y0 == %d, %d, %s)", 1000+7*i, i, chain)
		}
		u, err := program.ParseUpdate(ir.NewPool(), "x0:i32,y0:i32", chain)
		if err != nil {
			t.Fatal(err)
		}
		s := New(new(Workspace))
		p := tuple.Restrict(u.Values[0].Pool(), u.Types, u.Values, []int{0})
		s.Evaluate(p, nil, 0)
		reached := map[uint64]bool{}
		for _, v := range s.Want[0] {
			reached[v] = true
		}
		var missed []string
		for i := range n {
			if !reached[uint64(i)] {
				missed = append(missed, fmt.Sprint(i))
			}
		}
		if len(missed) > 0 {
			t.Errorf("of %d branches no point reaches %s", n, strings.Join(missed, ", "))
		}
	}
}
