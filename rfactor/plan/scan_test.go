package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scans"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// scanPrograms are scans of every form, exact ones, with what they keep: the extent of f where in has n elements in each
// dimension.
var scanPrograms = []struct {
	name, text string
	kept       func(n int) int
}{
	{"inclusive", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = f(r - 1) + in(r); f.update(0).scan(r, TILE)",
		func(n int) int { return n }},
	{"exclusive, n + 1 values", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(0, in.width()); f(x) = 5; f(r + 1) = f(r) + in(r); f.update(0).scan(r, TILE)",
		func(n int) int { return n + 1 }},
	{"exclusive beside inclusive", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width()); f(x) = {5, 0}; f(r) = {f(r - 1)[0] + in(r - 1), f(r - 1)[0]}; f.update(0).scan(r, TILE)",
		func(n int) int { return n + 1 }},
	{"backwards", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(0, in.width()); f(x) = 2; f(in.width() - 1 - r) = max(f(in.width() - r), in(in.width() - 1 - r)); f.update(0).scan(r, TILE)",
		func(n int) int { return n + 1 }},
	{"in place", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(x); f(r) += f(r - 1); f.update(0).scan(r, TILE)",
		func(n int) int { return n }},
	{"in place, forth and back", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1), q(1, in.width() - 1); f(x) = in(x); f(r) += f(r - 1); f(in.width() - 1 - q) = max(f(in.width() - 1 - q), f(in.width() - q)); " +
		"f.update(0).scan(r, TILE); f.update(1).scan(q, 3)", func(n int) int { return n }},
	{"two steps back", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(2, in.width() - 2); f(x) = in(x); f(r) = in(r) + 3*f(r - 1) - f(r - 2); f.update(0).scan(r, TILE)",
		func(n int) int { return n }},
	{"four steps back", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(4, in.width() - 4); f(x) = in(x); f(r) = in(r) + f(r - 4); f.update(0).scan(r, TILE)",
		func(n int) int { return n }},
	{"an index of the step", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = {in(0), 0}; f(r) = {max(f(r - 1)[0], in(r)), select(in(r) > f(r - 1)[0], r, f(r - 1)[1])}; f.update(0).scan(r, TILE)",
		func(n int) int { return n }},
	{"staged", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = {in(0), 1, 0}; " +
		"f(r) = {max(f(r - 1)[0], in(r)), f(r - 1)[1] + select(in(r) > f(r - 1)[0], 1, 0), f(r - 1)[1]*f(r - 1)[0]}; f.update(0).scan(r, TILE)",
		func(n int) int { return n }},
	{"columns", "ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(1, in.height() - 1); f(x, y) = in(x, 0); f(x, r) = f(x, r - 1) + in(x, r); f.update(0).scan(r, TILE).parallel(x)",
		func(n int) int { return n * n }},
	{"rows", "ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(1, in.width() - 1); f(x, y) = in(0, y); f(r, y) = f(r - 1, y) + in(r, y); f.update(0).scan(r, TILE).parallel(y)",
		func(n int) int { return n * n }},
	{"columns of a domain", "ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(0, in.width(), 1, in.height() - 1); f(x, y) = in(x, y); f(r.x, r.y) += f(r.x, r.y - 1); " +
		"f.update(0).split(r.x, xo, xi, 3).parallel(xo).scan(r.y, TILE)", func(n int) int { return n * n }},
	{"summed-area table", "ImageParam in(Int(32), 2); Func f, s; Var x, y; RDom r(1, in.width() - 1), q(1, in.height() - 1); f(x, y) = in(x, y); f(r, y) += f(r - 1, y); s(x, y) = f(x, y); s(x, q) += s(x, q - 1); " +
		"f.update(0).parallel(y); s.update(0).scan(q, TILE)", func(n int) int { return n * n }},
	{"again for each row", "ImageParam in(Int(32), 2); Func f; Var x; RDom r(1, in.width() - 1, 0, in.height()); f(x) = 1; f(r.x) += 3*f(r.x - 1) + in(r.x, r.y); f.update(0).scan(r.x, TILE)",
		func(n int) int { return n }},
	{"staged reduction", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = {Int(32).min(), 0}; f() = {max(f()[0], in(r)), f()[1] + select(in(r) > f()[0], 1, 0)}; f.update(0).scan(r, TILE)",
		func(n int) int { return 1 }},
	{"staged reduction of some elements", "ImageParam in(Int(32), 2); Func f; RDom r(0, in.width(), 0, in.height()); r.where(in(r.x, r.y) > 0); f() = {9, 0}; " +
		"f() = {max(f()[0], in(r.x, r.y)), f()[1] + select(in(r.x, r.y) > f()[0], 1, 0)}; f.update(0).scan(r.x, TILE)", func(n int) int { return 1 }},
	{"staged reduction by rows", "ImageParam in(Int(32), 2); Func f; Var y; RDom r(0, in.width()); f(y) = {9, 0}; f(y) = {max(f(y)[0], in(r, y)), f(y)[1] + select(in(r, y) > f(y)[0], 1, 0)}; f.update(0).scan(r, TILE).parallel(y)",
		func(n int) int { return n }},
}

