package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// Replacement is the statement that stands in the place of the loop: the loop where it is short, and otherwise a call of package par.
//
//	if n := len(a); n < 1<<17 {
//		for _, v := range a {
//			s += v
//		}
//	} else {
//		s = sumParallel(a, s, n)
//	}
func (r *Rewrite) Replacement() string {
	switch {
	case r.loop.Search:
		return r.search()
	case r.loop.Histogram != nil:
		return r.histogram()
	}
	n, declared := r.declared()
	head := fmt.Sprintf("if %s%s {\n%s\n} else {", declared, r.areShort(n)+r.isShort(n), r.textOf(r.loop.Stmt))
	set := strings.Join(namesOf(r.states), ", ") + " = "
	if r.own != "" {
		return head + "\n" + r.counted(n) + set + r.callOwn() + "\n}"
	}
	return head + " // " + r.loop.Title + "\n" + r.counted(n) + r.copies() + r.reduction(n, set) + "\n}"
}

// counted is a statement that gives the counter the value that it has behind n steps, where that is to be seen.
func (r *Rewrite) counted(n string) string {
	if !r.header.kept {
		return ""
	}
	return r.header.keyName + " = " + r.keyAt(n) + "\n"
}

// reduction calls par.Reduce or par.Scan. The last statement is finish and the state at the end.
func (r *Rewrite) reduction(n, finish string) string {
	if len(r.states) > 1 || r.flags != nil {
		return r.tuple(n, finish)
	}
	s, t := r.states[0].Name(), r.types.write(r.states[0].Type())
	return fmt.Sprintf("%s%s.%s(%s, %s, %s, %s, %s, %s)", finish, parName, r.Function(), n, power(r.grain), s, r.start[0], r.blocks(t, s, ""), r.merging(t))
}

// declared is the number of steps, and the statement that declares it, or what is ranged over, if there is need for one.
func (r *Rewrite) declared() (n, statement string) {
	n, count := r.fresh("n"), r.count()
	if r.list != nil {
		return count, r.list.Name() + " := " + string(r.source[r.offset(r.header.to.Pos()):r.offset(r.header.to.End())]) + "; "
	}
	if token.IsIdentifier(count) {
		return count, ""
	}
	return n, n + " := " + count + "; "
}

// copies are statements after which no closure keeps a variable of the function.
func (r *Rewrite) copies() string {
	if names := strings.Join(namesOf(r.reassigned()), ", "); names != "" {
		return names + " := " + names + "\n"
	}
	return ""
}

// parName is the name of the package that runs blocks.
const parName = "par"

