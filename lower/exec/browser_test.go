package exec

import (
	"context"
	"runtime"
	"testing"

	"github.com/rfactor-go/rfactor/lower/exec/internal/machine"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Where this process is WebAssembly its host compiles loops, and they ask for what instructions do not have.
func TestHost(t *testing.T) {
	if runtime.GOOS == "js" && !machine.Compiles {
		t.Fatal("nothing is compiled: what runs this is not what package machine expects")
	}
	prog := lowertest.Parse(t, "test.rf", "ImageParam in(Float(64), 1); Func f; f() = 0.0; RDom r(0, in.width()); f() = f() + pow(in(r), 3.0);")
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(planned, Options{Compile: 1})
	if err != nil {
		t.Fatal(err)
	}
	a := &ndarray.Array{Dims: ndarray.Box{{Extent: 20}}, Data: []any{make([]float64, 20)}}
	for i := range 20 {
		a.Elements(0).Set(i, 1<<62) // 2.0
	}
	out, err := p.Run(context.Background(), &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a}})
	if err != nil || out["f"].Data[0].([]float64)[0] != 160 {
		t.Errorf("%v, %v", out["f"], err)
	}
}
