package funcs

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
)

// Scan is the function of a component.
type Scan struct {
	*Run
	Tree   bool        // of floats, in tiles; else the states are those of the serial loop
	Output int         // the component of the buffer; -1 where states are not kept
	State  int         // the component of the state
	Starts []ir.Expr   // the state before the first step
	To     ir.Expr     // the state behind an element
	Lanes  *forms.Scan // nil where there are none
	Inject []ir.Expr   // what a step of a tree injects: one value, or the factor and the summand
	Op     ir.Op       // of a tree, and of total
	Total  *Run        // combines what a tile injects, where tiles may run at once; nil where a tile's scan is all

	Composed *Composed // of steps whose parameters compose; nil for others
}

// ScanBlock is how many steps go through all passes at once: what one has written is in the first cache when the next one reads it.
const ScanBlock = 2048

// ScanNames are what functions of scans call things.
var ScanNames = strings.Fields("dst id carry low last one ones zero so factor sum ends fine finite0 finite1 v w p q o s t u even seven idle1 idle2 idle4 by1 by2 by4 by8 by16 end size sign f g start u1 u2 v1 v2 v4 w1 w2 w4 out back")

// Callee is the function that the stage calls.
func (r *Scan) Callee() string {
	switch {
	case r.Tree:
		return r.Name + "Tile"
	case r.Lanes != nil:
		return r.Name + "Kernel"
	}
	return r.Name + "Portable"
}

// parameters is the parameters of the functions, behind the slice that is written and the state; a tree has what it has combined so far besides.
func (r *Scan) parameters(tree bool) string {
	t := kernel.GoType[r.Types[0]]
	l := []scope.Param{{Name: "dst", Type: "[]" + t}}
	for i := range r.Types {
		l = append(l, scope.Param{Name: fmt.Sprintf("x%d", i), Type: t})
	}
	switch {
	case tree && r.Composed != nil:
		l = append(l, scope.Param{Name: "so", Type: fmt.Sprintf("*[%d]%s", len(r.Composed.Inject), t)}, scope.Param{Name: "begun", Type: "bool"})
	case tree:
		l = append(l, scope.Param{Name: "so", Type: "*prefix[" + t + "]"})
	}
	return "(" + scope.Declared(append(l, r.takes()...)) + ")"
}

// passed returns the arguments of a call to another function of the scan: dst and the streams, both sliced by part, and the
// state.
func (r *Scan) passed(state, part string) string {
	return r.Arguments([]string{"dst" + part, state}, part, "")
}

// stateNames are the state, as arguments.
func (r *Scan) stateNames() string { return strings.Join(r.States(), ", ") }

// treeState is the same with what a tree has combined so far, and, where steps compose, whether there is any.
func (r *Scan) treeState(begun string) string {
	if r.Composed != nil {
		return r.stateNames() + ", so, " + begun
	}
	return r.stateNames() + ", so"
}

// result is the type of the state.
func (r *Scan) result() string {
	types := scope.List(len(r.Types), func(int) string { return kernel.GoType[r.Types[0]] })
	if len(r.Types) > 1 {
		return "(" + types + ")"
	}
	return types
}

// clampedStreams gives all streams the length of what is written.
func (r *Scan) clampedStreams() string {
	var b strings.Builder
	for _, s := range r.Streams {
		fmt.Fprintf(&b, "%[1]s = %[1]s[:len(dst)]\n", s.Name)
	}
	return b.String()
}
