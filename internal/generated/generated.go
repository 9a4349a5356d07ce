// Package generated makes updates of the choices in a byte string, for tests, fuzzers and measurements: half of them near an operator of
// the tables, half of them anything.
package generated

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
)

// Generator makes choices: those of a byte string, and random ones where it ends.
type Generator struct {
	data []byte
	rng  *rand.Rand // where the string ends
	pool *ir.Pool
	vars []ir.Expr // that terms may mention
}

// New returns a generator. The same string makes the same choices.
func New(data []byte) *Generator {
	h := fnv.New64a()
	h.Write(data)
	return &Generator{data: data, rng: rand.New(rand.NewPCG(h.Sum64(), 1)), pool: ir.NewPool()}
}

// N is a choice below k.
func (g *Generator) N(k int) int {
	if len(g.data) > 0 {
		b := g.data[0]
		g.data = g.data[1:]
		return int(b) % k
	}
	return g.rng.IntN(k)
}

var allTypes = []ir.Type{ir.I32, ir.Bool, ir.U8, ir.I8, ir.F32, ir.U32, ir.I64, ir.F64, ir.U16, ir.I16, ir.U64}

// Numbered returns the update of a number, and what its match may assume.
func Numbered(i int) (*ir.Update, ir.Assume) {
	return New([]byte{byte(i * 7), byte(i / 7 * 5), byte(i / 3), byte(i), byte(i >> 8), byte(i >> 16)}).Update()
}

// Update is a random update and what its match may assume.
func (g *Generator) Update() (*ir.Update, ir.Assume) {
	allowed := []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions, 0, ir.NSW, ir.NUW, ir.NNaN | ir.NSZ, ir.Reassoc}[g.N(7)]
	types := make([]ir.Type, []int{1, 1, 1, 2, 2, 3}[g.N(6)])
	for i := range types {
		types[i] = allTypes[g.N(len(allTypes))]
		if i > 0 && g.N(2) == 0 {
			types[i] = types[0]
		}
	}
	u := &ir.Update{Pool: g.pool, Types: types, Source: &ir.Source{Name: "update"}}
	for i, t := range types {
		g.vars = append(g.vars, g.pool.X(i, t), g.pool.Y(i, t), g.pool.K(i, t))
	}
	r := g.pool.R("r", ir.I32)
	g.vars = append(g.vars, g.pool.Y(len(types), ir.Bool), r)
	u.NonNeg = []ir.Expr{r}
	if g.N(3) == 0 || !g.nearOperator(u) {
		for _, t := range types {
			u.Values = append(u.Values, g.term(t, 1+g.N(4)))
		}
	}
	for range g.N(4) {
		i := g.N(len(types))
		u.Values[i] = g.respell(u.Values[i])
	}
	return u, allowed
}

// nearOperator makes the update an instance of an operator of the table, and perhaps
// breaks it.
func (g *Generator) nearOperator(u *ir.Update) bool {
	table := pattern.Table(u.Types, ir.AllAssumptions)
	if len(table.Entries) == 0 {
		return false
	}
	e := table.Entries[g.N(len(table.Entries))]
	by := map[ir.Expr]ir.Expr{}
	simple := g.N(2) == 0
	u.Values = g.pool.Map(e.Exprs, func(v ir.Expr) ir.Expr {
		if v.Op() != ir.Var || v.Kind() == ir.State {
			return ir.Expr{}
		}
		if _, done := by[v]; !done {
			if v.Kind() == ir.Leaf && simple {
				by[v] = g.pool.Y(v.Index(), v.Type())
			} else {
				by[v] = g.leafTerm(v.Type(), v.Kind() == ir.Param)
			}
		}
		return by[v]
	})
	for range g.N(3) {
		i := g.N(len(u.Types))
		u.Values[i] = g.mutate(u.Values[i])
	}
	return true
}

// leafTerm mentions no state, and if asked nothing that changes.
func (g *Generator) leafTerm(t ir.Type, invariant bool) ir.Expr {
	all := g.vars
	defer func() { g.vars = all }()
	g.vars = nil
	for _, v := range all {
		if v.Kind() == ir.Param || !invariant && v.Kind() != ir.State {
			g.vars = append(g.vars, v)
		}
	}
	return g.term(t, g.N(3))
}

func (g *Generator) leaf(t ir.Type) ir.Expr {
	if g.N(5) > 0 {
		var of []ir.Expr
		for _, v := range g.vars {
			if v.Type() == t {
				of = append(of, v)
			}
		}
		if len(of) > 0 {
			return of[g.N(len(of))]
		}
	}
	switch {
	case t == ir.Bool:
		return g.pool.Bool(g.N(2) == 0)
	case t.IsFloat():
		return g.pool.Float(t, []float64{0, 1, -1, 2, 0.5, 3}[g.N(6)])
	}
	return g.pool.Const(t, []uint64{0, 1, t.Wrap(^uint64(0)), 2, t.Min(), t.Max(), 3, 7, t.Max() / 2}[g.N(9)])
}

var (
	intOps   = []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor, ir.Shl, ir.Shr, ir.Div, ir.Mod, ir.SatAdd, ir.SatSub}
	floatOps = []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.Div}
	compares = []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}
	unary    = []ir.Op{ir.Neg, ir.Abs, ir.BitNot}
)

