//go:build !race

package ir

// raceEnabled: the race detector makes everything slower.
const raceEnabled = false
