package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/steps"
)

// Schema is the version of the JSON form of answers. Fields and values are added without a new version; Read refuses others.
const Schema = 2

// Status is the outcome of a match.
type Status string

// The outcomes.
const (
	Associative Status = "associative" // there is an operator on the state
	Lifted      Status = "lifted"      // there is one on the parameters of steps
	Staged      Status = "staged"      // there is one or the other of each stage, where earlier stages are inputs
	Refused     Status = "refused"     // there is none, or none was found
	Failed      Status = "error"       // the update could not be read
)

// IsAnswer reports whether a match with this outcome found how to run the update in parallel.
func (s Status) IsAnswer() bool { return s == Associative || s == Lifted || s == Staged }

// Record is an answer as one line of JSON. Expressions are in the canonical notation.
type Record struct {
	Schema         int               `json:"schema"`
	Name           string            `json:"name"`
	Status         Status            `json:"status"`
	Types          []string          `json:"types"`
	Update         []string          `json:"update"`
	Leaves         map[string]Leaf   `json:"leaves"`
	Operator       *Operator         `json:"operator,omitempty"`
	Inject         []string          `json:"inject,omitempty"`
	Apply          []string          `json:"apply,omitempty"`           // of a lifted answer: over x_i and parameters p_i
	ParameterTypes []string          `json:"parameter_types,omitempty"` // of a lifted answer: where they are not the state's
	Cost           *Cost             `json:"cost,omitempty"`            // of a lifted answer
	Least          string            `json:"least,omitempty"`           // of a lifted answer: LeastProven, where fewer parameters cannot do
	Assumes        []string          `json:"assumes"`
	Given          []string          `json:"given"`
	Initial        []string          `json:"initial,omitempty"` // where given was inferred: the initial value that has it
	Via            string            `json:"via,omitempty"`
	Groups         [][]int           `json:"groups,omitempty"`
	Stages         []Stage           `json:"stages,omitempty"` // of a staged answer, in the order in which they run
	Passes         int               `json:"passes,omitempty"` // of a staged answer: the longest chain of stages of which each reads the one before
	Proof          *Proof            `json:"proof,omitempty"`
	Code           string            `json:"code,omitempty"` // of a refusal: its kind
	Reason         string            `json:"reason,omitempty"`
	Hint           *Hint             `json:"hint,omitempty"`  // of a refusal: what would give an answer; of a staged answer: one in one pass
	Fewer          *Hint             `json:"fewer,omitempty"` // of an associative answer: what another operator assumes; no claim
	Counterexample map[string]string `json:"counterexample,omitempty"`
	NoOperator     *Products         `json:"no_operator,omitempty"` // of a refusal or a lift: what shows that there is no operator on the state, where nothing is assumed
	Refutes        *Refutes          `json:"refutes,omitempty"`
	Nearest        *Nearest          `json:"nearest,omitempty"`
	Keeps          []Kept            `json:"keeps,omitempty"`   // what of the state the loop keeps of every step; no claim
	Ended          int               `json:"ended,omitempty"`   // the component that says that the loop has ended; no claim
	Placed         string            `json:"placed,omitempty"`  // the function at whose counted places the loop writes; no claim
	Remarks        []string          `json:"remarks,omitempty"` // for people: no claims
	Micros         float64           `json:"micros"`
}

// Leaf is a variable of the update other than its state.
type Leaf struct {
	Type   string `json:"type"`
	Text   string `json:"text"`             // what it stands for in the source; a label
	NonNeg bool   `json:"nonneg,omitempty"` // a reduction coordinate that is never negative
}

// Operator is ⊕, over x_i, y_i and constants.
type Operator struct {
	Types        []string `json:"types"`
	Exprs        []string `json:"exprs"`
	Identity     []string `json:"identity,omitempty"`
	IdentitySide string   `json:"identity_side"`
	Commutative  bool     `json:"commutative"`
	Idempotent   bool     `json:"idempotent"`
	// RunsAs is the operator in the words of the update, where those run better: log(exp(x0) + exp(y0))
	// overflows where x0 + log(1.0 + exp(y0 - x0)) does not. Nil where there are no other words.
	RunsAs []string `json:"runs_as,omitempty"`
}

// Cost is what a step of a lifted update costs: a composition with it, simplified.
type Cost struct {
	Parameters      int `json:"parameters"`
	Multiplications int `json:"multiplications"` // subterms that several parameters share count once
}

// Hint says what would give a refused update an answer: all assumptions to allow, and conditions on the state.
type Hint struct {
	Assume []string `json:"assume"`
	Given  []string `json:"given"`
}

