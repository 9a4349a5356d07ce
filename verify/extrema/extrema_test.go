package extrema

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
)

// sides parses two terms over variables that are declared as in "x0:u8,b:bool".
func sides(t testing.TB, types, left, right string) (a, b ir.Expr) {
	t.Helper()
	pool, vars := ir.NewPool(), map[string]ir.Expr{}
	for i, declared := range strings.Split(types, ",") {
		name, typ, _ := strings.Cut(declared, ":")
		vars[name] = pool.Var(ir.Leaf, name, i, ir.ParseType(typ))
	}
	scope := ir.Scope{Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }}
	var err error
	if a, err = ir.ParseExpr(pool, scope, ir.Invalid, left); err == nil {
		b, err = ir.ParseExpr(pool, scope, a.Type(), right)
	}
	if err != nil {
		t.Fatalf("%s = %s: %v", left, right, err)
	}
	return a, b
}

func TestRecorded(t *testing.T) {
	data, err := os.ReadFile("testdata/equations.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		a, b := sides(t, f[0], f[3], f[4])
		steps := 0
		s := time.Now()
		if err := Equal(a, b, assumed(t, f[1]), func(n int) { steps += n }); err != nil {
			t.Errorf("%s = %s: %v", a, b, err)
		}
		if d := time.Since(s); d > time.Millisecond {
			t.Logf("%v %d steps %.100s", d, steps, f[3])
		}
	}
}

func assumed(t testing.TB, names string) ir.Assume {
	a, err := ir.ParseAssume(names)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
