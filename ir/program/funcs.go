package program

import (
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// builtin is a function of the surface language.
type builtin struct {
	min, max int // operands
	build    func(p *parser, pos int, args []int32) int32
}

// op2 folds two or more operands from the right, as Halide's min(a, b, c).
func op2(op ir.Op, most int) builtin {
	return builtin{2, most, func(p *parser, pos int, a []int32) int32 {
		n := a[len(a)-1]
		for i := len(a) - 2; i >= 0; i-- {
			n = p.op(pos, op, a[i], n)
		}
		return n
	}}
}

func op1(op ir.Op) builtin {
	return builtin{1, 1, func(p *parser, pos int, a []int32) int32 { return p.op(pos, op, a[0]) }}
}

func widen(op ir.Op) builtin {
	return builtin{2, 2, func(p *parser, pos int, a []int32) int32 {
		return p.node(syn{kind: synWiden, op: op, pos: int32(pos), a: a[0], b: a[1]}, a...)
	}}
}

// manyArgs is how many operands a function or directive takes that takes any number.
const manyArgs = 64

// builtins is every function by name; a cast is spelt with the name of its type.
var builtins = map[string]builtin{
	"min":            op2(ir.Min, manyArgs),
	"max":            op2(ir.Max, manyArgs),
	"abs":            op1(ir.Abs),
	"is_nan":         op1(ir.IsNaN),
	"sqrt":           op1(ir.Sqrt),
	"exp":            op1(ir.Exp),
	"log":            op1(ir.Log),
	"log1p":          op1(ir.Log1p),
	"sin":            op1(ir.Sin),
	"cos":            op1(ir.Cos),
	"tanh":           op1(ir.Tanh),
	"floor":          op1(ir.Floor),
	"round":          op1(ir.Round),
	"popcount":       op1(ir.PopCount),
	"clz":            op1(ir.Clz),
	"ctz":            op1(ir.Ctz),
	"bitreverse":     op1(ir.BitReverse),
	"gcd":            op2(ir.Gcd, manyArgs),
	"saturating_add": op2(ir.SatAdd, 2),
	"saturating_sub": op2(ir.SatSub, 2),
	"widening_add":   widen(ir.Add),
	"widening_sub":   widen(ir.Sub),
	"widening_mul":   widen(ir.Mul),
	"select":         {3, manyArgs, buildSelect},
	"clamp":          {3, 3, buildClamp},
	"pow":            {2, 2, buildPow},
	"quo":            derive("quo", 2),
	"rem":            derive("rem", 2),
	"lcm":            derive("lcm", 2),
	"rotl":           derive("rotl", 2),
	"mulhi":          derive("mulhi", 2),
	"exp2":           derive("exp2", 1),
	"table":          {2, ir.MaxArgs, func(p *parser, pos int, a []int32) int32 { return p.listed(synTable, pos, "table", a) }},
	"Expr":           {1, 1, func(_ *parser, _ int, a []int32) int32 { return a[0] }},
}

// buildSelect reads select(c, a, b) and Halide's select(c0, a0, c1, a1, …, b).
func buildSelect(p *parser, pos int, a []int32) int32 {
	if len(a)%2 == 0 {
		p.failAt(pos, "select takes conditions and values in turn and one value at the end, not %d operands: select(c, a, d, b, e)", len(a))
		return 0
	}
	n := a[len(a)-1]
	for i := len(a) - 3; i >= 0; i -= 2 {
		n = p.op(pos, ir.Select, a[i], a[i+1], n)
	}
	return n
}

// buildClamp is max(min(a, hi), lo), as in Halide.
func buildClamp(p *parser, pos int, a []int32) int32 {
	return p.op(pos, ir.Max, p.op(pos, ir.Min, a[0], a[2]), a[1])
}

func buildPow(p *parser, pos int, a []int32) int32 {
	return p.node(syn{kind: synPow, pos: int32(pos), a: a[0], b: a[1]}, a...)
}

// op is a node of an operator with the given operands.
func (p *parser) op(pos int, op ir.Op, args ...int32) int32 {
	s := syn{kind: synOp, op: op, pos: int32(pos)}
	for i, a := range args {
		*[]*int32{&s.a, &s.b, &s.c}[i] = a
	}
	return p.node(s, args...)
}

// apply is name(args): a cast, a function, or a call of something that the program names.
func (p *parser) apply(pos int, name string, args []int32) int32 {
	if p.tok.kind == tokStop {
		return 0
	}
	if t := ParseType(name); t != ir.Invalid {
		if len(args) != 1 {
			p.failAt(pos, "the cast %s takes 1 operand, not %d", name, len(args))
			return 0
		}
		return p.node(syn{kind: synCast, typ: t, pos: int32(pos), a: args[0]}, args...)
	}
	if f, ok := builtins[name]; ok {
		switch {
		case len(args) < f.min && f.max > f.min:
			p.failAt(pos, "%s takes at least %s, not %d: %s", name, plural(f.min, "operand"), len(args), example(name, f))
		case len(args) > f.max && f.max > f.min:
			p.failAt(pos, "%s takes at most %s, not %d", name, plural(f.max, "operand"), len(args))
		case len(args) < f.min || len(args) > f.max:
			p.failAt(pos, "%s takes %s, not %d: %s", name, plural(f.min, "operand"), len(args), example(name, f))
		default:
			return f.build(p, pos, args)
		}
		return 0
	}
	if len(args) > ir.MaxArgs {
		p.failAt(pos, "%s has more than %d arguments", name, ir.MaxArgs)
		return 0
	}
	return p.listed(synCall, pos, name, args)
}

func builtinNames() []string { return slices.Sorted(maps.Keys(builtins)) }
