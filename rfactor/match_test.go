package rfactor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify"
)

// parse is the update of a test.
func parse(t testing.TB, types, exprs string) *ir.Update {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), types, exprs)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// skipShort skips a test of many matches one after another, which the race detector makes ten times slower
// and has nothing to find in.
func skipShort(t *testing.T) {
	if testing.Short() {
		t.Skip("many matches")
	}
}

func match(t testing.TB, types, exprs, assume string, matchers Matchers) *Answer {
	t.Helper()
	return matchBy(t, types, exprs, assume, Options{Matchers: matchers})
}

// matchAsLongAsItTakes is match with more effort where a refusal says that more may answer.
func matchAsLongAsItTakes(t testing.TB, types, exprs, assume string) *Answer {
	t.Helper()
	a := match(t, types, exprs, assume, 0)
	if a.Code == NeedsEffort {
		a = matchBy(t, types, exprs, assume, Options{Effort: 20 * DefaultEffort})
	}
	return a
}

func matchBy(t testing.TB, types, exprs, assume string, o Options) *Answer {
	t.Helper()
	allowed, err := ir.ParseAssume(assume)
	if err != nil {
		t.Fatal(err)
	}
	o.Name, o.Allowed, o.Named = "f", allowed, Named(assume)
	a, err := Match(context.Background(), parse(t, types, exprs), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// matchProven matches an update as the suites of random updates do: proofs are described, and the certificate of the answer
// is written and verified. written is the effort that writing took.
func matchProven(u *ir.Update, opts Options) (a *Answer, written float64, err error) {
	opts.Describe = true
	if a, err = Match(context.Background(), u, opts); err != nil {
		return nil, 0, err
	}
	line, err := a.JSON(true)
	if err == nil {
		err = verified(line)
	}
	for _, b := range append([]*Answer{a}, stageAnswers(a)...) {
		if err == nil {
			err = ofOneVariant(b)
		}
		if err == nil && (b.Status == Associative || b.Status == Lifted) {
			w := newCertifier(b.claimed())
			_, err = w.certificate()
			written += float64(w.meter.Total()) / unitOfEffort
		}
	}
	if err != nil {
		return a, written, fmt.Errorf("%s under %s: %w", lineText(u), opts.Allowed, err)
	}
	return a, written, nil
}

func stageAnswers(a *Answer) (out []*Answer) {
	for _, s := range a.Stages {
		out = append(out, s.Answer)
	}
	return out
}

// verified checks a line as the command verify does.
func verified(line []byte) error {
	_, err := verify.Check(line)
	return err
}

// rejected checks that a line is not accepted, for a reason that has the text want.
func rejected(t testing.TB, what string, line []byte, want string) {
	t.Helper()
	if err := verified(line); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v; want an error with %q", what, err, want)
	}
}

// judge checks an answer by evaluation and by its certificate.
func judge(t testing.TB, a *Answer) {
	t.Helper()
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	if err := claims.Check(line, suite.More(150, 500), 7); err != nil {
		t.Errorf("%v", err)
	}
	if err := verified(line); err != nil {
		t.Errorf("the certificate is not accepted: %v", err)
	}
}

const (
	i32x1 = "x0:i32,y0:i32"
	i32x2 = "x0:i32,x1:i32,y0:i32,y1:i32"
	i32x4 = "x0:i32,x1:i32,x2:i32,x3:i32,y0:i32,y1:i32,y2:i32,y3:i32"
)

// Each row is an update with what may be assumed and what must come out: the way it is
// found, the operator, its identity and properties, inject, assumptions and groups.
var matchTests = []struct {
	what, types, exprs, assume string
	via, operator, identity    string
	properties                 string // identity side, commutative, idempotent
	inject, assumes, groups    string
}{
	{"sum", i32x1, "x0 + y0", "none", "egraph:sum", "x0 + y0", "0", "two commutative", "y0", "none", "[[0]]"},
	{"count, select outermost", "x0:i32,y0:bool", "select(y0, x0 + 1, x0)", "none",
		"egraph:sum", "x0 + y0", "0", "two commutative", "select(y0, 1, 0)", "none", "[[0]]"},
	{"count, plus outermost", "x0:i32,y0:bool", "x0 + select(y0, 1, 0)", "none",
		"egraph:sum", "x0 + y0", "0", "two commutative", "select(y0, 1, 0)", "none", "[[0]]"},
	{"float sum", "x0:f64,y0:f64", "x0 + y0", "default", "egraph:sum", "x0 + y0", "-0.0", "two commutative", "y0", "reassoc", "[[0]]"},
	{"exact float max", "x0:f32,y0:f32", "max(x0, y0)", "default", "egraph:max", "max(x0, y0)", "-inf", "two commutative idempotent", "y0", "none", "[[0]]"},
	{"float max by select", "x0:f32,y0:f32", "select(x0 < y0, y0, x0)", "all", "egraph:max", "max(x0, y0)", "-inf", "two commutative idempotent", "select(-inf < y0, y0, -inf)", "nsz", "[[0]]"},
	{"float max by select that keeps NaN", "x0:f32,y0:f32", "select(x0 > y0, x0, y0)", "all", "egraph:max", "max(x0, y0)", "-inf", "two commutative idempotent", "y0", "nnan,nsz", "[[0]]"},
	{"nothing that is not allowed", "x0:f32,y0:f32", "-max(-x0, -y0)", "reassoc", "egraph:min", "min(x0, y0)", "inf", "two commutative idempotent", "y0", "none", "[[0]]"},
	{"De Morgan", "x0:bool,y0:bool", "!(!x0 && !y0)", "none", "egraph:or", "x0 || y0", "false", "two commutative idempotent", "y0", "none", "[[0]]"},
	{"conjugate of -", i32x1, "~(~x0 - y0)", "none", "egraph:sum", "x0 + y0", "0", "two commutative", "y0", "none", "[[0]]"},
	{"x + y + kxy", i32x1 + ",k0:i32", "x0 + y0 + k0*x0*y0", "none",
		"egraph:scaled_sum_and_product", "x0 + y0 + k0*(x0*y0)", "0", "two commutative", "y0", "none", "[[0]]"},
	{"argmin, first on ties", i32x2, "min(x0, y0); select(y0 < x0, y1, x1)", "none",
		"egraph:argmin_first", "min(x0, y0); select(y0 < x0, y1, x1)", "tmax; 0", "right idempotent", "y0; y1", "none", "[[0 1]]"},
	{"argmin, last on ties", "x0:i32,x1:i32,y0:i32,r:i32", "select(y0 <= x0, y0, x0); select(y0 <= x0, r, x1)", "none",
		"egraph:argmin_last", "min(x0, y0); select(x0 < y0, x1, y1)", "tmax; 0", "left idempotent", "y0; r", "none", "[[0 1]]"},
	{"argmin in two dimensions", "x0:i32,x1:i32,x2:i32,y0:i32,r.x:i32,r.y:i32",
		"min(x0, y0); select(y0 < x0, r.x, x1); select(y0 < x0, r.y, x2)", "none", "egraph:argmin_first",
		"min(x0, y0); select(y0 < x0, y1, x1); select(y0 < x0, y2, x2)", "tmax; 0; 0", "right idempotent", "y0; r.x; r.y", "none", "[[0 1] [0 2]]"},
	{"argmax of a squared magnitude", "x0:i32,x1:i32,x2:i32,y0:i32,y1:i32,r:i32",
		"select(x0*x0 + x1*x1 < y0*y0 + y1*y1, y0, x0); select(x0*x0 + x1*x1 < y0*y0 + y1*y1, y1, x1); select(x0*x0 + x1*x1 < y0*y0 + y1*y1, r, x2)", "none", "direct",
		"select(x0*x0 + x1*x1 < y0*y0 + y1*y1, y0, x0); select(x0*x0 + x1*x1 < y0*y0 + y1*y1, y1, x1); select(x0*x0 + x1*x1 < y0*y0 + y1*y1, y2, x2)",
		"", "none idempotent", "y0; y1; r", "none", "[[0 1 2]]"},
	{"2×2 matrices, by regrouping", i32x4, "x0*y0 + x1*y2; x0*y1 + x1*y3; x2*y0 + x3*y2; x2*y1 + x3*y3", "none",
		"egraph:matrix_product", "x0*y0 + x1*y2; x0*y1 + x1*y3; x2*y0 + x3*y2; x2*y1 + x3*y3", "1; 0; 0; 1", "two", "y0; y1; y2; y3", "none", "[[0 1 2 3]]"},
	{"Horner's scheme, by regrouping", "x0:i32,x1:i32,y0:i32,k0:i32", "x0*k0 + y0; x1*k0", "none",
		"egraph:affine", "x0*y1 + y0; x1*y1", "0; 1", "two", "y0; k0", "none", "[[0 1]]"},
	{"quaternions", strings.ReplaceAll(i32x4, "i32", "f64"),
		"x0*y0 - x1*y1 - x2*y2 - x3*y3; x0*y1 + x1*y0 + x2*y3 - x3*y2; x0*y2 - x1*y3 + x2*y0 + x3*y1; x0*y3 + x1*y2 - x2*y1 + x3*y0", "default",
		"egraph:quaternion_product", "x0*y0 - x1*y1 - x2*y2 - x3*y3; x0*y1 + x1*y0 + x2*y3 - x3*y2; x0*y2 - x1*y3 + x2*y0 + x3*y1; x0*y3 + x1*y2 - x2*y1 + x3*y0",
		"1.0; -0.0; -0.0; -0.0", "two", "y0; y1; y2; y3", "reassoc", "[[0 1 2 3]]"},
	{"independent components", "x0:i32,x1:i32,y0:i32", "x0 + y0; x1*y0", "none",
		"egraph:sum+egraph:product", "x0 + y0; x1*y1", "0; 1", "two commutative", "y0; y0", "none", "[[0] [1]]"},
	{"groups with identities on different sides", "x0:i32,x1:i32,x2:i32,y0:i32,y1:i32,y2:i32",
		"min(x0, y0); select(y0 < x0, y1, x1); select(y0 <= x0, y2, x2)", "none", "egraph:argmin_first+egraph:argmin_last",
		"min(x0, y0); select(y0 < x0, y1, x1); select(x0 < y0, x2, y2)", "tmax; 0; 0", "middle idempotent", "y0; y1; y2", "none", "[[0 1] [0 2]]"},
	{"occurrences of a leaf apart", "x0:i32,x1:i32,y0:i32", "x0 + y0; max(x1, x0 + y0)", "all",
		"egraph:x0 + y0; max(x1, x0 + y1)", "x0 + y0; max(x1, x0 + y1)", "0; tmin", "left", "y0; y0", "nsw", "[[0 1]]"},
	{"the paper's ninth operator", i32x1 + ",k0:i32", "max(min(k0 - x0, y0), x0)", "nsw",
		"egraph:max_reflected", "max(min(k0 - x0, y0), x0)", "", "none idempotent", "y0", "nsw", "[[0]]"},
	{"capped sum", "x0:u32,y0:u32,k0:u32", "min(x0 + y0, k0)", "all", "egraph:capped_sum", "min(x0 + y0, k0)", "", "none commutative", "y0", "nuw", "[[0]]"},
	{"a component that no step changes", "x0:u8,y0:u8", "(x0 & ~y0) | (x0 & y0)", "none", "keep", "x0", "0", "right idempotent", "0", "none", "[[0]]"},
	{"kept beside others", "x0:i32,x1:i32,y0:i32", "x0 + y0; x1", "none", "egraph:sum", "x0 + y0; x1", "0; 0", "right", "y0; 0", "none", "[[0] [1]]"},
	{"semigroup", "x0:bool,x1:i32,x2:i32,y0:i32", "x0 && (x2 <= y0); x1; y0", "none",
		"egraph:sorted_span", "x0 && y0 && !(y1 < x2); x1; y2", "", "none", "true; y0; y0", "none", "[[0 1 2]]"},
	{"min by the sign of a difference", i32x1, "y0 + ((x0 - y0) & ((x0 - y0) >> 31))", "all",
		"egraph:min", "min(x0, y0)", "tmax", "two commutative idempotent", "y0", "nsw", "[[0]]"},
	{"max by the sign of a difference", i32x1, "x0 - ((x0 - y0) & ((x0 - y0) >> 31))", "all",
		"egraph:max", "max(x0, y0)", "tmin", "two commutative idempotent", "y0", "nsw", "[[0]]"},
	{"a difference of zero by exclusive or", "x0:u16,x1:u32,y0:u16,y1:u32", "max(x0, y0); select(y0 < x0 || ((x0 ^ y0) <= 0 && x1 < y1), x1, y1)", "none",
		"egraph:argmax_small", "max(x0, y0); select(y0 < x0 || (x0 == y0 && x1 < y1), x1, y1)", "0; tmax", "two commutative idempotent", "y0; y1", "none", "[[0 1]]"},
	{"the length of a vector", "x0:f64,y0:f64", "sqrt(x0*x0 + y0*y0)", "all",
		"probe:euclidean_norm", "sqrt(x0*x0 + y0*y0)", "-0.0", "middle commutative", "sqrt(y0*y0)", "reassoc,nnan,afn", "[[0]]"},
	{"sum modulo, by what it exceeds a multiple", "x0:u32,y0:u32", "(x0 + y0) - ((x0 + y0) >> 3)*8", "none",
		"direct", "x0 + y0 - ((x0 + y0) >> 3)*8", "0", "middle commutative", "y0", "none", "[[0]]"},
	{"last index", "x0:i32,y0:bool,r:i32", "select(y0, r, x0)", "none",
		"egraph:last_index", "select(y0 == (-1), x0, y0)", "-1", "two idempotent", "select(y0, r, -1)", "none", "[[0]]"},
}

func TestMatch(t *testing.T) {
	for _, test := range matchTests {
		t.Run(test.what, func(t *testing.T) {
			a := match(t, test.types, test.exprs, test.assume, 0)
			if a.Status != Associative {
				t.Fatalf("%s: %s", a.Status, a.Reason)
			}
			var groups [][]int
			for _, g := range a.Groups {
				groups = append(groups, g.Components)
			}
			properties := a.Operator.Side.String()
			if a.Operator.Commutative {
				properties += " commutative"
			}
			if a.Operator.Idempotent {
				properties += " idempotent"
			}
			for _, c := range [][3]string{
				{"via", a.Via(), test.via}, {"operator", joined(a.Operator.Exprs), test.operator}, {"identity", joined(a.Operator.Identity), test.identity},
				{"properties", properties, test.properties}, {"inject", joined(a.Inject), test.inject},
				{"assumes", a.Assumes.String(), test.assumes}, {"groups", fmt.Sprint(groups), test.groups},
			} {
				if c[1] != c[2] {
					t.Errorf("%s: %s, want %s", c[0], c[1], c[2])
				}
			}
			judge(t, a)
		})
	}
}

func joined(es []ir.Expr) string { return strings.Join(texts(es), "; ") }

// What a stage finds alone.
func TestStages(t *testing.T) {
	for _, test := range []struct {
		types, exprs, assume string
		matchers             Matchers
		via                  string // empty: not found
	}{
		{i32x1, "x0 + y0", "none", Greedy, "greedy:sum"},
		{"x0:i32,y0:bool", "select(!!y0, x0 - (-1), x0 + 0)", "none", EGraph, "egraph:sum"},
		{i32x1, "x0 + y0", "none", Probe, "probe:sum"},
		{i32x1, "x0 + y0", "none", Direct, "direct"},
		{i32x1, "x0", "none", Direct, "keep"},
		{i32x2, "x0; min(x1, x1)", "none", AllMatchers, "keep"},
		{i32x1, "x0*y0 + (x0 - x0)", "none", Probe, "probe:product"},
		{i32x2, "min(x0, y0); select(x0 <= y0, x1, y1)", "none", Probe, "probe:argmin_first"},
		{"x0:u8,y0:u8", "x0 + y0 + 1", "none", EGraph | Probe, "egraph:sum"},
		{i32x4, "x0*y0 + x1*y2; x0*y1 + x1*y3; x2*y0 + x3*y2; x2*y1 + x3*y3", "none", Direct, "direct"},
		{"x0:i32,x1:i32,y0:i32", "x0 + y0; max(x1, x0 + y0)", "nsw", EGraph | Probe, "egraph:x0 + y0; max(x1, x0 + y1)"},
		{i32x1, "abs(x0 - y0)", "all", AllMatchers, ""},
	} {
		a := match(t, test.types, test.exprs, test.assume, test.matchers)
		if a.Via() != test.via {
			t.Errorf("%s: %q (%s), want %q", test.exprs, a.Via(), a.Reason, test.via)
		}
		if a.Status == Associative {
			judge(t, a)
		}
	}
}

// The last update of every row is an instance of the first one's operator.
func TestProbeOfConjugates(t *testing.T) {
	for _, test := range []struct{ types, exprs, assume string }{
		{i32x1, "-max(-x0, y0 ^ 5)", "none"},
		{"x0:u8,y0:u8", "~(~x0 | y0)", "none"},
		{"x0:u8,y0:u8", "~min(~x0, y0)", "none"},
		{"x0:bool,y0:bool", "!(!x0 || y0)", "none"},
		{i32x1, "(x0 + 7)*(y0 + 7) - 7", "none"},
		{i32x1 + ",k0:i32", "k0 - ((k0 - x0) & y0)", "none"},
		{i32x1, "max(x0 + 1, y0) - 1", "none"},
	} {
		a := match(t, test.types, test.exprs, test.assume, Probe)
		if a.Status != Associative || !strings.HasPrefix(a.Via(), "probe:") {
			t.Errorf("%s: %s %s %s", test.exprs, a.Status, a.Via(), a.Reason)
			continue
		}
		judge(t, a)
	}
}

// Updates that no operator on their state equals; where there is a counterexample it is
// confirmed by evaluation.
func TestRefusals(t *testing.T) {
	for _, test := range []struct{ types, exprs, assume, reason string }{
		{i32x1, "x0*x0 + y0", "none", "not associative as it stands"},
		{i32x1, "abs(x0 - y0)", "all", "not associative as it stands"},
		{"x0:i64,y0:i64", "saturating_add(x0, y0)", "none", "not associative as it stands"},
		{i32x1, "max(x0 + y0, 0)", "none", "not associative as it stands"},
		{i32x1, "min(x0, y0) + 1", "none", "not associative as it stands"},
		{i32x1, "select(x0 < y0, x0, y0 + 1)", "none", "not associative as it stands"},
		{i32x1, "max(x0, y0 - x0)", "none", "not associative as it stands"},
		{i32x1, "x0/2 + y0", "none", "not associative as it stands"},
		{i32x2, "min(x0, y0); select(y1 < x1, y1, x1) + x0", "none", "not associative as it stands"},
		{i32x2, "min(x0, y0); select(y0 < x0, y1, x1*x1 + 1)", "none", "not associative as it stands"},
		{"x0:f64,y0:f64", "x0 + y0", "none", "matches only under reassoc (-assume reassoc): x0 + y0"},
		{i32x1 + ",k0:i32", "max(min(k0 - x0, y0), x0)", "none", "matches only under nsw (-assume nsw): max(min(k0 - x0, y0), x0)"},
		{i32x1 + ",k0:i32", "max(min(k0 - x0, y0), x0)", "nuw,reassoc", "matches only under nsw (-assume nsw,nuw,reassoc): max(min(k0 - x0, y0), x0)"},
		{"x0:u32,y0:u32,k0:u32", "min(x0 + y0, k0)", "default", "matches only under nuw (-assume +nuw): min(x0 + y0, k0)"},
		{"x0:i32,x1:i32,y0:i32", "x0*x0 + y0; max(x1, x0 + y0)", "none", "not associative as it stands"},
	} {
		a := match(t, test.types, test.exprs, test.assume, 0)
		if a.Status != Refused || !strings.HasPrefix(a.Reason, test.reason) {
			t.Errorf("%s under %s: %s %q, want %q", test.exprs, test.assume, a.Status, a.Reason, test.reason)
		}
		if (a.Counter != nil) != strings.HasPrefix(test.reason, "not associative") {
			t.Errorf("%s: counterexample %v", test.exprs, a.Counter)
		}
		confirmCounterexample(t, a, test.exprs)
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := verified(line); err != nil {
			t.Errorf("%s: the refusal is not accepted: %v", test.exprs, err)
		}
	}
}

// confirmCounterexample evaluates (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) where the answer says that
// they differ, for updates whose leaf y_i has the role of component i.
func confirmCounterexample(t *testing.T, a *Answer, text string) {
	if a.Counter == nil {
		return
	}
	at := map[string]uint64{}
	for i, v := range a.Counter.Inputs {
		at[v.String()] = a.Counter.Values[i]
	}
	tuple := func(letter string) (out []uint64) {
		for i := range a.Types {
			out = append(out, at[fmt.Sprint(letter, i)])
		}
		return out
	}
	combine := func(x, y []uint64) []uint64 {
		return ir.EvalAll(a.Update, &ir.Env{Var: func(v ir.Expr) uint64 {
			switch v.Kind() {
			case ir.State:
				return x[v.Index()]
			case ir.Leaf:
				return y[v.Index()]
			}
			return at[v.String()]
		}})
	}
	x, y, z := tuple("x"), tuple("y"), tuple("z")
	left, right := combine(combine(x, y), z), combine(x, combine(y, z))
	if slices.Equal(left, right) || !slices.Contains(left, a.Counter.Left) || !slices.Contains(right, a.Counter.Right) {
		t.Errorf("%s: the counterexample %v gives %v and %v, not %d and %d", text, at, left, right, a.Counter.Left, a.Counter.Right)
	}
}

// Operators of overlapping groups that disagree make no tuple operator, and identities
// that differ no identity.
func TestMergeOfOverlappingGroups(t *testing.T) {
	a := match(t, "x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "x0*y0; x1*y0 + y1; x0*y1 + x2", "none", 0)
	if a.Status != Associative {
		t.Fatal(a.Reason)
	}
	judge(t, a)
	fake := func(op string) *Group {
		g := match(t, "x0:i32,x1:i32,y0:i32,y1:i32", op, "none", 0)
		if g.Status != Associative || len(g.Groups) != 1 {
			t.Fatalf("%s: %s %v", op, g.Reason, g.Groups)
		}
		return &g.Groups[0]
	}
	m := matchers.Get().(*matcher)
	defer matchers.Put(m)
	u := parse(t, "x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1); select(y0 < x0, y1, x2)")
	for _, second := range []struct {
		op   string
		fits bool
	}{
		{"min(x0, y0); select(y0 < x0, y1, x1)", true},
		{"min(x0, y0); select(y0 <= x0, y1, x1)", true},
		{"max(x0, y0); select(x0 < y0, y1, x1)", false},
		{"x0*y0; x1*y0 + y1", false},
	} {
		if err := m.start(context.Background(), u, Options{}); err != nil {
			t.Fatal(err)
		}
		var both groups
		for i, op := range []string{"min(x0, y0); select(y0 < x0, y1, x1)", second.op} {
			g := fake(op)
			g.Components = []int{0, 1 + i}
			q := *g.Operator
			q.Exprs = m.pool.Import(q.Exprs...)
			if q.Identity != nil {
				q.Identity = m.pool.Import(q.Identity...)
			}
			g.Operator, g.Inject = &q, m.pool.Import(g.Inject...)
			both = append(both, g)
		}
		if m.merge(both) != second.fits {
			t.Errorf("a group with %s beside an argmin: merged %v", second.op, !second.fits)
		}
	}
}

func TestClosedSets(t *testing.T) {
	for _, test := range []struct {
		exprs string
		want  [][]int
	}{
		{"x0 + y0; x1 + y0; x2 + y0; x3 + y0", [][]int{{0}, {1}, {2}, {3}}},
		{"min(x0, y0); select(y0 < x0, y1, x1); x2; x3 + x2", [][]int{{0, 1}, {2, 3}}},
		{"x0 + x1; x1 + x2; x2 + x3; x3 + x0", [][]int{{0, 1, 2, 3}}},
		{"x1; x0; x3; x2", [][]int{{0, 1}, {2, 3}}},
		{"y0; x0; x0; x1", [][]int{{0, 1, 3}, {0, 2}}},
		{"y0; y1; y2; y3", [][]int{{0}, {1}, {2}, {3}}},
	} {
		u := parse(t, i32x4, test.exprs)
		if got := tuple.ClosedSets(u.Values); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.exprs, got, test.want)
		}
	}
}

