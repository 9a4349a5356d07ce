package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
)

// form is a way in which runs go by vectors.
type form struct {
	name string
	of   func(serial) *Kernel // nil where the run has not what the form needs
}

// Targets are the packages of vectors that kernels are written for, the widest vectors first.
var Targets = []*Target{Archsimd512, Archsimd, Simd}

// forms are in the order of preference. The last one leaves elements out under a condition, which others move into operands.
var forms = []form{
	{"widening", widening},
	{"independent", independent},
	{"counting", counting},
	{"differences", differences},
	{"coupled", coupled},
	{"skipping", skipping},
}

// serial is a serial kernel, and what it does with an element.
type serial struct {
	*Kernel
	Each
}

// InLanes gives the kernel in lanes of a serial one; nil where it has none, and the first operation that every target lacks, if one was.
func (k *Kernel) InLanes() (v *Kernel, lacks string) {
	whole := serial{k, k.Each()}
	folds, ok := whole, true
	if len(whole.Where) > 0 {
		folds, ok = whole.guarded()
	}
	for _, f := range forms {
		of := folds
		if f.name == "skipping" {
			of = whole
		} else if !ok {
			continue
		}
		v := f.of(of)
		if v == nil {
			continue
		}
		why := ""
		for _, t := range Targets {
			var legal *Kernel
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

// guarded moves the condition of a run into its operands, since lanes cannot leave an element
// out. It is not ok where a component is no fold.
//
//	where c: x + h   →   x + select(c, h, 0)
func (k serial) guarded() (out serial, ok bool) {
	out.Kernel = k.Kernel
	cond := k.Where[0]
	for _, c := range k.Where[1:] {
		cond = ir.AndOf(cond, c)
	}
	for i, v := range k.To {
		p, ok := fold.Of(v, i)
		if !ok || p.Op == ir.Const || v.Type() == ir.Bool {
			return out, false
		}
		x := v.Pool().X(i, v.Type())
		out.To = append(out.To, ir.Make(p.Op, x, ir.SelectOf(cond, p.Leaf, fold.Neutral(p.Op, x))))
	}
	return out, true
}

// sum takes x + h apart, where h does not depend on the state: the only component is a sum.
func (k serial) sum() (x, h ir.Expr, ok bool) {
	if len(k.To) != 1 || k.UsesPlace() || k.To[0].Op() != ir.Add {
		return x, h, false
	}
	x, h = k.To[0].Arg(0), k.To[0].Arg(1)
	if x.States() == 0 {
		x, h = h, x
	}
	return x, h, x.Op() == ir.Var && x.Kind() == ir.State && h.States() == 0
}

// newKernel is a kernel of the run's streams and components.
func (k serial) newKernel() *Kernel {
	return &Kernel{Streams: k.Streams, State: k.State, Scalars: k.Scalars, Serial: k.Kernel}
}

// streamOf is the stream whose element an expression is, -1 for none.
func (k serial) streamOf(e ir.Expr) int {
	if op, i, _ := Operand(e); op == Load {
		return i
	}
	return -1
}

// moves reports whether an expression changes from element to element.
func (k serial) moves(e ir.Expr) bool {
	moves := Mentions([]ir.Expr{e}, Place, 0)
	for s := range k.Streams {
		moves = moves || Mentions([]ir.Expr{e}, Load, s)
	}
	return moves
}

// laneBits is the width of the lanes that hold the elements of all streams, or of those that e mentions; 0 where they differ.
func (k serial) laneBits(e ir.Expr) (bits int) {
	for s, t := range k.Streams {
		if e.IsValid() && !Mentions([]ir.Expr{e}, Load, s) {
			continue
		}
		b := laneBits(t)
		if b == 0 || bits != 0 && bits != b {
			return 0
		}
		bits = b
	}
	return bits
}

// builder makes values of the run's expressions. Its leaves are elements of streams and scalars, and what more finds before.
func (k serial) builder(bits int, more func(ir.Expr) *Value) *Builder {
	return &Builder{Bits: bits, Leaf: func(e ir.Expr) *Value {
		if v := more(e); v != nil {
			return v
		}
		if laneBits(e.Type()) != bits {
			return nil
		}
		switch op, i, _ := Operand(e); {
		case op == Load:
			return Leaf(Load, i, LaneType(e.Type()))
		case op == Scalar && e.Type() != ir.Bool:
			return SpreadScalar(i, e.Type())
		}
		return nil
	}}
}

// laneBits is the width of the lanes that hold elements of a type, 0 where vectors hold none.
func laneBits(t ir.Type) int {
	if t = LaneType(t); HasVectors(t) {
		return t.Bits()
	}
	return 0
}

// below lists the numbers below n.
func below(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}
