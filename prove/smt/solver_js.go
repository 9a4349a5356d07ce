package smt

import (
	"context"
	"errors"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// ErrNoAnswer says that a solver gave no answer.
var ErrNoAnswer = errors.New("no answer from the solver: there are no processes here")

// Solver stands for a process, of which there are none in a browser. Its questions have no answers.
type Solver struct {
	Limit    int
	Patience time.Duration
}

// New returns a solver that answers nothing, or nil where no command is given.
func New(command ...string) *Solver {
	if len(command) == 0 {
		return nil
	}
	return &Solver{}
}

// Close does nothing.
func (s *Solver) Close() {}

// Name returns ErrNoAnswer.
func (s *Solver) Name(context.Context) (string, error) { return "", ErrNoAnswer }

// Prove returns ErrNoAnswer.
func (s *Solver) Prove(context.Context, proof.Problem, ir.Assume) (prove.Theorem, error) {
	return prove.Theorem{}, ErrNoAnswer
}

// Check returns ErrNoAnswer.
func (s *Solver) Check(context.Context, proof.Problem, ir.Assume, *proof.Tree) error {
	return ErrNoAnswer
}
