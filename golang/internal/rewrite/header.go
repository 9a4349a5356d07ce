package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// form is how the steps of a loop are numbered.
type form int

const (
	overSlice form = iota // for i, v := range x
	overInts              // for i := range n
	counting              // for i := lo; i < hi; i += step
)

// header is what a for or range statement says of its steps. Variables are nil where they are blank or absent.
type header struct {
	form       form
	key, value *types.Var
	keyName    string
	valueName  string
	from, to   ast.Expr // what is ranged over is to; from is nil but in a loop that counts
	inclusive  bool     // to is the last number that a counter may be
	step       int64
	body       *ast.BlockStmt
}

// readHeader accepts statements whose steps can be told beforehand.
func (r *Rewrite) readHeader() error {
	switch s := r.loop.Stmt.(type) {
	case *ast.RangeStmt:
		return r.readRange(s)
	case *ast.ForStmt:
		return r.readFor(s)
	}
	return refuse("the loop is no for statement")
}

func (r *Rewrite) readRange(s *ast.RangeStmt) error {
	h := header{to: s.X, body: s.Body, step: 1}
	t := r.pkg.Info.TypeOf(s.X)
	switch u := t.Underlying().(type) {
	case *types.Slice:
		h.form = overSlice
	case *types.Basic:
		if u.Info()&types.IsInteger == 0 {
			return refuse("it ranges over a %s", t)
		}
		h.form = overInts
	default:
		return refuse("it ranges over a %s", t)
	}
	if s.Tok == token.ASSIGN {
		return refuse("it ranges over variables of the function")
	}
	h.key, h.keyName = r.defined(s.Key)
	h.value, h.valueName = r.defined(s.Value)
	if h.form == overInts {
		if t := r.intType(s.X); h.key != nil && !isInt(h.key.Type()) || h.key == nil && !isInt(t) {
			return refuse("it counts in %s", t)
		}
	}
	r.header = h
	return r.checkBound(s.X)
}

// intType is the type in which an integer that is ranged over counts.
func (r *Rewrite) intType(e ast.Expr) types.Type {
	t := r.pkg.Info.TypeOf(e)
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.UntypedInt {
		return types.Typ[types.Int]
	}
	return t
}

func isInt(t types.Type) bool { return types.Identical(t, types.Typ[types.Int]) }

// defined is the variable that an identifier declares; nil where it is blank or absent.
func (r *Rewrite) defined(e ast.Expr) (*types.Var, string) {
	id, ok := e.(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil, ""
	}
	v, _ := r.pkg.Info.Defs[id].(*types.Var)
	return v, id.Name
}

func (r *Rewrite) readFor(s *ast.ForStmt) error {
	h := header{form: counting, body: s.Body}
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return refuse("its header does not declare one counter")
	}
	if h.key, h.keyName = r.defined(init.Lhs[0]); h.key == nil || !isInt(h.key.Type()) {
		return refuse("its counter is no int")
	}
	isKey := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && r.pkg.Info.Uses[id] == h.key
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	switch {
	case !ok:
		return refuse("its condition is not i < n")
	case (cond.Op == token.LSS || cond.Op == token.LEQ) && isKey(cond.X):
		h.to, h.inclusive = cond.Y, cond.Op == token.LEQ
	case (cond.Op == token.GTR || cond.Op == token.GEQ) && isKey(cond.Y):
		h.to, h.inclusive = cond.X, cond.Op == token.GEQ
	default:
		return refuse("its condition is not i < n")
	}
	h.from = init.Rhs[0]
	switch post := s.Post.(type) {
	case *ast.IncDecStmt:
		if post.Tok == token.INC && isKey(post.X) {
			h.step = 1
		}
	case *ast.AssignStmt:
		if post.Tok == token.ADD_ASSIGN && isKey(post.Lhs[0]) {
			if v := r.pkg.Info.Types[post.Rhs[0]].Value; v != nil {
				h.step, _ = constant.Int64Val(constant.ToInt(v))
			}
		}
	}
	if h.step < 1 || h.step > 1<<16 {
		return refuse("its counter does not go up by a literal")
	}
	r.header = h
	if err := r.checkBound(h.from); err != nil {
		return err
	}
	return r.checkBound(h.to)
}

// checkBound refuses bounds that do more than read. They are computed once, at the call.
func (r *Rewrite) checkBound(e ast.Expr) (err error) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.UnaryExpr, *ast.TypeAssertExpr, *ast.CompositeLit:
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op != token.AND && u.Op != token.ARROW {
				return true
			}
			err = refuse("its bounds are more than names, fields, elements and arithmetic")
		case *ast.CallExpr:
			if !r.isSimpleCall(n) {
				err = refuse("its bounds call a function")
			}
		case *ast.Ident:
			if r.header.key != nil && r.pkg.Info.Uses[n] == r.header.key {
				err = refuse("its bounds depend on its counter")
			}
		}
		return err == nil
	})
	return err
}

// isSimpleCall reports whether a call is of a built-in function without effects, or a conversion.
func (r *Rewrite) isSimpleCall(c *ast.CallExpr) bool {
	f := r.pkg.Info.Types[c.Fun]
	if f.IsType() {
		return true
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || !f.IsBuiltin() {
		return false
	}
	switch id.Name {
	case "len", "cap":
		_, isChannel := r.pkg.Info.TypeOf(c.Args[0]).Underlying().(*types.Chan)
		return !isChannel
	case "min", "max":
		return true
	}
	return false
}

// checkBody refuses statements that leave the body otherwise than at its end, and what may outlive a step.
func (r *Rewrite) checkBody() error {
	if stmt := r.labelled(); stmt {
		return refuse("the loop has a label")
	}
	return r.checkStatements(r.header.body, false)
}

// labelled reports whether the statement is the one that a label names.
func (r *Rewrite) labelled() (found bool) {
	ast.Inspect(r.loop.File, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok && l.Stmt == r.loop.Stmt {
			found = true
		}
		return !found
	})
	return found
}

func (r *Rewrite) checkStatements(root ast.Node, inSwitch bool) (err error) {
	ast.Inspect(root, func(n ast.Node) bool {
		if err != nil || n != nil && r.inExit(n.Pos()) {
			return false
		}
		switch n := n.(type) {
		case *ast.SwitchStmt:
			if n != root {
				err = r.checkStatements(n, true)
				return false
			}
		case *ast.BranchStmt:
			switch {
			case n.Label != nil || n.Tok == token.GOTO:
				err = refuse("a step jumps to a label")
			case n.Tok == token.BREAK && !inSwitch:
				err = refuse("a step may end the loop")
			}
		case *ast.ReturnStmt:
			err = refuse("a step may return")
		case *ast.FuncLit:
			err = refuse("a step makes a function")
		case *ast.LabeledStmt, *ast.ForStmt, *ast.RangeStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt:
			err = refuse("a step has statements besides assignments, if and switch")
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				err = refuse("a step takes an address or receives")
			}
		case *ast.DeclStmt:
			if d, ok := n.Decl.(*ast.GenDecl); !ok || d.Tok == token.TYPE {
				err = refuse("a step declares a type")
			}
		}
		return err == nil
	})
	return err
}
