//go:build !race

package program

// raceEnabled: the race detector makes everything slower.
const raceEnabled = false
