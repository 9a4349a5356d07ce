package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A histogram runs in blocks of which each has a table of its own. These are merged in the end, so that a panic leaves the table alone.
//
//	for _, v := range a { h[v]++ }   →   par.Histogram(len(a), …, h, 0, func(lo, hi int, h []int) { … }, func(x, y int) int { return x + y })

// checkHistogram refuses histograms under assumptions.
func (r *Rewrite) checkHistogram() error {
	if err := r.checkSearch(); err != nil {
		return err
	}
	return r.checkPromises()
}

// checkPromises refuses answers under assumptions, but for what a comment promises.
func (r *Rewrite) checkPromises() error {
	for _, name := range r.loop.Assumes {
		if name != "pure" {
			return refuse("the answer assumes %s", name)
		}
	}
	return nil
}

// findTable finds the statement that adds to the table, and the variable that the table is.
func (r *Rewrite) findTable() error {
	store := r.loop.Histogram.Store
	ast.Inspect(r.header.body, func(n ast.Node) bool {
		var to ast.Expr
		switch n := n.(type) {
		case *ast.IncDecStmt:
			to = n.X
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				to = n.Lhs[0]
			}
		}
		if element, ok := to.(*ast.IndexExpr); ok && n.Pos() <= store.Pos() && store.Pos() < n.End() {
			if id, ok := element.X.(*ast.Ident); ok {
				r.table, _ = r.pkg.Info.Uses[id].(*types.Var)
				r.added = n
			}
		}
		return true
	})
	if r.table == nil || r.table.Parent() == r.pkg.Types.Scope() {
		return refuse("a step adds otherwise than by h[i] += x to a table of the function")
	}
	uses := 0
	ast.Inspect(r.loop.Stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.pkg.Info.Uses[id] == types.Object(r.table) {
			uses++
		}
		return true
	})
	if uses != 1 {
		return refuse("%s is used besides", r.table.Name())
	}
	if _, isSlice := r.table.Type().Underlying().(*types.Slice); !isSlice {
		return r.checkArray()
	}
	return nil
}

// largestTable is the number of bytes of an array that is copied.
const largestTable = 1 << 14

// checkArray accepts arrays of the function that nobody else knows, and that no panic leaves behind.
func (r *Rewrite) checkArray() error {
	a, ok := r.loop.Histogram.Table.(*ssa.Alloc)
	_, isArray := r.table.Type().Underlying().(*types.Array)
	switch {
	case !ok || !isArray:
		return refuse("%s is no slice or array", r.table.Name())
	case a.Heap || r.loop.Func.Recover != nil:
		return refuse("%s is an array that others may see", r.table.Name())
	case r.pkg.Sizes.Sizeof(r.table.Type()) > largestTable:
		return refuse("%s is too large for a copy", r.table.Name())
	}
	return nil
}

// isAdded reports whether a store is that of the histogram.
func (r *Rewrite) isAdded(s *ssa.Store) bool {
	return r.loop.Histogram != nil && s == r.loop.Histogram.Store
}

// writeTable sees that the elements of the table have a name.
func (r *Rewrite) writeTable() error {
	element := r.loop.Histogram.Store.Val.Type()
	if err := r.types.writable(element, map[types.Type]bool{}); err != nil {
		return refuse("%s: %v", r.table.Name(), err)
	}
	r.merge = "return x " + r.loop.Histogram.Op.String() + " y"
	r.start = []string{"0"}
	if r.loop.Histogram.Op == token.MUL {
		r.start = []string{"1"}
	}
	return r.checkNames()
}

// histogram is the statement that stands in the place of a histogram.
func (r *Rewrite) histogram() string {
	n, declared := r.declared()
	head := fmt.Sprintf("if %s%s {\n%s\n} else {", declared, r.isShort(n), r.textOf(r.loop.Stmt))
	count := r.counted(n)
	h := r.table.Name()
	_, isArray := r.table.Type().Underlying().(*types.Array)
	switch {
	case r.own != "" && isArray:
		return head + "\n" + count + h + " = " + r.callOwn() + "\n}"
	case r.own != "":
		return head + "\n" + count + r.callOwn() + "\n}"
	case isArray: // the array itself would be on the heap
		table := r.fresh("table")
		return fmt.Sprintf("%s // %s\n%s%s := %s\n%s\n%s = %s\n}", head, r.loop.Title, count+r.copies(), table, h, r.addTo(n, table+"[:]"), h, table)
	}
	return fmt.Sprintf("%s // %s\n%s%s\n}", head, r.loop.Title, count+r.copies(), r.addTo(n, h))
}

// addTo calls par.Histogram.
func (r *Rewrite) addTo(n, table string) string {
	element, h, lo, hi := r.types.write(r.loop.Histogram.Store.Val.Type()), r.table.Name(), r.fresh("lo"), r.fresh("hi")
	block := fmt.Sprintf("func(%s, %s int, %s []%s) {\n%s {%s}\n}", lo, hi, h, element, r.blockHeader(lo, hi), r.bodyAfter(r.indexOf(lo)))
	return fmt.Sprintf("%s.Histogram(%s, %s, %s, %s, %s, %s)", parName, n, power(r.grain), table, r.start[0], block, r.merging(element))
}
