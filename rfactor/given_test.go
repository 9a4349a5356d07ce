package rfactor

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var givenCases = []struct {
	types, update, given string
	matches              bool
}{
	{"x0:i32,x1:i32,y0:i32", "min(x0, y0); select(y0 < x0, x0, min(x1, y0))", "x0 <= x1", true},
	{"x0:i32,x1:i32,y0:i32", "select(y0 < x0, y0, x0); select(y0 < x0, x0, min(x1, y0))", "x0 <= x1", true},
	{"x0:i32,x1:i32,y0:i32", "select(y0 > x0, y0, x0); select(y0 > x0, x0, max(x1, y0))", "x1 <= x0", true},
	{"x0:i32,x1:i32,x2:i32,y0:i32", "max(x0, y0); min(max(x1, y0), x0); min(max(x2, y0), x1)", "x0 >= x1 && x1 >= x2", true},
	{"x0:i16,x1:i16,x2:i16,y0:i16", "select(y0 < x0, y0, x0); select(y0 < x0, x0, select(y0 < x1, y0, x1)); select(y0 < x0, x1, select(y0 < x1, x1, select(y0 < x2, y0, x2)))", "x0 <= x1 && x1 <= x2", true},
	{"x0:i32,x1:i32,x2:i32,y0:i32", "max(x0, y0); min(max(x1, y0), x0); min(max(x2, y0), x1)", "x0 >= x1", true},
	{"x0:u8,y0:u8", "select(x0 > 9, 9, x0) + select(y0 > 0, y0, 0)", "x0 < 9", false},                                       // not preserved by the step
	{"x0:i32,x1:i32,x2:i32,y0:i32", "max(x0, y0); min(max(x1, y0), x0); min(max(x2, y0), x1)", "x0 > x1 && x1 > x2", false}, // not preserved: ties
	{"x0:i32,x1:i32,x2:i32,y0:i32", "max(x0, y0); min(max(x1, y0), x0); min(max(x2, y0), x1)", "x0 <= x1 && x1 <= x2", false},
	{"x0:i32,x1:i32,y0:i32", "max(x0, y0); min(max(x1, y0), x0)", "x1 <= x0", true},
	{"x0:i32,y0:i32", "max(x0, abs(y0))", "x0 > 5", true},                     // needs nothing given
	{"x0:i32,y0:i32", "max(x0, select(y0 < 0, x0 - 1, y0))", "y0 >= 0", true}, // of inputs
}

