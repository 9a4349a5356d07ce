package main

import (
	"flag"
	"fmt"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/prove/smt"
)

// solvers are the command lines of solvers that speak SMT-LIB 2.
var solvers = []struct {
	name    string
	command []string
}{
	{"z3", []string{"z3", "-in"}},
	{"cvc5", []string{"cvc5", "--incremental", "--lang", "smt2"}},
}

func solverFlag(fs *flag.FlagSet) *string {
	return cli.ChoiceFlag(fs, "solver", "", "`NAME` of a solver to ask where everything else fails (default none, so that answers are the same\non every machine);", solverNames())
}

func solverNames() (names []string) {
	for _, s := range solvers {
		names = append(names, s.name)
	}
	return names
}

// startSolver starts the named solver, or none where the name is empty. Whoever calls it
// must call stop.
func (c *command) startSolver(name string) (s *smt.Solver, stop func(), err error) {
	if name == "" {
		return nil, func() {}, nil
	}
	for _, v := range solvers {
		if v.name == name {
			s = smt.New(v.command...)
			if _, err := s.Name(c.Ctx); err != nil {
				return nil, nil, fmt.Errorf("solver %s does not run: %w", name, err)
			}
			return s, s.Close, nil
		}
	}
	return nil, nil, cli.CheckChoice("solver", name, solverNames())
}
