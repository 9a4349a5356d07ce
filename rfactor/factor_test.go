package rfactor

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

var rewritePlans = flag.Bool("golden", false, "rewrite the golden files")

func readProgram(t *testing.T, file string) *ir.Program {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return parseText(t, filepath.Base(file), string(text))
}

func parseText(t *testing.T, name, text string) *ir.Program {
	t.Helper()
	p, err := ir.ParseProgram(ir.NewPool(), name, text, ir.Invalid)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var plain = FactorOptions{Match: Options{Allowed: ir.DefaultAssumptions}}

// The plans of the listings, as loop nests.
func TestPlans(t *testing.T) {
	files, err := filepath.Glob("../testdata/programs/*.rf")
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		got := ""
		if p, err := Factor(context.Background(), readProgram(t, file), plain); err != nil {
			got = "error: " + err.Error() + "\n"
		} else {
			got = p.String()
		}
		golden := "testdata/plans/" + name[:len(name)-len(".rf")] + ".golden"
		if *rewritePlans {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: plan differs (rewrite with -golden)\n%s", name, got)
		}
	}
}
