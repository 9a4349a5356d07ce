package read

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// OverFunctions lists the range statements over functions of a function, which are no loops in SSA form: the body is a
// function that the iterator calls. It is read as a step where nothing else knows the variables that it assigns. Promised tells at which
// statements a comment promises that calls are pure.
func OverFunctions(f *ssa.Function, info *types.Info, sizes types.Sizes, purity *Purity, promised func(token.Pos) bool) (list []*Loop) {
	root := f.Syntax()
	switch root.(type) {
	case *ast.FuncDecl, *ast.FuncLit:
	default: // the body of such a statement, which belongs to the function around it
		return nil
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return ast.Node(n) == root
		case *ast.RangeStmt:
			if t := info.TypeOf(n.X); t != nil && isFunction(t) {
				list = append(list, overFunction(f, n, info, sizes, purity, promised(n.Pos())))
			}
		}
		return true
	})
	return list
}

// overFunction reads a range statement over a function; where that cannot be it has an obstacle.
func overFunction(f *ssa.Function, s *ast.RangeStmt, info *types.Info, sizes types.Sizes, purity *Purity, promised bool) *Loop {
	out := &Loop{
		Loop:      &loops.Loop{Func: f, Stmt: s, Innermost: isInnermost(s)},
		Carried:   assignsOutside(s, info),
		Obstacles: []Obstacle{{Kind: OverFunction, Pos: s.Pos()}},
	}
	body := bodyOf(f, s)
	if body == nil || !out.Innermost || !out.Carried {
		return out
	}
	if l := loops.OfYield(body, s); l != nil {
		got := of(l, sizes, purity, promised, nil)
		if got.Update != nil && hasPrivateCells(got) {
			return got
		}
		out.Obstacles = append(out.Obstacles, got.Obstacles...)
	}
	return out
}

// bodyOf is the function that is the body of a range statement over a function; nil where there is none.
func bodyOf(f *ssa.Function, s *ast.RangeStmt) *ssa.Function {
	for _, g := range f.AnonFuncs {
		if g.Syntax() == ast.Node(s) {
			return g
		}
		if IsYield(g) {
			if found := bodyOf(g, s); found != nil {
				return found
			}
		}
	}
	return nil
}

// IsYield reports whether a function is the body of a range statement over a function.
func IsYield(f *ssa.Function) bool { return f.Synthetic == "range-over-func yield" }

// isJump reports whether an address is that of the variable which says how a range over a function is left.
func isJump(address ssa.Value) bool {
	v, ok := address.(*ssa.FreeVar)
	return ok && IsYield(v.Parent()) && strings.HasPrefix(v.Name(), "jump$")
}

// hasPrivateCells reports whether a step stores nothing but components that are variables of the function around, which only that and the
// body know: the iterator cannot change them between steps.
func hasPrivateCells(l *Loop) bool {
	for _, c := range l.Cells {
		v, ok := c.Addresses[0].(*ssa.FreeVar)
		if !ok || !isPrivate(v) {
			return false
		}
	}
	return len(l.Derived) == 0 && !l.Stores
}

// isPrivate reports whether a variable that the body of a range over a function captures is known to that and to the function around alone.
func isPrivate(v *ssa.FreeVar) bool {
	closures := 0
	var address ssa.Value
	for _, b := range v.Parent().Parent().Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.MakeClosure); ok && c.Fn == ssa.Value(v.Parent()) {
				address = c.Bindings[slices.Index(v.Parent().FreeVars, v)]
			}
		}
	}
	a, ok := address.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, use := range *a.Referrers() {
		switch use := use.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if use.Val == ssa.Value(a) {
				return false
			}
		case *ssa.MakeClosure:
			closures++
		default:
			return false
		}
	}
	return closures == 1
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isInnermost reports whether there is no loop in the body of a statement.
func isInnermost(s *ast.RangeStmt) bool {
	innermost := true
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			innermost = false
		}
		return innermost
	})
	return innermost
}

// assignsOutside reports whether the body of a statement assigns to a variable that is declared around it.
func assignsOutside(s *ast.RangeStmt, info *types.Info) bool {
	found := false
	check := func(e ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return
		}
		if v, ok := info.Uses[id].(*types.Var); ok && (v.Pos() < s.Pos() || v.Pos() >= s.End()) {
			found = true
		}
	}
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				check(e)
			}
		case *ast.IncDecStmt:
			check(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				check(n.Key)
				check(n.Value)
			}
		}
		return true
	})
	return found
}
