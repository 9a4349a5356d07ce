package plan

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Plan is a program with its schedule applied: stages that run one after another. Each is a
// loop nest that gives a buffer its first values, or updates it. All expressions belong to
// the program's pool; reads of inputs and of buffers are opaque calls by their names.
type Plan struct {
	Program  *program.Program
	Schedule []*program.Directive // that was applied: the program's, or what Options.Auto chose
	Buffers  []*Buffer            // the program's functions and the intermediate ones, in order of definition
	Stages   []*Stage
	Needs    []Need                                  // what must hold of parameters and extents, to be checked before a run
	Answers  map[*program.Definition]*rfactor.Answer // of the updates that were factored
}

// Need is a condition over parameters and extents of inputs, and what is wrong without it.
type Need struct {
	Cond    ir.Expr
	Message string
}

// Buffer is the storage of a function: one array per component.
type Buffer struct {
	Name   string
	Types  []ir.Type
	Dims   []Span // what each argument may be; the first dimension lies contiguous
	Output bool   // a function of the program, not an intermediate one
	Func   *program.Func

	// Seen is set where the operator lacks the identity that the schedule needs. The last
	// component is then a flag that is false until a first element arrives.
	Seen bool

	// Wide is set of an intermediate buffer whose types are wider than its function's,
	// because partial results may overflow where the serial loop does not. Stages that
	// merge it into the function narrow the result exactly; they have no Operator.
	Wide bool

	// Steps is set of an intermediate buffer that holds parameters of steps instead of
	// states, composed over slices; it says how many and what a step costs. Stages that merge
	// it into the function apply them to the state; they have no Operator.
	Steps string

	// At is set where the schedule computes an intermediate buffer inside a loop of its
	// consumer. It changes no result: the dimension that At.Var indexes may be dropped, and
	// the buffer's stages run in each iteration of that loop.
	At *At
}

// At is a pure loop of the stages that update a buffer.
type At struct {
	Buffer *Buffer
	Var    ir.Expr
}

// Span is a range of integers [Min, Min+Extent), empty where Extent <= 0. Of a buffer it is
// in expressions that do not change while the program runs: literals, parameters and extents
// of inputs.
type Span struct{ Min, Extent ir.Expr }

// Stage is one loop nest. For each point of its loops, outermost first, at which all
// conditions of Where hold, the element of Buffer at Index gets Values, which are over
// x_i, the element's present components, and over the loops' variables.
type Stage struct {
	Role   Role
	Buffer *Buffer
	Loops  []Loop
	Where  []ir.Expr
	Index  []ir.Expr
	Values []ir.Expr
	From   *program.Definition // the update that it stems from; nil for first values of functions

	// Of an update x ⊕ inject that was factored: Operator is ⊕ over x_i and y_i, and Inject
	// its right operand. Values is ⊕ applied to them; with the flag of a buffer that is Seen
	// besides. The stages of one update may have different operators: where the tie rule is
	// used, partial results are combined by one that compares the order, elements that come
	// in their order by the original one.
	Operator []ir.Expr
	Inject   []ir.Expr
	Commutes bool // ⊕ does, so that partial results may be combined in any order
}

// Role says what a stage is for.
type Role string

// The roles.
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

// How says how a loop runs.
type How string

// The ways of running a loop.
const (
	InOrder    How = ""
	InParallel How = "parallel" // by goroutines
	AsLanes    How = "vectorize"
	Unrolled   How = "unroll"
)
