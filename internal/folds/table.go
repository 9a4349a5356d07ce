package folds

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

// TableStates is how many values a state may have whose steps are looked up.
const TableStates = 16

// StepTable tabulates a step: to is what x becomes by an element y of 8 bits, a variable or a read, and next[TableStates*y + x] is its value. It is not
// ok where to reads anything else, or where steps make of start, in any number and whatever the elements, a value that is not below TableStates. Parts
// that begin with start are joined to such values, too: these are what steps make of start.
func StepTable(to, x, y ir.Expr, start uint64) (next []uint8, ok bool) {
	return stepTable(to, x, y, start, TableStates)
}

// ByteStates is how many values a state of 8 bits has.
const ByteStates = 256

// stepTable tabulates a step of so many states at most.
func stepTable(to, x, y ir.Expr, start, most uint64) (next []uint8, ok bool) {
	if start >= most || y.Type().Bits() != 8 {
		return nil, false
	}
	step := tape.New(to)
	var states, elements [tape.Lanes]uint64
	var rows []*[tape.Lanes]uint64
	for _, in := range step.Inputs {
		switch in {
		case x:
			rows = append(rows, &states)
		case y:
			rows = append(rows, &elements)
		default:
			return nil, false
		}
	}
	next = make([]uint8, 256*most)
	known := [ByteStates]bool{}
	known[start] = true
	for open := []uint64{start}; len(open) > 0; open = open[1:] {
		for i := range states {
			states[i] = open[0]
		}
		for base := 0; base < 256; base += tape.Lanes {
			for i := range elements {
				elements[i] = y.Type().Wrap(uint64(base + i))
			}
			for i, is := range step.Run(rows)[0] {
				if is >= most {
					return nil, false
				}
				next[int(most)*(base+i)+int(open[0])] = uint8(is)
				if !known[is] {
					known[is], open = true, append(open, is)
				}
			}
		}
	}
	return next, true
}
