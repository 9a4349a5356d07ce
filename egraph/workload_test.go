package egraph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
	workloads "github.com/rfactor-go/rfactor/testdata/egraph-workloads"
)

func readLines(t testing.TB, name string) []string {
	t.Helper()
	lines, err := workloads.Lines(name)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// A workload is a rule file and start terms, parsed.
type workload struct {
	syms  Symbols
	rules *RuleSet
	terms []*Term
}

func init() {
	Load = func(t *testing.T, rules, terms string) (*RuleSet, []*Term) {
		w := load(t, rules, terms)
		return w.rules, w.terms
	}
}

func load(t testing.TB, rules, terms string) *workload {
	t.Helper()
	w := &workload{}
	text, err := workloads.Text(rules + ".rules")
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.syms.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	w.rules = MustCompile(list)
	for _, line := range readLines(t, terms+".terms") {
		term, err := w.syms.ParseTerm(line)
		if err != nil {
			t.Fatal(err)
		}
		w.terms = append(w.terms, term)
	}
	return w
}

// counts runs and returns "matches enodes classes" of every iteration.
func counts(g *Graph, rs *RuleSet, limits Limits, stop func(Iteration) bool) ([]string, Report) {
	var rows []string
	r := Run(context.Background(), g, rs, limits, func(it Iteration) bool {
		rows = append(rows, fmt.Sprintf("%d/%d/%d", it.Matches, it.Nodes, it.Classes))
		return stop == nil || !stop(it)
	})
	return rows, r
}

func TestJointWorkloads(t *testing.T) {
	tests := []struct {
		rules, terms, expected string
		iterations             int // 0: to saturation
		fold                   bool
	}{
		{"ac", "ac5", "ac5", 0, false},
		{"ac", "ac6", "ac6", 0, false},
		{"ac", "ac7", "ac7", 0, false},
		{"ac", "ac8", "ac8", 0, false},
		{"ac", "ac9", "ac9", 0, false},
		{"math", "math", "math", 9, false},
		{"math", "math", "math-fold", 9, true},
		{"math-intro", "math", "math-intro", 4, false},
		{"upd", "upd", "upd-joint", 3, false},
	}
	for _, tt := range tests {
		for _, proofs := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/proofs=%v", tt.expected, proofs), func(t *testing.T) {
				w := load(t, tt.rules, tt.terms)
				g := New(w.options(proofs, tt.fold))
				for _, term := range w.terms {
					g.AddTerm(term)
				}
				rows, r := counts(g, w.rules, Limits{Iterations: tt.iterations}, nil)
				var want []string
				for _, line := range readLines(t, "expected/"+tt.expected+".iters.txt") {
					f := strings.Fields(line)
					want = append(want, strings.Join(f[1:], "/"))
				}
				wantStop := Saturated
				if tt.iterations > 0 {
					want, wantStop = want[:tt.iterations], IterationLimit
				}
				if g, w := strings.Join(rows, "\n"), strings.Join(want, "\n"); g != w {
					t.Errorf("matches/enodes/classes per iteration:\n%s\nwant\n%s", g, w)
				}
				if r.Stop != wantStop {
					t.Errorf("stop = %v, want %v", r.Stop, wantStop)
				}
			})
		}
	}
}

func TestSeparateWorkloads(t *testing.T) {
	tests := []struct {
		file       string
		iterations int
		fold       bool
		soft       int
		terms      int
	}{
		{"upd-each-i5", 5, false, 0, 200},
		{"upd-each-i5-fold", 5, true, 0, 200},
		{"upd-each-soft1000", 30, false, 1000, 200},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			w := load(t, "upd", "upd")
			g := New(w.options(false, tt.fold))
			lines := readLines(t, "expected/"+tt.file+".txt")
			for i, term := range w.terms[:tt.terms] {
				head, want, _ := strings.Cut(lines[i], " | ")
				g.Reset() // one graph for all
				root := g.AddTerm(term)
				rows, r := counts(g, w.rules, Limits{Iterations: tt.iterations},
					func(it Iteration) bool { return tt.soft > 0 && it.Nodes >= tt.soft && it.Number < tt.iterations })
				stop := map[Stop]string{Saturated: "saturated", IterationLimit: "iters", Stopped: "soft"}[r.Stop]
				if r.Stop == Stopped { // the file ends with an iteration that does nothing
					rows = append(rows, fmt.Sprintf("0/%d/%d", r.Nodes, r.Classes))
				}
				best, _ := g.Extract(TermSize).Cost(g.ClassOf(root))
				have := fmt.Sprintf("%d %d %s", i+1, best, stop)
				if have != head || strings.Join(rows, " ") != want {
					t.Fatalf("have %s | %s\nwant %s", have, strings.Join(rows, " "), lines[i])
				}
			}
		})
	}
}
