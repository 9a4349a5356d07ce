package canon

import (
	"cmp"
	"sync"

	"github.com/rfactor-go/rfactor/internal/reuse"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// Greedy simplifies e as compilers do without an e-graph: bottom-up, literals folded, what the
// ranges of types decide decided, operands of commutative operators in one order, and at every
// node the first rule of rules/greedy.rules that fits, until none does. It is the baseline that saturation is
// compared with.
func Greedy(e ir.Expr, allowed ir.Assume) ir.Expr {
	if e.NumArgs() == 0 {
		return e
	}
	g := greedies.Get().(*greedy)
	g.allowed, g.done, g.left = allowed, reuse.Map(g.done), 200+20*min(e.Size(), 10000)
	simple := g.simplify(e)
	greedies.Put(g)
	return simple
}

type greedy struct {
	allowed ir.Assume
	done    map[ir.Expr]ir.Expr
	left    int // rule applications left, so that no cycle of rules goes on for ever
	found   rules.Binding
}

var greedies = sync.Pool{New: func() any {
	return &greedy{done: map[ir.Expr]ir.Expr{}}
}}

func (g *greedy) simplify(e ir.Expr) ir.Expr {
	if e.NumArgs() == 0 {
		return e
	}
	if d, ok := g.done[e]; ok {
		return d
	}
	var few [3]ir.Expr
	args := few[:0]
	for i := range e.NumArgs() {
		args = append(args, g.simplify(e.Arg(i)))
	}
	d := g.root(ir.Rebuild(e, args))
	g.done[e] = d
	g.done[d] = d
	return d
}

// root simplifies an operator over simplified operands.
func (g *greedy) root(e ir.Expr) ir.Expr {
	if e.IsClosed() {
		return fold(e)
	}
	if d := g.onValues(e); d.IsValid() && g.left > 0 {
		g.left--
		return g.simplify(d)
	}
	e = inOrder(e)
	forms := greedyRules()[e.Op()]
	for i := range forms {
		f := &forms[i]
		if g.left <= 0 {
			return e
		}
		if !f.looksLike(e) {
			continue
		}
		b := &g.found
		b.Reset()
		if !f.form.Match(e, b) || !f.fits(b, g.allowed) {
			continue
		}
		g.left--
		return g.simplify(f.rule.RHS.Build(e.Pool(), b.Type, func(name string, _ ir.Type) ir.Expr { return b.Of(name) }))
	}
	return e
}

// greedyForm is a rule with one of its operand orders.
type greedyForm struct {
	rule *rules.Rule
	form *rules.Term
	args [3]ir.Op // of the form's operands
}

// looksLike reports whether the operands of e are what the form's are, as far as one sees at
// once.
func (f *greedyForm) looksLike(e ir.Expr) bool {
	for i := range e.NumArgs() {
		if op := f.args[i]; op != ir.Var && op != e.Arg(i).Op() {
			return false
		}
	}
	return true
}

var greedyRules = sync.OnceValue(func() *[ir.NumOps][]greedyForm {
	var byRoot [ir.NumOps][]greedyForm
	for _, r := range rules.Greedy() {
		for _, f := range Forms(r) {
			g := greedyForm{rule: r, form: f}
			for i, a := range f.Args {
				g.args[i] = a.Op
			}
			byRoot[f.Op] = append(byRoot[f.Op], g)
		}
	}
	return &byRoot
})

func (f *greedyForm) fits(b *rules.Binding, allowed ir.Assume) bool {
	if b.Type == ir.Invalid {
		b.Type = ir.Bool
	}
	if !f.rule.Allowed(b.Type, allowed) {
		return false
	}
	for _, g := range f.rule.Guards {
		if b.Of(g.Var).IsLeaf() == g.State {
			return false
		}
	}
	return true
}

// inOrder puts the operands of a commutative operator in reading order.
func inOrder(e ir.Expr) ir.Expr {
	if e.NumArgs() == 2 && e.Op().Commutes() && readsBefore(e.Arg(1), e.Arg(0)) {
		return ir.Rebuild(e, []ir.Expr{e.Arg(1), e.Arg(0)})
	}
	return e
}

// readsBefore orders operands: states, terms with states, leaves, invariants, literals;
// variables by number, terms by size and then by their parts.
func readsBefore(a, b ir.Expr) bool { return compareReading(a, b) < 0 }

func compareReading(a, b ir.Expr) int {
	if a == b {
		return 0
	}
	if c := cmp.Compare(readingRank(a), readingRank(b)); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Size(), b.Size()); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Op(), b.Op()); c != 0 {
		return c
	}
	switch a.Op() {
	case ir.Const:
		return cmp.Compare(a.Int(), b.Int())
	case ir.Var, ir.Call:
		if c := cmp.Compare(a.Name(), b.Name()); c != 0 {
			return c
		}
		if c := cmp.Compare(a.Index(), b.Index()); c != 0 {
			return c
		}
	}
	for i := range min(a.NumArgs(), b.NumArgs()) {
		if c := compareReading(a.Arg(i), b.Arg(i)); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.NumArgs(), b.NumArgs())
}

func readingRank(e ir.Expr) int {
	switch {
	case e.Op() == ir.Const:
		return 5
	case !e.IsLeaf() && e.Op() == ir.Var:
		return 0
	case !e.IsLeaf():
		return 1
	case e.IsInvariant():
		return 4
	case e.Op() == ir.Var:
		return 2
	}
	return 3
}
