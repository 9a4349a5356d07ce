package read

import (
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// silent are the intrinsics that compute nothing.
var silent = []string{"dbg.", "lifetime.", "assume", "experimental.noalias.scope.decl", "donothing", "sideeffect", "invariant.", "var.annotation", "pseudoprobe"}

// call reads a call: of an intrinsic, of a function of the module where a function is read, or of one that has no effect.
func (r *reader) call(fr *frame, in *syntax.Inst) (value, *Obstacle) {
	name, isIntrinsic := strings.CutPrefix(in.Callee, "@llvm.")
	for _, s := range silent {
		if isIntrinsic && strings.HasPrefix(name, s) {
			return value{}, nil
		}
	}
	args, ok := r.known(fr, in)
	switch {
	case isIntrinsic && r.memory != nil && strings.HasPrefix(name, "memcpy."):
		return value{}, r.copyMemory(in, args)
	case isIntrinsic && strings.HasPrefix(name, "mem"):
		return value{}, stop(Store, in, "%s", in.Callee)
	case isIntrinsic && ok:
		base := firstWord(name)
		if strings.HasPrefix(name, "uadd.sat") || strings.HasPrefix(name, "usub.sat") || strings.HasPrefix(name, "sadd.sat") || strings.HasPrefix(name, "ssub.sat") || strings.HasPrefix(name, "is.fpclass") {
			base = strings.Join(strings.Split(name, ".")[:2], ".")
		}
		e, why := r.intrinsic(base, in, args)
		switch {
		case why == nil:
			return r.flagged(in, strict(e, args...), args), nil
		case isPure(in) || pure[base] || pure[firstWord(name)]:
			return r.opaque(in, args, why), nil
		}
	case in.Callee == "": // assembly, or a function that is computed
	case r.memory != nil && !isIntrinsic:
		return r.inline(fr, in, args)
	case isPure(in), isIntrinsic && pure[firstWord(name)]:
		why := stop(CallOnState, in, "%s", in.Callee)
		return r.opaque(in, args, why), nil
	}
	return value{}, stop(UnknownCall, in, "%s", in.Text)
}

// pure are the intrinsics that compute a value of their arguments and do nothing else, for IR whose declarations do not say so.
// Of others, such as llvm.masked.store and llvm.trap, attributes must say it.
var pure = map[string]bool{"abs": true, "bitreverse": true, "bswap": true, "canonicalize": true, "ceil": true, "copysign": true, "cos": true, "ctlz": true,
	"ctpop": true, "cttz": true, "exp": true, "exp2": true, "expect": true, "fabs": true, "floor": true, "fma": true, "fmuladd": true, "fptosi": true,
	"fptoui": true, "fshl": true, "fshr": true, "is": true, "ldexp": true, "log": true, "log10": true, "log2": true, "lrint": true, "lround": true,
	"maximum": true, "maximumnum": true, "maxnum": true, "minimum": true, "minimumnum": true, "minnum": true, "nearbyint": true, "objectsize": true,
	"pow": true, "powi": true, "rint": true, "round": true, "roundeven": true, "sadd": true, "scmp": true, "sin": true, "smax": true, "smin": true,
	"smul": true, "sqrt": true, "ssub": true, "tan": true, "tanh": true, "trunc": true, "uadd": true, "ucmp": true, "umax": true, "umin": true,
	"umul": true, "usub": true}

// firstWord is the name of an intrinsic without its types.
func firstWord(name string) string {
	word, _, _ := strings.Cut(name, ".")
	return word
}

// isPure reports whether a call has no effect and comes back: attributes of the call say so. It may read memory, which a loop
// that is read does not write.
func isPure(in *syntax.Inst) bool {
	a := in.Attrs
	memory := a["readnone"] || a["readonly"] || a["memory(none)"] || a["memory(read)"] || a["memory(argmem: read)"]
	return memory && in.Attrs["nounwind"] && in.Attrs["willreturn"]
}

// intrinsic is the expression of an intrinsic on scalars.
func (r *reader) intrinsic(name string, in *syntax.Inst, args []value) (ir.Expr, *Obstacle) {
	e := make([]ir.Expr, len(args))
	for i, a := range args {
		e[i] = a.e
	}
	unread := stop(Unread, in, "%s", in.Callee)
	if len(e) == 0 || e[0].Type() == ir.Bool && name != "expect" {
		return ir.Expr{}, unread
	}
	t := e[0].Type()
	back := func(x ir.Expr) ir.Expr { return ir.CastTo(t, x) }
	if op, ok := unary[name]; ok && t.IsFloat() {
		return ir.Make(op, e[0]), nil
	}
	switch name {
	case "expect":
		return e[0], nil
	case "smax", "smin", "umax", "umin":
		op := map[string]ir.Op{"max": ir.Max, "min": ir.Min}[name[1:]]
		if name[0] == 's' {
			return back(ir.Make(op, signed(e[0]), signed(e[1]))), nil
		}
		return back(ir.Make(op, unsigned(e[0]), unsigned(e[1]))), nil
	case "scmp", "ucmp":
		a, b := signed(e[0]), signed(e[1])
		if name == "ucmp" {
			a, b = unsigned(e[0]), unsigned(e[1])
		}
		to, ok := r.scalar(in.Type)
		if !ok || to == ir.Bool {
			return ir.Expr{}, unread
		}
		return ir.SelectOf(ir.LtOf(a, b), r.number(to, -1), ir.SelectOf(ir.LtOf(b, a), r.number(to, 1), r.number(to, 0))), nil
	case "uadd.sat":
		return back(ir.Make(ir.SatAdd, unsigned(e[0]), unsigned(e[1]))), nil
	case "usub.sat":
		return back(ir.Make(ir.SatSub, unsigned(e[0]), unsigned(e[1]))), nil
	case "sadd.sat":
		return back(ir.Make(ir.SatAdd, signed(e[0]), signed(e[1]))), nil
	case "ssub.sat":
		return back(ir.Make(ir.SatSub, signed(e[0]), signed(e[1]))), nil
	case "abs":
		return back(ir.Make(ir.Abs, signed(e[0]))), nil
	case "ctpop", "ctlz", "cttz", "bitreverse":
		op := map[string]ir.Op{"ctpop": ir.PopCount, "ctlz": ir.Clz, "cttz": ir.Ctz, "bitreverse": ir.BitReverse}[name]
		return back(ir.Make(op, unsigned(e[0]))), nil
	case "fshl", "fshr":
		return r.funnel(name, in, e)
	case "maximum", "minimum":
		return ir.Make(map[string]ir.Op{"maximum": ir.Max, "minimum": ir.Min}[name], e[0], e[1]), nil
	case "maxnum", "minnum":
		if has := flagsOf(in); !has.nan || !has.zero { // of NaN and a number it is the number; of two zeros either one
			return ir.Expr{}, stop(NaNOperand, in, "%s", in.Callee)
		}
		return ir.Make(map[string]ir.Op{"maxnum": ir.Max, "minnum": ir.Min}[name], e[0], e[1]), nil
	case "fmuladd": // may be fused, and need not be
		product := ir.MulOf(e[0], e[1])
		r.note(product, flagsOf(in))
		return ir.AddOf(product, e[2]), nil
	case "is.fpclass":
		if len(e) == 2 && e[1].IsConst(3) {
			return ir.Make(ir.IsNaN, e[0]), nil
		}
	}
	return ir.Expr{}, unread
}

// unary are the intrinsics of one float that are operations of package ir.
var unary = map[string]ir.Op{"fabs": ir.Abs, "sqrt": ir.Sqrt, "exp": ir.Exp, "log": ir.Log, "sin": ir.Sin, "cos": ir.Cos, "tanh": ir.Tanh,
	"floor": ir.Floor, "roundeven": ir.Round}

// funnel reads a rotation, and a shift of two words by a literal.
func (r *reader) funnel(name string, in *syntax.Inst, e []ir.Expr) (ir.Expr, *Obstacle) {
	t := e[0].Type()
	width := uint64(t.Bits())
	if e[2].Op() != ir.Const {
		return ir.Expr{}, stop(Shift, in, "%s", in.Callee)
	}
	by := t.Unsigned().Wrap(e[2].Value()) % width
	if name == "fshr" {
		by = (width - by) % width
	}
	high, low := unsigned(e[0]), unsigned(e[1])
	count := func(n uint64) ir.Expr { return r.pool.Const(t.Unsigned(), n) }
	switch {
	case e[0] == e[1]:
		return ir.CastTo(t, program.Derive("rotl", high, count(by))), nil
	case by == 0 && name == "fshl":
		return e[0], nil
	case by == 0:
		return e[1], nil
	}
	return ir.CastTo(t, ir.Make(ir.BitOr, ir.Make(ir.Shl, high, count(by)), ir.Make(ir.Shr, low, count(width-by)))), nil
}

// maxCalls bounds the calls that are read in one function, and how deep they are nested.
const (
	maxCalls = 64
	maxDepth = 8
)

// inline reads a function of the module in place of a call of it.
func (r *reader) inline(fr *frame, in *syntax.Inst, args []value) (value, *Obstacle) {
	for _, f := range r.module.Funcs {
		if "@"+f.Name != in.Callee {
			continue
		}
		if r.calls++; r.calls > maxCalls || fr.depth == maxDepth || len(f.Params) != len(args) {
			break
		}
		always := r.always
		v, why := r.run(f, args, fr.depth+1)
		r.always = always
		return v, why
	}
	return value{}, stop(UnknownCall, in, "%s", in.Text)
}
