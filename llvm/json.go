package llvm

import (
	"bytes"
	"encoding/json"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/rfactor"
)

// record is the JSON form of a finding, of which cmd/rfactor/schema has the schema.
type record struct {
	Kind        string           `json:"kind"` // loop, operator
	Func        string           `json:"function"`
	Block       string           `json:"block,omitempty"` // the header of a loop
	At          Place            `json:"at"`
	Source      *Place           `json:"source,omitempty"`
	Granted     []string         `json:"granted"`
	WithoutSign bool             `json:"without_sign,omitempty"`
	Update      []string         `json:"update,omitempty"`
	State       []string         `json:"state,omitempty"` // the values of the IR that the components are
	Inputs      []inputRecord    `json:"inputs,omitempty"`
	Obstacles   []obstacleRecord `json:"obstacles,omitempty"`
	Answer      json.RawMessage  `json:"answer,omitempty"`
	Unrolled    *Unrolled        `json:"unrolled,omitempty"`
	Check       *check.Report    `json:"check,omitempty"`
}

type inputRecord struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Value  string `json:"value,omitempty"` // of the IR
	Source *Place `json:"source,omitempty"`
}

type obstacleRecord struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail,omitempty"`
	At     Place  `json:"at"`
	Source *Place `json:"source,omitempty"`
}

func (f *Finding) record(kind string) record {
	r := record{Kind: kind, Func: f.Func, Block: f.Block, At: f.At, Source: f.Source.optional(), Granted: f.Allowed.Names(), WithoutSign: f.WithoutSign, State: f.State}
	if f.Update != nil {
		for _, e := range f.Update.Values {
			r.Update = append(r.Update, e.String())
		}
	}
	for _, in := range f.Inputs {
		r.Inputs = append(r.Inputs, inputRecord{in.Var.String(), in.Var.Type().String(), in.Name, in.Source.optional()})
	}
	for _, o := range f.Obstacles {
		r.Obstacles = append(r.Obstacles, obstacleRecord{o.Kind, o.Detail, o.At, o.Source.optional()})
	}
	return r
}

func (p Place) optional() *Place {
	if p.Line == 0 {
		return nil
	}
	return &p
}

// JSON returns a loop and its answer, which is nil where there are obstacles, as one line without a newline. On request the
// answer has its certificate. Unrolled is what Unroll gave, or nil.
func (l *Loop) JSON(a *rfactor.Answer, certificate bool, unrolled *Unrolled) ([]byte, error) {
	r := l.record("loop")
	r.Unrolled = unrolled
	if a != nil {
		line, err := a.JSON(certificate)
		if err != nil {
			return nil, err
		}
		r.Answer = line
	}
	return line(r)
}

// JSON returns an operator and what is known of it, which is nil where there are obstacles, as one line without a newline.
func (op *Operator) JSON(report *check.Report) ([]byte, error) {
	r := op.record("operator")
	r.Check = report
	return line(r)
}

func line(r record) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // updates have < and &
	err := enc.Encode(r)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
