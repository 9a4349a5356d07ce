package tablegen_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/tablegen"
)

// What the filter drops because a kept operator answers it, because it is an instance of
// one, or because it sets, keeps, clamps, chooses or lies between its operands, is matched
// when it is given as an update. That the
// filter evaluates and the matcher proves costs a few whose proof is not found, such as
// max(y0, min(x0, x0*x0 - x0)).
func TestDroppedAreMatched(t *testing.T) {
	leaves := 5
	if testing.Short() {
		leaves = 4
	}
	testDropped(t, false, leaves)
}

// Pairs that are dropped, and those that fall apart when they are used, are matched too.
func TestDroppedPairsAreMatched(t *testing.T) {
	leaves := 5
	if testing.Short() {
		leaves = 4
	}
	testDropped(t, true, leaves)
}

func testDropped(t *testing.T, pairs bool, leaves int) {
	for _, world := range []string{"signed", "unsigned", "integers", "reals"} {
		exprs, typ, err := tablegen.Dropped(context.Background(), world, pairs, leaves)
		if err != nil {
			t.Fatal(err)
		}
		types := []ir.Type{typ}
		if pairs {
			types = append(types, typ)
		}
		matched, lifted := 0, 0
		for _, text := range exprs {
			pool := ir.NewPool()
			values, err := pattern.Parse(pool, types, text)
			if err != nil {
				t.Fatal(err)
			}
			u := &ir.Update{Pool: pool, Types: types, Values: values, Source: &ir.Source{Name: "update"}}
			a, err := rfactor.Match(context.Background(), u, rfactor.Options{Allowed: ir.AllAssumptions})
			switch {
			case err != nil:
				t.Fatal(err)
			case a.Status == rfactor.Associative:
				matched++
			case a.Status == rfactor.Lifted:
				lifted++
			default:
				t.Logf("%s, %s: dropped, but refused: %s", world, text, a.Reason)
			}
		}
		if matched == 0 || float64(matched+lifted) < 0.99*float64(len(exprs)) {
			t.Errorf("%s: of %d dropped %d are matched or lifted", world, len(exprs), matched+lifted)
		}
		t.Logf("%s: of %d dropped with up to %d leaves %d are matched, %d lifted", world, len(exprs), leaves, matched, lifted)
	}
}
