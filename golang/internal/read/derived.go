package read

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// A value that a step computes of one component of the state alone is a component itself, where the step computes the same of whatever takes the
// place of that component.
//
//	for _, s := range a { if len(s) > len(long) { long = s } }   →   select(x1 < y1, y0, x0), max(x1, y1), where x1 is len(long)
//	for i := range a { if a[i] > a[top] { top = i } }            →   the same, where x1 is a[top]
//
// It has a value only where the loop could compute it; elsewhere the update does not depend on it, or holds of any.

// Derived is a component that is computed of another one.
type Derived struct {
	Values []ssa.Value // instructions that compute it of the component
	of     int         // the component
	shape  []string    // how
}

// derive reads an instruction that computes a scalar of the state; false where it is no component.
func (r *reader) derive(v ssa.Value) (value, bool) {
	shape, root := r.shapeOf(v)
	if len(shape) == 0 || r.closed || r.scalar(v.Type()) == ir.Invalid {
		return value{}, false
	}
	x := chosenState(root)
	if !x.IsValid() {
		return value{}, false
	}
	e := r.derived(v, shape, x, root)
	return value{expr: e, kind: onState}, e.IsValid()
}

// chosenState is the first component among what an expression chooses from; the zero Expr where there is none.
func chosenState(e ir.Expr) ir.Expr {
	switch {
	case !e.IsValid():
	case e.Op() == ir.Var && e.Kind() == ir.State:
		return e
	case e.Op() == ir.Select:
		if x := chosenState(e.Arg(1)); x.IsValid() {
			return x
		}
		return chosenState(e.Arg(2))
	}
	return ir.Expr{}
}

// derived is what v computes of an expression, which is a choice of the component x and of inputs.
func (r *reader) derived(v ssa.Value, shape []string, x, e ir.Expr) ir.Expr {
	if !e.IsValid() {
		return e
	}
	if e == x {
		return r.derivedState(v, shape, x)
	}
	if got := r.sameOf(v, shape, e); got.IsValid() {
		return got
	}
	if e.Op() != ir.Select {
		return ir.Expr{}
	}
	yes, no := r.derived(v, shape, x, e.Arg(1)), r.derived(v, shape, x, e.Arg(2))
	if !yes.IsValid() || !no.IsValid() {
		return ir.Expr{}
	}
	return choice(e.Arg(0), yes, no)
}

// derivedState is the component that v computes of the component x.
func (r *reader) derivedState(v ssa.Value, shape []string, x ir.Expr) ir.Expr {
	first := len(r.out.States) + len(r.out.Cells)
	_, root := r.shapeOf(v)
	for i := range r.out.Derived {
		if d := &r.out.Derived[i]; d.of == x.Index() && slices.Equal(d.shape, shape) {
			if root == x && !slices.Contains(d.Values, v) {
				d.Values = append(d.Values, v)
			}
			return r.pool.X(first+i, r.scalar(v.Type()))
		}
	}
	n := first + len(r.out.Derived)
	if root != x || n >= ir.MaxState {
		return ir.Expr{}
	}
	r.out.Derived = append(r.out.Derived, Derived{[]ssa.Value{v}, x.Index(), shape})
	return r.pool.X(n, r.scalar(v.Type()))
}

// sameOf is an input that some instruction of the loop computes of e, as v does of the state; the zero Expr where none does.
func (r *reader) sameOf(v ssa.Value, shape []string, e ir.Expr) ir.Expr {
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			other, ok := i.(ssa.Value)
			if !ok || !types.Identical(other.Type(), v.Type()) || r.innerOf(b) != nil {
				continue
			}
			if r.isOf(r.peel(other, shape), other, e) {
				return r.value(other).expr
			}
		}
	}
	return ir.Expr{}
}

// isOf reports whether an instruction computes a value of e, for which root stands. What depends on the value that is being read does not.
func (r *reader) isOf(root, v ssa.Value, e ir.Expr) (is bool) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case cyclic:
			is = false
		default:
			panic(p)
		}
	}()
	return r.standsFor(root, v, e) && r.value(v).expr.IsValid()
}

// standsFor reports whether e is a value, or what is at it as an address when an instruction runs.
func (r *reader) standsFor(root, at ssa.Value, e ir.Expr) bool {
	if root == nil {
		return false
	}
	if a, path := r.temporaryOf(root); a != nil && len(path) == 0 {
		i := at.(ssa.Instruction)
		v := r.temporaryBefore(i.Block(), i, a)
		return v.kind < onState && r.token(v).expr == e
	}
	if a := r.value(root); a.kind == onState {
		return false
	} else if r.token(a).expr == e {
		return true
	}
	for _, leaf := range r.out.Leaves {
		if load, ok := leaf.Values[0].(*ssa.UnOp); ok && leaf.Var == e && leaf.Part == Token && load.Op == token.MUL {
			return r.value(load.X).id() == r.value(root).id()
		}
	}
	return false
}

// shapeOf takes an instruction apart into an expression of the state and how it is computed of that: by loads of fields and elements and by
// len, the last first. The shape of anything else is empty.
func (r *reader) shapeOf(v ssa.Value) (shape []string, root ir.Expr) {
	var load *ssa.UnOp // the last one on the way
	for {
		what, x := r.operation(v)
		if what == "" {
			return nil, ir.Expr{}
		}
		if what == "load" {
			load = v.(*ssa.UnOp)
		}
		shape = append(shape, what)
		if c := r.cellOf(r.value(x).id()); c != nil && c.Part == Token && load != nil && r.wholeCell(load.X) == c {
			return shape, r.cellBefore(load.Block(), load, c).expr
		}
		if a := r.value(x); a.expr.IsValid() {
			if a.kind < onState {
				return nil, ir.Expr{}
			}
			return shape, a.expr
		}
		v = x
	}
}

// peel returns the value of which v is computed in a shape; nil where it is computed in another way.
func (r *reader) peel(v ssa.Value, shape []string) ssa.Value {
	for _, want := range shape {
		what, x := r.operation(v)
		if what != want {
			return nil
		}
		v = x
	}
	return v
}

// operation is an instruction of the loop as an operation on one operand; the others are the same in all steps.
func (r *reader) operation(v ssa.Value) (what string, x ssa.Value) {
	if !r.out.Holds(v) {
		return "", nil
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if _, isVariable := v.X.(*ssa.Alloc); v.Op == token.MUL && !isVariable {
			return "load", v.X
		}
	case *ssa.FieldAddr:
		return "field " + itoa(v.Field), v.X
	case *ssa.IndexAddr:
		if r.isFixed(v.X) {
			return "element of " + r.value(v.X).id(), v.Index
		}
	case *ssa.Call:
		if f, isBuiltin := v.Call.Value.(*ssa.Builtin); isBuiltin && f.Name() == "len" && !isChannel(v.Call.Args[0]) {
			return "len", v.Call.Args[0]
		}
	}
	return "", nil
}
