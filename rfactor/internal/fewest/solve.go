package fewest

import (
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// family is a product of steps whose function gives the variables of its inputs back.
type family struct {
	steps  []step
	vars   []ir.Expr
	values []ir.Expr // at the states, over vars
	reads  []ir.Expr // a term for each variable, over Search.at
}

// solve returns a family with terms that read its variables; nil where there are none.
//
//	p1; p0 + p1   at two states   →   p1 = q0;  p0 = q1 - q0
func (s *Search) solve(steps []step) *family {
	f := &family{steps: steps}
	for _, by := range steps {
		f.vars = append(f.vars, by.vars()...)
	}
	f.values = s.after(steps)
	known := map[ir.Expr]ir.Expr{}
	for len(known) < len(f.vars) {
		if s.solveOne(f, known) {
			continue
		}
		before := len(known)
		if s.linear(f, known); len(known) == before {
			return nil
		}
	}
	for _, v := range f.vars {
		f.reads = append(f.reads, canon.Greedy(known[v], 0))
	}
	return f
}

// solveOne finds a term for one variable more. It reports whether there is one.
func (s *Search) solveOne(f *family, known map[ir.Expr]ir.Expr) bool {
	for i, e := range f.values {
		s.Meter.Spend(effort.Terms, 1)
		v, n := unknown(e, known)
		if n != 1 {
			continue
		}
		if r := inverse(e, s.at[i], v, known); r.IsValid() {
			known[v] = r
			return true
		}
	}
	return false
}

// unknown returns the variable of an expression that is not known, and how often it occurs in it; where there
// are several, the occurrences of all.
func unknown(e ir.Expr, known map[ir.Expr]ir.Expr) (v ir.Expr, n int) {
	if e.Op() == ir.Var {
		if _, ok := known[e]; ok {
			return v, 0
		}
		return e, 1
	}
	for i := range e.NumArgs() {
		w, m := unknown(e.Arg(i), known)
		if m > 0 {
			v = w
		}
		if n += m; n > 1 {
			break
		}
	}
	return v, n
}

// inverse returns what v is where e, in which it occurs once, has the value is; the zero Expr where that is not known.
func inverse(e, is, v ir.Expr, known map[ir.Expr]ir.Expr) ir.Expr {
	if e == v {
		return is
	}
	within := -1
	for i := range e.NumArgs() {
		if _, n := unknown(e.Arg(i), known); n > 0 {
			within = i
		}
	}
	if e.NumArgs() == 1 {
		return inverseOfOne(e, is, v, known)
	}
	if e.NumArgs() != 2 {
		return ir.Expr{}
	}
	other := given(e.Arg(1-within), known)
	is = inverseOfTwo(e, is, other, within)
	if !is.IsValid() {
		return is
	}
	return inverse(e.Arg(within), is, v, known)
}

func inverseOfOne(e, is, v ir.Expr, known map[ir.Expr]ir.Expr) ir.Expr {
	a := e.Arg(0)
	switch e.Op() {
	case ir.Neg, ir.Not, ir.BitNot, ir.BitReverse:
		return inverse(a, ir.Make(e.Op(), is), v, known)
	case ir.Cast:
		from, to := a.Type(), e.Type()
		if from.IsInt() && to.IsInt() && from.Bits() <= to.Bits() {
			return inverse(a, ir.CastTo(from, is), v, known)
		}
	}
	return ir.Expr{}
}

// inverseOfTwo returns what operand number within of e is where e has the value is, and the other operand is other.
func inverseOfTwo(e, is, other ir.Expr, within int) ir.Expr {
	t := e.Type()
	switch {
	case e.Op() == ir.BitXor, e.Op() == ir.Ne && other.Type() == ir.Bool:
		return ir.Make(e.Op(), is, other)
	case e.Op() == ir.Eq && other.Type() == ir.Bool:
		return ir.Make(e.Op(), is, other)
	case !t.IsInt():
		return ir.Expr{}
	case e.Op() == ir.Add:
		return fold.Add(is, fold.Neg(other))
	case e.Op() == ir.Sub && within == 0:
		return fold.Add(is, other)
	case e.Op() == ir.Sub:
		return fold.Add(other, fold.Neg(is))
	case e.Op() == ir.Mul && other.Op() == ir.Const && other.Value()&1 != 0:
		return fold.Mul(is, is.Pool().Const(t, t.Wrap(inverseModulo(other.Value()))))
	}
	return ir.Expr{}
}

// inverseModulo returns the inverse of an odd number modulo 2⁶⁴, by Newton's iteration.
func inverseModulo(a uint64) uint64 {
	x := a
	for range 6 {
		x *= 2 - a*x
	}
	return x
}

// given returns an expression over the values that known variables are read from.
func given(e ir.Expr, known map[ir.Expr]ir.Expr) ir.Expr {
	return e.Pool().Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr { return known[e] })[0]
}

