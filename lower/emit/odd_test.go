package emit

import (
	"github.com/rfactor-go/rfactor/lower/emit/internal/tidy"

	"fmt"
	"go/format"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Programs that people do not polish are emitted as packages that compile, that vet likes, and
// that accept what the serial program accepts.
func addOddities(t *testing.T, m *module) {
	const slices = "Func i = f.update(0).split(r, ro, ri, 7).rfactor(ro, u);\ni.compute_root().update(0).parallel(u);"
	const nested = "Func i = f.update(0).split(r, ro, ri, 1).rfactor(ro, u);\ni.compute_root().update(0).parallel(u);\n" +
		"Func j = i.update(0).split(ri, rio, rii, 3).rfactor(rii, v);\nj.compute_root();"
	const lanes = "Func i = f.update(0).split(r, ro, ri, 3).rfactor(ro, u);\ni.compute_root().update(0).parallel(u);\n" +
		"Func j = i.update(0).split(ri, rio, rii, 3).rfactor(rii, v);\nj.compute_root().update(0).vectorize(v);"
	for n, p := range []struct{ init, update, schedule string }{
		{"5", "select(f() < in(r), in(r), f())", slices},              // only the serial program needs pick
		{"5", "select(in(r) == 3, f(), min(f(), f()))", slices},       // nothing changes
		{"0.0", "select(in(r) == 3, f(), min(f(), f()))", nested},     // nothing changes in loops of loops
		{"{0, true}", "{f()[0] + in(r), f()[1] && f()[1]}", slices},   // one component does not change
		{"{true, 0}", "{more(r) || more(r), f()[1] + in(r)}", slices}, // an operand twice
		{"{true, 0}", "{f()[0] || in(r) != 1 || in(r) != 2, f()[1] + select(in(r) == 1 && in(r) == 2, 3, in(r))}", slices},
		{"{0, 0}", "{f()[0] + (in(r) << 32), f()[1] ^ (in(r) >> 40)}", slices}, // no bit is left
		{"{0, false}", "{max(f()[0], in(r)), f()[1] != more(r)}", nested},      // of two inputs, neither longer
		{"10", "(f() & 240) | (in(r) & 15)", lanes},                            // lanes in their order, with no right identity
	} {
		text := "ImageParam in(Int(32), 1);\nImageParam more(UInt(1), 1);\nFunc f;\nVar u, v;\nRVar ro, ri, rio, rii;\nRDom r(0, in.width());\n" +
			fmt.Sprintf("f() = %s;\nf() = %s;\n%s\n", p.init, p.update, p.schedule)
		name := fmt.Sprintf("odd%d", n)
		planned, err := lowertest.PlanOf(name, text)
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(planned, "")
		if err != nil {
			t.Fatal(err)
		}
		m.add(t, name, files)
	}
	for _, p := range oddPrograms {
		files, _, err := p.emitted(t)
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		m.add(t, p.name, files)
	}
}

// oddProgram is a program whose package did not compile, or failed its own test, or was not emitted.
type oddProgram struct {
	name, text string
	auto       bool
}

func (p oddProgram) emitted(t *testing.T) (map[string][]byte, *generator, error) {
	planned, err := factored(t, p.name+".rf", p.text, plan.Options{Match: rfactor.Options{Allowed: ir.AllAssumptions &^ ir.AFN}, Auto: p.auto})()
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return source(planned, p.name)
}

// oddHead begins those with one input, and oddSlices ends them.
const (
	oddHead   = "ImageParam in(%s, 1); Func f; Var x, u; RVar ro, ri; RDom r(0, in.width()); "
	oddSlices = " f.update(0).split(r, ro, ri, 50).rfactor(ro, u).compute_root().update(0).parallel(u);"
)

var oddPrograms = []oddProgram{
	{"bools", "ImageParam y(Bool(), 1); Func f; Var x; RDom r(1, y.width() - 1); f(x) = 0; f(r) = select(y(r), f(r - 1) + 1, f(r - 1));", true},
	{"booltree", "ImageParam y(Bool(), 1); Func f; Var x; RDom r(1, y.width() - 1); f(x) = 0.0f; f(r) = f(r - 1) + select(y(r), 0.3f, 1.0f); f.update(0).scan(r, 64).vectorize(r, 8).parallel(r);", false},
	{"still", "ImageParam y0(UInt(64), 1), y1(Bool(), 1); Func f; Var x; RDom r(1, y0.width() - 1); f(x) = cast<uint64_t>(1); " +
		"f(r) = select(y1(r), f(r - 1) ^ (f(r - 1) >> 63), f(r - 1)); f.update(0).scan(r, 1).parallel(r);", false},
	{"shiftedliteral", fmt.Sprintf(oddHead, "UInt(8)") + "f() = cast<uint64_t>(0); f() += cast<uint64_t>(cast<uint8_t>(200) << (in(r) & 7)) + cast<uint64_t>(cast<int>(UInt(32).max() >> cast<uint32_t>(in(r))));", true},
	{"readonce", "ImageParam in(Float(32), 1), b(Float(32), 1); Func f; RDom r(0, in.width()); f() = 1.0f; f() = f()*in(r) - b(2);", true},
	{"everyother", "ImageParam a(Int(32), 1); Func f, p; RDom r(0, a.width()); r.where(r % 2 == 0); f(p++) = a(r); f.update(0).parallel(r);", false},
	{"unchanged", fmt.Sprintf(oddHead, "Int(32)") + "f(x) = 5; f(r % 3) = f(r % 3) + (in(r) - in(r));", true},
	{"square8", fmt.Sprintf(oddHead, "UInt(8)") + "f() = cast<uint8_t>(3); f() = f()*cast<uint8_t>(3) + in(r);", true}, // 3 to the power of 64 is 1
	{"twiceseen", fmt.Sprintf(oddHead, "UInt(8)") + "f() = cast<uint8_t>(2); f() = f() & in(r) until after f() == cast<uint8_t>(7);", true},
	{"converted", "ImageParam in(UInt(32), 2); Func f; RDom r(0, in.width(), 0, in.height()); f() = cast<double>(0.3f); " +
		"f() = select(f() > cast<double>(in(r.x, r.y)), f(), cast<double>(in(r.x, r.y)));", true},
	{"lowbits", fmt.Sprintf(oddHead, "UInt(64)") + "f(x) = 0; f(cast<int>(cast<uint8_t>(in(r)))) += 1;", false},
	{"tenths", fmt.Sprintf(oddHead, "Float(32)") + "f() = 0.0f; f() += 0.3f*in(r);" + oddSlices, false},
	{"thirds", fmt.Sprintf(oddHead, "Float(32)") + "f() = 0.0f; f() += in(r)/3.0f;" + oddSlices, false},
	{"roots", fmt.Sprintf(oddHead, "Float(64)") + "f() = {cast<double>(0), cast<double>(1)}; f() = {f()[0] + sqrt(abs(in(r))), max(f()[1], in(r))};" + oddSlices, false},
	{"sums", "ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = 1.0f; f(r) = f(r - 1)*1.0f + cast<float>(in(r)); f.update(0).scan(r, 64).vectorize(r, 8).parallel(r);", false},
	{"levels", fmt.Sprintf(oddHead, "Float(32)") + "f() = 0.0f; f() = max(f() + 0.3f*in(r), 0.0f);" + oddSlices, false},
	{"histogram3", fmt.Sprintf(oddHead, "UInt(8)") + "f(x) = 0.3f; f(in(r) % 7) += cast<float>(in(r))*0.7f;" + oddSlices, false},
}

// Steps of many operations have no function of their own, and what runs in place of them is the program.
func TestLargeSteps(t *testing.T) {
	crc := fmt.Sprintf(oddHead, "UInt(8)") + "f() = cast<uint32_t>(0xffffffff); Expr b0 = f() ^ cast<uint32_t>(in(r)); "
	for i := range 8 {
		crc += fmt.Sprintf("Expr b%d = (b%[2]d >> 1) ^ select((b%[2]d & 1) == 1, cast<uint32_t>(0xedb88320), cast<uint32_t>(0)); ", i+1, i)
	}
	for _, p := range []oddProgram{
		{"crc", crc + "f() = b8;" + oddSlices, false},
		{"shifts", fmt.Sprintf(oddHead, "Int(32)") + "f() = {1, 2}; f() = {(f()[0] ^ (f()[0] >> 1)) ^ in(r), (f()[1] ^ (f()[1] << 1)) ^ in(r)};" + oddSlices, false},
	} {
		files, g, err := p.emitted(t)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if len(text) > 8<<10 {
				t.Errorf("%s: %s has %d bytes", p.name, name, len(text))
			}
		}
		if len(g.estimates) != 1 || g.estimates[0].Slower() == "" {
			t.Errorf("%s: estimated as %+v", p.name, g.estimates)
		}
	}
}

