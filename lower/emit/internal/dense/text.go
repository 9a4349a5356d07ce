package dense

import (
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Portable writes the loops over tiles and rows, and both in plain Go.
func (d *Stage) Portable(file *scope.Unit) {
	decls, names := d.Params()
	args := strings.Join(names, ", ")
	b := &scope.Lines{}
	if d.tiles {
		d.blocks(b, decls)
		d.plainBand(b)
	}
	d.sweeps(b, decls)
	d.plainSweep(b)
	b.F("\n// %sPortable updates h rows of w elements with n steps, from row y and step k on.", d.Name)
	b.F("// The functions give a row of the result, what a row has in common at as many steps as there is room, and a row that is read.")
	b.F("func %sPortable(%s) {", d.Name, scope.Declared(decls))
	if d.tiles {
		b.F("if h >= %d {\n%sTiles(%s, %s)\nreturn\n}", plainRows, d.Name, args, d.tileText(plainRows, strconv.Itoa(plainColumns), "1", "Portable"))
	}
	b.F("%sSweeps(%s, %sSweepPortable)\n}", d.Name, args, d.Name)
	file.Printf("%s", b.String())
}

// assignAll writes the update of all components of one element.
func (d *Stage) assignAll(b *scope.Lines, value, state func(comp int) string) {
	n := len(d.Nest.Values)
	left, right := scope.List(n, state), scope.List(n, value)
	if left != right {
		b.F("%s = %s", left, right)
	}
}

// Vector writes the file's part on package simd.
func (d *Stage) Vector(file *scope.Unit) {
	b := &scope.Lines{}
	d.use("simd")
	decls, names := d.Params()
	args := strings.Join(names, ", ")
	b.F("\n// %[1]sDense is %[1]sPortable on vectors: each lane has an element of its own.", d.Name)
	b.F("func %sDense(%s) {\nvar v %s\nif simd.Emulated() {\n%sPortable(%s)\nreturn\n}", d.Name, scope.Declared(decls), kernel.Simd.Vector(d.T), d.Name, args)
	if d.tiles {
		tile := d.vectorTile("v.Len()", "")
		if d.hasArch() {
			tile = d.Name + "TileOf(v.Len())"
		}
		b.F("if h >= %d {\n%sTiles(%s, %s)\nreturn\n}", min(d.tileRows(), 3), d.Name, args, tile)
	}
	b.F("if w < v.Len() {\n%sPortable(%s)\nreturn\n}\n%sSweeps(%s, %sSweep)\n}", d.Name, args, d.Name, args, d.Name)
	if d.tiles {
		d.vectorBand(b, kernel.Simd)
	}
	d.vectorSweep(b)
	file.Printf("%s", b.String())
}
