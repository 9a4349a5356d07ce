// Package pace measures how fast a process runs, by processor time.
package pace

import (
	"runtime"
	"time"
)

// calibrationTime is what the work of Slower takes on the machine on which effort was fixed, a virtual one with two idle
// cores of an AMD EPYC (family 25, model 17).
const calibrationTime = 7200 * time.Microsecond

// Slower returns how much slower than the machine on which effort was fixed this one is now: the processor time
// of a fixed piece of work, over what it takes there. The work is like that of a match: integers, a table of 2 MB
// that is searched at random, and small objects.
func Slower() float64 {
	type node struct {
		next *node
		key  uint64
	}
	least := time.Duration(1 << 62)
	for range 3 {
		start := ProcessorTime()
		table := make([]uint64, 1<<18)
		var list *node
		h := uint64(88172645463325252)
		for i := range 1 << 19 {
			h ^= h << 13
			h ^= h >> 7
			h ^= h << 17
			at := &table[h>>46]
			*at += h
			if *at%4 == 0 {
				list = &node{list, h}
			}
			if i%(1<<12) == 0 {
				list = nil
			}
		}
		if list != nil {
			h += list.key
		}
		runtime.KeepAlive(h + table[h>>46]) // so that it is computed
		least = min(least, ProcessorTime()-start)
	}
	return float64(least) / float64(calibrationTime)
}
