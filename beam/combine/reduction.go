package combine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// DefaultFragments is how many ranges an accumulator of an ordered reduction holds at most, unless the
// Reduction says otherwise.
const DefaultFragments = 4096

// Reduction says what a pipeline computes. It is plain data that travels with the pipeline as JSON. Values are
// carried as package ir says.
type Reduction struct {
	Answer    string            // a line of JSON of an associative or lifted answer, with its certificate
	Initial   []uint64          `json:",omitempty"` // the state before the first element; nil for an associative answer without one
	Constants map[string]uint64 `json:",omitempty"` // k0, k1, … of the update

	// Ordered says that rows and partial results have indices, and that they are combined in their order. Operators
	// that do not commute need it.
	Ordered bool `json:",omitempty"`
	// Elements is how many elements there are. 0 stands for a number that is not known: then elements that are
	// missing at the end are not noticed.
	Elements int64 `json:",omitempty"`
	// Sparse says that indices may have gaps, as those of one key's or one window's elements have. Ranges between which there is a
	// gap are combined at the end.
	Sparse bool `json:",omitempty"`
	// Fragments is how many ranges an accumulator may hold; 0 stands for DefaultFragments.
	Fragments int `json:",omitempty"`
}

// New makes the Reduction of an answer. A nil initial says that there is no initial value; a lifted answer needs one.
// It is an error where the answer is refused or staged, where its certificate does not hold, and where a constant has no value.
// The reduction is Ordered where the operator does not commute and ordered says that rows have indices; without
// that such an operator is an error.
func New(a *rfactor.Answer, initial []uint64, constants map[string]uint64, ordered bool) (*Reduction, error) {
	if a.Status != rfactor.Associative && a.Status != rfactor.Lifted {
		return nil, fmt.Errorf("combine: the answer is %s: %s", a.Status, a.Reason)
	}
	line, err := a.JSON(true)
	if err != nil {
		return nil, fmt.Errorf("combine: %w", err)
	}
	line, err = withoutTime(line)
	if err != nil {
		return nil, fmt.Errorf("combine: %w", err)
	}
	r := &Reduction{Answer: string(line), Initial: initial, Constants: constants}
	r.Ordered = ordered && !a.Operator.Commutative
	if _, err := r.compile(); err != nil {
		return nil, err
	}
	return r, nil
}

// withoutTime removes how long the match took, so that equal answers are equal texts.
func withoutTime(line []byte) ([]byte, error) {
	record, err := verify.Read(line)
	if err != nil {
		return nil, err
	}
	record.Micros = 0
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err = enc.Encode(record)
	return bytes.TrimSpace(out.Bytes()), err
}

// machine computes what a Reduction says. It serves one goroutine at a time.
type machine struct {
	id        uint32 // of the reduction: accumulators of others are not merged
	record    *verify.Record
	leaves    []Leaf
	types     []ir.Type // of the components of an accumulator
	states    []ir.Type // of the result
	commutes  bool
	ordered   bool
	sparse    bool
	elements  int64
	fragments int
	identity  []uint64 // where there is a two-sided one
	initial   []uint64
	lifted    bool

	inject, merge, apply *code
	conditions           *code // of inputs
	held                 []uint64
	pool                 *ir.Pool
	injected, merged     []ir.Expr // for kernels
	operands             []uint64  // of one merge
	row                  []uint64  // the operand of one row
}

// Leaf is an input of a step: a column of the rows.
type Leaf struct {
	Name   string
	Type   ir.Type
	Text   string // what it stands for in the source
	NonNeg bool   // a coordinate that is never negative
}

