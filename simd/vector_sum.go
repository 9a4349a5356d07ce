//go:build goexperiment.simd && go1.27

package simd

import "simd"

// The portable package cannot widen. A lane of twice the width holds the sum
// even + odd<<half of a pair; adding such lanes as they are and, beside, their odd
// halves, gives both sums: even = whole − odd<<half, exact in wrapping arithmetic as
// long as the sum itself fits its lane. Three operations a vector.

var sums = vectorSums()

func vectorSums() []any {
	if Vector() == 0 {
		return nil
	}
	return append(wideSums(),
		sumUint8, sumInt8, sumUint16, sumInt16, sumUint32, sumInt32,
	)
}

// A signed element plus half the range is unsigned: flip the sign bit, and take
// the halves off at the end.
func sumInt16(x []int16) int64 {
	return int64(sumPairs(reinterpret[uint16](x), 1<<15)) - int64(len(x))<<15
}
func sumInt32(x []int32) int64 {
	return int64(sumWords(reinterpret[uint32](x), 1<<31)) - int64(len(x))<<31
}

func sumUint16(x []uint16) uint64 { return sumPairs(x, 0) }
func sumUint32(x []uint32) uint64 { return sumWords(x, 0) }

func sumUint8(x []uint8) uint64 {
	const turns = 64 // 4·64·255 < 1<<16
	var total simd.Uint64s
	n := simd.Uint8s{}.Len()
	for len(x) >= 4*n {
		part := x[:min(len(x)/(4*n), turns)*4*n]
		x = x[len(part):]
		var w0, w1, o0, o1 simd.Uint16s
		for ; len(part) >= 4*n; part = part[4*n:] {
			v0 := simd.LoadUint8s(part).ReshapeToUint16s()
			v1 := simd.LoadUint8s(part[n:]).ReshapeToUint16s()
			v2 := simd.LoadUint8s(part[2*n:]).ReshapeToUint16s()
			v3 := simd.LoadUint8s(part[3*n:]).ReshapeToUint16s()
			w0, o0 = w0.Add(v0), o0.Add(v0.ShiftAllRight(8))
			w1, o1 = w1.Add(v1), o1.Add(v1.ShiftAllRight(8))
			w0, o0 = w0.Add(v2), o0.Add(v2.ShiftAllRight(8))
			w1, o1 = w1.Add(v3), o1.Add(v3.ShiftAllRight(8))
		}
		odd := o0.Add(o1)
		even := w0.Add(w1).Sub(odd.ShiftAllLeft(8))
		total = total.Add(quarters(even)).Add(quarters(odd))
	}
	return addWords(total) + sum[uint64](x)
}

func sumInt8(x []int8) int64 {
	const turns = 128 // 2·128·255 < 1<<16
	var total simd.Uint64s
	taken := 0
	flip := simd.BroadcastUint8s(1 << 7)
	n := flip.Len()
	for len(x) >= 2*n {
		part := x[:min(len(x)/(2*n), turns)*2*n]
		x, taken = x[len(part):], taken+len(part)
		var w0, w1, o0, o1 simd.Uint16s
		for ; len(part) >= 2*n; part = part[2*n:] {
			v0 := simd.LoadInt8s(part).ToBits().Xor(flip).ReshapeToUint16s()
			v1 := simd.LoadInt8s(part[n:]).ToBits().Xor(flip).ReshapeToUint16s()
			w0, o0 = w0.Add(v0), o0.Add(v0.ShiftAllRight(8))
			w1, o1 = w1.Add(v1), o1.Add(v1.ShiftAllRight(8))
		}
		odd := o0.Add(o1)
		even := w0.Add(w1).Sub(odd.ShiftAllLeft(8))
		total = total.Add(quarters(even)).Add(quarters(odd))
	}
	return int64(addWords(total)) - int64(taken)<<7 + sum[int64](x)
}

// sumPairs adds the elements of x, each with the bits of flip inverted.
func sumPairs(x []uint16, flip uint16) uint64 {
	const turns = 1 << 15
	var total simd.Uint64s
	f := simd.BroadcastUint16s(flip)
	n := f.Len()
	for len(x) >= 2*n {
		part := x[:min(len(x)/(2*n), turns)*2*n]
		x = x[len(part):]
		var w0, w1, o0, o1 simd.Uint32s
		for ; len(part) >= 2*n; part = part[2*n:] {
			v0 := simd.LoadUint16s(part).Xor(f).ReshapeToUint32s()
			v1 := simd.LoadUint16s(part[n:]).Xor(f).ReshapeToUint32s()
			w0, o0 = w0.Add(v0), o0.Add(v0.ShiftAllRight(16))
			w1, o1 = w1.Add(v1), o1.Add(v1.ShiftAllRight(16))
		}
		odd := o0.Add(o1)
		even := w0.Add(w1).Sub(odd.ShiftAllLeft(16))
		total = total.Add(halves(even)).Add(halves(odd))
	}
	return addWords(total) + sumFlipped(x, flip)
}

// sumWords is sumPairs for elements of 32 bits, whose sums fit 64 bits always.
func sumWords(x []uint32, flip uint32) uint64 {
	var w0, w1, o0, o1 simd.Uint64s
	f := simd.BroadcastUint32s(flip)
	n := f.Len()
	for ; len(x) >= 2*n; x = x[2*n:] {
		v0 := simd.LoadUint32s(x).Xor(f).ReshapeToUint64s()
		v1 := simd.LoadUint32s(x[n:]).Xor(f).ReshapeToUint64s()
		w0, o0 = w0.Add(v0), o0.Add(v0.ShiftAllRight(32))
		w1, o1 = w1.Add(v1), o1.Add(v1.ShiftAllRight(32))
	}
	odd := o0.Add(o1)
	even := w0.Add(w1).Sub(odd.ShiftAllLeft(32))
	return addWords(even.Add(odd)) + sumFlipped(x, flip)
}

// eighths adds the eight bytes of each 64-bit lane.
func eighths(x simd.Uint8s) simd.Uint64s {
	w := x.ReshapeToUint16s()
	low := simd.BroadcastUint16s(0xff)
	return quarters(w.And(low).Add(w.ShiftAllRight(8)))
}

// quarters adds the four 16-bit parts of each 64-bit lane.
func quarters(x simd.Uint16s) simd.Uint64s {
	w := x.ReshapeToUint32s()
	low := simd.BroadcastUint32s(0xffff)
	return halves(w.And(low).Add(w.ShiftAllRight(16)))
}

// halves adds the two 32-bit parts of each 64-bit lane.
func halves(x simd.Uint32s) simd.Uint64s {
	w := x.ReshapeToUint64s()
	low := simd.BroadcastUint64s(0xffffffff)
	return w.And(low).Add(w.ShiftAllRight(32))
}

func addWords(x simd.Uint64s) uint64 {
	endVectors() // the array is cleared by instructions of 128 bits
	var w [8]uint64
	x.Store(w[:])
	endVectors()
	return (w[0] + w[1]) + (w[2] + w[3]) + (w[4] + w[5]) + (w[6] + w[7])
}

func sumFlipped[T Unsigned](x []T, flip T) uint64 {
	var s uint64
	for _, v := range x {
		s += uint64(v ^ flip)
	}
	return s
}
