package verify

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// staged checks an answer in several passes. Each stage is an answer of its own, to the update of some
// components; what it reads of earlier stages are leaves there. So it is enough that every stage's answer
// holds, and that its update is the tuple's once the leaves are what they stand for:
//
//	x0 + y0; select(x0 + y0 > 9, 3*x1, x1 + 1)   →   x0 + y0  of component 0;
//	                                                 select(y1 > 9, 3*x0, x0 + 1)  of component 1, where y1 is x0 + y0
//
// Stages share no proof, so that one may take integers as unbounded where another lets them wrap: what a stage
// hands on are the values of the serial loop, which are the same in both.
func (v *verifier) staged() error {
	r := v.record
	switch {
	case r.Operator != nil || r.Inject != nil || r.Apply != nil || r.ParameterTypes != nil || r.Cost != nil || r.Least != "" || r.NoOperator != nil || r.Groups != nil:
		return errors.New("a staged answer has an operator for each stage, and none for the whole")
	case r.Proof == nil || r.Proof.Certificate != nil:
		return errors.New("a staged answer has the size of its proof, and a certificate for each stage")
	case len(r.Stages) < 2:
		return fmt.Errorf("%d stages", len(r.Stages))
	}
	var done, read uint64 // the components in earlier stages, and those that stages read of them
	var given []ir.Expr
	proven, passes := 0, 0
	pass := make([]int, len(v.types)) // that computes a component
	for n := range r.Stages {
		s := &stage{Stage: &r.Stages[n], whole: v, done: done}
		if err := s.check(); err != nil {
			return fmt.Errorf("stage %d: %w", n, err)
		}
		done, read = done|s.mask, read|s.read
		given = append(given, s.given...)
		proven += s.Answer.Proof.Steps
		own := 1
		for _, r := range s.Reads {
			own = max(own, pass[r.Component]+1)
		}
		for _, i := range s.Components {
			pass[i] = own
		}
		passes = max(passes, own)
	}
	for i := range v.types {
		if done>>i&1 == 0 {
			return fmt.Errorf("no stage has component %d", i)
		}
	}
	for _, c := range v.given {
		if !slices.Contains(given, c) {
			return fmt.Errorf("no stage uses the given condition %s", c)
		}
	}
	for n, s := range r.Stages {
		stored := slices.DeleteFunc(slices.Clone(s.Components), func(i int) bool { return read>>i&1 == 0 })
		if !slices.Equal(stored, s.Stores) {
			return fmt.Errorf("stage %d: stores: %v, but %v is read", n, s.Stores, stored)
		}
	}
	return compare(
		claim{"passes", r.Passes, passes},
		claim{"assumes", v.assumes, v.used},
		claim{"steps", r.Proof.Steps, proven},
	)
}

// stage is a stage that is being checked.
type stage struct {
	*Stage
	whole *verifier
	done  uint64          // the components of earlier stages
	mask  uint64          // its own
	read  uint64          // those that it reads of earlier stages
	leafs []ir.Expr       // the leaves that it reads …
	stand []ir.Expr       // … and what they stand for in the tuple's update
	after map[string]bool // the names of those that stand for values after the step
	given []ir.Expr       // what it relies on, of the tuple
}

// check checks that the stage's answer holds, and that it is one to the tuple's update.
func (s *stage) check() error {
	a := s.Answer
	switch {
	case a == nil || a.Status != Associative && a.Status != Lifted:
		return errors.New("it has no answer in one pass")
	case a.Schema != Schema:
		return fmt.Errorf("schema %d, not %d", a.Schema, Schema)
	}
	v := s.whole
	for j, i := range s.Components {
		if i < 0 || i >= len(v.types) || j > 0 && i <= s.Components[j-1] || s.done>>i&1 != 0 {
			return fmt.Errorf("components %v", s.Components)
		}
		s.mask |= 1 << i
	}
	if err := a.check(v.fuel); err != nil {
		return err
	}
	assumes, err := readNames(a.Assumes)
	if err != nil {
		return err
	}
	v.used |= assumes
	inner := *v
	if inner.leaves, err = s.leaves(); err != nil {
		return err
	}
	return s.same(&inner)
}

