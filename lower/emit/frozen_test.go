package emit

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

var emitted = flag.String("emitted", "", "a directory for the files that TestFrozen emits, to compare those of two commits")

const frozenFile = "testdata/frozen.txt"

// Emitted code does not change unnoticed: the hashes of all files are those of testdata/frozen.txt, a line for
// each program. A change of emitted code rewrites them with -golden, and says why. Their kernels in lanes compute what their plain loops do: an ordinary
// test computes those that are emitted differently, since the others were computed when their hashes were accepted.
func TestFrozen(t *testing.T) {
	if testing.Short() {
		t.Skip("factors hundreds of programs")
	}
	text, err := os.ReadFile(frozenFile)
	if err != nil {
		t.Fatal(err)
	}
	got, was, kernels, rng := map[string]string{}, frozenHashes(string(text)), 0, lowertest.Rand(33)
	each := func(name string, planned func() (*plan.Plan, error)) {
		if !frozen(name) {
			return
		}
		p, err := planned()
		if err != nil {
			return // a schedule that is refused, or an operation that a type has not
		}
		files, g, err := source(p, "p")
		if err != nil {
			got[name] = "error: " + err.Error()
			return
		}
		if *emitted != "" {
			writePackage(t, filepath.Join(*emitted, strings.ReplaceAll(name, "/", "-")), files)
		}
		checkNames(t, name, files)
		var hashes []string
		for _, file := range slices.Sorted(maps.Keys(files)) {
			hashes = append(hashes, fmt.Sprintf("%s=%.6x", file, sha256.Sum256(files[file])))
		}
		if got[name] = strings.Join(hashes, " "); got[name] != was[name] || frozen("all") || suite.More(false, true) {
			kernels += g.evaluated(t, name, judge{rng, few, sameResult})
		}
	}
	frozenPrograms(t, each)
	frozenTables(t, each)
	frozenDraws(t, each)
	if frozen("all") && kernels < 200 {
		t.Errorf("only %d kernels in lanes were computed", kernels)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(got)) {
		fmt.Fprintf(&b, "%s: %s\n", name, got[name])
	}
	if *golden {
		if err := os.WriteFile(frozenFile, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	compareFrozen(t, got, was)
}

// planned calls f with a program's name and with what factors it.
type planned func(name string, factor func() (*plan.Plan, error))

// frozen reports whether a program is in the sample: all where suites run whole or hashes or files are written, else one of 18, in CI of three, and
// those of testdata under their own schedules.
func frozen(name string) bool {
	h := fnv.New32()
	h.Write([]byte(name))
	return lowertest.Full() || *golden || *emitted != "" || strings.HasPrefix(name, "program/") || name != "all" && h.Sum32()%suite.More[uint32](18, 3) == 0
}

// frozenHashes reads the hashes of the programs that are in the sample.
func frozenHashes(text string) map[string]string {
	was := map[string]string{}
	for line := range strings.Lines(text) {
		if name, hashes, _ := strings.Cut(strings.TrimSpace(line), ": "); frozen(name) {
			was[name] = hashes
		}
	}
	return was
}

// compareFrozen says which files of which programs are not what they were.
func compareFrozen(t *testing.T, got, was map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is emitted no longer", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if got[name] == was[name] {
			continue
		}
		before := strings.Fields(was[name])
		changed := slices.DeleteFunc(strings.Fields(got[name]), func(h string) bool { return slices.Contains(before, h) })
		t.Errorf("%s is emitted differently: %s; -golden accepts that, -emitted DIR writes the files", name, strings.Join(changed, " "))
	}
}

// frozenPrograms are those of testdata, under their schedules and under those that -auto finds.
func frozenPrograms(t *testing.T, each planned) {
	for _, pattern := range []string{"*.rf", "*/*.rf", "*/*/*.rf"} {
		files, _ := filepath.Glob("../../testdata/programs/" + pattern)
		for _, file := range files {
			name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "../../testdata/programs/"), ".rf")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			opts := lowertest.OptionsOf(filepath.Base(name))
			each("program/"+name, factored(t, name+".rf", string(text), opts))
			opts.Auto = true
			each("auto/"+name, factored(t, name+".rf", string(text), opts))
		}
	}
}

// factored parses and factors a program.
func factored(t *testing.T, file, text string, opts plan.Options) func() (*plan.Plan, error) {
	return func() (*plan.Plan, error) {
		prog, err := program.ParseProgram(ir.NewPool(), file, text, ir.Invalid)
		if err != nil {
			return nil, err
		}
		return plan.Factor(t.Context(), prog, opts)
	}
}

