package bits

import (
	"encoding/binary"

	"github.com/rfactor-go/rfactor/verify/poly"
)

// clauseSet holds clauses, and the literals that follow from them by unit propagation.
type clauseSet struct {
	holds   []bool    // by literal
	known   word      // those that hold, in the order in which they came out
	watched [][]*word // by literal: clauses of whose first two literals it is one
	absurd  bool      // the clauses contradict each other
	burn    func(steps int)
}

// clauses says what every gate computes, and that the given literals hold.
func (c *circuit) clauses(given word) *clauseSet {
	n := 2 * len(c.gates)
	s := &clauseSet{holds: make([]bool, n), watched: make([][]*word, n), burn: c.Burn}
	s.add(yes)
	for i, g := range c.gates {
		l := literal(2 * i)
		switch g.kind {
		case conjunction:
			s.add(l.not(), g.a)
			s.add(l.not(), g.b)
			s.add(l, g.a.not(), g.b.not())
		case difference:
			s.add(l.not(), g.a, g.b)
			s.add(l.not(), g.a.not(), g.b.not())
			s.add(l, g.a.not(), g.b)
			s.add(l, g.a, g.b.not())
		}
	}
	for _, l := range given {
		s.add(l)
	}
	return s
}

// learn adds clauses as byBits.lemmas of the search writes them: the number of literals, the first of
// them and the differences between them. Each must follow.
func (s *clauseSet) learn(lemmas []byte) {
	next := func() int {
		v, n := binary.Uvarint(lemmas)
		if n <= 0 || v > uint64(len(s.holds)) {
			poly.Fail("the clauses break off or name gates that there are not")
		}
		lemmas = lemmas[n:]
		return int(v)
	}
	for len(lemmas) > 0 {
		clause := make(word, next())
		l := 0
		for i := range clause {
			if l += next(); l >= len(s.holds) {
				poly.Fail("there is no gate %d", l/2)
			}
			clause[i] = literal(l)
		}
		if !s.follows(clause...) {
			poly.Fail("the clause %v does not follow by unit propagation", clause)
		}
		s.add(clause...)
	}
}

// add adds a clause.
func (s *clauseSet) add(clause ...literal) {
	s.burn(1 + len(clause))
	var open word
	for _, l := range clause {
		if s.holds[l] {
			return
		}
		if !s.holds[l.not()] {
			open = append(open, l)
		}
	}
	switch len(open) {
	case 0:
		s.absurd = true
	case 1:
		before := len(s.known)
		s.absurd = !s.suppose(open[0]) || !s.propagate(before) || s.absurd
	default:
		for _, l := range open[:2] {
			s.watched[l] = append(s.watched[l], &open)
		}
	}
}

// follows reports whether it is contradictory, by unit propagation, that all literals of a clause are false.
func (s *clauseSet) follows(clause ...literal) bool {
	before := len(s.known)
	ok := s.absurd
	for _, l := range clause {
		ok = ok || !s.suppose(l.not())
	}
	ok = ok || !s.propagate(before)
	for _, l := range s.known[before:] {
		s.holds[l] = false
	}
	s.known = s.known[:before]
	return ok
}

// suppose makes a literal hold. It reports whether its negation does not.
func (s *clauseSet) suppose(l literal) bool {
	if !s.holds[l] && !s.holds[l.not()] {
		s.holds[l] = true
		s.known = append(s.known, l)
	}
	return s.holds[l]
}

// propagate draws the conclusions of the known literals from a number on: where all literals of a clause
// but one are false, that one holds. It reports whether no clause is false.
func (s *clauseSet) propagate(from int) bool {
	ok := true
	for ; ok && from < len(s.known); from++ {
		gone := s.known[from].not()
		list := s.watched[gone]
		s.watched[gone] = nil
		for _, clause := range list {
			ok = s.visit(clause, gone) && ok
		}
	}
	return ok
}

// visit moves the watch of a clause from a false literal to one that is not false. Where there is none,
// the other watched literal must hold: visit reports whether it can.
func (s *clauseSet) visit(clause *word, gone literal) bool {
	c := *clause
	if c[0] == gone {
		c[0], c[1] = c[1], gone
	}
	s.burn(1 + len(c)/8)
	if !s.holds[c[0]] {
		for j, l := range c[2:] {
			if !s.holds[l.not()] {
				c[1], c[j+2] = l, gone
				s.watched[l] = append(s.watched[l], clause)
				return true
			}
		}
	}
	s.watched[gone] = append(s.watched[gone], clause)
	return s.suppose(c[0])
}
