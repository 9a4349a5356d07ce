package read

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// Two addresses of a function are apart, overlap in plain sight, or are apart if no two of its names mean one variable (noalias).
//
//	keep = &s; for … { s += *keep }      // overlap: keep is &s
//	b := make([]int, n); for … { b[i] = s }   // apart from all that is loaded: nothing else knows b
//	func f(a, b []int) { … }             // apart under noalias
//
// An object is what an allocation of the function makes, a variable of the package, or what a value from elsewhere points to. The
// objects that a value may point to are found by going through the function's stores until nothing is added, in no order of time.

// aliasing says how two addresses relate.
type aliasing int

const (
	apart aliasing = iota
	assumed
	overlapping
)

// location is an object, and the fields on the way to a part of it. Elements of one array are one part, but for
// those at constant indices.
type location struct {
	object string
	path   string // .1.0
}

// memory knows what the values of a function point to.
type memory struct {
	f         *ssa.Function
	pure      func(*ssa.Function) bool
	fresh     map[string]bool // objects that the function makes …
	outside   map[string]bool // … variables of packages, and what parameters and captured variables point to: they were there before
	variables map[string]bool // of outside: variables, each with its own memory
	escaped   map[string]bool // objects that other code may know
	punned    map[string]bool // objects that unsafe code takes for something else: no part of them is apart from another
	stored    map[location]map[location]bool
	memo      map[ssa.Value]map[location]bool
	open      []*ssa.Phi
	changed   bool
}

// newMemory looks at all that a function stores and calls.
func newMemory(f *ssa.Function, pure func(*ssa.Function) bool) *memory {
	m := &memory{f: f, pure: pure, fresh: map[string]bool{}, outside: map[string]bool{}, variables: map[string]bool{}, escaped: map[string]bool{}, punned: map[string]bool{}, stored: map[location]map[location]bool{}}
	for m.changed = true; m.changed; {
		m.changed, m.memo = false, map[ssa.Value]map[location]bool{}
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				m.look(i)
			}
		}
		m.spread()
	}
	return m
}

// look notes what an instruction stores, and what it makes known to other code.
func (m *memory) look(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		m.store(m.of(i.Addr), m.of(i.Val))
	case *ssa.MapUpdate:
		m.store(m.elements(i.Map), m.of(i.Value))
		m.store(m.elements(i.Map), m.of(i.Key))
	case *ssa.MakeClosure:
		for _, x := range i.Bindings {
			m.escape(m.of(x))
		}
	case *ssa.Send:
		m.escape(m.of(i.X))
	case *ssa.Convert:
		if b, ok := i.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 { // a pointer as a number
			m.escape(m.of(i.X))
		}
		if isUnsafePointer(i.Type()) || isUnsafePointer(i.X.Type()) {
			m.pun(m.of(i.X))
		}
	case ssa.CallInstruction:
		m.call(i)
	}
}

func (m *memory) call(i ssa.CallInstruction) {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			m.store(m.of(i.(ssa.Value)), m.contents(m.of(c.Args[1])))
		case "copy":
			m.store(m.of(c.Args[0]), m.contents(m.of(c.Args[1])))
		case "len", "cap", "min", "max", "real", "imag", "complex", "clear", "delete", "print", "println":
		default: // the result may be one of them
			for _, x := range c.Args {
				m.escape(m.of(x))
			}
			if isUnsafeCall(c) {
				m.pun(m.of(c.Args[0]))
			}
		}
		return
	}
	if f, ok := c.Value.(*ssa.Function); ok && m.pure(f) && givesNumbers(f.Signature.Results()) {
		return
	}
	for _, x := range append([]ssa.Value{c.Value}, c.Args...) {
		m.escape(m.of(x))
	}
}

// store notes that locations may hold pointers to others. What other code may read is known there.
func (m *memory) store(at, what map[location]bool) {
	for l := range at {
		if m.stored[l] == nil {
			m.stored[l] = map[location]bool{}
		}
		for w := range what {
			if !m.stored[l][w] {
				m.stored[l][w], m.changed = true, true
			}
		}
		if !m.fresh[l.object] {
			m.escape(what)
		}
	}
}

func (m *memory) escape(what map[location]bool) {
	for w := range what {
		if !m.escaped[w.object] {
			m.escaped[w.object], m.changed = true, true
		}
	}
}

