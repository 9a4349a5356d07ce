package rfactor

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Verify replays the certificate of an answer, given as its line of JSON: nil means that
// what the line says of the update is true. It uses the texts of the line, the parser and
// the checkers of packages prove and canon; it searches for nothing. A refusal claims
// nothing and needs no certificate; Verify answers ErrNoClaim for it.
func Verify(line []byte) error {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	switch {
	case r.Schema != Schema:
		return fmt.Errorf("schema %d, not %d", r.Schema, Schema)
	case r.Status == Refused || r.Status == Failed:
		return ErrNoClaim
	case r.Status != Associative && r.Status != Lifted || r.Operator == nil:
		return fmt.Errorf("status %q without an operator", r.Status)
	case r.Proof == nil || r.Proof.Certificate == nil:
		return fmt.Errorf("no certificate: ask for one with -proof")
	}
	v, err := newVerifier(&r)
	if err != nil {
		return err
	}
	if r.Status == Lifted {
		return v.verifyLift()
	}
	return v.verify()
}

// ErrNoClaim says that an answer claims nothing that could be verified.
var ErrNoClaim = fmt.Errorf("the answer is a refusal, which claims nothing")

// verifier holds the parsed expressions of a record.
type verifier struct {
	record   *record
	cert     *Certificate
	pool     *ir.Pool
	types    []ir.Type
	operands []ir.Type          // of the operator: those of the state, or of a lift's parameters
	vars     map[string]ir.Expr // of the update
	update   []ir.Expr
	inject   []ir.Expr
	exprs    []ir.Expr
	given    []ir.Expr
	assumes  ir.Assume
}

func newVerifier(r *record) (*verifier, error) {
	v := &verifier{record: r, cert: r.Proof.Certificate, pool: ir.NewPool(), vars: map[string]ir.Expr{}}
	for i, name := range r.Types {
		t := program.ParseType(name)
		if t == ir.Invalid || i >= ir.MaxState {
			return nil, fmt.Errorf("component %d has no type %q", i, name)
		}
		v.types = append(v.types, t)
		v.vars[fmt.Sprintf("x%d", i)] = v.pool.X(i, t)
	}
	operands := v.types
	if r.Status == Lifted {
		operands = nil
		for i, name := range r.Operator.Types {
			t := program.ParseType(name)
			if t == ir.Invalid {
				return nil, fmt.Errorf("parameter %d has no type %q", i, name)
			}
			operands = append(operands, t)
		}
	} else if !slices.Equal(r.Types, r.Operator.Types) {
		return nil, fmt.Errorf("the operator's types are not those of the update")
	}
	v.operands = operands
	for name, l := range r.Leaves {
		t := program.ParseType(l.Type)
		if t == ir.Invalid || strings.HasPrefix(name, "x") {
			return nil, fmt.Errorf("leaf %s has no type %q", name, l.Type)
		}
		v.vars[name] = leafVar(v.pool, name, t)
	}
	var err error
	if v.assumes, err = ir.ParseAssume(strings.Join(r.Assumes, ",")); err != nil {
		return nil, err
	}
	if v.update, err = v.parse(r.Update, v.types, v.updateScope()); err != nil {
		return nil, err
	}
	if v.inject, err = v.parse(r.Inject, operands, v.updateScope()); err != nil {
		return nil, err
	}
	for _, e := range v.inject {
		if !e.IsLeaf() { // or x ⊕ y = y would answer every update
			return nil, fmt.Errorf("inject %s depends on the state", e)
		}
	}
	if v.given, err = v.parse(r.Given, slices.Repeat([]ir.Type{ir.Bool}, len(r.Given)), v.updateScope()); err != nil {
		return nil, err
	}
	v.exprs, err = v.parse(r.Operator.Exprs, operands, v.operatorScope(operands))
	return v, err
}

// leafVar is the variable of that name: k_i is invariant, y_i a leaf, others coordinates.
func leafVar(pool *ir.Pool, name string, t ir.Type) ir.Expr {
	index := 0
	if _, err := fmt.Sscanf(name[1:], "%d", &index); err == nil {
		switch name[0] {
		case 'k':
			return pool.K(index, t)
		case 'y':
			return pool.Y(index, t)
		}
	}
	return pool.R(name, t)
}

func (v *verifier) updateScope() program.Scope {
	return program.Scope{Var: func(name string) (ir.Expr, bool) {
		e, ok := v.vars[name]
		return e, ok
	}}
}

// groupScope has a group's states, and the update's other variables.
func (v *verifier) groupScope(states []ir.Expr) program.Scope {
	return program.Scope{Var: func(name string) (ir.Expr, bool) {
		if i := slices.IndexFunc(states, func(x ir.Expr) bool { return x.Name() == name }); i >= 0 {
			return states[i], true
		}
		e, ok := v.vars[name]
		return e, ok && e.Kind() != ir.State
	}}
}

