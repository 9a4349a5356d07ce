package emit

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Lanes of fused loops, of pure loops under conditions and of loops that -auto chooses have kernels on vectors, and pass the
// tests that are emitted with them: every fourth does.
func addForms(t *testing.T, m *module) {
	for i, f := range lowertest.Forms() {
		p := f.Plan(t)
		files, err := Source(p, f.Name)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		for _, s := range Unvectorized(p) {
			t.Errorf("%s: the %s of %s has no vector kernel: %s", f.Name, s.Stage.Role, s.Stage.Buffer.Name, s.Why)
		}
		if strings.Contains(f.Text, "vectorize") && files["kernel_simd_amd64.go"] == nil {
			t.Errorf("%s: no vectors", f.Name)
		}
		if sampled(i, 4) {
			m.add(t, "forms/"+f.Name, files)
		}
	}
}

// Where a schedule has lanes and there is no vector kernel, the reason is named.
func TestWhyPlain(t *testing.T) {
	const columns = "ImageParam in(Int(32), 2), real(Float(32), 2), bytes(UInt(8), 2), at(Int(32), 1); Func f; Var x, u; RVar ro, ri; RDom r(0, in.height()); "
	for _, c := range []struct{ text, why string }{
		{"f(x) = 0.0f; f(x) += real(r, x); f.update(0).vectorize(x, 8);", "real(r, xi) does not step through memory one element after another as xi does"},
		{"f(x) = 0; f(x) += bytes(x, r); f.update(0).vectorize(x, 8);", "bytes(xi, r) is of another type than f"},
		{"f(x) = 0; f(x) += in(x, r)*x; f.update(0).vectorize(x, 8);", "it uses the coordinate xi as a value"},
		{"f(x) = cast<bool>(0); f(x) = f(x) || in(x, r) > 1; f.update(0).vectorize(x, 8);", "there are no vectors of bool"},
		{"f(x) = {0, cast<uint8_t>(0)}; f(x) = {f(x)[0] + in(x, r), f(x)[1] | bytes(x, r)}; f.update(0).vectorize(x, 8);", "components differ in type"},
		{"f(x) = 0; f(x) = popcount(f(x)) + in(x, r); f.update(0).vectorize(x, 8);", "the package simd lacks popcount of i32"},
		{"f(x) = 0; f(x) += in(x, at(r)); f.update(0).vectorize(x, 8);", "indices depend on data, and are checked one by one"},
		{"f() = 0; f() += in(0, r); f.update(0).split(r, ro, ri, 8).rfactor(ri, u).compute_root().vectorize(u).update(0).vectorize(u);", "no loop of it steps through what it reads one element after another"},
		{"f() = 0; f() += popcount(in(r, 0)); f.update(0).split(r, ro, ri, 8).rfactor(ri, u).compute_root().vectorize(u).update(0).vectorize(u);", "the package simd lacks popcount of i32"},
	} {
		p, err := lowertest.PlanOf("why.rf", columns+c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := Unvectorized(p); len(got) != 1 || got[0].Why != c.why {
			t.Errorf("%s\n%v, not %q", c.text, got, c.why)
		}
	}
}
