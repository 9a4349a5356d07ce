package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
)

var matchVerb = verbs.Verb{
	Name:  "match",
	About: "finds the associative operator of each update and proves it",
	Run:   with(runMatch),
	Usage: `[flags] UPDATE | FILE.rf | -

Examples:
  rfactor match 'f() = select(P(r), f() + 1, f())'
  rfactor match -type f32 'f() = max(f(), abs(in(r)))'
  rfactor match -types x0:i32,y0:i32 'x0 + y0*y0'
  rfactor match -given 'x0 <= x1' -types x0:i32,x1:i32,y0:i32 'min(x0, y0); select(y0 < x0, x0, min(x1, y0))'
  rfactor match -assume nsw -json program.rf
  rfactor match -operator 'max(x0, y0)' -type f32 'f() = select(in(r) > f(), in(r), f())'
  rfactor match -keep x0 'x0:i32,y0:i32; x0 + y0'
  rfactor match -until 'y0 < 0' 'x0:i32,y0:i32; x0 + y0'
  rfactor match -json -proof 'f() = f() + in(r)' | rfactor verify

With -types, or with types in front as in 'x0:i32, y0:i32; x0 + y0', the argument is an
abstract update over x0, y0, k0, r; its components are separated by semicolons. Otherwise it
is a program, or one line of it. In answers x0 and y0 are the operands of ⊕, and an input y0 of
an abstract update is called in.y0.
Writing a certificate may take -effort once more.
Exit code 0: every update matched; 1: some were refused; 2: bad usage or input.`,
}

func runMatch(c *command, args []string) int {
	fs := cli.NewFlags()
	source, how := newSourceFlags(fs), verbs.MatchingFlags(fs)
	solver := solverFlag(fs)
	keep := keepFlag(fs)
	until := cli.ExpressionFlag(fs, "until", "`CONDITION` that ends the loop of an abstract update, before a step or, as in 'after x0 > k0',\nafter one. The update gets a last component, which says whether the loop has ended. A program says\nso itself: f() = f() + in(r) until in(r) < 0")
	operator := cli.ExpressionFlag(fs, "operator", "`EXPRS`: is the update x ⊕ inject for this operator over x0, y0, k0, with components\nseparated by semicolons? No other is looked for")
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	proof := fs.Bool("proof", false, "with -json: add the certificate that rfactor verify replays")
	rest, code, ok := c.ParseMatching(fs, how, args)
	if !ok {
		return code
	}
	if *proof && !*asJSON {
		return c.Errorf("-proof needs -json")
	}
	process, stop, err := c.startSolver(*solver)
	if err != nil {
		return c.Errorf("%v", err)
	}
	defer stop()
	js, err := c.updates(rest, source, *how.Given)
	if err == nil {
		err = keepOf(js, *keep)
	}
	if err == nil {
		err = untilOf(js, *until)
	}
	if err != nil {
		if *asJSON {
			c.printJSON(failure("", err), false)
		}
		return c.Errorf("%v", err)
	}
	for i, j := range js {
		opts := how.Options(j.name)
		opts.Solver, opts.Describe = process, *proof
		if *operator != "" {
			var refuted *pattern.NotAnOperator
			opts.Table, err = pattern.Alone(c.Ctx, "operator", j.update.Types, *operator, j.update.Given...)
			switch {
			case c.Ctx.Err() != nil:
				return verbs.Interrupted
			case errors.As(err, &refuted):
				c.Errorf("-operator: %v", err)
				return verbs.Refused
			case err != nil:
				return c.Errorf("-operator: %v", err)
			}
		}
		a, err := rfactor.Match(c.Ctx, j.update, opts)
		if errors.Is(err, context.Canceled) {
			return verbs.Interrupted
		}
		if err != nil {
			a = failure(j.name, err)
		}
		code = max(code, c.answerCode(a))
		if !*asJSON {
			code = max(code, c.Guarded(func() int { return c.printText(i, j, a) }))
		} else if err := c.printJSON(a, *proof); err != nil {
			code = max(code, c.Errorf("%v", err))
		}
	}
	return code
}

