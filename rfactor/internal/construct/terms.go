package construct

import (
	"cmp"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// term is an expression over the operands, with its values at the points.
type term struct {
	ir.Expr
	at *values
}

// Bounds of the terms of one part.
const (
	maxTerms  = 1200
	maxReadAs = 27 // ways to read the leaves of one term as components of the second operand
)

// bank collects the terms that an operator of a part may be made of, each function once.
type bank struct {
	*runs
	list []ir.Expr
	seen map[ir.Expr]bool
	ops  [ir.NumTypes]map[ir.Op]bool // that the part applies to values of a type
	of   [ir.NumTypes][]term
}

// newBank returns the terms of a part: what the part computes, with components of the second operand
// read as its inputs, and what its operations make of two components.
func newBank(r *runs) *bank {
	b := &bank{runs: r, seen: map[ir.Expr]bool{}}
	for t := range b.ops {
		b.ops[t] = map[ir.Op]bool{}
	}
	ir.Walk(r.p.Values, func(e ir.Expr) {
		if e.NumArgs() > 0 {
			b.ops[e.Arg(e.NumArgs()-1).Type()][e.Op()] = true
		}
	})
	x, y := r.Pool.Operands(r.p.Types)
	b.addAll(x, y)
	for t := range b.of {
		for _, v := range r.near[t] {
			b.add(r.Pool.Const(ir.Type(t), v))
		}
	}
	for _, t := range r.p.Types {
		if t != ir.Bool {
			b.addAll([]ir.Expr{fold.Number(r.Pool, t, 0)})
			continue
		}
		b.addAll([]ir.Expr{r.Pool.Bool(false), r.Pool.Bool(true)})
	}
	b.steps(y, nil)
	b.pairs(slices.Concat(x, y))
	if literals := b.constants(y); len(literals) > 0 {
		b.steps(y, literals)
	}
	slices.SortStableFunc(b.list, func(e, f ir.Expr) int { return cmp.Compare(cost(e), cost(f)) })
	return b
}

func (b *bank) addAll(lists ...[]ir.Expr) {
	for _, es := range lists {
		for _, e := range es {
			b.add(e)
		}
	}
}

func (b *bank) add(e ir.Expr) {
	if !b.seen[e] && len(b.list) < maxTerms {
		b.seen[e] = true
		b.list = append(b.list, e)
	}
}

// constants lists the components of y that every step from the start leaves with the same number, by that literal.
func (b *bank) constants(y []ir.Expr) map[ir.Expr][]ir.Expr {
	out := map[ir.Expr][]ir.Expr{}
	for i, t := range b.p.Types {
		var one mask // points at which y is a step from the start
		for n := range points {
			if n/8%(maxAfter+1) == 1 {
				one.add(n)
			}
		}
		one = one.and(b.valid)
		for _, v := range b.near[t] {
			if t == ir.Bool || one == (mask{}) || !isAt(b.y[i], v, one) {
				continue
			}
			l := b.Pool.Const(t, v)
			out[l] = append(out[l], y[i])
		}
	}
	return out
}

// steps adds the terms that a step computes, with its state as x and components of y in place of its inputs, and the other way
// round. A literal may be replaced by a component that it stands for.
func (b *bank) steps(y []ir.Expr, literals map[ir.Expr][]ir.Expr) {
	ir.Walk(b.p.Values, func(e ir.Expr) {
		if e.States() == 0 || e.NumArgs() == 0 {
			return
		}
		var leaves []ir.Expr
		for _, l := range tuple.MaximalLeaves([]ir.Expr{e}) {
			if !l.IsInvariant() || len(literals[l]) > 0 {
				leaves = append(leaves, l)
			}
		}
		ways := make([][]ir.Expr, len(leaves))
		n := 1
		for i, l := range leaves {
			if literals[l] != nil {
				ways[i] = append(slices.Clone(literals[l]), l)
			} else {
				for _, v := range y {
					if v.Type() == l.Type() {
						ways[i] = append(ways[i], v)
					}
				}
			}
			if l.Type() == ir.Bool {
				ways[i] = append(ways[i], b.Pool.Bool(true), b.Pool.Bool(false))
			}
			n *= len(ways[i])
		}
		for k := range min(n, maxReadAs) {
			read := b.Pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
				i := slices.Index(leaves, e)
				if i < 0 {
					return ir.Expr{}
				}
				at := k
				for _, w := range ways[:i] {
					at /= len(w)
				}
				return ways[i][at%len(ways[i])]
			})[0]
			b.add(read)
			b.add(b.mirrored(read))
		}
	})
}

// mirrored returns a term with the operands exchanged.
func (b *bank) mirrored(e ir.Expr) ir.Expr {
	return b.Pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var || e.IsInvariant() {
			return ir.Expr{}
		}
		if e.Kind() == ir.State {
			return b.Pool.Y(e.Index(), e.Type())
		}
		return b.Pool.X(e.Index(), e.Type())
	})[0]
}

