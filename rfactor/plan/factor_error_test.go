package plan

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
)

// What cannot be factored is refused at the directive, with the variable and the reason.
func TestFactorRefuses(t *testing.T) {
	const (
		sum    = "ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() = f() + in(r);\n"
		sum2   = "ImageParam in(Int(32), 2); Func f; f() = 0; RDom r(0, in.width(), 0, in.height()); f() = f() + in(r.x, r.y);\n"
		matrix = "Func in({Int(32), Int(32), Int(32), Int(32)}, 1); Param<int> n; Func f; f() = {1, 0, 0, 1}; RDom r(0, n); f() = {f()[0]*in(r)[0] + f()[1]*in(r)[2], f()[0]*in(r)[1] + f()[1]*in(r)[3], f()[2]*in(r)[0] + f()[3]*in(r)[2], f()[2]*in(r)[1] + f()[3]*in(r)[3]};\n"
		argmin = "ImageParam in(UInt(8), 2); Func f; f() = {UInt(8).max(), 0}; RDom r(0, in.width(), 0, in.height()); f() = {min(f()[0], in(r.x, r.y)), select(f()[0] < in(r.x, r.y), f()[1], r.x)};\n"
		clamp  = "ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() = max(min(10 - f(), in(r)), f());\n"
		rows   = "ImageParam in(Int(32), 2); Func f; Var x; f(x) = 0; RDom r(0, in.width(), 0, in.height()); f(r.y) = f(r.y) + in(r.x, r.y);\n"
		square = "ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() = f()*f() + in(r);\n"
		sized  = "ImageParam in(Int(32), 1); Param<int> n; Func f; f() = 0; RDom r(0, n); f() = f() + in(r);\n"
		under  = "ImageParam in(Int(32), 3); Func f; Var x, y; f(x, y) = 0; RDom r(0, in.channels()); f(x, y) += in(x, y, r);\n"
		lift   = "ImageParam in(Int(32), 1); Param<int> n; Func f; f() = 0; RDom r(0, in.width()); f() = f()*n + in(r);\n"
		placed = "ImageParam in(Int(32), 1); Func out, pos; RDom r(0, in.width()); r.where(in(r) > 2); out(pos++) = in(r);\n"
		kept2  = "ImageParam in(Int(32), 2); Func out, pos; RDom r(0, in.width(), 0, in.height()); out(pos++) = in(r.x, r.y);\n"
		swap   = "ImageParam in(Float(64), 1); Func f; f() = {f64(0), f64(tmax)}; RDom r(0, in.width()); f() = {f()[1], f()[0] - in(r)};\n"
		single = "ImageParam in(Int(32), 2); Func f; f() = {7, 0}; RDom r(0, 1); f() = {min(f()[0], in(r, 0)), select(in(r, 0) < f()[0], in(r, 1), f()[1])};\n"
		decl   = "RVar ro, ri, a, b; Var u, v; "
	)
	for _, c := range []struct {
		program, schedule string
		want              []string // parts of the message
	}{
		{placed, "out.update(0).rfactor(r, u);", []string{"rfactor", "places are counted in the order of the loops", "parallel(r)"}},
		{placed, "out.update(0).split(r, ro, ri, 8);", []string{"split", "places are counted in the order of the loops"}},
		{placed, "out.update(0).parallel(u);", []string{"parallel", "no loop u"}},
		{placed, "out.update(0).vectorize(r, 0);", []string{"vectorize", "argument 2 must be a positive number"}},
		{kept2, "out.update(0).parallel(r.x);", []string{"parallel", "2 loops"}},
		{kept2, "out.update(0).vectorize(r.y);", []string{"vectorize", "its innermost loop, r.x"}},
		{single, "f.update(0).split(r, ro, ri, 16); Func m = f.update(0).rfactor(ro, u); m.update(0).split(ri, a, b, 8); m.update(0).rfactor(b, v);", []string{"rfactor", "no coordinate of its elements"}},
		{swap, "f.update(0).split(r, ro, ri, 8).rfactor(ro, u);", []string{"rfactor", "f begins with inf", "0 times that is NaN"}},
		{sum, "f.update(0).parallel(r);", []string{"parallel", "r update the same elements of f", "rfactor(r, u)"}},
		{sum, "f.update(0).vectorize(r, 8);", []string{"vectorize", "rfactor"}},
		{sum, "f.update(0).atomic();", []string{"atomic", "rfactor"}},
		{sum, "f.update(0).vectorize(r, 0);", []string{"vectorize", "argument 2 must be a positive number"}},
		{sum, "f.update(0).split(r, ro, ri, 0);", []string{"split", "argument 4", "positive"}},
		{sum, "f.update(0).split(r, ro, ro, 4);", []string{"both parts are called ro"}},
		{sum, "f.update(0).split(r, ro, ri, 4, TailStrategy::RoundUp);", []string{"RoundUp", "GuardWithIf"}},
		{sum, "f.update(0).split(a, ro, ri, 4);", []string{"no loop a", "its loops are r"}},
		{sum, "f.update(0).split(r, ro, ri, 4); f.update(0).rfactor(r, u);", []string{"rfactor", "no loop r", "ro, ri"}},
		{sum, "f.rfactor(u, v);", []string{"rfactor", "no loop u"}},
		{sum2, "f.update(0).rfactor({{r.y, u}, {r.y, v}});", []string{"r.y is named twice"}},
		{sum2, "f.update(0).rfactor({{r.y, u}, {r.x, u}});", []string{"u is already a variable"}},
		{sum2, "f.update(0).rfactor(r.y);", []string{"expected a reduction variable and its new name"}},
		{sum2, "f.update(0).fuse(r.y, r.x, a);", []string{"r.y does not lie directly inside r.x"}},
		{sum2, "f.update(0).reorder(r.y, r.y);", []string{"named twice"}},
		{sum2, "f.update(0).tile(r.x, r.y, ro, a, ri, b, 0, 8);", []string{"tile", "argument 7 must be a positive number"}},
		{sum2, "f.update(0).tile(r.x, r.y, ri, b, 8, 0);", []string{"tile", "argument 6 must be a positive number"}},
		{sum2, "f.update(0).tile(r.x, r.y, ri, b, 8, 8, 8);", []string{"tile", "expected 6 or 8 arguments"}},
		{sum2, "f.update(0).tile(r.x, a, ri, b, 8, 8);", []string{"tile", "no loop a", "its loops are"}},
		{sum2, "f.update(0).tile(r.x, r.x, ri, b, 8, 8);", []string{"tile", "r.x is named twice"}},
		{sum2, "f.update(0).tile(r.x, r.y, ri, ri, 8, 8);", []string{"tile", "ri is already the name of a loop"}},
		{under, "f.update(0).tile(x, y, u, v, -8, 8);", []string{"tile", "argument 5 must be a positive number"}},
		{under, "f.update(0).tile(x, y, u, v, 8, 0);", []string{"tile", "argument 6 must be a positive number"}},
		{under, "f.update(0).tile(x, y, x, y, 8, 8);", []string{"tile", "both parts are called x"}},
		{under, "f.update(0).tile(x, y, u, u, 8, 8);", []string{"tile", "u is already the name of a loop"}},
		{under, "f.update(0).tile(x, u, ri, v, 8, 8);", []string{"tile", "no loop u", "its loops are"}},
		{under, "f.update(0).vectorize(x, 0);", []string{"vectorize", "argument 2 must be a positive number"}},
		{under, "f.update(0).vectorize(x, -3);", []string{"vectorize", "argument 2 must be a positive number"}},
		{under, "f.update(0).vectorize(x, u);", []string{"vectorize", "argument 2 must be a positive number"}},
		{under, "f.update(0).vectorize(8, 8);", []string{"vectorize", "expected the name of a loop", "y, x, r"}},
		{under, "f.update(0).parallel(y, 0);", []string{"parallel", "argument 2 must be a positive number"}},
		{under, "f.update(0).unroll(y, 0);", []string{"unroll", "argument 2 must be a positive number"}},
		{under, "f.update(0).vectorize(r, 8);", []string{"vectorize", "update the same elements of f", "rfactor(ri, u)"}},
		{under, "f.update(0).tile(x, r, u, ri, 8, 8).vectorize(ri);", []string{"vectorize", "rfactor(ri, u)"}},
		{under, "f.update(0).atomic().parallel(r);", []string{"atomic", "rfactor"}},
		{square, "f.update(0).split(r, ro, ri, 8).parallel(ro);", []string{"parallel", "update the same elements of f"}},
		{lift, "f.update(0).parallel(r);", []string{"parallel", "update the same elements of f", "rfactor(r, u)"}},
		{lift, "f.update(0).split(r, ro, ri, 8).rfactor(ri, u);", []string{"rfactor", "order of (ri, ro) and not of (ro, ri)"}},
		{sum2, "f.compute_at(f, u);", []string{"compute_at", "f is a result of the program"}},
		{sum2, "Func m = f.update(0).rfactor(r.y, u); m.compute_at(f, u);", []string{"u is no pure loop of f", "compute_root"}},
		{matrix, "f.update(0).split(r, ro, ri, 4).rfactor(ri, u);", []string{"rfactor", "order of (ri, ro) and not of (ro, ri)", "does not commute", "factor ro"}},
		{matrix, "f.update(0).split(r, ro, ri, 4).reorder(ro, ri);", []string{"reorder", "does not commute"}},
		{argmin, "f.update(0).rfactor(r.x, u);", []string{"rfactor", "does not commute", "hold r.y as well"}},
		{clamp, "f.update(0).split(r, ro, ri, 4).rfactor(ro, u);", []string{"rfactor", "f.update(0)", "nsw"}},
		{sum, "f.update(0).split(r, ro, ri, 4); f.update(0).split(ri, ro, a, 2);", []string{"split", "ro is already the name of a loop of f.update(0)"}},
		{sum, "f.update(0).split(r, ro, ri, 4); Func m = f.update(0).rfactor(ro, u); m.compute_at(m, u);", []string{"compute_at", "m does not read m"}},
		{sum2, "f.update(0).rfactor(u, v);", []string{"no loop u", "r.y, r.x"}},
		{sum2, "f.update(0).split(r.x, ro, ri, 3).fuse(ri, ro, a);", []string{"fuse", "ragged tail"}},
		{sized, "f.update(0).split(r, n, ri, 4);", []string{"expected the name of a new variable"}},
		{square, "f.update(0).rfactor(r, u);", []string{"rfactor", "f.update(0) has no associative operator"}},
		{rows, "f.update(0).fuse(r.x, r.y, a);", []string{"fuse", "a pure loop and one over a reduction variable"}},
		{rows, "f.update(0).rfactor(r.y, u);", []string{"r.y is pure", "parallel(r.y) needs no rfactor"}},
	} {
		prog := parseText(t, "bad.rf", c.program+decl+c.schedule)
		_, err := Factor(context.Background(), prog, plain)
		list, ok := err.(ir.ErrorList)
		if !ok {
			t.Errorf("%s\nis not refused: %v", c.schedule, err)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(list[0].Msg, part) {
				t.Errorf("%s\nis refused without %q:\n%v", c.schedule, part, err)
			}
		}
		if list[0].Line != 2 || !strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "^") {
			t.Errorf("%s\nis refused without its place:\n%v", c.schedule, err)
		}
	}
}

