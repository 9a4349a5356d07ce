package tablegen

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// filter knows what is kept of a tuple of types in a world, and which candidates add
// nothing to it: those that, given as an update, the matcher answers with a kept entry. If
// e is a middle identity of the entry ⊕, the update f(x, y) is an instance of it when
// f(x, y) = x ⊕ f(e, y): DESIGN.md, probing. Instances by choosing a constant, conjugates,
// and operators that only rewrite their second operand first are all of that kind.
type filter struct {
	w        *world
	types    []ir.Type
	constant ir.Type // of k
	pool     *ir.Pool
	points   testpoint.Evaluator
	probes   []*probes
	blocks   [rounds]map[ir.Expr]*row // values of x_i, y_i, k_i
	xs, ys   []ir.Expr
	env      map[ir.Expr]*row // scratch
	in       []*row
}

type row = [tape.Lanes]uint64

// rounds of tape.Lanes points tell functions apart.
const rounds = 3

// probes are kept operators with one identity, seen through bijections of the values or with
// x and y exchanged. They are evaluated together, what they have in common once.
type probes struct {
	key      string     // the identity's text, and whether there is a k0
	constant bool       // the operators or the identity have a k0
	identity *tape.Tape // over k0
	ops      []ir.Expr  // one operator after the other
	tape     *tape.Tape // of ops; nil after a change
}

// most operators of one tape: a kept one is added by compiling the tape anew.
const mostProbes = 64

func newFilter(w *world, types []ir.Type) *filter {
	f := &filter{w: w, types: types, constant: constantType(types), pool: ir.NewPool(), env: map[ir.Expr]*row{}}
	for i, t := range types {
		f.xs, f.ys = append(f.xs, f.pool.X(i, t)), append(f.ys, f.pool.Y(i, t))
	}
	for r := range f.blocks {
		b := map[ir.Expr]*row{}
		for i, t := range types {
			b[f.pool.X(i, t)] = testpoint.Row(t, w.allowed, r*9+i)
			b[f.pool.Y(i, t)] = testpoint.Row(t, w.allowed, r*9+3+i)
		}
		for i := range maxConstants {
			b[f.pool.K(i, f.constant)] = testpoint.Row(f.constant, w.allowed, r*9+6+i)
		}
		f.blocks[r] = b
	}
	return f
}

// run evaluates a tape where env, and beyond it block, give its inputs. The rows that it
// answers are the tape's own.
func (f *filter) run(t *tape.Tape, env, block map[ir.Expr]*row) []*row {
	return t.Run(f.inputs(t, env, block))
}

// inputs are the rows of a tape's inputs: in env, else in block.
func (f *filter) inputs(t *tape.Tape, env, block map[ir.Expr]*row) []*row {
	f.in = f.in[:0]
	for _, v := range t.Inputs {
		if r := env[v]; r != nil {
			f.in = append(f.in, r)
		} else {
			f.in = append(f.in, block[v])
		}
	}
	return f.in
}

// equal compares the first lanes of rows as far as the world tells values apart.
func (f *filter) equal(as []row, bs []*row, lanes int) bool {
	for i, t := range f.types {
		for l, a := range as[i][:lanes] {
			if b := bs[i][l]; a != b && !testpoint.Close(t, f.w.allowed, a, b) {
				return false
			}
		}
	}
	return true
}

// trial is a candidate that is compared with what is kept.
type trial struct {
	tape    *tape.Tape
	want    [rounds][]row
	choices [rounds][]row            // of an entry's constant
	starts  map[begin]*[rounds][]row // f(e, y)
}

// begin names an identity, and which choice of its constant, if it has one.
type begin struct {
	key    string
	choice int
}

func copied(rs []*row) (out []row) {
	for _, r := range rs {
		out = append(out, *r)
	}
	return out
}

// answered reports whether a kept entry, or its mirror image, answers a candidate given as
// an update.
func (f *filter) answered(es []ir.Expr) bool {
	t := &trial{tape: tape.New(es...), starts: map[begin]*[rounds][]row{}}
	choices := tape.New(f.constants(es)...)
	for r, block := range f.blocks {
		t.want[r] = copied(f.run(t.tape, nil, block))
		t.choices[r] = copied(f.run(choices, nil, block))
	}
	for _, p := range f.probes {
		if p.tape == nil {
			p.tape = tape.New(p.ops...)
		}
		n := len(t.choices[0])
		if !p.constant {
			n = 1
		}
		for c := range n {
			if f.oneMatches(p, c, t) {
				return true
			}
		}
	}
	return false
}

