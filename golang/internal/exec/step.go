package exec

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// step runs one step of the loop, from the phis of its header. It returns by which predecessor the header is
// reached again, or -1 where the loop is left.
func (f *frame) step() (slot int) {
	header := f.loop.Header
	results, returned, slot := f.run(header, header, len(f.loop.Phis()))
	if returned && len(results) == 1 && results[0] == true { // to an iterator that begins the next step
		return 0
	}
	return slot
}

// run executes blocks from b on until stop is reached again, the loop is left, or the function returns.
func (f *frame) run(b, stop *ssa.BasicBlock, skip int) (results tuple, returned bool, slot int) {
	var from *ssa.BasicBlock
	branch := 0
	for {
		if f.m.budget--; f.m.budget < 0 {
			panic(stuck{"a step that does not end"})
		}
		if from != nil {
			slot := slotOf(from, branch)
			if b == stop {
				return nil, false, slot
			}
			if f.loop != nil && !f.loop.Has(b) {
				return nil, false, -1
			}
			skip = f.phis(b, slot)
		}
		for _, i := range b.Instrs[skip:] {
			switch i := i.(type) {
			case *ssa.If:
				branch = 1
				if f.get(i.Cond).(bool) {
					branch = 0
				}
			case *ssa.Jump:
				branch = 0
			case *ssa.Return:
				for _, v := range i.Results {
					results = append(results, f.get(v))
				}
				return results, true, -1
			case *ssa.Panic:
				panic(panicked{"panic"})
			case ssa.Value:
				f.env[i] = f.eval(i)
			case *ssa.Store:
				f.store(i)
			case *ssa.DebugRef:
			default:
				panic(stuck{fmt.Sprintf("%T", i)})
			}
		}
		if len(b.Succs) == 0 {
			panic(stuck{"a block without successors"})
		}
		from, b = b, b.Succs[branch]
	}
}

// phis executes the phis of a block all at once, and returns how many there are.
func (f *frame) phis(b *ssa.BasicBlock, slot int) int {
	var values []any
	for _, i := range b.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		values = append(values, f.get(phi.Edges[slot]))
	}
	for n, v := range values {
		f.env[b.Instrs[n].(*ssa.Phi)] = v
	}
	return len(values)
}

// slotOf returns which predecessor of its target an edge is.
func slotOf(b *ssa.BasicBlock, branch int) int {
	to, skip := b.Succs[branch], 0
	if branch == 1 && b.Succs[0] == to {
		skip = 1
	}
	for slot, p := range to.Preds {
		if p == b {
			if skip == 0 {
				return slot
			}
			skip--
		}
	}
	panic(stuck{"an edge without a place"})
}

func (f *frame) eval(i ssa.Value) any {
	m := f.m
	switch i := i.(type) {
	case *ssa.BinOp:
		return m.binary(i.Op, i.X.Type(), f.get(i.X), f.get(i.Y))
	case *ssa.UnOp:
		return f.unary(i)
	case *ssa.Convert:
		return m.convert(i.X.Type(), i.Type(), f.get(i.X))
	case *ssa.ChangeType:
		return f.get(i.X)
	case *ssa.ChangeInterface:
		return f.get(i.X)
	case *ssa.MakeInterface:
		return thing{fmt.Sprint("interface ", i.X.Type(), " ", f.get(i.X))}
	case *ssa.Field:
		return m.read(fmt.Sprint(f.get(i.X).(thing).path, ".", i.Field), i.Type())
	case *ssa.FieldAddr:
		return pointer{fmt.Sprint(m.deref(f.get(i.X)), ".", i.Field)}
	case *ssa.IndexAddr:
		return f.indexAddr(i)
	case *ssa.Index:
		return f.index(i)
	case *ssa.Slice:
		return f.slice(i)
	case *ssa.Lookup:
		return m.result("lookup", i.Type(), f.get(i.X), f.get(i.Index))
	case *ssa.TypeAssert:
		return m.result("assert "+i.AssertedType.String(), i.Type(), f.get(i.X))
	case *ssa.Extract:
		return f.get(i.Tuple).(tuple)[i.Index]
	case *ssa.Next:
		if !i.IsString {
			entry := i.Type().(*types.Tuple)
			return tuple{m.rng.IntN(3) > 0, m.draw(entry.At(1).Type()), m.draw(entry.At(2).Type())}
		}
		return tuple{m.rng.IntN(3) > 0, m.draw(types.Typ[types.Int]), m.draw(types.Typ[types.Int32])}
	case *ssa.Call:
		return f.call(i)
	case *ssa.Alloc:
		return pointer{zeroed + m.name()}
	}
	panic(stuck{fmt.Sprintf("%T", i)})
}

// store writes a value to memory.
func (f *frame) store(i *ssa.Store) {
	x := f.get(i.Val)
	if isArgument(i.Addr) { // no step reads what it appended
		return
	}
	path := f.m.deref(f.get(i.Addr))
	if from, ok := x.(thing); ok && isAggregate(i.Val.Type()) {
		f.m.copy(path, from.path)
		return
	}
	f.m.read(path, i.Val.Type())
	f.m.memory[keyOf(path, i.Val.Type())] = x
}

