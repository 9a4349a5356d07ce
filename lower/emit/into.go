package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// lender writes functions whose results are put into memory of the caller's.
type lender struct{ *generator }

// lends reports whether the function computes in slices of the caller's: where results have one dimension, or none.
func lends(p *plan.Plan) bool {
	most := 0
	for _, b := range outputs(p) {
		most = max(most, len(b.Dims))
	}
	return most == 1
}

// lend writes the function that makes its results, the one that takes slices for them, and the head of the one that both call.
func (g *lender) lend() {
	names, decls := g.Signature()
	results, types := g.Results()
	inner := g.Name(strings.ToLower(g.Function[:1]) + g.Function[1:] + "In")
	failed := scope.Param{Name: "err", Type: "error"}
	var all, inside, scalars, slots []scope.Param
	var made, taken, given, kept []string
	for i, r := range results {
		p := scope.Param{Name: r, Type: types[i]}
		all, kept = append(all, p), append(kept, r)
		if p.Type[0] != '[' {
			inside, scalars = append(inside, p), append(scalars, p)
			continue
		}
		inside, slots = append(inside, scope.Param{Name: "_", Type: p.Type}), append(slots, p)
		made, given, kept[i] = append(made, "nil"), append(given, r), "_"
	}
	for _, p := range append(scalars, failed) {
		taken = append(taken, p.Name)
	}
	call := func(lent string, slots []string) string {
		return fmt.Sprintf("%s(%s)", inner, strings.Join(slices.Concat([]string{lent}, slots, names), ", "))
	}
	g.File.Printf("func %s(%s) (%s) {\nreturn %s\n}\n\n", g.Function, scope.Declared(decls), scope.Declared(append(all, failed)), call("false", made))
	how := "which is as long as the result. Inputs that share its memory are copied first.\n// Where there is an error, it holds what was computed by then."
	if len(given) > 1 {
		how = "which are as long as the results. Inputs that share their memory are\n// copied first. Where there is an error, they hold what was computed by then."
	}
	g.File.Printf("// %[1]sInto is %[1]s computed in %[2]s, %[3]s\n", g.Function, strings.Join(given, " and "), how)
	g.File.Printf("func %sInto(%s) (%s) {\n", g.Function, scope.Declared(slices.Concat(slots, decls)), scope.Declared(append(scalars, failed)))
	g.part(given, taken)
	g.File.Printf("%s, err = %s\nreturn %s\n}\n\n", strings.Join(kept, ", "), call("true", given), strings.Join(taken, ", "))
	g.File.Printf("// %s computes in slices that are lent, or in new ones.\n", inner)
	g.File.Printf("func %s(%s) (%s) {\n", inner, scope.Declared(slices.Concat([]scope.Param{{Name: "lent", Type: "bool"}}, slots, decls)), scope.Declared(append(inside, failed)))
}

// part keeps the slices of results from one another, and from inputs.
func (g *lender) part(slots, taken []string) {
	for i, s := range slots {
		for _, t := range slots[:i] {
			leave := append(slices.Clone(taken[:len(taken)-1]), g.Use("fmt")+`.Errorf("`+t+" and "+s+` share memory")`)
			g.File.Printf("if %s(%s, %s) {\nreturn %s\n}\n", g.Use("overlap"), t, s, strings.Join(leave, ", "))
		}
	}
	for _, in := range g.Prog.Inputs {
		for i, part := range g.Arrays[in.Name].Parts {
			switch in.Dims {
			case 0:
				continue
			case 1:
			default:
				part += ".Pix"
			}
			var shared []string
			for _, s := range slots {
				shared = append(shared, fmt.Sprintf("%s(%s, %s)", g.Use("overlap"), s, part))
			}
			g.File.Printf("if %[1]s {\n%[2]s = append([]%[3]s(nil), %[2]s...)\n}\n", strings.Join(shared, " || "), part, kernel.GoType[in.Types[i]])
		}
	}
}

