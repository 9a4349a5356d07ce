package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// LongRow is a stage whose innermost loops are joined to one over k. Where the rows of all arrays
// that it reads lie one behind another, they make one long row.
//
//	for y in 0..h: for x in 0..w: f() = x0 + in(x, y)   →   for k in 0..w*h: f() = x0 + in[k]
type LongRow struct {
	Nest    *Stage
	Extents []ir.Expr // of the joined loops, the innermost first; of the outermost the bound
	Arrays  []string  // that are read
}

// newLongRow joins as many loops of a stage as it can; nil where it can join none.
func newLongRow(p *plan.Plan, s *plan.Stage) (*LongRow, error) {
	for m := len(s.Loops); m >= 2; m-- {
		if !mayJoin(s, m) {
			continue
		}
		joined := slices.Clone(s.Loops[len(s.Loops)-m:])
		slices.Reverse(joined)
		return joinLoops(p, s, joined)
	}
	return nil, nil
}

// mayJoin reports whether the m innermost loops do nothing but walk along the first
// dimensions of what is read, in the last of these from anywhere; coordinates may be what a
// search takes along. The outermost of them may have a ragged end, as in min(32, n - u*32).
func mayJoin(s *plan.Stage, m int) bool {
	vars := access.LoopVars(s)
	inner := vars[len(vars)-m:]
	for i, l := range s.Loops[len(s.Loops)-m:] {
		extent := l.Span.Extent
		if bound, _ := literalBound(extent); i == 0 && bound.IsValid() && !access.Mentions(extent, inner...) {
			extent = bound
		}
		if l.Pure || l.How != plan.InOrder || !l.Span.Min.IsConst(0) || access.Mentions(extent, vars...) || access.AnyRead(extent) {
			return false
		}
	}
	outside := func(e ir.Expr) bool { return mentionsOutside(e, inner) }
	if slices.ContainsFunc(s.Where, func(e ir.Expr) bool { return access.Mentions(e, inner...) }) || slices.ContainsFunc(s.Index, outside) {
		return false
	}
	reads := access.Reads(s)
	for _, a := range reads {
		if a.Array == s.Buffer.Name || len(a.Dims) < m {
			return false
		}
		for j, d := range a.Dims {
			switch {
			case j < m-1 && d.Index != inner[m-1-j], j >= m && access.Mentions(d.Index, inner...):
				return false
			case j == m-1:
				c := access.Coordinates([]ir.Expr{d.Index}, inner[:1])[0]
				if !c.Affine || !c.Coef[0].IsConst(1) || access.Mentions(c.Rest, inner...) || access.AnyRead(c.Rest) {
					return false
				}
			}
		}
	}
	return len(reads) > 0 && !slices.ContainsFunc(besidesTaken(s.Values), outside)
}

// besidesTaken lists the values without the payload of searches.
func besidesTaken(values []ir.Expr) []ir.Expr {
	parts, ok := folds.All(values)
	var out []ir.Expr
	taken := map[int]bool{}
	for _, s := range folds.Searches(values, parts, ok) {
		for _, c := range s.Payload {
			taken[c] = true
		}
	}
	for c, v := range values {
		if !taken[c] {
			out = append(out, v)
		}
	}
	return out
}

// mentionsOutside reports whether e mentions a variable otherwise than as a coordinate of a
// read.
func mentionsOutside(e ir.Expr, vars []ir.Expr) bool {
	if access.IsRead(e) {
		return false
	}
	if slices.Contains(vars, e) {
		return true
	}
	return slices.ContainsFunc(access.Operands(e), func(a ir.Expr) bool { return mentionsOutside(a, vars) })
}

// joinLoops prepares the stage with the loops joined, the innermost of them first.
func joinLoops(planned *plan.Plan, s *plan.Stage, loops []plan.Loop) (*LongRow, error) {
	p := loops[0].Var.Pool()
	f := &LongRow{}
	name := ""
	for j, l := range loops {
		extent := l.Span.Extent
		if bound, _ := literalBound(extent); j == len(loops)-1 && bound.IsValid() {
			extent = bound
		}
		f.Extents = append(f.Extents, extent)
		name = l.Var.Name() + " " + name
	}
	k := p.Placeholder(ir.Coord, name[:len(name)-1], 0, ir.I32)
	vars, coords := []ir.Expr{}, []ir.Expr{}
	inner, size := ir.Expr{}, p.Int(ir.I32, 1)
	for j, l := range loops {
		at := ir.DivOf(k, size)
		if j == 0 {
			at = k
		}
		if j+1 < len(loops) {
			at = ir.ModOf(at, l.Span.Extent)
		}
		vars, coords = append(vars, l.Var), append(coords, at)
		inner = size
		if j+1 < len(loops) {
			size = access.Mul(size, l.Span.Extent)
		}
	}
	last := loops[len(loops)-1]
	size = access.Mul(size, ir.MaxOf(last.Span.Extent, p.Int(ir.I32, 0)))
	out := *s
	out.Loops = append(slices.Clone(s.Loops[:len(s.Loops)-len(loops)]), plan.Loop{Var: k, Span: plan.Span{Min: p.Int(ir.I32, 0), Extent: size}})
	out.Values, out.Operator, out.Inject = substAll(s.Values, vars, coords), substAll(s.Operator, vars, coords), substAll(s.Inject, vars, coords)
	out.Index = substAll(s.Index, vars, coords)
	starts := map[ir.Expr]ir.Expr{} // of rows in the last of the dimensions that are joined, by read
	for _, a := range blockReads(s) {
		read := ir.Subst(a.Call, vars, coords)
		starts[read] = access.Coordinates([]ir.Expr{a.Dims[len(loops)-1].Index}, []ir.Expr{last.Var})[0].Rest
	}
	n, err := prepareLoops(planned, &out)
	if err != nil {
		return nil, err
	}
	f.Nest = n
	n.Collapsed = len(loops)
	for _, a := range blockReads(n.Stage) {
		f.Arrays = append(f.Arrays, a.Array)
		dims := access.Coordinates(access.Operands(a.Call)[len(loops):], []ir.Expr{k})
		along := access.Coordinate{Index: k, Affine: true, Coef: []ir.Expr{p.Int(ir.I32, 1)}, Rest: starts[a.Call], Scale: inner}
		n.Forms[len(n.Forms)-1][a.Call] = append([]access.Coordinate{along}, dims...)
	}
	return f, nil
}

func substAll(es, from, to []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = ir.Subst(e, from, to)
	}
	return out
}
