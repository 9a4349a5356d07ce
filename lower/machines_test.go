package lower_test

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	. "github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
	"github.com/rfactor-go/rfactor/verify"
)

var (
	machines      = flag.String("machines", "", "write into DIR what every machine must give")
	machinesEvery = flag.Int("machines-every", 1, "take every N-th line of the corpora, and ten times as many of the programs")
)

// TestMachines writes what is the same on every machine, or should be, for the suite machines to compare: DIR/lines has answers with their
// certificates, which are checked, results of runs, and emitted files, each by its hash; the program in DIR/emitted prints what emitted code computes.
func TestMachines(t *testing.T) {
	if *machines == "" {
		t.Skip("make check-machines compares what machines write")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	if err := os.MkdirAll(*machines, 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(*machines, "lines"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	m := machine{T: t, every: *machinesEvery, says: func(name string, what ...any) {
		fmt.Fprintf(w, "%s %x\n", name, sha256.Sum256(fmt.Append(nil, what...)))
	}}
	m.answers()
	m.every = max(1, m.every/10)
	m.programs()
	m.emitted(filepath.Join(*machines, "emitted"))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

type machine struct {
	*testing.T
	says  func(name string, what ...any)
	every int // one of so many is taken
	count int
}

// taken reports whether the next item is in the sample.
func (m *machine) taken() bool { m.count++; return m.count%m.every == 0 }

func (m *machine) answers() {
	files, _ := filepath.Glob("../testdata/corpus/*.tsv")
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			m.Fatal(err)
		}
		lines, err := program.ReadCorpus(f)
		f.Close()
		if err != nil {
			continue // a table of another kind
		}
		for _, l := range lines {
			u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
			if err != nil || !m.taken() {
				continue
			}
			for _, allowed := range []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions} {
				m.answer(fmt.Sprintf("%s %s %s", filepath.Base(file), l.Name, allowed), u, allowed)
			}
		}
	}
}

var micros = regexp.MustCompile(`"micros":[^,}]*`)

func (m *machine) answer(name string, u *ir.Update, allowed ir.Assume) {
	a, err := rfactor.Match(m.Context(), u, rfactor.Options{Allowed: allowed})
	if err != nil {
		m.Errorf("%s: %v", name, err)
		return
	}
	line, err := a.JSON(true)
	if err != nil {
		m.Errorf("%s: %v", name, err)
		return
	}
	if _, err := verify.Check(line); err != nil {
		m.Errorf("%s: %v", name, err)
	}
	m.says(name, string(micros.ReplaceAll(line, nil)))
}

// programs are run as they are scheduled, and as -auto schedules them.
func (m *machine) programs() {
	files, _ := filepath.Glob("../testdata/programs/*.rf")
	more, _ := filepath.Glob("../testdata/programs/bench/*.rf")
	for _, file := range append(files, more...) {
		name := strings.TrimSuffix(filepath.Base(file), ".rf")
		text, err := os.ReadFile(file)
		if err != nil {
			m.Fatal(err)
		}
		if lowertest.Runs(name) && m.taken() {
			m.runs(name, string(text), lowertest.OptionsOf(name))
		}
	}
	for i, p := range machinePrograms() {
		if !m.taken() {
			continue
		}
		m.runs(fmt.Sprint("program ", i), p.text+p.schedule, lowertest.Defaults())
		auto := lowertest.Defaults()
		auto.Auto = true
		m.runs(fmt.Sprint("auto ", i), p.text, auto)
	}
}

func (m *machine) runs(name, text string, opts plan.Options) {
	p, err := plan.Factor(m.Context(), lowertest.Parse(m, name+".rf", text), opts)
	if err != nil {
		m.says(name, err)
		return
	}
	files, err := Source(p, SourceOptions{Package: "p"})
	for _, file := range slices.Sorted(maps.Keys(files)) {
		m.says(name+" "+file, string(files[file]))
	}
	m.says(name+" emission", err)
	code, err := Compile(p, RunOptions{})
	if err != nil {
		m.says(name+" compilation", err)
		return
	}
	for _, n := range []int{0, 1, 3, 16, 100} {
		in := lowertest.SmallInputs(p.Program, rand.New(rand.NewPCG(uint64(n), 1)), n)
		for _, a := range in.Arrays {
			roughen(a, rand.New(rand.NewPCG(uint64(n), 2)))
		}
		serial, err := plan.RunSerial(p.Program, opts, in)
		m.says(fmt.Sprint(name, " serial ", n), texts(serial), err)
		out, err := code.Run(m.Context(), in)
		m.says(fmt.Sprint(name, " run ", n), texts(out), err)
	}
}

// roughen makes floats of an array numbers whose sums are not exact, and wide integers any.
func roughen(a *ndarray.Array, rng *rand.Rand) {
	for c, t := range a.Types() {
		to := a.Elements(c)
		for i := range to.Len() {
			if t.IsFloat() {
				to.Set(i, ir.FloatBits(t, (rng.Float64()-.5)*100))
			} else if t.Bits() == 64 {
				to.Set(i, rng.Uint64()>>rng.IntN(64))
			}
		}
	}
}

func texts(arrays map[string]*ndarray.Array) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		a := arrays[name]
		for c := range a.Types() {
			data := a.Elements(c)
			for i := range data.Len() {
				out = append(out, fmt.Sprint(name, " ", data.At(i)))
			}
		}
	}
	return out
}

