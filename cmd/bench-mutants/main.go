// Bench-mutants changes answers and their certificates, and counts what the checker makes of
// the mutants: those that it accepts are judged by evaluation, in package judge.
//
// Arguments are files of answers with certificates (.jsonl), or corpora (.tsv) and programs
// (.rf) that are matched under all and under the default assumptions first. Standard output
// is a table of tab-separated values, a row for each kind of change. Falsifying mutants claim
// what evaluation refutes, meaningless ones nothing that can be evaluated. A claim that was
// accepted is taken for true where none of many points refutes it. Costly lines take more than
// a second, or 200 MB of memory that is allocated in all. Each answer is checked and judged
// unchanged, too.
//
// Mutants depend on the answers and on -seed alone. Exit code 1: the checker accepted a claim
// that is false or means nothing, or panicked; those are listed on standard error. Ctrl-C
// stops, and prints what there is.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench-mutants", flag.ContinueOnError)
	flags.SetOutput(stderr)
	n := flags.Int("n", 100_000, "how many mutants")
	seed := flags.Uint64("seed", 1, "of the mutants")
	accepted := flags.String("accepted", "", "write the accepted mutants with their judgement to a `FILE`")
	workers := flags.Int("workers", 2, "how many mutants are checked at a time")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() == 0 || *n < 0 || *workers < 1 {
		fmt.Fprintln(stderr, "usage: bench-mutants [-n N] [-seed S] [-accepted FILE] [-workers N] FILE.jsonl | CORPUS.tsv | PROGRAM.rf ...")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s, err := load(ctx, flags.Args(), stderr)
	if err != nil {
		fmt.Fprintln(stderr, "bench-mutants:", err)
		return 2
	}
	t := measure(ctx, s, *n, *workers, *seed, stderr)
	t.print(stdout)
	if *accepted != "" {
		if err := t.write(*accepted); err != nil {
			fmt.Fprintln(stderr, "bench-mutants:", err)
			return 2
		}
	}
	for _, r := range t.costly {
		fmt.Fprintf(stderr, "%d (%s of %s: %s) takes %.1f s and %d MB\n", r.number, r.kind, r.of.from, r.what, r.took.Seconds(), r.bytes>>20)
	}
	wrong := t.wrong()
	for _, r := range wrong {
		fmt.Fprintln(stderr, r.report())
	}
	if len(wrong) > 0 {
		return 1
	}
	return 0
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
	return os.WriteFile(file, []byte(b.String()), 0o666)
}