// Reads of the function itself must be at the arguments that are written, up to provable
// equality.
func TestSelfReferences(t *testing.T) {
	for _, test := range []struct {
		program, caret string // the text under which the caret stands, where it is an error
	}{
		{"f(r) = f(r) + 1", ""},
		{"f(r) = f(r + 0) + 1", ""},
		{"f(2*r) = f(r + r) + in(r)", ""},
		{"f(in(r) % 2) = f(in(r) % 2) + in(r)*in(r)", ""},
		{"f(max(r, in(r))) = f(max(in(r), r)) + 1", ""},
		{"f(r) = f(r + 1) + 1", "f(r + 1)"},
		{"f(r) = f(r) + f(r*2)", "f(r*2)"},
		{"f(in(r)) = f(in(r + 1)) + 1", "f(in(r + 1))"},
	} {
		u, err := programUpdate(test.program)
		if err != nil {
			t.Errorf("%s: %v", test.program, err)
			continue
		}
		a, err := Match(context.Background(), u, Options{Name: "f"})
		switch {
		case test.caret == "" && (err != nil || a.Status != Associative):
			t.Errorf("%s: %v %v", test.program, a, err)
		case test.caret != "":
			var list ir.ErrorList
			if !errors.As(err, &list) || len(list) != 1 {
				t.Errorf("%s: %v, want one error", test.program, err)
				continue
			}
			lines := strings.Split(list[0].Error(), "\n")
			at := strings.Index(lines[len(lines)-1], "^")
			if want := strings.Index(lines[len(lines)-2], test.caret); len(lines) != 3 || at != want {
				t.Errorf("%s: the caret is at column %d, want %d:\n%s", test.program, at, want, list[0])
			}
		}
	}
}

