package golang

import (
	"cmp"
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/exec"
)

var (
	executed = flag.String("packages", "unicode/utf8,math/big,sort,hash/adler32,image/jpeg,compress/bzip2", "packages whose loops are executed, separated by commas")
	dir      = flag.String("dir", ".", "the directory in which the packages are named")
	rounds   = flag.Int("rounds", 200, "steps of each loop")
)

// TestDifferential executes steps of every loop that is read, on random states and inputs, and compares
// them with the update.
func TestDifferential(t *testing.T) {
	packages, problems, err := Load(t.Context(), *dir, false, strings.Split(*executed, ",")...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Log(p)
	}
	read, ran, steps, reasons := 0, 0, 0, map[string]int{}
	elsewhere := map[string]*ssa.Function{}
	for _, p := range packages {
		p.build() // imports first
		known(p, elsewhere)
		loops, _, err := readLoops(p, directives{})
		if err != nil {
			t.Error(err)
			continue
		}
		for i, l := range loops {
			if l.Update == nil {
				for _, o := range l.Obstacles {
					if strings.HasPrefix(o.Detail, "internal: ") {
						t.Errorf("%s: %s", p.Fset.Position(l.Pos()), o)
					}
				}
				continue
			}
			read++
			res := exec.Check(l, p.Sizes, elsewhere, uint64(i), *rounds)
			switch {
			case res.Err != nil:
				t.Errorf("%s: %v", p.Fset.Position(l.Pos()), res.Err)
			case res.Steps > 0:
				ran++
				steps += res.Steps
			default:
				reasons[res.Reason]++
				t.Logf("%s: not executed: %s", p.Fset.Position(l.Pos()), res.Reason)
			}
		}
	}
	t.Logf("%d packages, %d loops read, %d executed in %d steps", len(packages), read, ran, steps)
	for _, why := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return cmp.Compare(reasons[b], reasons[a]) }) {
		t.Logf("%5d not executed: %s", reasons[why], why)
	}
	if read == 0 || 20*(read-ran) > read && read > 20 {
		t.Errorf("%d of %d loops were not executed, more than one in twenty", read-ran, read)
	}
}

// known adds the functions of a package, and of those that it imports, that the reader writes in the notation.
func known(p *Package, elsewhere map[string]*ssa.Function) {
	for _, f := range p.functions {
		if name := f.RelString(nil); p.facts.Of(name).Body != nil {
			elsewhere[name] = f
		}
	}
	for _, imported := range p.imports {
		if imported.functions != nil { // else it was looked at before
			known(imported, elsewhere)
		}
	}
}
