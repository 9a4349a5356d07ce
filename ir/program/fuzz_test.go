package program

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/internal/irtest"
)

// genScope is what random expressions mention.
func genScope(p *ir.Pool) Scope {
	vars := irtest.Vars(p)
	return Scope{
		Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok },
		Call: func(name string, _ int) (ir.Type, bool) {
			t := ParseType(strings.TrimPrefix(name, "c_"))
			return t, t != ir.Invalid
		},
	}
}

// Whatever is printed parses back to the same expression.
func FuzzRoundTrip(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(seed), uint8(1+seed*3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, typ, size uint8) {
		p := ir.NewPool()
		e := irtest.Expr(rand.New(rand.NewPCG(seed, 1)), p, irtest.Types[int(typ)%len(irtest.Types)], int(size))
		text := e.String()
		if strings.Contains(text, "…") {
			t.Skip()
		}
		back, err := ParseExpr(p, genScope(p), e.Type(), text)
		if err != nil {
			t.Fatalf("%s\ndoes not parse: %v", text, err)
		}
		if back != e {
			t.Fatalf("%s\nreads back as\n%s", text, back)
		}
	})
}

// No text makes the parser panic, and every error lies in the text.
func FuzzParse(f *testing.F) {
	for _, l := range corpus(f)[:40] {
		f.Add(l.Types, l.Exprs)
	}
	for _, s := range []string{
		"f() = select(P(r), f() + 1, f())", "Func f; RDom r(0, 10); f() = 0; f() += r; f.update(0).parallel(r)",
		"f() = {f()[0], f()[1", "ImageParam in({UInt(8), Int(32)}, 2, \"in\");", "Tuple t = {1, 2}; f() = t", "r.where(",
		"int n = 3; Func g = f.update(0).rfactor({{r.x, u}}, v)", "f(x)+=\x00", "é", "1e999", "0x", "cast<", "UInt(8).max()", "a.b.c(1).d",
		"f(r) = {f(r - 1)[0] + in(r), f(r - 4)[1]}", "s(x, r) += s(x, r - 1); s.update(0).scan(r, 8).parallel(r)", "f(n - 1 - r) = f(n - r)", "f(r.x + 1, r.y) = f(r.x, r.y - 1)",
		"let t = x0 in t*t", "t := x0; x0 := t + 1", "f() = {t := f(); t[0], t[1]}", "table(x0, 1, -2)", "f() = select", "quo(x0, 3) + rotl(x0, x0)",
		"x0:i32, y0:f64\nx0 + i32(y0)", "x0 + y0 && r.x ** 2", "if x0 =< y0 then x0", "x[0] &&& a[i]; {x0, x1}", "x0 := mx(x0, y0)", "f() = selct(P(r), f(), 1)",
	} {
		f.Add("x0:i32", s)
		f.Add("", s)
	}
	for _, text := range slices.Concat(malformedUpdates, malformedFront, malformedPrograms) {
		f.Add("x0:i32,x1:i32,y0:i32", text)
	}
	f.Fuzz(func(t *testing.T, types, text string) {
		if len(types)+len(text) > 1<<16 {
			t.Skip()
		}
		u, err := ParseUpdate(ir.NewPool(), types, text)
		checkErrors(t, err, types, text)
		if err == nil {
			ir.Strings(u.Values)
		}
		pr, err := ParseProgram(ir.NewPool(), "p.rf", text, ir.I32)
		checkErrors(t, err, text, text)
		if err == nil {
			for _, d := range pr.Definitions() {
				ir.Strings(d.Update().Values)
			}
		}
		if front, update := CutTypes(text); front+update != text {
			t.Fatalf("%q is cut into %q and %q", text, front, update)
		}
		if tree := newTree(&ir.Source{Text: text}); IsAbstract(text) && checkSource(tree.src) == nil {
			stmts := newParser(tree).statements()
			if len(tree.errs) == 0 {
				newBuilder(tree, ir.NewPool(), stmts, ir.I32).build()
			}
			if len(tree.errs) == 0 {
				t.Fatalf("%q is a program", text)
			}
		}
		if _, err := ParseUpdate(ir.NewPool(), "", text); err != nil {
			checkErrors(t, err, text)
			if m := guessText.FindStringSubmatch(err.Error()); m != nil && !strings.Contains(m[1], "TYPE") && !strings.Contains(m[1], "…") {
				if _, err := ParseUpdate(ir.NewPool(), m[1], text); err != nil {
					t.Fatalf("%q: -types %s: %v", text, m[1], err)
				}
			}
		}
	})
}

// guessText finds the types that an error offers.
var guessText = regexp.MustCompile(`the types are missing: -types (\S+), or`)

func checkErrors(t *testing.T, err error, texts ...string) {
	if err == nil {
		return
	}
	list, ok := err.(ir.ErrorList)
	if !ok || len(list) == 0 || len(list) > MaxErrors {
		t.Fatalf("%T of %d errors", err, len(list))
	}
	for _, e := range list {
		in := false
		for _, text := range texts {
			lines := strings.Split(text, "\n")
			in = in || e.Line >= 1 && e.Line <= len(lines) && e.Col >= 1 && e.Col <= len(lines[e.Line-1])+1
		}
		if !in || e.Msg == "" {
			t.Fatalf("%d:%d lies outside of the text: %v", e.Line, e.Col, e)
		}
		_ = e.Error()
	}
}
