// Package suite says how much of a long suite of tests runs: a sample, the same in every run, or with
// the flag -long all of it.
//
//	for i := range suite.Sample(200, 1000) { … }
//
// Of the slowest tests an ordinary run takes less than CI does, which says so in the environment: SAMPLES=more go test ./....
package suite

import (
	"flag"
	"os"
	"runtime/debug"
)

// Tests keep little alive and allocate much: a garbage collection at five times what lives, not at twice, saves them an eighth of their
// processor time. GOGC in the environment is heeded.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

var long = flag.Bool("long", false, "try all that long suites have, not a sample")

// Sample returns few in an ordinary test, and all with -long.
func Sample(few, all int) int {
	if *long {
		return all
	}
	return few
}

// More returns the first in an ordinary test, and the second where SAMPLES=more is in the environment. Unlike Sample it may be called
// before flags are read; a suite that has both takes the sample of Sample for the second.
func More[T any](ordinary, more T) T {
	if os.Getenv("SAMPLES") == "more" {
		return more
	}
	return ordinary
}
