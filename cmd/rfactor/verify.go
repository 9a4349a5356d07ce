package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

var verifyVerb = verbs.Verb{
	Name:  "verify",
	About: "replays the certificates of answers, or of the rewrite rules",
	Run:   with(runVerify),
	Usage: `[-json] [FILE | -]
       rfactor verify -rules [-json]

Examples:
  rfactor match -json -proof 'f() = f() + in(r)' | rfactor verify
  rfactor coverage -json -proof corpus.tsv > answers.jsonl; rfactor verify answers.jsonl
  rfactor verify -rules

Input is what match or coverage print with -json -proof, one answer a line. A refusal
claims that its values refute, and where it says so that no operator exists; it needs no certificate.
With -rules there is no input: every rewrite rule has a certificate for each type and each
arithmetic in which it may be applied. It is proven from the axioms, by rules of lower rank.
The work on a line is bounded: one whose certificate needs more fails.
Exit code 0: every certificate holds; 1: one fails; 2: a line is no JSON or lacks its
certificate.`,
}

// maxLine bounds a line of answers.
const maxLine = 256 << 20

func runVerify(c *command, args []string) int {
	fs := cli.NewFlags()
	ofRules := fs.Bool("rules", false, "check the proofs of the rewrite rules")
	asJSON := fs.Bool("json", false, "print one JSON object a line: one for each answer, then the counts; with -rules one object")
	rest, code, ok := c.Parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case *ofRules && len(rest) > 0:
		return c.Errorf("-rules has no input: %s", cli.Quote(rest[0]))
	case *ofRules:
		return c.verifyRules(*asJSON)
	}
	in, where := c.Stdin, "stdin"
	if len(rest) == 1 && rest[0] != "-" {
		f, err := os.Open(rest[0])
		if err != nil {
			return c.Errorf("%v", err)
		}
		defer f.Close()
		in, where = f, rest[0]
	}
	return c.verifyLines(in, where, *asJSON)
}

// verdict is one line of verify -json: what became of one answer.
type verdict struct {
	Line   int    `json:"line"`
	Name   string `json:"name,omitempty"`
	Result string `json:"result"` // one of those below
	Error  string `json:"error,omitempty"`
}

// The results of a line.
const (
	lineHolds    = "ok"
	lineTheorem  = "ok, a refusal where no operator exists"
	lineRefutes  = "ok, a refusal whose values refute"
	lineNoClaim  = "ok, a refusal without a claim"
	lineFailed   = "failed"
	lineNoAnswer = "no answer"
)

// verdicts counts lines; it is the last line of verify -json.
type verdicts struct {
	Held         int `json:"held"`
	Failed       int `json:"failed"`
	WithoutClaim int `json:"without_claim"`
	Unreadable   int `json:"unreadable"`
}

// String is the verdict as text; empty of a line that is no answer, which is an error.
func (v verdict) String() string {
	switch v.Result {
	case lineFailed:
		return fmt.Sprintf("FAILED %s: %s\n", v.Name, v.Error)
	case lineHolds:
		return "ok " + v.Name + "\n"
	case lineTheorem:
		return "ok " + v.Name + ": a refusal, and no operator on the state exists\n"
	case lineRefutes:
		return "ok " + v.Name + ": a refusal, and its values refute\n"
	case lineNoClaim:
		return "ok " + v.Name + ": a refusal, which claims nothing\n"
	}
	return ""
}

// verifyLines replays every line, and says last how many held.
func (c *command) verifyLines(in io.Reader, where string, asJSON bool) int {
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, maxLine)
	code, lines := verbs.Matched, 0
	var all verdicts
	for n := 1; sc.Scan(); n++ {
		if c.Ctx.Err() != nil {
			return verbs.Interrupted
		}
		line := bytes.TrimSpace(sc.Bytes())
		if len(line) == 0 {
			continue
		}
		lines++
		v := all.judge(n, line)
		switch v.Result {
		case lineNoAnswer:
			code = max(code, c.Errorf("%s:%d: %s", where, n, v.Error))
		case lineFailed:
			code = max(code, verbs.Refused)
		}
		if asJSON {
			c.WriteRecord(v)
		} else {
			c.Stdout.Printf("%s", v)
		}
	}
	if err := sc.Err(); err != nil {
		return c.Errorf("%s: %v", where, err)
	}
	if lines == 0 {
		return c.Errorf("%s: there is no answer in it", where)
	}
	if asJSON {
		c.WriteRecord(all)
	} else {
		c.Stdout.Printf("certificates: %d held, %d failed; %s without a claim\n", all.Held, all.Failed, cli.Count(all.WithoutClaim, "answer"))
	}
	return code
}

// judge replays one line, and counts it.
func (all *verdicts) judge(n int, line []byte) verdict {
	v := verdict{Line: n}
	name, err := headOf(line)
	if err != nil {
		all.Unreadable++
		v.Result, v.Error = lineNoAnswer, err.Error()
		return v
	}
	v.Name = name
	var r *verify.Record
	err = guard.Call(func() (err error) {
		r, err = verify.Check(line)
		return err
	})
	switch {
	case err != nil:
		all.Failed++
		v.Result, v.Error = lineFailed, err.Error()
	case r.Status != verify.Refused:
		all.Held++
		v.Result = lineHolds
	case r.NoOperator != nil:
		all.Held++
		v.Result = lineTheorem
	case r.Counterexample == nil && r.Nearest == nil:
		all.WithoutClaim++
		v.Result = lineNoClaim
	default:
		all.Held++
		v.Result = lineRefutes
	}
	return v
}

// headOf is the name of an answer; an error where the line is none, or lacks what Verify
// needs.
func headOf(line []byte) (string, error) {
	type proofOf struct{ Certificate json.RawMessage }
	var a struct {
		Name   string
		Status rfactor.Status
		Proof  *proofOf
		Stages []struct{ Answer struct{ Proof *proofOf } }
	}
	err := json.Unmarshal(line, &a)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return "", fmt.Errorf("no answer in JSON: %s stands where none belongs", wrong.Value)
	}
	if err != nil {
		return "", fmt.Errorf("no answer in JSON: %w", err)
	}
	switch a.Status {
	case rfactor.Refused, rfactor.Failed:
	case rfactor.Associative, rfactor.Lifted:
		if a.Proof == nil || a.Proof.Certificate == nil {
			return "", fmt.Errorf("%s has no certificate: ask for one with -json -proof", cli.Quote(a.Name))
		}
	case rfactor.Staged: // whose stages have certificates
		for _, s := range a.Stages {
			if s.Answer.Proof == nil || s.Answer.Proof.Certificate == nil {
				return "", fmt.Errorf("%s has no certificate for a stage: ask for one with -json -proof", cli.Quote(a.Name))
			}
		}
	default:
		return "", fmt.Errorf("no answer: its status is %s", cli.Quote(string(a.Status)))
	}
	if a.Name == "" {
		return "(unnamed)", nil
	}
	return a.Name, nil
}
