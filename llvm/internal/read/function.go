package read

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/flow"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// right is the number of the first component of a second operand among the sources of poison.
const right = ir.MaxState / 2

// run reads a function without loops, block by block.
func (r *reader) run(f *syntax.Func, args []value, depth int) (value, *Obstacle) {
	fr := &frame{f: f, graph: flow.Of(f), env: map[string]value{}, depth: depth}
	if !fr.graph.IsAcyclic() {
		return value{}, stop(Nested, f.Blocks[0].Insts[0], "a loop in @%s", f.Name)
	}
	for i, p := range f.Params {
		fr.env[p.Name] = args[i]
	}
	always := r.always
	var returned []int
	behind := make([]map[cell]value, len(f.Blocks))
	results := map[int]value{}
	for _, b := range fr.graph.Order {
		block := f.Blocks[b]
		r.always = always && r.runsToEnd(fr, b)
		if from, conds := r.ways(fr, b); len(from) > 0 {
			var states []map[cell]value
			for _, q := range from {
				states = append(states, behind[q])
			}
			memory, why := r.merge(block.Insts[0], conds, states)
			if why != nil {
				return value{}, why
			}
			r.memory.cells = memory
		}
		if why := r.block(fr, block); why != nil {
			return value{}, why
		}
		behind[b] = r.memory.cells
		if last := block.Last(); last.Op == "ret" {
			returned = append(returned, b)
			if len(last.Args) > 0 {
				results[b] = r.operand(fr, last.Args[0], last)
			}
		}
	}
	r.always = always
	return r.leave(fr, returned, behind, results)
}

// merge joins the memory behind several blocks.
func (r *reader) merge(in *syntax.Inst, conds []path, states []map[cell]value) (map[cell]value, *Obstacle) {
	exprs := make([]ir.Expr, len(conds))
	for i, c := range conds {
		if c.bad != nil && len(conds) > 1 {
			return nil, c.bad
		}
		exprs[i] = c.cond
	}
	return r.join(in, exprs, states), nil
}

// leave joins the results and the memory of all returns. A function that ends elsewhere ends the program there.
func (r *reader) leave(fr *frame, returned []int, behind []map[cell]value, results map[int]value) (value, *Obstacle) {
	in := fr.f.Blocks[0].Insts[0]
	if len(returned) == 0 {
		return value{}, stop(Unread, in, "@%s does not return", fr.f.Name)
	}
	ps := r.pathsFrom(fr, 0)
	var conds []path
	var values []value
	var states []map[cell]value
	for _, b := range returned {
		conds, states = append(conds, ps.to(b)), append(states, behind[b])
		values = append(values, results[b])
	}
	memory, why := r.merge(in, conds, states)
	if why != nil {
		return value{}, why
	}
	r.memory.cells = memory
	if fr.f.Ret.Kind == syntax.Void {
		return value{}, nil
	}
	return r.gatedBy(in, conds, values), nil
}

// runsToEnd reports whether a block dominates all returns.
func (r *reader) runsToEnd(fr *frame, b int) bool {
	for i, block := range fr.f.Blocks {
		if block.Last().Op == "ret" && !fr.graph.Dominates(b, i) && slices.Contains(fr.graph.Order, i) {
			return false
		}
	}
	return true
}