func programUpdate(text string) (*ir.Update, error) {
	p, err := program.ParseProgram(ir.NewPool(), "update", text, ir.I32)
	if err != nil {
		return nil, err
	}
	return p.Funcs[0].Updates[0].Update(), nil
}

func TestTooLarge(t *testing.T) {
	p := ir.NewPool()
	e := p.X(0, ir.I32)
	for range 17 { // a tree of 2^17 leaves
		e = ir.AddOf(e, e)
	}
	u := &ir.Update{Pool: p, Types: []ir.Type{ir.I32}, Values: []ir.Expr{e}}
	if _, err := Match(context.Background(), u, Options{}); !errors.Is(err, errTooLarge) {
		t.Errorf("%v, want %v", err, errTooLarge)
	}
}

// The same line but for the time, alone, again, and from many goroutines.
func TestDeterministic(t *testing.T) {
	updates := append([]struct {
		what, types, exprs, assume string
		via, operator, identity    string
		properties                 string
		inject, assumes, groups    string
	}{}, matchTests...)
	line := func(i int) string {
		a := match(t, updates[i].types, updates[i].exprs, updates[i].assume, 0)
		a.Elapsed = 0
		b, err := a.JSON(true)
		if err != nil {
			t.Error(err)
		}
		var any map[string]any
		if err := json.Unmarshal(b, &any); err != nil {
			t.Error(err)
		}
		return string(b)
	}
	want := make([]string, len(updates))
	for i := range updates {
		want[i] = line(i)
	}
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			for j := range updates {
				i := (j*(2*n+1) + 5*n) % len(updates)
				if got := line(i); got != want[i] {
					t.Errorf("%s: another answer:\n%s\n%s", updates[i].what, got, want[i])
				}
			}
		})
	}
	group.Wait()
}

