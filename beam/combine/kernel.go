package combine

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Kernel reduces blocks of columns to partial results, with the loops that package lower makes of the operator. It
// serves one goroutine at a time.
type Kernel struct {
	m       *machine
	program *lower.Program
}

// NewKernel checks the certificate, and compiles the loop
//
//	f() = inject(0);  f() = f() ⊕ inject(r)  for r = 1, 2, …
//
// over columns. A reduction whose answer assumes nsw, nuw or ninf has no kernel: its operations are checked one by one, and so are those
// of one under nnan that compares.
func NewKernel(r *Reduction) (*Kernel, error) {
	m, err := r.compile()
	if err != nil {
		return nil, err
	}
	k := &Kernel{m: m}
	if !m.inBlocks() || m.conditions != nil && !m.onlyCoordinates() {
		return k, nil
	}
	prog, err := m.loop()
	if err != nil {
		return nil, err
	}
	planned, err := plan.Factor(context.Background(), prog, plan.Options{})
	if err != nil {
		return nil, fmt.Errorf("combine: internal: %w", err)
	}
	k.program, err = lower.Compile(planned, lower.RunOptions{Goroutines: 1})
	return k, err
}

// inBlocks reports whether what the answer assumes can be checked of a block's result alone. A NaN goes through sums and
// products into the result, and is lost where values are compared. An infinity is lost in a quotient.
func (m *machine) inBlocks() bool {
	if m.merge.over&^ir.NNaN != 0 {
		return false
	}
	hides := false
	ir.Walk(slices.Concat(m.injected, m.merged), func(e ir.Expr) {
		hides = hides || e.Op() == ir.Select || e.Type() == ir.Bool || e.Type().IsInt()
	})
	return m.merge.over == 0 || !hides
}

// onlyCoordinates reports whether the conditions are that coordinates are not negative.
func (m *machine) onlyCoordinates() bool { return len(m.record.Given) == 0 }

// loop is the program of a block. Its inputs are the columns c0, c1, …, in the order of the leaves. Its values are
// put into a parsed skeleton, as expressions: text would lose the types of literals.
func (m *machine) loop() (*program.Program, error) {
	var b strings.Builder
	for i, l := range m.leaves {
		fmt.Fprintf(&b, "ImageParam c%d(%s, 1);\n", i, l.Type)
	}
	length := "c0.width()"
	if len(m.leaves) == 0 {
		length = "length"
		b.WriteString("Param<int> length;\n")
	}
	zeros, states := make([]string, len(m.types)), make([]string, len(m.types))
	for i, t := range m.types {
		zeros[i] = fmt.Sprintf("%s(0)", t)
		states[i] = "f()"
		if len(m.types) > 1 {
			states[i] = fmt.Sprintf("f()[%d]", i)
		}
	}
	fmt.Fprintf(&b, "Func f;\nf() = {%s};\nRDom r(1, %s - 1);\nf() = {%s};\n", strings.Join(zeros, ", "), length, strings.Join(states, ", "))
	prog, err := program.ParseProgram(ir.NewPool(), "block", b.String(), ir.Invalid)
	if err != nil {
		return nil, fmt.Errorf("combine: internal: %w in\n%s", err, b.String())
	}
	f := prog.Funcs[0]
	step := f.Updates[0]
	f.Init = m.at(prog.Pool, m.injected, prog.Pool.Int(ir.I32, 0), nil)
	if step.Domain == nil {
		step.Domain = prog.Domains[0]
	}
	inject := m.at(prog.Pool, m.injected, step.Domain.Dims[0].Var, nil)
	step.Values = m.at(prog.Pool, m.merged, step.Domain.Dims[0].Var, inject)
	return prog, nil
}

