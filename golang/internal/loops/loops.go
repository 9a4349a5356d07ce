// Package loops finds the natural loops of functions in SSA form, and the statements they were written as.
package loops

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Loop is a natural loop: the blocks from which a back edge is reached without passing the header.
type Loop struct {
	Func      *ssa.Function
	Header    *ssa.BasicBlock
	Latches   []*ssa.BasicBlock // predecessors of the header in the loop, as often as they are
	Exits     []Exit
	Innermost bool
	Inner     []*Loop  // the loops of its body, without those of their bodies
	Yield     bool     // it is the body of a range over a function: see OfYield
	Acyclic   bool     // without the back edges of loops there is no cycle
	Stmt      ast.Stmt // the for or range statement; nil of a loop by goto
	in        []bool   // by the index of a block
}

// Exit is an edge that leaves a loop: successor number Branch of a block.
type Exit struct {
	From   *ssa.BasicBlock
	Branch int
}

// Has reports whether a block belongs to the loop.
func (l *Loop) Has(b *ssa.BasicBlock) bool {
	return b != nil && b.Parent() == l.Func && b.Index < len(l.in) && l.in[b.Index]
}

// Holds reports whether a value is computed by an instruction of the loop.
func (l *Loop) Holds(v ssa.Value) bool {
	i, ok := v.(ssa.Instruction)
	return ok && i.Parent() == l.Func && l.Has(i.Block())
}

// Blocks lists the blocks of the loop in the order of the function.
func (l *Loop) Blocks() (list []*ssa.BasicBlock) {
	for _, b := range l.Func.Blocks {
		if l.Has(b) {
			list = append(list, b)
		}
	}
	return list
}

// Phis lists the phis of the header: the values that the loop carries.
func (l *Loop) Phis() (list []*ssa.Phi) {
	for _, i := range l.Header.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		list = append(list, phi)
	}
	return list
}

// Pos returns where the loop is written, or of a loop by goto its first instruction with a position.
func (l *Loop) Pos() token.Pos {
	if l.Stmt != nil {
		return l.Stmt.Pos()
	}
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.Phi); !ok && i.Pos().IsValid() {
				return i.Pos()
			}
		}
	}
	return l.Func.Pos()
}

// Whole returns a function as if it were a step of a loop; it is Acyclic if the function has no loop, not even by goto.
func Whole(fn *ssa.Function) *Loop {
	l := &Loop{Func: fn, Header: fn.Blocks[0], Innermost: true, in: make([]bool, len(fn.Blocks))}
	for i := range l.in {
		l.in[i] = true
	}
	l.Acyclic = len(Of(fn)) == 0 && l.acyclic()
	return l
}

// Of returns the natural loops of a function, in the order of their headers.
func Of(fn *ssa.Function) []*Loop {
	var all []*Loop
	for _, header := range fn.Blocks {
		l := &Loop{Func: fn, Header: header, in: make([]bool, len(fn.Blocks))}
		for _, p := range header.Preds {
			if header.Dominates(p) {
				l.Latches = append(l.Latches, p)
			}
		}
		if l.Latches == nil {
			continue
		}
		l.fill()
		all = append(all, l)
	}
	statements := statementsOf(fn)
	for _, l := range all {
		l.Innermost = true
		for _, other := range all {
			if other != l && l.Has(other.Header) {
				l.Innermost = false
			}
		}
		l.Acyclic = l.acyclic()
		l.Inner = innerOf(l, all)
	}
	for _, l := range all {
		l.findStatement(statements)
	}
	return all
}

// findStatement finds the statement of a loop, which is around those of its inner loops, after those.
func (l *Loop) findStatement(list []ast.Stmt) {
	for _, inner := range l.Inner {
		if inner.Stmt == nil {
			inner.findStatement(list)
		}
	}
	around := func(s ast.Stmt) bool {
		return !slices.ContainsFunc(l.Inner, func(inner *Loop) bool {
			return inner.Stmt != nil && (s == inner.Stmt || s.Pos() > inner.Stmt.Pos() || inner.Stmt.End() > s.End())
		})
	}
	l.Stmt = l.statement(slices.DeleteFunc(slices.Clone(list), func(s ast.Stmt) bool { return !around(s) }))
}

// innerOf lists the largest loops of a body.
func innerOf(l *Loop, all []*Loop) (list []*Loop) {
	isInner := func(inner, outer *Loop) bool {
		return inner != outer && outer.Has(inner.Header) && !inner.Has(outer.Header)
	}
	for _, in := range all {
		if !isInner(in, l) {
			continue
		}
		between := func(m *Loop) bool { return isInner(in, m) && isInner(m, l) }
		if !slices.ContainsFunc(all, between) {
			list = append(list, in)
		}
	}
	return list
}

// fill finds the blocks from which a latch is reached, and the edges that leave them.
func (l *Loop) fill() {
	l.in[l.Header.Index] = true
	todo := append([]*ssa.BasicBlock(nil), l.Latches...)
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.in[b.Index] {
			continue
		}
		l.in[b.Index] = true
		todo = append(todo, b.Preds...)
	}
	l.findExits()
}

func (l *Loop) findExits() {
	for _, b := range l.Blocks() {
		for i, s := range b.Succs {
			if !l.Has(s) {
				l.Exits = append(l.Exits, Exit{b, i})
			}
		}
	}
}

// acyclic reports whether the loop has no cycle but of natural loops, as goto makes them.
func (l *Loop) acyclic() bool {
	const (
		open   = 1
		closed = 2
	)
	mark := make([]int, len(l.in))
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		mark[b.Index] = open
		for _, s := range b.Succs {
			if s == l.Header || !l.Has(s) || s.Dominates(b) || mark[s.Index] == closed {
				continue
			}
			if mark[s.Index] == open || !visit(s) {
				return false
			}
		}
		mark[b.Index] = closed
		return true
	}
	return visit(l.Header)
}

// statementsOf lists the for and range statements of a function, without those of function literals.
func statementsOf(fn *ssa.Function) (list []ast.Stmt) {
	root := fn.Syntax()
	if root == nil {
		return nil
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return ast.Node(n) == root
		case *ast.ForStmt:
			list = append(list, n)
		case *ast.RangeStmt:
			list = append(list, n)
		}
		return true
	})
	return list
}

// statement returns the innermost statement around all instructions of the loop that have a position. Phis
// and allocations are placed where a variable is declared, and count for nothing.
func (l *Loop) statement(list []ast.Stmt) (found ast.Stmt) {
	first, last := token.NoPos, token.NoPos
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			switch i.(type) {
			case *ssa.Phi, *ssa.Alloc, *ssa.DebugRef:
				continue
			}
			pos := i.Pos()
			if next, ok := i.(*ssa.Next); ok { // it has no position; what it steps through has that of the statement
				pos = next.Iter.Pos()
			}
			if !pos.IsValid() {
				continue
			}
			if !first.IsValid() || pos < first {
				first = pos
			}
			last = max(last, pos)
		}
	}
	if !first.IsValid() {
		return nil
	}
	for _, s := range list { // outer ones come first
		if s.Pos() <= first && last < s.End() {
			found = s
		}
	}
	return found
}