// tuple is the reduction of a state of several components, as the fields of a struct.
func (r *Rewrite) tuple(n, finish string) string {
	state, last := r.fresh("state"), r.fresh("r")
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct {\n", state)
	for _, v := range r.states {
		fmt.Fprintf(&b, "%s %s\n", v.Name(), r.types.write(v.Type()))
	}
	if r.flags != nil {
		fmt.Fprintf(&b, "%s bool\n", strings.Join(r.flags, ", "))
	}
	b.WriteString("}\n")
	begin := namesOf(r.states)
	for range r.flags {
		begin = append(begin, "false")
	}
	make := func(of []string) string { return state + "{" + strings.Join(of, ", ") + "}" }
	fields := func(names []string) string { return last + "." + strings.Join(names, ", "+last+".") }
	fmt.Fprintf(&b, "%s := %s.%s(%s, %s, %s, %s, %s, %s)\n", last, parName, r.Function(), n, power(r.grain), make(begin), make(r.start),
		r.blocks(state, last, strings.Join(r.fields(), ", ")+" := "+fields(r.fields())+"\n"), r.merging(state))
	b.WriteString(finish + fields(namesOf(r.states)))
	return b.String()
}

// fields are those of a struct that is the state of a block.
func (r *Rewrite) fields() []string {
	return append(namesOf(r.states), r.flags...)
}

// blocks are the functions that run blocks: of a scan, one without the stores and one with them.
func (r *Rewrite) blocks(state, param, before string) string {
	if r.flags != nil {
		r.edits = r.withFlags()
		defer func() { r.edits = nil }()
	}
	block := r.block(state, param, before)
	if r.stores == nil {
		return block
	}
	r.edits = r.withoutStores()
	defer func() { r.edits = nil }()
	return r.block(state, param, before) + ", " + block
}

// block is the loop over some of its steps, as a function from a state to a state. Before the loop stand statements that take the state apart.
func (r *Rewrite) block(state, param, before string) string {
	lo, hi := r.fresh("lo"), r.fresh("hi")
	result := strings.Join(r.fields(), ", ")
	if before != "" {
		result = state + "{" + result + "}"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func(%s, %s int, %s %s) %s {\n%s%s {", lo, hi, param, state, state, before, r.blockHeader(lo, hi))
	fmt.Fprintf(&b, "%s}\nreturn %s\n}", r.bodyAfter(r.indexOf(lo)), result)
	return b.String()
}

// indexOf is the statement that makes an index of the counter of a block that ranges over a part of a slice; empty where none is needed.
func (r *Rewrite) indexOf(lo string) string {
	if h := r.header; h.form != overSlice || h.value == nil || h.key == nil || !r.keyInBody {
		return ""
	}
	return r.header.keyName + " += " + lo
}

// bodyAfter is the body behind a statement. A comment on the line of the loop stays there.
func (r *Rewrite) bodyAfter(statement string) string {
	body := r.text(r.header.body.Lbrace+1, r.header.body.Rbrace)
	if statement == "" {
		return body
	}
	first, rest, ok := strings.Cut(body, "\n")
	if ok && (strings.TrimSpace(first) == "" || strings.HasPrefix(strings.TrimSpace(first), "//")) {
		return first + "\n" + statement + "\n" + rest
	}
	return "\n" + statement + "\n" + body
}

// blockHeader is the for clause of a block.
func (r *Rewrite) blockHeader(lo, hi string) string {
	h := r.header
	key := h.keyName
	if key == "" {
		key = "_"
	}
	switch {
	case h.form == overSlice && h.value != nil && r.valueInBody:
		if !r.keyInBody {
			key = "_"
		}
		return fmt.Sprintf("for %s, %s := range %s[%s:%s]", key, h.valueName, r.operand(h.to), lo, hi)
	case h.key == nil || !r.keyInBody:
		i := r.fresh("i")
		return fmt.Sprintf("for %s := %s; %s < %s; %s++", i, lo, i, hi, i)
	}
	compare, post := "<", "++"
	if h.down {
		compare, post = ">", "--"
	}
	if h.step > 1 {
		post = fmt.Sprintf(" %c= %d", post[0], h.step)
	}
	return fmt.Sprintf("for %s := %s; %s %s %s; %s%s", key, r.keyAt(lo), key, compare, r.keyAt(hi), key, post)
}

// keyAt is the counter at a step.
func (r *Rewrite) keyAt(step string) string {
	h := r.header
	if h.typ != "" {
		step = h.typ + "(" + step + ")"
	}
	if h.form != counting {
		return step
	}
	if h.step > 1 {
		step += fmt.Sprintf("*%d", h.step)
	}
	switch {
	case h.down && r.isZero(h.from):
		return "-" + step
	case h.down:
		return r.first(h.from) + " - " + step
	case r.isZero(h.from):
		return step
	}
	return r.literalOr(h.from, r.first(h.from)) + " + " + step
}

// literalOr is a constant in the type of another counter than int as a literal, and otherwise a text.
func (r *Rewrite) literalOr(e ast.Expr, text string) string {
	if v := r.pkg.Info.Types[e].Value; v != nil && r.header.typ != "" && constant.Sign(v) > 0 {
		return v.ExactString()
	}
	return text
}

// first is an expression before plus or minus.
func (r *Rewrite) first(e ast.Expr) string {
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.ADD || b.Op == token.SUB) {
		return r.textOf(e)
	}
	return r.operand(e)
}

// isZero reports whether an expression is the constant 0.
func (r *Rewrite) isZero(e ast.Expr) bool {
	v := r.pkg.Info.Types[e].Value
	return v != nil && constant.Sign(v) == 0
}

// operand is an expression before a bracket or beside an operator.
func (r *Rewrite) operand(e ast.Expr) string {
	if r.list != nil && e == r.header.to {
		return r.list.Name()
	}
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit, *ast.SelectorExpr, *ast.IndexExpr, *ast.CallExpr, *ast.SliceExpr:
		return r.textOf(e)
	}
	return "(" + r.textOf(e) + ")"
}

// count writes an expression for the number of steps. It may overflow in two cases: where the loop ends at a negative number,
// which isShort tests first, and where it runs to the greatest number, so that it does not end.
func (r *Rewrite) count() string {
	h := r.header
	switch {
	case h.form == overSlice:
		return "len(" + r.textOf(h.to) + ")"
	case h.form == overInts:
		return r.int(h.to)
	}
	end, begin := h.to, h.from
	if h.down {
		end, begin = begin, end
	}
	more := h.step - 1 // a part of a step is one, too
	if h.inclusive {
		more++
	}
	text := r.int(end)
	if less, ok := end.(*ast.BinaryExpr); ok && more > 0 && less.Op == token.SUB && r.textOf(less.Y) == "1" && h.typ == "" {
		text, more = r.first(less.X), more-1
	}
	if !r.isZero(begin) {
		text += " - " + r.subtrahend(begin)
	}
	if more > 0 {
		text += fmt.Sprintf(" + %d", more)
	}
	if h.step > 1 {
		return fmt.Sprintf("(%s) / %d", text, h.step)
	}
	return text
}

// subtrahend is a bound of the counter as an int behind a minus.
func (r *Rewrite) subtrahend(e ast.Expr) string {
	if r.header.typ != "" {
		return r.int(e)
	}
	return r.operand(e)
}

// int is a bound of the counter as an int, before an operator or alone.
func (r *Rewrite) int(e ast.Expr) string {
	if text := r.literalOr(e, ""); text != "" {
		return text
	}
	if t := r.pkg.Info.Types[e]; r.header.typ != "" || t.Value != nil && r.header.form == overInts {
		return "int(" + r.textOf(e) + ")"
	}
	if r.header.form == overInts {
		return r.textOf(e)
	}
	return r.first(e)
}

// isShort is the condition under which the loop runs as it was written: it has few steps, or more than an int of 32 bits counts.
func (r *Rewrite) isShort(n string) string {
	least, h := power(r.least), r.header
	if h.typ == "int64" || h.typ == "uint64" {
		n = "^uint(0)>>32 == 0 || " + n
	}
	begin, end := h.from, h.to
	if h.down {
		begin, end = end, begin
	}
	if h.form == counting && !r.isZero(begin) {
		return fmt.Sprintf("%s < %s || %s < %s", r.int(end), least, n, least)
	}
	return fmt.Sprintf("%s < %s", n, least)
}

// power writes a power of two.
func power(n int64) string {
	for k := range 63 {
		if n == 1<<k {
			return fmt.Sprintf("1<<%d", k)
		}
	}
	return fmt.Sprint(n)
}

func namesOf(vars []*types.Var) (list []string) {
	for _, v := range vars {
		list = append(list, v.Name())
	}
	return list
}

// reassigned lists the variables that a block reads and that the function assigns somewhere, or whose address it takes.
func (r *Rewrite) reassigned() (list []*types.Var) {
	changed := map[types.Object]bool{}
	mark := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			changed[r.pkg.Info.Uses[id]] = true
		}
	}
	for _, d := range r.loop.File.Decls {
		if d.Pos() > r.Pos || r.Pos >= d.End() {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					mark(e)
				}
			case *ast.IncDecStmt:
				mark(n.X)
			case *ast.RangeStmt:
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						mark(e)
					}
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					mark(n.X)
				}
			}
			return true
		})
	}
	for _, v := range r.outer {
		if changed[v] && r.isInBlock(v) {
			list = append(list, v)
		}
	}
	return list
}

// isInBlock reports whether a block mentions a variable: the body does, the slice that it ranges over, or where its counter begins.
func (r *Rewrite) isInBlock(v *types.Var) (found bool) {
	return r.mentions(r.header.body, v) || r.mentions(r.boundOfBlock(), v)
}

// boundOfBlock is the bound that each block computes again; nil where it computes none.
func (r *Rewrite) boundOfBlock() ast.Expr {
	switch h := r.header; {
	case r.list != nil:
	case h.form == overSlice && h.value != nil && r.valueInBody:
		return h.to
	case h.form == counting && r.keyInBody:
		return h.from
	}
	return nil
}

// mentions reports whether a part of the loop, but for what ends a search, mentions a variable.
func (r *Rewrite) mentions(part ast.Node, v *types.Var) (found bool) {
	if part == nil {
		return false
	}
	ast.Inspect(part, func(n ast.Node) bool {
		if n != nil && r.inExit(n.Pos()) {
			return false
		}
		id, ok := n.(*ast.Ident)
		found = found || ok && r.pkg.Info.Uses[id] == types.Object(v)
		return !found
	})
	return found
}
