// Package suite says how much of a long suite of tests runs: a sample, the same in every run, or with
// the flag -long all of it.
//
//	for i := range suite.Sample(200, 1000) { … }
package suite

import "flag"

var long = flag.Bool("long", false, "try all that long suites have, not a sample")

// Sample returns few in an ordinary test, and all with -long.
func Sample(few, all int) int {
	if *long {
		return all
	}
	return few
}
