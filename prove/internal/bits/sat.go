package bits

import (
	"context"
	"slices"
)

// sat decides, by learning a clause from each conflict, whether literals of a circuit can be
// true together. Its variables are the circuit's nodes. What it learned it keeps. Nothing is random, and
// work is counted in literals looked at.
type sat struct {
	clauses []satClause
	lits    []lit     // of all clauses
	watches [][]watch // by the literal that is false when they are visited
	value   []int8    // by literal: 1 true, −1 false, 0 open
	level   []int32   // by variable, as are all below
	reason  []int32
	saved   []lit // the literal that was true last
	inHeap  []int32
	wanted  []bool // may be decided in this question
	active  []float64
	seen    []bool
	heap    []int32 // of open variables by activity
	bump    float64
	trail   []lit
	starts  []int // of the levels above 0 in the trail
	head    int   // the first literal of the trail that is not propagated
	absurd  bool  // the clauses contradict each other
	work    int
	limit   int // of work
	ctx     context.Context

	model   []int8 // by literal, where it is possible
	learned []lit  // what is learned
	marked  []lit
}

// satClause is lits[first:last].
type satClause struct {
	first, last int32
}

// watch is a clause that watches a literal; where other is true there is nothing to do.
type watch struct {
	clause int32
	other  lit
}

const noClause int32 = -1

// verdict is the answer to one question.
type verdict uint8

const (
	givenUp verdict = iota
	possible
	impossible
)

// start forgets everything. There are n variables, and so much work may be done.
func (s *sat) start(n, limit int) {
	s.clauses, s.lits = s.clauses[:0], s.lits[:0]
	for i := range s.watches {
		s.watches[i] = s.watches[i][:0]
	}
	for len(s.watches) < 2*n {
		s.watches = append(s.watches, nil)
	}
	s.value = slices.Grow(s.value[:0], 2*n)[:2*n]
	s.level = slices.Grow(s.level[:0], n)[:n]
	s.reason = slices.Grow(s.reason[:0], n)[:n]
	s.saved = slices.Grow(s.saved[:0], n)[:n]
	s.inHeap = slices.Grow(s.inHeap[:0], n)[:n]
	s.wanted = slices.Grow(s.wanted[:0], n)[:n]
	s.active = slices.Grow(s.active[:0], n)[:n]
	s.seen = slices.Grow(s.seen[:0], n)[:n]
	clear(s.value)
	clear(s.wanted)
	clear(s.active)
	clear(s.seen)
	for i := range s.saved {
		s.saved[i], s.inHeap[i] = lit(2*i+1), -1
	}
	s.heap, s.trail, s.starts = s.heap[:0], s.trail[:0], s.starts[:0]
	s.bump, s.head, s.absurd, s.work, s.limit = 1, 0, false, 0, limit
}

func (s *sat) litsOf(c int32) []lit { return s.lits[s.clauses[c].first:s.clauses[c].last] }

// add appends a clause without watching it.
func (s *sat) add(lits ...lit) int32 {
	first := int32(len(s.lits))
	s.lits, s.work = append(s.lits, lits...), s.work+len(lits)
	s.clauses = append(s.clauses, satClause{first, int32(len(s.lits))})
	return int32(len(s.clauses) - 1)
}

// assert adds a clause at level 0. Its literals are different.
func (s *sat) assert(lits ...lit) {
	// the watched literals come first: those that are not false, if there are such
	slices.SortStableFunc(lits, func(a, b lit) int { return int(s.value[b]) - int(s.value[a]) })
	n := s.add(lits...)
	switch {
	case len(lits) == 0:
		s.absurd = true
	case len(lits) == 1 || s.value[lits[1]] < 0:
		s.watchBoth(n)
		if s.value[lits[0]] < 0 {
			s.absurd = true
		} else if s.value[lits[0]] == 0 {
			s.enqueue(lits[0], n)
		}
	default:
		s.watchBoth(n)
	}
}