// What an e-graph equates by way of a term's two spellings, the checker's normal form may
// tell apart: such a chain is no certificate.
func TestDerivedChainIsChecked(t *testing.T) {
	a := match(t, "x0:u16,k0:u16,k1:u16", "(x0 | saturating_add(k0, k1)) & 3", "none", AllMatchers)
	if a.Status == Associative {
		judge(t, a)
	}
	judge(t, match(t, "x0:u16,y0:u16", "(x0 | y0) & 3", "none", AllMatchers))
}

// Updates that random ones showed to be answered wrongly once, or not at all.
func TestFoundByRandom(t *testing.T) {
	for _, test := range []struct {
		types, exprs, assume string
		want                 Status
	}{
		// an operator with a constant that the update's form of it does not look at
		{"x0:bool,x1:bool,r:i32", "x0 && !false; (x0 || !false) && (select(x1, true, false) && r <= r)", "default", Associative},
		// three words that are sums in one bitwise function
		{"x0:u32", "4294967294 | (x0 - 2)", "nuw", Associative},
		// a chain of steps in a group whose states have other numbers than the tuple's
		{"x0:bool,x1:i16,x2:bool,y1:i16,y2:bool,k0:bool,r:i32", "select(select(k0, y2, k0), r >= r, r == r); max(y1 ^ (x1 ^ (-32768)), ~32767); !(!k0 || !(r > r))", "default", Associative},
		// y1 is never used, so that operands named like it, of another type, looked as if they were it
		{"x0:u8,x1:bool,x2:u8,x3:u8,y0:u8,y1:u8,k0:u8", "-(select(y1 > tmax, x0, k0) << y0); x1; select(x1, y0, x2); select(x1, y0, saturating_sub(x2, 10))", "all", Staged},
		// what sweeping leaves of the second component does not read the first
		{"x0:i16,x1:u64,y0:u64,y1:u64,y2:bool,k0:u64,k1:u64,r:i32", "i16(select(y2, r, r)); select(select(y2, false, (0 & k0) >= (y0 >> u64(x0))), x1 - x1, select(y2 == y2, x1 & k1, y1))", "nsw", Lifted},
		// a lift that needs nothing, of what lemmas under nnan leave
		{"x0:f64,x1:f64,y0:f64,y1:f64,y2:bool,k0:f64,k1:f64", "min(select(1.0 + y1 >= select(y2, k0, y0), x1, x1), select(y2, k1, k1)); abs(select(x0 <= x0, k1 + 2.0, k1 + x1))", "all,nnan", Lifted},
	} {
		a := match(t, test.types, test.exprs, test.assume, 0)
		if a.Status != test.want {
			t.Errorf("%s: %s %s", test.exprs, a.Status, a.Reason)
		} else if a.Status != Refused {
			judge(t, a)
		}
	}
}

