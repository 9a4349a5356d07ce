package emit

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Emitted packages of lifted updates pass the tests that are emitted with them. The sample is
// one of four.
func addLifts(t *testing.T, m *module) {
	count := 0
	programs, _ := filepath.Glob("../../testdata/programs/bench/lifted/*.rf")
	for _, file := range programs {
		p, err := lowertest.PlanOfFile(file)
		if err != nil {
			continue // it is lifted under an assumption
		}
		if count++; !sampled(count, 4) {
			continue
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		m.add(t, fmt.Sprintf("lifted/p%d", count), files)
	}
	for _, l := range lowertest.Lifts() {
		if !l.Emit {
			continue
		}
		for i, s := range lowertest.LiftSchedules() {
			if i != 1 && (i != 3 || l.Name != "horner" && l.Name != "mss") {
				continue
			}
			if count++; !sampled(count, 4) {
				continue
			}
			files, err := Source(lowertest.LiftPlan(t, l.Init, l.Update, l.Halide, "", s), l.Name)
			if err != nil {
				t.Fatalf("%s: %v", l.Name, err)
			}
			m.add(t, fmt.Sprintf("lifts/%s%d", l.Name, i), files)
		}
	}
}