// TestScanForms compares tiles with the serial loop, for inputs of every size near that of a tile, in which tiles run at once or
// one after another.
func TestScanForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 2))
	for _, test := range scanPrograms {
		t.Run(test.name, func(t *testing.T) {
			for _, tile := range []int{1, 4, 7} {
				for _, more := range []string{"", ".parallel(VAR)", ".vectorize(VAR, 4).parallel(VAR)"} {
					if tile == 1 && strings.Contains(more, "vectorize") {
						continue
					}
					text := strings.Replace(test.text, ", TILE)", fmt.Sprintf(", %d)", tile)+more, 1) + ";"
					name := text[strings.Index(text, ".scan(")+len(".scan("):]
					text = "RVar xo, xi; " + strings.ReplaceAll(text, "VAR", name[:strings.Index(name, ",")])
					prog := parseText(t, "scan.rf", text)
					p, err := Factor(t.Context(), prog, plain)
					if err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
					for n := range 20 {
						in := &Inputs{}
						in.Arrays, in.Params = scans.Draw(rng, prog, n, true)
						want, err := RunSerial(prog, plain, in)
						if err != nil {
							t.Fatalf("%v\n%s", err, text)
						}
						got, err := p.Run(in, rng.Uint64())
						if err != nil {
							t.Fatalf("%v\n%s\n%s", err, text, p)
						}
						if d := nearlyEqual(got, want, true); d != "" {
							t.Fatalf("%d elements: %s\n%s\n%s", n, d, text, p)
						}
						if kept := got["f"].Dims.Len(); kept != test.kept(n) {
							t.Fatalf("%d elements: %d are kept, wanted %d", n, kept, test.kept(n))
						}
					}
				}
			}
		})
	}
}

// TestRandomScans compares drawn recurrences, in drawn tiles, with the serial loop.
func TestRandomScans(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 9))
	accepted, rounds := 0, suite.Sample(suite.More(60, 150), 5000)
	for range rounds {
		text := scans.Random(rng)
		prog := parseText(t, "scan.rf", text)
		p, err := Factor(t.Context(), prog, plain)
		if err != nil {
			if !strings.Contains(err.Error(), "scan: f.update(0) has no associative operator") {
				t.Fatalf("%v\n%s", err, text)
			}
			continue
		}
		accepted++
		for _, n := range []int{0, 1, 2, 3, 7, 20} {
			in := &Inputs{}
			in.Arrays, in.Params = scans.Draw(rng, prog, n, true)
			want, err := RunSerial(prog, plain, in)
			if err != nil {
				t.Fatalf("%d elements: %v\n%s", n, err, text)
			}
			got, err := p.Run(in, rng.Uint64())
			if err != nil {
				t.Fatalf("%d elements: %v\n%s\n%s", n, err, text, p)
			}
			if d := nearlyEqual(got, want, true); d != "" {
				t.Fatalf("%d elements: %s\n%s\n%s", n, d, text, p)
			}
		}
	}
	if accepted < rounds/2 {
		t.Errorf("of %d recurrences %d were accepted", rounds, accepted)
	}
}

