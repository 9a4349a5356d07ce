package prove

import "github.com/rfactor-go/rfactor/ir"

// Tried remembers what became of the same problems under sets of assumptions. Who looks for the fewest
// assumptions of several proofs together asks for each of them under ever fewer, and meets most sets
// again. The zero Tried is empty; nil remembers nothing. It is not safe for concurrent use.
type Tried struct{ theorems []Theorem }

// Reset forgets everything, for other problems.
func (t *Tried) Reset() {
	clear(t.theorems)
	t.theorems = t.theorems[:0]
}

// under returns the theorem under exactly some assumptions; false where these were not tried.
func (t *Tried) under(assume ir.Assume) (Theorem, bool) {
	if t != nil {
		for _, tried := range t.theorems {
			if tried.Assumes == assume {
				return tried, true
			}
		}
	}
	return Theorem{}, false
}

// note remembers a theorem, unless the context ended the attempt.
func (t *Tried) note(theorem Theorem) {
	if t != nil && !theorem.Stopped {
		t.theorems = append(t.theorems, theorem)
	}
}
