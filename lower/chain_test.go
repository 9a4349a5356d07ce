package lower

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// chainUpdates are updates of programs on which chains of directives are tried: initial value and update. S is the state at its
// coordinates, E an element that depends on all of them, Q one of the reduction's, P one of the function's, B a truth value of the
// function's, X a coordinate of the function or 3 where it has none, and T the type.
var chainUpdates = []struct{ types, init, update string }{
	{"i32 u8 f32", "T(0)", "S + E"},
	{"i32", "0", "S + E + X"},
	{"i32", "0", "S - X + r.x"},
	{"i32", "0", "(S + X) ^ E"},
	{"i32", "X", "S*3 + E*X"},
	{"i32 u8", "T(2)", "S*P + E"},
	{"i32 u8 f32", "T(1)", "max(S, E)"},
	{"i32 f32", "T(2)", "min(max(S, E), P)"},
	{"i32", "0", "max(min(S, X), E + r.x)"},
	{"i32", "0", "select(B, E, S)"},
	{"i32 u8", "T(1)", "select(B, S + E, S*E)"},
	{"i32", "1", "select(B && r.x > 1, S + E, S - X)"},
	{"i32", "0", "select(E > X, S + 1, S)"},
	{"bool", "B", "S && E > T(0) || X > r.x"},
	{"i32", "0", "S + r.x"},
	{"i32", "0", "max(S, Q + X)"},
	{"i32 f32", "{T(0), 0}", "{max(S[0], E), S[1] + r.x*X}"},
	{"i32 u8", "{T(9), 0}", "{min(S[0], E), select(E < S[0], r.x, S[1])}"},
	{"i32", "{9, 0}", "{min(S[0], E), select(S[0] < E, S[1], r.x + X)}"},
	{"i32", "{0, 0}", "{max(S[0], E), S[1] + select(E > S[0], 1, 0)}"},
	{"i32", "{1, 0}", "{S[0]*E, S[1]*E + X}"},
}

// chainCase is a program without a schedule, with the coordinates that its inputs are read at.
type chainCase struct {
	text   string
	coords []string // of the function and of the domain
	inputs map[string][]string
	auto   bool
	least  map[string]string // of a coordinate of the function that is computed: "3", or the coordinate that it is
}

