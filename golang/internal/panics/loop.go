package panics

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// Way is a way in which a step of a loop may panic.
type Way struct {
	Kind    string
	At      ssa.Instruction // of the loop; a branch where it leads to a panic
	Decided bool            // the state decides whether a step gets there, or what happens then
}

// In lists the ways in which steps of a loop may panic. State is what the state is in a step: phis of the header, and loads of
// variables in memory.
func In(l *loops.Loop, state []ssa.Value, calls Calls) (list []Way) {
	t := newTaint(l, state)
	doomed := Doomed(l.Func)
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			if branch, ok := i.(*ssa.If); ok && slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !l.Has(s) && doomed[s] }) {
				list = append(list, Way{"panic", i, t.values[branch.Cond] || t.isControlled(b)})
			}
			for _, kind := range Of(i, calls) {
				if kind == "bounds" && t.isInBounds(i) {
					continue
				}
				list = append(list, Way{kind, i, (t.isTainted(i) || t.isControlled(b)) && !t.isRepeated(i)})
			}
		}
	}
	return list
}
