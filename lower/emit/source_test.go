package emit

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

var golden = flag.Bool("golden", false, "rewrite the golden packages")

// Emitted packages are the committed ones, byte for byte.
func TestGoldenPackages(t *testing.T) {
	for _, name := range []string{"sum", "histogram", "circle", "argmin2d", "bench/count-if-i32", "dot"} {
		p, err := lowertest.PlanOfFile("../../testdata/programs/" + name + ".rf")
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatal(name, err)
		}
		dir := filepath.Join("testdata", "source", filepath.Base(name))
		if *golden {
			writePackage(t, dir, files)
		}
		for file, text := range files {
			want, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Error(err)
			} else if !bytes.Equal(text, want) {
				t.Errorf("%s/%s is not what is emitted; go test -golden rewrites it:\n%s", dir, file, text)
			}
		}
	}
}

func writePackage(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Every program is emitted, with vector kernels for its lanes; every third passes the test that is emitted with it, which
// compares it with its serial loop. Two are tested as they are written.
func addPrograms(t *testing.T, m *module) {
	files, _ := filepath.Glob("../../testdata/programs/*.rf")
	more, _ := filepath.Glob("../../testdata/programs/bench/*.rf")
	count := 0
	for _, file := range append(files, more...) {
		name := strings.TrimSuffix(filepath.Base(file), ".rf")
		if !lowertest.Runs(name) {
			continue
		}
		p, err := lowertest.PlanOfFile(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		out, err := Source(p, "")
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, s := range Unvectorized(p) {
			t.Errorf("%s: the %s of %s has no vector kernel: %s", file, s.Stage.Role, s.Stage.Buffer.Name, s.Why)
		}
		if count++; sampled(count, 3) {
			m.add(t, fmt.Sprintf("programs/p%d/%s", count, name), out)
		}
		if name == "sum" || name == "argmin2d" {
			m.write(t, "asis/"+name, out)
		}
	}
	if count < 20 {
		t.Errorf("%d programs were emitted", count)
	}
}

// Arguments that do not fit give an error that names the input.
func addRefusals(t *testing.T, m *module) {
	for _, name := range []string{"dot", "histogram", "circle", "complex-product", "argmin4d"} {
		p, err := lowertest.PlanOfFile("../../testdata/programs/" + name + ".rf")
		if err != nil {
			t.Fatal(err)
		}
		pkg := strings.ReplaceAll(name, "-", "")
		files, err := Source(p, pkg)
		if err != nil {
			t.Fatal(err)
		}
		m.withoutTests(t, pkg, files)
	}
	for pkg, text := range map[string]string{
		"fused":   "Param<int> n; Func f; f() = 0; RDom r(0, n, 0, n); f() += r.x; RVar a; f.update(0).fuse(r.x, r.y, a);",
		"shifted": "Param<int> n; Func f; f() = 0; RDom r(n, n); f() += r;",
	} {
		p, err := lowertest.PlanOf(pkg+".rf", text)
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatal(err)
		}
		m.add(t, pkg, files)
	}
	m.write(t, "", map[string][]byte{"refusals_test.go": []byte(`package emitted

import (
	"strings"
	"testing"

	"emitted/argmin4d"
	"emitted/circle"
	"emitted/complexproduct"
	"emitted/dot"
	"emitted/fused"
	"emitted/histogram"
	"emitted/shifted"
)

func TestRefusals(t *testing.T) {
	pix := make([]uint8, 100)
	f := make([]float32, 100)
	_, short := dot.Dot(f, f[:99])
	_, stride := histogram.Hist(histogram.Image[uint8]{Pix: pix, Stride: 9, Width: 10, Height: 10})
	_, few := histogram.Hist(histogram.Image[uint8]{Pix: pix, Stride: 11, Width: 10, Height: 10})
	_, negative := histogram.Hist(histogram.Image[uint8]{Pix: pix, Stride: 11, Width: -1, Height: 10})
	_, small := circle.Sum(circle.Image[int32]{Pix: make([]int32, 400), Stride: 20, Width: 20, Height: 20})
	_, _, parts := complexproduct.F(f, f[:50], 50)
	_, _, long := complexproduct.F(f, f, 101)
	_, _, _, _, _, view := argmin4d.F(argmin4d.Array4[uint8]{Pix: pix, Extent: [4]int{3, 3, 3, 4}, Stride: [4]int{1, 3, 9, 27}}, 3)
	_, fuse := fused.F(1 << 16)
	_, shift := shifted.F(1 << 30)
	for _, c := range []struct {
		err  error
		says string
	}{
		{fuse, "the fused loop a has more than 2147483647 iterations"}, {shift, "coordinates of r would be greater"},
		{short, "b: its element 99"}, {stride, "in: "}, {few, "in: "}, {negative, "in: "}, {small, "in: its element 20"},
		{parts, "in[1]: its shape"}, {long, "in: its element 100"}, {view, "in: dimension 3"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%v does not say %q", c.err, c.says)
		}
	}
}
`)})
}

// updates of one value, over in(r) of the type T.
var testUpdates = []struct {
	init, update string
	ints, floats bool
}{
	{"cast<T>(0)", "f() + in(r)", true, true},
	{"cast<T>(3)", "f() - in(r)", true, true},
	{"cast<T>(1)", "f() * in(r)", true, false},
	{"cast<T>(5)", "min(f(), in(r))", true, true},
	{"cast<T>(1)", "max(f(), in(r))", true, true},
	{"cast<T>(0)", "max(f(), abs(in(r)))", true, true},
	{"cast<T>(0)", "f() + abs(in(r))", true, true},
	{"cast<T>(0)", "f() + in(r)*in(r)", true, true},
	{"cast<T>(6)", "f() & in(r)", true, false},
	{"cast<T>(1)", "f() | in(r)", true, false},
	{"cast<T>(1)", "f() ^ in(r)", true, false},
	{"cast<T>(0)", "select(in(r) > 2, f() + 1, f())", true, true},
	{"cast<T>(0)", "f() + select(in(r) % 3 == 1, in(r), 2)", true, false},
	{"cast<T>(0)", "f() + in(r) / 3", true, false},
	{"cast<T>(0)", "gcd(f(), in(r)*6)", true, false},
	{"cast<T>(0)", "f() + popcount(in(r)) + clz(in(r))*ctz(in(r))", true, false},
	{"cast<T>(0)", "f() ^ bitreverse(in(r)) ^ gcd(in(r), 12) ^ lcm(in(r), 10)", true, false},
	{"cast<T>(0)", "f() + quo(in(r), 3) - rem(in(r), in(r) ^ 5) + quo(in(r) - 5, in(r))", true, false},
	{"cast<T>(0)", "f() ^ rotl(in(r), 3) ^ rotl(in(r), in(r)) ^ mulhi(in(r)*77, in(r) - 31)", true, false},
	{"cast<T>(0)", "max(f(), let i = in(r) in table(i, 5, 3, 9, 9, 12, 40, 2) + i)", true, false},
	{"cast<T>(-9)", "max(f(), floor(in(r)*0.3f) + round(in(r)*0.5f))", false, true},
	{"cast<T>(-9)", "max(f(), sin(in(r)) + cos(in(r))*tanh(in(r)) + log1p(abs(in(r))) + exp2(in(r)))", false, true},
	{"{cast<T>(3), 0}", "{min(f()[0], in(r)), select(f()[0] < in(r), f()[1], r)}", true, false},
	{"{cast<T>(3), 0}", "{min(f()[0], in(r)), select(in(r) < f()[0], r, f()[1])}", true, false},
	{"{cast<T>(1), 0}", "{max(f()[0], in(r)), select(f()[0] > in(r), f()[1], r)}", true, false},
	{"{cast<T>(1), 0}", "{max(f()[0], in(r)), select(in(r) > f()[0], r, f()[1])}", true, false},
	{"{cast<T>(1), cast<T>(0)}", "{f()[0] * in(r), f()[1] * in(r) + in(r)}", true, false},
}

var testSchedules = []string{
	"",
	"Func i = f.update(0).split(r, ro, ri, 7).rfactor(ro, u);\ni.compute_root().update(0).parallel(u);",
	"Func i = f.update(0).split(r, ro, ri, 300).rfactor(ro, u);\ni.compute_root().update(0).parallel(u);",
	"Func i = f.update(0).split(r, ro, ri, 16).rfactor(ri, u);\ni.compute_root().update(0).vectorize(u);",
	"Func i = f.update(0).split(r, ro, ri, 130).rfactor(ro, u);\ni.compute_root().update(0).parallel(u).split(ri, rio, rii, 8);\n" +
		"Func l = i.update(0).rfactor(rii, v);\nl.compute_at(i, u).vectorize(v).update(0).vectorize(v);",
}

// Emitted code gives what the evaluator gives for the program without its schedule. The sample
// is one type of four that are drawn for each update.
func addEvaluator(t *testing.T, m *module) {
	rng := lowertest.Rand(7)
	var imports, cases strings.Builder
	count := 0
	for _, u := range testUpdates {
		for i := range 4 {
			typ := []ir.Type{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64, ir.F32, ir.F64}[rng.IntN(10)]
			if typ.IsFloat() && !u.floats || !typ.IsFloat() && !u.ints {
				continue
			}
			text := fmt.Sprintf("Buffer<T> in(1);\nFunc f;\nf() = %s;\nRDom r(0, in.width());\nf() = %s;\nRVar ro, ri, rio, rii;\nVar u, v;\n%s\n", u.init, u.update, testSchedules[rng.IntN(len(testSchedules))])
			text = strings.ReplaceAll(strings.ReplaceAll(text, "Buffer<T> in(1)", "ImageParam in(T, 1)"), "T", typ.String())
			if !sampled(i, 4) {
				continue
			}
			p, err := lowertest.PlanOf("test.rf", text)
			if err != nil {
				t.Logf("%s%v", text, err)
				continue
			}
			pkg := fmt.Sprintf("p%d", count)
			files, err := Source(p, pkg)
			if err != nil {
				t.Errorf("%s%v", text, err)
				continue
			}
			m.withoutTests(t, "evaluator/"+pkg, files) // one test has all of them
			fmt.Fprintf(&imports, "\t\"emitted/evaluator/%s\"\n", pkg)
			for _, n := range []int{0, 1, 3, 64, 65, 1000} {
				cases.WriteString(evaluatorCase(t, p, pkg, n, rng))
			}
			count++
		}
	}
	if count < 8 || lowertest.Full() && count < 30 {
		t.Errorf("only %d programs were accepted", count)
	}
	test := "package emitted\n\nimport (\n\t\"testing\"\n" + imports.String() + ")\n\nfunc TestEvaluator(t *testing.T) {\n" + cases.String() + "}\n"
	m.write(t, "", map[string][]byte{"evaluator_test.go": []byte(test)})
}

// evaluatorCase is code that compares one call with what the evaluator gives.
func evaluatorCase(t *testing.T, p *plan.Plan, pkg string, n int, rng *rand.Rand) string {
	typ := p.Program.Inputs[0].Types[0]
	a := ndarray.New([]ir.Type{typ}, ndarray.Range{Extent: n})
	data := a.Elements(0)
	for i := range data.Len() {
		switch small := rng.IntN(9) - 4; {
		case typ.IsFloat():
			data.Set(i, ir.FloatBits(typ, float64(small)))
		case rng.IntN(8) == 0:
			data.Set(i, typ.Wrap(rng.Uint64()))
		default:
			data.Set(i, typ.Wrap(uint64(small)))
		}
	}
	out, err := plan.RunSerial(p.Program, plan.Options{}, &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a}})
	if err != nil {
		t.Fatal(err)
	}
	var got, differ []string
	want := out["f"]
	for i, ct := range want.Types() {
		g := fmt.Sprintf("got%d", i)
		got = append(got, g)
		differ = append(differ, fmt.Sprintf("%s != %s", g, plainLiteral(ct, want.Elements(i).At(0))))
	}
	list := make([]string, n)
	for i := range list {
		list[i] = plainLiteral(typ, data.At(i))
	}
	return fmt.Sprintf("if %s, err := %s.F([]%s{%s}); err != nil || %s {\nt.Error(%q, %d, %s, err)\n}\n",
		strings.Join(got, ", "), pkg, kernel.GoType[typ], strings.Join(list, ", "), strings.Join(differ, " || "), pkg, n, strings.Join(got, ", "))
}

