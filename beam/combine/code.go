package combine

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

// code evaluates expressions at one point.
type code struct {
	tape *tape.Tape
	from []int // for each input of the tape: which value it is
	rows []*[tape.Lanes]uint64
	over ir.Assume
}

var errOverflow = errors.New("combine: an operation overflows in a partial result; the answer assumes that none does (nsw, nuw)")

var errPoisoned = errors.New("combine: a NaN or an infinity arises in a partial result; the answer assumes that none does (nnan, ninf)")

// newCode makes code of expressions over vars, whose values a run takes in that order. A run in which an
// operation overflows, or gives a NaN or an infinity, that over assumes away is an error.
func newCode(exprs, vars []ir.Expr, over ir.Assume) (*code, error) {
	c := &code{tape: tape.New(exprs...), over: over}
	for _, v := range c.tape.Inputs {
		i := slices.Index(vars, v)
		if i < 0 {
			return nil, fmt.Errorf("combine: %s has no value", v)
		}
		c.from = append(c.from, i)
		c.rows = append(c.rows, new([tape.Lanes]uint64))
	}
	return c, nil
}

// run writes the values of the expressions into out.
func (c *code) run(values, out []uint64) error {
	for i, from := range c.from {
		c.rows[i][0] = values[from]
	}
	for i, r := range c.tape.RunFirst(c.rows, 1) {
		out[i] = r[0]
	}
	if c.over != 0 && c.tape.Overflowed(c.over)&1 != 0 {
		return errOverflow
	}
	if c.over != 0 && c.tape.Poisoned(c.over)&1 != 0 {
		return errPoisoned
	}
	return nil
}

// read reads texts of the record, one of each type.
func (m *machine) read(vars scope, types []ir.Type, texts []string) ([]ir.Expr, error) {
	if len(texts) != len(types) {
		return nil, fmt.Errorf("combine: %d expressions for %d components", len(texts), len(types))
	}
	out := make([]ir.Expr, len(texts))
	for i, text := range texts {
		e, err := ir.Read(m.pool, vars.get, types[i], text)
		if err != nil {
			return nil, fmt.Errorf("combine: %s: %w", text, err)
		}
		out[i] = e
	}
	return out, nil
}

func cast(t ir.Type, e ir.Expr) ir.Expr {
	if e.Type() == t {
		return e
	}
	return ir.CastTo(t, e)
}

func assumptions(names []string) (all ir.Assume, err error) {
	for _, n := range names {
		a, err := ir.ParseAssume(n)
		if err != nil {
			return 0, fmt.Errorf("combine: %w", err)
		}
		all |= a
	}
	return all, nil
}

// plain matches texts that mean the same in every signed type that is wide enough: sums, products, comparisons and
// choices of variables and literals.
var plain = regexp.MustCompile(`^(?:[xykp][0-9]+|r(?:\.[xyzw])?|[0-9]+|min|max|select|true|false|<=|>=|==|!=|&&|\|\||[-+*<>!,() ])*$`)

// widens reports whether the operator may be computed in i64 in place of narrower signed types.
func (m *machine) widens() bool {
	rec := m.record
	narrow := func(t ir.Type) bool { return t == ir.Bool || t.IsSigned() && t.Bits() <= 32 }
	for _, t := range slices.Concat(m.types, m.states) {
		if !narrow(t) {
			return false
		}
	}
	for _, l := range rec.Leaves {
		if !narrow(ir.ParseType(l.Type)) {
			return false
		}
	}
	for _, text := range slices.Concat(rec.Operator.Exprs, rec.Inject, rec.Apply) {
		if !plain.MatchString(text) {
			return false
		}
	}
	return true
}

// readConditions reads what is given: conditions on inputs are checked of every row, those on the state of the
// initial value.
func (m *machine) readConditions(leaves scope) error {
	vars := make([]ir.Expr, len(m.leaves))
	for i, l := range m.leaves {
		vars[i] = ir.Vars(leaves[l.Name])[0]
	}
	var conditions []ir.Expr
	for _, text := range m.record.Given {
		if e, err := ir.Read(m.pool, leaves.get, ir.Bool, text); err == nil {
			conditions = append(conditions, e)
		}
	}
	for i, l := range m.leaves {
		if l.NonNeg {
			conditions = append(conditions, ir.LeOf(m.pool.Int(l.Type, 0), vars[i]))
		}
	}
	if len(conditions) == 0 {
		return nil
	}
	m.held = make([]uint64, len(conditions))
	var err error
	m.conditions, err = newCode(conditions, vars, 0)
	return err
}

// checkInitial examines the initial value: its types, and what is given of it.
func (m *machine) checkInitial(constants map[string]uint64) error {
	if m.initial == nil {
		if m.lifted {
			return errors.New("combine: a lifted answer needs an initial state, to which the steps are applied")
		}
		return nil
	}
	if len(m.initial) != len(m.states) {
		return fmt.Errorf("combine: the initial value has %d components, and the state %d", len(m.initial), len(m.states))
	}
	vars := scope{}
	for i, t := range m.states {
		if t.Wrap(m.initial[i]) != m.initial[i] {
			return fmt.Errorf("combine: component %d is %s, and its initial value %#x is none", i, t, m.initial[i])
		}
		vars[fmt.Sprintf("x%d", i)] = m.pool.Const(t, m.initial[i])
	}
	for name, v := range constants {
		vars[name] = m.pool.Const(ir.ParseType(m.record.Leaves[name].Type), v)
	}
	for _, text := range m.record.Given {
		e, err := ir.Read(m.pool, vars.get, ir.Bool, text)
		if err != nil {
			continue // about inputs
		}
		if ir.Eval(e, nil) == 0 {
			return fmt.Errorf("combine: the initial value is not as given: %s", text)
		}
	}
	return m.checkInferred()
}

// checkInferred compares the initial value with the one of which the answer's invariants are proven.
func (m *machine) checkInferred() error {
	for i, text := range m.record.Initial {
		e, err := ir.Read(m.pool, nil, m.states[i], text)
		if err != nil {
			continue // a component whose initial value is not known
		}
		if v := ir.Eval(e, nil); v != m.initial[i] {
			return fmt.Errorf("combine: component %d starts from %s where its invariants are proven, not from %s", i, text, m.pool.Const(m.states[i], m.initial[i]))
		}
	}
	return nil
}
