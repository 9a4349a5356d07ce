package rfactor

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// An assumption of a set answers no question that the update asks; a named one does, with a remark.
func TestQuestions(t *testing.T) {
	const types = "x0:f64,y0:f64,y1:f64"
	for _, test := range []struct{ types, update, assume, assumes, inject, remark string }{
		{"x0:i32,y0:f64", "x0 + select(is_nan(y0), 1, 0)", "all", "none", "select(is_nan(y0), 1, 0)", ""},
		{"x0:bool,y0:f64", "x0 || is_nan(y0)", "default", "none", "is_nan(y0)", ""},
		{"x0:bool,y0:f64", "x0 || y0 != y0", "all", "none", "y0 != y0", ""},
		{"x0:i32,y0:f64", "x0 + select(y0 - y0 == 0.0, 1, 0)", "all", "none", "select(y0 - y0 == 0.0, 1, 0)", ""},
		{"x0:i32,y0:f64", "select(is_nan(y0), 0, x0 + 1)", "default", "none", "is_nan(y0); select(is_nan(y0), 0, 1)", ""},
		{types, "select(is_nan(y0), x0, y0)", "all", "none", "y0", ""},
		{types, "select(is_nan(y0), x0, x0 + y0)", "default", "reassoc", "select(is_nan(y0), -0.0, y0)", ""},
		{types, "select(is_nan(x0), y0, x0)", "all", "none", "y0", ""},
		{types, "select(is_nan(x0), y0, x0)", "nnan", "nnan", "0.0", "under nnan is_nan(x0) is false"},
		{types, "select(is_nan(y0), x0, x0 + y0)", "+nnan", "reassoc", "select(is_nan(y0), -0.0, y0)", ""},
		{types, "select(x0 - x0 == 0.0, x0 + y0, x0)", "all", "refused: matches only under reassoc (-assume all,reassoc): x0 + y0", "", ""},
		{types, "select(x0 - x0 == 0.0, x0 + y0, x0)", "+reassoc", "reassoc", "y0", "under reassoc x0 - x0 == 0.0 is true"},
		{types, "log(exp(x0)*exp(y0))", "all", "reassoc,afn", "log(exp(y0))", ""},
		{types, "log(exp(x0)) + log(exp(y0))", "all", "reassoc,afn", "log(exp(y0))", ""},
		{types, "log(exp(x0)) + log(exp(y0))", "all,afn", "reassoc,afn", "y0", "under afn log(exp(in.y0)) is not computed as the update has it"},
		{types, "log(exp(x0) + exp(y0))", "all", "reassoc,afn", "y0", ""},
		{types, "select(x0 != x0, y0, max(x0, y0))", "default", "refused: matches under nnan (-assume +nnan): max(x0, y0); without that it is neither proven nor refuted", "", ""},
	} {
		a := match(t, test.types, test.update, test.assume, 0)
		if a.Status == Refused {
			if got := "refused: " + a.Reason; got != test.assumes {
				t.Errorf("%s under %s: %s, want %s", test.update, test.assume, got, test.assumes)
			}
			continue
		}
		if a.Assumes.String() != test.assumes || ir.Strings(a.Inject) != test.inject && a.Status == Associative {
			t.Errorf("%s under %s assumes %s with %s, want %s and %s", test.update, test.assume, a.Assumes, ir.Strings(a.Inject), test.assumes, test.inject)
		}
		if said := strings.Join(a.Remarks, "; "); test.remark == "" && strings.Contains(said, "under") || !strings.Contains(said, test.remark) {
			t.Errorf("%s under %s: remarks %q", test.update, test.assume, a.Remarks)
		}
		judge(t, a)
	}
}

// Named has what is in a list by its own name.
func TestNamed(t *testing.T) {
	for list, want := range map[string]ir.Assume{"all": 0, "default": 0, "none": 0, "": 0, "all,reassoc": ir.Reassoc, "+nnan": ir.NNaN, "+nsw,+nnan": ir.NSW | ir.NNaN,
		"default, afn": ir.AFN, "nnan,nsz": ir.NNaN | ir.NSZ} {
		if got := Named(list); got != want {
			t.Errorf("%q names %s, want %s", list, got, want)
		}
	}
}

// leaf draws a term of floats without state.
func leaf(rng *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"y0", "y1", "k0", "0.5", "3.0", "0.0"}[rng.IntN(6)]
	}
	a, b, c := leaf(rng, depth-1), leaf(rng, rng.IntN(depth)), leaf(rng, rng.IntN(depth))
	form := []string{"(A + B)", "(A - B)", "(A - (A - B))", "A*B", "A/B", "(A/B)*B", "min(A, B)", "max(A, min(A, B))", "select(A < B, B, A)", "select(A == A, B, C)",
		"abs(A)", "-(A)", "sqrt(A)", "select(is_nan(A), B, C)", "select(!(A < B), C, A)", "(A + B) + C", "A*B + A*C", "f64(f32(A))", "log(exp(A))", "0.0*A"}
	return strings.NewReplacer("A", "("+a+")", "B", "("+b+")", "C", "("+c+")").Replace(form[rng.IntN(len(form))])
}

