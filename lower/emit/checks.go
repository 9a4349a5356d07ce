package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// checkWriter writes what is checked before and while anything runs.
type checkWriter struct{ *generator }

// inputChecks compares the arguments with one another and with the range of an index.
func (g *checkWriter) inputChecks() {
	for _, in := range g.prog.Inputs {
		a := g.arrays[in.Name]
		if in.Dims == 1 {
			g.file.printf("if len(%s) > %s.MaxInt32 {\n%s\n}\n", a.parts[0], g.use("math"),
				g.returnError(g.use("fmt")+`.Errorf("`+in.Name+`: %d elements are more than an i32 counts", len(`+a.parts[0]+`))`))
		}
		for i, p := range a.parts {
			if in.Dims >= 2 {
				g.file.printf("if err := %s.check(%q); err != nil {\n%s\n}\n", p, componentName(in, i), g.returnError("err"))
			}
			if i > 0 {
				g.sameShape(in, a.parts[0], p, i)
			}
		}
	}
}

// needChecks refuses parameters and extents with which a coordinate would not be an int32.
func (g *checkWriter) needChecks() {
	for _, need := range g.plan.Needs {
		if alwaysHolds(need.Cond) {
			continue
		}
		fails := ir.NotOf(need.Cond)
		if need.Cond.Op() == ir.Le {
			fails = ir.LtOf(need.Cond.Arg(1), need.Cond.Arg(0))
		}
		g.file.printf("if %s {\n%s\n}\n", g.writer().Expr(fails), g.returnError(fmt.Sprintf("%s.New(%q)", g.use("errors"), need.Message)))
	}
}

// alwaysHolds reports whether a condition a <= b holds for all inputs that are let in.
func alwaysHolds(cond ir.Expr) bool {
	if cond.Op() != ir.Le || !cond.Arg(0).Type().IsSigned() {
		return false
	}
	_, a := valueRange(cond.Arg(0))
	b, _ := valueRange(cond.Arg(1))
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
		g.file.printf("if %s != %s {\n%s\n}\n", x, y,
			g.returnError(g.use("fmt")+`.Errorf("`+componentName(in, i)+`: its shape is not that of `+componentName(in, 0)+`: %v and %v", `+x+", "+y+")"))
	}
}

// limits is the range of a dimension of an array: [lo, hi) as sums where they are known.
func limits(p *plan.Plan, name string, d int) (lo, hi sum, known bool) {
	if b := bufferNamed(p, name); b != nil {
		s := b.Dims[d]
		lo = sumOf(s.Min)
		return lo, lo.plus(sumOf(s.Extent), 1), true
	}
	if d < 3 {
		hi = sumOf(p.Program.Pool.Call(ir.I32, name+"."+[]string{"width", "height", "channels"}[d], 0))
	}
	return lo, hi, d < 3
}

// limitText is the end of a dimension of an array, which is hi where that is a buffer.
func (g *checkWriter) limitText(name string, d int, hi sum) string {
	if bufferNamed(g.plan, name) != nil {
		return g.sumText(hi)
	}
	return g.arrays[name].extents[d]
}

func bufferNamed(p *plan.Plan, name string) *plan.Buffer {
	for _, b := range p.Buffers {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// boundChecks compares every index with the extent of what it selects from, once, before
// anything runs. What cannot be known before is checked where it occurs.
func (g *checkWriter) boundChecks(nests []*nest) {
	done := map[string]bool{}
	for _, n := range nests {
		for _, a := range append(n.reads(), access.Access{Array: n.Buffer.Name, Dims: access.Coordinates(n.index, varsOfLoops(n.loops))}) {
			for d := range a.Dims {
				for _, check := range g.boundCheck(n, &a, d) {
					if !done[check] {
						done[check] = true
						g.file.printf("%s", check)
					}
				}
			}
		}
	}
}

// boundCheck is the comparisons that one index needs.
func (g *checkWriter) boundCheck(n *nest, a *access.Access, d int) (checks []string) {
	if g.arrays[a.Array] == nil || len(g.arrays[a.Array].extents) <= d {
		g.failf("%s is read at more coordinates than it has dimensions", a.Array)
		return nil
	}
	e := a.Dims[d].Index
	if inRange(g.plan, n, a.Array, d, e) || readsArray(e) {
		return nil
	}
	lo, hi, known := limits(g.plan, a.Array, d)
	upper, lower := extremes(e, n.scope, true), extremes(e, n.scope, false)
	if len(upper) == 0 || len(lower) == 0 {
		return nil // needsCheck has it
	}
	if !known || !within(upper, hi, true) {
		t, text := g.sumText(upper[0]), g.limitText(a.Array, d, hi)
		checks = append(checks, "if "+t+" >= "+text+" {\n"+g.returnError(g.use("fmt")+`.Errorf("`+a.Array+`: its element %d is used in dimension `+strconv.Itoa(d+1)+`, which ends before %d", `+t+", "+text+")")+"\n}\n")
	}
	if !within(lower, lo, false) {
		t := g.sumText(lower[0])
		checks = append(checks, "if "+t+" < "+g.sumText(lo)+" {\n"+g.returnError(g.use("fmt")+`.Errorf("`+a.Array+`: its element %d is used in dimension `+strconv.Itoa(d+1)+`, which starts at %d", `+t+", "+g.sumText(lo)+")")+"\n}\n")
	}
	return checks
}

// inRange reports whether the values of e alone keep it inside of a dimension with literal
// limits.
func inRange(p *plan.Plan, n *nest, name string, d int, e ir.Expr) bool {
	lo, hi, known := limits(p, name, d)
	if !known || len(lo.atoms)+len(hi.atoms) > 0 {
		return false
	}
	l, h := valueRange(e)
	return l >= lo.k && h < hi.k
}

// needsCheck reports whether an index has to be checked where it occurs.
func needsCheck(p *plan.Plan, n *nest, name string, d int, e ir.Expr) bool {
	if inRange(p, n, name, d, e) {
		return false
	}
	return readsArray(e) || len(extremes(e, n.scope, true)) == 0 || len(extremes(e, n.scope, false)) == 0
}

// needsFault reports whether anything is checked while stages run.
func needsFault(p *plan.Plan, nests []*nest) bool {
	for _, n := range nests {
		if faulty(p, n) {
			return true
		}
	}
	return false
}

func faulty(p *plan.Plan, n *nest) bool {
	for _, a := range append(n.reads(), access.Access{Array: n.Buffer.Name, Dims: access.Coordinates(n.index, nil)}) {
		for d, c := range a.Dims {
			if needsCheck(p, n, a.Array, d, c.Index) {
				return true
			}
		}
	}
	return false
}

// readsArray reports whether an element of some array occurs in e.
func readsArray(e ir.Expr) bool {
	found := false
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) { found = found || access.IsRead(s) })
	return found
}
