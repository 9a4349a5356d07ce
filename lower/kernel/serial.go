package kernel

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// May is what a form may use besides the serial order. Forms ask nothing else of a plan.
type May struct {
	Factored bool // partial results may be combined
	Commute  bool // elements may come in any order, as the operator says
	Wrap     bool // the operator's laws hold whatever overflows
	Fit      bool // nothing overflows in partial results of parts of a run
	Regroup  bool // sums of floats may be regrouped
	Seen     bool // the last component tells whether any element has come
	Compose  bool // the state is a step, which Operator composes: parts of a run have steps of their own
}

// Stage is what a kernel is built of: expressions over the state, and over what they read, as a stage has them.
type Stage struct {
	State            []ir.Type
	Where, To        []ir.Expr
	Streams, Scalars []ir.Expr // what steps from element to element, and what stays
	Place            ir.Expr   // the coordinate of the elements; the zero Expr for none
	Operator         []ir.Expr // combines partial results, over ir.State and ir.Leaf; nil for none
	Identity         []ir.Expr // what Operator leaves as it is
	May              May
}

// Build gives the kernel of a stage, in the serial order. Its expressions are over Elem, Fixed and At, so that equal kernels are equal texts.
func Build(s Stage) *Kernel {
	pool := s.To[0].Pool()
	k := &Kernel{State: s.State, May: s.May}
	var from, to []ir.Expr
	for i, e := range s.Streams {
		k.Streams = append(k.Streams, e.Type())
		from, to = append(from, e), append(to, Elem(pool, i, e.Type()))
	}
	for i, e := range s.Scalars {
		k.Scalars = append(k.Scalars, e.Type())
		from, to = append(from, e), append(to, Fixed(pool, i, e.Type()))
	}
	if s.Place.IsValid() {
		from, to = append(from, s.Place), append(to, At(pool))
	}
	own := func(es []ir.Expr) (out []ir.Expr) {
		for _, e := range es {
			out = append(out, ir.Subst(e, from, to))
		}
		return out
	}
	k.Body = []Node{Each{Where: own(s.Where), To: own(s.To)}}
	comps := len(s.State)
	if s.May.Seen { // the operator is about the others
		comps--
	}
	if operator := own(s.Operator); len(operator) == comps && known(operator) {
		k.Operator = operator
	}
	for _, e := range s.Identity {
		if !e.IsClosed() {
			k.Identity = nil
			break
		}
		k.Identity = append(k.Identity, ir.Eval(e, &ir.Env{}))
	}
	return k
}

// known reports whether expressions have no other variables than kernels know.
func known(es []ir.Expr) bool {
	all := true
	ir.Walk(es, func(e ir.Expr) {
		if _, _, ok := Operand(e); e.NumArgs() == 0 && e.Op() != ir.Const || e.Op() == ir.Call {
			all = all && ok
		}
	})
	return all
}

// Elem is the element of a stream, in expressions of single elements.
func Elem(p *ir.Pool, stream int, t ir.Type) ir.Expr {
	return p.Var(ir.Param, fmt.Sprintf("in%d", stream), stream, t)
}

// Fixed is a scalar.
func Fixed(p *ir.Pool, scalar int, t ir.Type) ir.Expr {
	return p.Var(ir.Param, fmt.Sprintf("fixed%d", scalar), scalar, t)
}

// At is the coordinate of the element.
func At(p *ir.Pool) ir.Expr { return p.Var(ir.Param, "at", 0, ir.I32) }

// Operand tells which leaf a variable is: State, Right, Load, Scalar or Place, and its number.
func Operand(e ir.Expr) (op Op, number int, ok bool) {
	if e.Op() != ir.Var {
		return 0, 0, false
	}
	switch i := e.Index(); {
	case e.Kind() == ir.State:
		return State, i, true
	case e.Kind() == ir.Leaf:
		return Right, i, true
	case e.Kind() != ir.Param:
		return 0, 0, false
	case e == Elem(e.Pool(), i, e.Type()):
		return Load, i, true
	case e == Fixed(e.Pool(), i, e.Type()):
		return Scalar, i, true
	case e == At(e.Pool()):
		return Place, 0, true
	}
	return 0, 0, false
}

// Mentions reports whether expressions have a leaf in them.
func Mentions(es []ir.Expr, op Op, number int) bool {
	found := false
	ir.Walk(es, func(e ir.Expr) {
		of, i, ok := Operand(e)
		found = found || ok && of == op && i == number
	})
	return found
}

// UsesPlace reports whether a serial kernel uses the coordinates of its elements.
func (k *Kernel) UsesPlace() bool {
	e := k.Each()
	return Mentions(e.Where, Place, 0) || Mentions(e.To, Place, 0)
}

// Each returns the node of a serial kernel that says what is done with an element.
func (k *Kernel) Each() Each {
	e, _ := First[Each](k.Body)
	return e
}

// NewKernel returns a kernel without a body, which has the streams, components and scalars of k.
func (k *Kernel) NewKernel() *Kernel {
	return &Kernel{Streams: k.Streams, State: k.State, Scalars: k.Scalars, Serial: k}
}
