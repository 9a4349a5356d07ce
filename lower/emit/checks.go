package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
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
		for _, a := range append(n.Reads(), access.Access{Array: n.Buffer.Name, Dims: access.Coordinates(n.Index, loopnest.VarsOfLoops(n.Loops))}) {
			for d := range a.Dims {
				for _, check := range g.boundCheck(n, &a, d) {
					if !done[check] {
						done[check] = true
						g.File.Printf("%s", check)
					}
				}
			}
		}
	}
}

// boundCheck is the comparisons that one index needs.
func (g *checkWriter) boundCheck(n *loopnest.Nest, a *access.Access, d int) (checks []string) {
	if g.Arrays[a.Array] == nil || len(g.Arrays[a.Array].Extents) <= d {
		g.Failf("%s is read at more coordinates than it has dimensions", a.Array)
		return nil
	}
	e := a.Dims[d].Index
	if loopnest.InRange(g.Plan, n, a.Array, d, e) || loopnest.ReadsArray(e) {
		return nil
	}
	lo, hi, known := loopnest.Limits(g.Plan, a.Array, d)
	upper, lower := loopnest.Extremes(e, n.Scope, true), loopnest.Extremes(e, n.Scope, false)
	if len(upper) == 0 || len(lower) == 0 {
		return nil // needsCheck has it
	}
	if !known || !loopnest.Within(upper, hi, true) {
		t, text := g.SumText(upper[0]), g.limitText(a.Array, d, hi)
		checks = append(checks, "if "+t+" >= "+text+" {\n"+g.ReturnError(g.Use("fmt")+`.Errorf("`+a.Array+`: its element %d is used in dimension `+strconv.Itoa(d+1)+`, which ends before %d", `+t+", "+text+")")+"\n}\n")
	}
	if !loopnest.Within(lower, lo, false) {
		t := g.SumText(lower[0])
		checks = append(checks, "if "+t+" < "+g.SumText(lo)+" {\n"+g.ReturnError(g.Use("fmt")+`.Errorf("`+a.Array+`: its element %d is used in dimension `+strconv.Itoa(d+1)+`, which starts at %d", `+t+", "+g.SumText(lo)+")")+"\n}\n")
	}
	return checks
}

// needsFault reports whether anything is checked while stages run.
func needsFault(p *plan.Plan, nests []*loopnest.Nest) bool {
	for _, n := range nests {
		if loopnest.Faulty(p, n) {
			return true
		}
	}
	return false
}
