package rfactor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Which literal a condition compares with makes no difference to whether there is an answer.
func TestLiterals(t *testing.T) {
	literals := []int64{0, 1, 2, 3, 4, 5, 7, 9, 10, 16, 42, 64, 255, 65535, -1, -77}
	rng := rand.New(rand.NewPCG(17, 1))
	for range 8 {
		literals = append(literals, int64(int32(rng.Uint32()>>rng.IntN(30))))
	}
	for _, c := range literals {
		for _, update := range []string{
			"select(x0 < 0 && y0 == %d, r, x0)",
			"select(x0 >= 0 || y0 != %d, x0, r)",
			"select(x0 < 0 && (y0 ^ 21) + 1 == %d, r, x0)",
			"select(x0 == -1 && y0 == %d, r, x0)",
			"select(y0 == %d, x0 + 1, x0)",
			"select(y0*3 != %d, max(x0, r), x0)",
		} {
			matchesWithIndex(t, fmt.Sprintf(update, c))
		}
	}
	for _, update := range []string{
		"select(x0 < 0 && y0 % 100 == 77, r, x0)",
		"select(x0 < 0 && (y0 & 127) == 77, r, x0)",
		"select(x0 < 0 && y0 / 7 == 1000, r, x0)",
		"select(x0 < 0 && (y0 >> 5) == 1000, r, x0)",
	} {
		matchesWithIndex(t, update)
	}
}

// matchesWithIndex asks for an operator of an update of i32 whose input r is an index.
func matchesWithIndex(t *testing.T, update string) {
	t.Helper()
	u := parse(t, "x0:i32,y0:i32,r:i32", update)
	u.NonNeg = []ir.Expr{u.Pool.R("r", ir.I32)}
	a, err := Match(context.Background(), u, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != Associative {
		t.Errorf("%s is %s: %s", update, a.Status, a.Reason)
	}
}

// An entry whose constant is 0 is written without what the 0 takes away.
func TestConstantsFold(t *testing.T) {
	a := match(t, "x0:i32,y0:bool,r:u31", "select(x0 < 0 && y0, r, x0)", "", AllMatchers)
	if a.Status != Associative {
		t.Fatalf("%s: %s", a.Status, a.Reason)
	}
	if got, want := a.Operator.Exprs[0].String(), "max(x0, select(x0 < 0, y0, 0))"; got != want {
		t.Errorf("operator %s, want %s", got, want)
	}
	judge(t, a)
}
