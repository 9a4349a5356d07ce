package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// form is how the steps of a loop are numbered.
type form int

const (
	overSlice form = iota // for i, v := range x
	overInts              // for i := range n
	counting              // for i := lo; i < hi; i += step, or for i := hi; i > lo; i -= step
)

// header is what a for or range statement says of its steps. Variables are nil where they are blank or absent.
type header struct {
	form       form
	key, value *types.Var
	keyName    string
	valueName  string
	kept       bool     // the counter is declared before the loop, and has a value behind it
	from, to   ast.Expr // what is ranged over is to; from is nil but in a loop that counts
	inclusive  bool     // to is the last number that a counter may be
	step       int64
	down       bool   // it counts down
	typ        string // of the counter; empty for int
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
		t := r.intType(s.X)
		if h.key != nil {
			t = h.key.Type()
		}
		var ok bool
		if h.typ, ok = counterType(t); !ok {
			return refuse("it counts in %s", t)
		}
	}
	r.header = h
	if err := r.checkBound(s.X); err != nil && h.form != overSlice {
		return err
	} else if err != nil { // it is computed once, and may do anything
		r.list = types.NewVar(token.NoPos, r.pkg.Types, r.fresh("list"), t)
	}
	return nil
}

// intType is the type in which an integer that is ranged over counts.
func (r *Rewrite) intType(e ast.Expr) types.Type {
	t := r.pkg.Info.TypeOf(e)
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.UntypedInt {
		return types.Typ[types.Int]
	}
	return t
}

// counterType is the name of a type of integers of 32 bits or more; empty for int. Shorter counters have few steps.
func counterType(t types.Type) (name string, ok bool) {
	b, ok := types.Unalias(t).(*types.Basic)
	if !ok {
		return "", false
	}
	switch b.Kind() {
	case types.Int:
		return "", true
	case types.Int32, types.Int64, types.Uint, types.Uint32, types.Uint64, types.Uintptr:
		return b.Name(), true
	}
	return "", false
}

// defined is the variable that an identifier declares; nil where it is blank or absent.
func (r *Rewrite) defined(e ast.Expr) (*types.Var, string) {
	id, ok := e.(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil, ""
	}
	v, _ := r.pkg.Info.Defs[id].(*types.Var)
	return v, id.Name
}

// counter is the variable that a statement declares or assigns, if it is one of the function; nil otherwise.
func (r *Rewrite) counter(init *ast.AssignStmt) (*types.Var, string) {
	switch init.Tok {
	case token.DEFINE:
		return r.defined(init.Lhs[0])
	case token.ASSIGN:
		if id, ok := init.Lhs[0].(*ast.Ident); ok {
			if v, _ := r.pkg.Info.Uses[id].(*types.Var); v != nil && v.Parent() != r.pkg.Types.Scope() {
				return v, id.Name
			}
		}
	}
	return nil, ""
}

func (r *Rewrite) readFor(s *ast.ForStmt) error {
	h := header{form: counting, body: s.Body}
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return refuse("its header does not begin one counter")
	}
	h.kept = init.Tok == token.ASSIGN
	if h.key, h.keyName = r.counter(init); h.key == nil {
		return refuse("its header does not begin one counter")
	}
	if h.typ, ok = counterType(h.key.Type()); !ok {
		return refuse("it counts in %s", h.key.Type())
	}
	isKey := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && r.pkg.Info.Uses[id] == h.key
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok {
		return refuse("its condition is not i < n")
	}
	op := cond.Op
	switch {
	case isKey(cond.X):
		h.to = cond.Y
	case isKey(cond.Y):
		h.to, op = cond.X, swapped[op]
	}
	switch op {
	case token.LSS, token.LEQ:
	case token.GTR, token.GEQ:
		h.down = true
	default:
		return refuse("its condition is not i < n")
	}
	if h.to == nil {
		return refuse("its condition is not i < n")
	}
	h.inclusive = op == token.LEQ || op == token.GEQ
	h.from = init.Rhs[0]
	switch post := s.Post.(type) {
	case *ast.IncDecStmt:
		if post.Tok == map[bool]token.Token{false: token.INC, true: token.DEC}[h.down] && isKey(post.X) {
			h.step = 1
		}
	case *ast.AssignStmt:
		if post.Tok == map[bool]token.Token{false: token.ADD_ASSIGN, true: token.SUB_ASSIGN}[h.down] && isKey(post.Lhs[0]) {
			if v := r.pkg.Info.Types[post.Rhs[0]].Value; v != nil {
				h.step, _ = constant.Int64Val(constant.ToInt(v))
			}
		}
	}
	if h.step < 1 || h.step > 1<<16 {
		return refuse("its counter does not go on by a literal")
	}
	if err := r.checkCounter(h); err != nil {
		return err
	}
	r.header = h
	if err := r.checkBound(h.from); err != nil {
		return err
	}
	return r.checkBound(h.to)
}

var swapped = map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}

// checkCounter refuses counters of other types than int that may wrap around, and bounds that are too large for an int.
func (r *Rewrite) checkCounter(h header) error {
	if h.typ == "" {
		return nil
	}
	isUnsigned := strings.HasPrefix(h.typ, "u")
	isLong := isUnsigned && h.typ != "uint32"
	isConst := func(e ast.Expr) bool { return r.pkg.Info.Types[e].Value != nil }
	switch {
	case h.step != 1:
		return refuse("its counter is of type %s and goes on by %d", h.typ, h.step)
	case h.inclusive && h.down && (isUnsigned || !isConst(h.to)), h.inclusive && !h.down && strings.HasSuffix(h.typ, "32"):
		return refuse("its counter is of type %s, and may wrap around", h.typ)
	case isLong && (h.down && !isConst(h.to) || !h.down && !isConst(h.from)):
		return refuse("its counter is of type %s, and where it begins or ends may be no int", h.typ)
	}
	return nil
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
			if n.Op == token.AND && !r.isElement(n.X) || n.Op == token.ARROW {
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

// isElement reports whether an expression with an address is no part of a variable of the function: a closure would keep that on the heap.
func (r *Rewrite) isElement(e ast.Expr) bool {
	for {
		var of ast.Expr
		switch x := ast.Unparen(e).(type) {
		case *ast.StarExpr:
			return true
		case *ast.IndexExpr:
			of = x.X
		case *ast.SelectorExpr:
			of = x.X
		default:
			return false
		}
		t := r.pkg.Info.TypeOf(of)
		if t == nil {
			return false
		}
		switch t.Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		}
		e = of
	}
}
