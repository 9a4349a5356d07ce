package funcs

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
)

// IsWhole reports whether a run is all of a one-dimensional input.
func (k *Run) IsWhole(g *scope.Scope, n *loopnest.Nest, s Stream) bool {
	a := g.Arrays[s.Access.Array]
	return len(a.Extents) == 1 && a.Mins == nil && k.Loop.Span.Min.IsConst(0) &&
		s.Access.Dims[0].Index == k.Loop.Var && g.GoInt(k.Loop.Span.Extent) == a.Extents[0]
}

// RunText is the part of an array that a run reads, up to its end where no count is given.
func (k *Run) RunText(g *scope.Scope, n *loopnest.Nest, s Stream, count string, whole bool) string {
	a := g.Arrays[s.Access.Array]
	part := a.Parts[s.Access.Component] + a.Pix
	if whole {
		return part
	}
	var at []ir.Expr
	for _, c := range s.Access.Dims {
		at = append(at, loopnest.FoldSum(ir.Subst(c.Index, []ir.Expr{k.Loop.Var}, []ir.Expr{k.Loop.Span.Min})))
	}
	from := a.Offset(g.Coords(a, at))
	if from != "0" {
		part = fmt.Sprintf("%s[%s:]", part, from)
	}
	if count != "" {
		part = fmt.Sprintf("%s[:%s]", part, count)
	}
	return part
}

// PassedTo is the arguments that are no results: for a part of the run, which begins at lo.
func (k *Run) PassedTo(g *scope.Scope, to *Run, count, part string) (args []string) {
	if to.First {
		first := g.GoInt(k.Loop.Span.Min)
		switch {
		case part != "" && first == "0":
			first = "lo"
		case part != "":
			first += " + lo"
		}
		args = append(args, first)
	}
	for _, s := range to.Scalars {
		args = append(args, g.Leaf(s.Expr, nil))
	}
	for _, s := range to.Streams {
		args = append(args, k.RunText(g, k.Nest, s, count, false)+part)
	}
	return args
}
