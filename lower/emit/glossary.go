package emit

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// glossary is what things of a program are called in the Go that is written, and how its indices and leaves are written.
type glossary struct {
	plan      *plan.Plan
	prog      *program.Program
	arrays    map[string]*array
	params    map[ir.Expr]string
	loopVar   map[ir.Expr]string
	extentVar map[ir.Expr]string // variables that hold extents of buffers
	taken     map[string]bool
	views     []int      // dimensions of inputs that are views
	used      gosrc.Uses // by the file that is written
	use       kernel.Use // notes what it names
	err       error
	file      *unit // that is written
}

func (g *glossary) failf(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf(format, args...)
	}
}

// open starts the names of a function: parameters and inputs are there from the start.
func (g *glossary) open() {
	g.taken = map[string]bool{}
	for _, w := range reserved {
		g.taken[w] = true
	}
	for h := range gosrc.Helpers {
		g.taken[h] = true
	}
	g.arrays, g.loopVar, g.params = map[string]*array{}, map[ir.Expr]string{}, map[ir.Expr]string{}
	g.extentVar = map[ir.Expr]string{}
	for _, in := range g.prog.Inputs {
		g.arrays[in.Name] = inputArray(in, g.name(in.Name))
		for _, p := range g.arrays[in.Name].parts {
			g.taken[p] = true
		}
	}
	for _, p := range g.prog.Params {
		g.params[p.Var] = g.name(p.Name)
	}
}

// name is an unused identifier that resembles a name of the program.
func (g *glossary) name(like string) string {
	base := identifier(like)
	name := base
	for i := 2; g.taken[name] || token.IsKeyword(name); i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	g.taken[name] = true
	return name
}

// note notes a name for the file that is written: what generator.use does.
func (g *glossary) note(name string) string {
	g.used[name] = true
	return name
}

// buffer makes the array of a buffer known.
func (g *glossary) buffer(b *plan.Buffer) *array {
	a := &array{name: b.Name, types: b.Types}
	base := g.name(b.Name)
	for i := range b.Types {
		part := base
		if len(b.Types) > 1 {
			part = g.name(base + strconv.Itoa(i))
		}
		a.parts = append(a.parts, part)
	}
	for _, d := range b.Dims {
		a.mins = append(a.mins, d.Min)
	}
	g.arrays[b.Name] = a
	return a
}

// results lists the outputs' components.
func (g *glossary) results() (names, types []string) {
	for _, b := range g.plan.Buffers {
		if !b.Output {
			continue
		}
		for i, p := range g.arrays[b.Name].parts {
			names = append(names, p)
			types = append(types, outputType(b, i))
		}
	}
	return names, types
}

// signature is the parameters of the function, and of the reference.
func (g *glossary) signature() (names []string, decls []param) {
	for _, in := range g.prog.Inputs {
		a := g.arrays[in.Name]
		for i, p := range a.parts {
			names = append(names, p)
			decls = append(decls, param{p, goInputType(in.Dims, in.Types[i])})
		}
		if in.Dims >= 2 && !slices.Contains(g.views, in.Dims) {
			g.views = append(g.views, in.Dims)
		}
		if in.Dims < 0 {
			g.failf("the program does not say how many dimensions %s has", in.Name)
		}
	}
	for _, p := range g.prog.Params {
		names = append(names, g.params[p.Var])
		decls = append(decls, param{g.params[p.Var], kernel.GoType[p.Var.Type()]})
	}
	return names, decls
}

// returnError leaves the function where it stands.
func (g *glossary) returnError(err string) string {
	names, _ := g.results()
	return "return " + strings.Join(append(names, err), ", ")
}

// target is the element that is updated, as Go.
func (g *glossary) target(n *nest) []string {
	a := g.arrays[n.Buffer.Name]
	var names []string
	for i := range a.parts {
		names = append(names, a.at(i, g.coords(a, n.index)))
	}
	return names
}

// coords is indices as Go, relative to the first element. Those behind the first may be factors of a product.
func (g *glossary) coords(a *array, index []ir.Expr) (out []string) {
	for d, e := range index {
		text, prec := g.coord(a, d, e)
		if d > 0 && prec < 5 {
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	return out
}

// coord is the coordinate e in dimension d, from 0 on, and the precedence of its operator.
func (g *glossary) coord(a *array, d int, e ir.Expr) (text string, prec int) {
	if a.mins == nil || a.mins[d].IsConst(0) {
		return g.goIntPrec(e)
	}
	m := a.mins[d]
	switch {
	case e.Op() == ir.Const && m.Op() == ir.Const:
		return strconv.FormatInt(e.Int()-m.Int(), 10), 6
	case m.Op() == ir.Const:
		s := sumOf(e).plus(sum{k: m.Int()}, -1)
		return g.sumText(s), s.prec()
	}
	return g.intOperand(e, 3) + " - " + g.intOperand(m, 4), 4
}

// writer writes expressions where loop variables are ints.
func (g *glossary) writer() *gosrc.Writer {
	return &gosrc.Writer{Use: g.use, Temp: map[ir.Expr]string{}, Leaf: func(e ir.Expr) string { return g.leaf(e, nil) }}
}

// leaf is a variable or a call outside of kernels.
func (g *glossary) leaf(e ir.Expr, state []string) string {
	switch {
	case e.Op() == ir.Var && e.Kind() == ir.State:
		return state[e.Index()]
	case e.Op() == ir.Var:
		if v, ok := g.loopVar[e]; ok {
			return "int32(" + v + ")"
		}
		if p, ok := g.params[e]; ok {
			return p
		}
		g.failf("emit: internal: no value of %s", e)
		return "0"
	case access.IsExtent(e):
		s, _ := g.extent(e)
		return "int32(" + s + ")"
	}
	a := g.arrays[e.Name()]
	if a == nil {
		g.failf("%s is not known", e)
		return "0"
	}
	return a.at(e.Index(), g.coords(a, access.Operands(e)))
}
