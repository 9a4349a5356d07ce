package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// refusal evaluates the counterexample of a refusal, and the point at which the nearest
// operator differs. It checks that there is no operator on the state where that is said.
func (v *verifier) refusal() error {
	if v.record.Counterexample != nil || v.record.Refutes != nil {
		if err := v.counterexample(); err != nil {
			return fmt.Errorf("counterexample: %w", err)
		}
	}
	if v.record.Nearest != nil {
		if err := v.nearest(v.record.Nearest); err != nil {
			return fmt.Errorf("nearest: %w", err)
		}
	}
	return v.noOperator()
}

// counterexample checks that (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) have the two values that are stated, which differ. The operator ⊕ is the update
// with y_i in place of the roles. What is given of the state alone must hold of every operand.
func (v *verifier) counterexample() error {
	refutes := v.record.Refutes
	if refutes == nil || v.record.Counterexample == nil {
		return errors.New("values without what they refute, or the other way round")
	}
	n := len(refutes.Roles)
	if n > len(v.types) {
		return fmt.Errorf("%d roles for %d components", n, len(v.types))
	}
	roles, err := v.read("roles", refutes.Roles, v.types[:n], names{leaves: true})
	if err != nil {
		return err
	}
	for _, e := range ir.Vars(v.replace(v.update, roles, v.x[:n])...) {
		if isInput(e) {
			return fmt.Errorf("the leaf %s has no role", e)
		}
	}
	op := proof.Operator{Types: v.types, Exprs: v.replace(v.update, roles, v.y[:n])}
	op.Given, _ = v.restrictGiven(^uint64(0))
	if refutes.Component < 0 || refutes.Component >= len(v.types) {
		return fmt.Errorf("there is no component %d", refutes.Component)
	}
	return refute(op.Associativity()[refutes.Component], v.record.Counterexample)
}

// nearest checks that the operator nearest to the update differs from it at the point.
func (v *verifier) nearest(n *Nearest) error {
	place := slices.Index(n.Components, n.Component)
	if place < 0 || len(n.Components) > len(v.types) {
		return errors.New("its parts do not fit together")
	}
	var types []ir.Type
	for _, i := range n.Components {
		if i < 0 || i >= len(v.types) {
			return fmt.Errorf("there is no component %d", i)
		}
		types = append(types, v.types[i])
	}
	exprs, err := v.read("exprs", n.Exprs, types, names{x: v.x, y: v.y})
	if err != nil {
		return err
	}
	if err := v.isOperator(n.Components, exprs); err != nil {
		return err
	}
	inject, err := v.read("inject", n.Inject, types, names{leaves: true})
	if err != nil {
		return err
	}
	right := v.replace(exprs, pick(v.y, n.Components), inject)
	return refute(proof.Problem{Left: v.update[n.Component], Right: right[place]}, n.At)
}

// isOperator checks that expressions are over the operands of some components and constants, and that no small
// values refute that they are an associative operator. That is not proven: an operator that is near explains a
// refusal, and nothing is computed by it. Laws that hold only where floats are a field are not refuted by values, and
// points where something overflows say nothing, because laws may assume that nothing does.
func (v *verifier) isOperator(components []int, exprs []ir.Expr) error {
	types := make([]ir.Type, len(components))
	for j, i := range components {
		types[j] = v.types[i]
	}
	for _, e := range ir.Vars(exprs...) {
		if e.Kind() != ir.Param && !slices.Contains(components, e.Index()) {
			return fmt.Errorf("%s is no operand of an operator on the components %v", e, components)
		}
	}
	if ir.TypesIn(exprs)&ir.FloatTypes != 0 {
		return nil
	}
	x, y := v.pool.Operands(types)
	op := proof.Operator{Types: types, Exprs: v.replace(exprs, slices.Concat(pick(v.x, components), pick(v.y, components)), slices.Concat(x, y))}
	for _, p := range op.Associativity() {
		vars := ir.Vars(p.Left, p.Right)
		values := make([]uint64, len(vars))
		env := &ir.Env{Var: func(e ir.Expr) uint64 { return values[slices.Index(vars, e)] }}
		for n := range nearestPoints {
			if *v.fuel -= p.Left.Size() + p.Right.Size(); *v.fuel < 0 {
				return errors.New("it takes too long to check")
			}
			seed := uint64(n)*6364136223846793005 + 1442695040888963407
			for j, e := range vars {
				values[j] = smallValue(e.Type(), seed>>(8+7*(j%8)))
				seed += seed << 13
			}
			if left, right := ir.Eval(p.Left, env), ir.Eval(p.Right, env); left != right && !overflows(p, env) {
				return fmt.Errorf("the expressions are no operator: %s = %s, but %s = %s where %s", p.Left, ValueText(p.Left.Type(), left),
					p.Right, ValueText(p.Right.Type(), right), pointText(vars, values))
			}
		}
	}
	return nil
}

