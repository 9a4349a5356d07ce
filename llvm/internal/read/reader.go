// Package read turns loops and functions of LLVM IR into updates: phis are the state, branches become selects, and what a
// step loads is an input.
//
//	%s = phi i32 [ 0, %entry ], [ %t, %loop ]
//	%t = add i32 %s, %a                         →   x0 + y0
//
// What is read is a refinement of what the IR computes: where that is poison, the update has some value. Flags of
// instructions are assumptions of package ir only where their breach is observed; see assume.go.
package read

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/flow"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// Input is a variable of an update, with the instruction that it stands for.
type Input struct {
	Var  ir.Expr
	Name string // with %
	Dbg  string
}

// Result is what was read: an update, or the obstacles to it.
type Result struct {
	Update    *ir.Update
	Allowed   ir.Assume // what the flags of instructions promise
	Named     ir.Assume // those of Allowed that comparisons of floats have as flags, or that are not about what these ask
	State     []string  // of a loop: the phi that each component is, with %
	Inputs    []Input
	Obstacles []*Obstacle
	Integers  bool // it may be read with integers without sign as well
}

// reader reads one loop, or one function with what it calls.
type reader struct {
	module   *syntax.Module
	pool     *ir.Pool
	unsigned bool
	memory   *memory // of functions; nil of loops, where loads are inputs
	inputs   []Input
	integers bool
	sources  []source
	flags    map[ir.Expr]floatFlags // of terms of floats, those of all instructions that compute them
	asks     ir.Assume              // what some comparison of floats has not as a flag
	always   bool                   // the instruction that is read runs in every step
	ub       set                    // the sources whose poison ends the program
	calls    int                    // of functions that were read in place of calls
	steps    int                    // instructions that were read

	conditions map[ir.Expr]ir.Expr // of numbers that are 0 or 1
	choices    map[ir.Expr]*choice // the last one by each term
}

// frame is a function that is being read, or a loop of it.
type frame struct {
	f     *syntax.Func
	graph *flow.Graph
	loop  *flow.Loop // nil of a whole function
	env   map[string]value
	depth int
}

// maxSteps bounds the instructions of a loop, or of a function with those that it calls.
const maxSteps = 20_000

func newReader(m *syntax.Module, unsigned bool) *reader {
	return &reader{module: m, pool: ir.NewPool(), unsigned: unsigned, flags: map[ir.Expr]floatFlags{}, always: true, conditions: map[ir.Expr]ir.Expr{}, choices: map[ir.Expr]*choice{}, sources: make([]source, ir.MaxState)}
}

// has reports whether a block belongs to what is read.
func (fr *frame) has(b int) bool { return fr.loop == nil || fr.loop.Has(b) }

// operand returns what an operand of an instruction is.
func (r *reader) operand(fr *frame, v syntax.Value, in *syntax.Inst) value {
	if v.Kind != syntax.Local {
		return r.constant(v, in)
	}
	if known, ok := fr.env[v.Text]; ok {
		if t, _ := r.scalar(v.Type); in.Uses == nil && known.isScalar() && known.e.Type() != t { // no verifier of LLVM lets that pass
			return value{bad: stop(Unread, in, "%s as %s", v.Text, v.Type), state: known.state, steady: known.steady}
		}
		return known
	}
	if fr.loop == nil {
		return value{bad: stop(Unread, in, "%s before it is computed", v.Text)}
	}
	out := value{steady: true} // it is computed before the loop
	if t, ok := r.scalar(v.Type); ok {
		out.e = r.invariant(t, v.Text)
		fr.env[v.Text] = out
	} else {
		out.bad = stop(Unread, in, "%s of type %s", v.Text, v.Type)
	}
	return out
}

// invariant is an input that is the same in every step.
func (r *reader) invariant(t ir.Type, name string) ir.Expr {
	return r.input(Input{Var: r.pool.K(len(r.inputs), t), Name: name})
}

// leaf is an input that may change from step to step.
func (r *reader) leaf(t ir.Type, in *syntax.Inst) ir.Expr {
	return r.input(Input{Var: r.pool.Y(len(r.inputs), t), Name: in.Res, Dbg: in.Meta["!dbg"]})
}

func (r *reader) input(i Input) ir.Expr {
	r.integers = r.integers || i.Var.Type().IsInt()
	r.inputs = append(r.inputs, i)
	return i.Var
}

