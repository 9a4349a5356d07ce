// Package speed times answers of a page in this process. It is apart from package view since what runs programs is in no command that shows pages.
package speed

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/exec"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Speed is how long a step of an answer takes in this process, in nanoseconds on one thread: of the serial loop, a step after another, and of four
// slices of the same data that are reduced in one loop, as package exec runs it.
type Speed struct {
	Steps  int     `json:"steps"`
	Serial float64 `json:"serial"`
	Slices float64 `json:"slices"`
}

const (
	timedSteps  = 1 << 18 // an input of 4 bytes has 1 MiB
	slicesTimed = 4
)

// Of times an answer. It returns nil where there is no operator, where the loop keeps elements, and where a loop would not be compiled.
func Of(u *view.Update) *Speed {
	l := loopsOf(u, timedSteps)
	if l == nil {
		return nil
	}
	out := &Speed{Steps: l.steps}
	for _, t := range []struct {
		plan   *plan.Plan
		serial bool
		ns     *float64
	}{{l.serial(), true, &out.Serial}, {l.slices(), false, &out.Slices}} {
		p, err := exec.Compile(t.plan, exec.Options{Goroutines: 1, Scalar: t.serial})
		if err != nil {
			return nil
		}
		took, err := timed(func() error { _, err := p.Run(context.Background(), l.inputs); return err })
		if err != nil {
			return nil
		}
		*t.ns = float64(took.Nanoseconds()) / float64(l.steps)
	}
	return out
}

// mostTimed bounds the terms of a step that is timed: package exec interprets greater ones.
const mostTimed = 1500

func size(es []ir.Expr) (n int) {
	ir.Walk(es, func(ir.Expr) { n++ })
	return n
}

// timed returns how long a call takes: the least of some rounds, each of which takes longer than clocks of browsers are coarse. Before the first ones
// end, the browser has compiled the function for good.
func timed(call func() error) (time.Duration, error) {
	least, n := time.Duration(math.MaxInt64), 1
	for rounds := 0; rounds < 15; {
		began := time.Now()
		for range n {
			if err := call(); err != nil {
				return 0, err
			}
		}
		took := time.Since(began)
		if took < 8*time.Millisecond {
			n *= 2
			continue
		}
		least = min(least, took/time.Duration(n))
		rounds++
	}
	return least, nil
}

// loops is an answer as loops over arrays, one for each of its leaves.
type loops struct {
	a      *rfactor.Answer
	steps  int // a multiple of slicesTimed
	start  []ir.Expr
	step   ir.Expr
	prog   *program.Program
	inputs *plan.Inputs
}

// loopsOf gives an answer the data that are drawn for it, again and again. It returns nil where Of does.
func loopsOf(u *view.Update, steps int) *loops {
	a, start, drawn := u.Drawn()
	if a == nil || a.Operator == nil || len(a.Keep) > 0 || slicesTimed*size(slices.Concat(a.Operator.Exprs, a.Inject)) > mostTimed {
		return nil
	}
	l := &loops{a: a, steps: steps, step: a.Pool().R("step", ir.I32), prog: &program.Program{Pool: a.Pool()}, inputs: &plan.Inputs{Arrays: map[string]*ndarray.Array{}}}
	for i, t := range a.Types {
		l.start = append(l.start, a.Pool().Const(t, start[i]))
	}
	for _, leaf := range a.Leaves {
		name, types := leaf.Var.Name(), []ir.Type{leaf.Var.Type()}
		array := ndarray.New(types, ndarray.Range{Extent: steps})
		for i := range steps {
			array.Elements(0).Set(i, drawn[i%len(drawn)][name])
		}
		l.prog.Inputs = append(l.prog.Inputs, &program.Input{Name: name, Types: types, Dims: 1})
		l.inputs.Arrays[name] = array
	}
	return l
}

