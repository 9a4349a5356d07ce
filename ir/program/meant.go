package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// This file finds what was meant by texts that are written as in other languages, or misspelt: the
// error says what to write.

// expected reports that something else stands where the text needs this.
func (p *parser) expected(format string, args ...any) {
	if pos, text := p.foreign(); text != "" {
		p.failAt(pos, "%s", whole(text))
		return
	}
	p.fail("expected %s, not %s", whole(fmt.Sprintf(format, args...)), p.found())
}

// unended reports what stands behind an operand where only an operator, or one of the separators, may.
func (p *parser) unended(separators, format string, args ...any) {
	if p.is(",") && p.calls == 0 {
		p.fail("%s", whole(p.grouped()))
		return
	}
	if _, text := p.foreign(); text == "" && p.beginsOperand() {
		missing := "an operator"
		if lines := strings.Contains(p.src.Text[p.last:p.tok.pos], "\n"); separators != "" && lines {
			missing = fmt.Sprintf("%q", separators)
		} else if separators != "" {
			missing = fmt.Sprintf("an operator or %q", separators)
		}
		p.fail("%s is missing before %s", missing, p.found())
		return
	}
	p.expected(format, args...)
}

// foreign is what to write where the token is of another language, and the place of it; "" where it is not.
func (p *parser) foreign() (pos int, text string) {
	word := p.text()
	switch {
	case p.tok.kind == tokString:
		return p.tok.pos, "a text in quotes is no value"
	case p.tok.kind == tokIdent && foreign().meant["word"][word] != "":
		return p.tok.pos, word + " is written " + foreign().meant["word"][word]
	case p.tok.kind != tokPunct:
		return 0, ""
	}
	if pos, op := p.operatorRun(); op != "" {
		return pos, op + " is written " + foreign().meant["word"][op]
	}
	_, assigns := compound[word]
	switch {
	case word == "=" && p.abstract:
		return p.tok.pos, "= is no operator: == compares, and x0 := e; assigns"
	case word == "=":
		return p.tok.pos, "= is no operator: == compares"
	case assigns:
		return p.tok.pos, fmt.Sprintf("%s is no operator: in an abstract update x0 := x0 %s e; assigns", word, word[:1])
	case word == ":=":
		return p.tok.pos, "t := e; stands before the components that use t; in parentheses it is let t = e in …"
	case word == "++" || word == "--":
		return p.tok.pos, word + " is no operator: write a " + word[:1] + " 1"
	case word == "::":
		return p.tok.pos, "a name has no namespace before it: write max(a, b) for std::max(a, b)"
	}
	return 0, ""
}

// grouped is how several components are written.
func (p *parser) grouped() string {
	if p.abstract {
		return "components have a semicolon between them, and no brackets around them: x0 + y0; x1"
	}
	return "several components stand in braces: {a, b}"
}

// operatorRun is the operator of another language that the token is part of, with its place.
func (p *parser) operatorRun() (pos int, op string) {
	const letters = "+-*/%<>=!~&|^"
	text, start, end := p.src.Text, p.tok.pos, p.tok.pos
	for start > 0 && strings.IndexByte(letters, text[start-1]) >= 0 {
		start--
	}
	for end < len(text) && strings.IndexByte(letters, text[end]) >= 0 {
		end++
	}
	for ; end > p.tok.pos; end-- {
		if foreign().meant["word"][text[start:end]] != "" {
			return start, text[start:end]
		}
	}
	return 0, ""
}

// beginsOperand reports whether the token begins an operand.
func (p *parser) beginsOperand() bool {
	return p.tok.kind == tokIdent || p.tok.kind == tokInt || p.tok.kind == tokFloat || p.is("(")
}

// misplaced reports a word that is no variable where one is wanted; false where it may be one. The token behind the
// word is next.
func (p *parser) misplaced(name string, pos int) bool {
	f, isFunction := builtins[name]
	switch {
	case (name == "if" || name == "not") && p.beginsOperand():
		p.failAt(pos, "%s is written %s", name, foreign().meant["word"][name])
	case name == "return" && p.beginsOperand():
		p.failAt(pos, "return is not needed: write what it returns")
	case isFunction:
		p.failAt(pos, "%s is a function: %s", name, example(name, f))
	case ParseType(name) != ir.Invalid:
		p.failAt(pos, "%s is a type: %s(a) is a cast", name, name)
	default:
		return false
	}
	return true
}

