//go:build goexperiment.simd && go1.27

package simd

import "simd/archsimd"

// What the portable package cannot do, AVX-512 can: the kernels here and in the
// generated files work on 512-bit vectors by name, and are used where those are
// what the portable package uses, too. (A loop on portable vectors could go through
// ToArch, but each passage goes through memory: a sum of bytes runs at a third of
// the speed.)

var converters = func() []any {
	if Vector() < 512 {
		return nil
	}
	return wideConverters
}()

func wideSums() []any {
	if Vector() < 512 {
		return nil
	}
	return []any{sumUint8x64, sumInt8x64, sumUint16x32, sumInt16x32, sumFloat32x8}
}

func widen(t tables) {
	if Vector() < 512 {
		return
	}
	widenInt8(lookup[int8](t))
	widenInt16(lookup[int16](t))
	widenInt32(lookup[int32](t))
	widenInt64(lookup[int64](t))
	widenUint8(lookup[uint8](t))
	widenUint16(lookup[uint16](t))
	widenUint32(lookup[uint32](t))
	widenUint64(lookup[uint64](t))
	widenFloat32(lookup[float32](t))
	widenFloat64(lookup[float64](t))
}

// sumUint8x64 uses the instruction that adds bytes by eights.
func sumUint8x64(x []uint8) uint64 {
	var zero archsimd.Uint8x64
	var s0, s1, s2, s3 archsimd.Uint64x8
	for ; len(x) >= 256; x = x[256:] {
		s0 = s0.Add(archsimd.LoadUint8x64(x).SumOf8AbsDiff(zero))
		s1 = s1.Add(archsimd.LoadUint8x64(x[64:]).SumOf8AbsDiff(zero))
		s2 = s2.Add(archsimd.LoadUint8x64(x[128:]).SumOf8AbsDiff(zero))
		s3 = s3.Add(archsimd.LoadUint8x64(x[192:]).SumOf8AbsDiff(zero))
	}
	return addWordsx8(s0.Add(s1).Add(s2.Add(s3))) + sum[uint64](x)
}

// sumInt8x64 adds 128 to each byte and takes it off at the end.
func sumInt8x64(x []int8) int64 {
	flip := archsimd.BroadcastUint8x64(1 << 7)
	var zero archsimd.Uint8x64
	var s0, s1 archsimd.Uint64x8
	rest := x
	for ; len(rest) >= 128; rest = rest[128:] {
		s0 = s0.Add(archsimd.LoadInt8x64(rest).ToBits().Xor(flip).SumOf8AbsDiff(zero))
		s1 = s1.Add(archsimd.LoadInt8x64(rest[64:]).ToBits().Xor(flip).SumOf8AbsDiff(zero))
	}
	taken := len(x) - len(rest)
	return int64(addWordsx8(s0.Add(s1))) - int64(taken)<<7 + sum[int64](rest)
}

// sumInt16x32 uses the instruction that multiplies and adds pairs, with factors of 1. A lane
// takes 1<<15 such sums.
func sumInt16x32(x []int16) (sum int64) {
	one := archsimd.BroadcastInt16x32(1)
	for len(x) >= 128 {
		part := x[:min(len(x)/128, 1<<13)*128]
		x = x[len(part):]
		var s0, s1, s2, s3 archsimd.Int32x16
		for ; len(part) >= 128; part = part[128:] {
			s0 = s0.Add(archsimd.LoadInt16x32(part).DotProductPairs(one))
			s1 = s1.Add(archsimd.LoadInt16x32(part[32:]).DotProductPairs(one))
			s2 = s2.Add(archsimd.LoadInt16x32(part[64:]).DotProductPairs(one))
			s3 = s3.Add(archsimd.LoadInt16x32(part[96:]).DotProductPairs(one))
		}
		sum += addLanesx16(s0.Add(s1).Add(s2.Add(s3)))
	}
	for _, v := range x {
		sum += int64(v)
	}
	return sum
}

