package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// wideForm adds integers in a wider type. The sum is made modulo 2⁶⁴, whatever the type of the
// state is.
//
//	x + i64(in(r)) of bytes in   →   lanes of 16 bits, folded to 64 bits before they overflow
type wideForm struct{ from ir.Type }

func widening(_ *plan.Plan, k *run) vectorForm {
	_, h, ok := k.sum()
	t, from := k.types[0], k.streams[0].call.Type()
	if !ok || len(k.streams) != 1 || !from.IsInt() || t.Bits() <= from.Bits() || h.Op() != ir.Cast || k.streamOf(h.Arg(0)) != 0 {
		return nil
	}
	return wideForm{from}
}

func (f wideForm) write(g *generator, k *run) {
	in, sum := k.streams[0].name, "sum"
	if k.types[0] != ir.U64 {
		sum = kernel.GoType[k.types[0]] + "(sum)"
	}
	g.file.printf("\n// %sKernel is %sPortable on vectors, which add in wider lanes.\n", k.name, k.name)
	g.file.printf("func %sKernel%s {\nsum, %s := %s(%s)\nreturn %sPortable%s\n}\n", k.name, k.params(), in, f.function(), in,
		k.name, k.arguments([]string{"x0 + " + sum}, "", ""))
}

// function is the name of the function that adds whole vectors.
func (f wideForm) function() string { return "sum" + title(kernel.GoType[f.from]) }

// hasInstruction reports whether amd64 adds neighbours of the type in one instruction.
func (f wideForm) hasInstruction() bool { return f.from.Bits() <= 16 }

// flip is the method that makes a vector unsigned, by half the range, and what takes that off.
func (f wideForm) flip() (declare, method, correct string) {
	if f.from.IsUnsigned() {
		return "", "", "sum"
	}
	half := f.from.Bits() - 1
	return fmt.Sprintf("sign := simd.BroadcastUint%ds(1 << %d) // makes elements unsigned, by as much too great\n", half+1, half),
		".ToBits().Xor(sign)", fmt.Sprintf("sum - uint64(len(in)-len(rest))<<%d", half)
}

// widePairs is how sums of pairs are kept: in lanes of twice the width, for so many steps of
// four vectors, and what adds them to 64-bit lanes.
var widePairs = map[int]struct {
	steps     string
	low, fold string
}{
	8: {"64", "low16, low32 := simd.BroadcastUint32s(1<<16-1), simd.BroadcastUint64s(1<<32-1)\n", `e, o := even.ReshapeToUint32s(), odd.ReshapeToUint32s()
		w := e.And(low16).Add(e.ShiftAllRight(16)).Add(o.And(low16)).Add(o.ShiftAllRight(16)).ReshapeToUint64s()
		total = total.Add(w.And(low32)).Add(w.ShiftAllRight(32))`},
	16: {"1<<14", "low32 := simd.BroadcastUint64s(1<<32 - 1)\n", `e, o := even.ReshapeToUint64s(), odd.ReshapeToUint64s()
		total = total.Add(e.And(low32)).Add(e.ShiftAllRight(32)).Add(o.And(low32)).Add(o.ShiftAllRight(32))`},
	32: {"1<<29", "", "total = total.Add(even).Add(odd)"},
}