// TestGiven: what is given is used, listed, certified, and true by evaluation.
func TestGiven(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for _, tc := range givenCases {
		u, err := program.ParseUpdate(ir.NewPool(), tc.types, tc.update)
		if err != nil {
			t.Fatal(err)
		}
		if u.Given, err = program.ParseGiven(u, tc.given); err != nil {
			t.Fatal(err)
		}
		a, err := Match(context.Background(), u, Options{Allowed: ir.DefaultAssumptions, Effort: 4 * DefaultEffort}) // three ranked components take more than the default
		if err != nil {
			t.Fatal(err)
		}
		if (a.Status == Associative) != tc.matches {
			t.Errorf("%s given %s: %s, %s", tc.update, tc.given, a.Status, a.Reason)
		}
		if a.Status != Associative {
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := verified(line); err != nil {
			t.Errorf("%s given %s: %v", tc.update, tc.given, err)
		}
		evaluateGiven(t, a)
		if len(a.Given) == 0 {
			continue
		}
		for _, weaker := range []string{`[]`, `["` + a.Given[0].String() + ` || true"]`} {
			var r map[string]any
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			r["given"] = json.RawMessage(weaker)
			changed, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			rejected(t, tc.update+" given "+weaker, changed, `a case is not settled as "vacuous" says`)
		}
	}
}

// evaluateGiven checks at random points what an answer says of states that satisfy its
// conditions.
func evaluateGiven(t *testing.T, a *Answer) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 3))
	n := 0
	for range 20000 {
		env := map[ir.Expr]uint64{}
		value := func(v ir.Expr) uint64 {
			if _, ok := env[v]; !ok {
				env[v] = testpoint.Draw(rng, v.Type(), 0, rng.IntN(4))
			}
			return env[v]
		}
		holds := func(tuple []uint64) bool {
			for _, g := range a.Given {
				if ir.Eval(g, &ir.Env{Var: func(v ir.Expr) uint64 {
					if v.Kind() == ir.State {
						return tuple[v.Index()]
					}
					return value(v)
				}}) == 0 {
					return false
				}
			}
			return true
		}
		draw := func() (out []uint64) {
			for _, typ := range a.Types {
				out = append(out, testpoint.Draw(rng, typ, 0, rng.IntN(4)))
			}
			return out
		}
		eval := func(es []ir.Expr, x, y []uint64) []uint64 {
			return ir.EvalAll(es, &ir.Env{Var: func(v ir.Expr) uint64 {
				switch {
				case v.Kind() == ir.State:
					return x[v.Index()]
				case y != nil && v.Kind() == ir.Leaf:
					return y[v.Index()]
				}
				return value(v)
			}})
		}
		x, y, z := draw(), draw(), draw()
		if !holds(x) || !holds(y) || !holds(z) {
			continue
		}
		n++
		op := a.Operator.Exprs
		inject := eval(a.Inject, x, nil)
		xy := eval(op, x, y)
		same(t, a, "the update", eval(a.Update, x, nil), eval(op, x, inject))
		same(t, a, "associativity", eval(op, xy, z), eval(op, x, eval(op, y, z)))
		if !holds(inject) || !holds(xy) {
			t.Fatalf("%s: %v and %v have not what is given", ir.Strings(a.Update), inject, xy)
		}
		if a.Operator.Side == proof.Two || a.Operator.Side == proof.Right {
			same(t, a, "the identity", eval(op, x, eval(a.Operator.Identity, x, nil)), x)
		}
		if a.Operator.Side != proof.NoSide && !holds(eval(a.Operator.Identity, x, nil)) {
			t.Fatalf("%s: the identity has not what is given", ir.Strings(a.Update))
		}
	}
	if n < 100 {
		t.Errorf("%s: only %d points have what is given", ir.Strings(a.Update), n)
	}
}

func same(t *testing.T, a *Answer, what string, x, y []uint64) {
	t.Helper()
	for i := range x {
		if x[i] != y[i] {
			t.Fatalf("%s: %s fails: %v, %v", ir.Strings(a.Update), what, x, y)
		}
	}
}

func TestParseGiven(t *testing.T) {
	u, err := program.ParseUpdate(ir.NewPool(), "x0:i32,y0:i32,k0:i32", "x0 + y0")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"x0 >= 0 && (y0 > k0 && k0 > 0)": "x0 >= 0; y0 > k0; k0 > 0",
		"x0 <= y0":                       "about the state and an input together",
		"x0":                             "bool",
		"x1 > 0":                         "x1 is not declared",
	} {
		es, err := program.ParseGiven(u, text)
		got := ir.Strings(es)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}

