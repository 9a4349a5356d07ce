//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package parts

import (
	"os"
	"syscall"
)

// flock locks a file unless another process or open file has the lock. The lock ends when the file is closed, at the latest with the
// process.
func flock(f *os.File) (held bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}
