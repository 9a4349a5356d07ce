package lower

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Inputs is what a program reads. Coordinates of inputs start at 0.
type Inputs struct {
	Arrays map[string]*Array
	Params map[string]uint64 // carried as package ir says
}

// ToCarried is the inputs as the interpreter takes them.
func (in *Inputs) ToCarried() *plan.Inputs {
	out := &plan.Inputs{Arrays: map[string]*plan.Array{}, Params: in.Params}
	for name, a := range in.Arrays {
		out.Arrays[name] = a.ToCarried()
	}
	return out
}

// Check compares inputs with what the program declares.
func (in *Inputs) Check(prog *program.Program) error {
	if err := prog.CheckParams(in.Params); err != nil {
		return err
	}
	for _, d := range prog.Inputs {
		a := in.Arrays[d.Name]
		if a == nil {
			return fmt.Errorf("the input %s is missing", d.Name)
		}
		if err := a.check(d); err != nil {
			return fmt.Errorf("the input %s %w", d.Name, err)
		}
	}
	return nil
}

// check is the end of a sentence about an input.
func (a *Array) check(d *program.Input) error {
	if got := a.Types(); !slices.Equal(got, d.Types) {
		return fmt.Errorf("is declared %v and holds %v", d.Types, got)
	}
	if d.Dims >= 0 && len(a.Dims) != d.Dims {
		return fmt.Errorf("is declared with %d dimensions and has %d", d.Dims, len(a.Dims))
	}
	for i, dim := range a.Dims {
		if dim.Min != 0 || dim.Extent < 0 {
			return fmt.Errorf("starts at %d in dimension %d and has %d elements there; coordinates of inputs start at 0", dim.Min, i+1, dim.Extent)
		}
		if dim.Extent > math.MaxInt32 {
			return fmt.Errorf("has %d elements in dimension %d, more than coordinates, which are i32, can count", dim.Extent, i+1)
		}
	}
	for c, data := range a.Data {
		if n := columnLen(data); n != a.Dims.Len() {
			return fmt.Errorf("has %d elements of component %d, where its dimensions make %d", n, c, a.Dims.Len())
		}
	}
	return nil
}

// extentOf is the value of in.width() and the like.
func (run *execution) extentOf(c ir.Expr) func() (int64, error) {
	name, what, _ := strings.Cut(c.Name(), ".")
	dim, last := 0, int64(0)
	switch what {
	case "left", "top":
		return func() (int64, error) { return 0, nil }
	case "right":
		last = 1
	case "bottom":
		dim, last = 1, 1
	case "height":
		dim = 1
	case "channels":
		dim = 2
	}
	m := run.arrays[name]
	return func() (int64, error) {
		if m == nil || dim >= len(m.Dims) {
			return 0, fmt.Errorf("%s is not known: %s has no dimension %d", c, name, dim+1)
		}
		return int64(m.Dims[dim].Extent) - last, nil
	}
}
