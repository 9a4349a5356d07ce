package exec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Histograms: blocks and the interpreter give what the serial program gives, whatever the keys; a key without a bin is an
// error that names the coordinate.
func TestHistograms(t *testing.T) {
	for _, h := range lowertest.Histograms() {
		p := h.Plan(t)
		for _, keys := range lowertest.Keys() {
			for _, n := range suite.More([]int{1, 300}, []int{0, 1, 5, 300}) {
				in := lowertest.HistogramInputs(p, keys, n)
				if p.Program.Inputs[0].Dims > 1 && n > 100 {
					in = lowertest.HistogramInputs(p, keys, 60)
				}
				if !h.Exceeds(in) {
					agree(t, fmt.Sprintf("%s, %s, n = %d", h.Name, keys, n), p, in, h.Options())
					continue
				}
				program, err := Compile(p, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := program.Run(t.Context(), in); err == nil || !strings.Contains(err.Error(), "outside of 0..99") {
					t.Errorf("%s, %s, n = %d: error %v", h.Name, keys, n, err)
				}
			}
		}
	}
}
