package lower

import (
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// wideForm adds bytes in a wider integer type: pairs of bytes in 16-bit lanes, as long as
// these cannot overflow, then in 32-bit lanes.
type wideForm struct{}

func widening(_ *rfactor.Plan, k *kernel) vectorForm {
	if len(k.values) != 1 || len(k.streams) != 1 || k.first || k.streams[0].call.Type() != ir.U8 {
		return nil
	}
	e, t := k.values[0], k.types[0]
	if e.Op() != ir.Add || !t.IsInt() || t.Bits() < 32 {
		return nil
	}
	x, h := e.Arg(0), e.Arg(1)
	if x.States() == 0 {
		x, h = h, x
	}
	if x.Op() != ir.Var || x.Kind() != ir.State || h.Op() != ir.Cast || k.streamOf(h.Arg(0)) != 0 {
		return nil
	}
	return wideForm{}
}

func (wideForm) write(g *generator, k *kernel) {
	text := `
// NAMEKernel is NAMEPortable on vectors: a 16-bit lane takes 256 bytes without overflow, a
// 32-bit lane what is in 16 MiB.
func NAMEKernelPARAMS {
	var v simd.Uint8s
	n := v.Len()
	if simd.Emulated() || len(IN) < 4*n {
		return NAMEPortableARGS
	}
	low32 := simd.BroadcastUint32s(0xffff)
	for len(IN) >= 4*n {
		part := IN[:min(len(IN)/(4*n)*(4*n), 1<<24)]
		IN = IN[len(part):]
		sum := simd.BroadcastUint32s(0)
		for len(part) > 0 {
			run := part[:min(len(part), 64*4*n)]
			part = part[len(run):]
			pairs := simd.BroadcastUint16s(0)
			odd := pairs
			for ; len(run) >= 4*n; run = run[4*n:] {
				y0 := simd.LoadUint8s(run).ReshapeToUint16s()
				y1 := simd.LoadUint8s(run[n:]).ReshapeToUint16s()
				y2 := simd.LoadUint8s(run[2*n:]).ReshapeToUint16s()
				y3 := simd.LoadUint8s(run[3*n:]).ReshapeToUint16s()
				pairs = pairs.Add(y0.Add(y1).Add(y2.Add(y3)))
				odd = odd.Add(y0.ShiftAllRight(8).Add(y1.ShiftAllRight(8)).Add(y2.ShiftAllRight(8).Add(y3.ShiftAllRight(8))))
			}
			// Even bytes are what is left of the sums of pairs, even + 256·odd, which may have wrapped.
			e, o := pairs.Sub(odd.ShiftAllLeft(8)).ReshapeToUint32s(), odd.ReshapeToUint32s()
			sum = sum.Add(e.And(low32).Add(e.ShiftAllRight(16))).Add(o.And(low32).Add(o.ShiftAllRight(16)))
		}
		var lanes [16]uint32
		sum.Store(lanes[:])
		for _, y := range lanes {
			x0 += TYPE(y)
		}
	}
	return NAMEPortableARGS
}
`
	g.file.printf("%s", strings.NewReplacer("NAME", k.name, "PARAMS", k.params(), "ARGS", k.arguments(k.states(), "", ""),
		"IN", k.streams[0].name, "TYPE", goTypes[k.types[0]]).Replace(text))
}
