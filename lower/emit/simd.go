package emit

import (
	"fmt"
	"maps"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// vectorKernels is the files on vectors: on the portable package simd, for amd64, and for other machines.
func (g *generator) vectorKernels() (simd, amd64, other string) {
	u, arch := newVectorFile(kernel.Simd), newVectorFile(kernel.Archsimd)
	var calls strings.Builder
	inLanes := false
	for _, k := range g.kernels {
		if k.lanes() == nil {
			continue
		}
		inLanes = true
		frames := []frame{k.runFrame()}
		if k.flat != nil {
			frames = append(frames, k.flat.frame(k))
		}
		for _, f := range frames {
			g.writeVectors(k, f, u)
			g.writeVectors(k, f, arch)
			fmt.Fprintf(&calls, "\nfunc %s%s {\nreturn %s%s\n}\n", f.name, f.params, f.portable, f.arguments)
		}
	}
	text := u.String() + u.orderText(nil)
	g.file = newUnit()
	for _, k := range g.kernels {
		if k.vector != nil && k.lanes() == nil {
			k.vector.write(g, k)
		}
	}
	rest := g.wideVectors()
	declared := maps.Clone(u.orders)
	for _, d := range g.denses {
		d.vector(g, u.orders)
	}
	rest = g.file.b.String() + rest + u.orderText(declared)
	if u.bytes {
		rest += bytesOfText
	}
	kernels := ""
	if inLanes {
		kernels = fmt.Sprintf("\n// vectors%[1]d tells whether vectors have %[1]d bits.\nvar vectors%[1]d = simd.VectorBitSize() == %[1]d\n", arch.t.Bits) +
			arch.String() + arch.orderText(nil)
	}
	amd64, other = g.wideArch(kernels, calls.String())
	return header + "//go:build " + simdTag + "\n\npackage " + g.pkg + "\n\n" + withImports(text+rest), amd64, other
}

// vectorFile is what a file has of kernels for a target, and what these call.
type vectorFile struct {
	strings.Builder
	t       *kernel.Target
	orders  map[kernel.Key]bool // the lesser and the greater of floats
	bytes   bool                // truth values as bytes
	indices map[string]bool     // searches that are declared
}

func newVectorFile(t *kernel.Target) *vectorFile {
	return &vectorFile{t: t, orders: map[kernel.Key]bool{}, indices: map[string]bool{}}
}

// orderText declares min and max of floats that are called, unless they are declared.
func (u *vectorFile) orderText(declared map[kernel.Key]bool) string {
	var b strings.Builder
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		for _, op := range []ir.Op{ir.Min, ir.Max} {
			key := kernel.Key{Op: kernel.Op(op), Elem: t}
			if !u.orders[key] || declared[key] {
				continue
			}
			less, join := "Less", "Or"
			if op == ir.Max {
				less, join = "Greater", "And"
			}
			fmt.Fprintf(&b, `
// %[1]s is Go's %[2]s: an unordered comparison leaves y, so that a NaN in x is put back;
// equal operands are the same bits or two zeros, whose signs are combined.
func %[1]s(x, y %[3]s) %[3]s {
	r := x.IfElse(x.%[4]s(y), y)
	r = x.ToBits().%[5]s(y.ToBits()).BitsToFloat%[6]d().IfElse(x.Equal(y), r)
	return x.IfElse(x.NotEqual(x), r)
}
`, u.t.Order(op, t), op, u.t.Vector(t), less, join, t.Bits())
		}
	}
	return b.String()
}

// bytesOfText declares the bytes of truth values.
const bytesOfText = `
// bytesOf is truth values as bytes, 0 and 1.
func bytesOf(s []bool) []uint8 { return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(s))), len(s)) }
`
