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
	f0.Stride = 3
	if FInto(f0, f1, in, 3) == nil {
		t.Error("a view that does not fit is taken")
	}
}
`)
	m.add(t, "rows", files)
}
