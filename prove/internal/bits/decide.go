package bits

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Decider proves equations of booleans and integers that wrap bit by bit: both sides become a
// circuit, and that a bit of one differs from that of the other is refuted by learning
// clauses. Where that takes too long, gates that evaluation does not tell apart are shown to
// be equal first, from the inputs up.
type Decider struct {
	blaster
	solver   sat
	given    []lit
	open     [][2]lit // bits of both sides that are not shown to be the same
	cone     []int32  // what the solver may decide
	patterns []pattern
	found    int // points in the patterns that the solver found
}

// pattern is a value of each node, 64 at a time, for 64 values of the inputs.
type pattern []uint64

// Limits of one question.
const (
	fewTries   = 100 // conflicts of one question at first
	sweepTries = 60  // of one pair of gates
)

// New returns a Decider.
func New() *Decider { return &Decider{blaster: newBlaster()} }

// A Result is what the bits of both sides say.
type Result struct {
	Tree    *proof.Tree               // the certificate, where the sides are equal
	Counter *testpoint.Counterexample // where they differ, and evaluation confirms it
	Work    effort.Meter              // that was done
}

// Decide proves or refutes a problem in arithmetic that wraps by the bits of both sides. It
// gives up after so much work, as package effort counts it, and when the context ends; then
// neither Tree nor Counter is set. The certificate may take as much again.
func (s *Decider) Decide(ctx context.Context, p proof.Problem, limit int64) (r Result) {
	s.solver.ctx = ctx
	r.Work.Start(limit)
	small := s.build(p, effort.Circuits.Items(limit))
	r.Work.Spend(effort.Circuits, min(s.asked, s.mayAsk))
	if !small || r.Work.Done() {
		return r
	}
	literals := effort.Clauses.Items(r.Work.Left())
	s.start(literals)
	v := s.settle()
	r.Work.Spend(effort.Clauses, min(s.solver.work, literals))
	switch v {
	case impossible:
		r.Work.Hold(-limit)
		r.Tree = Diagrams(p, &r.Work)
	case possible:
		r.Counter = s.counterexample(p)
	}
	return r
}

// HasWords reports whether bits can decide an equation: its terms are booleans and integers, and integers occur.
func HasWords(p proof.Problem) (found bool) {
	if p.Left.Type().IsFloat() {
		return false
	}
	ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) { found = found || e.Type().IsInt() })
	return found
}

// build makes the circuit, for which it asks for so many gates at most. It reports whether that is small enough.
func (s *Decider) build(p proof.Problem, gates int) bool {
	s.blaster.reset()
	s.mayAsk = gates
	s.given, s.open, s.cone, s.patterns = s.given[:0], s.open[:0], s.cone[:0], s.patterns[:0]
	for _, g := range p.Given {
		s.given = append(s.given, s.bit(g))
	}
	l := s.word(p.Left)
	r := s.word(p.Right)
	if s.tooLarge() {
		return false
	}
	for i, a := range s.words[l] {
		if b := s.words[r][i]; a != b {
			s.open = append(s.open, [2]lit{a, b})
		}
	}
	if len(s.open) > 1 && isBitwise(p) {
		s.open = s.open[:1]
	}
	return true
}

// isBitwise reports whether every bit of both sides is the same function of the bits of words at the
// same place and of flags, so that one bit decides for all of them.
func isBitwise(p proof.Problem) bool {
	ok := len(p.Given) == 0
	ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
		switch t := e.Type(); e.Op() {
		case ir.Var, ir.Select, ir.And, ir.Or, ir.Not, ir.BitAnd, ir.BitOr, ir.BitXor, ir.BitNot:
		case ir.Const:
			ok = ok && (t == ir.Bool || e.Value() == 0 || e.Value() == t.Wrap(^uint64(0)))
		default:
			ok = false
		}
	})
	return ok
}

// start makes the clauses of the circuit, of which so many literals may be looked at.
func (s *Decider) start(literals int) {
	s.solver.start(len(s.gates), literals)
	s.solver.assert(yes)
	for n, g := range s.gates {
		s.assertGate(lit(2*n), g)
	}
	for _, g := range s.given {
		s.solver.assert(g)
	}
}

// assertGate says that n is what its gate computes.
func (s *Decider) assertGate(n lit, g gate) {
	a, b := g.a, g.b
	switch g.kind {
	case andGate:
		s.solver.assert(n.not(), a)
		s.solver.assert(n.not(), b)
		s.solver.assert(n, a.not(), b.not())
	case xorGate:
		s.solver.assert(n.not(), a, b)
		s.solver.assert(n.not(), a.not(), b.not())
		s.solver.assert(n, a, b.not())
		s.solver.assert(n, a.not(), b)
	}
}

// settle asks of each bit of both sides whether it can differ.
func (s *Decider) settle() verdict {
	v := s.compare(fewTries)
	if v == givenUp && s.sweep() {
		v = s.compare(s.solver.limit)
	}
	return v
}

// compare asks whether bits of both sides that are open differ, by so many conflicts each.
func (s *Decider) compare(conflicts int) verdict {
	var left [][2]lit
	for i, g := range s.open {
		switch s.differ(g[0], g[1], conflicts) {
		case possible:
			return possible
		case givenUp:
			left = append(left, g)
			if s.solver.spent() || conflicts == fewTries {
				s.open = append(left, s.open[i+1:]...)
				return givenUp
			}
		}
	}
	s.open = left
	if len(left) > 0 {
		return givenUp
	}
	return impossible
}

