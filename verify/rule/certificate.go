package rule

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/steps"
)

// Certificate proves one rule. It is a line of JSON.
type Certificate struct {
	Rule   string  `json:"rule"`
	Proofs []Proof `json:"proofs"`
}

// Proof proves the instances that it names: the steps lead from the left side of the rule to
// a term, and the tree proves that this term equals the right side. Without a tree the last
// step gives the right side.
type Proof struct {
	At    []string    `json:"at"`
	Steps []Step      `json:"steps,omitempty"`
	Tree  *proof.Tree `json:"tree,omitempty"`
}

// Step is a rewrite step in the notation of rules. To is the whole term after it.
type Step struct {
	Rule     string `json:"rule"`
	Backward bool   `json:"backward,omitempty"`
	Path     []int  `json:"path,omitempty"`
	To       string `json:"to"`
}

// maxTerm bounds the length of a step's term, which is read recursively.
const maxTerm = 1000

// at is the step in the instance at type t.
func (s Step) at(pool *ir.Pool, t ir.Type) (steps.Step, error) {
	if len(s.To) > maxTerm {
		return steps.Step{}, fmt.Errorf("a term of %d bytes", len(s.To))
	}
	term, err := rules.ParseTerm(s.To)
	if err == nil {
		_, err = term.Type(t)
	}
	if err != nil {
		return steps.Step{}, err
	}
	return steps.Step{Rule: s.Rule, Backward: s.Backward, Path: s.Path, To: build(pool, term, t)}, nil
}

// How lists the ways in which the rule is proven: equal polynomials, cases, bits, and the
// names of the rules in its steps.
func (c Certificate) How() string {
	var ways []string
	add := func(way string) {
		if !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	for _, p := range c.Proofs {
		for _, s := range p.Steps {
			add(s.Rule)
		}
		switch {
		case p.Tree == nil:
		case p.Tree.Kind == proof.Circuit:
			add("bits")
		case p.Tree.Kind == proof.Equal:
			add("equal")
		default:
			add("cases")
		}
	}
	return strings.Join(ways, ", ")
}

// Read reads certificates, one a line. The error names the line.
func Read(r io.Reader) ([]Certificate, error) {
	var certs []Certificate
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		var c Certificate
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if d.More() {
			return nil, fmt.Errorf("line %d: more than one certificate", n)
		}
		certs = append(certs, c)
	}
	return certs, lines.Err()
}
