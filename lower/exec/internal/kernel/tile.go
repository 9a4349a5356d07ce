package kernel

import "github.com/rfactor-go/rfactor/simd"

// Tile gathers elements of segments that lie one behind another, a row of them for each place in a segment.
//
//	a b c | d e f | g h i   →   a d g, b e h, c f i
type Tile struct {
	Fill func(k, rows, lanes, each int) // gathers the points k to k + rows of each lane's segment; segments are each points apart
	Row  func(i, lanes int)             // lets the register be the i-th row
}

func (*typed[T]) Tile(reg, data any, c *Strided, n int) Tile { return newTile[T](reg, data, c, n) }

// newTile makes a tile of n elements at most, whose rows go to reg.
func newTile[T simd.Number | bool](reg, data any, c *Strided, n int) Tile {
	r, d := reg.(*Vector[T]), data.(*Vector[T])
	own := make([]T, n)
	return Tile{
		Fill: func(k, rows, lanes, each int) {
			at := c.Offset + k*c.Stride
			if c.Stride == 1 {
				simd.Transpose(own, d.V[at:], rows, lanes, each)
				return
			}
			gather(own, d.V, at, c.Stride, rows, lanes, each)
		},
		Row: func(i, lanes int) { r.V = own[i*lanes:][:lanes] },
	}
}

func gather[T any](to, from []T, at, stride, rows, lanes, each int) {
	for l := range lanes {
		for i := range rows {
			to[i*lanes+l] = from[at+(l*each+i)*stride]
		}
	}
}
