package plan

import (
	"context"
	"errors"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// runStaged interprets an answer slowly: a staged one, or one with an operator or a lift. It takes the steps of the loop
// in slices of at least one, stage after stage: it reduces each slice, from that gets the state at the start of each, and of a
// scanned stage then the state before and after each step. Each step has the values of the
// update's leaves, by their names. It returns the state after the last step.
//
// Where a stage assumes nsw it is reduced in wider types. It is an error where that is not possible, where a step
// lacks a leaf, and where the answer is a refusal.
func runStaged(ctx context.Context, a *rfactor.Answer, start []uint64, steps []map[string]uint64, slice int) ([]uint64, error) {
	if a == nil || a.Status != rfactor.Staged && a.Operator == nil {
		return nil, errors.New("plan: runStaged needs an answer that is no refusal")
	}
	if slice < 1 || len(start) != len(a.Types) {
		return nil, fmt.Errorf("plan: slices of %d steps from a state of %d components", slice, len(start))
	}
	for n, step := range steps {
		for _, l := range a.Leaves {
			if _, ok := step[l.Var.Name()]; !ok {
				return nil, fmt.Errorf("plan: step %d has no value of %s", n, l.Var)
			}
		}
	}
	if a.Status != rfactor.Staged {
		_, end, err := runStage(ctx, a, start, steps, slice, false)
		return end, err
	}
	end := make([]uint64, len(start))
	scanned := make([][]uint64, len(start)) // of a component: its values before each step, and after the last one
	for n, s := range a.Stages {
		inputs := make([]map[string]uint64, len(steps))
		for i, step := range steps {
			inputs[i] = map[string]uint64{}
			for _, l := range a.Leaves {
				inputs[i][l.Var.Name()] = step[l.Var.Name()]
			}
			for _, r := range s.Reads {
				at := i
				if r.After {
					at++
				}
				inputs[i][r.Leaf.Name()] = scanned[r.Component][at]
			}
		}
		from := make([]uint64, len(s.Components))
		for j, i := range s.Components {
			from[j] = start[i]
		}
		values, last, err := runStage(ctx, s.Answer, from, inputs, slice, len(s.Stores) > 0)
		if err != nil {
			return nil, fmt.Errorf("plan: stage %d: %w", n, err)
		}
		for j, i := range s.Components {
			end[i], scanned[i] = last[j], nil
			for _, state := range values {
				scanned[i] = append(scanned[i], state[j])
			}
		}
	}
	return end, nil
}

// runStage reduces slices of steps and combines them. If asked to it also returns the state before each step, and after the
// last one, from the states in which slices start.
func runStage(ctx context.Context, a *rfactor.Answer, start []uint64, steps []map[string]uint64, slice int, scan bool) (values [][]uint64, end []uint64, err error) {
	op, err := stageOperation(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	end = start
	for begin := 0; begin < len(steps); begin += slice {
		part := steps[begin:min(begin+slice, len(steps))]
		if op.elements > 0 && int64(len(part)) > op.elements {
			return nil, nil, fmt.Errorf("%d steps in a slice may overflow even wider types", len(part))
		}
		if scan {
			state := end
			for _, step := range part {
				values = append(values, state)
				state = evalAt(a.Update, state, nil, step)
			}
		}
		total := evalAt(op.inject, nil, nil, part[0])
		for _, step := range part[1:] {
			total = evalAt(op.exprs, total, evalAt(op.inject, nil, nil, step), step)
		}
		apply := op.exprs
		if op.action != nil {
			apply = op.action
		}
		end = evalAt(apply, end, total, part[0])
		for i, t := range a.Types { // of wider types, which the promise says are not needed here
			end[i] = t.Wrap(end[i])
		}
	}
	return append(values, end), end, nil
}

// evalAt evaluates expressions over x_i, the operands y_i if there are any, and leaves by their names.
func evalAt(es []ir.Expr, x, y []uint64, leaves map[string]uint64) []uint64 {
	return ir.EvalAll(es, &ir.Env{Var: func(v ir.Expr) uint64 {
		switch {
		case v.Kind() == ir.State:
			return x[v.Index()]
		case v.Kind() == ir.Leaf && y != nil:
			return y[v.Index()]
		}
		return leaves[v.Name()]
	}})
}
