//go:build !unix

package run

import "time"

var started = time.Now()

// processor is the time by the clock, where that of a process is not known.
func processor() time.Duration { return time.Since(started) }
