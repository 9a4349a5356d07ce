package kernel

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// maxPlaces is from how many places of memory a loop reads at once.
const maxPlaces = 8

// Places lets loops over the whole run take each copy of their accumulators twice in a step or more, and read the streams from several
// places at once. Processors fetch ahead of each place that is read, up to the end of a page: four places at once are a third faster
// than one where arrays are in memory. Coordinates advance from one vector to the next, so that loops over them stay.
//
// A copy that is updated by bitwise operations is taken once: two of a copy become one instruction on 512 bits, which Go 1.27 does not
// assemble where it reads memory.
func Places(k *Kernel) *Kernel {
	out := *k
	out.Body = slices.Clone(k.Body)
	for i, n := range out.Body {
		l, ok := n.(Loop)
		if !ok || Uses(l.Values(), Place, 0) || len(l.Do) > 0 {
			continue
		}
		l.Vectors, l.Parts = 2*l.Copies, 4
		if l.Copies == 3 { // four each, so that four places have as many
			l.Vectors = 12
		}
		if l.bitwise() {
			l.Vectors = l.Copies
		}
		for l.Parts > 1 && (l.Parts*len(k.Streams) > maxPlaces || l.Vectors%l.Parts > 0) {
			l.Parts /= 2
		}
		out.Body[i] = l
	}
	return &out
}

// bitwise reports whether accumulators are operands of bitwise operations, on vectors or on masks.
func (l *Loop) bitwise() bool {
	found := false
	for _, to := range l.Values() {
		to.Walk(func(v *Value) {
			switch ir.Op(v.Op) {
			case ir.BitAnd, ir.BitOr, ir.BitXor, ir.And, ir.Or:
				v.Walk(func(w *Value) { found = found || w.Op == State })
			}
		})
	}
	return found
}
