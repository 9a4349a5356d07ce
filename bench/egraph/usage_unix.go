//go:build unix

package egraph

import (
	"runtime"
	"syscall"
)

// peakBytes returns the largest resident size so far.
func peakBytes() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	peak := int64(u.Maxrss)
	if runtime.GOOS != "darwin" {
		peak *= 1024 // only there it is in bytes
	}
	return peak
}