// compile checks the certificate, and makes code of the record alone.
func (r *Reduction) compile() (*machine, error) {
	record, err := verify.Check([]byte(r.Answer))
	if err != nil {
		return nil, fmt.Errorf("combine: the certificate does not hold: %w", err)
	}
	if record.Status != verify.Associative && record.Status != verify.Lifted {
		return nil, fmt.Errorf("combine: a %s answer has no operator", record.Status)
	}
	m := &machine{record: record, lifted: record.Status == verify.Lifted,
		commutes: record.Operator.Commutative, ordered: r.Ordered, sparse: r.Sparse,
		elements: r.Elements, fragments: r.Fragments, initial: r.Initial, pool: ir.NewPool()}
	if m.fragments == 0 {
		m.fragments = DefaultFragments
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %v %v %v", r.Answer, r.Constants, r.Initial, r.Ordered)
	m.id = h.Sum32()
	if !m.commutes && !m.ordered {
		return nil, fmt.Errorf("combine: the operator %s does not commute, and Beam merges in any order; "+
			"rows with indices and an Ordered reduction keep the order", strings.Join(record.Operator.Exprs, "; "))
	}
	if err := m.readLeaves(r.Constants); err != nil {
		return nil, err
	}
	if err := m.readOperator(r.Constants); err != nil {
		return nil, err
	}
	return m, m.checkInitial(r.Constants)
}

// readLeaves lists the leaves in the order of their columns: y0, y1, …, and then coordinates by their names.
func (m *machine) readLeaves(constants map[string]uint64) error {
	for _, name := range slices.Sorted(maps.Keys(m.record.Leaves)) {
		l := m.record.Leaves[name]
		t := ir.ParseType(l.Type)
		if kindOf(name) != ir.Param {
			m.leaves = append(m.leaves, Leaf{name, t, l.Text, l.NonNeg})
			continue
		}
		v, ok := constants[name]
		if !ok {
			return fmt.Errorf("combine: the constant %s, which is %s, has no value", name, l.Text)
		}
		if t.Wrap(v) != v {
			return fmt.Errorf("combine: the constant %s is %s, and %#x is none", name, t, v)
		}
	}
	slices.SortStableFunc(m.leaves, func(a, b Leaf) int {
		if y, z := kindOf(a.Name) == ir.Leaf, kindOf(b.Name) == ir.Leaf; y != z {
			if y {
				return -1
			}
			return 1
		} else if y && len(a.Name) != len(b.Name) {
			return len(a.Name) - len(b.Name)
		}
		return strings.Compare(a.Name, b.Name)
	})
	for name := range constants {
		if _, ok := m.record.Leaves[name]; !ok || kindOf(name) != ir.Param {
			return fmt.Errorf("combine: the update has no constant %s", name)
		}
	}
	return nil
}

// kindOf tells what a name of a record stands for: y0 an input, k0 a constant, x0 the state, others coordinates.
func kindOf(name string) ir.VarKind {
	if len(name) > 1 && strings.Trim(name[1:], "0123456789") == "" {
		switch name[0] {
		case 'x':
			return ir.State
		case 'y':
			return ir.Leaf
		case 'k':
			return ir.Param
		}
	}
	return ir.Coord
}

// scope has the variables of a text of the record.
type scope map[string]ir.Expr

func (s scope) get(name string) (ir.Expr, bool) {
	e, ok := s[name]
	return e, ok
}

func parseTypes(names []string) []ir.Type {
	out := make([]ir.Type, len(names))
	for i, n := range names {
		out[i] = ir.ParseType(n)
	}
	return out
}

// readOperator makes code of the texts of the record. An answer under nsw is a theorem over the unbounded integers, and
// partial results may be greater than what the serial loop computes. They are computed in i64 where the texts allow that;
// in any case an operation that overflows is an error.
func (m *machine) readOperator(constants map[string]uint64) error {
	rec := m.record
	m.states = parseTypes(rec.Types)
	m.types = parseTypes(rec.Operator.Types)
	assumes, err := assumptions(rec.Assumes)
	if err != nil {
		return err
	}
	over := assumes & (ir.NSW | ir.NUW)
	wide := over == ir.NSW && m.widens()
	widen := func(t ir.Type) ir.Type {
		if wide && t.IsInt() {
			return ir.I64
		}
		return t
	}
	checked := assumes & (ir.NSW | ir.NUW | ir.NNaN | ir.NInf)
	leaves := scope{}
	for _, l := range m.leaves {
		kind := kindOf(l.Name)
		index := 0
		if kind == ir.Leaf {
			fmt.Sscan(l.Name[1:], &index)
		}
		leaves[l.Name] = cast(widen(l.Type), m.pool.Var(kind, l.Name, index, l.Type))
	}
	for name, v := range constants {
		t := ir.ParseType(rec.Leaves[name].Type)
		leaves[name] = cast(widen(t), m.pool.Const(t, v))
	}
	accTypes := make([]ir.Type, len(m.types))
	operands := maps.Clone(leaves)
	for i, t := range m.types {
		accTypes[i] = widen(t)
		operands[fmt.Sprintf("x%d", i)] = m.pool.X(i, widen(t))
		operands[fmt.Sprintf("y%d", i)] = m.pool.Var(ir.Coord, fmt.Sprintf("rhs_%d", i), 0, widen(t))
	}
	m.types = accTypes
	if m.injected, err = m.read(leaves, accTypes, rec.Inject); err != nil {
		return err
	}
	if m.merged, err = m.read(operands, accTypes, rec.Operator.Exprs); err != nil {
		return err
	}
	columns := make([]ir.Expr, len(m.leaves))
	for i, l := range m.leaves {
		columns[i] = ir.Vars(leaves[l.Name])[0]
	}
	both := make([]ir.Expr, 0, 2*len(accTypes))
	for _, side := range []string{"x", "y"} {
		for i := range accTypes {
			both = append(both, operands[fmt.Sprint(side, i)])
		}
	}
	if m.inject, err = newCode(m.injected, columns, checked); err != nil {
		return err
	}
	if m.merge, err = newCode(m.merged, both, checked); err != nil {
		return err
	}
	if rec.Operator.IdentitySide == "two" && over == 0 {
		id, err := m.read(leaves, accTypes, rec.Operator.Identity)
		if err != nil {
			return err
		}
		ids, err := newCode(id, nil, 0)
		if err != nil {
			return err
		}
		m.identity = make([]uint64, len(id))
		if err := ids.run(nil, m.identity); err != nil {
			return err
		}
	}
	if m.lifted {
		states := maps.Clone(leaves)
		var in []ir.Expr
		for i, t := range m.states {
			v := m.pool.Var(ir.State, fmt.Sprintf("x%d", i), i, t)
			in = append(in, v)
			states[fmt.Sprintf("x%d", i)] = cast(widen(t), v)
		}
		for i, t := range accTypes {
			v := m.pool.Var(ir.Coord, fmt.Sprintf("param_%d", i), 0, t)
			in = append(in, v)
			states[fmt.Sprintf("p%d", i)] = v
		}
		want := make([]ir.Type, len(m.states))
		for i, t := range m.states {
			want[i] = widen(t)
		}
		apply, err := m.read(states, want, rec.Apply)
		if err != nil {
			return err
		}
		if m.apply, err = newCode(apply, in, checked); err != nil {
			return err
		}
	}
	m.operands = make([]uint64, 2*len(m.types))
	m.row = make([]uint64, len(m.types))
	return m.readConditions(leaves)
}
