package parts

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// attempt is a folder in which a part is made. Its process holds a lock on a file beside it, which ends with the process.
type attempt struct {
	dir  string
	lock *os.File
}

const lockSuffix = ".lock"

// newAttempt makes an empty folder, with the lock first.
func newAttempt(folder string) (*attempt, error) {
	for {
		f, err := os.CreateTemp(folder, "attempt-*"+lockSuffix)
		if err != nil {
			return nil, err
		}
		a := &attempt{strings.TrimSuffix(f.Name(), lockSuffix), f}
		switch held, err := hold(f); {
		case err != nil: // There are no locks here. Without its file nobody takes the folder for one that is left.
			os.Remove(f.Name())
		case !held: // another process took the file for one that is left
			f.Close()
			continue
		}
		if err := os.Mkdir(a.dir, 0o777); err != nil {
			a.remove()
			return nil, err
		}
		return a, nil
	}
}

// remove removes what is there of the attempt, and then gives up the lock.
func (a *attempt) remove() {
	os.RemoveAll(a.dir)
	os.Remove(a.lock.Name())
	a.lock.Close()
}

// hold locks a file, and reports whether the process holds it: not where another one does, nor where the file was removed meanwhile.
func hold(f *os.File) (bool, error) {
	if held, err := flock(f); !held || err != nil {
		return false, err
	}
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	now, err := os.Stat(f.Name())
	return err == nil && os.SameFile(mine, now), nil
}

// swept has the folders that this process looked through.
var swept sync.Map

// sweep removes the attempts of processes that are no more, once in a process and folder. It leaves those whose lock is held, and those
// of which it cannot tell.
func sweep(folder string) {
	if _, again := swept.LoadOrStore(folder, true); again {
		return
	}
	locks, _ := filepath.Glob(filepath.Join(folder, "attempt-*"+lockSuffix))
	for _, path := range locks {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if held, err := hold(f); held && err == nil {
			(&attempt{strings.TrimSuffix(path, lockSuffix), f}).remove()
		} else {
			f.Close()
		}
	}
}