func (s *sat) watchBoth(n int32) {
	if ls := s.litsOf(n); len(ls) > 1 {
		s.watches[ls[0]] = append(s.watches[ls[0]], watch{n, ls[1]})
		s.watches[ls[1]] = append(s.watches[ls[1]], watch{n, ls[0]})
	}
}

// enqueue makes a literal true. At level 0 its reason becomes a clause of its own.
func (s *sat) enqueue(l lit, reason int32) {
	v := l.node()
	if len(s.starts) == 0 && s.clauses[reason].last-s.clauses[reason].first > 1 {
		reason = s.add(l)
	}
	s.value[l], s.value[l^1] = 1, -1
	s.level[v], s.reason[v], s.saved[v] = int32(len(s.starts)), reason, l
	s.trail = append(s.trail, l)
}

// propagate draws the conclusions of clauses with one open literal. It answers a clause that
// is false, or noClause.
func (s *sat) propagate() int32 {
	for ; s.head < len(s.trail); s.head++ {
		gone := s.trail[s.head].not()
		ws := s.watches[gone]
		kept := ws[:0]
		for i, w := range ws {
			s.work++
			if s.value[w.other] > 0 {
				kept = append(kept, w)
				continue
			}
			ls := s.litsOf(w.clause)
			if ls[0] == gone {
				ls[0], ls[1] = ls[1], gone
			}
			if s.value[ls[0]] > 0 {
				kept = append(kept, watch{w.clause, ls[0]})
				continue
			}
			if s.rewatch(w.clause, ls) {
				continue
			}
			kept = append(kept, watch{w.clause, ls[0]})
			if s.value[ls[0]] < 0 {
				s.watches[gone] = append(kept, ws[i+1:]...)
				return w.clause
			}
			s.enqueue(ls[0], w.clause)
		}
		s.watches[gone] = kept
	}
	return noClause
}

// rewatch puts a literal that is not false in the place of the second one.
func (s *sat) rewatch(c int32, ls []lit) bool {
	for j := 2; j < len(ls); j++ {
		if s.value[ls[j]] >= 0 {
			s.work += j
			ls[1], ls[j] = ls[j], ls[1]
			s.watches[ls[1]] = append(s.watches[ls[1]], watch{c, ls[0]})
			return true
		}
	}
	s.work += len(ls)
	return false
}

// analyse learns from a clause that is false: it follows back the literals of the last level
// until one is left. It answers the level at which the learned clause makes that one true.
func (s *sat) analyse(conflict int32) (back int) {
	s.learned = append(s.learned[:0], 0)
	here, open, at := int32(len(s.starts)), 0, len(s.trail)
	for c := conflict; ; {
		for _, l := range s.litsOf(c) {
			s.work++
			v := l.node()
			switch {
			case s.value[l] > 0 || s.seen[v]:
				continue
			case s.level[v] == 0:
				continue
			}
			s.seen[v] = true
			s.bumpVar(v)
			if s.level[v] == here {
				open++
			} else {
				s.learned = append(s.learned, l)
			}
		}
		for at--; !s.seen[s.trail[at].node()]; at-- {
		}
		v := s.trail[at].node()
		if open--; open == 0 {
			s.learned[0] = s.trail[at].not()
			break
		}
		s.seen[v] = false
		c = s.reason[v]
	}
	s.minimise()
	for i, l := range s.learned[1:] {
		if n := int(s.level[l.node()]); n > back {
			back = n
			s.learned[1], s.learned[i+1] = l, s.learned[1]
		}
	}
	s.bump /= 0.95
	return back
}

// minimise drops literals that one clause derives from the others, and unmarks all.
func (s *sat) minimise() {
	s.marked = append(s.marked[:0], s.learned...)
	s.learned = slices.DeleteFunc(s.learned, func(l lit) bool {
		c := s.reason[l.node()]
		if l == s.learned[0] || c == noClause {
			return false
		}
		for _, o := range s.litsOf(c) {
			if o != l.not() && !s.seen[o.node()] && s.level[o.node()] > 0 {
				return false
			}
		}
		return true
	})
	for _, l := range s.marked {
		s.seen[l.node()] = false
	}
}

