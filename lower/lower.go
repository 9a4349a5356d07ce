package lower

import (
	"errors"

	"github.com/rfactor-go/rfactor/lower/emit"
	"github.com/rfactor-go/rfactor/lower/exec"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// SourceOptions say how a package is emitted. The zero value is what most want.
type SourceOptions struct {
	Package string // the name of the package; that of the program's file where it is empty
}

// Source emits a plan as the files of a Go package, by their names. The same plan gives the
// same bytes. Files that need package simd have a build constraint, and portable twins.
//
// It is an error where SourceOptions.Package is no name of a package or is main, where the plan
// has what no form of emitted code covers, and where p is nil or not made by plan.Factor.
func Source(p *plan.Plan, opts SourceOptions) (map[string][]byte, error) {
	if !factored(p) {
		return nil, errors.New("lower: Source needs a plan that plan.Factor made")
	}
	return emit.Source(p, opts.Package)
}

// PlainStage is a stage that a schedule runs in lanes and that Source emits as plain loops, with the reason.
type PlainStage = emit.PlainStage

// Unvectorized lists the stages that a schedule runs in lanes and for which Source has no vector
// kernel. It is nil where there are none, or no package either.
func Unvectorized(p *plan.Plan) []PlainStage { return emit.Unvectorized(p) }

// Unscanned lists the stages that a schedule scans in tiles and that Source emits as serial loops, which compute the same but for how floats round,
// with the reason. It is nil where there are none, or no package either.
func Unscanned(p *plan.Plan) []PlainStage { return emit.Unscanned(p) }

// Loop is a loop over elements that Source emits as a function, with the forms that were tried for it and what they are estimated at.
type Loop = emit.Loop

// Loops lists the loops that Source emits as functions, in the order of the plan; nil where Source gives an error.
func Loops(p *plan.Plan) []Loop { return emit.Loops(p) }

// Kernels shows the kernels that Source would emit, as they are behind a pass of code generation: serial or plain, which take single elements,
// or in lanes build, strip, places, simd or archsimd.
// It is for people who change these passes, and the text may change. It is an error where there is no such pass, and where Source gives one.
func Kernels(p *plan.Plan, pass string) (string, error) { return emit.Kernels(p, pass) }

// Program is a plan that runs in this process. Its method Run takes inputs and gives new arrays.
// Several goroutines may run a Program at once.
type Program = exec.Program

// RunOptions say how a Program runs. The zero value is what most want.
type RunOptions = exec.Options

// Compile prepares a plan to run in this process. It costs some milliseconds, and later runs
// share what it prepares. It adds to the pool of the plan's program, which no other goroutine
// may use meanwhile.
//
// It is an error where p is nil or not made by plan.Factor.
func Compile(p *plan.Plan, opts RunOptions) (*Program, error) {
	if !factored(p) {
		return nil, errors.New("lower: Compile needs a plan that plan.Factor made")
	}
	return exec.Compile(p, opts)
}

// factored reports whether p has the program that plan.Factor gives every plan.
func factored(p *plan.Plan) bool { return p != nil && p.Program != nil && p.Program.Source != nil }