// TestScanRefusals wants the directive named, and what would be legal.
func TestScanRefusals(t *testing.T) {
	const head = "ImageParam in(Int(32), 2); Var x, y, u; RVar ro, ri, b; RDom r(1, in.width() - 1), q(0, in.width(), 1, in.height() - 1); Func f, g, s; " +
		"f(x) = 0; f(r) = f(r - 1) + in(r, 0); g() = 0; g() += in(r, 0); s(x, y) = 0; s(q.x, q.y) = s(q.x, q.y - 1) + in(q.x, q.y); "
	for _, test := range []struct{ text, want string }{
		{"g.update(0).scan(r, 8);", "scan: g.update(0) keeps nothing but its last state, and needs no scan: split(r, ro, ri, 8).rfactor(ro, u) gives slices"},
		{"f.update(0).scan(r, 0);", "scan: argument 2 must be a positive number"},
		{"f.update(0).scan(x, 8);", "scan: f.update(0) has no loop x; its loops are r"},
		{"f.scan(x, 8);", "scan: f has no update here; say f.update(0).scan"},
		{"f.update(0).split(r, ro, ri, 8).scan(ri, 8);", "scan: ri is a part of r, and scan makes the tiles itself: leave out the split, and scan r"},
		{"f.update(0).scan(r, 8).scan(r, 8);", "scan: r is scanned already, in tiles of 8"},
		{"f.update(0).scan(r, 8).split(r, ro, ri, 8);", "split: r is scanned in tiles of 8, whose loops are the scan's"},
		{"f.update(0).scan(r, 8).parallel(r, 4);", "parallel: the slices of r are its tiles, of 8 steps: parallel(r)"},
		{"f.update(0).scan(r, 8).unroll(r);", "unroll: r is scanned in tiles, whose steps are not written out"},
		{"f.update(0).scan(r, 8).vectorize(r);", "vectorize: say how many elements a tree combines, since rounding depends on it: vectorize(r, 8)"},
		{"f.update(0).scan(r, 8).vectorize(r, 3);", "vectorize: a tree combines 2, 4, 8, … elements of a tile of 8, not 3"},
		{"f.update(0).scan(r, 8).vectorize(r, 16);", "vectorize: a tree combines 2, 4, 8, … elements of a tile of 8, not 16"},
		{"f.update(0).rfactor(r, u);", "rfactor: f.update(0) keeps what each step writes, of which partial results know nothing: scan(r, 65536).parallel(r) runs it in tiles"},
		{"f.update(0).parallel(r);", "parallel: the iterations of r read what earlier ones wrote; scan(r, 65536) makes tiles of them"},
		{"f.update(0).vectorize(r, 8);", "vectorize: the iterations of r read what earlier ones wrote"},
		{"s.update(0).scan(q.x, 8);", "scan: s.update(0) reads what earlier steps of q.y wrote: scan(q.y, 8)"},
		{"g.update(0).split(r, ro, ri, 8).rfactor(ro, u); g.update(0).scan(ro, 8);", "scan: g.update(0) is factored already"},
	} {
		prog := parseText(t, "scan.rf", head+test.text)
		if _, err := Factor(t.Context(), prog, plain); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %v, wanted %s", test.text, err, test.want)
		}
	}
	for _, test := range []struct{ text, want string }{
		{"f(x) = 0; f(r) = f(r - 1)*f(r - 1) + in(r);", "scan: f.update(0) has no associative operator"},
		{"f(x) = {0, 0}; f(r % 2) = {max(f(r % 2)[0], in(r)), f(r % 2)[1] + select(in(r) > f(r % 2)[0], 1, 0)};", "scan: each step of r updates an element of f that it computes"},
		{"f(x) = {0, 0}; f(in(r) & 1) = {max(f(in(r) & 1)[0], in(r)), f(in(r) & 1)[1] + select(in(r) > f(in(r) & 1)[0], 1, 0)};", "scan: each step of r updates an element of f that it computes"},
		{"f(x) = 0; f(r) = f(r + 1) + in(r);", "a later step writes it; a recurrence may read f(r - 1) to f(r - 4)"},
	} {
		text := "ImageParam in(Int(32), 1); Var x; RDom r(1, in.width() - 1); Func f; " + test.text + "f.update(0).scan(r, 8);"
		if _, err := Factor(t.Context(), parseText(t, "scan.rf", text), plain); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %v, wanted %s", test.text, err, test.want)
		}
	}
	text := "ImageParam in(Int(32), 2); Var x; RDom r(1, in.width() - 1, 0, in.height()); Func f; f(x) = 0; f(r.x) = f(r.x - 1) + in(r.x, r.y); f.update(0).reorder(r.y, r.x);"
	if _, err := Factor(t.Context(), parseText(t, "scan.rf", text), plain); err == nil || !strings.Contains(err.Error(), "reorder: f.update(0) keeps what each step writes, so that its steps stay in the order of (r.y, r.x)") {
		t.Errorf("%v", err)
	}
}

