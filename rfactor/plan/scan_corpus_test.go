package plan

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scans"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
)

var anything = Options{Match: rfactor.Options{Allowed: ir.AllAssumptions}}

// nearlyEqual compares outputs: bit by bit, but for floats where these may differ by rounding.
func nearlyEqual(a, b map[string]*ndarray.Array, exact bool) string {
	for name, x := range a {
		y := b[name]
		if y == nil || fmt.Sprint(x.Dims) != fmt.Sprint(y.Dims) {
			return fmt.Sprintf("%s has the dimensions %v and %v", name, x.Dims, y)
		}
		for c, t := range x.Types() {
			xs, ys := x.Elements(c), y.Elements(c)
			for i := range xs.Len() {
				v, w := xs.At(i), ys.At(i)
				if v == w || t.IsFloat() && !exact && close(ir.Float(t, v), ir.Float(t, w)) {
					continue
				}
				return fmt.Sprintf("element %d of %s[%d] is %v, wanted %v", i, name, c, show(t, v), show(t, w))
			}
		}
	}
	return ""
}

func show(t ir.Type, v uint64) any {
	if t.IsFloat() {
		return ir.Float(t, v)
	}
	return int64(v)
}

func corpusOfScans(t *testing.T) []scans.Line {
	f, err := os.Open("../../testdata/corpus/scans.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := scans.Read(f)
	if err != nil || len(lines) < 30 {
		t.Fatal(len(lines), err)
	}
	return lines
}

// TestScans keeps every state of every line of the corpus, in tiles and with trees that are drawn, and compares with the
// serial loop. Another order of the tiles gives the same bytes.
func TestScans(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for _, l := range corpusOfScans(t) {
		t.Run(l.Name, func(t *testing.T) {
			for round := range suite.More(3, 6) {
				tile := []int{1, 2, 3, 7, 16, 64}[round]
				schedule := fmt.Sprintf("f.update(0).scan(r, %d).parallel(r)", tile)
				if lanes := []int{1, 2, 2, 4, 16, 8}[round]; lanes > 1 {
					schedule += fmt.Sprintf(".vectorize(r, %d)", lanes)
				}
				scanned(t, rng, l, l.Recurrence()+schedule+";\n")
			}
		})
	}
}

func scanned(t *testing.T, rng *rand.Rand, l scans.Line, text string) {
	prog := parseText(t, l.Name+".rf", text)
	p, err := Factor(t.Context(), prog, anything)
	if strings.HasPrefix(l.Today, "refused") {
		if err == nil || !strings.Contains(err.Error(), "scan: f.update(0) has no associative operator: ") {
			t.Fatalf("%v\n%s", err, text)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	a := p.Answers[prog.Definitions()[0]]
	if a == nil || p.Stages[1].Scan == nil {
		t.Fatalf("no scan:\n%s", p)
	}
	exact := a.Assumes == 0
	for _, n := range []int{0, 1, 2, 15, 16, 17, 150} {
		in := &Inputs{}
		in.Arrays, in.Params = scans.Draw(rng, prog, n, exact)
		want, err := RunSerial(prog, anything, in)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got, err := p.Run(in, rng.Uint64())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := nearlyEqual(got, want, exact); d != "" {
			t.Fatalf("%d elements: %s\n%s\n%s", n, d, text, p)
		}
		again, err := p.Run(in, rng.Uint64())
		if err != nil || nearlyEqual(again, got, true) != "" {
			t.Fatalf("%d elements, in another order of tiles: %v\n%s", n, err, text)
		}
	}
}
