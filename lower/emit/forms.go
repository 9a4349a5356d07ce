package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// form is a way in which runs go by vectors.
type form struct {
	name string
	of   func(*plan.Plan, *run) *kernel.Kernel // nil where the run has not what the form needs
}

// targets are the packages of vectors that a kernel is written for, the widest vectors first.
var targets = []*kernel.Target{kernel.Archsimd512, kernel.Archsimd, kernel.Simd}

// forms are in the order of preference. The last one leaves elements out under a condition, which others move into operands.
var forms = []form{
	{"widening", widening},
	{"independent", independent},
	{"counting", counting},
	{"differences", differences},
	{"coupled", coupled},
	{"skipping", skipping},
}

// vectorise gives the kernel in lanes of a run; nil where it has none, and the first operation that every target lacks, if one was.
func vectorise(p *plan.Plan, k *run) (v *kernel.Kernel, lacks string) {
	folds := k
	if len(k.where) > 0 {
		folds = k.guarded()
	}
	for _, f := range forms {
		of := folds
		if f.name == "skipping" {
			of = k
		}
		if of == nil {
			continue
		}
		v := f.of(p, of)
		if v == nil {
			continue
		}
		why := ""
		for _, t := range targets {
			var legal *kernel.Kernel
			if legal, why = v.Shape(t); legal != nil {
				return v, ""
			}
		}
		if lacks == "" {
			lacks = why
		}
	}
	return nil, lacks
}

// Kernels shows the kernels in lanes of a plan behind a pass: build, strip, places, simd or archsimd, of which the latter two choose the
// operations of a target; strip and places are those for package simd. It is an error where there is no such pass, and where Source gives one.
func Kernels(p *plan.Plan, pass string) (string, error) {
	_, g, err := source(p, "p")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, k := range g.kernels {
		v, lacks := k.vector, ""
		if v == nil {
			continue
		}
		switch pass {
		case "build":
		case "strip":
			v = kernel.Strip(v, kernel.Simd)
		case "places":
			v = kernel.Places(kernel.Strip(v, kernel.Simd))
		case "simd":
			v, lacks = v.Shape(kernel.Simd)
		case "archsimd":
			v, lacks = v.Shape(kernel.Archsimd)
		default:
			return "", fmt.Errorf("emit: there is no pass %s, but build, strip, places, simd and archsimd", pass)
		}
		if v == nil {
			fmt.Fprintf(&b, "%s: %s\n\n", k.name, lacks)
			continue
		}
		fmt.Fprintf(&b, "%s:\n%s\n", k.name, v)
	}
	return b.String(), nil
}

// guarded moves the condition of a run into its operands, since lanes cannot leave an element
// out. It is nil where a component is no fold.
//
//	where c: x + h   →   x + select(c, h, 0)
func (k *run) guarded() *run {
	out := *k
	out.where, out.values = nil, nil
	cond := k.where[0]
	for _, c := range k.where[1:] {
		cond = ir.AndOf(cond, c)
	}
	for i, v := range k.values {
		p, ok := fold.Of(v, i)
		if !ok || p.Op == ir.Const || v.Type() == ir.Bool {
			return nil
		}
		x := v.Pool().X(i, v.Type())
		out.values = append(out.values, ir.Make(p.Op, x, ir.SelectOf(cond, p.Leaf, fold.Neutral(p.Op, x))))
	}
	return &out
}

// sum takes x + h apart, where h does not depend on the state: the only component is a sum.
func (k *run) sum() (x, h ir.Expr, ok bool) {
	if len(k.values) != 1 || k.first || k.values[0].Op() != ir.Add {
		return x, h, false
	}
	x, h = k.values[0].Arg(0), k.values[0].Arg(1)
	if x.States() == 0 {
		x, h = h, x
	}
	return x, h, x.Op() == ir.Var && x.Kind() == ir.State && h.States() == 0
}

// newKernel is a kernel of the run's streams and components.
func (k *run) newKernel() *kernel.Kernel {
	out := &kernel.Kernel{State: k.types}
	for _, s := range k.streams {
		out.Streams = append(out.Streams, s.call.Type())
	}
	for _, s := range k.scalars {
		out.Scalars = append(out.Scalars, s.expr.Type())
	}
	return out
}

// builder makes values of the run's expressions. Its leaves are elements of streams and scalars, and what more finds before.
func (k *run) builder(bits int, more func(ir.Expr) *kernel.Value) *kernel.Builder {
	return &kernel.Builder{Bits: bits, Leaf: func(e ir.Expr) *kernel.Value {
		if v := more(e); v != nil {
			return v
		}
		if laneBits(e.Type()) != bits {
			return nil
		}
		if s := k.streamOf(e); s >= 0 {
			return kernel.Leaf(kernel.Load, s, kernel.LaneType(e.Type()))
		}
		for i, s := range k.scalars {
			if s.expr == e && e.Type() != ir.Bool {
				return kernel.SpreadScalar(i, e.Type())
			}
		}
		return nil
	}}
}

// laneBits is the width of the lanes that hold elements of a type, 0 where vectors hold none.
func laneBits(t ir.Type) int {
	if t = kernel.LaneType(t); kernel.HasVectors(t) {
		return t.Bits()
	}
	return 0
}

// numbers lists the numbers below n.
func numbers(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}
