package golang

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestFixGenerated replaces loops of generated functions: all that is replaced compiles, and the tests beside them pass.
func TestFixGenerated(t *testing.T) {
	dir := t.TempDir()
	g := &generator{rng: rand.New(rand.NewPCG(11, 7))}
	for name, text := range map[string]string{"go.mod": "module generated\n\ngo 1.26\n", "f.go": g.file(60)} {
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
