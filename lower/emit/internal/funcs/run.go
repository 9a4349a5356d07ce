// Package funcs prints the functions that the loops of a package call: each takes a run of elements that lie one behind another, in plain Go and,
// where a kernel has lanes, on vectors.
//
//	Run       updates one element
//	Scan      writes the states behind each element
//	Keeper    moves the elements that are kept together
//	Scatter   updates the elements of a row that data select
//
// A Run says besides how its steps end early (Until), how its rows are joined (Flat), and what is left where it reads earlier elements (Parts).
// Package emit knows which stages have which functions, and where they are called.
package funcs

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Run is a function that updates one element with a run of elements that lie contiguous
// in every array that it reads.
type Run struct {
	Name    string // without Portable, Kernel
	Nest    *loopnest.Nest
	Loop    plan.Loop
	Types   []ir.Type
	Outputs []string // what it writes, an element for each that it reads
	Streams []Stream
	Scalars []scalar       // what does not change during the run
	First   bool           // the loop's variable is needed besides: its first value is passed
	Serial  *kernel.Kernel // over the streams and scalars by their numbers
	Plain   *kernel.Kernel // the same as a loop over elements
	Vector  *kernel.Kernel // in lanes; nil for none
	Form    string         // its name in the table
	Why     string         // why there is none
	Choices []forms.Choice

	Flat  *Flat  // nil where runs are not joined
	parts []*Run // what is left where earlier elements are read
	Part  bool   // it is one of these

	Until *Until   // its steps end early; nil where they do not, or not by a condition on inputs
	Of    *Run     // the run that calls this one, if it is one of those
	Avoid []string // names that are no arguments
}

// Stream is a read that steps through an array element by element.
type Stream struct {
	Call   ir.Expr
	Access access.Access
	Name   string
}

type scalar struct {
	Expr ir.Expr
	Name string
}

// FindStreams adds the reads that are contiguous in the loop at depth d to k.Streams. It reports false where some read depends
// on the loop in another way, and where there is no stream.
func (k *Run) FindStreams(n *loopnest.Nest, d int) bool {
	for _, r := range n.Reads() {
		switch {
		case !access.Mentions(r.Call, k.Loop.Var):
		case r.Contiguous() == d:
			k.Streams = append(k.Streams, Stream{Call: r.Call, Access: r})
		default:
			return false
		}
	}
	return len(k.Streams) > 0
}

var vectorNames = []string{"s", "t", "x", "y", "m", "at", "part", "all", "lanes", "kept", "place", "stay", "still", "total", "whole", "back", "state", "got", "want", "most"}

// ofVectors reports whether kernels on vectors declare such a name: by components or streams, as x1, by copies, as x1a, and by steps of those, as x1a2.
func ofVectors(name string) bool {
	numbered := func(name string) bool {
		of := strings.TrimRight(name, "0123456789")
		return of != name && slices.Contains(vectorNames, of)
	}
	step := strings.TrimRight(name, "0123456789")
	n := len(step)
	return numbered(name) || n > 0 && step[n-1] >= 'a' && step[n-1] <= 'l' && numbered(step[:n-1])
}

// NameArguments finds the other arguments: parameters, extents and variables in the expressions.
func (k *Run) NameArguments(g *scope.Scope) {
	taken := map[string]bool{}
	for w := range g.Taken {
		_, isHelper := gosrc.Helpers[w]
		taken[w] = slices.Contains(scope.Reserved, w) || isHelper
	}
	fresh := func(like string) string {
		base := scope.Identifier(like)
		if ofVectors(base) {
			base += "_"
		}
		name := base
		for i := 2; taken[name] || token.IsKeyword(name); i++ {
			name = base + strconv.Itoa(i)
		}
		taken[name] = true
		return name
	}
	for i := range k.Types {
		taken["x"+strconv.Itoa(i)] = true
	}
	for _, w := range k.Avoid {
		taken[w] = true
	}
	for _, w := range []string{"first", "i", "y", "n", "v", "whole", "start", "end", "c", "t", "sum", "steps", "lanes", "part", "zero", "blocks", "sa", "sb", "sc", "sd"} {
		taken[w] = true
	}
	for i, s := range k.Streams {
		k.Streams[i].Name = fresh(g.Arrays[s.Access.Array].Parts[s.Access.Component])
	}
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		switch {
		case e == k.Loop.Var:
			k.First = true
		case k.StreamOf(e) >= 0, e.Op() == ir.Var && (e.Kind() == ir.State || e.Kind() == ir.Leaf):
		case e.NumArgs() == 0 && e.Op() != ir.Const, access.IsRead(e):
			if !slices.ContainsFunc(k.Scalars, func(s scalar) bool { return s.Expr == e }) {
				k.Scalars = append(k.Scalars, scalar{e, fresh(g.Apart(e.Name()))})
			}
		default:
			for i := range e.NumArgs() {
				visit(e.Arg(i))
			}
		}
	}
	for _, e := range slices.Concat(k.Nest.Where, k.Nest.Values) {
		visit(e)
	}
}

