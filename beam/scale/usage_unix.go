//go:build unix

package scale

import (
	"syscall"
	"time"
)

// used is the processor time of this process, user's and system's.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
