package prove

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
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// SolverProcess is a solver that speaks SMT-LIB 2 on its standard input and output. It is
// started when first asked, killed where it does not answer in time, and started again.
// It is safe for concurrent use; questions wait for each other.
type SolverProcess struct {
	Limit    int           // resource limit of one question, in the solver's own unit
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

// NewSolver is a solver with the given command line, such as "z3 -in" or
// "cvc5 --incremental --lang smt2". Without arguments it is the first of those installed;
// nil where none is.
func NewSolver(command ...string) *SolverProcess {
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
	return &SolverProcess{Limit: 20_000_000, Patience: 30 * time.Second, command: command}
}

var knownSolvers = [][]string{{"z3", "-in"}, {"cvc5", "--incremental", "--lang", "smt2"}}

// ErrSolver is what a solver's failure to answer is: a limit, a crash, an error message.
var ErrSolver = errors.New("no answer from the solver")

// Close ends the process.
func (s *SolverProcess) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
}

func (s *SolverProcess) stop() {
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

func (s *SolverProcess) start() error {
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
func (s *SolverProcess) ask(ctx context.Context, commands string) ([]string, error) {
	if s.process == nil {
		if err := s.start(); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrSolver, err)
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
				return nil, fmt.Errorf("%w: the process ended", ErrSolver)
			case strings.Contains(line, endMark):
				return answer, nil
			}
			answer = append(answer, line)
		case <-ctx.Done():
			s.stop()
			return nil, ctx.Err()
		case <-patience.C:
			s.stop()
			return nil, fmt.Errorf("%w within %v", ErrSolver, s.Patience)
		}
	}
}

// Name is the solver's name and version.
func (s *SolverProcess) Name(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.identify(ctx)
}

func (s *SolverProcess) identify(ctx context.Context) (string, error) {
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

// Prove asks the solver for a proof of a problem under exactly the given assumptions, or
// for a counterexample, which counts only if evaluation confirms it.
func (s *SolverProcess) Prove(ctx context.Context, p proof.Problem, assume ir.Assume) (Answer, error) {
	unknown := Answer{Assumes: assume}
	script, err := SMT(p, assume)
	if err != nil {
		return unknown, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name, err := s.identify(ctx)
	if err != nil {
		return unknown, err
	}
	lines, err := s.ask(ctx, fmt.Sprintf("(reset)\n(set-option :rlimit %d)\n(set-option :produce-models true)\n(set-logic ALL)\n%s(check-sat)", s.Limit, script.Text))
	if err != nil {
		unknown.Stopped = ctx.Err() != nil
		return unknown, err
	}
	switch verdict, err := verdictOf(lines); verdict {
	case "unsat":
		return Answer{Status: Proved, Assumes: assume, Proof: &proof.Tree{Kind: proof.Solver, Solver: name}}, nil
	case "sat":
		return s.counterexample(ctx, p, assume, script)
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
			return "", fmt.Errorf("%w: %s", ErrSolver, line)
		case line == "sat" || line == "unsat":
			return line, nil
		}
	}
	return "", nil
}

// counterexample reads the inputs' values from the model. Where evaluation does not confirm
// them (a function like exp is any function to the solver, a number may not fit its type)
// the answer is unknown.
func (s *SolverProcess) counterexample(ctx context.Context, p proof.Problem, assume ir.Assume, script Script) (Answer, error) {
	unknown := Answer{Assumes: assume}
	c := &Counterexample{Inputs: script.Inputs, Values: make([]uint64, len(script.Inputs)), Type: p.Left.Type()}
	if len(script.Inputs) > 0 {
		lines, err := s.ask(ctx, "(get-value ("+strings.Join(script.Terms, " ")+"))")
		if err != nil {
			return unknown, err
		}
		values, ok := parseSexpr(strings.Join(lines, " "))
		if !ok || len(values.list) != len(c.Inputs) {
			return unknown, fmt.Errorf("%w: a model that cannot be read: %s", ErrSolver, strings.Join(lines, " "))
		}
		for i, pair := range values.list {
			if len(pair.list) != 2 {
				return unknown, fmt.Errorf("%w: a model that cannot be read", ErrSolver)
			}
			if c.Values[i], ok = pair.list[1].value(c.Inputs[i].Type()); !ok {
				return unknown, nil
			}
		}
	}
	if !c.confirm(p, assume) {
		return unknown, nil
	}
	return Answer{Status: Refuted, Assumes: assume, Counter: c}, nil
}

// confirm evaluates both sides at the point: whether they differ where the given conditions
// hold and nothing overflows that is assumed not to.
func (c *Counterexample) confirm(p proof.Problem, assume ir.Assume) bool {
	es := append([]ir.Expr{p.Left, p.Right}, p.Given...)
	calls, operands := callsOf(es)
	w := Points{}
	w.tape.Compile(append(es, operands...)...)
	for _, e := range w.tape.Inputs {
		lanes := new([tape.Lanes]uint64)
		for i, in := range c.Inputs {
			if in == e {
				lanes[0] = c.Values[i]
			}
		}
		w.in = append(w.in, lanes)
	}
	out := w.tape.Run(w.in)
	for _, given := range out[2:len(es)] {
		if given[0] == 0 {
			return false
		}
	}
	c.Left, c.Right = out[0][0], out[1][0]
	return w.tape.Overflowed(assume)&1 == 0 && w.areFunctions(calls, out[len(es):], 0) &&
		!sameResult(c.Type, assume, assume.Has(ir.Reassoc), c.Left, c.Right)
}

// Check is the function Check, which asks the solver again where the certificate is a
// solver's verdict.
func (s *SolverProcess) Check(ctx context.Context, p proof.Problem, assume ir.Assume, t *proof.Tree) error {
	if t == nil || t.Kind != proof.Solver {
		return equation.Check(p, assume, t)
	}
	a, err := s.Prove(ctx, p, assume)
	if err == nil && a.Status != Proved {
		err = fmt.Errorf("certificate: %s, which %s is said to have proved, is %s", t.Kind, t.Solver, a.Status)
	}
	return err
}
