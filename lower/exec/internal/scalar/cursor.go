package scalar

import (
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// Cursor is where an access lies in an array while a row runs.
type Cursor struct {
	kernel.Strided
	Array *Memory
	Rest  []func() uint64 // the coordinates at 0
	coef  []func() uint64
}

// NewCursor is nil where the access is not affine in the innermost variable.
func NewCursor(s *Scalars, dims []access.Coordinate, a *Memory) *Cursor {
	cur := &Cursor{Array: a}
	for _, d := range dims {
		if !d.Affine {
			return nil
		}
		rest := s.Compile(d.Rest)
		if d.Scale.IsValid() {
			rest = scaled(rest, s.Compile(d.Scale))
		}
		cur.coef, cur.Rest = append(cur.coef, s.Compile(d.Coef[0])), append(cur.Rest, rest)
	}
	return cur
}

func scaled(f, by func() uint64) func() uint64 {
	return func() uint64 { return uint64(int64(f()) * int64(by())) }
}

// Place sets the cursor for a row that starts at start, and answers the range of its n points at which it is in the array.
func (cur *Cursor) Place(start, n int) (lo, hi int) {
	lo, hi = 0, n
	cur.Offset, cur.Stride = 0, 0
	width := 1
	if len(cur.Array.Dims) != len(cur.coef) {
		return 0, 0 // the scan says so
	}
	for i, d := range cur.Array.Dims {
		coef := int64(cur.coef[i]())
		at := int64(cur.Rest[i]()) + coef*int64(start) - int64(d.Min)
		l, h := access.Inside(at, coef, int64(d.Extent))
		lo, hi = max(lo, l), min(hi, h)
		cur.Offset += int(at) * width
		cur.Stride += int(coef) * width
		width *= d.Extent
	}
	return lo, hi
}

// Reaches reports whether there is an element where each coordinate differs n times by some number from that at 0.
func (cur *Cursor) Reaches(by []int, n int) bool {
	for i, d := range cur.Array.Dims {
		at := int(int64(cur.Rest[i]())) - d.Min + by[i]*n
		if at < 0 || at >= d.Extent {
			return false
		}
	}
	return true
}