// conclude learns which of the assumed literals are false together: a is, given the others.
func (s *sat) conclude(a lit) {
	s.learned = append(s.learned[:0], a.not())
	if s.level[a.node()] == 0 {
		return
	}
	s.seen[a.node()] = true
	for at := len(s.trail) - 1; at >= s.starts[0]; at-- {
		l := s.trail[at]
		v := l.node()
		if !s.seen[v] {
			continue
		}
		s.seen[v] = false
		c := s.reason[v]
		if c == noClause {
			s.learned = append(s.learned, l.not())
			continue
		}
		for _, o := range s.litsOf(c) {
			if o != l && s.level[o.node()] > 0 {
				s.seen[o.node()] = true
			}
		}
	}
}

// ask answers whether the assumed literals can be true together, by as many conflicts as
// allowed. Only variables that are wanted are decided: those on which the assumed ones and
// the conditions depend.
func (s *sat) ask(conflicts int, assumed ...lit) verdict {
	s.refill()
	defer s.cancel(0)
	restart := 0
	for left := restartAfter; ; {
		if s.absurd {
			return impossible
		}
		if c := s.propagate(); c != noClause {
			if len(s.starts) == 0 {
				s.absurd = true
				continue
			}
			if conflicts--; conflicts < 0 || s.spent() {
				return givenUp
			}
			left--
			s.learn(c)
			continue
		}
		if left <= 0 {
			restart++
			left = restartAfter * luby(restart)
			s.cancel(0)
			continue
		}
		l, ok := s.assumption(assumed)
		switch {
		case !ok:
			return s.refuted(l)
		case l < 0:
			if l = s.decide(); l < 0 {
				s.model = append(s.model[:0], s.value...)
				return possible
			}
		}
		s.starts = append(s.starts, len(s.trail))
		s.enqueue(l, noClause)
	}
}

// spent reports whether no more work is to be done.
func (s *sat) spent() bool { return s.work > s.limit || s.ctx.Err() != nil }

const restartAfter = 60 // conflicts

// luby returns the n-th of 1 1 2 1 1 2 4 1 1 2 …, from 0.
func luby(n int) int {
	for size := 1; ; size = 2*size + 1 {
		if n < size {
			for n < size-1 {
				if size /= 2; n >= size {
					n -= size
				}
			}
			return (size + 1) / 2
		}
	}
}

// assumption returns the next assumed literal to be decided, or −1; it is false where ok is not
// set.
func (s *sat) assumption(assumed []lit) (l lit, ok bool) {
	for _, l := range assumed {
		switch {
		case s.value[l] < 0:
			return l, false
		case s.value[l] == 0:
			return l, true
		}
	}
	return -1, true
}

// refuted learns that an assumed literal is false, given the others.
func (s *sat) refuted(l lit) verdict {
	s.conclude(l)
	s.cancel(0)
	s.assert(s.learned...)
	return impossible
}

// learn adds what a conflict teaches, and goes back to where it says something new.
func (s *sat) learn(conflict int32) {
	back := s.analyse(conflict)
	s.cancel(back)
	if len(s.learned) == 1 {
		s.assert(s.learned...)
		return
	}
	n := s.add(s.learned...)
	s.watchBoth(n)
	s.enqueue(s.learned[0], n)
}

// cancel goes back to a level.
func (s *sat) cancel(level int) {
	if len(s.starts) <= level {
		return
	}
	for _, l := range s.trail[s.starts[level]:] {
		s.value[l], s.value[l^1] = 0, 0
		if v := l.node(); s.wanted[v] && s.inHeap[v] < 0 {
			s.push(int32(v))
		}
	}
	s.trail = s.trail[:s.starts[level]]
	s.starts = s.starts[:level]
	s.head = len(s.trail)
}

// decide returns the literal of the most active open variable, or −1.
func (s *sat) decide() lit {
	for len(s.heap) > 0 {
		v := s.pop()
		if l := s.saved[v]; s.value[l] == 0 {
			return l
		}
	}
	return -1
}
