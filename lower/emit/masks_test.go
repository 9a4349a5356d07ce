package emit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

type maskedUpdate struct{ inputs, init, where, update string }

// masked are updates whose vector kernels need masks: conditions on elements, on coordinates and on the state.
var masked = []maskedUpdate{
	{"ImageParam in(Int(32), 1);", "0", "in(r) > 3", "f() + in(r)"},
	{"ImageParam in(Int(32), 1);", "0", "r*r <= 1000", "f() + in(r)"},
	{"ImageParam in(Int(32), 1);", "0", "r*r <= 1000 && in(r) > 0", "max(f(), in(r))"},
	{"ImageParam in(Int(32), 1);", "0", "", "f() + select(in(r) > r, r, 0)"},
	{"ImageParam in(Float(32), 1);", "0.0f", "in(r) > 0.5f", "f() + in(r)"},
	{"ImageParam in(Float(32), 1);", "0.0f", "in(r) > 0.5f", "max(f(), in(r))"},
	{"ImageParam in(Int(32), 1);", "cast<bool>(0)", "", "f() || in(r) > 7"},
	{"ImageParam in(Float(64), 1);", "cast<bool>(1)", "", "f() && in(r) < 7.0"},
	{"Func in({Float(32), Float(32)}, 1);", "{0.0f, 0.0f, 0}", "", "{select(in(r)[0]*in(r)[0] + in(r)[1]*in(r)[1] > f()[0]*f()[0] + f()[1]*f()[1], in(r)[0], f()[0]), " +
		"select(in(r)[0]*in(r)[0] + in(r)[1]*in(r)[1] > f()[0]*f()[0] + f()[1]*f()[1], in(r)[1], f()[1]), " +
		"select(in(r)[0]*in(r)[0] + in(r)[1]*in(r)[1] > f()[0]*f()[0] + f()[1]*f()[1], r, f()[2])}"},
	{"ImageParam in(Bool(), 1);", "cast<bool>(0)", "", "f() || in(r)"},
	{"ImageParam in(Bool(), 1);", "cast<bool>(1)", "", "f() && in(r)"},
	{"ImageParam in(Bool(), 1);", "0", "", "select(in(r), f() + 1, f())"},
	{"ImageParam in(Bool(), 1);", "cast<uint8_t>(0)", "", "f() + select(!in(r), cast<uint8_t>(1), cast<uint8_t>(0))"},
	{"ImageParam in(UInt(8), 1);", "0", "", "f() + select(in(r) > 7, 1, 0)"},
	{"ImageParam in(Int(8), 1); Param<int8_t> k;", "cast<int64_t>(0)", "", "f() + cast<int64_t>(in(r) < k)"},
	{"ImageParam in(Int(16), 1);", "0", "", "f() + select(in(r) > 5, 1, 0)"},
	{"ImageParam in(Float(64), 1);", "cast<int16_t>(0)", "", "f() + select(in(r) >= 0.5 && !(in(r) > 7.0), cast<int16_t>(1), cast<int16_t>(0))"},
	{"Func in({UInt(8), Bool()}, 1);", "0", "", "f() + select(in(r)[0] > 7 && in(r)[1], 1, 0)"},
	{"Func in({Int(32), Int(8)}, 1);", "{0, cast<int8_t>(0)}", "", "{select(in(r)[0] > f()[0], in(r)[0], f()[0]), select(in(r)[0] > f()[0], in(r)[1], f()[1])}"},
	{"ImageParam in(Int(32), 1);", "0", "", "f() + in(r) until in(r) > 7"},
	{"ImageParam in(Float(32), 1);", "0.0f", "", "max(f(), in(r)) until after !(in(r) <= 7.0f)"},
	{"ImageParam in(Int(32), 1);", "0", "", "r + 1 until in(r) == 3 || r*r > 100000"},
	{"ImageParam in(Int(32), 1), b(Int(32), 1);", "{0, 0}", "", "{f()[0] + b(r), max(f()[1], in(r))} until in(r) > b(r) && r > 20"},
	{"ImageParam in(Int(32), 1), b(Int(32), 1);", "{0, 0}", "", "{f()[0] + in(r), b(r)} until after in(r) > 7 || r > 20"},
	{"ImageParam in(Int(64), 1); Param<int64_t> k;", "true", "", "f() && in(r) >= k"},
}

// Updates that need masks have kernels on vectors, and these pass the tests that are emitted with them.
func addMasked(t *testing.T, m *module) {
	for i, c := range masked {
		text := maskedText(c)
		pkg := fmt.Sprintf("masked%d", i)
		p, err := lowertest.PlanOf(pkg+".rf", text)
		if err != nil {
			t.Fatal(text, err)
		}
		files, err := Source(p, pkg)
		if err != nil {
			t.Fatal(text, err)
		}
		if files["kernel_simd_amd64.go"] == nil {
			t.Errorf("%s has no kernel on vectors:\n%s", text, files["kernel.go"])
		}
		m.add(t, pkg, files)
	}
}

func maskedText(c maskedUpdate) string {
	where := ""
	if c.where != "" {
		where = "r.where(" + c.where + ");"
	}
	extent := "in.width()"
	if strings.HasPrefix(c.inputs, "Func") {
		c.inputs += "Param<int> n;"
		extent = "n"
	}
	return fmt.Sprintf("%s Func f; RDom r(0, %s); %s f() = %s; f() = %s; RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 3000).rfactor(ro, u).compute_root().update(0).parallel(u);",
		c.inputs, extent, where, c.init, c.update)
}
