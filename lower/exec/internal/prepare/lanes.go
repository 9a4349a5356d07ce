package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Lanes is a serial loop around a pure one of a few iterations, as in
//
//	for r in 0..min(1024, (n - 1)/8 + 1):
//	  for v in 0..min(8, n - r*8):
//	    f(v) = x0 + in(r*8 + v)
//
// joined to one loop over k = r*8 + v, so that blocks are long. It takes turns to update
// each lane's element.
type Lanes struct {
	Count int
	Step  []int // by how much each coordinate of the element changes from lane to lane
}

// joined is the stage with its two innermost loops joined, nil where that changes more than
// the form. Expressions may mention the two loops only as r*count + v.
func joined(s *plan.Stage) (*plan.Stage, *Lanes) {
	if len(s.Loops) < 2 {
		return nil, nil
	}
	rest := s.Loops[:len(s.Loops)-2]
	outer, inner := s.Loops[len(s.Loops)-2], s.Loops[len(s.Loops)-1]
	bound, end := literalBound(inner.Span.Extent)
	if outer.Pure || !inner.Pure || inner.How == plan.InParallel || !bound.IsValid() || bound.Int() < 2 || bound.Int() > maxLanes ||
		!outer.Span.Min.IsConst(0) || !inner.Span.Min.IsConst(0) {
		return nil, nil
	}
	pair := []ir.Expr{outer.Var, inner.Var}
	ends := access.Coordinates([]ir.Expr{end}, pair)[0]
	if !ends.Affine || ends.Coef[0] != access.Fold(ir.Mul, bound, access.MinusOne(bound)) || !ends.Coef[1].IsConst(0) {
		return nil, nil
	}
	p := bound.Pool()
	k := p.Placeholder(ir.Coord, outer.Var.Name()+"*"+bound.String()+" + "+inner.Var.Name(), 0, ir.I32)
	j := joiner{pair, bound, k}
	out := *s
	out.Loops = append(slices.Clone(rest), plan.Loop{Var: k, Span: plan.Span{Min: outer.Span.Min, Extent: joinedExtent(outer.Span.Extent, bound, ends.Rest)}})
	var ok, also bool
	out.Values, ok = j.all(s.Values)
	out.Where, also = j.all(s.Where)
	l := &Lanes{Count: int(bound.Int())}
	var good bool
	out.Index, good = l.index(s.Index, pair, ir.ModOf(k, bound))
	if !ok || !also || !good || slices.ContainsFunc(out.Where, func(e ir.Expr) bool { return slices.Contains(ir.Vars(e), k) }) {
		return nil, nil
	}
	return &out, l
}

// literalBound takes min(8, end) apart.
func literalBound(e ir.Expr) (bound, end ir.Expr) {
	if e.Op() != ir.Min {
		return
	}
	a, b := e.Arg(0), e.Arg(1)
	if a.Op() != ir.Const {
		a, b = b, a
	}
	if a.Op() != ir.Const {
		return
	}
	return a, b
}

// joinedExtent is min(extent*bound, end), where the product may be out of range.
func joinedExtent(extent, bound, end ir.Expr) ir.Expr {
	p := bound.Pool()
	most := p.Int(ir.I32, int64(int32(ir.I32.Max()))/bound.Int())
	return ir.SelectOf(ir.LtOf(most, extent), end, ir.MinOf(ir.MulOf(extent, bound), end))
}

// joiner puts k in the place of r*count + v.
type joiner struct {
	pair  []ir.Expr
	count ir.Expr
	k     ir.Expr
}

func (j *joiner) all(es []ir.Expr) ([]ir.Expr, bool) {
	ok := true
	out := j.k.Pool().Map(es, func(e ir.Expr) ir.Expr {
		if slices.Contains(j.pair, e) {
			ok = false
			return e
		}
		if e.Type() != ir.I32 || e.NumArgs() == 0 {
			return ir.Expr{}
		}
		c := access.Coordinates([]ir.Expr{e}, j.pair)[0]
		if !c.Affine || c.Coef[1].IsConst(0) || c.Coef[0] != access.Mul(c.Coef[1], j.count) {
			return ir.Expr{}
		}
		return access.Add(c.Rest, access.Mul(c.Coef[1], j.k))
	})
	return out, ok
}

// index replaces the lane in the element's coordinates, which may mention nothing else of
// the pair.
func (l *Lanes) index(es, pair []ir.Expr, lane ir.Expr) ([]ir.Expr, bool) {
	var out []ir.Expr
	for _, c := range access.Coordinates(es, pair) {
		if !c.Affine || !c.Coef[0].IsConst(0) || c.Coef[1].Op() != ir.Const {
			return nil, false
		}
		l.Step = append(l.Step, int(c.Coef[1].Int()))
		out = append(out, access.Add(c.Rest, access.Mul(c.Coef[1], lane)))
	}
	return out, true
}

// still is where the element of lane 0 lies.
func (l *Lanes) still(es []ir.Expr, pair []ir.Expr) []access.Coordinate {
	dims := access.Coordinates(es, pair)
	for i := range dims {
		dims[i].Coef = dims[i].Coef[:1]
	}
	return dims
}

// unsplit joins a pure loop again that was split for lanes, since blocks have lanes of their own.
//
//	for x in 0..(w - 1)/8 + 1: for xi in 0..min(8, w - 8*x) vectorize   →   for x*8 + xi in 0..w
func unsplit(s *plan.Stage) *plan.Stage {
	for i := 1; i < len(s.Loops); i++ {
		outer, inner := s.Loops[i-1], s.Loops[i]
		bound, end := literalBound(inner.Span.Extent)
		if !outer.Pure || !inner.Pure || outer.How == plan.InParallel || inner.How != plan.AsLanes || !bound.IsValid() || bound.Int() < 2 ||
			!outer.Span.Min.IsConst(0) || !inner.Span.Min.IsConst(0) {
			continue
		}
		pair := []ir.Expr{outer.Var, inner.Var}
		ends := access.Coordinates([]ir.Expr{end}, pair)[0]
		if !ends.Affine || ends.Coef[0] != access.Fold(ir.Mul, bound, access.MinusOne(bound)) || !ends.Coef[1].IsConst(0) {
			continue
		}
		k := bound.Pool().Placeholder(ir.Param, outer.Var.Name()+"*"+bound.String()+" + "+inner.Var.Name(), 0, ir.I32)
		j := joiner{pair, bound, k}
		out := *s
		out.Loops = slices.Concat(s.Loops[:i-1], []plan.Loop{{Var: k, Pure: true, Span: plan.Span{Min: outer.Span.Min, Extent: joinedExtent(outer.Span.Extent, bound, ends.Rest)}}}, s.Loops[i+1:])
		ok := !slices.ContainsFunc(out.Loops, func(l plan.Loop) bool { return SpanMentions(l.Span, pair) })
		for _, list := range []*[]ir.Expr{&out.Values, &out.Where, &out.Index, &out.Operator, &out.Inject} {
			all, also := j.all(*list)
			*list, ok = all, ok && also
		}
		if ok {
			return &out
		}
	}
	return s
}

// maxLanes is the greatest number of lanes for which joining is worthwhile.
const maxLanes = 64
