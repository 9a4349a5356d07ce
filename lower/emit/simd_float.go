package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// floatWideForm adds f32 in f64, with instructions of amd64: the portable package cannot widen.
// Sums are regrouped, which the plan must allow.
//
//	x + f64(in(r)) of f32 in   →   four sums of widened vectors, added at the end
type floatWideForm struct{}

func floatWidening(p *plan.Plan, k *run) vectorForm {
	if len(k.values) != 1 || len(k.streams) != 1 || k.first || k.types[0] != ir.F64 || !regroups(p, k) {
		return nil
	}
	e := k.values[0]
	if e.Op() != ir.Add {
		return nil
	}
	x, h := e.Arg(0), e.Arg(1)
	if x.States() == 0 {
		x, h = h, x
	}
	if x.Op() != ir.Var || x.Kind() != ir.State || h.Op() != ir.Cast || h.Arg(0).Type() != ir.F32 || k.streamOf(h.Arg(0)) != 0 {
		return nil
	}
	return floatWideForm{}
}

func (floatWideForm) write(g *generator, k *run) {
	in := k.streams[0].name
	g.file.printf("\n// %sKernel is %sPortable on vectors, which add in wider lanes.\n", k.name, k.name)
	g.file.printf("func %sKernel%s {\nsum, %s := sumFloat32(%s)\nreturn %sPortable%s\n}\n", k.name, k.params(), in, in,
		k.name, k.arguments([]string{"x0 + sum"}, "", ""))
}

// floatWideArch writes the function that floatWideForm calls, for amd64 and for other machines.
// Both are empty where no kernel has that form.
func (g *generator) floatWideArch() (amd64, other string) {
	used := false
	for _, k := range g.kernels {
		_, is := k.vector.(floatWideForm)
		used = used || is
	}
	if !used {
		return "", ""
	}
	var b strings.Builder
	b.WriteString(`
// sumFloat32 adds whole vectors in lanes of twice the width.
func sumFloat32(in []float32) (sum float64, rest []float32) {
	switch simd.VectorBitSize() {
	case 512:
		return sumFloat32x8(in)
	case 256:
		return sumFloat32x4(in)
	}
	return 0, in
}
`)
	for _, lanes := range []int{8, 4} {
		var four strings.Builder
		for i := range 4 {
			at := fmt.Sprintf("[%d:]", i*lanes)
			if i == 0 {
				at = ""
			}
			fmt.Fprintf(&four, "s%d = s%d.Add(archsimd.LoadFloat32x%d(rest%s).ConvertToFloat64())\n", i, i, lanes, at)
		}
		fmt.Fprintf(&b, `
func sumFloat32x%[1]d(in []float32) (sum float64, rest []float32) {
	var lanes [%[1]d]float64
	var s0, s1, s2, s3 archsimd.Float64x%[1]d
	for rest = in; len(rest) >= %[2]d; rest = rest[%[2]d:] {
		%[3]s}
	s0.Add(s1).Add(s2.Add(s3)).Store(lanes[:])
	endVectors()
	for _, y := range lanes {
		sum += y
	}
	return sum, rest
}
`, lanes, 4*lanes, four.String())
	}
	return b.String(), "\nfunc sumFloat32(in []float32) (sum float64, rest []float32) { return 0, in }\n"
}
