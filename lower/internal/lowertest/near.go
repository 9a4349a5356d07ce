package lowertest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// patterns are initial values and updates that passes of lowering treat in ways of their own. T is the type of in and b, m is an array of bools.
var patterns = [][2]string{
	{"T(0)", "f() + in(r)"}, {"T(0)", "f() - in(r)"}, {"T(1)", "f()*in(r)"}, {"T(3)", "min(f(), in(r))"}, {"T(3)", "max(in(r), f())"},
	{"T(0)", "select(in(r) < f(), in(r), f())"}, {"T(0)", "select(f() < in(r), in(r), f())"}, {"T(0)", "select(f() < in(r), f(), in(r))"},
	{"T(0)", "select(in(r) >= f(), in(r), f())"}, {"T(0)", "max(f(), abs(in(r)))"}, {"T(0)", "f() + abs(in(r) - b(r))"},
	{"T(0)", "select(in(r) < b(r), f() + in(r), f())"}, {"T(0)", "select(m(r), f(), max(f(), in(r)))"}, {"T(0)", "f() + select(in(r) > T(1), T(1), T(0))"},
	{"T(0)", "f() + select(m(r), T(0), select(in(r) > T(1), T(1), T(0)))"}, {"0", "f() + select(in(r) <= b(r), 1, 0)"}, {"0", "f() + cast<int>(in(r) == T(2))"},
	{"0", "select(m(r), f() + 1, f())"}, {"T(0)", "f() + in(r)*b(r)"}, {"T(0)", "f() + T(3)*in(r)"}, {"T(0)", "select(abs(in(r)) > abs(f()), in(r), f())"},
	{"false", "f() || in(r) > b(r)"}, {"true", "f() && !(in(r) == T(2))"}, {"false", "select(m(r), in(r) < T(1), f())"},
	{"{T(3), 0}", "{min(f()[0], in(r)), select(f()[0] < in(r), f()[1], r)}"}, {"{T(3), 0}", "{min(f()[0], in(r)), select(in(r) < f()[0], r, f()[1])}"},
	{"{T(3), 0}", "{max(f()[0], in(r)), select(f()[0] >= in(r), f()[1], r)}"}, {"{T(3), T(1)}", "{max(f()[0], in(r)), select(in(r) >= f()[0], b(r), f()[1])}"},
	{"{T(0), 0}", "{select(in(r) > f()[0], in(r), f()[0]), select(in(r) > f()[0], r, f()[1])}"},
	{"{T(0), 0}", "{select(f()[0] <= in(r), f()[0], in(r)), select(f()[0] <= in(r), f()[1], r)}"},
	{"{T(0), 0, T(0)}", "{select(in(r) > f()[0], in(r), f()[0]), select(in(r) > f()[0], r, f()[1]), f()[2] + b(r)}"},
	{"{T(9), T(9)}", "{select(in(r) < f()[0], in(r), f()[0]), select(in(r) < f()[0], f()[0], min(f()[1], in(r)))}"},
	{"{T(0), T(0)}", "{min(f()[0], in(r)), max(f()[1], in(r))}"}, {"{T(1), T(0)}", "{f()[0]*in(r) - f()[1]*b(r), f()[0]*b(r) + f()[1]*in(r)}"},
	{"{T(0), T(0)}", "{in(r), f()[1] + select(f()[0] < in(r), T(1), T(0))}"}, {"{T(0), 0}", "{in(r), f()[1] + cast<int>(in(r) != f()[0])}"},
	{"{T(0), T(0)}", "{in(r), max(f()[1], in(r) - f()[0])}"}, {"T(1)", "f()*T(3) + in(r)"}, {"{T(1), T(2)}", "{f()[0]*T(3) - f()[1]*T(2) + in(r), f()[0]}"},
	{"T(0)", "max(f() + in(r), T(0))"}, {"T(3)", "max(min(f() + in(r), T(6)), T(-5))"}, {"T(0)", "select(m(r), T(0), f() + in(r))"},
	{"{T(0), false}", "{f()[0] + select(f()[1], T(0), in(r)), f()[1] || in(r) > b(r)}"}, {"{T(0), false}", "{f()[0] + in(r), f()[1] || f()[0] + in(r) > T(9)}"},
	{"T(0)", "f() + in(r) until in(r) > b(r)"}, {"T(0)", "max(f(), in(r)) until after in(r) == b(r)"}, {"0", "r + 1 until in(r) == T(2)"},
	{"T(0)", "select(f() < in(r), in(r), select(f() > b(r), b(r), f()))"}, {"T(0)", "min(max(f(), in(r)), b(r))"}, {"T(0)", "select(m(r), in(r), f())"},
}

