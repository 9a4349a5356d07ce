package claims

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
)

// Stage is what a staged line says of some components: an answer in which values of earlier stages are leaves.
type Stage struct {
	Components []int
	Update     []ir.Expr      // of the components, in terms of the tuple: the leaves that the stage reads are what they stand for
	Answer     *ordered.Value // a claim of its own
}

// readStages reads the stages in terms of the tuple. An error says that they have no meaning together: a component
// is in no stage, say, or a stage reads what no earlier one computes.
func (c *Claim) readStages() error {
	for _, key := range []string{"operator", "inject", "apply", "parameter_types", "cost", "groups", "code", "reason"} {
		if c.tree.Get(key) != nil {
			return fmt.Errorf("a staged answer has %s", key)
		}
	}
	stages := c.tree.Get("stages")
	if stages == nil || stages.Kind != ordered.Array || len(stages.Items) < 2 {
		return errors.New("stages are no list")
	}
	c.Pass = make([]int, len(c.Types))
	var assumes ir.Assume
	stored, read := make([]bool, len(c.Types)), make([]bool, len(c.Types))
	for _, tree := range stages.Items {
		s, inner, err := c.readStage(tree, read)
		if err != nil {
			return err
		}
		assumes |= inner.Assumes
		c.Stages = append(c.Stages, *s)
		kept, err := c.numbers(tree.Get("stores"))
		if err != nil {
			return fmt.Errorf("stores: %w", err)
		}
		for _, i := range kept {
			if stored[i] || !slices.Contains(s.Components, i) {
				return fmt.Errorf("stores: component %d", i)
			}
			stored[i] = true
		}
	}
	if i := slices.Index(c.Pass, 0); i >= 0 {
		return fmt.Errorf("component %d is in no stage", i)
	}
	if assumes != c.Assumes {
		return fmt.Errorf("assumes %s, where the stages assume %s", c.Assumes, assumes)
	}
	if !slices.Equal(stored, read) {
		return errors.New("stores are not what later stages read")
	}
	if p := c.tree.Get("passes"); p == nil || p.Text != strconv.Itoa(slices.Max(c.Pass)) {
		return fmt.Errorf("passes are not %d", slices.Max(c.Pass))
	}
	return nil
}

// numbers reads a list of components, each once.
func (c *Claim) numbers(list *ordered.Value) (out []int, err error) {
	if list == nil || list.Kind != ordered.Array {
		return nil, errors.New("no list")
	}
	for _, item := range list.Items {
		i, err := c.component(item)
		if err != nil || slices.Contains(out, i) {
			return nil, fmt.Errorf("component %s", item.Text)
		}
		out = append(out, i)
	}
	return out, nil
}

func (c *Claim) component(v *ordered.Value) (int, error) {
	if v == nil || v.Kind != ordered.Number {
		return 0, errors.New("no component")
	}
	i, err := strconv.Atoi(v.Text)
	if err != nil || i < 0 || i >= len(c.Types) {
		return 0, fmt.Errorf("component %s", v.Text)
	}
	return i, nil
}

