package read

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A loop that carries nothing, and adds to elements of a table where what it loads says, is a histogram:
//
//	for _, v := range a { h[v]++ }   →   h[v] = x0 + y0, with y0 = 1
//
// Its only store is to the element that the step has just loaded, and nothing else that it loads is in the table.

// Histogram is what a step does to an element of a table.
type Histogram struct {
	Load  *ssa.UnOp // of the element
	Store *ssa.Store
	Table ssa.Value   // a slice, or the address of an array
	Op    token.Token // ADD, MUL, OR or XOR
	Value ssa.Value   // that is added …
	Minus bool        // … or subtracted
}

// readHistogram reads a loop that carries nothing as a histogram.
func (r *reader) readHistogram() {
	l := r.out
	writes := r.allWrites()
	if !l.Innermost || !l.Acyclic || len(l.Exits) != 1 || len(writes) != 1 {
		return
	}
	h := r.histogramOf(writes[0])
	if h == nil {
		return
	}
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			r.scan(i)
			if i != ssa.Instruction(h.Load) && r.mayLoad(i, writes[0]) {
				return
			}
		}
	}
	if stay := r.stay(); len(l.Obstacles) == 0 && !l.OverMap && stay.kind <= counted && r.value(h.Store.Addr).kind == onInput {
		l.Histogram, l.Exit = h, Counted
		r.findPanics()
	}
}

// isLoadOf reports whether a value is loaded from an address in the step that computes it.
func (r *reader) isLoadOf(v, address ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && r.out.Holds(load) && load.Op == token.MUL && r.value(load.X).id() == r.value(address).id()
}

// histogramOf reads a store as t[i] = t[i] + x; nil where it is something else.
func (r *reader) histogramOf(w write) *Histogram {
	s, ok := w.by.(*ssa.Store)
	if !ok {
		return nil
	}
	element, isElement := s.Addr.(*ssa.IndexAddr)
	sum, isSum := s.Val.(*ssa.BinOp)
	if !isElement || !isSum || !r.scalar(s.Val.Type()).IsInt() || !r.isFixed(element.X) || !isUsedOnce(sum) {
		return nil
	}
	h := &Histogram{Store: s, Table: element.X, Op: sum.Op, Value: sum.Y}
	before := sum.X
	switch sum.Op {
	case token.SUB:
		h.Op, h.Minus = token.ADD, true
	case token.ADD, token.MUL, token.OR, token.XOR:
		if !r.isLoadOf(before, s.Addr) {
			before, h.Value = sum.Y, sum.X
		}
	default:
		return nil
	}
	load, ok := before.(*ssa.UnOp)
	if !ok || !r.isLoadOf(before, s.Addr) || !isUsedOnce(load) || load.Block() != s.Block() {
		return nil
	}
	h.Load = load
	return h
}

// isUsedOnce reports whether one instruction uses a value.
func isUsedOnce(v ssa.Value) bool {
	n := 0
	for _, use := range *v.Referrers() {
		if _, isDebug := use.(*ssa.DebugRef); !isDebug {
			n++
		}
	}
	return n == 1
}
