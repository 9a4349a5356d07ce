package equation

// clauseSet is what a check knows of variables: clauses, and the literals that follow from
// them by unit propagation. A literal is the number of a variable from 1, negative where it
// is negated.
type clauseSet struct {
	truth   []int8     // of variables: 1 true, −1 false, 0 unknown
	known   []int      // the literals that are true, as they came out
	watched [][]*[]int // by place(l): clauses of whose first two literals l is one
	absurd  bool       // the clauses contradict each other
	burn    func(steps int)
}

func place(l int) int {
	if l < 0 {
		return -2*l + 1
	}
	return 2 * l
}

// variable is a new one.
func (s *clauseSet) variable() int {
	if len(s.truth) == 0 { // there is no variable 0
		s.truth, s.watched = []int8{0}, [][]*[]int{nil, nil}
	}
	s.truth, s.watched = append(s.truth, 0), append(s.watched, nil, nil)
	return len(s.truth) - 1
}

// is tells whether a literal is true (1), false (−1) or unknown (0).
func (s *clauseSet) is(l int) int8 {
	if l < 0 {
		return -s.truth[-l]
	}
	return s.truth[l]
}

// always adds a clause.
func (s *clauseSet) always(literals ...int) {
	var open []int
	for _, l := range literals {
		switch s.is(l) {
		case 1:
			return
		case 0:
			open = append(open, l)
		}
	}
	s.burn(1 + len(literals))
	switch len(open) {
	case 0:
		s.absurd = true
	case 1:
		before := len(s.known)
		s.suppose(open[0])
		s.absurd = s.absurd || !s.propagate(before)
	default:
		for _, l := range open[:2] {
			s.watched[place(l)] = append(s.watched[place(l)], &open)
		}
	}
}

// follows reports whether it is contradictory, by unit propagation, that all literals of a
// clause are false.
func (s *clauseSet) follows(clause ...int) bool {
	before := len(s.known)
	ok := s.absurd
	for _, l := range clause {
		ok = ok || !s.suppose(-l)
	}
	ok = ok || !s.propagate(before)
	for _, l := range s.known[before:] {
		s.truth[max(l, -l)] = 0
	}
	s.known = s.known[:before]
	return ok
}

// suppose makes a literal true. It reports whether it was not false.
func (s *clauseSet) suppose(l int) bool {
	switch s.is(l) {
	case -1:
		return false
	case 0:
		s.known = append(s.known, l)
		if l > 0 {
			s.truth[l] = 1
		} else {
			s.truth[-l] = -1
		}
	}
	return true
}

// propagate draws the conclusions of the known literals from a number on: where all literals
// of a clause but one are false, that one is true. It reports whether no clause is false.
func (s *clauseSet) propagate(from int) bool {
	for ; from < len(s.known); from++ {
		gone := -s.known[from]
		list := s.watched[place(gone)]
		for i := 0; i < len(list); {
			c := *list[i]
			s.burn(1)
			if c[0] == gone {
				c[0], c[1] = c[1], gone
			}
			j := 2
			for s.is(c[0]) != 1 && j < len(c) && s.is(c[j]) == -1 {
				j++
			}
			s.burn(j / 8)
			switch {
			case s.is(c[0]) == 1:
				i++
			case j < len(c): // watch another literal
				c[1], c[j] = c[j], gone
				s.watched[place(c[1])] = append(s.watched[place(c[1])], list[i])
				list[i] = list[len(list)-1]
				list = list[:len(list)-1]
			case !s.suppose(c[0]):
				s.watched[place(gone)] = list
				return false
			default:
				i++
			}
		}
		s.watched[place(gone)] = list
	}
	return true
}
