package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
)

// scatterAt is the scatter kernel of the innermost loop at depth d: a run of arrays, of which all elements go to one row. It is
// nil where the loop has another form.
func (g *generator) scatterAt(n *loopnest.Nest, d int) *funcs.Scatter {
	if g.serial {
		return nil
	}
	return funcs.ScatterOf(g.Plan, n, d, g.Use)
}

// scatterRows is the scatter kernel of the two innermost loops at depth d, which all go to one row of
// the buffer: its tables are then made and combined once for all of the runs. It is nil where the
// outer of them does not step through rows of the array that is read.
func (g *generator) scatterRows(n *loopnest.Nest, d int) *funcs.Scatter {
	last := len(n.Loops) - 1
	if d != last-1 || d < 0 || len(n.Index) == 0 || g.isParallel(n, d) {
		return nil
	}
	outer := n.Loops[d]
	if outer.Pure || loopnest.MentionsAny([]ir.Expr{n.Loops[last].Span.Min, n.Loops[last].Span.Extent}, outer.Var) {
		return nil
	}
	s := g.scatterAt(n, last)
	if s == nil || len(s.Streams) != 1 || loopnest.MentionsAny(n.Index[len(s.Dims):], outer.Var) {
		return nil
	}
	dims := s.Streams[0].Access.Dims
	if len(dims) < 2 || !dims[1].Affine || !dims[1].Coef[d].IsConst(1) || loopnest.MentionsAny([]ir.Expr{dims[0].Index}, outer.Var) {
		return nil
	}
	for _, c := range dims[2:] {
		if loopnest.MentionsAny([]ir.Expr{c.Index}, outer.Var) {
			return nil
		}
	}
	s.Rows = true
	return s
}

// addScatter gives a scatter kernel the name of one that does the same, or one of its own.
func (g *generator) addScatter(s *funcs.Scatter) {
	s.Name = ""
	used := maps.Clone(g.Used) // not by the texts that are compared
	defer func() { g.Used = used }()
	text := s.Text()
	for _, other := range g.scatters {
		unnamed := *other
		unnamed.Name = ""
		if unnamed.Text() == text {
			s.Name = other.Name
			return
		}
	}
	s.Name = scope.Identifier(s.Nest.Buffer.Name)
	if len(g.scatters) > 0 {
		s.Name += fmt.Sprint(len(g.scatters) + 1)
	}
	g.scatters = append(g.scatters, s)
}

// callScatterRows writes the call for the runs of the two loops from depth d on.
func (g *generator) callScatterRows(n *loopnest.Nest, s *funcs.Scatter, d int) {
	rows, first := g.GoInt(n.Loops[d].Span.Extent), n.Loops[d].Span.Min
	from := first
	if n.Shared && d == 1 { // a goroutine's slice
		rows = "hi - lo"
		lo := first.Pool().Var(ir.Param, "lo", 0, ir.I32)
		g.LoopVar[lo] = "lo"
		from = lo
		if !first.IsConst(0) {
			from = ir.AddOf(first, lo)
		}
	}
	at := s.Streams[0]
	at.Access.Dims = slices.Clone(at.Access.Dims)
	for i, c := range at.Access.Dims {
		at.Access.Dims[i].Index = loopnest.FoldSum(ir.Subst(c.Index, []ir.Expr{n.Loops[d].Var}, []ir.Expr{from}))
	}
	count := g.GoInt(s.Loop.Span.Extent)
	data := (&funcs.Run{Loop: s.Loop}).RunText(&g.Scope, n, at, "", false)
	guard := []string{count + " > 0"}
	if !n.Shared || d != 1 {
		guard = append(guard, rows+" > 0")
	}
	g.File.Printf("if %s {\n%sScatter(%s, %s, %s, %s, %s)\n}\n", strings.Join(guard, " && "), s.Name, s.Row(&g.Scope, n),
		rows, count, g.Arrays[at.Access.Array].Strides[0], data)
}

// callScatter writes the call for one run.
func (g *generator) callScatter(n *loopnest.Nest, s *funcs.Scatter) {
	k := &funcs.Run{Loop: s.Loop}
	count := g.GoInt(s.Loop.Span.Extent)
	args := []string{s.Row(&g.Scope, n)}
	for _, t := range s.Streams {
		args = append(args, k.RunText(&g.Scope, n, t, count, false))
	}
	g.File.Printf("if %s > 0 {\n%sScatter(%s)\n}\n", count, s.Name, strings.Join(args, ", "))
}
