package rfactor

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

var heapUpdates = flag.Int("heap", 400, "how many updates TestHeap matches")

// heapLimit bounds the live heap of a process that matches, and heapGrowth what few updates add to it: a cache without a bound
// adds some more already.
const (
	heapLimit  = 40 << 20
	heapGrowth = 28 << 20
)

// TestHeap matches updates of 500 tuples of types under all sets of assumptions. What the caches of the library keep
// has a bound, however many there were.
func TestHeap(t *testing.T) {
	tuples, before := heapTuples(), liveHeap()
	for i := range *heapUpdates {
		rng := rand.New(rand.NewPCG(uint64(i), 47))
		types, text := heapLine(rng, tuples[rng.IntN(len(tuples))])
		if _, err := Match(t.Context(), parse(t, types, text), Options{Allowed: ir.Assume(rng.Uint32()) & ir.AllAssumptions}); err != nil {
			t.Fatalf("%s %s: %v", types, text, err)
		}
		if n := i + 1; n == *heapUpdates || n%10_000 == 0 {
			live := liveHeap()
			t.Logf("%d updates: %.1f MB, %.1f before", n, float64(live)/(1<<20), float64(before)/(1<<20))
			if n < 1000 && live > before+heapGrowth || n >= 1000 && live > heapLimit {
				t.Errorf("that is more than %d MB, or than %d more of few updates", heapLimit>>20, heapGrowth>>20)
			}
		}
	}
}

// liveHeap returns the bytes that are reachable. What pools keep for the next match goes in the second collection.
func liveHeap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// heapTuples returns 500 tuples of types: all of one component and of two, and some of three.
func heapTuples() (tuples [][]ir.Type) {
	for a := ir.Bool; a <= ir.F64; a++ {
		tuples = append(tuples, []ir.Type{a})
		for b := ir.Bool; b <= ir.F64; b++ {
			tuples = append(tuples, []ir.Type{a, b})
		}
	}
	for i := 0; len(tuples) < 500; i++ {
		n := ir.Type(int(ir.F64-ir.Bool) + 1)
		tuples = append(tuples, []ir.Type{ir.Bool + ir.Type(i*7/3)%n, ir.Bool + ir.Type(i*5/4)%n, ir.Bool + ir.Type(i)%n})
	}
	return tuples
}

// heapLine draws an update whose components are steps of reductions.
func heapLine(rng *rand.Rand, types []ir.Type) (declared, text string) {
	var vars, steps []string
	for i, t := range types {
		vars = append(vars, fmt.Sprintf("x%d:%s,y%d:%s", i, t, i, t))
		forms := []string{"X + Y", "max(X, Y)", "min(Y, X)", "X*Y", "select(C, X, Y)", "select(X < Y, Y, X)", "X + Y*Y", "select(C, X + Y, X)", "min(max(X, Y), Y + Y)"}
		if t == ir.Bool {
			forms = []string{"X && Y", "X || Y", "X != Y", "select(C, X, Y)", "!X || Y"}
		}
		x, y := fmt.Sprint("x", i), fmt.Sprint("y", i)
		c := "c"
		if j := rng.IntN(len(types)); j != i && rng.IntN(3) == 0 {
			c = fmt.Sprintf("x%d != y%d", j, j)
		}
		steps = append(steps, strings.NewReplacer("X", x, "Y", y, "C", c).Replace(forms[rng.IntN(len(forms))]))
	}
	return strings.Join(append(vars, "c:bool"), ","), strings.Join(steps, "; ")
}