// example is a call of a function.
func example(name string, f builtin) string {
	operands := []string{"a", "b"}
	if f.min > 2 {
		operands = []string{"c", "a", "b"}
	}
	return name + "(" + strings.Join(operands[:min(f.min, len(operands))], ", ") + ")"
}

// undeclared reports a name that is not declared, where it occurs first; otherwise is what to do where no known name is like it.
func (r *reporter) undeclared(pos ir.Pos, name string, known []string, otherwise string) {
	if r.named[name] || r.full() { // finding what was meant is dear
		return
	}
	if r.named == nil {
		r.named = map[string]bool{}
	}
	r.named[name] = true
	if literal := foreign().meant["literal"][name] + foreign().meant["word"][name]; literal != "" {
		r.errorf(pos, "%s is written %s", name, literal)
	} else {
		known = slices.DeleteFunc(known, func(k string) bool { return strings.Contains(name, ".") && !strings.Contains(k, ".") })
		if meant := DidYouMean(name, known); meant != "" {
			otherwise = meant
		}
		r.errorf(pos, "%s is not declared%s", name, whole(otherwise))
	}
	if n := len(r.errs); n > 0 && r.errs[n-1].pos == pos {
		r.errs[n-1].name = true
	}
}

// unknownFunction reports a call of what an abstract update does not have.
func (t *tree) unknownFunction(n int32) {
	s, name := &t.nodes[n], t.name(n)
	if t.named[name] || t.full() {
		return
	}
	if t.named == nil {
		t.named = map[string]bool{}
	}
	t.named[name] = true
	hint := DidYouMean(name, builtinNames())
	last := name[strings.LastIndexByte(name, '.')+1:]
	if meant := writtenAs(name, int(s.c)); meant != "" {
		hint = ": it is written " + meant
	} else if _, ok := builtins[strings.ToLower(last)]; ok {
		hint = " (did you mean " + strings.ToLower(last) + "?)"
	} else if s.c == 0 {
		hint = ": the state before the step is x0 here"
	} else if hint == "" {
		hint = ": what a step reads is an input with a name, such as y0"
	}
	t.errorf(ir.Pos(s.pos), "there is no function %s%s", name, whole(hint))
}

// writtenAs is what a function of another language is here, or "".
func writtenAs(name string, args int) string {
	for _, n := range []string{name, strings.ToLower(name)} {
		if meant := foreign().meant["function"][n]; meant != "" && len(holes(meant)) == args {
			return meant
		}
	}
	return ""
}

// indexedName is the error for a name with an index in an abstract update.
func indexedName(name string, index int) string {
	if name == "x" || name == "y" {
		return fmt.Sprintf("%s[%d] is written %s%d", name, index, name, index)
	}
	return fmt.Sprintf("%s[%d]: a variable has no index; what a step reads has a name, such as y0", name, index)
}

// subscript is the error for a name with an index that is no number.
func (p *parser) subscript(name string) string {
	if p.abstract {
		return fmt.Sprintf("%s[…] is no variable: what a step reads has a name, such as y0", name)
	}
	return fmt.Sprintf("%s[…] is read with parentheses: %s(…)", name, name)
}