// oneMatches compares a candidate with x ⊕ f(e, y), for one choice of the entries' constant:
// first at a few points, which refute nearly all.
func (f *filter) oneMatches(p *probes, choice int, t *trial) bool {
	out := p.tape.RunFirst(f.inputs(p.tape, f.started(p, choice, 0, t), f.blocks[0]), tape.Few)
	var left []int
	n := len(f.types)
	for i := 0; i < len(out); i += n {
		if f.equal(t.want[0], out[i:i+n], tape.Few) {
			left = append(left, i)
		}
	}
	for r := 0; r < rounds && len(left) > 0; r++ {
		out := f.run(p.tape, f.started(p, choice, r, t), f.blocks[r])
		left = slices.DeleteFunc(left, func(i int) bool { return !f.equal(t.want[r], out[i:i+n], tape.Lanes) })
	}
	return len(left) > 0
}

// started gives k0 a choice's values and y the values of f(e, y), in a block.
func (f *filter) started(p *probes, choice, r int, t *trial) map[ir.Expr]*row {
	clear(f.env)
	f.env[f.pool.K(0, f.constant)] = &t.choices[r][choice]
	h := f.start(p, choice, r, t)
	for i := range h {
		f.env[f.ys[i]] = &h[i]
	}
	return f.env
}

// start is f(e, y) in a block; the constant of e is that of f.env.
func (f *filter) start(p *probes, choice, r int, t *trial) []row {
	at := begin{p.key, choice}
	s := t.starts[at]
	if s == nil {
		s = new([rounds][]row)
		t.starts[at] = s
	}
	if s[r] == nil {
		env := map[ir.Expr]*row{}
		e := copied(f.run(p.identity, f.env, f.blocks[r]))
		for i := range f.types {
			env[f.xs[i]] = &e[i]
		}
		s[r] = copied(f.run(t.tape, env, f.blocks[r]))
	}
	return s[r]
}

// constants are what an entry's constant may be chosen as: the candidate's own, literals,
// and what the candidate gives where its operands are one literal.
func (f *filter) constants(es []ir.Expr) (terms []ir.Expr) {
	t := f.constant
	add := func(e ir.Expr) {
		if !slices.Contains(terms, e) {
			terms = append(terms, e)
		}
	}
	for i := range maxConstants {
		k := f.pool.K(i, t)
		add(k)
		switch {
		case t == ir.Bool:
			add(ir.NotOf(k))
		case !t.IsFloat() || f.w.allowed.Has(ir.Reassoc):
			add(ir.NegOf(k))
		}
	}
	var literals []ir.Expr
	var one, two ir.Expr
	switch {
	case t.IsFloat():
		one, two = f.pool.Float(t, 1), f.pool.Float(t, 2)
	case t.IsInt():
		one, two = f.pool.Const(t, 1), f.pool.Const(t, 2)
	}
	switch {
	case t == ir.Bool:
		literals = []ir.Expr{f.pool.Bool(false), f.pool.Bool(true)}
	case t.IsFloat():
		literals = []ir.Expr{f.pool.Float(t, 0), f.pool.Float(t, 1), f.pool.Float(t, -1)}
	default:
		literals = []ir.Expr{f.pool.Const(t, 0), f.pool.Const(t, 1), f.pool.Const(t, t.Wrap(^uint64(0))), f.pool.Const(t, t.Min()), f.pool.Const(t, t.Max())}
	}
	for _, c := range literals {
		add(c)
		if len(es) != 1 || f.types[0] != t {
			continue
		}
		at := f.pool.Map(es, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Var && e.Kind() != ir.Param {
				return c
			}
			return ir.Expr{}
		})[0]
		add(at)
		if c == one {
			add(ir.SubOf(at, two)) // of x + y + k0*x*y
		}
	}
	return terms
}

// keep makes an entry one that answers candidates.
func (f *filter) keep(op *prove.Proven) {
	if op.Side == proof.NoSide || len(constantsOf(op.Exprs)) > 1 {
		return
	}
	es, id := f.pool.Import(op.Exprs...), f.pool.Import(op.Identity...)
	f.orient(es, id)
	if !op.Commutative {
		f.orient(f.mirror(es), id)
	}
}

