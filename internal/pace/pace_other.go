//go:build !unix

package pace

import "time"

var began = time.Now()

// ProcessorTime returns the time by the clock, where the system does not tell how long threads were busy.
func ProcessorTime() time.Duration { return time.Since(began) }