// opaque is a value that is not computed here: an input where it does not depend on the state.
func (r *reader) opaque(in *syntax.Inst, args []value, why *Obstacle) value {
	out := value{bad: why, steady: true}
	for _, a := range args {
		out.state = out.state || a.state
		out.steady = out.steady && a.steady
		if a.bad != nil && a.state {
			out.bad = a.bad // the first reason is the best one
		}
		if a.bad != nil && (a.bad.Kind == Undefined || a.bad.Kind == Freeze) {
			out.bad = a.bad
			return out
		}
	}
	if t, ok := r.scalar(in.Type); ok && !out.state && r.memory == nil {
		if out.bad = nil; out.steady {
			out.e = r.invariant(t, in.Res)
		} else {
			out.e = r.leaf(t, in)
		}
	}
	return out
}

// known returns the values of operands, and whether all are scalars.
func (r *reader) known(fr *frame, in *syntax.Inst) (args []value, ok bool) {
	ok = true
	for _, v := range in.Args {
		a := r.operand(fr, v, in)
		args = append(args, a)
		ok = ok && a.isScalar()
	}
	return args, ok
}

// strict is a value that is poison where an operand is.
func strict(e ir.Expr, args ...value) value {
	out := value{e: e, steady: true}
	for _, a := range args {
		out.state = out.state || a.state
		out.steady = out.steady && a.steady
		out.poison = out.poison.union(a.poison)
	}
	return out
}

// block reads the instructions of a block. An obstacle that it returns is one to all of the loop or the function.
func (r *reader) block(fr *frame, b *syntax.Block) *Obstacle {
	for _, in := range b.Insts {
		if r.steps++; r.steps > maxSteps {
			return stop(TooMany, in, "more than %d instructions", maxSteps)
		}
		v, effect := r.instruction(fr, b, in)
		if effect != nil {
			return effect
		}
		if in.Res != "" {
			if v.isScalar() {
				r.integers = r.integers || v.e.Type().IsInt()
			}
			fr.env[in.Res] = v
		}
	}
	return nil
}

// instruction reads one instruction.
func (r *reader) instruction(fr *frame, b *syntax.Block, in *syntax.Inst) (value, *Obstacle) {
	switch in.Op {
	case "phi":
		if fr.loop != nil && b.Index == fr.loop.Header {
			return fr.env[in.Res], nil
		}
		return r.phi(fr, b, in), nil
	case "br", "switch", "ret", "unreachable":
		if in.Op != "ret" && len(in.Args) > 0 && r.always {
			r.ub = r.ub.union(r.operand(fr, in.Args[0], in).poison)
		}
		return value{}, nil
	case "store":
		return value{}, r.store(fr, in)
	case "load":
		return r.load(fr, in)
	case "call":
		return r.call(fr, in)
	case "alloca":
		return r.alloca(in), nil
	case "getelementptr":
		return r.address(fr, in), nil
	case "invoke", "resume", "indirectbr", "callbr":
		return value{}, stop(UnknownCall, in, "%s", in.Text)
	case "fence", "cmpxchg", "atomicrmw", "va_arg":
		return value{}, stop(Order, in, "%s", in.Op)
	}
	args, ok := r.known(fr, in)
	if in.Uses != nil {
		for _, name := range in.Uses {
			args = append(args, r.operand(fr, syntax.Value{Kind: syntax.Local, Text: name, Type: &syntax.Type{Kind: syntax.Strange, Name: "?"}}, in))
		}
		return r.opaque(in, args, stop(Unread, in, "%s", in.Op)), nil
	}
	switch {
	case in.Op == "select" && args[0].isScalar() && !ok:
		return r.choose(in, args[0], args[1], args[2]), nil
	case in.Op == "insertvalue" || in.Op == "extractvalue":
		return r.part(in, args), nil
	case (in.Op == "bitcast" || in.Op == "addrspacecast") && args[0].ptr != nil:
		return args[0], nil
	case in.Op == "freeze":
		return value{bad: stop(Freeze, in, "%s", in.Res), state: args[0].state}, nil
	case !ok:
		return r.opaque(in, args, firstBad(args, in)), nil
	}
	return r.compute(in, args), nil
}

// firstBad is the reason why operands are not all scalars.
func firstBad(args []value, in *syntax.Inst) *Obstacle {
	for _, a := range args {
		if a.bad != nil {
			return a.bad
		}
	}
	return stop(Unread, in, "%s", in.Op)
}

// part takes a value out of an aggregate, or puts one into it.
func (r *reader) part(in *syntax.Inst, args []value) value {
	index := 0
	if len(in.Labels) != 1 || len(args[0].agg) == 0 {
		return r.opaque(in, args, firstBad(args, in))
	}
	if _, err := fmt.Sscan(in.Labels[0], &index); err != nil || index < 0 || index >= len(args[0].agg) {
		return r.opaque(in, args, firstBad(args, in))
	}
	if in.Op == "extractvalue" {
		return args[0].agg[index]
	}
	out := value{agg: append([]value{}, args[0].agg...), state: args[0].state || args[1].state}
	out.agg[index] = args[1]
	return out
}
