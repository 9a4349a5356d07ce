// Package prepare has the stages of a plan as they run in this process: with loops in other forms and orders, and with what their components are, so that
// runs, of which several may go on at once, add no expression to the program's pool.
package prepare

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Stage is a stage as it was prepared by Compile: all expressions that a run needs.
type Stage struct {
	Stage   *plan.Stage
	Answer  *rfactor.Answer // nil where the stage's update was not factored
	Vars    []ir.Expr       // of the loops
	Forms   []map[ir.Expr][]access.Coordinate
	Targets [][]access.Coordinate // of the element, and above of each read, by the loop that is innermost

	Comparisons []map[ir.Expr]Comparison // among the conditions, by the innermost loop

	Form   *ScanForm // of a scan that blocks serve; nil for others
	Ending *ending   // of steps that end by a condition on inputs; nil for others

	ReadsItself bool // at other elements than the one it updates

	Lanes     *Lanes   // that the innermost loop was joined of; nil for most
	Long      *LongRow // the same with loops joined; nil where that cannot be
	Fixed     []bool   // the loops whose span mentions no other's variable
	Inner     []bool   // those that may be innermost
	Collapsed int      // how many loops the innermost was joined of, and dimensions of what it reads

	X, Y []ir.Expr // the operands of ⊕ by component; see Operands of ir.Pool

	Tabled   *StepTable   // nil where steps are computed
	History  *History     // nil where no component is what the last elements say
	Narrow   *narrowSteps // nil where parameters may not fit into 32 bits
	Powers   *PowersForm  // nil where steps are no linear maps
	Masked   []ir.Expr    // the values, or the state where a condition does not hold; nil where no steps are composed
	Identity []uint64     // what ⊕ leaves as it is, where partial results begin with it; nil where that is no literal

	// How each component can be computed for many points at once.
	Parts    []folds.Part
	IsPart   []bool
	Searches []folds.Search
	Changes  []change
	Budget   *Budget          // nil for most
	Products []ComplexProduct // of components
}

// New prepares a stage. It is an error where what is written has other dimensions than its buffer.
func New(p *plan.Plan, s *plan.Stage) (*Stage, error) {
	form, err := newScanForm(p, s)
	if err != nil {
		return nil, err
	}
	s = unsplit(cheapened(s))
	n, err := prepareLoops(p, s)
	if err != nil {
		return nil, err
	}
	n.Form = form
	if n.Ending, err = endingOf(p, s); err != nil {
		return nil, err
	}
	if n.Ending != nil && !slices.Equal(n.Ending.Plain.Vars, n.Vars) { // lanes were joined
		n.Ending = nil
	}
	n.Long, err = newLongRow(p, s)
	return n, err
}

// prepareLoops prepares a stage with its loops as they are, but for lanes.
func prepareLoops(planned *plan.Plan, s *plan.Stage) (*Stage, error) {
	plain, pair := s, access.LoopVars(s)
	s, l := joinedFolds(s)
	n := &Stage{Stage: s, Vars: access.LoopVars(s), Lanes: l}
	if s.From != nil {
		n.Answer = planned.Answers[s.From]
	}
	n.Identity = identityOf(planned, s)
	if len(s.Index) != len(s.Buffer.Dims) {
		return nil, fmt.Errorf("%s has %d dimensions and is written at %d coordinates", s.Buffer.Name, len(s.Buffer.Dims), len(s.Index))
	}
	reads := blockReads(s)
	for _, v := range n.Vars {
		forms := map[ir.Expr][]access.Coordinate{}
		for _, a := range reads {
			forms[a.Call] = access.Coordinates(access.Operands(a.Call), []ir.Expr{v})
			n.ReadsItself = n.ReadsItself || a.Array == s.Buffer.Name
		}
		n.Forms = append(n.Forms, forms)
		n.Targets = append(n.Targets, access.Coordinates(s.Index, []ir.Expr{v}))
		comparisons := map[ir.Expr]Comparison{}
		for _, e := range s.Where {
			if c, ok := comparisonOf(e, v); ok {
				comparisons[e] = c
			}
		}
		n.Comparisons = append(n.Comparisons, comparisons)
	}
	for i, l := range s.Loops {
		n.Fixed, n.Inner = append(n.Fixed, !SpanMentions(l.Span, n.Vars)), append(n.Inner, mayBeInnermost(s.Loops, i))
	}
	for c, v := range s.Values {
		// Several runs may go on at once, so that none of them may use the pool.
		n.X, n.Y = append(n.X, v.Pool().X(c, v.Type())), append(n.Y, v.Pool().Y(c, v.Type()))
		n.Changes = append(n.Changes, changeOf(s, c))
	}
	if l != nil {
		n.Targets[len(n.Targets)-1] = l.still(plain.Index, pair[len(pair)-2:])
	}
	if s.Buffer.Steps != "" && len(s.Where) > 0 {
		n.Masked = maskedValues(s, n.X)
	}
	n.Powers, n.Narrow = powersOf(n), narrowStepsOf(n)
	n.Tabled = n.tabulate()
	n.Parts, n.IsPart = folds.All(s.Values)
	n.Budget, n.Products = budgetOf(s), n.complexProducts()
	n.Searches = folds.Searches(s.Values, n.Parts, n.IsPart)
	var err error
	n.History, err = historyOf(planned, n)
	return n, err
}

