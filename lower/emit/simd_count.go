package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// countForm counts elements whose width is not that of the count. Lanes have the width of the elements and are
// added before they overflow.
//
//	x + select(in(r) > 7, 1, 0) of bytes in   →   s = s.Sub(mask), added every 63 steps of four vectors
type countForm struct {
	bits int
	cond ir.Expr
}

func counting(_ *plan.Plan, k *kernel) vectorForm {
	if len(k.values) != 1 || k.first || !k.types[0].IsInt() || k.values[0].Op() != ir.Add {
		return nil
	}
	x, h := k.values[0].Arg(0), k.values[0].Arg(1)
	if x.States() == 0 {
		x, h = h, x
	}
	cond, ok := fold.Counted(h)
	if !ok && h.Op() == ir.Select && h.Arg(1).IsConst(0) && h.Arg(2).IsConst(1) {
		cond, ok = ir.NotOf(h.Arg(0)), true
	}
	if !ok || x.Op() != ir.Var || x.Kind() != ir.State || cond.States() != 0 {
		return nil
	}
	f := &countForm{cond: cond}
	for _, s := range k.streams {
		b := laneBits(s.call.Type())
		if b == 0 || f.bits != 0 && f.bits != b {
			return nil
		}
		f.bits = b
	}
	w := k.vecWriter(f.bits, "a")
	if w.mask(cond); w.failed {
		return nil
	}
	return f
}

// laneBits is the width of the lanes that hold elements of a type, 0 where vectors hold none: truth values
// are bytes.
func laneBits(t ir.Type) int {
	switch {
	case t == ir.Bool:
		return 8
	case vecTypes[t] == "":
		return 0
	}
	return t.Bits()
}

// laneVector is the type of the vector that holds elements of a type.
func laneVector(t ir.Type) string {
	if t == ir.Bool {
		return vecTypes[ir.U8]
	}
	return vecTypes[t]
}

// laneSlice is a slice of a stream as vectors load it.
func laneSlice(s stream, text string) string {
	if s.call.Type() == ir.Bool {
		return "bytesOf(" + text + ")"
	}
	return text
}

// bytesOfText declares the bytes of truth values where a text uses them.
func bytesOfText(text string) string {
	if !strings.Contains(text, "bytesOf(") {
		return ""
	}
	return `
// bytesOf is truth values as bytes, 0 and 1.
func bytesOf(s []bool) []uint8 { return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(s))), len(s)) }
`
}

func (f *countForm) write(g *generator, k *kernel) {
	lead := k.streams[0].name
	g.file.printf("\n// %sKernel is %sPortable on vectors: lanes as wide as the elements count, and are added before they overflow.\n", k.name, k.name)
	g.file.printf("func %sKernel%s {\nvar v simd.%s\nn := v.Len()\n", k.name, k.params(), laneVector(k.streams[0].call.Type()))
	g.file.printf("if simd.Emulated() || len(%s) < 4*n {\nreturn %sPortable%s\n}\n", lead, k.name, k.arguments(k.states(), "", ""))
	w := k.vecWriter(f.bits, "")
	var loop strings.Builder
	for j, c := range chainNames[:4] {
		w.leaf = k.vecWriter(f.bits, c).leaf
		for i, s := range k.streams {
			at := []string{"", "[n:]", "[2*n:]", "[3*n:]"}[j]
			fmt.Fprintf(&loop, "y%d%s := simd.Load%s(%sRun%s)\n", i, c, laneVector(s.call.Type()), s.name, at)
		}
		fmt.Fprintf(&loop, "s%[1]s = s%[1]s.Sub(%[2]s.ToInt%[3]ds())\n", c, w.mask(f.cond), f.bits)
	}
	for _, s := range k.streams[1:] {
		g.file.printf("%s = %s[:len(%s)]\n", s.name, s.name, lead)
	}
	g.keep(k, nil)
	g.file.printf("var lanes [%d]uint%d\n", 512/f.bits, f.bits)
	for _, h := range w.hoisted {
		g.file.printf("%s\n", h)
	}
	var conds, runs, nexts []string
	for _, s := range k.streams {
		run := s.name + "Run"
		conds, runs, nexts = append(conds, fmt.Sprintf("len(%s) >= 4*n", run)), append(runs, run), append(nexts, run+"[4*n:]")
	}
	// Four chains of so many steps fit a lane.
	steps := map[int]string{8: "63", 16: "16383", 32: "1<<29", 64: "1<<29"}[f.bits]
	g.file.printf("for len(%s) >= 4*n {\nsteps := min(len(%s)/(4*n), %s) * 4 * n\n", lead, lead, steps)
	for _, s := range k.streams {
		g.file.printf("%[1]sRun := %[2]s\n%[1]s = %[1]s[steps:]\n", s.name, laneSlice(s, s.name+"[:steps]"))
	}
	g.file.printf("sa := simd.BroadcastInt%ds(0)\nsb, sc, sd := sa, sa, sa\n", f.bits)
	g.file.printf("for ; %s; %s = %s {\n%s}\n", strings.Join(conds, " && "), strings.Join(runs, ", "), strings.Join(nexts, ", "), loop.String())
	g.file.printf("sa.Add(sb).Add(sc.Add(sd)).ToBits().Store(lanes[:])\nfor _, y := range lanes[:n] {\nx0 += %s(y)\n}\n}\n", goTypes[k.types[0]])
	g.restore(k)
	g.file.printf("return %sPortable%s\n}\n", k.name, k.arguments(k.states(), "", ""))
}
