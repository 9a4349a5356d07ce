package emit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// testWriter writes the file of tests.
type testWriter struct {
	*generator
	outside gosrc.Uses // by the function and its plain kernels
}

// tests is the file that compares the function with the serial program, and the kernels
// with one another. It has the helpers that the function and its plain kernels do without.
func (g *testWriter) tests() string {
	g.Begin()
	g.Use("testing")
	g.serialFunction()
	g.functionTest()
	for _, k := range g.kernels {
		if k.Vector != nil && len(k.Types) > 0 {
			g.kernelTest(k)
		}
	}
	g.benchmark()
	text := g.File.String()
	text += g.drawers()
	mine := gosrc.HelpersOf(g.Used)
	for name := range gosrc.HelpersOf(g.outside) {
		delete(mine, name)
	}
	text += g.Used.Declare(mine)
	return header + "package " + g.pkg + "\n\n" + g.Used.Imports() + text
}

// serialStages is the program without its schedule.
func serialStages(p *plan.Plan) []*plan.Stage {
	var out []*plan.Stage
	first := func(f *program.Func) *plan.Stage {
		return p.Stages[slices.IndexFunc(p.Stages, func(s *plan.Stage) bool { return s.Role == plan.First && s.Buffer.Output && s.Buffer.Func == f })]
	}
	for _, b := range p.Buffers {
		if !b.Output || b.Func.Counts != nil {
			continue
		}
		out = append(out, first(b.Func))
		for _, d := range b.Func.Updates {
			s := loopnest.Written(p.Program, b, d)
			if d.Place != nil {
				counter := first(d.Place)
				s.Places = &plan.Places{Counter: counter.Buffer}
				out = append(out, counter)
			}
			out = append(out, s)
		}
	}
	return out
}

// serialFunction writes the reference, which tells besides whether all elements exist that the program names, and whether the run keeps
// what is promised: what is given holds, and nothing overflows that answers assume not to.
func (g *testWriter) serialFunction() {
	var buffers []*plan.Buffer
	for _, b := range g.Plan.Buffers {
		if b.Output {
			buffers = append(buffers, b)
		}
	}
	g.judges = true
	promise := ""
	if a := assumed(g.Plan); a&(ir.NSW|ir.NUW) != 0 {
		promise = ", and nothing overflows"
	}
	if len(g.Plan.Given) > 0 {
		promise += ", and what is given holds"
	}
	g.File.Printf("\n// serial%[1]s is the program as it is written. It fits if all elements exist that the program names%[2]s.\nfunc serial%[1]s", g.Function, promise)
	g.loops(buffers, serialStages(g.Plan), ", fits bool", ", true")
	g.judges = false
}

// loops writes parameters, results and body of a function that runs stages one after another.
func (g *testWriter) loops(buffers []*plan.Buffer, stages []*plan.Stage, more, last string) {
	whole := g.Plan
	only := *whole
	only.Buffers = buffers
	g.Plan, g.serial = &only, true
	g.Open()
	for _, b := range only.Buffers {
		g.Buffer(b)
	}
	_, decls := g.Signature()
	results, types := g.Results()
	var outs []string
	for i := range results {
		outs = append(outs, results[i]+" "+types[i])
	}
	g.File.Printf("(%s) (%s%s) {\n", scope.Declared(decls), strings.Join(outs, ", "), more)
	for _, b := range only.Buffers {
		g.bufferExtents(b)
	}
	g.allocate(outputs(g.Plan))
	for _, s := range stages {
		g.stage(&loopnest.Nest{Stage: s, Loops: s.Loops, Where: s.Where, Index: s.Index, Values: s.Values, Scope: s.Loops})
	}
	g.File.Printf("return %s%s\n}\n", strings.Join(results, ", "), last)
	g.Plan, g.serial = whole, false
}

// assumed is what the operators of the plan assume.
func assumed(p *plan.Plan) (a ir.Assume) {
	for _, answer := range p.Answers {
		a |= answer.Assumes
	}
	return a
}

// draw names the function that draws a value of a type.
func (g *testWriter) draw(t ir.Type) string { return g.Use("draw" + scope.Title(kernel.GoType[t])) }

