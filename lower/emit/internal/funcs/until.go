package funcs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Until is what a run consists of whose steps end early: elements are looked through for the end, in parts that grow,
// and the steps before it are done as if they had none. Where the condition reads the state, that is scanned first.
type Until struct {
	Hits  *Run      // finds the first element that ends the loop
	Cond  ir.Expr   // under which an element does
	Open  *Run      // does the steps before the end; nil where the last of them counts alone, or all components are scanned
	Watch []Watched // what the condition reads of the state
	Reach *Reach    // leaves out parts of which no state ends the loop; nil where it is not known how far states go
}

// Watched is a component whose states before the steps of a part lie in an array.
type Watched struct {
	Scan          *Scan
	Array         string
	Before, After ir.Expr // reads of the states before an element, and behind it
}

// parts lists the runs that an early end calls.
func (u *Until) parts() (out []*Run) {
	if u != nil {
		out = append(out, u.Hits)
	}
	if u != nil && u.Open != nil {
		out = append(out, u.Open)
	}
	if u != nil && u.Reach != nil {
		out = append(out, u.Reach.Run)
	}
	return out
}

// Same reports whether an expression has one value for all elements.
func (u *Until) Same(e ir.Expr) bool {
	varies := false
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		op, _, ok := kernel.Operand(e)
		varies = varies || ok && (op == kernel.Load || op == kernel.Place)
	})
	return !varies
}

// IsState reports whether an expression is a state that the condition reads.
func (u *Until) IsState(e ir.Expr) bool {
	op, i, ok := kernel.Operand(e)
	return ok && op == kernel.Load && slices.ContainsFunc(u.Watch, func(w Watched) bool { return u.Hits.Streams[i].Call == w.Before || u.Hits.Streams[i].Call == w.After })
}

// endWriter writes the functions of a run that ends early.
type endWriter struct {
	*scope.Scope
	k *Run
}

// Ends writes the function of a run that ends early.
func (k *Run) Ends(g *scope.Scope) {
	w, u, lead := &endWriter{g, k}, k.Until, k.Streams[0].Name
	if u.Watch != nil {
		w.watch()
		return
	}
	target := strings.Join(k.States(), ", ")
	g.File.Printf("\n// %sUntil updates an element of %s with a run of elements as far as its end.\n", k.Name, k.Nest.Buffer.Name)
	g.File.Printf("func %sUntil%s {\nif %s {\nreturn %s\n}\n", k.Name, k.Params(), k.ended(), target)
	for _, s := range k.Streams[1:] {
		g.File.Printf("%s = %s[:len(%s)]\n", s.Name, s.Name, lead)
	}
	if u.Open == nil {
		g.File.Printf("end := %s%s\n", u.Hits.Callee(), k.passes(u.Hits, nil, "", ""))
		g.File.Printf("if end > 0 { // the step before the end undoes those before it\n%s = %sPortable%s\n}\n", target, k.Name, k.Arguments(k.States(), "[end-1:end]", " + end - 1"))
		g.File.Printf("if end < len(%s) {\nreturn %sPortable%s\n}\nreturn %s\n}\n", lead, k.Name, k.Arguments(k.States(), "[end:end+1]", " + end"), target)
		return
	}
	g.File.Printf("for size := 256; len(%[1]s) > 0; size = min(2*size, 1<<14) {\nn := min(size, len(%[1]s))\nend := %[2]s%[3]s\n", lead, u.Hits.Callee(), k.passes(u.Hits, nil, "[:n]", ""))
	g.File.Printf("%s = %s%s\n", target, u.Open.Callee(), k.passes(u.Open, k.States(), "[:end]", ""))
	g.File.Printf("if end < n {\nreturn %sPortable%s\n}\n", k.Name, k.Arguments(k.States(), "[end:end+1]", " + end"))
	g.File.Printf("%s}\nreturn %s\n}\n", k.behind("n"), target)
}

// nearSteps is how many steps the loop does before states are scanned: where the end is among them, an array of states would cost more.
const nearSteps = 1024

