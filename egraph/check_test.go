package egraph

import (
	"errors"
	"fmt"
)

// Trust decides about a step that is more than rewriting: a Union of the
// caller, a rule with a condition, a rule with a computed right side. The
// subterms are given in the direction of the reason: for a rule, left is an
// instance of its left side, whatever s.Backward says.
type Trust func(s Step, left, right *Term) error

// Check replays a proof on plain terms: that it leads from one term to another,
// every step rewriting one subterm by one of the rules, in either direction. It
// uses nothing of the engine but the definitions of Term, Pattern and Rule, and
// does not believe the proof: it compares every term with the next. A nil trust
// refuses the steps that would need it. It returns nil where the proof holds.
func Check(p *Proof, from, to *Term, rules []Rule, trust Trust) error {
	if p == nil || p.Start == nil {
		return errors.New("there is no proof")
	}
	c := &checker{rules: map[string]*Rule{}, trust: trust}
	for i := range rules {
		if c.rules[rules[i].Name] != nil {
			return fmt.Errorf("two rules are named %q", rules[i].Name)
		}
		c.rules[rules[i].Name] = &rules[i]
	}
	if !p.Start.Equal(from) {
		return errors.New("the proof starts at another term")
	}
	now := p.Start
	for i, s := range p.Steps {
		if s.Term == nil {
			return fmt.Errorf("step %d: there is no term after it", i+1)
		}
		if err := c.step(s, now); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		now = s.Term
	}
	if !now.Equal(to) {
		return errors.New("the proof ends at another term")
	}
	return nil
}

type checker struct {
	rules map[string]*Rule
	trust Trust
}

// step checks that s leads from term now to s.Term.
func (c *checker) step(s Step, now *Term) error {
	left, right, err := difference(now, s.Term, s.Path)
	if err != nil {
		return err
	}
	if s.Backward {
		left, right = right, left
	}
	if s.Rule == "" {
		return c.ask(s, left, right)
	}
	r := c.rules[s.Rule]
	if r == nil {
		return fmt.Errorf("unknown rule %q", s.Rule)
	}
	subst := map[int]*Term{}
	if !instance(r.LHS, left, subst) {
		return fmt.Errorf("the left side of rule %q does not match", s.Rule)
	}
	if r.Apply == nil && !instance(r.RHS, right, subst) {
		return fmt.Errorf("the right side of rule %q does not match", s.Rule)
	}
	if r.Apply != nil || r.Cond != nil {
		return c.ask(s, left, right)
	}
	return nil
}

func (c *checker) ask(s Step, left, right *Term) error {
	if c.trust == nil {
		return errors.New("nobody vouches for a step that is no plain rewriting")
	}
	return c.trust(s, left, right)
}

// difference returns the subterms of two terms at a path, and an error if the
// terms differ elsewhere.
func difference(a, b *Term, path []int) (*Term, *Term, error) {
	for _, i := range path {
		if a == nil || b == nil {
			return nil, nil, errors.New("a term lacks a child")
		}
		if a.Op != b.Op || len(a.Kids) != len(b.Kids) {
			return nil, nil, errors.New("the terms differ above the path")
		}
		if i < 0 || i >= len(a.Kids) {
			return nil, nil, errors.New("the path leads out of the term")
		}
		for j := range a.Kids {
			if j != i && !a.Kids[j].Equal(b.Kids[j]) {
				return nil, nil, errors.New("the terms differ beside the path")
			}
		}
		a, b = a.Kids[i], b.Kids[i]
	}
	return a, b, nil
}

// instance reports whether a term is the pattern under a substitution, which it
// extends.
func instance(p Pattern, t *Term, subst map[int]*Term) bool {
	if p.Var >= 0 {
		if u := subst[p.Var]; u != nil {
			return u.Equal(t)
		}
		subst[p.Var] = t
		return true
	}
	if t == nil || p.Op != t.Op || len(p.Kids) != len(t.Kids) {
		return false
	}
	for i, k := range p.Kids {
		if !instance(k, t.Kids[i], subst) {
			return false
		}
	}
	return true
}
