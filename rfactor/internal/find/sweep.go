package find

import (
	"cmp"
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// An update may compute in a roundabout way what it has at hand: max(a, min(a, b)) is a. Terms
// that have the same values at the points of the sample are likely the same; where that is
// proven the larger one is replaced, from small terms to large ones, so that each proof is
// about terms that are simple already. What is left is matched again. (Circuits are compared
// so: "sweeping".)

// Bounds of sweeping: how often, terms of an update, and attempts at proofs that fail.
const (
	maxSweeps      = 3
	maxSwept       = 400
	maxSweepFailed = 12
)

// Sweep returns the part with its terms simplified; nil where it is no smaller. It asks prove of one term after the other whether
// the term is what takes its place. Where overflow is assumed away, rewritings of words come first, which
// add nothing that may overflow; after those of unbounded integers there are none.
func (cx *Context) Sweep(p *tuple.Part, prove func(r Rewriting, unbounded bool) bool) *tuple.Part {
	defer cx.Rows.GiveBack(cx.Rows.Used)
	w := &sweeper{cx: cx, prove: prove, allowed: cx.Allowed &^ overflow.Flags, assumed: cx.Allowed & overflow.Flags, values: p.Values}
	cx.Points.Evaluate(p, cx.NonNeg, w.allowed)
	w.rounds()
	if w.assumed != 0 {
		w.unbounded = true
		cx.Points.Evaluate(p, cx.NonNeg, cx.Allowed)
		w.rounds()
	}
	if tuple.Size(w.values) >= tuple.Size(p.Values) {
		return nil
	}
	q := *p
	q.Values = w.values
	return &q
}

func (w *sweeper) rounds() {
	w.valid = tuple.Members(w.cx.Points.Valid)
	for range maxSweeps {
		if before := w.replaced; !w.round() || w.replaced == before {
			break
		}
	}
}

// round visits all terms of the values, and reports whether another may find more: a term that
// became smaller than those before it.
func (w *sweeper) round() bool {
	w.terms, w.seen, w.now = w.terms[:0], w.seen[:0], map[ir.Expr]ir.Expr{}
	ir.Walk(w.values, func(e ir.Expr) { w.terms = append(w.terms, e) })
	if len(w.terms) > maxSwept {
		return false
	}
	w.rows = w.cx.Points.Run(w.cx.Registers.NewTape(w.terms...), nil)
	order := tuple.Indices(len(w.terms))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.terms[a].Size(), w.terms[b].Size()) })
	for _, i := range order {
		if w.cx.Over() || w.failed > maxSweepFailed {
			return false
		}
		w.visit(i)
	}
	return true
}

type sweeper struct {
	cx        *Context
	prove     func(r Rewriting, unbounded bool) bool
	allowed   ir.Assume // of lemmas of words
	assumed   ir.Assume // on overflow: no lemma may add what overflows then
	unbounded bool      // lemmas take integers as unbounded now
	values    []ir.Expr // of the part, by the lemmas
	terms     []ir.Expr
	rows      []*sample.Row
	valid     []int               // the points that count
	seen      []sweptTerm         // what is not replaced, from small to large
	now       map[ir.Expr]ir.Expr // what a term has become
	replaced  int
	failed    int
}

// sweptTerm is a term that was kept, with its values.
type sweptTerm struct {
	expr ir.Expr
	row  *sample.Row
}

// visit rebuilds a term of simpler operands and looks for what it may equal: a literal, or a
// term that was kept.
func (w *sweeper) visit(i int) {
	e, r := w.terms[i], w.rows[i]
	if n := e.NumArgs(); n > 0 {
		args := make([]ir.Expr, n)
		for j := range args {
			args[j] = w.become(e.Arg(j))
		}
		e = ir.Rebuild(e, args)
	}
	w.now[w.terms[i]] = e
	if e.NumArgs() > 0 {
		for _, c := range w.candidates(e, r) {
			if c == e || w.equal(Rewriting{e, c}) {
				w.now[w.terms[i]] = c
				return
			}
		}
	}
	w.seen = append(w.seen, sweptTerm{e, r})
}

func (w *sweeper) become(e ir.Expr) ir.Expr {
	if to, ok := w.now[e]; ok {
		return to
	}
	return e
}

