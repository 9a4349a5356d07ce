//go:build !js

package smt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Solver asks one process that speaks SMT-LIB 2 on its standard input and output. The process is
// started by the first question, killed where it does not answer in time, and started again by
// the next. A Solver is safe for concurrent use; questions wait for each other.
type Solver struct {
	Limit    int           // of one question, in the solver's own unit of resources; 0 for none
	Patience time.Duration // after which the process is killed

	mu      sync.Mutex
	command []string
	name    string // of the program, with its version
	process *running
}

// running is a live process. Its output arrives by lines.
type running struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

// New returns a solver with the given command line, such as "z3 -in" or
// "cvc5 --incremental --lang smt2". Without arguments New takes the first of
// those two that is installed, and returns nil where none is. Nothing is started yet.
func New(command ...string) *Solver {
	if len(command) == 0 {
		for _, known := range knownSolvers {
			if _, err := exec.LookPath(known[0]); err == nil {
				command = known
				break
			}
		}
	}
	if len(command) == 0 {
		return nil
	}
	return &Solver{Limit: 20_000_000, Patience: 30 * time.Second, command: command}
}

var knownSolvers = [][]string{{"z3", "-in"}, {"cvc5", "--incremental", "--lang", "smt2"}}

// ErrNoAnswer says that a solver gave no answer: it met a limit, ended, or printed an error.
var ErrNoAnswer = errors.New("no answer from the solver")

// Close ends the process, if there is one. The next question starts another.
func (s *Solver) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
}

func (s *Solver) stop() {
	if s.process == nil {
		return
	}
	s.process.in.Close()
	s.process.cmd.Process.Kill()
	for range s.process.lines { // until the reader has seen the end
	}
	s.process.cmd.Wait()
	s.process = nil
}

func (s *Solver) start() error {
	cmd := exec.Command(s.command[0], s.command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := make(chan string, 64)
	go func() {
		defer close(lines)
		sc := bufio.NewScanner(out)
		sc.Buffer(nil, 1<<24)
		for sc.Scan() {
			lines <- sc.Text()
		}
	}()
	s.process = &running{cmd, in, lines}
	return nil
}

// endMark ends an answer, of which it cannot be told how long it is.
const endMark = "end-of-answer"

// ask sends commands and collects the lines that come back. Where the context ends or
// patience does, the process is killed: some solvers do not mind limits of their own.
func (s *Solver) ask(ctx context.Context, commands string) ([]string, error) {
	if s.process == nil {
		if err := s.start(); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrNoAnswer, err)
		}
	}
	p := s.process
	go io.WriteString(p.in, commands+"\n(echo \""+endMark+"\")\n") // ends with the process
	patience := time.NewTimer(s.Patience)
	defer patience.Stop()
	var answer []string
	for {
		select {
		case line, ok := <-p.lines:
			switch {
			case !ok:
				s.stop()
				return nil, fmt.Errorf("%w: the process ended", ErrNoAnswer)
			case strings.Contains(line, endMark):
				return answer, nil
			}
			answer = append(answer, line)
		case <-ctx.Done():
			s.stop()
			return nil, ctx.Err()
		case <-patience.C:
			s.stop()
			return nil, fmt.Errorf("%w within %v", ErrNoAnswer, s.Patience)
		}
	}
}

// Name returns the solver's name and version.
func (s *Solver) Name(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.identify(ctx)
}

func (s *Solver) identify(ctx context.Context) (string, error) {
	if s.name != "" {
		return s.name, nil
	}
	lines, err := s.ask(ctx, "(get-info :name)\n(get-info :version)")
	if err != nil {
		return "", err
	}
	var words []string
	for _, line := range lines {
		if _, quoted, ok := strings.Cut(line, `"`); ok {
			words = append(words, strings.TrimRight(quoted, `")`))
		}
	}
	s.name = strings.ToLower(strings.Join(words, " "))
	return s.name, nil
}

// Prove asks the solver for a proof of a problem under exactly the given assumptions, or for a
// counterexample, which counts only if evaluation confirms it. Where a solver does not answer
// the error wraps ErrNoAnswer; where an operator has no counterpart in SMT-LIB it says which.
func (s *Solver) Prove(ctx context.Context, p proof.Problem, assume ir.Assume) (prove.Theorem, error) {
	unknown := prove.Theorem{Assumes: assume}
	sc, err := write(p, assume)
	if err != nil {
		return unknown, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name, err := s.identify(ctx)
	if err != nil {
		return unknown, err
	}
	lines, err := s.ask(ctx, fmt.Sprintf("(reset)\n(set-option :rlimit %d)\n(set-option :produce-models true)\n(set-logic ALL)\n%s(check-sat)", s.Limit, sc.text))
	if err != nil {
		unknown.Stopped = ctx.Err() != nil
		return unknown, err
	}
	switch verdict, err := verdictOf(lines); verdict {
	case "unsat":
		return prove.Theorem{Status: prove.Proved, Assumes: assume, Proofs: []*proof.Tree{{Kind: proof.Solver, Solver: name}}}, nil
	case "sat":
		return s.counterexample(ctx, p, assume, sc)
	default:
		return unknown, err
	}
}

// verdictOf finds the answer to check-sat. Errors come as lines before it and spoil it.
func verdictOf(lines []string) (string, error) {
	for _, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "(error"):
			return "", fmt.Errorf("%w: %s", ErrNoAnswer, line)
		case line == "sat" || line == "unsat":
			return line, nil
		}
	}
	return "", nil
}

// counterexample reads the inputs' values from the model. Where evaluation does not confirm
// them (a function like exp is any function to the solver, a number may not fit its type)
// the answer is unknown.
func (s *Solver) counterexample(ctx context.Context, p proof.Problem, assume ir.Assume, sc script) (prove.Theorem, error) {
	unknown := prove.Theorem{Assumes: assume}
	c := &testpoint.Counterexample{Inputs: sc.inputs, Values: make([]uint64, len(sc.inputs)), Type: p.Left.Type()}
	if len(sc.inputs) > 0 {
		lines, err := s.ask(ctx, "(get-value ("+strings.Join(sc.terms, " ")+"))")
		if err != nil {
			return unknown, err
		}
		values, ok := parseSexpr(strings.Join(lines, " "))
		if !ok || len(values.list) != len(c.Inputs) {
			return unknown, fmt.Errorf("%w: a model that cannot be read: %s", ErrNoAnswer, strings.Join(lines, " "))
		}
		for i, pair := range values.list {
			if len(pair.list) != 2 {
				return unknown, fmt.Errorf("%w: a model that cannot be read", ErrNoAnswer)
			}
			if c.Values[i], ok = pair.list[1].value(c.Inputs[i].Type()); !ok {
				return unknown, nil
			}
		}
	}
	if !c.Confirm(p, assume) {
		return unknown, nil
	}
	return prove.Theorem{Status: prove.Refuted, Assumes: assume, Counter: c}, nil
}

// Check checks a certificate as package verify/equation does, and asks the solver again where it
// is a solver's verdict.
func (s *Solver) Check(ctx context.Context, p proof.Problem, assume ir.Assume, t *proof.Tree) error {
	if t == nil || t.Kind != proof.Solver {
		return equation.Check(p, assume, t)
	}
	a, err := s.Prove(ctx, p, assume)
	if err == nil && a.Status != prove.Proved {
		err = fmt.Errorf("certificate: %s, which %s is said to have proved, is %s", t.Kind, t.Solver, a.Status)
	}
	return err
}
