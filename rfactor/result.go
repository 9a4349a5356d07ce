package rfactor

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify"
)

// Status is the outcome of a match.
type Status = verify.Status

// The outcomes. A lifted answer has an operator on parameters of steps, and not on the state. A staged answer
// has Stages in place of an operator.
const (
	Associative = verify.Associative
	Lifted      = verify.Lifted
	Staged      = verify.Staged
	Refused     = verify.Refused
	Failed      = verify.Failed
)

// Result is what a match found. It is one of four variants, to which no other package adds:
//
//	*ByOperator   an operator on the state
//	*ByLift       an operator on parameters of steps, and how these act on the state
//	*ByStages     several passes, each with an operator or a lift
//	*Refusal      nothing, and why
//
// A switch over these types is exhaustive. All that a variant names is set unless the field says otherwise.
type Result interface{ result() }

// ByOperator is the result of an associative update: update(x, leaves) = x ⊕ Inject(leaves).
type ByOperator struct {
	Operator *Operator
	Inject   []ir.Expr // per component, over the leaves
	Groups   []Group   // the parts into which the tuple was taken apart
}

// ByLift is the result of a lifted update: update(x, leaves) = Lift.Apply(x, Inject(leaves)).
type ByLift struct {
	Operator *Operator // composes parameters
	Inject   []ir.Expr // per parameter, over the leaves
	Lift     *Lift
}

// ByStages is the result of an update that needs several passes.
type ByStages struct {
	Stages []Stage // in the order in which they run
}

// Refusal is the result of an update without an answer. The answer's Hint says what would give one.
type Refusal struct {
	Code    Code // the kind of the refusal
	Reason  string
	Counter *prove.Counterexample // to associativity, of the update: values of operands x_i, y_i, z_i …; nil if none was found
	Roles   []ir.Expr             // … where the second operand stands for these terms over the leaves …
	Refuted int                   // … in this component
	Nearest *Nearest              // nil where no operator of the table is near
}

func (*ByOperator) result() {}
func (*ByLift) result()     {}
func (*ByStages) result()   {}
func (*Refusal) result()    {}

// Result returns the variant that Status names. It is never nil, and shares memory with the answer. It panics for an Answer
// that Match did not give.
func (a *Answer) Result() Result {
	switch a.Status {
	case Associative:
		return &ByOperator{a.Operator, a.Inject, a.Groups}
	case Lifted:
		return &ByLift{a.Operator, a.Inject, a.Lift}
	case Staged:
		return &ByStages{a.Stages}
	case Refused:
		return &a.Refusal
	}
	panic("rfactor: an answer that Match did not give has no result")
}

// AsWritten returns the operator as the update itself writes it, for answers by the matcher "direct"
// that name an operator of the table and inject inputs as they are; not ok for other answers. Code
// that runs should use it: log(exp(x) + exp(y)) overflows where x + log(1 + exp(y - x)) does not. It
// has no identity.
func (a *Answer) AsWritten() (exprs []ir.Expr, ok bool) {
	if a.claim != nil {
		return a.claim.AsWritten()
	}
	if len(a.Groups) != 1 || !strings.HasPrefix(a.Groups[0].Via, "direct:") || len(a.Given) > 0 {
		return nil, false
	}
	_, y := a.Pool().Operands(a.Types)
	exprs = a.Pool().Map(a.Update, func(e ir.Expr) ir.Expr {
		if i := slices.Index(a.Inject, e); i >= 0 {
			return y[i]
		}
		return ir.Expr{}
	})
	for i, e := range a.Inject {
		if e.Op() != ir.Var || e.Kind() != ir.Leaf || slices.Index(a.Inject, e) != i {
			return nil, false
		}
	}
	return exprs, len(tuple.Inputs(a.Update)) == len(a.Inject)
}
