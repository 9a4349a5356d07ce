package programs

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/gob"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/lower"
)

//go:embed testdata/harness.go.txt
var harness string

// The types of the harness, which gob carries by the names of their fields.
type (
	carried struct {
		Dims   []int
		Scalar bool
		Bits   []uint64
	}
	job struct {
		Name string
		Args []carried
		Out  [][]int
	}
	result struct {
		Err, Wrong string
		Results    []carried
	}
)

// batch is a module of many emitted packages, which are compiled into one program.
type batch struct {
	dir      string
	programs map[string]*prepared // by the names of packages
	files    map[string]map[string][]byte
	verdicts map[string]verdict
	ownTests bool // the tests that are emitted run as well
}

func newBatch() (*batch, error) {
	dir, err := os.MkdirTemp("", "programs")
	return &batch{dir: dir, programs: map[string]*prepared{}, files: map[string]map[string][]byte{}, verdicts: map[string]verdict{}}, err
}

// add emits a program. Where that is refused or fails it says so.
func (b *batch) add(p *prepared) (v verdict, ok bool) {
	pkg := fmt.Sprintf("p%d", p.number)
	var files map[string][]byte
	err := catch("emit", func() (err error) { files, err = lower.Source(p.plan, lower.SourceOptions{Package: pkg}); return err })
	switch {
	case panicked(err):
		return verdict{wrong: "emit", detail: err.Error()}, false
	case err != nil:
		return verdict{refused: "emit", detail: err.Error()}, false
	}
	b.programs[pkg], b.files[pkg] = p, files
	return verdict{}, true
}