// operatorScope has x_i and y_i of the given types, and the update's invariants.
func (v *verifier) operatorScope(types []ir.Type) program.Scope {
	return program.Scope{Var: func(name string) (ir.Expr, bool) {
		for i, t := range types {
			switch name {
			case fmt.Sprintf("x%d", i):
				return v.pool.X(i, t), true
			case fmt.Sprintf("y%d", i):
				return v.pool.Y(i, t), true
			}
		}
		e, ok := v.vars[name]
		return e, ok && e.Kind() == ir.Param
	}}
}

func (v *verifier) parse(texts []string, types []ir.Type, scope program.Scope) ([]ir.Expr, error) {
	if len(texts) != len(types) {
		return nil, fmt.Errorf("%d expressions for %d components", len(texts), len(types))
	}
	out := make([]ir.Expr, len(texts))
	for i, text := range texts {
		e, err := program.ParseExpr(v.pool, scope, types[i], text)
		if err != nil {
			return nil, err
		}
		out[i] = e
	}
	return out, nil
}

func (v *verifier) verify() error {
	if err := v.starts(); err != nil {
		return fmt.Errorf("the initial value has what is given: %w", err)
	}
	side, commutative, idempotent := proof.Two, true, true
	first := map[int]verifiedGroup{}
	for n, gc := range v.cert.Groups {
		g, err := v.group(gc)
		if err != nil {
			return fmt.Errorf("group %d: %w", n, err)
		}
		side = joinSides(side, g.side)
		commutative, idempotent = commutative && gc.Commutative, idempotent && gc.Idempotent
		for j, i := range gc.Components {
			f, seen := first[i]
			if !seen {
				first[i] = g
				err = v.component(i, j, g)
			} else {
				err = v.overlap(n, i, f, g)
			}
			if err != nil {
				return err
			}
		}
	}
	op := v.record.Operator
	switch {
	case len(first) != len(v.types):
		return fmt.Errorf("the groups cover %d of %d components", len(first), len(v.types))
	case op.IdentitySide != "none" && op.IdentitySide != side.String():
		return fmt.Errorf("the identity's side is %s by the groups, not %s", side, op.IdentitySide)
	case op.Commutative && !commutative || op.Idempotent && !idempotent:
		return fmt.Errorf("commutativity or idempotence is claimed of the tuple but not of its groups")
	}
	return nil
}

// verifiedGroup is a group whose own claims hold.
type verifiedGroup struct {
	components []int
	operator   proof.Operator
	identity   []ir.Expr
	inject     []ir.Expr
	side       proof.Side
	where      []ir.Expr // what is given of inputs
	world      ir.Assume // of overflow, those that all its proofs make
}

// component compares the tuple's expressions for component i with those of its group.
func (v *verifier) component(i, j int, g verifiedGroup) error {
	e := wholeNumbers(v.pool, g.components, g.operator.Exprs[j:j+1])[0]
	if e != v.exprs[i] || g.inject[j] != v.inject[i] {
		return fmt.Errorf("component %d differs from its group's", i)
	}
	if v.record.Operator.IdentitySide == "none" {
		return nil
	}
	if g.side == proof.NoSide {
		return fmt.Errorf("an identity is claimed, but the group of component %d has none", i)
	}
	if id := v.record.Operator.Identity; i >= len(id) || id[i] != g.identity[j].String() {
		return fmt.Errorf("the identity of component %d differs from its group's", i)
	}
	return nil
}

// overlap replays that group n agrees with the first group that has component i.
func (v *verifier) overlap(n, i int, f, g verifiedGroup) error {
	if v.record.Operator.IdentitySide != "none" && (f.side == proof.NoSide || g.side == proof.NoSide || identityOf(f, i) != identityOf(g, i)) {
		return fmt.Errorf("groups have different identities for component %d", i)
	}
	if f.world != g.world {
		return fmt.Errorf("groups that share component %d differ in what overflows", i)
	}
	for _, o := range v.cert.Overlaps {
		if o.Component != i || o.Group != n {
			continue
		}
		for _, inject := range []bool{false, true} {
			tree := o.Operator
			if inject {
				tree = o.Inject
			}
			if err := equation.Check(overlapProblem(v.pool, f.group(), g.group(), i, inject), wrapping(v.assumes)|g.world, tree); err != nil {
				return fmt.Errorf("groups disagree on component %d: %w", i, err)
			}
		}
		return nil
	}
	return fmt.Errorf("nothing shows that groups agree on component %d", i)
}

