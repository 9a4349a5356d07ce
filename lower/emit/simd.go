package emit

import (
	"fmt"
	"maps"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// kernelWriter writes the functions of the catalog.
type kernelWriter struct{ *generator }

// vectorKernels is the files on vectors: on the portable package simd, for amd64, and for other machines. One that has nothing is empty.
func (g *kernelWriter) vectorKernels() (simd, amd64, other string) {
	files, calls := map[*kernel.Target]*vectorFile{}, &lines{}
	for _, t := range kernel.Targets {
		files[t] = newVectorFile(t)
	}
	for _, k := range g.kernels {
		if k.vector == nil {
			continue
		}
		k.writeTargets(&g.glossary, k.runFrame(), files, calls)
		if k.flat != nil {
			k.writeTargets(&g.glossary, k.flat.frame(k), files, calls)
		}
	}
	for _, k := range g.kernels {
		if k.until != nil {
			k.writeFinder(&g.glossary, files[kernel.Archsimd], calls)
		}
	}
	for _, r := range g.scanned {
		r.vectors(&g.glossary, files[kernel.Archsimd], calls)
	}
	for _, k := range g.keepers {
		k.vectors(&g.glossary, files[kernel.Archsimd], calls)
	}
	simd = g.simdText(files[kernel.Simd])
	narrow, wide := files[kernel.Archsimd], files[kernel.Archsimd512]
	g.used = narrow.used
	maps.Copy(g.used, wide.used)
	if g.used["bytesOf"] { // which calls of package simd have, too
		files[kernel.Simd].used["unsafe"] = true
		simd += bytesOfText
	}
	amd64 = narrow.archText(&g.glossary) + wide.archText(&g.glossary) + fmt.Sprintf(endVectorsAMD64, g.use("archsimd"))
	if g.used["packs"] {
		amd64 += packsText
	}
	if g.used["pairs"] {
		amd64 += pairsText
	}
	other = calls.String() + endVectorsOther
	if g.asksVectors {
		amd64 += inLanesText + fmt.Sprintf("var inLanes = %s.VectorBitSize() >= 256\n", g.use("simd"))
		other += inLanesText + "const inLanes = false\n"
	}
	for _, d := range g.denses {
		tile, stand := d.arch()
		amd64 += tile
		other += stand
	}
	return g.tagged(simdTag, simd, files[kernel.Simd].used), g.tagged(simdTag, amd64, g.used), g.tagged(simdTag+" && !amd64", other, gosrc.Uses{})
}

// simdText is the file on the portable package simd.
func (g *kernelWriter) simdText(u *vectorFile) string {
	g.used = u.used
	text := u.String() + u.orderText(nil)
	declared := maps.Clone(u.used)
	g.file = newUnit()
	for _, d := range g.denses {
		d.vector(g.file)
	}
	return text + g.file.String() + u.orderText(declared)
}

// tagged is a file for a build constraint; nothing where the file has no text.
func (g *kernelWriter) tagged(tag, text string, used gosrc.Uses) string {
	if text == "" {
		return ""
	}
	return header + "//go:build " + tag + "\n\npackage " + g.pkg + "\n\n" + used.Imports() + text
}

// writeTargets writes a kernel for each target that has its operations, and a call of the portable one for other machines. Vectors of known
// width are those of 256 bits; 512 bits are left to package simd unless that lacks an operation, which takes its place by several.
func (k *run) writeTargets(g *glossary, f frame, files map[*kernel.Target]*vectorFile, calls *lines) {
	if h, ok := kernel.First[kernel.History](k.vector.Body); ok {
		k.writeHistory(g, h, files, calls)
		return
	}
	next := f.plain
	call := f.rest("", "")
	if v, _ := k.vector.Shape(kernel.Simd); v != nil {
		k.writeVectors(g, v, f, files[kernel.Simd], f.portable, "")
		next, call = f.portable, f.arguments
	}
	calls.f("\nfunc %s%s {\nreturn %s%s\n}", f.name, f.params, next, call)
	if v, _ := k.vector.Shape(kernel.Archsimd512); v != nil && (next == f.plain || k.vector.Beyond(kernel.Simd, kernel.Archsimd512)) {
		k.writeVectors(g, v, f, files[kernel.Archsimd512], f.name+"512", next)
		next = f.name + "512"
	}
	v, lacks := k.vector.Shape(kernel.Archsimd)
	if v == nil {
		g.failf("emit: internal: kernel %s: %s", k.name, lacks)
		return
	}
	k.writeVectors(g, v, f, files[kernel.Archsimd], f.name, next)
}

// archText is the kernels of a file on archsimd, which ask for the width of vectors.
func (u *vectorFile) archText(g *glossary) string {
	if u.Len() == 0 {
		return ""
	}
	head := fmt.Sprintf("\n// vectors%[1]d tells whether vectors have %[1]d bits.\nvar vectors%[1]d = %[2]s.VectorBitSize() == %[1]d\n", u.t.Bits, g.use("simd"))
	if u.least {
		head += fmt.Sprintf("\n// atLeast%[1]d tells whether vectors have %[1]d bits or more.\nvar atLeast%[1]d = %[2]s.VectorBitSize() >= %[1]d\n", u.t.Bits, g.use("simd"))
	}
	return head + u.String() + u.orderText(nil)
}

// endVectors is the function for amd64, and for other machines: kernels and tiles end with it.
const (
	endVectorsAMD64 = `
// endVectors clears the upper parts of vector registers. Scalar instructions on floats wait where they are
// in use.
func endVectors() { %s.ClearAVXUpperBits() }
`
	endVectorsOther = "\nfunc endVectors() {}\n"
)

// inLanesText begins the declaration of what tells whether slices have vectors.
const inLanesText = "\n// inLanes tells whether slices are reduced on vectors: plain loops take longer than the program's.\n"

// vectorFile is what a file has of kernels for a target, and what these call.
type vectorFile struct {
	strings.Builder
	t       *kernel.Target
	used    gosrc.Uses
	indices map[string]bool // searches that are declared
	least   bool            // some function serves wider vectors, too
}

func newVectorFile(t *kernel.Target) *vectorFile {
	return &vectorFile{t: t, used: gosrc.Uses{}, indices: map[string]bool{}}
}

// orderText declares min and max of floats that are called, unless they are declared.
func (u *vectorFile) orderText(declared gosrc.Uses) string {
	var b strings.Builder
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		for _, op := range []ir.Op{ir.Min, ir.Max} {
			if name := u.t.Order(op, t); !u.used[name] || declared[name] {
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
