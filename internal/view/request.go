package view

import (
	"context"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/emit"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Request is what a page asks for.
type Request struct {
	Text   string `json:"text"`             // an abstract update, or a program
	Types  string `json:"types,omitempty"`  // of an abstract update; empty for a program
	Given  string `json:"given,omitempty"`  // of an abstract update; empty for nothing
	Assume string `json:"assume,omitempty"` // as -assume; empty means the default
}

// Page is what a page shows.
type Page struct {
	Updates []*Update `json:"updates"`
	Code    *Code     `json:"code,omitempty"`
	Failed  string    `json:"failed,omitempty"` // why there is nothing to show
}

// Code is a factored program and the Go that is emitted of it.
type Code struct {
	Program string `json:"program,omitempty"` // the stages
	Go      string `json:"go,omitempty"`
	Failed  string `json:"failed,omitempty"` // why there is none
}

// Answer matches what a request has, and shows it.
func (r *Request) Answer(ctx context.Context) *Page {
	assume := ir.DefaultAssumptions
	opts := rfactor.Options{Allowed: assume}
	if r.Assume != "" {
		var err error
		if opts.Allowed, err = ir.ParseAssume(r.Assume); err != nil {
			return &Page{Failed: err.Error()}
		}
		opts.Uncompensated = slices.ContainsFunc(strings.Split(r.Assume, ","), func(word string) bool {
			return strings.TrimPrefix(strings.TrimSpace(word), "+") == ir.Reassoc.String()
		})
	}
	if strings.TrimSpace(r.Types) != "" {
		return r.abstract(ctx, opts)
	}
	return r.program(ctx, opts)
}

func (r *Request) abstract(ctx context.Context, opts rfactor.Options) *Page {
	u, err := program.ParseUpdate(ir.NewPool(), r.Types, strings.TrimSpace(r.Text))
	if err == nil && strings.TrimSpace(r.Given) != "" {
		u.Given, err = program.ParseGiven(u, r.Given)
	}
	if err != nil {
		return &Page{Failed: err.Error()}
	}
	v, err := Of(ctx, strings.TrimSpace(r.Text), u, opts)
	if err != nil {
		return &Page{Failed: err.Error()}
	}
	return &Page{Updates: []*Update{v}}
}

func (r *Request) program(ctx context.Context, opts rfactor.Options) *Page {
	pool := ir.NewPool()
	prog, err := program.ParseProgram(pool, "playground.rf", r.Text, ir.I32)
	if err != nil {
		return &Page{Failed: err.Error()}
	}
	p := &Page{}
	for _, d := range prog.Definitions() {
		opts.Name = d.Func.Name
		v, err := Of(ctx, strings.TrimSpace(d.Text()), d.Update(), opts)
		if err != nil {
			return &Page{Failed: err.Error()}
		}
		p.Updates = append(p.Updates, v)
	}
	if len(p.Updates) == 0 {
		return &Page{Failed: "there is no update in the program"}
	}
	if strings.Contains(r.Text, "RDom") { // what has no domain cannot be factored
		p.Code = code(ctx, r.Text, opts)
	}
	return p
}

// code factors a program by its schedule, or by one that is chosen, and emits it.
func code(ctx context.Context, text string, opts rfactor.Options) *Code {
	prog, err := program.ParseProgram(ir.NewPool(), "playground.rf", text, ir.I32)
	if err != nil {
		return &Code{Failed: err.Error()}
	}
	opts.Name = ""
	f, err := plan.Factor(ctx, prog, plan.Options{Match: opts, Auto: true})
	if err != nil {
		return &Code{Failed: err.Error()}
	}
	c := &Code{Program: f.String()}
	files, err := emit.Source(f, "playground")
	if err != nil {
		c.Failed = err.Error()
		return c
	}
	c.Go = string(files["playground.go"])
	return c
}
