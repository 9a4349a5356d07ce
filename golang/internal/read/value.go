package read

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// kind says what a value depends on, from the least to the most.
type kind int

const (
	invariant kind = iota // is the same in every step
	counted               // depends on invariants and on the number of the step
	onInput               // depends on what is loaded, too
	onState               // depends on the state, too
)

// value is a value of the function in a step. Scalars have an expression; other values have a number, and those
// with equal numbers are equal. Complex numbers, and structs of which the fields are known, have parts.
type value struct {
	expr   ir.Expr
	number int
	parts  []value
	of     ssa.Value // of one that is no number, but may be a token: an instruction, a constant, or a value from outside
	kind   kind
}

// id names a value for the keys of others.
func (v value) id() string {
	if v.expr.IsValid() {
		return fmt.Sprint("e", v.expr.ID())
	}
	return fmt.Sprint("n", v.number)
}

// maxLeaf is the size up to which arithmetic of leaves is shown to the matcher. In a trial over 654 loops 24
// turned 9 lifts into operators and lost none.
const maxLeaf = 24

// cyclic is what value panics with where a value is asked for on the way to it: see isOf.
type cyclic struct{}

// value returns what v is in a step.
func (r *reader) value(v ssa.Value) value {
	if known, ok := r.memo[v]; ok {
		return known
	}
	if r.open[v] {
		panic(cyclic{})
	}
	r.open[v] = true
	defer delete(r.open, v)
	got := r.fresh(v)
	if !r.exact && got.kind < onState && (isLarge(got) || r.isComplex(v.Type()) && slices.ContainsFunc(got.parts, isLarge)) {
		got = r.opaque(v, "big "+got.id(), got.kind)
	}
	r.memo[v] = got
	return got
}

func isLarge(v value) bool { return v.expr.IsValid() && v.expr.Size() > maxLeaf }

func (r *reader) fresh(v ssa.Value) value {
	if c, ok := v.(*ssa.Const); ok {
		return r.literal(c)
	}
	if _, isInput := v.(*ssa.Parameter); isInput && r.isYield() {
		return r.opaque(v, key(v), onInput)
	}
	if !r.out.Holds(v) {
		return r.opaque(v, fmt.Sprintf("outside %p", v), invariant)
	}
	if r.inInner(v) {
		return r.opaque(v, key(v), onInput)
	}
	if phi, ok := v.(*ssa.Phi); ok {
		return r.phi(phi)
	}
	return r.instruction(v)
}

// phi is a state, a counter, or what a walk to the block of the phi chooses.
func (r *reader) phi(phi *ssa.Phi) value {
	if i, ok := r.state[phi]; ok {
		t := r.typeOf(phi)
		if r.out.Parts[i] >= Field {
			return r.stateOf(phi.Type(), i)
		}
		if part := r.partType(phi.Type()); part != ir.Invalid {
			return r.pair(r.pool.X(i, part), r.pool.X(i+1, part), onState)
		}
		if t == ir.Invalid {
			t = tokenType
		}
		return value{expr: r.pool.X(i, t), kind: onState}
	}
	if i, ok := r.counter[phi]; ok {
		if c := r.out.Counters[i]; c.Var.IsValid() {
			return value{expr: c.Var, kind: counted}
		}
		return value{number: r.number(fmt.Sprint("counter ", i)), kind: counted}
	}
	v := r.join(phi.Block().Idom(), phi.Block(), func(slot int) value { return r.value(phi.Edges[slot]) })
	if !v.expr.IsValid() && v.of == nil {
		v.of = phi
	}
	return v
}

// opaque is a value of which only is known what it is computed of, as key says.
func (r *reader) opaque(v ssa.Value, key string, k kind) value {
	if r.isComplex(v.Type()) && k < onState {
		return r.complexLeaf(v, key, k)
	}
	t := r.scalar(v.Type())
	if t == ir.Invalid {
		return value{number: r.number(key), of: v, kind: k}
	}
	return r.leaf(v, t, key, k)
}