// vectors is the function on portable vectors, which cannot widen: a lane of twice the width
// holds even + odd<<half.
func (f wideForm) vectors(name string) string {
	half := f.from.Bits()
	p := widePairs[half]
	declare, method, correct := f.flip()
	return strings.NewReplacer("NAME", name, "TYPE", kernel.GoType[f.from], "VEC", title(kernel.GoType[f.from])+"s", "HALF", fmt.Sprint(half),
		"PAIRS", fmt.Sprintf("Uint%ds", 2*half), "DECLARE", declare+p.low, "FLIP", method, "STEPS", p.steps, "FOLD", p.fold, "CORRECT", correct).Replace(`
// NAME adds whole vectors, modulo 1<<64. Pairs of neighbours are added as they lie, even +
// odd<<HALF, and the odd ones once more; in runs that these sums do not outgrow.
func NAME(in []TYPE) (sum uint64, rest []TYPE) {
	if simd.Emulated() {
		return 0, in
	}
	var lanes [8]uint64
	DECLAREvar v simd.VEC
	var total simd.Uint64s
	n := v.Len()
	for rest = in; len(rest) >= 4*n; {
		run := rest[:min(len(rest)/(4*n), STEPS)*4*n]
		rest = rest[len(run):]
		var pairs, odd simd.PAIRS
		for ; len(run) >= 4*n; run = run[4*n:] {
			y0 := simd.LoadVEC(run)FLIP.ReshapeToPAIRS()
			y1 := simd.LoadVEC(run[n:])FLIP.ReshapeToPAIRS()
			y2 := simd.LoadVEC(run[2*n:])FLIP.ReshapeToPAIRS()
			y3 := simd.LoadVEC(run[3*n:])FLIP.ReshapeToPAIRS()
			pairs = pairs.Add(y0.Add(y1).Add(y2.Add(y3)))
			odd = odd.Add(y0.ShiftAllRight(HALF).Add(y1.ShiftAllRight(HALF)).Add(y2.ShiftAllRight(HALF).Add(y3.ShiftAllRight(HALF))))
		}
		even := pairs.Sub(odd.ShiftAllLeft(HALF)) // right even where pairs wrapped
		FOLD
	}
	total.Store(lanes[:])
	endVectors()
	for _, y := range lanes {
		sum += y
	}
	return CORRECT, rest
}
`)
}

// instruction is the vector of a run's elements from a place on, neighbours added, on vectors
// of so many bits; bytes go by eights, 16-bit elements by pairs.
func (f wideForm) instruction(bits int, at string) string {
	lanes := bits / f.from.Bits()
	v := fmt.Sprintf("archsimd.Load%sx%d(run%s)", title(kernel.GoType[f.from]), lanes, at)
	switch f.from {
	case ir.I8:
		v += ".ToBits().Xor(sign)"
	case ir.U16:
		v += ".Xor(sign).BitsToInt16()"
	}
	if f.from.Bits() == 8 {
		return v + ".SumOf8AbsDiff(zero)"
	}
	return v + ".DotProductPairs(one)"
}

// byInstruction is the function on vectors of so many bits of amd64.
func (f wideForm) byInstruction(bits int) string {
	lanes := bits / f.from.Bits()
	sums, wide, declare, correct := "Uint64", "y", fmt.Sprintf("var zero archsimd.Uint8x%d\n", lanes), "sum"
	if f.from.Bits() == 16 {
		sums, wide, declare = "Int32", "uint64(int64(y))", fmt.Sprintf("one := archsimd.BroadcastInt16x%d(1)\n", lanes)
	}
	switch f.from {
	case ir.I8:
		declare += fmt.Sprintf("sign := archsimd.BroadcastUint8x%d(1 << 7) // makes elements unsigned, by as much too great\n", lanes)
		correct = "sum - uint64(len(in)-len(rest))<<7"
	case ir.U16:
		declare += fmt.Sprintf("sign := archsimd.BroadcastUint16x%d(1 << 15) // makes elements signed, by as much too small\n", lanes)
		correct = "sum + uint64(len(in)-len(rest))<<15"
	}
	var eight strings.Builder
	for i := range 8 {
		at := fmt.Sprintf("[%d:]", i*lanes)
		if i == 0 {
			at = ""
		}
		fmt.Fprintf(&eight, "s%d = s%d.Add(%s)\n", i%4, i%4, f.instruction(bits, at))
	}
	n := map[string]int{"Uint64": bits / 64, "Int32": bits / 32}[sums]
	return strings.NewReplacer("NAME", fmt.Sprintf("%sx%d", f.function(), lanes), "TYPE", kernel.GoType[f.from], "LANES", fmt.Sprint(lanes),
		"STEP", fmt.Sprint(8*lanes), "SUMS", fmt.Sprintf("%sx%d", sums, n), "SUM", strings.ToLower(sums), "COUNT", fmt.Sprint(n),
		"DECLARE", declare, "EIGHT", eight.String(), "ONE", f.instruction(bits, ""), "WIDE", wide, "CORRECT", correct).Replace(`
func NAME(in []TYPE) (sum uint64, rest []TYPE) {
	var lanes [COUNT]SUM
	DECLAREfor rest = in; len(rest) >= LANES; {
		run := rest[:min(len(rest)/LANES, 1<<15)*LANES]
		rest = rest[len(run):]
		var s0, s1, s2, s3 archsimd.SUMS
		for ; len(run) >= STEP; run = run[STEP:] {
			EIGHT}
		for ; len(run) >= LANES; run = run[LANES:] {
			s0 = s0.Add(ONE)
		}
		s0.Add(s1).Add(s2.Add(s3)).Store(lanes[:])
		for _, y := range lanes {
			sum += WIDE
		}
	}
	endVectors()
	return CORRECT, rest
}
`)
}

