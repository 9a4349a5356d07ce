package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// flat joins the runs of nested loops where nothing lies between them in the array: one long run,
// in which a place tells the coordinates.
//
//	for y: kernel(in.Pix[y*in.Stride:][:w])   →   if in.Stride == w { kernel(in.Pix[:w*h]) }
type flat struct {
	loops []plan.Loop // the innermost first
}

// flatOr writes a call of the flat kernel for where runs join, and calls nested for elsewhere.
func (g *generator) flatOr(n *nest, d int, nested func()) {
	k := g.flatKernel(n, d)
	if k == nil {
		nested()
		return
	}
	s := k.streams[0]
	a := g.arrays[s.access.Array]
	var conds, extents []string
	for j, l := range k.flat.loops {
		text, prec := g.goIntPrec(l.Span.Extent)
		if prec < 6 {
			text = "(" + text + ")"
		}
		if j > 0 {
			conds = append(conds, a.strides[j-1]+" == "+strings.Join(extents, "*"))
		}
		extents = append(extents, text)
	}
	for _, e := range extents {
		if c := e + " > 0"; !slices.Contains(conds, c) {
			conds = append(conds, c)
		}
	}
	from, to := varsOfLoops(k.flat.loops), []ir.Expr{}
	for range from {
		to = append(to, k.loop.Var.Pool().Int(ir.I32, 0))
	}
	var at []ir.Expr
	for _, c := range s.access.Dims {
		at = append(at, foldSum(ir.Subst(c.Index, from, to)))
	}
	args := g.target(n)
	target := strings.Join(args, ", ")
	for _, sc := range k.flat.others(k) {
		args = append(args, g.leaf(sc.expr, nil))
	}
	args = append(args, extents...)
	args = append(args, fmt.Sprintf("%s[%s:][:%s]", a.parts[s.access.Component]+a.pix, a.offset(g.coords(a, at)), strings.Join(extents, "*")))
	g.file.printf("if %s { // rows lie one behind another\n%s = %sFlat(%s)\n} else {\n", strings.Join(conds, " && "), target, k.name, strings.Join(args, ", "))
	nested()
	g.file.printf("}\n")
}

// flatKernel is the kernel of the innermost loop, where the loops from depth d on join.
func (g *generator) flatKernel(n *nest, d int) *run {
	last := len(n.loops) - 1
	if d >= last || g.serial {
		return nil
	}
	k := g.kernelAt(n, last)
	if k == nil || k.vector == nil || !k.first || len(k.streams) != 1 {
		return nil
	}
	if _, ok := kernel.First[kernel.Search](k.vector.Body); !ok || len(g.arrays[k.streams[0].access.Array].strides) < last-d {
		return nil
	}
	fl := &flat{}
	for j, l := range slices.Backward(n.loops[d:]) {
		dim := len(n.loops[d:]) - 1 - j
		if l.Pure || l.How != plan.InOrder || !l.Span.Min.IsConst(0) || mentionsAny([]ir.Expr{l.Span.Extent}, varsOfLoops(n.loops)...) ||
			dim >= len(k.streams[0].access.Dims) || k.streams[0].access.Dims[dim].Index != l.Var {
			return nil
		}
		fl.loops = append(fl.loops, l)
	}
	for _, c := range k.streams[0].access.Dims[len(fl.loops):] {
		if mentionsAny([]ir.Expr{c.Index}, varsOfLoops(fl.loops)...) {
			return nil
		}
	}
	k.flat = fl
	return k
}

// others are the scalars that are no coordinates of the joined loops.
func (f *flat) others(k *run) []scalar {
	return slices.DeleteFunc(slices.Clone(k.scalars), func(s scalar) bool { return slices.Contains(varsOfLoops(f.loops), s.expr) })
}

// params is the parameters and results; from is a parameter more.
func (f *flat) params(k *run, from string) string {
	var l, results []string
	for i, t := range k.types {
		l = append(l, fmt.Sprintf("x%d %s", i, kernel.GoType[t]))
		results = append(results, kernel.GoType[t])
	}
	if from != "" {
		l = append(l, from+" int")
	}
	for _, s := range f.others(k) {
		l = append(l, s.name+" "+kernel.GoType[s.expr.Type()])
	}
	for j := range f.loops {
		l = append(l, fmt.Sprintf("extent%d int", j))
	}
	s := k.streams[0]
	l = append(l, s.name+" []"+kernel.GoType[s.call.Type()])
	return bracket(l) + " " + bracket(results)
}

func (f *flat) arguments(k *run, states []string, from string) string {
	l := append(slices.Clone(states), from)
	for _, s := range f.others(k) {
		l = append(l, s.name)
	}
	for j := range f.loops {
		l = append(l, fmt.Sprintf("extent%d", j))
	}
	return bracket(append(l, k.streams[0].name))
}

// coordinate is the coordinate of joined loop j at a place, as an int.
func (f *flat) coordinate(j int, place string) string {
	for i := range j {
		place += fmt.Sprintf("/extent%d", i)
	}
	if j < len(f.loops)-1 {
		place += fmt.Sprintf("%%extent%d", j)
	}
	return place
}

// rows writes the function that takes run by run, from some place on.
func (k *run) rows(g *glossary) {
	in := k.streams[0].name
	args := append(k.states(), k.flat.coordinate(0, "from"))
	for _, s := range k.scalars {
		if j := slices.Index(varsOfLoops(k.flat.loops), s.expr); j >= 0 {
			args = append(args, "int32("+k.flat.coordinate(j, "from")+")")
		} else {
			args = append(args, s.name)
		}
	}
	args = append(args, in+"[from:end]")
	states := strings.Join(k.states(), ", ")
	g.file.printf(`
// %[1]sRows is %[1]sPortable on the runs of an array of which the rows lie one behind another.
func %[1]sRows%[2]s {
	for from < len(%[3]s) {
		end := min((from/extent0+1)*extent0, len(%[3]s))
		%[4]s = %[1]sPortable%[5]s
		from = end
	}
	return %[4]s
}
`, k.name, k.flat.params(k, "from"), in, states, bracket(args))
}

// frame is the frame of the joined runs.
func (f *flat) frame(k *run) frame {
	args := k.states()
	for _, s := range f.others(k) {
		args = append(args, s.name)
	}
	args = append(args, list(len(f.loops), func(j int) string { return fmt.Sprintf("extent%d", j) }), k.streams[0].name)
	return frame{
		name: k.name + "Flat", portable: k.name + "FlatVectors", params: f.params(k, ""), arguments: bracket(args), plain: k.name + "Rows",
		about: fmt.Sprintf("is %sRows on vectors", k.name),
		rest: func(_, from string) string {
			if from == "" {
				from = "0"
			}
			return f.arguments(k, k.states(), from)
		},
		coordinate: func(e ir.Expr, place string) string {
			if j := slices.Index(varsOfLoops(f.loops), e); j >= 0 {
				return "int32(" + f.coordinate(j, place) + ")"
			}
			return ""
		},
	}
}