// complete adds products that are not of the family until there are enough functions, and proves the reads; nil
// where that fails.
func (s *Search) complete(f *family) *verify.Products {
	types := []ir.Type{}
	for _, v := range f.vars {
		types = append(types, v.Type())
	}
	need := new(big.Int).Sub(s.Values, verify.Values(types))
	need.Add(need, big.NewInt(1))
	if need.Cmp(big.NewInt(maxMore)) > 0 {
		return nil
	}
	more := s.more(f, int(need.Int64()))
	if len(more) < int(need.Int64()) {
		return nil
	}
	return s.written(f, more)
}

// other is a product of literal steps.
type other struct {
	steps  []step
	values []ir.Expr // at the states
	of     []ir.Expr // those of the function of the family that it would be
}

// more returns products, up to so many, that differ from one another and from the family at the states: a few of each
// small length, and then all that there are, the shortest first.
func (s *Search) more(f *family, need int) []other {
	if need <= 0 {
		return nil
	}
	m := &gathering{s: s, f: f, need: need}
	menu := s.menu(false)
	pick := uint32(1)
	for length := range maxProbe {
		for range min(maxProbes, len(menu)) {
			var c []step
			for range length + 1 {
				pick = pick*1664525 + 1013904223
				c = append(c, menu[int(pick>>16)%len(menu)])
			}
			m.look(c)
		}
	}
	chains, reached := [][]step{nil}, [][]ir.Expr(nil)
	for length := 0; len(chains) > 0 && length < maxSteps; length++ {
		var longer [][]step
		for _, c := range chains {
			for _, by := range menu {
				if m.done() {
					return m.out
				}
				c := append(slices.Clip(c), by)
				if values := m.look(c); !has(reached, values) {
					reached, longer = append(reached, values), append(longer, c)
				}
			}
		}
		chains = longer
	}
	return m.out
}

// Bounds of products beside a family.
const (
	maxSteps  = 12 // of one
	maxProbe  = 4  // steps of those that are tried first …
	maxProbes = 6  // … so many of each length
)

// gathering gathers products that are not of a family.
type gathering struct {
	s    *Search
	f    *family
	need int
	out  []other
	seen [][]ir.Expr // values of products
}

func (m *gathering) done() bool { return len(m.out) >= m.need || m.s.Meter.Done() }

// look takes a product if it is new. It returns its values.
func (m *gathering) look(c []step) []ir.Expr {
	o := other{steps: c, values: m.s.after(c)}
	if has(m.seen, o.values) || m.done() {
		return o.values
	}
	m.seen = append(m.seen, o.values)
	if o.of = m.s.simplified(m.f.values, m.f.vars, m.s.simplified(m.f.reads, m.s.at, o.values)); !slices.Equal(o.of, o.values) {
		m.out = append(m.out, o)
	}
	return o.values
}

