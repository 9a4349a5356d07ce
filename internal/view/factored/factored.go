// Package factored makes what a page shows of a program: its stages, and the Go that they become. It is apart from package
// view since planning and emitting code are a quarter of the playground's weight, and most visits ask for no code.
package factored

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/emit"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Page is the page of a request with nothing but the program, factored by its schedule, or by one that is chosen, and emitted.
func Page(ctx context.Context, r *view.Request) *view.Page {
	text, opts := r.Program()
	if text == "" {
		return &view.Page{}
	}
	return &view.Page{Code: code(ctx, text, opts)}
}

func code(ctx context.Context, text string, opts rfactor.Options) *view.Code {
	prog, err := program.ParseProgram(ir.NewPool(), "playground.rf", text, ir.I32)
	if err != nil {
		return &view.Code{Failed: err.Error()}
	}
	opts.Name = ""
	p, err := plan.Factor(ctx, prog, plan.Options{Match: opts, Auto: true})
	if err != nil {
		return &view.Code{Failed: err.Error()}
	}
	c := &view.Code{}
	for _, l := range p.Lines() {
		c.Program = append(c.Program, view.Line{Text: l.Text, Of: placeName(p, l.Place)})
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
		f := view.File{Name: name}
		for i, line := range strings.Split(strings.TrimSuffix(string(files[name]), "\n"), "\n") {
			f.Lines = append(f.Lines, view.Line{Text: line, Of: placeName(p, places[name][i])})
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
