package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// The forms of declarations, right sides and directives, with what they mean.
func TestSurface(t *testing.T) {
	var got strings.Builder
	for _, text := range []string{
		`Buffer<uint8_t> in(640, 480); Func f("f"), g; RDom r({{0, 640}, {0, 480}}, "r"); g() = 0; f() = 0; f() += in(r.x, r.y); g() += in(r[0], r[1]);`,
		`Buffer<float, 2> in; RDom r(0, in.width(), 0, in.height()); Func f; f() = Float(32).min(); f() = max(f(), in(r.x, r.y));`,
		`ImageParam in{Int(16), 1, "in"}; const int n = 8; int m = n*2; RDom r{0, m}; Func f; Var x{"x"}; f(x) = cast<int16_t>(0); f(r % n) += in(r);`,
		`Func in({Int(32), Float(32)}, 1); RDom r(0, 9); Func f; f() = {0, 0.0f}; Tuple now = in(r); Tuple was = f(); f() = {was[0] + now[0], was[1] + now[1]};`,
		`Func in({Int(32), Float(32)}, 1), f; RDom r(0, 9); f() = {0, 0.0f}; Tuple t(f()[0] + 1, max(f()[1], in(r)[1])); f() = t;`,
		`Func in({Int(32), Int(32)}, 1), f; RDom r(0, 9); f() = {0, 0}; f() += in(r);`,
		`Func f; RDom r(0, 9); f() = {0, 0}; f() += {r, 2*r}; f() -= Tuple{1, r};`,
		`Param<float> a("a"), b("b", 2.0f); ImageParam in(type_of<float>(), 1); Func f; RDom r(0, 9); f() = cast<float>(1); f() *= a*in(r) + b;`,
		`Func f; Param<bool> p; RDom r(0, 9); f() = !p; f() = f() ^ (r == 3) | p & f();`,
		`ImageParam in(Int(32), 1); Func g; Var x; g(x) = in(x) * 2; Func f; RDom r(0, 9); f() = 0; f() += g(r) + g(r + 1);`,
		`ImageParam in(UInt(8), 1); Expr e = in(0), d = e + 1; Func f; RDom r(0, 9); f() = 0; f() += select(in(r) > e, d, in(r) == 2, 3, 4);`,
		`ImageParam in(UInt(8), 1); Func f; RDom r(0, 9); r.where(in(r) > 3); r.where(r != 4 && true); f() = UInt(8).min(); f() = saturating_add(f(), in(r));`,
		`Func f; Var x, u, v; RVar ro, ri; RDom r(0, 9, 0, 9); const int n = 4; f(x) = 0; f(x) += r.x + r.y;
		 f.compute_root().vectorize(x, 8);
		 f.update().reorder(r.y, r.x).split(r.x, ro, ri, n, TailStrategy::GuardWithIf).unroll(ri).rfactor({{r.y, u}, {ro, v}}).compute_root().update(0).parallel(u).vectorize(v, 2*n);`,
		"/* one */ f() = f() // two\n + in(r) /* three */;",
		`f() = {max(f()[0], in(r)), select(in(r) > f()[0] || mask(r) && in(r) == f()[0], r, f()[1])}`,
		`f(x, y) = f(x, y) + in(x + r.x, y + r.y)*kernel(r.x, r.y)`,
		`f() = select(in(r) > threshold, f() + weight*1.5f, f())`,
		`f() = f() + in(r)/in.width(); f.update(0).parallel(r)`,
		`f() = f() + cast<float>(in(r))`,
		`f() += in(rx, ry)`,
		`Func f; f() = 1/2 + 7 % 4; RDom r(0, 3); f() += r;`,
	} {
		pr, err := ParseProgram(ir.NewPool(), "p.rf", text, ir.Invalid)
		fmt.Fprintf(&got, "== %s\n", text)
		if err != nil {
			fmt.Fprintf(&got, "%v\n", err)
			continue
		}
		got.WriteString(describe(pr))
	}
	golden(t, "surface.golden", got.String())
}
