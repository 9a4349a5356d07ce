package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

var verifyVerb = verb{
	name:  "verify",
	about: "replays the certificates of answers, or of the rewrite rules",
	run:   runVerify,
	usage: `[FILE | -]
       rfactor verify -rules [-json]

Examples:
  rfactor match -json -proof 'f() = f() + in(r)' | rfactor verify
  rfactor coverage -json -proof corpus.tsv > answers.jsonl; rfactor verify answers.jsonl
  rfactor verify -rules

Input is what match or coverage print with -json -proof, one answer a line. A refusal
claims nothing and needs no certificate.
With -rules there is no input: every rewrite rule has a certificate for each type and each
arithmetic in which it may be applied. It is proven from the axioms, by rules of lower rank.
Exit code 0: every certificate holds; 1: one fails; 2: a line is no JSON or lacks its
certificate.`,
}

// maxLine bounds a line of answers.
const maxLine = 256 << 20

func runVerify(c *command, args []string) int {
	fs := newFlags()
	ofRules := fs.Bool("rules", false, "check the proofs of the rewrite rules")
	asJSON := fs.Bool("json", false, "with -rules: print one JSON object")
	rest, code, ok := c.parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case *ofRules && len(rest) > 0:
		return c.errorf("-rules has no input: %s", quoteShort(rest[0]))
	case *ofRules:
		return c.verifyRules(*asJSON)
	case *asJSON:
		return c.errorf("-json is for -rules")
	}
	in, where := c.stdin, "stdin"
	if len(rest) == 1 && rest[0] != "-" {
		f, err := os.Open(rest[0])
		if err != nil {
			return c.errorf("%v", err)
		}
		defer f.Close()
		in, where = f, rest[0]
	}
	return c.verifyLines(in, where)
}

// verifyLines replays every line, and says last how many held.
func (c *command) verifyLines(in io.Reader, where string) int {
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, maxLine)
	code, lines, held, refusals, failed := 0, 0, 0, 0, 0
	for n := 1; sc.Scan(); n++ {
		if c.ctx.Err() != nil {
			return exitInterrupted
		}
		line := bytes.TrimSpace(sc.Bytes())
		if len(line) == 0 {
			continue
		}
		lines++
		name, err := headOf(line)
		if err != nil {
			code = max(code, c.errorf("%s:%d: %v", where, n, err))
			continue
		}
		switch r, err := verify.Check(line); {
		case err != nil:
			failed++
			code = max(code, exitRefused)
			c.stdout.printf("FAILED %s: %v\n", name, err)
		case r.Status != verify.Refused:
			held++
			c.stdout.printf("ok %s\n", name)
		case r.Counterexample == nil && r.Nearest == nil:
			refusals++
			c.stdout.printf("ok %s: a refusal, which claims nothing\n", name)
		default:
			held++
			c.stdout.printf("ok %s: a refusal, and its values refute\n", name)
		}
	}
	if err := sc.Err(); err != nil {
		return c.errorf("%s: %v", where, err)
	}
	if lines == 0 {
		return c.errorf("%s: there is no answer in it", where)
	}
	c.stdout.printf("certificates: %d held, %d failed; %s without a claim\n", held, failed, count(refusals, "answer"))
	return code
}

// headOf is the name of an answer; an error where the line is none, or lacks what Verify
// needs.
func headOf(line []byte) (string, error) {
	var a struct {
		Name   string
		Status rfactor.Status
		Proof  *struct{ Certificate json.RawMessage }
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
			return "", fmt.Errorf("%s has no certificate: ask for one with -json -proof", quoteShort(a.Name))
		}
	default:
		return "", fmt.Errorf("no answer: its status is %s", quoteShort(string(a.Status)))
	}
	if a.Name == "" {
		return "(unnamed)", nil
	}
	return a.Name, nil
}
