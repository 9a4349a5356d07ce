package panics

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// taint knows what depends on the state.
type taint struct {
	loop     *loops.Loop
	values   map[ssa.Value]bool
	deciding []*ssa.BasicBlock // that end in a branch on the state
	writes   bool              // a step stores: equal loads may differ
}

func newTaint(l *loops.Loop, state []ssa.Value) *taint {
	t := &taint{loop: l, values: map[ssa.Value]bool{}}
	for _, v := range state {
		t.values[v] = true
	}
	for _, b := range l.Blocks() {
		t.writes = t.writes || slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
			_, ok := i.(*ssa.Store)
			return ok
		})
	}
	for changed := true; changed; {
		changed = false
		for _, b := range t.loop.Blocks() {
			for _, i := range b.Instrs {
				if s, ok := i.(*ssa.Store); ok && (t.isTainted(i) || t.isControlled(b)) {
					if a := loops.LocalOf(s.Addr); a != nil && l.Holds(a) && !t.values[a] { // what is loaded from there depends on the state, too
						t.values[a], changed = true, true
					}
				}
				if v, ok := i.(ssa.Value); ok && !t.values[v] && (t.isTainted(i) || t.isChosen(v)) {
					t.values[v], changed = true, true
				}
				if branch, ok := i.(*ssa.If); ok && t.values[branch.Cond] && !slices.Contains(t.deciding, b) {
					t.deciding, changed = append(t.deciding, b), true
				}
			}
		}
	}
	return t
}

// isTainted reports whether an operand of an instruction depends on the state.
func (t *taint) isTainted(i ssa.Instruction) bool {
	if phi, ok := i.(*ssa.Phi); ok && phi.Block() == t.loop.Header {
		return t.values[phi] // a counter stays one
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && t.values[*o] {
			return true
		}
	}
	return false
}

// isChosen reports whether v is a phi inside of the loop between whose edges a branch on the state chooses.
func (t *taint) isChosen(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() == t.loop.Header {
		return false
	}
	for _, c := range t.deciding {
		if phi.Block().Idom().Dominates(c) && t.reaches(c, phi.Block()) {
			return true
		}
	}
	return false
}

// isControlled reports whether a branch on the state decides if a block runs in a step.
func (t *taint) isControlled(b *ssa.BasicBlock) bool {
	for _, c := range t.deciding {
		if c == b || b.Dominates(c) || !t.reaches(c, b) {
			continue
		}
		for _, s := range c.Succs {
			if t.avoids(s, b, map[*ssa.BasicBlock]bool{}) {
				return true
			}
		}
	}
	return false
}

// reaches reports whether a step may run b after a.
func (t *taint) reaches(a, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(x *ssa.BasicBlock) bool
	visit = func(x *ssa.BasicBlock) bool {
		if x == b {
			return true
		}
		if x == t.loop.Header || !t.loop.Has(x) || seen[x] {
			return false
		}
		seen[x] = true
		return slices.ContainsFunc(x.Succs, visit)
	}
	return slices.ContainsFunc(a.Succs, visit)
}

// avoids reports whether a step at a block may end without b.
func (t *taint) avoids(x, b *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	if x == b {
		return false
	}
	if x == t.loop.Header || !t.loop.Has(x) {
		return true
	}
	if seen[x] {
		return false
	}
	seen[x] = true
	return slices.ContainsFunc(x.Succs, func(s *ssa.BasicBlock) bool { return t.avoids(s, b, seen) })
}

// isRepeated reports whether the step did the same before, in any state: had it panicked, it had done so there.
func (t *taint) isRepeated(i ssa.Instruction) bool {
	v, ok := i.(ssa.Value)
	if !ok || t.isTainted(i) {
		return false
	}
	for _, b := range t.loop.Blocks() {
		if b == i.Block() || !b.Dominates(i.Block()) || t.isControlled(b) {
			continue
		}
		for _, j := range b.Instrs {
			if w, ok := j.(ssa.Value); ok && t.same(v, w, 8) {
				return true
			}
		}
	}
	return false
}

// same reports whether two values are equal because they are computed in the same way.
func (t *taint) same(v, w ssa.Value, depth int) bool {
	if v == w {
		return true
	}
	if c, ok := v.(*ssa.Const); ok {
		d, ok := w.(*ssa.Const)
		return ok && types.Identical(c.Type(), d.Type()) && c.Value != nil && d.Value != nil && constant.Compare(c.Value, token.EQL, d.Value)
	}
	a, ok := v.(ssa.Instruction)
	b, isInstruction := w.(ssa.Instruction)
	if !ok || !isInstruction || depth == 0 || t.writes && isLoad(v) || !types.Identical(v.Type(), w.Type()) || !sameOperation(v, w) {
		return false
	}
	x, y := a.Operands(nil), b.Operands(nil)
	if len(x) != len(y) {
		return false
	}
	for k := range x {
		if (*x[k] == nil) != (*y[k] == nil) || *x[k] != nil && !t.same(*x[k], *y[k], depth-1) {
			return false
		}
	}
	return true
}

