// Package forms has the ways in which the serial kernel of a stage goes by vectors: a table of forms, of which Choices tries all and Cheapest takes the
// one that is estimated lowest. What scans, keeps or looks for elements has forms of its own (ScanOf, KeepOf, UntilOf).
package forms

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// form is a way in which runs go by vectors.
type form struct {
	name  string
	needs []need
	// of gives the kernel; nil where the run has not what the form is for, and why not where it comes near.
	of func(serial) (k *kernel.Kernel, why string)
	// conditions says that the form takes the conditions of a run. They are moved into operands for others.
	conditions bool
}

// need is what a form needs of a run, beside the operations of a target, and what is said where the run has it not.
type need struct {
	holds func(serial) bool
	why   string
}

// Needs of forms, with the reason that is given where one is not met.
var (
	anOperator = need{func(k serial) bool { return k.May.Factored }, "the schedule keeps the order of the elements"}
	anyOrder   = need{func(k serial) bool { return k.May.Commute }, "the operator does not commute, so that elements stay in order"}
	noFlag     = need{func(k serial) bool { return !k.May.Seen }, "whether any element has come is asked at each of them"}
	noPlaces   = need{func(k serial) bool { return !k.UsesPlace() }, "coordinates of elements are no numbers of lanes that hold tuples"}
	itsTuples  = need{func(k serial) bool { return k.Operator != nil && (k.May.Seen || len(k.Identity) == len(k.State)) }, "lanes have no tuple to begin with"}
)

// Why forms do not come about.
const (
	differ    = "elements differ in width, or are no numbers that lanes hold"
	unguarded = "a condition chooses the elements, which vectors cannot compute, or not for all components"
)

// forms lists the forms in the order of preference, where estimates do not tell. Skipping leaves elements out under a condition, which others
// move into operands.
func forms() []form {
	return []form{
		{name: "widening", of: widening},
		{name: "independent", of: independent},
		{name: "counting", of: counting},
		{name: "differences", of: differences},
		{name: "coupled", needs: []need{anOperator, anyOrder, noPlaces, itsTuples}, of: coupled},
		{name: "skipping", of: skipping, conditions: true},
		{name: "history", of: history},
		{name: "powers", of: powers},
		{name: "owned", of: owned},
	}
}

// Choice is what became of a form for a run.
type Choice struct {
	Form   string
	Kernel *kernel.Kernel // in lanes; nil where the form does not apply
	Cost   float64        // cycles an element, as Kernel.Cost estimates them for vectors of 256 bits; 0 where no target runs the kernel
	Why    string         // why a target cannot run the kernel, or why there is none; "" where the run is of another kind, and where one can
}

// Runs reports whether vectors of 256 bits run the kernel, which other targets run then or leave to these or to plain loops.
func (c Choice) Runs() bool { return c.Kernel != nil && c.Why == "" }

// serial is a serial kernel, and what it does with an element.
type serial struct {
	*kernel.Kernel
	kernel.Each
}

// Bounds of operations: of a function on vectors, which are some 20 KB of text, and of a step for which forms are tried.
const (
	mostOperations = 640
	mostOfStep     = 2048
)

// Choices tries all forms on a serial kernel, in the order of preference.
func Choices(k *kernel.Kernel) (out []Choice) {
	whole := serial{k, k.Each()}
	folds, ok := whole, true
	if len(whole.Where) > 0 {
		folds, ok = whole.guarded()
	}
	large := loopnest.Operations(slices.Concat(whole.Where, whole.To)) > mostOfStep
	for _, f := range forms() {
		switch {
		case large:
			out = append(out, Choice{Form: f.name, Why: "a step takes too many operations"})
		case f.conditions:
			out = append(out, f.try(whole))
		case ok:
			out = append(out, f.try(folds))
		default:
			out = append(out, Choice{Form: f.name, Why: unguarded})
		}
	}
	return out
}

// try is what becomes of a form for a run.
func (f *form) try(k serial) Choice {
	for _, n := range f.needs {
		if !n.holds(k) {
			return Choice{Form: f.name, Why: n.why}
		}
	}
	v, why := f.of(k)
	if v == nil {
		return Choice{Form: f.name, Why: why}
	}
	shaped, why := v.Shape(kernel.Archsimd)
	if why != "" {
		return Choice{Form: f.name, Kernel: v, Why: why}
	}
	if n := shaped.Operations(); n > mostOperations {
		return Choice{Form: f.name, Why: fmt.Sprintf("lanes would take %d operations, of which %d are too many", n, mostOperations)}
	}
	return Choice{Form: f.name, Kernel: v, Cost: v.Cost(kernel.Archsimd)}
}

// Cheapest gives the choice that is estimated lowest among those that some target runs, of those that are alike the first; false, and why, where
// none runs. What a target lacks is said first, else what the form that takes any operator needs.
func Cheapest(choices []Choice) (best Choice, ok bool, why string) {
	why = differ
	lacks := false
	for _, c := range choices {
		switch {
		case c.Runs():
			if !ok || c.Cost < kernel.Alike*best.Cost {
				best, ok = c, true
			}
		case c.Kernel != nil && !lacks:
			lacks, why = true, c.Why
		case c.Why != "" && !lacks:
			why = c.Why
		}
	}
	if ok {
		why = ""
	}
	return best, ok, why
}

// guarded moves the condition of a run into its operands, since lanes cannot leave an element
// out. It is not ok where a component is no fold.
//
//	where c: x + h   →   x + select(c, h, 0)
func (k serial) guarded() (out serial, ok bool) {
	out.Kernel = k.Kernel
	cond := folds.Conjunction(k.Where)
	for i, v := range k.To {
		p, ok := folds.Of(v, i)
		if !ok || p.Op == ir.Const || v.Type() == ir.Bool {
			return out, false
		}
		to, ok := p.Guarded(cond, v.Pool().X(i, v.Type()))
		if !ok {
			return out, false
		}
		out.To = append(out.To, to)
	}
	return out, true
}

// sum takes x + h apart, where h does not depend on the state: the only component is a sum.
func (k serial) sum() (x, h ir.Expr, ok bool) {
	if len(k.To) != 1 || k.UsesPlace() {
		return x, h, false
	}
	p, ok := folds.Of(k.To[0], 0)
	return k.To[0].Pool().X(0, k.State[0]), p.Leaf, ok && p.Op == ir.Add
}

// streamOf is the stream whose element an expression is, -1 for none.
func (k serial) streamOf(e ir.Expr) int {
	if op, i, _ := kernel.Operand(e); op == kernel.Load {
		return i
	}
	return -1
}

// moves reports whether an expression changes from element to element.
func (k serial) moves(e ir.Expr) bool {
	moves := kernel.Mentions([]ir.Expr{e}, kernel.Place, 0)
	for s := range k.Streams {
		moves = moves || kernel.Mentions([]ir.Expr{e}, kernel.Load, s)
	}
	return moves
}

// laneBits is the width of the lanes that hold the elements of all streams, or of those that e mentions; 0 where they differ.
func (k serial) laneBits(e ir.Expr) (bits int) {
	for s, t := range k.Streams {
		if e.IsValid() && !kernel.Mentions([]ir.Expr{e}, kernel.Load, s) {
			continue
		}
		b := kernel.LaneBits(t)
		if b == 0 || bits != 0 && bits != b {
			return 0
		}
		bits = b
	}
	return bits
}
