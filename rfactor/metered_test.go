package rfactor

import (
	"context"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
)

// TestMetered matches lines of the corpora, prints them and writes their certificates, while work that a nil meter is charged for is a
// failure: what evaluates or proves is handed the meter of whoever asks. What a process does once for a table is done before.
func TestMetered(t *testing.T) {
	lines := boundedLines(t)
	match := func() {
		for i := 0; i < len(lines); i += suite.More(17, 13) {
			for _, allowed := range boundAllowed {
				a, err := Match(context.Background(), parse(t, lines[i].Types, lines[i].Exprs), Options{Allowed: allowed})
				if err != nil {
					t.Fatal(err)
				}
				a.NoOperator()
				a.Least()
			}
		}
	}
	match()
	seen := map[string]bool{}
	effort.Unmetered = func(k effort.Kind) {
		if at := caller(string(debug.Stack())); !seen[at] {
			seen[at] = true
			t.Errorf("nobody pays for %s in %s", k, at)
		}
	}
	defer func() { effort.Unmetered = nil }()
	match()
}

// caller returns the functions of a stack below the meter.
func caller(stack string) string {
	var names []string
	for _, line := range strings.Split(stack, "\n") {
		if name, ok := strings.CutPrefix(line, "github.com/rfactor-go/rfactor/"); ok && !strings.Contains(name, "effort.(*Meter)") {
			names = append(names, name[:strings.LastIndex(name, "(")])
		}
	}
	return strings.Join(names[1:min(len(names), 8)], " < ")
}

var _ = ir.Bool
