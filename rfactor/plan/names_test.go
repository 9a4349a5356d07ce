package plan

import (
	"context"
	"strings"
	"testing"
)

// A coordinate may be called as certificates call a parameter of steps.
func TestCoordinateCalledP0(t *testing.T) {
	const text = `ImageParam in(UInt(8), 1);
Func f;
f() = {UInt(8).max(), 0};
RDom r(0, in.width());
f() = {min(f()[0], in(r)), select(f()[0] <= in(r), f()[1], r)};
Var u;
RVar o, i;
f.update(0).split(r, o, i, 8);
Func intm = f.update(0).rfactor(o, u);
intm.compute_root();
`
	plans := map[string]string{}
	for _, name := range []string{"r", "p0"} {
		program := strings.NewReplacer("RDom r(", "RDom "+name+"(", "(r)", "("+name+")", ", r)", ", "+name+")", "split(r", "split("+name).Replace(text)
		p, err := Factor(context.Background(), parseText(t, name+".rf", program), plain)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plans[name] = p.String()
	}
	if want := plans["r"]; strings.ReplaceAll(plans["p0"], "p0", "r") != want {
		t.Errorf("with a coordinate p0:\n%s\nand with r:\n%s", plans["p0"], want)
	}
}
