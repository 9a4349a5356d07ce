package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
)

// argmins are the ways to treat ties: the first least element wins, or the last; of elements
// as great as the initial value too.
var argmins = []struct {
	name, keep string // when the state is kept
	better     func(state, element uint64) bool
}{
	{"first", "f()[0] <= in(r.x, r.y)", func(s, e uint64) bool { return e < s }},
	{"last", "f()[0] < in(r.x, r.y)", func(s, e uint64) bool { return e <= s }},
}

// tieSchedules factor outer and inner variables, in any order and nested.
var tieSchedules = []string{
	"f.update(0).rfactor(r.y, u);",
	"f.update(0).rfactor(r.x, u);",
	"f.update(0).rfactor({{r.x, u}, {r.y, v}});",
	"f.update(0).split(r.x, a, b, 4).rfactor(b, u);",
	"f.update(0).split(r.x, a, b, 4).rfactor({{r.y, u}, {a, v}});",
	"f.update(0).split(r.y, a, b, 9); f.update(0).split(b, c, d, 2); f.update(0).rfactor({{a, u}, {c, v}});",
	"f.update(0).split(r.y, a, b, 9); f.update(0).split(b, c, d, 2); f.update(0).rfactor({{a, u}, {d, v}});",
	"f.update(0).split(r.y, a, b, 9); f.update(0).split(b, c, d, 2); f.update(0).rfactor(c, u);",
	"f.update(0).split(r.x, a, b, 1).rfactor(b, u);",
	"f.update(0).split(r.x, a, b, 1).split(b, c, d, 5); f.update(0).rfactor({{r.y, u}, {c, v}});",
	"f.update(0).split(r.x, a, b, 4).reorder(a, b).reorder(r.y, a);",
	"f.update(0).split(r.x, a, b, 4).reorder(a, b); f.update(0).rfactor({{b, u}});",
	"Func m = f.update(0).rfactor(r.y, u); m.update(0).split(r.x, a, b, 3); Func l = m.update(0).rfactor(b, v); l.compute_at(m, u); l.update(0).vectorize(v); m.update(0).parallel(u);",
	"Func m = f.update(0).rfactor(r.x, u); m.update(0).split(r.y, a, b, 3).rfactor(b, v);",
	"Func m = f.update(0).rfactor({{r.x, u}, {r.y, v}}); f.update(0).rfactor(r.x, w);",
	"f.update(0).split(r.x, a, b, 2).split(r.y, c, d, 2).reorder(b, d, a, c); f.update(0).fuse(a, c, e); Func m = f.update(0).rfactor(e, u);",
}

// Whatever the schedule, ties give the index that the serial loop gives: compared with plain
// loops in Go.
func TestTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for _, arg := range argmins {
		for _, schedule := range tieSchedules {
			text := fmt.Sprintf(`ImageParam in(UInt(8), 2); Func f; f() = {UInt(8).max(), 77, 78};
				RDom r(0, in.width(), 0, in.height()); Expr keep = %s; Expr v0 = in(r.x, r.y);
				f() = {select(keep, f()[0], v0), select(keep, f()[1], r.x), select(keep, f()[2], r.y)};
				RVar a, b, c, d, e; Var u, v, w; %s`, arg.keep, schedule)
			p, err := Factor(context.Background(), parseText(t, "ties.rf", text), plain)
			if err != nil {
				if !strings.Contains(err.Error(), "may be an identity") || !strings.HasSuffix(schedule, "f.update(0).rfactor(r.x, w);") {
					t.Errorf("%s: %v", arg.name, err)
				}
				continue
			}
			for _, b := range p.Buffers {
				if b.Seen {
					t.Errorf("%s, %s: %s has a flag, although there is an identity", arg.name, schedule, b.Name)
				}
			}
			for round := range 40 {
				w, h := rng.IntN(12), rng.IntN(12)
				in := &Inputs{Arrays: map[string]*ndarray.Array{"in": ndarray.New([]ir.Type{ir.U8}, ndarray.Range{Extent: w}, ndarray.Range{Extent: h})}}
				data := in.Arrays["in"].Data[0].([]uint8)
				for i := range data {
					data[i] = []uint8{255, 3, 254 + uint8(rng.IntN(2)), uint8(rng.IntN(3))}[round%4]
				}
				want := [3]uint64{255, 77, 78}
				for y := range h {
					for x := range w {
						if e := uint64(data[x+w*y]); arg.better(want[0], e) {
							want = [3]uint64{e, uint64(x), uint64(y)}
						}
					}
				}
				out, err := p.Run(in, rng.Uint64())
				if err != nil {
					t.Fatal(err)
				}
				var got [3]uint64
				for c := range got {
					got[c] = out["f"].Elements(c).At(0)
				}
				if got != want {
					t.Fatalf("%s, %s: %d by %d: got %v, want %v\n%s", arg.name, schedule, w, h, got, want, p)
				}
			}
		}
	}
}