// keepFlag is a flag for what of the state is kept of every step.
func keepFlag(fs *flag.FlagSet) *[]ir.Kept {
	kept := new([]ir.Kept)
	fs.Func("keep", "`COMPONENTS` of an abstract update that the loop keeps of every step: x0 as it is after the\nstep, before:x0 as it is before it. A program says so itself: f(r) = f(r - 1) + in(r)", func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			k := ir.Kept{}
			when, component, two := strings.Cut(strings.TrimSpace(name), ":")
			if !two {
				when, component = "after", when
			}
			i, err := strconv.Atoi(strings.TrimPrefix(component, "x"))
			if err != nil || component != "x"+strconv.Itoa(i) || i < 0 || when != "before" && when != "after" {
				return fmt.Errorf("expected a component such as x0, after:x0 or before:x0, not %s", cli.Quote(name))
			}
			if k.Component, k.Before = i, when == "before"; slices.Contains(*kept, k) {
				return fmt.Errorf("%s is named twice", cli.Quote(name))
			}
			*kept = append(*kept, k)
		}
		return nil
	})
	return kept
}

// keepOf lets updates keep components of every step.
func keepOf(js []job, kept []ir.Kept) error {
	for _, j := range js {
		switch {
		case len(kept) == 0:
			return nil
		case j.name != "":
			return fmt.Errorf("-keep is of abstract updates, and a program says itself what it keeps: f(r) = f(r - 1) + in(r)")
		}
		for _, k := range kept {
			if k.Component >= len(j.update.Types) {
				return fmt.Errorf("-keep x%d: the update has %s", k.Component, cli.Count(len(j.update.Types), "component"))
			}
		}
		j.update.Keep = kept
	}
	return nil
}

// untilOf gives the loops of updates an end.
func untilOf(js []job, condition string) error {
	for _, j := range js {
		switch {
		case condition == "":
			return nil
		case j.name != "":
			return fmt.Errorf("-until is of abstract updates, and a program says itself what ends a loop: f() = f() + in(r) until in(r) < 0")
		case len(j.update.Keep) > 0:
			return fmt.Errorf("-until and -keep: a loop that ends early keeps its last state alone")
		}
		if err := program.ParseUntil(j.update, condition); err != nil {
			return err
		}
	}
	return nil
}

// failure is the answer for an update that cannot be matched at all.
func failure(name string, err error) *rfactor.Answer {
	return &rfactor.Answer{Name: name, Status: rfactor.Failed, Refusal: rfactor.Refusal{Reason: err.Error()}}
}

// answerCode is the exit code of one answer; of a failure, the reason is reported.
func (c *command) answerCode(a *rfactor.Answer) int {
	switch {
	case a.Status.IsAnswer():
		return verbs.Matched
	case a.Status == rfactor.Refused:
		return verbs.Refused
	}
	return c.Errorf("%s", a.Reason)
}

func (c *command) printJSON(a *rfactor.Answer, proof bool) error { return c.printAnswer(a, proof, "") }

// printAnswer prints an answer as JSON, with the name of the experiment that it is of, where there are
// several. Where the answer cannot be written, the line says why, and so does the error.
func (c *command) printAnswer(a *rfactor.Answer, proof bool, experiment string) error {
	line, failed := a.JSON(proof)
	if failed != nil {
		var err error
		if line, err = failure(a.Name, failed).JSON(false); err != nil {
			return err
		}
	}
	if experiment != "" {
		line = fmt.Appendf(bytes.TrimSuffix(line, []byte("}")), ",\"matchers\":%q}", experiment)
	}
	c.Stdout.Write(append(line, '\n'))
	return failed
}

// printText prints answer number i for people; failures are reported elsewhere.
func (c *command) printText(i int, j job, a *rfactor.Answer) int {
	if a.Status == rfactor.Failed {
		return verbs.Matched
	}
	var b bytes.Buffer
	if i > 0 {
		b.WriteByte('\n')
	}
	describe(&b, j.name, j.text, a)
	c.Stdout.Write(b.Bytes())
	return verbs.Matched
}
