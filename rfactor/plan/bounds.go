package plan

import (
	"context"
	"math"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

// Exact is what a result would be if the steps that a plan regroups did not round, and how far from it roundings take runs of the program.
type Exact struct {
	Value        float64 // rounded once
	Serial, Plan float64 // bounds of the distance of the serial loop and of the plan: each has a tree of its own. NaN where none is known
}

// Bounds interprets a program and its plan in higher precision. It returns, for each component of each output, what its elements would be without
// rounding; nil for components that every run of the plan gives with the bits of the serial loop. Of opts only Extents count. Errors are those of Run.
//
// A result is a polynomial of what steps read, or a choice among such. A bound is the sum of the magnitudes of its terms, which no regrouping changes,
// times the roundings that one of them meets at most. There is none where that says nothing, where numbers overflow, and where rounding may decide a
// choice.
func (p *Plan) Bounds(opts Options, in *Inputs) (map[string][][]Exact, error) {
	plain := *p.Program
	plain.Schedule = nil
	opts.Auto = false
	serial, err := Factor(context.Background(), &plain, opts)
	if err != nil {
		return nil, err
	}
	want, err := serial.shadowed(p, in)
	if err != nil {
		return nil, err
	}
	got, err := p.shadowed(p, in)
	if err != nil {
		return nil, err
	}
	out := map[string][][]Exact{}
	for _, fn := range p.Program.Funcs {
		for c, column := range want.cells[fn.Name] {
			var all []Exact
			rounds := want.failed || got.failed
			for i := range column {
				x, y := &column[i], &got.cells[fn.Name][c][i]
				all = append(all, exactOf(x, y, want.failed || got.failed))
				rounds = rounds || !x.same() || !y.same()
			}
			if !rounds {
				all = nil
			}
			out[fn.Name] = append(out[fn.Name], all)
		}
	}
	return out, nil
}

// exactOf compares what the serial loop and a plan give without rounding, which is the same.
func exactOf(want, got *real, failed bool) Exact {
	nan := math.NaN()
	switch {
	case failed || want.unknown || got.unknown || want.same() != got.same() && !(want.finite() && got.finite()):
		return Exact{nan, nan, nan}
	case want.same() && got.same() && want.bits == got.bits:
		return Exact{Value: ir.Float(want.typ, want.bits)}
	case !want.typ.IsFloat() || want.same() && got.same():
		return Exact{nan, nan, nan}
	}
	x, y := want.value(), got.value()
	v, _ := x.Float64()
	e := Exact{v, want.bound(), got.bound()}
	d, _ := new(big.Float).Sub(x, y).Float64()
	if part, least := unit(want.typ); !(math.Abs(d) <= literals*part*max(want.magnitude(), got.magnitude(), least)) {
		return Exact{nan, nan, nan}
	}
	e.Plan += math.Abs(d)
	return e
}

// literals is how many roundings what a plan injects has beside the serial loop, as where it multiplies by a third and the loop divides by three.
const literals = 8

// shadow is an interpretation in higher precision, beside that of a plan.
type shadow struct {
	regrouped map[*Stage]bool // stages whose floats may round otherwise than in the serial loop
	cells     map[string][][]real
	inputs    map[ir.Expr]bool  // what reads neither states nor functions
	known     map[ir.Expr]*real // terms of a step
	failed    bool              // rounding may decide which steps are done, or where
}

// real is a value that may be rounded.
type real struct {
	typ     ir.Type
	bits    uint64     // as the interpreter has it
	exact   *big.Float // without rounding; nil where all runs have the same bits
	size    float64    // the sum of the magnitudes of its terms
	err     float64    // what part of that roundings are at most
	unknown bool       // rounding may decide what it is
}

// precision is in bits. Sums of 2^40 numbers do not use it up.
const precision = 160

func (r *real) same() bool { return r.exact == nil && !r.unknown }

func (r *real) value() *big.Float {
	if r.exact != nil {
		return r.exact
	}
	return new(big.Float).SetPrec(precision).SetFloat64(ir.Float(r.typ, r.bits))
}

func (r *real) magnitude() float64 {
	if r.exact != nil {
		return r.size
	}
	return math.Abs(ir.Float(r.typ, r.bits))
}

// finite reports whether a value that all runs have is no infinity and not NaN.
func (r *real) finite() bool { return r.exact != nil || isFinite(r.typ, r.bits) }

// bound is how far a run may be from the exact value.
func (r *real) bound() float64 { return float64(r.err * r.magnitude() * (1 + 0x1p-20)) }

// unit is what part of its result an operation rounds by, and the least number of which that holds.
func unit(t ir.Type) (part, least float64) {
	if t == ir.F32 {
		return 0x1p-24, 0x1p-126
	}
	return 0x1p-53, 0x1p-1022
}

// shadowed runs the plan in higher precision. Floats differ from those of the serial loop where an answer of a plan regroups them.
func (p *Plan) shadowed(of *Plan, in *Inputs) (*shadow, error) {
	s := &shadow{regrouped: map[*Stage]bool{}, cells: map[string][][]real{}, inputs: map[ir.Expr]bool{}, known: map[ir.Expr]*real{}}
	for _, b := range p.Buffers {
		s.cells[b.Name] = nil
	}
	for _, stage := range p.Stages {
		if a := of.Answers[stage.From]; a != nil {
			s.regrouped[stage] = a.Assumes&(ir.Reassoc|ir.AFN|ir.Contract) != 0
		}
		for _, l := range stage.Loops {
			s.failed = s.failed || !s.ofInputs(l.Span.Min) || !s.ofInputs(l.Span.Extent)
		}
	}
	_, err := p.interpret(in, 0, s)
	return s, err
}