// Function reads a function without loops as the operator, or the step, that it computes:
//
//	void f(T *out, T *in)   →   the fields of out over those of both: an operator of a reduction of OpenMP
//	T f(T x, T y)           →   an operator, where the types are one; else a step of the state x
//	{T, U} f(T, U, T, U)    →   an operator on pairs
//
// A first parameter that nothing is read from, as that of a lambda, is left out. It returns nil where a function has
// another form.
func Function(m *syntax.Module, f *syntax.Func, withoutSign bool) *Result {
	if !flow.Of(f).IsAcyclic() && !IsCombiner(f) {
		return nil
	}
	r := newReader(m, withoutSign)
	r.memory = &memory{cells: map[cell]value{}, touched: map[cell]bool{}}
	params := f.Params
	if len(params) == 2 && params[0].Type.Kind == syntax.Pointer && params[1].Type.Kind == syntax.Pointer && f.Ret.Kind == syntax.Void &&
		(params[0].Attrs["noalias"] || params[1].Attrs["noalias"]) {
		return r.byReference(f)
	}
	var args []value
	if len(params) == 3 && params[0].Type.Kind == syntax.Pointer {
		args = append(args, value{ptr: &pointer{object: r.memory.object()}}) // the closure
		params = params[1:]
	}
	types, ok := r.results(f.Ret)
	if !ok || len(params) < 2 || len(params) > 2*len(types) && len(types) > 1 || len(types) == 1 && len(params) != 2 || len(params) < len(types) {
		return nil
	}
	for i, p := range params {
		t, ok := r.scalar(p.Type)
		if !ok {
			return nil
		}
		var v ir.Expr
		source := i
		if i < len(types) {
			if v = r.pool.X(i, t); t != types[i] {
				return nil
			}
		} else {
			v, source = r.pool.Y(i-len(types), t), right+i-len(types)
			r.inputs = append(r.inputs, Input{Var: v, Name: p.Name})
		}
		r.integers = r.integers || t.IsInt()
		args = append(args, value{e: v, state: true, poison: set{}.with(source)})
	}
	out := &Result{}
	v, why := r.run(f, args, 0)
	if why == nil {
		values := v.agg
		if len(types) == 1 && f.Ret.Kind != syntax.Struct && f.Ret.Kind != syntax.Array {
			values = []value{v}
		}
		why = r.operator(out, f, values)
	}
	return r.orObstacle(out, why)
}

// results are the scalars that a function returns.
func (r *reader) results(t *syntax.Type) (types []ir.Type, ok bool) {
	parts := []*syntax.Type{t}
	if t.Kind == syntax.Struct {
		parts = t.Elems
	}
	for _, p := range parts {
		s, ok := r.scalar(p)
		if !ok {
			return nil, false
		}
		types = append(types, s)
	}
	return types, len(types) > 0 && len(types) <= right
}

func (r *reader) orObstacle(out *Result, why *Obstacle) *Result {
	if why != nil {
		out.Update, out.Obstacles = nil, append(out.Obstacles, why)
	}
	out.Integers = r.integers
	return out
}

// byReference reads a combiner that changes what its first parameter points to.
func (r *reader) byReference(f *syntax.Func) *Result {
	out := &Result{}
	r.memory.fields = r.fieldsOf(f)
	if len(r.memory.fields) == 0 || len(r.memory.fields) > right {
		return r.orObstacle(out, stop(Memory, f.Blocks[0].Insts[0], "fields that are not known"))
	}
	o, i := r.memory.object(), r.memory.object()
	for n, field := range r.memory.fields {
		size := int64(max(field.Type.Bits(), 8) / 8)
		x, y := r.pool.X(n, field.Type), r.pool.Y(n, field.Type)
		r.inputs = append(r.inputs, Input{Var: y, Name: f.Params[1].Name})
		r.integers = r.integers || field.Type.IsInt()
		for operand, e := range []ir.Expr{x, y} {
			c := cell{o + operand, field.Offset, size}
			r.memory.cells[c], r.memory.touched[c] = value{e: e, state: true, poison: set{}.with(n + right*operand)}, true
		}
	}
	_, why := r.run(f, []value{{ptr: &pointer{object: o}}, {ptr: &pointer{object: i}}}, 0)
	var values []value
	for _, field := range r.memory.fields {
		c := cell{o, field.Offset, int64(max(field.Type.Bits(), 8) / 8)}
		values = append(values, r.memory.cells[c])
	}
	if why == nil {
		why = r.operator(out, f, values)
	}
	return r.orObstacle(out, why)
}

// operator makes the update of what a function returns. Flags are granted where their breach makes all results poison, and
// poison of an operand does as well.
func (r *reader) operator(out *Result, f *syntax.Func, values []value) *Obstacle {
	u := &ir.Update{Pool: r.pool, Source: r.module.Source}
	o := observed{right: right}
	var kept []int
	for i, v := range values {
		if !v.isScalar() {
			return firstBad([]value{v}, f.Blocks[0].Insts[0])
		}
		u.Values, u.Types = append(u.Values, v.e), append(u.Types, v.e.Type())
		o.next, kept = append(o.next, v), append(kept, i)
		o.seen, o.defined = append(o.seen, true), append(o.defined, false)
	}
	if len(values) == 0 {
		return stop(NoState, f.Blocks[0].Insts[0], "")
	}
	out.Allowed, _ = r.allowed(o, kept, f.Attrs)
	for _, in := range r.inputs {
		u.Vars = append(u.Vars, in.Var)
	}
	out.Update, out.Inputs = u, r.inputs
	return nil
}

