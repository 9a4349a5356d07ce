package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// The call of package par stands in a function of its own: a function that makes closures keeps more on its stack, and is slower where it runs
// a loop of few steps.
//
//	if n := len(a); n < 1<<17 { … } else { s = sumParallel(a, s, n) }   and   func sumParallel(a []int, s, n int) int { return par.Reduce(…) }
//
// Where the loop mentions what only the function around it can name, the call stands in the place of the loop.

// findOwn finds the name and the parameters of the function; there is no name where there is no such function.
func (r *Rewrite) findOwn() {
	if r.hasLocals {
		return
	}
	n, declared := r.declared()
	r.params = slices.DeleteFunc(slices.Clone(r.outer), func(v *types.Var) bool { return v.Name() != n && !r.isInBlock(v) })
	if r.table != nil {
		r.params = append(r.params, r.table)
	}
	r.params = append(r.params, r.states...)
	if r.list != nil {
		r.params = append([]*types.Var{r.list}, r.params...)
	} else if declared != "" || !slices.ContainsFunc(r.params, func(v *types.Var) bool { return v.Name() == n }) {
		r.params = append(r.params, types.NewVar(token.NoPos, r.pkg.Types, n, types.Typ[types.Int]))
	}
	for _, v := range r.params {
		if r.types.writable(v.Type(), map[types.Type]bool{}) != nil || isLocal(v.Type(), map[types.Type]bool{}) {
			return
		}
	}
	scope := r.pkg.Types.Scope().Innermost(r.Pos)
	if scope == nil {
		return
	}
	name := lower(nameOf(r.loop.Func))
	for i := 1; ; i++ {
		r.own = name + ownSuffix
		if i > 1 {
			r.own += fmt.Sprint(i)
		}
		if _, known := scope.LookupParent(r.own, token.NoPos); known == nil && !r.pkg.names[r.own] && r.fresh(r.own) == r.own {
			break
		}
	}
	r.pkg.names[r.own] = true
}

// ownSuffix ends the names of functions that call package par.
const ownSuffix = "Parallel"

// OwnNames lists functions of a file that may be those which Own declares.
func OwnNames(f *ast.File) (list []string) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && strings.Contains(d.Name.Name, ownSuffix) {
			list = append(list, d.Name.Name)
		}
	}
	return list
}

// isLocal reports whether a type mentions one that a function declares.
func isLocal(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if a, ok := t.(*types.Alias); ok && a.Obj().Pkg() != nil && a.Obj().Parent() != a.Obj().Pkg().Scope() {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil && t.Origin().Obj().Parent() != t.Obj().Pkg().Scope() {
			return true
		}
		for arg := range t.TypeArgs().Types() {
			if isLocal(arg, seen) {
				return true
			}
		}
	case *types.Map:
		return isLocal(t.Key(), seen) || isLocal(t.Elem(), seen)
	case interface{ Elem() types.Type }:
		return isLocal(t.Elem(), seen)
	}
	return false
}

func lower(s string) string {
	c := []rune(s)
	for i := range c { // as in crcTable for CRCTable
		if !unicode.IsUpper(c[i]) || i > 0 && i+1 < len(c) && !unicode.IsUpper(c[i+1]) {
			break
		}
		c[i] = unicode.ToLower(c[i])
	}
	return string(c)
}

// callOwn calls the function.
func (r *Rewrite) callOwn() string {
	return r.own + "(" + strings.Join(namesOf(r.params), ", ") + ")"
}

// Own is the declaration of the function that calls package par; empty where there is none.
func (r *Rewrite) Own() string {
	if r.own == "" {
		return ""
	}
	n, _ := r.declared()
	var body string
	var results []string
	switch {
	case r.loop.Search:
		results, body = []string{"int"}, "return "+r.find(n, nil)
	case r.loop.Histogram != nil:
		body = r.addTo(n, r.table.Name())
		if _, isArray := r.table.Type().Underlying().(*types.Array); isArray {
			results, body = []string{r.types.write(r.table.Type())}, r.addTo(n, r.table.Name()+"[:]")+"\nreturn "+r.table.Name()
		}
	default:
		for _, v := range r.states {
			results = append(results, r.types.write(v.Type()))
		}
		body = r.reduction(n, "return ")
	}
	var params []string
	for i, v := range r.params {
		text, typ := v.Name(), r.types.write(v.Type())
		if i+1 == len(r.params) || r.types.write(r.params[i+1].Type()) != typ {
			text += " " + typ
		}
		params = append(params, text)
	}
	result := strings.Join(results, ", ")
	if len(results) > 1 {
		result = "(" + result + ")"
	}
	about := r.loop.Title
	switch {
	case r.loop.Search:
		about = "search"
	case r.flags != nil:
		about = "the last value that a step assigns"
	}
	return fmt.Sprintf("// %s is the loop in %s where it is long: %s.\nfunc %s(%s) %s {\n%s\n}", r.own, r.around(), about, r.own, strings.Join(params, ", "), result, body)
}

// around names the function that the source declares around the loop.
func (r *Rewrite) around() string {
	f := r.loop.Func
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f.Name()
}

// declaration is the declaration of the file in which the loop stands.
func (r *Rewrite) declaration() ast.Decl {
	for _, d := range r.loop.File.Decls {
		if d.Pos() <= r.Pos && r.Pos < d.End() {
			return d
		}
	}
	return nil
}

// appended is the edit that declares the function behind the declaration around the loop; it has no text where there is no function.
func (r *Rewrite) appended() PosEdit {
	at := r.declaration().End()
	if r.own == "" {
		return PosEdit{at, at, ""}
	}
	return PosEdit{at, at, "\n\n" + r.Own()}
}
