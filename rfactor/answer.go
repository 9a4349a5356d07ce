package rfactor

import (
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Answer is the answer of Match. Result returns what was found as one of four variants, for a switch over types. Status names
// the variant, and the fields of other variants are zero. The Operator of a lifted answer combines parameters, not
// states. All expressions belong to one pool, which is the answer's own.
type Answer struct {
	Name    string // of the function, or of the corpus line
	Status  Status
	Types   []ir.Type // of the components
	Update  []ir.Expr // the update over x_i and Leaves
	Leaves  []Leaf
	Given   []ir.Expr     // what the answer relies on: invariants of the state, conditions on inputs
	Initial []ir.Expr     // where Given was inferred: the initial value, which has it …
	Starts  []*proof.Tree // … by these proofs
	Keep    []ir.Kept     // what of the state the loop keeps of every step, as the update says; no claim
	Ended   int           // the component that says that the loop has ended, as the update says; no claim
	Placed  string        // the function at whose counted places the loop writes, as the update says; no claim
	Remarks []string      // what is true, and may not be what was meant
	Elapsed time.Duration
	Effort  float64 // that the match took, in the unit of Options.Effort

	terms       []term    // what variables stand for in proofs
	contradicts ir.Assume // that is named, and makes a truth value of the update constant
	claim       *Answer   // what proofs are about, where that has such variables; else nil

	allowance int64 // what writing the certificate may spend, in nanoseconds of package effort: as much as the match

	// Of an associative update:
	Operator *Operator
	Inject   []ir.Expr // per component, over Leaves
	Assumes  ir.Assume
	Fewer    *Hint   // the fewer assumptions of another operator, which a remark names; nil for none
	Groups   []Group // the parts into which the tuple was taken apart

	// Of a lifted update, whose operator and inject are of parameters:
	Lift *Lift

	// Of a staged update, which has no answer in one pass: the stages in the order in which they run. Assumes and
	// Given are those of all stages together.
	Stages []Stage

	Hint    Hint // of a refusal, what would give an answer; of a staged answer, what would give one in one pass
	Refusal      // of a refused update
}

// Leaf is an input or an invariant of an update, with the expression that it stands for.
type Leaf struct {
	Var    ir.Expr // in the pool of the answer
	Text   string  // of Source; in a stage before[0] or after[0], a component that an earlier stage keeps
	Source ir.Expr // the variable or call of the update that was matched, in its pool; of what an earlier stage keeps the zero Expr
	NonNeg bool    // a reduction coordinate that is never negative
}

// Operator is the operator ⊕ on the whole tuple. The variables x_i and y_i are the components of its
// operands; other variables are invariants of the update.
type Operator struct {
	proof.Operator
	Identity    []ir.Expr // nil where Side is proof.NoSide
	Side        proof.Side
	Commutative bool
	Idempotent  bool
}

// Group is a closed set of components with an operator of its own. Its expressions number the
// components 0, 1, … within the group. They are those of its proofs, where a variable may stand for a term of floats without
// state: [Answer.Spelled] writes the term.
type Group struct {
	Components []int
	Via        string // how it was found: egraph:NAME, probe:NAME, direct, keep
	Update     []ir.Expr
	Operator   *prove.Proven
	Inject     []ir.Expr
	Assumes    ir.Assume  // what the operator and the equation rest on together
	Lemmas     []Lemma    // by which the update was simplified first, in their order
	Equal      []Equality // per component: update, so simplified, = x ⊕ inject …
	NonNeg     []ir.Expr  // … where these reduction coordinates are not negative
	Where      []ir.Expr  // … and these conditions on inputs hold
	Admits     []Equality // inject has what is given of the operator's operands
	ofTable    bool       // the operator is an entry of the embedded tables as it stands, in which nothing is left to simplify
}

// Equality is the proof of an equation under assumptions: either a proof by cases, or a chain of
// rewrite steps. The other one is nil.
type Equality struct {
	Assumes ir.Assume
	Cases   *proof.Tree
	Steps   []canon.Step
}

// Via names the ways in which the groups were found, in the order of the groups and each way once:
// "egraph:sum+probe:max". It is empty for a refusal. Components that no step changes are named only
// where all components are such.
func (a *Answer) Via() string {
	switch a.Status {
	case Staged:
		return a.viaStages()
	case Lifted:
		return "lift:" + strings.Join(a.Lift.Families, "+")
	}
	via := ""
	seen := map[string]bool{}
	for _, g := range a.Groups {
		if g.Via == keep && len(a.Groups) > 1 || seen[g.Via] {
			continue
		}
		seen[g.Via] = true
		if via != "" {
			via += "+"
		}
		via += g.Via
	}
	if via == "" && len(a.Groups) > 0 {
		return keep
	}
	return via
}

// Steps returns the size of the proof that the update equals the operator applied to Inject: the
// number of nodes of case trees and of rewrite steps. It is 0 for a refusal.
func (a *Answer) Steps() int {
	n := 0
	for _, s := range a.Stages {
		n += s.Answer.Steps()
	}
	if a.Lift != nil {
		for _, l := range a.Lift.Lemmas {
			n += l.Cases.Size()
		}
	}
	for _, g := range a.Groups {
		for _, e := range g.Equal {
			n += e.Cases.Size() + len(e.Steps)
		}
		for _, l := range g.Lemmas {
			n += l.Cases.Size()
		}
	}
	return n
}

// Pool returns the pool of the answer's expressions. It panics for an Answer that Match did not make.
func (a *Answer) Pool() *ir.Pool {
	if len(a.Update) == 0 {
		panic("rfactor: an answer that Match did not give has no pool")
	}
	return a.Update[0].Pool()
}