// Stage is one pass of a staged answer: some components, answered where what they read of earlier stages are inputs.
type Stage struct {
	Components []int       `json:"components"`
	Reads      []StageRead `json:"reads"`
	Stores     []int       `json:"stores"` // the components whose prefixes later stages read
	Answer     *Record     `json:"answer"` // associative or lifted, of the components renumbered 0, 1, …
}

// StageRead is a leaf of a stage's answer that stands for a component of an earlier stage.
type StageRead struct {
	Leaf      string `json:"leaf"`
	Component int    `json:"component"`
	When      When   `json:"when"`
}

// Kept is a component of the state whose values before or after every step a loop keeps.
type Kept struct {
	Component int  `json:"component"`
	When      When `json:"when"`
}

// When says which value of a component a stage reads, or a loop keeps.
type When string

// The values: that before the step (of an exclusive scan), and that after it (of an inclusive one).
const (
	Before When = "before"
	After  When = "after"
)

// Refutes says what a counterexample refutes: that the update, with y_i in place of the
// leaves or subterms Roles[i], is associative in component Component.
type Refutes struct {
	Roles     []string `json:"roles"` // over the leaves
	Component int      `json:"component"`
}

// Nearest is an operator that agrees with a refused update at most points, and a point at
// which it does not: there left is the update's value and right the operator's.
type Nearest struct {
	Name       string            `json:"name"`
	Components []int             `json:"components"`
	Exprs      []string          `json:"exprs"`
	Inject     []string          `json:"inject"`
	Component  int               `json:"component"`
	At         map[string]string `json:"at"`
}

// Proof is the size of a proof, and the certificate where it was asked for.
type Proof struct {
	Steps       int          `json:"steps"`
	Certificate *Certificate `json:"certificate,omitempty"`
}

// Certificate is everything that a checker needs beside the answer's own expressions.
type Certificate struct {
	Terms  map[string]Leaf `json:"terms,omitempty"`  // inputs that the proofs have in the places of terms, which are their texts …
	Update []string        `json:"update,omitempty"` // … in this update, where there are any
	Groups []Group         `json:"groups,omitempty"`
	Lift   *Lift           `json:"lift,omitempty"` // of a lifted answer, which has no groups
	// Initial proves of inferred invariants that the initial value has them.
	Initial  []*proof.Tree `json:"initial,omitempty"`
	Overlaps []Overlap     `json:"overlaps,omitempty"` // in the order of groups and components
}

// Group proves of some components that their operator is associative and has the stated
// properties, and that the update restricted to them is x ⊕ inject.
type Group struct {
	Components      []int        `json:"components"`
	Operator        []string     `json:"operator"`
	Identity        []string     `json:"identity,omitempty"`
	Side            string       `json:"identity_side"`
	Inject          []string     `json:"inject"`
	OperatorAssumes []string     `json:"operator_assumes"` // what Properties rests on
	Commutative     bool         `json:"commutative"`
	Idempotent      bool         `json:"idempotent"`
	Properties      proof.Proofs `json:"properties"`
	Lemmas          []Lemma      `json:"lemmas,omitempty"` // by which the update is simplified before Update
	Update          []Equality   `json:"update"`
	NonNeg          []string     `json:"nonneg,omitempty"` // coordinates that the proofs in Update take as not negative
	Given           bool         `json:"given,omitempty"`  // the proofs use what is given of the group's components and of inputs
	Admits          []Equality   `json:"admits,omitempty"` // inject has what is given of the state
}

// Equality proves an equation under assumptions, by cases or by a chain of rewrite steps.
type Equality struct {
	Assumes []string    `json:"assumes,omitempty"`
	Cases   *proof.Tree `json:"cases,omitempty"`
	Steps   []Step      `json:"steps,omitempty"`
}

// Step is one rewrite of an Equality.
type Step = steps.Step

// Lemma is an equation between terms over the group's states: From is replaced by To wherever it occurs.
type Lemma struct {
	Type string `json:"type"`
	From string `json:"from"`
	To   string `json:"to"`
	Equality
}

// Overlap proves that a later group gives a component the same operator and the same inject as the first one that has it.
type Overlap struct {
	Component int         `json:"component"`
	Group     int         `json:"group"`
	Assumes   []string    `json:"assumes,omitempty"`
	Operator  *proof.Tree `json:"operator"`
	Inject    *proof.Tree `json:"inject"`
}

