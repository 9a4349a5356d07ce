package exec

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Programs that nobody holds any more leave no compiled code behind.
func TestReleased(t *testing.T) {
	var before, after runtime.MemStats
	for i := range 240 {
		if i == 40 {
			runtime.GC()
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
		prog := lowertest.Parse(t, "sum.rf", fmt.Sprintf("ImageParam a(i32, 1); Func f; RDom r(0, a.width()); f() = %d; f() = max(f()*%d + a(r), %d);", i, i, -i))
		planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(planned, Options{Compile: 1})
		if err != nil {
			t.Fatal(err)
		}
		in := map[string]*ndarray.Array{"a": ndarray.New([]ir.Type{ir.I32}, ndarray.Range{Extent: 100})}
		if _, err := p.Run(context.Background(), &plan.Inputs{Arrays: in}); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 { // what is closed by one collection is found by the next
		runtime.GC()
	}
	runtime.ReadMemStats(&after)
	if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); more > 4<<20 {
		t.Errorf("200 programs leave %d bytes", more)
	}
}
