package emit

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Programs that people do not polish are emitted as packages that compile, that vet likes, and
// that accept what the serial program accepts.
func addOddities(t *testing.T, m *module) {
	const slices = "Func i = f.update(0).split(r, ro, ri, 7).rfactor(ro, u);\ni.compute_root().update(0).parallel(u);"
	const nested = "Func i = f.update(0).split(r, ro, ri, 1).rfactor(ro, u);\ni.compute_root().update(0).parallel(u);\n" +
		"Func j = i.update(0).split(ri, rio, rii, 3).rfactor(rii, v);\nj.compute_root();"
	const lanes = "Func i = f.update(0).split(r, ro, ri, 3).rfactor(ro, u);\ni.compute_root().update(0).parallel(u);\n" +
		"Func j = i.update(0).split(ri, rio, rii, 3).rfactor(rii, v);\nj.compute_root().update(0).vectorize(v);"
	for n, p := range []struct{ init, update, schedule string }{
		{"5", "select(f() < in(r), in(r), f())", slices},              // only the serial program needs pick
		{"5", "select(in(r) == 3, f(), min(f(), f()))", slices},       // nothing changes
		{"0.0", "select(in(r) == 3, f(), min(f(), f()))", nested},     // nothing changes in loops of loops
		{"{0, true}", "{f()[0] + in(r), f()[1] && f()[1]}", slices},   // one component does not change
		{"{true, 0}", "{more(r) || more(r), f()[1] + in(r)}", slices}, // an operand twice
		{"{true, 0}", "{f()[0] || in(r) != 1 || in(r) != 2, f()[1] + select(in(r) == 1 && in(r) == 2, 3, in(r))}", slices},
		{"{0, 0}", "{f()[0] + (in(r) << 32), f()[1] ^ (in(r) >> 40)}", slices}, // no bit is left
		{"{0, false}", "{max(f()[0], in(r)), f()[1] != more(r)}", nested},      // of two inputs, neither longer
		{"10", "(f() & 240) | (in(r) & 15)", lanes},                            // lanes in their order, with no right identity
	} {
		text := "ImageParam in(Int(32), 1);\nImageParam more(UInt(1), 1);\nFunc f;\nVar u, v;\nRVar ro, ri, rio, rii;\nRDom r(0, in.width());\n" +
			fmt.Sprintf("f() = %s;\nf() = %s;\n%s\n", p.init, p.update, p.schedule)
		name := fmt.Sprintf("odd%d", n)
		planned, err := lowertest.PlanOf(name, text)
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(planned, "")
		if err != nil {
			t.Fatal(err)
		}
		m.add(t, name, files)
	}
}
