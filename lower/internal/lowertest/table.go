package lowertest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// tableSchedules are over the domain (r.x, r.y), where r.y is the outer loop; %d is a factor.
// A third are legal for operators that commute only.
var tableSchedules = []string{
	"",
	"f.update(0).rfactor(r.y, u).compute_root().update(0).parallel(u);",
	"f.update(0).split(r.y, ro, ri, %d).rfactor(ro, u).compute_root().update(0).parallel(u);",
	"Func m = f.update(0).rfactor({{r.x, u}, {r.y, v}}); m.compute_root().update(0).parallel(v).vectorize(u);",
	"Func m = f.update(0).split(r.y, ro, ri, %d).rfactor(ro, u); m.compute_root().update(0).parallel(u);\n" +
		"Func l = m.update(0).rfactor(ri, v); l.compute_at(m, u);",
	"Func m = f.update(0).split(r.y, ro, ri, %d).rfactor({{ro, u}, {ri, v}}); m.compute_root().update(0).parallel(u);",
	"f.update(0).split(r.x, rxo, rxi, %d).rfactor(rxi, u).compute_root().update(0).vectorize(u);",
	"f.update(0).rfactor(r.x, u).compute_root().update(0).parallel(u);",
	"f.update(0).split(r.x, rxo, rxi, %d).split(r.y, ro, ri, 2).reorder(rxi, rxo, ri, ro).rfactor({{ro, u}, {rxo, v}}).compute_root().update(0).parallel(u);",
}

var tableVars = regexp.MustCompile(`\b[xyk]\d\b`)

