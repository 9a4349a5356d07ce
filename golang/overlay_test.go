package golang

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

var (
	overlayCode  = flag.String("overlay", "math/big,image/jpeg", "code whose loops are compiled as tests of their packages: patterns, and modules as PATH@VERSION:FOLDER:FOLDER, separated by commas")
	overlayLoops = flag.Int("overlay-loops", 10, "how many loops are executed so")
)

// TestOverlay compiles loops that are read as tests in their packages, runs them on random inputs, and compares every step with
// the update. The order in which loops are tried is random, with a fixed seed.
func TestOverlay(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds packages")
	}
	var list []*copied
	reasons, number, read := map[string]int{}, 0, 0
	for _, code := range strings.Split(*overlayCode, ",") {
		packages := loadCode(t, code)
		for _, p := range packages {
			all, _, err := readLoops(p, directives{})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range all {
				if l.Update == nil {
					continue
				}
				read++
				number++
				c, why := copyLoop(p, l, number)
				if why != "" {
					reasons[why]++
					t.Logf("%s: %s", p.Fset.Position(l.Pos()), why)
					continue
				}
				list = append(list, c)
			}
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	tried, equal, steps := 0, 0, 0
	for equal < *overlayLoops && tried < len(list) {
		batch := list[tried:min(len(list), tried+(*overlayLoops-equal)*9/8+1)]
		tried += len(batch)
		for _, got := range runOverlay(t, batch) {
			switch {
			case got.err != nil:
				t.Errorf("%s: %v", got.pkg.Fset.Position(got.Pos()), got.err)
			case got.why != "":
				reasons[got.why]++
				t.Logf("%s: %s", got.pkg.Fset.Position(got.Pos()), got.why)
			default:
				equal++
				steps += got.steps
			}
		}
	}
	t.Logf("%d loops read; %d of those that have a copy were tried, %d compiled and executed in %d steps, which are equal", read, tried, equal, steps)
	for _, why := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return cmp.Or(cmp.Compare(reasons[b], reasons[a]), strings.Compare(a, b)) }) {
		t.Logf("%5d %s", reasons[why], why)
	}
	if equal < *overlayLoops {
		t.Errorf("only %d loops were executed", equal)
	}
}

// loadCode loads packages by a pattern, or of a module, which is copied because files of the module cache cannot be replaced.
func loadCode(t *testing.T, code string) []*Package {
	dir, patterns := ".", []string{code}
	if path, version, ok := strings.Cut(code, "@"); ok {
		version, folders, _ := strings.Cut(version, ":")
		dir, patterns = t.TempDir(), nil
		for _, folder := range strings.Split(folders, ":") {
			patterns = append(patterns, strings.TrimSuffix(path+"/"+folder, "/")+"/...")
		}
		run := func(args ...string) []byte {
			cmd := exec.Command("go", args...)
			cmd.Dir = dir
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("go %s: %v", strings.Join(args, " "), err)
			}
			return out
		}
		run("mod", "init", "overlay")
		get := []string{"get"}
		for _, p := range patterns {
			get = append(get, p+"@"+version)
		}
		run(get...)
		var is struct{ Dir string }
		if err := json.Unmarshal(run("mod", "download", "-json", path+"@"+version), &is); err != nil {
			t.Fatal(err)
		}
		copyTree(t, is.Dir, filepath.Join(dir, "copy"))
		run("mod", "edit", "-replace", path+"="+filepath.Join(dir, "copy"))
	}
	packages, problems, err := Load(t.Context(), dir, false, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Log(p)
	}
	for _, p := range packages {
		p.dir, p.mode = dir, ssa.GlobalDebug
	}
	return packages
}

