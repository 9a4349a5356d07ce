package kernel

import (
	"encoding/binary"
	"unsafe"

	"github.com/rfactor-go/rfactor/simd"
)

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
			if c.Stride != 1 || lanes < 4 {
				gather(own, d.V, at, c.Stride, rows, lanes, each)
				return
			}
			if unsafe.Sizeof(own[0]) == 1 && lanes >= 8 {
				transposeBytes(bytesIn(own), bytesIn(d.V[at:]), rows, lanes, each)
				return
			}
			for l := 0; l < lanes; l += 4 {
				transpose(own[l:], d.V[at+l*each:], rows, lanes, each)
			}
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

// transpose gathers the rows of four segments.
func transpose[T any](to, from []T, rows, lanes, each int) {
	a, b, c, d := from[:rows], from[each:][:rows], from[2*each:][:rows], from[3*each:][:rows]
	for i, v := range a {
		row := to[i*lanes:][:4]
		row[0], row[1], row[2], row[3] = v, b[i], c[i], d[i]
	}
}

// bytesIn is a slice of elements of one byte, as bytes.
func bytesIn[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// transposeBytes gathers the rows of all segments of bytes, eight rows of eight segments at once, as words.
func transposeBytes(to, from []byte, rows, lanes, each int) {
	for l := 0; l < lanes; l += 8 {
		i := 0
		for ; i+8 <= rows; i += 8 {
			word := func(j int) uint64 { return binary.LittleEndian.Uint64(from[(l+j)*each+i:]) }
			a, b, c, d, e, f, g, h := word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)
			a, e = swapped(a, e, 32, 1<<32-1)
			b, f = swapped(b, f, 32, 1<<32-1)
			c, g = swapped(c, g, 32, 1<<32-1)
			d, h = swapped(d, h, 32, 1<<32-1)
			a, c = swapped(a, c, 16, 0x0000ffff0000ffff)
			b, d = swapped(b, d, 16, 0x0000ffff0000ffff)
			e, g = swapped(e, g, 16, 0x0000ffff0000ffff)
			f, h = swapped(f, h, 16, 0x0000ffff0000ffff)
			a, b = swapped(a, b, 8, 0x00ff00ff00ff00ff)
			c, d = swapped(c, d, 8, 0x00ff00ff00ff00ff)
			e, f = swapped(e, f, 8, 0x00ff00ff00ff00ff)
			g, h = swapped(g, h, 8, 0x00ff00ff00ff00ff)
			row := func(j int, w uint64) { binary.LittleEndian.PutUint64(to[(i+j)*lanes+l:], w) }
			row(0, a)
			row(1, b)
			row(2, c)
			row(3, d)
			row(4, e)
			row(5, f)
			row(6, g)
			row(7, h)
		}
		for ; i < rows; i++ {
			for j := range 8 {
				to[i*lanes+l+j] = from[(l+j)*each+i]
			}
		}
	}
}

// swapped exchanges the upper parts of a with the lower ones of b.
func swapped(a, b uint64, by uint, lower uint64) (uint64, uint64) {
	t := (a>>by ^ b) & lower
	return a ^ t<<by, b ^ t
}
