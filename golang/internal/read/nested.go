package read

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// An outer loop is read where its inner loops do not depend on the state, and write nothing: what they compute is an
// input.
//
//	for _, row := range a { t := 1; for _, v := range row { t *= v }; s += t }   →   x0 + y0, where y0 is t

// innerOf returns the inner loop to which a block belongs; nil where it belongs to none.
func (r *reader) innerOf(b *ssa.BasicBlock) *loops.Loop {
	for _, l := range r.out.Inner {
		if l.Has(b) {
			return l
		}
	}
	return nil
}

// inInner reports whether a value is computed by an inner loop, perhaps many times in a step.
func (r *reader) inInner(v ssa.Value) bool {
	i, ok := v.(ssa.Instruction)
	return ok && len(r.out.Inner) > 0 && i.Parent() == r.out.Func && r.innerOf(i.Block()) != nil
}

// checkInner finds inner loops that depend on the state, or write.
func (r *reader) checkInner() {
	for _, l := range r.out.Inner {
		if !l.Bounded() || slices.ContainsFunc(l.Inner, func(m *loops.Loop) bool { return !m.Bounded() }) {
			r.mayNotEnd("an inner loop")
		}
		for _, b := range l.Blocks() {
			for _, i := range b.Instrs {
				if what := r.innerObstacle(l, i); what != "" {
					r.stop(Nested, l.Pos(), what)
				}
			}
		}
	}
}

func (r *reader) innerObstacle(l *loops.Loop, i ssa.Instruction) string {
	switch i := i.(type) {
	case *ssa.Store:
		return "it stores"
	case *ssa.UnOp:
		if i.Op == token.MUL && !l.Holds(i.X) && r.cellOf(r.value(i.X).id()) != nil {
			return "it depends on the state"
		}
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && !l.Holds(*o) && r.value(*o).kind == onState {
			return "it depends on the state"
		}
	}
	return ""
}

// past is what an inner loop gives to a walk: what all ways out of it give.
func (w *walk) past(l *loops.Loop) *value {
	var found *value
	for _, e := range l.Exits {
		v := w.along(e.From, e.Branch)
		switch {
		case v == nil:
		case found == nil:
			found = v
		case v.id() != found.id():
			w.r.stop(Nested, l.Pos(), "it is left in several ways")
		}
	}
	return found
}
