package claims

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// judgeRefusal evaluates the values that a refusal gives: its counterexample to associativity,
// and where the nearest operator differs from the update. A refusal without values claims
// nothing.
func (c *Claim) judgeRefusal() Verdict {
	for _, key := range []string{"operator", "inject", "apply", "proof"} {
		if c.tree.Get(key) != nil {
			return Verdict{Outcome: Nonsense, Clause: "a refusal with " + key}
		}
	}
	if c.tree.Get("counterexample") == nil && c.tree.Get("nearest") == nil && c.tree.Get("no_operator") == nil {
		return Verdict{Points: 1}
	}
	if err := c.readUpdate(); err != nil {
		return Verdict{Outcome: Nonsense, Clause: err.Error()}
	}
	if at := c.tree.Get("counterexample"); at != nil {
		if why := c.refutes(at); why != "" {
			return Verdict{Outcome: False, Clause: "counterexample", Point: why}
		}
	}
	if n := c.tree.Get("nearest"); n != nil {
		if why := c.differsFrom(n); why != "" {
			return Verdict{Outcome: False, Clause: "nearest", Point: why}
		}
	}
	if c.tree.Get("no_operator") != nil {
		if err := c.readGiven(); err != nil {
			return Verdict{Outcome: Nonsense, Clause: err.Error()}
		}
		if why := c.judgeNoOperator(); why != "" {
			return Verdict{Outcome: False, Clause: "no_operator", Point: why}
		}
	}
	return Verdict{Points: 1}
}

// refutes evaluates (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z), where ⊕ is the update with its inputs, or its
// largest terms without the state, in the role of the second operand. It answers "" where some
// component gives the values left and right, which differ, and else why none does.
func (c *Claim) refutes(at *ordered.Value) string {
	why := "no reading of the update as ⊕ has these variables"
	for _, units := range [][]ir.Expr{c.inputTerms(), c.leafTerms()} {
		if len(units) > len(c.Types) {
			continue
		}
		by := make([]ir.Expr, len(units))
		fits := true
		for i, u := range units {
			by[i] = c.Pool.Y(i, c.Types[i])
			fits = fits && u.Type() == c.Types[i]
		}
		if !fits {
			continue
		}
		op := c.Pool.Map(c.Update, func(e ir.Expr) ir.Expr {
			if i := slices.Index(units, e); i >= 0 {
				return by[i]
			}
			return ir.Expr{}
		})
		x, y, z := c.operandVars('x', c.Types), c.operandVars('y', c.Types), c.operandVars('z', c.Types)
		left := c.substitute(op, c.substitute(op, x, y), z)
		right := c.substitute(op, x, c.substitute(op, y, z))
		if why = c.oneDiffers(left, right, at); why == "" {
			return ""
		}
	}
	return why
}

// inputTerms are the variables that change from step to step, by their numbers.
func (c *Claim) inputTerms() []ir.Expr {
	out := slices.DeleteFunc(ir.Vars(c.Update...), func(v ir.Expr) bool { return v.Kind() != ir.Leaf && v.Kind() != ir.Coord })
	slices.SortStableFunc(out, func(a, b ir.Expr) int {
		if a.Kind() != b.Kind() {
			return int(a.Kind()) - int(b.Kind())
		}
		return a.Index() - b.Index()
	})
	return out
}

// leafTerms are the largest terms that mention no state but something that changes.
func (c *Claim) leafTerms() (out []ir.Expr) {
	seen := map[ir.Expr]bool{}
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		if e.IsLeaf() {
			if !e.IsInvariant() {
				out = append(out, e)
			}
			return
		}
		for i := range e.NumArgs() {
			visit(e.Arg(i))
		}
	}
	for _, e := range c.Update {
		visit(e)
	}
	return out
}

