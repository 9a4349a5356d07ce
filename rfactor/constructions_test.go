package rfactor

import (
	"context"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

var leaveOut = flag.Bool("leave-out", false, "match corpora again without each construction and each family of lifts, and print a table")

// TestConstructionsLeftOut prints for each construction and each family of lifts the updates of corpora that are answered by way of
// it, by how many different bases, and what becomes of them without it. Updates of one base are one shape in several spellings.
func TestConstructionsLeftOut(t *testing.T) {
	if !*leaveOut {
		t.Skip("make bench-constructions runs it")
	}
	fmt.Println("by_way_of\tcorpus\tanswered\tbases\totherwise\tless\trefused\tbases_refused")
	for _, corpus := range []string{"updates.tsv", "unseen.tsv", "unseen_lift.tsv", "real.tsv", "go-std.tsv"} {
		lines := readCorpus(t, corpus)
		answers := make([]*Answer, len(lines))
		for i, l := range lines {
			answers[i] = answerTo(t, l, nil)
		}
		for _, name := range slices.Concat([]string{"adjoined", "keyed", "conjugate", "built"}, FamilyNames()) {
			leaveOutOf(t, corpus, name, lines, answers)
		}
		staged, bases := 0, map[string]bool{}
		for i, a := range answers {
			if a.Status == Staged {
				staged++
				bases[lines[i].Base] = true
			}
		}
		fmt.Printf("stages\t%s\t%d\t%d\t0\t0\t%d\t%d\n", corpus, staged, len(bases), staged, len(bases))
	}
}

// leaveOutOf prints the row of a construction or family: of the lines that are answered by way of it those that are answered
// otherwise without it, less well (by a lift in place of an operator, or in stages), or not at all.
func leaveOutOf(t *testing.T, corpus, name string, lines []program.CorpusLine, answers []*Answer) {
	without := &study.Setup{Families: map[string]bool{name: true}, Stages: map[string]bool{}}
	for _, stage := range Constructions() {
		without.Stages[stage] = strings.HasPrefix(stage, name)
	}
	of := regexp.MustCompile(`(^|\+|:| then )` + name + `(:|\+| |$)`) // a construction, by which a part was found
	if slices.Contains(FamilyNames(), name) {
		of = regexp.MustCompile(`lift:([^:]*\b)?` + strings.Replace(name, "automaton", "(automaton|table)", 1) + `(\+| then | and | of |$)`) // in the name of a lift
	}
	better := map[Status]int{Refused: 0, Staged: 1, Lifted: 2, Associative: 3}
	answered, otherwise, less, refused := 0, 0, 0, 0
	bases, lost := map[string]bool{}, map[string]bool{}
	for i, a := range answers {
		if !of.MatchString(a.Via()) {
			continue
		}
		answered++
		bases[lines[i].Base] = true
		switch b := answerTo(t, lines[i], without); {
		case b.Status == Refused:
			refused++
			lost[lines[i].Base] = true
		case better[b.Status] < better[a.Status]:
			less++
		default:
			otherwise++
		}
	}
	if answered > 0 {
		fmt.Printf("%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", name, corpus, answered, len(bases), otherwise, less, refused, len(lost))
	}
}

// answerTo matches a line of a corpus under all assumptions, without something where that is not nil.
func answerTo(t *testing.T, l program.CorpusLine, without *study.Setup) *Answer {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
	if err == nil && l.Pre != "" {
		u.Given, err = program.ParseGiven(u, l.Pre)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := Match(context.Background(), u, Options{Name: l.Name, Allowed: ir.AllAssumptions, Study: without})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