// machineProgram reduces or scans a row of elements of a type.
type machineProgram struct{ of, text, schedule string }

const inLanes = "Func i = f.update(0).split(r, ro, ri, 16).rfactor(ri, u);\ni.compute_root().update(0).vectorize(u);\n"

func machinePrograms() (out []machineProgram) {
	for _, u := range []struct{ of, init, update string }{
		{"double float", "T(0)", "f() + in(r)*in(r)"},
		{"double float", "T(0)", "f() + (in(r)*2.5f - in(r)/3.0f)"},
		{"double float", "T(1)", "f()*(in(r)*0.01f) + in(r)"},
		{"double float", "T(0)", "max(f(), in(r)*3.1f + in(r)*in(r))"},
		{"double float", "T(0)", "max(f() + in(r), in(r)*0.7f)"},
		{"double float", "{T(0), T(0)}", "{f()[0] + in(r)*in(r), f()[1] - in(r)*0.3f}"},
		{"double float", "{T(1), T(0)}", "{f()[0]*in(r) - f()[1]*0.3f, f()[0]*0.3f + f()[1]*in(r)}"},
		{"double float", "T(0)", "f() + sqrt(abs(in(r))) + floor(in(r)*0.3f) + round(in(r)*1.5f)"},
		{"double float", "i64(0)", "f() + i64(in(r)*12345678.9f)"},
		{"double float", "u8(0)", "f() ^ u8(in(r)*in(r))"},
		{"double float", "in(x)", "f(r - 1) + in(r)*0.3f"},
		{"double float", "in(x)", "f(r - 1)*0.9f + in(r)*in(r)"},
		{"double float", "in(x)", "f(r - 1)*(in(r)/64.0f) + in(r)"},
		{"double float", "in(x)", "max(f(r - 1)*2.0f - in(r), in(r)/4.0f + 1.0f)"},
		{"double float", "T(1)", "f()*0.9f + in(r)/8.0f"},
		{"int64_t uint64_t int32_t uint32_t", "0.0f", "f() + f32(in(r))"},
		{"int64_t uint64_t int32_t uint32_t", "f64(0)", "f() + f64(in(r))*0.1f"},
		{"int64_t uint64_t", "0.0f", "max(f(), f32(in(r) / 3))"},
		{"int64_t int32_t int8_t", "T(0)", "f() + (in(r)/7 ^ in(r) % 5) - gcd(in(r), 12)"},
		{"int64_t int32_t int8_t", "{T(0), 0}", "{max(f()[0], in(r)), select(f()[0] < in(r), r, f()[1])}"},
		{"uint16_t uint64_t", "T(1)", "f()*in(r) + (in(r) >> 3)"},
		{"int32_t", "i64(0)", "f() + i64(in(r))*i64(in(r))"},
	} {
		for _, of := range strings.Fields(u.of) {
			cast := func(s string) string { return strings.ReplaceAll(s, "T(", "cast<"+of+">(") }
			p := machineProgram{of, "RDom r(0, in.width());\nf() = %s;\nf() = %s;\n", inLanes}
			if strings.Contains(u.update, "f(r - 1)") {
				p.text, p.schedule = "RDom r(1, in.width() - 1);\nf(x) = %s;\nf(r) = %s;\n", "f.update(0).scan(r, 64).vectorize(r, 8);\n"
			}
			p.text = fmt.Sprintf("ImageParam in(%s, 1);\nFunc f; Var u, x; RVar ro, ri;\n"+p.text, map[string]string{"double": "Float(64)", "float": "Float(32)", "int64_t": "Int(64)",
				"int32_t": "Int(32)", "int8_t": "Int(8)", "uint16_t": "UInt(16)", "uint32_t": "UInt(32)", "uint64_t": "UInt(64)"}[of], cast(u.init), cast(u.update))
			out = append(out, p)
		}
	}
	return out
}

