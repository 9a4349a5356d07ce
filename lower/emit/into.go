package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// into writes the function that puts a result of two dimensions into views of the caller's.
// They are written last, so that they may overlap inputs.
func (g *generator) into() {
	b := onlyOutput(g.plan)
	if b == nil || len(b.Dims) != 2 {
		return
	}
	a := g.arrays[b.Name]
	names, decls := g.signature()
	var views, results []string
	for i, p := range a.parts {
		views = append(views, p)
		decls = slices.Insert(decls, i, param{p, "Image[" + kernel.GoType[b.Types[i]] + "]"})
		results = append(results, g.name(p+"Result"))
	}
	if !slices.Contains(g.views, 2) {
		g.views = append(g.views, 2)
	}
	verb := "view"
	if len(views) > 1 {
		verb = "views"
	}
	g.file.printf("\n// %[1]sInto is %[1]s with its result in the %[2]s %[3]s, which may overlap inputs: nothing is written\n// before all of them were read, nor where there is an error.\n",
		g.function, verb, strings.Join(views, ", "))
	g.file.printf("func %sInto(%s) error {\n", g.function, declared(decls))
	for _, v := range views {
		g.file.printf("if err := %s.check(%q); err != nil {\nreturn err\n}\n", v, v)
	}
	g.file.printf("%s, err := %s(%s)\nif err != nil {\nreturn err\n}\n", strings.Join(results, ", "), g.function, strings.Join(names, ", "))
	g.extentVar = map[ir.Expr]string{}
	var size []string
	for i, like := range []string{"width", "height"} {
		text := g.goInt(b.Dims[i].Extent)
		if !access.IsExtent(b.Dims[i].Extent) {
			text = fmt.Sprintf("max(%s, 0)", text)
		}
		size = append(size, g.name(like))
		g.file.printf("%s := %s\n", size[i], text)
	}
	for _, v := range views {
		g.file.printf("if %[1]s.Width != %[2]s || %[1]s.Height != %[3]s {\nreturn %[4]s.Errorf(\"%[1]s: %%d by %%d elements, where the result has %%d by %%d\", %[1]s.Width, %[1]s.Height, %[2]s, %[3]s)\n}\n", v, size[0], size[1], g.use("fmt"))
	}
	y := g.name("y")
	g.file.printf("for %[1]s := 0; %[1]s < %[2]s && %[3]s > 0; %[1]s++ {\n", y, size[1], size[0])
	for i, v := range views {
		g.file.printf("copy(%[1]s.Pix[%[2]s*%[1]s.Stride:][:%[3]s], %[4]s[%[2]s*%[3]s:])\n", v, y, size[0], results[i])
	}
	g.file.printf("}\nreturn nil\n}\n")
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
