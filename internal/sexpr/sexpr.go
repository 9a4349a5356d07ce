// Package sexpr reads terms, patterns and rules of package egraph that are written as s-expressions: those of its reference workloads.
package sexpr

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/egraph"
)

// Symbols numbers names: the operators of s-expressions. The zero value is
// ready for use.
type Symbols struct {
	names []string
	ops   map[string]egraph.Op
}

// Op returns the operator for a name, a new one if need be.
func (s *Symbols) Op(name string) egraph.Op {
	if op, ok := s.ops[name]; ok {
		return op
	}
	if s.ops == nil {
		s.ops = map[string]egraph.Op{}
	}
	op := egraph.Op(len(s.names))
	s.ops[name] = op
	s.names = append(s.names, name)
	return op
}

// Name returns the name of an operator; op3 for a number that has none.
func (s *Symbols) Name(op egraph.Op) string {
	if int(op) < len(s.names) {
		return s.names[op]
	}
	return fmt.Sprintf("op%d", op)
}

// ParseTerm reads a term such as (+ a (* b 2)). A variable is an error, and so is text that is no
// term.
func (s *Symbols) ParseTerm(text string) (*egraph.Term, error) {
	p, err := s.parse(text, map[string]int{})
	if err != nil {
		return nil, err
	}
	return ground(p)
}

// ground turns a pattern without variables into a term.
func ground(p egraph.Pattern) (*egraph.Term, error) {
	if p.Var >= 0 {
		return nil, fmt.Errorf("a term has no variables, but has number %d", p.Var)
	}
	t := &egraph.Term{Op: p.Op}
	for _, k := range p.Kids {
		kid, err := ground(k)
		if err != nil {
			return nil, err
		}
		t.Kids = append(t.Kids, kid)
	}
	return t, nil
}

// ParsePattern reads a term in which names that begin with ? are variables,
// numbered by their first occurrence from len(vars) on; vars takes them in. A nil vars stands for an
// empty one.
func (s *Symbols) ParsePattern(text string, vars map[string]int) (egraph.Pattern, error) {
	if vars == nil {
		vars = map[string]int{}
	}
	return s.parse(text, vars)
}

// ParseRules reads one rule a line, "name: lhs => rhs". # begins a comment. An error names the line.
func (s *Symbols) ParseRules(text string) ([]egraph.Rule, error) {
	var rules []egraph.Rule
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		r, err := s.parseRule(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func (s *Symbols) parseRule(line string) (egraph.Rule, error) {
	name, equation, ok1 := strings.Cut(line, ":")
	left, right, ok2 := strings.Cut(equation, "=>")
	if !ok1 || !ok2 {
		return egraph.Rule{}, fmt.Errorf("want name: lhs => rhs, have %q", line)
	}
	vars := map[string]int{}
	lhs, err := s.parse(left, vars)
	if err != nil {
		return egraph.Rule{}, err
	}
	rhs, err := s.parse(right, vars)
	return egraph.Rule{Name: strings.TrimSpace(name), LHS: lhs, RHS: rhs}, err
}

func (s *Symbols) parse(text string, vars map[string]int) (egraph.Pattern, error) {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	p, rest, err := s.parseWords(words, vars)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%q after the end of %q", rest[0], text)
	}
	return p, err
}

func (s *Symbols) parseWords(words []string, vars map[string]int) (egraph.Pattern, []string, error) {
	if len(words) == 0 {
		return egraph.Pattern{}, nil, fmt.Errorf("term ends too early")
	}
	word, rest := words[0], words[1:]
	switch {
	case word == ")":
		return egraph.Pattern{}, nil, fmt.Errorf("unexpected )")
	case word == "(":
		return s.parseNode(rest, vars)
	case word[0] == '?':
		if _, ok := vars[word]; !ok {
			vars[word] = len(vars)
		}
		return egraph.PVar(vars[word]), rest, nil
	}
	return egraph.PNode(s.Op(word)), rest, nil
}

// parseNode reads what follows an opening parenthesis.
func (s *Symbols) parseNode(words []string, vars map[string]int) (egraph.Pattern, []string, error) {
	if len(words) == 0 || words[0] == "(" || words[0] == ")" || words[0][0] == '?' {
		return egraph.Pattern{}, nil, fmt.Errorf("want an operator after (")
	}
	p := egraph.PNode(s.Op(words[0]))
	words = words[1:]
	for len(words) > 0 && words[0] != ")" {
		kid, rest, err := s.parseWords(words, vars)
		if err != nil {
			return egraph.Pattern{}, nil, err
		}
		p.Kids = append(p.Kids, kid)
		words = rest
	}
	if len(words) == 0 {
		return egraph.Pattern{}, nil, fmt.Errorf("missing )")
	}
	return p, words[1:], nil
}

// Format writes a term as an s-expression.
func (s *Symbols) Format(t *egraph.Term) string {
	var b strings.Builder
	s.format(&b, t)
	return b.String()
}

func (s *Symbols) format(b *strings.Builder, t *egraph.Term) {
	if len(t.Kids) == 0 {
		b.WriteString(s.Name(t.Op))
		return
	}
	b.WriteString("(" + s.Name(t.Op))
	for _, k := range t.Kids {
		b.WriteByte(' ')
		s.format(b, k)
	}
	b.WriteByte(')')
}

// MustCompile is egraph.Compile for rules that are known to be good. It panics where Compile gives an error.
func MustCompile(rules []egraph.Rule) *egraph.RuleSet {
	rs, err := egraph.Compile(rules)
	if err != nil {
		panic("sexpr: " + err.Error())
	}
	return rs
}