// readStage reads a stage, and notes what it reads and in which pass its components are computed.
func (c *Claim) readStage(tree *ordered.Value, read []bool) (*Stage, *Claim, error) {
	s := &Stage{}
	if tree.Kind != ordered.Object || tree.Get("answer") == nil {
		return nil, nil, errors.New("a stage has no answer")
	}
	var err error
	if s.Components, err = c.numbers(tree.Get("components")); err != nil || len(s.Components) == 0 || !slices.IsSorted(s.Components) {
		return nil, nil, errors.New("a stage has no components")
	}
	s.Answer = tree.Get("answer")
	inner, err := Read(s.Answer)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("a stage's answer: %w", err)
	case inner.Status != "associative" && inner.Status != "lifted":
		return nil, nil, fmt.Errorf("a stage is %q", inner.Status)
	case len(inner.Types) != len(s.Components) || inner.Schema != c.Schema:
		return nil, nil, errors.New("a stage's answer is of other components")
	}
	var own []ir.Expr
	for j, i := range s.Components {
		if c.Pass[i] != 0 || inner.Types[j] != c.Types[i] {
			return nil, nil, fmt.Errorf("a stage has component %d", i)
		}
		own = append(own, c.Pool.X(i, c.Types[i]))
	}
	stands, pass, err := c.readReads(tree.Get("reads"), inner, read)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range inner.Leaves {
		if _, ok := stands[l.Var.Name()]; ok {
			continue
		}
		j := slices.IndexFunc(c.Leaves, func(o Leaf) bool {
			return o.Var.Name() == l.Var.Name() && o.Var.Type() == l.Var.Type() && (o.NonNeg || !l.NonNeg)
		})
		if j < 0 {
			return nil, nil, fmt.Errorf("a stage has the leaf %s", l.Var)
		}
		stands[l.Var.Name()] = c.Leaves[j].Var
	}
	rewrite := func(es []ir.Expr) []ir.Expr {
		imported := c.Pool.Import(es...)
		return c.Pool.Map(imported, func(e ir.Expr) ir.Expr {
			switch {
			case e.Op() != ir.Var:
				return ir.Expr{}
			case e.Kind() == ir.State:
				return own[e.Index()]
			}
			return stands[e.Name()]
		})
	}
	s.Update = rewrite(inner.Update)
	for _, g := range rewrite(inner.Given) {
		if !slices.Contains(c.Given, g) {
			return nil, nil, fmt.Errorf("a stage is given %s", g)
		}
	}
	for _, i := range s.Components {
		c.Pass[i] = pass
	}
	return s, inner, nil
}

// readReads returns what the leaves stand for that a stage reads of earlier ones, by their names, and the stage's pass.
func (c *Claim) readReads(list *ordered.Value, inner *Claim, read []bool) (stands map[string]ir.Expr, pass int, err error) {
	if list == nil || list.Kind != ordered.Array {
		return nil, 0, errors.New("a stage's reads are no list")
	}
	stands, pass = map[string]ir.Expr{}, 1
	for _, r := range list.Items {
		if r.Kind != ordered.Object || r.Get("leaf") == nil || r.Get("when") == nil {
			return nil, 0, errors.New("a stage reads nothing")
		}
		name, when := r.Get("leaf").Text, r.Get("when").Text
		i, err := c.component(r.Get("component"))
		if err != nil || c.Pass[i] == 0 {
			return nil, 0, errors.New("a stage reads what no earlier stage computes")
		}
		j := slices.IndexFunc(inner.Leaves, func(l Leaf) bool { return l.Var.Name() == name })
		_, twice := stands[name]
		if j < 0 || twice || numbered(name, 'y') < 0 || inner.Leaves[j].NonNeg || inner.Leaves[j].Var.Type() != c.Types[i] ||
			slices.ContainsFunc(c.Leaves, func(l Leaf) bool { return l.Var.Name() == name }) {
			return nil, 0, fmt.Errorf("a stage reads the leaf %q", name)
		}
		switch when {
		case "before":
			stands[name] = c.Pool.X(i, c.Types[i])
		case "after":
			stands[name] = c.Update[i]
			for _, g := range inner.Given {
				if slices.ContainsFunc(ir.Vars(g), func(v ir.Expr) bool { return v.Name() == name }) {
					return nil, 0, fmt.Errorf("a stage is given %s of a value after the step", g)
				}
			}
		default:
			return nil, 0, fmt.Errorf("a stage reads %q", when)
		}
		read[i] = true
		pass = max(pass, c.Pass[i]+1)
	}
	return stands, pass, nil
}

// stageClauses say that the stages' updates make up the tuple's.
func (c *Claim) stageClauses() (all []clause) {
	for n, s := range c.Stages {
		l := clause{name: fmt.Sprintf("stage %d is of the update", n), ofLoop: true, right: s.Update}
		for _, i := range s.Components {
			l.left = append(l.left, c.Update[i])
		}
		all = append(all, l)
	}
	return all
}
