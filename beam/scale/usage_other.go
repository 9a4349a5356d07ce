//go:build !unix

package scale

import "time"

var begun = time.Now()

// used is how long the process has run: one job at a time takes about as much processor time.
func used() time.Duration { return time.Since(begun) }
