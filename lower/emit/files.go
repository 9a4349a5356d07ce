package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// kernelWriter writes the functions of the catalog.
type kernelWriter struct{ *generator }

// portableKernels is the file of plain loops, and of the helpers that they use, the function, and the kernels on vectors.
func (g *kernelWriter) portableKernels(api, onVectors gosrc.Uses) string {
	g.Begin()
	g.written["kernel.go"] = g.File
	for _, k := range g.kernels {
		g.File.At = plan.Place{Stage: k.Nest.Stage, Body: true}
		k.Portable(&g.Scope)
		if k.Until != nil {
			k.Ends(&g.Scope)
		}
	}
	for _, k := range g.kernels {
		if k.Flat != nil {
			g.File.At = plan.Place{Stage: k.Nest.Stage, Body: true}
			k.Rows(&g.Scope)
		}
	}
	for _, d := range g.denses {
		g.File.At = plan.Place{Stage: d.Nest.Stage, Body: true}
		d.Portable(g.File)
	}
	for _, s := range g.scatters {
		g.File.At = plan.Place{Stage: s.Nest.Stage, Body: true}
		g.File.Printf("%s", s.Text())
	}
	for _, r := range g.scanned {
		g.File.At = plan.Place{Stage: r.Nest.Stage, Body: true}
		for _, k := range r.Runs() {
			k.Portable(&g.Scope)
		}
		if r.Tree != nil {
			r.Tile(&g.Scope)
		}
	}
	for _, k := range g.keepers {
		g.File.At = plan.Place{Stage: k.Nest.Stage, Body: true}
		k.Portable(&g.Scope)
	}
	text := g.File.String()
	if text += g.Used.Declare(gosrc.HelpersOf(api, onVectors, g.Used)); text == "" {
		return ""
	}
	head := header + "package " + g.pkg + "\n\n" + g.Used.Imports()
	g.File.From = len(head)
	return head + text
}

// plainKernels stands in for the vector kernels where the package simd is not there.
func (g *kernelWriter) plainKernels() string {
	var b strings.Builder
	for _, k := range g.runs() {
		if k.Vector != nil {
			b.WriteString(k.RunFrame().StandIn())
		}
		if k.Flat != nil {
			b.WriteString(k.Flat.Frame(k).StandIn())
		}
	}
	for _, k := range g.keepers {
		if k.Vector != nil {
			b.WriteString(k.PlainText())
		}
	}
	for _, d := range g.denses {
		decls, names := d.Params()
		fmt.Fprintf(&b, "\nfunc %sDense(%s) {\n%sPortable(%s)\n}\n", d.Name, scope.Declared(decls), d.Name, strings.Join(names, ", "))
	}
	if g.asksVectors {
		b.WriteString(inLanesText + "const inLanes = false\n")
	}
	return header + "//go:build !(" + simdTag + ")\n\npackage " + g.pkg + "\n" + b.String()
}

// runs lists all functions that take runs.
func (c *catalog) runs() []*funcs.Run {
	out := slices.Clone(c.kernels)
	for _, r := range c.scanned {
		out = append(out, r.Runs()...)
	}
	return out
}

// vectorKernels is the files on vectors: on the portable package simd, for amd64, and for other machines, with what they use. One that has nothing is
// empty.
func (g *kernelWriter) vectorKernels() (simd, amd64, other string, used gosrc.Uses) {
	files, calls := map[*kernel.Target]*funcs.VectorFile{}, &scope.Lines{}
	for _, t := range kernel.Targets {
		files[t] = funcs.NewVectorFile(t)
	}
	for _, k := range g.runs() {
		if k.Vector == nil {
			continue
		}
		k.WriteTargets(&g.Scope, k.RunFrame(), files, calls)
		if k.Flat != nil {
			k.WriteTargets(&g.Scope, k.Flat.Frame(k), files, calls)
		}
	}
	for _, k := range g.keepers {
		k.Vectors(&g.Scope, files[kernel.Archsimd], calls)
	}
	simd = g.simdText(files[kernel.Simd])
	narrow, wide := files[kernel.Archsimd], files[kernel.Archsimd512]
	g.Used = narrow.Used
	maps.Copy(g.Used, wide.Used)
	if g.Used["bytesOf"] { // which calls of package simd have, too
		files[kernel.Simd].Used["unsafe"] = true
		simd += bytesOfText
	}
	amd64 = narrow.ArchText(&g.Scope) + wide.ArchText(&g.Scope) + fmt.Sprintf(endVectorsAMD64, g.Use("archsimd"))
	if g.Used["packs"] {
		amd64 += funcs.PacksText
	}
	if g.Used["pairs"] {
		amd64 += funcs.PairsText
	}
	other = calls.String() + endVectorsOther
	if g.asksVectors {
		amd64 += inLanesText + fmt.Sprintf("var inLanes = %s.VectorBitSize() >= 256\n", g.Use("simd"))
		other += inLanesText + "const inLanes = false\n"
	}
	for _, d := range g.denses {
		tile, stand := d.Arch()
		amd64 += tile
		other += stand
	}
	used = maps.Clone(g.Used)
	maps.Copy(used, files[kernel.Simd].Used)
	return g.tagged(simdTag, simd, files[kernel.Simd].Used), g.tagged(simdTag, amd64, g.Used), g.tagged(simdTag+" && !amd64", other, gosrc.Uses{}), used
}

// simdText is the file on the portable package simd.
func (g *kernelWriter) simdText(u *funcs.VectorFile) string {
	g.Used = u.Used
	text := u.String() + u.OrderText(nil)
	declared := maps.Clone(u.Used)
	g.File = scope.NewUnit()
	for _, d := range g.denses {
		d.Vector(g.File)
	}
	return text + g.File.String() + u.OrderText(declared)
}

// tagged is a file for a build constraint; nothing where the file has no text.
func (g *kernelWriter) tagged(tag, text string, used gosrc.Uses) string {
	if text == "" {
		return ""
	}
	return header + "//go:build " + tag + "\n\npackage " + g.pkg + "\n\n" + used.Imports() + text
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

// bytesOfText declares the bytes of truth values.
const bytesOfText = `
// bytesOf is truth values as bytes, 0 and 1.
func bytesOf(s []bool) []uint8 { return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(s))), len(s)) }
`