// at puts states, operands y_i if there are any, and what a step reads into expressions.
func (l *loops) at(step ir.Expr, es, x, y []ir.Expr) []ir.Expr {
	pool := l.a.Pool()
	return pool.Map(es, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var:
			return ir.Expr{}
		case e.Kind() == ir.State:
			return x[e.Index()]
		case e.Kind() == ir.Leaf && y != nil && e.Index() < len(y):
			return y[e.Index()]
		case e.Kind() == ir.Param: // the same at each step
			return pool.Call(e.Type(), e.Name(), 0, pool.Int(ir.I32, 0))
		}
		return pool.Call(e.Type(), e.Name(), 0, step)
	})
}

// serial is the loop as it is written.
func (l *loops) serial() *plan.Plan {
	state := &plan.Buffer{Name: "serial", Types: l.a.Types, Output: true}
	return l.plan(&plan.Stage{Role: plan.First, Buffer: state, Values: l.start}, l.loop(state, 0, l.steps, l.at(l.step, l.a.Update, l.operands(l.a.Types), nil)))
}

// slices reduces slices in one loop, a component of a buffer for each of theirs, combines their totals in order, and then the start with what comes.
func (l *loops) slices() *plan.Plan {
	op, pool, each := l.a.Operator, l.a.Pool(), l.steps/slicesTimed
	totals := &plan.Buffer{Name: "totals", Types: slices.Repeat(op.Types, slicesTimed)}
	states := l.operands(totals.Types)
	var first, next, sum []ir.Expr
	for s := range slicesTimed {
		at := pool.Int(ir.I32, int64(s*each))
		own := states[s*len(op.Types):][:len(op.Types)]
		first = append(first, l.at(at, l.a.Inject, nil, nil)...)
		at = ir.AddOf(l.step, at)
		next = append(next, l.at(at, op.Exprs, own, l.at(at, l.a.Inject, nil, nil))...)
		var total []ir.Expr
		for i, t := range op.Types {
			total = append(total, pool.Call(t, totals.Name, s*len(op.Types)+i))
		}
		if s > 0 {
			total = l.at(at, op.Exprs, sum, total)
		}
		sum = total
	}
	state := &plan.Buffer{Name: "slices", Types: l.a.Types, Output: true}
	return l.plan(&plan.Stage{Role: plan.First, Buffer: totals, Values: first}, l.loop(totals, 1, each-1, next), &plan.Stage{Role: plan.First, Buffer: state, Values: l.acted(sum)})
}

// acted is the start with steps that are combined into one value.
func (l *loops) acted(steps []ir.Expr) []ir.Expr {
	zero := l.a.Pool().Int(ir.I32, 0)
	if l.a.Lift == nil {
		return l.at(zero, l.a.Operator.Exprs, l.start, steps)
	}
	applied := l.a.Pool().Map(l.a.Lift.Apply, func(e ir.Expr) ir.Expr {
		if i := slices.Index(l.a.Lift.Params, e); i >= 0 {
			return steps[i]
		}
		return ir.Expr{}
	})
	return l.at(zero, applied, l.start, nil)
}

// operands is the state of a buffer's element.
func (l *loops) operands(types []ir.Type) []ir.Expr {
	x, _ := l.a.Pool().Operands(types)
	return x
}

// loop updates a buffer at each of some steps.
func (l *loops) loop(b *plan.Buffer, from, steps int, values []ir.Expr) *plan.Stage {
	number := func(n int) ir.Expr { return l.a.Pool().Int(ir.I32, int64(n)) }
	return &plan.Stage{Role: plan.Serial, Buffer: b, Values: values, Loops: []plan.Loop{{Var: l.step, Span: plan.Span{Min: number(from), Extent: number(steps)}}}}
}

// plan is a plan of stages, which have no dimensions.
func (l *loops) plan(stages ...*plan.Stage) *plan.Plan {
	p := &plan.Plan{Program: l.prog, Stages: stages}
	for _, s := range stages {
		if !slices.Contains(p.Buffers, s.Buffer) {
			p.Buffers = append(p.Buffers, s.Buffer)
		}
	}
	return p
}