// shapes is the extents that the test tries: of each input's dimensions by turns.
func (g *testWriter) shapes() (text string, dims int) {
	for _, in := range g.Prog.Inputs {
		dims = max(dims, in.Dims)
	}
	square := len(g.Prog.Params) > 0 || len(g.Prog.Inputs) > 1
	list := [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {63, 63}, {64, 64}, {65, 65}, {1000, 1000}, {20000, 20000}}
	switch {
	case dims > 2:
		list = [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {7, 7}, {17, 17}}
	case dims == 2 && square:
		list = [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {21, 21}, {65, 65}, {130, 130}}
	case dims == 2:
		list = [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {7, 1}, {1, 7}, {21, 21}, {64, 30}, {30, 65}, {3000, 22}}
	}
	if end := literalEnd(g.Prog); end > list[len(list)-1][1] && math.Pow(float64(end), float64(dims)) <= 1<<18 {
		list = append(list, [2]int{end, end})
	}
	most := mostElements(g.Plan)
	var shapes []string
	for _, s := range list {
		elements := 1
		for d := range dims {
			elements *= s[d%2]
		}
		if elements > most && dims == 1 {
			s = [2]int{most, most}
		}
		if elements <= most || dims == 1 {
			shapes = append(shapes, fmt.Sprintf("{%d, %d}", s[0], s[1]))
		}
	}
	return strings.Join(slices.Compact(shapes), ", "), dims
}

// literalEnd is where the domain ends that ends last of those whose bounds are literals.
func literalEnd(p *program.Program) (end int) {
	for _, dom := range p.Domains {
		for _, d := range dom.Dims {
			if d.Min.Op() == ir.Const && d.Extent.Op() == ir.Const {
				end = max(end, int(d.Min.Int()+d.Extent.Int()))
			}
		}
	}
	return end
}

// mostElements is of how many elements, as small as the test draws them then, no sum
// overflows; that matters where the operators assume so.
func mostElements(p *plan.Plan) int {
	most := math.MaxInt
	if assumed(p).Has(ir.NSW) {
		for _, b := range p.Buffers {
			for _, t := range b.Types {
				if b.Output && t.IsSigned() {
					most = min(most, int(t.Max()/greatestSmall))
				}
			}
		}
	}
	return most
}

// greatestSmall is the greatest magnitude that is drawn where nothing may overflow.
const greatestSmall = 4

// arguments is how the test makes arguments of extents n[0], n[1].
func (g *testWriter) drawn() (makes, names []string) {
	for _, in := range g.Prog.Inputs {
		for i, p := range g.Arrays[in.Name].Parts {
			t := in.Types[i]
			names = append(names, p)
			draw := ""
			if lo, n, ok := keyRange(g.Plan, in.Name, i); ok {
				draw = fmt.Sprintf("func(rng *%s.Rand, _ int) %s { return %s(%d + rng.IntN(%d)) }", g.Use("rand"), kernel.GoType[t], kernel.GoType[t], lo, n)
			} else {
				draw = g.draw(t)
			}
			switch in.Dims {
			case 0:
				makes = append(makes, fmt.Sprintf("%s := %s(random, kind)", p, draw))
			case 1:
				makes = append(makes, fmt.Sprintf("%s := %s(random, size[0], kind, %s)", p, g.Use("drawSlice"), draw))
			case 2:
				makes = append(makes, fmt.Sprintf("%s := Image[%s]{%s(random, (size[0]+3)*size[1], kind, %s), size[0] + 3, size[0], size[1]}", p, kernel.GoType[t], g.Use("drawSlice"), draw))
			default:
				makes = append(makes, g.drawnArray(in.Dims, p, t))
			}
		}
	}
	for _, p := range g.Prog.Params {
		names = append(names, g.Params[p.Var])
		value := kernel.GoType[p.Var.Type()] + "(size[0])"
		if p.Var.Type() == ir.Bool {
			value = "size[0]%2 == 1"
		}
		makes = append(makes, g.Params[p.Var]+" := "+value)
	}
	return makes, names
}

// keyRange is the coordinates that an output has, where they are the values of a component
// of an input, which could be others, too.
func keyRange(p *plan.Plan, name string, component int) (lo, n int64, ok bool) {
	for _, b := range p.Buffers {
		for _, d := range b.Func.Updates {
			for i, e := range d.Args {
				if e.Op() == ir.Cast {
					e = e.Arg(0)
				}
				s := b.Dims[i]
				if !b.Output || !access.IsRead(e) || e.Name() != name || e.Index() != component || !e.Type().IsInt() || s.Min.Op() != ir.Const || s.Extent.Op() != ir.Const {
					continue
				}
				lo, n := s.Min.Int(), s.Extent.Int()
				if least, greatest := loopnest.ValueRange(e); n > 0 && least <= lo && lo+n-1 <= greatest && n <= greatest-least {
					return lo, n, true
				}
			}
		}
	}
	return 0, 0, false
}

