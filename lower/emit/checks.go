package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
)

// checkWriter writes what is checked before and while anything runs.
type checkWriter struct{ *generator }

// inputChecks compares the arguments with one another and with the range of an index.
func (g *checkWriter) inputChecks() {
	for _, in := range g.Prog.Inputs {
		a := g.Arrays[in.Name]
		if in.Dims == 1 {
			g.File.Printf("if len(%s) > %s.MaxInt32 {\n%s\n}\n", a.Parts[0], g.Use("math"),
				g.ReturnError(g.Use("fmt")+`.Errorf("`+in.Name+`: %d elements are more than an i32 counts", len(`+a.Parts[0]+`))`))
		}
		for i, p := range a.Parts {
			if in.Dims >= 2 {
				g.File.Printf("if err := %s.check(%q); err != nil {\n%s\n}\n", p, componentName(in, i), g.ReturnError("err"))
			}
			if i > 0 {
				g.sameShape(in, a.Parts[0], p, i)
			}
		}
	}
}

// needChecks refuses parameters and extents with which a coordinate would not be an int32.
func (g *checkWriter) needChecks() {
	for _, need := range g.Plan.Needs {
		if alwaysHolds(need.Cond) {
			continue
		}
		fails := ir.NotOf(need.Cond)
		if need.Cond.Op() == ir.Le {
			fails = ir.LtOf(need.Cond.Arg(1), need.Cond.Arg(0))
		}
		g.File.Printf("if %s {\n%s\n}\n", g.Writer().Expr(fails), g.ReturnError(fmt.Sprintf("%s.New(%q)", g.Use("errors"), need.Message)))
	}
}

// alwaysHolds reports whether a condition a <= b holds for all inputs that are let in.
func alwaysHolds(cond ir.Expr) bool {
	if cond.Op() != ir.Le || !cond.Arg(0).Type().IsSigned() {
		return false
	}
	_, a := loopnest.ValueRange(cond.Arg(0))
	b, _ := loopnest.ValueRange(cond.Arg(1))
	return a <= b
}

func componentName(in *program.Input, i int) string {
	if len(in.Types) == 1 {
		return in.Name
	}
	return in.Name + "[" + strconv.Itoa(i) + "]"
}

// sameShape requires the components of an input to have the same extents; views the same
// strides, too, so that one index serves all of them.
func (g *checkWriter) sameShape(in *program.Input, first, p string, i int) {
	what := map[int][]string{1: {"len(%s)"}, 2: {"%s.Width", "%s.Height", "%s.Stride"}}[in.Dims]
	if in.Dims > 2 {
		what = []string{"%s.Extent", "%s.Stride"}
	}
	for _, w := range what {
		x, y := strings.ReplaceAll(w, "%s", p), strings.ReplaceAll(w, "%s", first)
		g.File.Printf("if %s != %s {\n%s\n}\n", x, y,
			g.ReturnError(g.Use("fmt")+`.Errorf("`+componentName(in, i)+`: its shape is not that of `+componentName(in, 0)+`: %v and %v", `+x+", "+y+")"))
	}
}

// limitText is the end of a dimension of an array, which is hi where that is a buffer.
func (g *checkWriter) limitText(name string, d int, hi loopnest.Sum) string {
	if loopnest.BufferNamed(g.Plan, name) != nil {
		return g.SumText(hi)
	}
	return g.Arrays[name].Extents[d]
}

// boundChecks compares every index with the extent of what it selects from, once, before
// anything runs. What cannot be known before is checked where it occurs.
func (g *checkWriter) boundChecks(nests []*loopnest.Nest) {
	done := map[string]bool{}
	for _, n := range nests {
		for _, a := range n.Accesses() {
			for d, c := range a.Dims {
				if g.Arrays[a.Array] == nil || len(g.Arrays[a.Array].Extents) <= d {
					g.Failf("%s is read at more coordinates than it has dimensions", a.Array)
					return
				}
				if loopnest.NoStep(n.NonEmpty(a.Array)) || loopnest.InRange(g.Plan, n, a.Array, d, c.Index) || loopnest.CheckOf(g.Plan, n, a.Array, d, c.Index) != loopnest.Before {
					continue
				}
				for _, o := range g.outside(n, &a, d) {
					if o.always {
						g.Failf("%s: its element %s is used in dimension %d, which %s %s; what a select does not choose is read, too", a.Array, o.at, d+1, o.ends, o.limit)
						return
					}
					check := "if " + strings.Join(append(o.runs, o.at+" "+o.cmp+" "+o.limit), " && ") + " {\n" +
						g.ReturnError(fmt.Sprintf("%s.Errorf(\"%s: its element %%d is used in dimension %d, which %s %%d\", %s, %s)", g.Use("fmt"), a.Array, d+1, o.ends, o.at, o.limit)) + "\n}\n"
					if !done[check] {
						done[check] = true
						g.File.Printf("%s", check)
					}
				}
			}
		}
	}
}