// drawProgram draws a program f of up to three dimensions, over a domain of one or two.
func drawProgram(rng *rand.Rand) chainCase {
	vars := []string{"x", "y", "z"}[:rng.IntN(4)]
	dims := 1 + rng.IntN(2)
	if len(vars) == 3 {
		dims = 1
	}
	domain := []string{"r.x", "r.y"}[:dims]
	c := chainCase{coords: slices.Concat(vars, domain), inputs: map[string][]string{"q": domain}, least: map[string]string{}, auto: rng.IntN(8) == 0}
	u := chainUpdates[rng.IntN(len(chainUpdates))]
	types := strings.Fields(u.types)
	typ := types[rng.IntN(len(types))]
	of := typ // of elements
	if typ == "bool" {
		of = "i32"
	}
	read := func(name string, at []string) string {
		c.inputs[name] = at
		return name + "(" + strings.Join(at, ", ") + ")"
	}
	args, computed := slices.Clone(vars), ""
	if len(vars) > 0 && rng.IntN(4) == 0 {
		i := rng.IntN(len(vars))
		computed = vars[i]
		args[i] = []string{"r.x % 3", "2 - (r.x & 1)", "r.x", "r.x", "clamp(k(r.x), 0, 2)"}[rng.IntN(5)]
		c.least[computed] = "3"
		if strings.Contains(args[i], "k(") {
			c.inputs["k"] = domain[:1]
		} else if args[i] == "r.x" {
			c.least[computed] = "r.x"
		}
	}
	pure := slices.DeleteFunc(slices.Clone(vars), func(v string) bool { return v == computed })
	q := read("q", domain)
	element, p, b, x, first := q, "T(2)", "(r.x > 1)", "3", "3"
	init := u.init
	if len(vars) > 0 {
		first = vars[len(vars)-1]
		start := func(v string) string { return "select(" + read("b", vars) + ", " + v + ", T(1))" }
		if v, rest, ok := strings.Cut(init, ","); ok {
			init = "{" + start(v[1:]) + "," + rest
		} else if typ == "bool" {
			init = read("b", vars)
		} else {
			init = start(init)
		}
	}
	if len(pure) > 0 {
		x, p, b = pure[len(pure)-1], read("p", pure), read("c", pure)
		at := []string{pure[0], domain[dims-1]}
		if len(pure)+dims <= 3 && rng.IntN(2) == 0 {
			at = slices.Concat(pure, domain)
		}
		element = read("m", at)
		if rng.IntN(3) == 0 {
			element += " + " + p
		}
	}
	if rng.IntN(6) == 0 {
		x = "xi" // a parameter, of which vectorize(x, n) has to make another name
	}
	where := []string{"", "", "", "r.where(r.x % 3 != 1);\n", "r.where(" + q + " > T(0));\n"}[rng.IntN(5)]
	before := slices.Clone(args) // the coordinates of the state
	if c.least[computed] == "r.x" && rng.IntN(2) == 0 {
		before[slices.Index(vars, computed)], where = "r.x - 1", ""
	}
	var spans []string
	for i := range domain {
		n := []string{"q.width()", "q.height()"}[i]
		if i == 0 && slices.Contains(before, "r.x - 1") {
			spans = append(spans, "1, q.width() - 1")
			continue
		}
		if rng.IntN(8) == 0 && where == "" {
			n = "min(" + n + ", 5)"
		}
		spans = append(spans, "0, "+n)
	}
	fill := strings.NewReplacer("S", "f("+strings.Join(before, ", ")+")", "E", element, "Q", q, "P", p, "B", b, "X", x, "T(", "cast<"+of+">(")
	var text strings.Builder
	for _, name := range []string{"m", "p", "q", "b", "c", "k"} {
		if at, ok := c.inputs[name]; ok {
			t := map[string]string{"b": "bool", "c": "bool", "k": "i32"}[name]
			if t == "" {
				t = of
			}
			fmt.Fprintf(&text, "ImageParam %s(%s, %d);\n", name, t, len(at))
		}
	}
	if x == "xi" {
		text.WriteString("Param<int> xi;\n")
	}
	fmt.Fprintf(&text, "Func f; Var x, y, z;\nRDom r(%s);\n", strings.Join(spans, ", "))
	fmt.Fprintf(&text, "f(%s) = %s;\n", strings.Join(vars, ", "), strings.NewReplacer("B", "(3 > 1)", "X", first, "T(", "cast<"+typ+">(").Replace(init))
	fmt.Fprintf(&text, "%sf(%s) = %s;\n", fill.Replace(where), strings.Join(args, ", "), fill.Replace(fill.Replace(u.update)))
	c.text = text.String()
	if dims == 1 {
		c.text = strings.ReplaceAll(c.text, "r.x", "r")
	}
	return c
}

// extents draws how far each coordinate runs.
func (c *chainCase) extents(rng *rand.Rand) map[string]int {
	n := map[string]int{}
	for _, v := range c.coords {
		n[v] = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 17}[rng.IntN(10)]
		if len(c.coords) < 3 && rng.IntN(8) == 0 {
			n[v] = 63 + rng.IntN(3)
		}
	}
	for v, at := range c.least {
		if n[v] = max(n[v], 3); at != "3" {
			n[v] = n[at]
		}
	}
	return n
}

// draw draws inputs of such extents, of small values.
func (c *chainCase) draw(prog *program.Program, rng *rand.Rand, n map[string]int) *plan.Inputs {
	in := lowertest.SmallInputs(prog, rng, 2)
	for _, d := range prog.Inputs {
		var box ndarray.Box
		for _, v := range c.inputs[d.Name] {
			box = append(box, ndarray.Range{Extent: n[v]})
		}
		in.Arrays[d.Name] = lowertest.SmallArray(d.Types, rng, box)
	}
	return in
}

