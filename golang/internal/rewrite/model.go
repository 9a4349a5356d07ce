package rewrite

import (
	"go/constant"
	"go/token"
	"go/types"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop runs in blocks where that pays: where it takes longer than two grains of blockTime. A block is handed to another processor within
// some microseconds, but one that sleeps takes up to 150 to wake up in a virtual machine.
const (
	blockTime  = 150_000 // nanoseconds
	searchTime = 10_000  // of a block of a search, which others wait for when it has found something
	searchMost = 32      // blocks of a search from which on it pays: half of them run serially
	leastStep  = 0.3     // nanoseconds of the shortest step
	longest    = 1 << 18
	shortest   = 1 << 6
)

// findGrain estimates how many steps make a block, a power of two, and refuses loops that have too few steps for two of them.
func (r *Rewrite) findGrain() error {
	time, blocks := blockTime, int64(2)
	if r.loop.Search {
		time, blocks = searchTime, searchMost
	}
	r.grain = int64(1) << bits.Len(uint(float64(time)/max(r.stepTime(), leastStep)))
	r.grain = min(max(r.grain, shortest), longest)
	r.least = blocks * r.grain
	if most, why := r.mostSteps(); most >= 0 && most < r.least {
		return refuse("%s: it pays from %d steps on", why, r.least)
	}
	return nil
}

// stepTime estimates nanoseconds of a step: the longer of what it issues, four instructions in a cycle of a third of a nanosecond, and of the
// latency from the state to the next state.
func (r *Rewrite) stepTime() float64 {
	issued := 0.0
	for _, b := range r.loop.Blocks() {
		for _, i := range b.Instrs {
			issued += r.costOf(i)
		}
	}
	latency := 0.0
	for _, phi := range r.loop.States {
		for slot, p := range r.loop.Header.Preds {
			if r.loop.Has(p) {
				latency = max(latency, r.latencyOf(phi.Edges[slot], map[ssa.Value]bool{}))
			}
		}
	}
	return max(issued/4, latency) / 3
}

// costOf is how many simple instructions a statement is like.
func (r *Rewrite) costOf(i ssa.Instruction) float64 {
	switch i := i.(type) {
	case *ssa.Phi, *ssa.DebugRef, *ssa.Jump, *ssa.FieldAddr, *ssa.Field, *ssa.ChangeType, *ssa.Alloc:
		return 0
	case *ssa.UnOp:
		if _, isStruct := i.Type().Underlying().(*types.Struct); isStruct && i.Op == token.MUL {
			return max(1, float64(r.pkg.Sizes.Sizeof(i.Type()))/16) // a copy
		}
	case *ssa.Lookup:
		return 80
	case *ssa.BinOp:
		if i.Op == token.QUO || i.Op == token.REM {
			return 20
		}
	case *ssa.TypeAssert:
		return 8
	case *ssa.Call:
		if f, ok := i.Call.Value.(*ssa.Function); ok {
			n := 10.0
			if len(f.Blocks) == 1 {
				n = 0 // it is inlined
			}
			for _, b := range f.Blocks {
				n += float64(len(b.Instrs))
			}
			return n
		}
	}
	return 1
}

// latencyOf is the cycles from the state to a value.
func (r *Rewrite) latencyOf(v ssa.Value, open map[ssa.Value]bool) float64 {
	i, ok := v.(ssa.Instruction)
	if phi, isPhi := v.(*ssa.Phi); !ok || !r.loop.Holds(v) || open[v] || isPhi && slices.Contains(r.loop.States, phi) {
		return 0
	}
	open[v] = true
	defer delete(open, v)
	if len(open) > 24 {
		return 0
	}
	before, depends := 0.0, false
	for _, o := range i.Operands(nil) {
		if *o == nil {
			continue
		}
		if phi, isPhi := (*o).(*ssa.Phi); isPhi && slices.Contains(r.loop.States, phi) {
			depends = true
		}
		if n := r.latencyOf(*o, open); n > 0 {
			before, depends = max(before, n), true
		}
	}
	if !depends {
		return 0
	}
	own := 1.0
	switch i := i.(type) {
	case *ssa.BinOp:
		isFloat := false
		if b, ok := i.Type().Underlying().(*types.Basic); ok {
			isFloat = b.Info()&types.IsFloat != 0
		}
		switch {
		case i.Op == token.QUO || i.Op == token.REM:
			own = 14
		case isFloat:
			own = 4
		case i.Op == token.MUL:
			own = 3
		}
	case *ssa.Call:
		own = 4
	}
	return before + own
}

// mostSteps bounds the steps of a loop by what its header says, and says why; -1 where there is no bound.
func (r *Rewrite) mostSteps() (most int64, why string) {
	h := r.header
	if h.form != overSlice {
		end, why := h.to, "it has few steps"
		if h.down {
			end = h.from
		}
		if h.down && !r.isZero(h.to) {
			why = "it counts below 0"
		}
		if v := r.pkg.Info.Types[end].Value; v != nil {
			n, _ := constant.Int64Val(constant.ToInt(v))
			return max(n, 0) + 1, why
		}
		if c := lenOperand(r); c != nil {
			return r.lengthOf(c)
		}
		return -1, ""
	}
	return r.lengthOf(r.ranged())
}

// ranged is the slice that a range statement is over, in SSA form; nil where it is not found.
func (r *Rewrite) ranged() ssa.Value {
	for _, b := range r.loop.Func.Blocks {
		for _, i := range b.Instrs {
			if test, ok := i.(*ssa.BinOp); ok && b == r.loop.Header && test.Op == token.LSS {
				return lenOf(test.Y)
			}
		}
	}
	return nil
}

// lenOperand is the value whose length a counter goes up to; nil where that is not what it does.
func lenOperand(r *Rewrite) ssa.Value {
	for _, b := range r.loop.Blocks() {
		for _, i := range b.Instrs {
			if test, ok := i.(*ssa.BinOp); ok && test.Op == token.LSS && (b == r.loop.Header || slices.Contains(r.loop.Latches, b)) {
				if x := lenOf(test.Y); x != nil {
					return x
				}
			}
		}
	}
	return nil
}

func lenOf(v ssa.Value) ssa.Value {
	if c, ok := v.(*ssa.Call); ok {
		if f, ok := c.Call.Value.(*ssa.Builtin); ok && f.Name() == "len" {
			return c.Call.Args[0]
		}
	}
	return nil
}

// lengthOf bounds the length of a slice: of an array, of one that was made with a literal length, or of the arguments of a call.
func (r *Rewrite) lengthOf(x ssa.Value) (most int64, why string) {
	switch x := x.(type) {
	case *ssa.Slice:
		if n, ok := literal(x.High); ok {
			return n, "what it ranges over is short"
		}
		if p, ok := x.X.Type().Underlying().(*types.Pointer); ok {
			if a, ok := p.Elem().Underlying().(*types.Array); ok {
				return a.Len(), "what it ranges over is short"
			}
		}
	case *ssa.MakeSlice:
		if n, ok := literal(x.Len); ok {
			return n, "what it ranges over is short"
		}
	case *ssa.Parameter:
		f := r.loop.Func
		if f.Signature.Variadic() && x == f.Params[len(f.Params)-1] {
			return 64, "the arguments of a call are few"
		}
	}
	return -1, ""
}

func literal(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}
