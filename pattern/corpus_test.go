package pattern

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ir/tape"
)

func corpus(t testing.TB) []program.CorpusLine {
	for _, path := range []string{"../testdata/corpus/updates.tsv", "../../shared/corpus/updates.tsv"} {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		defer f.Close()
		lines, err := program.ReadCorpus(f)
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	t.Skip("no corpus here")
	return nil
}

// parts are the components that must be matched together: those reachable from one
// component through the states that values mention, without sets contained in others.
func parts(u *ir.Update) [][]int {
	reach := make([]uint64, len(u.Values))
	for i, v := range u.Values {
		reach[i] = v.States() | 1<<i
	}
	for range reach {
		for i := range reach {
			for j := range reach {
				if reach[i]>>j&1 != 0 {
					reach[i] |= reach[j]
				}
			}
		}
	}
	var out [][]int
	for i, r := range reach {
		maximal := true
		for j, q := range reach {
			if r|q == q && (r != q || j < i) {
				maximal = false
			}
		}
		if maximal {
			var part []int
			for k := range reach {
				if r>>k&1 != 0 {
					part = append(part, k)
				}
			}
			out = append(out, part)
		}
		_ = i
	}
	return out
}

// restrict is the update on some components only, renumbered.
func restrict(u *ir.Update, part []int) (types []ir.Type, values []ir.Expr) {
	at := map[int]int{}
	for i, c := range part {
		at[c] = i
		types = append(types, u.Types[c])
		values = append(values, u.Values[c])
	}
	return types, u.Pool.Map(values, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			return u.Pool.X(at[e.Index()], e.Type())
		}
		return ir.Expr{}
	})
}

// answer is one match of one part.
type answer struct {
	types            []ir.Type
	values           []ir.Expr
	name             string
	assumes          ir.Assume
	operator, inject []ir.Expr
}

// matchPart saturates and matches under each of the sets of assumptions in turn.
func matchPart(s *canon.Session, u *ir.Update, types []ir.Type, values []ir.Expr, worlds []ir.Assume) (answer, bool) {
	for _, allowed := range worlds {
		s.Reset(u.Pool, allowed, false)
		s.AssumeNonNeg(u.NonNeg)
		states, roots := make([]egraph.Class, len(types)), make([]egraph.Class, len(types))
		for i, t := range types {
			states[i] = s.Add(u.Pool.X(i, t))
			roots[i] = s.Add(values[i])
		}
		table := Table(types, allowed)
		if hit, ok := table.Search(context.Background(), s, states, roots); ok {
			op, in := hit.Expressions(s)
			return answer{types, values, hit.Entry.Name, hit.Entry.Assumes | allowed, op, in}, true
		}
	}
	return answer{}, false
}

// worlds are the sets of assumptions that a matcher tries, the weakest first.
func worlds(types []ir.Type) []ir.Assume {
	for _, t := range types {
		if t.IsFloat() {
			return []ir.Assume{0, ir.AllAssumptions &^ (ir.NSW | ir.NUW)}
		}
	}
	return []ir.Assume{0, ir.NSW | ir.NUW}
}

func matchAll(s *canon.Session, u *ir.Update) ([]answer, bool) {
	var all []answer
	for _, part := range parts(u) {
		types, values := restrict(u, part)
		a, ok := matchPart(s, u, types, values, worlds(types))
		if !ok && len(part) < len(u.Values) { // the matcher proper tries all groupings
			if a, ok = matchPart(s, u, u.Types, u.Values, worlds(u.Types)); ok {
				return []answer{a}, true
			}
		}
		if !ok {
			return nil, false
		}
		all = append(all, a)
	}
	return all, true
}

// composed is operator(x, inject).
func composed(u *ir.Update, a answer) []ir.Expr {
	return u.Pool.Map(a.operator, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.Leaf && e.Name()[0] == 'y' {
			return a.inject[e.Index()]
		}
		return ir.Expr{}
	})
}

// checkAnswer compares the update with operator(x, inject) by evaluation.
func checkAnswer(u *ir.Update, a answer, unbounded bool) error {
	composed := composed(u, a)
	code := tape.New(append(append([]ir.Expr{}, a.values...), composed...)...)
	rng := rand.New(rand.NewSource(7))
	rows := make([]*[tape.Lanes]uint64, len(code.Inputs))
	for i := range rows {
		rows[i] = new([tape.Lanes]uint64)
	}
	for range 40 {
		for i, v := range code.Inputs {
			for l := range tape.Lanes {
				rows[i][l] = point(rng, v, unbounded, u.NonNeg)
			}
		}
		out := code.Run(rows)
		n := len(a.values)
		for i := range n {
			for l := range tape.Lanes {
				if !sameValue(a.values[i].Type(), out[i][l], out[n+i][l]) {
					var b strings.Builder
					for j, v := range code.Inputs {
						fmt.Fprintf(&b, " %s=%d", v, int64(rows[j][l]))
					}
					return fmt.Errorf("component %d: %s is not %s at%s", i, a.values[i], composed[i], b.String())
				}
			}
		}
	}
	return nil
}