// Under nuw the operands of an operator are natural numbers: inject may not make others.
func TestInjectIsNatural(t *testing.T) {
	for _, test := range []struct {
		exprs string
		want  Status
	}{
		{"min(x0 + y0, k0)", Associative},
		{"min(x0 + (y0 - k0), k0)", Associative}, // nuw says of the update that y0 - k0 is natural
		{"min(x0 - y0, k0)", Refused},
		{"min(x0*(-y0), k0)", Associative}, // as it says that y0 is 0
		{"x0 - max(x0, y0)", Refused},
	} {
		a := match(t, "x0:u32,y0:u32,k0:u32", test.exprs, "all", 0)
		if a.Status != test.want {
			t.Errorf("%s: %s by %s with %s", test.exprs, a.Status, a.Via(), ir.Strings(a.Inject))
		}
	}
}

// What wraps in arithmetic on literals may not be compared as if it did not overflow: with
// x0 = 65535 the first gives y0, with x0 = 32767 the second max(-32767, y0), and nothing overflows.
func TestWrappedLiterals(t *testing.T) {
	for _, test := range [][2]string{
		{"x0:u16,y0:u16", "max(y0, min(x0 - 65535, x0))"},
		{"x0:u16,y0:u16", "max(y0, min(x0 - tmax, x0))"},
		{"x0:i16,y0:i16", "max(y0, min(x0 - 32767 - 32767, x0))"},
	} {
		if a := match(t, test[0], test[1], "all", 0); a.Status == Associative {
			t.Errorf("%s: %s by %s", test[1], ir.Strings(a.Operator.Exprs), a.Via())
		}
	}
}

