package golang

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/ir"
)

// A loop is compiled as a test by copying its statement into a function of its package. What it uses of the function around
// it are parameters, which are drawn. At its header the copy notes the state and the counters, and around every
// expression that is an input of the update it notes the value:
//
//	for i := 0; rf.Step(s, i) && (i < n); i++ { s += func(x int) int { rf.Record(0, x); return x }(a[i]) }

// The reasons for which a loop is not compiled, or not executed.
const (
	noStatement = "it is no for statement"
	isGeneric   = "its function has type parameters"
	localNames  = "it uses constants, types or functions of the function around it"
	sameNames   = "two of its variables have one name"
	noName      = "the state has no name at the header"
	hiddenInput = "an input has no expression of its own"
	noTests     = "its package cannot be tested alone"
	isBelow     = "package testing imports its package: most of the standard library would be built again"
	oneValue    = "variables that its function makes constant, or equal, would not be so"
	notAlone    = "it does not compile alone"
	crashes     = "it crashes, or does not end"
	noStep      = "no step went on to the next one: every run panicked or left"
)

// copied is a loop with the file that holds its copy.
type copied struct {
	*read.Loop
	pkg      *Package
	number   int
	text     string
	recorded []bool           // the leaves whose values are noted wherever they are used
	needed   map[ir.Expr]bool // expressions in the update
	counters []int            // those that are noted, in the order of Counters
}

// copyWriter writes the copy of one loop.
type copyWriter struct {
	*copied
	file    *ast.File
	source  []byte
	edits   []textEdit
	free    []*types.Var
	imports map[string]string // paths by names
	makers  map[string]string // names of functions that draw values, by types
	code    strings.Builder
}

// textEdit inserts text, or replaces a part. At one place those of larger expressions open first and close last.
type textEdit struct {
	at, end, size int
	text          string
}

// isFor reports whether the loop is a for statement, not a range statement.
func (c *copied) isFor() bool {
	_, ok := c.Stmt.(*ast.ForStmt)
	return ok
}

// unfit is what a copyWriter panics with where the loop cannot be copied; why is one of the reasons above.
type unfit struct{ why string }

// copyLoop writes the copy of a loop; why says what stands against it.
func copyLoop(p *Package, l *read.Loop, number int) (c *copied, why string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unfit:
			c, why = nil, r.why
		default:
			panic(r)
		}
	}()
	w := &copyWriter{copied: &copied{Loop: l, pkg: p, number: number}, imports: map[string]string{}, makers: map[string]string{}}
	w.check()
	w.findFree()
	w.recordLeaves()
	w.write()
	return w.copied, ""
}

// check finds the file of the statement. It refuses loops that are no for statement, or whose package or function no test can have.
func (w *copyWriter) check() {
	headers := []string{"for.loop", "for.body", "rangeindex.loop", "rangeiter.loop", "rangeint.body", "rangeint.loop"}
	if w.Stmt == nil || !slices.Contains(headers, w.Header.Comment) {
		panic(unfit{noStatement})
	}
	for _, f := range w.pkg.Files {
		if f.FileStart <= w.Stmt.Pos() && w.Stmt.Pos() < f.FileEnd {
			w.file = f
		}
	}
	var err error
	if w.source, err = os.ReadFile(w.pkg.Fset.Position(w.file.FileStart).Filename); err != nil {
		panic(unfit{noTests})
	}
	for f := w.Func; f != nil; f = f.Parent() {
		if f.Signature.TypeParams().Len() > 0 || f.Signature.RecvTypeParams().Len() > 0 {
			panic(unfit{isGeneric})
		}
	}
	switch path := w.pkg.Types.Path(); {
	case w.pkg.Types.Name() == "main", strings.HasPrefix(path, "vendor/"):
		panic(unfit{noTests})
	case belowTesting()[path]:
		panic(unfit{isBelow})
	}
}

// belowTesting are the packages that the test of a package imports.
var belowTesting = sync.OnceValue(func() map[string]bool {
	below := map[string]bool{}
	out, err := exec.Command("go", "list", "-deps", "testing").Output()
	if err != nil {
		panic(err)
	}
	for _, path := range strings.Fields(string(out)) {
		below[path] = true
	}
	return below
})

