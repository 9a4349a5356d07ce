package loops

import (
	"go/ast"
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// OfYield returns the body of a range statement over a function as a loop; nil where no step follows another, or it has loops. Such a statement is
// no loop in SSA form: its body is a function that the iterator calls, and that returns whether to go on. The blocks of the loop are those
// from which it returns true, where a step ends.
func OfYield(body *ssa.Function, s ast.Stmt) *Loop {
	l := &Loop{Func: body, Innermost: true, Yield: true, Stmt: s, in: make([]bool, len(body.Blocks))}
	for _, b := range body.Blocks {
		if b.Comment == "yield-loop" {
			l.Header = b
		}
	}
	if l.Header == nil {
		return nil
	}
	seen := make([]bool, len(body.Blocks))
	var goesOn func(b *ssa.BasicBlock) bool
	goesOn = func(b *ssa.BasicBlock) bool {
		if seen[b.Index] {
			return l.in[b.Index]
		}
		seen[b.Index] = true
		found := isNext(b)
		for _, s := range b.Succs {
			found = goesOn(s) || found
		}
		l.in[b.Index] = found
		return found
	}
	if l.Acyclic = Whole(body).Acyclic; !l.Acyclic || !goesOn(l.Header) {
		return nil
	}
	l.findExits()
	return l
}

// isNext reports whether a block of the body of a range over a function returns true: there the next step begins.
func isNext(b *ssa.BasicBlock) bool {
	r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	if !ok || len(r.Results) != 1 {
		return false
	}
	c, ok := r.Results[0].(*ssa.Const)
	return ok && c.Value != nil && constant.BoolVal(c.Value)
}