// leaf is a variable for a value, or for the length of one.
func (r *reader) leaf(v ssa.Value, t ir.Type, key string, k kind) value {
	return r.partLeaf(v, t, key, k, All)
}

// partLeaf is a variable for a value or for a part of one.
func (r *reader) partLeaf(v ssa.Value, t ir.Type, key string, k kind, part Part) value {
	key = fmt.Sprint(t, " ", key)
	i, ok := r.leafOf[key]
	if !ok {
		i = len(r.out.Leaves)
		r.leafOf[key] = i
		leaf := r.pool.Y(i, t)
		if k == invariant {
			leaf = r.pool.K(i, t)
		}
		r.out.Leaves = append(r.out.Leaves, Leaf{Var: leaf, Part: part})
	}
	l := &r.out.Leaves[i]
	l.Values = append(l.Values, v)
	return value{expr: l.Var, kind: k}
}

// number returns the number of a value that is no scalar.
func (r *reader) number(key string) int {
	n, ok := r.numbers[key]
	if !ok {
		n = len(r.numbers)
		r.numbers[key] = n
	}
	return n
}

// literal is a constant of Go. Those of other than scalar types are equal where type and text are.
func (r *reader) literal(c *ssa.Const) value {
	t := r.scalar(c.Type())
	s, isStruct := c.Type().Underlying().(*types.Struct)
	switch {
	case r.isComplex(c.Type()):
		return r.complexLiteral(c)
	case isStruct && s.NumFields() > 0 && !isTypeParam(r.out.Actual(c.Type())):
		v := r.zero(c.Type())
		v.of = c
		return v
	case t == ir.Invalid:
		return value{number: r.number("const " + c.String() + " " + types.TypeString(c.Type(), nil)), of: c, kind: invariant}
	case c.Value == nil:
		return value{expr: r.pool.Int(t, 0), kind: invariant}
	case t == ir.Bool:
		return value{expr: r.pool.Bool(constant.BoolVal(c.Value)), kind: invariant}
	case t == ir.F32:
		f, _ := constant.Float32Val(c.Value)
		return value{expr: r.pool.Float(t, float64(f)), kind: invariant}
	case t == ir.F64:
		f, _ := constant.Float64Val(c.Value)
		return value{expr: r.pool.Float(t, f), kind: invariant}
	case t.IsUnsigned():
		return value{expr: r.pool.Const(t, c.Uint64()), kind: invariant}
	}
	return value{expr: r.pool.Int(t, c.Int64()), kind: invariant}
}

// compose is a leaf that an instruction computes of operands; of the state it is an obstacle.
func (r *reader) compose(v ssa.Value, what string, loads bool, operands ...ssa.Value) value {
	var key strings.Builder
	key.WriteString(what)
	k := invariant
	for _, o := range operands {
		if o == nil {
			key.WriteString(" _")
			continue
		}
		a := r.value(o)
		k = max(k, a.kind)
		key.WriteString(" " + a.id())
	}
	if loads && (k == counted || k == invariant && r.isYield()) { // an iterator may store between steps
		k = onInput
	}
	return r.composeOf(v, key.String(), k)
}

// composeOf is compose of what key says.
func (r *reader) composeOf(v ssa.Value, key string, k kind) value {
	if k == onState {
		if r.scalar(v.Type()) == ir.Invalid { // it is told where it is used
			return value{number: r.number(key), kind: k}
		}
		if got, ok := r.derive(v); ok {
			return got
		}
		r.stopAtState(v)
	}
	return r.opaque(v, key, k)
}

// stopAtState names the obstacle of a scalar that is computed of the state in a way that has no notation.
func (r *reader) stopAtState(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Call:
		r.stop(CallOnState, v.Pos(), r.callee(v))
	case *ssa.Convert:
		r.stop(StateToInt, v.Pos(), "")
	case *ssa.UnOp, *ssa.Index, *ssa.Lookup, *ssa.Extract:
		r.stop(StateAddress, v.Pos(), "")
	default:
		r.stop(StateType, v.Pos(), "")
	}
}
