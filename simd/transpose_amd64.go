//go:build goexperiment.simd && go1.27

package simd

import "simd/archsimd"

// ofWords orders bytes of four words by their place in these.
var ofWords = [32]int8{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}

// transpose8 does lanes by thirty-twos, sixteen rows at once, and returns how many. Halves of vectors have sixteen elements of one lane each: words of
// four lanes, then their bytes, then those of sixteen lanes are brought together.
func transpose8(dst, x []byte, rows, lanes, each int) (l int) {
	if Vector() < 256 || rows < 16 {
		return 0
	}
	var zero archsimd.Uint8x32
	order := archsimd.LoadInt8x32Array(&ofWords)
	for ; l+32 <= lanes; l += 32 {
		i := 0
		for ; i+16 <= rows; i += 16 {
			from := x[l*each+i:]
			load := func(j int) archsimd.Uint32x8 {
				return zero.SetLo(archsimd.LoadUint8x16(from[j*each:])).SetHi(archsimd.LoadUint8x16(from[(j+16)*each:])).ReshapeToUint32s()
			}
			bytes := func(w archsimd.Uint64x4) archsimd.Uint32x8 {
				return w.ReshapeToUint8s().PermuteOrZeroGrouped(order).ReshapeToUint32s()
			}
			four := func(j int) (a, b, c, d archsimd.Uint32x8) {
				p, q, r, s := load(j), load(j+1), load(j+2), load(j+3)
				pq0, pq1 := p.InterleaveLoGrouped(q).ReshapeToUint64s(), p.InterleaveHiGrouped(q).ReshapeToUint64s()
				rs0, rs1 := r.InterleaveLoGrouped(s).ReshapeToUint64s(), r.InterleaveHiGrouped(s).ReshapeToUint64s()
				return bytes(pq0.InterleaveLoGrouped(rs0)), bytes(pq0.InterleaveHiGrouped(rs0)), bytes(pq1.InterleaveLoGrouped(rs1)), bytes(pq1.InterleaveHiGrouped(rs1))
			}
			store := func(row int, p, q, r, s archsimd.Uint32x8) {
				pq0, pq1 := p.InterleaveLoGrouped(q).ReshapeToUint64s(), p.InterleaveHiGrouped(q).ReshapeToUint64s()
				rs0, rs1 := r.InterleaveLoGrouped(s).ReshapeToUint64s(), r.InterleaveHiGrouped(s).ReshapeToUint64s()
				to := dst[(i+row)*lanes+l:]
				pq0.InterleaveLoGrouped(rs0).ReshapeToUint8s().Store(to)
				pq0.InterleaveHiGrouped(rs0).ReshapeToUint8s().Store(to[lanes:])
				pq1.InterleaveLoGrouped(rs1).ReshapeToUint8s().Store(to[2*lanes:])
				pq1.InterleaveHiGrouped(rs1).ReshapeToUint8s().Store(to[3*lanes:])
			}
			a0, b0, c0, d0 := four(0)
			a1, b1, c1, d1 := four(4)
			a2, b2, c2, d2 := four(8)
			a3, b3, c3, d3 := four(12)
			store(0, a0, a1, a2, a3)
			store(4, b0, b1, b2, b3)
			store(8, c0, c1, c2, c3)
			store(12, d0, d1, d2, d3)
		}
		for j := 0; i < rows && j < 32; j += 4 {
			transpose4(dst[i*lanes+l+j:], x[(l+j)*each+i:], rows-i, lanes, each)
		}
	}
	endVectors()
	return l
}