// findFree finds the variables of functions that the statement uses, and the packages.
func (w *copyWriter) findFree() {
	ast.Inspect(w.Stmt, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := w.pkg.Info.Uses[id].(type) {
		case *types.PkgName:
			w.imports[o.Name()] = strings.TrimPrefix(o.Imported().Path(), "vendor/")
		case nil, *types.Nil, *types.Builtin, *types.Label:
		case *types.Var:
			w.use(o)
		default:
			if w.isLocal(o) && !w.isWithin(o.Pos()) && !isMember(o) {
				panic(unfit{localNames})
			}
		}
		return true
	})
}

// isMember reports whether an object is a method.
func isMember(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && f.Signature().Recv() != nil
}

// isWithin reports whether a position is in the statement.
func (w *copyWriter) isWithin(pos token.Pos) bool { return w.Stmt.Pos() <= pos && pos < w.Stmt.End() }

// isLocal reports whether an object is declared in a function.
func (w *copyWriter) isLocal(o types.Object) bool {
	return o.Pkg() == w.pkg.Types && o.Parent() != w.pkg.Types.Scope()
}

// use makes a variable of the function around the statement a parameter of the copy.
func (w *copyWriter) use(v *types.Var) {
	if v.IsField() || !w.isLocal(v) || w.isWithin(v.Pos()) || slices.Contains(w.free, v) {
		return
	}
	for _, other := range w.free {
		if other.Name() == v.Name() {
			panic(unfit{sameNames})
		}
	}
	w.free = append(w.free, v)
}

// recordLeaves wraps the expressions that give the inputs of the update, so that their values are noted.
func (w *copyWriter) recordLeaves() {
	taken := w.addressed()
	where, variable := map[ssa.Value][]ast.Expr{}, map[ssa.Value]types.Object{}
	for _, b := range w.Blocks() {
		for _, i := range b.Instrs {
			ref, ok := i.(*ssa.DebugRef)
			if ok && !ref.IsAddr && !taken[ref.Expr] && w.isWithin(ref.Expr.Pos()) {
				where[ref.X] = append(where[ref.X], ref.Expr)
				w.checkIndependent(ref, variable)
			}
		}
	}
	w.needed = map[ir.Expr]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if !w.needed[e] {
			w.needed[e] = true
			for i := range e.NumArgs() {
				visit(e.Arg(i))
			}
		}
	}
	for _, e := range w.Update.Values {
		visit(e)
	}
	for _, c := range w.Counters {
		if c.Var.IsValid() {
			visit(c.Next)
		}
	}
	for n, leaf := range w.Leaves {
		done, noted := map[ast.Expr]bool{}, true
		for _, v := range leaf.Values {
			if len(where[v]) == 0 {
				noted = false
			}
			for _, e := range where[v] {
				if !done[e] {
					done[e] = true
					w.wrap(n, v, e)
				}
			}
		}
		if !noted && w.needed[leaf.Var] {
			panic(unfit{hiddenInput})
		}
		w.recorded = append(w.recorded, noted)
	}
}

// checkIndependent refuses the loop where variables of the function around it are constant there, or equal: as parameters they would be
// drawn independently.
func (w *copyWriter) checkIndependent(ref *ssa.DebugRef, variable map[ssa.Value]types.Object) {
	id, ok := ref.Expr.(*ast.Ident)
	if !ok || w.Holds(ref.X) {
		return
	}
	v, ok := w.pkg.Info.Uses[id].(*types.Var)
	if !ok || !slices.Contains(w.free, v) {
		return
	}
	_, isConst := ref.X.(*ssa.Const)
	if other := variable[ref.X]; isConst || other != nil && other != v {
		panic(unfit{oneValue})
	}
	variable[ref.X] = v
}

