// Package guard turns a panic, which says that an invariant of this module is broken, into an error of
// the piece of work that met it: a line of a batch, or the update that a compiler asks about.
package guard

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Error is a broken invariant. Its text has the word "internal", what was thrown, and where.
type Error struct {
	Value any    // what panic was called with
	Where string // the innermost functions of this module with their lines, the innermost first
}

// Error returns the text.
func (e *Error) Error() string { return fmt.Sprintf("internal: %v, at %s", e.Value, e.Where) }

// Unwrap returns the error that was thrown, such as a runtime.Error; nil where something else was.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Call calls f and returns its error, or an *Error where f panics. What f worked on may be half done
// then: the caller throws it away.
func Call(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Error{value, where()}
		}
	}()
	return f()
}

// shown is how many functions say where a panic was.
const shown = 3

// module is the prefix of all functions of this module.
const module = "github.com/rfactor-go/rfactor/"

// where names the innermost functions of this module below the panic.
func where() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])]) // where, the deferred function, gopanic
	var names []string
	for {
		f, more := frames.Next()
		if rest, ok := strings.CutPrefix(f.Function, module); ok && !strings.HasPrefix(rest, "internal/effort.Within") { // which panics again
			names = append(names, fmt.Sprintf("%s:%d", path.Base(rest), f.Line))
		} else if strings.HasPrefix(f.Function, "main.") {
			names = append(names, fmt.Sprintf("%s:%d", f.Function, f.Line))
		}
		if !more || len(names) == shown {
			return strings.Join(names, " < ")
		}
	}
}
