package view

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Merge is an answer on numbers: the serial loop, and the same steps as a tree of slices.
//
//	x0 + y0 over 3 1 4 1   →   serial 0 3 4 8 9; tree (3 ⊕ 1) ⊕ (4 ⊕ 1) = 9
//
// Of a refusal it is the counterexample in both orders.
type Merge struct {
	Rows    []Row    `json:"rows,omitempty"`
	Serial  []string `json:"serial,omitempty"` // the state before the first step, and after each
	Levels  [][]Span `json:"levels,omitempty"` // steps first, then pairs of those before; of a staged answer none
	Last    *Span    `json:"last,omitempty"`   // the root, combined with the start or applied to it
	Equal   bool     `json:"equal,omitempty"`  // Last, and each prefix, is what the serial loop computes
	Why     string   `json:"why,omitempty"`    // where they are not equal
	Lifted  bool     `json:"lifted,omitempty"` // values of Levels are parameters of steps
	Slices  []Slice  `json:"slices,omitempty"` // of a scan
	Stages  []*Merge `json:"stages,omitempty"`
	Heading string   `json:"heading,omitempty"` // of a stage
	Trial   *Trial   `json:"trial,omitempty"`
	Failed  string   `json:"failed,omitempty"`
}

// Span is a value that some steps have together, and the term that gives it.
type Span struct {
	Steps int    `json:"steps"`
	Value string `json:"value"`
	Term  string `json:"term,omitempty"`

	values []uint64
}

// Slice is a slice of a scan: the state that it starts from, and the states after its steps.
type Slice struct {
	From   string   `json:"from"`
	States []string `json:"states"`
}

// Merged runs the answer of an update on data that a reader gave: a line for each of the Rows.
func (v *Update) Merged(lines []string) *Merge {
	if v.answer == nil {
		return &Merge{Failed: v.Failed}
	}
	if v.answer.Status == rfactor.Refused {
		return v.mergedRefusal(lines)
	}
	d, err := readData(v.answer, lines)
	if err != nil {
		return &Merge{Failed: err.Error()}
	}
	return v.mergeOf(d)
}

// addMerge adds how an update merges, on drawn data.
func (v *Update) addMerge() {
	switch {
	case v.answer == nil:
	case v.answer.Status == rfactor.Refused:
		if v.Trial != nil {
			v.Merge = &Merge{Rows: v.Trial.rows, Trial: v.Trial}
		}
	default:
		v.Merge = v.mergeOf(draw(v.answer, v.init))
	}
}

func (v *Update) mergedRefusal(lines []string) *Merge {
	t, err := tried(v.answer, lines)
	if err != nil {
		return &Merge{Failed: err.Error()}
	}
	return &Merge{Rows: t.rows, Trial: t}
}

// mergeOf runs an answer on data, a staged one stage by stage.
func (v *Update) mergeOf(d *data) *Merge {
	a := v.answer
	serial := serialStates(a, d)
	if a.Status != rfactor.Staged {
		m := mergeStage(a, d, serial, len(a.Keep) > 0)
		m.Rows = d.rows(a)
		return m
	}
	m := &Merge{Rows: d.rows(a), Serial: tuples(a.Types, serial), Equal: true}
	for n, s := range a.Stages {
		own, ownSerial := stageData(a, s, d, serial)
		stage := mergeStage(s.Answer, own, ownSerial, len(s.Stores) > 0)
		stage.Rows, stage.Heading = own.rows(s.Answer), StageHeading(n, s)
		if !stage.Equal {
			m.Equal, m.Why = false, stage.Why
		}
		m.Stages = append(m.Stages, stage)
	}
	return m
}

// stageData is the data of a stage and the states that its components have in the serial loop.
func stageData(a *rfactor.Answer, s rfactor.Stage, d *data, serial [][]uint64) (*data, [][]uint64) {
	own := &data{fixed: map[string]bool{}}
	pick := func(state []uint64) (values []uint64) {
		for _, i := range s.Components {
			values = append(values, state[i])
		}
		return values
	}
	own.start = pick(d.start)
	for i := range d.steps {
		step := map[string]uint64{}
		for _, l := range a.Leaves {
			step[l.Var.Name()] = d.steps[i][l.Var.Name()]
		}
		for _, r := range s.Reads {
			at := i
			if r.After {
				at++
			}
			step[r.Leaf.Name()], own.fixed[r.Leaf.Name()] = serial[at][r.Component], true
		}
		own.steps = append(own.steps, step)
	}
	var states [][]uint64
	for _, state := range serial {
		states = append(states, pick(state))
	}
	return own, states
}

