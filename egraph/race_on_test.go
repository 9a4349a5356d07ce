//go:build race

package egraph_test

const raceEnabled = true
