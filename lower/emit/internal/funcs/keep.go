package funcs

import (
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Keeper is the innermost loop of a stage at counted places, as calls of functions: one keeps elements of a run one behind another, and one
// counts them, so that slices know where to begin.
//
//	if in(r) > 9: out(pos++) = in(r)   →   at, ok := outKernel(out, at, in)
type Keeper struct {
	*Run
	Counts *Run // nil where every element is kept
}

// KeepNames are what functions of keepers call things.
var KeepNames = strings.Fields("dst at front size kept m packs pairs place ahead head found from left")

// keepTile is how many elements are moved to the front of an array before those that are kept are copied to the result. What the result has behind
// them stays as it is.
const keepTile = 512

// results names the slices that elements are kept in.
func (k *Keeper) results() (names []string) {
	if len(k.Types) == 1 {
		return []string{"dst"}
	}
	for i := range k.Types {
		names = append(names, "dst"+strconv.Itoa(i))
	}
	return names
}

// fronts names the arrays that elements are moved to the front of.
func (k *Keeper) fronts() (names []string) {
	for i := range k.Types {
		names = append(names, "front"+strconv.Itoa(i))
	}
	return names
}

// parameters is the parameters of the function.
func (k *Keeper) parameters() string {
	var l []scope.Param
	for i, name := range k.results() {
		l = append(l, scope.Param{Name: name, Type: "[]" + kernel.GoType[k.Types[i]]})
	}
	return "(" + scope.Declared(append(append(l, scope.Param{Name: "at", Type: "int"}), k.takes()...)) + ")"
}

// handedOn is how a function passes its arguments on to another; part is the part of the streams: a text like [:n].
func (k *Keeper) handedOn(part string) string {
	return k.Arguments(append(k.results(), "at"), part, "")
}
