package plan

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
)

// Where an operator holds only while nothing overflows, partial results are wider: slices
// here overflow i32 although the serial loop does not.
func TestWiden(t *testing.T) {
	overflows := plain
	overflows.Match.Allowed |= ir.NSW
	const schedule = "\nRVar ro, ri; Var u; Func m = f.update(0).split(r, ro, ri, 3).rfactor(ro, u);"
	// From the greatest int32 to the least, in one slice of three.
	falling := []int32{-(1 << 31) + 1, -1 << 30, -1 << 30, 5, 1<<31 - 1, -7, 3, 9, 0, 1}
	mixed := []int32{7, -4, 12, 0, 3, 10}
	for _, c := range []struct {
		update string
		data   []int32
	}{
		{"f() = 0; RDom r(0, in.width()); f() = max(min(10 - f(), in(r)), f());", mixed},
		{"f() = 0; RDom r(0, in.width()); f() = max(min(k - f(), in(r)), f());", mixed},
		{"f() = {Int(32).max(), 0}; RDom r(0, in.width()); f() = {f()[0] + in(r), max(f()[1], f()[0] + in(r))};", falling},
		{"f() = {Int(32).max(), 0}; RDom r(0, in.width()); f() = {f()[0] + in(r), min(f()[1], f()[0] + in(r))};", falling},
	} {
		text := "ImageParam in(Int(32), 1); Param<int> k; Func f; " + c.update
		p, err := Factor(context.Background(), parseText(t, "wide.rf", text+schedule), overflows)
		if err != nil {
			t.Fatalf("%s: %v", c.update, err)
		}
		serial, err := Factor(context.Background(), parseText(t, "serial.rf", text), overflows)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.String(), "wider than f [i32") {
			t.Errorf("the plan does not name what is wider:\n%s", p)
		}
		for n := range len(c.data) + 1 {
			in := &Inputs{Arrays: map[string]*ndarray.Array{"in": {Dims: ndarray.Box{{Extent: n}}, Data: []any{c.data[:n]}}}, Params: map[string]uint64{"k": 10}}
			got, err := p.Run(in, 1)
			if err != nil {
				t.Fatal(err)
			}
			want, err := serial.Run(in, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want["f"].Data {
				if g, w := got["f"].Elements(i).At(0), want["f"].Elements(i).At(0); g != w {
					t.Errorf("%s, %d elements: component %d is %d, not %d\n%s", c.update, n, i, int32(g), int32(w), p)
				}
			}
		}
	}
}

// What cannot be widened is refused with the reason.
func TestWidenRefuses(t *testing.T) {
	overflows := plain
	overflows.Match.Allowed |= ir.NSW | ir.NUW
	for _, c := range []struct{ program, schedule, want string }{
		{"ImageParam in(Int(64), 1); Func f; f() = i64(0); RDom r(0, in.width()); f() = max(min(10 - f(), in(r)), f());", "f.update(0).rfactor(r, u);", "nothing wider exists"},
		{"ImageParam in(Int(32), 2); Func f; f() = 0; RDom r(0, in.width(), 0, in.height()); f() = max(min(10 - f(), in(r.x, r.y)), f());", "f.update(0).rfactor(r.x, u);", "in the order of the serial loop"},
		{"ImageParam in(Int(32), 2); Func f; f() = 0; RDom r(0, in.width(), 0, in.height()); f() = max(min(10 - f(), in(r.x, r.y)), f());", "f.update(0).reorder(r.y, r.x);", "in the order of the serial loop"},
	} {
		prog := parseText(t, "bad.rf", c.program+"Var u; "+c.schedule)
		_, err := Factor(context.Background(), prog, overflows)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.schedule, err, c.want)
		}
	}
}

// The number of elements up to which nothing overflows is checked before a run.
func TestWidenNeeds(t *testing.T) {
	overflows := plain
	overflows.Match.Allowed |= ir.NSW
	text := "Param<int> n, m; Func f; f() = 0; RDom r(0, n, 0, m); f() = max(min(10 - f(), r.x), f()); Var u; Func i = f.update(0).rfactor(r.y, u);"
	p, err := Factor(context.Background(), parseText(t, "wide.rf", text), overflows)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ n, m uint64 }{{1 << 30, 1 << 30}, {1<<31 - 1, 1}} {
		_, err = p.Run(&Inputs{Params: map[string]uint64{"n": c.n, "m": c.m}}, 1)
		if err == nil || !strings.Contains(err.Error(), "f.update(0) would combine more elements") {
			t.Error(c, err)
		}
	}
	if _, err := p.Run(&Inputs{Params: map[string]uint64{"n": 3, "m": 2}}, 1); err != nil {
		t.Error(err)
	}
}
