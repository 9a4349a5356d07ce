//go:build unix

package pace

import (
	"syscall"
	"time"
)

// ProcessorTime returns the time that all threads of this process were busy for.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("internal: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
