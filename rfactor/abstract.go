package rfactor

import (
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// abstract copies the update into a pool of its own. What is read at each step becomes a
// variable y_i, and what does not change a variable k_i; variables that are called so, and
// reduction coordinates, keep their names unless these are taken.
func (m *matcher) abstract(u *ir.Update) error {
	m.pool = ir.NewPool()
	m.pool.Charge(m.payTerms)
	if err := m.resolveSelf(u); err != nil {
		return err
	}
	a := &Answer{Name: m.opts.Name, Types: u.Types, Leaves: make([]Leaf, 0, 4)}
	m.answer = a
	m.names = names{values: u.Values, sources: m.names.sources[:0]}
	a.Update = m.pool.Map(u.Values, m.renamed)
	m.calls = slices.DeleteFunc(callsIn(u.Values), func(e ir.Expr) bool { return m.reads[e].IsValid() })
	m.promised = nil
	if len(u.Given) > 0 {
		m.promised = m.pool.Map(u.Given, m.renamed)
	}
	m.abstractTerms()
	m.nonNeg, m.notNegative = nil, m.notNegative[:0] // answers keep nonNeg
	for _, source := range u.NonNeg {
		i := slices.Index(m.names.sources, source)
		if i < 0 || !source.Type().IsSigned() {
			continue
		}
		v := a.Leaves[i].Var
		a.Leaves[i].NonNeg = true
		m.nonNeg = append(m.nonNeg, v)
		m.notNegative = append(m.notNegative, ir.LeOf(m.pool.Int(v.Type(), 0), v))
	}
	return nil
}

// isTaken reports whether another variable has the name of v where the answer is written down: a
// leaf of another type or role, or one of a certificate's own. There p0 and q0 are parameters of
// steps, and z0 is the third operand.
func (m *matcher) isTaken(v ir.Expr) bool {
	for _, letter := range []byte("pqz") {
		if _, ok := numberOf(v, letter); ok {
			return true
		}
	}
	return slices.ContainsFunc(m.answer.Leaves, func(l Leaf) bool { return l.Var.Name() == v.Name() })
}

// isNumbered reports whether a variable is named like k3.
func isNumbered(v ir.Expr) bool {
	name := v.Name()
	return len(name) > 1 && name[0] == 'k' && name[1] >= '0' && name[1] <= '9'
}

// rename returns the variable for a variable or call of the update. It returns the zero Expr where the
// operands decide, or where the expression stays as it is.
func (m *matcher) rename(e ir.Expr) (v ir.Expr) {
	if e.Op() != ir.Var && e.Op() != ir.Call {
		return v
	}
	if x, ok := m.reads[e]; ok {
		return x
	}
	a, names := m.answer, &m.names
	if i := slices.Index(names.sources, e); i >= 0 {
		return a.Leaves[i].Var
	}
	switch {
	case e.Op() == ir.Call && e.IsLeaf():
		v = names.fresh(m.pool, e)
	case e.Op() == ir.Var && e.Kind() == ir.Param && !isNumbered(e), e.Op() == ir.Var && m.isTaken(e):
		v = names.fresh(m.pool, e)
	case e.Op() == ir.Var && e.Kind() != ir.State:
		v = m.pool.Var(e.Kind(), e.Name(), e.Index(), e.Type())
	default:
		return v
	}
	names.sources = append(names.sources, e)
	a.Leaves = append(a.Leaves, Leaf{Var: v, Text: e.String(), Source: e})
	return v
}

// names hands out numbers for new variables, beyond the numbers that the values use.
type names struct {
	values       []ir.Expr // until the first is asked for
	sources      []ir.Expr // of the leaves so far
	nextY, nextK int
}

func (n *names) count() {
	for _, v := range ir.Vars(n.values...) {
		switch {
		case v.Kind() == ir.Leaf:
			n.nextY = max(n.nextY, v.Index()+1)
		case v.Kind() == ir.Param && isNumbered(v):
			n.nextK = max(n.nextK, v.Index()+1)
		case v.Kind() == ir.Coord: // which may have any name
			if i, ok := numberOf(v, 'y'); ok {
				n.nextY = max(n.nextY, i+1)
			}
			if i, ok := numberOf(v, 'k'); ok {
				n.nextK = max(n.nextK, i+1)
			}
		}
	}
	n.values = nil
}

// numberOf returns the number of a variable that is named by a letter and a number: 3 of y3.
func numberOf(v ir.Expr, letter byte) (int, bool) {
	name := v.Name()
	if len(name) < 2 || name[0] != letter {
		return 0, false
	}
	i, err := strconv.ParseUint(name[1:], 10, 16)
	return int(i), err == nil
}

func (n *names) fresh(p *ir.Pool, e ir.Expr) ir.Expr {
	n.count()
	if e.IsInvariant() {
		n.nextK++
		return p.K(n.nextK-1, e.Type())
	}
	return n.input(p, e.Type())
}

// input returns a new input.
func (n *names) input(p *ir.Pool, t ir.Type) ir.Expr {
	n.count()
	n.nextY++
	return p.Y(n.nextY-1, t)
}

// resolveSelf settles the reads of the function whose arguments differ in form from those of the left
// side: where the arguments are provably equal the read is x_i, elsewhere it is an error.
func (m *matcher) resolveSelf(u *ir.Update) error {
	m.reads = nil
	for _, s := range u.Self {
		if s.Same {
			continue
		}
		if len(u.Args) != s.Call.NumArgs() {
			return selfError(u, s)
		}
		for i, arg := range u.Args {
			both := m.pool.Import(s.Call.Arg(i), arg) // the update's own pool may be read by others
			p := proof.Problem{Left: both[0], Right: both[1]}
			if p.Left.Type() != p.Right.Type() || m.prover.Prove(m.ctx, []proof.Problem{p}, m.proving(0)).Status != prove.Proved {
				return selfError(u, s)
			}
		}
		if m.reads == nil {
			m.reads = map[ir.Expr]ir.Expr{}
		}
		m.reads[s.Call] = m.pool.X(s.Call.Index(), s.Call.Type())
	}
	return nil
}

func selfError(u *ir.Update, s ir.SelfRef) error {
	hint := "only its previous value may be used"
	for _, other := range u.Self {
		if other.Hint != "" {
			s, hint = other, other.Hint
			break
		}
	}
	return ir.ErrorList{u.Source.Errorf(s.Pos, "%s is read here at other arguments than it is written at: %s", s.Call.Name(), hint)}
}
