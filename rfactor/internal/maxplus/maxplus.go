// Package maxplus decides equations between extrema of sums: each side becomes a set of sums of
// atoms, each with the condition under which it counts, and the side is the greatest, or the least,
// of those that do. Conditions are functions of opaque flags. Equal sets are a proof, for
// unbounded integers and for real numbers; an equation that is not confirmed may still hold.
package maxplus

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Bounds of the sums that are made for one equation, and of nodes of conditions.
const (
	maxSums  = 1 << 14
	maxNodes = 1 << 16
)

// Confirms reports whether the sides of an equation have extrema and are confirmed to be equal. The
// meter, which may be nil, pays for that.
func Confirms(p proof.Problem, assume ir.Assume, m *effort.Meter) bool {
	found := false
	ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) { found = found || e.Op() == ir.Min || e.Op() == ir.Max })
	return found && Equal(p.Left, p.Right, assume, m)
}

// Equal reports whether it is confirmed that both sides have the same value, where integers of the
// types that the assumptions say are unbounded, and floats are real numbers if they say so.
func Equal(left, right ir.Expr, assume ir.Assume, m *effort.Meter) bool {
	if left.Type() != right.Type() {
		return false
	}
	r := &reader{assume: assume, conditions: newConditions(), numbers: map[ir.Expr]*set{}, flags: map[ir.Expr]condition{}, left: min(maxSums, effort.Sums.Items(m.Left()))}
	defer func(sums int) { m.Spend(effort.Sums, sums-max(r.left, 0)+len(r.nodes)/8) }(r.left)
	if left.Type() == ir.Bool {
		a, b := r.flag(left), r.flag(right)
		return a == b && !r.exhausted()
	}
	a, b := r.number(left), r.number(right)
	return a != nil && b != nil && !r.exhausted() && a.same(b)
}

// atom is a term that is not looked into, with its factor.
type atom struct {
	term   ir.Expr
	factor int64
}

// sum is Σ factor·term + literal, its atoms in the order of their terms, none with the factor 0.
type sum struct {
	atoms   []atom
	literal int64
}

// kind says which of the sums whose conditions hold is the value.
type kind uint8

const (
	only     kind = iota // exactly one condition holds
	greatest             // one at least holds
	least
)

// set is a value as sums with conditions, by the text of the sum.
type set struct {
	kind kind
	sums map[string]guarded
}

type guarded struct {
	sum
	when condition
}

func (s *set) same(t *set) bool {
	if s.kind != t.kind && s.kind != only && t.kind != only || len(s.sums) != len(t.sums) {
		return false
	}
	for key, g := range s.sums {
		if h, ok := t.sums[key]; !ok || g.when != h.when {
			return false
		}
	}
	return true
}

// reader turns expressions into sets. Once its bounds are reached what it makes is of no use.
type reader struct {
	assume ir.Assume
	*conditions
	numbers map[ir.Expr]*set
	flags   map[ir.Expr]condition
	left    int // sums that may still be made
}

func (r *reader) exhausted() bool { return r.left < 0 || len(r.nodes) > maxNodes }

// number is the set of a number; nil where it is none.
func (r *reader) number(e ir.Expr) *set {
	if s, ok := r.numbers[e]; ok {
		return s
	}
	var s *set
	if !r.exhausted() {
		s = r.read(e)
	}
	r.numbers[e] = s
	return s
}

// exact reports whether sums of a type are those of numbers.
func (r *reader) exact(t ir.Type) bool {
	return t.IsInt() && r.assume.Unbounded(t) || t.IsFloat() && r.assume.Has(ir.Reassoc|ir.NNaN|ir.NSZ)
}

func (r *reader) read(e ir.Expr) *set {
	t := e.Type()
	args := make([]*set, 0, 2)
	switch op := e.Op(); op {
	case ir.Const:
		return r.literal(e)
	case ir.Select:
		a, b := r.number(e.Arg(1)), r.number(e.Arg(2))
		if a == nil || b == nil {
			return nil
		}
		k, ok := join(a.kind, b.kind)
		if !ok {
			return nil
		}
		c := r.flag(e.Arg(0))
		out := &set{kind: k, sums: map[string]guarded{}}
		r.enter(out, a, c)
		r.enter(out, b, r.not(c))
		return out
	case ir.Min, ir.Max:
		if t.IsFloat() && !r.assume.Has(ir.NNaN|ir.NSZ) {
			return r.opaque(e)
		}
	case ir.Add, ir.Sub, ir.Neg:
		if !r.exact(t) {
			return r.opaque(e)
		}
	default:
		return r.opaque(e)
	}
	for i := range e.NumArgs() {
		a := r.number(e.Arg(i))
		if a == nil {
			return nil
		}
		args = append(args, a)
	}
	switch e.Op() {
	case ir.Neg:
		return r.negative(args[0])
	case ir.Sub:
		return r.plus(args[0], r.negative(args[1]))
	case ir.Add:
		return r.plus(args[0], args[1])
	case ir.Max:
		return r.extremum(greatest, args[0], args[1])
	}
	return r.extremum(least, args[0], args[1])
}

// join is the kind of a value that is of one kind or of another.
func join(a, b kind) (kind, bool) { return max(a, b), a == b || a == only || b == only }

