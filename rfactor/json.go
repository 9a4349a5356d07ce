package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify"
)

// JSON returns the answer as one line of JSON, without a newline, and on request with its
// certificate: see [Answer.Certificate], whose errors it returns. A refusal has no certificate and
// gives no error. Expressions are in the notation of abstract updates.
func (a *Answer) JSON(certificate bool) (line []byte, err error) {
	err = guarded(func() error {
		r, err := a.record(certificate)
		if err == nil {
			line, err = r.Line()
		}
		return err
	})
	return line, err
}

// record returns the answer in the form of the JSON contract.
func (a *Answer) record(certificate bool) (*verify.Record, error) {
	r := &verify.Record{Schema: verify.Schema, Name: a.Name, Status: a.Status, Types: typeNames(a.Types), Update: texts(a.Update),
		Leaves: map[string]verify.Leaf{}, Assumes: a.Assumes.Names(), Given: texts(a.Given),
		Code: string(a.Code), Reason: a.Reason, Remarks: a.Remarks, Micros: float64(a.Elapsed.Nanoseconds()) / 1000}
	for _, l := range a.Leaves {
		r.Leaves[l.Var.Name()] = verify.Leaf{Type: l.Var.Type().String(), Text: l.Text, NonNeg: l.NonNeg}
	}
	for _, e := range a.Initial {
		text := ""
		if e.IsValid() {
			text = e.String()
		}
		r.Initial = append(r.Initial, text)
	}
	for _, k := range a.Keep {
		kept := verify.Kept{Component: k.Component, When: verify.After}
		if k.Before {
			kept.When = verify.Before
		}
		r.Keeps = append(r.Keeps, kept)
	}
	r.Ended, r.Placed = a.Ended, a.Placed
	if a.Hint.Assume != 0 || len(a.Hint.Given) > 0 {
		r.Hint = &verify.Hint{Assume: a.Hint.Assume.Names(), Given: texts(a.Hint.Given)}
	}
	if a.Fewer != nil {
		r.Fewer = &verify.Hint{Assume: a.Fewer.Assume.Names(), Given: []string{}}
	}
	if a.Counter != nil {
		r.Counterexample = counterText(a.Counter)
		r.Refutes = &verify.Refutes{Roles: texts(a.Roles), Component: a.Refuted}
	}
	if n := a.Nearest; n != nil {
		r.Nearest = &verify.Nearest{Name: n.Name, Components: n.Components, Exprs: texts(n.Exprs), Inject: texts(n.Inject), Component: n.Component, At: counterText(n.Counter)}
	}
	r.NoOperator = a.NoOperator()
	if a.Status == Staged {
		if err := a.writeStages(r, certificate); err != nil {
			return nil, err
		}
	}
	if op := a.Operator; op != nil {
		var least *verify.Products
		r.Operator = &verify.Operator{Types: typeNames(op.Types), Exprs: texts(op.Exprs), IdentitySide: op.Side.String(), Commutative: op.Commutative, Idempotent: op.Idempotent}
		if op.Identity != nil {
			r.Operator.Identity = texts(op.Identity)
		}
		if written, ok := a.AsWritten(); ok && a.claim == nil && !slices.Equal(written, op.Exprs) {
			r.Operator.RunsAs = texts(written)
		}
		r.Inject, r.Via = texts(a.Inject), a.Via()
		if a.Lift != nil {
			cost := verify.Cost(a.LiftCost())
			r.Apply, r.Cost = texts(a.Lift.Apply), &cost
			least = a.leastBeside(r.NoOperator)
			if least != nil {
				r.Least = verify.LeastProven
			}
			if types := a.paramTypes(); !slices.Equal(types, a.Types) {
				r.ParameterTypes = typeNames(types)
			}
		}
		for _, g := range a.Groups {
			r.Groups = append(r.Groups, g.Components)
		}
		r.Proof = &verify.Proof{Steps: a.Steps()}
		if certificate {
			w := newCertifier(a.claimed())
			c, err := w.certificate()
			if err != nil {
				return nil, err
			}
			if c.Lift != nil {
				c.Lift.Least = least
			}
			r.Proof = &verify.Proof{Steps: c.Steps(), Certificate: c}
			if w.step != nil {
				cost := verify.Cost(costOf(w.step))
				r.Cost = &cost
			}
		}
	}
	return r, nil
}

// writeStages enters the stages of an answer into its record: each has an answer of its own, with its
// certificate.
func (a *Answer) writeStages(r *verify.Record, certificate bool) error {
	for _, s := range a.Stages {
		answer, err := s.Answer.record(certificate)
		if err != nil {
			return err
		}
		stage := verify.Stage{Components: s.Components, Reads: []verify.StageRead{}, Stores: append([]int{}, s.Stores...), Answer: answer}
		for _, read := range s.Reads {
			when := verify.Before
			if read.After {
				when = verify.After
			}
			stage.Reads = append(stage.Reads, verify.StageRead{Leaf: read.Leaf.Name(), Component: read.Component, When: when})
		}
		r.Stages = append(r.Stages, stage)
	}
	steps := 0
	for _, s := range r.Stages {
		steps += s.Answer.Proof.Steps
	}
	r.Via, r.Passes, r.Proof = a.Via(), a.Passes(), &verify.Proof{Steps: steps}
	return nil
}

func typeNames(ts []ir.Type) []string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = t.String()
	}
	return out
}

func texts(es []ir.Expr) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.String()
	}
	return out
}

// counterText returns the inputs of a counterexample by their names, and the two different results.
func counterText(c *prove.Counterexample) map[string]string {
	out := map[string]string{"left": verify.ValueText(c.Type, c.Left), "right": verify.ValueText(c.Type, c.Right)}
	for i, v := range c.Inputs {
		out[v.String()] = verify.ValueText(v.Type(), c.Values[i])
	}
	return out
}