// TestGivenIdentity: operators of the table whose identity is one only on states that satisfy
// what is given; and operators whose second operand is a literal of the update.
func TestGivenIdentity(t *testing.T) {
	for _, c := range []struct{ types, update, given, operator, inject string }{
		{"x0:i32,y0:bool", "select(y0, select(x0 == 2, 0, x0 + 1), x0)", "x0 >= 0 && x0 < 3", "(x0 + y0) % 3", "select(y0, 1, 0)"},
		{"x0:i32,y0:bool", "select(!y0, x0, select(x0 < 4, x0 + 1, 0))", "x0 >= 0 && x0 < 5", "(x0 + y0) % 5", "select(y0, 1, 0)"},
		{"x0:i32,y0:bool", "select(y0, select(x0 == 2, 0, x0 + 1), x0)", "x0 >= 0 && x0 < 4", "", ""},
		{"x0:i32,y0:bool", "select(y0, select(x0 == 2, 0, x0 + 1), x0)", "x0 >= 0", "", ""},
		{"x0:u32,k0:u32", "min(x0*2, k0)", "x0 >= 1 && k0 >= 1", "min(x0*y0, k0)", "2"},
		{"x0:u32,k0:u32", "min(x0 << 3, k0)", "x0 >= 1 && k0 >= 1", "min(x0*y0, k0)", "8"},
		{"x0:i32,k0:i32", "min(x0*2, k0)", "k0 >= 1", "", ""}, // x0 may be negative
	} {
		u, err := program.ParseUpdate(ir.NewPool(), c.types, c.update)
		if err != nil {
			t.Fatal(err)
		}
		if u.Given, err = program.ParseGiven(u, c.given); err != nil {
			t.Fatal(err)
		}
		a, err := Match(context.Background(), u, Options{Allowed: ir.AllAssumptions, Matchers: AllMatchers &^ Lifting})
		if err != nil {
			t.Fatal(err)
		}
		var operator, inject string
		if a.Status == Associative {
			operator, inject = ir.Strings(a.Operator.Exprs), ir.Strings(a.Inject)
			line, err := a.JSON(true)
			if err != nil {
				t.Fatal(err)
			}
			if err := verified(line); err != nil {
				t.Errorf("%s given %s: %v", c.update, c.given, err)
			}
		}
		if operator != c.operator || inject != c.inject {
			t.Errorf("%s given %s: %s with %s, want %s with %s (%s)", c.update, c.given, operator, inject, c.operator, c.inject, a.Reason)
		}
	}
}

// Inject has what is given of the state because a coordinate is not negative.
func TestGivenOfCoordinates(t *testing.T) {
	u, err := program.ParseUpdate(ir.NewPool(), "x0:i32,r:i32", "select(x0 < 0, 0, max(x0, r))")
	if err != nil {
		t.Fatal(err)
	}
	if u.Given, err = program.ParseGiven(u, "x0 >= 0"); err != nil {
		t.Fatal(err)
	}
	a, err := Match(t.Context(), u, Options{Allowed: ir.AllAssumptions})
	if err != nil || a.Status != Associative || len(a.Given) == 0 {
		t.Fatalf("%s: %s, %v", a.Status, a.Reason, err)
	}
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	if err := verified(line); err != nil {
		t.Error(err)
	}
}

// A promise adds to what is inferred of the initial value, and takes nothing away.
func TestGivenBesideInferred(t *testing.T) {
	for _, test := range []struct{ input, init, update string }{
		{"UInt(8)", "cast<uint32_t>(0)", "(f()*10 + cast<uint32_t>(in(r))) % 7"},
		{"Int(32)", "0", "select(in(r) > 3, min(f() + 1, 5), max(f() - 1, 0))"},
		{"Int(32)", "0", "max(abs(f()), in(r) & 127)"},
		{"Int(32)", "{0, 0}", "{select(in(r) > 3, min(f()[0] + 1, 5), max(f()[0] - 1, 0)), select(f()[0] == 2, 3*f()[1], f()[1] + 1)}"},
	} {
		alone := matchProgram(t, test.input, test.init, test.update)
		if len(alone.Given) == 0 {
			t.Errorf("%s infers nothing", test.update)
		}
		for _, given := range []string{"x0 >= 0", "x0 >= 0 && x0 <= 6", "x0 <= 1000"} {
			a := matchProgramUnder(t, ir.DefaultAssumptions, test.input, test.init, test.update, given)
			if got, want := ir.Strings(a.Operator.Exprs), ir.Strings(alone.Operator.Exprs); got != want {
				t.Errorf("%s given %s: %s, want %s", test.update, given, got, want)
			}
			if a.Status == Associative || a.Status == Lifted {
				judge(t, a)
			}
		}
	}
}
