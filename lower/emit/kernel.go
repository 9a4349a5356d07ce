package emit

import (
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// kernelAt is the kernel of the innermost loop, where it is at depth d and has one.
func (g *generator) kernelAt(n *loopnest.Nest, d int) *funcs.Run {
	if g.serial || d != len(n.Loops)-1 {
		return nil
	}
	if k := g.kernelOf(n); k != nil {
		return k
	}
	k := g.runOf(n)
	if k == nil {
		return nil
	}
	if same := g.twin(k); same != nil {
		k.Name = same.Name
		g.twins[n] = k
		return k
	}
	g.kernels = append(g.kernels, k.WithParts()...)
	if k.Until != nil {
		for _, w := range k.Until.Watch {
			g.scanned = append(g.scanned, w.Scan)
		}
	}
	return k
}

// runOf is the innermost loop of a nest as a kernel; nil where it is none. The kernel is not written yet.
func (g *generator) runOf(n *loopnest.Nest) *funcs.Run {
	d := len(n.Loops) - 1
	if d < 0 || n.Hoisted() > d || n.Loops[d].Pure || n.Role == plan.First || n.Role == plan.Merge {
		return nil
	}
	k := &funcs.Run{Nest: n, Loop: n.Loops[d], Types: n.Buffer.Types}
	if loopnest.Faulty(g.Plan, n) || !k.FindStreams(n, d) {
		return nil
	}
	k.Name = g.kernelName(n)
	k.NameArguments(&g.Scope)
	k.Build(g.Plan)
	k.NameParts(g.named)
	(&untilPlanner{g}).endsEarly(k)
	return k
}

// callKernel writes the call, for the run that the innermost loop is.
func (g *generator) callKernel(n *loopnest.Nest, k *funcs.Run, state []string) {
	target := strings.Join(state, ", ")
	count := g.GoInt(k.Loop.Span.Extent)
	long := k.Loop.Span.Extent == g.long
	// A tail of a split is empty where conditions keep the loops around it from running.
	guard := !long && (loopnest.Smallest(k.Loop.Span.Extent).Op() != ir.Const || n.Tails > 0 && k.Loop.Span.Extent.Op() != ir.Const || count == "0")
	var args []string
	if k.First {
		args = append(args, g.GoInt(k.Loop.Span.Min))
	}
	whole, reads := true, false // the elements of scalars exist where the loop runs
	for _, s := range k.Scalars {
		args, reads = append(args, g.Leaf(s.Expr, nil)), reads || loopnest.ReadsArray(s.Expr)
	}
	for _, s := range k.Streams {
		whole = whole && k.IsWhole(&g.Scope, n, s)
	}
	v := count
	if !whole && !long && k.Loop.Span.Extent.Op() != ir.Const {
		v = g.Name("n")
		g.File.Printf("%s := %s\n", v, count)
	}
	for _, s := range k.Streams {
		args = append(args, k.RunText(&g.Scope, n, s, v, whole))
	}
	if guard && (!whole || reads) {
		g.File.Printf("if %s > 0 {\n", v)
	}
	call := strings.Join(append([]string{target}, args...), ", ")
	switch {
	case k.Until != nil:
		g.File.Printf("%s = %sUntil(%s)\n", target, k.Name, call)
	case k.Vector == nil:
		g.File.Printf("%s = %sPortable(%s)\n", target, k.Name, call)
	case g.inBody || long || k.AlwaysLong():
		g.File.Printf("%s = %sKernel(%s)\n", target, k.Name, call)
	case g.short.first && v == count:
		g.short.count = count
		g.File.Printf("%s = %sKernel(%s)\n", target, k.Name, call)
	default:
		g.File.Printf("if %s < %d { // a call costs more than so few elements\n", v, funcs.ShortRun)
		g.serial = true // without kernels
		g.inner(n, len(n.Loops)-1, state)
		g.serial = false
		g.File.Printf("} else {\n%s = %sKernel(%s)\n}\n", target, k.Name, call)
	}
	if guard && (!whole || reads) {
		g.File.Printf("}\n")
	}
	if v != count {
		delete(g.Taken, v)
	}
}
