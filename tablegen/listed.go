package tablegen

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rules"
)

//go:embed listed.txt
var listedText string

// seed is one line of listed.txt: an operator whose types are still open.
type seed struct {
	Name       string
	Components []seedComponent
	Exprs      string
	Spellings  []spelling
	Order      int // its place in the file
}

// seedComponent is one component of the tuple of a seed.
type seedComponent struct {
	Letter  string
	Classes []rules.Class // of the letter's first occurrence only
}

// spelling is another form of an operator: Exprs are its expressions with Inject in place
// of its y_i.
type spelling struct{ Exprs, Inject string }

// listed are the operators of listed.txt in its order.
var listed = sync.OnceValue(func() []*seed {
	seeds, err := parseListed(listedText)
	if err != nil {
		panic("tablegen: internal: " + err.Error())
	}
	return seeds
})

func parseListed(text string) ([]*seed, error) {
	var seeds []*seed
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if rest, ok := strings.CutPrefix(trimmed, "as "); ok && line[0] == ' ' && len(seeds) > 0 {
			exprs, inject, ok := strings.Cut(rest, " with ")
			if !ok {
				return nil, fmt.Errorf("listed.txt:%d: no 'with'", i+1)
			}
			s := seeds[len(seeds)-1]
			s.Spellings = append(s.Spellings, spelling{exprs, inject})
			continue
		}
		s, err := parseSeed(trimmed)
		if err != nil {
			return nil, fmt.Errorf("listed.txt:%d: %w", i+1, err)
		}
		s.Order = len(seeds)
		seeds = append(seeds, s)
	}
	return seeds, nil
}

func parseSeed(line string) (*seed, error) {
	head, exprs, ok := strings.Cut(line, ") : ")
	name, components, ok2 := strings.Cut(head, " (")
	if !ok || !ok2 {
		return nil, fmt.Errorf("not 'name (components) : expressions'")
	}
	s := &seed{Name: name, Exprs: exprs}
	for _, c := range strings.Split(components, ";") {
		words := strings.Fields(c)
		if len(words) == 0 {
			return nil, fmt.Errorf("empty component")
		}
		comp := seedComponent{Letter: words[len(words)-1]}
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
func (s *seed) Needs(types []ir.Type, allowed ir.Assume) (ir.Assume, bool) {
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
func (s *seed) Instance(pool *ir.Pool, types []ir.Type) ([]ir.Expr, error) {
	return pattern.Parse(pool, types, s.Exprs)
}

// leafCount counts the occurrences of variables and literals.
func leafCount(es []ir.Expr) (n int) {
	for _, e := range es {
		if e.NumArgs() == 0 {
			n++
		}
		for i := range e.NumArgs() {
			n += leafCount([]ir.Expr{e.Arg(i)})
		}
	}
	return n
}
