package programs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
)

// found lists the programs that once ran wrongly, with so many elements in each dimension of their inputs: with the schedule that they have, and with
// one that is chosen.
func found(t *testing.T, elements ...int) (out []*whole) {
	files, err := filepath.Glob("testdata/found/*.rf")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range elements {
			for _, mode := range []string{"plain", "auto"} {
				for _, assume := range []string{"none", "all"} {
					w := &whole{number: uint64(1)<<32 + uint64(len(out)), source: string(text), elements: n, mode: mode, assume: assume, grain: 16}
					w.kind = filepath.Base(file)
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// TestFound judges the programs that once ran wrongly.
func TestFound(t *testing.T) {
	for _, w := range found(t, suite.More([]int{65}, []int{suite.Sample(8, 0), 65})...) {
		if v := w.judged(); v.wrong != "" {
			t.Errorf("%s, %s, -assume %s, %d elements: %s: %s", w.kind, w.mode, w.assume, w.elements, v.wrong, v.detail)
		}
	}
}
