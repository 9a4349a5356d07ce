package kernel

import (
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/simd"
)

// Tiles give what gathering element by element does, whatever the width of elements and the number of rows.
func TestTiles(t *testing.T) {
	testTile(t, func(i int) uint8 { return uint8(i*7 + i>>8) })
	testTile(t, func(i int) bool { return i*i%3 == 1 })
	testTile(t, func(i int) int16 { return int16(i * 31) })
	testTile(t, func(i int) int32 { return int32(i) })
	testTile(t, func(i int) float64 { return float64(i) })
}

func testTile[T simd.Number | bool](t *testing.T, value func(i int) T) {
	const rows16, most = 16, 64
	data := &Vector[T]{}
	for i := range 5000 {
		data.V = append(data.V, value(i))
	}
	for _, lanes := range []int{2, 4, 8, 16, 64} {
		for _, each := range []int{16, 17, 33, 70} {
			for rows := 1; rows <= rows16; rows++ {
				reg, at := &Vector[T]{}, &Strided{Offset: 3, Stride: 1}
				tile := newTile[T](reg, data, at, rows16*most)
				tile.Fill(5, rows, lanes, each)
				for i := range rows {
					var want []T
					for l := range lanes {
						want = append(want, data.V[3+5+l*each+i])
					}
					if tile.Row(i, lanes); !slices.Equal(reg.V, want) {
						t.Fatalf("%T, %d lanes, %d apart, %d rows: row %d is %v, not %v", want[0], lanes, each, rows, i, reg.V, want)
					}
				}
			}
		}
	}
}
