package emit

import (
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// guards are programs whose indices depend on data, each with a test of its package: an index is looked at where it is used, and is an error there
// alone.
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
