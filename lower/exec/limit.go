package exec

import (
	"math"

	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// limit is a comparison in a run.
type limit struct {
	less, more func() uint64
	byLess     int
	byMore     int
	orEqual    bool
}

func (c *code) limit(cmp prepare.Comparison) *limit {
	return &limit{c.w.Compile(cmp.Less.Rest), c.w.Compile(cmp.More.Rest), int(cmp.Less.Coef[0].Int()), int(cmp.More.Coef[0].Int()), cmp.OrEqual}
}

// place is the range of the points of a row at which the condition holds. It is not known
// where one side wraps.
func (l *limit) place(start, n int) (lo, hi int, known bool) {
	less, more := int(int64(l.less()))+l.byLess*start, int(int64(l.more()))+l.byMore*start
	for _, side := range [][2]int{{less, l.byLess}, {more, l.byMore}} {
		for _, v := range []int{side[0], side[0] + side[1]*(n-1)} {
			if v < math.MinInt32 || v > math.MaxInt32 {
				return 0, 0, false
			}
		}
	}
	room := more - less // must be positive at k: room + by·k > 0
	if l.orEqual {
		room++
	}
	by := l.byMore - l.byLess
	switch {
	case by > 0:
		return max(0, access.CeilQuotient(1-room, by)), n, true
	case by < 0:
		return 0, min(n, access.CeilQuotient(room, -by)), true
	case room > 0:
		return 0, n, true
	}
	return 0, 0, true
}
