package emit

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Kernels on vectors find what the plain ones do, NaN and zeros of both signs among the
// elements and at first.
func addFloatSearch(t *testing.T, m *module) {
	signature := regexp.MustCompile(`func (\w+)Kernel\((.*?)\) \(`)
	searched := 0
	for i, update := range lowertest.FloatSearches() {
		et := lowertest.ElementTypes()[8+i%2]
		pkg := fmt.Sprintf("p%d", i)
		p, err := lowertest.PlanOf(pkg+".rf", fmt.Sprintf("ImageParam in(%s, 1); Func f; f() = {cast<%s>(0), -7}; RDom r(0, in.width()); f() = %s; RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 65536).rfactor(ro, u).compute_root().update(0).parallel(u);", et.Halide, et.T, update))
		if err != nil {
			continue // refused
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatal(update, err)
		}
		text := string(files["kernel_simd_amd64.go"])
		found := signature.FindStringSubmatch(text)
		if found == nil || !strings.Contains(text, "NaN is left") {
			continue
		}
		searched++
		var args []string
		for _, param := range strings.Split(found[2], ", ") {
			name, _, _ := strings.Cut(param, " ")
			args = append(args, map[string]string{"x0": "x", "x1": "-7", "first": "3", "in": "in"}[name])
			if args[len(args)-1] == "" {
				args[len(args)-1] = "1"
			}
		}
		delete(files, pkg+"_test.go")
		files["nan_test.go"] = []byte(strings.NewReplacer("PKG", pkg, "NAME", found[1], "ARGS", strings.Join(args, ", "), "TYPE", kernel.GoType[et.T], "BITS", fmt.Sprint(et.T.Bits())).Replace(`package PKG

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNaN(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []TYPE{0, TYPE(math.Copysign(0, -1)), 1, -1, 2, TYPE(math.Inf(1)), TYPE(math.Inf(-1)), TYPE(math.NaN())}
	for range 3000 {
		in := make([]TYPE, rng.IntN(6000))
		few, rare := values[:2+rng.IntN(6)], rng.IntN(2) == 0
		for i := range in {
			in[i] = few[rng.IntN(len(few))]
		}
		if len(in) > 0 && rare {
			in[rng.IntN(len(in))] = values[7]
		}
		x := values[rng.IntN(8)]
		a0, a1 := NAMEKernel(ARGS)
		b0, b1 := NAMEPortable(ARGS)
		if math.FloatBITSbits(a0) != math.FloatBITSbits(b0) && (a0 == a0 || b0 == b0) || a1 != b1 {
			t.Fatalf("%d elements from %v: %v, %d, not %v, %d", len(in), x, a0, a1, b0, b1)
		}
	}
}
`))
		m.add(t, "floats/"+pkg, files)
	}
	if searched < 8 {
		t.Errorf("%d of %d programs are searched on vectors", searched, len(lowertest.FloatSearches()))
	}
}
