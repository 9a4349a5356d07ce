package plan

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
)

// Inputs holds the inputs and the parameters of a program by their names. Coordinates of inputs start
// at 0. The zero Inputs serve a program without inputs and parameters.
type Inputs struct {
	Arrays map[string]*ndarray.Array
	Params map[string]uint64 // carried as package ir says
}

// Check compares in with what a program declares. The error names the first parameter or input
// that is missing or does not fit. Arrays and parameters that the program has not are ignored.
func (in *Inputs) Check(prog *program.Program) error {
	if in == nil || prog == nil {
		return errors.New("plan: Check needs inputs and a program")
	}
	if err := prog.CheckParams(in.Params); err != nil {
		return err
	}
	for _, d := range prog.Inputs {
		a := in.Arrays[d.Name]
		if a == nil {
			return fmt.Errorf("the input %s is missing", d.Name)
		}
		if err := checkInput(d, a); err != nil {
			return fmt.Errorf("the input %s %w", d.Name, err)
		}
	}
	return nil
}

// checkInput gives the end of a sentence that begins with the input.
func checkInput(d *program.Input, a *ndarray.Array) error {
	if !slices.EqualFunc(a.Data, d.Types, func(data any, t ir.Type) bool { return ndarray.TypeOf(data) == t }) {
		return fmt.Errorf("is declared %v and holds %v", d.Types, a.Types())
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
		if n := reflect.ValueOf(data).Len(); n != a.Dims.Len() {
			return fmt.Errorf("has %d elements of component %d, where its dimensions make %d", n, c, a.Dims.Len())
		}
	}
	return nil
}