// drawnArray is an array of more than two dimensions, all of extent n[0].
func (g *testWriter) drawnArray(dims int, name string, t ir.Type) string {
	extent, stride, size := []string{}, []string{"1"}, "size[0]"
	for d := range dims {
		extent = append(extent, "size[0]")
		if d > 0 {
			stride = append(stride, size)
			size += "*size[0]"
		}
	}
	list := func(l []string) string { return fmt.Sprintf("[%d]int{%s}", dims, strings.Join(l, ", ")) }
	return fmt.Sprintf("%s := Array%d[%s]{%s(random, %s, kind, %s), %s, %s}", name, dims, kernel.GoType[t], g.Use("drawSlice"), size, g.draw(t), list(extent), list(stride))
}

// functionTest compares the function with the reference.
func (g *testWriter) functionTest() {
	shapes, _ := g.shapes()
	makes, names := g.drawn()
	results, types := g.Results()
	var got, want, compare, lend, slots, scalars, again []string
	bounds, most, roundings := g.bounded(names)
	i := 0
	for _, b := range outputs(g.Plan) {
		for _, t := range b.Types {
			got, want = append(got, fmt.Sprintf("got%d", i)), append(want, fmt.Sprintf("want%d", i))
			same := g.same(t, i, bounds, roundings, types[i][0] == '[')
			compare = append(compare, fmt.Sprintf("if !%s {\ncheck.Errorf(\"%%v, grain %%d: %s is %%v, not %%v\", size, grainBytes, got%d, want%d)\n}", same, results[i], i, i))
			again = append(again, "!"+same)
			if types[i][0] == '[' && lends(g.Plan) { // the memory has had other values
				lend = append(lend, fmt.Sprintf("lent%[1]d := make([]%[2]s, len(got%[1]d))\nfor i := range lent%[1]d {\nlent%[1]d[i] = %[3]s\n}\ngot%[1]d = lent%[1]d",
					i, kernel.GoType[t], map[bool]string{true: "true", false: "1"}[t == ir.Bool]))
				slots = append(slots, fmt.Sprintf("lent%d", i))
			} else {
				scalars = append(scalars, fmt.Sprintf("got%d", i))
			}
			i++
		}
	}
	if len(slots) > 0 {
		compare = append(compare, strings.Join(lend, "\n"), fmt.Sprintf("%s = %sInto(%s)", strings.Join(append(scalars, "err"), ", "), g.Function, strings.Join(slices.Concat(slots, names), ", ")),
			fmt.Sprintf("if err != nil || %s {\ncheck.Errorf(\"%%v, grain %%d: %sInto: %%v\", size, grainBytes, err)\n}", strings.Join(again, " || "), g.Function))
	}
	body := fmt.Sprintf(`%s
	%s, fits := serial%s(%s)
	%s, err := %s(%s)
	if err != nil && fits {
		check.Errorf("%%v, grain %%d: %%v", size, grainBytes, err)
	}
	if err != nil || !fits { // what is not read may be missing
		continue
	}
	ran = true
	%s
`, strings.Join(makes, "\n"), strings.Join(want, ", "), g.Function, strings.Join(names, ", "),
		strings.Join(got, ", "), g.Function, strings.Join(names, ", "), strings.Join(slices.Concat([]string{most}, compare), "\n"))
	source, kinds := "", "for range 1"
	if len(g.Prog.Inputs) > 0 { // something is drawn
		source, kinds = fmt.Sprintf("random := %[1]s.New(%[1]s.NewPCG(1, 2))\n", g.Use("rand")), "for kind := range 3"
	}
	cut, grains := "", "for _, grainBytes := range []int{0}"
	if gosrc.HelpersOf(g.outside)["grainBytes"] {
		grains = "for _, grainBytes = range []int{1, 4096, 256 << 10}"
		cut = fmt.Sprintf(`defer func(bytes, procs int) {
		%[1]s = bytes
		%[2]s.GOMAXPROCS(procs)
	}(%[1]s, %[2]s.GOMAXPROCS(%[3]d))
	`, g.Use("grainBytes"), g.Use("runtime"), g.testProcessors())
	}
	g.File.Printf(`
// The function gives what the serial program gives, however the input is cut.
func Test%s(check *testing.T) {
	%s%sran := false
	for _, size := range [][2]int{%s} {
		%s {
			%s {
				%s
			}
		}
	}
	if !ran {
		check.Skip("no input that is drawn here fits")
	}
}
`, g.Function, cut, source, shapes, kinds, grains, body)
}

// testProcessors is how many processors the test takes: as many as slices are run from.
func (g *testWriter) testProcessors() int {
	n := 3
	for _, e := range g.estimates {
		n = max(n, e.Processors())
	}
	return n
}

