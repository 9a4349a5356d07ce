package search

import (
	"context"
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Search proves one equation after another by cases: it evaluates both sides, splits on the
// condition at which evaluation stops, and drops the branches whose decisions contradict each
// other. It keeps its memory from one proof to the next; it is not safe for concurrent use.
type Search struct {
	*symbolic
	ctx       context.Context
	given     []ir.Expr
	lhs, rhs  ir.Expr
	describe  bool                     // says conditions in words, and which decisions a contradiction rests on
	splitAt   map[*proof.Tree]decision // of the splits made so far, where they are described
	wordsLeft int                      // bytes that may still describe them
	using     []int                    // the facts that contradictions found since used was called rest on …
	usesAll   bool                     // … or all of them
	facts     []fact
	carries   []carried
	rewrites  []rewrite
	signed    []ir.Expr // whose sign is known on this path
	splits    int       // by the sign of a variable
	refuter   refuter
	budget    int // nodes of the case tree that may still be made
	limit     int // of the refuter's work
	depth     int
	cancelled bool
	constrain constraintBuilder
}

// carried says that the value of the modular sum p is Σ c·m − q·2^bits.
type carried struct {
	typ ir.Type
	p   poly.Poly
	q   int64
}

// decision is a condition by its number, and whether Then is the case in which it holds.
type decision struct {
	cond  int
	holds bool
}

// fact is a decided condition.
type fact struct {
	condition
	holds bool
}

const (
	maxNodes      = 20000 // of one case tree
	maxDepth      = 200
	maxCarries    = 8   // on one path
	workOfNode    = 100 // which pays for as many expressions that are evaluated
	workOfTerm    = 4   // that is summed where equations and denominators are used
	workOfProduct = 20  // of two facts

	summedOfWork = 3 // terms that are summed anywhere, in the time of one step
)

// New returns a Search.
func New() *Search { return &Search{symbolic: newSymbolic()} }

// Options say how far a search goes, and what it writes.
type Options struct {
	// Limit bounds the work, in steps of some ten nanoseconds that are counted, not timed.
	Limit int
	// Describe writes conditions of cases in words as well.
	Describe bool
	// Plain leaves out sums of many inequalities of one left side.
	Plain bool
	// Choices finds nothing but a proof in which selects are unknown numbers.
	Choices bool
}

// A Result is the outcome of a search.
type Result struct {
	Tree    *proof.Tree // nil where no proof was found
	Work    int         // that was done, at most Options.Limit
	Stopped bool        // the context ended the search
}

// Prove searches a proof of a problem under exactly the given assumptions.
func (s *Search) Prove(ctx context.Context, p proof.Problem, assume ir.Assume, o Options) Result {
	if p.Left == p.Right {
		return Result{Tree: leafEqual}
	}
	s.start(p.Left.Pool(), assume)
	s.ctx, s.given, s.lhs, s.rhs, s.describe = ctx, p.Given, p.Left, p.Right, o.Describe
	s.depth, s.cancelled, s.evaluated = 0, false, 0
	s.refuter.work, s.refuter.keepsAll = 0, o.Plain
	s.ps.Summed, s.ps.Limit = 0, max(o.Limit, o.Limit*summedOfWork)
	s.splitAt, s.wordsLeft = nil, maxWords
	var tree *proof.Tree
	if o.Choices {
		tree = s.runChoices(o.Limit)
	} else {
		tree = s.runPredicates(o.Limit)
	}
	if tree == nil && !o.Choices {
		s.budget, s.limit = maxNodes, o.Limit
		tree = s.run()
	}
	if s.ps.Overflow || s.cancelled {
		tree = nil
	}
	s.nameCases(tree)
	return Result{tree, min(s.refuter.work+s.ps.Summed/summedOfWork, o.Limit), s.cancelled}
}

// Bounds of a search in which selects are unknown numbers: the nodes of its tree, and the part of the work.
const (
	maxChoices  = 30
	choicesPart = 16
)

// runChoices searches a proof in which selects are unknown numbers. It returns nil where it finds none.
func (s *Search) runChoices(limit int) *proof.Tree {
	s.choices = true
	s.budget, s.limit = maxChoices, limit/choicesPart
	tree := s.run()
	s.choices = false
	s.forget()
	if tree == nil || s.ps.Overflow || s.cancelled {
		return nil
	}
	return &proof.Tree{Kind: proof.Choices, Then: tree}
}

// mentionsLimit reports whether a float in an expression may be a literal that is no number.
func mentionsLimit(e ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type().IsFloat() {
			f := ir.Float(e.Type(), e.Value())
			found = found || f-f != 0
		}
	})
	return found
}