// misspelt reports calls in a program without declarations that are probably misspelt. Any function may be an
// input, but an input is read at coordinates: a call with the state, a condition or a fraction among its
// arguments, by a name that is next to a function's, is meant to be that; so is one with data and the three operands
// of select and clamp.
func (b *builder) misspelt() {
	state, data, fraction := make([]bool, len(b.nodes)), make([]bool, len(b.nodes)), make([]bool, len(b.nodes))
	input := map[string]bool{} // read at coordinates somewhere
	var calls []int32
	for n := range b.nodes {
		s := &b.nodes[n]
		odd := false
		for _, k := range b.kids(int32(n)) {
			state[n], data[n] = state[n] || state[k], data[n] || data[k]
			odd = odd || state[k] || fraction[k] || b.isCondition(k)
			fraction[n] = fraction[n] || fraction[k]
		}
		if s.kind != synCall {
			fraction[n] = s.kind != synCast && !b.isCondition(int32(n)) && fraction[n] || b.isFraction(s)
			continue
		}
		name := b.name(int32(n))
		fraction[n] = false
		switch sym := b.symbols[name]; {
		case sym != nil && sym.fn != nil:
			state[n] = true
		case odd || data[n] && (foreign().meant["function"][strings.ToLower(name)] != foreign().meant["helper"][name] || s.c == 3):
			calls = append(calls, int32(n))
		default:
			input[name] = true
		}
		data[n] = true
	}
	for _, n := range calls {
		s, name := &b.nodes[n], b.name(n)
		if input[name] {
			continue
		}
		meant := writtenAs(name, int(s.c))
		if foreign().meant["helper"][name] != "" {
			meant = ""
		} else if meant == "" {
			meant = near(name, int(s.c))
		}
		if input[name] = true; meant != "" {
			b.errorf(ir.Pos(s.pos), "there is no function %s (did you mean %s?); an input of that name needs a declaration", name, meant)
		}
	}
}

// isCondition reports whether a node is a truth value by its form.
func (b *builder) isCondition(n int32) bool {
	s := &b.nodes[n]
	return s.kind == synBool || s.kind == synOp && (s.op.IsComparison() || isLogical(s.op) || s.op == ir.IsNaN)
}

// isFraction reports whether a node is no integer by its form.
func (b *builder) isFraction(s *syn) bool {
	if s.kind == synNum {
		num, _ := readNumber(b.src.Text[s.a:s.b], false)
		return num.float
	}
	return s.kind == synOp && s.op.FloatsOnly()
}

// near returns the function with so many operands that a name misses by a letter, or by two of six. A short name is
// next to many: mix and map are no misspelt max, and in is no sin.
func near(name string, args int) string {
	most := 1
	if len(name) >= 6 {
		most = 2
	}
	for _, c := range builtinNames() {
		f := builtins[c]
		short := min(len(name), len(c)) <= 3
		switch {
		case args < f.min || args > f.max || c == "table" || c == "Expr" || strings.ContainsAny(name, "0123456789") != strings.ContainsAny(c, "0123456789"):
		case strings.ToLower(name) == c:
			return c
		case short && (name[0] != c[0] || len(name) == len(c) && editDistance(name, c) == hamming(name, c)):
		case editDistance(name, c) <= most:
			return c
		}
	}
	return ""
}

// hamming counts the places where two words of one length differ.
func hamming(a, b string) (n int) {
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// declarationOf is what to write for a name that nothing declares: of a short one, the coordinate that it probably is.
func (b *builder) declarationOf(name string, args int, call bool) string {
	for _, d := range b.prog.Domains {
		if !call && len(name) <= 2 && len(d.Dims) > 0 && b.isArgument(name) {
			return fmt.Sprintf(" (did you mean %s?)", d.Dims[0].Var)
		}
	}
	switch {
	case strings.Contains(name, "."):
		return ""
	case call && near(name, args) != "":
		return fmt.Sprintf(" (did you mean %s?)", near(name, args))
	case call:
		return fmt.Sprintf(": ImageParam %s(Int(32), %d); declares an input", name, args)
	}
	return fmt.Sprintf(": Param<int> %s; declares a parameter", name)
}

// isArgument reports whether a name alone is an argument of a call.
func (b *builder) isArgument(name string) bool {
	return slices.ContainsFunc(b.args, func(n int32) bool { return b.nodes[n].kind == synName && b.name(n) == name })
}

// unknown reports a name of a program that nothing declares.
func (b *builder) unknown(pos ir.Pos, name string, args int, call bool) {
	last := name[strings.LastIndexByte(name, '.')+1:]
	_, isFunction := builtins[strings.ToLower(last)]
	switch meant := writtenAs(name, args); {
	case call && meant != "":
		b.errorf(pos, "there is no function %s: it is written %s", name, meant)
	case call && isFunction:
		b.errorf(pos, "there is no function %s (did you mean %s?)", name, strings.ToLower(last))
	default:
		known := b.knownNames((*symbol).isValue)
		if call {
			known = b.knownNames((*symbol).isCalled)
		}
		b.undeclared(pos, name, known, b.declarationOf(name, args, call))
	}
}
