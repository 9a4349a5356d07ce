package egraph

// turns holds, by the numbers of the rules, what a schedule has decided about them.
type turns struct {
	matches []int  // in the last iteration
	out     []bool // it is left out of this iteration
	owed    []bool // it was left out: what other rules have seen is new to it
	idle    []int  // as runner.idle
}

func newTurns(rules int) turns {
	return turns{make([]int, rules), make([]bool, rules), make([]bool, rules), make([]int, rules)}
}

// next asks the schedule about an iteration.
func (t *turns) next(r *runner) {
	clear(t.out)
	r.limits.Schedule(r.it.Number, t.matches, t.out)
	clear(t.matches)
}

// done settles what is owed after a search of some classes or all.
func (t *turns) done(classes int, all bool) {
	for i := range t.owed {
		t.owed[i] = t.out[i] || t.owed[i] && !all
		if !t.out[i] {
			t.idle[i] += classes
		}
	}
}
