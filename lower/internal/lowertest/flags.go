package lowertest

import (
	"flag"
	"math/rand/v2"
)

var (
	full   = flag.Bool("full", false, "run the long suites whole; else a sample of them")
	rounds = flag.Int("rounds", 1, "schedules that are drawn of each operator of the table")
	seed   = flag.Uint64("seed", 1, "seed of the suites that draw programs")
)

// Full reports whether the long suites run whole, as make check-lower lets them.
func Full() bool { return *full }

// Rand is the source of a suite's draws, a different one for each suite and each -seed.
func Rand(suite uint64) *rand.Rand { return rand.New(rand.NewPCG(*seed, suite)) }