// What the program itself leaves open is asked for.
func TestFactorNeeds(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"f() = f() + in(r)", "no initial definition"},
		{"Func f; f() = 0; ImageParam in(Int(32), 1); f() = f() + in(3); f.update(0).rfactor(r, u)", ""},
		{"ImageParam in(Int(32), 2); Func f; Var x, y; f(x) = 0; RDom r(0, in.width()); f(0) += in(r, y);", "y is no argument of f here"},
		{"ImageParam in(Int(32), 1); Func f; Var x; f() = in(x); RDom r(0, in.width()); f() += in(r);", "x is no argument of f here"},
		{"ImageParam in(Int(32), 1); Func f; f() = 0; Var x; RDom r(0, x); f() += in(r);", "x is no argument of f here"},
		{"ImageParam in(Int(32), 1); Func f; Var x; f(x) = 0; RDom r(0, in.width()); f(in(r)) += 1;", "-extent f=0:256"},
		{"ImageParam in(Int(32), 1); Func f; Var x; f(x) = 0; RDom r(0, in.width()); f(x) += in(r);", "argument 1 of f"},
	} {
		prog, err := program.ParseProgram(ir.NewPool(), "open.rf", c.program, ir.Invalid)
		if err != nil {
			continue // the parser says so
		}
		_, err = Factor(context.Background(), prog, plain)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.program, err, c.want)
		}
	}
	given := plain
	given.Extents = map[string]ndarray.Box{"f": {{Min: 0, Extent: 4}}}
	prog := parseText(t, "given.rf", "ImageParam in(Int(32), 1); Func f; Var x; f(x) = 0; RDom r(0, in.width()); f(in(r)) += 1; RVar ro, ri; Var u; Func m = f.update(0).split(r, ro, ri, 2).rfactor(ro, u);")
	p, err := Factor(context.Background(), prog, given)
	if err != nil {
		t.Fatal(err)
	}
	in := &Inputs{Arrays: map[string]*ndarray.Array{"in": {Dims: ndarray.Box{{Extent: 3}}, Data: []any{[]int32{1, 3, 1}}}}}
	out, err := p.Run(in, 1)
	if err != nil || !slices.Equal(out["f"].Data[0].([]int32), []int32{0, 2, 0, 1}) {
		t.Error(out, err)
	}
	in.Arrays["in"].Data[0].([]int32)[2] = 4
	if _, err := p.Run(in, 1); err == nil || !strings.Contains(err.Error(), "m is written where it has no element: coordinate 1 is 4, outside of 0..3") {
		t.Error(err)
	}
}

