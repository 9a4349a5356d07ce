package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
)

var (
	surfaceSeed  = flag.Uint64("surface-seed", 1, "the seed of the lines that TestSurface draws")
	surfaceLines = flag.Int("surface-lines", 0, "how many lines TestSurface draws; 0 means 5, with SAMPLES=more 12, and with -long 2,000")
	surfaceFrom  = flag.Int("surface-from", 0, "the number of the first of them")
)

// TestSurface runs every verb on random lines of the whole language: none panics, exceeds its bound of processor
// time or exits with another code than those that it documents; JSON is valid by its schema, and proofs verify.
func TestSurface(t *testing.T) {
	n := suite.Sample(suite.More(5, 12), 2000)
	if *surfaceLines > 0 {
		n = *surfaceLines
	}
	s := newSurface(t)
	var corpus strings.Builder
	for i := *surfaceFrom; i < *surfaceFrom+n; i++ {
		l := drawLine(i)
		s.line(l)
		fmt.Fprintf(&corpus, "%d\there\t%s\t%s\n", i, l.types, l.text)
		if (i+1)%100 == 0 || i+1 == *surfaceFrom+n {
			s.corpus(corpus.String())
			corpus.Reset()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.worst)) {
		w := s.worst[name]
		t.Logf("%-24s %5d runs, exit codes %v, at most %4d ms, of %s", name, w.runs, w.codes, w.time.Milliseconds(), w.of)
	}
}

// surfaceLine is one line, and how it is asked about.
type surfaceLine struct {
	number      int
	types, text string
	assume      string
}

// drawLine draws the line of a number: three of four anew, the others by changing lines of that kind.
func drawLine(number int) surfaceLine {
	rng := rand.New(rand.NewPCG(*surfaceSeed, uint64(number)))
	l := surfaceLine{number: number, assume: []string{"default", "all", "none"}[rng.IntN(3)]}
	l.types, l.text = drawn.Line(rng)
	if number%4 == 3 {
		u, err := program.ParseUpdate(ir.NewPool(), l.types, l.text)
		if err != nil {
			panic(err)
		}
		l.text = ir.Strings(drawn.Mutated(rng, u).Values)
	}
	return l
}

// surface is a run of the suite.
type surface struct {
	*testing.T
	schemas map[string]*jsonschema.Schema
	data    map[ir.Type]string // a file of each type
	out     string             // a folder for what lower writes
	worst   map[string]*worstRun
}

// worstRun is what the runs of a verb had in common, and the slowest of them.
type worstRun struct {
	runs  int
	codes map[int]int
	time  time.Duration
	of    string
}

