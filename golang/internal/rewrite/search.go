package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/read"
)

// A search runs in blocks that look for the step at which it ends. What it does there is done once, by the code that is there:
//
//	for i, v := range a { if v == x { return i } }   →   if i := par.Find(len(a), …); i < len(a) { return i }
//
// In a block the statements that end the loop are the result of the block. Steps before the end have no effect, and
// a panic behind it is thrown away with the blocks.

// region is a tail of a list of statements that ends the loop however it goes on.
type region struct {
	list []ast.Stmt
}

func (x region) pos() token.Pos { return x.list[0].Pos() }
func (x region) end() token.Pos { return x.list[len(x.list)-1].End() }

// checkSearch refuses searches that are no loops over numbered steps.
func (r *Rewrite) checkSearch() error {
	switch {
	case r.loop.OverMap:
		return refuse("a map has no slices")
	case r.loop.Floats:
		return refuse("its counter is a float")
	}
	return nil
}

// findExits finds the statements that end the loop, and refuses loops in which other code might.
func (r *Rewrite) findExits() error {
	r.exits = r.exitsIn(r.header.body.List, true)
	if len(r.exits) == 0 {
		return refuse("no statement ends the loop")
	}
	for _, b := range r.loop.Func.Blocks {
		for _, i := range b.Instrs {
			switch i.(type) {
			case *ssa.Phi, *ssa.DebugRef:
				continue
			}
			if pos := i.Pos(); !r.loop.Has(b) && r.isKept(pos) {
				return refuse("a step may end the loop in a way that is not read")
			}
		}
	}
	return nil
}

// isKept reports whether a position is in the body and in no region that ends the loop.
func (r *Rewrite) isKept(pos token.Pos) bool {
	return r.header.body.Lbrace < pos && pos < r.header.body.Rbrace && !r.inExit(pos)
}

// inExit reports whether a position is in a region that ends the loop.
func (r *Rewrite) inExit(pos token.Pos) bool {
	return slices.ContainsFunc(r.exits, func(x region) bool { return x.pos() <= pos && pos < x.end() })
}

// exitsIn lists the regions in a list of statements. Breaks says that a break there ends the loop.
func (r *Rewrite) exitsIn(list []ast.Stmt, breaks bool) (found []region) {
	if r.leaves(list, breaks) {
		first := 0
		for i, s := range list {
			if continues(s) {
				first = i + 1
			}
		}
		if first < len(list) {
			found = append(found, region{list[first:]})
			list = list[:first]
		}
	}
	for _, s := range list {
		found = append(found, r.exitsInside(s, breaks)...)
	}
	return found
}

// exitsInside lists the regions in the lists of a statement.
func (r *Rewrite) exitsInside(s ast.Stmt, breaks bool) (found []region) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return r.exitsIn(s.List, breaks)
	case *ast.IfStmt:
		found = r.exitsIn(s.Body.List, breaks)
		if s.Else != nil {
			found = append(found, r.exitsInside(s.Else, breaks)...)
		}
	case *ast.SwitchStmt:
		for _, c := range s.Body.List {
			found = append(found, r.exitsIn(c.(*ast.CaseClause).Body, false)...)
		}
	}
	return found
}

// leaves reports whether a list of statements ends the loop, unless one of them goes on with the next step.
func (r *Rewrite) leaves(list []ast.Stmt, breaks bool) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Label != nil && s.Tok != token.GOTO || s.Tok == token.BREAK && breaks
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && r.pkg.Info.Types[call.Fun].IsBuiltin() && isPanic(call.Fun)
	case *ast.BlockStmt:
		return r.leaves(s.List, breaks)
	case *ast.IfStmt:
		return s.Else != nil && r.leaves(s.Body.List, breaks) && r.leaves([]ast.Stmt{s.Else}, breaks)
	}
	return false
}

func isPanic(f ast.Expr) bool {
	id, ok := ast.Unparen(f).(*ast.Ident)
	return ok && id.Name == "panic"
}

// continues reports whether a statement may go on with the next step of the loop around it.
func continues(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.CONTINUE && n.Label == nil
		}
		return !found
	})
	return found
}

// checkAhead refuses searches in which a step behind the end reads what another goroutine may be writing, if that can be seen. A word is
// read as it is or as it was. A string, a slice or an interface has several, and a map that is written stops the program. What is
// loaded from a fixed address in every step was read by the loop, too, for Find runs some steps serially first.
func (r *Rewrite) checkAhead() error {
	if r.loop.Ahead {
		return nil
	}
	for _, b := range r.loop.Blocks() {
		for _, i := range b.Instrs {
			if what := r.readsWords(i); what != "" {
				return refuse("steps behind its end %s, which another goroutine may be writing: that takes //rfactor:ahead at the loop", what)
			}
		}
	}
	return nil
}

