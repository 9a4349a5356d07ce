//go:build goexperiment.simd && go1.27

package simd

// severalTurns is how many turns of four vectors a fold is at work before it is another's
// turn.
const severalTurns = 16

func sumLanes[T int32 | int64](lanes []T) (sum int) {
	for _, v := range lanes {
		sum += int(v)
	}
	return sum
}