// maxPredicates bounds the nodes of a case tree where comparisons are predicates: it has few, or none is found.
const maxPredicates = 500

// runPredicates searches a proof in which comparisons of floats are uninterpreted predicates: two comparisons agree if they compare
// the same values. It returns nil where it finds none. A comparison is then one decision and not seven, which ask whether a side
// is NaN, which is less, and whether both are zero.
func (s *Search) runPredicates(limit int) *proof.Tree {
	if !comparesFloats(s.assume, append(slices.Clone(s.given), s.lhs, s.rhs)) {
		return nil
	}
	s.predicates = true
	s.budget, s.limit = maxPredicates, limit/4
	tree := s.run()
	s.predicates = false
	s.forget()
	if tree == nil || s.ps.Overflow || s.cancelled {
		return nil
	}
	return &proof.Tree{Kind: proof.Predicates, Then: tree}
}

// comparesFloats reports whether there are comparisons of floats that are not taken for real numbers.
func comparesFloats(assume ir.Assume, es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		switch e.Op() {
		case ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne:
			t := e.Arg(0).Type()
			found = found || t.IsFloat() && poly.DomainOf(t, assume) == 0
		}
	})
	return found
}

// run searches a proof of lhs = rhs; nil where none is found.
func (s *Search) run() *proof.Tree {
	s.facts, s.carries, s.rewrites, s.signed = s.facts[:0], s.carries[:0], s.rewrites[:0], s.signed[:0]
	s.splits = 0
	s.using, s.usesAll = nil, false
	s.constrain.restart()
	return s.solve()
}

// solve proves the goal under decisions that do not contradict each other.
func (s *Search) solve() *proof.Tree { return s.settle(false) }

// branch proves the goal under one decision more than solve: the last one may contradict the others.
func (s *Search) branch() *proof.Tree { return s.settle(true) }

// settle proves the goal under the decisions made so far. Whether a new one contradicts the
// others is asked only where evaluation leaves the goal open: it costs more.
func (s *Search) settle(decided bool) *proof.Tree {
	found := s.evaluate()
	need, flip := s.need, s.flip
	s.using, s.usesAll = nil, false
	if decided && (found == undecided || found == sidesDiffer) && s.contradictory(allFacts) {
		return s.absurd()
	}
	s.budget--
	s.refuter.work += max(workOfNode, s.evaluated)
	s.evaluated = 0
	if s.budget < 0 || s.depth > maxDepth || s.ps.Overflow || s.stopped() {
		return nil
	}
	switch found {
	case sidesEqual:
		return leafEqual
	case vacuous:
		return leafVacuous
	case undecided:
		return s.split(need, flip)
	}
	return s.close()
}

func (s *Search) stopped() bool {
	if !s.cancelled && s.ctx.Err() != nil {
		s.cancelled = true
	}
	return s.cancelled || s.refuter.work+s.ps.Summed/summedOfWork > s.limit
}

type outcome uint8

const (
	undecided outcome = iota
	sidesEqual
	sidesDiffer
	vacuous // a given condition is false here
)

