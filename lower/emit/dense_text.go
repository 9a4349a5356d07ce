package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/lower/kernel"
)

// lines writes lines.
type lines struct{ strings.Builder }

func (l *lines) f(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }

// list is f of each of n numbers, with commas between.
func list(n int, f func(int) string) string {
	var words []string
	for i := range n {
		words = append(words, f(i))
	}
	return strings.Join(words, ", ")
}

// portable writes the loops over tiles and rows, and both in plain Go.
func (d *dense) portable(file *unit) {
	decls, names := d.params()
	args := strings.Join(names, ", ")
	b := &lines{}
	if d.tiles {
		d.blocks(b, decls)
		d.plainBand(b)
	}
	d.sweeps(b, decls)
	d.plainSweep(b)
	b.f("\n// %sPortable updates h rows of w elements with n steps, from row y and step k on.", d.name)
	b.f("// The functions give a row of the result, what a row has in common at as many steps as there is room, and a row that is read.")
	b.f("func %sPortable(%s) {", d.name, declared(decls))
	if d.tiles {
		b.f("if h >= %d {\n%sTiles(%s, %s)\nreturn\n}", plainRows, d.name, args, d.tileText(plainRows, strconv.Itoa(plainColumns), "1", "Portable"))
	}
	b.f("%sSweeps(%s, %sSweepPortable)\n}", d.name, args, d.name)
	file.printf("%s", b.String())
}

// assignAll writes the update of all components of one element.
func (d *dense) assignAll(b *lines, value, state func(comp int) string) {
	n := len(d.nest.values)
	left, right := list(n, state), list(n, value)
	if left != right {
		b.f("%s = %s", left, right)
	}
}

// vector writes the file's part on package simd.
func (d *dense) vector(file *unit) {
	b := &lines{}
	d.use("simd")
	decls, names := d.params()
	args := strings.Join(names, ", ")
	b.f("\n// %[1]sDense is %[1]sPortable on vectors: each lane has an element of its own.", d.name)
	b.f("func %sDense(%s) {\nvar v %s\nif simd.Emulated() {\n%sPortable(%s)\nreturn\n}", d.name, declared(decls), kernel.Simd.Vector(d.t), d.name, args)
	if d.tiles {
		tile := d.vectorTile("v.Len()", "")
		if d.hasArch() {
			tile = d.name + "TileOf(v.Len())"
		}
		b.f("if h >= %d {\n%sTiles(%s, %s)\nreturn\n}", min(d.tileRows(), 3), d.name, args, tile)
	}
	b.f("if w < v.Len() {\n%sPortable(%s)\nreturn\n}\n%sSweeps(%s, %sSweep)\n}", d.name, args, d.name, args, d.name)
	if d.tiles {
		d.vectorBand(b, kernel.Simd)
	}
	d.vectorSweep(b)
	file.printf("%s", b.String())
}