// addressed finds the expressions that are assigned to, or are no values of their own.
func (w *copyWriter) addressed() map[ast.Expr]bool {
	taken := map[ast.Expr]bool{}
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if e != nil {
				taken[ast.Unparen(e)] = true
			}
		}
	}
	ast.Inspect(w.Stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			add(n.Lhs...)
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.RangeStmt:
			add(n.Key, n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				add(n.X)
			}
		case *ast.SelectorExpr:
			add(n.Sel)
		case *ast.CallExpr:
			add(n.Fun)
		case *ast.KeyValueExpr:
			add(n.Key)
		case *ast.ExprStmt:
			add(n.X)
		}
		return true
	})
	return taken
}

// wrap notes the value of an expression.
func (w *copyWriter) wrap(leaf int, v ssa.Value, e ast.Expr) {
	t := w.typeText(v.Type())
	size := int(e.End() - e.Pos())
	w.insert(e.Pos(), size, fmt.Sprintf("func(x %s) %s { rf.Record(%d, %s); return x }(", t, t, leaf, w.Leaves[leaf].Part.Text(v.Type(), "x")))
	w.insert(e.End(), -size, ")")
}

// offset is the place of a position in the source.
func (w *copyWriter) offset(pos token.Pos) int { return w.pkg.Fset.Position(pos).Offset }

// insert inserts text at a position, for an expression of a size.
func (w *copyWriter) insert(at token.Pos, size int, text string) {
	w.edits = append(w.edits, textEdit{w.offset(at), w.offset(at), size, text})
}

// typeText writes a type in the package, and imports what it needs.
func (w *copyWriter) typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == w.pkg.Types {
			return ""
		}
		path := strings.TrimPrefix(p.Path(), "vendor/")
		name := "rf" + strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, path)
		w.imports[name] = path
		return name
	})
}

// header lists the expressions of the state and of the counters at the header.
func (w *copyWriter) header() (states, counters []string) {
	name := func(phi *ssa.Phi) string {
		at := w.Stmt.Pos()
		if s, ok := w.Stmt.(*ast.ForStmt); ok {
			at = s.Body.Lbrace
		}
		_, o := w.pkg.Types.Scope().Innermost(at).LookupParent(phi.Comment, at)
		v, ok := o.(*types.Var)
		if !ok || !w.isLocal(v) || !types.Identical(v.Type(), phi.Type()) {
			panic(unfit{noName})
		}
		w.use(v)
		return v.Name()
	}
	if len(w.Derived) > 0 || hasTokens(w.Loop) {
		panic(unfit{noName})
	}
	for i, phi := range w.States {
		states = append(states, w.Parts[i].Text(phi.Type(), name(phi)))
	}
	for _, c := range w.Cells {
		text := (&namer{}).location(c.Addresses[0])
		if strings.Contains(text, "…") {
			panic(unfit{noName})
		}
		states = append(states, text)
	}
	for i, c := range w.Counters {
		if !c.Var.IsValid() {
			continue
		}
		w.counters = append(w.counters, i)
		switch c.Phi.Comment {
		case "rangeindex":
			counters = append(counters, "(rfSteps - 1)")
		case "rangeint.iter":
			counters = append(counters, "rfSteps")
		default:
			counters = append(counters, name(c.Phi))
		}
	}
	return states, counters
}