// identityOf is the identity of component i of the whole tuple by a group that has it.
func identityOf(g verifiedGroup, i int) ir.Expr { return g.identity[slices.Index(g.components, i)] }

func (g verifiedGroup) group() Group {
	return Group{Components: g.components, Operator: &prove.Proven{Claims: proof.Claims{Operator: g.operator}}, Inject: g.inject}
}

func (v *verifier) group(gc GroupCertificate) (verifiedGroup, error) {
	g := verifiedGroup{components: gc.Components}
	if len(gc.Components) == 0 {
		return g, errors.New("it has no components")
	}
	for j, i := range gc.Components {
		if i < 0 || i >= len(v.types) || j > 0 && i <= gc.Components[j-1] {
			return g, fmt.Errorf("components %v", gc.Components)
		}
	}
	operatorAssumes, err := v.parseAssumes(gc.OperatorAssumes)
	if err != nil {
		return g, err
	}
	g.world = operatorAssumes & overflow
	var types []ir.Type
	for _, i := range gc.Components {
		if v.update[i].States()&^maskOf(gc.Components) != 0 {
			return g, fmt.Errorf("component %d depends on others", i)
		}
		types = append(types, v.types[i])
	}
	g.operator.Types = types
	if g.operator.Exprs, err = v.parse(gc.Operator, types, v.operatorScope(types)); err != nil {
		return g, err
	}
	if g.inject, err = v.parse(gc.Inject, types, v.updateScope()); err != nil {
		return g, err
	}
	if gc.Given {
		g.operator.Given, g.where = restrictGiven(v.pool, v.given, gc.Components)
	}
	if err := v.properties(&g, gc, operatorAssumes); err != nil {
		return g, err
	}
	return g, v.equations(g, gc)
}

// parseAssumes reads assumptions of a group, which the answer must make too.
func (v *verifier) parseAssumes(names []string) (ir.Assume, error) {
	a, err := ir.ParseAssume(strings.Join(names, ","))
	if err == nil && !v.assumes.Has(a) {
		err = fmt.Errorf("assumes %s, which the answer does not", a)
	}
	return a, err
}

// properties replays what is claimed of the group's operator.
func (v *verifier) properties(g *verifiedGroup, gc GroupCertificate, assumes ir.Assume) error {
	for s := proof.NoSide; s <= proof.Two; s++ {
		if s.String() == gc.Side {
			g.side = s
		}
	}
	if g.side != proof.NoSide {
		var err error
		if g.identity, err = v.parse(gc.Identity, g.operator.Types, v.operatorScope(nil)); err != nil {
			return err
		}
	}
	claimed := proof.Claims{Operator: g.operator, Identity: g.identity, Side: g.side, Commutative: gc.Commutative, Idempotent: gc.Idempotent, Proofs: gc.Properties}
	for _, law := range claimed.Laws() {
		if err := checkAll(law.Problems, law.Assumes(assumes), law.Proofs); err != nil {
			return fmt.Errorf("%s: %w", law.Name, err)
		}
	}
	return nil
}

func checkAll(ps []proof.Problem, assume ir.Assume, trees []*proof.Tree) error {
	if len(ps) != len(trees) {
		return fmt.Errorf("%d proofs of %d equations", len(trees), len(ps))
	}
	for i, p := range ps {
		if err := equation.Check(p, assume, trees[i]); err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
	}
	return nil
}

// equations replays that the update restricted to the group is x ⊕ inject.
func (v *verifier) equations(g verifiedGroup, gc GroupCertificate) error {
	if len(gc.Update) != len(gc.Components) {
		return fmt.Errorf("%d proofs of %d equations", len(gc.Update), len(gc.Components))
	}
	p := v.part(gc.Components)
	var given []ir.Expr
	for _, name := range gc.NonNeg {
		if l, ok := v.record.Leaves[name]; !ok || !l.NonNeg {
			return fmt.Errorf("%s is not said to be non-negative", name)
		}
		given = append(given, ir.LeOf(v.pool.Int(v.vars[name].Type(), 0), v.vars[name]))
	}
	inputs := slices.Concat(g.where, given)
	if err := v.admits(g.operator.Holds(g.inject, inputs), gc.Admits, g.world); err != nil {
		return err
	}
	given = slices.Concat(g.operator.Given, inputs)
	values, words, err := v.simplified(p.values, gc.Lemmas, p.states, g.world)
	if err != nil {
		return err
	}
	if g.world.Has(ir.NUW) && belowZero(g.inject, values) {
		return errors.New("inject may be below zero")
	}
	right := g.operator.Apply(p.states, g.inject)
	for j, i := range gc.Components {
		equation := proof.Problem{Given: given, Left: values[j], Right: right[j]}
		world := g.world
		if words && wraps(gc.Update[j]) && addsNoOverflow(values, right[j:j+1], world) {
			world = 0
		}
		if err := v.inWorld(world, equation, gc.Update[j], p.states); err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
	}
	group := g.group()
	if group.Assumes = g.world; !group.standsBeside(p, v.assumes&overflow) {
		return errors.New("it overflows where the answer assumes that nothing does")
	}
	return nil
}

