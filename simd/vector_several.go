//go:build goexperiment.simd && go1.27

package simd

// severalTurns is how many turns of four vectors a fold is at work before it is another's
// turn: as many as fit the nearest cache, since whoever comes first waits anew in each part
// until the processor foresees what it reads.
const severalTurns = 128

func sumLanes[T int32 | int64](lanes []T) (sum int) {
	for _, v := range lanes {
		sum += int(v)
	}
	return sum
}
