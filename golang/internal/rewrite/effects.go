package rewrite

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// checkEffects refuses loops that leave other than by their header, that write, call or signal, and from which more than
// the state is used afterwards.
func (r *Rewrite) checkEffects() error {
	l := r.loop
	if len(l.Exits) != 1 || l.Exits[0].From != l.Header && !slices.Contains(l.Latches, l.Exits[0].From) || !l.Innermost || !l.Acyclic {
		return refuse("a step may end the loop")
	}
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			if err := r.checkInstruction(i); err != nil {
				return err
			}
			if v, ok := i.(ssa.Value); ok && r.livesOut(v) {
				return refuse("%s lives out of the loop", name(v))
			}
		}
	}
	return nil
}

// checkInstruction accepts instructions that compute and read.
func (r *Rewrite) checkInstruction(i ssa.Instruction) error {
	switch i := i.(type) {
	case *ssa.Phi, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Field, *ssa.FieldAddr, *ssa.Index,
		*ssa.IndexAddr, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.Lookup, *ssa.Extract, *ssa.TypeAssert, *ssa.If, *ssa.Jump, *ssa.DebugRef:
		return nil
	case *ssa.UnOp:
		if i.Op != token.ARROW {
			return nil
		}
	case *ssa.Call:
		switch f := i.Call.Value.(type) {
		case *ssa.Builtin:
			switch f.Name() {
			case "min", "max", "real", "imag", "complex":
				return nil
			case "len", "cap":
				if _, isChannel := i.Call.Args[0].Type().Underlying().(*types.Chan); !isChannel {
					return nil
				}
			}
		case *ssa.Function:
			if r.pkg.Pure(f) {
				return nil
			}
		}
		return refuse("a step calls what may have an effect")
	}
	return refuse("a step does more than compute and read")
}

// livesOut reports whether a value is used behind the loop that is not what a component of the state is at its end.
func (r *Rewrite) livesOut(v ssa.Value) bool {
	for _, user := range *v.Referrers() {
		if _, isDebug := user.(*ssa.DebugRef); !isDebug && !r.loop.Has(user.Block()) && !r.isLast(v, user) {
			return true
		}
	}
	return false
}

// isLast reports whether a use of v behind the loop sees a component of the state after the last step. A loop over an integer
// asks at the end of a step whether there is another one; others ask before it.
func (r *Rewrite) isLast(v ssa.Value, user ssa.Instruction) bool {
	l := r.loop
	exit := l.Exits[0].From
	if !slices.Contains(l.Latches, exit) {
		phi, ok := v.(*ssa.Phi)
		return ok && slices.Contains(l.States, phi)
	}
	after, ok := user.(*ssa.Phi)
	if !ok || len(l.Latches) != 1 || after.Block() != exit.Succs[l.Exits[0].Branch] {
		return false
	}
	for _, phi := range l.States {
		if phi.Pos() == after.Pos() && phi.Edges[slices.Index(l.Header.Preds, exit)] == v {
			return true
		}
	}
	return false
}

// checkPanics refuses loops in which the state decides whether a step panics: a slice begins with another state than
// the serial loop has there.
func (r *Rewrite) checkPanics() error {
	t := r.newTaint()
	for _, b := range r.loop.Blocks() {
		for _, i := range b.Instrs {
			what := mayPanic(i)
			if what == "" || !t.isTainted(i) && !t.isControlled(b) || r.isInBounds(i) || r.isRepeated(i, t) {
				continue
			}
			return refuse("the state decides whether a step panics (%s)", what)
		}
	}
	return nil
}

// mayPanic names how an instruction may panic; empty where it does not.
func mayPanic(i ssa.Instruction) string {
	switch i := i.(type) {
	case *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.SliceToArrayPointer:
		return "bounds"
	case *ssa.TypeAssert:
		if !i.CommaOk {
			return "type assertion"
		}
	case *ssa.Lookup:
		return "a map's key or a string's index"
	case *ssa.UnOp:
		if i.Op == token.MUL {
			switch i.X.(type) {
			case *ssa.IndexAddr, *ssa.Global, *ssa.FreeVar, *ssa.Alloc:
			default:
				return "nil"
			}
		}
	case *ssa.FieldAddr:
		return "nil"
	case *ssa.BinOp:
		return operatorPanics(i)
	case *ssa.Call:
		if f, ok := i.Call.Value.(*ssa.Function); ok {
			if n := f.RelString(nil); !strings.HasPrefix(n, "math.") && !strings.HasPrefix(n, "math/bits.") || strings.Contains(n, "Div") || strings.Contains(n, "Rem") {
				return "a call"
			}
		}
	}
	return ""
}

func operatorPanics(i *ssa.BinOp) string {
	isInteger := func(v ssa.Value) bool {
		b, ok := v.Type().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0
	}
	_, literal := i.Y.(*ssa.Const)
	switch i.Op {
	case token.QUO, token.REM:
		if isInteger(i.X) && !literal {
			return "division"
		}
	case token.SHL, token.SHR:
		if b, ok := i.Y.Type().Underlying().(*types.Basic); !literal && (!ok || b.Info()&types.IsUnsigned == 0) {
			return "shift count"
		}
	case token.EQL, token.NEQ:
		if _, basic := i.X.Type().Underlying().(*types.Basic); !basic {
			return "comparison"
		}
	}
	return ""
}

