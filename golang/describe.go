package golang

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

// namer writes values of a function much as its source does: a[i], t.n, f(x). What has no name is "…".
type namer struct {
	counters map[*ssa.Phi]string     // hidden counters of range statements: what the counter is called, or i, j, … of one without a name
	entries  map[*ssa.Next][2]string // keys and elements of maps, places and runes of strings
	locals   map[token.Pos][]local   // variables that are assigned once, by where the expression is that they hold
	loop     *loops.Loop             // in which values are written out, even if a variable holds them
}

// local is a variable that holds a result of an expression.
type local struct {
	name string
	typ  types.Type
}

// newNamer finds the names that SSA form has lost.
func newNamer(f *ssa.Function, info *types.Info) *namer {
	n := &namer{counters: map[*ssa.Phi]string{}, entries: map[*ssa.Next][2]string{}, locals: map[token.Pos][]local{}}
	all := loops.Of(f)
	taken := map[*loops.Loop][]string{} // without a name in the source, by loop
	for _, l := range all {
		s, ok := l.Stmt.(*ast.RangeStmt)
		if !ok {
			continue
		}
		var used []string
		outermost := ast.Node(s)
		for _, around := range all {
			if around != l && around.Has(l.Header) && !l.Has(around.Header) {
				used = append(used, taken[around]...)
				if around.Stmt != nil && around.Stmt.Pos() < outermost.Pos() {
					outermost = around.Stmt
				}
			}
		}
		key := nameOr(s.Key, func() string {
			name := freeName(append(used, identsOf(outermost)...))
			taken[l] = append(taken[l], name)
			return name
		})
		n.nameHeader(l, s, key)
	}
	if syntax := f.Syntax(); syntax != nil {
		n.findLocals(syntax, info)
	}
	return n
}

// nameOr is an identifier that is not blank, or another name.
func nameOr(e ast.Expr, other func() string) string {
	if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
		return id.Name
	}
	return other()
}

func identsOf(root ast.Node) (list []string) {
	ast.Inspect(root, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			list = append(list, id.Name)
		}
		return true
	})
	return list
}

// freeName is a name for a counter that has none.
func freeName(used []string) string {
	for c := 'i'; c <= 'z'; c++ {
		if !slices.Contains(used, string(c)) {
			return string(c)
		}
	}
	return "index"
}

func (n *namer) nameHeader(l *loops.Loop, s *ast.RangeStmt, key string) {
	for _, i := range l.Header.Instrs {
		switch i := i.(type) {
		case *ssa.Phi:
			if i.Comment == "rangeindex" || i.Comment == "rangeint.iter" {
				n.counters[i] = key
			}
		case *ssa.Next:
			words := [2]string{"key", "value"}
			if i.IsString {
				words = [2]string{key, "rune"}
			}
			n.entries[i] = [2]string{nameOr(s.Key, func() string { return words[0] }), nameOr(s.Value, func() string { return words[1] })}
		}
	}
}

// findLocals finds variables of a function that are declared with a value, and neither assigned again nor known by address.
func (n *namer) findLocals(root ast.Node, info *types.Info) {
	changed := map[types.Object]bool{}
	each := func(visit func(ast.Node)) {
		ast.Inspect(root, func(at ast.Node) bool {
			visit(at)
			return true
		})
	}
	change := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			changed[info.Uses[id]] = true
		}
	}
	each(func(at ast.Node) {
		switch at := at.(type) {
		case *ast.AssignStmt:
			for _, e := range at.Lhs {
				change(e)
			}
		case *ast.IncDecStmt:
			change(at.X)
		case *ast.RangeStmt:
			change(at.Key)
			change(at.Value)
		case *ast.UnaryExpr:
			if at.Op == token.AND {
				change(at.X)
			}
		}
	})
	each(func(at ast.Node) {
		s, ok := at.(*ast.AssignStmt)
		if !ok || s.Tok != token.DEFINE {
			return
		}
		for i, e := range s.Lhs {
			id, ok := e.(*ast.Ident)
			if !ok {
				continue
			}
			v := info.Defs[id]
			held := local{}
			if v != nil && !changed[v] && id.Name != "_" {
				held = local{id.Name, v.Type()}
			}
			rhs := s.Rhs[0]
			if len(s.Rhs) == len(s.Lhs) {
				rhs = s.Rhs[i]
			}
			if pos := positionOf(rhs); pos.IsValid() {
				n.locals[pos] = append(n.locals[pos], held)
			}
		}
	})
}

