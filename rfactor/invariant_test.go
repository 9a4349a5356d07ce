package rfactor

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

const secondMinimum = `f() = {select(in(r) < f()[0], in(r), f()[0]), max(min(f()[1], in(r)), f()[0])};`

// Invariants are inferred from the initial value, proven of it, and listed.
func TestInferred(t *testing.T) {
	skipShort(t)
	t.Parallel()
	head := "ImageParam in(Int(32), 1);\nFunc f;\nRDom r(0, in.width());\n"
	for _, test := range []struct{ init, update, given string }{
		{"{100, 100}", secondMinimum, "x0 <= x1"},
		{"{Int(32).max(), Int(32).max()}", secondMinimum, "x0 <= x1"},
		{"{100, 99}", secondMinimum, ""},      // not so at the start
		{"{in(0), in(1)}", secondMinimum, ""}, // not known
		{"{-5, -7}", `f() = {select(in(r) > f()[0], in(r), f()[0]), min(max(f()[1], in(r)), f()[0])};`, "x1 <= x0"},
		{"{-9, -9, -9}", `f() = {max(f()[0], in(r)), max(min(f()[0], in(r)), f()[1]), max(min(min(f()[0], in(r)), f()[1]), f()[2])};`, ""}, // nor does this
		{"{-9, -9, -9}", `f() = {select(in(r) > f()[0], in(r), f()[0]), select(in(r) > f()[0], f()[0], select(in(r) > f()[1], in(r), f()[1])), select(in(r) > f()[1], f()[1], select(in(r) > f()[2], in(r), f()[2]))};`, "x1 <= x0; x2 <= x0; x2 <= x1"},
		{"0", "f() = max(f(), in(r));", ""}, // needs none
	} {
		prog, err := program.ParseProgram(ir.NewPool(), "test", head+"f() = "+test.init+";\n"+test.update, ir.Invalid)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Match(context.Background(), prog.Definitions()[0].Update(), Options{Name: "f", Allowed: ir.DefaultAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		if got := ir.Strings(a.Given); got != test.given {
			t.Errorf("from %s: given %q, want %q (%s %s)", test.init, got, test.given, a.Status, a.Reason)
		}
		if a.Status != Associative {
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := verified(line); err != nil {
			t.Errorf("from %s: %v", test.init, err)
		}
		if test.given == "" {
			continue
		}
		evaluateGiven(t, a)
		for _, initial := range []string{`"initial":["0","-1"]`, `"initial":["","1"]`, `"initial":["1"]`, `"initial":["x0","x1"]`} {
			at := strings.Index(string(line), `"initial":[`)
			end := at + strings.IndexByte(string(line[at:]), ']') + 1
			if test.given == "x0 <= x1" && verified([]byte(string(line[:at])+initial+string(line[end:]))) == nil {
				t.Errorf("%s is accepted", initial)
			}
		}
	}
}
