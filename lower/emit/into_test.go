package emit

import (
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// A result of two dimensions goes into views of the caller's, of any stride, that may overlap
// inputs; where it does not fit they stay as they are.
func addInto(t *testing.T, m *module) {
	p, err := lowertest.PlanOf("rows.rf", `ImageParam in(i32, 2); Param<int> n; Func f; Var x, y; f(x, y) = {0, 1};
RDom r(0, n); f(x, y) = {f(x, y)[0] + in(x, y)*r, f(x, y)[1] + in(in.width() - 1 - x, y)};`)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Source(p, "")
	if err != nil {
		t.Fatal(err)
	}
	files["into_test.go"] = []byte(`package rows

import (
	"slices"
	"testing"
)

func image(stride, width, height int) Image[int32] {
	m := Image[int32]{Pix: make([]int32, stride*height), Stride: stride, Width: width, Height: height}
	for i := range m.Pix {
		m.Pix[i] = int32(i*7%11) - 3
	}
	return m
}

func TestInto(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {5, 4}} {
		in := image(7, size[0], size[1])
		want0, want1, err := F(in, 3)
		if err != nil {
			t.Fatal(err)
		}
		f0, f1 := in, image(9, size[0], size[1]) // f0 is the input itself
		before := slices.Clone(f1.Pix)
		if err := FInto(f0, f1, in, 3); err != nil {
			t.Fatal(err)
		}
		for y := range size[1] {
			for x := range size[0] {
				if f0.Pix[y*7+x] != want0[y*size[0]+x] || f1.Pix[y*9+x] != want1[y*size[0]+x] {
					t.Errorf("%v: differs at %d, %d", size, x, y)
				}
			}
			if !slices.Equal(f1.Pix[y*9+size[0]:y*9+9], before[y*9+size[0]:y*9+9]) {
				t.Errorf("%v: row %d is written beside the view", size, y)
			}
		}
	}
	in, f0, f1 := image(7, 5, 4), image(6, 4, 5), image(5, 5, 4)
	before := slices.Clone(f1.Pix)
	err := FInto(f0, f1, in, 3)
	if err == nil || err.Error() != "f0: 4 by 5 elements, where the result has 5 by 4" || !slices.Equal(f1.Pix, before) {
		t.Errorf("error %v", err)
	}
	if err := FInto(in, Image[int32]{Pix: in.Pix[1:], Stride: 7, Width: 4, Height: 4}, in, 3); err == nil || err.Error() != "f0 and f1 share memory" {
		t.Errorf("error %v", err)
	}
	f0.Stride = 3
	if FInto(f0, f1, in, 3) == nil {
		t.Error("a view that does not fit is taken")
	}
}
`)
	m.add(t, "rows", files)
}

// Results of one dimension are computed in slices of the caller's, whatever they held, and inputs may share their memory. Slices of other lengths, and results that share memory, are refused.
func addLent(t *testing.T, m *module) {
	for pkg, c := range map[string]struct{ program, test string }{
		"lentsum": {`ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = f(r - 1) + in(r);
f.update(0).scan(r, 64).vectorize(r, 8).parallel(r);`, `
	in := numbers(1000)
	want, err := F(in)
	if err != nil {
		t.Fatal(err)
	}
	all := append(numbers(1000), 1, 2, 3)
	for _, shift := range []int{0, 1, 3} { // into the input, and half beside it
		copy(all[shift:], in)
		out := all[:1000]
		if err := FInto(out, all[shift:][:1000]); err != nil || !slices.Equal(out, want) {
			t.Errorf("into the input moved by %d: %v", shift, err)
		}
	}
	if err := FInto(make([]int32, 999), in); err == nil || err.Error() != "f: 999 elements, where the result has 1000" {
		t.Errorf("error %v", err)
	}
	if err := FInto(nil, in); err == nil {
		t.Error("no slice is taken for 1000 elements")
	}
`},
		"lentkeep": {`ImageParam in(Int(32), 1); RDom r(0, in.width()); r.where(in(r) > 7); Func out, pos; out(pos++) = in(r); out.update(0).parallel(r).vectorize(r, 8);`, `
	in := numbers(1000)
	want, n, err := OutAndPos(in)
	if err != nil {
		t.Fatal(err)
	}
	out := numbers(1000)
	if m, err := OutAndPosInto(out, in); err != nil || m != n || !slices.Equal(out, want) {
		t.Errorf("%d elements, not %d: %v", m, n, err)
	}
	if m, err := OutAndPosInto(in, in); err != nil || m != n || !slices.Equal(in, out) {
		t.Errorf("in place: %d elements, not %d: %v", m, n, err)
	}
`},
		"lentpair": {`ImageParam in(Int(32), 2); Func f, g; Var x; RDom r(0, in.height()); f(x) = 0; f(x) += in(x, r); g(x) = 5; g(x) = max(g(x), in(x, r));`, `
	in := Image[int32]{Pix: numbers(60), Stride: 10, Width: 9, Height: 6}
	f, g, err := FAndG(in)
	if err != nil {
		t.Fatal(err)
	}
	f1, g1 := numbers(9), numbers(9)
	if err := FAndGInto(f1, g1, in); err != nil || !slices.Equal(f, f1) || !slices.Equal(g, g1) {
		t.Errorf("differs, or %v", err)
	}
	if err := FAndGInto(in.Pix[3:12], g1, in); err != nil || !slices.Equal(f, in.Pix[3:12]) || !slices.Equal(g, g1) {
		t.Errorf("differs in the input's memory, or %v", err)
	}
	if err := FAndGInto(f1, f1, in); err == nil || err.Error() != "f and g share memory" {
		t.Errorf("error %v", err)
	}
`},
	} {
		p, err := lowertest.PlanOf(pkg+".rf", c.program)
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatal(err)
		}
		files["lent_test.go"] = []byte(`package ` + pkg + `

import (
	"slices"
	"testing"
)

func numbers(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i*7919%17) - 1
	}
	return s
}

func TestLent(t *testing.T) {` + c.test + `}
`)
		m.add(t, pkg, files)
	}
}
