package exec

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// besides are components over in: initial values, and values with the component's number in
// the place of N. T is the type.
var besides = []struct {
	types  string // int, all
	init   string
	values string
}{
	{"all", "T(0)", "f()[N] + in(r)"},
	{"int", "T(1)", "f()[N] * in(r)"},
	{"all", "T(5)", "min(f()[N], in(r))"},
	{"all", "T(1)", "max(f()[N], in(r))"},
	{"all", "T(0)", "f()[N] + in(r)*in(r)"},
	{"all", "T(0)", "f()[N] + abs(in(r))"},
	{"all", "T(0)", "max(f()[N], abs(in(r)))"},
	{"all", "0", "f()[N] + select(in(r) < T(2), 1, 0)"},
	{"all", "0", "f()[N] + select(in(r) >= T(1), 1, 0)"},
	{"int", "0", "f()[N] + select(in(r) % T(2) == T(0), 1, 0)"},
	{"int", "cast<i8>(0)", "f()[N] + select(in(r) % T(4) != T(1), cast<i8>(1), cast<i8>(0))"},
	{"int", "T(5), -7", "min(f()[N], in(r)), select(f()[N] < in(r), f()[M], r)"},
	{"int", "T(5), -7", "min(f()[N], in(r)), select(f()[N] <= in(r), f()[M], r)"},
	{"int", "T(0), -7", "max(f()[N], in(r)), select(f()[N] > in(r), f()[M], r)"},
	{"int", "T(0), -7", "max(f()[N], in(r)), select(f()[N] >= in(r), f()[M], r)"},
	{"int", "T(0)", "f()[N] ^ in(r)"},
}

// Reductions of the same elements, drawn at random, side by side: 150 programs, and 40 in the
// sample.
func TestSeveral(t *testing.T) {
	rng := lowertest.Rand(18)
	rounds := 150
	if !lowertest.Full() {
		rounds = suite.More(15, 40)
	}
	joined := 0
	for range rounds {
		et := lowertest.ElementTypes()[[]int{2, 2, 3, 6, 7, 8, 9, 0, 5}[rng.IntN(9)]]
		var init, values []string
		for range 2 + rng.IntN(6) {
			b := besides[rng.IntN(len(besides))]
			if b.types == "int" && et.T.IsFloat() {
				continue
			}
			n := len(init)
			init = append(init, strings.Split(b.init, ", ")...)
			values = append(values, strings.NewReplacer("N", fmt.Sprint(n), "M", fmt.Sprint(n+1)).Replace(b.values))
		}
		if len(init) < 2 {
			continue
		}
		schedule := schedules[rng.IntN(3)]
		if strings.Contains(schedule, "%d") {
			schedule = fmt.Sprintf(schedule, []int{1, 7, 100, 1000}[rng.IntN(4)])
		}
		text := fmt.Sprintf("ImageParam in(%s, 1); Func f; f() = {%s}; RDom r(0, in.width()); f() = {%s}; RVar ro, ri; Var u;\n%s",
			et.Halide, strings.Join(init, ", "), strings.Join(values, ", "), schedule)
		text = strings.ReplaceAll(text, "T(", "cast<"+et.T.String()+">(")
		prog := lowertest.Parse(t, "several.rf", text)
		p, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		n := []int{0, 1, 63, 64, 700, 3000}[rng.IntN(6)]
		agree(t, fmt.Sprintf("n = %d\n%s", n, text), p, lowertest.SmallInputs(prog, rng, n), lowertest.Defaults())
		joined += joins(t, p, lowertest.SmallInputs(prog, rng, 3))
	}
	// With vector kernels fewer programs gain by one pass: 10 of the 150, without them 40.
	if joined < rounds/16 {
		t.Errorf("only %d of %d programs were run in one pass", joined, rounds)
	}
}

// joins is 1 if some stage does all components in one pass.
func joins(t *testing.T, planned *plan.Plan, in *plan.Inputs) int {
	p, err := Compile(planned, Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := newExecution(p)
	if err := run.start(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	for _, n := range p.nests {
		if r := run.crew(n).walker(run, 0).row; r != nil && r.joined {
			return 1
		}
	}
	return 0
}