func (f *filter) orient(es, id []ir.Expr) {
	for _, phi := range f.bijections(len(constantsOf(es)) == 0) {
		seen, e := f.conjugate(es, phi), make([]ir.Expr, len(id))
		for i := range id {
			e[i] = phi.invert[i](id[i])
		}
		f.add(seen, e)
	}
}

func (f *filter) add(op, identity []ir.Expr) {
	constant := len(constantsOf(slices.Concat(op, identity))) > 0
	key := fmt.Sprint(constant, " ", ir.Strings(identity))
	i := slices.IndexFunc(f.probes, func(p *probes) bool { return p.key == key && len(p.ops) < mostProbes*len(op) })
	if i < 0 {
		i = len(f.probes)
		f.probes = append(f.probes, &probes{key: key, constant: constant, identity: tape.New(identity...)})
	}
	p := f.probes[i]
	p.ops, p.tape = append(p.ops, op...), nil
}

func constantsOf(es []ir.Expr) (ks []ir.Expr) {
	for _, v := range ir.Vars(es...) {
		if v.Kind() == ir.Param {
			ks = append(ks, v)
		}
	}
	return ks
}

// constantType is the type of an operator's constants: that of the first numeric component,
// else of the first.
func constantType(types []ir.Type) ir.Type {
	for _, t := range types {
		if t.IsNumeric() {
			return t
		}
	}
	return types[0]
}

// mirror exchanges x and y.
func (f *filter) mirror(es []ir.Expr) []ir.Expr {
	return f.pool.Map(es, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var:
			return ir.Expr{}
		case e.Kind() == ir.State:
			return f.pool.Y(e.Index(), e.Type())
		case e.Kind() == ir.Leaf:
			return f.pool.X(e.Index(), e.Type())
		}
		return e
	})
}

// bijection is a map of the values of each component onto themselves, and its inverse.
type bijection struct{ apply, invert []func(ir.Expr) ir.Expr }

// conjugate is φ⁻¹(φ(x) ⊕ φ(y)).
func (f *filter) conjugate(es []ir.Expr, phi bijection) []ir.Expr {
	inner := f.pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() != ir.Param {
			return phi.apply[e.Index()](e)
		}
		return ir.Expr{}
	})
	out := make([]ir.Expr, len(es))
	for i, e := range inner {
		out[i] = phi.invert[i](e)
	}
	return out
}

// bijections are those that the matcher's probing tries: of each component x, −x, ~x or
// !x; of a single one also x + k0 and k0 − x, where k0 is free for it.
func (f *filter) bijections(free bool) []bijection {
	all := []bijection{{}}
	for _, t := range f.types {
		var next []bijection
		for _, b := range all {
			for _, p := range f.bijectionsOf(t, free && len(f.types) == 1) {
				next = append(next, bijection{append(slices.Clone(b.apply), p[0]), append(slices.Clone(b.invert), p[1])})
			}
		}
		all = next
	}
	return all
}

func (f *filter) bijectionsOf(t ir.Type, shifts bool) [][2]func(ir.Expr) ir.Expr {
	type m = func(ir.Expr) ir.Expr
	self := func(e ir.Expr) ir.Expr { return e }
	out := [][2]m{{self, self}}
	if t == ir.Bool {
		return append(out, [2]m{ir.NotOf, ir.NotOf})
	}
	out = append(out, [2]m{ir.NegOf, ir.NegOf})
	if t.IsInt() && f.w.allowed == 0 {
		not := func(e ir.Expr) ir.Expr { return ir.Make(ir.BitNot, e) }
		out = append(out, [2]m{not, not})
	}
	if shifts && (t.IsInt() || f.w.allowed.Has(ir.Reassoc)) {
		k := f.pool.K(0, t)
		minus := func(e ir.Expr) ir.Expr { return ir.SubOf(k, e) }
		out = append(out, [2]m{func(e ir.Expr) ir.Expr { return ir.AddOf(e, k) }, func(e ir.Expr) ir.Expr { return ir.SubOf(e, k) }},
			[2]m{minus, minus})
	}
	return out
}
