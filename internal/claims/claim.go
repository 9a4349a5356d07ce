package claims

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Claim is what a line says, its expressions parsed into one pool.
type Claim struct {
	Pool     *ir.Pool
	Schema   string
	Status   string
	Types    []ir.Type // of the state
	Leaves   []Leaf    // sorted by name
	Update   []ir.Expr
	Operands []ir.Type // of the operator: those of the state, or of a lift's parameters
	Operator []ir.Expr // over x_i and y_i; of a lift the composition
	Inject   []ir.Expr
	Apply    []ir.Expr // of a lift, over x_i and p_i
	Identity []ir.Expr // nil where the side is none
	Wide     []ir.Type // of a lift: the types in which parameters are computed
	Side     string
	Assumes  ir.Assume
	Given    []ir.Expr
	Initial  []ir.Expr // the zero Expr where nothing is said of a component

	Stages []Stage // of a staged answer, which has none of operator, inject, apply and identity
	Pass   []int   // of a staged answer: in which pass each component is computed, from 1

	Commutative, Idempotent bool
	Least                   bool // no parameter of a lift is too many

	identity []string // texts, to be read in other types
	tree     *ordered.Value
}

// Leaf is a variable of the update other than its state.
type Leaf struct {
	Var    ir.Expr
	NonNeg bool
}

// Read parses what a line claims. An error says that it claims nothing that has a meaning.
func Read(tree *ordered.Value) (c *Claim, err error) {
	c = &Claim{Pool: ir.NewPool(), tree: tree}
	if tree.Kind != ordered.Object {
		return c, errors.New("no object")
	}
	if s := tree.Get("schema"); s != nil {
		c.Schema = s.Text
	}
	if s := tree.Get("status"); s != nil && s.Kind == ordered.String {
		c.Status = s.Text
	}
	switch c.Status {
	case "associative", "lifted", "staged":
	case "refused":
		return c, nil // judgeRefusal reads what it needs
	default:
		return c, fmt.Errorf("status %q", c.Status)
	}
	reads := []func() error{c.readUpdate, c.readOperator, c.readLift, c.readGiven, c.readGroups, c.readLeast}
	if c.Status == "staged" {
		reads = []func() error{c.readUpdate, c.readGiven, c.readStages, c.readLeast}
	} else if c.tree.Get("stages") != nil || c.tree.Get("passes") != nil {
		return c, errors.New("an answer in one pass has stages")
	}
	for _, read := range reads {
		if err := read(); err != nil {
			return c, err
		}
	}
	return c, nil
}

// list is the texts of a list that must be there; an absent list of no elements is one too.
func list(v *ordered.Value, name string) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	if out := v.Texts(); out != nil {
		return out, nil
	}
	return nil, fmt.Errorf("%s is no list of texts", name)
}

func types(v *ordered.Value, name string) ([]ir.Type, error) {
	texts, err := list(v, name)
	var out []ir.Type
	for _, text := range texts {
		t := ir.ParseType(text)
		if t == ir.Invalid {
			return nil, fmt.Errorf("%s: there is no type %q", name, text)
		}
		out = append(out, t)
	}
	return out, err
}

