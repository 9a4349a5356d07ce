package emit

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Emitted packages of lifted updates pass the tests that are emitted with them.
func TestEmittedLifts(t *testing.T) {
	dir := newModule(t)
	for _, l := range lowertest.Lifts {
		if !l.Emit {
			continue
		}
		for i, s := range lowertest.LiftSchedules {
			if i != 1 && (i != 3 || l.Name != "horner" && l.Name != "mss") {
				continue
			}
			files, err := Source(lowertest.LiftPlan(t, l.Init, l.Update, l.Halide, "", s), l.Name)
			if err != nil {
				t.Fatalf("%s: %v", l.Name, err)
			}
			writePackage(t, filepath.Join(dir, fmt.Sprintf("%s%d", l.Name, i)), files)
		}
	}
	inBoth(t, dir)
}
