package verify

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/exhaustive"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// LeastProven is what a record says of a lift where fewer of its parameters cannot do.
const LeastProven = "proven"

// Products are products of steps of which no two are the same function of the state. Where they are more than there are
// states, no operator on the state makes them: x ⊕ e is one function for each e. Where they are more than the
// parameters of a lift have values without one of them, that lift has no parameter too many.
//
//	x0*y0 + y1 of u64, with two parameters of u64
//	one step with y0 = 1, y1 = p0 is x0 + p0:     2⁶⁴ functions, as p0 is their value at x0 = 0
//	one step with y0 = 2, y1 = 0 is 2*x0:         one more, so that 64 bits are too few
//
// The functions of a family are told apart by terms that give its variables back, from the values of the function at
// some states. Further products are compared with one another at these states; with the family, too:
// if a product is of the family, it is the one with the variables that the terms give for it.
type Products struct {
	Constants map[string]string `json:"constants,omitempty"` // values of k0, k1, …: a lift has to do for any
	States    [][]string        `json:"states"`              // at which functions are told apart
	Types     []string          `json:"types"`               // of the family's variables p_i
	Powers    []Power           `json:"powers,omitempty"`    // steps that are done any number of times
	Steps     []Factor          `json:"steps"`               // of the family
	Reads     []Reading         `json:"reads"`               // a term for each variable
	More      [][]Factor        `json:"more"`                // further products of steps
}

// Reading is a term over values of a function: q_i is component i % n of its value at state i / n, where n is the number of components.
type Reading struct {
	Term  string      `json:"term"`
	Proof *proof.Tree `json:"proof"` // it gives the variable
}

// Bounds of what is counted.
const (
	maxStates   = 64
	maxProducts = 256 // beside the family
	maxLength   = 16  // steps of a product
)

// least checks what is said of the number of parameters.
func (l *lifted) least(c *Products) error {
	if c == nil {
		return compare(claim{"least", l.record.Least, ""})
	}
	if err := l.exceed(c, Fewer(l.params)); err != nil {
		return err
	}
	return compare(claim{"least", l.record.Least, LeastProven})
}

// noOperator checks that no operator on the state makes the update, where the record says so.
func (v *verifier) noOperator() error {
	if v.record.NoOperator == nil {
		return nil
	}
	if err := v.exceed(v.record.NoOperator, Values(v.types)); err != nil {
		return fmt.Errorf("no_operator: %w", err)
	}
	return nil
}

// exceed checks that products are different functions, and more than there are values of something.
func (v *verifier) exceed(c *Products, values *big.Int) error {
	if len(v.record.Assumes)+len(v.given)+len(v.nonNeg) > 0 {
		return errors.New("functions are counted where nothing is assumed or given")
	}
	t, err := v.readTeller(c)
	if err != nil {
		return err
	}
	for i := range c.Powers {
		if err := t.readPower(&c.Powers[i]); err != nil {
			return fmt.Errorf("power %d: %w", i+1, err)
		}
	}
	if err := t.readFamily(c); err != nil {
		return fmt.Errorf("family: %w", err)
	}
	if err := t.more(c.More); err != nil {
		return err
	}
	functions := big.NewInt(int64(len(c.More)))
	if functions.Add(functions, Values(t.kinds)); functions.Cmp(values) <= 0 {
		return fmt.Errorf("%d functions are not too many for %d values", functions, values)
	}
	return nil
}

// teller tells products of steps apart.
type teller struct {
	*verifier
	constants, are []ir.Expr   // leaves that no step changes, and their values
	update         []ir.Expr   // with these values
	leaves         []ir.Expr   // that each step has values of its own of
	states         [][]ir.Expr // literals
	powers         []power
	kinds          []ir.Type // of the family's variables …
	vars           []ir.Expr // … and they themselves
	values         []ir.Expr // of the family's function at the states, over vars
	reads          []ir.Expr // of the variables, over at
	at             []ir.Expr // variables for values of a function at the states
}

// readTeller reads the states and the values of constants.
func (v *verifier) readTeller(c *Products) (*teller, error) {
	t := &teller{verifier: v}
	if len(c.States) == 0 || len(c.States) > maxStates || len(c.More) > maxProducts || len(c.Powers) > maxProducts || len(c.Types) > ir.MaxState {
		return nil, errors.New("it has too many parts, or no states")
	}
	known := 0
	for _, leaf := range ir.Vars(v.update...) {
		switch text, ok := c.Constants[leaf.Name()]; {
		case leaf.Kind() == ir.State:
		case leaf.Kind() == ir.Param && ok:
			known++
			is, err := t.literals("constants", []string{text}, []ir.Type{leaf.Type()})
			if err != nil {
				return nil, err
			}
			t.constants, t.are = append(t.constants, leaf), append(t.are, is...)
		case leaf.Kind() == ir.Param:
			return nil, fmt.Errorf("nothing is said of %s", leaf)
		default:
			t.leaves = append(t.leaves, leaf)
		}
	}
	if known != len(c.Constants) {
		return nil, errors.New("constants: one is not of the update")
	}
	t.update = v.replace(v.update, t.constants, t.are)
	for i, state := range c.States {
		s, err := t.literals("states", state, v.types)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(t.states, func(other []ir.Expr) bool { return slices.Equal(s, other) }) {
			return nil, fmt.Errorf("states: %s is there twice", state)
		}
		t.states = append(t.states, s)
		for j, of := range v.types {
			n := i*len(v.types) + j
			t.at = append(t.at, v.pool.Var(ir.Leaf, fmt.Sprintf("q%d", n), firstValue+n, of))
		}
	}
	return t, exhaustive.Determined(t.update)
}

