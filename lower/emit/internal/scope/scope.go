// Package scope writes Go in which the things of a program have names: its arrays, parameters and loop variables, their indices and extents, and the
// statements that update its elements.
package scope

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
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Scope is what things of a program are called in the Go that is written, and how its indices and leaves are written.
type Scope struct {
	Plan      *plan.Plan
	Prog      *program.Program
	Function  string // that is exported
	Arrays    map[string]*Array
	Params    map[ir.Expr]string
	LoopVar   map[ir.Expr]string
	ExtentVar map[ir.Expr]string // variables that hold extents of buffers
	Taken     map[string]bool
	Views     []int      // dimensions of inputs that are views
	Used      gosrc.Uses // by the file that is written
	Use       kernel.Use // notes what it names
	Err       error
	File      *Unit // that is written
}

// Failf notes the first error.
func (g *Scope) Failf(format string, args ...any) {
	if g.Err == nil {
		g.Err = fmt.Errorf(format, args...)
	}
}

// Open starts the scope of a function. Reserved words, helpers, and the inputs and parameters of the program have
// their names in it already.
func (g *Scope) Open() {
	g.Taken = map[string]bool{}
	for _, w := range Reserved {
		g.Taken[w] = true
	}
	for h := range gosrc.Helpers {
		g.Taken[h] = true
	}
	for _, form := range []string{"%s", "%sInto", "serial%s", "bound%s"} {
		g.Taken[fmt.Sprintf(form, g.Function)] = true
	}
	results := 0
	for _, b := range g.Plan.Buffers {
		results += len(b.Types)
	}
	for i := range results { // as the test has them
		for _, of := range []string{"got", "want", "most", "lent"} {
			g.Taken[of+strconv.Itoa(i)] = true
		}
	}
	g.Arrays, g.LoopVar, g.Params = map[string]*Array{}, map[ir.Expr]string{}, map[ir.Expr]string{}
	g.ExtentVar = map[ir.Expr]string{}
	for _, in := range g.Prog.Inputs {
		g.Arrays[in.Name] = inputArray(in, g.Name(in.Name))
		for _, p := range g.Arrays[in.Name].Parts {
			g.Taken[p] = true
		}
	}
	for _, p := range g.Prog.Params {
		g.Params[p.Var] = g.Name(p.Name)
	}
}

// Name is an unused identifier that resembles a name of the program.
func (g *Scope) Name(like string) string {
	base := Identifier(like)
	name := base
	for i := 2; g.Taken[name] || token.IsKeyword(name); i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	g.Taken[name] = true
	return name
}

// Note notes a name for the file that is written: what generator.use does.
func (g *Scope) Note(name string) string {
	g.Used[name] = true
	return name
}

// Buffer makes the array of a buffer known.
func (g *Scope) Buffer(b *plan.Buffer) *Array {
	a := &Array{Name: b.Name, Types: b.Types}
	base := g.Name(b.Name)
	for i := range b.Types {
		part := base
		if len(b.Types) > 1 {
			part = g.Name(base + strconv.Itoa(i))
		}
		a.Parts = append(a.Parts, part)
	}
	for _, d := range b.Dims {
		a.Mins = append(a.Mins, d.Min)
	}
	g.Arrays[b.Name] = a
	return a
}

// Results lists the outputs' components.
func (g *Scope) Results() (names, types []string) {
	for _, b := range g.Plan.Buffers {
		if !b.Output {
			continue
		}
		for i, p := range g.Arrays[b.Name].Parts {
			names = append(names, p)
			types = append(types, outputType(b, i))
		}
	}
	return names, types
}

// Signature is the parameters of the function, and of the reference.
func (g *Scope) Signature() (names []string, decls []Param) {
	for _, in := range g.Prog.Inputs {
		a := g.Arrays[in.Name]
		for i, p := range a.Parts {
			names = append(names, p)
			decls = append(decls, Param{Name: p, Type: goInputType(in.Dims, in.Types[i])})
		}
		if in.Dims >= 2 && !slices.Contains(g.Views, in.Dims) {
			g.Views = append(g.Views, in.Dims)
		}
		if in.Dims < 0 {
			g.Failf("the program does not say how many dimensions %s has", in.Name)
		}
	}
	for _, p := range g.Prog.Params {
		names = append(names, g.Params[p.Var])
		decls = append(decls, Param{Name: g.Params[p.Var], Type: kernel.GoType[p.Var.Type()]})
	}
	return names, decls
}

// ReturnError leaves the function where it stands.
func (g *Scope) ReturnError(err string) string {
	names, _ := g.Results()
	return "return " + strings.Join(append(names, err), ", ")
}

// Target is the element that is updated, as Go.
func (g *Scope) Target(n *loopnest.Nest) []string {
	a := g.Arrays[n.Buffer.Name]
	var names []string
	for i := range a.Parts {
		names = append(names, a.at(i, g.Coords(a, n.Index)))
	}
	return names
}

// Coords returns the indices of an element as Go, counted from the first element of the array. Each but the first is in
// parentheses where a product with a stride needs them.
func (g *Scope) Coords(a *Array, index []ir.Expr) (out []string) {
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
func (g *Scope) coord(a *Array, d int, e ir.Expr) (text string, prec int) {
	if a.Mins == nil || a.Mins[d].IsConst(0) {
		return g.GoIntPrec(e)
	}
	m := a.Mins[d]
	switch {
	case e.Op() == ir.Const && m.Op() == ir.Const:
		return strconv.FormatInt(e.Int()-m.Int(), 10), 6
	case m.Op() == ir.Const:
		s := loopnest.SumOf(e).Plus(loopnest.Sum{K: m.Int()}, -1)
		return g.SumText(s), s.Prec()
	}
	return g.IntOperand(e, 3) + " - " + g.IntOperand(m, 4), 4
}

// Writer writes expressions where loop variables are ints.
func (g *Scope) Writer() *gosrc.Writer {
	return &gosrc.Writer{Use: g.Use, Temp: map[ir.Expr]string{}, Leaf: func(e ir.Expr) string { return g.Leaf(e, nil) }}
}

// Leaf is a variable or a call outside of kernels.
func (g *Scope) Leaf(e ir.Expr, state []string) string {
	switch {
	case e.Op() == ir.Var && e.Kind() == ir.State:
		return state[e.Index()]
	case e.Op() == ir.Var:
		if v, ok := g.LoopVar[e]; ok {
			return "int32(" + v + ")"
		}
		if p, ok := g.Params[e]; ok {
			return p
		}
		g.Failf("emit: internal: no value of %s", e)
		return "0"
	case access.IsExtent(e):
		s, _ := g.extent(e)
		return "int32(" + s + ")"
	}
	a := g.Arrays[e.Name()]
	if a == nil {
		g.Failf("%s is not known", e)
		return "0"
	}
	return a.at(e.Index(), g.Coords(a, access.Operands(e)))
}
