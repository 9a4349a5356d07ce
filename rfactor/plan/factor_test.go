package plan

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

var rewritePlans = flag.Bool("golden", false, "rewrite the golden files")

func readProgram(t *testing.T, file string) *program.Program {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return parseText(t, filepath.Base(file), string(text))
}

func parseText(t *testing.T, name, text string) *program.Program {
	t.Helper()
	p, err := program.ParseProgram(ir.NewPool(), name, text, ir.Invalid)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var plain = Options{Match: rfactor.Options{Allowed: ir.DefaultAssumptions}}

// programFiles is the listings, and the figure's sum in its three versions.
func programFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/programs/*.rf")
	figure, also := filepath.Glob("../../testdata/programs/figure/*.rf")
	if err != nil || also != nil || len(files) < 20 || len(figure) != 3 {
		t.Fatal(files, figure, err)
	}
	return append(files, figure...)
}

// The plans of the listings, as loop nests.
func TestPlans(t *testing.T) {
	for _, file := range programFiles(t) {
		name := filepath.Base(file)
		if filepath.Base(filepath.Dir(file)) == "figure" {
			name = "figure-" + name
		}
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