// maskedValues are the values of a stage where its conditions hold, and the state elsewhere.
func maskedValues(s *plan.Stage, x []ir.Expr) (out []ir.Expr) {
	cond := folds.Conjunction(s.Where)
	for c, v := range s.Values {
		out = append(out, ir.SelectOf(cond, v, x[c]))
	}
	return out
}

// identityOf is the first value of the partial results that a stage makes.
func identityOf(planned *plan.Plan, s *plan.Stage) (out []uint64) {
	for _, first := range planned.Firsts() {
		if first.Buffer != s.Buffer || s.Buffer.Output {
			continue
		}
		for _, v := range first.Values {
			if !v.IsClosed() {
				return nil
			}
			out = append(out, ir.Eval(v, &ir.Env{}))
		}
		return out
	}
	return nil
}

// blockReads are the reads of a stage and of the operands with which a tree begins: these
// are whole tuples, of which the values need not mention every component.
func blockReads(s *plan.Stage) []access.Access {
	whole := *s
	whole.Values = slices.Concat(s.Values, s.Inject)
	return access.Reads(&whole)
}

// joinedFolds joins lanes where all components are folds of numbers; else it lets lanes
// be moved outwards.
func joinedFolds(s *plan.Stage) (*plan.Stage, *Lanes) {
	if j, l := joined(s); j != nil {
		all := true
		for c, v := range j.Values {
			p, ok := folds.Of(v, c)
			all = all && ok && (p.Op == ir.Const || v.Type() != ir.Bool)
		}
		if all {
			return j, l
		}
	}
	return relaxed(s), nil
}

// Parallel reports whether a loop is to run on goroutines: as it says, or as the loop does
// inside which the buffer is computed.
func (n *Stage) Parallel(l plan.Loop) bool {
	at := n.Stage.Buffer.At
	return l.Pure && (l.How == plan.InParallel || at != nil && at.Var == l.Var)
}

// MayRegroup reports whether floats may be combined in another order than the plan's.
func (n *Stage) MayRegroup() bool { return n.Answer != nil && n.Answer.Assumes.Has(ir.Reassoc) }

// IsSearch and isPayload tell the components of searches.
func (n *Stage) IsSearch(c int) bool {
	return slices.ContainsFunc(n.Searches, func(s folds.Search) bool { return s.Key == c })
}

// IsPayload reports whether a component is what a search takes along.
func (n *Stage) IsPayload(c int) bool {
	return slices.ContainsFunc(n.Searches, func(s folds.Search) bool { return slices.Contains(s.Payload, c) })
}

// Composes reports whether a stage composes the steps of a lift, from a step that changes nothing.
func (n *Stage) Composes() bool {
	return n.Stage.Buffer.Steps != "" && n.Stage.Role == plan.Intermediate && len(n.Identity) == len(n.Stage.Values)
}

// Seen reports whether a flag tells if any of the elements has come that a stage combines.
func (n *Stage) Seen() bool {
	return n.Stage.Buffer.Seen && n.Stage.Role == plan.Intermediate && (n.Composes() || n.Regroups())
}

// Peeled takes the values apart by the flag that is the last component: those of the first element, and those after it.
func (n *Stage) Peeled() (first, next []ir.Expr, ok bool) {
	last := len(n.Stage.Values) - 1
	flag := n.X[last]
	for _, v := range n.Stage.Values[:last] {
		a, b := v, v
		if v.Op() == ir.Select && v.Arg(0) == flag {
			a, b = v.Arg(2), v.Arg(1)
		}
		if access.Mentions(a, n.X...) || access.Mentions(b, flag) {
			return nil, nil, false
		}
		first, next = append(first, a), append(next, b)
	}
	return first, next, n.Stage.Values[last].IsConst(1)
}

// Regroups reports whether partial results of any elements may be combined by the operator.
func (n *Stage) Regroups() bool {
	s := n.Stage
	return n.Answer.Operator != nil && len(s.Operator) == len(s.Inject)
}

// NeededBy returns the components and, behind them, all others whose operands ⊕ reads to combine these, directly or through others.
func (n *Stage) NeededBy(components []int) []int {
	needed := slices.Clone(components)
	for k := 0; k < len(needed); k++ { // needed grows
		e := n.Stage.Operator[needed[k]]
		for i := range n.Stage.Operator {
			if !slices.Contains(needed, i) && access.Mentions(e, n.X[i], n.Y[i]) {
				needed = append(needed, i)
			}
		}
	}
	return needed
}

// IsLiteral reports whether it is known how the element moves with the innermost variable.
func IsLiteral(dims []access.Coordinate) bool {
	return !slices.ContainsFunc(dims, func(d access.Coordinate) bool { return d.Coef[0].Op() != ir.Const })
}

// IsStill reports whether all points of a row update one element.
func IsStill(dims []access.Coordinate) bool {
	return !slices.ContainsFunc(dims, func(d access.Coordinate) bool { return !d.Coef[0].IsConst(0) })
}

// mayBeInnermost reports whether the loops inside the i-th may go around it: of two loops
// that change places one must be pure, and spans must be known.
func mayBeInnermost(loops []plan.Loop, i int) bool {
	l := loops[i]
	return !slices.ContainsFunc(loops[i+1:], func(m plan.Loop) bool {
		return !l.Pure && !m.Pure || SpanMentions(m.Span, []ir.Expr{l.Var})
	})
}

// SpanMentions reports whether how far a loop runs depends on some variable.
func SpanMentions(s plan.Span, vars []ir.Expr) bool {
	for _, v := range ir.Vars(s.Min, s.Extent) {
		if slices.Contains(vars, v) {
			return true
		}
	}
	return false
}
