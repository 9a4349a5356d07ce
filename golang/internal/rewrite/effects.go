package rewrite

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/panics"
)

// checkEffects refuses loops that leave other than by their header, that write, call or signal, and from which more than
// the state is used afterwards.
func (r *Rewrite) checkEffects() error {
	l := r.loop
	isCounted := len(l.Exits) == 1 && (l.Exits[0].From == l.Header || slices.Contains(l.Latches, l.Exits[0].From))
	if !isCounted && !l.Search || !l.Innermost || !l.Acyclic {
		return refuse("a step may end the loop")
	}
	if r.header.kept && !slices.ContainsFunc(l.Phis(), r.isIndex) {
		return refuse("its counter is seen by others")
	}
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			if err := r.checkInstruction(i); err != nil {
				return err
			}
			if v, ok := i.(ssa.Value); ok && !l.Search && r.livesOut(v) { // what a search computes at its end is computed there again
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
	case *ssa.Alloc: // a struct variable of the step; the reader has seen that nobody else can reach it
		if r.loop.Holds(i) {
			return nil
		}
	case *ssa.Store:
		if r.isTemporary(i) || r.isStored(i) || r.isAdded(i) {
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
			switch {
			case r.loop.Promised:
				return nil
			case !r.pkg.Pure(f):
			case !r.pkg.Ends(f):
				return refuse("a step calls %s, which is not known to end", f.RelString(r.pkg.Types))
			default:
				return nil
			}
		}
		if _, isBuiltin := i.Call.Value.(*ssa.Builtin); !isBuiltin && r.loop.Promised {
			return nil
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
		return ok && (slices.Contains(l.States, phi) || r.header.kept && phi.Block() == l.Header && r.isIndex(phi))
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
	var state []ssa.Value
	for _, phi := range r.loop.States {
		state = append(state, phi)
	}
	for _, way := range panics.In(r.loop.Loop, state, r.pkg.Panics) {
		if way.Decided {
			return refuse("the state decides whether a step panics (%s)", way.Kind)
		}
	}
	return nil
}