// pointText writes values of variables.
func pointText(vars []ir.Expr, values []uint64) string {
	parts := make([]string, len(vars))
	for i, v := range vars {
		parts[i] = v.String() + " = " + ValueText(v.Type(), values[i])
	}
	return strings.Join(parts, ", ")
}

// nearestPoints is how many points are tried: of three operands of five small values each.
const nearestPoints = 128

// smallValue is one of −2, …, 2, or of 0, …, 4 where there are no negative values.
func smallValue(t ir.Type, n uint64) uint64 {
	switch {
	case t == ir.Bool:
		return n & 1
	case t.IsSigned():
		return t.Wrap(n%5 - 2)
	}
	return n % 5
}

// overflows reports whether an operation of an equation overflows at a point.
func overflows(p proof.Problem, at *ir.Env) (found bool) {
	ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
		if e.Op().MayOverflow() && !found {
			found = !ir.Fits(e.Op(), e.Type(), ir.Eval(e.Arg(0), at), ir.Eval(e.Arg(e.NumArgs()-1), at))
		}
	})
	return found
}

// refute evaluates both sides of an equation at a point and compares them with the values that are stated under "left"
// and "right", which must differ. Values of functions such as sin are stated as another machine computes them: nearly.
func refute(p proof.Problem, at map[string]string) error {
	values := map[ir.Expr]uint64{}
	for _, e := range ir.Vars(slices.Concat([]ir.Expr{p.Left, p.Right}, p.Given)...) {
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
	t, byMachine := p.Left.Type(), !p.Left.IsDetermined() || !p.Right.IsDetermined()
	states := func(side, text string) bool {
		f, _ := strconv.ParseFloat(text, 64)
		g, err := strconv.ParseFloat(at[side], 64)
		return at[side] == text || byMachine && t.IsFloat() && err == nil && math.Abs(f-g) <= 1e-6*math.Abs(f)
	}
	left, right := ValueText(t, ir.Eval(p.Left, env)), ValueText(t, ir.Eval(p.Right, env))
	switch {
	case !states("left", left) || !states("right", right):
		return fmt.Errorf("the sides are %s and %s there", left, right)
	case left == right:
		return errors.New("both sides are the same there, which refutes nothing")
	}
	return nil
}

// readValue reads a value as ValueText writes it, and reports false for other texts.
func readValue(t ir.Type, text string) (value uint64, ok bool) {
	if t.IsFloat() {
		f, _ := strconv.ParseFloat(text, 64)
		value = ir.FloatBits(t, f)
	} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		value = t.Wrap(uint64(n))
	} else if value, err = strconv.ParseUint(text, 10, 64); err != nil && text == "true" {
		value = 1
	}
	value = t.Wrap(value)
	return value, ValueText(t, value) == text
}

// ValueText writes a value of a type as counterexamples have it.
func ValueText(t ir.Type, value uint64) string {
	switch {
	case t == ir.Bool:
		return fmt.Sprint(value != 0)
	case t.IsFloat():
		return fmt.Sprint(ir.Float(t, value))
	case t.IsSigned():
		return fmt.Sprint(int64(value))
	}
	return fmt.Sprint(value)
}
