// Package mutants changes answers and their certificates, and counts what the checker makes of the mutants: those that it
// accepts are judged by evaluation, in internal/claims.
package mutants

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/save"
)

// Command measures the checker by mutants.
var Command = &command.Command{
	Name:  "mutants",
	About: "changes answers and their certificates, and counts what the checker makes of the mutants",
	Doc: `Files are answers with certificates (.jsonl), or corpora (.tsv) and programs (.rf) that are matched under all and under the default
assumptions first. There is a row for each kind of change. Falsifying mutants claim what evaluation refutes, meaningless ones
nothing that can be evaluated. A claim that was accepted is taken for true where none of many points refutes it. Costly lines
take more than a second, or 200 MB of memory that is allocated in all. Each answer is checked and judged unchanged, too.

Mutants depend on the answers and on -seed alone. Exit code 1: the checker accepted a claim that is false or means nothing, or
panicked; those are listed on standard error. Ctrl-C stops, and prints what there is.`,
	Args: "[FILE.jsonl | CORPUS.tsv | PROGRAM.rf …]   (updates.tsv and all programs, of which some have bounds; with -long unseen.tsv and unseen_lift.tsv as well)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		long := f.Long("100,000 mutants of three corpora, for most of an hour on two idle cores", "3,000 of one")
		n := f.Int("n", 0, "how many mutants; 0 means 3,000, and with -long 100,000")
		seed := f.Seed("mutants")
		accepted := f.String("accepted", "", "write the accepted mutants with their judgement to a `FILE`")
		workers := f.Int("workers", 2, "how many mutants are checked at a time")
		return func(c *command.Call) error {
			if *n < 0 || *workers < 1 {
				return command.Usage("-n or -workers is too small")
			}
			files := c.Args
			if len(files) == 0 {
				files = []string{"testdata/corpus/updates.tsv"}
				if *long {
					files = append(files, "testdata/corpus/unseen.tsv", "testdata/corpus/unseen_lift.tsv")
				}
				for _, folder := range []string{"testdata/programs", "bench/mutants/testdata"} {
					programs, err := filepath.Glob(folder + "/*.rf")
					if err != nil {
						return err
					}
					files = append(files, programs...)
				}
			}
			if *n == 0 {
				if *n = 3_000; *long {
					*n = 100_000
				}
			}
			s, err := load(c.Context, files, c.Stderr)
			if err != nil {
				return err
			}
			t := measure(c.Context, s, *n, *workers, *seed, c.Stderr)
			t.print(c.Stdout)
			if *accepted != "" {
				if err := t.write(*accepted); err != nil {
					return err
				}
			}
			return t.say(c.Stderr)
		}
	},
}

// say lists the costly mutants and those that must not have been accepted. Where there are such it fails.
func (t *table) say(stderr io.Writer) error {
	for _, r := range t.costly {
		fmt.Fprintf(stderr, "%d (%s of %s: %s) takes %.1f s and %d MB\n", r.number, r.kind, r.of.from, r.what, r.took.Seconds(), r.bytes>>20)
	}
	wrong := t.wrong()
	for _, r := range wrong {
		fmt.Fprintln(stderr, r.report())
	}
	if len(wrong) > 0 {
		return command.ErrFailed
	}
	return nil
}

// unchanged is the kind of the answers themselves.
const unchanged = "unchanged"

// measure checks and judges all answers, and then mutants of them. Answers whose own claim is
// refuted make no mutants: each would be refuted for the same reason.
func measure(ctx context.Context, s *answers, n, workers int, seed uint64, stderr io.Writer) *table {
	t := &table{rows: map[string]*row{}}
	r := newRunner(stderr)
	begin, done := time.Now(), 0
	take := func(res *result) {
		t.take(res)
		if done++; done%1000 == 0 {
			fmt.Fprintf(stderr, "%d in %.0f s\n", done, time.Since(begin).Seconds())
		}
	}
	refuted := map[*answer]bool{}
	r.run(ctx, len(s.all), workers, func(i int) mutant {
		return mutant{number: -1 - i, kind: unchanged, of: s.all[i], what: "nothing", text: s.all[i].text}
	}, func(res *result) {
		take(res)
		refuted[res.of] = res.isFalse()
	})
	s.drop(refuted)
	r.run(ctx, n, workers, func(i int) mutant { return s.mutate(i, seed) }, take)
	return t
}

// write lists the accepted mutants, each with what was changed and what the judge says, and
// the line itself.
func (t *table) write(file string) error {
	var b strings.Builder
	for _, r := range t.accepted {
		if r.kind != unchanged || r.isFalse() {
			fmt.Fprintf(&b, "%s\t%s\n", r.report(), r.text)
		}
	}
	return save.Text(file, []byte(b.String()))
}
