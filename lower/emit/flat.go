package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// flatOr writes a call of the flat kernel for where runs join, and calls nested for elsewhere.
func (g *generator) flatOr(n *loopnest.Nest, d int, nested func()) {
	k := g.flatKernel(n, d)
	if k == nil {
		nested()
		return
	}
	s := k.Streams[0]
	a := g.Arrays[s.Access.Array]
	var conds, extents []string
	for j, l := range k.Flat.Loops {
		text, prec := g.GoIntPrec(l.Span.Extent)
		if prec < 6 {
			text = "(" + text + ")"
		}
		if j > 0 {
			conds = append(conds, a.Strides[j-1]+" == "+strings.Join(extents, "*"))
		}
		extents = append(extents, text)
	}
	for _, e := range extents {
		if c := e + " > 0"; !slices.Contains(conds, c) {
			conds = append(conds, c)
		}
	}
	from, to := loopnest.VarsOfLoops(k.Flat.Loops), []ir.Expr{}
	for range from {
		to = append(to, k.Loop.Var.Pool().Int(ir.I32, 0))
	}
	var at []ir.Expr
	for _, c := range s.Access.Dims {
		at = append(at, loopnest.FoldSum(ir.Subst(c.Index, from, to)))
	}
	args := g.Target(n)
	target := strings.Join(args, ", ")
	for _, sc := range k.Flat.Others(k) {
		args = append(args, g.Leaf(sc.Expr, nil))
	}
	args = append(args, extents...)
	args = append(args, fmt.Sprintf("%s[%s:][:%s]", a.Parts[s.Access.Component]+a.Pix, a.Offset(g.Coords(a, at)), strings.Join(extents, "*")))
	g.File.Printf("if %s { // rows lie one behind another\n%s = %sFlat(%s)\n} else {\n", strings.Join(conds, " && "), target, k.Name, strings.Join(args, ", "))
	nested()
	g.File.Printf("}\n")
}

// flatKernel is the kernel of the innermost loop, where the loops from depth d on join.
func (g *generator) flatKernel(n *loopnest.Nest, d int) *funcs.Run {
	last := len(n.Loops) - 1
	if d >= last || g.serial {
		return nil
	}
	k := g.kernelAt(n, last)
	if k == nil || k.Vector == nil || !k.First || len(k.Streams) != 1 {
		return nil
	}
	if _, ok := kernel.First[kernel.Search](k.Vector.Body); !ok || len(g.Arrays[k.Streams[0].Access.Array].Strides) < last-d {
		return nil
	}
	fl := &funcs.Flat{}
	for j, l := range slices.Backward(n.Loops[d:]) {
		dim := len(n.Loops[d:]) - 1 - j
		if l.Pure || l.How != plan.InOrder || !l.Span.Min.IsConst(0) || loopnest.MentionsAny([]ir.Expr{l.Span.Extent}, loopnest.VarsOfLoops(n.Loops)...) ||
			dim >= len(k.Streams[0].Access.Dims) || k.Streams[0].Access.Dims[dim].Index != l.Var {
			return nil
		}
		fl.Loops = append(fl.Loops, l)
	}
	for _, c := range k.Streams[0].Access.Dims[len(fl.Loops):] {
		if loopnest.MentionsAny([]ir.Expr{c.Index}, loopnest.VarsOfLoops(fl.Loops)...) {
			return nil
		}
	}
	k.Flat = fl
	return k
}