// Where floats of the state are only chosen among, nothing is computed with them: x0*0 is NaN for
// an infinite x0, and (x0 - k0)*(k0 + 1 - k0) + k0 no longer x0 for a great k0.
func TestChosenFloats(t *testing.T) {
	for _, exprs := range []string{
		"select(y1, x0, k0); x1",
		"x0 + y0; select(y1, k0, x1)",
		"select(y1, x1, x0); select(y1, x0, x1)",
		"select(y1, y0, x1); x0",
		"max(select(y1, x0, y0), k0); x1 + y0",
	} {
		a := match(t, "x0:f32,x1:f32,y0:f32,y1:bool,k0:f32", exprs, "default", 0)
		if a.Status != Associative && a.Status != Lifted {
			t.Errorf("%s: %s %s", exprs, a.Status, a.Reason)
			continue
		}
		judge(t, a)
		if sum := strings.Contains(exprs, "+"); a.Assumes.Has(ir.Reassoc) != sum || strings.Contains(ir.Strings(a.Operator.Exprs), "*") {
			t.Errorf("%s: %s assumes %s", exprs, ir.Strings(a.Operator.Exprs), a.Assumes)
		}
	}
}

// An answer stays what it is when others are found after it.
func TestAnswersAreKept(t *testing.T) {
	var answers []*Answer
	for _, types := range []string{"x0:i32,y0:i32,r:i32,k0:i32", "x0:i32,y0:i32,r.x:i32,k0:i32", "x0:i32,y0:i32,r.y:i32,k0:i32"} {
		_, coordinate, _ := strings.Cut(types, "y0:i32,")
		coordinate, _, _ = strings.Cut(coordinate, ":")
		for range 3 {
			answers = append(answers, match(t, types, "select(y0 > k0, "+coordinate+", x0)", "none", 0))
		}
	}
	for _, a := range answers {
		judge(t, a)
	}
}