// Lift holds the proofs of a lifted answer. A list has an equation for each component of the state, or, where it is
// about what Cost counts, for each parameter.
type Lift struct {
	Assumes   []string      `json:"assumes"`
	Inject    []string      `json:"inject,omitempty"`    // where the certificate has terms
	Update    []*proof.Tree `json:"update"`              // update = apply(x, inject)
	Action    []*proof.Tree `json:"action"`              // apply(apply(x, p), q) = apply(x, p ∘ q)
	Identity  []*proof.Tree `json:"identity,omitempty"`  // apply(x, e) = x, where integers wrap …
	Unbounded []*proof.Tree `json:"unbounded,omitempty"` // … and where they do not: parameters may be wider
	Kept      []*proof.Tree `json:"kept,omitempty"`      // with the answer's Initial: a step keeps what is given
	Lemmas    []Lemma       `json:"lemmas,omitempty"`    // by which the update is simplified before Update
	Step      []string      `json:"step"`                // p ∘ inject, simplified: what Cost counts …
	Simpler   []Equality    `json:"simpler"`             // … and that it is that
	Least     *Products     `json:"least,omitempty"`     // that fewer parameters cannot do
}

// Read reads a line of JSON. It refuses a line with another schema or an unknown status, and one that other readers may read
// differently: where a field is missing that has no default, or is there twice, or is null.
func Read(line []byte) (*Record, error) {
	r := &Record{}
	if err := json.Unmarshal(line, r); err != nil {
		return nil, err
	}
	switch r.Status {
	case Associative, Lifted, Staged, Refused, Failed:
	default:
		return nil, fmt.Errorf("there is no status %q", r.Status)
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("schema %d, not %d", r.Schema, Schema)
	}
	if err := distinctKeys(json.NewDecoder(bytes.NewReader(line)), 0); err != nil {
		return nil, err
	}
	again, err := r.Line()
	if err != nil {
		return nil, err
	}
	var stated, read any
	if err := errors.Join(json.Unmarshal(line, &stated), json.Unmarshal(again, &read)); err != nil {
		return nil, err
	}
	return r, sameFields(stated, read)
}

// maxNesting bounds the objects and arrays around one another in a line.
const maxNesting = 2000

// distinctKeys reads one value of valid JSON. It reports a null, and an object with two equal keys.
func distinctKeys(d *json.Decoder, depth int) error {
	open, err := d.Token()
	switch {
	case err == nil && open == nil:
		return errors.New("null stands where a value belongs")
	case err != nil || open != json.Delim('{') && open != json.Delim('['):
		return err
	case depth == maxNesting:
		return fmt.Errorf("more than %d objects and arrays around one another", maxNesting)
	}
	seen := map[json.Token]bool{}
	for d.More() {
		if open == json.Delim('{') {
			key, err := d.Token()
			if err != nil || seen[key] {
				return errors.Join(err, fmt.Errorf("the field %q is there twice", key))
			}
			seen[key] = true
		}
		if err := distinctKeys(d, depth+1); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// sameFields compares the value of a line with the value that is written for what was read of it. Of objects the line may have more keys,
// unless they differ in their case alone: package json takes those for one field, and other readers do not.
func sameFields(stated, read any) error {
	switch read := read.(type) {
	case map[string]any:
		stated, _ := stated.(map[string]any)
		for key := range stated {
			_, known := read[key]
			for field := range read {
				if !known && strings.EqualFold(key, field) {
					return fmt.Errorf("the field %q is there twice, once as %q", field, key)
				}
			}
		}
		for _, field := range slices.Sorted(maps.Keys(read)) {
			if _, ok := stated[field]; !ok {
				return fmt.Errorf("the field %q is missing", field)
			}
			if err := sameFields(stated[field], read[field]); err != nil {
				return err
			}
		}
	case []any:
		stated, _ := stated.([]any)
		if len(stated) != len(read) {
			return fmt.Errorf("%d elements are read as %d", len(stated), len(read))
		}
		for i, value := range read {
			if err := sameFields(stated[i], value); err != nil {
				return err
			}
		}
	default:
		if stated != read {
			return fmt.Errorf("%v is read as %v", stated, read)
		}
	}
	return nil
}

// Steps returns the size of the proofs that the update is what the answer says: nodes of trees and rewrite steps.
func (c *Certificate) Steps() (n int) {
	for _, g := range c.Groups {
		n += stepsOf(g.Lemmas)
		for _, e := range g.Update {
			n += e.Cases.Size() + len(e.Steps)
		}
	}
	if c.Lift != nil {
		n += stepsOf(c.Lift.Lemmas)
	}
	return n
}

func stepsOf(lemmas []Lemma) (n int) {
	for _, l := range lemmas {
		n += l.Cases.Size()
	}
	return n
}

// Line returns the record as one line of JSON, without a newline.
func (r *Record) Line() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
