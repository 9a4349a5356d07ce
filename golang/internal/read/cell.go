package read

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// Cell is a variable in memory that each step may load and store: a component of the state, as if it were a phi.
//
//	for _, v := range a { t.sum += v }   →   x0 + y0, where x0 is t.sum
type Cell struct {
	Addresses []ssa.Value // instructions, or values from outside, that give its address
	Type      types.Type
	Part      Part // Token of one that is no number, Field and so on of a struct that is read by its numbers: each is a cell
	Stores    []*ssa.Store
	id        string
}

// findCells makes cells of the scalars that are stored at fixed addresses. It comes before anything else is read,
// because loads of cells are no leaves; what an address is computed of is none.
func (r *reader) findCells() {
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			s, ok := i.(*ssa.Store)
			if !ok || !r.isFixed(s.Addr) || isJump(s.Addr) || r.typeOf(s.Val) == ir.Invalid && !r.mayBeCell(s) {
				continue
			}
			id := r.value(s.Addr).id()
			if r.cellOf(id) == nil {
				for _, part := range r.cellParts(s.Val) {
					r.out.Cells = append(r.out.Cells, &Cell{Type: s.Val.Type(), Part: part, id: id})
				}
			}
			for _, c := range r.out.Cells {
				if c.id != id {
					continue
				}
				if !types.Identical(c.Type, s.Val.Type()) { // one address at two types
					r.stop(Scalar, s.Pos(), "")
				}
				c.Stores = append(c.Stores, s)
				c.Addresses = append(c.Addresses, s.Addr)
			}
		}
	}
}

// cellParts lists the parts of a variable in memory that are components.
func (r *reader) cellParts(v ssa.Value) []Part {
	if r.typeOf(v) != ir.Invalid {
		return []Part{All}
	}
	if numbers := partsOf(v.Type()); r.split && numbers[0] >= Field {
		return numbers
	}
	return []Part{Token}
}

func (r *reader) cellOf(id string) *Cell {
	for _, c := range r.out.Cells {
		if c.id == id {
			return c
		}
	}
	return nil
}

// stopAtCells names what is stored at fixed addresses and is no component.
func (r *reader) stopAtCells() {
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			if s, ok := i.(*ssa.Store); ok && r.isFixed(s.Addr) && !isJump(s.Addr) {
				r.stop(typeObstacle(s.Val.Type()), s.Pos(), types.TypeString(s.Val.Type(), shortName))
			}
		}
	}
}

// mayBeCell reports whether the variable to which something other than a number is stored is a component: it has no parts, or steps load parts
// of it, but store the whole alone.
func (r *reader) mayBeCell(s *ssa.Store) bool {
	t := s.Val.Type()
	return r.isTokenType(t) && !isTypeParam(t) && (hasNoParts(t) || isStoredWhole(s.Addr, r.out.Has))
}

// isStoredWhole reports whether a variable of the function is a struct that blocks load, in whole or by fields, and store in whole.
func isStoredWhole(address ssa.Value, has func(*ssa.BasicBlock) bool) bool {
	a, ok := address.(*ssa.Alloc)
	if !ok {
		return false
	}
	if _, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); !ok {
		return false
	}
	var loaded func(v ssa.Value) bool // the parts of v are only loaded
	loaded = func(v ssa.Value) bool {
		for _, use := range *v.Referrers() {
			_, isDebug := use.(*ssa.DebugRef)
			load, isLoad := use.(*ssa.UnOp)
			s, isStore := use.(*ssa.Store)
			field, isField := use.(*ssa.FieldAddr)
			switch {
			case isDebug || !has(use.Block()) && !isField:
			case isLoad && load.Op == token.MUL:
			case isStore && v == ssa.Value(a) && s.Val != v:
			case isField && loaded(field):
			default:
				return false
			}
		}
		return true
	}
	return loaded(a)
}

// wholeCell is the component of which an address is a part; nil where there is none.
func (r *reader) wholeCell(address ssa.Value) *Cell {
	for {
		field, ok := address.(*ssa.FieldAddr)
		if !ok {
			break
		}
		if a, ok := field.X.(*ssa.Alloc); ok {
			if c := r.cellOf(r.value(a).id()); c != nil && c.Part >= Token {
				return c
			}
		}
		address = field.X
	}
	return nil
}