func (s *Search) evaluate() outcome {
	for _, g := range s.given {
		v, ok := s.truth(g)
		if !ok {
			return undecided
		}
		if !v {
			return vacuous
		}
	}
	if s.lhs.Type() == ir.Bool {
		return s.evaluateTruths()
	}
	a, ok := s.number(s.lhs)
	if !ok {
		return undecided
	}
	b, ok := s.number(s.rhs)
	switch {
	case !ok:
		return undecided
	case a == b || s.equalAfterRewriting(a, b):
		return sidesEqual
	}
	return s.bothNaN(a, b)
}

// bothNaN settles the case that one side is NaN, whichever NaN it is.
func (s *Search) bothNaN(a, b poly.Poly) outcome {
	t := s.lhs.Type()
	if !t.IsFloat() || s.assume.Has(ir.NNaN) {
		return sidesDiffer
	}
	for _, side := range [2][2]poly.Poly{{a, b}, {b, a}} {
		if s.knownNaN(t, side[0]) {
			nan, ok := s.isNaN(t, side[1])
			switch {
			case !ok:
				return undecided
			case nan:
				return sidesEqual
			}
		}
	}
	return sidesDiffer
}

// knownNaN reports whether p is the literal NaN or was decided to be NaN.
func (s *Search) knownNaN(t ir.Type, p poly.Poly) bool {
	if v, ok := s.constBits(p); ok {
		f := ir.Float(t, v)
		return f != f
	}
	id, seen := s.condition(condition{condNaN, t, p, 0})
	return seen && s.decided[id] == 1
}

func (s *Search) evaluateTruths() outcome {
	a, ok := s.truth(s.lhs)
	if !ok {
		return undecided
	}
	b, ok := s.truth(s.rhs)
	switch {
	case !ok:
		return undecided
	case a == b:
		return sidesEqual
	}
	return sidesDiffer
}

// split proves the goal in two cases: the condition that evaluation asked for holds, or it does not. With flip, that condition is
// the negation of cond. So Then is the same case for the checker, whatever numbers cond and its negation have here.
func (s *Search) split(cond int, flip bool) *proof.Tree {
	t := &proof.Tree{Kind: proof.Split}
	if s.describe {
		if s.splitAt == nil {
			s.splitAt = map[*proof.Tree]decision{}
		}
		s.splitAt[t] = decision{cond, !flip}
	}
	for i, holds := range [2]bool{!flip, flip} {
		branch := s.decideAs(cond, holds)
		if branch == nil {
			return nil
		}
		if i == 0 {
			t.Then = branch
		} else {
			t.Else = branch
		}
	}
	return t
}

// decideAs proves the goal with one more decision.
func (s *Search) decideAs(cond int, holds bool) *proof.Tree {
	m := s.mark()
	c := s.conds[cond]
	s.decided[cond] = -1
	if holds {
		s.decided[cond] = 1
	}
	s.facts = append(s.facts, fact{c, holds})
	s.depth++
	t := s.branch()
	s.depth--
	s.facts = s.facts[:len(s.facts)-1]
	s.decided[cond] = 0
	s.cutTrail(m)
	return t
}

// contradictory reports whether the facts exclude each other, when they are multiplied as
// far as most says.
//
//	x < y, y < z, z < x   →   0 < 0 is their sum
func (s *Search) contradictory(most multiplied, extra ...fact) bool {
	n := 0
	for _, f := range s.facts {
		if f.kind == condLess {
			n++
		}
	}
	if n+len(extra) < 2 && len(s.carries) == 0 && !s.mentionsBounded() && !s.mentionsRemainder(extra) {
		return false
	}
	b := &s.constrain
	b.start(s)
	for _, f := range extra {
		b.fact(f)
	}
	b.relate()
	for level := noFacts; level <= most && b.multiply(level); level++ {
		b.limit()
		given := s.refuter.mark()
		if s.refuter.contradiction() {
			s.rests(level)
			return true
		}
		s.refuter.cut(given)
	}
	return false
}

