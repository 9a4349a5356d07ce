package view

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Trial is a counterexample to associativity, evaluated: three operands, and the update applied to them in both orders.
type Trial struct {
	Operator []string     `json:"operator"` // x ⊕ y, by component
	Where    []string     `json:"where"`    // what x, y, z and inputs are
	Steps    []Evaluation `json:"steps"`
	Differs  int          `json:"differs"` // the component in which the two results differ

	rows   []Row       // the operands, and then the rest of what the update reads
	values [2][]uint64 // the results
}

// Evaluation is an operator that is applied.
type Evaluation struct {
	Term   string `json:"term"`   // such as (x ⊕ y) ⊕ z
	Values string `json:"values"` // such as 2 ⊕ 0
	Result string `json:"result"`
}

// trial is operands, and what else the update reads.
type trial struct {
	operands map[byte][]uint64
	rest     []ir.Expr
	values   []uint64 // of rest
}

// trialOf evaluates the counterexample of a refusal; nil where there is none.
func trialOf(a *rfactor.Answer) *Trial {
	if a.Counter == nil {
		return nil
	}
	return counterexample(a).run(a)
}

// counterexample is the operands that refute an update. Components of which it says nothing are zero.
func counterexample(a *rfactor.Answer) *trial {
	c, n := a.Counter, len(a.Types)
	t := &trial{operands: map[byte][]uint64{'x': make([]uint64, n), 'y': make([]uint64, n), 'z': make([]uint64, n)}}
	for i, v := range c.Inputs {
		name := v.String()
		values := t.operands[name[0]]
		if at, err := strconv.Atoi(name[1:]); v.Op() == ir.Var && err == nil && values != nil && at < n {
			values[at] = c.Values[i]
		} else {
			t.rest, t.values = append(t.rest, v), append(t.values, c.Values[i])
		}
	}
	return t
}

// tried evaluates operands that a reader gave: a line for each of the Trial's rows.
func tried(a *rfactor.Answer, lines []string) (*Trial, error) {
	if a.Counter == nil {
		return nil, errors.New("no operands are known at which the two orders differ")
	}
	t := counterexample(a)
	if len(lines) != len(operandNames)+len(t.rest) {
		return nil, fmt.Errorf("%d rows, where there are %d", len(lines), len(operandNames)+len(t.rest))
	}
	read := func(line string, into []uint64, ts []ir.Type) error {
		values := fields(line)
		if len(values) != len(ts) {
			return fmt.Errorf("%q has %d values, where there are %d", line, len(values), len(ts))
		}
		for i, text := range values {
			v, err := program.ParseValue(ts[i], text)
			if err != nil {
				return err
			}
			into[i] = v
		}
		return nil
	}
	for i, name := range []byte(operandNames) {
		if err := read(lines[i], t.operands[name], a.Types); err != nil {
			return nil, err
		}
	}
	for i, v := range t.rest {
		if err := read(lines[len(operandNames)+i], t.values[i:i+1], []ir.Type{v.Type()}); err != nil {
			return nil, err
		}
	}
	return t.run(a), nil
}

// operandNames are the operands of both orders: (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z).
const operandNames = "xyz"

// run applies the update to the operands in both orders.
func (t *trial) run(a *rfactor.Answer) *Trial {
	op := a.Pool().Map(a.Update, func(e ir.Expr) ir.Expr {
		if i := slices.Index(a.Roles, e); i >= 0 {
			return a.Pool().Y(i, e.Type())
		}
		return ir.Expr{}
	})
	out := &Trial{Differs: a.Refuted, Operator: a.SpelledOperator(op...)}
	for _, name := range []byte(operandNames) {
		out.Where = append(out.Where, fmt.Sprintf("%c = %s", name, tupleText(a.Types, t.operands[name])))
		out.rows = append(out.rows, Row{Name: string(name), Values: texts(a.Types, t.operands[name])})
	}
	var rest []string
	for i, v := range t.rest {
		value := valueText(v.Type(), t.values[i])
		rest = append(rest, Spelled(a, v)+" = "+value)
		out.rows = append(out.rows, Row{Name: Spelled(a, v), Values: []string{value}})
	}
	slices.Sort(rest)
	out.Where = append(out.Where, rest...)
	apply := func(term string, left, right []uint64) []uint64 {
		values := t.apply(a, op, left, right)
		out.Steps = append(out.Steps, Evaluation{term, tupleText(a.Types, left) + " ⊕ " + tupleText(a.Types, right), tupleText(a.Types, values)})
		return values
	}
	x, y, z := t.operands['x'], t.operands['y'], t.operands['z']
	out.values[0] = apply("(x ⊕ y) ⊕ z", apply("x ⊕ y", x, y), z)
	out.values[1] = apply("x ⊕ (y ⊕ z)", x, apply("y ⊕ z", y, z))
	return out
}

// apply applies op, over x_i, y_i and the rest.
func (t *trial) apply(a *rfactor.Answer, op []ir.Expr, left, right []uint64) []uint64 {
	value := func(v ir.Expr) uint64 {
		switch i := slices.Index(t.rest, v); {
		case v.Op() == ir.Var && v.Kind() == ir.State:
			return left[v.Index()]
		case v.Op() == ir.Var && v.Index() < len(right) && v == a.Pool().Y(v.Index(), v.Type()):
			return right[v.Index()]
		case i >= 0:
			return t.values[i]
		}
		return 0
	}
	return ir.EvalAll(op, &ir.Env{Var: value, Call: func(call ir.Expr, _ []uint64) uint64 { return value(call) }})
}