// candidates returns the terms that e may equal by its values: a literal, its own normal form, terms
// that were kept, or the extremum or a comparison of two kept terms.
func (w *sweeper) candidates(e ir.Expr, r *sample.Row) (out []ir.Expr) {
	t := e.Type()
	if len(w.valid) == 0 {
		return nil
	}
	same := func(a *sample.Row) bool {
		for _, lane := range w.valid {
			if a[lane] != r[lane] && !testpoint.Close(t, w.allowed, a[lane], r[lane]) {
				return false
			}
		}
		return true
	}
	var constant sample.Row
	first := r[w.valid[0]]
	for lane := range constant {
		constant[lane] = first
	}
	if same(&constant) {
		return []ir.Expr{w.cx.Pool.Const(t, first)}
	}
	if normal := poly.Normal(e, w.allowed); normal.Size() < e.Size() {
		out = append(out, normal)
	}
	for _, k := range w.seen {
		if len(out) < 3 && k.expr.Type() == t && k.expr.Size() <= e.Size() && same(k.row) {
			out = append(out, k.expr)
		}
	}
	if known := chosenAlready(e); known != e {
		out = append(out, known)
	}
	if t.IsNumeric() && e.Op() != ir.Min && e.Op() != ir.Max {
		out = append(out, w.extremum(ir.Min, e, r)...)
		out = append(out, w.extremum(ir.Max, e, r)...)
	}
	if t == ir.Bool && len(out) == 0 {
		out = w.comparison(e, r)
	}
	return out
}

// comparison returns the comparison of two kept terms that has the values of the larger condition e; nil
// where there is none.
func (w *sweeper) comparison(e ir.Expr, r *sample.Row) []ir.Expr {
	for i, a := range w.seen {
		for _, b := range w.seen[:i] {
			t := a.expr.Type()
			if t != b.expr.Type() || t == ir.Bool || a.expr.Size()+b.expr.Size()+1 >= e.Size() {
				continue
			}
			for _, op := range [...]ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne} {
				differs := func(lane int) bool { return ir.Apply2(op, t, b.row[lane], a.row[lane]) != r[lane] }
				if !slices.ContainsFunc(w.valid, differs) {
					return []ir.Expr{ir.Make(op, b.expr, a.expr)}
				}
			}
		}
	}
	return nil
}

// extremum returns the extremum of two kept terms that has the values of the larger term e; nil where
// there is none.
func (w *sweeper) extremum(op ir.Op, e ir.Expr, r *sample.Row) []ir.Expr {
	t, valid := e.Type(), w.valid
	var bounds []sweptTerm
	for _, k := range w.seen {
		beyond := func(lane int) bool { return ir.Apply2(op, t, k.row[lane], r[lane]) != r[lane] }
		if k.expr.Type() == t && k.expr.Size()+2 < e.Size() && !slices.ContainsFunc(valid, beyond) {
			bounds = append(bounds, k)
		}
	}
	for i, a := range bounds {
		for _, b := range bounds[:i] {
			between := func(lane int) bool { return a.row[lane] != r[lane] && b.row[lane] != r[lane] }
			if x := ir.Make(op, b.expr, a.expr); x.Size() < e.Size() && !slices.ContainsFunc(valid, between) {
				return []ir.Expr{x}
			}
		}
	}
	return nil
}

// chosenAlready returns a select without the inner selects on its own condition.
func chosenAlready(e ir.Expr) ir.Expr {
	if e.Op() != ir.Select {
		return e
	}
	args := []ir.Expr{e.Arg(0), e.Arg(1), e.Arg(2)}
	for i := 1; i < 3; i++ {
		args[i] = e.Pool().Map(args[i:i+1], func(a ir.Expr) ir.Expr {
			if a.Op() == ir.Select && a.Arg(0) == args[0] {
				return a.Arg(i)
			}
			return ir.Expr{}
		})[0]
	}
	return ir.Rebuild(e, args)
}

// equal reports whether the caller proves that a term is what takes its place, and replaces it if so.
func (w *sweeper) equal(r Rewriting) bool {
	if !w.unbounded && w.assumed != 0 && !r.AddsNoOverflow(w.values, w.assumed) {
		return false
	}
	if !w.prove(r, w.unbounded) {
		w.failed++
		return false
	}
	w.replaced++
	w.values = tuple.Replace(w.cx.Pool, w.values, []ir.Expr{r.From}, []ir.Expr{r.To})
	return true
}