// Of a group, the proofs of all components use that a coordinate is not negative, or none does: a
// certificate says so once.
func TestNotNegativeForAll(t *testing.T) {
	judge(t, match(t, "x0:i8,x1:i8,k0:i8,k1:i8,y0:i8,y2:bool,r:i32",
		"x0*min(select(y2, k0, y0), max(k0, k0)); k1*max(x0, k0 - (x0 + k0)) + select(r != r, x1, x1)", "all", 0))
}

// An operator whose components the tables list in another order.
func TestPairInEitherOrder(t *testing.T) {
	for _, test := range []struct{ types, exprs string }{
		{"x0:f32,x1:bool,y0:f32", "select(y0 >= x0, y0, x0); y0 >= x0"},
		{"x0:bool,x1:f32,y0:f32", "y0 >= x1; select(y0 >= x1, y0, x1)"},
		{"x0:bool,x1:i32,y0:i32", "y0 >= x1; max(x1, y0)"},
	} {
		a := match(t, test.types, test.exprs, "nnan,nsz", 0)
		if a.Status != Associative || a.Via() != "egraph:new_max" {
			t.Errorf("%s: %s by %s: %s", test.exprs, a.Status, a.Via(), a.Reason)
			continue
		}
		judge(t, a)
	}
}

// Functions whose last bits differ by machine are not folded, so that answers do not.
func TestNothingOfTheMachine(t *testing.T) {
	for _, u := range []struct{ update, inject string }{
		{"x0 + exp(0.37)*y0", "exp(0.37)*y0"},
		{"x0 + y0*pow(3.0, 0.37)", "y0*pow(3.0, 0.37)"},
		{"x0 + (log(2.0) + sin(1.0)*tanh(0.3) + cos(log1p(2.0)))*y0", "(log(2.0) + sin(1.0)*tanh(0.3) + cos(log1p(2.0)))*y0"},
		{"x0 + sqrt(0.25)*y0", "sqrt(0.25)*y0"},
	} {
		for _, allowed := range []string{"reassoc", "all"} {
			a := match(t, "x0:f64,y0:f64", u.update, allowed, 0)
			if a.Operator == nil || ir.Strings(a.Inject) != u.inject {
				t.Errorf("%s: inject %s, want %s", u.update, ir.Strings(a.Inject), u.inject)
			}
		}
	}
}