// frozenTables are those of the tables that tests share.
func frozenTables(t *testing.T, each planned) {
	for _, f := range lowertest.Forms() {
		each("form/"+f.Name, func() (*plan.Plan, error) { return f.Plan(t), nil })
	}
	for _, h := range lowertest.Histograms() {
		each("histogram/"+h.Name, func() (*plan.Plan, error) { return h.Plan(t), nil })
	}
	for _, l := range lowertest.Lifts() {
		for i, s := range lowertest.LiftSchedules()[:2] {
			each(fmt.Sprintf("lift/%s%d", l.Name, i), func() (*plan.Plan, error) { return lowertest.LiftPlan(t, l.Init, l.Update, l.Halide, "", s), nil })
		}
	}
	for _, s := range scanned {
		each("scan/"+s.name, func() (*plan.Plan, error) {
			return scannedPlan(t, s.inputs, s.init, s.update, "scan(r, 72)"+s.lanes), nil
		})
	}
	for i, text := range recurrent {
		each(fmt.Sprintf("recurrent/%d", i), factored(t, "recurrent.rf", text, lowertest.Defaults()))
	}
	for i, c := range masked {
		each(fmt.Sprintf("masked/%d", i), factored(t, "masked.rf", maskedText(c), lowertest.Defaults()))
	}
	lanes := "f.update(0).split(r, ro, ri, 16).rfactor(ri, u).compute_root().update(0).vectorize(u);"
	for i, u := range lowertest.FloatSearches() {
		for _, T := range []string{"float", "double", "int8_t", "uint16_t", "uint32_t", "int64_t"} {
			each(fmt.Sprintf("search/%d-%s", i, T), factored(t, "search.rf", frozenText(T, "{T(3), 0}", u, lanes), lowertest.Defaults()))
		}
	}
}

func frozenText(typ, init, update, schedule string) string {
	text := fmt.Sprintf("ImageParam in(type_of<T>, 1), b(type_of<T>, 1);\nFunc f;\nf() = %s;\nRDom r(0, in.width());\nf() = %s;\nRVar ro, ri, rio, rii;\nVar u, v;\n%s\n", init, update, schedule)
	names := map[string]string{"float": "Float(32)", "double": "Float(64)"}
	for _, et := range lowertest.ElementTypes() {
		if !et.T.IsFloat() {
			names[kernel.GoType[et.T]+"_t"] = et.Halide
		}
	}
	return strings.NewReplacer("type_of<T>", names[typ], "T(", "cast<"+typ+">(", "<T>", "<"+typ+">").Replace(text)
}

// frozenDraws are updates of one seed each, at a type and under a schedule that are drawn, and matrix products and their like.
func frozenDraws(t *testing.T, each planned) {
	rng := lowertest.Rand(32)
	types := []string{"float", "double", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"}
	more := []string{ // beside those that tests of the evaluator draw
		"f() + in(r)*b(r)", "f() + abs(in(r) - b(r))", "max(f(), in(r) - b(r))", "min(f(), abs(in(r)*b(r)))", "f() ^ (in(r) & ~b(r))",
		"f() + select(in(r) < b(r), in(r), b(r))", "f() + min(in(r), max(b(r), T(2)))", "select(in(r) < b(r) && in(r) > T(1), f() + T(1), f())",
		"f() + in(r)*T(3) - in(r)/T(4)", "f() + (in(r) % T(8))",
	}
	pairs := []string{
		"{f()[0] + in(r), f()[1] + b(r)*b(r)}", "{f()[0]*in(r) - f()[1]*b(r), f()[0]*b(r) + f()[1]*in(r)}", "{min(f()[0], in(r)), max(f()[1], in(r))}",
		"{f()[0] + in(r), max(f()[1], in(r))}", "{max(f()[0], in(r)), max(f()[1], min(f()[0], in(r)))}",
	}
	for i := range 200 {
		T := types[rng.IntN(len(types))]
		init, update := "T(1)", ""
		switch at := rng.IntN(len(testUpdates) + len(more) + 3*len(pairs)); {
		case at < len(testUpdates):
			init, update = strings.ReplaceAll(testUpdates[at].init, "<T>", "<"+T+">"), testUpdates[at].update
		case at < len(testUpdates)+len(more):
			update = more[at-len(testUpdates)]
		default:
			init, update = "{T(1), T(0)}", pairs[at%len(pairs)]
		}
		schedule := testSchedules[rng.IntN(len(testSchedules))]
		for auto := range 2 {
			opts := lowertest.Defaults()
			if opts.Auto = auto == 1; opts.Auto {
				schedule = ""
			}
			each(fmt.Sprintf("draw/%03d-%d", i, auto), factored(t, "draw.rf", frozenText(T, init, update, schedule), opts))
		}
	}
	for i := range 60 {
		et := lowertest.ElementTypes()[rng.IntN(10)]
		each(fmt.Sprintf("dense/%02d", i), factored(t, "dense.rf", lowertest.DrawDense(et, rng), lowertest.Defaults()))
	}
}
