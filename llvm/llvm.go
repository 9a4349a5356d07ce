// Package llvm reads textual LLVM IR, finds its reductions, and judges its operators: of C, C++, Rust and whatever else a front
// end of LLVM compiles.
//
//	for (…) if (a[i] > k) n++;   →   a loop whose update is select(k0 < y0, x0 + 1, x0): a sum
//	#pragma omp declare reduction(far : P : …)   →   an operator whose laws package check examines
//
// Parse reads a source. Loops and Operators list what it has; Match and Check answer. What the instructions' flags promise (nsw,
// nuw, nnan, reassoc and others) is allowed where it holds of all that is observed of a loop, and nothing else is.
package llvm

import (
	"context"
	"slices"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/flow"
	"github.com/rfactor-go/rfactor/llvm/internal/read"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Module is a source of IR.
type Module struct{ m *syntax.Module }

// Parse reads textual IR of LLVM 14 to 22; name is what errors call it. A mistake is an *ir.Error with its place.
func Parse(name, text string) (m *Module, err error) {
	err = guard.Call(func() error {
		parsed, err := syntax.Parse(name, text)
		m = &Module{parsed}
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Place is a place in the IR or in the program that it was compiled from. Lines and columns count from 1; a column of 0 is not known.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"column,omitempty"`
}

// Obstacle is what keeps a loop or a function from being read.
type Obstacle struct {
	Kind   string // one of Kinds
	Detail string // names the callee, the type, the instruction; may be empty
	At     Place  // in the IR
	Source Place  // in the program; Line is 0 where the IR does not say
}

// Kinds lists the kinds of obstacles.
func Kinds() (names []string) {
	for _, k := range read.Kinds {
		names = append(names, string(k))
	}
	return names
}

// Input is a variable of an update, with the value that it stands for.
type Input struct {
	Var    ir.Expr
	Name   string // of the IR, with %
	Source Place  // in the program; Line is 0 where the IR does not say
}

// Finding is a loop or an operator that was read, or why it was not.
type Finding struct {
	Func        string
	Block       string     // the header of a loop, with %
	At          Place      // in the IR
	Source      Place      // in the program; Line is 0 where the IR does not say
	Update      *ir.Update // nil where there are obstacles
	Allowed     ir.Assume  // what the flags of its instructions promise
	Named       ir.Assume  // those of Allowed that may answer what its comparisons of floats ask, because these have the flag
	WithoutSign bool       // integers are read without sign
	State       []string   // of a loop: the phi that each component is, with %, whose type may be wider
	Inputs      []Input
	Obstacles   []Obstacle
	Identity    []ir.Expr // that an operator is declared with, in the pool of the update; nil where none is known
}

// Loop is a natural loop.
type Loop struct {
	Finding
	of     *syntax.Func
	others []func() (Finding, bool) // the same with integers of the other kind, and with narrow ones, where that is another update
}

// Loops returns the natural loops of all functions that have no loop within, and obstacles of the others.
func (m *Module) Loops() (loops []*Loop) {
	for _, f := range m.m.Funcs {
		g := flow.Of(f)
		for _, l := range g.Loops() {
			of := func(how read.Reading) (Finding, bool) {
				r := guarded(func() *read.Result { return read.Loop(m.m, g, l, how) }, f)
				if r == nil {
					return Finding{}, false
				}
				header := f.Blocks[l.Header]
				out := m.finding(f, r, header.Insts[0].Pos, l.Place(f), how.WithoutSign)
				out.Block = header.Name
				if out.Source.Line == 0 {
					out.Source = m.source(f.Dbg)
				}
				return out, true
			}
			first := prefersUnsigned(f, l)
			finding, _ := of(read.Reading{WithoutSign: first})
			loop := &Loop{Finding: finding, of: f}
			if loop.Update != nil && hasIntegers(loop.Update) {
				for _, how := range []read.Reading{{WithoutSign: first, Narrow: true}, {WithoutSign: !first}, {WithoutSign: !first, Narrow: true}} {
					loop.others = append(loop.others, func() (Finding, bool) { return of(how) })
				}
			}
			loops = append(loops, loop)
		}
	}
	return loops
}

// guarded makes a panic, which says that the reader is broken, an obstacle of one loop.
func guarded(f func() *read.Result, of *syntax.Func) (r *read.Result) {
	if err := guard.Call(func() error { r = f(); return nil }); err != nil {
		return &read.Result{Obstacles: []*read.Obstacle{{Kind: read.Unread, Detail: err.Error(), Pos: of.Pos}}}
	}
	return r
}

// prefersUnsigned reports whether a loop compares and divides numbers without sign alone.
func prefersUnsigned(f *syntax.Func, l *flow.Loop) bool {
	signed, unsigned := 0, 0
	for _, b := range l.Blocks {
		for _, in := range f.Blocks[b].Insts {
			switch {
			case in.Flags["nsw"] && !in.Flags["nuw"], in.Op == "icmp" && in.Pred[0] == 's', in.Op == "ashr", in.Op == "sext":
				signed++
			case in.Op == "icmp" && in.Pred[0] == 'u', in.Op == "lshr", in.Op == "zext" && in.Args[0].Type.Bits > 1:
				unsigned++
			}
		}
	}
	return signed == 0 && unsigned > 0
}

func hasIntegers(u *ir.Update) bool {
	return ir.TypesIn(u.Values)&(ir.SignedTypes|ir.UnsignedTypes) != 0
}

// finding translates what was read.
func (m *Module) finding(f *syntax.Func, r *read.Result, pos ir.Pos, dbg string, withoutSign bool) Finding {
	out := Finding{Func: f.Name, At: m.at(pos), Source: m.source(dbg), Update: r.Update, Allowed: r.Allowed, Named: r.Named, State: r.State, WithoutSign: withoutSign}
	for _, in := range r.Inputs {
		out.Inputs = append(out.Inputs, Input{in.Var, in.Name, m.source(in.Dbg)})
	}
	for _, o := range r.Obstacles {
		out.Obstacles = append(out.Obstacles, Obstacle{string(o.Kind), o.Detail, m.at(o.Pos), m.source(o.Dbg)})
	}
	return out
}

func (m *Module) at(pos ir.Pos) Place {
	line, col := m.m.Source.LineCol(pos)
	return Place{m.m.Source.Name, line, col}
}

func (m *Module) source(dbg string) Place {
	if p, ok := m.m.Place(dbg); ok {
		return Place{p.File, p.Line, p.Col}
	}
	return Place{}
}

// Match answers a loop under what its flags allow and what opts allow besides. Integers of LLVM have no sign, and are wider than
// those of the program: where the first reading is refused, or has a lift that the initial value bounds, others are tried, and Loop says which one was answered. The answer is
// nil where there are obstacles.
func (l *Loop) Match(ctx context.Context, opts rfactor.Options) (*rfactor.Answer, error) {
	if l.Update == nil {
		return nil, nil
	}
	first, err := match(ctx, &l.Finding, opts)
	if err != nil {
		return nil, err
	}
	bounded := first.Status == rfactor.Lifted && first.Initial != nil // in another reading it may have an operator
	if first.Status != rfactor.Refused && !bounded {
		return first, nil
	}
	opts.Unexplained = true // the first reading says why there is no answer
	for _, of := range l.others {
		other, ok := of()
		if !ok || other.Update == nil {
			continue
		}
		a, err := match(ctx, &other, opts)
		if err != nil {
			return nil, err
		}
		if a.Status == rfactor.Associative || a.Status != rfactor.Refused && !bounded {
			l.Finding, l.others = other, nil
			return a, nil
		}
	}
	return first, nil
}

func match(ctx context.Context, f *Finding, opts rfactor.Options) (*rfactor.Answer, error) {
	opts.Name = f.Func
	opts.Allowed, opts.Named = opts.Allowed|f.Allowed, opts.Named|f.Named
	return rfactor.Match(ctx, f.Update, opts)
}

// Operator is a function that combines two operands.
type Operator struct {
	Finding
	again func() Finding
}

// Operators returns the functions without loops that have the form of an operator: combiners of reductions that a user of OpenMP
// declared, functions of two operands of one type, and functions of two tuples that return one.
func (m *Module) Operators() (ops []*Operator) {
	for i, f := range m.m.Funcs {
		if read.IsInitializer(f) {
			continue
		}
		var initializer *syntax.Func
		if read.IsCombiner(f) && i+1 < len(m.m.Funcs) && read.IsInitializer(m.m.Funcs[i+1]) {
			initializer = m.m.Funcs[i+1]
		}
		of := func(withoutSign bool) (Finding, bool) {
			r := guarded(func() *read.Result { return read.Function(m.m, f, withoutSign) }, f)
			if r == nil {
				return Finding{}, false
			}
			out := m.finding(f, r, f.Pos, f.Dbg, withoutSign)
			if initializer != nil && out.Update != nil {
				if e, _, ok := read.Initializer(m.m, initializer, out.Update.Types, withoutSign); ok {
					out.Identity = out.Update.Pool.Import(e...)
				}
			}
			return out, out.Update == nil || isBinary(out.Update)
		}
		finding, ok := of(false)
		if !ok {
			continue
		}
		op := &Operator{Finding: finding}
		if op.Update != nil && hasIntegers(op.Update) {
			op.again = func() Finding { other, _ := of(true); return other }
		}
		ops = append(ops, op)
	}
	return ops
}

// isBinary reports whether an update's inputs are a second operand of the same types.
func isBinary(u *ir.Update) bool {
	var types []ir.Type
	for _, v := range u.Vars {
		types = append(types, v.Type())
	}
	return slices.Equal(types, u.Types)
}

// Check judges an operator under what its flags allow and what o allows besides, with the identity that it is declared with.
// Where it is not proven to be associative with one reading of integers the other one is tried. The report is nil where there are
// obstacles.
func (op *Operator) Check(ctx context.Context, o check.Options) (*check.Report, error) {
	if op.Update == nil {
		return nil, nil
	}
	first, err := judge(ctx, &op.Finding, o)
	if err != nil || first.Associative.Holds() || op.again == nil {
		return first, err
	}
	other := op.again()
	if other.Update == nil {
		return first, nil
	}
	second, err := judge(ctx, &other, o)
	if err != nil || !second.Associative.Holds() {
		return first, err
	}
	op.Finding, op.again = other, nil
	return second, nil
}

func judge(ctx context.Context, f *Finding, o check.Options) (*check.Report, error) {
	o.Allowed |= f.Allowed
	o.Identity = f.Identity
	return check.Operator(ctx, proof.Operator{Types: f.Update.Types, Exprs: f.Update.Values}, o)
}