// kernelTest compares the kernel of the build with the plain loop.
func (g *testWriter) kernelTest(k *funcs.Run) {
	var got, want, makes, compare []string
	action := g.action(k)
	var bounds *limits
	most, roundings := "", ""
	if action == nil {
		if bounds, most = g.boundedRun(k); bounds != nil {
			roundings = bounds.roundings("size")
		}
	}
	for i, t := range k.Types {
		got, want = append(got, fmt.Sprintf("got%d", i)), append(want, fmt.Sprintf("want%d", i))
		if k.Composes() {
			makes = append(makes, fmt.Sprintf("x%d := %s", i, g.Use.GoLiteral(t, k.Serial.Identity[i], true)))
		} else {
			makes = append(makes, fmt.Sprintf("x%d := %s(random, kind)", i, g.draw(t)))
		}
		if action != nil {
			continue
		}
		compare = append(compare, fmt.Sprintf("if !%s {\ncheck.Errorf(\"%%d elements: component %d is %%v, not %%v\", size, got%d, want%d)\n}", g.same(t, i, bounds, roundings, false), i, i, i))
	}
	if k.First {
		makes = append(makes, "first := random.IntN(1000)")
	}
	for _, s := range k.Scalars {
		makes = append(makes, fmt.Sprintf("%s := %s(random, kind)", s.Name, g.draw(s.Expr.Type())))
	}
	for _, s := range k.Streams {
		makes = append(makes, fmt.Sprintf("%s := %s(random, size, kind, %s)", s.Name, g.Use("drawSlice"), g.draw(s.Call.Type())))
	}
	if k.Composes() { // laws of steps hold of what steps compose to
		makes = append(makes, fmt.Sprintf("%s = %sPortable%s", strings.Join(k.States(), ", "), k.Name, k.Arguments(k.States(), "[:size/3]", "")))
	}
	makes = append(makes, most)
	if action != nil { // steps that differ may do the same
		makes, compare = g.actionTest(k, action, makes)
	}
	args := k.Arguments(k.States(), "", "")
	g.File.Printf(`
// The kernel of this build gives what the plain loop gives.
func Test%[1]sKernel(check *testing.T) {
	random := %[8]s.New(%[8]s.NewPCG(3, 4))
	for _, size := range []int{0, 1, 2, 15, 63, 64, 65, 100, 255, 257, 1000, 2047, 2048, 2049, 4500, 70000} {
		for kind := range 3 {
			%[2]s
			%[3]s := %[4]sKernel%[5]s
			%[6]s := %[4]sPortable%[5]s
			%[7]s
		}
	}
}
`, scope.Title(k.Name), strings.Join(makes, "\n"), strings.Join(got, ", "), k.Name, args, strings.Join(want, ", "), strings.Join(compare, "\n"), g.Use("rand"))
}

// action is what the parameters that a kernel composes do to a state, over ir.State and ir.Leaf; nil where it does not compose any, or more is read.
func (g *testWriter) action(k *funcs.Run) (values []ir.Expr) {
	if !k.Composes() {
		return nil
	}
	for _, s := range g.Plan.Stages {
		if s.Role != plan.Merge || len(s.Where) > 0 {
			continue
		}
		var calls, params []ir.Expr
		known := true
		ir.Walk(s.Values, func(e ir.Expr) {
			if e.Op() == ir.Call {
				known = known && e.Name() == k.Nest.Buffer.Name
				calls, params = append(calls, e), append(params, e.Pool().Y(e.Index(), e.Type()))
			}
		})
		if !known || len(calls) == 0 {
			continue
		}
		for _, v := range s.Values {
			v = ir.Subst(v, calls, params)
			for _, x := range ir.Vars(v) {
				known = known && (x.Kind() == ir.State || x.Kind() == ir.Leaf)
			}
			values = append(values, v)
		}
		if known {
			return values
		}
		values = nil
	}
	return nil
}

// actionTest draws a state, and compares what the steps of the kernel and of the plain loop do to it: few, of regrouped floats, which cancel more later on.
func (g *testWriter) actionTest(k *funcs.Run, action []ir.Expr, makes []string) (drawn, compare []string) {
	state := func(i int) string { return fmt.Sprintf("state%d", i) }
	got := funcs.Applied(&g.Scope, k, action, state, func(i int) string { return fmt.Sprintf("got%d", i) })
	want := funcs.Applied(&g.Scope, k, action, state, func(i int) string { return fmt.Sprintf("want%d", i) })
	for i, v := range action {
		makes = append(makes, fmt.Sprintf("%s := %s(random, kind)", state(i), g.draw(v.Type())))
		compare = append(compare, fmt.Sprintf("if got, want := %s, %s; %s!%s(got, want) {\ncheck.Errorf(\"%%d elements: component %d of a state becomes %%v, not %%v\", size, got, want)\n}", got[i], want[i], map[bool]string{true: "size < 300 && "}[v.Type().IsFloat() && assumed(g.Plan).Has(ir.Reassoc)], g.comparison(v.Type()), i))
	}
	return makes, compare
}