// chainDirective draws a directive about the stages that a plan has. Most can be applied.
func chainDirective(rng *rand.Rand, p *plan.Plan, fresh *int) string {
	var stages []*plan.Stage
	for _, s := range p.Stages {
		if s.Role != plan.First || rng.IntN(6) == 0 {
			stages = append(stages, s)
		}
	}
	s := stages[rng.IntN(len(stages))]
	on := s.Buffer.Name
	if s.Role != plan.First {
		on += ".update(0)"
	}
	var loops, pure, ordered []string
	for _, l := range s.Loops {
		name := l.Var.Name()
		loops = append(loops, name)
		if l.Pure {
			pure = append(pure, name)
		} else {
			ordered = append(ordered, name)
		}
	}
	name := func(prefix string) string {
		*fresh++
		return fmt.Sprintf("%s%d", prefix, *fresh)
	}
	part := func(of string) string {
		if rng.IntN(4) == 0 {
			return of
		}
		return name("v")
	}
	one := func(list []string) string {
		if len(list) == 0 || rng.IntN(12) == 0 {
			list = append([]string{"x", "r"}, loops...)
		}
		return list[rng.IntN(len(list))]
	}
	n := 1 + rng.IntN(9)
	switch rng.IntN(15) {
	case 14:
		return fmt.Sprintf("%s.scan(%s, %d);", on, one(ordered), n)
	case 0, 1:
		l := one(loops)
		return fmt.Sprintf("%s.split(%s, %s, %s, %d);", on, l, part(l), part(l), n)
	case 2:
		i := rng.IntN(max(1, len(loops)-1))
		if len(loops) < 2 {
			return on + ".fuse(x, y, w);"
		}
		return fmt.Sprintf("%s.fuse(%s, %s, %s);", on, loops[i+1], loops[i], part(loops[i]))
	case 3:
		if len(loops) < 2 {
			return on + ".reorder(x, r);"
		}
		order := slices.Clone(loops)
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		return fmt.Sprintf("%s.reorder(%s);", on, strings.Join(order[:2+rng.IntN(len(order)-1)], ", "))
	case 4:
		a, b := one(loops), one(loops)
		return fmt.Sprintf("%s.tile(%s, %s, %s, %s, %s, %s, %d, %d);", on, a, b, part(a), part(b), name("v"), name("v"), n, 1+rng.IntN(5))
	case 5:
		return fmt.Sprintf("%s.parallel(%s);", on, one(pure))
	case 6:
		return fmt.Sprintf("%s.parallel(%s, %d);", on, one(pure), n)
	case 7:
		return fmt.Sprintf("%s.vectorize(%s);", on, one(pure))
	case 8:
		return fmt.Sprintf("%s.vectorize(%s, %d);", on, one(pure), []int{2, 4, 8, 3}[rng.IntN(4)])
	case 9:
		return fmt.Sprintf("%s.unroll(%s, %d);", on, one(loops), n)
	case 10:
		if s.Buffer.Output {
			return fmt.Sprintf("%s.scan(%s, %d);", on, one(ordered), n)
		}
		return fmt.Sprintf("%s.compute_at(f, %s);", s.Buffer.Name, one(pure))
	default:
		list := slices.Clone(ordered)
		if len(list) == 0 {
			list = []string{one(loops)}
		}
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		var pairs []string
		for _, l := range list[:1+rng.IntN(len(list))] {
			pairs = append(pairs, "{"+l+", "+name("t")+"}")
		}
		return fmt.Sprintf("Func %s = %s.rfactor({%s});", name("g"), on, strings.Join(pairs, ", "))
	}
}

