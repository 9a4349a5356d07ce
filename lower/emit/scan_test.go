package emit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scans"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// scanned are programs that keep every step, each with what its functions are.
var scanned = []struct {
	name, inputs, init, update, lanes string
	kernels                           int // functions on vectors
}{
	{"sum32", "in(Int(32), 1)", "in(0)", "f(r - 1) + in(r)", "", 1},
	{"sum8", "in(Int(8), 1)", "in(0)", "f(r - 1) + in(r)", "", 1},
	{"sum64", "in(UInt(16), 1)", "cast<int64_t>(1)", "f(r - 1) + cast<int64_t>(in(r))", "", 0},
	{"wide", "in(UInt(8), 1)", "cast<uint32_t>(7)", "f(r - 1) + cast<uint32_t>(in(r))", "", 1},
	{"product", "in(UInt(32), 1)", "in(0)", "f(r - 1)*in(r)", "", 1},
	{"least", "in(Int(16), 1)", "in(0)", "min(f(r - 1), in(r))", "", 1},
	{"greatest", "in(Float(32), 1)", "in(0)", "max(f(r - 1), in(r)*2.0f)", "", 1},
	{"least64", "in(Float(64), 1)", "in(0)", "min(f(r - 1), in(r))", "", 1},
	{"quotes", "in(UInt(8), 1)", "cast<uint8_t>(0)", "f(r - 1) ^ cast<uint8_t>(select(in(r) == 3, 1, 0))", "", 1},
	{"segments", "in(Int(32), 1), flag(UInt(8), 1)", "in(0)", "select(flag(r) == 0, f(r - 1), 0) + in(r)", "", 1},
	{"segments64", "in(Int(64), 1)", "in(0)", "select(in(r) > cast<int64_t>(2), cast<int64_t>(0), f(r - 1)) + in(r)", "", 1},
	{"flags", "in(Int(32), 1), flag(Bool(), 1)", "in(0)", "select(flag(r), f(r - 1) + in(r), 0)", "", 1},
	{"flags16", "in(Bool(), 1)", "cast<uint16_t>(3)", "f(r - 1) + select(in(r), cast<uint16_t>(1), cast<uint16_t>(2))", "", 1},
	{"flags8", "in(Bool(), 1), a(UInt(8), 1)", "cast<uint8_t>(3)", "f(r - 1) ^ select(in(r), a(r), cast<uint8_t>(2))", "", 1},
	{"hash", "in(UInt(8), 1)", "cast<uint32_t>(7)", "f(r - 1)*cast<uint32_t>(31) + cast<uint32_t>(in(r))", "", 1},
	{"affine16", "in(Int(16), 1), a(Int(16), 1)", "in(0)", "f(r - 1)*a(r) + in(r)", "", 1},
	{"place", "in(Int(32), 1)", "in(0)", "f(r - 1) + in(r)*r", "", 0},
	{"scalar", "in(Int(32), 1); Param<int32_t> k", "in(0)", "f(r - 1) + min(in(r), k)", "", 1},
	{"both", "in(Int(32), 1)", "{in(0), in(0)}", "{f(r - 1)[0] + in(r), max(f(r - 1)[1], in(r))}", "", 2},
	{"highs", "in(Int(32), 1)", "{in(0), 0}", "{max(f(r - 1)[0], in(r)), f(r - 1)[1] + select(in(r) > f(r - 1)[0], 1, 0)}", "", 2},
	{"sumf", "in(Float(32), 1)", "in(0)", "f(r - 1) + in(r)", ".vectorize(r, 8)", 1},
	{"sumd", "in(Float(64), 1)", "in(0)", "f(r - 1) + in(r)", ".vectorize(r, 8)", 1},
	{"products", "in(Float(64), 1)", "in(0)", "f(r - 1)*in(r)", ".vectorize(r, 8)", 1},
	{"average", "in(Float(32), 1)", "0.0f", "f(r - 1)*0.9f + in(r)*0.1f", ".vectorize(r, 8)", 1},
	{"averaged", "in(Float(32), 1); Param<float> k", "0.0f", "f(r - 1)*k + in(r)", ".vectorize(r, 8)", 1},
	{"average64", "in(Float(64), 1)", "in(0)", "f(r - 1)*cast<double>(0.9f) + in(r)", ".vectorize(r, 8)", 1},
	{"affine", "in(Float(64), 1), a(Float(64), 1)", "in(0)", "f(r - 1)*a(r) + in(r)", ".vectorize(r, 8)", 1},
	{"filter", "in(Float(32), 1)", "in(0)", "in(r) + 0.5f*f(r - 1) - 0.25f*f(r - 2)", ".vectorize(r, 8)", 1},
	{"resonance", "in(Float(32), 1)", "in(0)", "in(r) + 3.0f*f(r - 1) - 2.0f*f(r - 2)", ".vectorize(r, 8)", 1},
	{"level", "in(Float(32), 1)", "0.0f", "max(f(r - 1) + in(r), 0.0f)", ".vectorize(r, 8)", 1},
	{"level64", "in(Float(64), 1); Param<double> k", "cast<double>(0)", "max(f(r - 1) + in(r), k)", ".vectorize(r, 8)", 1},
	{"clamped", "in(Int(32), 1)", "in(0)", "min(max(f(r - 1), in(r)), 100)", "", 1},
	{"pole", "in(Float(32), 1)", "1.0f", "f(r - 1)*-3.0f + in(r)", ".vectorize(r, 8)", 1},
}

