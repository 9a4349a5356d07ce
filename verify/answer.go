package verify

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Check reads an answer and re-establishes what it says: nil means that it is true. The record is nil where the line is none. A refusal
// without a counterexample says nothing, and has no error.
//
// Not checked, because they are no claims about the update, or claims that only a search settles:
// the name, the leaves' texts, via, code, reason, hint, remarks and micros.
func Check(line []byte) (*Record, error) {
	r, err := Read(line)
	if err != nil {
		return nil, err
	}
	fuel := maxWork
	return r, r.check(&fuel)
}

// check takes the elementary steps of proofs from fuel.
func (r *Record) check(fuel *int) error {
	switch {
	case r.Status == Failed:
		return errors.New("the update could not be read, so that nothing is said of it")
	case r.Status == Refused && (r.Operator != nil || r.Inject != nil || r.Apply != nil || r.Proof != nil):
		return errors.New("a refusal has no operator")
	case r.Status == Refused && (r.Groups != nil || r.Stages != nil || r.Passes != 0 || r.Cost != nil || r.Least != "" || r.ParameterTypes != nil || r.Initial != nil || len(r.Assumes) > 0):
		return errors.New("a refusal has no groups, costs, initial values or assumptions")
	case r.Status == Refused:
	case r.Counterexample != nil || r.Refutes != nil || r.Nearest != nil || r.Code != "" || r.Hint != nil && r.Status != Staged:
		return errors.New("an answer has no counterexample, code or hint")
	case r.Status == Staged:
	case r.Stages != nil || r.Passes != 0:
		return errors.New("an answer in one pass has no stages")
	case r.Operator == nil || r.Proof == nil || r.Proof.Certificate == nil:
		return errors.New("no certificate: ask for one with -proof")
	}
	v, err := newVerifier(r, fuel)
	if err != nil {
		return err
	}
	switch r.Status {
	case Refused:
		return v.refusal()
	case Lifted:
		return v.lift()
	case Staged:
		return v.staged()
	}
	return v.tuple()
}

// verifier holds the parsed expressions of a record, all in one pool.
type verifier struct {
	record  *Record
	cert    *Certificate // nil of a refusal
	pool    *ir.Pool
	types   []ir.Type // of the state
	x, y    []ir.Expr // operands of these types
	leaves  map[string]ir.Expr
	nonNeg  map[string]ir.Expr // of some leaves: that they are not negative
	update  []ir.Expr
	vars    []ir.Expr // inputs that stand for …
	terms   []ir.Expr // … terms of the leaves, as an instance of any value
	given   []ir.Expr
	assumes ir.Assume

	used ir.Assume // by the proofs checked so far
	fuel *int      // elementary steps that proofs may still take
}

// maxParts bounds the leaves, the groups and the lemmas of an answer.
const maxParts = 1 << 12

func newVerifier(r *Record, fuel *int) (*verifier, error) {
	v := &verifier{record: r, fuel: fuel, pool: ir.NewPool(), leaves: map[string]ir.Expr{}, nonNeg: map[string]ir.Expr{}}
	if r.Proof != nil {
		v.cert = r.Proof.Certificate
	}
	var err error
	if v.types, err = readTypes(r.Types); err != nil {
		return nil, err
	}
	v.x, v.y = v.pool.Operands(v.types)
	if err = v.readLeaves(r.Leaves); err != nil {
		return nil, err
	}
	if v.assumes, err = readNames(r.Assumes); err != nil {
		return nil, err
	}
	scope := names{x: v.x, leaves: true}
	if v.update, err = v.read("update", r.Update, v.types, scope); err != nil {
		return nil, err
	}
	if v.given, err = v.read("given", r.Given, slices.Repeat([]ir.Type{ir.Bool}, len(r.Given)), scope); err != nil || v.cert == nil || v.cert.Terms == nil {
		return v, err
	}
	return v, v.readTerms(scope)
}

// readTerms reads the update of the certificate, which is the record's once terms are in the places of their inputs. Its proofs hold of any
// values of these, and so of the terms.
func (v *verifier) readTerms(scope names) error {
	raw, leaves := v.update, maps.Clone(v.leaves)
	if v.record.Least != "" || v.record.NoOperator != nil {
		return errors.New("that nothing less will do is not shown of terms")
	}
	if err := v.readLeaves(v.cert.Terms); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(v.cert.Terms)) {
		e := v.leaves[name]
		term, err := v.read("term", []string{v.cert.Terms[name].Text}, []ir.Type{e.Type()}, scope)
		if _, taken := leaves[name]; err != nil || taken || e.Kind() != ir.Leaf || v.nonNeg[name].IsValid() {
			return errors.Join(err, fmt.Errorf("%s is no input for a term", name))
		}
		v.vars, v.terms = append(v.vars, e), append(v.terms, term[0])
	}
	var err error
	if v.update, err = v.read("update", v.cert.Update, v.types, scope); err == nil && !slices.Equal(v.replace(v.update, v.vars, v.terms), raw) {
		err = errors.New("update: with terms it is not the answer's")
	}
	return err
}

