package pattern

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

//go:embed operators.txt
var operatorText string

// Seed is one line of operators.txt: an operator whose types are still open.
type Seed struct {
	Name       string
	Components []Component
	Exprs      string
	Spellings  []Spelling
	Order      int // its place in the file
}

// Component is what a seed says of one component of the tuple.
type Component struct {
	Letter  string
	Classes []rules.Class // of the letter's first occurrence only
}

// Spelling is another form of an operator: Exprs are its expressions with Inject in place
// of its y_i.
type Spelling struct{ Exprs, Inject string }

// Seeds are the operators of operators.txt in its order.
var Seeds = sync.OnceValue(func() []*Seed {
	seeds, err := parseSeeds(operatorText)
	if err != nil {
		panic("pattern: internal: " + err.Error())
	}
	return seeds
})

func parseSeeds(text string) ([]*Seed, error) {
	var seeds []*Seed
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if rest, ok := strings.CutPrefix(trimmed, "as "); ok && line[0] == ' ' && len(seeds) > 0 {
			exprs, inject, ok := strings.Cut(rest, " with ")
			if !ok {
				return nil, fmt.Errorf("operators.txt:%d: no 'with'", i+1)
			}
			s := seeds[len(seeds)-1]
			s.Spellings = append(s.Spellings, Spelling{exprs, inject})
			continue
		}
		s, err := parseSeed(trimmed)
		if err != nil {
			return nil, fmt.Errorf("operators.txt:%d: %w", i+1, err)
		}
		s.Order = len(seeds)
		seeds = append(seeds, s)
	}
	return seeds, nil
}

func parseSeed(line string) (*Seed, error) {
	head, exprs, ok := strings.Cut(line, ") : ")
	name, components, ok2 := strings.Cut(head, " (")
	if !ok || !ok2 {
		return nil, fmt.Errorf("not 'name (components) : expressions'")
	}
	s := &Seed{Name: name, Exprs: exprs}
	for _, c := range strings.Split(components, ";") {
		words := strings.Fields(c)
		if len(words) == 0 {
			return nil, fmt.Errorf("empty component")
		}
		comp := Component{Letter: words[len(words)-1]}
		for _, w := range words[:len(words)-1] {
			class, err := rules.ParseClass(w)
			if err != nil {
				return nil, err
			}
			comp.Classes = append(comp.Classes, class)
		}
		s.Components = append(s.Components, comp)
	}
	return s, nil
}

// Needs says whether the seed is an operator on a tuple of the types, and on what it then
// relies. In a world of unbounded integers it may be one that it is not where they wrap,
// and the reverse.
func (s *Seed) Needs(types []ir.Type, allowed ir.Assume) (ir.Assume, bool) {
	if len(types) != len(s.Components) {
		return 0, false
	}
	letters := map[string]ir.Type{}
	var needs ir.Assume
	for i, c := range s.Components {
		t := types[i]
		if old, ok := letters[c.Letter]; ok {
			if old != t {
				return 0, false
			}
			continue
		}
		letters[c.Letter] = t
		n, ok := rules.NeedsAt(c.Classes, t, allowed)
		if !ok {
			return 0, false
		}
		needs |= n
	}
	return needs, true
}

// Instance is the seed's operator on a tuple of the types.
func (s *Seed) Instance(pool *ir.Pool, types []ir.Type) ([]ir.Expr, error) {
	return parseAt(pool, types, s.Exprs)
}

// parseAt reads the expressions of an operator or of a form of it: x_i and y_i have the
// type of component i, further y_i and all k_i that of the first numeric component (else
// the first), p_i are bool and n_i are integers that are never negative.
func parseAt(pool *ir.Pool, types []ir.Type, text string) ([]ir.Expr, error) {
	scope := ir.Scope{Var: func(name string) (ir.Expr, bool) { return variable(pool, types, name) }}
	parts := strings.Split(text, ";")
	if len(parts) != len(types) {
		return nil, fmt.Errorf("%d expressions for %d components: %s", len(parts), len(types), text)
	}
	var es []ir.Expr
	for i, part := range parts {
		e, err := ir.ParseExpr(pool, scope, types[i], strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		es = append(es, e)
	}
	return es, nil
}

func variable(pool *ir.Pool, types []ir.Type, name string) (ir.Expr, bool) {
	if len(name) != 2 || name[1] < '0' || name[1] > '9' {
		return ir.Expr{}, false
	}
	i := int(name[1] - '0')
	t := types[0]
	for _, c := range types {
		if c.IsNumeric() {
			t = c
			break
		}
	}
	switch name[0] {
	case 'x':
		if i >= len(types) {
			return ir.Expr{}, false
		}
		return pool.X(i, types[i]), true
	case 'y':
		if i < len(types) {
			t = types[i]
		}
		return pool.Y(i, t), true
	case 'k':
		return pool.K(i, t), true
	case 'p':
		return pool.Var(ir.Leaf, "p", i, ir.Bool), true
	case 'n':
		return pool.Var(ir.Leaf, "n", i, t), true
	}
	return ir.Expr{}, false
}