// oneDiffers evaluates both sides at the values of an object, with what is allowed and where
// everything is exact, and answers "" where a component gives its left and right.
func (c *Claim) oneDiffers(left, right []ir.Expr, at *ordered.Value) string {
	why := ""
	for _, assume := range []ir.Assume{0, ir.Reassoc, ir.NSW | ir.NUW, ir.AllAssumptions &^ ir.AFN} {
		for i := range left {
			if why = c.differsAt(world{assume: assume}, left[i], right[i], at); why == "" {
				return ""
			}
		}
	}
	return why
}

func (c *Claim) differsAt(w world, left, right ir.Expr, at *ordered.Value) string {
	vars := ir.Vars(left, right)
	slots, env := map[ir.Expr]int{}, make([]value, len(vars))
	for i, v := range vars {
		slots[v] = i
		said := at.Get(v.Name())
		if said == nil {
			env[i] = w.number(v.Type(), 0)
			continue
		}
		n, err := program.ParseValue(v.Type(), said.Text)
		if err != nil {
			return fmt.Sprintf("%s: %v", v.Name(), err)
		}
		env[i] = w.number(v.Type(), n)
	}
	p := compile(w, slots, []ir.Expr{left, right})
	p.run(env)
	a, b := p.root(0), p.root(1)
	if a.void || b.void {
		return "the point has no value"
	}
	if !w.differ(left.Type(), a, b) {
		return fmt.Sprintf("both sides are %s", a.text(left.Type()))
	}
	for key, v := range map[string]value{"left": a, "right": b} {
		said := at.Get(key)
		if said == nil {
			return "it lacks " + key
		}
		n, err := program.ParseValue(left.Type(), said.Text)
		if err != nil {
			return fmt.Sprintf("%s: %v", key, err)
		}
		if w.differ(left.Type(), w.number(left.Type(), n), v) && !w.rounds(left.Type(), v, n) {
			return fmt.Sprintf("%s is %s, not %s", key, v.text(left.Type()), said.Text)
		}
	}
	return ""
}

// rounds reports whether a real number rounds to the machine's value n.
func (w world) rounds(t ir.Type, v value, n uint64) bool {
	if w.form(t) != real {
		return false
	}
	f, ok := v.double()
	return ok && ir.FloatBits(t, f) == n
}

// differsFrom evaluates the update and x ⊕ inject of the nearest operator at the point given.
func (c *Claim) differsFrom(n *ordered.Value) string {
	at := n.Get("at")
	component, err := strconv.Atoi(text(n.Get("component")))
	if at == nil || err != nil || component < 0 || component >= len(c.Types) {
		return "it has no component and point"
	}
	inject := make([]ir.Expr, len(c.Types))
	exprs, injects := n.Get("exprs").Texts(), n.Get("inject").Texts()
	components := n.Get("components")
	if components == nil || len(exprs) != len(components.Items) || len(injects) != len(exprs) {
		return "it has no operator"
	}
	scope := scopeOf(c.operandVars('x', c.Types), c.operandVars('y', c.Types), c.leaves(isConst))
	right := ir.Expr{}
	for j, item := range components.Items {
		i, err := strconv.Atoi(item.Text)
		if err != nil || i < 0 || i >= len(c.Types) {
			return "it has no components"
		}
		e, err := ParseText(c.Pool, scope, c.Types[i], exprs[j])
		if err != nil {
			return err.Error()
		}
		if inject[i], err = ParseText(c.Pool, c.InjectScope(), c.Types[i], injects[j]); err != nil {
			return err.Error()
		}
		if i == component {
			right = e
		}
	}
	if !right.IsValid() {
		return "its component is none of its components"
	}
	y := c.operandVars('y', c.Types)
	for i := range inject {
		if !inject[i].IsValid() {
			inject[i] = y[i]
		}
	}
	right = c.substitute([]ir.Expr{right}, c.operandVars('x', c.Types), inject)[0]
	return c.oneDiffers(c.Update[component:component+1], []ir.Expr{right}, at)
}

func text(v *ordered.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}