// readsWords says what an instruction reads that is more than a word; nothing where it does not.
func (r *Rewrite) readsWords(i ssa.Instruction) string {
	switch i := i.(type) {
	case *ssa.UnOp:
		if i.Op == token.MUL && read.HasWords(i.Type()) && !r.isReadAlways(i) {
			return "load a " + types.TypeString(i.Type(), types.RelativeTo(r.pkg.Types))
		}
	case *ssa.Lookup:
		if _, isMap := i.X.Type().Underlying().(*types.Map); isMap {
			return "look into a map"
		}
	case *ssa.Call:
		if _, isBuiltin := i.Call.Value.(*ssa.Builtin); isBuiltin {
			return ""
		}
		f, _ := i.Call.Value.(*ssa.Function)
		if f == nil || slices.ContainsFunc(i.Call.Args, func(a ssa.Value) bool { return isReference(a.Type()) }) || r.pkg.Words(f) {
			return "call a function that may load"
		}
	}
	return ""
}

// isReadAlways reports whether each step loads from an address that is fixed.
func (r *Rewrite) isReadAlways(load *ssa.UnOp) bool {
	for _, latch := range r.loop.Latches {
		if !load.Block().Dominates(latch) {
			return false
		}
	}
	address := load.X
	for {
		field, ok := address.(*ssa.FieldAddr)
		if !ok {
			break
		}
		address = field.X
	}
	return !r.loop.Holds(address)
}

