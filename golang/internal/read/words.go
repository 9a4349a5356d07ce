package read

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A value of several words, of which one says what another is, can be seen half written where nothing keeps its writer apart. Words tells what
// may load such a value.

// HasWords reports whether a type is of such values: strings, slices, interfaces, and what they are part of.
func HasWords(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Pointer, *types.Signature, *types.Map, *types.Chan:
		return false
	case *types.Struct:
		for f := range u.Fields() {
			if HasWords(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return HasWords(u.Elem())
	}
	return true
}

// Words reports whether a pure function may load values of several words, or look into a map. Most functions of library load what they are given,
// and tables that nobody writes.
func (p *Purity) Words(f *ssa.Function) bool {
	if known, ok := p.words[f]; ok {
		return known
	}
	p.words[f] = true // a recursive function may
	name := f.RelString(nil)
	words := false
	switch origin := f.Origin(); {
	case strings.HasPrefix(name, "slices."): // elements may be strings
		words = true
	case library.MatchString(name):
	case origin != nil && origin != f:
		words = p.Words(origin)
	case f.Blocks == nil:
		fact := p.facts.Of(name)
		words = !fact.Pure || fact.Words
	default:
		words = p.loadsWords(f)
	}
	p.words[f] = words
	return words
}

func (p *Purity) loadsWords(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.UnOp:
				if i.Op == token.MUL && HasWords(i.Type()) {
					return true
				}
			case *ssa.Lookup:
				if isMap(i.X.Type()) {
					return true
				}
			case *ssa.Call:
				callee, isFunction := i.Call.Value.(*ssa.Function)
				if _, isBuiltin := i.Call.Value.(*ssa.Builtin); !isBuiltin && (!isFunction || p.Words(callee)) {
					return true
				}
			}
		}
	}
	return false
}