// plainLiteral needs no import.
func plainLiteral(t ir.Type, v uint64) string {
	switch {
	case t.IsFloat():
		return fmt.Sprintf("%g", ir.Float(t, v))
	case t.IsSigned():
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprint(v)
}

// A condition on data or on coordinates is a mask, by which lanes leave elements out.
func TestConditionsOnVectors(t *testing.T) {
	for name, want := range map[string]bool{"filtered": true, "circle": true, "complex-argmax": true} {
		p, err := lowertest.PlanOfFile("../../testdata/programs/" + name + ".rf")
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := len(files["kernel_simd.go"]) > 0; got != want {
			t.Errorf("%s: on vectors is %v, not %v", name, got, want)
		}
	}
}

// How far loops run is computed before inputs are checked, so that it may not read them.
func TestExtentOfData(t *testing.T) {
	p, err := lowertest.PlanOf("data.rf", "ImageParam in(i32, 1), n(i32, 1); Func f; f() = 0; RDom r(0, n(0)); f() = f() + in(r);")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Source(p, ""); err == nil || !strings.Contains(err.Error(), "how far r runs depends on data") {
		t.Errorf("error %v", err)
	}
}

// A component of the second operand that is 0 leaves no trace in emitted code.
func TestEmittedTidy(t *testing.T) {
	p, err := lowertest.PlanOf("second.rf", "ImageParam in(UInt(16), 1); Func f; f() = {cast<uint16_t>(0), cast<uint16_t>(0)}; RDom r(0, in.width());\n"+
		"f() = {max(f()[0], in(r)), max(f()[1], min(f()[0], in(r)))};\nRVar ro, ri; Var u; f.update(0).split(r, ro, ri, 100).rfactor(ro, u);")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Source(p, "")
	if err != nil {
		t.Fatal(err)
	}
	if text := string(files["kernel.go"]); !strings.Contains(text, "= max(x0, y), max(x1, min(x0, y))") {
		t.Error(text)
	}
}
