package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	goversion "go/version"
	"maps"
	"slices"
)

// newerLoops returns type information under which files for go1.21 and earlier are of go1.22: each step has variables of its own, which are
// easier to read. It leaves a file as it is where somebody could tell, for a variable of a loop has its address taken, or is captured.
func newerLoops(files []*ast.File, info *types.Info) *types.Info {
	changed := *info
	changed.FileVersions = maps.Clone(info.FileVersions)
	for f, v := range info.FileVersions {
		if slices.Contains(files, f) && olderThan122(v) && !sharesLoopVariable(f, info) {
			changed.FileVersions[f] = "go1.22"
		}
	}
	return &changed
}

// sharesLoopVariable reports whether some variable of a loop may be seen by another step, or after the loop.
func sharesLoopVariable(f *ast.File, info *types.Info) (found bool) {
	declared := map[types.Object]bool{}
	declare := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok && info.Defs[id] != nil {
				declared[info.Defs[id]] = true
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			declare(n.Key, n.Value)
		case *ast.ForStmt:
			if s, ok := n.Init.(*ast.AssignStmt); ok {
				declare(s.Lhs...)
			}
		}
		return true
	})
	shares := func(e ast.Expr) bool {
		id := variableOf(e, info)
		return id != nil && declared[info.Uses[id]]
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && shares(n.X)
		case *ast.SliceExpr: // of an array
			_, isArray := info.TypeOf(n.X).Underlying().(*types.Array)
			found = found || isArray && shares(n.X)
		case *ast.SelectorExpr: // a method that gets the address
			selection := info.Selections[n]
			found = found || selection != nil && selection.Kind() == types.MethodVal && isPointer(selection.Obj().(*types.Func).Signature().Recv().Type()) && shares(n.X)
		case *ast.FuncLit:
			ast.Inspect(n, func(inner ast.Node) bool {
				if id, ok := inner.(*ast.Ident); ok && declared[info.Uses[id]] {
					v := info.Uses[id]
					found = found || v.Pos() < n.Pos() || n.End() <= v.Pos()
				}
				return !found
			})
		}
		return !found
	})
	return found
}

// variableOf is the variable of which an expression is the whole or a part; nil where it is none.
func variableOf(e ast.Expr, info *types.Info) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			if _, isArray := info.TypeOf(x.X).Underlying().(*types.Array); !isArray {
				return nil
			}
			e = x.X
		case *ast.SelectorExpr:
			if t := info.TypeOf(x.X); t == nil || isPointer(t) {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// olderThan122 reports whether the variables of loops are shared by all steps in a version of the language.
func olderThan122(version string) bool {
	return version != "" && goversion.Compare(version, "go1.22") < 0
}