// floats are what a scan of floats meets.
var floats = []float64{0, math.Copysign(0, -1), 1, -1.5, math.Inf(1), math.Inf(-1), math.NaN(), 3e38, -3e38, 1e-40}

// TestScanOfFloats runs scans over zeros of both signs, infinities, NaN and numbers that overflow: what is exact has the bits of the
// serial loop, and totals that are not finite do not reach what the serial loop has finite.
func TestScanOfFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 3))
	for _, test := range []struct {
		init, update, assume string
		exact                bool
	}{
		{"0.0f", "max(f(r - 1), in(r))", "", true},
		{"-0.0f", "min(f(r - 1), in(r))", "", true},
		{"0.0f", "select(in(r) < 0.0f, in(r), f(r - 1))", "", true},
		{"0.0f", "f(r - 1) + in(r)", "reassoc", false},
		{"1.0f", "f(r - 1)*in(r)", "reassoc", false},
		{"1.0f", "4.0f*f(r - 1) + in(r)", "reassoc", false},
		{"0.0f", "select(is_nan(in(r)), f(r - 1), in(r))", "nnan", true},
	} {
		allowed, err := ir.ParseAssume("none")
		if test.assume != "" {
			allowed, err = ir.ParseAssume(test.assume)
		}
		if err != nil {
			t.Fatal(err)
		}
		opts := Options{Match: rfactor.Options{Allowed: allowed}}
		for _, schedule := range []string{"scan(r, 8).parallel(r)", "scan(r, 32).vectorize(r, 4)"} {
			text := "ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = " + test.init + "; f(r) = " + test.update + "; f.update(0)." + schedule + ";"
			prog := parseText(t, "scan.rf", text)
			p, err := Factor(t.Context(), prog, opts)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for round := range 40 {
				in := &Inputs{}
				in.Arrays, in.Params = scans.Draw(rng, prog, 60, false)
				for range round % 8 {
					in.Arrays["in"].Elements(0).Set(rng.IntN(60), ir.FloatBits(ir.F32, floats[rng.IntN(len(floats))]))
				}
				want, err := RunSerial(prog, opts, in)
				if err != nil {
					t.Fatal(err)
				}
				got, err := p.Run(in, rng.Uint64())
				if err != nil {
					t.Fatal(err)
				}
				if d := nearlyEqual(got, want, test.exact); d != "" && test.exact {
					t.Fatalf("%s\n%s", d, text)
				}
				finiteAs(t, text, ir.F32, got["f"].Elements(0).Len(), func(i int) (uint64, uint64) { return got["f"].Elements(0).At(i), want["f"].Elements(0).At(i) })
			}
		}
	}
}

// finiteAs wants a number wherever the serial loop has one that is far from overflowing.
func finiteAs(t *testing.T, text string, typ ir.Type, n int, at func(i int) (got, want uint64)) {
	for i := range n {
		g, w := at(i)
		got, want := ir.Float(typ, g), ir.Float(typ, w)
		if math.Abs(want) < 1e30 && (math.IsNaN(got) || math.IsInf(got, 0)) {
			t.Fatalf("element %d is %v, serially %v\n%s", i, got, want, text)
		}
	}
}