// drawChain adds directives to a program as long as they are applied, and returns the last plan.
func drawChain(t *testing.T, rng *rand.Rand, c chainCase) (string, *plan.Plan) {
	text := c.text
	p, err := factorChain(c, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	fresh := 0
	for range rng.IntN(10) {
		if c.auto {
			break
		}
		longer := text + chainDirective(rng, p, &fresh) + "\n"
		if fresh > 38 {
			break
		}
		if q, err := factorChain(c, longer); err == nil {
			text, p = longer, q
		} else if _, ok := err.(ir.ErrorList); !ok {
			t.Fatalf("%v\n%s", err, longer)
		}
	}
	return text, p
}

// declareLoops declares the variables that a schedule makes.
func declareLoops(text string) string {
	made := regexp.MustCompile(`\b[tvw]\d*\b`).FindAllString(text, -1)
	if len(made) == 0 {
		return text
	}
	slices.Sort(made)
	return strings.Replace(text, "Func f; Var x, y, z;", "Func f; Var x, y, z, "+strings.Join(slices.Compact(made), ", ")+";", 1)
}

func factorChain(c chainCase, text string) (*plan.Plan, error) {
	prog, err := program.ParseProgram(ir.NewPool(), "chain.rf", declareLoops(text), ir.Invalid)
	if err != nil {
		return nil, err
	}
	opts := lowertest.Defaults()
	opts.Auto, opts.Grain = c.auto, 4
	return plan.Factor(context.Background(), prog, opts)
}

// Chains of directives, before and behind rfactor, and schedules that are chosen, change nothing: the interpreter and runs in this process give
// what the serial loop gives.
func TestChains(t *testing.T) {
	rng := lowertest.Rand(52)
	count := 60
	if lowertest.Full() {
		count = 2000
	}
	applied := map[string]int{}
	for wrong := 0; count > 0 && wrong < 10; count-- {
		c := drawProgram(rng)
		text, p := drawChain(t, rng, c)
		for _, d := range p.Schedule {
			applied[d.Name]++
		}
		if why := chainDiffers(c, text, rng.Uint64()); why != "" {
			text, why = shrinkChain(c, text, why)
			t.Errorf("%s\n%s", why, text)
			wrong++
		}
	}
	t.Log(applied)
	for _, name := range []string{program.Split, program.Fuse, program.Reorder, program.Tile, program.RFactor, program.Parallel, program.Vectorize, program.Unroll} {
		if applied[name] == 0 {
			t.Errorf("no %s was applied", name)
		}
	}
}

// shrinkChain leaves out directives that a difference does not need.
func shrinkChain(c chainCase, text, why string) (string, string) {
	for again := true; again; {
		again = false
		lines := strings.SplitAfter(text, "\n")
		for i, l := range lines {
			if !strings.Contains(l, "f.") && !strings.HasPrefix(l, "g") && !strings.HasPrefix(l, "Func g") {
				continue
			}
			less := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
			for seed := range uint64(20) {
				if w := chainDiffers(c, less, seed); w != "" {
					text, why, again = less, w, true
					break
				}
			}
			if again {
				break
			}
		}
	}
	return text, why
}

// chainDiffers says how a program with its schedule differs from its serial loop; it is empty where it does not.
func chainDiffers(c chainCase, text string, seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	p, err := factorChain(c, text)
	if err != nil {
		return ""
	}
	defer func() {
		if r := recover(); r != nil {
			panic(fmt.Sprintf("%v\n%s", r, text))
		}
	}()
	for range 3 {
		n := c.extents(rng)
		in := c.draw(p.Program, rng, n)
		want, err := plan.RunSerial(p.Program, lowertest.Defaults(), in)
		if err != nil {
			continue
		}
		got, err := p.Run(in, rng.Uint64())
		if err != nil || !sameBits(got["f"], want["f"]) {
			return fmt.Sprintf("plan, %v: got %v, want %v, error %v", n, data(got), data(want), err)
		}
		for _, o := range []RunOptions{{}, {Goroutines: 3, Grain: 1, Block: 4}} {
			run, err := Compile(p, o)
			if err != nil {
				return err.Error()
			}
			got, err := run.Run(context.Background(), in)
			if err != nil || !sameBits(got["f"], want["f"]) {
				return fmt.Sprintf("run %+v, %v: got %v, want %v, error %v", o, n, data(got), data(want), err)
			}
		}
	}
	return ""
}

func data(out map[string]*ndarray.Array) any {
	if out == nil {
		return nil
	}
	return out["f"].Data
}

func sameBits(a, b *ndarray.Array) bool {
	if !slices.Equal(a.Dims, b.Dims) {
		return false
	}
	for c := range a.Data {
		x, y := a.Elements(c), b.Elements(c)
		for i := range x.Len() {
			if x.At(i) != y.At(i) {
				return false
			}
		}
	}
	return true
}
