package combine

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Accumulator is a partial result. Before the first element it has no part, or the identity if that is two-sided. Afterwards it has one
// part; of an ordered reduction it has a part for each range of elements that is not adjacent to another yet.
type Accumulator struct {
	Reduction uint32 // of which reduction
	Types     []ir.Type
	Parts     []Part
}

// Part is the reduction of the elements From, From+1, … To-1 of an ordered reduction, and of To-From elements
// otherwise.
type Part struct {
	From, To int64
	Values   []uint64
}

// Tuple is a result: the components of a state.
type Tuple struct {
	Types  []ir.Type
	Values []uint64
}

// Row is an element. Leaves has a value for each of Reduction.Leaves.
type Row struct {
	Index  int64 // of an ordered reduction: the element's place in the loop, from 0
	Leaves []uint64
}

// Leaves lists what a row consists of: the inputs y0, y1, …, and then coordinates. It checks the certificate.
func (r *Reduction) Leaves() ([]Leaf, error) {
	m, err := r.compile()
	if err != nil {
		return nil, err
	}
	return m.leaves, nil
}

func (m *machine) create() Accumulator {
	a := Accumulator{Reduction: m.id, Types: m.types}
	if m.identity != nil && !m.ordered {
		a.Parts = []Part{{Values: slices.Clone(m.identity)}}
	}
	return a
}

// operand computes the operand of one row into out.
func (m *machine) operand(row Row, out []uint64) error {
	if len(row.Leaves) != len(m.leaves) {
		return fmt.Errorf("combine: a row has %d values, and the update reads %d", len(row.Leaves), len(m.leaves))
	}
	for i, l := range m.leaves {
		if v := row.Leaves[i]; l.Type.Wrap(v) != v {
			return fmt.Errorf("combine: %s is %s, and %#x is none", l.Name, l.Type, v)
		}
	}
	if m.conditions != nil {
		if err := m.conditions.run(row.Leaves, m.held); err != nil {
			return err
		}
		for _, v := range m.held {
			if v == 0 {
				return fmt.Errorf("combine: the row %v at index %d is not as given: %v, and coordinates are not negative", row.Leaves, row.Index, m.record.Given)
			}
		}
	}
	return m.inject.run(row.Leaves, out)
}

// add is the accumulator with one more row.
func (m *machine) add(a Accumulator, row Row) (Accumulator, error) {
	if a.Reduction != m.id {
		return a, m.stranger(a)
	}
	p := Part{From: row.Index, To: row.Index + 1, Values: m.row}
	if !m.ordered {
		p.From, p.To = 0, 1
	}
	if m.ordered || len(a.Parts) == 0 { // the accumulator keeps the values
		p.Values = make([]uint64, len(m.types))
	}
	if err := m.operand(row, p.Values); err != nil {
		return a, err
	}
	return m.insert(a, p)
}

func (m *machine) stranger(a Accumulator) error {
	return fmt.Errorf("combine: an accumulator of reduction %08x is merged into one of reduction %08x: the parts of the pipeline disagree", a.Reduction, m.id)
}

// insert adds a part to an accumulator, which it may change.
func (m *machine) insert(a Accumulator, p Part) (Accumulator, error) {
	if !m.ordered {
		if len(a.Parts) == 0 {
			a.Parts = []Part{p}
			return a, nil
		}
		to := &a.Parts[0]
		to.To += p.To
		return a, m.into(to.Values, p.Values)
	}
	if p.From < 0 || p.To <= p.From {
		return a, fmt.Errorf("combine: the range [%d, %d) of indices is empty or negative", p.From, p.To)
	}
	at, _ := slices.BinarySearchFunc(a.Parts, p.From, func(q Part, from int64) int {
		if q.From < from {
			return -1
		}
		return 1
	})
	if at > 0 && a.Parts[at-1].To > p.From || at < len(a.Parts) && a.Parts[at].From < p.To {
		return a, fmt.Errorf("combine: elements of the range [%d, %d) occur twice", p.From, p.To)
	}
	before := at > 0 && a.Parts[at-1].To == p.From
	after := at < len(a.Parts) && a.Parts[at].From == p.To
	switch {
	case before:
		left := &a.Parts[at-1]
		left.To = p.To
		if err := m.into(left.Values, p.Values); err != nil {
			return a, err
		}
		if after {
			left.To = a.Parts[at].To
			err := m.into(left.Values, a.Parts[at].Values)
			a.Parts = slices.Delete(a.Parts, at, at+1)
			return a, err
		}
	case after:
		right := &a.Parts[at]
		right.From = p.From
		err := m.into(p.Values, right.Values)
		right.Values = p.Values
		return a, err
	default:
		if len(a.Parts) >= m.fragments {
			return a, fmt.Errorf("combine: more than %d ranges of indices that are not adjacent in one accumulator; "+
				"larger blocks make fewer, and Reduction.Fragments is the limit", m.fragments)
		}
		a.Parts = slices.Insert(a.Parts, at, p)
	}
	return a, nil
}

