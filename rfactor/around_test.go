package rfactor

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/internal/generated"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
)

var (
	aroundLines = flag.Int("around", suite.More(0, 60), "how many random updates TestAround matches; 0 for aroundKinds")
	aroundFirst = flag.Int("around-first", 0, "the number of the first random update of TestAround")
)

// aroundKinds are numbers of random updates below 60 that have 59 of the 67 kinds of answers among these, which randomKinds tells; the first 12 have 34.
var aroundKinds = []int{1, 6, 7, 8, 9, 10, 11, 14, 16, 19, 21, 24, 26, 27, 28, 40}

// randomLine returns the n-th random update: half of them near operators of the table, half of them terms
// of package drawn over two states of a type.
func randomLine(n int) *ir.Update {
	rng := rand.New(rand.NewPCG(uint64(n), 41))
	if n%2 == 0 {
		var seed [8]byte
		for i := range seed {
			seed[i] = byte(rng.Uint32())
		}
		u, _ := generated.New(seed[:]).Update()
		return u
	}
	return drawn.Update(rng)
}

// TestAround holds what is said around answers to random updates against the reference evaluator, and
// against what is answered under other assumptions.
func TestAround(t *testing.T) {
	t.Parallel()
	numbers := aroundKinds
	if *aroundLines > 0 {
		numbers = nil
		for i := range *aroundLines {
			numbers = append(numbers, *aroundFirst+i)
		}
	}
	said, n := map[string]int{}, len(numbers)
	for _, i := range numbers {
		u := randomLine(i)
		all := []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions, 0, ir.NNaN | ir.NSZ | ir.NInf}
		answers := make([]*Answer, len(all))
		for j, allowed := range all {
			a, _, err := matchProven(u, Options{Allowed: allowed})
			if err != nil {
				t.Fatal(err)
			}
			answers[j] = a
			s := &saidOf{T: t, u: u, a: a, allowed: allowed, said: said}
			s.counterexample()
			s.nearest()
			s.hint()
			s.least()
		}
		for j, a := range answers {
			for k, b := range answers {
				if a.Status != Associative || b.Status != Associative || !all[j].Has(all[k]) {
					continue
				}
				if b.Assumes != a.Assumes && a.Assumes.Has(b.Assumes) {
					said["more where more is allowed"]++
					t.Logf("%s: under %s %s by %s assuming %s; under %s %s by %s assuming %s", lineText(u), all[j], ir.Strings(a.Operator.Exprs), a.Via(), a.Assumes,
						all[k], ir.Strings(b.Operator.Exprs), b.Via(), b.Assumes)
				}
			}
		}
	}
	t.Logf("of %d updates: %v", n, said)
	// An operator of the table is preferred to others that assume less, and an operand to one that only
	// proofs by other means reach: so few are not least. Of the assumptions of answers one in a thousand may be in vain.
	for what, most := range map[string]int{"more where more is allowed": n / 50, "hints with more than needed": n / 50, "assumptions in vain": said["assumptions"] / 1000} {
		if said[what] > 1+most {
			t.Errorf("%s: %d in %d updates", what, said[what], n)
		}
	}
}

// lineText writes an update with its types, as a line of a corpus has it.
func lineText(u *ir.Update) string {
	var types []string
	for i, t := range u.Types {
		types = append(types, fmt.Sprintf("x%d:%s", i, t))
	}
	for _, v := range ir.Vars(u.Values...) {
		if v.Kind() != ir.State {
			types = append(types, fmt.Sprintf("%s:%s", v, v.Type()))
		}
	}
	return strings.Join(types, ",") + " '" + ir.Strings(u.Values) + "'"
}

// saidOf is an answer to an update under some assumptions, whose words are tested.
type saidOf struct {
	*testing.T
	u       *ir.Update
	a       *Answer
	allowed ir.Assume
	said    map[string]int
}

// under matches the update again.
func (s *saidOf) under(allowed ir.Assume, given []ir.Expr) *Answer {
	s.Helper()
	v := *s.u
	v.Given = v.Pool.Import(given...)
	b, err := Match(context.Background(), &v, Options{Allowed: allowed, Named: ir.Reassoc})
	if err != nil {
		s.Fatal(err)
	}
	return b
}

// wrong reports something untrue.
func (s *saidOf) wrong(format string, args ...any) {
	s.Helper()
	s.Errorf("%s -assume %s\n\t%s: %s\n\t%s", lineText(s.u), s.allowed, s.a.Code, s.a.Reason, fmt.Sprintf(format, args...))
}

