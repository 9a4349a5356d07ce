package check

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// otherwise has the operators of which the table says something else, with what is right and why.
var otherwise = map[string]string{
	// (0, 0) merged with (0, 0) is 0/0 in the first component: the table's note names the pole, and its verdict does not.
	"alpha_over_straight": "assoc=y comm=n id=n",
}

// TestOperators compares what is said of operators in the wild with verdicts by people, and looks each up in the document about them.
func TestOperators(t *testing.T) {
	text, err := os.ReadFile("../testdata/corpus/operators.tsv")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/wild.md")
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for line := range strings.Lines(string(text)) {
		column := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		judged++
		name, types, exprs, identity := column[0], column[2], column[3], column[4]
		want, under, _ := strings.Cut(column[5], " under ")
		allowed, err := ir.ParseAssume(strings.Replace(under, "default,", "+", 1))
		if err != nil {
			t.Fatal(err)
		}
		if w, ok := otherwise[name]; ok {
			want = w
		}
		if got := verdict(t, types, exprs, identity, allowed); got != want {
			t.Errorf("%s: %s, and not %s", name, got, want)
		}
		if !strings.Contains(string(page), "\n### "+name+"\n") {
			t.Errorf("%s is not in docs/wild.md", name)
		}
	}
	if judged != 51 {
		t.Errorf("%d operators are judged", judged)
	}
}

// verdict says in the words of the table what is known of an operator, or whether a loop has an answer. An identity counts
// if it is one on both sides. Every refutation is evaluated.
func verdict(t *testing.T, types, exprs, identity string, allowed ir.Assume) string {
	t.Helper()
	if loop, ok := strings.CutPrefix(exprs, "update: "); ok {
		u, err := program.ParseUpdate(ir.NewPool(), types, loop)
		if err != nil {
			t.Fatal(err)
		}
		a, err := rfactor.Match(context.Background(), u, rfactor.Options{Allowed: allowed})
		if err != nil {
			t.Fatal(err)
		}
		return "match=" + letter(a.Status != rfactor.Refused)
	}
	op, o, err := Parse(types, exprs, Texts{Identity: identity})
	if err != nil {
		t.Fatal(err)
	}
	o.Allowed = allowed
	r, err := Operator(context.Background(), op, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range append(r.Sides, r.Associative, r.Commutative, r.Idempotent) {
		if l.Theorem.Status == prove.Unknown && l.Pole == "" {
			t.Errorf("%s: %s is open", exprs, l.Name)
		}
		if l.Counter != nil && !l.refutes() {
			t.Errorf("%s: %s is not refuted by %s", exprs, l.Name, l.Refutation())
		}
	}
	id := "-"
	if o.Identity != nil {
		id = letter(r.Side == proof.Two)
	}
	return fmt.Sprintf("assoc=%s comm=%s id=%s", letter(r.Associative.Holds()), letter(r.Commutative.Holds()), id)
}

// refutes evaluates both sides of a law at its counterexample.
func (l *Law) refutes() bool {
	value := valuesAt(l.Counter)
	return value(l.left.exprs(l.op)) != value(l.right.exprs(l.op))
}

func letter(holds bool) string {
	if holds {
		return "y"
	}
	return "n"
}

// TestAsked compares the lines about what is asked beside the laws.
func TestAsked(t *testing.T) {
	for _, test := range []struct {
		types, exprs string
		ask          Texts
		assume       string
		sound        bool
		want         []string
	}{
		{"x:i32,y:i32", "max(abs(x), abs(y))", Texts{Given: []string{"0 <= x"}, Identity: "0"}, "none", true,
			[]string{"associative yes", "commutative yes", "idempotent yes", "keeps given yes", "identity 0"}},
		{"x:i32,y:i32", "x - y", Texts{Given: []string{"0 <= x"}}, "none", false,
			[]string{"keeps given no: f(0, 1) = -1, which has not what is given"}},
		{"x:i32,y:i32", "max(x, y)", Texts{Given: []string{"0 <= x"}, Identity: "-1"}, "none", false,
			[]string{"identity not -1", "-1 = -1, which has not what is given"}},
		{"x:i32,y:i32", "x ^ y", Texts{Is: "x + y"}, "none", false, []string{"associative yes", "as meant no: f(1, 1) = 0, not 2"}},
		{"x:f32,y:f32", "y + x", Texts{Is: "x + y"}, "reassoc", true, []string{"as meant yes"}},
		{"x:i32,y:i32", "max(abs(x), abs(y))", Texts{}, "nsw", true,
			[]string{"pole f(-2147483648, -2147483648) = -2147483648: a signed overflow, which nsw promises against"}},
		{"x:f64,y:f64", "select(x != x, 0.0, x) + select(y != y, 0.0, y)", Texts{}, "reassoc,ninf,nsz", true, []string{"associative under reassoc, ninf"}},
		{"x:f64,y:f64", "select(is_nan(x), y, select(is_nan(y), x, x + y))", Texts{}, "reassoc", false,
			[]string{"associative no: f(f(+Inf, -Inf), 0) = 0, but f(+Inf, f(-Inf, 0)) = NaN"}},
		{"x:f32,y:f32", "select(y < x, x, y)", Texts{}, "nnan,nsz", true, []string{"associative under nnan", "commutative under nnan, nsz"}},
		{"x:i32,y:i32", "abs(x)", Texts{}, "nsw", true, []string{"idempotent no: f(-1, -1) = 1, not -1"}},
	} {
		op, o, err := Parse(test.types, test.exprs, test.ask)
		if err != nil {
			t.Fatal(err)
		}
		if o.Allowed, err = ir.ParseAssume(test.assume); err != nil {
			t.Fatal(err)
		}
		r, err := Operator(context.Background(), op, o)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, l := range r.Lines() {
			said = append(said, strings.TrimSpace(l.Label+" "+l.Text))
		}
		for _, want := range test.want {
			if !strings.Contains("\n"+strings.Join(said, "\n")+"\n", "\n"+want+"\n") {
				t.Errorf("%s: %q is missing:\n%s", test.exprs, want, strings.Join(said, "\n"))
			}
		}
		if r.Sound() != test.sound {
			t.Errorf("%s: sound is %v", test.exprs, r.Sound())
		}
	}
}

// TestMisuse gives errors, and no panic.
func TestMisuse(t *testing.T) {
	op, o, err := Parse("x:i32,y:i32", "x + y", Texts{})
	if err != nil {
		t.Fatal(err)
	}
	pool := op.Exprs[0].Pool()
	for _, test := range []struct {
		want string
		op   proof.Operator
		o    Options
	}{
		{"0 components", proof.Operator{}, o},
		{"the identity has 2 components, not 1", op, Options{Identity: []ir.Expr{pool.X(0, ir.I32), pool.X(0, ir.I32)}}},
		{"component 0 of the operator that is meant", op, Options{Is: []ir.Expr{ir.NewPool().X(0, ir.I32)}}},
		{"what is given of x holds of every operand", proof.Operator{Types: op.Types, Exprs: op.Exprs, Given: []ir.Expr{ir.LtOf(pool.X(0, ir.I32), pool.Y(0, ir.I32))}}, o},
	} {
		if _, err := Operator(context.Background(), test.op, test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, and not %s", err, test.want)
		}
	}
	if _, _, err := Parse("x:i32,y:i32", "x + y", Texts{Given: []string{"y > 0"}}); err == nil || !strings.Contains(err.Error(), "given:1:1: y is not declared") {
		t.Errorf("a condition on y: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Operator(ended, op, o); err != context.Canceled {
		t.Errorf("of a context that ended: %v", err)
	}
}
