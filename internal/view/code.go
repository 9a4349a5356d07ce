package view

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/emit"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Code is a factored program and the Go that is emitted of it.
type Code struct {
	Program []Line `json:"program,omitempty"` // the stages
	Files   []File `json:"files,omitempty"`
	Failed  string `json:"failed,omitempty"` // why there is none
}

// File is a file of Go.
type File struct {
	Name  string `json:"name"`
	Lines []Line `json:"lines"`
}

// Line is a line of text, and what of the plan it belongs to: b0 is the first buffer, s0 the first stage, s0.1 its
// second loop, s0.body what runs in the innermost one. Lines with the same Of correspond.
type Line struct {
	Text string `json:"text"`
	Of   string `json:"of,omitempty"`
}

// code factors a program by its schedule, or by one that is chosen, and emits it.
func code(ctx context.Context, text string, opts rfactor.Options) *Code {
	prog, err := program.ParseProgram(ir.NewPool(), "playground.rf", text, ir.I32)
	if err != nil {
		return &Code{Failed: err.Error()}
	}
	opts.Name = ""
	p, err := plan.Factor(ctx, prog, plan.Options{Match: opts, Auto: true})
	if err != nil {
		return &Code{Failed: err.Error()}
	}
	c := &Code{}
	for _, l := range p.Lines() {
		c.Program = append(c.Program, Line{l.Text, placeName(p, l.Place)})
	}
	files, places, err := emit.Traced(p, "playground")
	if err != nil {
		c.Failed = err.Error()
		return c
	}
	for _, name := range []string{"playground.go", "kernel.go"} {
		if len(files[name]) == 0 {
			continue
		}
		f := File{Name: name}
		for i, line := range strings.Split(strings.TrimSuffix(string(files[name]), "\n"), "\n") {
			f.Lines = append(f.Lines, Line{line, placeName(p, places[name][i])})
		}
		c.Files = append(c.Files, f)
	}
	return c
}

// placeName names a place of a plan; "" the zero one.
func placeName(p *plan.Plan, at plan.Place) string {
	switch {
	case at.Buffer != nil:
		return fmt.Sprintf("b%d", slices.Index(p.Buffers, at.Buffer))
	case at.Stage == nil:
		return ""
	}
	stage := fmt.Sprintf("s%d", slices.Index(p.Stages, at.Stage))
	switch {
	case at.Body:
		return stage + ".body"
	case at.Loop.IsValid():
		if i := slices.IndexFunc(at.Stage.Loops, func(l plan.Loop) bool { return l.Var == at.Loop }); i >= 0 {
			return fmt.Sprintf("%s.%d", stage, i)
		}
	}
	return stage
}
