package plan

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// Operations returns the operations of a pass by component, of which a step is x_i op what it injects; nil where some component has none, or a
// total another type than the state.
func (sc *Scan) Operations(p *Pass) (ops []ir.Op) {
	if len(p.Types) != len(p.Components) {
		return nil
	}
	for i, t := range p.Types {
		e := p.Combine[i]
		if t != sc.State[p.Components[i]] || p.Apply[i] != e || e.NumArgs() != 2 || e.Op() == ir.Call {
			return nil
		}
		isOperand := func(v ir.Expr, kind ir.VarKind) bool {
			return v.Op() == ir.Var && v.Kind() == kind && v.Index() == i && (kind == ir.State || v.Name()[0] == 'y')
		}
		a, b := e.Arg(0), e.Arg(1)
		if !(isOperand(a, ir.State) && isOperand(b, ir.Leaf)) && !(isOperand(b, ir.State) && isOperand(a, ir.Leaf)) {
			return nil
		}
		if part, ok := folds.Of(p.Update[i], i); !p.IsExact() && (!ok || part.Op != e.Op() || part.Leaf != p.Inject[i]) {
			return nil // the step itself may round otherwise
		}
		ops = append(ops, e.Op())
	}
	return ops
}

// TreeLanes is how many elements of a tile kernels combine by a tree.
const TreeLanes = 8

// HasTree reports whether kernels combine a pass that rounds as lanes say: integers in any order, and floats that are added or multiplied, or whose
// steps are x ↦ x·a + b. Of other floats a total that is not finite may give a state that is.
func (sc *Scan) HasTree(p *Pass) bool {
	ops := sc.Operations(p)
	for i, op := range ops {
		if p.Types[i].IsFloat() && op != ir.Add && op != ir.Mul {
			return false
		}
	}
	return ops != nil || sc.IsAffine(p) && p.Types[0].IsFloat() && p.CombinesSteps()
}

// roundsByTrees reports whether some pass rounds, and all that do have a tree.
func (sc *Scan) roundsByTrees() bool {
	rounds := slices.DeleteFunc(slices.Clone(sc.Passes), (*Pass).IsExact)
	return len(rounds) > 0 && !slices.ContainsFunc(rounds, func(p *Pass) bool { return !sc.HasTree(p) })
}

// IsAffine reports whether a pass composes steps x ↦ x·a + b of one component, and rounds them as these words say.
func (sc *Scan) IsAffine(p *Pass) bool {
	if len(p.Components) != 1 || len(p.Types) != 2 || len(p.Inject) != 2 {
		return false
	}
	t := sc.State[p.Components[0]]
	if t == ir.Bool || p.Types[0] != t || p.Types[1] != t {
		return false
	}
	pool := p.Inject[0].Pool()
	x, y := pool.Operands(p.Types)
	return commutes(p.Next[0], ir.Mul, x[0], p.Inject[0]) && isStep(p.Next[1], x[1], p.Inject[0], p.Inject[1]) && isStep(p.Apply[0], x[0], y[0], y[1]) &&
		(p.IsExact() || isStep(p.Update[0], x[0], p.Inject[0], p.Inject[1]))
}

// CombinesSteps reports whether totals of a pass that IsAffine are composed as its words say, too.
func (p *Pass) CombinesSteps() bool {
	x, y := p.Inject[0].Pool().Operands(p.Types)
	return commutes(p.Combine[0], ir.Mul, x[0], y[0]) && isStep(p.Combine[1], x[1], y[0], y[1])
}

// Restarts reports whether a pass composes steps of integers x ↦ select(stop, 0, x) + b, of which stop is the first parameter that a step injects.
func (sc *Scan) Restarts(p *Pass) bool {
	if len(p.Components) != 1 || len(p.Types) != 2 || p.Types[0] != ir.Bool || p.Types[1] != sc.State[p.Components[0]] || !p.Types[1].IsInt() || !p.IsExact() {
		return false
	}
	x, y := p.Inject[0].Pool().Operands(p.Types)
	return commutes(p.Combine[0], ir.Or, x[0], y[0]) && isRestart(p.Combine[1], y[0], x[1], y[1]) && isRestart(p.Apply[0], y[0], p.Inject[0].Pool().X(0, p.Types[1]), y[1])
}

// isRestart reports whether e is select(stop, 0, x) + b, or select(stop, b, x + b).
func isRestart(e, stop, x, b ir.Expr) bool {
	if e.Op() == ir.Select {
		return e.Arg(0) == stop && e.Arg(1) == b && commutes(e.Arg(2), ir.Add, x, b)
	}
	if e.Op() != ir.Add {
		return false
	}
	s, rest := e.Arg(0), e.Arg(1)
	if s.Op() != ir.Select || rest != b {
		s, rest = rest, s
	}
	return rest == b && s.Op() == ir.Select && s.Arg(0) == stop && s.Arg(1).IsConst(0) && s.Arg(2) == x
}

// isStep reports whether e is x·a + b.
func isStep(e, x, a, b ir.Expr) bool {
	return e.Op() == ir.Add && (commutes(e.Arg(0), ir.Mul, x, a) && same(e.Arg(1), b) || commutes(e.Arg(1), ir.Mul, x, a) && same(e.Arg(0), b))
}

// commutes reports whether e is a op b or b op a.
func commutes(e ir.Expr, op ir.Op, a, b ir.Expr) bool {
	return e.Op() == op && (same(e.Arg(0), a) && same(e.Arg(1), b) || same(e.Arg(0), b) && same(e.Arg(1), a))
}

// same reports whether two terms are equal but for the order in which operands of sums and products stand, which changes no
// rounding.
func same(a, b ir.Expr) bool {
	const most = 64 // of larger terms there may be exponentially many orders
	if a == b || a.Op() != b.Op() || a.Type() != b.Type() || a.NumArgs() == 0 || a.Op() == ir.Call || a.Size() > most {
		return a == b
	}
	if (a.Op() == ir.Add || a.Op() == ir.Mul) && same(a.Arg(0), b.Arg(1)) && same(a.Arg(1), b.Arg(0)) {
		return true
	}
	for i := range a.NumArgs() {
		if !same(a.Arg(i), b.Arg(i)) {
			return false
		}
	}
	return true
}