// literals reads expressions that have to be literals.
func (v *verifier) literals(what string, texts []string, types []ir.Type) ([]ir.Expr, error) {
	es, err := v.read(what, texts, types, names{})
	if err == nil && slices.ContainsFunc(es, func(e ir.Expr) bool { return e.Op() != ir.Const }) {
		err = fmt.Errorf("%s: %s are not all literals", what, texts)
	}
	return es, err
}

// readFamily reads the family, and checks that its variables can be read from its function's values.
func (t *teller) readFamily(c *Products) error {
	for i, name := range c.Types {
		of := ir.ParseType(name)
		if of == ir.Invalid {
			return fmt.Errorf("there is no type %q", name)
		}
		t.kinds = append(t.kinds, of)
		t.vars = append(t.vars, t.pool.Var(ir.Leaf, fmt.Sprintf("p%d", i), firstP+i, of))
	}
	var err error
	if t.values, err = t.run(c.Steps); err != nil {
		return err
	}
	if len(c.Reads) != len(t.vars) {
		return fmt.Errorf("%d terms for %d variables", len(c.Reads), len(t.vars))
	}
	for i, r := range c.Reads {
		read, err := t.read("reads", []string{r.Term}, t.kinds[i:i+1], names{q: t.at})
		if err != nil {
			return err
		}
		t.reads = append(t.reads, read...)
		again := proof.Problem{Left: t.replace(read, t.at, t.values)[0], Right: t.vars[i]}
		if err := within(t.fuel, again, 0, r.Proof); err != nil {
			return fmt.Errorf("variable %d: %w", i, err)
		}
	}
	return exhaustive.Determined(t.reads)
}

// pay takes a step off the fuel for each subterm.
func (v *verifier) pay(es []ir.Expr) error {
	ir.Walk(es, func(ir.Expr) { *v.fuel-- })
	if *v.fuel < 0 {
		return errors.New("it takes too long to check")
	}
	return nil
}

// more checks that products are functions that differ from one another and from the family's.
func (t *teller) more(products [][]Factor) error {
	family, reads := t.values, t.replace(t.reads, t.constants, t.are)
	seen := make([][]uint64, 0, len(products))
	for n, steps := range products {
		es, err := t.run(steps)
		if err != nil {
			return fmt.Errorf("product %d: %w", n, err)
		}
		values, err := t.evaluate(es, nil, nil)
		if err != nil {
			return fmt.Errorf("product %d: %w", n, err)
		}
		vars, err := t.evaluate(reads, t.at, values)
		if err != nil {
			return fmt.Errorf("product %d: %w", n, err)
		}
		of, err := t.evaluate(family, t.vars, vars)
		if err != nil {
			return fmt.Errorf("product %d: %w", n, err)
		}
		if t.same(values, of) {
			return fmt.Errorf("product %d is one of the family", n)
		}
		for m, other := range seen {
			if t.same(values, other) {
				return fmt.Errorf("products %d and %d are not told apart", m, n)
			}
		}
		seen = append(seen, values)
	}
	return nil
}

// evaluate returns the values of terms where variables have values.
func (t *teller) evaluate(es, vars []ir.Expr, values []uint64) ([]uint64, error) {
	is := make([]ir.Expr, len(vars))
	for i, v := range vars {
		is[i] = t.pool.Const(v.Type(), values[i])
	}
	es = t.replace(es, vars, is)
	for _, e := range es {
		if !e.IsClosed() {
			return nil, fmt.Errorf("%s has no value", e)
		}
	}
	if err := t.pay(es); err != nil {
		return nil, err
	}
	return ir.EvalAll(es, nil), nil
}

// same reports whether a function has the same values at all states. All NaN are one value.
func (t *teller) same(a, b []uint64) bool {
	for i, v := range t.at {
		if !sameValue(v.Type(), a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameValue(t ir.Type, a, b uint64) bool {
	return a == b || t.IsFloat() && math.IsNaN(ir.Float(t, a)) && math.IsNaN(ir.Float(t, b))
}

// Values returns how many values the types have together. Of a float all NaN are one value.
func Values(types []ir.Type) *big.Int {
	n := big.NewInt(1)
	for _, t := range types {
		n.Mul(n, size(t))
	}
	return n
}

// Fewer returns how many values the types have together without the one that has the fewest: without any
// other one there are no more. It panics where there are no types.
func Fewer(types []ir.Type) *big.Int {
	least := slices.MinFunc(types, func(a, b ir.Type) int { return size(a).Cmp(size(b)) })
	n := Values(types)
	return n.Div(n, size(least))
}

func size(t ir.Type) *big.Int {
	if t.IsFloat() { // two signs of 0 … +Inf, and NaN
		n := new(big.Int).SetUint64(ir.FloatBits(t, math.Inf(1)) + 1)
		return n.Lsh(n, 1).Add(n, big.NewInt(1))
	}
	return new(big.Int).Lsh(big.NewInt(1), uint(t.Bits()))
}
