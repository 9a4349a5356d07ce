package check

import (
	"bytes"
	"encoding/json"

	"github.com/rfactor-go/rfactor/prove"
)

// record is the JSON form of a report, of which cmd/rfactor/schema has the schema.
type record struct {
	Types       []string        `json:"types"`
	Operator    []string        `json:"operator"`
	Given       []string        `json:"given,omitempty"`
	Associative lawRecord       `json:"associative"`
	Commutative lawRecord       `json:"commutative"`
	Idempotent  lawRecord       `json:"idempotent"`
	Keeps       *lawRecord      `json:"keeps_given,omitempty"`
	Is          *lawRecord      `json:"is,omitempty"`
	Identity    *identityRecord `json:"identity,omitempty"`
	Poles       []poleRecord    `json:"poles,omitempty"`
}

type lawRecord struct {
	Holds   string   `json:"holds"` // yes, no, unknown
	Assumes []string `json:"assumes,omitempty"`
	Under   []string `json:"would_hold_under,omitempty"`
	Open    []string `json:"open_under,omitempty"`
	Counter string   `json:"counterexample,omitempty"` // of a law that holds: without its assumptions
}

type identityRecord struct {
	Values  []string `json:"values"`
	Side    string   `json:"side"`
	Assumes []string `json:"assumes,omitempty"`
	Counter []string `json:"counterexamples,omitempty"`
}

type poleRecord struct {
	At  string `json:"at"`
	Why string `json:"why"`
}

// MarshalJSON returns the report as one object.
func (r *Report) MarshalJSON() ([]byte, error) {
	out := record{
		Operator: texts(r.Operator.Exprs), Given: texts(r.Operator.Given),
		Associative: r.Associative.record(), Commutative: r.Commutative.record(), Idempotent: r.Idempotent.record(),
	}
	for _, t := range r.Operator.Types {
		out.Types = append(out.Types, t.String())
	}
	out.Keeps, out.Is = r.Keeps.optional(), r.Is.optional()
	if r.Identity != nil {
		out.Identity = &identityRecord{Values: texts(r.Identity), Side: r.Side.String(), Assumes: r.Assumes.Names()}
		for i := range r.Sides {
			if l := &r.Sides[i]; !l.Holds() && l.Counter != nil {
				out.Identity.Counter = append(out.Identity.Counter, l.Refutation())
			}
		}
	}
	for _, p := range r.Poles {
		out.Poles = append(out.Poles, poleRecord{p.Text, p.Why})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // operators have < and &
	err := enc.Encode(out)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// optional is the record of a law that not every report has; nil of nil.
func (l *Law) optional() *lawRecord {
	if l == nil {
		return nil
	}
	r := l.record()
	return &r
}

func (l *Law) record() lawRecord {
	r := lawRecord{Holds: map[prove.Status]string{prove.Proved: "yes", prove.Refuted: "no", prove.Unknown: "unknown"}[l.Theorem.Status]}
	if l.Holds() {
		r.Assumes = l.Assumes().Names()
	} else {
		r.Under, r.Open = l.More.Names(), l.Open.Names()
	}
	r.Counter = l.Refutation()
	return r
}
