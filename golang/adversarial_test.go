package golang

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAdversarialLoops compares what is said of crafted loops with the comments at them.
func TestAdversarialLoops(t *testing.T) { checkComments(t, "testdata/adversarial", 340) }

// TestHeldOut does so with functions as they stand in programs.
func TestHeldOut(t *testing.T) { checkComments(t, "testdata/heldout", 100) }

func checkComments(t *testing.T, folder string, least int) {
	met, wants := 0, 0
	for _, f := range inspectFolder(t, folder) {
		_, want, found := strings.Cut(f.Source, "// want: ")
		if !found {
			continue
		}
		met++
		got := strings.TrimSpace(string(f.Verdict)+" "+f.Exit) + " | " + f.Message()
		for w := range strings.SplitSeq(want, " | ") {
			not, isWithout := strings.CutPrefix(w, "without: ")
			switch {
			case w == "answered":
				if !answered(f) {
					t.Errorf("%s: it has no answer: %s", f.Pos, got)
				}
			case w == "nothing":
				t.Errorf("%s: it carries nothing, but: %s", f.Pos, got)
			case w == "fix" && !f.HasFix() || w == "no fix" && f.HasFix():
				t.Errorf("%s: want %s, got %q: %s", f.Pos, w, f.Fix, got)
			case w == "fix" || w == "no fix":
			case isWithout && strings.Contains(got, not):
				t.Errorf("%s: %q is in: %s", f.Pos, not, got)
			case !isWithout && !strings.Contains(got, w):
				t.Errorf("%s: %q is not in: %s", f.Pos, w, got)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		wants += strings.Count(string(text), "{ // want: ") - strings.Count(string(text), "{ // want: nothing")
	}
	if met != wants || met < least {
		t.Errorf("%d loops were seen of %d with a comment: want all, and %d", met, wants, least)
	}
}

// trap is a function around one loop, with what may not be claimed of it.
type trap struct {
	name, code string
	check      func(f *Finding) string // what is wrong with a finding; empty where nothing is
}

func answered(f *Finding) bool { return f.Verdict == Reduction || f.Verdict == Lift }

// isRefused is wrong of an answer.
func isRefused(f *Finding) string {
	if answered(f) {
		return "it has an answer"
	}
	return ""
}

// needsNoAlias is wrong of an answer without the assumption.
func needsNoAlias(f *Finding) string {
	if answered(f) && !slices.Contains(f.Assumes, "noalias") {
		return "it is answered without noalias"
	}
	return ""
}

// hasNoFix is wrong of a loop that can be replaced.
func hasNoFix(f *Finding) string {
	if f.HasFix() {
		return "it has a fix"
	}
	return ""
}

// aliasTraps give one memory two names: those that the function makes itself, and those that its caller may make.
func aliasTraps() (list []trap) {
	visible := map[string]string{ // statements before the loop that make *q, or q[0], the variable s
		"Pointer":    "k.p = &s\nq := func(k *keep) *int { return k.p }\n_ = q",
		"Slice":      "k.all = append(k.all, &s)",
		"Map":        "k.m[1] = &s",
		"Nested":     "k.next = &keep{p: &s}",
		"Package":    "known = &s",
		"Array":      "k.few[1] = &s",
		"Copied":     "other := keep{p: &s}\n*k = other",
		"Branch":     "if len(a) > 3 {\nk.p = &s\n}",
		"Twice":      "pp := &s\nk.pp = &pp",
		"Interface":  "k.x = &s",
		"StructInit": "t := &keep{p: &s}\nk.next = t",
	}
	loads := map[string]string{"Pointer": "*k.p", "Slice": "*k.all[0]", "Map": "*k.m[1]", "Nested": "*k.next.p", "Package": "*known", "Array": "*k.few[1]", "Copied": "*k.p",
		"Branch": "*k.p", "Twice": "**k.pp", "Interface": "*k.x.(*int)", "StructInit": "*k.next.p"}
	steps := map[string]string{"Sum": "s += v + LOAD", "Xor": "s += v\ns ^= LOAD", "Max": "s = max(s+v, LOAD)", "Guard": "if LOAD > 3 {\ns += v\n}", "Under": "if v > 0 {\ns += LOAD\n}"}
	for name, before := range visible {
		for step, body := range steps {
			list = append(list, trap{"alias" + name + step,
				"(k *keep, a []int) (s int) {\n" + before + "\nfor _, v := range a {\n" + strings.ReplaceAll(body, "LOAD", loads[name]) + "\n}\nreturn s\n}", isRefused})
		}
	}
	overlaps := map[string]string{ // what makes out a part of a
		"Resliced": "out := a[1:]", "Field": "x.out = a[1:]\nout := x.out", "FieldBoth": "x.in = a\nx.out = x.in[1:]\nout := x.out", "Conditional": "out := b\nif len(b) > len(a) {\nout = a[1:]\n}",
		"Appended": "out := append(a[:0], b...)", "Map": "rows[1] = a\nout := rows[1]", "Slices": "all := [][]int{b, a[1:]}\nout := all[len(b)&1]",
		"Loop": "out := b\nfor len(out) > 3 {\nout = a[1:]\n}", "Named": "type ints []int\nout := ints(a)", "Struct": "t := struct{ p []int }{a[1:]}\nout := t.p"}
	for name, before := range overlaps {
		for step, body := range map[string]string{"Sum": "s += a[i]\nout[i] = s", "Ahead": "out[i] = a[i] + 1\ns += a[i]", "Guarded": "if a[i] > 0 {\ns += a[i]\nout[i] = s\n}"} {
			list = append(list, trap{"overlap" + name + step,
				"(x *buffers, rows map[int][]int, a, b []int) (s int) {\n" + before + "\nfor i := 0; i < len(out) && i < 9; i++ {\n" + body + "\n}\nreturn s\n}", isRefused})
		}
	}
	for name, code := range map[string]string{ // which the caller may make
		"Params": "(a []int, p, q *int) {\nfor _, v := range a {\n*p += v\n*p += *q\n}\n}", "Slices": "(a, b []int) (s int) {\nfor i, v := range a {\ns += v\nb[i] = s\n}\nreturn s\n}",
		"Fields":  "(x *buffers) (s int) {\nfor i, v := range x.in {\ns += v\nx.out[i] = s\n}\nreturn s\n}",
		"Result":  "(a []int) (s int) {\nq := same(&s)\nfor _, v := range a {\ns += v\ns += *q\n}\nreturn s\n}",
		"Closure": "(a []int, f func(func() *int) *int) (s int) {\nq := f(func() *int { return &s })\nfor _, v := range a {\ns += v\ns += *q\n}\nreturn s\n}",
	} {
		list = append(list, trap{"assumed" + name, code, needsNoAlias})
	}
	return list
}

// panicTraps are loops of which a step may panic in some way, always, or where the state says.
func panicTraps() (list []trap) {
	ways := map[string][2]string{ // an expression of v and i, and the way
		"Bounds": {"b[i]", "bounds"}, "Slice": {"len(b[i:])", "bounds"}, "String": {"int(text[i])", "bounds"}, "Division": {"b[0] / v", "bounds"}, "Quotient": {"7 / v", "division"}, "Rest": {"7 % v", "division"},
		"Shift": {"1 << v", "shift count"}, "Nil": {"*ps[0]", "nil"}, "Field": {"x.n", "nil"}, "Assertion": {"any1.(int)", "type assertion"}, "Key": {"anys[any1]", "map key"},
		"Comparison": {"number(any1 == any2)", "comparison"}, "Call": {"positive(v)", "panic"}, "Callee": {"second(b, i)", "bounds"}, "ToArray": {"[2]int(b)[0]", "bounds"}, "Array": {"arr[i]", "nil"},
	}
	const params = "(x *buffers, a, b []int, arr *[4]int, text string, ps []*int, any1, any2 any, anys map[any]int)"
	for name, way := range ways {
		hasWay := func(f *Finding) string {
			if answered(f) && !slices.Contains(f.Panics, way[1]) {
				return "it may panic by " + way[1]
			}
			return ""
		}
		decided := func(f *Finding) string {
			switch {
			case hasWay(f) != "":
				return hasWay(f)
			case answered(f) && !slices.ContainsFunc(f.Elsewhere, func(s string) bool { return strings.HasPrefix(s, way[1]) }):
				return "the state decides whether it panics by " + way[1]
			}
			return hasNoFix(f)
		}
		list = append(list,
			trap{"panics" + name, params + " (s int) {\nfor i, v := range a {\ns += v + i + " + way[0] + "\n}\nreturn s\n}", hasWay},
			trap{"panicsWhile" + name, params + " (ok bool) {\nok = true\nfor i, v := range a {\nif ok && v + i + " + way[0] + " == 0 {\nok = false\n}\n}\nreturn ok\n}", decided},
			trap{"panicsOnce" + name, params + " (s int) {\nfor i, v := range a {\nif s < 9 {\ns = max(s, v + i + " + way[0] + ")\n}\n}\nreturn s\n}", decided})
	}
	return list
}

// endlessTraps call what does not end for some argument, and may panic in a step before.
func endlessTraps() (list []trap) {
	for name, body := range map[string]string{
		"Halving": "for v != 1 {\nv = v / 2 * 3\nn++\n}", "Forever": "for {\nif n++; n > v {\nbreak\n}\n}", "Wraps": "for i := uint8(0); i <= uint8(v|255); i++ {\nn++\n}",
		"Downward": "for i := uint(v); i >= 0; i-- {\nif i == 77 {\nbreak\n}\nn++\n}", "StepsOver": "for i := 0; i != v; i += 2 {\nn++\n}", "Stands": "for i := 0; i < v; {\nif v&1 == 0 {\ni++\n}\n}",
		"Moves": "for i := 0; i < v; i++ {\ni -= v & 1\nn++\n}", "Bound": "for i := 0; i < v; i++ {\nv += i & 1\nn++\n}", "Bits": "for x := v; x != 0; x >>= 1 {\nn++\n}",
		"Goto": "again:\nif v > 1 {\nv -= n & 1\nn++\ngoto again\n}", "Inner": "for i := 0; i < 3; i++ {\nfor j := v; j != i; j -= 2 {\nn++\n}\n}", "Product": "for i := 1; i < v; i *= v {\nn++\n}", "Float": "for x := float64(v); x < 1e18; x += 1 {\nn++\n}",
		"Recursive": "if v > 1 {\nreturn NAME(v&^1) + 1\n}",
	} {
		callee := "(v int) (n int) {\n" + strings.ReplaceAll(body, "NAME", "callee"+name) + "\nreturn n\n}\n\n"
		says := func(f *Finding) string {
			if answered(f) && len(f.Endless) == 0 {
				return "it is not said that " + name + " may not end"
			}
			return hasNoFix(f)
		}
		list = append(list,
			trap{"endless" + name, "(a, b []int) (t int) {\nfor i, v := range a {\nt += callee" + name + "(v) + b[i]\n}\nreturn t\n}\n\nfunc callee" + name + callee, says},
			trap{"indirect" + name, "(a, b []int) (t int) {\nfor i, v := range a {\nt += by" + name + "(v, b, i)\n}\nreturn t\n}\n\nfunc by" + name + "(v int, b []int, i int) int { return callee" + name + "(v) ^ b[i] }", says})
	}
	return list
}

const trapHeader = `package traps

type keep struct {
	p    *int
	pp   **int
	all  []*int
	m    map[int]*int
	next *keep
	few  [3]*int
	x    any
}

var known *int

type buffers struct {
	in, out []int
	n       int
}

func same(p *int) *int { return p }

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func positive(v int) int {
	if v < 0 {
		panic("negative")
	}
	return v
}

func second(b []int, i int) int { return b[i+1] }

`

// TestTraps finds no false claim about loops that are made of a hazard and a step.
func TestTraps(t *testing.T) {
	list := slices.Concat(aliasTraps(), panicTraps(), endlessTraps())
	var code strings.Builder
	code.WriteString(trapHeader)
	for _, x := range list {
		fmt.Fprintf(&code, "func %s%s\n\n", x.name, x.code)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module traps\n\ngo 1.24\n", "traps.go": code.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found := map[string][]*Finding{}
	for _, f := range inspectFolder(t, dir) {
		found[f.Func] = append(found[f.Func], f)
	}
	answers := 0
	for _, x := range list {
		if len(found[x.name]) == 0 {
			t.Errorf("%s: no loop was seen", x.name)
		}
		for _, f := range found[x.name] {
			if answered(f) {
				answers++
			}
			if strings.HasPrefix(f.Source, "for len(out)") {
				continue
			}
			if wrong := x.check(f); wrong != "" {
				t.Errorf("%s: %s: %s (fix: %s)\n%s", x.name, wrong, f.Message(), f.Fix, x.code)
			}
		}
	}
	t.Logf("%d loops, %d of them with an answer", len(list), answers)
	if len(list) < 150 || answers < 40 {
		t.Errorf("%d loops, of which %d have an answer, are no test", len(list), answers)
	}
}
