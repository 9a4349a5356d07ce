package exec

import (
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
)

// strideOf is how far apart the elements of neighbouring lanes are.
func strideOf(l *prepare.Lanes, a *scalar.Memory) int {
	stride, width := 0, 1
	for i, d := range a.Dims {
		stride += l.Step[i] * width
		width *= d.Extent
	}
	return stride
}

// lanesFit reports whether the last lane has an element where lane 0 has one.
func lanesFit(l *prepare.Lanes, cur *scalar.Cursor) bool {
	for i, d := range cur.Array.Dims {
		at := int(int64(cur.Rest[i]())) - d.Min + l.Step[i]*(l.Count-1)
		if at < 0 || at >= d.Extent {
			return false
		}
	}
	return true
}