// at reads expressions over leaves and operands at a place of the block: leaves are elements of columns, the left operand is
// the state of f, and the right one inject.
func (m *machine) at(p *ir.Pool, es []ir.Expr, place ir.Expr, inject []ir.Expr) []ir.Expr {
	return p.Map(p.Import(es...), func(v ir.Expr) ir.Expr {
		if v.Op() != ir.Var {
			return ir.Expr{}
		}
		if v.Kind() == ir.State {
			return p.Call(v.Type(), "f", v.Index())
		}
		for i, l := range m.leaves {
			if v.String() == l.Name {
				return p.Call(l.Type, fmt.Sprintf("c%d", i), 0, place)
			}
		}
		i := 0
		if _, err := fmt.Sscanf(v.String(), "rhs_%d", &i); err != nil {
			return ir.Expr{}
		}
		return inject[i]
	})
}

// Empty is the partial result of no elements.
func (k *Kernel) Empty() Accumulator { return k.m.create() }

// Reduce is the partial result of a block of n elements, of which the first has the given index. Each column is a slice of the Go
// type of its leaf; see Reduction.Leaves.
func (k *Kernel) Reduce(first int64, n int, columns []any) (Accumulator, error) {
	m := k.m
	if len(columns) != len(m.leaves) {
		return Accumulator{}, fmt.Errorf("combine: a block has %d columns, and the update reads %d", len(columns), len(m.leaves))
	}
	for i, l := range m.leaves {
		if t := ndarray.TypeOf(columns[i]); t != l.Type {
			return Accumulator{}, fmt.Errorf("combine: %s, which is %s, is %s, and its column has %T", l.Name, l.Text, l.Type, columns[i])
		}
		if have := reflect.ValueOf(columns[i]).Len(); have != n {
			return Accumulator{}, fmt.Errorf("combine: the column of %s has %d elements in a block of %d", l.Name, have, n)
		}
	}
	if n == 0 {
		return m.create(), nil
	}
	if err := k.notNegative(columns); err != nil {
		return Accumulator{}, err
	}
	if k.program == nil {
		return k.reduceRows(first, n, columns)
	}
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
	for i := range columns {
		in.Arrays[fmt.Sprintf("c%d", i)] = &ndarray.Array{Dims: ndarray.Box{{Extent: n}}, Data: columns[i : i+1]}
	}
	if len(columns) == 0 {
		in.Params["length"] = uint64(n)
	}
	out, err := k.program.Run(context.Background(), in)
	if err != nil {
		return Accumulator{}, fmt.Errorf("combine: %w", err)
	}
	p := Part{From: first, To: first + int64(n), Values: make([]uint64, len(m.types))}
	if !m.ordered {
		p.From, p.To = 0, int64(n)
	}
	for i := range p.Values {
		p.Values[i] = out["f"].Elements(i).At(0)
		if t := m.types[i]; m.merge.over != 0 && t.IsFloat() && math.IsNaN(ir.Float(t, p.Values[i])) {
			return Accumulator{}, errPoisoned
		}
	}
	return m.insert(m.create(), p)
}

// notNegative examines the columns of coordinates.
func (k *Kernel) notNegative(columns []any) error {
	for i, l := range k.m.leaves {
		if !l.NonNeg || !l.Type.IsSigned() {
			continue
		}
		e := (&ndarray.Array{Data: columns[i : i+1]}).Elements(0)
		for j := range e.Len() {
			if int64(e.At(j)) < 0 {
				return fmt.Errorf("combine: %s is %d at place %d of a block, and coordinates are not negative", l.Name, int64(e.At(j)), j)
			}
		}
	}
	return nil
}

// reduceRows reduces a block row by row.
func (k *Kernel) reduceRows(first int64, n int, columns []any) (a Accumulator, err error) {
	all := (&ndarray.Array{Data: columns})
	row := Row{Leaves: make([]uint64, len(columns))}
	a = k.m.create()
	for j := range n {
		row.Index = first + int64(j)
		for i := range columns {
			row.Leaves[i] = all.Elements(i).At(j)
		}
		if a, err = k.m.add(a, row); err != nil {
			return a, err
		}
	}
	return a, nil
}