var (
	exportedFunc = regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(`)
	ownTest      = regexp.MustCompile(`(?m)^func (Test\w+)\(\w+ \*testing\.T\) \{`)
	buildErrors  = regexp.MustCompile(`(?m)^# emitted/(p\d+)\n((?:.+\n)+)`)
)

// write writes the module without the packages that have a verdict.
func (b *batch) write() error {
	var imports, funcs, small, own strings.Builder
	for _, pkg := range slices.Sorted(maps.Keys(b.programs)) {
		if b.verdicts[pkg].wrong != "" {
			continue
		}
		fmt.Fprintf(&imports, "import %s \"emitted/%s\"\n", pkg, pkg)
		grains := false
		for name, text := range b.files[pkg] {
			if base, is := strings.CutSuffix(name, "_test.go"); is {
				if !b.ownTests {
					continue
				}
				name = base + "_tests.go"
				for _, t := range ownTest.FindAllSubmatch(text, -1) {
					fmt.Fprintf(&own, "\t%q: %s.%s,\n", pkg+"."+string(t[1]), pkg, t[1])
				}
			}
			if name == pkg+".go" {
				for _, f := range exportedFunc.FindAllSubmatch(text, -1) {
					as := pkg
					if strings.HasSuffix(string(f[1]), "Into") {
						as += "Into"
					}
					fmt.Fprintf(&funcs, "\t%q: %s.%s,\n", as, pkg, f[1])
				}
			}
			grains = grains || bytes.Contains(text, []byte("\nvar grainBytes = "))
			if err := writeFile(filepath.Join(b.dir, pkg, name), text); err != nil {
				return err
			}
		}
		set := ""
		if grains {
			set = "if is {\ngrainBytes = 64\n} else {\ngrainBytes = 256 << 10\n}\n"
		}
		fmt.Fprintf(&small, "\t%s.SetSmall,\n", pkg)
		if err := writeFile(filepath.Join(b.dir, pkg, "zsmall.go"), []byte("package "+pkg+"\n\nfunc SetSmall(is bool) {\n"+set+"}\n")); err != nil {
			return err
		}
	}
	text := strings.Replace(harness, "package emitted\n", "package emitted\n\n"+imports.String(), 1)
	text += "\nvar funcs = map[string]any{\n" + funcs.String() + "}\n\nvar small = []func(bool){\n" + small.String() + "}\n\nvar own = map[string]func(*testing.T){\n" + own.String() + "}\n"
	if err := writeFile(filepath.Join(b.dir, "go.mod"), []byte("module emitted\n\ngo 1.26.0\n")); err != nil {
		return err
	}
	return writeFile(filepath.Join(b.dir, "harness_test.go"), []byte(text))
}

func writeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// builds are the ways to compile the module.
var builds = []struct {
	name string
	env  []string
}{
	{"emitted", nil},
	{"emitted with vectors", []string{"GOTOOLCHAIN=go1.27.4", "GOEXPERIMENT=simd"}},
}

// runs are the ways to run what is compiled.
var runs = [][]string{
	{"GOMAXPROCS=1"},
	{"GOMAXPROCS=2", "SMALL_GRAINS=1"},
}

// run compiles and runs the module, where a verdict is wrong in the way in which it became so, and gives each program its verdict.
func (b *batch) run(wrong string) error {
	defer os.RemoveAll(b.dir)
	for k, way := range builds {
		if name, _, _ := strings.Cut(wrong, ","); name != "" && name != way.name {
			continue
		}
		if err := b.build(k); err != nil {
			return err
		}
	}
	return nil
}

// emitted judges a program alone as a package, by what is wrong with another.
func (w *whole) emitted(wrong string) verdict {
	p, v := w.prepare()
	if p == nil {
		return v
	}
	b, err := newBatch()
	if err != nil {
		panic(err)
	}
	b.ownTests = strings.Contains(wrong, "own test")
	if v, ok := b.add(p); !ok {
		os.RemoveAll(b.dir)
		return v
	}
	if err := b.run(wrong); err != nil {
		panic(err)
	}
	return b.verdicts[fmt.Sprintf("p%d", p.number)]
}

func (b *batch) command(env []string, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = b.dir, append(append(os.Environ(), "GOFLAGS=-trimpath"), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// build compiles in one of the ways of builds, without the packages that do not compile, and runs it.
func (b *batch) build(k int) error {
	how := builds[k]
	if err := b.write(); err != nil {
		return err
	}
	for range 3 {
		out, err := b.command(how.env, "go", "test", "-vet=off", "-gcflags=-e", "-c", "-o", "harness.test")
		if err == nil {
			return b.results(how.name)
		}
		found := buildErrors.FindAllStringSubmatch(out+"\n", -1)
		if len(found) == 0 {
			return fmt.Errorf("%s: %w\n%s", how.name, err, out)
		}
		for _, f := range found {
			b.verdicts[f[1]] = verdict{wrong: how.name, detail: "does not compile: " + f[2]}
		}
		if err := b.write(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: packages still do not compile", how.name)
}

// results runs what is compiled on the data of all programs.
func (b *batch) results(how string) error {
	var jobs []job
	var of []*sample
	for _, pkg := range slices.Sorted(maps.Keys(b.programs)) {
		if b.verdicts[pkg].wrong != "" {
			continue
		}
		for _, s := range b.programs[pkg].data {
			jobs, of = append(jobs, b.programs[pkg].job(pkg, s)), append(of, s)
		}
	}
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(jobs); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(b.dir, "jobs.gob"), text.Bytes()); err != nil {
		return err
	}
	for _, env := range runs {
		name := filepath.Join(b.dir, "results.gob")
		if out, err := b.command(append([]string{"RESULTS=" + name}, env...), "./harness.test", "-test.run", "TestJobs$"); err != nil {
			return fmt.Errorf("%s: %w\n%s", how, err, out)
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		var results []result
		err = gob.NewDecoder(f).Decode(&results)
		f.Close()
		if err != nil {
			return err
		}
		for i, r := range results {
			pkg := jobs[i].Name
			v := b.verdicts[pkg]
			v.runs++
			if p := b.programs[pkg]; v.wrong == "" && !p.unknown(of[i]) {
				if bad := p.matches(of[i], r); bad != "" {
					v.wrong, v.detail = how, bad+" ("+strings.Join(env, " ")+")"
				}
			}
			b.verdicts[pkg] = v
		}
	}
	if b.ownTests {
		out, err := b.command(nil, "./harness.test", "-test.run", "TestOwn$")
		for _, f := range regexp.MustCompile(`(?m)^    --- FAIL: TestOwn/(p\d+)\..*\n((?:        .*\n)*)`).FindAllStringSubmatch(out, -1) {
			if v := b.verdicts[f[1]]; v.wrong == "" {
				b.verdicts[f[1]] = verdict{wrong: how + ", its own test", detail: f[2], runs: v.runs}
			}
		}
		if err != nil && !strings.Contains(out, "--- FAIL") {
			return fmt.Errorf("%s: %w\n%s", how, err, out)
		}
	}
	return nil
}

// job is a call on a sample.
func (p *prepared) job(pkg string, s *sample) job {
	j := job{Name: pkg}
	for _, in := range p.prog.Inputs {
		a := s.in.Arrays[in.Name]
		for c := range a.Data {
			v := carried{}
			for _, d := range a.Dims {
				v.Dims = append(v.Dims, d.Extent)
			}
			for i := range a.Dims.Len() {
				v.Bits = append(v.Bits, a.Elements(c).At(i))
			}
			j.Args = append(j.Args, v)
		}
	}
	for _, k := range p.prog.Params {
		j.Args = append(j.Args, carried{Scalar: true, Bits: []uint64{s.in.Params[k.Name]}})
	}
	for _, b := range p.plan.Buffers {
		var dims []int
		for _, d := range s.want.dims[b.Name] {
			dims = append(dims, d.Extent)
		}
		for range b.Types {
			if b.Output {
				j.Out = append(j.Out, dims)
			}
		}
	}
	return j
}

// matches compares what a call returned with the reference.
func (p *prepared) matches(s *sample, r result) string {
	switch {
	case strings.HasPrefix(r.Err, "panic: "):
		return r.Err
	case s.refErr != nil && r.Err == "":
		return fmt.Sprintf("no error, where the loop has one: %v", s.refErr)
	case s.refErr != nil:
		return ""
	case r.Err != "":
		return "refused though valid: " + r.Err
	case r.Wrong != "":
		return r.Wrong
	}
	next := 0
	for _, b := range p.plan.Buffers {
		if !b.Output {
			continue
		}
		for c, t := range b.Types {
			of := r.Results[next].Bits
			next++
			if len(of) != s.want.dims[b.Name].Len() {
				return fmt.Sprintf("%s has %d elements, want %d", b.Name, len(of), s.want.dims[b.Name].Len())
			}
			if bad := s.differs(b.Name, c, t, func(i int) uint64 { return t.Wrap(of[i]) }); bad != "" {
				return bad
			}
		}
	}
	return ""
}
