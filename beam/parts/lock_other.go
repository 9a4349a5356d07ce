//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package parts

import (
	"errors"
	"os"
)

// flock is an error: what killed processes leave stays.
func flock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