// TestScanOfAPole wants the serial loop's numbers where powers of a pole outside of the unit circle overflow in a tile, and the loop
// does not.
func TestScanOfAPole(t *testing.T) {
	text := "ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = 0.0f; f(r) = 4.0f*f(r - 1) + in(r); f.update(0).scan(r, 100).parallel(r)"
	for _, lanes := range []string{";", ".vectorize(r, 8);"} {
		prog := parseText(t, "pole.rf", text+lanes)
		p, err := Factor(t.Context(), prog, anything)
		if err != nil {
			t.Fatal(err)
		}
		in := &Inputs{}
		in.Arrays, in.Params = scans.Draw(rand.New(rand.NewPCG(1, 1)), prog, 350, false)
		for i := range 350 {
			in.Arrays["in"].Elements(0).Set(i, 0)
		}
		in.Arrays["in"].Elements(0).Set(340, ir.FloatBits(ir.F32, 1))
		want, err := RunSerial(prog, anything, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(in, 1)
		if err != nil {
			t.Fatal(err)
		}
		if d := nearlyEqual(got, want, true); d != "" {
			t.Errorf("%s: %s", lanes, d)
		}
	}
}

// TestScanOverflows wants the serial loop's numbers where the sum of steps overflows, and no state does: min(x + ∞, b) would be b.
func TestScanOverflows(t *testing.T) {
	text := "ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = -3e38f; f(r) = min(f(r - 1) + in(r), 3e38f); f.update(0).scan(r, 4).parallel(r)"
	for _, lanes := range []string{";", ".vectorize(r, 4);"} {
		prog := parseText(t, "overflow.rf", text+lanes)
		p, err := Factor(t.Context(), prog, anything)
		if err != nil {
			t.Fatal(err)
		}
		in := &Inputs{}
		in.Arrays, in.Params = scans.Draw(rand.New(rand.NewPCG(1, 1)), prog, 20, false)
		for i := range 20 {
			in.Arrays["in"].Elements(0).Set(i, ir.FloatBits(ir.F32, []float64{2e38, 2e38, -3e38, -1e38}[(i+3)%4]))
		}
		want, err := RunSerial(prog, anything, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(in, 1)
		if err != nil {
			t.Fatal(err)
		}
		if d := nearlyEqual(got, want, true); d != "" {
			t.Errorf("%s: %s\n%v", lanes, d, p)
		}
	}
}

// TestScanByItself wants a schedule chosen: tiles for a lone series, side by side for others, and none without an operator.
func TestScanByItself(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = 0.0f; f(r) = 0.5f*f(r - 1) + in(r);", "f.update(0).scan(r, 65536) f.update(0).parallel(r) f.update(0).vectorize(r, 8)"},
		{"ImageParam in(Float(32), 1); Func f; Var x; RDom r(2, in.width() - 2); f(x) = 0.0f; f(r) = 0.5f*f(r - 1) + 0.25f*f(r - 2) + in(r);", ""},
		{"ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = 0; f(r) = f(r - 1) + in(r);", "f.update(0).scan(r, 65536) f.update(0).parallel(r)"},
		{"ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(1, in.width() - 1); f(x, y) = 0; f(r, y) = f(r - 1, y)*f(r - 1, y) + in(r, y);", "f.update(0).parallel(y)"},
		{"ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(1, in.height() - 1); f(x, y) = 0; f(x, r) = f(x, r - 1) + in(x, r);",
			"f.update(0).split(x, xo, xi, 512) f.update(0).parallel(xo) f.update(0).reorder(xi, r)"},
		{"ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(0, in.width(), 1, in.height() - 1); f(x, y) = 0; f(r.x, r.y) = f(r.x, r.y - 1) + in(r.x, r.y);",
			"f.update(0).split(r.x, rxo, rxi, 512) f.update(0).parallel(rxo) f.update(0).reorder(r.y, rxo)"},
		{"ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = {0, 0}; f() = {max(f()[0], in(r)), f()[1] + select(in(r) > f()[0], 1, 0)};",
			"f.update(0).scan(r, 65536) f.update(0).parallel(r)"},
		{"ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = 0; f(r) = f(r - 1)*f(r - 1) + in(r);", ""},
	} {
		prog := parseText(t, "scan.rf", test.text)
		p, err := Factor(t.Context(), prog, Options{Match: anything.Match, Auto: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range p.Schedule {
			got = append(got, d.String())
		}
		if strings.Join(got, " ") != test.want || (test.want == "") != (len(p.Serial) == 1) {
			t.Errorf("%s: %v and %v serially, wanted %s", test.text, got, p.Serial, test.want)
		}
		for n := range 5 {
			in := &Inputs{}
			in.Arrays, in.Params = scans.Draw(rand.New(rand.NewPCG(1, uint64(n))), prog, n, true)
			want, err := RunSerial(prog, plain, in)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := p.Run(in, uint64(n)); err != nil || nearlyEqual(out, want, false) != "" {
				t.Errorf("%s: %v %s", test.text, err, nearlyEqual(out, want, false))
			}
		}
	}
}