// into is left = left ⊕ right.
func (m *machine) into(left, right []uint64) error {
	n := copy(m.operands, left)
	copy(m.operands[n:], right)
	return m.merge.run(m.operands, left)
}

// mergeTwo is a ⊕ b. It may change both.
func (m *machine) mergeTwo(a, b Accumulator) (Accumulator, error) {
	if a.Reduction != m.id {
		return a, m.stranger(a)
	}
	if b.Reduction != m.id {
		return a, m.stranger(b)
	}
	if m.ordered && len(a.Parts) < len(b.Parts) { // parts of an ordered reduction know their places
		a, b = b, a
	}
	var err error
	for _, p := range b.Parts {
		p.Values = slices.Clone(p.Values)
		if a, err = m.insert(a, p); err != nil {
			return a, err
		}
	}
	return a, nil
}

// extract is the result: the initial value, and after it the elements.
func (m *machine) extract(a Accumulator) (Tuple, error) {
	if a.Reduction != m.id {
		return Tuple{}, m.stranger(a)
	}
	if m.ordered {
		if err := m.complete(a.Parts); err != nil {
			return Tuple{}, err
		}
	} else if m.elements > 0 && (len(a.Parts) == 0 || a.Parts[0].To != m.elements) {
		return Tuple{}, fmt.Errorf("combine: %d elements arrived of %d", a.count(), m.elements)
	}
	var all []uint64
	for _, p := range a.Parts {
		if all == nil {
			all = slices.Clone(p.Values)
		} else if err := m.into(all, p.Values); err != nil {
			return Tuple{}, err
		}
	}
	if all == nil {
		all = m.identity
	}
	if !m.lifted {
		return m.afterInitial(all)
	}
	if all == nil {
		return Tuple{m.states, m.initial}, nil
	}
	out := make([]uint64, len(m.states))
	err := m.apply.run(slices.Concat(m.initial, all), out)
	if err != nil {
		return Tuple{}, err
	}
	return m.narrow(out)
}

func (a Accumulator) count() (n int64) {
	for _, p := range a.Parts {
		n += p.To - p.From
	}
	return n
}

// afterInitial merges the initial value with what all elements gave: last, and as the left operand.
func (m *machine) afterInitial(all []uint64) (Tuple, error) {
	switch {
	case m.initial == nil && all == nil:
		return Tuple{}, fmt.Errorf("combine: there is no element, no initial value, and no two-sided identity of %v", m.record.Operator.Exprs)
	case m.initial == nil:
		return m.narrow(all)
	case all == nil:
		return Tuple{m.states, m.initial}, nil
	}
	out := slices.Clone(m.initial)
	if err := m.into(out, all); err != nil {
		return Tuple{}, err
	}
	return m.narrow(out)
}

// narrow is a result in the types of the state, where it was computed in wider ones.
func (m *machine) narrow(values []uint64) (Tuple, error) {
	for i, t := range m.states {
		if t.Wrap(values[i]) != values[i] {
			return Tuple{}, errOverflow
		}
	}
	return Tuple{m.states, slices.Clone(values)}, nil
}

// complete reports indices that are missing.
func (m *machine) complete(parts []Part) error {
	if m.sparse {
		return nil
	}
	next := int64(0)
	for _, p := range parts {
		if p.From != next {
			return fmt.Errorf("combine: the elements [%d, %d) are missing", next, p.From)
		}
		next = p.To
	}
	if m.elements > 0 && next < m.elements {
		return fmt.Errorf("combine: the elements [%d, %d) are missing", next, m.elements)
	}
	if m.elements > 0 && next > m.elements {
		return fmt.Errorf("combine: %d elements arrived of %d", next, m.elements)
	}
	return nil
}