// tableProgram is a program of one update by the operator, whose second operand is the
// input.
func tableProgram(types []ir.Type, exprs []ir.Expr, init []string, where, schedule string) string {
	var names, updates []string
	params := map[string]string{}
	for _, t := range types {
		names = append(names, t.String())
	}
	for _, v := range ir.Vars(exprs...) {
		if v.Name()[0] == 'k' {
			params[v.Name()] = fmt.Sprintf("Param<%s> %s;\n", v.Type(), v.Name())
		}
	}
	for _, e := range exprs {
		updates = append(updates, tableVars.ReplaceAllStringFunc(e.String(), func(v string) string {
			call := map[byte]string{'x': "f()", 'y': "in(r.x, r.y)"}[v[0]]
			switch {
			case v[0] == 'k':
				return v
			case len(types) == 1:
				return call
			}
			return call + "[" + v[1:] + "]"
		}))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ImageParam in({%s}, 2);\nFunc f;\nVar u, v;\nRVar ro, ri, rxo, rxi;\n", strings.Join(names, ", "))
	for _, k := range []string{"k0", "k1", "k2", "k3"} {
		b.WriteString(params[k])
	}
	fmt.Fprintf(&b, "f() = {%s};\nRDom r(0, in.width(), 0, in.height());\n%sf() = {%s};\n%s\n", strings.Join(init, ", "), where, strings.Join(updates, ", "), schedule)
	return b.String()
}

// oneType reports whether the components have one type: tables of mixed types have much the
// same operators as those, and are many.
func oneType(types []ir.Type) bool {
	for _, t := range types {
		if t != types[0] {
			return false
		}
	}
	return true
}

// inexact reports whether values grow or are rounded, so that floats that are combined in
// another order differ.
func inexact(exprs []ir.Expr) bool {
	found := false
	ir.Walk(exprs, func(e ir.Expr) {
		found = found || e.Op() == ir.Mul || e.Op() == ir.Div || e.Op().FloatsOnly()
	})
	return found
}

// DrawTable draws a program by an operator, and inputs of it. The plan is nil where the schedule
// is not legal.
func DrawTable(t *testing.T, types []ir.Type, exprs []ir.Expr, rng *rand.Rand) (*plan.Plan, *plan.Inputs, string) {
	var init []string
	for _, typ := range types {
		init = append(init, fmt.Sprintf("cast<%s>(%d)", typ, rng.IntN(2)))
	}
	where := []string{"", "", "r.where(r.x > 1);\n", "r.where(r.y == 2);\n", "r.where(r.x + r.y < 3);\n"}[rng.IntN(5)]
	schedule := tableSchedules[rng.IntN(len(tableSchedules))]
	if strings.Contains(schedule, "%d") {
		schedule = fmt.Sprintf(schedule, []int{1, 2, 3, 7, 16}[rng.IntN(5)])
	}
	text := tableProgram(types, exprs, init, where, schedule)
	prog := Parse(t, "table.rf", text)
	planned, err := plan.Factor(context.Background(), prog, defaults)
	if err != nil {
		return nil, nil, ""
	}
	sizes := [][2]int{{0, 3}, {3, 0}, {1, 1}, {2, 1}, {1, 9}, {3, 3}, {63, 2}, {64, 3}, {65, 4}, {5, 64}, {31, 33}, {1000, 1}, {1, 1000}}
	size := sizes[rng.IntN(len(sizes))]
	assumed := ir.Assume(0)
	for _, a := range planned.Answers {
		assumed |= a.Assumes
	}
	if assumed.Has(ir.Reassoc) && inexact(exprs) {
		size = sizes[rng.IntN(6)]
		size[1] = min(size[1], 1) // one value in a slice: nothing is combined in another order
		size[0] = min(size[0], 1)
	}
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
	a := ndarray.New(types, ndarray.Range{Extent: size[0]}, ndarray.Range{Extent: size[1]})
	for c, typ := range types {
		for to, i := a.Elements(c), 0; i < to.Len(); i++ {
			to.Set(i, tableValue(typ, assumed, rng))
		}
	}
	in.Arrays["in"] = a
	for _, p := range prog.Params {
		in.Params[p.Name] = tableValue(p.Var.Type(), assumed, rng)
	}
	return planned, in, fmt.Sprintf("%v\n%s", size, text)
}

// tableValue is small most of the time, else anything that the assumptions leave.
func tableValue(t ir.Type, assumed ir.Assume, rng *rand.Rand) uint64 {
	if rng.IntN(6) > 0 {
		return smallValue(t, rng)
	}
	if !t.IsFloat() {
		return t.Wrap([]uint64{rng.Uint64(), 1 << (t.Bits() - 1), 1<<(t.Bits()-1) - 1, math.MaxUint64, 0}[rng.IntN(5)])
	}
	values := []float64{0, 1, -1}
	if !assumed.Has(ir.Reassoc) {
		values = append(values, rng.NormFloat64(), math.MaxFloat32, math.SmallestNonzeroFloat32, math.Inf(1), math.Inf(-1))
	}
	if !assumed.Has(ir.NSZ) {
		values = append(values, math.Copysign(0, -1))
	}
	if !assumed.Has(ir.NNaN) && !assumed.Has(ir.Reassoc) { // a field has no NaN
		values = append(values, math.NaN())
	}
	return ir.FloatBits(t, values[rng.IntN(len(values))])
}

// Table calls f with a program for one in share of the table's operators, at every type that
// an operator has, under as many schedules each as the flag -rounds says.
func Table(t *testing.T, rng *rand.Rand, share int, f func(name string, p *plan.Plan, in *plan.Inputs)) {
	ran, refused := 0, 0
	for _, types := range pattern.Signatures() {
		if !oneType(types) && rng.IntN(10) > 0 {
			continue
		}
		for _, e := range pattern.Entries(types) {
			if !ir.DefaultAssumptions.Has(e.Assumes) || rng.IntN(share) > 0 {
				continue
			}
			exprs := ir.NewPool().Import(e.Exprs...)
			for range *rounds {
				p, in, text := DrawTable(t, types, exprs, rng)
				if p == nil {
					refused++
					continue
				}
				ran++
				f(e.Name+": "+text, p, in)
			}
		}
	}
	t.Logf("%d programs ran, %d schedules were refused", ran, refused)
	if ran < refused {
		t.Errorf("only %d of %d schedules were accepted", ran, ran+refused)
	}
}
