package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// A scan stores at each step, at the place that the counter says, and runs twice: once without its stores, to learn with which state each
// block begins, and once with them. No step loads what another one stores.
//
//	for i, v := range a { s += v; out[i] = s }   →   s = par.Scan(len(a), …, one block { s += v; _ = s }, and one { s += v; out[i] = s }, …)
//
// A step that panics does so before anything is stored, for all slices that are stored to are long enough.

// isScan reports whether a loop stores prefixes at counted places, and nothing of that is loaded by another step.
func (l *Loop) isScan() bool {
	return l.Stores && l.StoresState && !l.Compacts && !l.Scatters && !l.Rereads
}

// findStores finds the statements of a scan that store, and refuses other stores.
func (r *Rewrite) findStores() error {
	if !r.loop.isScan() {
		return nil
	}
	h := r.header
	if h.key == nil || h.form == counting && (h.down || h.step != 1 || !r.isZero(h.from)) {
		return refuse("a step stores, and steps are not counted from 0 by 1")
	}
	ast.Inspect(h.body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && r.storedTo(s) != nil {
			r.stores = append(r.stores, s)
		}
		return true
	})
	n := 0
	for _, b := range r.loop.Blocks() {
		for _, i := range b.Instrs {
			if s, ok := i.(*ssa.Store); ok && !r.isTemporary(s) {
				if n++; !r.isStored(s) {
					return refuse("a step stores otherwise than by a[i] = x")
				}
			}
		}
	}
	if n != len(r.stores) {
		return refuse("a step stores otherwise than by a[i] = x")
	}
	return r.checkTables()
}

// checkTables refuses scans that store to slices which may overlap: then the order of the steps decides what is left. Slices of different basic types
// do not overlap.
func (r *Rewrite) checkTables() error {
	for i, s := range r.stores {
		for _, t := range r.stores[:i] {
			a, b := r.storedTo(s), r.storedTo(t)
			if r.pkg.Info.Uses[a] == r.pkg.Info.Uses[b] {
				continue
			}
			x, isBasic := elementOf(r.pkg.Info.TypeOf(a)).Underlying().(*types.Basic)
			y, areBasic := elementOf(r.pkg.Info.TypeOf(b)).Underlying().(*types.Basic)
			if !isBasic || !areBasic || types.Identical(x, y) || slices.Contains(r.pkg.Types.Imports(), types.Unsafe) {
				return refuse("%s and %s, to which a step stores, may overlap", b.Name, a.Name)
			}
		}
	}
	return nil
}

func elementOf(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// checkStoredBounds refuses bounds that a step may change by what it stores. The loop has computed them once; each block does so again.
func (r *Rewrite) checkStoredBounds() (err error) {
	if r.loop.Histogram == nil && len(r.stores) == 0 || r.list != nil {
		return nil
	}
	for _, e := range []ast.Expr{r.header.from, r.header.to} {
		if e == nil {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.IndexExpr, *ast.StarExpr, *ast.SelectorExpr:
				err = refuse("its bounds load, and a step stores")
			}
			return err == nil
		})
	}
	return err
}

// storedTo is the slice to which a statement stores the element of the step; nil where it does something else.
func (r *Rewrite) storedTo(s *ast.AssignStmt) *ast.Ident {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok == token.DEFINE {
		return nil
	}
	element, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	index, ok := element.Index.(*ast.Ident)
	if !ok || r.pkg.Info.Uses[index] != r.header.key {
		return nil
	}
	base, _ := element.X.(*ast.Ident)
	return base
}

// isTemporary reports whether a store goes to a variable of the step.
func (r *Rewrite) isTemporary(s *ssa.Store) bool {
	a := loops.LocalOf(s.Addr)
	return a != nil && r.loop.Holds(a)
}

// isStored reports whether a store is that of one of the statements, to a slice that is the same in all steps.
func (r *Rewrite) isStored(s *ssa.Store) bool {
	element, ok := s.Addr.(*ssa.IndexAddr)
	if !ok || r.loop.Holds(element.X) {
		return false
	}
	if _, isSlice := element.X.Type().Underlying().(*types.Slice); !isSlice {
		return false
	}
	return slices.ContainsFunc(r.stores, func(a *ast.AssignStmt) bool { return a.Pos() <= s.Pos() && s.Pos() < a.End() })
}

// areShort is a condition under which some slice that is stored to has fewer than n elements; empty where none is.
func (r *Rewrite) areShort(n string) string {
	var tests []string
	for _, s := range r.stores {
		test := fmt.Sprintf("len(%s) < %s || ", r.storedTo(s).Name, n)
		if !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	return strings.Join(tests, "")
}

// withoutStores are the changes after which a step computes what it stores, and does not store it.
func (r *Rewrite) withoutStores() (edits []PosEdit) {
	for _, s := range r.stores {
		edits = append(edits, PosEdit{s.Pos(), s.Rhs[0].Pos(), "_ = "})
	}
	return edits
}
