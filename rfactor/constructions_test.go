package rfactor

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

var leaveOut = flag.Bool("leave-out", false, "match corpora again without each construction, and print a table")

// TestConstructionsLeftOut prints for each construction the updates of corpora that it answers, by how many
// different bases, and what becomes of them without it. All constructions come after lookups.
func TestConstructionsLeftOut(t *testing.T) {
	if !*leaveOut {
		t.Skip("make bench-constructions runs it")
	}
	all := pipeline
	defer func() { pipeline = all }()
	fmt.Println("construction\tcorpus\tanswered\tbases\tlifted_without\trefused_without")
	for _, corpus := range []string{"updates.tsv", "unseen.tsv", "unseen_lift.tsv", "real.tsv", "go-std.tsv"} {
		lines := readCorpus(t, corpus)
		vias := make([]string, len(lines))
		for i, l := range lines {
			vias[i] = answerTo(t, l).Via()
		}
		for _, name := range []string{"adjoined", "keyed", "conjugate", "built"} {
			pipeline = slices.DeleteFunc(slices.Clone(all), func(s stage) bool { return strings.HasPrefix(s.via, name) })
			answered, becomes, bases := 0, map[Status]int{}, map[string]bool{}
			for i, l := range lines {
				if !strings.Contains(vias[i], name) || strings.HasPrefix(vias[i], "lift:") {
					continue
				}
				answered++
				bases[l.Base] = true
				becomes[answerTo(t, l).Status]++
			}
			if answered > 0 {
				fmt.Printf("%s\t%s\t%d\t%d\t%d\t%d\n", name, corpus, answered, len(bases), becomes[Lifted], becomes[Refused])
			}
		}
		pipeline = all
	}
}

// answerTo matches a line of a corpus under all assumptions.
func answerTo(t *testing.T, l program.CorpusLine) *Answer {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
	if err == nil && l.Pre != "" {
		u.Given, err = program.ParseGiven(u, l.Pre)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := Match(context.Background(), u, Options{Name: l.Name, Allowed: ir.AllAssumptions})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