func point(rng *rand.Rand, v ir.Expr, unbounded bool, nonNeg []ir.Expr) uint64 {
	t := v.Type()
	for _, n := range nonNeg {
		if n == v {
			return uint64(rng.Intn(100))
		}
	}
	switch {
	case t == ir.Bool:
		return uint64(rng.Intn(2))
	case t.IsFloat():
		return ir.FloatBits(t, float64(rng.Intn(41)-20)/4)
	case unbounded || rng.Intn(2) == 0:
		if t.IsUnsigned() {
			return uint64(rng.Intn(20))
		}
		return uint64(int64(rng.Intn(41) - 20))
	case rng.Intn(4) == 0:
		return []uint64{t.Min(), t.Max(), t.Wrap(t.Min() + 1), t.Max() - 1}[rng.Intn(4)]
	}
	return t.Wrap(rng.Uint64())
}

func sameValue(t ir.Type, a, b uint64) bool {
	if !t.IsFloat() {
		return a == b
	}
	x, y := ir.Float(t, a), ir.Float(t, b)
	if x != x || y != y || x-x != 0 || y-y != 0 {
		return true // the corpus' preconditions exclude these
	}
	d := x - y
	return d <= 1e-3*(1+max(x, -x)) && -d <= 1e-3*(1+max(x, -x))
}

// TestCorpusCoverage: saturation and the table alone.
func TestCorpusCoverage(t *testing.T) {
	s := canon.NewSession()
	matched, total := 0, 0
	families := map[string]map[string]int{}
	var missed []string
	for _, l := range corpus(t) {
		u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		answers, ok := matchAll(s, u)
		associative := strings.HasPrefix(l.Class, "assoc")
		if associative {
			total++
		}
		if !ok {
			if associative {
				missed = append(missed, l.Name+"\t"+l.Exprs+"\t"+l.Holds+"\t"+l.Op)
			}
			continue
		}
		if associative {
			matched++
		} else {
			t.Logf("%s (%s) matched: %s", l.Name, l.Class, describe(answers))
		}
		if l.Class == "not" {
			t.Errorf("%s is not associative, but matched", l.Name)
		}
		for _, a := range answers {
			unbounded := a.assumes&(ir.NSW|ir.NUW) != 0
			if err := checkAnswer(u, a, unbounded); err != nil {
				t.Errorf("%s: %s: %v", l.Name, l.Exprs, err)
			}
		}
		base := l.Base
		if families[base] == nil {
			families[base] = map[string]int{}
		}
		families[base][describe(answers)]++
		if testing.Verbose() {
			t.Logf("%s: %s  -->  %s", l.Name, l.Exprs, describe(answers))
		}
	}
	for _, m := range missed {
		t.Logf("missed: %s", m)
	}
	split := 0
	for base, ops := range families {
		if len(ops) > 1 {
			split++
			t.Logf("family %s has several operators: %v", base, ops)
		}
	}
	t.Logf("%d of %d associative lines; %d of %d families with several operators", matched, total, split, len(families))
	if matched < 190 {
		t.Errorf("%d lines matched, want at least 190", matched)
	}
}

// TestGreedyBaseline: the same table after the greedy simplifier, without saturation.
func TestGreedyBaseline(t *testing.T) {
	s := canon.NewSession()
	matched, total := 0, 0
	for _, l := range corpus(t) {
		u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			t.Fatal(err)
		}
		ok := greedyParts(s, u, parts(u)) || greedyParts(s, u, [][]int{whole(u)})
		if strings.HasPrefix(l.Class, "assoc") {
			total++
			if ok {
				matched++
			} else {
				t.Logf("missed: %s %s", l.Name, l.Exprs)
			}
		} else if ok && l.Class == "not" {
			t.Errorf("%s is not associative, but matched", l.Name)
		}
	}
	t.Logf("%d of %d", matched, total)
}

func whole(u *ir.Update) (all []int) {
	for i := range u.Values {
		all = append(all, i)
	}
	return all
}

func greedyParts(s *canon.Session, u *ir.Update, parts [][]int) bool {
	for _, part := range parts {
		types, values := restrict(u, part)
		ok := false
		for _, allowed := range worlds(types) {
			s.Reset(u.Pool, allowed, false)
			states, roots := make([]egraph.Class, len(types)), make([]egraph.Class, len(types))
			for i, t := range types {
				states[i] = s.Add(u.Pool.X(i, t))
				roots[i] = s.Add(canon.Greedy(values[i], allowed))
			}
			if _, hit := (*Own)(nil).GreedyTable(types, allowed).Match(s, states, roots); hit {
				ok = true
				break
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

func describe(as []answer) string {
	var parts []string
	for _, a := range as {
		var ops []string
		for _, e := range a.operator {
			ops = append(ops, e.String())
		}
		s := strings.Join(ops, "; ")
		if a.assumes != 0 {
			s += " [" + a.assumes.String() + "]"
		}
		parts = append(parts, s)
	}
	sort.Strings(parts)
	return strings.Join(parts, " | ")
}
