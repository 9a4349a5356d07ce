package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// brokenContext panics when it is asked for its error for the n-th time, as a broken invariant would there.
type brokenContext struct {
	context.Context
	n int
}

func (c *brokenContext) Err() error {
	if c.n--; c.n == 0 {
		panic("something is broken")
	}
	return nil
}

// TestBrokenLine breaks the work on one line of a batch: that line is an error, and the others have their answers.
func TestBrokenLine(t *testing.T) {
	corpus := ""
	for _, name := range []string{"a", "b", "c"} {
		corpus += name + "\there\tx0:i32,y0:i32\tmax(x0, y0)\n"
	}
	program := "Func f, g, h; RDom r(0, 9); f() = 0; g() = 0; h() = 0; f() += r; g() += r; h() += r;"
	for _, args := range [][]string{
		{"coverage", "-json", "-proof", "-"},
		{"match", "-json", "-proof", program},
		{"explain", "-json", program},
	} {
		broke := 0
		for n := 1; ; n++ {
			var out, errs bytes.Buffer
			c := &verbs.Command{Program: rfactorCommand, Ctx: &brokenContext{context.Background(), n}, Stdin: strings.NewReader(corpus), Stdout: cli.NewOutput(&out), Stderr: &errs}
			code := c.Finish(c.Guarded(func() int { return c.Dispatch(args) }))
			if code == verbs.Matched {
				break
			}
			if out.Len() == 0 { // before the first line was read
				continue
			}
			broke++
			lines, broken := strings.Count(out.String(), "\n"), 0
			for line := range strings.Lines(out.String()) {
				if strings.Contains(line, `"status":"error"`) && strings.Contains(line, "internal: something is broken, at ") {
					broken++
				}
			}
			if code != verbs.BadInput || lines != 3 || broken != 1 || strings.Count(errs.String(), "internal") != 1 {
				t.Fatalf("%s, broken at %d: code %d, %d of %d lines are errors: %s", args[0], n, code, broken, lines, errs.String())
			}
		}
		if broke < 5 {
			t.Errorf("%s broke at %d places", args[0], broke)
		}
	}
}
