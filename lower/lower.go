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

// Source emits a plan as the files of a Go package, by their names.
func Source(p *plan.Plan, opts SourceOptions) (map[string][]byte, error) {
	if p == nil || p.Program == nil {
		return nil, errors.New("lower: Source needs a plan that plan.Factor made")
	}
	return emit.Source(p, opts.Package)
}

// Program is a plan that runs in this process.
type Program = exec.Program

// RunOptions say how a Program runs. The zero value is what most want.
type RunOptions = exec.Options

// Compile prepares a plan to run in this process.
func Compile(p *plan.Plan, opts RunOptions) (*Program, error) {
	if p == nil || p.Program == nil {
		return nil, errors.New("lower: Compile needs a plan that plan.Factor made")
	}
	return exec.Compile(p, opts)
}
