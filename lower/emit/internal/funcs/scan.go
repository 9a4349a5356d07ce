package funcs

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
)

// Scan is the function of a component, or of all where their steps compose.
type Scan struct {
	*Run
	Tree   *Run         // of floats, in tiles; nil where the states are those of the serial loop
	Output int          // the component of the buffer; -1 where states are not kept
	State  int          // the component of the state
	Starts []ir.Expr    // the state before the first step
	Steps  *forms.Steps // nil where they do not compose
	Op     ir.Op        // that combines parameters and is applied to states; 0 where other expressions do
	Total  *Run         // combines what a tile injects, where tiles may run at once; nil where a tile's scan is all
}

// ScanBlock is how many steps go through all passes at once: what one has written is in the first cache when the next one reads it.
const ScanBlock = 2048

// ScanNames are what functions of scans call things.
var ScanNames = []string{"dst"}

// Plan makes the plain functions, of which a step computes the values to, and those in lanes, or says why there are none.
func (r *Scan) Plan(to []ir.Expr) {
	r.Outputs, r.Why = []string{"dst"}, "its steps have no form that lanes combine"
	k := r.Built(nil, to)
	to = k.Each().To
	if r.Steps == nil {
		r.Steps = &forms.Steps{Apply: to}
		r.Plain, r.Steps = r.Steps.Serial(k, to), nil
		return
	}
	one := *r.Steps
	one.Block = 0
	r.Plain = one.Serial(k, to)
	run := r.Run
	if r.Steps.Block > 0 {
		plain := r.Steps.Serial(k, to)
		r.Tree = &Run{Name: r.Name + "Tree", Nest: r.Nest, Loop: r.Loop, Types: plain.State, Streams: r.Streams, Scalars: r.Scalars, First: r.First, Plain: plain, Outputs: r.Outputs}
		run = r.Tree
	}
	run.Vector, run.Why = forms.ScanOf(run.Plain, r.Steps)
	r.Why = run.Why
}

// Rename gives the functions a name.
func (r *Scan) Rename(name string) {
	if r.Name = name; r.Tree != nil {
		r.Tree.Name = name + "Tree"
	}
}

// Runs lists the functions.
func (r *Scan) Runs() []*Run {
	if r.Tree != nil {
		return []*Run{r.Run, r.Tree}
	}
	return []*Run{r.Run}
}

// InLanes reports whether there are lanes.
func (r *Scan) InLanes() bool { return r.Vector != nil || r.Tree != nil && r.Tree.Vector != nil }

// Callee is the function that the stage calls.
func (r *Scan) Callee() string {
	if r.Tree != nil {
		return r.Name + "Tile"
	}
	return r.Run.Callee()
}

// Tile writes the function of a tile of floats.
func (r *Scan) Tile(g *scope.Scope) {
	n, states := len(r.Types), r.Tree.States()
	behind := Applied(g, r.Run, r.Steps.Apply, func(i int) string { return states[i] }, func(i int) string { return states[n+i] })
	fine := states[len(states)-2]
	result := append([]string{}, states...)
	for i := range n {
		result[i] = "_"
	}
	result[len(result)-1] = "_"
	params := r.Params()
	g.File.Printf(`
// %[1]sTile is %[1]sPortable on a tile, whose steps a tree composes. How it rounds, their places in the tile alone say.
func %[1]sTile%[2]s {
	if %[3]s := %[4]s%[5]s; %[6]s == 0 {
		return %[7]s
	}
	return %[1]sPortable%[8]s // some state or parameter is no number, or too great a one
}
`, r.Name, params, scope.List(len(result), func(i int) string { return result[i] }), r.Tree.Callee(), r.Tree.Arguments(r.Begun(r.States()), "", ""), fine,
		scope.List(len(behind), func(i int) string { return behind[i] }), r.Arguments(r.States(), "", ""))
}

// Begun is what a tree begins with: a state, and nothing that was composed.
func (r *Scan) Begun(states []string) []string {
	out := append([]string{}, states...)
	for range len(r.Tree.Types) - len(r.Types) - 1 {
		out = append(out, "0")
	}
	return append(out, "false")
}

// tree writes the steps of a tree.
func (g *plainWriter) tree(t kernel.Tree) {
	k, n := g.k, len(t.Apply)
	states := k.States()
	so, fine, begun, typ := states[n:n+len(t.Inject)], states[len(states)-2], states[len(states)-1], kernel.GoType[k.Types[0]]
	var steps []string
	for i := range t.Inject {
		steps = append(steps, g.Name(fmt.Sprintf("v%d", i)))
	}
	count := g.Name("n")
	at := func(index any) func(int) string {
		return func(p int) string { return fmt.Sprintf("%s[%v]", steps[p], index) }
	}
	write := func(values []ir.Expr, index any, left func(int) string) {
		w := k.exprs(g.Scope, elements{element: func(s int) string { return k.Streams[s].Name + "[i]" }, place: "int32(first + i)", state: left, right: at(index)})
		g.ScopedBody(w, values, mapped(kernel.Below(len(values)), at(index)))
	}
	for _, x := range states[:n] {
		g.File.Printf("%[1]s += %[2]s - %[2]s\n", fine, x)
	}
	g.File.Printf("for len(dst) > 0 {\nvar %s [%d]%s\n%s := min(len(dst), %d)\nfor i := range %s {\n", scope.List(len(steps), func(i int) string { return steps[i] }), t.Block, typ, count, t.Block, count)
	write(t.Inject, "i", nil)
	g.File.Printf("}\n")
	for by := 1; by < t.Block; by *= 2 {
		for i := by; i < t.Block; i++ {
			if i&by != 0 {
				write(t.Combine, i, at(i&^(by-1)-1))
			}
		}
	}
	g.File.Printf("if %s {\nfor i := range %s {\n", begun, count)
	write(t.Combine, "i", func(p int) string { return so[p] })
	g.File.Printf("}\n}\n%s = true\n", begun)
	for p, name := range so {
		g.File.Printf("%s = %s\n", name, at(count+"-1")(p))
	}
	var behind []string
	for i := range t.Apply {
		behind = append(behind, g.Name(fmt.Sprintf("s%d", i)))
	}
	w := k.exprs(g.Scope, elements{state: func(i int) string { return states[i] }, right: at("i")})
	g.File.Printf("for i := range %s {\n", count)
	for i, e := range t.Apply {
		g.File.Printf("%s := %s\n%[3]s += %[1]s - %[1]s\n", behind[i], w.Typed(e), fine)
	}
	for p := range so {
		if t.Finite {
			g.File.Printf("%[1]s += %[2]s - %[2]s\n", fine, at("i")(p))
		}
	}
	g.File.Printf("dst[i] = %s\n}\ndst = dst[%s:]\n%s}\n", behind[t.Keep], count, k.behind(count))
}
