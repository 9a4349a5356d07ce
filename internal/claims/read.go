package claims

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// claims are the expressions of a record and the point at which they are evaluated.
type claims struct {
	record   *verify.Record
	pool     *ir.Pool
	assumes  ir.Assume
	types    []ir.Type // of the state
	operands []ir.Type // of the operator: the state's, or those of a lift's parameters
	names    []string  // of the leaves, sorted
	vars     map[string]ir.Expr
	update   []ir.Expr
	inject   []ir.Expr
	exprs    []ir.Expr // of the operator
	identity []ir.Expr // nil where none is claimed
	given    []ir.Expr
	kept     []ir.Expr // those given conditions that the operator is said to keep
	apply    []ir.Expr // of a lift

	rng            *rand.Rand
	upd, inj, op   *code
	wrapOp, wrapID *code // identities are facts of arithmetic that wraps
	env            map[ir.Expr]val
}

// Parameters of a lift have indices that no other variable has.
const (
	firstP = 1 << 20
	firstQ = 1 << 21
)

func read(r *verify.Record) (*claims, error) {
	if r.Operator == nil {
		return nil, errors.New("there is no operator")
	}
	if op := r.Operator; r.Status == verify.Lifted && (op.Commutative || op.Idempotent || op.IdentitySide != "none" && op.IdentitySide != "two") {
		return nil, errors.New("that parameters commute, or have an identity on one side, is not evaluated")
	}
	c := &claims{record: r, pool: ir.NewPool(), vars: map[string]ir.Expr{}}
	var err error
	note := func(e error) {
		if err == nil {
			err = e
		}
	}
	read := func(texts []string, types []ir.Type, scope func(string) (ir.Expr, bool)) []ir.Expr {
		if len(texts) != len(types) {
			note(fmt.Errorf("%d texts for %d types", len(texts), len(types)))
			return nil
		}
		out := make([]ir.Expr, len(texts))
		for i, text := range texts {
			e, readErr := ir.Read(c.pool, scope, types[i], text)
			if readErr != nil {
				note(fmt.Errorf("%s: %w", text, readErr))
			}
			out[i] = e
		}
		return out
	}
	c.assumes, err = ir.ParseAssume(strings.Join(r.Assumes, ","))
	c.types, c.operands = typesOf(r.Types), typesOf(r.Operator.Types)
	for i, t := range c.types {
		c.vars["x"+strconv.Itoa(i)] = c.pool.X(i, t)
	}
	c.names = slices.Sorted(maps.Keys(r.Leaves))
	for _, name := range c.names {
		if _, notNumber := strconv.Atoi(strings.TrimPrefix(name, "x")); !ir.IsName(name) || notNumber == nil {
			return nil, fmt.Errorf("a leaf is called %q", name)
		}
		c.vars[name] = c.leaf(name, ir.ParseType(r.Leaves[name].Type))
	}
	c.update = read(r.Update, c.types, c.variable)
	c.inject = read(r.Inject, c.operands, c.variable)
	c.given = read(r.Given, slices.Repeat([]ir.Type{ir.Bool}, len(r.Given)), c.variable)
	c.exprs = read(r.Operator.Exprs, c.operands, c.operand)
	if r.Operator.IdentitySide != "none" {
		c.identity = read(r.Operator.Identity, c.operands, c.constant)
	}
	if r.Status == verify.Lifted {
		c.apply = read(r.Apply, c.types, c.parameter)
	}
	c.readKept()
	return c, err
}

func typesOf(names []string) []ir.Type {
	out := make([]ir.Type, len(names))
	for i, name := range names {
		out[i] = ir.ParseType(name)
	}
	return out
}

// leaf returns the variable that a name stands for: y3 and k3 have a number, others are
// coordinates.
func (c *claims) leaf(name string, t ir.Type) ir.Expr {
	if i, err := strconv.Atoi(name[min(1, len(name)):]); err == nil {
		switch name[0] {
		case 'y':
			return c.pool.Y(i, t)
		case 'k':
			return c.pool.K(i, t)
		}
	}
	return c.pool.R(name, t)
}

func (c *claims) variable(name string) (ir.Expr, bool) {
	e, ok := c.vars[name]
	return e, ok
}

func (c *claims) constant(name string) (ir.Expr, bool) {
	e, ok := c.vars[name]
	return e, ok && e.Kind() == ir.Param
}