// counterexample evaluates (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) where the refusal says that they differ.
func (s *saidOf) counterexample() {
	a, c := s.a, s.a.Counter
	if c == nil {
		return
	}
	s.said["counterexamples"]++
	env, p, n := pointOf(c), a.Pool(), len(a.Types)
	x := func(i int) uint64 { return env.Var(p.X(i, a.Types[i])) }
	y := func(i int) uint64 { return env.Var(p.Y(i, a.Types[i])) }
	z := func(i int) uint64 { return env.Var(p.Var(ir.Leaf, fmt.Sprint("z", i), n+i, a.Types[i])) }
	e := &stepEvaluator{s: s, env: env}
	left := e.step(a.Refuted, func(i int) uint64 { return e.step(i, x, y) }, z)
	right := e.step(a.Refuted, x, func(i int) uint64 { return e.step(i, y, z) })
	switch {
	case left != c.Left || right != c.Right:
		s.wrong("counterexample: the sides are %v and %v, not %v and %v", left, right, c.Left, c.Right)
	case left == right || testpoint.Close(a.Types[a.Refuted], s.allowed, left, right):
		s.wrong("counterexample: the sides %v and %v are the same", left, right)
	case e.broken:
		s.wrong("counterexample: a term is NaN or infinite")
	}
}

// stepEvaluator evaluates x ⊕ y, the update of x where y stands for the terms that have roles. Only what
// a component depends on is evaluated.
type stepEvaluator struct {
	s      *saidOf
	env    *ir.Env // of constants
	broken bool    // a float is NaN or infinite that is assumed not to be
}

// step evaluates a component of x ⊕ y.
func (v *stepEvaluator) step(component int, x, y func(int) uint64) uint64 {
	return v.eval(v.s.a.Update[component], x, y)
}

func (v *stepEvaluator) eval(e ir.Expr, x, y func(int) uint64) uint64 {
	if i := slices.Index(v.s.a.Roles, e); i >= 0 {
		return y(i)
	}
	if e.Op() == ir.Var && e.Kind() == ir.State {
		return x(e.Index())
	}
	if e.NumArgs() == 0 || e.Op() == ir.Call {
		return ir.Eval(e, v.env)
	}
	var args []ir.Expr
	for i := range e.NumArgs() {
		args = append(args, v.s.a.Pool().Const(e.Arg(i).Type(), v.eval(e.Arg(i), x, y)))
	}
	bits := ir.Eval(ir.Rebuild(e, args), v.env)
	if t := e.Type(); t.IsFloat() {
		f := ir.Float(t, bits)
		v.broken = v.broken || v.s.allowed.Has(ir.NNaN) && math.IsNaN(f) || v.s.allowed.Has(ir.NInf) && math.IsInf(f, 0)
	}
	return bits
}

// nearest evaluates the update and the operator that is said to be near it.
func (s *saidOf) nearest() {
	if s.a.Nearest != nil {
		s.said["nearest"]++
		checkNearest(s.T, s.a, s.a.Nearest, s.allowed)
	}
}

// hint follows what a refusal asks for, and tries less than that.
func (s *saidOf) hint() {
	a := s.a
	if a.Code != NeedsAssumption && a.Code != LiftNeedsAssumption && a.Code != NeedsGiven {
		return
	}
	s.said["hints"]++
	b := s.under(a.Hint.Assume, a.Hint.Given)
	if b.Operator == nil {
		s.wrong("hint: there is no answer: %s", b.Reason)
		return
	}
	if a.Code == NeedsGiven {
		if keepsAll(&b.Operator.Operator) {
			s.wrong("hint: its answer changes nothing")
		}
		if c := s.under(a.Hint.Assume, nil); c.Operator != nil {
			s.wrong("hint: nothing is to be given: %s", ir.Strings(c.Operator.Exprs))
		}
		return
	}
	for more := a.Hint.Assume &^ s.allowed; more != 0; more &= more - 1 {
		one := more & -more
		if c := s.under(a.Hint.Assume&^one, nil); c.Status == b.Status || c.Status == Associative {
			s.said["hints with more than needed"]++
			s.Logf("%s -assume %s: hint %s: %s is not needed: under %s %s by %s", lineText(s.u), s.allowed, a.Hint.Assume, one, a.Hint.Assume&^one, ir.Strings(c.Operator.Exprs), c.Via())
		}
	}
}

// least forbids each assumption of an answer: then there is no answer by the same operator.
func (s *saidOf) least() {
	a := s.a
	if a.Operator == nil {
		return
	}
	for more := a.Assumes; more != 0; more &= more - 1 {
		s.said["assumptions"]++
		one := more & -more
		b := s.under(s.allowed&^one, nil)
		if b.Status == a.Status && ir.Strings(b.Operator.Exprs) == ir.Strings(a.Operator.Exprs) && !b.Assumes.Has(one) && a.Assumes.Has(b.Assumes) {
			s.said["assumptions in vain"]++
			s.Logf("%s: %s assumes %s by %s, inject %s; without %s by %s assuming %s, inject %s", lineText(s.u), ir.Strings(a.Operator.Exprs), a.Assumes, a.Via(), ir.Strings(a.Inject), one, b.Via(), b.Assumes, ir.Strings(b.Inject))
		}
	}
}