// benchmark times the function on a few megabytes.
func (g *testWriter) benchmark() {
	_, dims := g.shapes()
	n := map[int]string{0: "1000", 1: "1 << 20", 2: "1000"}[dims]
	if dims > 2 {
		n = "32"
	}
	makes, names := g.drawn()
	source := ""
	if len(g.Prog.Inputs) > 0 {
		source = fmt.Sprintf("random, kind := %[1]s.New(%[1]s.NewPCG(5, 6)), 0\n", g.Use("rand"))
	}
	if len(makes) > 0 {
		source += fmt.Sprintf("size := [2]int{%s, %s}\n", n, n)
	}
	g.File.Printf(`
func Benchmark%s(bench *testing.B) {
	%s%s
	for bench.Loop() {
		%s(%s)
	}
}
`, g.Function, source, strings.Join(makes, "\n"), g.Function, strings.Join(names, ", "))
}

// drawers is the functions of its own that the test calls.
func (g *testWriter) drawers() string {
	var b strings.Builder
	if g.Used["drawSlice"] {
		g.Use("rand")
		b.WriteString(`
// drawSlice makes n elements, most often not aligned.
func drawSlice[T any](rng *rand.Rand, n, kind int, draw func(*rand.Rand, int) T) []T {
	skip := rng.IntN(4)
	s := make([]T, n+skip)
	for i := range s {
		s[i] = draw(rng, kind)
	}
	return s[skip:]
}
`)
	}
	for _, t := range []ir.Type{ir.Bool, ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64, ir.F32, ir.F64} {
		if g.Used["draw"+scope.Title(kernel.GoType[t])] {
			b.WriteString(g.drawer(t))
		}
	}
	for _, name := range []string{"equal", "sameFloat", "equalFloat", "closeFloat", "allWithin", "within", "allOf"} { // each ahead of what it uses
		if c := comparers[name]; g.Used[name] {
			b.WriteString(c.Code)
			for _, used := range c.Uses {
				g.Use(used)
			}
		}
	}
	return b.String()
}

// drawer draws small values, among them many ties, then any, then extreme ones; where
// nothing may overflow small ones alone. Floats whose terms are regrouped stay integers, so that their sums are exact.
func (g *testWriter) drawer(t ir.Type) string {
	name, goType := "draw"+scope.Title(kernel.GoType[t]), kernel.GoType[t]
	g.Use("rand")
	switch {
	case t == ir.Bool:
		return fmt.Sprintf("\nfunc %s(rng *rand.Rand, _ int) bool { return rng.IntN(2) == 0 }\n", name)
	case t.IsFloat() && assumed(g.Plan) != 0:
		return fmt.Sprintf("\n// %s draws numbers whose sums are exact in any order.\nfunc %s(rng *rand.Rand, kind int) %s { return %s(rng.IntN(5+kind) - 2) }\n", name, name, goType, goType)
	case t.IsFloat():
		g.Use("math")
		return fmt.Sprintf(`
func %s(rng *rand.Rand, kind int) %s {
	extreme := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, 1e-45}
	if kind == 2 && rng.IntN(50) == 0 {
		return %s(extreme[rng.IntN(len(extreme))])
	}
	if kind == 1 {
		return %s(rng.NormFloat64())
	}
	return %s(rng.IntN(9) - 4)
}
`, name, goType, goType, goType, goType)
	}
	if t.IsSigned() && assumed(g.Plan).Has(ir.NSW) {
		return fmt.Sprintf("\n// %s draws small numbers: the serial program must not overflow.\nfunc %s(rng *rand.Rand, kind int) %s { return %s(rng.IntN(5+2*kind) - 2 - kind) }\n", name, name, goType, goType)
	}
	return fmt.Sprintf(`
func %s(rng *rand.Rand, kind int) %s {
	switch {
	case kind == 1:
		return %s(rng.Uint64())
	case kind == 2 && rng.IntN(4) == 0:
		return %s
	case kind == 2:
		return %s
	}
	return %s(rng.IntN(7))
}
`, name, goType, goType, g.Use.GoLiteral(t, t.Min(), false), g.Use.GoLiteral(t, t.Max(), false), goType)
}
