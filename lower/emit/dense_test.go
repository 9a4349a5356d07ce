package emit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Lanes along pure dimensions, with and without tiles, of every type: the serial program gives the
// same bits, but where products may be fused.
func addDense(t *testing.T, m *module) {
	rng := lowertest.Rand(21)
	emitted, vectors, tiles, arch := 0, 0, 0, 0
	draws := 30
	if lowertest.Full() {
		draws = 300
	}
	for i := range draws {
		et := lowertest.ElementTypes()[i%len(lowertest.ElementTypes())]
		text := lowertest.DrawDense(et, rng)
		prog := lowertest.Parse(t, "dense.rf", text)
		opts := lowertest.Defaults()
		if i%3 == 0 {
			opts.Match.Allowed |= ir.Contract
		}
		p, err := plan.Factor(t.Context(), prog, opts)
		if err != nil {
			t.Logf("%v", err)
			continue
		}
		pkg := fmt.Sprintf("dense%d", i)
		files, err := Source(p, pkg)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		emitted++
		kernels := string(files["kernel_simd.go"])
		for _, c := range []struct {
			count *int
			text  string
		}{{&vectors, "Dense("}, {&tiles, "Spread(to"}, {&arch, "TileOf("}} {
			if strings.Contains(kernels, c.text) {
				*c.count++
			}
		}
		m.add(t, "dense/"+pkg, files)
	}
	t.Logf("%d of %d programs emitted, %d with lanes, %d with tiles, %d of known width", emitted, draws, vectors, tiles, arch)
	if vectors < draws/3 || tiles < draws/8 || arch < draws/20 {
		t.Error("too few of a form")
	}
}

// A schedule with lanes along x has a vector kernel, and the rounding of the program unless products
// may be fused.
func TestContract(t *testing.T) {
	const text = "ImageParam a(Float(32), 2), b(Float(32), 2); Func c; Var x, y; c(x, y) = 0.0f; RDom k(0, a.width()); c(x, y) += a(k, y)*b(x, k); c.update(0).vectorize(x, 8);"
	for _, allowed := range []ir.Assume{ir.DefaultAssumptions, ir.AllAssumptions, ir.Contract} {
		opts := lowertest.Defaults()
		opts.Match.Allowed = allowed
		p, err := plan.Factor(t.Context(), lowertest.Parse(t, "mm.rf", text), opts)
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatal(err)
		}
		if none := Unvectorized(p); len(none) > 0 {
			t.Errorf("%v: %d stages run in plain loops", allowed, len(none))
		}
		fused := strings.Contains(string(files["kernel_simd.go"]), ".MulAdd(")
		rounded := strings.Contains(string(files["kernel.go"]), "float32(")
		if fused != (allowed == ir.Contract) || rounded == fused {
			t.Errorf("%v: fused %v, rounded %v", allowed, fused, rounded)
		}
	}
}