// operand has x_i and y_i of the operator's types, and constants.
func (c *claims) operand(name string) (ir.Expr, bool) {
	if i, err := strconv.Atoi(name[min(1, len(name)):]); err == nil && i >= 0 && i < len(c.operands) {
		switch name[0] {
		case 'x':
			return c.pool.X(i, c.operands[i]), true
		case 'y':
			return c.pool.Y(i, c.operands[i]), true
		}
	}
	return c.constant(name)
}

// parameter has the state, the parameters of a lift, and constants.
func (c *claims) parameter(name string) (ir.Expr, bool) {
	if i, err := strconv.Atoi(name[min(1, len(name)):]); err == nil && i >= 0 && i < len(c.operands) && name[0] == 'p' {
		return c.pool.Var(ir.Leaf, name, firstP+i, c.operands[i]), true
	}
	if e, ok := c.vars[name]; ok && e.Kind() == ir.State {
		return e, true
	}
	return c.constant(name)
}

// readKept lists the conditions on the states of a group whose proofs use what is given.
func (c *claims) readKept() {
	if c.record.Proof == nil || c.record.Proof.Certificate == nil {
		return
	}
	for _, g := range c.record.Proof.Certificate.Groups {
		if !g.Given {
			continue
		}
		for _, e := range c.given {
			outside := func(v ir.Expr) bool { return v.Kind() == ir.State && !slices.Contains(g.Components, v.Index()) }
			if e.States() != 0 && !onInputs(e) && !slices.ContainsFunc(ir.Vars(e), outside) {
				c.kept = append(c.kept, e)
			}
		}
	}
}

// onInputs reports whether a condition mentions a leaf that varies.
func onInputs(e ir.Expr) bool {
	return slices.ContainsFunc(ir.Vars(e), func(v ir.Expr) bool { return v.Kind() == ir.Leaf || v.Kind() == ir.Coord })
}

// law says that two tuples are equal where conditions hold.
type law struct {
	name        string
	left, right []ir.Expr
	given       []ir.Expr
	assume      ir.Assume
}

// lawsOfLift are the equations that make apply, ⊕ and inject a lift of the update.
func (c *claims) lawsOfLift() []law {
	var states, p, q []ir.Expr
	for i, t := range c.types {
		states = append(states, c.pool.X(i, t))
	}
	for i, t := range c.operands {
		p = append(p, c.pool.Var(ir.Leaf, fmt.Sprintf("p%d", i), firstP+i, t))
		q = append(q, c.pool.Var(ir.Leaf, fmt.Sprintf("q%d", i), firstQ+i, t))
	}
	given := slices.Clone(c.given)
	for _, name := range c.names {
		if v := c.vars[name]; c.record.Leaves[name].NonNeg {
			given = append(given, ir.LeOf(c.pool.Int(v.Type(), 0), v))
		}
	}
	laws := []law{
		{"update = apply(x, inject)", c.update, c.applied(states, c.inject), given, c.assumes},
		{"apply(apply(x, p), q) = apply(x, p ∘ q)", c.applied(c.applied(states, p), q), c.applied(states, c.composed(p, q)), nil, c.assumes},
	}
	if c.identity != nil {
		same := c.applied(states, c.identity)
		laws = append(laws, law{"apply(x, identity) = x", same, states, nil, wrapping(c.assumes)}, law{"apply(x, identity) = x", same, states, nil, c.assumes})
	}
	return laws
}

// applied is apply(x, p).
func (c *claims) applied(x, p []ir.Expr) []ir.Expr {
	return c.pool.Map(c.apply, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var || e.Kind() == ir.Param:
			return ir.Expr{}
		case e.Kind() == ir.State:
			return x[e.Index()]
		}
		return p[e.Index()-firstP]
	})
}

// composed is p ∘ q.
func (c *claims) composed(p, q []ir.Expr) []ir.Expr {
	return c.pool.Map(c.exprs, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var || e.Kind() == ir.Param:
			return ir.Expr{}
		case e.Kind() == ir.State:
			return p[e.Index()]
		}
		return q[e.Index()]
	})
}

// wrapping drops the assumptions that an identity may not rest on.
func wrapping(a ir.Assume) ir.Assume { return a &^ (ir.NSW | ir.NUW) }