// sumUint16x32 is sumInt16x32 of what is by half the range less.
func sumUint16x32(x []uint16) uint64 {
	one, flip := archsimd.BroadcastInt16x32(1), archsimd.BroadcastUint16x32(1<<15)
	var sum int64
	rest := x
	for len(rest) >= 128 {
		part := rest[:min(len(rest)/128, 1<<13)*128]
		rest = rest[len(part):]
		var s0, s1, s2, s3 archsimd.Int32x16
		for ; len(part) >= 128; part = part[128:] {
			s0 = s0.Add(archsimd.LoadUint16x32(part).Xor(flip).BitsToInt16().DotProductPairs(one))
			s1 = s1.Add(archsimd.LoadUint16x32(part[32:]).Xor(flip).BitsToInt16().DotProductPairs(one))
			s2 = s2.Add(archsimd.LoadUint16x32(part[64:]).Xor(flip).BitsToInt16().DotProductPairs(one))
			s3 = s3.Add(archsimd.LoadUint16x32(part[96:]).Xor(flip).BitsToInt16().DotProductPairs(one))
		}
		sum += addLanesx16(s0.Add(s1).Add(s2.Add(s3)))
	}
	return uint64(sum) + uint64(len(x)-len(rest))<<15 + sumFlipped(rest, 0)
}

func addLanesx16(x archsimd.Int32x16) (sum int64) {
	var lanes [16]int32
	x.Store(lanes[:])
	for _, y := range lanes {
		sum += int64(y)
	}
	return sum
}

func addWordsx8(x archsimd.Uint64x8) uint64 {
	var w [8]uint64
	x.Store(w[:])
	return (w[0] + w[1]) + (w[2] + w[3]) + (w[4] + w[5]) + (w[6] + w[7])
}

func sumFloat32x8(x []float32) float64 {
	var s0, s1, s2, s3 archsimd.Float64x8
	for ; len(x) >= 32; x = x[32:] {
		s0 = s0.Add(archsimd.LoadFloat32x8(x).ConvertToFloat64())
		s1 = s1.Add(archsimd.LoadFloat32x8(x[8:]).ConvertToFloat64())
		s2 = s2.Add(archsimd.LoadFloat32x8(x[16:]).ConvertToFloat64())
		s3 = s3.Add(archsimd.LoadFloat32x8(x[24:]).ConvertToFloat64())
	}
	var lanes [8]float64
	s0.Add(s1).Add(s2.Add(s3)).Store(lanes[:])
	return reduceAdd(lanes[:], sum[float64](x))
}

// The conversion to integers gives the least integer for NaN and whatever is too
// large; NaN becomes 0, and the rest the greatest integer.

func saturateFloat32ToInt32(v archsimd.Float32x16) archsimd.Int32x16 {
	r := v.ConvertToInt32()
	r = archsimd.BroadcastInt32x16(1<<31-1).IfElse(v.GreaterEqual(archsimd.BroadcastFloat32x16(1<<31)), r)
	return r.Masked(v.Equal(v))
}

func saturateFloat64ToInt32(v archsimd.Float64x8) archsimd.Int32x8 {
	// Clamped while 64 bits wide: the mask of such lanes fits no 32-bit ones.
	v = v.Masked(v.Equal(v))
	v = v.Min(archsimd.BroadcastFloat64x8(1<<31 - 1)).Max(archsimd.BroadcastFloat64x8(-1 << 31))
	return v.ConvertToInt32()
}

func saturateFloat32ToInt64(v archsimd.Float32x8) archsimd.Int64x8 {
	return saturateFloat64ToInt64(v.ConvertToFloat64())
}

func saturateFloat64ToInt64(v archsimd.Float64x8) archsimd.Int64x8 {
	r := v.ConvertToInt64()
	r = archsimd.BroadcastInt64x8(1<<63-1).IfElse(v.GreaterEqual(archsimd.BroadcastFloat64x8(1<<63)), r)
	return r.Masked(v.Equal(v))
}

// endVectors clears the upper parts of vector registers. Go's compiler takes instructions of 128 bits for
// floats and to clear memory, and processors make each change between those and wider ones wait: 100 ns
// where it was measured. Kernels therefore keep floats in memory (kept) and declare arrays before they use
// vectors, and end the use of vectors before anything else.
func endVectors() { archsimd.ClearAVXUpperBits() }