// taint knows what depends on the state.
type taint struct {
	r        *Rewrite
	values   map[ssa.Value]bool
	deciding []*ssa.BasicBlock // that end in a branch on the state
}

func (r *Rewrite) newTaint() *taint {
	t := &taint{r: r, values: map[ssa.Value]bool{}}
	for _, phi := range r.loop.States {
		t.values[phi] = true
	}
	for changed := true; changed; {
		changed = false
		for _, b := range r.loop.Blocks() {
			for _, i := range b.Instrs {
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
	if phi, ok := i.(*ssa.Phi); ok && phi.Block() == t.r.loop.Header {
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
	if !ok || phi.Block() == t.r.loop.Header {
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
		if x == t.r.loop.Header || !t.r.loop.Has(x) || seen[x] {
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
	if x == t.r.loop.Header || !t.r.loop.Has(x) {
		return true
	}
	if seen[x] {
		return false
	}
	seen[x] = true
	return slices.ContainsFunc(x.Succs, func(s *ssa.BasicBlock) bool { return t.avoids(s, b, seen) })
}

// isRepeated reports whether the step did the same before, in any state: had it panicked, it had done so there.
func (r *Rewrite) isRepeated(i ssa.Instruction, t *taint) bool {
	v, ok := i.(ssa.Value)
	if !ok || t.isTainted(i) {
		return false
	}
	for _, b := range r.loop.Blocks() {
		if b == i.Block() || !b.Dominates(i.Block()) || t.isControlled(b) {
			continue
		}
		for _, j := range b.Instrs {
			if w, ok := j.(ssa.Value); ok && r.same(v, w, 8) {
				return true
			}
		}
	}
	return false
}

// same reports whether two values are computed in the same way: a step writes nothing, so that they are equal.
func (r *Rewrite) same(v, w ssa.Value, depth int) bool {
	if v == w {
		return true
	}
	if c, ok := v.(*ssa.Const); ok {
		d, ok := w.(*ssa.Const)
		return ok && types.Identical(c.Type(), d.Type()) && c.Value != nil && d.Value != nil && constant.Compare(c.Value, token.EQL, d.Value)
	}
	a, ok := v.(ssa.Instruction)
	b, isInstruction := w.(ssa.Instruction)
	if !ok || !isInstruction || depth == 0 || !types.Identical(v.Type(), w.Type()) || !sameOperation(v, w) {
		return false
	}
	x, y := a.Operands(nil), b.Operands(nil)
	if len(x) != len(y) {
		return false
	}
	for k := range x {
		if (*x[k] == nil) != (*y[k] == nil) || *x[k] != nil && !r.same(*x[k], *y[k], depth-1) {
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

// isInBounds reports whether an element is one that the condition of the header, i < len(x), says is there.
func (r *Rewrite) isInBounds(i ssa.Instruction) bool {
	var x, index ssa.Value
	switch i := i.(type) {
	case *ssa.IndexAddr:
		x, index = i.X, i.Index
	case *ssa.Index:
		x, index = i.X, i.Index
	default:
		return false
	}
	branch, ok := r.loop.Header.Instrs[len(r.loop.Header.Instrs)-1].(*ssa.If)
	if !ok || r.loop.Holds(x) || !r.loop.Has(r.loop.Header.Succs[0]) {
		return false
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.LSS || cond.X != index || !isLen(cond.Y, x) {
		return false
	}
	return r.isNatural(index)
}

func isLen(v, x ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok || len(c.Call.Args) != 1 || c.Call.Args[0] != x {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len"
}

// isNatural reports whether a counter begins at 0 or more and goes up by a literal. It does not wrap around, being less than a length.
func (r *Rewrite) isNatural(index ssa.Value) bool {
	ahead := int64(0)
	if sum, ok := index.(*ssa.BinOp); ok { // the index of a range statement is the hidden counter plus 1
		n, isLiteral := literal(sum.Y)
		if sum.Op != token.ADD || !isLiteral || n != 1 {
			return false
		}
		index, ahead = sum.X, 1
	}
	phi, ok := index.(*ssa.Phi)
	if !ok || phi.Block() != r.loop.Header {
		return false
	}
	for slot, p := range r.loop.Header.Preds {
		edge := phi.Edges[slot]
		if !r.loop.Has(p) {
			if n, ok := literal(edge); !ok || n+ahead < 0 {
				return false
			}
			continue
		}
		sum, ok := edge.(*ssa.BinOp)
		if !ok || sum.Op != token.ADD || sum.X != phi {
			return false
		}
		if n, ok := literal(sum.Y); !ok || n < 1 || n > 1<<16 {
			return false
		}
	}
	return true
}

func literal(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}