// Composes reports whether the state is a step, which begins as the one that changes nothing.
func (k *Run) Composes() bool {
	return !k.Part && k.Serial.May.Compose && len(k.Serial.Identity) == len(k.Types)
}

// StreamOf is the number of the stream that a read is; -1 for none.
func (k *Run) StreamOf(e ir.Expr) int {
	return slices.IndexFunc(k.Streams, func(s Stream) bool { return s.Call == e })
}

// States returns the Go names of the components: x0, x1, ….
func (k *Run) States() []string {
	var l []string
	for i := range k.Types {
		l = append(l, "x"+strconv.Itoa(i))
	}
	return l
}

// Params is the parameters and the results of the function.
func (k *Run) Params() string {
	var l []scope.Param
	var results []string
	for i, t := range k.Types {
		l = append(l, scope.Param{Name: k.States()[i], Type: kernel.GoType[t]})
		results = append(results, kernel.GoType[t])
	}
	out := "int" // a place
	switch {
	case len(results) == 1:
		out = results[0]
	case len(results) > 1:
		out = scope.Bracket(results)
	}
	var to []scope.Param
	for i, name := range k.Outputs {
		to = append(to, scope.Param{Name: name, Type: "[]" + kernel.GoType[k.Plain.Outputs[i]]})
	}
	return "(" + scope.Declared(slices.Concat(to, l, k.takes())) + ") " + out
}

// takes are the parameters of a run but for the state.
func (k *Run) takes() (l []scope.Param) {
	if k.First {
		l = append(l, scope.Param{Name: "first", Type: "int"})
	}
	for _, s := range k.Scalars {
		l = append(l, scope.Param{Name: s.Name, Type: kernel.GoType[s.Expr.Type()]})
	}
	for _, s := range k.Streams {
		l = append(l, scope.Param{Name: s.Name, Type: "[]" + kernel.GoType[s.Call.Type()]})
	}
	return l
}

// Arguments is how one kernel passes what it got on to another; drop is what has been done
// with the streams: a text like [at:], and how much has been added to first.
func (k *Run) Arguments(states []string, drop, firstPlus string) string {
	var l []string
	for _, name := range k.Outputs {
		l = append(l, name+drop)
	}
	l = append(l, states...)
	if k.First {
		l = append(l, "first"+firstPlus)
	}
	for _, s := range k.Scalars {
		l = append(l, s.Name)
	}
	for _, s := range k.Streams {
		l = append(l, s.Name+drop)
	}
	return scope.Bracket(l)
}

// passes is how a run passes on to another what that takes of its arguments; see arguments.
func (k *Run) passes(to *Run, states []string, drop, firstPlus string) string {
	return scope.Bracket(append(slices.Clone(states), k.given(to, drop, firstPlus)...))
}

// given is the same without the states.
func (k *Run) given(to *Run, drop, firstPlus string) (l []string) {
	if to.First {
		l = append(l, "first"+firstPlus)
	}
	for _, s := range to.Scalars {
		i := slices.IndexFunc(k.Scalars, func(o scalar) bool { return o.Expr == s.Expr })
		l = append(l, k.Scalars[i].Name)
	}
	for _, s := range to.Streams {
		if i := k.StreamOf(s.Call); i >= 0 {
			l = append(l, k.Streams[i].Name+drop)
			continue
		}
		for _, w := range k.Until.Watch {
			switch s.Call {
			case w.Before:
				l = append(l, w.Array+drop)
			case w.After:
				l = append(l, w.Array+"[1:]"+drop)
			}
		}
	}
	return l
}

// behind is the text by which a function leaves out so many elements that it has taken.
func (k *Run) behind(n string) string {
	var b scope.Lines
	for _, s := range k.Streams {
		b.F("%[1]s = %[1]s[%[2]s:]", s.Name, n)
	}
	if k.First {
		b.F("first += %s", n)
	}
	return b.String()
}

// ShortRun is how many elements are too few for vectors, whatever their width: the kernels take four vectors at least.
const ShortRun = 32

// AlwaysLong reports whether a kernel's runs are known not to be short.
func (k *Run) AlwaysLong() bool {
	n := k.Loop.Span.Extent
	return n.Op() == ir.Const && n.Int() >= ShortRun
}

// Callee is the function of a run.
func (k *Run) Callee() string {
	if k.Vector != nil {
		return k.Name + "Kernel"
	}
	return k.Name + "Portable"
}

// InLanes reports whether a run has a function on vectors, or one that finds its end.
func (k *Run) InLanes() bool { return k.Vector != nil || k.Until != nil && k.Until.Hits.Vector != nil }

// Same reports whether functions of two runs of one update differ in their names alone.
func (k *Run) Same(o *Run) bool {
	name := func(s Stream) string { return s.Name }
	argument := func(s scalar) string { return s.Name }
	return (k.Vector == nil) == (o.Vector == nil) && (k.Until == nil) == (o.Until == nil) && k.Plain.String() == o.Plain.String() &&
		slices.Equal(mapped(k.Streams, name), mapped(o.Streams, name)) && slices.Equal(mapped(k.Scalars, argument), mapped(o.Scalars, argument))
}

func mapped[T any](list []T, f func(T) string) (out []string) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}
