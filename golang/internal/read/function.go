package read

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// OverFunctions lists the range statements over functions of a function, which are no loops in SSA form: the body is a
// function that the iterator calls. Each has an obstacle.
func OverFunctions(f *ssa.Function, info *types.Info) (list []*Loop) {
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
				list = append(list, &Loop{
					Loop:      &loops.Loop{Func: f, Stmt: n, Innermost: isInnermost(n)},
					Carried:   assignsOutside(n, info),
					Obstacles: []Obstacle{{Kind: OverFunction, Pos: n.Pos()}},
				})
			}
		}
		return true
	})
	return list
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