// leaves declares the variables of the stage's answer: leaves of the tuple, and what it reads.
func (s *stage) leaves() (map[string]ir.Expr, error) {
	v, all := s.whole, maps.Clone(s.whole.leaves)
	s.after = map[string]bool{}
	for _, r := range s.Reads {
		role, index := roleOf(r.Leaf)
		l, ok := s.Answer.Leaves[r.Leaf]
		_, taken := all[r.Leaf]
		switch {
		case !ok || taken || role != 'y': // a constant would be one of the operator, too
			return nil, fmt.Errorf("%s is no input of the stage alone", r.Leaf)
		case r.Component < 0 || r.Component >= len(v.types) || s.done>>r.Component&1 == 0:
			return nil, fmt.Errorf("%s is component %d, which no earlier stage has", r.Leaf, r.Component)
		case l.Type != v.types[r.Component].String() || l.NonNeg:
			return nil, fmt.Errorf("%s differs in type from component %d", r.Leaf, r.Component)
		}
		leaf, stands := v.pool.Y(index, v.types[r.Component]), v.x[r.Component]
		switch r.When {
		case Before:
		case After:
			stands, s.after[r.Leaf] = v.update[r.Component], true
		default:
			return nil, fmt.Errorf("%s is read %q", r.Leaf, r.When)
		}
		all[r.Leaf], s.leafs, s.stand = leaf, append(s.leafs, leaf), append(s.stand, stands)
		s.read |= 1 << r.Component
	}
	for _, name := range slices.Sorted(maps.Keys(s.Answer.Leaves)) {
		l := s.Answer.Leaves[name]
		e, ok := all[name]
		_, nonNeg := v.nonNeg[name]
		if !ok || l.Type != e.Type().String() || l.NonNeg && !nonNeg {
			return nil, fmt.Errorf("its leaf %s is none of the tuple's", name)
		}
	}
	return all, nil
}

// same checks that the stage's update, initial value and conditions are the tuple's.
func (s *stage) same(inner *verifier) error {
	v, a := s.whole, s.Answer
	types := make([]ir.Type, len(s.Components))
	for j, i := range s.Components {
		types[j] = v.types[i]
	}
	scope := names{x: pick(v.x, s.Components), leaves: true}
	update, err := inner.read("update", a.Update, types, scope)
	if err != nil {
		return err
	}
	if stated, err := readTypes(a.Types); err != nil || !slices.Equal(stated, types) {
		return fmt.Errorf("types: %v, where the components have %v", a.Types, types)
	}
	for j, e := range v.replace(update, s.leafs, s.stand) {
		if want := v.update[s.Components[j]]; e != want {
			return fmt.Errorf("its component %d becomes %s, where the update has %s", j, e, want)
		}
	}
	given, err := inner.read("given", a.Given, slices.Repeat([]ir.Type{ir.Bool}, len(a.Given)), scope)
	if err != nil {
		return err
	}
	s.given = v.replace(given, s.leafs, s.stand)
	for i, c := range s.given {
		switch {
		case slices.ContainsFunc(ir.Vars(given[i]), func(e ir.Expr) bool { return s.after[e.Name()] }):
			return fmt.Errorf("%s is given of a value after the step", given[i])
		case !slices.Contains(v.given, c):
			return fmt.Errorf("%s is not given", c)
		}
	}
	return s.initial()
}

// initial checks that what a stage infers from an initial value it infers from that of the tuple, and that a tuple
// with an initial value is given no conditions that are not inferred from it.
func (s *stage) initial() error {
	whole, own := s.whole.record.Initial, s.Answer.Initial
	switch {
	case len(own) == 0 && (len(whole) == 0 || len(s.given) == 0):
		return nil
	case len(own) != len(s.Components) || len(whole) != len(s.whole.types):
		return errors.New("initial: it is not the tuple's")
	}
	for j, i := range s.Components {
		if own[j] != whole[i] {
			return fmt.Errorf("initial: component %d starts with %q, not %q", i, whole[i], own[j])
		}
	}
	return nil
}