// fieldsOf lists the scalars of what the parameters of a combiner point to: the fields of the largest struct that it takes
// apart, or the one scalar that it loads.
func (r *reader) fieldsOf(f *syntax.Func) []Field {
	var best *syntax.Type
	size := int64(0)
	consider := func(t *syntax.Type) {
		if s, ok := t.Size(); ok && t.Kind == syntax.Struct && s > size {
			best, size = t, s
		}
	}
	var scalar *syntax.Type
	for _, p := range f.Params {
		if t := p.Type.Elem; t != nil {
			consider(t)
			scalar = t
		}
	}
	for in := range r.withCallees(f) {
		switch in.Op {
		case "getelementptr":
			consider(in.Type)
		case "load", "store":
			if _, ok := r.scalar(in.Type); ok && (scalar == nil || scalar.Kind != syntax.Struct) {
				scalar = in.Type
			}
		}
	}
	if best != nil {
		fields, _ := r.flatten(best, 0, nil, 0)
		return fields
	}
	if t, ok := r.scalar(scalar); ok {
		return []Field{{0, t}}
	}
	return nil
}

// withCallees yields the instructions of a function and of those that it calls.
func (r *reader) withCallees(f *syntax.Func) func(yield func(*syntax.Inst) bool) {
	return func(yield func(*syntax.Inst) bool) {
		seen := map[string]bool{"@" + f.Name: true}
		for work := []*syntax.Func{f}; len(work) > 0; work = work[1:] {
			for _, b := range work[0].Blocks {
				for _, in := range b.Insts {
					if !yield(in) {
						return
					}
					for _, g := range r.module.Funcs {
						if "@"+g.Name == in.Callee && !seen[in.Callee] && len(seen) < maxCalls {
							seen[in.Callee] = true
							work = append(work, g)
						}
					}
				}
			}
		}
	}
}

// flatten lists the scalars within a type; it is not ok where something else is there.
func (r *reader) flatten(t *syntax.Type, at int64, fields []Field, depth int) ([]Field, bool) {
	n := len(t.Elems)
	if t.Kind == syntax.Array {
		n = t.Len
	}
	if depth > maxDepth || n > maxFields {
		return nil, false
	}
	if t.Kind != syntax.Struct && t.Kind != syntax.Array {
		if s, ok := r.scalar(t); ok {
			return append(fields, Field{at, s}), true
		}
		return nil, false
	}
	for i := range n {
		elem := element(t, i)
		by, ok := t.Offset(i)
		if t.Kind == syntax.Array {
			size, known := elem.Size()
			by, ok = int64(i)*size, known
		}
		if fields, ok = r.flatten(elem, at+by, fields, depth+1); !ok {
			return nil, false
		}
	}
	return fields, true
}

// Initializer reads a function that stores literals to what its first parameter points to, as .omp_initializer. does, with
// the fields of a combiner. It is not ok where one has no literal.
func Initializer(m *syntax.Module, f *syntax.Func, types []ir.Type, withoutSign bool) (identity []ir.Expr, pool *ir.Pool, ok bool) {
	r := newReader(m, withoutSign)
	r.memory = &memory{cells: map[cell]value{}, touched: map[cell]bool{}}
	o, i := r.memory.object(), r.memory.object()
	if _, why := r.run(f, []value{{ptr: &pointer{object: o}}, {ptr: &pointer{object: i}}}, 0); why != nil {
		return nil, nil, false
	}
	var cells []cell
	for c := range r.memory.cells {
		if c.object == o {
			cells = append(cells, c)
		}
	}
	slices.SortFunc(cells, compareCells)
	if len(cells) != len(types) {
		return nil, nil, false
	}
	for n, c := range cells {
		v := r.memory.cells[c]
		if !v.isScalar() || v.e.Op() != ir.Const || v.e.Type() != types[n] {
			return nil, nil, false
		}
		identity = append(identity, v.e)
	}
	return identity, r.pool, true
}

// IsCombiner reports whether a function is the combiner of a reduction that a user of OpenMP declared, and IsInitializer
// whether it is an initializer of one: clang writes it right behind its combiner.
func IsCombiner(f *syntax.Func) bool { return strings.HasPrefix(f.Name, ".omp_combiner.") }

// IsInitializer reports whether a function is an initializer; see IsCombiner.
func IsInitializer(f *syntax.Func) bool { return strings.HasPrefix(f.Name, ".omp_initializer.") }
