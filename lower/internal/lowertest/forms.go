package lowertest

import (
	"testing"

	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Form is a program whose lanes need a form of their own.
type Form struct {
	Name, Text string
	Auto       bool // the schedule is chosen, as by -auto
}

// Plan factors the program.
func (f Form) Plan(t testing.TB) *plan.Plan {
	t.Helper()
	opts := Defaults()
	opts.Auto = f.Auto
	if f.Auto {
		opts.Grain = 0
	}
	p, err := plan.Factor(t.Context(), Parse(t, f.Name+".rf", f.Text), opts)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return p
}

// Forms lists programs with lanes of fused loops, of pure loops in tiles, under conditions and in numbers that divide nothing, and
// of loops that -auto chooses.
// Each of their stages with lanes has a kernel on vectors.
func Forms() []Form { return forms }

// wide is a sum of elements of a type in a wider one.
func wide(from, to string) string {
	return "ImageParam in(" + from + ", 1); RDom r(0, in.width()); Func f; f() = cast<" + to + ">(3); f() += cast<" + to + ">(in(r)); " + sliced
}

const (
	image  = "ImageParam in(Int(32), 2); RDom r(0, in.width(), 0, in.height()); Func f; RVar a, ro, ri, rio, rii; Var u, v; "
	search = "f() = {Int(32).max(), 0}; f() = {min(f()[0], in(r.x, r.y)), select(in(r.x, r.y) < f()[0], r.y*100 + r.x, f()[1])}; "
	lanes  = "f.update(0).fuse(r.x, r.y, a).split(a, ro, ri, 8).rfactor(ri, u).compute_root().vectorize(u).update(0).vectorize(u);"
	slices = "Func i = f.update(0).fuse(r.x, r.y, a).split(a, ro, ri, 100).rfactor(ro, u); i.compute_root().update(0).parallel(u).split(ri, rio, rii, 8); " +
		"Func l = i.update(0).rfactor(rii, v); l.compute_at(i, u).vectorize(v).update(0).vectorize(v);"
	planes = "ImageParam in(Int(32), 3); RDom r(0, in.channels()); Func f; Var x, y, u, v, xi, yi; RVar ri; f(x, y) = 0; f(x, y) += in(x, y, r); "
	bytes2 = "ImageParam a(UInt(8), 1), b(UInt(8), 1); RDom r(0, a.width()); Func f; "
	sliced = "RVar ro, ri, rio, rii; Var u, v; Func s = f.update(0).split(r, ro, ri, 3000).rfactor(ro, u); s.compute_root().update(0).parallel(u).split(ri, rio, rii, 8); " +
		"Func l = s.update(0).rfactor(rii, v); l.compute_at(s, u).vectorize(v).update(0).vectorize(v);"
	columns = "ImageParam in(Int(32), 2), with(Int(32), 1); RDom r(0, in.height()); Func f; Var x; f(x) = 0; "
)

var forms = []Form{
	{Name: "widei8", Text: wide("Int(8)", "int16_t")},
	{Name: "wideu16", Text: wide("UInt(16)", "int64_t")},
	{Name: "widei16", Text: wide("Int(16)", "int32_t")},
	{Name: "widei32", Text: wide("Int(32)", "int64_t")},
	{Name: "widef32", Text: wide("Float(32)", "double")},
	{Name: "fusedlanes", Text: image + "f() = 0; f() += in(r.x, r.y)*r.x; " + lanes},
	{Name: "fusedslices", Text: image + "f() = 0; f() += in(r.x, r.y); " + slices},
	{Name: "fusedcondition", Text: image + "f() = 0; r.where(r.x <= r.y); f() += in(r.x, r.y); " + slices},
	{Name: "fusedplaces", Text: image + search + "f.update(0).fuse(r.x, r.y, a).split(a, ro, ri, 100).rfactor(ro, u).compute_root().update(0).parallel(u);"},
	{Name: "fusedoffset", Text: "ImageParam in(Float(32), 2); RDom r(1, in.width() - 1, 2, in.height() - 2); Func f; RVar a, ro, ri, rio, rii; Var u, v; f() = 0.0f; f() = max(f(), in(r.x, r.y)); " + slices},
	{Name: "fusedliteral", Text: "ImageParam in(Float(64), 2); RDom r(0, 7, 0, 5); Func f; RVar a, ro, ri, rio, rii; Var u, v; f() = cast<double>(0); f() += in(r.x, r.y); " + slices},
	{Name: "fusedpure", Text: "ImageParam in(Int(16), 3); RDom r(0, in.channels()); Func f; Var x, y, v; f(x, y) = cast<int16_t>(1); f(x, y) = max(f(x, y), in(x, y, r)); f.update(0).fuse(x, y, v).vectorize(v, 16);"},
	{Name: "fusedproduct", Text: "ImageParam a(Int(32), 2), b(Int(32), 2); RDom k(0, a.width()); Func f; Var x, y, v; f(x, y) = 0; f(x, y) += a(k, y)*b(x, k); f.update(0).fuse(x, y, v).vectorize(v, 8);"},
	{Name: "fusedunder", Text: "ImageParam in(Float(32), 3); RDom r(0, in.height(), 0, in.channels()); Func f; RVar a; Var x; f(x) = 0.0f; f(x) += in(x, r.x, r.y); f.update(0).fuse(r.x, r.y, a).vectorize(x, 8);"},
	{Name: "where", Text: columns + "r.where(with(r) > 0); f(x) += in(x, r); f.update(0).vectorize(x, 8);"},
	{Name: "whereboth", Text: columns + "r.where(with(r) > 0 && in(x, r) != 3); f(x) = max(f(x), in(x, r)); f.update(0).vectorize(x, 8);"},
	{Name: "wherefloat", Text: "ImageParam in(Float(32), 2); RDom r(0, in.height()); Func f; Var x; f(x) = -1.0f; r.where(in(x, r) >= 0.0f); f(x) = in(x, r) - f(x); f.update(0).vectorize(x, 8);"},
	{Name: "underpure", Text: "ImageParam in(Float(32), 3); RDom r(0, in.channels()); Func f; Var x, y; f(x, y) = 0.0f; f(x, y) += in(x, y, r); f.update(0).vectorize(x, 8).parallel(y);"},
	{Name: "lanes3", Text: planes + "f.update(0).vectorize(x, 3);"},
	{Name: "lanes1024", Text: planes + "f.update(0).vectorize(x, 1024);"},
	{Name: "lanesoflanes", Text: planes + "f.update(0).vectorize(x, 8).vectorize(x, 4);"},
	{Name: "lanesinlanes", Text: planes + "f.update(0).vectorize(x, 8).vectorize(xi, 2);"},
	{Name: "lanesboth", Text: planes + "f.update(0).vectorize(x, 8).vectorize(y, 4);"},
	{Name: "lanesall", Text: planes + "f.update(0).vectorize(x);"},
	{Name: "lanes1", Text: planes + "f.update(0).vectorize(x, 1);"},
	{Name: "largetile", Text: planes + "f.update(0).tile(x, y, xi, yi, 100000, 100000).vectorize(xi, 8);"},
	{Name: "smalltile", Text: planes + "f.update(0).tile(x, y, u, v, xi, yi, 5, 3).vectorize(xi, 4);"},
	{Name: "paralleltile", Text: planes + "f.update(0).tile(x, y, xi, yi, 16, 3).parallel(y).vectorize(xi);"},
	{Name: "reductiontile", Text: planes + "f.update(0).tile(x, r, xi, ri, 8, 3).parallel(y);"},
	{Name: "differences", Text: bytes2 + "f() = 0; f() += abs(cast<int>(a(r)) - cast<int>(b(r))); " + sliced},
	{Name: "differences64", Text: bytes2 + "f() = cast<uint64_t>(7); f() += cast<uint64_t>(cast<uint8_t>(abs(cast<int16_t>(b(r)) - cast<int16_t>(a(r))))); " + sliced},
	{Name: "nine", Text: "ImageParam a(Int(32), 1), b(Int(32), 1), c(Int(32), 1), d(Int(32), 1), e(Int(32), 1), g(Int(32), 1), h(Int(32), 1), i(Int(32), 1), j(Int(32), 1); " +
		"RDom r(0, a.width()); Func f; f() = 0; f() += a(r) + b(r) + c(r) + d(r) + e(r) + g(r) + h(r) + i(r) + j(r); " + sliced},
	{Name: "names", Text: "ImageParam s0a(Int(32), 1), all0(Int(32), 1), y1b(Int(32), 1), t0a(Int(32), 1), x0(Int(32), 1); RDom r(0, s0a.width()); Func f; f() = 0; " +
		"f() += (s0a(r)*3 + all0(r))*abs(s0a(r)*3 + all0(r)) + y1b(r)*t0a(r) - x0(r); " + sliced},
	{Name: "autocolumns", Auto: true, Text: "ImageParam in(Float(32), 2); RDom r(0, in.height()); Func f; Var x; f(x) = 0.0f; f(x) += in(x, r);"},
	{Name: "autorows", Auto: true, Text: "ImageParam in(Float(32), 2); RDom r(0, in.width()); Func f; Var x; f(x) = 0.0f; f(x) += in(r, x);"},
	{Name: "autoplaces", Auto: true, Text: "ImageParam in(UInt(8), 2); RDom r(0, in.width()); Func f; Var x; f(x) = {cast<uint8_t>(9), -1}; f(x) = {min(f(x)[0], in(r, x)), select(in(r, x) < f(x)[0], r, f(x)[1])};"},
	{Name: "autoproduct", Auto: true, Text: "ImageParam a(Float(32), 2), b(Float(32), 2); RDom k(0, a.width()); Func c; Var x, y; c(x, y) = 0.0f; c(x, y) += a(k, y)*b(k, x);"},
	{Name: "autoserial", Auto: true, Text: "ImageParam in(Float(32), 2); RDom r(0, in.width()); Func f; Var x; f(x) = 0.0f; f(x) = f(x)*f(x) + in(r, x);"},
}
