//go:build !race

package egraph_test

// raceEnabled: the race detector has pools forget some of what they are given.
const raceEnabled = false