// pun notes that objects are seen as something else.
func (m *memory) pun(what map[location]bool) {
	for w := range what {
		if !m.punned[w.object] {
			m.punned[w.object], m.changed = true, true
		}
	}
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// isUnsafeCall reports whether a call of package unsafe gives what its first argument points to.
func isUnsafeCall(c *ssa.CallCommon) bool {
	b, ok := c.Value.(*ssa.Builtin)
	return ok && slices.Contains([]string{"Add", "Slice", "SliceData", "String", "StringData"}, b.Name())
}

// spread lets what an escaped object holds escape.
func (m *memory) spread() {
	for l, what := range m.stored {
		if m.escaped[l.object] {
			m.escape(what)
		}
	}
}

func only(object string) map[location]bool { return map[location]bool{{object, ""}: true} }

// of returns what a value may point to; of a struct what any part of it does.
func (m *memory) of(v ssa.Value) map[location]bool {
	if known, ok := m.memo[v]; ok {
		return known
	}
	got := m.find(v)
	if len(m.open) == 0 { // inside of a cycle of phis it may not be all
		m.memo[v] = got
	}
	return got
}

func (m *memory) find(v ssa.Value) map[location]bool {
	name := fmt.Sprintf("%p", v)
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.BinOp:
		return nil
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		m.fresh[name] = true
		return only(name)
	case *ssa.Global:
		m.outside[name], m.variables[name] = true, true
		return only(name)
	case *ssa.FreeVar: // the address of a variable around
		m.outside[name], m.variables[name] = true, true
		return only(name)
	case *ssa.Parameter:
		m.outside[name] = true
		return only(name)
	case *ssa.FieldAddr:
		return m.part(m.of(v.X), v.Field)
	case *ssa.Field:
		if load, ok := v.X.(*ssa.UnOp); ok && load.Op == token.MUL {
			return m.contents(m.part(m.of(load.X), v.Field))
		}
		return m.of(v.X)
	case *ssa.IndexAddr:
		return m.element(v)
	case *ssa.Index:
		return m.of(v.X)
	case *ssa.Slice:
		return m.of(v.X)
	case *ssa.ChangeType:
		return m.of(v.X)
	case *ssa.ChangeInterface:
		return m.of(v.X)
	case *ssa.MakeInterface:
		return m.of(v.X)
	case *ssa.TypeAssert:
		return m.of(v.X)
	case *ssa.SliceToArrayPointer:
		return m.of(v.X)
	case *ssa.Convert:
		if isString(v.X.Type()) || isString(v.Type()) { // its bytes are copied
			m.fresh[name] = true
			return only(name)
		}
		if _, isBasic := v.X.Type().Underlying().(*types.Basic); !isBasic || isUnsafePointer(v.X.Type()) {
			return m.of(v.X)
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return m.contents(m.of(v.X))
		}
	case *ssa.Lookup:
		return m.contents(m.elements(v.X))
	case *ssa.Extract:
		return m.extract(v, name)
	case *ssa.Phi:
		return m.phi(v)
	case *ssa.Call:
		if isAppend(v) { // the array of the slice, or another one
			m.fresh[name] = true
			return union(m.of(v.Call.Args[0]), only(name))
		}
		if isUnsafeCall(&v.Call) {
			return m.of(v.Call.Args[0])
		}
	}
	return only(name)
}

func (m *memory) extract(v *ssa.Extract, name string) map[location]bool {
	switch t := v.Tuple.(type) {
	case *ssa.Lookup, *ssa.TypeAssert:
		if v.Index == 0 {
			return m.of(v.Tuple)
		}
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && !t.IsString {
			return m.contents(m.elements(r.X))
		}
	}
	return only(name)
}

// elements are where a map holds its keys and elements.
func (m *memory) elements(v ssa.Value) map[location]bool { return m.of(v) }

// phi is what its edges point to. Phis of one block that take values of each other, as two slices that are swapped, are told apart by name.
func (m *memory) phi(phi *ssa.Phi) map[location]bool {
	if slices.Contains(m.open, phi) {
		return nil
	}
	m.open = append(m.open, phi)
	defer func() { m.open = m.open[:len(m.open)-1] }()
	all := map[location]bool{}
	for _, e := range phi.Edges {
		if other, ok := e.(*ssa.Phi); ok && other != phi && other.Block() == phi.Block() {
			all[location{fmt.Sprintf("%p", other), ""}] = true
			continue
		}
		all = union(all, m.of(e))
	}
	return all
}

func union(a, b map[location]bool) map[location]bool {
	all := maps.Clone(a)
	if all == nil {
		all = map[location]bool{}
	}
	maps.Copy(all, b)
	return all
}

// deepest is how many pointers are followed from what has a name: what lies behind, as the elements of a list, is one object without parts.
const deepest = 3

