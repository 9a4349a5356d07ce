package funcs

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// keep writes the declarations of arrays that hold float arguments, and of those for lanes.
func (w *vectorWriter) keep() {
	for _, a := range w.v.InMemory {
		values := w.names(a)
		if len(values) == 1 {
			values = append(values, "0") // an array of one element would be kept in a register
		}
		w.F("%s := [...]%s{%s}", keptName(a), kernel.GoType[a.Type], strings.Join(values, ", "))
	}
	for _, a := range w.v.Accumulators {
		if a.Comp != kernel.NoComp {
			w.F("var lanes%d [%d]%s", a.Comp, 512/a.Out.Bits(), kernel.GoType[a.Out])
		}
	}
}

// keptName names the array of arguments that lie in memory.
func keptName(a kernel.Args) string { return fmt.Sprintf("kept%d", a.Type.Bits()) }

func (w *vectorWriter) names(a kernel.Args) (out []string) {
	for _, i := range a.State {
		out = append(out, w.k.States()[i])
	}
	for _, i := range a.Scalars {
		out = append(out, w.k.Scalars[i].Name)
	}
	return out
}

// restore ends the use of vectors and writes the arguments back.
func (w *vectorWriter) restore() {
	w.F("endVectors()")
	for _, a := range w.v.InMemory {
		names := w.names(a)
		w.F("%s = %s", strings.Join(names, ", "), scope.List(len(names), func(i int) string { return fmt.Sprintf("%s[%d]", keptName(a), i) }))
	}
}

// save writes the states into memory again, before vectors are used once more.
func (w *vectorWriter) save() {
	for _, a := range w.v.InMemory {
		for i, s := range a.State {
			w.F("%s[%d] = %s", keptName(a), i, w.k.States()[s])
		}
	}
}
