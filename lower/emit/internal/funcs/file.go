package funcs

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// VectorFile is what a file has of kernels for a target, and what these call.
type VectorFile struct {
	strings.Builder
	t       *kernel.Target
	Used    gosrc.Uses
	indices map[string]bool // searches that are declared
	least   bool            // some function serves wider vectors, too
}

// NewVectorFile is a file that has no functions yet.
func NewVectorFile(t *kernel.Target) *VectorFile {
	return &VectorFile{t: t, Used: gosrc.Uses{}, indices: map[string]bool{}}
}

// WriteTargets writes the kernel once for each target that has its operations, and for other machines a call of the plain function.
// Vectors of fixed width have 256 bits. A function for 512 bits is written only if package simd does not run the kernel, or does so
// without an operation that 512 bits have.
func (k *Run) WriteTargets(g *scope.Scope, f frame, files map[*kernel.Target]*VectorFile, calls *scope.Lines) {
	if h, ok := kernel.First[kernel.History](k.Vector.Body); ok {
		k.writeHistory(g, h, files, calls)
		return
	}
	next := f.plain
	call := f.rest("", "")
	if v, _ := k.Vector.Shape(kernel.Simd); v != nil {
		k.writeVectors(g, v, f, files[kernel.Simd], f.portable, "")
		next, call = f.portable, f.arguments
	}
	calls.F("\nfunc %s%s {\nreturn %s%s\n}", f.name, f.params, next, call)
	if v, _ := k.Vector.Shape(kernel.Archsimd512); v != nil && (next == f.plain || k.Vector.Beyond(kernel.Simd, kernel.Archsimd512)) {
		k.writeVectors(g, v, f, files[kernel.Archsimd512], f.name+"512", next)
		next = f.name + "512"
	}
	v, lacks := k.Vector.Shape(kernel.Archsimd)
	if v == nil {
		g.Failf("emit: internal: kernel %s: %s", k.Name, lacks)
		return
	}
	k.writeVectors(g, v, f, files[kernel.Archsimd], f.name, next)
}

// ArchText is the kernels of a file on archsimd, which ask for the width of vectors.
func (u *VectorFile) ArchText(g *scope.Scope) string {
	if u.Len() == 0 {
		return ""
	}
	head := fmt.Sprintf("\n// vectors%[1]d tells whether vectors have %[1]d bits.\nvar vectors%[1]d = %[2]s.VectorBitSize() == %[1]d\n", u.t.Bits, g.Use("simd"))
	if u.least {
		head += fmt.Sprintf("\n// atLeast%[1]d tells whether vectors have %[1]d bits or more.\nvar atLeast%[1]d = %[2]s.VectorBitSize() >= %[1]d\n", u.t.Bits, g.Use("simd"))
	}
	return head + u.String() + u.OrderText(nil)
}

// OrderText declares min and max of floats that are called, unless they are declared.
func (u *VectorFile) OrderText(declared gosrc.Uses) string {
	var b strings.Builder
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		for _, op := range []ir.Op{ir.Min, ir.Max} {
			if name := u.t.Order(op, t); !u.Used[name] || declared[name] {
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