// write writes the file.
func (w *copyWriter) write() {
	states, counters := w.header()
	step := fmt.Sprintf("rf.Step(%s)", strings.Join(append(slices.Clone(states), counters...), ", "))
	switch s := w.Stmt.(type) {
	case *ast.ForStmt:
		if s.Cond == nil {
			w.insert(s.Body.Lbrace+1, 1<<30, step+"; ")
			break
		}
		w.insert(s.Cond.Pos(), 1<<30, step+" && (")
		w.insert(s.Cond.End(), -1<<30, ")")
	case *ast.RangeStmt:
		w.insert(s.Body.Lbrace+1, 1<<30, "rfSteps++; "+step+"; ")
	}
	label := w.branches()
	done := ""
	if _, isRange := w.Stmt.(*ast.RangeStmt); isRange && !slices.ContainsFunc(w.Exits, func(e loops.Exit) bool { return e.From != w.Header }) {
		done = "rf.Done(" + strings.Join(states, ", ") + ")"
	}
	results, begin := w.results()
	var params, drawn []string
	for _, v := range w.free {
		name := v.Name()
		if begin[name] {
			name = "rfP" + name
		}
		params = append(params, name+" "+w.typeText(v.Type()))
		drawn = append(drawn, w.maker(v.Type())+"(r, 3)")
	}
	var code strings.Builder
	fmt.Fprintf(&code, "func rfLoop%d(rf *RfOverlayLog%s) (%s) {\n\trfSteps := -1; _ = rfSteps\n", w.number, prefixed(params), results)
	for _, v := range w.free {
		if begin[v.Name()] {
			fmt.Fprintf(&code, "\t%s = rfP%s\n", v.Name(), v.Name())
		}
	}
	fmt.Fprintf(&code, "\t%s%s\n\t%s\n\treturn\n}\n\n", label, w.edited(), done)
	fmt.Fprintf(&code, "func init() {\n\tRfOverlayRuns = append(RfOverlayRuns, RfOverlayLoop{%d, func(rf *RfOverlayLog, r *RfOverlayRand) { rfLoop%d(rf%s) }})\n}\n\n", w.number, w.number, prefixed(drawn))
	var file strings.Builder
	fmt.Fprintf(&file, "package %s\n\n", w.pkg.Types.Name())
	body := code.String() + w.code.String()
	for name, path := range w.imports {
		fmt.Fprintf(&file, "import %s %q\n", name, path)
	}
	w.text = file.String() + "\n" + body
}

// prefixed writes a list behind other parameters.
func prefixed(list []string) string {
	text := ""
	for _, s := range list {
		text += ", " + s
	}
	return text
}

// branches returns the label of the statement, and makes branches to statements around it returns.
func (w *copyWriter) branches() (label string) {
	own := map[types.Object]bool{}
	var name string
	ast.Inspect(w.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.LabeledStmt); ok {
			o := w.pkg.Info.Defs[s.Label]
			if s.Stmt == w.Stmt {
				name, own[o] = s.Label.Name, true
			} else if w.isWithin(s.Pos()) {
				own[o] = true
			}
		}
		return true
	})
	ast.Inspect(w.Stmt, func(n ast.Node) bool {
		s, ok := n.(*ast.BranchStmt)
		if !ok || s.Label == nil {
			return true
		}
		if !own[w.pkg.Info.Uses[s.Label]] {
			w.edits = append(w.edits, textEdit{w.offset(s.Pos()), w.offset(s.End()), 0, "return"})
		} else if s.Label.Name == name {
			label = name + ": "
		}
		return true
	})
	return label
}

// results writes the results of the function around the loop, and tells which of their names are variables of the loop.
func (w *copyWriter) results() (text string, begin map[string]bool) {
	begin = map[string]bool{}
	var list []string
	for i := range w.Func.Signature.Results().Len() {
		v := w.Func.Signature.Results().At(i)
		name := v.Name()
		switch at := slices.IndexFunc(w.free, func(f *types.Var) bool { return f.Name() == name }); {
		case name == "" || name == "_" || at >= 0 && w.free[at] != v:
			name = "rfR" + strconv.Itoa(i)
		case at >= 0:
			begin[name] = true
		}
		list = append(list, name+" "+w.typeText(v.Type()))
	}
	return strings.Join(list, ", "), begin
}

// edited is the text of the statement with the edits.
func (w *copyWriter) edited() string {
	slices.SortStableFunc(w.edits, func(a, b textEdit) int {
		switch {
		case a.at != b.at:
			return cmp.Compare(a.at, b.at)
		case (a.size < 0) != (b.size < 0): // what ends here closes before anything opens
			return cmp.Compare(a.size, b.size)
		}
		return cmp.Compare(b.size, a.size) // the largest opens first; the smallest, -1, closes first
	})
	var text strings.Builder
	at := w.offset(w.Stmt.Pos())
	for _, e := range w.edits {
		text.Write(w.source[at:e.at])
		text.WriteString(e.text)
		at = e.end
	}
	text.Write(w.source[at:w.offset(w.Stmt.End())])
	return text.String()
}
