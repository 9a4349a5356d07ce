package match

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Constructions counts what each construction and each family of lifts is good for.
var Constructions = &command.Command{
	Name:  "constructions",
	About: "leaves out each construction and each family of lifts, and counts what becomes of the updates that it answers",
	Doc: `Updates of one base are one shape in several spellings. Less is an answer by a lift in place of an operator, or in stages. All corpora
take a quarter of an hour on two idle cores.`,
	Args: "[CORPUS.tsv…]   (updates.tsv, and with -long all corpora)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		long := f.Long("all corpora", "updates.tsv alone")
		return func(c *command.Call) error {
			files := corpora[:1]
			if *long {
				files = corpora
			}
			all, err := load(c, files)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.Stdout, "by_way_of\tcorpus\tanswered\tbases\totherwise\tless\trefused\tbases_refused")
			for _, b := range all {
				if err := b.leaveOutEach(); err != nil {
					return err
				}
			}
			return nil
		}
	},
}

// leaveOutEach prints a row of each construction and each family that answers something, and one of stages.
func (b *bench) leaveOutEach() error {
	answers := make([]*rfactor.Answer, len(b.updates))
	staged, bases := 0, map[string]bool{}
	for i := range b.updates {
		var err error
		if answers[i], err = b.answerWithout(i, nil); err != nil {
			return err
		}
		if answers[i].Status == rfactor.Staged {
			staged++
			bases[b.lines[i].Base] = true
		}
	}
	for _, name := range slices.Concat([]string{"adjoined", "keyed", "counted", "conjugate", "built"}, rfactor.FamilyNames()) {
		fmt.Fprintf(b.stderr, "%s without %s\n", b.corpus, name)
		if err := b.leaveOut(name, answers); err != nil {
			return err
		}
	}
	fmt.Fprintf(b.stdout, "stages\t%s\t%d\t%d\t0\t0\t%d\t%d\n", b.corpus, staged, len(bases), staged, len(bases))
	return nil
}

// leaveOut prints the row of a construction or family: of the lines that are answered by way of it those that are answered
// otherwise without it, less well (by a lift in place of an operator, or in stages), or not at all.
func (b *bench) leaveOut(name string, answers []*rfactor.Answer) error {
	without := &study.Setup{Families: map[string]bool{name: true}, Stages: map[string]bool{}}
	for _, stage := range rfactor.Constructions() {
		without.Stages[stage] = strings.HasPrefix(stage, name)
	}
	of := regexp.MustCompile(`(^|\+|:| then )` + name + `(:|\+| |$)`) // a construction, by which a part was found
	if slices.Contains(rfactor.FamilyNames(), name) {
		of = regexp.MustCompile(`lift:([^:]*\b)?` + name + `(\+| then | and | of |$)`) // in the name of a lift
	}
	better := map[rfactor.Status]int{rfactor.Refused: 0, rfactor.Staged: 1, rfactor.Lifted: 2, rfactor.Associative: 3}
	answered, otherwise, less, refused := 0, 0, 0, 0
	bases, lost := map[string]bool{}, map[string]bool{}
	for i, a := range answers {
		if !of.MatchString(a.Via()) {
			continue
		}
		answered++
		bases[b.lines[i].Base] = true
		other, err := b.answerWithout(i, without)
		switch {
		case err != nil:
			return err
		case other.Status == rfactor.Refused:
			refused++
			lost[b.lines[i].Base] = true
		case better[other.Status] < better[a.Status]:
			less++
		default:
			otherwise++
		}
	}
	if answered > 0 {
		fmt.Fprintf(b.stdout, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", name, b.corpus, answered, len(bases), otherwise, less, refused, len(lost))
	}
	return nil
}

// answerWithout matches an update under all assumptions, without something where that is not nil.
func (b *bench) answerWithout(i int, without *study.Setup) (*rfactor.Answer, error) {
	a, err := rfactor.Match(b.ctx, b.updates[i], rfactor.Options{Name: b.lines[i].Name, Allowed: ir.AllAssumptions, Study: without})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.lines[i].Name, err)
	}
	return a, nil
}
