package golang

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/golang/internal/exec"
	"github.com/rfactor-go/rfactor/internal/suite"
)

// TestGenerated reads loops of generated functions, and executes steps of them.
func TestGenerated(t *testing.T) {
	for seed := range uint64(suite.More(1, 2)) {
		checkGenerated(t, seed, 40)
	}
}

func FuzzGenerated(f *testing.F) {
	for seed := range uint64(suite.More(2, 4)) {
		f.Add(1000 + seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkGenerated(t, seed, 40) })
}

func checkGenerated(t *testing.T, seed uint64, functions int) {
	t.Helper()
	g := &generator{rng: rand.New(rand.NewPCG(seed, 7))}
	dir := t.TempDir()
	source := g.file(functions)
	for name, text := range map[string]string{"go.mod": "module generated\n\ngo 1.26\n", "f.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	packages, problems, err := Load(t.Context(), dir, false, ".")
	if err != nil || len(problems) > 0 || len(packages) != 1 {
		t.Fatalf("seed %d: %v %v\n%s", seed, err, problems, source)
	}
	p := packages[0]
	loops, _, err := readLoops(p, directives{})
	if err != nil {
		t.Fatal(err)
	}
	read, ran := 0, 0
	for i, l := range loops {
		if !l.Carried {
			continue
		}
		if l.Update == nil {
			for _, o := range l.Obstacles {
				if strings.HasPrefix(o.Detail, "internal: ") {
					t.Errorf("seed %d: %s: %s", seed, p.Fset.Position(l.Pos()), o)
				}
			}
			continue
		}
		read++
		res := exec.Check(l, p.Sizes, nil, seed+uint64(i), 100)
		if res.Steps > 0 {
			ran++
		}
		if res.Err != nil {
			lines := strings.Split(source, "\n")
			at := p.Fset.Position(l.Pos()).Line
			t.Errorf("seed %d: %v\n%s", seed, res.Err, strings.Join(lines[max(0, at-6):min(len(lines), at+25)], "\n"))
		}
	}
	t.Logf("seed %d: %d loops, %d read, %d executed", seed, len(loops), read, ran)
	if read < functions/4 || ran < read*9/10 {
		t.Errorf("seed %d: of %d loops %d were read, %d executed", seed, len(loops), read, ran)
	}
}

// generator writes functions with a loop: nested conditions, several exits, labels, shadowing.
type generator struct {
	rng    *rand.Rand
	text   strings.Builder
	depth  int
	typ    string // of the state s, t, of the elements a[i] and of k
	locals []string
	memory bool // statements store
}

var elementTypes = []string{"int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}

func (g *generator) pick(words ...string) string { return words[g.rng.IntN(len(words))] }

func (g *generator) isFloat() bool { return strings.HasPrefix(g.typ, "float") }

func (g *generator) file(functions int) string {
	g.text.WriteString("package generated\n\nimport (\n\t\"math\"\n\t\"math/bits\"\n)\n\nvar _, _ = math.Max, bits.Len\n\n")
	g.text.WriteString("type pair[T any] struct{ x, y T }\n\ntype list[T any] struct{ items []T }\n\nfunc twice[T int | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](x T) T { return x + x }\n\n")
	for _, t := range elementTypes {
		g.text.WriteString(strings.ReplaceAll(helpers, "TYPE", t))
	}
	for i := range functions {
		g.function(i)
	}
	return g.text.String()
}

// helpers are functions that calls of the state are read through, at each type.
const helpers = `
func clampTYPE(x, lo, hi TYPE) TYPE {
	if lo > hi && lo != lo-1 {
		panic("clamp")
	}
	switch {
	case x < lo:
		return lo
	case x > hi:
		x := hi
		return x
	}
	return x
}

func largerTYPE(x, y TYPE, ok bool) (TYPE, bool) {
	p := pair[TYPE]{x, y}
	if p.x < p.y {
		return y, !ok
	}
	return x, ok
}

func orderTYPE(x, y TYPE, ok bool) (TYPE, bool) {
	if x < y || ok && x == y {
		return y, false
	}
	return x, clampTYPE(x, y, x) == y
}
`

func (g *generator) line(format string, args ...any) {
	g.text.WriteString(strings.Repeat("\t", g.depth) + fmt.Sprintf(format, args...) + "\n")
}

func (g *generator) function(i int) {
	g.typ, g.locals = elementTypes[g.rng.IntN(len(elementTypes))], nil
	g.memory = g.rng.IntN(2) == 0
	g.line("func f%d(a, b, c []%s, p []pair[%s], q *pair[%s], f []bool, n int, k %s, s, t %s, ok bool, l *list[%s]) (%s, %s, bool, []%s, int) {", i, g.typ, g.typ, g.typ, g.typ, g.typ, g.typ, g.typ, g.typ, g.typ)
	g.depth++
	g.line("var out []%s", g.typ)
	g.line("at := n")
	label := g.rng.IntN(3) == 0
	if label {
		g.depth--
		g.line("loop:")
		g.depth++
	}
	g.line("%s {", g.pick("for i := range a", "for i := 0; i < n; i++", "for i := n; i >= 0; i -= 2", "for i, v := range a", "for i := 0; i < len(a); i += 3", "for i := range n"))
	g.depth++
	if strings.Contains(g.text.String()[g.text.Len()-40:], "i, v") {
		g.line("_ = v")
	}
	g.line("_ = i")
	if label {
		g.line("if n == 77 {\n\t\t\tcontinue loop\n\t\t}")
	}
	g.statements(2+g.rng.IntN(3), label)
	g.depth--
	g.line("}")
	g.line("return s, t, ok, out, at")
	g.depth--
	g.line("}\n")
}

func (g *generator) statements(n int, label bool) {
	locals := len(g.locals)
	for range n {
		g.statement(label)
	}
	g.locals = g.locals[:locals]
}

// structure writes statements on a struct variable of the step.
func (g *generator) structure() {
	g.line("{")
	g.depth++
	g.line("w := %s", g.pick("pair["+g.typ+"]{"+g.expr(1)+", "+g.expr(1)+"}", "pair["+g.typ+"]{y: "+g.expr(1)+"}", "*q", "pair["+g.typ+"]{}"))
	g.line("if %s {", g.condition(1))
	g.line("\t%s = %s", g.pick("w.x", "w.y"), g.expr(1))
	if g.rng.IntN(2) == 0 {
		g.line("} else if %s {", g.condition(1))
		g.line("\tw = pair[%s]{w.y, w.x}", g.typ)
	}
	g.line("}")
	g.line("%s = w.x + %s", g.pick("s", "t"), g.expr(1))
	if g.rng.IntN(2) == 0 {
		g.line("v := w")
		g.line("v.x %s %s", g.pick("+=", "-="), g.expr(1))
		g.line("%s = v.%s", g.pick("s", "t"), g.pick("x", "y"))
	}
	g.line("_ = w.y")
	g.depth--
	g.line("}")
}

// complex writes statements on complex numbers of the type.
func (g *generator) complex() {
	g.line("{")
	g.depth++
	g.line("z, u := complex(%s, t), complex(%s, %s)", g.pick("s", "k"), g.expr(1), g.expr(1))
	g.line("z = %s", g.pick("z + u", "z - u", "z * u", "-z", "u*u - z", "u"))
	g.line("if z %s u || %s {", g.pick("==", "!="), g.condition(1))
	g.line("\tz = -u + 2i")
	g.line("}")
	g.line("s, t = real(z), imag(z)")
	g.depth--
	g.line("}")
}

func (g *generator) statement(label bool) {
	switch r := g.rng.IntN(18); {
	case r < 5:
		g.line("%s = %s", g.pick("s", "t", "s"), g.expr(3))
	case r < 6:
		g.line("%s %s %s", g.pick("s", "t"), g.pick("+=", "-=", "*="), g.expr(2))
	case r == 6 && g.memory:
		switch g.rng.IntN(6) {
		case 0:
			g.line("out = append(out, %s)", g.expr(2))
		case 1:
			g.line("l.items = append(l.items, %s, %s)", g.expr(1), g.expr(1))
		case 2:
			g.line("c[at] = %s", g.expr(2))
			g.line("at++")
		case 3:
			g.line("out = append(out, %s...)", g.pick("b[i:]", "a[2:i]", "b", "b[i:n]"))
		default:
			g.line("%s = %s", g.pick("q.x", "q.y", "c[i]", "q.x"), g.expr(2))
		}
	case r == 7 && g.rng.IntN(3) == 0:
		g.line("s, ok = %s%s(%s, %s, ok)", g.pick("larger", "order"), g.typ, g.expr(1), g.expr(1))
	case r == 7:
		g.line("ok = %s", g.condition(2))
	case r == 8: // a local variable, which may shadow the state
		name := g.pick("s", "x", "y")
		g.line("{")
		g.depth++
		g.line("%s := %s", name, g.expr(2))
		if name != "s" {
			g.locals = append(g.locals, name)
		}
		g.line("t = %s + %s", name, g.expr(1))
		if name != "s" {
			g.locals = g.locals[:len(g.locals)-1]
		}
		g.depth--
		g.line("}")
	case r == 16:
		g.structure()
	case r == 17 && g.isFloat():
		g.complex()
	case r < 13 && g.depth < 6:
		g.line("if %s {", g.condition(2))
		g.block(label)
		if g.rng.IntN(2) == 0 {
			g.line("} else {")
			g.block(label)
		}
		g.line("}")
	case r == 13 && g.depth < 6:
		g.line("switch {")
		for range 1 + g.rng.IntN(3) {
			g.line("case %s:", g.condition(1))
			g.block(label)
		}
		g.line("}")
	case r == 14:
		g.line("if %s {", g.condition(1))
		exits := []string{"continue", "break", "return s, t, ok, out, at"}
		if label {
			exits = append(exits, "continue loop", "break loop")
		}
		g.depth++
		g.line("%s", exits[g.rng.IntN(len(exits))])
		g.depth--
		g.line("}")
	default:
		g.line("s, t = t, %s", g.expr(2))
	}
}

func (g *generator) block(label bool) {
	g.depth++
	g.statements(1+g.rng.IntN(2), label)
	g.depth--
}

func (g *generator) expr(depth int) string {
	if depth == 0 || g.rng.IntN(4) == 0 {
		if len(g.locals) > 0 && g.rng.IntN(3) == 0 {
			return g.locals[g.rng.IntN(len(g.locals))]
		}
		return g.pick("s", "t", "a[i]", "b[i]", "k", "p[i].x", "p[i].y", "q.x", "q.y", g.typ+"(i)", "(k + 1)", "(s + 3)", "(t - 1)")
	}
	a, b := g.expr(depth-1), g.expr(depth-1)
	if g.rng.IntN(6) == 0 {
		return fmt.Sprintf("%s(%s, %s)", g.pick("min", "max"), a, g.typ+"("+b+")")
	}
	if g.rng.IntN(12) == 0 {
		return fmt.Sprintf("twice[%s](%s)", g.typ, a)
	}
	if g.rng.IntN(12) == 0 {
		return fmt.Sprintf("clamp%s(%s, %s, %s)", g.typ, a, b, g.pick("k", "s", "b[i]"))
	}
	if g.isFloat() {
		switch g.rng.IntN(6) {
		case 0:
			return fmt.Sprintf("%s(math.%s(float64(%s)))", g.typ, g.pick("Abs", "Sqrt", "Floor", "Ceil"), a)
		case 1:
			return fmt.Sprintf("%s(math.%s(float64(%s), float64(%s)))", g.typ, g.pick("Max", "Min"), a, b)
		}
		return fmt.Sprintf("(%s %s %s)", a, g.pick("+", "-", "*", "/"), b)
	}
	switch g.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("<<", ">>"), g.pick("uint8(k)", "uint64(a[i])", "3", "uint(i)", "uint16(t)"))
	case 1:
		return fmt.Sprintf("(%s %s (%s | 1))", a, g.pick("/", "%"), "b[i]")
	case 2:
		return fmt.Sprintf("%s(bits.%s(uint64(%s)))", g.typ, g.pick("OnesCount64", "Len64", "TrailingZeros64", "Reverse64", "LeadingZeros64"), a)
	case 3:
		return fmt.Sprintf("%s(%s(%s))", g.typ, elementTypes[g.rng.IntN(9)], g.typ+"("+a+")")
	case 4:
		return fmt.Sprintf("(^%s)", g.typ+"("+a+")")
	case 5:
		return fmt.Sprintf("%s(bits.RotateLeft64(uint64(%s), int(%s)))", g.typ, g.typ+"("+a+")", g.typ+"("+b+")")
	}
	return fmt.Sprintf("(%s %s %s)", a, g.pick("+", "-", "*", "&", "|", "^", "&^"), b)
}

func (g *generator) condition(depth int) string {
	if depth > 0 && g.rng.IntN(3) == 0 {
		return fmt.Sprintf("(%s %s %s)", g.condition(depth-1), g.pick("&&", "||", "==", "!="), g.condition(depth-1))
	}
	switch g.rng.IntN(5) {
	case 0:
		return "ok"
	case 1:
		return "!f[i]"
	}
	return fmt.Sprintf("(%s %s %s)", g.pick("s", "t", "a[i]", "k"), g.pick("<", "<=", ">", ">=", "==", "!="), g.expr(1))
}