// TestExamplesOfAssumptions: spellings are answered, answers assume no more than they need, and a refusal
// does not ask for more than that.
func TestExamplesOfAssumptions(t *testing.T) {
	const softmax = "max(x0, y0); x1*exp(x0 - max(x0, y0)) + exp(y0 - max(x0, y0))"
	for _, test := range []struct {
		types, update, allowed string
		status                 Status
		want                   string // the assumptions of an answer, or how the reason of a refusal begins
	}{
		// spellings
		{"x0:i32,x1:i32,y0:i32", "select(y0 < x0, y0, x0); select(y0 < x0, x0, min(x1, y0))", "none", Associative, "none"},
		{"x0:i32,x1:i32,y0:i32", "select(y0 < x1, x1, min(x0, y0)); select(y0 < x1, y0, x1)", "none", Associative, "none"},
		{"x0:i32,x1:i32,y0:i32", "min(x0, max(x1, y0)); min(x1, y0)", "none", Associative, "none"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "max(0, x0 + y0); select(x0 + y0 <= 0, r, x1)", "nsw", Lifted, "nsw"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "max(0, x0 + y0); select(max(0, x0 + y0) == 0, r, x1)", "nsw", Lifted, "nsw"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "max(0, x0 + y0); select(1 > max(x0 + y0, 0), r, x1)", "nsw", Lifted, "nsw"},
		{"x0:i32,x1:i32,y0:bool,r:i32", "select(y0, x0 + 1, tmin); max(x1, select(y0, x0 + 1, tmin))", "nsw", Lifted, "nsw"},
		{"x0:i32,y0:i32,r:i32", "select(x0 == tmin && y0 == 7, r, x0)", "none", Associative, "none"},
		{"x0:bool,x1:i32,y0:i32", "x0 && x1 == y0; x1", "none", Associative, "none"},
		{"x0:i32,x1:bool,y0:i32", "x0; x1 && x0 == y0", "none", Associative, "none"},
		{"x0:i32,x1:i32,y0:i32", "y0 + x0; select(x1 + y0 < 0, 0, x1 + y0)", "nsw", Associative, "nsw"},
		{"x0:f32,y0:f32", "-max(-x0, -y0)", "none", Associative, "none"},
		// as few assumptions as serve
		{"x0:f32,x1:f32,y0:f32", softmax, "reassoc,afn", Staged, "reassoc"},
		{"x0:f32,x1:f32,y0:f32", softmax, "all", Associative, "reassoc,nnan,afn"},
		{"x0:f32,y0:f32", "sqrt(x0*x0 + y0*y0)", "all", Associative, "reassoc,nnan,afn"},
		{"x0:f32,y0:f32", "log(exp(x0) + exp(y0))", "all", Associative, "reassoc,afn"},
		{"x0:u8,x1:u8,y0:u8", "y0; min(x0 + y0, x1)", "nuw", Lifted, "none"},
		{"x0:f32,y0:f32", "select(x0 < y0, y0, x0)", "all", Associative, "nsz"},
		{"x0:f32,y0:f32", "select(x0 > y0, x0, y0)", "all", Associative, "nnan,nsz"},
		{"x0:bool,y0:f32", "(y0 > 0.6) || (x0 && !(y0 < 0.4))", "all", Lifted, "none"},
		{"x0:i64,y0:i64", "max(max(abs(x0), x0 | x0), (y0 - y0) << (y0 - y0))", "all", Associative, "none"},
		// refusals do not ask for what may not be needed
		{"x0:f32,y0:f32", "-max(y0, x0)", "none", Lifted, "none"},
		{"x0:f32,y0:f32", "x0/x0", "nnan,nsz,ninf", Refused, "matches under reassoc (-assume +ninf): y0; without that it is neither proven nor refuted"},
		{"x0:f32,y0:f32", "x0 + x0 - max(x0, x0)", "nnan,nsz,ninf", Refused, "matches under reassoc (-assume +ninf): x0; without that it is neither proven nor refuted"},
		// counterexamples break no assumption
		{"x0:f32,y0:f32", "sqrt(x0) + x0*(-inf)", "nnan,nsz,ninf", Refused, "no operator of the table equals this update"},
	} {
		a := match(t, test.types, test.update, test.allowed, AllMatchers)
		switch {
		case a.Status != test.status:
			t.Errorf("%s under %s is %s: %s", test.update, test.allowed, a.Status, a.Reason)
		case a.Status == Refused && !strings.HasPrefix(a.Reason, test.want):
			t.Errorf("%s under %s: %s; want %s", test.update, test.allowed, a.Reason, test.want)
		case a.Status != Refused && a.Assumes.String() != test.want:
			t.Errorf("%s under %s assumes %s, want %s", test.update, test.allowed, a.Assumes, test.want)
		}
		if a.Counter != nil {
			(&saidOf{T: t, u: parse(t, test.types, test.update), a: a, allowed: must(ir.ParseAssume(test.allowed)), said: map[string]int{}}).counterexample()
		}
	}
}

func must(a ir.Assume, err error) ir.Assume {
	if err != nil {
		panic(err)
	}
	return a
}