// part is components of the update by themselves.
func (v *verifier) part(components []int) *part {
	p := &part{}
	number := map[ir.Expr]ir.Expr{}
	for j, i := range components {
		t := v.types[i]
		p.types, p.states, p.values = append(p.types, t), append(p.states, v.pool.X(j, t)), append(p.values, v.update[i])
		number[v.pool.X(i, t)] = p.states[j]
	}
	p.values = v.pool.Map(p.values, func(e ir.Expr) ir.Expr { return number[e] })
	return p
}

// simplified replays lemmas, equations between terms over a group's states, in the world of what is
// proven of the group, and applies them. Words says whether nothing overflows in the result that does
// not in the values: then equations of words may still be used.
func (v *verifier) simplified(values []ir.Expr, records []LemmaRecord, states []ir.Expr, world ir.Assume) (_ []ir.Expr, words bool, err error) {
	words = true
	for n, r := range records {
		l, err := v.lemma(r, states)
		if err != nil {
			return nil, false, fmt.Errorf("lemma %d: %w", n, err)
		}
		switch l.Assumes & overflow {
		case world:
			words = world == 0
		case 0:
			if !words || !l.addsNoOverflow(values, world) {
				return nil, false, fmt.Errorf("lemma %d, of words, overflows where the update may not", n)
			}
		default:
			return nil, false, fmt.Errorf("lemma %d under %s is of another world", n, l.Assumes)
		}
		values = applyLemmas(v.pool, values, []Lemma{l})
	}
	return values, words, nil
}

func (v *verifier) lemma(r LemmaRecord, states []ir.Expr) (l Lemma, err error) {
	sides := [2]*ir.Expr{&l.From, &l.To}
	for i, text := range []string{r.From, r.To} {
		if *sides[i], err = program.ParseExpr(v.pool, v.groupScope(states), program.ParseType(r.Type), text); err != nil {
			return l, err
		}
	}
	if l.Assumes, err = v.parseAssumes(r.Assumes); err != nil {
		return l, err
	}
	return l, v.equation(proof.Problem{Left: l.From, Right: l.To}, r.UpdateProof, states)
}

// admits replays that inject has what is given of states.
func (v *verifier) admits(ps []proof.Problem, proofs []UpdateProof, world ir.Assume) error {
	if len(ps) != len(proofs) {
		return fmt.Errorf("%d proofs of %d conditions on inject", len(proofs), len(ps))
	}
	for i, p := range ps {
		if err := v.inWorld(world, p, proofs[i], nil); err != nil {
			return fmt.Errorf("inject has what is given: %w", err)
		}
	}
	return nil
}

// wraps reports whether a proof takes integers as they are.
func wraps(proof UpdateProof) bool {
	return !slices.Contains(proof.Assumes, "nsw") && !slices.Contains(proof.Assumes, "nuw")
}

// inWorld replays the proof of an equation in the world of its group: ⊕ is associative in no other.
func (v *verifier) inWorld(world ir.Assume, p proof.Problem, proof UpdateProof, states []ir.Expr) error {
	if a, err := v.parseAssumes(proof.Assumes); err != nil || a&overflow != world {
		return fmt.Errorf("an equation under %v differs from the operator in what overflows", proof.Assumes)
	}
	return v.equation(p, proof, states)
}

// equation replays the proof of an equation over a group's states.
func (v *verifier) equation(p proof.Problem, proof UpdateProof, states []ir.Expr) error {
	assumes, err := v.parseAssumes(proof.Assumes)
	if err != nil {
		return err
	}
	if proof.Cases != nil {
		return equation.Check(p, assumes, proof.Cases)
	}
	if assumes&overflow != 0 {
		return errors.New("arithmetic in steps wraps, and proves nothing of integers that do not overflow")
	}
	var steps []canon.Step
	before := p.Left
	for _, s := range proof.Steps {
		after, err := program.ParseExpr(v.pool, v.groupScope(states), p.Left.Type(), s.To)
		if err != nil {
			return err
		}
		steps = append(steps, canon.Step{Rule: s.Rule, Backward: s.Backward, Path: s.Path, Before: before, After: after})
		before = after
	}
	return canon.Check(steps, p.Left, p.Right, assumes, canon.SameRing(assumes))
}
