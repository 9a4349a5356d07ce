package funcs

import (
	"fmt"
	"math/bits"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// flush gives accumulators what narrow ones hold.
func (w *vectorWriter) flush(f kernel.Flush) {
	for _, m := range f.Merges {
		w.mergeCopies(m)
	}
	w.vector, w.copy = "", "a"
	w.named(f.Into.To, 3)
	w.sets([]kernel.Set{f.Into})
	w.p.Named = nil
}

// mergeCopies merges the copies of accumulators.
func (w *vectorWriter) mergeCopies(m kernel.Merge) {
	w.copy = "a"
	for c := 1; c < w.v.Accumulators[m.Accumulators[0]].Copies; c++ {
		w.second = letter(c)
		w.F("%s = %s", w.accumulators(m.Accumulators, "a"), scope.List(len(m.Lanes), func(i int) string { return w.p.Text(m.Lanes[i]) }))
	}
}

// store merges copies, and stores lanes.
func (w *vectorWriter) store(m kernel.Merge) {
	w.mergeCopies(m)
	for _, i := range m.Accumulators {
		w.storeLanes(i)
	}
}

func (w *vectorWriter) storeLanes(i int) {
	a := w.v.Accumulators[i]
	bits := kernel.SameBits(kernel.Leaf(kernel.State, i, a.Elem), a.Out)
	w.F("%s.Store(lanes%d[:])", w.p.Text(bits), a.Comp)
}

// fold merges lanes with the state.
func (w *vectorWriter) fold(m kernel.Merge) {
	x := w.k.exprs(w.g, elements{
		state: func(c int) string { return fmt.Sprintf("x%d", c) },
		right: func(c int) string {
			if len(m.Plain) == 1 {
				return "y"
			}
			return fmt.Sprintf("lanes%d[i]", c)
		},
	})
	n := "n"
	if wide, each := w.v.Accumulators[m.Accumulators[0]].Out.Bits(), w.v.Wide().Bits(); wide > each {
		n = fmt.Sprintf("n/%d", wide/each) // a lane for so many elements
	}
	for _, i := range m.Accumulators {
		if a := w.v.Accumulators[i]; a.Last {
			w.F("x%d = %s", a.Comp, w.g.Use.GoLiteral(a.Out, a.Start, false))
		}
	}
	if len(m.Plain) == 1 {
		a := w.v.Accumulators[m.Accumulators[0]]
		w.F("for _, y := range lanes%d[:%s] {\n%s}", a.Comp, n, x.Assignment(m.Plain[0], fmt.Sprintf("x%d", a.Comp)))
		w.unbias(a)
		return
	}
	w.F("for i := range %s {\n%s = %s\n}", n, scope.List(len(m.Plain), func(i int) string { return fmt.Sprintf("x%d", w.v.Accumulators[m.Accumulators[i]].Comp) }),
		scope.List(len(m.Plain), func(i int) string { return x.Expr(m.Plain[i]) }))
}

// unbias takes off what was added too much for each element that was taken, a power of two.
func (w *vectorWriter) unbias(a kernel.Accumulator) {
	sign, each := "-", uint64(a.Bias)
	if a.Bias < 0 {
		sign, each = "+", -each
	}
	if each > 0 {
		w.F("x%d %s= %s(count-len(%s)) << %d // what a change of the sign of elements has added", a.Comp, sign, kernel.GoType[w.v.State[a.Comp]], w.lead(), bits.TrailingZeros64(each))
	}
}
