package rfactor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

// Schema is the version of the JSON form of answers.
const Schema = 1

// record is the JSON form of an Answer: one line of `rfactor match -json`.
type record struct {
	Schema   int                   `json:"schema"`
	Name     string                `json:"name"`
	Status   Status                `json:"status"`
	Types    []string              `json:"types"`
	Update   []string              `json:"update"`
	Leaves   map[string]leafRecord `json:"leaves"`
	Operator *operatorRecord       `json:"operator,omitempty"`
	Inject   []string              `json:"inject,omitempty"`
	Apply    []string              `json:"apply,omitempty"`           // of a lifted answer: over x_i and parameters p_i
	Params   []string              `json:"parameter_types,omitempty"` // of a lifted answer, as it is run, where they are not the state's
	Cost     *Cost                 `json:"cost,omitempty"`            // of a lifted answer
	Assumes  []string              `json:"assumes"`
	Given    []string              `json:"given"`
	Initial  []string              `json:"initial,omitempty"` // where given was inferred: the initial value that has it
	Via      string                `json:"via,omitempty"`
	Groups   [][]int               `json:"groups,omitempty"`
	Proof    *proofRecord          `json:"proof,omitempty"`
	Reason   string                `json:"reason,omitempty"`
	Counter  map[string]string     `json:"counterexample,omitempty"`
	Nearest  *nearestRecord        `json:"nearest,omitempty"`
	Micros   float64               `json:"micros"`
}

// nearestRecord is a Nearest. In At, left is the update's value and right the operator's.
type nearestRecord struct {
	Name       string            `json:"name"`
	Components []int             `json:"components"`
	Exprs      []string          `json:"exprs"`
	Inject     []string          `json:"inject"`
	Component  int               `json:"component"`
	At         map[string]string `json:"at"`
}

type leafRecord struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// NonNeg is set of reduction coordinates that are never negative.
	NonNeg bool `json:"nonneg,omitempty"`
}

type operatorRecord struct {
	Types        []string `json:"types"`
	Exprs        []string `json:"exprs"`
	Identity     []string `json:"identity,omitempty"`
	IdentitySide string   `json:"identity_side"`
	Commutative  bool     `json:"commutative"`
	Idempotent   bool     `json:"idempotent"`
}

type proofRecord struct {
	Steps       int          `json:"steps"`
	Certificate *Certificate `json:"certificate,omitempty"`
}

// JSON is the answer as one line of JSON, without a newline; with its certificate if asked.
// Expressions are in the notation of abstract updates.
func (a *Answer) JSON(certificate bool) ([]byte, error) {
	r := record{Schema: Schema, Name: a.Name, Status: a.Status, Types: typeNames(a.Types), Update: texts(a.Update),
		Leaves: map[string]leafRecord{}, Assumes: a.Assumes.Names(), Given: texts(a.Given),
		Reason: a.Reason, Micros: float64(a.Elapsed.Nanoseconds()) / 1000}
	for _, l := range a.Leaves {
		r.Leaves[l.Var.Name()] = leafRecord{l.Var.Type().String(), l.Text, l.NonNeg}
	}
	for _, e := range a.Initial {
		text := ""
		if e.IsValid() {
			text = e.String()
		}
		r.Initial = append(r.Initial, text)
	}
	if a.Counter != nil {
		r.Counter = counterText(a.Counter)
	}
	if n := a.Nearest; n != nil {
		r.Nearest = &nearestRecord{n.Name, n.Components, texts(n.Exprs), texts(n.Inject), n.Component, counterText(n.Counter)}
	}
	if op := a.Operator; op != nil {
		r.Operator = &operatorRecord{Types: typeNames(op.Types), Exprs: texts(op.Exprs), IdentitySide: op.Side.String(), Commutative: op.Commutative, Idempotent: op.Idempotent}
		if op.Identity != nil {
			r.Operator.Identity = texts(op.Identity)
		}
		r.Inject, r.Via = texts(a.Inject), a.Via()
		if a.Lift != nil {
			cost := a.LiftCost()
			r.Apply, r.Cost = texts(a.Lift.Apply), &cost
			if types := a.paramTypes(); !slices.Equal(types, a.Types) {
				r.Params = typeNames(types)
			}
		}
		for _, g := range a.Groups {
			r.Groups = append(r.Groups, g.Components)
		}
		r.Proof = &proofRecord{Steps: a.Steps()}
		if certificate {
			c, err := a.Certificate()
			if err != nil {
				return nil, err
			}
			r.Proof.Certificate = c
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
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

// counterText names the inputs of a counterexample and the two different results.
func counterText(c *prove.Counterexample) map[string]string {
	out := map[string]string{"left": valueText(c.Type, c.Left), "right": valueText(c.Type, c.Right)}
	for i, v := range c.Inputs {
		out[v.String()] = valueText(v.Type(), c.Values[i])
	}
	return out
}

func valueText(t ir.Type, v uint64) string {
	switch {
	case t == ir.Bool:
		return fmt.Sprint(v != 0)
	case t.IsFloat():
		return fmt.Sprint(ir.Float(t, v))
	case t.IsSigned():
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprint(v)
}