// watch writes the function of a run whose end depends on the state. Without vectors the loop itself takes less time.
func (g *endWriter) watch() {
	u, lead, target := g.k.Until, g.k.Streams[0].Name, strings.Join(g.k.States(), ", ")
	g.File.Printf("\n// %sUntil updates an element of %s with a run of elements as far as its end, which is looked for among the states before each element.\n", g.k.Name, g.k.Nest.Buffer.Name)
	g.File.Printf("func %sUntil%s {\nif !inLanes || len(%s) < %d {\nreturn %sPortable%s\n}\n", g.k.Name, g.k.Params(), lead, 2*nearSteps, g.k.Name, g.k.Arguments(g.k.States(), "", ""))
	g.File.Printf("%s = %sPortable%s // an end that is near\nif %s {\nreturn %s\n}\n", target, g.k.Name, g.k.Arguments(g.k.States(), fmt.Sprintf("[:%d]", nearSteps), ""), g.k.ended(), target)
	g.File.Printf("%s", g.k.behind(strconv.Itoa(nearSteps)))
	for _, s := range g.k.Streams[1:] {
		g.File.Printf("%s = %s[:len(%s)]\n", s.Name, s.Name, lead)
	}
	for _, w := range u.Watch {
		g.File.Printf("var %s [%d]%s\n", w.Array, ScanBlock+1, kernel.GoType[w.Scan.Types[0]])
	}
	g.File.Printf("for size := %d; len(%s) > 0; size = min(2*size, %d) {\nn := min(size, len(%s))\n", nearSteps, lead, ScanBlock, lead)
	x := g.k.States()[u.Watch[0].Scan.State]
	sum, define, end := "", ":=", "}\n"
	if u.Reach != nil {
		var bounds, cond string
		sum, bounds, cond = g.reachText(x)
		g.File.Printf("%send := n\nif %s { // a state may end the loop\n", bounds, cond)
		define = "="
		if u.Open == nil {
			end = fmt.Sprintf("} else {\n%s += %s\n}\n", x, sum)
		}
	}
	for _, w := range u.Watch {
		x := g.k.States()[w.Scan.State]
		args := append([]string{w.Array + "[1:][:n]", x}, g.k.given(w.Scan.Run, "[:n]", "")...)
		g.File.Printf("%s[0] = %s\n%s%s\n", w.Array, x, w.Scan.Callee(), scope.Bracket(args))
	}
	g.File.Printf("end %s %s%s\n", define, u.Hits.Callee(), g.k.passes(u.Hits, nil, "[:n]", ""))
	if u.ScansAll(g.k) && u.Open == nil {
		for _, w := range u.Watch {
			g.File.Printf("%s = %s[end]\n", g.k.States()[w.Scan.State], w.Array)
		}
	}
	if u.Reach != nil {
		g.File.Printf("%s", end)
	}
	switch {
	case u.Open != nil:
		g.File.Printf("%s = %s%s\n", target, u.Open.Callee(), g.k.passes(u.Open, g.k.States(), "[:end]", ""))
	case u.ScansAll(g.k):
	default:
		g.File.Printf("if end > 0 { // the step before the end undoes those before it, but for the states\n")
		for _, w := range u.Watch {
			g.File.Printf("%s = %s[end-1]\n", g.k.States()[w.Scan.State], w.Array)
		}
		g.File.Printf("%s = %sPortable%s\n}\n", target, g.k.Name, g.k.Arguments(g.k.States(), "[end-1:end]", " + end - 1"))
	}
	g.File.Printf("if end < n {\nreturn %sPortable%s\n}\n", g.k.Name, g.k.Arguments(g.k.States(), "[end:end+1]", " + end"))
	g.File.Printf("%s}\nreturn %s\n}\n", g.k.behind("n"), target)
}

// ScansAll reports whether all components but the one that says that the loop has ended are scanned.
func (u *Until) ScansAll(k *Run) bool { return len(u.Watch)+1 == len(k.Types) }

// ended is the condition on the state under which steps change nothing any more.
func (k *Run) ended() string { return EndedOf(k.Nest.Ends, k.States()) }

// EndedOf is the condition under which an element whose components are called state has ended.
func EndedOf(e *plan.Ends, state []string) string {
	if !e.Value {
		return "!" + state[e.Component]
	}
	return state[e.Component]
}