// readNames reads a list of assumptions, each by its own name, once, and in the order of ir.
func readNames(list []string) (ir.Assume, error) {
	a, err := ir.ParseAssume(strings.Join(list, ","))
	if err == nil && !slices.Equal(a.Names(), list) && len(list) > 0 {
		err = fmt.Errorf("the assumptions %q are written as %q", list, a.Names())
	}
	return a, err
}

// readTypes reads the types of a tuple.
func readTypes(names []string) ([]ir.Type, error) {
	if len(names) == 0 || len(names) > ir.MaxState {
		return nil, fmt.Errorf("%d components", len(names))
	}
	out := make([]ir.Type, len(names))
	for i, name := range names {
		if out[i] = ir.ParseType(name); out[i] == ir.Invalid {
			return nil, fmt.Errorf("there is no type %q", name)
		}
	}
	return out, nil
}

// readLeaves declares the variables of the update. Their roles are in their names.
func (v *verifier) readLeaves(leaves map[string]Leaf) error {
	if len(leaves) > maxParts {
		return fmt.Errorf("%d leaves", len(leaves))
	}
	for _, name := range slices.Sorted(maps.Keys(leaves)) {
		l := leaves[name]
		t := ir.ParseType(l.Type)
		role, index := roleOf(name)
		switch {
		case t == ir.Invalid:
			return fmt.Errorf("leaf %s has no type %q", name, l.Type)
		case !ir.IsName(name) || strings.IndexByte("xpqz", role) >= 0:
			return fmt.Errorf("a leaf is called %s", name)
		case role == 'k':
			v.leaves[name] = v.pool.K(index, t)
		case role == 'y':
			v.leaves[name] = v.pool.Y(index, t)
		default:
			v.leaves[name] = v.pool.R(name, t)
		}
		switch {
		case l.NonNeg && !t.IsInt():
			return fmt.Errorf("leaf %s is %s, and said not to be negative", name, t)
		case l.NonNeg:
			v.nonNeg[name] = ir.LeOf(v.pool.Int(t, 0), v.leaves[name])
		}
	}
	return nil
}

// roleOf returns the letter and the number of a name like y12, and zeros for other names.
func roleOf(name string) (letter byte, index int) {
	if len(name) < 2 {
		return 0, 0
	}
	n, err := strconv.ParseUint(name[1:], 10, 16)
	if err != nil || strconv.FormatUint(n, 10) != name[1:] {
		return 0, 0
	}
	return name[0], int(n)
}

// names are the variables of an expression: the components of tuples as x_i, y_i, p_i and q_i,
// and the constants k_i of the update; all of its leaves where leaves is set.
type names struct {
	x, y, p, q []ir.Expr
	leaves     bool
}

// read reads one expression for each type. An error begins with what is read.
func (v *verifier) read(what string, texts []string, types []ir.Type, scope names) ([]ir.Expr, error) {
	if len(texts) != len(types) {
		return nil, fmt.Errorf("%s: %d expressions for %d components", what, len(texts), len(types))
	}
	variable := func(name string) (ir.Expr, bool) {
		role, i := roleOf(name)
		switch {
		case role == 'x' && i < len(scope.x):
			return scope.x[i], true
		case role == 'y' && i < len(scope.y):
			return scope.y[i], true
		case role == 'p' && i < len(scope.p):
			return scope.p[i], true
		case role == 'q' && i < len(scope.q):
			return scope.q[i], true
		}
		e, ok := v.leaves[name]
		return e, ok && (scope.leaves || e.Kind() == ir.Param)
	}
	out := make([]ir.Expr, len(texts))
	for i, text := range texts {
		e, err := ir.Read(v.pool, variable, types[i], text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		out[i] = e
	}
	return out, nil
}

// readAssumes reads the assumptions of a proof, which the answer must make, and counts them as used.
func (v *verifier) readAssumes(names []string) (ir.Assume, error) {
	a, err := readNames(names)
	if err == nil && !v.assumes.Has(a) {
		err = fmt.Errorf("it assumes %s, which the answer does not", a)
	}
	v.used |= a
	return a, err
}

// replace puts to[i] in the place of from[i] in expressions, for all i at once.
func (v *verifier) replace(es, from, to []ir.Expr) []ir.Expr {
	by := map[ir.Expr]ir.Expr{}
	for i, e := range from {
		by[e] = to[i]
	}
	return v.pool.Map(es, func(e ir.Expr) ir.Expr { return by[e] })
}

// claim is a field of the record, and what the certificate shows of it.
type claim struct {
	field         string
	stated, shown any
}

// compare returns an error for the first field that is not what was shown.
func compare(claims ...claim) error {
	for _, c := range claims {
		if !reflect.DeepEqual(c.stated, c.shown) {
			return fmt.Errorf("%s: %v, but by the proofs it is %v", c.field, c.stated, c.shown)
		}
	}
	return nil
}

// totals compares what the record says of the whole proof with what was checked.
func (v *verifier) totals() error {
	return compare(claim{"assumes", v.assumes, v.used}, claim{"steps", v.record.Proof.Steps, v.cert.Steps()})
}
