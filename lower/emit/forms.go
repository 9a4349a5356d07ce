package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// vectorForm is how a run goes by vectors: by a kernel in lanes, or by a function that adds in wider lanes.
type vectorForm interface {
	// write writes the function that is called for a run, where it does not depend on the target.
	write(g *generator, k *run)
}

// inLanes is a run by a kernel, as its form makes it and as passes make it before it is written for each target.
type inLanes struct{ built, shaped *kernel.Kernel }

func (inLanes) write(*generator, *run) {}

// form is a way in which runs go by vectors.
type form struct {
	name string
	// of gives the form of a run; nil where the run has not what it needs, and which operation the targets lack where that is all.
	of func(*plan.Plan, *run) (v vectorForm, lacks string)
}

// forms are in the order of preference. The last one leaves elements out under a condition, which others move into operands.
var forms = []form{
	{"widening", func(p *plan.Plan, k *run) (vectorForm, string) { return widening(p, k), "" }},
	{"float widening", func(p *plan.Plan, k *run) (vectorForm, string) { return floatWidening(p, k), "" }},
	{"independent", lanesOf(independent)},
	{"counting", lanesOf(counting)},
	{"differences", lanesOf(differences)},
	{"coupled", lanesOf(coupled)},
	{"skipping", lanesOf(skipping)},
}

func lanesOf(build func(*plan.Plan, *run) *kernel.Kernel) func(*plan.Plan, *run) (vectorForm, string) {
	return func(p *plan.Plan, k *run) (vectorForm, string) {
		v := build(p, k)
		if v == nil {
			return nil, ""
		}
		if legal, lacks := v.Legalize(kernel.Simd); legal == nil {
			return nil, lacks
		}
		return inLanes{v, kernel.Places(v)}, ""
	}
}

// vectorise gives the form in which a run goes by vectors; nil where it has none, and the first operation that was lacking, if one was.
func vectorise(p *plan.Plan, k *run) (v vectorForm, lacks string) {
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
		v, why := f.of(p, of)
		if v != nil {
			return v, ""
		}
		if lacks == "" {
			lacks = why
		}
	}
	return nil, lacks
}

// lanes is the kernel in lanes of a run; nil where it has none.
func (k *run) lanes() *kernel.Kernel {
	if l, ok := k.vector.(inLanes); ok {
		return l.shaped
	}
	return nil
}

// Kernels shows the kernels in lanes of a plan behind a pass: build, places, simd or archsimd, of which the latter two choose the operations
// of a target. It is an error where there is no such pass, and where Source gives one.
func Kernels(p *plan.Plan, pass string) (string, error) {
	_, g, err := source(p, "p")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, k := range g.kernels {
		l, ok := k.vector.(inLanes)
		if !ok {
			continue
		}
		v := l.shaped
		switch pass {
		case "build":
			v = l.built
		case "places":
		case "simd":
			v, _ = v.Legalize(kernel.Simd)
		case "archsimd":
			v, _ = v.Legalize(kernel.Archsimd)
		default:
			return "", fmt.Errorf("emit: there is no pass %s, but build, places, simd and archsimd", pass)
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

// sum takes x + h apart, where h is of integers and does not depend on the state: the only component is a sum modulo its width.
func (k *run) sum() (x, h ir.Expr, ok bool) {
	if len(k.values) != 1 || k.first || !k.types[0].IsInt() || k.values[0].Op() != ir.Add {
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