// term is a random term of a type.
func (g *Generator) term(t ir.Type, depth int) ir.Expr {
	if depth == 0 {
		return g.leaf(t)
	}
	sub := func(t ir.Type) ir.Expr { return g.term(t, g.N(depth)) }
	if g.N(4) == 0 {
		return ir.SelectOf(sub(ir.Bool), sub(t), sub(t))
	}
	if t == ir.Bool {
		switch g.N(5) {
		case 0:
			return ir.NotOf(sub(t))
		case 1:
			return ir.Make([]ir.Op{ir.And, ir.Or, ir.Eq, ir.Ne}[g.N(4)], sub(t), sub(t))
		}
		of := g.vars[g.N(len(g.vars))].Type()
		if of == ir.Bool {
			of = ir.I32
		}
		return ir.Make(compares[g.N(6)], sub(of), sub(of))
	}
	switch g.N(8) {
	case 0:
		op := unary[g.N(3)]
		if t.IsFloat() {
			op = unary[g.N(2)]
		}
		return ir.Make(op, sub(t))
	case 1:
		from := allTypes[g.N(len(allTypes))]
		if from == t {
			return sub(t)
		}
		return ir.CastTo(t, sub(from))
	}
	if t.IsFloat() {
		return ir.Make(floatOps[g.N(len(floatOps))], sub(t), sub(t))
	}
	return ir.Make(intOps[g.N(len(intOps))], sub(t), sub(t))
}

// at replaces one subterm, chosen at random.
func (g *Generator) at(e ir.Expr, f func(ir.Expr) ir.Expr) ir.Expr {
	if e.NumArgs() == 0 || g.N(3) == 0 {
		return f(e)
	}
	i := g.N(e.NumArgs())
	args := make([]ir.Expr, e.NumArgs())
	for j := range args {
		args[j] = e.Arg(j)
	}
	args[i] = g.at(args[i], f)
	return ir.Rebuild(e, args)
}

// mutate changes what a term means, a little.
func (g *Generator) mutate(e ir.Expr) ir.Expr {
	return g.at(e, func(e ir.Expr) ir.Expr {
		t := e.Type()
		for i := range e.NumArgs() {
			if e.Arg(i).Type() == t && g.N(4) == 0 {
				return e.Arg(i)
			}
		}
		switch n := e.NumArgs(); {
		case g.N(3) == 0 || n == 0:
			return g.term(t, g.N(3))
		case n == 2 && g.N(2) == 0 && !e.Op().IsComparison() && t != ir.Bool:
			ops := intOps
			if t.IsFloat() {
				ops = floatOps
			}
			return ir.Make(ops[g.N(len(ops))], e.Arg(0), e.Arg(1))
		case e.Op().IsComparison() && e.Arg(0).Type() != ir.Bool:
			return ir.Make(compares[g.N(6)], e.Arg(0), e.Arg(1))
		case n == 2 && e.Arg(0).Type() == e.Arg(1).Type():
			return ir.Make(e.Op(), e.Arg(1), e.Arg(0))
		case n == 3:
			return ir.SelectOf(e.Arg(0), e.Arg(2), e.Arg(1))
		}
		return e
	})
}

// respell writes a term in another way that is nearly always equal.
func (g *Generator) respell(e ir.Expr) ir.Expr {
	return g.at(e, func(e ir.Expr) ir.Expr {
		p, t := g.pool, e.Type()
		var a, b ir.Expr
		if e.NumArgs() == 2 {
			a, b = e.Arg(0), e.Arg(1)
		}
		switch op := e.Op(); {
		case op == ir.Select:
			return ir.SelectOf(ir.NotOf(e.Arg(0)), e.Arg(2), e.Arg(1))
		case op == ir.Min && g.N(2) == 0:
			return ir.SelectOf(ir.LtOf(a, b), a, b)
		case op == ir.Max && g.N(2) == 0:
			return ir.SelectOf(ir.LtOf(b, a), a, b)
		case op == ir.Min:
			return ir.NegOf(ir.MaxOf(ir.NegOf(a), ir.NegOf(b)))
		case op == ir.Max && t.IsInt():
			return ir.Make(ir.BitNot, ir.MinOf(ir.Make(ir.BitNot, a), ir.Make(ir.BitNot, b)))
		case op == ir.Add && g.N(2) == 0:
			return ir.SubOf(a, ir.NegOf(b))
		case op == ir.Lt && g.N(2) == 0:
			return ir.NotOf(ir.LeOf(b, a))
		case op == ir.And:
			return ir.NotOf(ir.OrOf(ir.NotOf(a), ir.NotOf(b)))
		case op == ir.Or:
			return ir.SelectOf(a, p.Bool(true), b)
		case op == ir.BitXor:
			return ir.SubOf(ir.Make(ir.BitOr, a, b), ir.Make(ir.BitAnd, a, b))
		case op.Commutes():
			return ir.Make(op, b, a)
		case t == ir.Bool:
			return ir.SelectOf(e, p.Bool(true), p.Bool(false))
		case t.IsInt() && g.N(2) == 0:
			return ir.SubOf(ir.AddOf(e, p.Int(t, 3)), p.Int(t, 3))
		}
		return ir.SelectOf(g.leafTerm(ir.Bool, false), e, e)
	})
}