// sameOperation compares two instructions without their operands. Instructions that are not listed differ.
func sameOperation(v, w ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.BinOp:
		w, ok := w.(*ssa.BinOp)
		return ok && v.Op == w.Op
	case *ssa.UnOp:
		w, ok := w.(*ssa.UnOp)
		return ok && v.Op == w.Op && !v.CommaOk && !w.CommaOk
	case *ssa.FieldAddr:
		w, ok := w.(*ssa.FieldAddr)
		return ok && v.Field == w.Field
	case *ssa.Field:
		w, ok := w.(*ssa.Field)
		return ok && v.Field == w.Field
	case *ssa.IndexAddr:
		_, ok := w.(*ssa.IndexAddr)
		return ok
	case *ssa.Index:
		_, ok := w.(*ssa.Index)
		return ok
	case *ssa.Convert:
		_, ok := w.(*ssa.Convert)
		return ok
	case *ssa.ChangeType:
		_, ok := w.(*ssa.ChangeType)
		return ok
	}
	return false
}

// isInBounds reports whether an element is one that the statement says is there: the header asks for i < len(x), or it ranges over
// an integer that is a length.
func (t *taint) isInBounds(i ssa.Instruction) bool {
	var x, index ssa.Value
	switch i := i.(type) {
	case *ssa.IndexAddr:
		x, index = i.X, i.Index
	case *ssa.Index:
		x, index = i.X, i.Index
	default:
		return false
	}
	if t.loop.Holds(x) {
		return false
	}
	if phi, ok := index.(*ssa.Phi); ok && phi.Comment == "rangeint.iter" && phi.Block() == t.loop.Header {
		return !slices.ContainsFunc(t.loop.Latches, func(b *ssa.BasicBlock) bool {
			cond := testOf(b)
			return cond == nil || !isNext(cond.X, phi) || !isWithin(cond.Y, x)
		})
	}
	cond := testOf(t.loop.Header)
	return cond != nil && t.loop.Has(t.loop.Header.Succs[0]) && cond.X == index && isWithin(cond.Y, x) && t.isNatural(index)
}

// testOf is the comparison v < w at the end of a block; nil where it ends otherwise.
func testOf(b *ssa.BasicBlock) *ssa.BinOp {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.LSS {
		return nil
	}
	return cond
}

// isNext reports whether v is phi + 1.
func isNext(v ssa.Value, phi *ssa.Phi) bool {
	sum, ok := v.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD || sum.X != ssa.Value(phi) {
		return false
	}
	n, ok := intOf(sum.Y)
	return ok && n == 1
}

// isWithin reports whether a bound is the length of x, or a literal up to the length of the array that x is.
func isWithin(bound, x ssa.Value) bool {
	n, isLiteral := intOf(bound)
	return isLen(bound, x) || isLiteral && n <= arrayLen(x)
}

// isNatural reports whether a counter begins at 0 or more and goes up by a literal. It does not wrap around, being less than a length.
func (t *taint) isNatural(index ssa.Value) bool {
	ahead := int64(0)
	if sum, ok := index.(*ssa.BinOp); ok { // the index of a range statement is the hidden counter plus 1
		n, isLiteral := intOf(sum.Y)
		if sum.Op != token.ADD || !isLiteral || n != 1 {
			return false
		}
		index, ahead = sum.X, 1
	}
	phi, ok := index.(*ssa.Phi)
	if !ok || phi.Block() != t.loop.Header {
		return false
	}
	for slot, p := range t.loop.Header.Preds {
		edge := phi.Edges[slot]
		if !t.loop.Has(p) {
			if n, ok := intOf(edge); !ok || n+ahead < 0 {
				return false
			}
			continue
		}
		sum, ok := edge.(*ssa.BinOp)
		if !ok || sum.Op != token.ADD || sum.X != phi {
			return false
		}
		if n, ok := intOf(sum.Y); !ok || n < 1 || n > 1<<16 {
			return false
		}
	}
	return true
}

func intOf(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}
func isLen(v, x ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok || len(c.Call.Args) != 1 || c.Call.Args[0] != x {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len"
}

func isLoad(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	return ok && u.Op == token.MUL
}