// positionOf is where the instruction that computes an expression is placed.
func positionOf(e ast.Expr) token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return e.OpPos
	case *ast.CallExpr:
		return e.Lparen
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.SliceExpr:
		return e.Lbrack
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	case *ast.TypeAssertExpr:
		return e.Lparen
	case *ast.UnaryExpr:
		if made, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
			return made.Lbrace
		}
		return e.OpPos
	}
	return token.NoPos
}

// localOf is the name of the variable that holds a value from outside of the loop; empty where none is known.
func (n *namer) localOf(v ssa.Value) string {
	if i, ok := v.(ssa.Instruction); !ok || n.loop == nil || n.loop.Has(i.Block()) {
		return ""
	}
	pos, which := v.Pos(), 0
	switch v := v.(type) {
	case *ssa.Phi:
		return ""
	case *ssa.Alloc:
		if !isNameless(v.Comment) {
			return ""
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			pos = v.X.Pos()
			if _, isVariable := v.X.(*ssa.Alloc); isVariable {
				return ""
			}
		}
	case *ssa.Extract:
		pos, which = v.Tuple.Pos(), v.Index
	}
	if held := n.locals[pos]; which < len(held) && held[which].name != "" && types.Identical(held[which].typ, v.Type()) {
		return held[which].name
	}
	return ""
}

// describe writes a value that the loop is given as the source would name it.
func (n *namer) describe(v ssa.Value) string { return n.to(v, deepest) }

// location writes the variable that has an address.
func (n *namer) location(address ssa.Value) string { return n.at(address, deepest) }

// deepest bounds how many instructions one text is made of, one within another.
const deepest = 12

// operand is a value before a bracket or a dot.
func (n *namer) operand(v ssa.Value, depth int) string {
	text := n.to(v, depth)
	if strings.HasPrefix(text, "*") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "^") || strings.HasPrefix(text, "!") {
		return "(" + text + ")"
	}
	return text
}

// at is the variable behind an address.
func (n *namer) at(address ssa.Value, depth int) string {
	switch address.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
		return n.to(address, depth)
	}
	return "*" + n.to(address, depth)
}

func (n *namer) to(v ssa.Value, depth int) string {
	if depth == 0 {
		return "…"
	}
	if name := n.localOf(v); name != "" {
		return name
	}
	deeper := func(v ssa.Value) string { return n.to(v, depth-1) }
	element := func(x, index ssa.Value) string { return n.operand(x, depth-1) + "[" + deeper(index) + "]" }
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return "nil"
		}
		return v.Value.String()
	case *ssa.Parameter:
		return parameterName(v)
	case *ssa.FreeVar, *ssa.Global, *ssa.Function, *ssa.Builtin:
		return v.Name()
	case *ssa.Phi:
		return n.phi(v)
	case *ssa.Alloc:
		return named(v.Comment)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return n.at(v.X, depth-1)
		}
		return v.Op.String() + n.operand(v.X, depth-1)
	case *ssa.BinOp:
		if phi, ok := v.X.(*ssa.Phi); ok && phi.Comment == "rangeindex" {
			return n.phi(phi)
		}
		return fmt.Sprintf("(%s %s %s)", n.operandOf(v.X, depth-1), v.Op, n.operandOf(v.Y, depth-1))
	case *ssa.IndexAddr:
		return element(v.X, v.Index)
	case *ssa.Index:
		return element(v.X, v.Index)
	case *ssa.Lookup:
		return element(v.X, v.Index)
	case *ssa.FieldAddr:
		return n.operand(v.X, depth-1) + "." + fieldName(v.X.Type(), v.Field)
	case *ssa.Field:
		return n.operand(v.X, depth-1) + "." + fieldName(v.X.Type(), v.Field)
	case *ssa.Slice:
		return n.operand(v.X, depth-1) + "[" + n.optional(v.Low, depth-1) + ":" + n.optional(v.High, depth-1) + "]"
	case *ssa.TypeAssert:
		return n.operand(v.X, depth-1) + ".(" + types.TypeString(v.AssertedType, (*types.Package).Name) + ")"
	case *ssa.Convert:
		return types.TypeString(v.Type(), (*types.Package).Name) + "(" + deeper(v.X) + ")"
	case *ssa.ChangeType:
		return deeper(v.X)
	case *ssa.MakeInterface:
		return deeper(v.X)
	case *ssa.ChangeInterface:
		return deeper(v.X)
	case *ssa.Call:
		return n.call(v, depth)
	case *ssa.Extract:
		return n.extract(v, depth)
	}
	return "…"
}

