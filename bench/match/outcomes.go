package match

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/rfactor"
)

// outcomes prints how the updates of corpora are answered, and the reasons of refusals by their codes, in a column for each corpus
// and set of assumptions.
func outcomes(c *command.Call, corpora []*bench) error {
	var head []string
	counts := map[string][]int{} // of an outcome, by column
	for _, b := range corpora {
		for _, s := range settings {
			fmt.Fprintf(c.Stderr, "%s:%s\n", b.corpus, s.name)
			head = append(head, b.corpus+":"+s.name)
			for i, u := range b.updates {
				a, err := rfactor.Match(c.Context, u, rfactor.Options{Allowed: s.allowed})
				if err != nil {
					return fmt.Errorf("%s: %w", b.lines[i].Name, err)
				}
				for _, o := range outcomesOf(a) {
					for len(counts[o]) < len(head) {
						counts[o] = append(counts[o], 0)
					}
					counts[o][len(head)-1]++
				}
			}
		}
	}
	fmt.Fprintf(c.Stdout, "outcome\t%s\n", strings.Join(head, "\t"))
	names := slices.Collect(maps.Keys(counts))
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(rankOf(a)-rankOf(b), cmp.Compare(a, b)) })
	for _, o := range names {
		fmt.Fprint(c.Stdout, o)
		for i := range head {
			n := 0
			if i < len(counts[o]) {
				n = counts[o][i]
			}
			fmt.Fprintf(c.Stdout, "\t%d", n)
		}
		fmt.Fprintln(c.Stdout)
	}
	return nil
}

// outcomesOf names what an answer counts as: its status, the passes of a staged one, the code of a refusal, and whether a lift assumes
// nothing and has no parameter too many.
func outcomesOf(a *rfactor.Answer) []string {
	switch a.Status {
	case rfactor.Staged:
		return []string{string(a.Status), fmt.Sprintf("staged: passes %d", a.Passes())}
	case rfactor.Refused:
		return []string{string(a.Status), "refused: " + string(a.Code)}
	}
	out := []string{string(a.Status)}
	if a.Status == rfactor.Lifted && a.Assumes == 0 && len(a.Given) == 0 {
		out = append(out, "lifted: exact")
	}
	if a.Least() != nil {
		out = append(out, "lifted: least proven")
	}
	return out
}

// rankOf orders outcomes by their status.
func rankOf(outcome string) int {
	status, _, _ := strings.Cut(outcome, ":")
	return slices.Index([]string{string(rfactor.Associative), string(rfactor.Lifted), string(rfactor.Staged), string(rfactor.Refused)}, status)
}
