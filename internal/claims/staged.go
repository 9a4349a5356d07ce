package claims

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// checkStaged evaluates what each stage of a staged record claims, and that the stages' updates give what the update gives
// where their inputs are what they are said to stand for.
func checkStaged(r *verify.Record, points int, seed uint64) error {
	c := &claims{pool: ir.NewPool(), vars: map[string]ir.Expr{}, rng: rand.New(rand.NewPCG(seed, 98))}
	c.types = typesOf(r.Types)
	for i, t := range c.types {
		c.vars["x"+strconv.Itoa(i)] = c.pool.X(i, t)
	}
	for name, l := range r.Leaves {
		c.vars[name] = c.leaf(name, ir.ParseType(l.Type))
	}
	var err error
	if c.update, err = c.readAll(r.Update, c.types, c.vars); err != nil {
		return err
	}
	stageOf := make([]int, len(c.types)) // of a component, from 1
	var assumes []string
	for n := range r.Stages {
		s := &r.Stages[n]
		line, err := json.Marshal(s.Answer)
		if err != nil {
			return err
		}
		if s.Answer.Status != verify.Associative && s.Answer.Status != verify.Lifted {
			return fmt.Errorf("stage %d: status %q", n, s.Answer.Status)
		}
		if err := Check(line, points, seed+uint64(n)); err != nil {
			return fmt.Errorf("stage %d: %w", n, err)
		}
		assumes = append(assumes, s.Answer.Assumes...)
		for _, i := range s.Components {
			if i < 0 || i >= len(c.types) || stageOf[i] != 0 {
				return fmt.Errorf("stage %d: component %d", n, i)
			}
		}
		if err := c.stage(s, stageOf, points); err != nil {
			return fmt.Errorf("stage %d: %w", n, err)
		}
		for _, i := range s.Components {
			stageOf[i] = n + 1
		}
	}
	if slices.Contains(stageOf, 0) {
		return fmt.Errorf("components without a stage: %v", stageOf)
	}
	for _, a := range assumes {
		if !slices.Contains(r.Assumes, a) {
			return fmt.Errorf("a stage assumes %s", a)
		}
	}
	return nil
}

// stage evaluates a stage's update and the tuple's at points where the stage's inputs are what they stand for.
func (c *claims) stage(s *verify.Stage, stageOf []int, points int) error {
	vars := maps.Clone(c.vars)
	for name := range vars {
		if vars[name].Kind() == ir.State {
			delete(vars, name)
		}
	}
	if len(s.Components) != len(s.Answer.Types) {
		return fmt.Errorf("%d types of %d components", len(s.Answer.Types), len(s.Components))
	}
	for j, i := range s.Components {
		vars["x"+strconv.Itoa(j)] = c.pool.X(i, c.types[i])
	}
	var from, to []ir.Expr
	for _, r := range s.Reads {
		if _, ok := c.vars[r.Leaf]; ok || !strings.HasPrefix(r.Leaf, "y") || r.Component < 0 || r.Component >= len(c.types) || stageOf[r.Component] == 0 {
			return fmt.Errorf("it cannot read %s", r.Leaf)
		}
		vars[r.Leaf] = c.leaf(r.Leaf, c.types[r.Component])
		from, to = append(from, vars[r.Leaf]), append(to, c.vars["x"+strconv.Itoa(r.Component)])
		if r.When == verify.After {
			to[len(to)-1] = c.update[r.Component]
		}
	}
	types := typesOf(s.Answer.Types)
	update, err := c.readAll(s.Answer.Update, types, vars)
	if err != nil {
		return err
	}
	right := c.pool.Map(update, func(e ir.Expr) ir.Expr {
		if i := slices.Index(from, e); i >= 0 {
			return to[i]
		}
		return ir.Expr{}
	})
	for j, e := range right {
		if err := c.equation(law{left: []ir.Expr{c.update[s.Components[j]]}, right: []ir.Expr{e}}, 0, points); err != nil {
			return fmt.Errorf("component %d: %w", s.Components[j], err)
		}
	}
	return nil
}

// readAll reads expressions of some types over variables.
func (c *claims) readAll(texts []string, types []ir.Type, vars map[string]ir.Expr) ([]ir.Expr, error) {
	if len(texts) != len(types) {
		return nil, fmt.Errorf("%d texts for %d types", len(texts), len(types))
	}
	out := make([]ir.Expr, len(texts))
	for i, text := range texts {
		e, err := ir.Read(c.pool, func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }, types[i], text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		out[i] = e
	}
	return out, nil
}