func (c *Claim) readUpdate() (err error) {
	if c.Types, err = types(c.tree.Get("types"), "types"); err != nil {
		return err
	}
	if len(c.Types) == 0 || len(c.Types) > ir.MaxState {
		return fmt.Errorf("%d components", len(c.Types))
	}
	leaves := c.tree.Get("leaves")
	if leaves != nil && leaves.Kind != ordered.Object {
		return errors.New("leaves are no object")
	}
	if leaves != nil {
		for i, name := range leaves.Keys {
			if err := c.readLeaf(name, leaves.Items[i]); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(c.Leaves, func(a, b Leaf) int { return strings.Compare(a.Var.Name(), b.Var.Name()) })
	texts, err := list(c.tree.Get("update"), "update")
	if err != nil {
		return err
	}
	if c.Update, err = c.parse(texts, c.Types, c.UpdateScope()); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	names, err := list(c.tree.Get("assumes"), "assumes")
	if err != nil {
		return err
	}
	for _, name := range names {
		a, err := ir.ParseAssume(name)
		if err != nil || name == "" || name == "all" || name == "none" || name == "default" || strings.ContainsAny(name, ", ") {
			return fmt.Errorf("assumes %q", name)
		}
		c.Assumes |= a
	}
	return nil
}

func (c *Claim) readLeaf(name string, v *ordered.Value) error {
	if v.Kind != ordered.Object || v.Get("type") == nil || v.Get("type").Kind != ordered.String {
		return fmt.Errorf("leaf %q has no type", name)
	}
	t := ir.ParseType(v.Get("type").Text)
	if t == ir.Invalid {
		return fmt.Errorf("leaf %q has no type %q", name, v.Get("type").Text)
	}
	if !ir.IsName(name) || numbered(name, 'x') >= 0 {
		return fmt.Errorf("a leaf cannot be called %q", name)
	}
	nonNeg := v.Get("nonneg")
	if nonNeg != nil && nonNeg.Kind != ordered.Bool {
		return fmt.Errorf("leaf %q: nonneg is no bool", name)
	}
	i := slices.IndexFunc(c.Leaves, func(l Leaf) bool { return l.Var.Name() == name })
	if i < 0 {
		c.Leaves, i = append(c.Leaves, Leaf{}), len(c.Leaves)
	}
	kind, index := ir.Coord, 0
	if n := numbered(name, 'y'); n >= 0 {
		kind, index = ir.Leaf, n
	}
	if n := numbered(name, 'k'); n >= 0 {
		kind, index = ir.Param, n
	}
	c.Leaves[i] = Leaf{c.Pool.Var(kind, name, index, t), nonNeg != nil && nonNeg.Text == "true"}
	return nil
}

// numbered is 2 of x2 where the letter is x, and -1 of any other name.
func numbered(name string, letter byte) int {
	if len(name) < 2 || name[0] != letter {
		return -1
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || n < 0 || strconv.Itoa(n) != name[1:] {
		return -1
	}
	return n
}

func (c *Claim) readOperator() (err error) {
	op := c.tree.Get("operator")
	if op == nil || op.Kind != ordered.Object {
		return errors.New("no operator")
	}
	if c.Operands, err = types(op.Get("types"), "operator.types"); err != nil {
		return err
	}
	if c.Status == "associative" && !slices.Equal(c.Operands, c.Types) {
		return fmt.Errorf("operator.types are %v, not those of the state", c.Operands)
	}
	texts, err := list(op.Get("exprs"), "operator.exprs")
	if err != nil {
		return err
	}
	if c.Operator, err = c.parse(texts, c.Operands, c.OperatorScope()); err != nil {
		return fmt.Errorf("operator: %w", err)
	}
	if texts, err = list(c.tree.Get("inject"), "inject"); err != nil {
		return err
	}
	if c.Inject, err = c.parse(texts, c.Operands, c.InjectScope()); err != nil {
		return fmt.Errorf("inject: %w", err)
	}
	for key, to := range map[string]*bool{"commutative": &c.Commutative, "idempotent": &c.Idempotent} {
		v := op.Get(key)
		if v != nil && v.Kind != ordered.Bool {
			return fmt.Errorf("%s is no bool", key)
		}
		*to = v != nil && v.Text == "true"
	}
	return c.readIdentity(op)
}

func (c *Claim) readIdentity(op *ordered.Value) (err error) {
	if s := op.Get("identity_side"); s != nil && s.Kind == ordered.String {
		c.Side = s.Text
	}
	if c.Side == "none" {
		return nil
	}
	if !slices.Contains([]string{"two", "left", "right", "middle"}, c.Side) {
		return fmt.Errorf("identity_side is %q", c.Side)
	}
	if c.identity, err = list(op.Get("identity"), "identity"); err != nil {
		return err
	}
	if c.Identity, err = c.parse(c.identity, c.Operands, c.constantScope()); err != nil {
		return fmt.Errorf("identity: %w", err)
	}
	return nil
}

func (c *Claim) readLift() (err error) {
	apply, wide := c.tree.Get("apply"), c.tree.Get("parameter_types")
	if c.Status != "lifted" {
		if apply != nil || wide != nil || c.tree.Get("cost") != nil {
			return errors.New("what is said of lifts is said of an associative answer")
		}
		return nil
	}
	texts, err := list(apply, "apply")
	if err != nil {
		return err
	}
	if c.Apply, err = c.parse(texts, c.Types, c.ApplyScope()); err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	if c.Commutative || c.Idempotent {
		return errors.New("a lift is said to commute, or to be idempotent")
	}
	if c.Identity != nil && c.Side != "two" {
		return fmt.Errorf("the identity of a lift has two sides, not %s", c.Side)
	}
	if c.Wide, err = types(wide, "parameter_types"); err != nil {
		return err
	}
	if wide == nil {
		c.Wide = c.Types
	}
	if want := c.wideTypes(); !slices.Equal(c.Wide, want) {
		return fmt.Errorf("parameter_types are %v, not %v", c.Wide, want)
	}
	return c.readCost()
}

// wideTypes are the types in which parameters must be computed: where nothing overflows in
// the loop, in i64, since parameters hold sums that the loop does not compute.
func (c *Claim) wideTypes() (out []ir.Type) {
	for _, t := range c.Operands {
		if c.Assumes&(ir.NSW|ir.NUW) != 0 && t.IsSigned() {
			t = ir.I64
		}
		out = append(out, t)
	}
	return out
}

// readCost checks what can be counted: the number of parameters, and that there are no more
// multiplications than are written.
func (c *Claim) readCost() error {
	cost := c.tree.Get("cost")
	if cost == nil || cost.Kind != ordered.Object {
		return errors.New("cost is missing")
	}
	if n := cost.Get("parameters"); n == nil || n.Text != strconv.Itoa(len(c.Operands)) {
		return fmt.Errorf("cost is not of %d parameters", len(c.Operands))
	}
	written := 0
	ir.Walk(c.substitute(c.Operator, c.operandVars('x', c.Operands), c.Inject), func(e ir.Expr) {
		if e.Op() == ir.Mul {
			written++
		}
	})
	n := cost.Get("multiplications")
	if n == nil {
		return errors.New("cost has no multiplications")
	}
	if said, err := strconv.Atoi(n.Text); err != nil || said < 0 || said > written {
		return fmt.Errorf("cost is of %s multiplications, where %d are written", n.Text, written)
	}
	return nil
}

func (c *Claim) readGiven() error {
	texts, err := list(c.tree.Get("given"), "given")
	if err != nil {
		return err
	}
	if c.Given, err = c.parse(texts, slices.Repeat([]ir.Type{ir.Bool}, len(texts)), c.UpdateScope()); err != nil {
		return fmt.Errorf("given: %w", err)
	}
	if texts, err = list(c.tree.Get("initial"), "initial"); err != nil {
		return err
	}
	if len(texts) > len(c.Types) {
		return errors.New("initial has more components than the state")
	}
	for i, text := range texts {
		if text == "" {
			c.Initial = append(c.Initial, ir.Expr{})
			continue
		}
		e, err := ParseText(c.Pool, c.constantScope(), c.Types[i], text)
		if err != nil {
			return fmt.Errorf("initial: %w", err)
		}
		c.Initial = append(c.Initial, e)
	}
	return nil
}

// readGroups checks that the groups, where they are said, cover the components and are each
// closed: what is matched together depends on nothing else.
func (c *Claim) readGroups() error {
	groups := c.tree.Get("groups")
	if groups == nil {
		return nil
	}
	if groups.Kind != ordered.Array {
		return errors.New("groups are no list")
	}
	covered := uint64(0)
	for _, g := range groups.Items {
		set := uint64(0)
		for _, item := range g.Items {
			n, err := strconv.Atoi(item.Text)
			if err != nil || n < 0 || n >= len(c.Types) || set>>n != 0 {
				return fmt.Errorf("groups: component %s", item.Text)
			}
			set |= 1 << n
		}
		for i, v := range c.Update {
			if set>>i&1 != 0 && v.States()&^set != 0 {
				return fmt.Errorf("groups: component %d depends on others", i)
			}
		}
		covered |= set
	}
	if covered != 1<<len(c.Types)-1 {
		return errors.New("groups do not cover the components")
	}
	return nil
}

// ParseText reads one expression of the abstract notation, as people's text is read. It is an error
// if the checker's reader takes the text for another one, or for none.
func ParseText(pool *ir.Pool, scope program.Scope, want ir.Type, text string) (ir.Expr, error) {
	e, err := program.ParseExpr(pool, scope, want, text)
	if err != nil {
		return e, err
	}
	canonical, err := ir.Read(pool, scope.Var, want, text)
	if err == nil && canonical != e {
		err = fmt.Errorf("%s is %s to one reader and %s to another", text, e, canonical)
	}
	return e, err
}

func (c *Claim) parse(texts []string, types []ir.Type, scope program.Scope) ([]ir.Expr, error) {
	if len(texts) != len(types) {
		return nil, fmt.Errorf("%d expressions for %d components", len(texts), len(types))
	}
	out := make([]ir.Expr, len(texts))
	for i, text := range texts {
		e, err := ParseText(c.Pool, scope, types[i], text)
		if err != nil {
			return nil, err
		}
		out[i] = e
	}
	return out, nil
}

// operandVars are the variables x0, x1, …, or those of another letter, of the types.
func (c *Claim) operandVars(letter byte, types []ir.Type) (out []ir.Expr) {
	for i, t := range types {
		name := string(letter) + strconv.Itoa(i)
		switch letter {
		case 'x':
			out = append(out, c.Pool.X(i, t))
		case 'y':
			out = append(out, c.Pool.Y(i, t))
		default:
			out = append(out, c.Pool.Var(ir.Leaf, name, 1<<18|int(letter)<<10|i, t))
		}
	}
	return out
}

// scopeOf has the variables, by their names.
func scopeOf(vars ...[]ir.Expr) program.Scope {
	return program.Scope{Var: func(name string) (ir.Expr, bool) {
		for _, vs := range vars {
			for _, v := range vs {
				if v.Name() == name {
					return v, true
				}
			}
		}
		return ir.Expr{}, false
	}}
}

func (c *Claim) leaves(keep func(ir.VarKind) bool) (out []ir.Expr) {
	for _, l := range c.Leaves {
		if keep(l.Var.Kind()) {
			out = append(out, l.Var)
		}
	}
	return out
}

func anyKind(ir.VarKind) bool   { return true }
func isConst(k ir.VarKind) bool { return k == ir.Param }

// UpdateScope has the state and the leaves.
func (c *Claim) UpdateScope() program.Scope {
	return scopeOf(c.operandVars('x', c.Types), c.leaves(anyKind))
}

// InjectScope has the leaves.
func (c *Claim) InjectScope() program.Scope { return scopeOf(c.leaves(anyKind)) }

// OperatorScope has both operands and the constants.
func (c *Claim) OperatorScope() program.Scope {
	return scopeOf(c.operandVars('x', c.Operands), c.operandVars('y', c.Operands), c.leaves(isConst))
}

// ApplyScope has the state, parameters, and the constants.
func (c *Claim) ApplyScope() program.Scope {
	return scopeOf(c.operandVars('x', c.Types), c.operandVars('p', c.Operands), c.leaves(isConst))
}

func (c *Claim) constantScope() program.Scope { return scopeOf(c.leaves(isConst)) }

// substitute puts x and y into expressions over two operands.
func (c *Claim) substitute(es, x, y []ir.Expr) []ir.Expr {
	return c.Pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		switch {
		case e.Kind() == ir.State && e.Index() < len(x):
			return x[e.Index()]
		case e.Kind() == ir.Leaf && e.Index() < len(y):
			return y[e.Index()]
		}
		return ir.Expr{}
	})
}

// act applies parameters to a state.
func (c *Claim) act(x, p []ir.Expr) []ir.Expr {
	from := append(c.operandVars('x', c.Types), c.operandVars('p', c.Operands)...)
	to := append(slices.Clone(x), p...)
	return c.Pool.Map(c.Apply, func(e ir.Expr) ir.Expr {
		if i := slices.Index(from, e); i >= 0 {
			return to[i]
		}
		return ir.Expr{}
	})
}