// differ asks whether two literals can be different.
func (s *Decider) differ(a, b lit, conflicts int) verdict {
	s.want(a, b)
	for range 2 {
		if v := s.solver.ask(conflicts, a, b.not()); v != impossible {
			return v
		}
		a, b = b, a
	}
	return impossible
}

// want makes the variables on which literals and the given conditions depend those to decide.
func (s *Decider) want(ls ...lit) {
	for _, v := range s.cone {
		s.solver.wanted[v] = false
	}
	s.cone = s.cone[:0]
	reach := func(l lit) {
		if v := l.node(); !s.solver.wanted[v] {
			s.solver.wanted[v] = true
			s.cone = append(s.cone, int32(v))
		}
	}
	for _, l := range ls {
		reach(l)
	}
	for _, l := range s.given {
		reach(l)
	}
	for i := 0; i < len(s.cone); i++ {
		if g := s.gates[s.cone[i]]; g.kind != inputGate {
			reach(g.a)
			reach(g.b)
		}
	}
	s.solver.work += len(s.cone)
}

// sweep shows from the inputs up that gates are the same, where evaluation does not tell them
// apart. It reports whether there is work left for more.
func (s *Decider) sweep() bool {
	for round := range testpoint.Rounds {
		p := make(pattern, len(s.gates))
		for i, in := range s.inputs {
			row := testpoint.Row(in.e.Type(), 0, round*testpoint.Rounds*4+i)
			for j, l := range s.words[in.word] {
				for lane, v := range row {
					p[l.node()] |= v >> j & 1 << lane
				}
			}
		}
		s.patterns = append(s.patterns, p)
	}
	s.patterns = append(s.patterns, make(pattern, len(s.gates)))
	for _, p := range s.patterns {
		s.run(p)
	}
	s.found = 0
	nodes := s.belowGoals()
	distinct := []int{0} // nodes of which no two are known to be the same
	class := map[string]lit{}
	for i := 0; i < len(nodes); i++ {
		if s.solver.spent() {
			return false
		}
		l, key := s.signature(nodes[i])
		s.solver.work += workOfClass + len(s.patterns)
		first, ok := class[key]
		if !ok {
			class[key] = l
			distinct = append(distinct, nodes[i])
			continue
		}
		if s.differ(l, first, sweepTries) == possible {
			s.remember()
			clear(class)
			s.solver.work += len(distinct) * (workOfClass + len(s.patterns))
			for _, n := range distinct {
				l, key := s.signature(n)
				class[key] = l
			}
			i--
		}
	}
	return true
}

// workOfClass is how many literals are looked at in the time that it takes to find or add a class.
const workOfClass = 16

// belowGoals lists the nodes on which the open bits depend, in their order.
func (s *Decider) belowGoals() []int {
	var goals []lit
	for _, g := range s.open {
		goals = append(goals, g[0], g[1])
	}
	s.want(goals...)
	var out []int
	for v := range s.gates {
		if s.solver.wanted[v] {
			out = append(out, v)
		}
	}
	return out
}

// run computes the gates from the inputs.
func (s *Decider) run(p pattern) {
	at := func(l lit) uint64 { return p[l.node()] ^ -uint64(l&1) }
	for n, g := range s.gates {
		switch g.kind {
		case andGate:
			p[n] = at(g.a) & at(g.b)
		case xorGate:
			p[n] = at(g.a) ^ at(g.b)
		}
	}
	s.solver.work += len(p) / 8
}

// signature returns the values of a node under all patterns, or those of its negation: of the two
// literals the one that is false at first.
func (s *Decider) signature(n int) (lit, string) {
	sign := s.patterns[0][n] & 1
	s.buf = s.buf[:0]
	for _, p := range s.patterns {
		s.buf = binary.LittleEndian.AppendUint64(s.buf, p[n]^-sign)
	}
	return lit(2*n) | lit(sign), string(s.buf)
}

// remember makes the last answer a point of the last pattern.
func (s *Decider) remember() {
	if s.found++; s.found%tape.Lanes == 0 {
		s.patterns = append(s.patterns, make(pattern, len(s.gates)))
	}
	p := s.patterns[len(s.patterns)-1]
	for _, in := range s.inputs {
		for _, l := range s.words[in.word] {
			if s.solver.model[l] > 0 {
				p[l.node()] |= 1 << (s.found % tape.Lanes)
			}
		}
	}
	s.run(p)
}

// counterexample returns the point at which the solver found a difference, where it can be one:
// what was not looked into may have values there that it never has.
func (s *Decider) counterexample(p proof.Problem) *testpoint.Counterexample {
	es := append([]ir.Expr{p.Left, p.Right}, p.Given...)
	if slices.ContainsFunc(es, ir.Expr.HasCall) {
		return nil
	}
	value := map[ir.Expr]uint64{}
	for _, in := range s.inputs {
		var v uint64
		for i, l := range s.words[in.word] {
			if s.solver.model[l] > 0 {
				v |= 1 << i
			}
		}
		value[in.e] = in.e.Type().Wrap(v)
	}
	c := &testpoint.Counterexample{Type: p.Left.Type()}
	for _, v := range ir.Vars(es...) { // of which those that were not looked at are 0
		c.Inputs, c.Values = append(c.Inputs, v), append(c.Values, value[v])
	}
	out := ir.EvalAll(es, &ir.Env{Var: func(v ir.Expr) uint64 { return value[v] }})
	c.Left, c.Right = out[0], out[1]
	if c.Left == c.Right || slices.Contains(out[2:], 0) {
		return nil
	}
	return c
}