// serialStates is the state before the first step and after each.
func serialStates(a *rfactor.Answer, d *data) [][]uint64 {
	states := [][]uint64{d.start}
	for i, step := range d.steps {
		states = append(states, evaluate(a.Update, states[i], nil, step))
	}
	return states
}

func tuples(ts []ir.Type, states [][]uint64) (out []string) {
	for _, s := range states {
		out = append(out, tupleText(ts, s))
	}
	return out
}

// merger combines steps of an answer with an operator or a lift.
type merger struct {
	a      *rfactor.Answer
	types  []ir.Type // of what is combined
	exprs  []ir.Expr
	leaves map[string]uint64 // constants are the same at each step
}

func (m *merger) combine(x, y []uint64) []uint64 { return evaluate(m.exprs, x, y, m.leaves) }

// act is the state after steps that are combined into one value.
func (m *merger) act(state, steps []uint64) []uint64 {
	l := m.a.Lift
	if l == nil {
		return m.combine(state, steps)
	}
	return ir.EvalAll(l.Apply, &ir.Env{Var: func(v ir.Expr) uint64 {
		for i, p := range l.Params {
			if v == p {
				return steps[i]
			}
		}
		if v.Kind() == ir.State {
			return state[v.Index()]
		}
		return m.leaves[v.Name()]
	}})
}

// mergeStage runs an answer that has an operator or a lift, and compares with the serial loop: the last state, and of a scan
// all of them.
func mergeStage(a *rfactor.Answer, d *data, serial [][]uint64, scan bool) *Merge {
	m := &merger{a: a, types: a.Operator.Types, exprs: a.Operator.Exprs, leaves: d.steps[0]}
	if written, ok := a.AsWritten(); ok && a.Lift == nil {
		m.exprs = written
	}
	out := &Merge{Serial: tuples(a.Types, serial), Lifted: a.Lift != nil, Levels: m.tree(a, d)}
	root := out.Levels[len(out.Levels)-1][0]
	end := m.act(d.start, root.values)
	term := tupleText(a.Types, d.start) + " ⊕ " + root.Value
	if a.Lift != nil {
		term = root.Value + " applied to " + tupleText(a.Types, d.start)
	}
	out.Last = &Span{Steps: len(d.steps), Value: tupleText(a.Types, end), Term: term}
	out.Equal = equalValues(a.Types, end, serial[len(serial)-1])
	if scan && len(out.Levels) > 1 {
		out.Equal = m.scan(out, d, serial) && out.Equal
	}
	if !out.Equal {
		out.Why = whyUnequal(a, d)
	}
	return out
}

// tree combines steps by pairs until one value is left.
func (m *merger) tree(a *rfactor.Answer, d *data) [][]Span {
	var level []Span
	for _, step := range d.steps {
		v := evaluate(a.Inject, nil, nil, step)
		level = append(level, Span{Steps: 1, Value: tupleText(m.types, v), values: v})
	}
	levels := [][]Span{level}
	for len(level) > 1 {
		var next []Span
		for i := 0; i+1 < len(level); i += 2 {
			l, r := level[i], level[i+1]
			v := m.combine(l.values, r.values)
			next = append(next, Span{Steps: l.Steps + r.Steps, Value: tupleText(m.types, v), Term: l.Value + " ⊕ " + r.Value, values: v})
		}
		if len(level)%2 == 1 {
			last := level[len(level)-1]
			last.Term = ""
			next = append(next, last)
		}
		level = next
		levels = append(levels, level)
	}
	return levels
}

// scan adds slices to a merge: what the first two levels of the tree are made of, each slice starting from the total of those
// before. It reports whether all states are those of the serial loop.
func (m *merger) scan(out *Merge, d *data, serial [][]uint64) bool {
	equal, state, at := true, d.start, 0
	for _, total := range out.Levels[min(2, len(out.Levels)-1)] {
		s := Slice{From: tupleText(m.a.Types, state)}
		own := state
		for range total.Steps {
			own = evaluate(m.a.Update, own, nil, d.steps[at])
			at++
			s.States = append(s.States, tupleText(m.a.Types, own))
			equal = equal && equalValues(m.a.Types, own, serial[at])
		}
		out.Slices = append(out.Slices, s)
		state = m.act(state, total.values)
	}
	return equal
}

// whyUnequal says which of the answer's conditions the data do not have.
func whyUnequal(a *rfactor.Answer, d *data) string {
	if why := d.breach(a); why != "" {
		return why
	}
	if a.Assumes&ir.Reassoc != 0 {
		return "they differ by rounding, which the answer assumes does not matter: reassoc"
	}
	if a.Assumes == 0 {
		return "they differ, which no numbers should give: please report this"
	}
	return fmt.Sprintf("these numbers do not have what the answer assumes: %s", strings.Join(a.Assumes.Names(), ", "))
}
