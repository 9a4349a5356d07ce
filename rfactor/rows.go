package rfactor

import "github.com/rfactor-go/rfactor/ir/tape"

// rowStore is memory for rows, used again and again: what a stage of a match takes is given back
// at its end. Rows are as they were left.
type rowStore struct {
	all  []*row
	used int
}

// take is the next row.
func (s *rowStore) take() *row {
	if s.used == len(s.all) {
		for block := make([]row, 32); len(block) > 0; block = block[1:] {
			s.all = append(s.all, &block[0])
		}
	}
	s.used++
	return s.all[s.used-1]
}

// copied is a copy of the first lanes of rows.
func (s *rowStore) copied(rs []*row, lanes int) []*row {
	out := make([]*row, len(rs))
	for i, r := range rs {
		out[i] = s.take()
		copy(out[i][:lanes], r[:lanes])
	}
	return out
}

// giveBack forgets the rows that were taken since so many were used.
func (s *rowStore) giveBack(used int) { s.used = used }

// workspace is what samples and tapes compute in, used again from match to match. It serves one
// goroutine.
type workspace struct {
	rows      rowStore
	registers tape.Registers
}