// integerPatterns are those of integers alone.
var integerPatterns = [][2]string{
	{"T(0)", "f() ^ in(r)"}, {"T(0)", "f() | (in(r) & b(r))"}, {"T(7)", "f() & ~in(r)"}, {"T(0)", "f() + select((in(r) & T(3)) != T(2), T(1), T(0))"},
	{"T(0)", "f() + in(r) / T(4) + in(r) % T(8)"}, {"T(9)", "f() ^ (f() << 2) ^ in(r)"}, {"T(9)", "((f() << 3) | (f() >> 5)) ^ in(r)"},
	{"T(9)", "(f() >> 1) ^ select(f() % 2 == 1, T(77), T(0)) ^ in(r)"}, {"0", "f() + abs(cast<int>(in(r)) - cast<int>(b(r)))"},
	{"cast<int64_t>(0)", "f() + cast<int64_t>(in(r))"}, {"cast<int64_t>(0)", "max(f() + cast<int64_t>(in(r)), cast<int64_t>(0))"}, {"T(0)", "saturating_add(f(), in(r))"},
	{"{cast<uint64_t>(3), 0}", "{max(f()[0], cast<uint64_t>(in(r))), select(f()[0] >= cast<uint64_t>(in(r)), f()[1], r)}"},
	{"{0, 0}", "{max(f()[0], cast<int>(in(r))), select(f()[0] >= cast<int>(in(r)), f()[1], r)}"},
	{"T(0)", "select(in(r) > T(2), select(f() == T(7), T(7), f() + T(1)), select(f() == T(0), T(0), f() - T(1)))"}, {"0", "f()*31 + cast<int>(in(r))"},
}

// Mutable tokens, in classes whose members take each other's places.
var (
	nearToken   = regexp.MustCompile(`<=|>=|==|!=| [<>] | [-+*^&|] |&&|\|\||\bmin\b|\bmax\b|\bin\(r\)|\bb\(r\)|\bf\(\)(\[\d\])?|T\(-?\d+\)|\b[rm]\(?r?\)?|\b\d+\b`)
	nearClasses = [][]string{{" < ", "<=", " > ", ">=", "==", "!="}, {" + ", " - ", " * "}, {" ^ ", " & ", " | "}, {"&&", "||"}, {"min", "max"}}
)

// NearMiss draws a program of one update without a schedule: a pattern of which up to two tokens are replaced, in one dimension or for each column or row.
func NearMiss(et ElementType, rng *rand.Rand) string {
	all := patterns
	if et.T.IsInt() {
		all = append(append(all[:len(all):len(all)], integerPatterns...), integerPatterns...)
	}
	p := all[rng.IntN(len(all))]
	init, update := p[0], p[1]
	for range rng.IntN(3) {
		update = replaced(update, rng)
	}
	dims, in, args, domain := "", "1", "r", "in.width()"
	switch rng.IntN(6) {
	case 0:
		dims, in, args, domain = "x", "2", "x, r", "in.height()"
	case 1:
		dims, in, args = "x", "2", "r, x"
	}
	where := ""
	if rng.IntN(6) == 0 {
		where = []string{"r.where(in(r) < b(r));\n", "r.where(m(r));\n", "r.where(r > 2);\n"}[rng.IntN(3)]
	}
	if rng.IntN(2) == 0 {
		init = strings.ReplaceAll(strings.ReplaceAll(init, "T(0)", "T(-5)"), "T(3)", "T(100)")
	}
	text := fmt.Sprintf("Func f;\nVar x, u, v;\nRVar ro, ri, rio, rii;\nf() = %s;\nRDom r(0, DOMAIN);\n%sf() = %s;\n", init, where, update)
	text = strings.NewReplacer("f()", "f("+dims+")", "in(r)", "in("+args+")", "b(r)", "b("+args+")", "m(r)", "m("+args+")", "DOMAIN", domain).Replace(text)
	text = fmt.Sprintf("ImageParam in(%s, %s), b(%[1]s, %[2]s), m(Bool(), %[2]s);\n", et.Halide, in) + text
	return strings.ReplaceAll(text, "T(", "cast<"+et.T.String()+">(")
}

