package rfactor

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Certificate is everything that a checker needs, beside the answer's own expressions, to
// replay why the answer is true. Expressions are texts in the notation of abstract updates.
type Certificate struct {
	Groups []GroupCertificate `json:"groups,omitempty"`
	// Lift proves a lifted answer, which has no groups.
	Lift *LiftProofs `json:"lift,omitempty"`
	// Initial proves, where invariants of the state were inferred, that the initial value has them.
	Initial []*proof.Tree `json:"initial,omitempty"`
	// Overlaps proves, for each component that several groups have, that they agree.
	Overlaps []OverlapCertificate `json:"overlaps,omitempty"`
}

// GroupCertificate proves one group: that its operator is associative and has the stated
// properties, and that the update restricted to it is x ⊕ inject.
type GroupCertificate struct {
	Components      []int         `json:"components"`
	Operator        []string      `json:"operator"`
	Identity        []string      `json:"identity,omitempty"`
	Side            string        `json:"identity_side"`
	Inject          []string      `json:"inject"`
	OperatorAssumes []string      `json:"operator_assumes"` // what Properties rests on
	Commutative     bool          `json:"commutative"`
	Idempotent      bool          `json:"idempotent"`
	Properties      proof.Proofs  `json:"properties"`
	Lemmas          []LemmaRecord `json:"lemmas,omitempty"` // by which the update is simplified before Update
	Update          []UpdateProof `json:"update"`
	NonNeg          []string      `json:"nonneg,omitempty"` // coordinates that the proofs in Update take as not negative
	Given           bool          `json:"given,omitempty"`  // the proofs use what is given of the group's components and of inputs
	Admits          []UpdateProof `json:"admits,omitempty"` // inject has what is given of the state
}

// UpdateProof proves one component's equation under assumptions, by cases or by a chain of
// rewrite steps.
type UpdateProof struct {
	Assumes []string     `json:"assumes,omitempty"`
	Cases   *proof.Tree  `json:"cases,omitempty"`
	Steps   []StepRecord `json:"steps,omitempty"`
}

// LemmaRecord is an equation between terms over the group's states: From is replaced by To
// wherever it occurs.
type LemmaRecord struct {
	Type string `json:"type"`
	From string `json:"from"`
	To   string `json:"to"`
	UpdateProof
}

// StepRecord is one rewrite: Rule turns the subterm at Path, giving To.
type StepRecord struct {
	Rule     string `json:"rule"`
	Backward bool   `json:"backward,omitempty"`
	Path     []int  `json:"path,omitempty"`
	To       string `json:"to"`
}

// OverlapCertificate proves that a later group gives a component the same operator and the
// same inject as the first one that has it.
type OverlapCertificate struct {
	Component int         `json:"component"`
	Group     int         `json:"group"`
	Operator  *proof.Tree `json:"operator"`
	Inject    *proof.Tree `json:"inject"`
}

// Certificate is what the answer was proven by. That groups agree on components they share is
// proven once more.
func (a *Answer) Certificate() (*Certificate, error) {
	if a.Status == Lifted {
		proofs := a.Lift.Proofs
		proofs.Lemmas = lemmaRecords(a.Lift.Lemmas)
		return &Certificate{Lift: &proofs}, nil
	}
	if a.Status != Associative {
		return nil, fmt.Errorf("rfactor: there is no certificate of a refusal")
	}
	c := &Certificate{Initial: a.Starts}
	for _, g := range a.Groups {
		c.Groups = append(c.Groups, groupCertificate(g))
	}
	return c, a.overlapCertificates(prove.NewProver(), c)
}

func groupCertificate(g Group) GroupCertificate {
	op := g.Operator
	gc := GroupCertificate{Components: g.Components, Operator: texts(op.Exprs), Side: op.Side.String(), Inject: texts(g.Inject),
		OperatorAssumes: op.Assumes.Names(), Commutative: op.Commutative, Idempotent: op.Idempotent, Properties: op.Proofs,
		Lemmas: lemmaRecords(g.Lemmas), Given: len(op.Given)+len(g.Where) > 0}
	if op.Side != proof.NoSide {
		gc.Identity = texts(op.Identity)
	}
	for _, e := range g.Admits {
		gc.Admits = append(gc.Admits, UpdateProof{Assumes: e.Assumes.Names(), Cases: e.Cases})
	}
	for _, v := range g.NonNeg {
		gc.NonNeg = append(gc.NonNeg, v.Name())
	}
	for _, e := range g.Equal {
		gc.Update = append(gc.Update, UpdateProof{Assumes: e.Assumes.Names(), Cases: e.Cases, Steps: stepRecords(e.Steps)})
	}
	return gc
}

func lemmaRecords(lemmas []Lemma) (out []LemmaRecord) {
	for _, l := range lemmas {
		out = append(out, LemmaRecord{l.From.Type().String(), l.From.String(), l.To.String(), UpdateProof{Assumes: l.Assumes.Names(), Cases: l.Cases}})
	}
	return out
}

// wrapping drops the assumptions that an identity may not rest on: slices start from it.
func wrapping(a ir.Assume) ir.Assume { return a &^ (ir.NSW | ir.NUW) }

func stepRecords(steps []canon.Step) []StepRecord {
	var out []StepRecord
	for _, s := range steps {
		out = append(out, StepRecord{s.Rule, s.Backward, s.Path, s.After.String()})
	}
	return out
}

// overlapCertificates proves again that groups agree about the components they share.
func (a *Answer) overlapCertificates(w *prove.Prover, c *Certificate) error {
	first := map[int]int{} // component → group
	for n, g := range a.Groups {
		for _, i := range g.Components {
			f, ok := first[i]
			if !ok {
				first[i] = n
				continue
			}
			o := OverlapCertificate{Component: i, Group: n}
			for _, inject := range []bool{false, true} {
				p := overlapProblem(a.Pool(), a.Groups[f], g, i, inject)
				t := w.Under(context.Background(), p, wrapping(a.Assumes)|g.Assumes&overflow)
				if t.Status != prove.Proved {
					return fmt.Errorf("rfactor: internal: the groups' agreement on component %d is not proven again", i)
				}
				if inject {
					o.Inject = t.Proof
				} else {
					o.Operator = t.Proof
				}
			}
			c.Overlaps = append(c.Overlaps, o)
		}
	}
	return nil
}

// overlapProblem states that two groups give component i the same operator, or inject.
func overlapProblem(pool *ir.Pool, f, g Group, i int, inject bool) proof.Problem {
	part := func(g Group) ir.Expr {
		for j, n := range g.Components {
			if n != i {
				continue
			}
			if inject {
				return g.Inject[j]
			}
			return wholeNumbers(pool, g.Components, g.Operator.Exprs[j:j+1])[0]
		}
		panic("rfactor: internal: the group lacks the component")
	}
	return proof.Problem{Left: part(f), Right: part(g)}
}

// wholeNumbers renumbers a group's operands as components of the whole tuple.
func wholeNumbers(pool *ir.Pool, components []int, es []ir.Expr) []ir.Expr {
	if components[len(components)-1] == len(components)-1 { // they ascend: each has its number
		return es
	}
	return pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		switch e.Kind() {
		case ir.State:
			return pool.X(components[e.Index()], e.Type())
		case ir.Leaf:
			return pool.Y(components[e.Index()], e.Type())
		}
		return ir.Expr{}
	})
}

// Pool owns the answer's expressions.
func (a *Answer) Pool() *ir.Pool { return a.Update[0].Pool() }
