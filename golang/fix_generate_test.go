package golang

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
)

// TestFixGenerated replaces loops of generated functions: all that is replaced compiles, and the tests beside them pass.
func TestFixGenerated(t *testing.T) {
	dir := t.TempDir()
	g := &generator{rng: rand.New(rand.NewPCG(11, 7))}
	for name, text := range map[string]string{"go.mod": "module generated\n\ngo 1.26\n", "f.go": g.file(suite.More(25, 60))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	findings := inspectFolder(t, dir)
	var offered []*Finding
	for _, f := range findings {
		if f.HasFix() {
			offered = append(offered, f)
		}
	}
	changes, err := SettleFixes(t.Context(), dir, findings, true)
	if err != nil {
		t.Fatal(err)
	}
	writeChanges(t, changes)
	for _, f := range offered {
		if !f.HasFix() {
			t.Errorf("%s: %s", f.Pos, f.Fix)
		}
	}
	t.Logf("%d loops, %d replaced", len(findings), len(offered))
	runIn(t, dir, "go", "test", "-vet=off", ".")
}

// searches generates functions with a loop that carries nothing, and ends at several places or none.
type searches struct{ rng *rand.Rand }

func (g *searches) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

// condition is one that does not hold often, of numbers of which most are small.
func (g *searches) condition() string {
	left := g.pick("v", "v", "w", "a[i]", "b[i%len(b)]", "v^i", "x/v", "w%v")
	return left + g.pick(" == ", " > ", " < ") + g.pick("x", "-x", "9", "0", "x+i", "77")
}

// end ends the loop; in a switch a break does not.
func (g *searches) end(inSwitch bool) string {
	text := ""
	if g.rng.IntN(3) == 0 {
		text = g.pick("r += v\n", "x = i\n", "b[0]++\n", "if v > 3 {\nreturn w, i\n}\n", "for j := range b {\nif j > i {\nbreak\n}\nr++\n}\n", "if w == 3 {\ncontinue\n}\n")
	}
	if !inSwitch && g.rng.IntN(3) == 0 {
		return text + "r = w + i\nbreak\n"
	}
	return text + g.pick("return i, v\n", "return v, r\n", "panic(i)\n", "r = i\nreturn\n")
}

func (g *searches) statements(depth int, inSwitch bool) string {
	text := ""
	for range 1 + g.rng.IntN(2) {
		switch k := g.rng.IntN(6); {
		case k == 0 && depth > 0:
			text += "switch {\ncase " + g.condition() + ":\n" + g.statements(depth-1, true) + "case " + g.condition() + ":\n" + g.end(true) + "}\n"
		case k == 1 && depth > 0:
			text += "if " + g.condition() + " {\n" + g.statements(depth-1, inSwitch) + "} else if " + g.condition() + " {\n" + g.end(inSwitch) + "}\n"
		case k == 2:
			text += "if " + g.condition() + " {\ncontinue\n}\n"
		default:
			text += "if " + g.condition() + " {\n" + g.end(inSwitch) + "}\n"
		}
	}
	return text
}

func (g *searches) function(name string) string {
	header := g.pick("for i, v := range a {", "for i := range a {\nv := a[i]", "for i := 0; i < len(a); i++ {\nv := a[i]", "for i := len(a) - 1; i >= 0; i-- {\nv := a[i]",
		"for i := x; i <= len(a)-2; i += 3 {\nv := a[i]", "for i := range len(a) {\nv := a[i]")
	return "func " + name + "(a, b []int, x int) (r, s int) {\n" + header + " // fixed\nw := v*3 ^ x\n" + g.statements(2, false) + "if w == x {\n" + g.end(false) + "}\n}\nreturn r, x\n}\n\n"
}

// TestFixSearches replaces generated searches, and compares what functions return, panic with and store with what they did before.
func TestFixSearches(t *testing.T) {
	n := suite.More(25, 60)
	dir := t.TempDir()
	g := &searches{rand.New(rand.NewPCG(3, 8))}
	text, list := "package fix\n\n", ""
	for i := range n {
		text += g.function(fmt.Sprint("F", i))
		list += fmt.Sprintf("{fix.F%d, before.F%d},\n", i, i)
	}
	test := regexp.MustCompile(`(?s)(var functions = \[\]\[2\]any\{\n).*?\n\}`).ReplaceAllString(readFile(t, "testdata/fix/same/same_test.go"), "${1}"+list+"}")
	test = strings.NewReplacer("range uint64(12)", "range uint64(6)", "len(outcomes[which]) < 2", "outcomes[which] == nil").Replace(test)
	for name, text := range map[string]string{"go.mod": "module fix\n\ngo 1.24\n", "f.go": text, "before/f.go": text, "same/same_test.go": test} {
		writeChanges(t, []Change{{File: filepath.Join(dir, name), After: []byte(text)}})
	}
	findings := inspectFolder(t, dir)
	changes, err := SettleFixes(t.Context(), dir, findings, false)
	if err != nil {
		t.Fatal(err)
	}
	replaced := 0
	for _, f := range findings {
		if f.HasFix() {
			replaced++
		} else {
			t.Logf("%s: %s %s", f.Func, f.Verdict, f.Fix)
		}
	}
	if replaced < n/2 {
		t.Errorf("%d of %d loops were replaced", replaced, n)
	}
	for _, c := range changes {
		c.After = []byte(shorten(string(c.After)))
		writeChanges(t, []Change{c})
	}
	runIn(t, dir, "go", "test", "-vet=off", "./same")
}
