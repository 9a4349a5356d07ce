package rfactor

import "github.com/rfactor-go/rfactor/ir"

// Plan is a program with its schedule applied: stages that run one after another. Each is a
// loop nest that gives a buffer its first values, or updates it. All expressions belong to
// the program's pool; reads of inputs and of buffers are opaque calls by their names.
type Plan struct {
	Program *ir.Program
	Buffers []*Buffer // the program's functions and the intermediate ones, in order of definition
	Stages  []*Stage
	Answers map[*ir.Definition]*Answer // of the updates that were factored
}

// Buffer is the storage of a function: one array per component.
type Buffer struct {
	Name   string
	Types  []ir.Type
	Dims   []Span // what each argument may be
	Output bool   // a function of the program, not an intermediate one
	Func   *ir.Func
}

// Span is a range of integers [Min, Min+Extent), in expressions that do not change while
// the program runs: literals, parameters and extents of inputs.
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
	From   *ir.Definition // the update that it stems from; nil for first values
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

// Loop runs a variable over a span. Loops over pure variables may run in any order or at
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
