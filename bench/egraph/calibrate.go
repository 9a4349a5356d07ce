package egraph

import (
	"time"

	"github.com/rfactor-go/rfactor/internal/pace"
)

// Three loops that say how fast a machine is: arithmetic, waiting for memory, and inserting into
// a map. Egg's times were taken beside known times of the same loops, and are scaled by the
// geometric mean of the three ratios.
var calibrations = []struct {
	name   string
	egg    time.Duration // what it took beside egg
	passes int
	run    func() uint64
}{
	{"alu_200M", 276 * time.Millisecond, 7, multiply},
	{"chase_5M_64MiB", 1491 * time.Millisecond, 3, newChase()},
	{"gomap_insert_1M_12B", 386 * time.Millisecond, 3, insert},
}

// Sink keeps the compiler from dropping the loops.
var Sink uint64

func calibrate(i int) result {
	c := calibrations[i]
	var best result
	for n := range c.passes {
		cpu, start := pace.ProcessorTime(), time.Now()
		Sink += c.run()
		r := result{wall: time.Since(start), cpu: pace.ProcessorTime() - cpu}
		if n == 0 || r.time() < best.time() {
			best = r
		}
	}
	return best
}

func multiply() uint64 {
	x := uint64(1)
	for range 200_000_000 {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// newChase returns a walk along one cycle through 64 MiB, which is laid out at the first call:
// the best pass does not show it.
func newChase() func() uint64 {
	var next []uint32
	return func() uint64 {
		if next == nil {
			next = cycle(1 << 24)
		}
		x := uint32(0)
		for range 5_000_000 {
			x = next[x]
		}
		return uint64(x)
	}
}

// cycle returns a permutation that is a single cycle (Sattolo).
func cycle(n int) []uint32 {
	p := make([]uint32, n)
	for i := range p {
		p[i] = uint32(i)
	}
	r := uint64(88172645463325252)
	for i := n - 1; i > 0; i-- {
		r ^= r << 13
		r ^= r >> 7
		r ^= r << 17
		j := int(r % uint64(i))
		p[i], p[j] = p[j], p[i]
	}
	return p
}

func insert() uint64 {
	m := map[[3]uint32]uint32{}
	for i := range uint32(1_000_000) {
		m[[3]uint32{1, i * 2654435761 >> 8, i}] = i
	}
	return uint64(len(m))
}
