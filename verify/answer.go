package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Check reads an answer and re-establishes what it says: nil means that it is true. The
// record is nil where the line is none. A refusal without a counterexample says nothing, and
// has no error.
//
// Not checked, because they are no claims about the update: the name, the leaves' texts, via,
// reason and micros.
func Check(line []byte) (*Record, error) {
	r, err := Read(line)
	if err != nil {
		return nil, err
	}
	return r, r.check()
}

func (r *Record) check() error {
	switch r.Status {
	case Failed:
		return errors.New("the update could not be read, so that nothing is said of it")
	case Refused:
		if r.Operator != nil || r.Inject != nil || r.Apply != nil || r.Proof != nil {
			return errors.New("a refusal has no operator")
		}
		if r.Groups != nil || r.Cost != nil || r.ParameterTypes != nil || len(r.Assumes) > 0 {
			return errors.New("a refusal has no groups, costs or assumptions")
		}
		return r.checkRefusal()
	case Associative, Lifted:
		if r.Counterexample != nil || r.Refutes != nil || r.Nearest != nil {
			return errors.New("an answer has no counterexample")
		}
	}
	if r.Operator == nil || r.Proof == nil || r.Proof.Certificate == nil {
		return errNoCertificate
	}
	v, err := newVerifier(r)
	if err != nil {
		return err
	}
	if r.Status == Lifted {
		return v.lift()
	}
	return v.tuple()
}

// verifier holds the parsed expressions of a record, all in one pool.
type verifier struct {
	record  *Record
	cert    *Certificate
	pool    *ir.Pool
	types   []ir.Type          // of the state
	vars    map[string]ir.Expr // of the update
	nonNeg  []ir.Expr          // those that are said not to be negative, by name
	update  []ir.Expr
	inject  []ir.Expr
	exprs   []ir.Expr // of the operator
	given   []ir.Expr
	assumes ir.Assume

	operands []ir.Type // of the operator: those of the state, or of a lift's parameters
	used     ir.Assume // by the proofs checked so far
	steps    int       // their size, as far as Proof.Steps counts it
}

func newVerifier(r *Record) (*verifier, error) {
	v := &verifier{record: r, pool: ir.NewPool(), vars: map[string]ir.Expr{}}
	if r.Proof != nil {
		v.cert = r.Proof.Certificate
	}
	var err error
	if v.types, err = readTypes(r.Types); err != nil {
		return nil, err
	}
	if len(v.types) == 0 || len(v.types) > ir.MaxState {
		return nil, fmt.Errorf("%d components", len(v.types))
	}
	for i, t := range v.types {
		v.vars[fmt.Sprintf("x%d", i)] = v.pool.X(i, t)
	}
	if err := v.readLeaves(); err != nil {
		return nil, err
	}
	if v.assumes, err = ir.ParseAssume(strings.Join(r.Assumes, ",")); err != nil {
		return nil, err
	}
	if v.update, err = v.read(r.Update, v.types, v.variable); err != nil {
		return nil, fmt.Errorf("update: %w", err)
	}
	if v.given, err = v.read(r.Given, slices.Repeat([]ir.Type{ir.Bool}, len(r.Given)), v.variable); err != nil {
		return nil, fmt.Errorf("given: %w", err)
	}
	if r.Operator == nil {
		return v, nil
	}
	if v.operands, err = readTypes(r.Operator.Types); err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	if r.Status == Associative && !slices.Equal(v.types, v.operands) {
		return nil, errors.New("the operator's types are not those of the update")
	}
	if v.inject, err = v.readInject(r.Inject, v.operands); err != nil {
		return nil, err
	}
	if v.exprs, err = v.read(r.Operator.Exprs, v.operands, v.operand(v.operands)); err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	return v, nil
}

func readTypes(names []string) ([]ir.Type, error) {
	out := make([]ir.Type, len(names))
	for i, name := range names {
		if out[i] = ir.ParseType(name); out[i] == ir.Invalid {
			return nil, fmt.Errorf("there is no type %q", name)
		}
	}
	return out, nil
}

// readLeaves declares the variables of the update. Their roles are in their names.
func (v *verifier) readLeaves() error {
	for _, name := range sortedNames(v.record.Leaves) {
		l := v.record.Leaves[name]
		t := ir.ParseType(l.Type)
		role, index := roleOf(name)
		switch {
		case t == ir.Invalid:
			return fmt.Errorf("leaf %s has no type %q", name, l.Type)
		case role == 'x' || role == 'p' || role == 'q' || role == 'z':
			return fmt.Errorf("a leaf is called %s", name)
		case role == 'k':
			v.vars[name] = v.pool.K(index, t)
		case role == 'y':
			v.vars[name] = v.pool.Y(index, t)
		default:
			v.vars[name] = v.pool.R(name, t)
		}
		if l.NonNeg {
			if !t.IsInt() {
				return fmt.Errorf("leaf %s is %s, and said not to be negative", name, t)
			}
			v.nonNeg = append(v.nonNeg, v.vars[name])
		}
	}
	return nil
}

