package match

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// digests is the file of the digests that are kept.
const digests = "testdata/digests.txt"

// Digest prints digests of answers. Two versions that print the same give the same answers.
var Digest = &command.Command{
	Name:  "digest",
	About: "prints a digest of the answers to each corpus, without their proofs and times",
	Doc:   "Every update is matched under all assumptions and under the default ones.",
	Args:  "[CORPUS.tsv…]   (updates.tsv, unseen.tsv and unseen_lift.tsv)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		update := f.Update(digests)
		whole := f.Bool("answers", false, "print the answers in place of digests, one a line, to be compared by diff")
		return func(c *command.Call) error {
			files := c.Args
			switch {
			case *update && (len(files) > 0 || *whole):
				return command.Usage("-update is of the digests of the default corpora")
			case len(files) == 0:
				files = corpora[:3]
			}
			var out bytes.Buffer
			if !*whole {
				fmt.Fprintln(&out, "corpus\tassume\tanswers\tsha256")
			}
			for _, file := range files {
				for _, s := range settings {
					answers, n, err := answersTo(c.Context, file, s.allowed)
					if err != nil {
						return err
					}
					if *whole {
						out.Write(answers)
					} else {
						fmt.Fprintf(&out, "%s\t%s\t%d\t%x\n", filepath.Base(file), s.name, n, sha256.Sum256(answers))
					}
				}
			}
			if *update {
				return save.Text(digests, out.Bytes())
			}
			_, err := c.Stdout.Write(out.Bytes())
			return err
		}
	},
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
