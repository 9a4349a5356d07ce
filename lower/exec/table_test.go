package exec

import (
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Operators of the table under schedules that are drawn: serial, interpreted and in blocks they
// give the same. The sample is every eighth operator.
func TestTable(t *testing.T) {
	share := 8
	if lowertest.Full() {
		share = 1
	}
	lowertest.Table(t, lowertest.Rand(8), share, func(name string, p *plan.Plan, in *plan.Inputs) {
		agree(t, name, p, in, lowertest.Defaults())
	})
}