// Ties are decided once for the whole tuple, by all coordinates: never by a part of them.
func TestTiesNeedTheWholeOrder(t *testing.T) {
	for _, c := range []struct{ update, want string }{
		{"{min(f()[0], in(r.x, r.y)), select(f()[0] < in(r.x, r.y), f()[1], r.x)}", "hold r.y as well"},
		{"{min(f()[0], in(r.x, r.y)), select(f()[0] < in(r.x, r.y), f()[1], r.y)}", "hold r.x as well"},
		{"{select(in(r.x, r.y) > 3, in(r.x, r.y), f()[0]), select(in(r.x, r.y) > 3, r.y, f()[1])}", ""},
	} {
		text := "ImageParam in(Int(32), 2); Func f; f() = {9, 0}; RDom r(0, in.width(), 0, in.height()); f() = " + c.update + "; Var u; f.update(0).rfactor(r.x, u);"
		_, err := Factor(context.Background(), parseText(t, "whole.rf", text), plain)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.update, err, c.want)
		}
	}
}

// A component that numbers the elements in their order serves for all coordinates.
func TestTiesByPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 15))
	places := []string{"r.y*in.width() + r.x", "r.x + in.width()*r.y"}
	for i, schedule := range tieSchedules {
		arg := argmins[i%2]
		text := fmt.Sprintf(`ImageParam in(UInt(8), 2); Func f; f() = {UInt(8).max(), 77};
			RDom r(0, in.width(), 0, in.height()); Expr keep = %s; Expr v0 = in(r.x, r.y);
			f() = {select(keep, f()[0], v0), select(keep, f()[1], %s)};
			RVar a, b, c, d, e; Var u, v, w; %s`, arg.keep, places[i/2%2], schedule)
		p, err := Factor(context.Background(), parseText(t, "places.rf", text), plain)
		if err != nil {
			if !strings.Contains(err.Error(), "may be an identity") || !strings.HasSuffix(schedule, "f.update(0).rfactor(r.x, w);") {
				t.Errorf("%s: %v", arg.name, err)
			}
			continue
		}
		for range 30 {
			w, h := rng.IntN(12), rng.IntN(12)
			in := &Inputs{Arrays: map[string]*ndarray.Array{"in": ndarray.New([]ir.Type{ir.U8}, ndarray.Range{Extent: w}, ndarray.Range{Extent: h})}}
			data := in.Arrays["in"].Data[0].([]uint8)
			want := [2]uint64{255, 77}
			for i := range data {
				data[i] = 255 - uint8(rng.IntN(3))
				if arg.better(want[0], uint64(data[i])) {
					want = [2]uint64{uint64(data[i]), uint64(i)}
				}
			}
			out, err := p.Run(in, rng.Uint64())
			if err != nil {
				t.Fatal(err)
			}
			if got := [2]uint64{out["f"].Elements(0).At(0), out["f"].Elements(1).At(0)}; got != want {
				t.Fatalf("%s, %s: %d by %d: got %v, want %v\n%s", arg.name, schedule, w, h, got, want, p)
			}
		}
	}
}

// What does not number the elements in their order decides no ties.
func TestTiesByNoPlace(t *testing.T) {
	for _, place := range []string{"r.x*in.height() + r.y", "r.y*in.height() + r.x", "r.y*(in.width() - 1) + r.x", "r.y + r.x", "r.y*in.width()", "r.y*in.width() + r.x + 1"} {
		text := "ImageParam in(Int(32), 2); Func f; f() = {9, 0}; RDom r(0, in.width(), 0, in.height()); f() = {min(f()[0], in(r.x, r.y)), select(f()[0] <= in(r.x, r.y), f()[1], " +
			place + ")}; Var u; f.update(0).rfactor(r.x, u);"
		if _, err := Factor(context.Background(), parseText(t, "places.rf", text), plain); err == nil || !strings.Contains(err.Error(), "as well") {
			t.Errorf("%s: got %v", place, err)
		}
	}
	text := "ImageParam in(Int(32), 2); Func f; f() = {9, 0}; RDom r(1, in.width() - 1, 0, in.height()); f() = {min(f()[0], in(r.x, r.y)), select(f()[0] <= in(r.x, r.y), f()[1], " +
		"r.y*in.width() + r.x)}; Var u; f.update(0).rfactor(r.x, u);"
	if _, err := Factor(context.Background(), parseText(t, "places.rf", text), plain); err == nil || !strings.Contains(err.Error(), "as well") {
		t.Errorf("a domain that starts at 1: got %v", err)
	}
}

// A place that overflows would decide ties wrongly: it is an error before the run.
func TestTiesByPlaceNeeds(t *testing.T) {
	text := "Param<int> w, h; Func f; f() = {9, 0}; RDom r(0, w, 0, h); f() = {min(f()[0], r.x), select(f()[0] <= r.x, f()[1], r.y*w + r.x)}; Var u; f.update(0).rfactor(r.x, u);"
	p, err := Factor(context.Background(), parseText(t, "places.rf", text), plain)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(&Inputs{Params: map[string]uint64{"w": 1 << 16, "h": 1 << 15}}, 1)
	if err == nil || !strings.Contains(err.Error(), "the place that component 1 of f holds") {
		t.Error(err)
	}
}
