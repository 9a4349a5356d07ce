// Package exhaustive checks equations and associativity by evaluating them for all values.
//
//	popcount(x) = 8 - popcount(~x) of u8                  →   256 values of x
//	x ⊕ y = popcount(x ^ y) % 2 of u8 is associative      →   a table of ⊕, then 2²⁴ triples
//
// An equation has at most 16 bits of variables, and an operator 8 bits of state on which a component depends, and
// no constants: more is not confirmed. Integers wrap. Terms are evaluated by package ir, which is the meaning of the language.
// Functions of floats whose last bit may differ from machine to machine are not evaluated.
package exhaustive

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

const (
	maxEquation = 16 // bits of the variables of an equation
	maxState    = 8  // bits of the state of an operator
)

// Difference is the error of an equation that is false: values of variables at which its sides differ.
type Difference struct {
	Vars   []ir.Expr
	Values []uint64
}

// Error says where the sides differ.
func (d *Difference) Error() string {
	return fmt.Sprintf("the sides differ where %v are %d", d.Vars, d.Values)
}

// Equal returns nil if both sides of an equation have the same value wherever what is given holds. It takes elementary steps off fuel.
func Equal(fuel *int, p proof.Problem) error {
	if p.Left.Type() != p.Right.Type() {
		return errors.New("the sides are of two types")
	}
	es := append([]ir.Expr{p.Left, p.Right}, p.Given...)
	vars := ir.Vars(es...)
	c, err := compile(fuel, vars, es, maxEquation)
	if err != nil {
		return err
	}
	for n := range 1 << c.bits {
		out := c.run(n)
		holds := true
		for _, given := range out[2:] {
			holds = holds && given != 0
		}
		if holds && out[0] != out[1] {
			return &Difference{vars, c.values}
		}
	}
	return nil
}

// part is the operator on the components that one of an operator's components depends on, whose places it lists.
func part(op proof.Operator, component int) (p proof.Operator, places []int, err error) {
	set := uint64(1) << component
	for grown := uint64(0); grown != set; {
		grown = set
		for i := range op.Types {
			if set>>i&1 == 0 {
				continue
			}
			for _, v := range ir.Vars(op.Exprs[i]) {
				switch {
				case v.Kind() != ir.State && v.Kind() != ir.Leaf || v.Index() >= len(op.Types):
					return p, nil, fmt.Errorf("%s is a constant, which may have any value", v)
				default:
					set |= 1 << v.Index()
				}
			}
		}
	}
	x, y, _ := op.Operands()
	bits := 0
	for i, t := range op.Types {
		if set>>i&1 != 0 {
			places = append(places, i)
			p.Types = append(p.Types, t)
			bits += t.Bits()
		}
	}
	if bits > maxState {
		return p, nil, fmt.Errorf("%d bits of state are more than %d", bits, maxState)
	}
	to, with, _ := proof.Operator{Types: p.Types, Exprs: op.Exprs}.Operands()
	for j, i := range places {
		x[i], y[i] = to[j], with[j]
	}
	whole := op.Apply(x, y)
	for _, i := range places {
		p.Exprs = append(p.Exprs, whole[i])
	}
	return p, places, Determined(p.Exprs)
}

// Fits reports whether associativity of a component of an operator is confirmed or refuted by [Associative].
func Fits(op proof.Operator, component int) bool {
	_, _, err := part(op, component)
	return err == nil
}

// Associative returns nil if an operator is associative in a component: if (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) have the same one. It evaluates the
// components that this one depends on, and asks nothing of what is given. It takes elementary steps off fuel.
func Associative(fuel *int, whole proof.Operator, component int) error {
	op, places, err := part(whole, component)
	if err != nil {
		return err
	}
	x, y, _ := op.Operands()
	pairs, err := compile(fuel, slices.Concat(x, y), op.Exprs, 2*maxState)
	if err != nil {
		return err
	}
	if *fuel -= tripleSteps; *fuel < 0 {
		return errors.New("it takes too long to check")
	}
	bits := pairs.bits / 2
	states := 1 << bits
	table := make([]uint8, states*states)
	for n := range table {
		table[n] = uint8(pack(op.Types, pairs.run(n)))
	}
	var mask uint8 // the bits of the component
	for i, t := range op.Types {
		if mask <<= t.Bits(); places[i] == component {
			mask |= 1<<t.Bits() - 1
		}
	}
	for a := range states {
		for b := range states {
			left, right := table[int(table[a<<bits|b])<<bits:], table[a<<bits:]
			inner := table[b<<bits:]
			for c := range states {
				if (left[c]^right[inner[c]])&mask != 0 {
					return difference(whole, op.Types, places, [3]int{a, b, c})
				}
			}
		}
	}
	return nil
}

