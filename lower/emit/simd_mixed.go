package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
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
func (k *kernel) kept() (out []kept) {
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
func (g *generator) keep(k *kernel, lanes []int) {
	for _, c := range k.kept() {
		values := c.names
		if len(values) == 1 {
			values = append(slices.Clone(values), "0") // an array of one element would be kept in a register
		}
		g.file.printf("%s := [...]%s{%s}\n", c.array(), goTypes[c.t], strings.Join(values, ", "))
	}
	for _, i := range lanes {
		g.file.printf("var lanes%d [%d]%s\n", i, 512/k.laneType(i).Bits(), goTypes[k.laneType(i)])
	}
}

func (c kept) array() string { return fmt.Sprintf("kept%d", c.t.Bits()) }

// restore ends the use of vectors and writes the arguments back.
func (g *generator) restore(k *kernel) {
	g.file.printf("endVectors()\n")
	for _, c := range k.kept() {
		var from []string
		for i := range c.names {
			from = append(from, fmt.Sprintf("%s[%d]", c.array(), i))
		}
		g.file.printf("%s = %s\n", strings.Join(c.names, ", "), strings.Join(from, ", "))
	}
}

// save writes the states into memory again, before vectors are used once more.
func (g *generator) save(k *kernel) {
	for _, c := range k.kept() {
		for i, name := range c.names {
			if slices.Contains(k.states(), name) {
				g.file.printf("%s[%d] = %s\n", c.array(), i, name)
			}
		}
	}
}

// laneType is the type of the lanes in which component i is reduced: that of the elements, where these are
// narrower than the component.
func (k *kernel) laneType(i int) ir.Type {
	if f, ok := k.vector.(*lanesForm); ok {
		for _, a := range f.args {
			if a.comp == i {
				return k.streams[a.stream].call.Type()
			}
		}
	}
	return k.types[i]
}