// transpose16 does lanes by sixteens, eight rows at once, and returns how many. Halves of vectors have eight elements of one lane each.
func transpose16(dst, x []uint16, rows, lanes, each int) (l int) {
	if Vector() < 256 || rows < 8 {
		return 0
	}
	var zero archsimd.Uint16x16
	for ; l+16 <= lanes; l += 16 {
		i := 0
		for ; i+8 <= rows; i += 8 {
			from := x[l*each+i:]
			load := func(j int) archsimd.Uint16x16 {
				return zero.SetLo(archsimd.LoadUint16x8(from[j*each:])).SetHi(archsimd.LoadUint16x8(from[(j+8)*each:]))
			}
			a, b, c, d, e, f, g, h := load(0), load(1), load(2), load(3), load(4), load(5), load(6), load(7)
			ab0, ab1 := a.InterleaveLoGrouped(b).ReshapeToUint32s(), a.InterleaveHiGrouped(b).ReshapeToUint32s()
			cd0, cd1 := c.InterleaveLoGrouped(d).ReshapeToUint32s(), c.InterleaveHiGrouped(d).ReshapeToUint32s()
			ef0, ef1 := e.InterleaveLoGrouped(f).ReshapeToUint32s(), e.InterleaveHiGrouped(f).ReshapeToUint32s()
			gh0, gh1 := g.InterleaveLoGrouped(h).ReshapeToUint32s(), g.InterleaveHiGrouped(h).ReshapeToUint32s()
			store := func(j int, abcd, efgh archsimd.Uint64x4) {
				to := dst[(i+j)*lanes+l:]
				abcd.InterleaveLoGrouped(efgh).ReshapeToUint16s().Store(to)
				abcd.InterleaveHiGrouped(efgh).ReshapeToUint16s().Store(to[lanes:])
			}
			store(0, ab0.InterleaveLoGrouped(cd0).ReshapeToUint64s(), ef0.InterleaveLoGrouped(gh0).ReshapeToUint64s())
			store(2, ab0.InterleaveHiGrouped(cd0).ReshapeToUint64s(), ef0.InterleaveHiGrouped(gh0).ReshapeToUint64s())
			store(4, ab1.InterleaveLoGrouped(cd1).ReshapeToUint64s(), ef1.InterleaveLoGrouped(gh1).ReshapeToUint64s())
			store(6, ab1.InterleaveHiGrouped(cd1).ReshapeToUint64s(), ef1.InterleaveHiGrouped(gh1).ReshapeToUint64s())
		}
		for j := 0; i < rows && j < 16; j += 4 {
			transpose4(dst[i*lanes+l+j:], x[(l+j)*each+i:], rows-i, lanes, each)
		}
	}
	endVectors()
	return l
}

// transpose32 does lanes by eights, four rows at once, and returns how many. Halves of vectors have four elements of one lane each.
func transpose32(dst, x []uint32, rows, lanes, each int) (l int) {
	if Vector() < 256 || rows < 4 {
		return 0
	}
	var zero archsimd.Uint32x8
	for ; l+8 <= lanes; l += 8 {
		i := 0
		for ; i+4 <= rows; i += 4 {
			from := x[l*each+i:]
			a := zero.SetLo(archsimd.LoadUint32x4(from)).SetHi(archsimd.LoadUint32x4(from[4*each:]))
			b := zero.SetLo(archsimd.LoadUint32x4(from[each:])).SetHi(archsimd.LoadUint32x4(from[5*each:]))
			c := zero.SetLo(archsimd.LoadUint32x4(from[2*each:])).SetHi(archsimd.LoadUint32x4(from[6*each:]))
			d := zero.SetLo(archsimd.LoadUint32x4(from[3*each:])).SetHi(archsimd.LoadUint32x4(from[7*each:]))
			abLo, abHi := a.InterleaveLoGrouped(b).ReshapeToUint64s(), a.InterleaveHiGrouped(b).ReshapeToUint64s()
			cdLo, cdHi := c.InterleaveLoGrouped(d).ReshapeToUint64s(), c.InterleaveHiGrouped(d).ReshapeToUint64s()
			to := dst[i*lanes+l:]
			abLo.InterleaveLoGrouped(cdLo).ReshapeToUint32s().Store(to)
			abLo.InterleaveHiGrouped(cdLo).ReshapeToUint32s().Store(to[lanes:])
			abHi.InterleaveLoGrouped(cdHi).ReshapeToUint32s().Store(to[2*lanes:])
			abHi.InterleaveHiGrouped(cdHi).ReshapeToUint32s().Store(to[3*lanes:])
		}
		if i < rows {
			transpose4(dst[i*lanes+l:], x[l*each+i:], rows-i, lanes, each)
			transpose4(dst[i*lanes+l+4:], x[(l+4)*each+i:], rows-i, lanes, each)
		}
	}
	endVectors()
	return l
}

// transpose64 does lanes by fours, two rows at once, and returns how many.
func transpose64(dst, x []uint64, rows, lanes, each int) (l int) {
	if Vector() < 256 || rows < 2 {
		return 0
	}
	var zero archsimd.Uint64x4
	for ; l+4 <= lanes; l += 4 {
		i := 0
		for ; i+2 <= rows; i += 2 {
			from := x[l*each+i:]
			a := zero.SetLo(archsimd.LoadUint64x2(from)).SetHi(archsimd.LoadUint64x2(from[2*each:]))
			b := zero.SetLo(archsimd.LoadUint64x2(from[each:])).SetHi(archsimd.LoadUint64x2(from[3*each:]))
			to := dst[i*lanes+l:]
			a.InterleaveLoGrouped(b).Store(to)
			a.InterleaveHiGrouped(b).Store(to[lanes:])
		}
		if i < rows {
			transpose4(dst[i*lanes+l:], x[l*each+i:], rows-i, lanes, each)
		}
	}
	endVectors()
	return l
}
