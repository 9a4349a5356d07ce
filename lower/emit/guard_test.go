package emit

import (
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// guards are programs whose conditions decide which indices are used, each with a test of its package: an index is looked at where it is
// used, and is an error there alone.
var guards = []struct{ name, text, test string }{
	{"guardedsum", "ImageParam in(Int(32), 1), i(Int(32), 1); RDom r(0, i.width()); r.where(i(r) >= 0 && i(r) < 3); Func f; f() = 0; f() += in(i(r));",
		`f, err := F([]int32{1, 2, 4}, []int32{0, 50, 2, -7})
	if f != 5 || err != nil {
		t.Errorf("the sum of what the condition leaves is %d, %v", f, err)
	}
	if _, err := F([]int32{1, 2}, []int32{0, 2}); err == nil {
		t.Error("an index is outside, and there is no error")
	}`},
	{"guardedkeep", "ImageParam in(Int(32), 1), i(Int(32), 1); RDom r(0, i.width()); r.where(in(i(r)) > 2); Func out, pos; out(pos++) = in(i(r) - 1);",
		`out, pos, err := OutAndPos([]int32{1, 5, 0, 4}, []int32{0, 3, 2, 1})
	if pos != 2 || err != nil || out[0] != 0 || out[1] != 1 {
		t.Errorf("%d elements are kept: %v, %v", pos, out, err)
	}
	if _, _, err := OutAndPos([]int32{1, 5}, []int32{1, 2}); err == nil {
		t.Error("an index in the condition is outside, and there is no error")
	}`},
	// The tail of a split is a condition where loops were reordered, and kernels run where there is none.
	{"guardedtail", "ImageParam in(Int(32), 2); RDom r(0, in.width(), 0, in.height()); Func f; f() = 0; f() += in(r.x, r.y); f.update(0).unroll(r.y, 8).reorder(r.y, r.x);",
		`for h := range 20 {
		pix, want := make([]int32, 3*h), int32(0)
		for i := range pix {
			pix[i] = int32(i)
			want += pix[i]
		}
		if f, err := F(Image[int32]{Pix: pix, Stride: 3, Width: 3, Height: h}); f != want || err != nil {
			t.Errorf("the sum of %d rows is %d, not %d: %v", h, f, want, err)
		}
	}`},
	{"guardedslices", "ImageParam in(Int(32), 1); Func s; Var v; s(v) = 0; RDom ri(0, 64); ri.where(v*64 + ri < in.width()); s(v) += in(v*64 + ri); s.update(0).parallel(v);\n" +
		"Func f; f() = 0; RDom ro(0, (in.width() + 63)/64); f() += s(ro);",
		`for n := range 200 {
		in := make([]int32, n)
		for i := range in {
			in[i] = int32(i)
		}
		if _, f, err := SAndF(in); f != int32(n*(n-1)/2) || err != nil {
			t.Errorf("the sum of %d elements is %d: %v", n, f, err)
		}
	}`},
	{"guardedshift", "ImageParam in(Int(32), 1), b(Int(32), 1); RDom r(0, in.width()); r.where(r > 0); r.where(in(r - 1) != 7); Func f; f() = 0; f() += b(r - 1)*in(r);",
		`if f, err := F([]int32{1, 2, 4, 7, 9}, []int32{10, 20, 30, 40}); f != 310 || err != nil {
		t.Errorf("the sum is %d, %v", f, err)
	}
	if _, err := F([]int32{1, 2, 4}, []int32{1}); err == nil {
		t.Error("b is too short, and there is no error")
	}`},
	// A loop without iterations reads nothing, and views without elements have any other extents.
	{"guardednone", "ImageParam a(Int(32), 3), b(Int(32), 1); RDom r(0, a.channels()); Func f; Var x, y; f(x, y) = 0; f(x, y) += a(x, y, r)*b(x);",
		`for _, e := range [][3]int{{0, 2, 3}, {2, 0, 3}, {2, 3, 0}} {
		f, err := F(Array3[int32]{Extent: e, Stride: [3]int{1, e[0], e[0]*e[1]}}, nil)
		if len(f) != e[0]*e[1] || err != nil {
			t.Errorf("%v: %d elements, %v", e, len(f), err)
		}
	}`},
}

// addGuards adds programs whose conditions say which indices are used.
func addGuards(t *testing.T, m *module) {
	for _, c := range guards {
		p, err := lowertest.PlanOf(c.name+".rf", c.text)
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(p, c.name)
		if err != nil {
			t.Fatal(err)
		}
		files["guard_test.go"] = []byte("package " + c.name + "\n\nimport \"testing\"\n\nfunc TestGuard(t *testing.T) {\n\t" + c.test + "\n}\n")
		m.add(t, "guards/"+c.name, files)
	}
}
