package plan

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Plan is a program with its schedule applied: stages that run one after another. Each is a
// loop nest that gives a buffer its first values, or updates it. All expressions belong to
// the program's pool; reads of inputs and of buffers are opaque calls by their names.
//
// Factor makes plans. The zero Plan cannot run.
type Plan struct {
	Program  *program.Program
	Schedule []*program.Directive // applied directives: the program's, or those that Options.Auto chose
	Buffers  []*Buffer            // the program's functions and the intermediate ones, in order of definition
	Stages   []*Stage
	Needs    []Need                                  // conditions of a run, which Run checks before the stages
	Answers  map[*program.Definition]*rfactor.Answer // of the updates that were factored or scanned, and of no others
	Given    map[*program.Definition][]ir.Expr       // what is promised of these updates, over the state x_i before a step
	Serial   []Unfactored                            // updates that Options.Auto found no schedule for, in the order of the program
	Contract bool                                    // a product of floats may be fused with the sum that it is added to; see ir.Contract
}

// Unfactored is an update whose reduction loops stay serial in a schedule that was chosen for it.
type Unfactored struct {
	Update *program.Definition
	Code   rfactor.Code // of the refusal, NoSchedule or Slower
	Reason string
}

// NoSchedule is the Code of an update that has an operator, which no schedule can use; Slower that of one whose schedule is left out.
const (
	NoSchedule rfactor.Code = "no-schedule"
	Slower     rfactor.Code = "slower"
)

// Need is a condition over parameters and extents of inputs, without which a plan must not run.
// Message is the error of a run where Cond is false.
type Need struct {
	Cond    ir.Expr
	Message string
	Pos     ir.Pos // in the program, of what needs it
}

// Buffer is the storage of a function: one array of tuples.
type Buffer struct {
	Name   string
	Types  []ir.Type // of the components; with Seen, the flag's as well
	Dims   []Span    // the range of each argument; the first dimension lies contiguous
	Output bool      // a function of the program, not an intermediate one
	Func   *program.Func

	// Seen is set where the operator lacks the identity that the schedule needs. The last
	// component is then a flag that is false until a first element arrives.
	Seen bool

	// Wide is set of an intermediate buffer whose types are wider than its function's,
	// because partial results may overflow where the serial loop does not. Stages that
	// merge such a buffer into the function narrow the result exactly; they have no Operator.
	Wide bool

	// Steps is set of an intermediate buffer that holds parameters of steps instead of
	// states, composed over slices; it says how many and what a step costs. Stages that merge
	// such a buffer into the function apply the steps to the state; they have no Operator.
	// It is empty of all other buffers.
	Steps string

	// At is set where the schedule computes an intermediate buffer inside a loop of its
	// consumer. It changes no result: the dimension that At.Var indexes may be dropped, and
	// the buffer's stages run in each iteration of that loop. It is nil elsewhere.
	At *At
}

// At names a pure loop, over Var, of the stages that update Buffer.
type At struct {
	Buffer *Buffer
	Var    ir.Expr
}

// Span is a range of integers [Min, Min+Extent), empty where Extent <= 0. The spans of a buffer
// consist of what does not change while the program runs: literals, parameters and extents of
// inputs.
type Span struct{ Min, Extent ir.Expr }

// Stage is one loop nest. At each point of its loops at which all conditions of Where hold, the
// element of Buffer at Index gets Values.
//
//	for u: for ri:  intm(u) = x0 + in(64*u + ri)
type Stage struct {
	Role   Role
	Buffer *Buffer
	Loops  []Loop // outermost first; none where the stage runs once
	Where  []ir.Expr
	Tails  int // how many conditions, the first of Where, keep loops within the dimension that they were split from
	Index  []ir.Expr
	Values []ir.Expr           // over x_i, the element's present components, and the loops' variables
	From   *program.Definition // the update that the stage stems from; nil for first values of functions

	// Operator is ⊕ over x_i and y_i where the stage is an update x ⊕ Inject that was
	// factored; Values is ⊕ applied to these, and the flag of a buffer that is Seen. Both are
	// nil elsewhere. The stages of one update may have different operators: where the tie
	// rule is used, the operator of partial results compares the order, and elements that
	// come in their order keep the original one.
	Operator []ir.Expr
	Inject   []ir.Expr
	Commutes bool // ⊕ commutes, so that partial results may be combined in any order

	// Scan is set of a Serial stage that a schedule runs in tiles: a recurrence, or an update that is answered in
	// stages. The loops and Values of the stage are the serial loop. Run runs the tiles.
	Scan *Scan

	// Places is set of a Serial stage that keeps what its steps give one behind another.
	Places *Places

	// Ends is a state of the element from which on the stage does nothing; nil where there is none.
	Ends *Ends

	// Whole is set of a Merge stage of a function of the program. It is the update in one piece, its
	// elements in their serial order and by Operator, where that is on states. It does what the
	// stages of From do together, without a buffer: to few elements they are not worth their cost.
	Whole *Stage

	// Last is set of such a Merge stage where the last elements may decide alone.
	Last *Last
}

// Role is the purpose of a stage: First, Serial, Intermediate or Merge.
type Role string

// The roles of stages.
const (
	First        Role = "first"        // gives every element its first value
	Serial       Role = "update"       // an update as the program says it
	Intermediate Role = "intermediate" // partial results over slices, data parallel over new pure loops
	Merge        Role = "merge"        // combines the partial results
)

// Loop runs a variable over a span, whose extent may mention variables of loops around it
// where a split leaves a ragged tail. Loops over pure variables may run in any order or at
// once; loops over reduction variables run upwards.
type Loop struct {
	Var  ir.Expr
	Span Span
	Pure bool // no two iterations touch the same element
	How  How
}

// How is the way in which a loop runs: InOrder, InParallel, AsLanes or Unrolled.
type How string

// The ways of running a loop.
const (
	InOrder    How = ""
	InParallel How = program.Parallel  // by goroutines
	AsLanes    How = program.Vectorize // in the lanes of vectors
	Unrolled   How = program.Unroll
)
