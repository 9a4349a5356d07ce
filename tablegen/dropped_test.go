package tablegen_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
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
//
// Of four leaves, in CI of five, one in three is matched, or all with -long.
func TestDroppedAreMatched(t *testing.T) {
	t.Parallel()
	leaves := leavesOfDropped
	if testing.Short() {
		leaves = 4
	}
	testDropped(t, false, leaves)
}

// Pairs that are dropped, and those that fall apart when they are used, are matched too.
func TestDroppedPairsAreMatched(t *testing.T) {
	t.Parallel()
	leaves := leavesOfDropped
	if testing.Short() {
		leaves = 4
	}
	testDropped(t, true, leaves)
}

var leavesOfDropped = suite.More(4, 5)

func testDropped(t *testing.T, pairs bool, leaves int) {
	for _, world := range []string{"signed", "unsigned", "integers", "reals"} {
		t.Run(world, func(t *testing.T) {
			t.Parallel()
			exprs, typ, err := tablegen.Dropped(context.Background(), world, pairs, leaves)
			if err != nil {
				t.Fatal(err)
			}
			types := []ir.Type{typ}
			if pairs {
				types = append(types, typ)
			}
			tried, matched, lifted := 0, 0, 0
			for i, text := range exprs {
				if i%suite.Sample(3, 1) != 0 {
					continue
				}
				tried++
				pool := ir.NewPool()
				values, err := pattern.Parse(pool, types, text)
				if err != nil {
					t.Fatal(err)
				}
				u := &ir.Update{Pool: pool, Types: types, Values: values, Source: &ir.Source{Name: "update"}}
				o := rfactor.Options{Allowed: ir.AllAssumptions}
				a, err := rfactor.Match(context.Background(), u, o)
				if err == nil && a.Code == rfactor.NeedsEffort {
					o.Effort = 20 * rfactor.DefaultEffort
					a, err = rfactor.Match(context.Background(), u, o)
				}
				switch {
				case err != nil:
					t.Fatal(err)
				case a.Status == rfactor.Associative:
					matched++
				case a.Status == rfactor.Lifted:
					lifted++
				default:
					t.Logf("%s: dropped, but refused: %s", text, a.Reason)
				}
			}
			if missed := tried - matched - lifted; matched == 0 || missed > max(1, tried/100) {
				t.Errorf("of %d dropped %d are matched or lifted", tried, matched+lifted)
			}
			t.Logf("of %d dropped with up to %d leaves %d are matched, %d lifted", tried, leaves, matched, lifted)
		})
	}
}