// take makes the slices of results, or looks at those that are lent: what has to begin with 0 is set to it.
func (g *lender) take(nests []*loopnest.Nest) {
	g.File.Printf("if !lent {\n")
	g.allocate(outputs(g.Plan))
	g.File.Printf("}\n")
	for _, b := range outputs(g.Plan) {
		if len(b.Dims) == 0 {
			continue
		}
		a := g.Arrays[b.Name]
		for _, p := range a.Parts {
			unfit := fmt.Sprintf(`%s.Errorf("%s: %%d elements, where the result has %%d", len(%s), %s)`, g.Use("fmt"), p, p, a.Size())
			g.File.Printf("if len(%s) != %s {\n%s\n}\n", p, a.Size(), g.ReturnError(unfit))
		}
		if slices.ContainsFunc(nests, func(n *loopnest.Nest) bool { return n.Buffer == b && n.Zeroed() && !n.Short }) {
			g.File.Printf("if lent {\n")
			for _, p := range a.Parts {
				g.File.Printf("clear(%s)\n", p)
			}
			g.File.Printf("}\n")
		}
	}
}

// into writes the function that puts a result of two dimensions into views of the caller's.
// They are written last, so that they may overlap inputs.
func (g *lender) into() {
	b := onlyOutput(g.Plan)
	if b == nil || len(b.Dims) != 2 {
		return
	}
	a := g.Arrays[b.Name]
	names, decls := g.Signature()
	var views, results []string
	for i, p := range a.Parts {
		views = append(views, p)
		decls = slices.Insert(decls, i, scope.Param{Name: p, Type: "Image[" + kernel.GoType[b.Types[i]] + "]"})
		results = append(results, g.Name(p+"Result"))
	}
	if !slices.Contains(g.Views, 2) {
		g.Views = append(g.Views, 2)
	}
	where := "view %[2]s, which may overlap inputs: nothing is written"
	if len(views) > 1 {
		where = "views %[2]s, which may overlap inputs, though not one another: nothing is written"
	}
	g.File.Printf("\n// %[1]sInto is %[1]s with its result in the "+where+"\n// before all of them were read, nor where there is an error.\n", g.Function, strings.Join(views, ", "))
	g.File.Printf("func %sInto(%s) error {\n", g.Function, scope.Declared(decls))
	for i, v := range views {
		g.File.Printf("if err := %s.check(%q); err != nil {\nreturn err\n}\n", v, v)
		for _, w := range views[:i] {
			g.File.Printf("if %s(%s.Pix, %s.Pix) {\nreturn %s.New(\"%s and %s share memory\")\n}\n", g.Use("overlap"), w, v, g.Use("errors"), w, v)
		}
	}
	g.File.Printf("%s, err := %s(%s)\nif err != nil {\nreturn err\n}\n", strings.Join(results, ", "), g.Function, strings.Join(names, ", "))
	g.ExtentVar = map[ir.Expr]string{}
	var size []string
	for i, like := range []string{"width", "height"} {
		text := g.GoInt(b.Dims[i].Extent)
		if !access.IsExtent(b.Dims[i].Extent) {
			text = fmt.Sprintf("max(%s, 0)", text)
		}
		size = append(size, g.Name(like))
		g.File.Printf("%s := %s\n", size[i], text)
	}
	for _, v := range views {
		g.File.Printf("if %[1]s.Width != %[2]s || %[1]s.Height != %[3]s {\nreturn %[4]s.Errorf(\"%[1]s: %%d by %%d elements, where the result has %%d by %%d\", %[1]s.Width, %[1]s.Height, %[2]s, %[3]s)\n}\n", v, size[0], size[1], g.Use("fmt"))
	}
	y := g.Name("y")
	g.File.Printf("for %[1]s := 0; %[1]s < %[2]s && %[3]s > 0; %[1]s++ {\n", y, size[1], size[0])
	for i, v := range views {
		g.File.Printf("copy(%[1]s.Pix[%[2]s*%[1]s.Stride:][:%[3]s], %[4]s[%[2]s*%[3]s:])\n", v, y, size[0], results[i])
	}
	g.File.Printf("}\nreturn nil\n}\n")
}

// onlyOutput is the output, nil where there are several.
func onlyOutput(p *plan.Plan) (out *plan.Buffer) {
	for _, b := range p.Buffers {
		if b.Output && out != nil {
			return nil
		}
		if b.Output {
			out = b
		}
	}
	return out
}
