package simd

import (
	"encoding/binary"
	"unsafe"
)

// Transpose gathers rows elements of each of so many lanes, whose first elements lie each apart in x: row after row, of an element of each lane.
// It panics where x or dst is shorter. dst does not overlap x.
//
//	a b c | d e f | g h i   →   a d g, b e h, c f i     of 3 rows of 3 lanes, 3 apart
func Transpose[T Number | bool](dst, x []T, rows, lanes, each int) {
	if rows <= 0 || lanes <= 0 {
		return
	}
	dst, x = dst[:rows*lanes], x[:(lanes-1)*each+rows]
	l := 0
	switch unsafe.Sizeof(*new(T)) {
	case 1:
		l = bytes8(as[byte](dst), as[byte](x), rows, lanes, each, transpose8(as[byte](dst), as[byte](x), rows, lanes, each))
	case 2:
		l = transpose16(as[uint16](dst), as[uint16](x), rows, lanes, each)
	case 4:
		l = transpose32(as[uint32](dst), as[uint32](x), rows, lanes, each)
	case 8:
		l = transpose64(as[uint64](dst), as[uint64](x), rows, lanes, each)
	}
	for ; l+4 <= lanes; l += 4 {
		transpose4(dst[l:], x[l*each:], rows, lanes, each)
	}
	for ; l < lanes; l++ {
		for i, v := range x[l*each:][:rows] {
			dst[i*lanes+l] = v
		}
	}
}

// transpose4 does four lanes.
func transpose4[T any](dst, x []T, rows, lanes, each int) {
	a, b, c, d := x[:rows], x[each:][:rows], x[2*each:][:rows], x[3*each:][:rows]
	for i, v := range a {
		row := dst[i*lanes:][:4]
		row[0], row[1], row[2], row[3] = v, b[i], c[i], d[i]
	}
}

// bytes8 does lanes from l on by eights, eight rows at once as words, and returns how far it came.
func bytes8(dst, x []byte, rows, lanes, each, l int) int {
	for ; l+8 <= lanes; l += 8 {
		i := 0
		for ; i+8 <= rows; i += 8 {
			word := func(j int) uint64 { return binary.LittleEndian.Uint64(x[(l+j)*each+i:]) }
			a, b, c, d, e, f, g, h := word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)
			a, e = exchanged(a, e, 32, 1<<32-1)
			b, f = exchanged(b, f, 32, 1<<32-1)
			c, g = exchanged(c, g, 32, 1<<32-1)
			d, h = exchanged(d, h, 32, 1<<32-1)
			a, c = exchanged(a, c, 16, 0x0000ffff0000ffff)
			b, d = exchanged(b, d, 16, 0x0000ffff0000ffff)
			e, g = exchanged(e, g, 16, 0x0000ffff0000ffff)
			f, h = exchanged(f, h, 16, 0x0000ffff0000ffff)
			a, b = exchanged(a, b, 8, 0x00ff00ff00ff00ff)
			c, d = exchanged(c, d, 8, 0x00ff00ff00ff00ff)
			e, f = exchanged(e, f, 8, 0x00ff00ff00ff00ff)
			g, h = exchanged(g, h, 8, 0x00ff00ff00ff00ff)
			row := func(j int, w uint64) { binary.LittleEndian.PutUint64(dst[(i+j)*lanes+l:], w) }
			row(0, a)
			row(1, b)
			row(2, c)
			row(3, d)
			row(4, e)
			row(5, f)
			row(6, g)
			row(7, h)
		}
		if i < rows {
			transpose4(dst[i*lanes+l:], x[l*each+i:], rows-i, lanes, each)
			transpose4(dst[i*lanes+l+4:], x[(l+4)*each+i:], rows-i, lanes, each)
		}
	}
	return l
}

// exchanged changes the upper parts of a for the lower ones of b.
func exchanged(a, b uint64, by uint, lower uint64) (uint64, uint64) {
	t := (a>>by ^ b) & lower
	return a ^ t<<by, b ^ t
}
