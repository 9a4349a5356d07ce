package verify

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// checkRefusal evaluates the counterexample of a refusal, and the point at which the nearest
// operator differs. A refusal without them says nothing.
func (r *Record) checkRefusal() error {
	if r.Counterexample == nil && r.Refutes == nil && r.Nearest == nil {
		return nil
	}
	v, err := newVerifier(r)
	if err != nil {
		return err
	}
	if r.Counterexample != nil || r.Refutes != nil {
		if err := v.counterexample(); err != nil {
			return fmt.Errorf("counterexample: %w", err)
		}
	}
	if r.Nearest != nil {
		if err := v.nearest(r.Nearest); err != nil {
			return fmt.Errorf("nearest: %w", err)
		}
	}
	return nil
}

// counterexample checks that (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) have the two values that are stated,
// which differ. The operator ⊕ is the update with y_i in place of the roles.
func (v *verifier) counterexample() error {
	refutes := v.record.Refutes
	if refutes == nil || v.record.Counterexample == nil {
		return errors.New("values without what they refute, or the other way round")
	}
	if len(refutes.Roles) > len(v.types) {
		return fmt.Errorf("%d roles for %d components", len(refutes.Roles), len(v.types))
	}
	roles, err := v.readInject(refutes.Roles, v.types[:len(refutes.Roles)])
	if err != nil {
		return err
	}
	op := proof.Operator{Types: v.types}
	var without []ir.Expr
	op.Exprs = v.pool.Map(v.update, func(e ir.Expr) ir.Expr {
		for i, role := range roles {
			if e == role {
				return v.pool.Y(i, v.types[i])
			}
		}
		if e.Op() == ir.Var && (e.Kind() == ir.Leaf || e.Kind() == ir.Coord) {
			without = append(without, e)
		}
		return ir.Expr{}
	})
	if without != nil {
		return fmt.Errorf("the leaf %s has no role", without[0])
	}
	// What is given of the state alone must hold of every operand.
	state, _ := v.restrictGiven(all(len(v.types)))
	op.Given = state
	ps := op.Associativity()
	if i := refutes.Component; i < 0 || i >= len(ps) {
		return fmt.Errorf("there is no component %d", i)
	}
	return v.refutes(ps[refutes.Component], v.record.Counterexample)
}

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// nearest checks that the operator nearest to the update differs from it at the point.
func (v *verifier) nearest(n *Nearest) error {
	if n.Component < 0 || n.Component >= len(v.update) || len(n.Exprs) != len(n.Components) || len(n.Inject) != len(n.Components) {
		return errors.New("its parts do not fit together")
	}
	for j, i := range n.Components {
		if i < 0 || i >= len(v.types) {
			return fmt.Errorf("there is no component %d", i)
		}
		if i != n.Component {
			continue
		}
		e, err := ir.Read(v.pool, v.operand(v.types), v.types[i], n.Exprs[j])
		if err != nil {
			return err
		}
		inject := make([]ir.Expr, len(v.types)) // of the components that it has
		for k, c := range n.Components {
			if c < 0 || c >= len(v.types) {
				return fmt.Errorf("there is no component %d", c)
			}
			if inject[c], err = ir.Read(v.pool, v.variable, v.types[c], n.Inject[k]); err != nil {
				return err
			}
		}
		right := v.pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Var && e.Kind() == ir.Leaf && inject[e.Index()].IsValid() {
				return inject[e.Index()]
			}
			return ir.Expr{}
		})[0]
		return v.refutes(proof.Problem{Left: v.update[i], Right: right}, n.At)
	}
	return fmt.Errorf("it has no component %d", n.Component)
}

// refutes evaluates both sides of an equation at a point and compares them with the values
// that are stated under "left" and "right", which must differ.
func (v *verifier) refutes(p proof.Problem, at map[string]string) error {
	values := map[ir.Expr]uint64{}
	es := append([]ir.Expr{p.Left, p.Right}, p.Given...)
	for _, e := range ir.Vars(es...) {
		value, ok := readValue(e.Type(), at[e.Name()])
		if !ok {
			return fmt.Errorf("%s has no value of type %s", e, e.Type())
		}
		values[e] = value
	}
	env := &ir.Env{Var: func(e ir.Expr) uint64 { return values[e] }}
	for _, g := range p.Given {
		if ir.Eval(g, env) == 0 {
			return fmt.Errorf("%s does not hold there", g)
		}
	}
	t := p.Left.Type()
	left, right := ir.Eval(p.Left, env), ir.Eval(p.Right, env)
	l, ok1 := readValue(t, at["left"])
	r, ok2 := readValue(t, at["right"])
	switch {
	case !ok1 || !ok2 || !sameValue(t, l, left) || !sameValue(t, r, right):
		return fmt.Errorf("the sides are %s and %s there", valueText(t, left), valueText(t, right))
	case sameValue(t, left, right):
		return errors.New("both sides are the same there, which refutes nothing")
	}
	return nil
}

// sameValue compares values; there is one NaN.
func sameValue(t ir.Type, a, b uint64) bool {
	if t.IsFloat() {
		x, y := ir.Float(t, a), ir.Float(t, b)
		if x != x && y != y {
			return true
		}
	}
	return a == b
}

// readValue reads a value as valueText writes it.
func readValue(t ir.Type, text string) (uint64, bool) {
	switch {
	case t == ir.Bool:
		v, err := strconv.ParseBool(text)
		if v {
			return 1, err == nil
		}
		return 0, err == nil
	case t.IsFloat():
		f, err := strconv.ParseFloat(text, t.Bits())
		return ir.FloatBits(t, f), err == nil
	case t.IsSigned():
		n, err := strconv.ParseInt(text, 10, t.Bits())
		return uint64(n), err == nil
	}
	n, err := strconv.ParseUint(text, 10, t.Bits())
	return n, err == nil
}

func valueText(t ir.Type, v uint64) string {
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(v != 0)
	case t.IsFloat() && math.IsNaN(ir.Float(t, v)):
		return "NaN"
	case t.IsFloat():
		return strconv.FormatFloat(ir.Float(t, v), 'g', -1, t.Bits())
	case t.IsSigned():
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(v, 10)
}
