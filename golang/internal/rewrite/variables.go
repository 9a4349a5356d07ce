package rewrite

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// checkVariables finds the variables of the function that the loop assigns, which must be its state, and those that it reads.
func (r *Rewrite) checkVariables() error {
	r.types = &typeNames{r: r, imports: map[string]string{}}
	assigned := r.assigned()
	if v := r.header.key; v != nil && assigned[v] && (r.stores != nil || r.header.form != overSlice || r.header.value == nil) {
		return refuse("a step assigns the counter")
	}
	var err error
	seen := map[types.Object]bool{}
	ast.Inspect(r.loop.Stmt, func(n ast.Node) bool {
		if n != nil && r.inExit(n.Pos()) {
			return false
		}
		id, ok := n.(*ast.Ident)
		if !ok || err != nil {
			return err == nil
		}
		o := r.pkg.Info.Uses[id]
		if o != nil && id.Pos() > r.header.body.Pos() {
			r.keyInBody = r.keyInBody || o == r.header.key
			r.valueInBody = r.valueInBody || o == r.header.value
		}
		if o != nil && o == types.Object(r.header.key) && r.header.kept {
			return true
		}
		if o != nil && !seen[o] && (r.table == nil || o != types.Object(r.table)) {
			seen[o] = true
			err = r.use(o, assigned)
		}
		return true
	})
	if err != nil {
		return err
	}
	ast.Inspect(r.loop.Stmt, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				if p, ok := r.pkg.Info.Uses[id].(*types.PkgName); ok {
					err = r.types.add(p.Imported().Path(), p.Name())
				}
			}
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	return r.matchStates(assigned)
}

// use sorts an object that the loop mentions.
func (r *Rewrite) use(o types.Object, assigned map[types.Object]bool) error {
	isInside := r.loop.Stmt.Pos() <= o.Pos() && o.Pos() < r.loop.Stmt.End() && o.Pkg() == r.pkg.Types
	switch o := o.(type) {
	case *types.PkgName, *types.Builtin, *types.Nil, *types.Label:
		return nil
	case *types.Var:
		switch {
		case o.IsField() || isInside:
			return nil
		case o.Pkg() != r.pkg.Types:
			return r.foreign(o)
		case o.Parent() == r.pkg.Types.Scope():
			if assigned[o] {
				return refuse("the state is a variable of the package")
			}
			return nil
		case !assigned[o]:
			r.outer = append(r.outer, o)
			if !r.isInBlock(o) {
				return nil
			}
		}
		return r.types.check(o)
	}
	switch {
	case o.Parent() == types.Universe || isInside || o.Parent() == r.pkg.Types.Scope():
		return nil
	case o.Pkg() != r.pkg.Types:
		return r.foreign(o)
	case o.Parent() == nil: // a method
		return nil
	}
	r.hasLocals = true
	return nil
}

// foreign accepts what another package declares where it is named by that package.
func (r *Rewrite) foreign(o types.Object) error {
	if o.Parent() == nil || o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
		return nil // a method or field
	}
	for _, i := range r.loop.File.Imports {
		if i.Name != nil && i.Name.Name == "." {
			return refuse("the file has an import by dot")
		}
	}
	return nil
}

// assigned lists the variables that are assigned in the loop, but not those that its header declares where it declares them.
func (r *Rewrite) assigned() map[types.Object]bool {
	set := map[types.Object]bool{}
	mark := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.Ident:
				if o := r.pkg.Info.Uses[x]; o != nil {
					set[o] = true
				}
				return
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			default:
				return
			}
		}
	}
	ast.Inspect(r.header.body, func(n ast.Node) bool {
		if n != nil && r.inExit(n.Pos()) {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if slices.Contains(r.stores, n) || n == r.added {
				return true
			}
			for _, e := range n.Lhs {
				mark(e)
			}
		case *ast.IncDecStmt:
			if n != r.added {
				mark(n.X)
			}
		}
		return true
	})
	return set
}

