//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"
)

func usage() syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return syscall.Rusage{}
	}
	return u
}

// cpuTime returns the processor time so far, of the system too: clearing fresh
// memory is part of the work.
func cpuTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakBytes returns the largest resident size so far.
func peakBytes() int64 {
	peak := int64(usage().Maxrss)
	if runtime.GOOS != "darwin" {
		peak *= 1024 // only there it is in bytes
	}
	return peak
}