// rests records the facts that the last contradiction was derived from, for the certificate. Products of facts
// are not traced: such a contradiction may rest on all of them.
func (s *Search) rests(level multiplied) {
	switch {
	case !s.describe:
	case level == noFacts:
		s.using = s.refuter.core(s.using)
	default:
		s.usesAll = true
	}
}

// used returns the facts that rests noted since the last call. It is nil where a contradiction may rest on all facts.
func (s *Search) used() []int {
	using := s.using
	if s.usesAll || len(using) == len(s.facts) {
		using = nil
	}
	s.using, s.usesAll = nil, false
	slices.Sort(using)
	return using
}

// hint returns the refutation of a leaf, which names the facts that contradict each other and leaves the rest to Certify.
func hint(using []int) []proof.Refutation {
	if using == nil {
		return nil
	}
	return []proof.Refutation{{Using: using}}
}

// absurd returns the leaf for decisions that contradict each other.
func (s *Search) absurd() *proof.Tree {
	if using := s.used(); using != nil {
		return &proof.Tree{Kind: proof.Absurd, Why: hint(using)}
	}
	return leafAbsurd
}

// mentionsBounded reports whether the last fact alone may contradict what is known of its
// quantities: it compares with a literal, or a quantity of a smaller range.
func (s *Search) mentionsBounded() bool {
	if len(s.facts) == 0 {
		return false
	}
	f := s.facts[len(s.facts)-1]
	if f.kind != condLess {
		return false
	}
	if d := s.domain(f.typ); d == poly.Integer || d == poly.Real {
		return f.typ.IsUnsigned() || s.nonlinear(f.p)
	}
	_, a := s.orderKey(f.typ, f.p)
	_, b := s.orderKey(f.typ, f.q)
	return a || b || s.constrain.special(s, f.p) || s.constrain.special(s, f.q)
}

// mentionsRemainder reports whether a fact compares a sum with a remainder.
func (s *Search) mentionsRemainder(facts []fact) bool {
	for _, f := range facts {
		for i := range s.ps.Len(f.p) {
			t := s.ps.Term(f.p, i)
			q := quantity{typ: f.typ, p: s.ps.OfMono(t.Mono)}
			if _, ok := s.remainder(q); ok {
				return true
			}
		}
	}
	return false
}

// close is called where both sides are evaluated and not identical. It tries squeezing, equations, signs and other proofs of their
// equality, but where selects are unknown numbers: of those little follows.
func (s *Search) close() *proof.Tree {
	if s.choices || s.stopped() {
		return nil
	}
	t := s.lhs.Type()
	if t.IsNumeric() {
		if s.squeezed(t) {
			if using := s.used(); using != nil {
				return &proof.Tree{Kind: proof.Squeeze, Why: hint(using)}
			}
			return leafSqueeze
		}
		if tree := s.useEquations(); tree != nil {
			return tree
		}
	}
	if tree := s.signs(); tree != nil {
		return tree
	}
	return s.carry()
}

// squeezed reports whether neither side can be below the other.
//
//	x = y, where neither x < y nor y < x   →   neither side can be below the other
func (s *Search) squeezed(t ir.Type) bool {
	a, _ := s.number(s.lhs)
	b, _ := s.number(s.rhs)
	return s.forcedEqual(allFacts, t, a, b)
}

func (s *Search) forcedEqual(most multiplied, t ir.Type, a, b poly.Poly) bool {
	d := s.domain(t)
	if len(s.facts) == 0 && len(s.carries) == 0 && d != poly.Integer {
		return false
	}
	if d == poly.Integer || d == poly.Real {
		a, b = s.ps.Add(d, a, -1, b), poly.Zero
		if !s.contradictory(most, fact{condition{condLess, t, a, b}, true}) {
			return false
		}
		return s.contradictory(most, fact{condition{condLess, t, s.ps.Add(d, poly.Zero, -1, a), b}, true})
	}
	return s.contradictory(most, fact{condition{condLess, t, a, b}, true}) &&
		s.contradictory(most, fact{condition{condLess, t, b, a}, true})
}