// emitted writes a module of packages and a program that prints what they compute.
func (m *machine) emitted(dir string) {
	var imports, calls strings.Builder
	write := func(path string, text []byte) {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			m.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			m.Fatal(err)
		}
	}
	for i, p := range machinePrograms() {
		planned, err := plan.Factor(m.Context(), lowertest.Parse(m, "p.rf", p.text+p.schedule), lowertest.Defaults())
		if err != nil { // a lift has no lanes
			auto := lowertest.Defaults()
			auto.Auto = true
			if planned, err = plan.Factor(m.Context(), lowertest.Parse(m, "p.rf", p.text), auto); err != nil {
				m.Errorf("%v\n%s", err, p.text)
				continue
			}
		}
		pkg := fmt.Sprint("p", i)
		files, err := Source(planned, SourceOptions{Package: pkg})
		if err != nil {
			m.Errorf("%v\n%s", err, p.text)
			continue
		}
		for name, text := range files {
			write(filepath.Join(pkg, name), text)
		}
		goType := map[string]string{"double": "float64", "float": "float32"}[p.of]
		if goType == "" {
			goType = strings.TrimSuffix(p.of, "_t")
		}
		fmt.Fprintf(&imports, "\t%q\n", "emitted/"+pkg)
		fmt.Fprintf(&calls, "\t\tfmt.Print(%q, \" \", n, \" \")\n\t\tfmt.Println(%s.F(draw[%s](n)))\n", pkg, pkg, goType)
	}
	write("go.mod", []byte("module emitted\n\ngo 1.26.0\n"))
	main, err := format.Source([]byte("package main\n\nimport (\n\t\"fmt\"\n\t\"runtime\"\n\n" + imports.String() + `)

func main() {
	runtime.GOMAXPROCS(2)
	for _, n := range []int{0, 1, 3, 64, 65, 1000, 20000} {
` + calls.String() + `	}
}

// draw makes integers of all lengths, and floats whose sums round.
func draw[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](n int) []T {
	out, x, half := make([]T, n), uint64(88172645463325252), 0.5
	for i := range out {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if T(half) != 0 {
			out[i] = T(float64(int64(x)>>40) / 54321)
		} else {
			out[i] = T(x >> (x & 63))
		}
	}
	return out
}
`))
	if err != nil {
		m.Fatal(err)
	}
	write("main.go", main)
}
