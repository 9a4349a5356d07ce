// Package memory tells how much memory this process may take.
package memory

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// Available returns how many bytes of memory this process may take: what the system says is free, and its limits. It is infinite where
// nothing tells.
func Available() float64 {
	left := math.Inf(1)
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		left = float64(limit)
	}
	meminfo, _ := os.ReadFile("/proc/meminfo") // of Linux
	if _, rest, ok := strings.Cut(string(meminfo), "MemAvailable:"); ok {
		if kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64); err == nil {
			left = min(left, kb*1024)
		}
	}
	read := func(file string) (float64, error) {
		text, _ := os.ReadFile("/sys/fs/cgroup/" + file)
		return strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	}
	if most, err := read("memory.max"); err == nil {
		if used, err := read("memory.current"); err == nil {
			left = min(left, most-used)
		}
	}
	return left
}