// difference is the error of three operands, of which the values in some places are known.
func difference(whole proof.Operator, types []ir.Type, places []int, states [3]int) *Difference {
	d := &Difference{}
	x, y, z := whole.Operands()
	for i, operand := range [3][]ir.Expr{x, y, z} {
		values := make([]uint64, len(operand))
		for j, v := range unpack(types, states[i]) {
			values[places[j]] = v
		}
		d.Vars, d.Values = append(d.Vars, operand...), append(d.Values, values...)
	}
	return d
}

// tripleSteps is what 2²⁴ look-ups cost: an elementary step takes about a microsecond, a look-up a nanosecond.
const tripleSteps = 1 << 15

// pack puts values side by side, the first one into the highest bits.
func pack(types []ir.Type, values []uint64) (n int) {
	for i, t := range types {
		n = n<<t.Bits() | int(values[i]&(1<<t.Bits()-1))
	}
	return n
}

// unpack is the inverse of pack.
func unpack(types []ir.Type, n int) []uint64 {
	out := make([]uint64, len(types))
	for i := len(types) - 1; i >= 0; i-- {
		out[i] = types[i].Wrap(uint64(n))
		n >>= types[i].Bits()
	}
	return out
}

// Determined returns an error for terms that have no value here, or one that may differ between machines.
func Determined(es []ir.Expr) error {
	for _, e := range es {
		if !e.IsDetermined() {
			return fmt.Errorf("%s has a function that is not known, or rounds as the machine does", e)
		}
	}
	return nil
}

// code evaluates expressions at one point after the other.
type code struct {
	bits   int // of all variables
	types  []ir.Type
	nodes  []node
	out    []int
	values []uint64 // of the variables, at the last point
	regs   []uint64
	result []uint64
}

type node struct {
	op      ir.Op
	of, to  ir.Type // of the operands, and of the result
	a, b, c int     // the places of operands
	value   uint64  // of a literal
}

// compile makes the code of expressions over variables that have at most so many bits, and pays for its run at all points.
func compile(fuel *int, vars, es []ir.Expr, most int) (*code, error) {
	if err := Determined(es); err != nil {
		return nil, err
	}
	c := &code{values: make([]uint64, len(vars)), result: make([]uint64, len(es))}
	at := map[ir.Expr]int{}
	for i, v := range vars {
		at[v] = i
		c.types = append(c.types, v.Type())
		c.bits += v.Type().Bits()
		c.nodes = append(c.nodes, node{op: ir.Var})
	}
	if c.bits > most {
		return nil, fmt.Errorf("the variables have %d bits, more than %d", c.bits, most)
	}
	for _, v := range ir.Vars(es...) {
		if _, ok := at[v]; !ok {
			return nil, fmt.Errorf("there is another variable, %s", v)
		}
	}
	for _, e := range es {
		c.out = append(c.out, c.add(e, at))
	}
	c.regs = make([]uint64, len(c.nodes))
	for i, n := range c.nodes {
		c.regs[i] = n.value
	}
	if *fuel -= len(c.nodes) << c.bits / 128; *fuel < 0 {
		return nil, errors.New("it takes too long to check")
	}
	return c, nil
}

// add appends the nodes of an expression, and returns the place of its value.
func (c *code) add(e ir.Expr, at map[ir.Expr]int) int {
	if i, ok := at[e]; ok {
		return i
	}
	n := node{op: e.Op(), to: e.Type()}
	for i := range e.NumArgs() {
		a := c.add(e.Arg(i), at)
		switch i {
		case 0:
			n.a, n.of = a, e.Arg(0).Type()
		case 1:
			n.b = a
		default:
			n.c = a
		}
	}
	if n.op == ir.Const {
		n.value = e.Value()
	}
	c.nodes = append(c.nodes, n)
	at[e] = len(c.nodes) - 1
	return at[e]
}

// run evaluates at point number n. The result holds until the next run.
func (c *code) run(n int) []uint64 {
	for i := len(c.types) - 1; i >= 0; i-- {
		t := c.types[i]
		c.values[i] = t.Wrap(uint64(n))
		n >>= t.Bits()
	}
	copy(c.regs, c.values)
	for i := len(c.values); i < len(c.nodes); i++ {
		switch d := &c.nodes[i]; {
		case d.op == ir.Const:
		case d.op == ir.Select:
			if c.regs[i] = c.regs[d.c]; c.regs[d.a] != 0 {
				c.regs[i] = c.regs[d.b]
			}
		case d.op.Arity() == 1:
			c.regs[i] = ir.Apply1(d.op, d.of, d.to, c.regs[d.a])
		default:
			c.regs[i] = ir.Apply2(d.op, d.of, c.regs[d.a], c.regs[d.b])
		}
	}
	for i, r := range c.out {
		c.result[i] = c.regs[r]
	}
	return c.result
}
