package plan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// shapes are programs with pure dimensions, data-dependent left sides, and several updates;
// IN stands for an element of the input, LOOPS for the reduction loops, outermost first.
var shapes = []struct {
	name, program string
	dims          int
	loops         []string
}{
	{"histogram", "Var x; f(x) = 0; RDom r(0, in.width(), 0, in.height()); f(clamp(in(r.x, r.y), -3, 3)) += 1;", 2, []string{"r.y", "r.x"}},
	{"remainder", "Var x; f(x) = 2; RDom r(0, in.width(), 0, in.height()); f((in(r.x, r.y) + r.y) % 3) += in(r.x, r.y);", 2, []string{"r.y", "r.x"}},
	{"least of each bin", "Var x; f(x) = {3, 7, 7}; RDom r(0, in.width(), 0, in.height()); Expr b = in(r.x, r.y) & 1; Expr v = in(r.x, r.y)/2; " +
		"f(b) = {min(f(b)[0], v), select(v < f(b)[0], r.x, f(b)[1]), select(v < f(b)[0], r.y, f(b)[2])};", 2, []string{"r.y", "r.x"}},
	{"last of each bin", "Var x; f(x) = {3, 7, 7}; RDom r(0, in.width(), 0, in.height()); Expr b = in(r.x, r.y) & 1; Expr v = in(r.x, r.y)/2; " +
		"f(b) = {min(f(b)[0], v), select(f(b)[0] < v, f(b)[1], r.x), select(f(b)[0] < v, f(b)[2], r.y)};", 2, []string{"r.y", "r.x"}},
	{"columns", "Var x; f(x) = x; RDom r(0, in.height()); f(x) = f(x) + in(x, r);", 2, []string{"r"}},
	{"columns clamped by place", "Var x; f(x) = 1; RDom r(0, in.height()); f(x) = max(min(f(x), x), in(x, r));", 2, []string{"r"}},
	{"rows", "Var x; f(x) = 1; RDom r(0, in.width(), 0, in.height(), 0, in.channels()); f(r.y) = f(r.y) + in(r.x, r.y, r.z);", 3, []string{"r.z", "r.x"}},
	{"argmin of planes", "Var x, y; f(x, y) = {3, 7}; RDom r(0, in.channels()); f(x, y) = {min(f(x, y)[0], in(x, y, r)), select(in(x, y, r) < f(x, y)[0], r, f(x, y)[1])};", 3, []string{"r"}},
	{"two updates", "f() = 1; RDom s(0, in.width(), 0, in.height()); f() = f() ^ in(s.x, s.y); RDom r(0, in.width(), 0, in.height()); f() = f() - in(r.x, r.y);", 2, []string{"r.y", "r.x"}},
	{"columns composed", "Var x; f(x) = x; RDom r(0, in.height()); f(x) = f(x)*x + in(x, r);", 2, []string{"r"}},
	{"bins composed", "Var x; f(x) = 1; RDom r(0, in.width(), 0, in.height()); Expr b = in(r.x, r.y) & 1; f(b) = f(b)*3 + r.x;", 2, []string{"r.y", "r.x"}},
	{"sorted bins", "Var x; f(x) = {-2, cast<bool>(1)}; RDom r(0, in.width(), 0, in.height()); Expr b = in(r.x, r.y) & 1; f(b) = {in(r.x, r.y), f(b)[1] && f(b)[0] <= in(r.x, r.y)};", 2, []string{"r.y", "r.x"}},
	{"row by place", "Var x; f(x) = 1; RDom r(0, in.width()); f(x) = f(x)*in.height() - in(r, x);", 2, []string{"r"}},
	{"chosen columns", "Var x; f(x) = 1; RDom r(0, in.height()); f(x) = select(in(x, 0) > 0, in(x, r), f(x));", 2, []string{"r"}},
	{"columns added or multiplied", "Var x; f(x) = 1; RDom r(0, in.height()); f(x) = select(in(x, 0) > 0, f(x) + in(x, r), f(x)*in(x, r));", 2, []string{"r"}},
	{"planes", "Var x, y; f(x, y) = x; RDom r(0, in.channels()); f(x, y) = f(x, y) + in(x, y, r);", 3, []string{"r"}},
	{"masked columns", "Var x; f(x) = {0, 3}; RDom r(0, in.height()); r.where(in(0, r) > 0); f(x) = {f(x)[0] + in(x, r), max(f(x)[1], in(x, r))};", 2, []string{"r"}},
}

func TestRandomShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	rounds := 25
	if testing.Short() {
		rounds = 6
	}
	for _, s := range shapes {
		accepted := 0
		for range rounds {
			text := fmt.Sprintf("ImageParam in(Int(32), %d);\nFunc f;\n%s\n", s.dims, s.program)
			schedule := randomSchedule(rng, s.loops)
			if s.name == "two updates" {
				schedule = strings.ReplaceAll(schedule, "f.update(0)", "f.update(1)")
			}
			if pure := pureDirectives(s.program); len(pure) > 0 && rng.IntN(3) > 0 {
				parts := []string{"RVar xo, xi, yi;\n", "f.update(0)." + pure[rng.IntN(len(pure))] + ";\n", schedule}
				if rng.IntN(3) == 0 {
					parts[1], parts[2] = parts[2], parts[1]
				}
				schedule = strings.Join(parts, "")
			}
			if runBoth(t, rng, text+schedule, s.dims) {
				accepted++
			}
		}
		if accepted < rounds/6 {
			t.Errorf("%s: %d of %d schedules accepted", s.name, accepted, rounds)
		}
	}
}

// pureDirectives lists directives about the pure loops of a shape, which may come before rfactor and behind it.
func pureDirectives(program string) []string {
	switch {
	case strings.Contains(program, "in(x, y, r)"):
		return []string{"fuse(x, y, xo)", "fuse(x, y, x).split(x, xo, xi, 5)", "tile(x, y, xi, yi, 3, 2)", "reorder(y, x)", "vectorize(x, 4)", "unroll(y, 3)"}
	case strings.Contains(program, "in(x, r)"):
		return []string{"split(x, xo, xi, 3).parallel(xo)", "split(x, x, xi, 2)", "vectorize(x, 4)", "unroll(x, 3)", "parallel(x, 2)"}
	}
	return nil
}
