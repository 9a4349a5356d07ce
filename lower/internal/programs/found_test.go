package programs

import (
	"os"
	"path/filepath"
	"regexp"
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

// severalDimensions matches the declaration of an input of more than one dimension.
var severalDimensions = regexp.MustCompile(`ImageParam .*, [2-9]\)`)

// TestFound judges the programs that once ran wrongly. Of inputs of several dimensions an ordinary test has 17 elements in each: 65 are a quarter of a
// million steps of two programs, which took nine tenths of its time.
func TestFound(t *testing.T) {
	for _, w := range found(t, suite.More([]int{65}, []int{suite.Sample(8, 0), 65})...) {
		if severalDimensions.MatchString(w.source) {
			w.elements = suite.More(min(w.elements, 17), w.elements)
		}
		if v := w.judged(); v.wrong != "" {
			t.Errorf("%s, %s, -assume %s, %d elements: %s: %s", w.kind, w.mode, w.assume, w.elements, v.wrong, v.detail)
		}
	}
}