func newSurface(t *testing.T) *surface {
	s := &surface{T: t, schemas: map[string]*jsonschema.Schema{}, data: map[ir.Type]string{}, out: t.TempDir(), worst: map[string]*worstRun{}}
	c := jsonschema.NewCompiler()
	const home = "https://github.com/rfactor-go/rfactor/verify/schema/"
	for _, name := range []string{"answer.schema.json", "certificate.schema.json"} {
		text, err := os.ReadFile("../../verify/schema/" + name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err == nil {
			err = c.AddResource(home+name, doc)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s.schemas["answer"] = c.MustCompile(home + "answer.schema.json")
	for _, name := range []string{"verify", "explain", "check", "factor", "factor-graph", "run", "lower", "table"} {
		s.schemas[name] = jsonschema.NewCompiler().MustCompile("schema/" + name + ".schema.json")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for ty := ir.Bool; ty <= ir.F64; ty++ {
		a := ndarray.New([]ir.Type{ty}, ndarray.Range{Extent: 40})
		for i := range 40 {
			v := ty.Wrap(rng.Uint64() >> rng.IntN(64))
			if ty.IsFloat() {
				v = ir.FloatBits(ty, []float64{0, 1, -1, 0.5, 3, 1e6}[rng.IntN(6)])
			}
			a.Elements(0).Set(i, v)
		}
		s.data[ty] = filepath.Join(s.out, ty.String()+".npy")
		if err := save.File(s.data[ty], func(w io.Writer) error { return npy.Write(w, a, 0) }); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// surfaceBound is the processor time that one run of a verb may take: many times what its bound of effort is on the
// machine on which effort was measured.
const surfaceBound = 5 * time.Second

// run runs a verb in this process. name is what it is called in the summary, and schema that of each line of its output;
// empty for text.
func (s *surface) run(l surfaceLine, name, schema, stdin string, args ...string) (code int, stdout string) {
	s.Helper()
	var out, errs bytes.Buffer
	before := processorTime()
	code = inProcess(args, strings.NewReader(stdin), &out, &errs)
	took := processorTime() - before
	w := s.worst[name]
	if w == nil {
		w = &worstRun{codes: map[int]int{}}
		s.worst[name] = w
	}
	what := fmt.Sprintf("%d: rfactor %s", l.number, quoted(args))
	w.runs++
	w.codes[code]++
	if took > w.time {
		w.time, w.of = took, what
	}
	switch both := out.String() + errs.String(); {
	case code < verbs.Matched || code > verbs.BadInput:
		s.Errorf("%s: exit code %d", what, code)
	case strings.Contains(both, "internal"):
		s.Errorf("%s: %.1000s", what, both)
	case took > surfaceBound*slowness:
		s.Errorf("%s takes %v of processor time", what, took)
	case code == verbs.BadInput && l.types != "":
		s.Errorf("%s is bad input: %.500s", what, errs.String())
	case schema != "":
		s.valid(what, schema, out.String())
	}
	return code, out.String()
}

// valid validates lines of JSON.
func (s *surface) valid(what, schema, text string) {
	for line := range strings.Lines(text) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = s.schemas[schema].Validate(v)
		}
		if err != nil {
			s.Errorf("%s: %v\n%.1000s", what, err, line)
		}
	}
}

func quoted(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if strings.ContainsAny(a, " ;()<>&|*?!~") {
			out[i] = "'" + a + "'"
		}
	}
	return strings.Join(out, " ")
}

// line asks all verbs about a line.
func (s *surface) line(l surfaceLine) {
	about := func(args ...string) []string {
		return append(args, "-assume", l.assume, "-types", l.types, "--", l.text)
	}
	code, _ := s.run(l, "match", "", "", about("match")...)
	proven, answer := s.run(l, "match -json -proof", "answer", "", about("match", "-json", "-proof")...)
	explained, _ := s.run(l, "explain", "", "", about("explain")...)
	again, _ := s.run(l, "explain -json", "explain", "", about("explain", "-json")...)
	if proven != code || explained != code || again != code {
		s.Errorf("%d: %s: match exits with %d, with a proof %d, explain %d and with -json %d", l.number, l.text, code, proven, explained, again)
	}
	if held, verdicts := s.run(surfaceLine{number: l.number}, "verify", "verify", answer, "verify", "-json"); held != verbs.Matched {
		s.Errorf("%d: %s: what match prints is not verified: %s", l.number, quoted(about("match", "-json", "-proof")), verdicts)
	}
	s.run(l, "check", "check", "", about("check", "-json")...)
	format := []string{"dot", "json", "svg"}[l.number%3]
	s.run(l, "egraph -format "+format, "", "", about("egraph", "-format", format)...)
	s.run(l, "factor -graph", "factor-graph", "", about("factor", "-graph", "-json")...)
	s.program(l)
	if l.number%10 == 0 {
		s.table(l)
	}
}

// table looks for the line among the operators of its types.
func (s *surface) table(l surfaceLine) {
	u, err := program.ParseUpdate(ir.NewPool(), l.types, l.text)
	if err != nil {
		s.Fatal(err)
	}
	names := cli.NamesOf(u.Types)
	s.run(surfaceLine{number: l.number}, "table -find", "table", "", "table", "-json", "-assume", l.assume, "-types", strings.Join(names, ","), "-find", l.text)
}

// program runs, factors and lowers the program whose update the line is.
func (s *surface) program(l surfaceLine) {
	text, in := s.asProgram(l)
	name := filepath.Join(s.out, "line.rf")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
	failed := s.Failed()
	defer func() {
		if s.Failed() && !failed {
			s.Logf("%d as a program:\n%s", l.number, text)
		}
	}()
	s.run(l, "factor", "factor", "", "factor", "-json", "-assume", l.assume, name)
	mayDiffer := l.assume == "all" || l.assume == "default" && strings.Contains(l.types, ":f") // where what is assumed does not hold of the data
	if code, _ := s.run(l, "run -auto -verify", "run", "", append([]string{"run", "-json", "-auto", "-verify", "-assume", l.assume, name}, in...)...); code != verbs.Matched && !mayDiffer {
		s.Errorf("%d: %s: the parallel program does not compute what the serial one does", l.number, l.text)
	}
	s.run(l, "lower -auto", "lower", "", "lower", "-json", "-auto", "-force", "-assume", l.assume, "-out", filepath.Join(s.out, "lowered"), name)
}

var variableOfLine = regexp.MustCompile(`\b(x\d+|y\d+|c)\b`)

// asProgram writes a line as a program over inputs of its types, and the flags that name their data. Some of the loops end early.
func (s *surface) asProgram(l surfaceLine) (text string, flags []string) {
	var b, state strings.Builder
	b.WriteString("RDom r(0, 40);\nFunc f;\n")
	components := 0
	for _, d := range strings.Split(l.types, ",") {
		name, word, _ := strings.Cut(d, ":")
		t := ir.ParseType(word)
		switch {
		case name == "r":
		case name[0] == 'x':
			if components++; components > 1 {
				state.WriteString(", ")
			}
			fmt.Fprintf(&state, "%s(%v)", word, map[bool]string{true: "false", false: "0"}[t == ir.Bool])
		case name[0] == 'k':
			fmt.Fprintf(&b, "Param<%s> %s;\n", typeInC(t), name)
			flags = append(flags, "-param", name+"="+map[bool]string{true: "true", false: "1"}[t == ir.Bool])
		default:
			fmt.Fprintf(&b, "Buffer<%s> %s(40);\n", typeInC(t), name)
			flags = append(flags, "-in", name+"="+s.data[t])
		}
	}
	update := variableOfLine.ReplaceAllStringFunc(l.text, func(name string) string {
		switch {
		case name[0] == 'x' && components == 1:
			return "f()"
		case name[0] == 'x':
			return "f()[" + name[1:] + "]"
		}
		return name + "(r)"
	})
	named := ""
	if rest, ok := strings.CutPrefix(update, "t := "); ok {
		e, after, _ := strings.Cut(rest, "; ")
		named, update = "t := "+e+"; ", after
	}
	update = strings.ReplaceAll(update, "; ", ", ")
	until := ""
	switch condition := strings.Contains(l.types, "c:bool"); {
	case l.number%4 == 1 && condition:
		until = " until c(r)"
	case l.number%4 == 1:
		until = fmt.Sprintf(" until after r >= %d", l.number%50)
	case l.number%4 == 3 && condition:
		until = " until after c(r) || r > 20"
	}
	fmt.Fprintf(&b, "f() = {%s};\nf() = {%s%s}%s;\n", state.String(), named, update, until)
	return b.String(), flags
}

// typeInC is a type as Param<T> has it.
func typeInC(t ir.Type) string { return t.String() }

// corpus matches many lines in one run, and verifies what comes out.
func (s *surface) corpus(text string) {
	lines := strings.Count(text, "\n")
	all := surfaceLine{}
	code, answers := s.run(all, "coverage, of 100 lines", "answer", text, "coverage", "-json", "-proof", "-")
	if got := strings.Count(answers, "\n"); got != lines || code != verbs.Matched {
		s.Errorf("coverage of %d lines exits with %d and has %d answers", lines, code, got)
	}
	if code, verdicts := s.run(all, "verify, of 100 lines", "verify", answers, "verify", "-json"); code != verbs.Matched {
		s.Errorf("what coverage prints is not verified: %s", verdicts)
	}
	for line := range strings.Lines(answers) {
		var a struct{ Status, Reason, Name string }
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.Status == "error" {
			s.Errorf("coverage: %s: %v %s", a.Name, err, a.Reason)
		}
	}
	runtime.GC()
}