func copyTree(t *testing.T, from, to string) {
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// outcome says how the copy of a loop ran.
type outcome struct {
	*copied
	steps int
	why   string
	err   error
}

var badCopy = regexp.MustCompile(`zz_rfactor_(\d+)_test\.go:\d+:\d+: (.*)`)

// runOverlay runs copies of loops. Those that do not compile, crash or do not end are taken out, and the others run again.
func runOverlay(t *testing.T, list []*copied) (all []*outcome) {
	byPackage := map[*Package][]*copied{}
	var packages []*Package
	for _, c := range list {
		if byPackage[c.pkg] == nil {
			packages = append(packages, c.pkg)
		}
		byPackage[c.pkg] = append(byPackage[c.pkg], c)
	}
	for round := 0; len(packages) > 0; round++ {
		to, failed := t.TempDir(), []*Package{}
		overlay := map[string]string{}
		outs := map[*Package]string{}
		byDir := map[string][]string{}
		for i, p := range packages {
			outs[p] = filepath.Join(to, fmt.Sprintf("out%d", i))
			if err := writeTests(p, byPackage[p], to, outs[p], overlay); err != nil {
				t.Fatal(err)
			}
			byDir[p.dir] = append(byDir[p.dir], p.Types.Path())
		}
		text, err := json.Marshal(map[string]any{"Replace": overlay})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, "overlay.json"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		said := ""
		for dir, paths := range byDir {
			cmd := exec.Command("go", append([]string{"test", "-overlay", filepath.Join(to, "overlay.json"), "-gcflags=-e", "-vet=off", "-count=1", "-timeout=60s", "-run=^TestRfOverlay$"}, paths...)...)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput()
			said += string(out)
		}
		bad := map[int]string{}
		for _, m := range badCopy.FindAllStringSubmatch(said, -1) {
			n, _ := strconv.Atoi(m[1])
			if bad[n] == "" {
				bad[n] = m[2]
			}
		}
		for _, p := range packages {
			got, current, ended := readOutcomes(outs[p], byPackage[p])
			var again []*copied
			for _, c := range byPackage[p] {
				switch {
				case bad[c.number] != "":
					t.Logf("%s: %s\n%s", p.Fset.Position(c.Pos()), bad[c.number], c.text)
					all = append(all, &outcome{copied: c, why: notAlone})
				case ended:
					all = append(all, got[c.number])
				case c.number == current:
					all = append(all, &outcome{copied: c, why: crashes})
				case got[c.number] != nil:
					all = append(all, got[c.number])
				default:
					again = append(again, c)
				}
			}
			if len(again) == len(byPackage[p]) || round > 10 {
				t.Logf("%s: not tested:\n%s", p.Types.Path(), said)
				for _, c := range again {
					all = append(all, &outcome{copied: c, why: noTests})
				}
			} else if len(again) > 0 {
				byPackage[p] = again
				failed = append(failed, p)
			}
		}
		packages = failed
	}
	return all
}

// readOutcomes reads what the test of a package wrote: of loops that ran to their end how it went, and which one was running.
func readOutcomes(name string, list []*copied) (got map[int]*outcome, current int, ended bool) {
	got = map[int]*outcome{}
	file, err := os.Open(name)
	if err != nil {
		return got, 0, false
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	var o *outcome
	for lines.Scan() {
		word, line, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "loop":
			current, _ = strconv.Atoi(line)
			at := slices.IndexFunc(list, func(c *copied) bool { return c.number == current })
			o = &outcome{copied: list[at]}
			got[current] = o
		case "end":
			ended = true
		default:
			if o.err == nil {
				o.compare(word, line)
			}
		}
	}
	for _, o := range got {
		if o.steps == 0 {
			o.why = noStep
		}
	}
	if !ended {
		delete(got, current)
	}
	return got, current, ended
}

// compare holds a step that ran against the update.
func (o *outcome) compare(word, line string) {
	parts := strings.Split(line, "|")
	before, after := strings.Split(parts[0], ","), strings.Split(parts[2], ",")
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 9))
		vars, known := map[ir.Expr]uint64{}, map[ir.Expr]bool{}
		for i, t := range o.Update.Types {
			vars[o.Update.Pool.X(i, t)] = bitsOfText(t, before[i])
		}
		for n, i := range o.counters {
			v := o.Counters[i].Var
			vars[v] = bitsOfText(v.Type(), before[len(o.Update.Types)+n])
		}
		for _, note := range strings.Split(strings.TrimSuffix(parts[1], ";"), ";") {
			at, text, ok := strings.Cut(note, "=")
			if !ok {
				continue
			}
			n, _ := strconv.Atoi(at)
			v := o.Leaves[n].Var
			bits := bitsOfText(v.Type(), text)
			if known[v] && vars[v] != bits && o.needed[v] {
				o.err = fmt.Errorf("%s stands for values that differ: %#x and %#x", v, vars[v], bits)
				return
			}
			vars[v], known[v] = bits, true
		}
		sure := true
		for n, leaf := range o.Leaves {
			if !known[leaf.Var] {
				vars[leaf.Var] = leaf.Var.Type().Wrap(rng.Uint64N(7))
				if leaf.Var.Type().IsFloat() {
					vars[leaf.Var] = ir.FloatBits(leaf.Var.Type(), rng.Float64())
				}
				sure = sure && o.recorded[n]
			}
		}
		env := &ir.Env{Var: func(v ir.Expr) uint64 { return vars[v] }}
		goesOn := word != "left"
		if stays := ir.Eval(o.Stay, env) == 1; sure && word != "done" && stays != goesOn && (goesOn || o.isFor()) {
			o.err = fmt.Errorf("the loop goes on: %v, but %s is %v: %s", goesOn, o.Stay, stays, line)
			return
		}
		if !goesOn {
			return
		}
		check := func(what string, e ir.Expr, text string) {
			if want, got := bitsOfText(e.Type(), text), ir.Eval(e, env); want != got && o.err == nil {
				o.err = fmt.Errorf("%s: the loop gives %#x, but %s is %#x: %s\n%s", what, want, e, got, line, o.text)
			}
		}
		for i, e := range o.Update.Values {
			check(fmt.Sprint("component ", i), e, after[i])
		}
		if word == "step" {
			for n, i := range o.counters {
				check(o.Counters[i].Phi.Comment, o.Counters[i].Next, after[len(o.Update.Types)+n])
			}
		}
	}
	o.steps++
}

// bitsOfText returns the bits by which package ir carries a value that a test wrote.
func bitsOfText(t ir.Type, text string) uint64 {
	digits, isFloat := strings.CutPrefix(text, "~")
	bits, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		panic("internal: a value is written as " + text)
	}
	if isFloat {
		return ir.FloatBits(t, math.Float64frombits(bits))
	}
	return t.Wrap(bits)
}
