// Package timing makes inputs and times calls. Bench lower uses it, and so does the module
// that it emits, which gets a copy.
package timing

import (
	_ "embed"
	"math"
	"slices"
	"time"
	"unsafe"
)

// Source is this file.
//
//go:embed timing.go
var Source []byte

// Number are the types of elements.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Memory gives the memory of an array of at least one byte; nil stands for new memory of the language.
var Memory func(bytes int) []byte

// Values are elements of a kind: small integers, of which sums and products stay finite for long, but where the kind says otherwise.
//
//	text      letters, a space for each sixth of them
//	csv       letters, a quote and a comma for each eighth of them
//	unit      numbers from 0 to 1
//	brackets  opening and closing ones, and letters
//	sorted    each no less than the one before it
//	walk      from -8 to 7
//	signed    numbers between -1 and 1; integers from -8 to 7
//	any       all bits are drawn
func Values[T Number](n, component int, kind string) []T {
	s := array[T](n)
	state := uint32(12345 + component)
	for i := range s {
		state = state*1664525 + 1013904223
		s[i] = drawn[T](kind, i, state)
	}
	return s
}

// drawn is element i of a kind, made of 32 bits.
func drawn[T Number](kind string, i int, bits uint32) T {
	small := int(bits >> 28)
	switch kind {
	case "text":
		if bits>>16%6 == 0 {
			return T(' ')
		}
		return T(97 + small)
	case "csv":
		return T([8]int{'"', ',', 'a', 'b', 'c', 'd', 'e', 'f'}[bits>>29])
	case "unit":
		return T(float64(bits) / (1 << 32))
	case "brackets":
		return T([4]int{'(', ')', 'a', 'b'}[bits>>30])
	case "sorted":
		return T(i / 16)
	case "walk":
		return T(small - 8)
	case "signed":
		if half := 0.5; T(half) != 0 {
			return T(float64(bits)/(1<<31) - 1)
		}
		return T(small - 8)
	case "any":
		return T(bits ^ bits>>16)
	}
	return T(small)
}

func array[T Number](n int) []T {
	if Memory == nil || n == 0 {
		return make([]T, n)
	}
	var element T
	return unsafe.Slice((*T)(unsafe.Pointer(&Memory(n * int(unsafe.Sizeof(element)))[0])), n)
}

// Root is the k-th root of n, rounded.
func Root(n, k int) int { return int(math.Round(math.Pow(float64(n), 1/float64(k)))) }

// Elements is how many elements an array of k dimensions has, each of them the k-th root of n.
func Elements(n, k int) int {
	size := 1
	for range k {
		size *= Root(n, k)
	}
	return size
}

// Medians is the median time of a call of each function, in microseconds: batches of about 2 ms, by
// turns, 15 of them; 5 where these take longer than three seconds.
func Medians(fs ...func() error) ([]float64, error) {
	calls, times := make([]int, len(fs)), make([][]float64, len(fs))
	batch := func(i int) time.Duration {
		start := time.Now()
		for range calls[i] {
			fs[i]()
		}
		return time.Since(start)
	}
	for i, f := range fs {
		if err := f(); err != nil {
			return nil, err
		}
		for calls[i] = 1; batch(i) < 2*time.Millisecond; {
			calls[i] *= 2
		}
	}
	begin := time.Now()
	for round := 0; round < 15 && (round < 5 || time.Since(begin) < 3*time.Second); round++ {
		for k := range fs {
			i := (k + round) % len(fs) // nobody always comes first
			times[i] = append(times[i], batch(i).Seconds()*1e6/float64(calls[i]))
		}
	}
	var out []float64
	for _, t := range times {
		slices.Sort(t)
		out = append(out, t[len(t)/2])
	}
	return out, nil
}

// Best is the least time of a call of each function, in milliseconds: batches of about 5 ms,
// by turns, so that all of them see the same moods of the machine, for half a second each.
func Best(fs ...func() error) ([]float64, error) {
	calls, least := make([]int, len(fs)), make([]float64, len(fs))
	for i, f := range fs {
		if err := f(); err != nil {
			return nil, err
		}
		calls[i], least[i] = 1, math.Inf(1)
	}
	const span = 500 * time.Millisecond
	for begin, rounds := time.Now(), 0; rounds < 5 || time.Since(begin) < span*time.Duration(len(fs)); rounds++ {
		for i, f := range fs {
			start := time.Now()
			for range calls[i] {
				f()
			}
			took := time.Since(start)
			least[i] = min(least[i], took.Seconds()*1000/float64(calls[i]))
			if took < 5*time.Millisecond {
				calls[i] *= 2
			}
		}
	}
	return least, nil
}