// pairs adds what the part's operations make of two components, and how these compare.
func (b *bank) pairs(components []ir.Expr) {
	for i, v := range components {
		t := v.Type()
		if t == ir.Bool {
			b.add(ir.NotOf(v))
		}
		for _, w := range components[:i] {
			if w.Type() != t {
				continue
			}
			for _, op := range b.merges(t) {
				b.add(ir.Make(op, w, v))
			}
			if t == ir.Bool {
				continue
			}
			if b.ops[t][ir.Add] || b.ops[t][ir.Sub] {
				b.add(ir.SubOf(w, v))
				b.add(ir.SubOf(v, w))
			}
			if b.compares(t) {
				b.addAll([]ir.Expr{ir.EqOf(w, v), ir.LtOf(w, v), ir.LtOf(v, w)})
			}
		}
		if t.IsInt() && b.ops[t][ir.Add] {
			for _, k := range b.near[t] {
				if c := b.Pool.Const(t, k); !fold.IsNumber(c, 0) && !fold.IsNumber(c, 1) && !fold.IsNumber(c, -1) {
					b.add(ir.MulOf(v, c))
				}
			}
		}
	}
}

// compares reports whether a part compares values of a type.
func (b *bank) compares(t ir.Type) bool {
	for op := range b.ops[t] {
		if op.IsComparison() || op == ir.Min || op == ir.Max {
			return true
		}
	}
	return false
}

// merges lists the associative operations that a part applies to values of a type.
func (b *bank) merges(t ir.Type) (out []ir.Op) {
	if t == ir.Bool {
		return []ir.Op{ir.Or, ir.And}
	}
	for _, op := range []ir.Op{ir.Add, ir.Max, ir.Min, ir.BitXor, ir.BitOr, ir.BitAnd, ir.Mul} {
		if b.ops[t][op] || op == ir.Add && b.ops[t][ir.Sub] {
			out = append(out, op)
		}
	}
	return out
}

// evaluateAll evaluates the terms at the points that are used, and keeps one of those with the same values there.
func (b *bank) evaluateAll() {
	known := map[uint64][]term{}
	at := b.valid.and(b.first())
	for t := range b.of {
		b.of[t] = b.of[t][:0]
	}
	for i, v := range b.evaluate(b.list, b.x, b.y) {
		t := term{b.list[i], v}
		h := hash(v, at)
		if slices.ContainsFunc(known[h], func(o term) bool { return o.Type() == t.Type() && equalAt(o.at, v, at) }) {
			continue
		}
		known[h] = append(known[h], t)
		b.of[t.Type()] = append(b.of[t.Type()], t)
	}
}

// cost orders terms: small ones first, and of these such that neither take back what they added nor have
// a literal where an operand would do.
func cost(e ir.Expr) int {
	n := e.Size()
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		switch {
		case e.Op() == ir.Sub:
			n += 2
		case e.Op() == ir.Const && e.Value() != 0:
			n++
		}
	})
	return n
}

// hash returns a number that equal values at some points share.
func hash(v *values, at mask) (h uint64) {
	for n := range points {
		if at.has(n) {
			h = (h ^ v[n]) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
	}
	return h
}

// isAt reports whether values are one number at some points.
func isAt(a *values, v uint64, at mask) bool {
	for n := range points {
		if at.has(n) && a[n] != v {
			return false
		}
	}
	return true
}

func equalAt(a, b *values, at mask) bool {
	for n := range points {
		if at.has(n) && a[n] != b[n] {
			return false
		}
	}
	return true
}

// starts lists states that a run may start from: for each component what its operations leave alone.
func starts(s *Setting, p *tuple.Part) (out [][]ir.Expr) {
	choices := make([][]ir.Expr, len(p.Types))
	n := 1
	for i := range p.Types {
		choices[i] = startsOf(s.Pool, p, i)
		n *= len(choices[i])
	}
	for k := range min(n, maxStarts) {
		start := make([]ir.Expr, len(choices))
		for i, list := range choices {
			start[i], k = list[k%len(list)], k/len(list)
		}
		out = append(out, start)
	}
	return out
}

// maxStarts bounds the states from which runs start.
const maxStarts = 6

// startsOf lists what component i may start from.
func startsOf(pool *ir.Pool, p *tuple.Part, i int) []ir.Expr {
	x, v, t := p.States[i], p.Values[i], p.Types[i]
	if t == ir.Bool {
		if v.IsConst(0) || v.Op() == ir.And {
			return []ir.Expr{pool.Bool(true)}
		}
		return []ir.Expr{pool.Bool(false)}
	}
	least, most := pool.Const(t, t.Min()), pool.Const(t, t.Max())
	if t.IsFloat() {
		least, most = pool.Float(t, negInf), pool.Float(t, posInf)
	}
	var out []ir.Expr
	ir.Walk([]ir.Expr{v}, func(e ir.Expr) {
		for k := range e.NumArgs() {
			switch {
			case e.Arg(k) != x:
			case e.Op() == ir.Max:
				out = append(out, least)
			case e.Op() == ir.Min:
				out = append(out, most)
			case e.Op() == ir.Mul:
				out = append(out, fold.Number(pool, t, 1))
			case e.Op() == ir.BitAnd:
				out = append(out, pool.Int(t, -1))
			}
		}
	})
	zero := fold.Number(pool, t, 0)
	out = slices.DeleteFunc(out, func(e ir.Expr) bool { return e == zero })
	out = slices.Compact(append(out, zero))
	return out
}
