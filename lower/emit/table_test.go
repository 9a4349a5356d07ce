package emit

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Operators of the table under schedules that are drawn: one of sixteen is emitted where the
// suites run whole, else one of 150.
func addTable(t *testing.T, m *module) {
	share := 150
	if lowertest.Full() {
		share = 16
	}
	count := 0
	lowertest.Table(t, lowertest.Rand(9), share, func(name string, p *plan.Plan, _ *plan.Inputs) {
		pkg := fmt.Sprintf("p%d", count)
		count++
		files, err := Source(p, pkg)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		m.add(t, "table/"+pkg, files)
	})
}