func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// isArgument reports whether an address is in an array that holds arguments of a call.
func isArgument(address ssa.Value) bool {
	element, ok := address.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	a, ok := element.X.(*ssa.Alloc)
	return ok && a.Comment == "varargs"
}

// deref returns where a pointer points.
func (m *machine) deref(p any) string {
	q, ok := p.(pointer)
	if !ok {
		panic(stuck{fmt.Sprintf("an address that is a %T", p)})
	}
	if q.path == "" {
		panic(panicked{"nil"})
	}
	return q.path
}

func (f *frame) unary(i *ssa.UnOp) any {
	x := f.get(i.X)
	switch i.Op {
	case token.MUL:
		if g, ok := i.X.(*ssa.Global); ok {
			return f.m.read("global "+g.Name(), i.Type())
		}
		return f.m.read(f.m.deref(x), i.Type())
	case token.NOT:
		return !x.(bool)
	case token.SUB:
		switch x := x.(type) {
		case float32:
			return -x
		case float64:
			return -x
		case complex128:
			return -x
		}
		return f.m.wrap(i.Type().Underlying().(*types.Basic), -bitsOf(x))
	case token.XOR:
		return f.m.wrap(i.Type().Underlying().(*types.Basic), ^bitsOf(x))
	}
	panic(stuck{"operator " + i.Op.String()})
}

func bitsOf(x any) uint64 {
	switch x := x.(type) {
	case int64:
		return uint64(x)
	case uint64:
		return x
	}
	panic(stuck{fmt.Sprintf("bits of %T", x)})
}

// number returns an integer that is an index or a length.
func number(x any) int {
	n := int64(bitsOf(x))
	if u, ok := x.(uint64); ok && u > 1<<40 || n < 0 || n > 1<<40 {
		panic(panicked{"bounds"})
	}
	return int(n)
}

func (f *frame) indexAddr(i *ssa.IndexAddr) any {
	n := number(f.get(i.Index))
	switch x := f.get(i.X).(type) {
	case slice:
		if n >= f.m.length(x, n+1) {
			panic(panicked{"bounds"})
		}
		return pointer{fmt.Sprintf("%s[%d]", x.base, x.first+n)}
	case pointer:
		array := i.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
		if int64(n) >= array.Len() {
			panic(panicked{"bounds"})
		}
		return pointer{fmt.Sprintf("%s[%d]", f.m.deref(x), n)}
	}
	panic(stuck{"the address of an element"})
}

func (f *frame) index(i *ssa.Index) any {
	n := number(f.get(i.Index))
	switch x := f.get(i.X).(type) {
	case string:
		if n >= len(x) {
			panic(panicked{"bounds"})
		}
		return uint64(x[n])
	case thing:
		if a, ok := i.X.Type().Underlying().(*types.Array); ok {
			if int64(n) >= a.Len() {
				panic(panicked{"bounds"})
			}
			return f.m.read(fmt.Sprintf("%s[%d]", x.path, n), i.Type())
		}
	}
	panic(stuck{"an element"})
}

func (f *frame) slice(i *ssa.Slice) any {
	low := 0
	if i.Low != nil {
		low = number(f.get(i.Low))
	}
	switch x := f.get(i.X).(type) {
	case string:
		high := len(x)
		if i.High != nil {
			high = number(f.get(i.High))
		}
		if low > high || high > len(x) {
			panic(panicked{"bounds"})
		}
		return x[low:high]
	case slice:
		high := -1
		if i.High != nil {
			high = number(f.get(i.High))
		}
		all := f.m.length(x, max(low, high))
		if high < 0 {
			high = all
		}
		if low > high || high > all { // the capacity is the length here
			panic(panicked{"bounds"})
		}
		return slice{base: x.base, first: x.first + low, n: high - low, hasNumber: true}
	case pointer:
		array, ok := i.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
		if !ok {
			break
		}
		high := int(array.Len())
		if i.High != nil {
			high = number(f.get(i.High))
		}
		if low > high || int64(high) > array.Len() {
			panic(panicked{"bounds"})
		}
		return slice{base: f.m.deref(x), first: low, n: high - low, hasNumber: true}
	}
	panic(stuck{"a slice of something else"})
}

// callee runs a function that has a body.
func (f *frame) callee(fn *ssa.Function, args []any) any {
	g := &frame{m: f.m, env: map[ssa.Value]any{}}
	for i, p := range fn.Params {
		g.env[p] = args[i]
	}
	results, _, _ := g.run(fn.Blocks[0], nil, 0)
	if len(results) == 1 {
		return results[0]
	}
	return results
}

// result is what a function that is not executed gives: the same for the same arguments.
func (m *machine) result(name string, t types.Type, args ...any) any {
	key := fmt.Sprint(name, " ", t, " ", args)
	x, ok := m.memory[key]
	if !ok {
		x = m.draw(t)
		m.memory[key] = x
	}
	return x
}

// newFrame prepares a step of a loop, whose phis are drawn.
func newFrame(m *machine, l *loops.Loop) *frame {
	f := &frame{m: m, loop: l, env: map[ssa.Value]any{}}
	for _, phi := range l.Phis() {
		f.env[phi] = m.draw(phi.Type())
	}
	return f
}