// wideForms are the types that kernels add in a wider one.
func (g *generator) wideForms() (out []wideForm) {
	seen := map[ir.Type]bool{}
	for _, k := range g.kernels {
		if f, ok := k.vector.(wideForm); ok && !seen[f.from] {
			seen[f.from] = true
			out = append(out, f)
		}
	}
	return out
}

// wideVectors is the functions that add on portable vectors.
func (g *generator) wideVectors() string {
	var b strings.Builder
	for _, f := range g.wideForms() {
		name := f.function()
		if f.hasInstruction() {
			name += "Vectors"
		}
		b.WriteString(f.vectors(name))
	}
	return b.String()
}

// wideArch is the files for amd64 and for other machines: kernels, functions that add with instructions of
// amd64, those that stand in for them elsewhere, and what ends the use of vectors.
func (g *generator) wideArch(kernels, calls string) (amd64, other string) {
	var a, o strings.Builder
	a.WriteString(kernels)
	o.WriteString(calls)
	for _, f := range g.wideForms() {
		if !f.hasInstruction() {
			continue
		}
		name, t := f.function(), kernel.GoType[f.from]
		note := "adds bytes by eights: their absolute differences from 0"
		if f.from.Bits() == 16 {
			note = "adds pairs of neighbours: their products with 1, of which 1<<15 fit a lane"
		}
		fmt.Fprintf(&a, `
// %[1]s is %[1]sVectors with the instruction that %[2]s.
func %[1]s(in []%[3]s) (sum uint64, rest []%[3]s) {
	switch simd.VectorBitSize() {
	case 512:
		return %[1]sx%[4]d(in)
	case 256:
		return %[1]sx%[5]d(in)
	}
	return %[1]sVectors(in)
}
%[6]s%[7]s`, name, note, t, 512/f.from.Bits(), 256/f.from.Bits(), f.byInstruction(512), f.byInstruction(256))
		fmt.Fprintf(&o, "\nfunc %[1]s(in []%[2]s) (sum uint64, rest []%[2]s) { return %[1]sVectors(in) }\n", name, t)
	}
	floats, stand := g.floatWideArch()
	a.WriteString(floats)
	o.WriteString(stand)
	if g.hasVectors() {
		a.WriteString(endVectorsAMD64)
		o.WriteString(endVectorsOther)
	}
	for _, d := range g.denses {
		tile, stand := d.arch()
		a.WriteString(tile)
		o.WriteString(stand)
	}
	if a.Len() == 0 {
		return "", ""
	}
	head := func(tag string) string { return header + "//go:build " + tag + "\n\npackage " + g.pkg + "\n\n" }
	return head(simdTag) + withImports(a.String()), head(simdTag+" && !amd64") + o.String()
}