// Variables that nothing uses are left out, and offsets stay; what does not compile is an error.
func TestTidy(t *testing.T) {
	for _, c := range []struct{ from, want string }{
		{"a := n|return n", "return n"},
		{"a, b := n, 2|return b", "_, b := n, 2|return b"},
		{"a, b := n, 2|a, b = 3, n|return n", "return n"},
		{"var a int|a = n|return n", "return n"},
		{"var v, w [8]int|w[0] = n|return w[0]", "var _, w [8]int|w[0] = n|return w[0]"},
		{"a := n|b := a|c := b|return n", "return n"},
		{"s := 0|for i, y := range []int{n} {|s += i|}|return s", "s := 0|for i := range []int{n} {|s += i|}|return s"},
		{"for i, y := range []int{n} {|return 1|}|return n", "for range []int{n} {|return 1|}|return n"},
		{"if a := n; n > 1 {|return 1|}|return n", "if n > 1 {|return 1|}|return n"},
		{"return bits.Len(uint(n)) + rand.IntN(2)", "return bits.Len(uint(n)) + rand.IntN(2)"},
		{"return missing(n)", "emit: internal: p.go:4:8: undefined: missing"},
		{"x := y|y := n|return x + y", "emit: internal: p.go:4:6: undefined: y"},
	} {
		head := "package p\nimport (\"math/bits\"; \"math/rand/v2\"); var _, _ = bits.Len, rand.IntN\n"
		whole := func(body string) string {
			return head + "func f(n int) int {\n" + strings.ReplaceAll(body, "|", "\n") + "\n}\n"
		}
		files := map[string]string{"p.go": whole(c.from)}
		before := len(files["p.go"])
		err := tidy.Files(files)
		if err != nil {
			if err.Error() != c.want {
				t.Errorf("%s: %v, not %s", c.from, err, c.want)
			}
			continue
		}
		got, err := format.Source([]byte(files["p.go"]))
		want, also := format.Source([]byte(whole(c.want)))
		if err != nil || also != nil || strings.Join(strings.Fields(string(got)), " ") != strings.Join(strings.Fields(string(want)), " ") || len(files["p.go"]) != before {
			t.Errorf("%s: %v, %v\n%s", c.from, err, also, got)
		}
	}
}