// replaced replaces a token by another of its class.
func replaced(update string, rng *rand.Rand) string {
	tokens := nearToken.FindAllStringIndex(update, -1)
	at := tokens[rng.IntN(len(tokens))]
	token := update[at[0]:at[1]]
	with := ""
	for _, class := range nearClasses {
		for _, t := range class {
			if t == token {
				with = class[rng.IntN(len(class))]
			}
		}
	}
	if with == "" {
		leaves := []string{"in(r)", "b(r)", "f()", "f()[0]", "f()[1]", "T(0)", "T(1)", "T(2)", "T(-1)", "(f()*T(2))", "(f()[0] - T(1))", "max(f(), b(r))", "r", "m(r)", "0", "1", "cast<int>(in(r))", "(in(r) + T(1))"}
		with = leaves[rng.IntN(len(leaves))]
	}
	return update[:at[0]] + with + update[at[1]:]
}

// caught are programs that once ran as what they resemble.
var caught = []string{
	"ImageParam in(Float(32), 1); RDom r(0, in.width()); Func f; f() = 0.0f; f() = select(f() < in(r), in(r), 5.0f);",
	"ImageParam in(Float(64), 1); RDom r(0, in.width()); Func f; f() = cast<double>(1); f() = select(in(r) >= f(), in(r), f()*0.5);",
	"ImageParam in(Float(32), 2); RDom r(0, in.height()); Func f; Var x; f(x) = {0.0f, 7}; f(x) = {select(in(x, r) <= f(x)[0], in(x, r), f(x)[0] - 1.0f), select(in(x, r) <= f(x)[0], r, f(x)[1])};",
	"ImageParam in(Int(8), 1); RDom r(0, in.width()); Func f; f() = {cast<uint64_t>(3), 0}; f() = {max(f()[0], cast<uint64_t>(in(r))), select(f()[0] >= cast<uint64_t>(in(r)), f()[1], r)};",
}

// DrawNear draws the i-th plan of programs that resemble others, first those that were once taken for these, then a NearMiss. Every fourth has a schedule
// of its own. Its answers assume nothing: its runs have the bits of the serial loop. The plan is nil where tokens make no program.
func DrawNear(i int, rng *rand.Rand) (p *plan.Plan, opts plan.Options, text string) {
	types := append(elementTypes, elementTypes[8:]...) // floats are as many as integers
	types = append(types, types[8:]...)
	if text = NearMiss(types[rng.IntN(len(types))], rng); i < len(caught) {
		text = caught[i]
	}
	prog, err := program.ParseProgram(ir.NewPool(), "near.rf", text, ir.Invalid)
	if err != nil {
		return nil, opts, text
	}
	opts = plan.Options{Auto: rng.IntN(4) == 0 && i >= len(caught), Grain: 40}
	p, err = plan.Factor(context.Background(), prog, opts)
	if err != nil {
		return nil, opts, text
	}
	return p, opts, text
}

// SameBits reports whether two values of a type are one, any NaN being equal to any other.
func SameBits(t ir.Type, v, w uint64) bool {
	return v == w || t.IsFloat() && ir.Float(t, v) != ir.Float(t, v) && ir.Float(t, w) != ir.Float(t, w)
}

// WildInputs draws inputs as SmallInputs does, of which some have limits of their types, NaN, infinities, zeros of both signs and denormal numbers
// among them.
func WildInputs(p *plan.Plan, rng *rand.Rand, n int) *plan.Inputs {
	in := SmallInputs(p.Program, rng, n)
	for _, a := range in.Arrays {
		of := 1 << rng.IntN(9) // one of so many is wild
		for c, t := range a.Types() {
			for to, i := a.Elements(c), 0; i < to.Len() && of > 2; i++ {
				if rng.IntN(of) == 0 {
					to.Set(i, Wild(t, rng))
				}
			}
		}
	}
	return in
}

// Wild draws a value of a type that is rare among numbers.
func Wild(t ir.Type, rng *rand.Rand) uint64 {
	switch {
	case t == ir.Bool:
		return rng.Uint64() & 1
	case !t.IsFloat():
		return []uint64{t.Min(), t.Max(), t.Wrap(rng.Uint64())}[rng.IntN(3)]
	}
	values := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, rng.NormFloat64(), 1e-40, -1e-310, math.MaxFloat32, rng.ExpFloat64() * 1e9}
	return ir.FloatBits(t, values[rng.IntN(len(values))])
}
