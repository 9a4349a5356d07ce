// Package lowertest has the programs, the inputs and the flags that tests of lower's rooms share.
package lowertest

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

var defaults = plan.Options{Match: rfactor.Options{Allowed: ir.DefaultAssumptions}}

// Defaults are the options of the command without flags.
func Defaults() plan.Options { return defaults }

// Parse parses a program that is right.
func Parse(t testing.TB, name, text string) *program.Program {
	t.Helper()
	p, err := program.ParseProgram(ir.NewPool(), name, text, ir.Invalid)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// SmallInputs draws inputs with n elements in each dimension, and parameters n. Values are small:
// ties are common, and sums and products of floats are exact.
func SmallInputs(prog *program.Program, rng *rand.Rand, n int) *plan.Inputs {
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
	for _, d := range prog.Inputs {
		var dims ndarray.Box
		for range d.Dims {
			dims = append(dims, ndarray.Range{Extent: n})
		}
		in.Arrays[d.Name] = SmallArray(d.Types, rng, dims)
	}
	for _, k := range prog.Params {
		in.Params[k.Name] = uint64(n)
	}
	return in
}

// SmallArray draws an array of small values.
func SmallArray(types []ir.Type, rng *rand.Rand, dims ndarray.Box) *ndarray.Array {
	a := ndarray.New(types, dims...)
	for c, t := range types {
		to := a.Elements(c)
		for i := range to.Len() {
			to.Set(i, smallValue(t, rng))
		}
	}
	return a
}

func smallValue(t ir.Type, rng *rand.Rand) uint64 {
	switch {
	case t.IsFloat():
		return ir.FloatBits(t, float64(rng.IntN(5)-2))
	case t.IsSigned():
		return uint64(int64(rng.IntN(9) - 4))
	case t == ir.Bool:
		return uint64(rng.IntN(2))
	}
	return uint64(rng.IntN(6))
}

// ElementType is a numeric type, and its name in programs.
type ElementType struct {
	Halide string
	T      ir.Type
}

// ElementTypes lists the numeric types, the floats last.
func ElementTypes() []ElementType { return elementTypes }

var elementTypes = []ElementType{
	{"Int(8)", ir.I8}, {"Int(16)", ir.I16}, {"Int(32)", ir.I32}, {"Int(64)", ir.I64},
	{"UInt(8)", ir.U8}, {"UInt(16)", ir.U16}, {"UInt(32)", ir.U32}, {"UInt(64)", ir.U64},
	{"Float(32)", ir.F32}, {"Float(64)", ir.F64},
}

// Sizes lists numbers of elements at the edges of vectors and blocks.
func Sizes() []int { return sizes }

var sizes = []int{0, 1, 2, 3, 63, 64, 65, 1000}

// PlanOf factors a program text with Defaults.
func PlanOf(name, text string) (*plan.Plan, error) {
	prog, err := program.ParseProgram(ir.NewPool(), name, text, ir.Invalid)
	if err != nil {
		return nil, err
	}
	return plan.Factor(context.Background(), prog, defaults)
}

// PlanOfFile factors the program in a file with OptionsOf its name.
func PlanOfFile(file string) (*plan.Plan, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(file)
	prog, err := program.ParseProgram(ir.NewPool(), name, string(text), ir.Invalid)
	if err != nil {
		return nil, err
	}
	return plan.Factor(context.Background(), prog, OptionsOf(strings.TrimSuffix(name, ".rf")))
}

// OptionsOf are the options with which a program of testdata/programs is factored: Defaults, and the assumption nsw where its
// schedule needs it.
func OptionsOf(name string) plan.Options {
	o := defaults
	if name == "mss" || name == "balanced" || name == "walk" {
		o.Match.Allowed |= ir.NSW
	}
	return o
}

// Runs reports whether a program of testdata/programs has what a run needs. Three only show an update.
func Runs(name string) bool {
	return name != "count-if-select" && name != "count-if-sum" && name != "sum-product"
}
