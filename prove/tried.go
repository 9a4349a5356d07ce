package prove

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Tried remembers what became of the problems that it was asked about last, under sets of assumptions.
// Who looks for the fewest assumptions of several proofs together asks for each of them under ever fewer,
// and meets most sets again. The zero Tried is empty; nil remembers nothing. It is not safe for
// concurrent use.
type Tried struct {
	problems []proof.Problem
	theorems []Theorem // about these problems, and no others
}

// about forgets the theorems unless they are about the given problems.
func (t *Tried) about(problems []proof.Problem) {
	if t == nil || slices.EqualFunc(t.problems, problems, sameProblem) {
		return
	}
	t.problems = append(t.problems[:0], problems...)
	clear(t.theorems)
	t.theorems = t.theorems[:0]
}

func sameProblem(p, q proof.Problem) bool {
	return p.Left == q.Left && p.Right == q.Right && slices.Equal(p.Given, q.Given)
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
