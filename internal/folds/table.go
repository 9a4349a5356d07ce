package folds

import "github.com/rfactor-go/rfactor/ir"

// TableStates is how many values a state may have whose steps are looked up.
const TableStates = 16

// StepTable tabulates a step: to is what x becomes by an element y of 8 bits, and next[TableStates*y + x] is its value. It is not ok where to mentions
// anything else, or where steps make of start, in any number and whatever the elements, a value that is not below TableStates. Parts that begin with
// start are joined to such values, too: these are what steps make of start.
func StepTable(to, x, y ir.Expr, start uint64) (next []uint8, ok bool) {
	v := to.Pool().Var(ir.Leaf, "y", 0, y.Type())
	to = ir.Subst(to, []ir.Expr{y}, []ir.Expr{v})
	ok = start < TableStates && y.Type().Bits() == 8
	ir.Walk([]ir.Expr{to}, func(e ir.Expr) { ok = ok && (e.Op() != ir.Var && e.Op() != ir.Call || e == x || e == v) })
	if !ok {
		return nil, false
	}
	next = make([]uint8, 256*TableStates)
	known := [TableStates]bool{}
	known[start] = true
	for open := []uint64{start}; len(open) > 0; open = open[1:] {
		for i := range 256 {
			is := ir.Eval(to, &ir.Env{Var: func(of ir.Expr) uint64 {
				if of == x {
					return open[0]
				}
				return v.Type().Wrap(uint64(i))
			}})
			if is >= TableStates {
				return nil, false
			}
			next[TableStates*i+int(open[0])] = uint8(is)
			if !known[is] {
				known[is], open = true, append(open, is)
			}
		}
	}
	return next, true
}
