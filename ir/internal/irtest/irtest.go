// Package irtest makes random expressions for the tests of package ir and of the packages
// beside it.
package irtest

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
)

// Types are the types that a random expression has variables of.
var Types = []ir.Type{ir.Bool, ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64, ir.F32, ir.F64}

// Expr makes a random expression of type t of about size nodes.
func Expr(r *rand.Rand, p *ir.Pool, t ir.Type, size int) ir.Expr {
	if size <= 1 {
		return leaf(r, p, t)
	}
	part := func(t ir.Type) ir.Expr { return Expr(r, p, t, r.IntN(size)) }
	operand := Types[1+r.IntN(len(Types)-1)]
	switch r.IntN(8) {
	case 0:
		return ir.CastTo(t, part(Types[r.IntN(len(Types))]))
	case 1:
		return ir.SelectOf(part(ir.Bool), part(t), part(t))
	case 2:
		return p.Call(t, "c_"+t.String(), r.IntN(3), part(operand), part(ir.I32))
	}
	var choice []ir.Op
	for op := range ir.Op(ir.NumOps) {
		if op.Arity() > 0 && (!op.IsComparison() || t == ir.Bool) {
			choice = append(choice, op)
		}
	}
	for range 50 {
		op := choice[r.IntN(len(choice))]
		from := t
		if t == ir.Bool && op != ir.Not && op != ir.And && op != ir.Or {
			from = Types[r.IntN(len(Types))]
		}
		args := []ir.Type{from, from, from}[:op.Arity()]
		if op == ir.Cast || op == ir.Select {
			continue
		}
		if got, err := ir.CheckTypes(op, args...); err != nil || got != t {
			continue
		}
		es := make([]ir.Expr, len(args))
		for i := range es {
			es[i] = part(from)
		}
		return ir.Make(op, es...)
	}
	return leaf(r, p, t)
}

func leaf(r *rand.Rand, p *ir.Pool, t ir.Type) ir.Expr {
	switch r.IntN(6) {
	case 0:
		return p.Var(ir.State, "x_"+t.String(), int(t)-1, t)
	case 1:
		return p.Var(ir.Leaf, "y_"+t.String(), 0, t)
	case 2:
		return p.Var(ir.Coord, "r._"+t.String(), 0, t)
	}
	edges := []uint64{0, 1, 2, 3, 5, 127, 128, 255, t.Min(), t.Max(), t.Max() - 1, math.MaxUint64, math.MaxUint64 - 4, r.Uint64()}
	v := edges[r.IntN(len(edges))]
	if t.IsFloat() && r.IntN(2) == 0 {
		fs := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, -2.5, 1e20, 1e21, 1e-7, math.Pi, 16777217, math.MaxFloat32, math.NaN(), math.Inf(-1), 5e-324}
		return p.Float(t, fs[r.IntN(len(fs))])
	}
	if t == ir.F32 {
		v &= math.MaxUint32
	}
	return p.Const(t, v)
}

// Value makes a random value of type t.
func Value(r *rand.Rand, t ir.Type) uint64 {
	p := ir.NewPool()
	for {
		if e := leaf(r, p, t); e.Op() == ir.Const {
			return e.Value()
		}
	}
}

// Vars declares one variable of each role and type, named after the type. Those of Expr are
// among them.
func Vars(p *ir.Pool) map[string]ir.Expr {
	vars := map[string]ir.Expr{}
	for i, t := range Types {
		for kind, letter := range map[ir.VarKind]string{ir.State: "x", ir.Leaf: "y", ir.Param: "k", ir.Coord: "r."} {
			name := letter + "_" + t.String()
			index := 0
			if kind == ir.State {
				index = i
			}
			vars[name] = p.Var(kind, name, index, t)
		}
	}
	return vars
}

// The model of integers: they are unbounded, an operation is exact, and the result is
// reduced to the type at the end.

// Exact is the integer that a value of type t stands for.
func Exact(t ir.Type, v uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(v)
}

// Reduce is v modulo 2^bits, carried as a value of t.
func Reduce(t ir.Type, v *big.Int) uint64 {
	size := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits()))
	m := new(big.Int).Mod(v, size) // Euclidean
	if t.IsSigned() && m.Bit(t.Bits()-1) == 1 {
		m.Sub(m, size)
		return uint64(m.Int64())
	}
	return m.Uint64()
}

// Plain is Expr without opaque calls: variables stand in their place.
func Plain(r *rand.Rand, p *ir.Pool, t ir.Type, size int) ir.Expr {
	e := Expr(r, p, t, size)
	return p.Map([]ir.Expr{e}, func(s ir.Expr) ir.Expr {
		if s.Op() == ir.Call {
			return p.Var(ir.Param, "k_"+s.Type().String(), 0, s.Type())
		}
		return ir.Expr{}
	})[0]
}

// Named looks a name up among Vars.
func Named(p *ir.Pool) func(name string) (ir.Expr, bool) {
	vars := Vars(p)
	return func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }
}
