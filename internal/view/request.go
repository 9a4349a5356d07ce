package view

import (
	"context"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Request is what a page asks for.
type Request struct {
	Text   string `json:"text"`             // an abstract update, or a program
	Types  string `json:"types,omitempty"`  // of an abstract update; empty where the text begins with them. Of a program one type, of numbers whose type nothing decides, or nothing
	Given  string `json:"given,omitempty"`  // of an abstract update; empty for nothing
	Assume string `json:"assume,omitempty"` // as -assume; empty means the default
}

// Page is what a page shows.
type Page struct {
	Updates []*Update `json:"updates,omitempty"`
	Code    *Code     `json:"code,omitempty"`
	Failed  string    `json:"failed,omitempty"` // why there is nothing to show

	// Factors says that it is a program that package factored has Code of.
	Factors bool `json:"factors,omitempty"`
}

// The parts of a page that take longer than the answers.
const (
	MergePart       = "merge"
	ProofPart       = "proof"
	GraphPart       = "graph"
	CertificatePart = "certificate"
)

// Answer matches what a request has, and shows all of it but for Code.
func (r *Request) Answer(ctx context.Context) *Page {
	p := r.Match(ctx)
	for _, name := range []string{MergePart, ProofPart, GraphPart, CertificatePart} {
		p.Part(ctx, name)
	}
	return p
}

// Match matches what a request has, and shows the answers. Part adds the rest.
func (r *Request) Match(ctx context.Context) *Page {
	opts, err := r.options()
	switch {
	case err != nil:
		return &Page{Failed: err.Error()}
	case r.isAbstract():
		return r.abstract(ctx, opts)
	}
	return r.ofProgram(ctx, opts)
}

func (r *Request) options() (opts rfactor.Options, err error) {
	opts = rfactor.Options{Allowed: ir.DefaultAssumptions}
	if r.Assume == "" {
		return opts, nil
	}
	opts.Allowed, err = ir.ParseAssume(r.Assume)
	opts.Named = rfactor.Named(r.Assume)
	return opts, err
}

func (r *Request) isAbstract() bool {
	return strings.TrimSpace(r.Types) != "" && r.numbers() == ir.Invalid || program.IsAbstract(r.Text)
}

// numbers returns the type of numbers of a program; ir.Invalid where the request names none.
func (r *Request) numbers() ir.Type { return ir.ParseType(strings.TrimSpace(r.Types)) }

// Program returns the program that can be factored, and with which options; "" where there is none. What has no domain
// cannot be factored.
func (r *Request) Program() (text string, opts rfactor.Options) {
	opts, err := r.options()
	if err != nil || r.isAbstract() || !strings.Contains(r.Text, "RDom") {
		return "", opts
	}
	return r.Text, opts
}

// Part adds a part to a page, and returns a page that has nothing but this part.
func (p *Page) Part(ctx context.Context, name string) *Page {
	out := &Page{}
	for _, u := range p.Updates {
		switch name {
		case MergePart:
			u.addMerge()
		case ProofPart:
			u.addProof(ctx)
		case GraphPart:
			u.addGraph(ctx)
		case CertificatePart:
			u.addCertificate()
		}
		out.Updates = append(out.Updates, u.part(name))
	}
	return out
}

// Merged runs the answer of update at on data that a reader gave: see Update.Merged.
func (p *Page) Merged(at int, lines []string) *Merge {
	if at < 0 || at >= len(p.Updates) {
		return &Merge{Failed: "there is no such update"}
	}
	return p.Updates[at].Merged(lines)
}

// part is an update with nothing but a part.
func (v *Update) part(name string) *Update {
	out := &Update{Text: v.Text}
	switch name {
	case MergePart:
		out.Merge = v.Merge
	case ProofPart:
		out.Proof = v.Proof
		for _, s := range v.Stages {
			out.Stages = append(out.Stages, s.part(name))
		}
	case GraphPart:
		out.Graph = v.Graph
	case CertificatePart:
		out.Certificate = v.Certificate
	}
	return out
}

func (r *Request) abstract(ctx context.Context, opts rfactor.Options) *Page {
	text := strings.TrimSpace(r.Text)
	u, err := program.ParseUpdate(ir.NewPool(), r.Types, text)
	if err == nil && strings.TrimSpace(r.Given) != "" {
		u.Given, err = program.ParseGiven(u, r.Given)
	}
	if err != nil {
		return &Page{Failed: err.Error()}
	}
	_, text = program.CutTypes(text)
	v, err := answered(ctx, text, u, opts)
	if err != nil {
		return &Page{Failed: err.Error()}
	}
	return &Page{Updates: []*Update{v}}
}

func (r *Request) ofProgram(ctx context.Context, opts rfactor.Options) *Page {
	pool := ir.NewPool()
	prog, err := program.ParseProgram(pool, "playground.rf", r.Text, r.numbers())
	if err != nil {
		return &Page{Failed: err.Error()}
	}
	p := &Page{}
	for _, d := range prog.Definitions() {
		opts.Name = d.Func.Name
		v, err := answered(ctx, strings.TrimSpace(d.Text()), d.Matched(), opts)
		if err != nil {
			return &Page{Failed: err.Error()}
		}
		p.Updates = append(p.Updates, v)
	}
	if len(p.Updates) == 0 {
		return &Page{Failed: "there is no update in the program"}
	}
	text, _ := r.Program()
	p.Factors = text != ""
	return p
}
