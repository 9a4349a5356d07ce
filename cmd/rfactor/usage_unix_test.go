//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is the processor time that this process has taken, in user mode: how busy the machine is matters little.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano())
}
