package sample

import "github.com/rfactor-go/rfactor/ir/tape"

// Rows is memory for rows, used again and again: what a stage of a match takes is given back
// at its end. Rows are as they were left.
type Rows struct {
	all  []*Row
	Used int
}

// Take returns the next row.
func (s *Rows) Take() *Row {
	if s.Used == len(s.all) {
		for block := make([]Row, 32); len(block) > 0; block = block[1:] {
			s.all = append(s.all, &block[0])
		}
	}
	s.Used++
	return s.all[s.Used-1]
}

// Copied returns a copy of the first lanes of rows.
func (s *Rows) Copied(rs []*Row, lanes int) []*Row {
	out := make([]*Row, len(rs))
	for i, r := range rs {
		out[i] = s.Take()
		copy(out[i][:lanes], r[:lanes])
	}
	return out
}

// GiveBack forgets the rows that were taken since so many were used.
func (s *Rows) GiveBack(used int) { s.Used = used }

// Workspace is what samples and tapes compute in, used again from match to match. It serves one
// goroutine.
type Workspace struct {
	Rows      Rows
	Registers tape.Registers
}
