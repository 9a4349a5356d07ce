package mutants

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/ir"
)

// corpus has an answer of every sort: proven by cases, by way of a lemma, under assumptions,
// given an invariant, lifted, refused with values.
const corpus = "count\tt\tx0:i32,y0:bool\tselect(y0, x0 + 1, x0)\n" +
	"argmin\tt\tx0:u8,x1:i32,y0:u8,r:i32\tmin(x0, y0); select(x0 < y0, x1, r)\n" +
	"fsum\tt\tx0:f32,y0:f32\tx0 + y0\n" +
	"two\tt\tx0:i32,x1:i32,y0:i32,k0:i32\tx0 + y0*k0; max(x1, y0)\n" +
	"clamp\tt\tx0:i32,y0:i32\tmax(x0 + y0, 0)\n" +
	"horner\tt\tx0:i32,k0:i32,y0:i32\tx0*k0 + y0\n" +
	"product\tt\tx0:i32,y0:i32,y1:i32\tselect(y1*y0 > x0, y0*y1, x0)\n" +
	"shift\tt\tx0:i64\tx0 >> 7\n" +
	"odd\tt\tx0:i8,y0:i8\tx0 ^ (x0 & y0) ^ max(x0, y0)\n" +
	"staged\tt\tx0:i32,x1:i32,y0:i32\tx0 + y0; select(x0 + y0 > 9, 3*x1, x1 + 1)\n" +
	"twice\tt\tx0:i32,x1:i32,x2:i32,y0:i32\tx0 + y0; select(x0 > 9, 3*x1, x1 + 1); max(x2, x1 ^ x0)\n"

// few are the answers to the corpus, and to programs whose invariant is inferred, one of them by a lift.
func few(t *testing.T) *answers {
	t.Helper()
	file := filepath.Join(t.TempDir(), "corpus.tsv")
	if err := os.WriteFile(file, []byte(corpus), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := load(context.Background(), []string{file, "../../testdata/programs/second-minimum.rf", "testdata/remainder.rf", "testdata/clock.rf"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAnswersHold(t *testing.T) {

	for _, a := range few(t).all {
		if err := check(a.text); err != nil {
			t.Errorf("%s: %v", a.from, err)
		}
		if v := claims.Judge(a.text, claims.Quick); v.Outcome != claims.True {
			t.Errorf("%s: %s\n%s", a.from, v, a.text)
		}
	}
}

// TestKinds makes mutants in every way: each way must change some answer, and the same
// numbers must make the same mutant.
func TestKinds(t *testing.T) {
	s := few(t)
	for i := range kinds {
		k := &kinds[i]
		made := map[string]bool{}
		for n := range uint64(20) {
			m, ok := s.mutateBy(k, rand.New(rand.NewPCG(n, 1)))
			again, _ := s.mutateBy(k, rand.New(rand.NewPCG(n, 1)))
			if !bytes.Equal(m.text, again.text) || m.what != again.what {
				t.Errorf("%s: two mutants of one number", k.name)
			}
			if ok && bytes.Equal(m.text, m.of.text) {
				t.Errorf("%s: %s changes nothing", k.name, m.what)
			}
			if ok {
				made[string(m.text)] = true
			}
		}
		if len(made) < 3 {
			t.Errorf("%s makes %d mutants", k.name, len(made))
		}
	}
}

// TestForgery checks that a fact is changed wherever it stands, in the numbers of each group.
func TestForgery(t *testing.T) {
	s := few(t)
	for _, a := range s.claims {
		if !strings.HasPrefix(a.from, "corpus.tsv:4") { // two groups
			continue
		}
		for n := range uint64(30) {
			m := &maker{Rand: rand.New(rand.NewPCG(n, 2)), answers: s, of: a, tree: a.tree.Clone()}
			if what := m.changeOperator(true); strings.HasPrefix(what, "operator[1]") {
				whole := m.tree.At("operator", "exprs").Texts()[1]
				part := m.tree.At("proof", "certificate", "groups").Items[1].Get("operator").Texts()[0]
				if want := strings.NewReplacer("x1", "x0", "y1", "y0").Replace(whole); part != want {
					t.Errorf("%s: the group has %s, want %s", what, part, want)
				}
				return
			}
		}
	}
	t.Error("no mutant changes the second component")
}

// TestChanged checks that a changed expression has the type of the old one and differs from it.
func TestChanged(t *testing.T) {
	p := ir.NewPool()
	x, y, b, f := p.X(0, ir.I32), p.Y(0, ir.I32), p.Y(1, ir.Bool), p.Y(2, ir.F32)
	e := ir.SelectOf(ir.AndOf(b, ir.LtOf(x, p.Int(ir.I32, 7))), ir.CastTo(ir.I32, ir.MulOf(f, f)), ir.MinOf(x, ir.SubOf(y, x)))
	rng := rand.New(rand.NewPCG(5, 6))
	seen := map[ir.Expr]bool{}
	for range 2000 {
		c := changed(rng, e, []ir.Expr{x, y, b, f})
		if c.IsValid() && (c == e || c.Type() != e.Type()) {
			t.Fatalf("%s for %s", c, e)
		}
		seen[c] = true
	}
	if len(seen) < 200 {
		t.Errorf("%d expressions", len(seen))
	}
}

// TestMeasure runs some mutants through checker and judge, and counts them.
func TestMeasure(t *testing.T) {
	table := measure(context.Background(), few(t), 200, 2, 7, io.Discard)
	var total row
	for _, r := range table.rows {
		total.sum(r)
	}
	if total.mutants < 200 || total.rejected < 100 || total.falsifying < 60 || total.panics > 0 {
		t.Errorf("%+v", total)
	}
	var out bytes.Buffer
	table.print(&out)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for _, l := range lines {
		if strings.Count(l, "\t") != strings.Count(lines[0], "\t") {
			t.Errorf("columns of %q", l)
		}
	}
	if !strings.HasPrefix(lines[len(lines)-1], "total\t") {
		t.Errorf("no totals in\n%s", out.String())
	}
}

// A parameter that a lift has twice is one too many: the judge and the checker say so, and of nothing else.
func TestParameterTooMany(t *testing.T) {
	found := 0
	for _, a := range few(t).lifts {
		if a.tree.Get("least") == nil {
			continue
		}
		found++
		m := &maker{Rand: rand.New(rand.NewPCG(1, 1)), of: a, tree: a.tree.Clone()}
		if m.addParameter() == "" {
			t.Fatalf("%s: no parameter is added", a.from)
		}
		line := m.tree.Bytes()
		if v := claims.Judge(line, claims.Quick); v.Outcome != claims.False || v.Clause != "least" {
			t.Errorf("%s: %s", a.from, v)
		}
		if err := check(line); err == nil || !strings.HasPrefix(err.Error(), "least: ") {
			t.Errorf("%s: %v", a.from, err)
		}
		m.tree.Delete("least")
		m.tree.At("proof", "certificate", "lift").Delete("least")
		if err := check(m.tree.Bytes()); err != nil {
			t.Errorf("%s without least: %v", a.from, err)
		}
	}
	if found == 0 {
		t.Error("no lift is least")
	}
}
