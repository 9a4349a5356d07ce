package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// Trial is a counterexample to associativity, evaluated: three operands, and the update applied to them in both orders.
type Trial struct {
	Operator []string     `json:"operator"` // x ⊕ y, by component
	Where    []string     `json:"where"`    // what x, y, z and inputs are
	Steps    []Evaluation `json:"steps"`
	Differs  int          `json:"differs"` // the component in which the two results differ

	values [2][]uint64 // the results
}

// Evaluation is an operator that is applied.
type Evaluation struct {
	Term   string `json:"term"`   // such as (x ⊕ y) ⊕ z
	Values string `json:"values"` // such as 2 ⊕ 0
	Result string `json:"result"`
}

// trialOf evaluates the counterexample of a refusal; nil where there is none.
func trialOf(a *rfactor.Answer) *Trial {
	c, n := a.Counter, len(a.Types)
	if c == nil {
		return nil
	}
	op := a.Pool().Map(a.Update, func(e ir.Expr) ir.Expr {
		if i := slices.Index(a.Roles, e); i >= 0 {
			return a.Pool().Y(i, e.Type())
		}
		return ir.Expr{}
	})
	operands := map[byte][]uint64{'x': make([]uint64, n), 'y': make([]uint64, n), 'z': make([]uint64, n)}
	t := &Trial{Differs: a.Refuted}
	var rest []string
	for i, v := range c.Inputs {
		name := v.String()
		values := operands[name[0]]
		if at, err := strconv.Atoi(name[1:]); v.Op() == ir.Var && err == nil && values != nil && at < n {
			values[at] = c.Values[i]
		} else {
			rest = append(rest, Spelled(a, v)+" = "+verify.ValueText(v.Type(), c.Values[i]))
		}
	}
	slices.Sort(rest)
	t.Operator = a.SpelledOperator(op...)
	show := func(values []uint64) string {
		var texts []string
		for i, v := range values {
			texts = append(texts, verify.ValueText(a.Types[i], v))
		}
		if len(texts) == 1 {
			return texts[0]
		}
		return "(" + strings.Join(texts, ", ") + ")"
	}
	for _, name := range []byte("xyz") {
		t.Where = append(t.Where, fmt.Sprintf("%c = %s", name, show(operands[name])))
	}
	t.Where = append(t.Where, rest...)
	apply := func(term string, left, right []uint64) []uint64 {
		value := func(v ir.Expr) uint64 {
			switch i := slices.Index(c.Inputs, v); {
			case v.Op() == ir.Var && v.Kind() == ir.State:
				return left[v.Index()]
			case v.Op() == ir.Var && v.Index() < n && v == a.Pool().Y(v.Index(), v.Type()):
				return right[v.Index()]
			case i >= 0:
				return c.Values[i]
			}
			return 0
		}
		env := &ir.Env{Var: value, Call: func(call ir.Expr, _ []uint64) uint64 { return value(call) }}
		var out []uint64
		for _, e := range op {
			out = append(out, ir.Eval(e, env))
		}
		t.Steps = append(t.Steps, Evaluation{term, show(left) + " ⊕ " + show(right), show(out)})
		return out
	}
	x, y, z := operands['x'], operands['y'], operands['z']
	t.values[0] = apply("(x ⊕ y) ⊕ z", apply("x ⊕ y", x, y), z)
	t.values[1] = apply("x ⊕ (y ⊕ z)", x, apply("y ⊕ z", y, z))
	return t
}