// Bad inputs are named before anything is computed.
func TestRunChecksInputs(t *testing.T) {
	prog := parseText(t, "in.rf", "ImageParam in(UInt(8), 2); Param<uint8_t> k; Param<int> n; Func f; f() = 0; RDom r(0, n); f() += cast<int>(in(r, 1) + k);")
	p, err := Factor(context.Background(), prog, plain)
	if err != nil {
		t.Fatal(err)
	}
	array := func(typ ir.Type, dims ...ndarray.Range) map[string]*ndarray.Array {
		return map[string]*ndarray.Array{"in": ndarray.New([]ir.Type{typ}, dims...)}
	}
	params := map[string]uint64{"k": 3, "n": 2}
	two := ndarray.Range{Extent: 2}
	short := array(ir.U8, two, two)
	short["in"].Data[0] = short["in"].Data[0].([]uint8)[:3]
	for _, c := range []struct {
		in   Inputs
		want string
	}{
		{Inputs{array(ir.U8, two, two), params}, ""},
		{Inputs{nil, params}, "the input in is missing"},
		{Inputs{array(ir.U8, two, two), nil}, "the parameter k has no value"},
		{Inputs{array(ir.U8, two, two), map[string]uint64{"k": 300, "n": 2}}, "the parameter k is u8"},
		{Inputs{array(ir.I8, two, two), params}, "the input in is declared [u8] and holds [i8]"},
		{Inputs{array(ir.U8, two), params}, "the input in is declared with 2 dimensions and has 1"},
		{Inputs{array(ir.U8, ndarray.Range{Min: 1, Extent: 2}, two), params}, "the input in starts at 1"},
		{Inputs{short, params}, "the input in has 3 elements"},
		{Inputs{array(ir.U8, ndarray.Range{Extent: 1}, two), params}, "in is read where it has no element: coordinate 1 is 1, outside of 0..0"},
		{Inputs{array(ir.U8, two, ndarray.Range{Extent: 1}), params}, "in is read where it has no element: coordinate 2"},
	} {
		_, err := p.Run(&c.in, 1)
		if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// What would overflow an index is an error before anything runs.
func TestRunChecksNeeds(t *testing.T) {
	for _, c := range []struct {
		program string
		n       int64
		want    string
	}{
		{"Param<int> n; Func f; f() = 0; RDom r(0, n, 0, n); f() += r.x; RVar a; f.update(0).fuse(r.x, r.y, a);", 1 << 16, "the fused loop a has more than 2147483647 iterations"},
		{"Func f; f() = 0; RDom r(2147483600, 2000); f() += r;", 0, "needs.rf:1:23: coordinates of r would be greater than 2147483647"},
		{"Func f; f() = 0; RDom r(0, 65536, 0, 65536); f() += r.x; RVar a; f.update(0).fuse(r.x, r.y, a);", 0, "the fused loop a has more than 2147483647 iterations"},
		{"Param<int> n; Func f; f() = 0; RDom r(n, n); f() += r;", 1 << 30, "coordinates of r would be greater than 2147483647"},
		{"Param<int> n; Func f; f() = 0; RDom r(0, n); f() += r; RVar ro, ri; Var u; Func m = f.update(0).split(r, ro, ri, 4).rfactor(ro, u);", -1 << 31, ""},
	} {
		p, err := Factor(context.Background(), parseText(t, "needs.rf", c.program), plain)
		if err == nil {
			_, err = p.Run(&Inputs{Params: map[string]uint64{"n": uint64(c.n)}}, 1)
		}
		if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.program, err, c.want)
		}
	}
}
