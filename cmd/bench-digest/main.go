// Bench-digest matches every update of corpora under all assumptions and under the default
// ones, and prints a SHA-256 digest of the answers to each, without their proofs and times.
// Two versions that print the same digests give the same answers.
//
//	bench-digest testdata/corpus/updates.tsv
//	corpus	assume	answers	sha256
//	updates.tsv	all	560	0f3c…
//
// With -answers it prints the answers themselves, one a line, to be compared by diff.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench-digest", flag.ContinueOnError)
	flags.SetOutput(stderr)
	whole := flags.Bool("answers", false, "print the answers in place of digests")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(stderr, "usage: bench-digest [-answers] CORPUS.tsv …")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if !*whole {
		fmt.Fprintln(stdout, "corpus\tassume\tanswers\tsha256")
	}
	for _, file := range flags.Args() {
		for _, s := range settings {
			answers, n, err := answersTo(ctx, file, s.allowed)
			if err != nil {
				fmt.Fprintln(stderr, "bench-digest:", err)
				return 1
			}
			if *whole {
				stdout.Write(answers)
			} else {
				fmt.Fprintf(stdout, "%s\t%s\t%d\t%x\n", filepath.Base(file), s.name, n, sha256.Sum256(answers))
			}
		}
	}
	return 0
}

// settings are the sets of assumptions that rows are about.
var settings = []struct {
	name    string
	allowed ir.Assume
}{
	{"all", ir.AllAssumptions},
	{"default", ir.DefaultAssumptions},
}

// answersTo returns the answers to the updates of a corpus, one a line, and how many they are.
func answersTo(ctx context.Context, file string, allowed ir.Assume) (answers []byte, n int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err == nil && len(lines) == 0 {
		err = errors.New("there is no update in it")
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", file, err)
	}
	var b bytes.Buffer
	for _, l := range lines {
		answer, err := answerTo(ctx, l, allowed)
		if err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w", file, l.Line, err)
		}
		b.Write(answer)
		b.WriteByte('\n')
	}
	return b.Bytes(), len(lines), nil
}

// answerTo returns what is said of an update, without what differs from run to run or is the
// proof of it.
func answerTo(ctx context.Context, l program.CorpusLine, allowed ir.Assume) ([]byte, error) {
	u, err := l.Update()
	if err != nil {
		return nil, err
	}
	a, err := rfactor.Match(ctx, u, rfactor.Options{Name: l.Name, Allowed: allowed})
	if err != nil {
		return nil, err
	}
	line, err := a.JSON(false)
	if err != nil {
		return nil, err
	}
	r, err := verify.Read(line)
	if err != nil {
		return nil, err
	}
	r.Schema, r.Proof, r.Micros = 0, nil, 0
	r.Code, r.Hint = "", nil // in other words in the reason
	for _, s := range r.Stages {
		s.Answer.Proof, s.Answer.Micros = nil, 0
	}
	return r.Line()
}