// An answer lists no assumption without which the same operator is proven.
func TestLeastAssumptions(t *testing.T) {
	for _, u := range []struct{ types, update, want string }{
		{"x0:f32,y0:f32", "sqrt(x0*x0 + y0*y0)", "reassoc,nnan,afn"},
		{"x0:f32,y0:f32", "log(exp(x0) + exp(y0))", "reassoc,afn"},
		{"x0:f32,x1:f32,y0:f32", "max(x0, y0); x1*exp(x0 - max(x0, y0)) + exp(y0 - max(x0, y0))", "reassoc,nnan,afn"},
		{"x0:f32,y0:f32", "select(x0 > y0, x0, y0)", "nnan,nsz"},
		{"x0:f64,y0:f64", "x0 + y0", "reassoc"},
		{"x0:u8,x1:u8,y0:u8", "y0; min(x0 + y0, x1)", ""},
		{"x0:i32,y0:i32", "x0 + y0", ""},
	} {
		a := match(t, u.types, u.update, "all", 0)
		if a.Operator == nil {
			t.Errorf("%s: %s", u.update, a.Reason)
			continue
		}
		if got := strings.Join(a.Assumes.Names(), ","); got != u.want {
			t.Errorf("%s assumes %q, want %q", u.update, got, u.want)
		}
		for _, name := range a.Assumes.Names() {
			without, err := ir.ParseAssume(name)
			if err != nil {
				t.Fatal(err)
			}
			b, err := Match(context.Background(), parse(t, u.types, u.update), Options{Allowed: a.Assumes &^ without})
			if err != nil {
				t.Fatal(err)
			}
			if b.Operator != nil && ir.Strings(b.Operator.Exprs) == ir.Strings(a.Operator.Exprs) {
				t.Errorf("%s: without %s the operator is the same", u.update, name)
			}
		}
	}
}

// Products of matrices: roles come from the state at the identity, and sets that share no leaf are
// grouped apart, however many there are.
func TestMatrices(t *testing.T) {
	product := func(n, first int) (types, values []string) {
		for i := range n * n {
			types = append(types, fmt.Sprintf("x%d:i32,y%d:i32", first+i, first+i))
			var sum []string
			for k := range n {
				sum = append(sum, fmt.Sprintf("x%d*y%d", first+i/n*n+k, first+k*n+i%n))
			}
			values = append(values, strings.Join(sum, " + "))
		}
		return types, values
	}
	for _, c := range []struct{ size, products, sums int }{{3, 1, 0}, {2, 3, 2}, {2, 4, 0}} {
		var types, values []string
		for range c.products {
			ts, vs := product(c.size, len(values))
			types, values = append(types, ts...), append(values, vs...)
		}
		for range c.sums {
			i := len(values)
			types, values = append(types, fmt.Sprintf("x%d:i32,y%d:i32", i, i)), append(values, fmt.Sprintf("x%d + y%d", i, i))
		}
		a := match(t, strings.Join(types, ","), strings.Join(values, "; "), "none", 0)
		if a.Status != Associative {
			t.Errorf("%d products of size %d and %d sums are %s: %s", c.products, c.size, c.sums, a.Status, a.Reason)
			continue
		}
		judge(t, a)
	}
}

// A carry that comes around is associative as it wraps, at every width.
func TestEndAroundCarry(t *testing.T) {
	for _, typ := range []string{"u8", "u16", "u32", "u64"} {
		a := match(t, "x0:"+typ+",y0:"+typ, "select(x0 + y0 < x0, x0 + y0 + 1, x0 + y0)", "none", 0)
		if a.Status != Associative || a.Assumes != 0 {
			t.Errorf("%s: %s under %s: %s", typ, a.Status, a.Assumes, a.Reason)
		}
	}
}