func isSummary(object string) bool { return strings.Count(object, "*") >= deepest }

// part is a field of what is pointed to.
func (m *memory) part(of map[location]bool, field int) map[location]bool {
	all := map[location]bool{}
	for l := range of {
		if isSummary(l.object) {
			all[l] = true
			continue
		}
		if m.punned[l.object] {
			all[location{l.object, ""}] = true
			continue
		}
		all[location{l.object, l.path + "." + strconv.Itoa(field)}] = true
	}
	return all
}

// element is an element of what is pointed to. Of an array in a variable of the function those at constant indices are parts that are
// apart, if they have no parts themselves; another index may be any of them.
func (m *memory) element(v *ssa.IndexAddr) map[location]bool {
	index, isConst := v.Index.(*ssa.Const)
	if !isConst || loops.LocalOf(v) == nil || !hasNoParts(v.Type().Underlying().(*types.Pointer).Elem()) {
		return m.of(v.X)
	}
	all := map[location]bool{}
	for l := range m.of(v.X) {
		if !m.punned[l.object] {
			l.path += ".[" + index.Value.ExactString() + "]"
		}
		all[l] = true
	}
	return all
}

// contents is what the pointers at locations point to: what was stored there, or was there before. What the function made itself holds
// only what it stored, until others know of it.
func (m *memory) contents(at map[location]bool) map[location]bool {
	all := map[location]bool{}
	for l := range at {
		for k, what := range m.stored {
			if k.object == l.object && related(k.path, l.path) {
				maps.Copy(all, what)
			}
		}
		switch {
		case isSummary(l.object):
			all[l] = true
		case !m.fresh[l.object] || m.escaped[l.object]:
			all[location{l.object + l.path + "*", ""}] = true
		}
	}
	return all
}

// related reports whether one path leads to a part of what the other leads to.
func related(a, b string) bool {
	return strings.HasPrefix(a+".", b+".") || strings.HasPrefix(b+".", a+".")
}

// relate says how what two addresses, or slices, point to relates.
func (m *memory) relate(a, b ssa.Value) (worst aliasing) {
	for l := range m.of(a) {
		for k := range m.of(b) {
			worst = max(worst, m.relation(l, k))
		}
	}
	return worst
}

func (m *memory) relation(a, b location) aliasing {
	if a.object == b.object {
		if related(a.path, b.path) {
			return overlapping
		}
		return apart
	}
	unknown := func(o string) bool { return !m.fresh[o] && !m.outside[o] }
	private := func(o string) bool { return m.fresh[o] && !m.escaped[o] }
	switch {
	case private(a.object) || private(b.object):
		return apart
	case m.variables[a.object] && m.variables[b.object]:
		return apart
	case (m.fresh[a.object] || m.fresh[b.object]) && !unknown(a.object) && !unknown(b.object):
		return apart
	}
	return assumed
}

// otherFields reports whether two addresses are those of different fields of one type of struct: such fields never overlap, whichever
// structs they are of.
func otherFields(a, b ssa.Value) bool {
	for _, f := range fieldsOn(a) {
		for _, g := range fieldsOn(b) {
			if f.Field != g.Field && types.Identical(structAround(f), structAround(g)) {
				return true
			}
		}
	}
	return false
}

// otherContainers reports whether one address is that of a field, or of a variable by itself, and the other that of an element, or so on. A
// variable that has no parts is in one container.
func otherContainers(a, b ssa.Value) bool {
	x, y := containerOf(a), containerOf(b)
	return x != "" && y != "" && x != y
}

func containerOf(v ssa.Value) string {
	t := elementOf(v.Type())
	if p, ok := v.Type().Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if !hasNoParts(t) {
		return ""
	}
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return "variable"
	case *ssa.FieldAddr:
		return "field"
	case *ssa.IndexAddr:
		return "element"
	}
	if isSlice(v.Type()) {
		return "element"
	}
	return ""
}

// fieldsOn lists the fields in which an address lies.
func fieldsOn(address ssa.Value) (list []*ssa.FieldAddr) {
	for {
		switch a := address.(type) {
		case *ssa.FieldAddr:
			list = append(list, a)
			address = a.X
		case *ssa.IndexAddr:
			if _, isSlice := a.X.Type().Underlying().(*types.Slice); isSlice {
				return list
			}
			address = a.X
		default:
			return list
		}
	}
}

func structAround(f *ssa.FieldAddr) types.Type {
	return f.X.Type().Underlying().(*types.Pointer).Elem().Underlying()
}
