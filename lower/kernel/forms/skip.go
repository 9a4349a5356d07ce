package forms

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// skipBlock is how many elements a block has: few enough that one which changes the state costs little.
const skipBlock = 1024

// skipping leaves out blocks of elements that change nothing. Every component keeps its value unless a
// condition on the element and the state holds:
//
//	select(mag(y) > mag(x), y, x)   →   a block in which mag(y) > mag(x) holds nowhere is skipped
//
// The state at the beginning of a block is that at each of its elements, as long as none has changed it. So
// a mask over the whole block tells whether any does; then the plain loop takes the block. Elements stay
// in their order, whatever the operator.
func skipping(k serial) (*kernel.Kernel, string) {
	values, seen := k.To, false
	if _, rest, ok := k.Peeled(); ok {
		values, seen = rest, true
	}
	changes := changesOf(values)
	if !changes.IsValid() {
		return nil, ""
	}
	for _, w := range k.Where {
		changes = ir.AndOf(changes, w)
	}
	bits := k.laneBits(changes)
	if bits == 0 {
		return nil, ""
	}
	skip := kernel.Skip{Block: skipBlock, Seen: seen}
	mask := k.Builder(bits, func(e ir.Expr) *kernel.Value {
		if e.States() == 0 || k.moves(e) || e.Type().Bits() != bits {
			return nil
		}
		i := slices.Index(skip.Still, e)
		if i < 0 {
			i = len(skip.Still)
			skip.Still = append(skip.Still, e)
		}
		return kernel.Leaf(kernel.Still, i, e.Type())
	}).Mask(changes)
	if mask == nil {
		return nil, ""
	}
	skip.Changes = []*kernel.Value{mask}
	skip.Absorbs = k.absorbs()
	out := k.NewKernel()
	out.About, out.Least = ", which look for elements that change anything: it leaves blocks out\n// that have none", 4
	out.Body = []kernel.Node{skip, kernel.Rest{}}
	return out, ""
}

// absorbs returns ir.Or where the only component stays true once it is, ir.And where it stays false, and else no operation.
func (k serial) absorbs() ir.Op {
	stays := func(v ir.Expr) bool {
		return folds.Holds(0, ir.Subst(k.To[0], []ir.Expr{v.Pool().X(0, ir.Bool)}, []ir.Expr{v}), v)
	}
	switch pool := k.To[0].Pool(); {
	case len(k.To) != 1 || k.State[0] != ir.Bool:
		return 0
	case stays(pool.Bool(true)):
		return ir.Or
	case stays(pool.Bool(false)):
		return ir.And
	}
	return 0
}

// changesOf is the condition under which some component changes, the zero Expr where a component may always.
func changesOf(values []ir.Expr) (changes ir.Expr) {
	for i, v := range values {
		c, ok := folds.Change(v, i)
		switch {
		case !ok:
			return ir.Expr{}
		case !c.IsValid() || c == changes:
		case changes.IsValid():
			changes = ir.OrOf(changes, c)
		default:
			changes = c
		}
	}
	return changes
}