// parameterName is the name of a parameter; of the body of a range over a function that of the variable which the statement declares.
func parameterName(v *ssa.Parameter) string {
	s, ok := v.Parent().Syntax().(*ast.RangeStmt)
	if !ok {
		return v.Name()
	}
	list := []ast.Expr{s.Key, s.Value}
	return nameOr(list[min(slices.Index(v.Parent().Params, v), 1)], v.Name)
}

// operandOf writes a value that may be an address, as &s; the arguments of a variadic call are a slice of no name.
func (n *namer) operandOf(v ssa.Value, depth int) string {
	text := n.to(v, depth)
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.FreeVar:
		if text != "…" && n.localOf(v) == "" {
			return "&" + text
		}
	}
	return text
}

func (n *namer) optional(v ssa.Value, depth int) string {
	if v == nil {
		return ""
	}
	return n.to(v, depth)
}

func (n *namer) phi(v *ssa.Phi) string {
	if name := n.counters[v]; name != "" {
		return name
	}
	if v.Comment == "rangeindex" {
		return "i"
	}
	return named(v.Comment)
}

// extract writes a result of a call with several as f(x).name, or f(x).1 if the result has no name, and whether there was one as m[k].ok.
func (n *namer) extract(v *ssa.Extract, depth int) string {
	switch t := v.Tuple.(type) {
	case *ssa.Next:
		names, ok := n.entries[t]
		if v.Index > 0 && ok {
			return names[v.Index-1]
		}
		return []string{"ok", "key", "value"}[v.Index]
	case *ssa.Call:
		result := t.Call.Signature().Results().At(v.Index).Name()
		if result == "" || result == "_" {
			result = fmt.Sprint(v.Index)
		}
		return n.to(t, depth-1) + "." + result
	}
	if v.Index == 1 {
		return n.to(v.Tuple, depth-1) + ".ok"
	}
	return n.to(v.Tuple, depth-1)
}

// isNameless tells allocations that are no variables of the source.
func isNameless(comment string) bool {
	return slices.Contains([]string{"complit", "varargs", "slicelit", "makeslice", "new"}, comment)
}

func named(comment string) string {
	if comment == "" || strings.ContainsAny(comment, " &|.") || isNameless(comment) {
		return "…"
	}
	return comment
}

func (n *namer) call(v *ssa.Call, depth int) string {
	args := v.Call.Args
	name := "…"
	switch f := v.Call.Value.(type) {
	case *ssa.Builtin:
		name = f.Name()
	case *ssa.Function:
		name = f.Name()
		switch {
		case f.Signature.Recv() != nil && len(args) > 0:
			name, args = n.operand(args[0], depth-1)+"."+name, args[1:]
		case f.Pkg != nil && v.Parent().Pkg != nil && f.Pkg != v.Parent().Pkg:
			name = f.Pkg.Pkg.Name() + "." + name
		}
	default:
		name = n.operand(f, depth-1)
		if v.Call.IsInvoke() {
			name += "." + v.Call.Method.Name()
		}
	}
	var texts []string
	for _, a := range args {
		texts = append(texts, n.operandOf(a, depth-1))
	}
	text := strings.Join(texts, ", ")
	if b, isBuiltin := v.Call.Value.(*ssa.Builtin); v.Call.Signature().Variadic() || isBuiltin && b.Name() == "append" {
		text += "..."
	}
	return name + "(" + text + ")"
}

// fieldName returns the name of a field of a struct, or of the struct that a pointer points to.
func fieldName(t types.Type, i int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok && i < s.NumFields() {
		return s.Field(i).Name()
	}
	return "…"
}
