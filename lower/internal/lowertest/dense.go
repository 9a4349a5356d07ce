package lowertest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// denseUpdates are updates of functions with pure dimensions x, y, z; T is the type.
var denseUpdates = []struct {
	dims, inputs, update string
	ints, floats         bool
}{
	{"x, y", "a 2, b 2", "c(x, y) + a(k, y)*b(x, k)", true, true},
	{"x, y", "a 2, b 2", "c(x, y) - b(x, k)*(a(k, y) - T(2))", true, true},
	{"x, y", "a 2, b 2", "max(c(x, y), a(k, y) + b(x, k))", true, true},
	{"x, y", "a 2, b 2", "select(b(x, k) < a(k, y), c(x, y), c(x, y)*T(3) + b(x, k))", true, true},
	{"x, y", "a 2, b 2", "c(x, y) ^ (a(k, y) & b(x, k))", true, false},
	{"x, y", "a 2, b 2", "c(x, y)*T(3) + b(x, k)*b(x, k) + a(y, k)", true, true},
	{"x, y", "a 2, b 2, d 1", "c(x, y) + a(k, y)*d(y)*b(x, k)*d(x)", true, true},
	{"x, y", "a 2, b 2", "c(x, y) + T(k)*b(x, k) + T(y)*a(x, 0)", true, true},
	{"x, y, z", "a 3, b 2", "c(x, y, z) + a(k, y, z)*b(x, k)", true, true},
	{"x, y, z", "a 3, b 3", "c(x, y, z) + a(k, y, z)*b(x, y, k)", true, true},
	{"x", "b 2", "c(x) + b(x, k)", true, true},
	{"x", "b 2", "min(c(x), b(x, k))", true, true},
	{"x", "a 1, b 2", "c(x)*a(k) + b(x, k)", true, true},
	{"x", "b 2", "{c(x)[0] + b(x, k), max(c(x)[1], b(x, k))}", true, true},
	{"x, y", "a 2, b 2", "{c(x, y)[1] + a(k, y)*b(x, k), c(x, y)[0] - b(x, k)}", true, true},
}

// denseSchedules are over the pure dimensions; %d is a number of lanes.
var denseSchedules = []string{
	"c.update(0).vectorize(x, %d);",
	"c.update(0).vectorize(x, %d).parallel(LAST);",
	"c.update(0).vectorize(x, %d);",
	"c.update(0).tile(x, y, xo, yo, xi, yi, 19, 7).vectorize(xi, %d);",
	"c.update(0).tile(x, y, xi, yi, 48, 64).vectorize(xi, %d).parallel(y);",
	"Func m = c.update(0).split(k, ko, ki, 5).rfactor(ko, u); m.compute_root().update(0).vectorize(x, %d);",
}

// DrawDense draws a program whose lanes run along a pure dimension: a matrix product or what
// resembles it.
func DrawDense(et ElementType, rng *rand.Rand) string {
	u := denseUpdates[rng.IntN(len(denseUpdates))]
	for et.T.IsFloat() && !u.floats || !et.T.IsFloat() && !u.ints {
		u = denseUpdates[rng.IntN(len(denseUpdates))]
	}
	s := denseSchedules[rng.IntN(len(denseSchedules))]
	// Floats that are multiplied at each step are exact in the order of the program alone.
	grows := et.T.IsFloat() && (strings.Contains(u.update, "c(x, y)*") || strings.Contains(u.update, "c(x)*"))
	for strings.Contains(s, "tile") && u.dims == "x" || strings.Contains(s, "rfactor") && grows {
		s = denseSchedules[rng.IntN(len(denseSchedules))]
	}
	dims := strings.Split(u.dims, ", ")
	s = strings.ReplaceAll(fmt.Sprintf(s, []int{1, 4, 8, 16}[rng.IntN(4)]), "LAST", dims[len(dims)-1])
	var b strings.Builder
	for in := range strings.SplitSeq(u.inputs, ", ") {
		fmt.Fprintf(&b, "ImageParam %s(%s, %s);\n", in[:1], et.Halide, in[2:])
	}
	init := "T(1)"
	if strings.HasPrefix(u.update, "{") {
		init = "{T(1), T(2)}"
	}
	domain := []string{"RDom k(0, b.height());", "RDom k(1, b.height() - 1);"}[rng.IntN(2)]
	if strings.Contains(u.inputs, "b 3") {
		domain = strings.ReplaceAll(domain, "height", "channels")
	}
	fmt.Fprintf(&b, "Func c;\nVar x, y, z, u;\nRVar xo, yo, xi, yi, ko, ki;\nc(%s) = %s;\n%s\nc(%s) = %s;\n%s\n", u.dims, init, domain, u.dims, u.update, s)
	return strings.ReplaceAll(b.String(), "T(", "cast<"+et.T.String()+">(")
}