// matchStates finds the variable of each component: phis are placed where their variable is declared.
func (r *Rewrite) matchStates(assigned map[types.Object]bool) error {
	var outside []*types.Var
	for o := range assigned {
		v, ok := o.(*types.Var)
		if ok && !(r.loop.Stmt.Pos() <= v.Pos() && v.Pos() < r.loop.Stmt.End()) && !v.IsField() {
			outside = append(outside, v)
		}
	}
	for n, phi := range r.loop.States {
		if n > 0 && phi == r.loop.States[n-1] { // the other part of it
			r.components = append(r.components, component{len(r.states) - 1, r.loop.Parts[n]})
			continue
		}
		r.components = append(r.components, component{len(r.states), r.loop.Parts[n]})
		i := slices.IndexFunc(outside, func(v *types.Var) bool {
			return v.Pos() == phi.Pos() && v.Name() == phi.Comment && types.Identical(v.Type(), phi.Type())
		})
		if i < 0 {
			return refuse("a component of the state is no variable that the loop assigns")
		}
		if err := r.types.writable(phi.Type(), map[types.Type]bool{}); err != nil {
			return refuse("%s: %v", phi.Comment, err)
		}
		if r.mentions(r.boundOfBlock(), outside[i]) || r.header.kept && r.mentions(r.header.from, outside[i]) {
			return refuse("its bounds depend on the state")
		}
		r.states = append(r.states, outside[i])
		outside = slices.Delete(outside, i, i+1)
	}
	if len(outside) > 0 {
		slices.SortFunc(outside, func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
		return refuse("%s is assigned and no part of the state", outside[0].Name())
	}
	for _, phi := range r.loop.Phis() {
		if !slices.Contains(r.loop.States, phi) && !r.isIndex(phi) {
			return refuse("%s is counted besides", name(phi))
		}
	}
	slices.SortStableFunc(r.outer, func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
	return nil
}

// isIndex reports whether a phi counts the steps of the statement.
func (r *Rewrite) isIndex(phi *ssa.Phi) bool {
	switch r.header.form {
	case counting:
		return r.header.key != nil && phi.Pos() == r.header.key.Pos()
	case overSlice:
		return phi.Comment == "rangeindex"
	}
	return phi.Comment == "rangeint.iter"
}

func name(v ssa.Value) string {
	if phi, ok := v.(*ssa.Phi); ok && phi.Comment != "" {
		return phi.Comment
	}
	return v.Name()
}

// typeNames writes types as the generated file does.
type typeNames struct {
	r       *Rewrite
	imports map[string]string // names by path
}

// add notes an import; one name for two packages is an error.
func (t *typeNames) add(path, name string) error {
	for p, n := range t.imports {
		if (p == path) != (n == name) {
			return refuse("two imports have one name, or one import two")
		}
	}
	t.imports[path] = name
	return nil
}

// write names a type.
func (t *typeNames) write(typ types.Type) string {
	return types.TypeString(typ, func(p *types.Package) string {
		if p == t.r.pkg.Types {
			return ""
		}
		return t.local(p)
	})
}

// local is the name of an imported package in the source file; empty where the file does not import it.
func (t *typeNames) local(p *types.Package) string {
	if n := t.imports[p.Path()]; n != "" {
		return n
	}
	for _, spec := range t.r.loop.File.Imports {
		o := t.r.pkg.Info.Implicits[spec]
		if spec.Name != nil {
			o = t.r.pkg.Info.Defs[spec.Name]
		}
		if n, ok := o.(*types.PkgName); ok && n.Imported().Path() == p.Path() && n.Name() != "_" && n.Name() != "." {
			return n.Name()
		}
	}
	return ""
}

// maxCopied is the size up to which a closure has a copy of a variable that is not assigned again.
const maxCopied = 128

// check refuses a variable that a closure would keep on the heap.
func (t *typeNames) check(v *types.Var) error {
	if hasTypeParam(v.Type(), map[types.Type]bool{}) {
		return refuse("%s: its type has a parameter", v.Name())
	}
	if t.r.pkg.Sizes.Sizeof(v.Type()) > maxCopied {
		return refuse("%s is too large for a copy", v.Name())
	}
	if holdsLock(v.Type()) {
		return refuse("%s has a lock", v.Name())
	}
	return nil
}

// hasTypeParam reports whether the size of a type depends on a type parameter.
func hasTypeParam(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return hasTypeParam(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if hasTypeParam(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// writable refuses types that only the function, or another package, can name.
func (t *typeNames) writable(typ types.Type, seen map[types.Type]bool) error {
	if seen[typ] {
		return nil
	}
	seen[typ] = true
	named := func(o *types.TypeName, args *types.TypeList) error {
		switch {
		case o.Pkg() == nil:
		case o.Pkg() != t.r.pkg.Types && !o.Exported():
			return refuse("its type is not exported")
		case o.Pkg() != t.r.pkg.Types:
			name := t.local(o.Pkg())
			if name == "" {
				return refuse("the package of its type is not imported")
			}
			if err := t.add(o.Pkg().Path(), name); err != nil {
				return err
			}
		}
		for i := range args.Len() {
			if err := t.writable(args.At(i), seen); err != nil {
				return err
			}
		}
		return nil
	}
	switch typ := typ.(type) {
	case *types.Alias:
		return named(typ.Obj(), typ.TypeArgs())
	case *types.Named:
		return named(typ.Obj(), typ.TypeArgs())
	case *types.TypeParam:
		return refuse("its type has a parameter")
	case *types.Pointer:
		return t.writable(typ.Elem(), seen)
	case *types.Slice:
		return t.writable(typ.Elem(), seen)
	case *types.Array:
		return t.writable(typ.Elem(), seen)
	case *types.Map:
		if err := t.writable(typ.Key(), seen); err != nil {
			return err
		}
		return t.writable(typ.Elem(), seen)
	case *types.Basic:
		return nil
	}
	return refuse("its type is written out")
}

// holdsLock reports whether a value of a type must not be copied.
func holdsLock(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
			switch n.Obj().Pkg().Path() {
			case "sync", "sync/atomic":
				return true
			}
		}
		for i := range u.NumFields() {
			if u.Field(i).Name() == "noCopy" || holdsLock(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return holdsLock(u.Elem())
	}
	return false
}
