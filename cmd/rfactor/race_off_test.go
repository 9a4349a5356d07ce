//go:build !race

package main

// slowness is what the race detector may cost, in time and memory.
const slowness = 1
