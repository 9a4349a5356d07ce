package simd

// Steps is the state that an automaton of at most 16 states comes to from one by the bytes of x: next[y][s] is the state behind s by the byte y.
//
// On vectors a step is a shuffle: what becomes of each state by several bytes is again a row of 16, so that parts of x go side by side
// (Mytkowicz, Musuvathi and Schulte, "Data-Parallel Finite-State Machines", ASPLOS 2014).
func Steps(next *[256][16]uint8, x []uint8, state uint8) uint8 {
	for _, y := range x[steps(next, x, &state):] {
		state = next[y][state&15]
	}
	return state
}