func has(list [][]ir.Expr, values []ir.Expr) bool {
	return slices.ContainsFunc(list, func(v []ir.Expr) bool { return slices.Equal(v, values) })
}

// needed returns the numbers of states that suffice to read the family's variables and to tell other products apart.
func (s *Search) needed(f *family, more []other) (out []int) {
	n := len(s.types)
	for _, v := range ir.Vars(f.reads...) {
		out = append(out, (v.Index()-firstValue)/n)
	}
	alike := func(a, b []ir.Expr) bool {
		return !slices.ContainsFunc(out, func(i int) bool { return !slices.Equal(a[i*n:i*n+n], b[i*n:i*n+n]) })
	}
	tell := func(a, b []ir.Expr) {
		if !alike(a, b) {
			return
		}
		for i := range a {
			if a[i] != b[i] {
				out = append(out, i/n)
				return
			}
		}
	}
	for i, o := range more {
		tell(o.values, o.of)
		for _, p := range more[:i] {
			tell(o.values, p.values)
		}
	}
	if len(out) == 0 {
		out = append(out, 0)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// written returns what was found, at the states that are needed; nil where a read is not proven.
func (s *Search) written(f *family, more []other) *verify.Products {
	out := &verify.Products{Types: []string{}, Reads: []verify.Reading{}, More: [][]verify.Factor{}}
	var ok bool
	if out.Steps, ok = s.factors(f.steps, out, map[*power]int{}); !ok {
		return nil
	}
	if len(s.constants) > 0 {
		out.Constants = map[string]string{}
	}
	for i, k := range s.constants {
		out.Constants[k.Name()] = s.are[i].String()
	}
	var from, to, values []ir.Expr // values at states by their number before, by that of the states that are needed, and what they are
	for at, i := range s.needed(f, more) {
		texts := []string{}
		for j, e := range s.states[i] {
			texts = append(texts, e.String())
			from, to = append(from, s.at[i*len(s.types)+j]), append(to, s.at[at*len(s.types)+j])
		}
		out.States = append(out.States, texts)
		values = append(values, s.product(s.states[i], f.steps)...)
	}
	for i, v := range f.vars {
		read := s.with(f.reads[i:i+1], from, to)
		tree := s.Prove(proof.Problem{Left: s.with(read, to, values)[0], Right: v})
		if tree == nil {
			return nil
		}
		out.Types = append(out.Types, v.Type().String())
		out.Reads = append(out.Reads, verify.Reading{Term: read[0].String(), Proof: tree})
	}
	for _, o := range more {
		factors, _ := s.factors(o.steps, out, nil) // of literals alone
		out.More = append(out.More, factors)
	}
	return out
}

// product returns what a product of steps makes of a state, with nothing simplified: as the checker computes it.
func (s *Search) product(x []ir.Expr, steps []step) []ir.Expr {
	for _, by := range steps {
		to, of, are := s.does(by)
		if by.power == nil {
			to = s.Update
		}
		x = s.with(to, slices.Concat(s.state, of), slices.Concat(x, are))
	}
	return s.with(x, s.constants, s.are)
}

// factors writes steps down. Powers are numbered in the order in which they are met.
func (s *Search) factors(steps []step, out *verify.Products, numbers map[*power]int) (factors []verify.Factor, ok bool) {
	for _, by := range steps {
		if by.power == nil {
			factors = append(factors, verify.Factor{Inputs: s.inputs(by.inputs)})
			continue
		}
		if numbers[by.power] == 0 {
			p := s.proven(by.power)
			if p == nil {
				return nil, false
			}
			out.Powers = append(out.Powers, *p)
			numbers[by.power] = len(out.Powers)
		}
		factors = append(factors, verify.Factor{Power: numbers[by.power], Times: by.times.String()})
	}
	return factors, true
}

func (s *Search) inputs(es []ir.Expr) map[string]string {
	out := map[string]string{}
	for i, v := range s.leaves {
		out[v.Name()] = es[i].String()
	}
	return out
}
