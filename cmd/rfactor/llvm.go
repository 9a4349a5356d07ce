package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm"
	"github.com/rfactor-go/rfactor/rfactor"
)

var llvmVerb = verbs.Verb{
	Name:  "llvm",
	About: "finds reductions and operators in LLVM IR, of C, C++, Rust and others",
	Run:   with(runLLVM),
	Usage: `[flags] FILE.ll | -

Examples:
  clang -O1 -fno-vectorize -fno-unroll-loops -g -S -emit-llvm -o - sum.c | rfactor llvm -
  clang++ -fopenmp -O0 -S -emit-llvm -o - combiners.cc | rfactor llvm -operators -
  rustc -O -C no-vectorize-loops --emit=llvm-ir --crate-type=lib -o lib.ll lib.rs && rfactor llvm lib.ll
  rfactor llvm -func dot -assume reassoc dot.ll
  rfactor llvm -func hash -unroll 4 hash.ll

Loops are matched, and functions that combine two operands are checked: combiners of OpenMP's
"declare reduction", lambdas, closures. What the flags of instructions promise is assumed where
a breach would be seen, and what -assume says besides. Each loop or function that is not read has
an obstacle; docs/llvm.md explains them.
Exit code 0: all are answered, or there are none; 1: some are refused, or not read, or an operator is not
one; 2: bad usage or input.`,
}

func runLLVM(c *command, args []string) int {
	fs := cli.NewFlags()
	name := fs.String("func", "", "`NAME` of the only function to look at")
	loops := fs.Bool("loops", false, "loops alone")
	operators := fs.Bool("operators", false, "operators alone")
	var more, named ir.Assume
	fs.Func("assume", "`LIST` of assumptions that may be used besides those of flags, as of rfactor match (default none)", func(s string) (err error) {
		more, err = ir.ParseAssume(s)
		named = rfactor.Named(s)
		return err
	})
	units := verbs.EffortFlag(fs, "each match", rfactor.DefaultEffort)
	steps := fs.Int("unroll", 0, "print IR that does `N` steps of a loop at once, of integers and answers that assume nothing")
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	rest, code, ok := c.Parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return c.Errorf("%v", c.Missing("a file of LLVM IR"))
	}
	if *steps != 0 && (*steps < 2 || *steps > llvm.MaxSteps) {
		return c.Errorf("-unroll is from 2 to %d", llvm.MaxSteps)
	}
	file, text, err := c.Source(rest[0])
	if err == nil && file == "update" {
		err = fmt.Errorf("there is no file %s", cli.Quote(rest[0]))
	}
	if err != nil {
		return c.Errorf("%v", err)
	}
	m, err := llvm.Parse(file, text)
	if err != nil {
		return c.Errorf("%v", err)
	}
	k := &llvmFindings{c: c, json: *asJSON, steps: *steps}
	of := func(f llvm.Finding) bool { return *name == "" || f.Func == *name }
	if !*operators {
		for _, l := range m.Loops() {
			if of(l.Finding) && c.Ctx.Err() == nil {
				code = max(code, c.Guarded(func() int { return k.loop(l, rfactor.Options{Allowed: more, Named: named, Effort: *units}) }))
			}
		}
	}
	if !*loops {
		for _, op := range m.Operators() {
			if of(op.Finding) && c.Ctx.Err() == nil {
				code = max(code, c.Guarded(func() int { return k.operator(op, check.Options{Allowed: more, Effort: 10 * *units}) }))
			}
		}
	}
	if c.Ctx.Err() != nil {
		return verbs.Interrupted
	}
	return code
}

// llvmFindings prints findings one after another.
type llvmFindings struct {
	c       *command
	json    bool
	steps   int // that are unrolled; 0 for none
	printed int
}

func (k *llvmFindings) loop(l *llvm.Loop, o rfactor.Options) int {
	a, err := l.Match(k.c.Ctx, o)
	if err != nil {
		return k.c.Errorf("@%s: %v", l.Func, err)
	}
	var unrolled *llvm.Unrolled
	if k.steps > 0 {
		unrolled, _ = l.Unroll(a, k.steps) // of most loops there is none
	}
	if k.json {
		line, err := l.JSON(a, false, unrolled)
		if err != nil {
			return k.c.Errorf("%v", err)
		}
		k.c.Stdout.Write(append(line, '\n'))
	} else {
		b := k.heading("a loop of", &l.Finding)
		if a != nil {
			describe(b, "", strings.Join(spelled(a, a.Update), "; "), a)
		}
		if unrolled != nil {
			b.WriteString(unrolled.Text)
		}
		k.c.Stdout.Write(b.Bytes())
	}
	if a == nil {
		return verbs.Refused
	}
	return k.c.answerCode(a)
}

func (k *llvmFindings) operator(op *llvm.Operator, o check.Options) int {
	r, err := op.Check(k.c.Ctx, o)
	if err != nil {
		return k.c.Errorf("@%s: %v", op.Func, err)
	}
	if k.json {
		line, err := op.JSON(r)
		if err != nil {
			return k.c.Errorf("%v", err)
		}
		k.c.Stdout.Write(append(line, '\n'))
	} else {
		b := k.heading("the operator", &op.Finding)
		if r != nil {
			writeReport(b, strings.Join(texts(r.Operator.Exprs), "; "), r)
		}
		k.c.Stdout.Write(b.Bytes())
	}
	if r == nil || !r.Sound() {
		return verbs.Refused
	}
	return verbs.Matched
}

// heading says what was found and where, with its obstacles.
func (k *llvmFindings) heading(what string, f *llvm.Finding) *bytes.Buffer {
	b := new(bytes.Buffer)
	if k.printed++; k.printed > 1 {
		b.WriteByte('\n')
	}
	place := f.At
	if f.Source.Line > 0 {
		place = f.Source
	}
	fmt.Fprintf(b, "%s: %s @%s", placeText(place), what, f.Func)
	switch {
	case f.WithoutSign && f.Update != nil:
		b.WriteString(", of integers without sign")
	}
	b.WriteByte('\n')
	var r report
	for _, o := range f.Obstacles {
		text := o.Kind
		if o.Detail != "" {
			text += " (" + o.Detail + ")"
		}
		if at := o.Source; at.Line > 0 {
			text += " at " + placeText(at)
		} else {
			text += " at " + placeText(o.At)
		}
		r.add("is not read", text, "")
	}
	r.write(b)
	return b
}

func placeText(p llvm.Place) string {
	if p.Col == 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}
