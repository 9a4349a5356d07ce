package programs

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var mutantsOf = flag.Int("programs-mutants", 0, "try the mutants of testdata/mutants.txt, each with at most so many programs, in place of drawing")

// mutant is a change of one place of the tree that makes some program run wrongly.
type mutant struct{ what, file, old, new string }

// readMutants reads blocks of what a mutant is, a file, and lines that begin with - for what stands there and with + for what takes its place.
func readMutants(t *testing.T) (out []mutant) {
	text, err := os.ReadFile("testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.Split(block, "\n")
		m := mutant{what: strings.TrimPrefix(lines[0], "# "), file: lines[1]}
		for _, l := range lines[2:] {
			switch l[0] {
			case '-':
				m.old += l[1:] + "\n"
			case '+':
				m.new += l[1:] + "\n"
			}
		}
		out = append(out, m)
	}
	return out
}

// overlay writes the changed file and what tells the go command of it.
func (m mutant) overlay(dir string) (string, error) {
	path, err := filepath.Abs(filepath.Join("..", "..", "..", m.file))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if strings.Count(string(text), m.old) != 1 {
		return "", fmt.Errorf("%s has what the mutant changes %d times", m.file, strings.Count(string(text), m.old))
	}
	changed := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o666); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o666)
}

// TestMutantsApply looks that each mutant still changes a place of the tree.
func TestMutantsApply(t *testing.T) {
	for _, m := range readMutants(t) {
		if _, err := m.overlay(t.TempDir()); err != nil {
			t.Errorf("%s: %v", m.what, err)
		}
	}
}

// TestMutants plants each mutant, and draws programs until one is wrong.
func TestMutants(t *testing.T) {
	if *mutantsOf == 0 {
		t.Skip("runs as make check-programs-mutants")
	}
	for _, m := range readMutants(t) {
		t.Run(m.what, m.found)
	}
}

// found plants the mutant, and looks that a program finds it.
func (m mutant) found(t *testing.T) {
	overlay, err := m.overlay(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	start, emits := time.Now(), 0
	if strings.HasPrefix(m.file, "lower/emit/") || strings.HasPrefix(m.file, "lower/kernel/") || strings.HasPrefix(m.file, "lower/internal/gosrc/") {
		emits = 2 // one in two
	}
	out, err := exec.Command("go", "test", "-overlay="+overlay, "-count=1", "-timeout=0", "-run=TestPrograms$", ".", "-args", "-programs-failures=1", fmt.Sprintf("-programs-emitted=%d", emits),
		fmt.Sprintf("-programs-seed=%d", *seed), fmt.Sprintf("-programs=%d", *mutantsOf)).CombinedOutput()
	_, found, is := strings.Cut(string(out), "is wrong ")
	switch {
	case err == nil:
		t.Errorf("no program of %d finds it", *mutantsOf)
	case !is:
		t.Errorf("%v\n%.2000s", err, out)
	default:
		found, _, _ = strings.Cut(found, "\n")
		t.Logf("found after %.0f s, %.100s", time.Since(start).Seconds(), found)
	}
}
