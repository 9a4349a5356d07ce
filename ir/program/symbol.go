package program

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// symbol is what a name of a program stands for; one of the fields is set.
type symbol struct {
	fn    *Func
	input *Input
	dom   *RDom
	value ir.Expr   // a variable, a parameter, or the expression that the name abbreviates
	tuple []ir.Expr // the components of a Tuple
	nodes []int32   // the syntax of value or tuple, where the name abbreviates it
	rvar  bool      // only the schedule may name it
	bad   bool      // reported: its uses are not reported again
	made  bool      // a function that rfactor makes
}

// components is the types of a call of the symbol; nil where it cannot be called.
func (s *symbol) components() []ir.Type {
	switch {
	case s.fn != nil:
		return s.fn.Types
	case s.input != nil:
		return s.input.Types
	}
	return nil
}

// dims is how many coordinates a call takes; -1 where that is not known.
func (s *symbol) dims() int {
	switch {
	case s.input != nil:
		return s.input.Dims
	case len(s.fn.Updates) > 0:
		return len(s.fn.Updates[0].Args)
	case s.fn.Init != nil:
		return len(s.fn.Args)
	}
	return -1
}

// sizes is what an input says of its shape, as in.width().
var sizes = []string{"width", "height", "channels", "left", "right", "top", "bottom"}

// lookup resolves a name, a call or a component for the elaborator.
func (b *builder) lookup(n int32) (ir.Type, ir.Expr) {
	inner, index, indexed := b.unindexed(n)
	s := &b.nodes[inner]
	name := ""
	if s.kind == synName || s.kind == synCall {
		name = b.names[s.a]
	}
	sym := b.symbols[name]
	switch {
	case s.kind == synName:
		if e := b.nameValue(name, sym, index, indexed); e.IsValid() {
			return e.Type(), e
		}
	case s.kind == synCall && sym != nil:
		ts := sym.components()
		if index < len(ts) && (indexed || len(ts) == 1) && (sym.dims() < 0 || sym.dims() == int(s.c)) {
			return ts[index], ir.Expr{}
		}
	case s.kind == synCall && s.c == 0 && !indexed:
		if base, size, ok := cutLast(name); ok && slices.Contains(sizes, size) {
			if sym := b.symbols[base]; sym != nil && sym.input != nil {
				return ir.I32, ir.Expr{}
			}
		}
	}
	return ir.Invalid, ir.Expr{}
}

// nameValue is the expression that a plain name stands for.
func (b *builder) nameValue(name string, sym *symbol, index int, indexed bool) ir.Expr {
	if sym == nil {
		base, member, _ := cutLast(name)
		if d := b.symbols[base]; d != nil && d.dom != nil && !indexed {
			for i := range d.dom.Dims {
				if member == memberNames[i] {
					return d.dom.Dims[i].Var
				}
			}
		}
		return ir.Expr{}
	}
	switch {
	case sym.dom != nil && indexed && index < len(sym.dom.Dims): // r[1] is r.y
		return sym.dom.Dims[index].Var
	case sym.dom != nil && !indexed && len(sym.dom.Dims) == 1:
		return sym.dom.Dims[0].Var
	case indexed && index < len(sym.tuple):
		return sym.tuple[index]
	case !indexed:
		return sym.value
	}
	return ir.Expr{}
}

// memberNames is how the dimensions of a domain are called.
var memberNames = [...]string{"x", "y", "z", "w"}

// unknownName reports why lookup found nothing.
func (b *builder) unknownName(n int32) {
	if b.full() {
		return
	}
	inner, index, indexed := b.unindexed(n)
	s := &b.nodes[inner]
	pos := ir.Pos(s.pos)
	if s.kind != synName && s.kind != synCall {
		b.errorf(ir.Pos(b.nodes[n].pos), "an index needs a call or a tuple before it")
		return
	}
	name := b.names[s.a]
	sym := b.symbols[name]
	base, member, _ := cutLast(name)
	switch {
	case sym == nil && b.symbols[base] != nil && b.symbols[base].dom != nil:
		dims := b.symbols[base].dom.Dims
		hint := ""
		if len(dims) == 1 && dims[0].Extent.IsValid() {
			lo, n := dims[0].Min, dims[0].Extent
			hint = fmt.Sprintf(": RDom %s(%s, %s) is one, of %s steps; two are RDom %s(0, %s, 0, %s)", base, lo, n, n, base, lo, n)
		}
		b.errorf(pos, "%s has %s, and no %s%s", base, plural(len(dims), "dimension"), member, hint)
	case sym == nil && b.symbols[base] != nil && b.symbols[base].input != nil:
		b.errorf(pos, "%s has no %s%s", base, member, DidYouMean(member, slices.Clone(sizes)))
	case sym == nil && b.declaredLater[name]:
		b.errorf(pos, "%s is used before it is declared", name)
	case sym == nil:
		b.unknown(pos, name, int(s.c), s.kind == synCall)
	case sym.bad:
	case sym.rvar:
		b.errorf(pos, "%s is a variable of the schedule, not of the algorithm", name)
	case s.kind == synName:
		b.misusedName(pos, name, sym)
	default:
		b.misusedCall(pos, name, sym, int(s.c), index, indexed)
	}
}

func (b *builder) misusedName(pos ir.Pos, name string, sym *symbol) {
	switch {
	case sym.dom != nil:
		b.errorf(pos, "%s has %s: write %s.x, %s.y", name, plural(len(sym.dom.Dims), "dimension"), name, name)
	case sym.tuple != nil:
		b.errorf(pos, "%s is a tuple of %d: write %s[i]", name, len(sym.tuple), name)
	case sym.fn != nil || sym.input != nil:
		b.errorf(pos, "%s is read with coordinates: %s(…)", name, name)
	default:
		b.errorf(pos, "%s is no tuple", name)
	}
}

func (b *builder) misusedCall(pos ir.Pos, name string, sym *symbol, args, index int, indexed bool) {
	ts := sym.components()
	switch {
	case sym.fn == nil && sym.input == nil:
		b.errorf(pos, "%s is not a function", name)
	case len(ts) == 0:
		b.errorf(pos, "%s is read before it is defined", name)
	case sym.dims() >= 0 && sym.dims() != args:
		b.errorf(pos, "%s takes %s, not %d", name, plural(sym.dims(), "coordinate"), args)
	case !indexed:
		b.errorf(pos, "%s has %s: write %s(…)[i]", name, plural(len(ts), "component"), name)
	default:
		b.errorf(pos, "%s has %s, and no [%d]", name, plural(len(ts), "component"), index)
	}
}

func (s *symbol) isFunc() bool     { return s.fn != nil }
func (s *symbol) isCalled() bool   { return s.fn != nil || s.input != nil }
func (s *symbol) isValue() bool    { return !s.isCalled() && !s.rvar }
func (s *symbol) isVariable() bool { return s.rvar || s.dom != nil || s.value.IsValid() }

// knownNames lists the names of some symbols, in order.
func (b *builder) knownNames(some func(*symbol) bool) (names []string) {
	for _, n := range slices.Sorted(maps.Keys(b.symbols)) {
		s := b.symbols[n]
		if !some(s) {
			continue
		}
		names = append(names, n)
		if s.dom != nil && len(s.dom.Dims) > 1 {
			for i := range s.dom.Dims {
				names = append(names, n+"."+memberNames[i])
			}
		}
	}
	return names
}