// isReference reports whether a function that is given a value of a type may load through it more than words.
func isReference(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Slice:
		return read.HasWords(u.Elem()) || isReference(u.Elem())
	case *types.Pointer:
		return read.HasWords(u.Elem()) || isReference(u.Elem())
	case *types.Array:
		return isReference(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if isReference(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// search is the statement that stands in the place of a search: the loop where it is short, and otherwise a call that finds where it ends.
//
//	if n := len(a); n < 1<<19 {
//		for i, v := range a {
//			if v == x {
//				return i
//			}
//		}
//	} else if i := indexParallel(a, x, n); i < n {
//		return i
//	}
func (r *Rewrite) search() string {
	n, declared := r.declared()
	copies, find := "", r.callOwn()
	if r.own == "" {
		var renamed []PosEdit
		copies, renamed = r.renamed()
		find = r.find(n, renamed)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "if %s%s {\n%s\n} else ", declared, r.isShort(n), r.textOf(r.loop.Stmt))
	then := r.atEnd(n, find)
	if copies == "" && strings.HasPrefix(then, "if ") {
		b.WriteString(then)
		return b.String()
	}
	fmt.Fprintf(&b, "{\n%s%s\n}", copies, then)
	return b.String()
}

// find calls par.Find.
func (r *Rewrite) find(n string, renamed []PosEdit) string {
	return fmt.Sprintf("%s.Find(%s, %s, %s)", parName, n, power(r.grain), r.searchBlock(renamed))
}

// renamed copies the variables that a closure would keep, under other names: what ends the loop may assign them.
func (r *Rewrite) renamed() (copies string, edits []PosEdit) {
	names := map[types.Object]string{}
	for _, v := range r.reassigned() {
		names[v] = r.fresh(v.Name() + "0")
		copies += names[v] + " := " + v.Name() + "\n"
	}
	ast.Inspect(r.loop.Stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[r.pkg.Info.Uses[id]] != "" && !r.inExit(id.Pos()) {
			edits = append(edits, PosEdit{id.Pos(), id.End(), names[r.pkg.Info.Uses[id]]})
		}
		return true
	})
	return copies, edits
}

// searchBlock is the loop over some of its steps, as a function that returns the step at which it ends.
func (r *Rewrite) searchBlock(renamed []PosEdit) string {
	h := r.header
	r.edits = renamed
	defer func() { r.edits = nil }()
	lo, hi := r.fresh("lo"), r.fresh("hi")
	header := r.blockHeader(lo, hi)
	i := h.keyName
	if i == "" || !r.keyInBody && (h.form != overSlice || h.value == nil || !r.valueInBody) {
		i = r.fresh("i")
	}
	begin := ""
	switch {
	case h.form == overSlice && h.value != nil && r.valueInBody && r.keyInBody:
		begin = fmt.Sprintf("%s += %s", i, lo)
	case h.form == overSlice && h.value != nil && r.valueInBody:
		header = strings.Replace(header, "for _,", "for "+i+",", 1)
		i = lo + " + " + i
	case h.form != overSlice && r.keyInBody:
		i = r.stepOf(i)
	}
	for _, x := range r.exits {
		r.edits = append(r.edits, PosEdit{x.pos(), x.end(), "return " + i})
	}
	return fmt.Sprintf("func(%s, %s int) int {\n%s {%s}\nreturn %s\n}", lo, hi, header, r.bodyAfter(begin), hi)
}

// stepOf is the number of a step, by the counter there.
func (r *Rewrite) stepOf(key string) string {
	h := r.header
	if h.form == counting {
		switch {
		case h.down:
			key = r.first(h.from) + " - " + key
		case !r.isZero(h.from):
			key += " - " + r.literalOr(h.from, r.operand(h.from))
		}
	}
	if h.typ != "" {
		return "int(" + key + ")"
	}
	if h.step > 1 && strings.Contains(key, " ") {
		key = "(" + key + ")"
	}
	if h.step > 1 {
		key += fmt.Sprintf(" / %d", h.step)
	}
	return key
}

// atEnd does what the loop does at its end, if there is one: by its only statements that end it, or where these need what the step
// computes, by the loop from that step on.
func (r *Rewrite) atEnd(n, find string) string {
	x := r.exits[0]
	uses, isSimple := r.usesOf(x)
	if r.header.kept { // it ends at its last step, if it was not ended before
		at := r.fresh("at")
		return fmt.Sprintf("%s := %s\n%s", at, find, r.loopFrom(at))
	}
	if len(r.exits) > 1 || !isSimple {
		at := r.fresh("at")
		return fmt.Sprintf("%s := %s\n%s", at, find, r.loopFrom(at))
	}
	code := r.text(x.pos(), x.end())
	if last, ok := x.list[len(x.list)-1].(*ast.BranchStmt); ok && last.Tok == token.BREAK && last.Label == nil {
		code = strings.TrimRight(r.text(x.pos(), last.Pos()), " \t\n;")
	}
	h, before := r.header, ""
	if uses == 0 {
		return fmt.Sprintf("if %s < %s {\n%s\n}", find, n, code)
	}
	at := r.fresh("at")
	if uses&usesKey != 0 {
		if r.keyAt(at) == at {
			at = h.keyName
		} else {
			before = fmt.Sprintf("%s := %s\n", h.keyName, r.keyAt(at))
		}
	}
	if uses&usesValue != 0 {
		before += fmt.Sprintf("%s := %s[%s]\n", h.valueName, r.operand(h.to), at)
	}
	return fmt.Sprintf("if %s := %s; %s < %s {\n%s%s\n}", at, find, at, n, before, code)
}

const (
	usesKey   = 1
	usesValue = 2
)

// usesOf says what a region uses of a step. It is simple if that is no more than the variables of the header, and if nothing but its
// end ends the loop.
func (r *Rewrite) usesOf(x region) (uses int, isSimple bool) {
	isSimple = true
	body := r.header.body
	for i, s := range x.list {
		isSimple = isSimple && (i == len(x.list)-1 || !breaks(s))
		if _, isBranch := s.(*ast.BranchStmt); i == len(x.list)-1 && !isBranch {
			isSimple = isSimple && !breaks(s)
		}
		ast.Inspect(s, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch o := r.pkg.Info.Uses[id]; {
			case o == nil:
			case o == types.Object(r.header.key):
				uses |= usesKey
			case o == types.Object(r.header.value):
				uses |= usesValue
			case o.Pkg() == r.pkg.Types && body.Lbrace < o.Pos() && o.Pos() < body.Rbrace && (o.Pos() < x.pos() || x.end() <= o.Pos()):
				isSimple = false
			}
			return true
		})
	}
	return uses, isSimple
}

// breaks reports whether a statement has a break that ends the loop around it.
func breaks(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK && n.Label == nil
		}
		return !found
	})
	return found
}

// loopFrom is the loop from one of its steps on.
func (r *Rewrite) loopFrom(at string) string {
	h := r.header
	key, body := h.keyName, r.bodyAfter("")
	if h.form == overSlice && h.value != nil {
		if h.key == nil {
			key = "_"
		} else {
			body = r.bodyAfter(fmt.Sprintf("%s += %s", key, at))
		}
		return fmt.Sprintf("for %s, %s := range %s[%s:] {%s}", key, h.valueName, r.operand(h.to), at, body)
	}
	if h.key == nil {
		key = r.fresh("i")
	}
	switch h.form {
	case overSlice:
		return fmt.Sprintf("for %s := %s; %s < len(%s); %s++ {%s}", key, at, key, r.textOf(h.to), key, body)
	case overInts:
		return fmt.Sprintf("for %s := %s; %s < %s; %s++ {%s}", key, r.keyAt(at), key, r.textOf(h.to), key, body)
	}
	s := r.loop.Stmt.(*ast.ForStmt)
	if h.kept {
		return fmt.Sprintf("for %s = %s; %s; %s {%s}", key, r.keyAt(at), r.textOf(s.Cond), r.textOf(s.Post), body)
	}
	return fmt.Sprintf("for %s := %s; %s; %s {%s}", key, r.keyAt(at), r.textOf(s.Cond), r.textOf(s.Post), body)
}
