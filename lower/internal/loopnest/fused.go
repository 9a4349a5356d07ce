package loopnest

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// fusedRows are the two loops in which a nest runs what the directive fuse had made one loop of: the loop over
// whole rows, and the loop within a row, whose elements lie one behind another.
//
//	for v in 0..h*w: f(v % w, v/w)   →   for y in 0..h: for x in 0..w: f(x, y)
//
// A slice of the fused loop begins and ends within rows:
//
//	for i in 0..n, with v = s + i    →   for y from s/w: for x from max(0, s - y*w) to min(w, s + n - y*w)
type fusedRows struct {
	Row, Col      ir.Expr // the loops' variables
	height, width ir.Expr // the ends of the coordinates, whatever the slice
	Fused         plan.Loop
}

// unfuse takes fused loops apart. The elements come in the same order. A loop that is not known to be a
// fused one stays.
func (n *Nest) unfuse() {
	joined := *n
	joined.JoinLanes()
	for _, m := range []*Nest{&joined, n} {
		for i := range m.Loops {
			if m.unfuseLoop(i) {
				*n = *m
				return
			}
		}
	}
}

func (n *Nest) unfuseLoop(i int) bool {
	l := n.Loops[i]
	start, width := n.fusedCoordinate(l.Var)
	if !start.IsValid() || !l.Span.Min.IsConst(0) || MentionsAny([]ir.Expr{start, width}, l.Var) || MentionsAny([]ir.Expr{width}, VarsOfLoops(n.Loops)...) {
		return false
	}
	height := fusedHeight(l.Span.Extent, start, width)
	if !height.IsValid() || !Within(Extremes(SumOf(start), n.Loops, false, nil), Sum{}, false, nil) {
		return false
	}
	p := l.Var.Pool()
	named := func(suffix string) ir.Expr { return p.Var(l.Var.Kind(), l.Var.Name()+suffix, 1, ir.I32) }
	f := &fusedRows{Row: named("_row"), Col: named("_col"), height: height, width: width, Fused: l}
	v := FoldSum(ir.AddOf(start, l.Var))
	replace := unfuser{f, v}
	where, values, index := replace.all(n.Where), replace.all(n.Values), replace.all(n.Index)
	if MentionsAny(append(append(append(SpansOf(n.Loops), where...), values...), index...), l.Var) {
		return false
	}
	rows, cols := l, l
	rows.Var, cols.Var = f.Row, f.Col
	rows.Span, cols.Span = f.spans(start)
	switch l.How {
	case plan.AsLanes:
		rows.How = plan.InOrder
	case plan.InParallel:
		cols.How = plan.InOrder
	}
	n.Loops = append(append(append([]plan.Loop{}, n.Loops[:i]...), rows, cols), n.Loops[i+1:]...)
	n.Where, n.Values, n.Index, n.Rows = where, values, index, f
	return true
}

// fusedCoordinate finds the first v % w or v/w in a nest, where v = start + variable; zero Exprs where there is none.
func (n *Nest) fusedCoordinate(variable ir.Expr) (start, width ir.Expr) {
	ir.Walk(n.Exprs(), func(e ir.Expr) {
		if start.IsValid() || e.Op() != ir.Mod && e.Op() != ir.Div || e.Type() != ir.I32 {
			return
		}
		v, w := e.Arg(0), e.Arg(1)
		if v == variable {
			start, width = v.Pool().Int(ir.I32, 0), w
		} else if v.Op() == ir.Add && v.Arg(1) == variable {
			start, width = v.Arg(0), w
		}
	})
	return start, width
}

// fusedHeight is h where the extent of a loop over v = start + variable ends at h*w, perhaps before; the zero Expr where it is
// not known to.
func fusedHeight(extent, start, width ir.Expr) ir.Expr {
	for _, a := range Alternatives(extent) {
		total := a
		if !start.IsConst(0) {
			if a.Op() != ir.Sub || a.Arg(1) != start {
				continue
			}
			total = a.Arg(0)
		}
		switch {
		case total.Op() == ir.Mul && total.Arg(1) == width:
			return total.Arg(0)
		case total.Op() == ir.Mul && total.Arg(0) == width:
			return total.Arg(1)
		case total == width:
			return total.Pool().Int(ir.I32, 1)
		case width.IsConst(1):
			return total
		case total.Op() == ir.Const && width.Op() == ir.Const && width.Int() > 0 && total.Int()%width.Int() == 0:
			return total.Pool().Int(ir.I32, total.Int()/width.Int())
		}
	}
	return ir.Expr{}
}

// spans are those of the loops over rows and within a row, where the fused loop begins at start.
func (f *fusedRows) spans(start ir.Expr) (rows, cols plan.Span) {
	p := start.Pool()
	zero, one := p.Int(ir.I32, 0), p.Int(ir.I32, 1)
	if whole := f.Fused.Span.Extent; start.IsConst(0) && len(Alternatives(whole)) == 1 {
		return plan.Span{Min: zero, Extent: f.height}, plan.Span{Min: zero, Extent: f.width}
	}
	end := FoldSum(ir.AddOf(start, f.Fused.Span.Extent))
	first := ir.DivOf(start, f.width)
	last := ir.DivOf(ir.SubOf(end, one), f.width)
	before := ir.MulOf(f.Row, f.width)
	from := ir.MaxOf(FoldSum(ir.SubOf(start, before)), zero)
	to := ir.MinOf(f.width, ir.SubOf(end, before))
	return plan.Span{Min: first, Extent: ir.AddOf(ir.SubOf(last, first), one)}, plan.Span{Min: from, Extent: ir.SubOf(to, from)}
}

// scoped is the loops with the coordinates' whole ranges in the place of a slice's.
func (f *fusedRows) scoped(loops []plan.Loop) (out []plan.Loop) {
	for _, l := range loops {
		zero := l.Var.Pool().Int(ir.I32, 0)
		switch l.Var {
		case f.Row:
			l.Span = plan.Span{Min: zero, Extent: f.height}
		case f.Col:
			l.Span = plan.Span{Min: zero, Extent: f.width}
		}
		out = append(out, l)
	}
	return out
}

// unfuser writes the coordinates of v as the variables of two loops.
type unfuser struct {
	*fusedRows
	v ir.Expr
}

func (u unfuser) all(es []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = u.expr(e)
	}
	return out
}

func (u unfuser) expr(e ir.Expr) ir.Expr {
	if e.NumArgs() == 0 || !access.Mentions(e, u.Fused.Var) {
		return e
	}
	if e.NumArgs() == 2 && e.Arg(0) == u.v && e.Arg(1) == u.width {
		switch e.Op() {
		case ir.Mod:
			return u.Col
		case ir.Div:
			return u.Row
		}
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = u.expr(e.Arg(i))
	}
	return ir.Rebuild(e, args)
}