// wild are floats at which laws of real numbers fail.
var wild = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 3, 0.1, -7.25, 5e-324, -2e-310, 1e308, -1.7e308, 1e-200, 1 << 53, 1e16 + 2}

// The inject of a term without state has the bits of the term, up to which NaN it is, whatever is assumed.
func TestTermsKeepTheirBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 3))
	n := 1000
	if testing.Short() {
		n = 150
	}
	steps := []string{"x0 + L", "L + x0", "x0 - (-L)", "x0*L", "max(x0, L)", "select(x0 < L, L, x0)", "select(y1 < 1.0, x0, x0 + L)"}
	answers := 0
	for i := range n {
		l := leaf(rng, 1+rng.IntN(3))
		update := strings.ReplaceAll(steps[i%len(steps)], "L", "("+l+")")
		a := match(t, "x0:f64,y0:f64,y1:f64,k0:f64", update, []string{"default", "all"}[rng.IntN(2)], EGraph|Probe|Direct)
		if a.Status != Associative {
			continue
		}
		answers++
		want := parse(t, "x0:f64,y0:f64,y1:f64,k0:f64", "select(y1 < 1.0, x0, x0)+("+l+")").Values[0].Arg(1)
		if err := sameBits(rng, a, want, i%len(steps)); err != "" && a.Via() != keep { // which looks at no inject
			t.Errorf("%s assumes %s and injects %s: %s", update, a.Assumes, ir.Strings(a.Inject), err)
		}
	}
	if answers < n*9/10 {
		t.Errorf("%d answers of %d", answers, n)
	}
	t.Logf("%d answers of %d", answers, n)
}

// sameBits compares what an answer injects with a term, at wild values where a step of so many a form does not keep the state.
func sameBits(rng *rand.Rand, a *Answer, term ir.Expr, step int) string {
	for range 40 {
		values := map[string]float64{}
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			f, ok := values[v.Name()]
			if !ok {
				f = wild[rng.IntN(len(wild))]
				values[v.Name()] = f
			}
			return math.Float64bits(f)
		}}
		want, got := math.Float64frombits(ir.Eval(term, env)), math.Float64frombits(ir.Eval(a.Inject[0], env))
		if step == 5 && want != want || step == 6 && values["y1"] < 1 { // the state is kept
			continue
		}
		if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			return fmt.Sprintf("%g where the term is %g: %v", got, want, values)
		}
	}
	return ""
}

// Terms are variables in the claim that is proven, and terms in the answer.
func TestTermsInClaims(t *testing.T) {
	for _, test := range []struct{ types, update, inject, claim string }{
		{"x0:f64,y0:f64,y1:f64", "(x0*(y0/y1))*y1", "y1*(y0/y1)", "x0*y2*y1"},
		{"x0:f64,y0:f64,y1:f64", "x0 + (y0 - (y0 - y1))", "y0 - (y0 - y1)", "x0 + y2"},
		{"x0:f64,y0:f64", "x0 + y0*1.0", "y0", "x0 + y0"},
		{"x0:f64,x1:f64,y0:f64,y1:f64", "max(x0, y0*y1); x1 + y1*y0", "y0*y1; y0*y1", "max(x0, y2); x1 + y2"},
		{"x0:f64,y0:f64,k0:f64", "x0 + y0/k0", "y0/k0", "x0 + y1"},
		{"x0:f64,x1:f64,y0:f64,y1:f64", "x0 + y0; (x0*x1 + y0*y1)/(x0 + y0)", "y0; y1", "x0 + y0; (x0*x1 + y0*y1)/(x0 + y0)"},
	} {
		a := match(t, test.types, test.update, "default", 0)
		if got := ir.Strings(a.Inject); a.Status != Associative || got != test.inject {
			t.Errorf("%s: %s %s with %s, want %s", test.update, a.Status, a.Reason, got, test.inject)
			continue
		}
		r, err := a.record(true)
		if err != nil {
			t.Fatal(err)
		}
		c := r.Proof.Certificate
		claim := c.Update
		if c.Terms == nil {
			claim = r.Update
		}
		if got := strings.Join(claim, "; "); got != test.claim {
			t.Errorf("%s: the claim is about %s, want %s", test.update, got, test.claim)
		}
		for name, tamper := range map[string]func(){
			"another term":       func() { c.Terms["y2"] = verify.Leaf{Type: "f64", Text: "y0"} },
			"another update":     func() { c.Update[0] = "x0 + 2.0*y2" },
			"the name of a leaf": func() { c.Terms["y0"] = c.Terms["y2"] },
			"a constant":         func() { c.Terms["k7"] = verify.Leaf{Type: "f64", Text: "y0"} },
		} {
			if c.Terms["y2"].Text == "" {
				continue
			}
			terms, update := maps.Clone(c.Terms), slices.Clone(c.Update)
			tamper()
			if line, err := r.Line(); err != nil || verified(line) == nil {
				t.Errorf("%s: %s is accepted: %v", test.update, name, err)
			}
			c.Terms, c.Update = terms, update
		}
		judge(t, a)
	}
}