// fits is the condition that the bounds of all indices in the loops alone are within limits; "" where indices do not depend on it whether they
// are checked.
func (g *checkWriter) fits(n *loopnest.Nest) string {
	var conds []string
	for _, a := range n.Accesses() {
		for d, c := range a.Dims {
			switch loopnest.CheckOf(g.Plan, n, a.Array, d, c.Index) {
			case loopnest.Each:
				return ""
			case loopnest.Kept, loopnest.Tail:
				for _, o := range g.outside(n, &a, d) {
					if o.always {
						return ""
					}
					if cond := o.at + map[string]string{">=": " < ", "<": " >= "}[o.cmp] + o.limit; !slices.Contains(conds, cond) {
						conds = append(conds, cond)
					}
				}
			}
		}
	}
	if g.serial {
		return ""
	}
	return strings.Join(conds, " && ")
}

// outside is what an index is compared with: it is outside of its dimension where at cmp limit, if all extents of runs are positive.
type outside struct {
	at, cmp, limit, ends string
	runs                 []string
	always               bool // it is, whatever the extents are
}

// outside is the comparisons that an index with bounds needs.
func (g *checkWriter) outside(n *loopnest.Nest, a *access.Access, d int) (list []outside) {
	lo, hi, known := loopnest.Limits(g.Plan, a.Array, d)
	positive, at := n.NonEmpty(a.Array), loopnest.SumOf(a.Dims[d].Index)
	upper, lower := loopnest.Extremes(at, n.Scope, true, positive), loopnest.Extremes(at, n.Scope, false, positive)
	beyond := func(bounds []loopnest.Sum, sign int64, limit loopnest.Sum) bool {
		return !slices.ContainsFunc(bounds, func(b loopnest.Sum) bool { d := b.Plus(limit, -1); return len(d.Atoms) > 0 || d.K*sign < 0 })
	}
	if !known || !loopnest.Within(upper, hi, true, positive) {
		list = append(list, outside{g.boundText(upper, true), ">=", g.limitText(a.Array, d, hi), "ends before", g.runs(positive, upper), known && beyond(upper, 1, hi)})
	}
	if !loopnest.Within(lower, lo, false, positive) {
		list = append(list, outside{g.boundText(lower, false), "<", g.SumText(lo), "starts at", g.runs(positive, lower), beyond(lower, -1, lo.Plus(loopnest.Sum{K: 1}, -1))})
	}
	return list
}

// boundText is the least of upper bounds, or the greatest of lower ones.
func (g *checkWriter) boundText(bounds []loopnest.Sum, upper bool) string {
	var texts []string
	for _, b := range bounds {
		texts = append(texts, g.SumText(b))
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return map[bool]string{true: "min(", false: "max("}[upper] + strings.Join(texts, ", ") + ")"
}

// runs lists conditions that extents are positive. The bound of an index that a loop counts up to the end of an extent says so itself.
func (g *checkWriter) runs(extents []ir.Expr, bounds []loopnest.Sum) (conds []string) {
	for _, e := range extents {
		counted := func(b loopnest.Sum) bool { d := b.Plus(loopnest.SumOf(e), -1); return len(d.Atoms) == 0 && d.K < 0 }
		if !slices.ContainsFunc(bounds, counted) {
			conds = append(conds, g.IntOperand(e, 3)+" > 0")
		}
	}
	return conds
}

// promised lists what has to hold of a step of the reference: what is given of the state and of inputs, and that no sum, difference or product
// overflows that the answers assume not to, be it chosen by a select or not.
func (g *checkWriter) promised(n *loopnest.Nest) (out []ir.Expr) {
	if !g.judges || n.From == nil || g.Plan.Answers[n.From] == nil {
		return nil
	}
	if n.From.Place == nil { // else it is given of a count, which no value of the stage is
		for _, e := range g.Plan.Given[n.From] {
			out = append(out, stateIn(n.From, e))
		}
	}
	a := assumed(g.Plan)
	ir.Walk(n.Values, func(e ir.Expr) {
		op, t := e.Op(), e.Type()
		if op != ir.Add && op != ir.Sub && op != ir.Mul || !t.IsInt() || !a.Has(map[bool]ir.Assume{true: ir.NSW, false: ir.NUW}[t.IsSigned()]) {
			return
		}
		x, y, zero := e.Arg(0), e.Arg(1), e.Pool().Int(t, 0)
		switch in := ir.I64; {
		case t.Bits() < 64:
			out = append(out, ir.EqOf(ir.CastTo(in, e), ir.Make(op, ir.CastTo(in, x), ir.CastTo(in, y))))
		case op == ir.Mul:
			out = append(out, ir.EqOf(ir.CastTo(ir.F64, e), ir.MulOf(ir.CastTo(ir.F64, x), ir.CastTo(ir.F64, y))))
		case op == ir.Add:
			out = append(out, ir.EqOf(ir.LtOf(y, zero), ir.LtOf(e, x)))
		default:
			out = append(out, ir.EqOf(ir.LtOf(y, zero), ir.LtOf(x, e)))
		}
	})
	return out
}

// stateIn is a condition on the state that a matcher is asked about, over what the definition itself reads.
func stateIn(d *program.Definition, e ir.Expr) ir.Expr {
	rec := d.Recurrence()
	if rec == nil {
		return e
	}
	return e.Pool().Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			return rec.Read(e.Index(), rec.Var)
		}
		return ir.Expr{}
	})[0]
}