func sortedNames(leaves map[string]Leaf) []string {
	var names []string
	for name := range leaves {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// maxIndex bounds the numbers of variables.
const maxIndex = 1 << 16

// roleOf returns the letter and the number of a name like y12; 0 for other names.
func roleOf(name string) (letter byte, index int) {
	if len(name) < 2 || name[1] == '0' && len(name) > 2 {
		return 0, 0
	}
	for _, digit := range []byte(name[1:]) {
		if digit < '0' || digit > '9' || index > maxIndex {
			return 0, 0
		}
		index = 10*index + int(digit-'0')
	}
	return name[0], index
}

// variable is a scope: the variables of the update.
func (v *verifier) variable(name string) (ir.Expr, bool) {
	e, ok := v.vars[name]
	return e, ok
}

// operand returns the scope of operators: x_i and y_i of the given types, and the update's
// constants.
func (v *verifier) operand(types []ir.Type) func(name string) (ir.Expr, bool) {
	return func(name string) (ir.Expr, bool) {
		if role, i := roleOf(name); i < len(types) {
			switch role {
			case 'x':
				return v.pool.X(i, types[i]), true
			case 'y':
				return v.pool.Y(i, types[i]), true
			}
		}
		e, ok := v.vars[name]
		return e, ok && e.Kind() == ir.Param
	}
}

// read reads one expression for each type.
func (v *verifier) read(texts []string, types []ir.Type, scope func(string) (ir.Expr, bool)) ([]ir.Expr, error) {
	if len(texts) != len(types) {
		return nil, fmt.Errorf("%d expressions for %d components", len(texts), len(types))
	}
	out := make([]ir.Expr, len(texts))
	for i, text := range texts {
		e, err := ir.Read(v.pool, scope, types[i], text)
		if err != nil {
			return nil, err
		}
		out[i] = e
	}
	return out, nil
}

// readInject reads expressions over the leaves. Those that mention the state would make
// x ⊕ y = y answer every update.
func (v *verifier) readInject(texts []string, types []ir.Type) ([]ir.Expr, error) {
	es, err := v.read(texts, types, v.variable)
	if err != nil {
		return nil, fmt.Errorf("inject: %w", err)
	}
	for _, e := range es {
		if !e.IsLeaf() {
			return nil, fmt.Errorf("inject %s depends on the state", e)
		}
	}
	return es, nil
}

// readAssumes reads the assumptions of a proof, which the answer must make, and counts them
// as used.
func (v *verifier) readAssumes(names []string) (ir.Assume, error) {
	a, err := ir.ParseAssume(strings.Join(names, ","))
	if err == nil && !v.assumes.Has(a) {
		err = fmt.Errorf("it assumes %s, which the answer does not", a)
	}
	v.used |= a
	return a, err
}

// tuple checks an answer with an operator on the state.
func (v *verifier) tuple() error {
	r := v.record
	if r.Apply != nil || r.ParameterTypes != nil || r.Cost != nil || v.cert.Lift != nil {
		return errors.New("an operator on the state has no parameters of steps")
	}
	if err := v.initial(); err != nil {
		return fmt.Errorf("initial: %w", err)
	}
	m := merged{side: proof.Two, commutative: true, idempotent: true, first: make([]*group, len(v.types))}
	usesGiven := false
	for n := range v.cert.Groups {
		g, err := v.group(&v.cert.Groups[n])
		if err == nil {
			err = v.merge(&m, n, g)
		}
		if err != nil {
			return fmt.Errorf("group %d: %w", n, err)
		}
		usesGiven = usesGiven || g.cert.Given
	}
	if !usesGiven && len(v.given) > 0 {
		return errors.New("conditions are given that no proof uses")
	}
	if err := v.claims(&m); err != nil {
		return err
	}
	return v.totals()
}

// merged is what the groups together say of the tuple.
type merged struct {
	side                    proof.Side
	commutative, idempotent bool
	first                   []*group // that has a component
	overlaps                int
}

// merge adds a group, which must agree with earlier ones about the components they share.
func (v *verifier) merge(m *merged, n int, g *group) error {
	differ := false
	for j, i := range g.cert.Components {
		f := m.first[i]
		if f == nil {
			m.first[i] = g
			continue
		}
		m.overlaps++
		if err := v.overlap(n, i, f, g); err != nil {
			return err
		}
		differ = differ || f.side != proof.NoSide && g.side != proof.NoSide && f.identityOf(i) != g.identity[j]
	}
	m.side = joinSides(m.side, g.side)
	if differ {
		m.side = proof.NoSide // the parts of the tuple would be identities of different groups
	}
	m.commutative, m.idempotent = m.commutative && g.cert.Commutative, m.idempotent && g.cert.Idempotent
	return nil
}

// joinSides returns the side on which a tuple of identities is one. Left and right together
// are still middle.
func joinSides(a, b proof.Side) proof.Side {
	switch {
	case a == b || b == proof.Two:
		return a
	case a == proof.Two:
		return b
	case a == proof.NoSide || b == proof.NoSide:
		return proof.NoSide
	}
	return proof.Middle
}

// claims compares what the record says of the tuple with what its groups say.
func (v *verifier) claims(m *merged) error {
	op := v.record.Operator
	var identity []ir.Expr
	for i, g := range m.first {
		if g == nil {
			return fmt.Errorf("no group has component %d", i)
		}
		j := slices.Index(g.cert.Components, i)
		if e := wholeNumbers(v.pool, g.cert.Components, g.Exprs[j]); e != v.exprs[i] {
			return fmt.Errorf("the operator's component %d is not its group's, %s", i, e)
		}
		if g.inject[j] != v.inject[i] {
			return fmt.Errorf("inject %d is not its group's, %s", i, g.inject[j])
		}
		if m.side != proof.NoSide {
			identity = append(identity, g.identity[j])
		}
	}
	switch {
	case op.IdentitySide != m.side.String():
		return fmt.Errorf("identity_side: %q, but by the groups it is %q", op.IdentitySide, m.side)
	case op.Commutative != m.commutative:
		return fmt.Errorf("commutative: %t, but by the groups it is %t", op.Commutative, m.commutative)
	case op.Idempotent != m.idempotent:
		return fmt.Errorf("idempotent: %t, but by the groups it is %t", op.Idempotent, m.idempotent)
	case m.overlaps != len(v.cert.Overlaps):
		return fmt.Errorf("%d proofs that groups agree, for %d components that they share", len(v.cert.Overlaps), m.overlaps)
	}
	stated, err := v.read(op.Identity, v.operands[:min(len(op.Identity), len(v.operands))], v.operand(nil))
	if err != nil {
		return fmt.Errorf("identity: %w", err)
	}
	if !slices.Equal(stated, identity) {
		return errors.New("the identity is not that of the groups")
	}
	if !slices.EqualFunc(v.record.Groups, v.cert.Groups, func(set []int, g Group) bool { return slices.Equal(set, g.Components) }) {
		return errors.New("groups: they are not those of the certificate")
	}
	return nil
}

// totals compares what the record says of the whole proof with what was checked.
func (v *verifier) totals() error {
	if v.used != v.assumes {
		return fmt.Errorf("assumes %s, but the proofs use %s", v.assumes, v.used)
	}
	if v.record.Proof.Steps != v.steps {
		return fmt.Errorf("a proof of %d steps, not %d", v.steps, v.record.Proof.Steps)
	}
	return nil
}

// initial checks that the initial value has what is given. Without an initial value that is
// a promise.
func (v *verifier) initial() error {
	texts := v.record.Initial
	if len(texts) == 0 {
		if len(v.cert.Initial) > 0 {
			return errors.New("there is none, but proofs about it")
		}
		return nil
	}
	if len(texts) != len(v.types) || len(v.given) == 0 {
		return fmt.Errorf("%d values for %d components of which %d conditions are given", len(texts), len(v.types), len(v.given))
	}
	values := make([]ir.Expr, len(texts)) // the zero Expr where nothing is said
	for i, text := range texts {
		if text == "" {
			continue
		}
		e, err := ir.Read(v.pool, v.operand(nil), v.types[i], text)
		if err != nil {
			return err
		}
		values[i] = e
	}
	var ps []proof.Problem
	for _, c := range v.given {
		for i, e := range values {
			if c.States()>>i&1 != 0 && !e.IsValid() {
				return fmt.Errorf("nothing is said of component %d, which %s mentions", i, c)
			}
		}
		at := v.pool.Map([]ir.Expr{c}, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Var && e.Kind() == ir.State {
				return values[e.Index()]
			}
			return ir.Expr{}
		})[0]
		ps = append(ps, proof.Problem{Left: at, Right: v.pool.Bool(true)})
	}
	return checkAll(ps, 0, v.cert.Initial)
}
