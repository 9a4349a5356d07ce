package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Go's compiler takes instructions of 128 bits for floats, for copies and for clearing memory. Processors
// that keep the upper parts of registers apart make each change between them and wider ones wait: 100 ns
// and more where it was measured, as long as 4,000 elements take. Kernels therefore keep floats in memory
// while vectors are in use, where the compiler would else move them about inside of the loop; declare
// arrays before; and end with endVectors.

// endVectorsText is the function for amd64, and for other machines.
const (
	endVectorsAMD64 = `
// endVectors clears the upper parts of vector registers. Scalar instructions on floats wait where they are
// in use.
func endVectors() { archsimd.ClearAVXUpperBits() }
`
	endVectorsOther = "\nfunc endVectors() {}\n"
)

// kept is the float arguments of a kernel, which lie in memory while vectors are in use.
type kept struct {
	t     ir.Type
	names []string
}

// kept lists the arguments by their types.
func (k *run) kept() (out []kept) {
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		c := kept{t: t}
		for i, s := range k.states() {
			if k.types[i] == t {
				c.names = append(c.names, s)
			}
		}
		for _, s := range k.scalars {
			if s.expr.Type() == t {
				c.names = append(c.names, s.name)
			}
		}
		if len(c.names) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// keep writes the declarations of arrays that hold float arguments, and of those for lanes.
func (w *vectorWriter) keep() {
	for _, c := range w.k.kept() {
		values := c.names
		if len(values) == 1 {
			values = append(slices.Clone(values), "0") // an array of one element would be kept in a register
		}
		w.f("%s := [...]%s{%s}", c.array(), kernel.GoType[c.t], strings.Join(values, ", "))
	}
	for _, a := range w.v.Accumulators {
		w.f("var lanes%d [%d]%s", a.Comp, 512/a.Out.Bits(), kernel.GoType[a.Out])
	}
}

func (c kept) array() string { return fmt.Sprintf("kept%d", c.t.Bits()) }

// restore ends the use of vectors and writes the arguments back.
func (w *vectorWriter) restore() {
	w.f("endVectors()")
	for _, c := range w.k.kept() {
		w.f("%s = %s", strings.Join(c.names, ", "), list(len(c.names), func(i int) string { return fmt.Sprintf("%s[%d]", c.array(), i) }))
	}
}

// save writes the states into memory again, before vectors are used once more.
func (w *vectorWriter) save() {
	for _, c := range w.k.kept() {
		for i, name := range c.names {
			if slices.Contains(w.k.states(), name) {
				w.f("%s[%d] = %s", c.array(), i, name)
			}
		}
	}
}