func (r *reader) single(s sum) *set {
	return &set{sums: map[string]guarded{s.key(): {s, always}}}
}

func (r *reader) opaque(e ir.Expr) *set { return r.single(sum{atoms: []atom{{e, 1}}}) }

// literal is a number; of a float that is no small integer, the number of a positive literal.
func (r *reader) literal(e ir.Expr) *set {
	t := e.Type()
	switch {
	case t.IsInt() && (t.IsSigned() || e.Value() < math.MaxInt64) && isSmall(e.Int()):
		return r.single(sum{literal: e.Int()})
	case t.IsInt():
		return r.opaque(e)
	}
	switch v := ir.Float(t, e.Value()); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return nil
	case v == math.Trunc(v) && math.Abs(v) < 1<<53 && (v != 0 || r.assume.Has(ir.NSZ)):
		return r.single(sum{literal: int64(v)})
	case v < 0 && r.exact(t):
		return r.single(sum{atoms: []atom{{e.Pool().Float(t, -v), -1}}})
	}
	return r.opaque(e)
}

// isSmall reports whether the sum and the difference of a number and another such are no less than
// numbers of 64 bits.
func isSmall(v int64) bool { return -1<<62 < v && v < 1<<62 }

// enter adds the sums of a set, under a condition.
func (r *reader) enter(out, s *set, when condition) {
	for key, g := range s.sums {
		if g.when = r.and(g.when, when); g.when == never {
			continue
		}
		if h, ok := out.sums[key]; ok {
			g.when = r.or(g.when, h.when)
		}
		out.sums[key] = g
		r.left--
	}
}

func (r *reader) extremum(k kind, a, b *set) *set {
	if _, ok := join(k, a.kind); !ok {
		return nil
	}
	if _, ok := join(k, b.kind); !ok {
		return nil
	}
	out := &set{kind: k, sums: map[string]guarded{}}
	r.enter(out, a, always)
	r.enter(out, b, always)
	return out
}

// plus is the sums of one of each. The extremum of sums is the sum of extrema.
func (r *reader) plus(a, b *set) *set {
	if a == nil || b == nil {
		return nil
	}
	k, ok := join(a.kind, b.kind)
	if !ok {
		return nil
	}
	out := &set{kind: k, sums: map[string]guarded{}}
	for _, g := range a.sums {
		for _, h := range b.sums {
			if r.exhausted() {
				return nil
			}
			s, ok := add(g.sum, h.sum)
			if !ok {
				return nil
			}
			r.enter(out, &set{sums: map[string]guarded{s.key(): {s, g.when}}}, h.when)
		}
	}
	return out
}

// negative is −s: the greatest of some numbers is the least of their negatives.
func (r *reader) negative(s *set) *set {
	out := &set{kind: [...]kind{only, least, greatest}[s.kind], sums: map[string]guarded{}}
	for _, g := range s.sums {
		n := sum{literal: -g.literal}
		for _, a := range g.atoms {
			n.atoms = append(n.atoms, atom{a.term, -a.factor})
		}
		out.sums[n.key()] = guarded{n, g.when}
	}
	return out
}

// add is a + b; not ok where the literal or a factor becomes too large.
func add(a, b sum) (out sum, ok bool) {
	if out.literal = a.literal + b.literal; !isSmall(out.literal) {
		return out, false
	}
	out.atoms = slices.Concat(a.atoms, b.atoms)
	slices.SortStableFunc(out.atoms, func(a, b atom) int { return cmp.Compare(a.term.ID(), b.term.ID()) })
	n := 0
	for _, a := range out.atoms {
		if n > 0 && out.atoms[n-1].term == a.term {
			switch f := out.atoms[n-1].factor + a.factor; {
			case f == 0:
				n--
			case !isSmall(f):
				return out, false
			default:
				out.atoms[n-1].factor = f
			}
			continue
		}
		out.atoms[n] = a
		n++
	}
	out.atoms = out.atoms[:n]
	return out, true
}

func (s sum) key() string {
	b := fmt.Appendf(nil, "%d", s.literal)
	for _, a := range s.atoms {
		b = fmt.Appendf(b, " %d*%d", a.factor, a.term.ID())
	}
	return string(b)
}

// flag is the condition that a flag holds.
func (r *reader) flag(e ir.Expr) condition {
	if c, ok := r.flags[e]; ok {
		return c
	}
	var c condition
	arg := func(i int) condition { return r.flag(e.Arg(i)) }
	switch op := e.Op(); {
	case r.exhausted():
		return never
	case op == ir.Const:
		c = never
		if e.IsConst(1) {
			c = always
		}
	case op == ir.Not:
		c = r.not(arg(0))
	case op == ir.And:
		c = r.and(arg(0), arg(1))
	case op == ir.Or:
		c = r.or(arg(0), arg(1))
	case op == ir.Select:
		c = r.choose(arg(0), arg(1), arg(2))
	case (op == ir.Eq || op == ir.Ne) && e.Arg(0).Type() == ir.Bool:
		a, b := arg(0), arg(1)
		if op == ir.Eq {
			a = r.not(a)
		}
		c = r.choose(a, r.not(b), b)
	default:
		c = r.variable(len(r.flags))
	}
	r.flags[e] = c
	return c
}