// cellType returns the type of the component that a cell is.
func (r *reader) cellType(c *Cell) ir.Type {
	switch {
	case c.Part == Token:
		return tokenType
	case c.Part >= Field:
		_, of := c.Part.Path(c.Type)
		return r.scalar(of)
	}
	return r.typeOf(c.Stores[0].Val)
}

// loadCell is what a load of a cell gives: what the step stored last on its way, or else the state.
func (r *reader) loadCell(load *ssa.UnOp, c *Cell) value {
	c.Addresses = append(c.Addresses, load.X)
	return r.cellBefore(load.Block(), load, c)
}

// cellBefore is a cell before an instruction of a block; at the end of the block for nil.
func (r *reader) cellBefore(b *ssa.BasicBlock, before ssa.Instruction, c *Cell) value {
	var last *ssa.Store
	for _, i := range b.Instrs {
		if i == before {
			break
		}
		if s, ok := i.(*ssa.Store); ok && slices.Contains(c.Stores, s) {
			last = s
		}
	}
	if last != nil && c.Part == Token {
		return r.token(r.value(last.Val))
	}
	if last != nil && c.Part >= Field {
		return r.spread(r.value(last.Val))
	}
	if last != nil {
		return r.value(last.Val)
	}
	return r.cellAt(b, c)
}

// place in a function where a cell is looked at.
type entry struct {
	block *ssa.BasicBlock
	cell  *Cell
}

// cellAt is a cell at the beginning of a block.
func (r *reader) cellAt(b *ssa.BasicBlock, c *Cell) value {
	if l := r.innerOf(b); l != nil { // it stores nothing
		b = l.Header
	}
	if b == r.out.Header {
		n := len(r.out.States) + slices.Index(r.out.Cells, c)
		if c.Part >= Field {
			return r.stateOf(c.Type, n-int(c.Part-Field))
		}
		return value{expr: r.pool.X(n, r.cellType(c)), kind: onState}
	}
	at := entry{b, c}
	v, ok := r.entries[at]
	if !ok {
		v = r.join(b.Idom(), b, func(slot int) value { return r.cellBefore(b.Preds[slot], nil, c) })
		r.entries[at] = v
	}
	return v
}

// nextCell is a cell in the next step.
func (r *reader) nextCell(c *Cell) value {
	next := r.atNext(func(b *ssa.BasicBlock) value { return r.cellBefore(b, nil, c) })
	if c.Part >= Field {
		e, _ := r.numberOf(next, c.Type, c.Part)
		next = value{expr: e}
	}
	if !next.expr.IsValid() { // it is computed of the state
		r.stop(StateType, c.Stores[0].Pos(), types.TypeString(c.Type, shortName))
		return value{expr: r.pool.Int(r.cellType(c), 0)}
	}
	return next
}

// checkCells finds loads and stores by which a cell may be reached under another name.
func (r *reader) checkCells() {
	for _, c := range r.out.Cells {
		for _, s := range c.Stores {
			w := write{s.Addr, s.Val.Type(), s}
			if r.mayBeReadBack(w) || r.mayBeOverwritten(w) {
				r.stop(Scalar, s.Pos(), "")
			}
		}
	}
}

// mayBeOverwritten reports whether a store of the loop at another address hits the cell that is written. Of different
// variables that is only noted as an assumption.
func (r *reader) mayBeOverwritten(cell write) bool {
	for _, w := range r.allWrites() {
		if w.is(cell, r) || !r.isUnsafe() && disjoint(w.typ, cell.typ) || r.isNewSlice(w.to) {
			continue
		}
		if r.mayBeOne(w.to, cell.to) {
			return true
		}
	}
	return false
}

// mayBeStored reports whether a step may store something of a type that a load may see.
func (r *reader) mayBeStored(t types.Type) bool {
	for _, w := range r.allWrites() {
		if (r.isUnsafe() || !disjoint(w.typ, t)) && !r.isNewSlice(w.to) {
			return true
		}
	}
	return false
}
