package main

import (
	"os"
	"syscall"
)

// peakMegabytes returns the largest resident size of a process; 0 where it is not known.
func peakMegabytes(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) / 1024
}