// tiled are those of them whose tiles run at once: the totals of tiles are the states of the serial loop.
var tiled = strings.Fields("sum32 sum8 wide product least greatest quotes scalar")

// trees are those whose tiles of floats run at once.
var trees = strings.Fields("sumf sumd products average averaged average64 affine pole")

func scannedPlan(t *testing.T, inputs, init, update, schedule string) *plan.Plan {
	t.Helper()
	first := 1
	if strings.Contains(update, "r - 2") {
		first = 2
	}
	text := fmt.Sprintf("ImageParam %[1]s; Func f; Var x; RDom r(%[5]d, in.width() - %[5]d);\nf(x) = %[2]s;\nf(r) = %[3]s;\nf.update(0).%[4]s;\n", inputs, init, update, schedule, first)
	return textPlan(t, text)
}

func textPlan(t *testing.T, text string) *plan.Plan { return allowedPlan(t, text, ir.AllAssumptions) }

func allowedPlan(t *testing.T, text string, allowed ir.Assume) *plan.Plan {
	t.Helper()
	prog, err := program.ParseProgram(ir.NewPool(), "scan.rf", text, ir.I32)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	p, err := plan.Factor(t.Context(), prog, plan.Options{Match: rfactor.Options{Allowed: allowed}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// Programs that keep every step have functions on vectors, and pass the tests that are emitted with them; floats give the bytes that the
// interpreter gives, on vectors and without. So do the lines of the corpus of scans.
func addScans(t *testing.T, m *module) {
	for i, s := range scanned {
		p := scannedPlan(t, s.inputs, s.init, s.update, "scan(r, 72)"+s.lanes+".parallel(r)")
		files, g, err := source(p, "p"+s.name)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		kernels, tiles, tree := 0, false, false
		for _, r := range g.scanned {
			if r.InLanes() {
				kernels++
			}
			tiles, tree = tiles || r.Total != nil, tree || r.Tree != nil
		}
		if slices.Contains(tiled, s.name) != tiles {
			t.Errorf("%s: tiles run at once: %v", s.name, tiles)
		}
		if left := Unscanned(p); kernels != s.kernels || len(left) > 0 {
			t.Errorf("%s: %d functions on vectors, wanted %d; %v", s.name, kernels, s.kernels, left)
		}
		atOnce := tree && strings.Contains(string(files["p"+s.name+".go"]), "scanTiles(")
		if slices.Contains(trees, s.name) != atOnce {
			t.Errorf("%s: tiles of floats run at once: %v", s.name, atOnce)
		}
		if s.lanes != "" {
			files["bytes_test.go"] = bytesTest(t, p, "p"+s.name, atOnce)
		}
		if sampled(i, 12) || s.name == "average" {
			m.add(t, "scans/"+s.name, files)
		}
	}
	for i, l := range scanCorpus(t) {
		if !lowertest.Full() {
			continue
		}
		schedule := []string{"scan(r, 7)", "scan(r, 40).vectorize(r, 8).parallel(r)"}[i%2]
		files, err := Source(textPlan(t, l.Recurrence()+"f.update(0)."+schedule+";"), fmt.Sprintf("line%d", i))
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		m.add(t, fmt.Sprintf("scans/line%d", i), files)
	}
}

// Staged answers of reductions are passes over blocks where lanes have all of them, and the tests that are emitted with them pass.
func addStaged(t *testing.T, m *module) {
	for i, s := range []struct {
		inputs, init, update string
		why                  string // it stays as it is; "" for passes
	}{
		{"in(Int(32), 1)", "{0, 0}", "{max(f()[0], in(r)), f()[1] + select(in(r) > f()[0], 1, 0)}", ""},
		{"in(Int(32), 1)", "{0, 0}", "{f()[0] + in(r), f()[1] + select(f()[0] + in(r) > 9, 1, 0)}", ""},
		{"in(Int(16), 1)", "{cast<int16_t>(3), cast<int16_t>(0)}", "{f()[0] + in(r), f()[1] ^ f()[0]}", ""},
		{"in(UInt(8), 1)", "{cast<uint8_t>(0), 0}", "{f()[0] ^ cast<uint8_t>(select(in(r) == 3, 1, 0)), f()[1] + select(f()[0] == 0 && in(r) == 2, 1, 0)}", ""},
		{"in(Bool(), 1)", "{0, 0}", "{select(in(r), f()[0] + 1, 0), max(f()[1], select(in(r), f()[0] + 1, 0))}", ""},
		{"in(Float(64), 1)", "{0.0, 0}", "{max(f()[0], in(r)), f()[1] + select(in(r) > f()[0], 1, 0)}", "it keeps nothing but its last state, and a pass would take longer than its share of the loop"},
	} {
		init := strings.ReplaceAll(s.init, "0.0", "cast<double>(0)")
		p := allowedPlan(t, fmt.Sprintf("ImageParam %s; Func f; RDom r(0, in.width());\nf() = %s;\nf() = %s;\nf.update(0).scan(r, 4096);\n", s.inputs, init, s.update), ir.DefaultAssumptions)
		files, err := Source(p, fmt.Sprintf("staged%d", i))
		if err != nil {
			t.Fatalf("%s: %v", s.update, err)
		}
		switch left := Unscanned(p); {
		case s.why == "" && len(left) > 0, s.why != "" && (len(left) != 1 || left[0].Why != s.why):
			t.Errorf("%s: %v, wanted %q", s.update, left, s.why)
		}
		if sampled(i+1, 4) {
			m.add(t, fmt.Sprintf("scans/staged%d", i), files)
		}
	}
	for i, l := range scanCorpus(t) {
		if !strings.HasPrefix(l.Today, "staged") || !lowertest.Full() {
			continue
		}
		files, err := Source(textPlan(t, l.Reduction()+"f.update(0).scan(r, 7).parallel(r);"), fmt.Sprintf("last%d", i))
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		m.add(t, fmt.Sprintf("scans/last%d", i), files)
	}
}

// recurrent are programs that keep their last results in variables: the loop is the serial one.
var recurrent = []string{
	"ImageParam in(Float(32), 1); Func f; Var x; RDom r(2, in.width() - 2); f(x) = in(x); f(r) = in(r) + 0.5f*f(r - 1) - 0.25f*f(r - 2);",
	"ImageParam in(Int(32), 1); Func f; Var x; RDom r(4, in.width() - 4); f(x) = in(x); f(r) = f(r - 4)*3 + f(r - 2) + f(r)*in(r);",
	"ImageParam in(Int(32), 1); Func f; Var x; RDom r(0, in.width() - 1); f(x) = 2; f(in.width() - 2 - r) = max(f(in.width() - 1 - r), in(in.width() - 2 - r));",
	"ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = {in(x), x}; f(r) = {f(r - 1)[1] + in(r), f(r - 1)[0]*f(r)[1]};",
	"ImageParam in(UInt(8), 2); Func f; Var x, y; RDom r(1, in.width() - 1); f(x, y) = in(x, y); f(r, y) += f(r - 1, y)*f(r - 1, y);",
	"ImageParam in(Int(32), 2); Func f; Var x, y; RDom r(1, in.width() - 1, 0, in.height()); f(x, y) = in(x, y); f(r.x, r.y) = f(r.x - 1, r.y)*3 ^ in(r.x, r.y);",
	"ImageParam in(Int(32), 1); Func f; Var x; RDom r(0, in.width()); f(x) = 1; f(r + 1) = f(r)*f(r) + in(r);",
}

func addRecurrent(t *testing.T, m *module) {
	for i, text := range recurrent {
		files, g, err := source(textPlan(t, text), fmt.Sprintf("recent%d", i))
		if err != nil {
			t.Fatal(err, text)
		}
		if len(g.scans) > 0 || !strings.Contains(string(files[fmt.Sprintf("recent%d.go", i)]), "var v0 ") {
			t.Errorf("results do not lie in variables: %s", text)
		}
		if sampled(i+1, 5) {
			m.add(t, fmt.Sprintf("scans/recent%d", i), files)
		}
	}
}

// scanCorpus is the lines of the corpus that have an answer.
func scanCorpus(t *testing.T) (out []scans.Line) {
	f, err := os.Open("../../testdata/corpus/scans.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := scans.Read(f)
	if err != nil || len(lines) < 29 {
		t.Fatal(len(lines), err)
	}
	for _, l := range lines {
		if !strings.HasPrefix(l.Today, "refused") {
			out = append(out, l)
		}
	}
	return out
}

// bytesTest is a test that wants the bytes of the interpreter for inputs of several lengths: small numbers, great ones, and ones of which some are
// infinite or none; on four processors as well, where tiles run at once.
func bytesTest(t *testing.T, p *plan.Plan, pkg string, atOnce bool) []byte {
	rng := rand.New(rand.NewPCG(33, 9))
	typ := p.Buffers[0].Types[0]
	bits, name := typ.Bits(), fmt.Sprintf("float%d", typ.Bits())
	var b strings.Builder
	imports, before, behind := "", "", ""
	if atOnce {
		imports = "\t\"runtime\"\n"
		before = "\tdefer func(procs, grain int) { runtime.GOMAXPROCS(procs); grainBytes = grain }(runtime.GOMAXPROCS(4), grainBytes)\n\tfor _, grainBytes = range []int{1, 1 << 20} {\n"
		behind = "\t}\n"
	}
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"math\"\n"+imports+"\t\"testing\"\n)\n\nfunc TestBytes(t *testing.T) {\n"+before+"\tof := func(bits ...uint%d) (out []%s) {\n\t\tfor _, b := range bits {\n\t\t\tout = append(out, math.Float%dfrombits(b))\n\t\t}\n\t\treturn out\n\t}\n", pkg, bits, name, bits)
	list := func(a ndarray.Elements) string {
		var l []string
		for i := range a.Len() {
			l = append(l, fmt.Sprintf("%#x", a.At(i)))
		}
		return "of(" + strings.Join(l, ", ") + ")"
	}
	for _, n := range []int{1, 2, 8, 9, 24, 73, 74, 110, 300} {
		for kind := range 4 {
			in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
			var args []string
			for _, d := range p.Program.Inputs {
				a := ndarray.New(d.Types, ndarray.Range{Extent: n})
				for i := range n {
					v := rng.NormFloat64()
					switch {
					case kind == 1:
						v = math.Ldexp(v, typ.Bits()*2-40)
					case kind == 2:
						v = math.Copysign(0, -1)
					case kind == 3 && rng.IntN(40) == 0:
						v = []float64{math.Inf(1), math.NaN(), math.Inf(-1)}[rng.IntN(3)]
					}
					a.Elements(0).Set(i, ir.FloatBits(typ, v))
				}
				in.Arrays[d.Name] = a
				args = append(args, list(a.Elements(0)))
			}
			for _, k := range p.Program.Params {
				in.Params[k.Name] = ir.FloatBits(typ, 0.75)
				args = append(args, "0.75")
			}
			out, err := p.Run(in, 1)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "\tcheckBytes(t, %d, %d, %s)(F(%s))\n", n, kind, list(out["f"].Elements(0)), strings.Join(args, ", "))
		}
	}
	b.WriteString(behind)
	fmt.Fprintf(&b, `}

func checkBytes(t *testing.T, n, kind int, want []%[1]s) func(got []%[1]s, err error) {
	return func(got []%[1]s, err error) {
		if err != nil || len(got) != len(want) {
			t.Fatal(n, kind, err, len(got))
		}
		for i, v := range got {
			if w := want[i]; math.Float%[2]dbits(v) != math.Float%[2]dbits(w) && (v == v || w == w) {
				t.Errorf("%%d elements of kind %%d: element %%d is %%v, wanted %%v", n, kind, i, v, w)
				break
			}
		}
	}
}
`, name, bits)
	return []byte(b.String())
}

// Where a scan is emitted as the serial loop, the reason is named.
func TestUnscanned(t *testing.T) {
	for _, c := range []struct{ inputs, init, update, schedule, why string }{
		{"in(Int(32), 1)", "0", "f(r - 1) + in(in.width() - r)", "scan(r, 8)", "its steps do not lie one behind another in memory"},
		{"in(Int(32), 1)", "0", "f(r - 1) + r", "scan(r, 8)", "it reads no array"},
		{"in(Int(32), 1)", "in(x)", "f(r - 1) + f(r)*in(r)", "scan(r, 8)", "a step reads what the buffer has before it"},
		{"in(Int(32), 1)", "{0, 0}", "{f(r - 1)[0] + in(r), f(r - 1)[0]}", "scan(r, 8)", "it keeps what is no component of the state"},
		{"in(Float(32), 1)", "0.0f", "f(r - 1) + in(r)", "scan(r, 8)", "sums of floats are regrouped, and emitted trees combine 8 elements: vectorize(r, 8)"},
		{"in(Float(32), 1)", "0.0f", "f(r - 1) + in(r)", "scan(r, 8).vectorize(r, 4)", "sums of floats are regrouped, and emitted trees combine 8 elements: vectorize(r, 8)"},
		{"in(UInt(8), 1)", "cast<bool>(0)", "f(r - 1) || in(r) > 3", "scan(r, 8)", "a state is a truth value"},
	} {
		p := scannedPlan(t, c.inputs, c.init, c.update, c.schedule)
		if got := Unscanned(p); len(got) != 1 || got[0].Why != c.why {
			t.Errorf("%s: %v, wanted %q", c.update, got, c.why)
		}
	}
}
