package syntax

import (
	"maps"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// parser reads tokens. A mistake ends it by a panic with an *ir.Error, which Parse catches.
type parser struct {
	module *Module
	tokens []token
	at     int
	depth  int // of types
}

// Parse reads a source. An error is an *ir.Error with its place.
func Parse(name, source string) (m *Module, err error) {
	m = &Module{Source: &ir.Source{Name: name, Text: source}, structs: map[string]*Type{}, attrs: map[string]map[string]bool{}, declared: map[string]string{}, metadata: map[string][]token{}}
	if len(source) > ir.MaxSource {
		return nil, m.Source.Errorf(0, "more than %d bytes", ir.MaxSource)
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			e, ok := thrown.(*ir.Error)
			if !ok {
				panic(thrown)
			}
			m, err = nil, e
		}
	}()
	p := &parser{module: m, tokens: lex(source)}
	for p.peek().kind != end {
		p.topLevel()
	}
	m.resolve()
	return m, nil
}

// resolve puts attributes in place of the groups that functions and calls name, those of callees included.
func (m *Module) resolve() {
	add := func(to map[string]bool, group string) {
		for name := range m.attrs[group] {
			to[name] = true
		}
	}
	for _, f := range m.Funcs {
		for group := range maps.Clone(f.Attrs) {
			add(f.Attrs, group)
		}
		for _, b := range f.Blocks {
			for _, in := range b.Insts {
				if in.Op == "call" {
					for group := range maps.Clone(in.Attrs) {
						add(in.Attrs, group)
					}
					add(in.Attrs, m.declared[in.Callee])
				}
			}
		}
	}
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != end {
		p.at++
	}
	return t
}

// is reports whether the next token is a word or a mark.
func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && (t.kind == word || t.kind == punct)
}

func (p *parser) fail(format string, args ...any) {
	panic(p.module.Source.Errorf(p.peek().pos, format, args...))
}

// quoted is the next token for messages.
func (p *parser) quoted() string {
	switch t := p.peek(); t.kind {
	case newline:
		return "the end of the line"
	case end:
		return "the end of the file"
	default:
		return strconv.Quote(t.text)
	}
}

func (p *parser) expect(text string) {
	if !p.is(text) {
		p.fail("expected %q, not %s", text, p.quoted())
	}
	p.next()
}

// line skips to the next line.
func (p *parser) line() {
	for p.peek().kind != newline && p.peek().kind != end {
		p.next()
	}
	if p.peek().kind == newline {
		p.next()
	}
}

var brackets = map[string]string{"(": ")", "[": "]", "{": "}", "<": ">"}

// parens skips a group in brackets, over lines if need be.
func (p *parser) parens() {
	open := p.peek()
	closes := brackets[open.text]
	if open.kind != punct || closes == "" {
		p.fail("expected a bracket, not %s", p.quoted())
	}
	for depth := 0; ; {
		switch t := p.next(); {
		case t.kind == end:
			p.at = len(p.tokens) - 1
			panic(p.module.Source.Errorf(open.pos, "this %s is not closed", open.text))
		case t.kind == punct && t.text == open.text:
			depth++
		case t.kind == punct && t.text == closes:
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// skipped are the first words of lines that say nothing of functions with bodies.
var skipped = map[string]bool{"source_filename": true, "target": true, "module": true, "uselistorder": true, "uselistorder_bb": true, "deplibs": true}

func (p *parser) topLevel() {
	t := p.peek()
	switch {
	case t.kind == newline:
		p.next()
	case t.kind == word && t.text == "define":
		p.function()
	case t.kind == word && t.text == "declare":
		p.declaration()
	case t.kind == word && t.text == "attributes":
		p.next()
		group := p.next().text
		p.expect("=")
		p.expect("{")
		p.module.attrs[group] = p.attributes("}")
		p.expect("}")
		p.line()
	case t.kind == local && p.ahead(1).text == "=" && p.ahead(2).text == "type":
		p.at += 3
		named := p.named(t.text)
		if defined := p.typ(); named.Kind == Strange && defined != named {
			*named = *defined
			named.Name = t.text
		}
		p.line()
	case t.kind == meta:
		p.next()
		start := p.at
		p.line()
		p.module.metadata[t.text] = p.tokens[start:p.at]
	case t.kind == global || t.kind == punct && (t.text == "$" || t.text == "^") || t.kind == word && (skipped[t.text] || strings.HasPrefix(t.text, "$")):
		p.initializer()
	default:
		p.fail("expected a definition, a declaration or metadata, not %s", p.quoted())
	}
}

// initializer skips a line, and what stands in brackets over several.
func (p *parser) initializer() {
	for p.peek().kind != newline && p.peek().kind != end {
		if t := p.peek(); t.kind == punct && (t.text == "(" || t.text == "[" || t.text == "{") {
			p.parens()
		} else {
			p.next()
		}
	}
}

// function parses a definition.
func (p *parser) function() {
	f := &Func{Pos: p.next().pos, RetIs: map[string]bool{}, Defs: map[string]*Inst{}, Named: map[string]*Block{}}
	f.Ret = p.typeAfterWords(f.RetIs)
	name := p.next()
	if name.kind != global {
		p.at--
		p.fail("expected the name of a function, not %s", p.quoted())
	}
	f.Name = unquoted(name.text[1:])
	numbered := 0 // values without a name are numbers, in their order, and so is the entry
	for p.expect("("); !p.is(")"); {
		if p.is(".") || p.is("...") {
			p.next()
			continue
		}
		param := Param{Type: p.typ(), Attrs: map[string]bool{}}
		for !p.is(",") && !p.is(")") {
			switch t := p.peek(); {
			case t.kind == end || t.kind == newline:
				p.fail("expected a parameter, not %s", p.quoted())
			case t.kind == local:
				param.Name = p.next().text
			case t.text == "(" && t.kind == punct:
				p.parens()
			default:
				param.Attrs[p.next().text] = true
			}
		}
		if param.Name == "" || param.Name == "%"+strconv.Itoa(numbered) {
			param.Name = "%" + strconv.Itoa(numbered)
			numbered++
		}
		f.Params = append(f.Params, param)
		if p.is(",") {
			p.next()
		}
	}
	p.next()
	f.Attrs = map[string]bool{}
	for !p.is("{") {
		switch t := p.peek(); {
		case t.kind == end || t.kind == newline:
			p.fail("expected the body of a function, not %s", p.quoted())
		case t.kind == meta && t.text == "!dbg":
			p.next()
			f.Dbg = p.next().text
		case t.kind == word && (t.text == "prefix" || t.text == "prologue" || t.text == "personality"):
			p.next()
			p.typ()
			p.value(nil)
		default:
			p.attribute(f.Attrs)
		}
	}
	p.body(f, numbered)
	p.module.Funcs = append(p.module.Funcs, f)
}

// typeAfterWords parses a type behind words such as internal, dso_local or noundef, which it collects.
func (p *parser) typeAfterWords(words map[string]bool) *Type {
	for !p.startsType() {
		switch t := p.peek(); {
		case t.kind == end || t.kind == newline || t.kind == global:
			p.fail("expected a type, not %s", p.quoted())
		case t.kind == punct && t.text == "(":
			p.parens()
		default:
			words[p.next().text] = true
		}
	}
	return p.typ()
}

func unquoted(name string) string { return strings.Trim(name, `"`) }

// body parses the blocks of a function.
func (p *parser) body(f *Func, numbered int) {
	p.expect("{")
	var b *Block
	begin := func(name string, pos ir.Pos) {
		b = &Block{Name: name, Index: len(f.Blocks), Pos: pos}
		if f.Named[name] != nil {
			panic(p.module.Source.Errorf(pos, "a second block %s", name))
		}
		f.Blocks, f.Named[name] = append(f.Blocks, b), b
	}
	for !p.is("}") {
		t := p.peek()
		switch {
		case t.kind == newline:
			p.next()
		case t.kind == end:
			p.at = len(p.tokens) - 1
			panic(p.module.Source.Errorf(f.Pos, "the body of @%s is not closed", f.Name))
		case (t.kind == word || t.kind == text) && p.ahead(1).text == ":" && p.ahead(1).kind == punct:
			p.at += 2
			begin("%"+t.text, t.pos)
		case t.kind == hash || t.kind == word && strings.HasPrefix(t.text, "uselistorder"): // a record of debugging
			p.line()
		default:
			if b == nil {
				begin("%"+strconv.Itoa(numbered), t.pos)
			}
			in := p.instruction()
			if in.Res != "" {
				if f.Defs[in.Res] != nil {
					panic(p.module.Source.Errorf(in.Pos, "a second value %s", in.Res))
				}
				f.Defs[in.Res] = in
			}
			b.Insts = append(b.Insts, in)
		}
	}
	f.End = p.next().pos + 1
	for _, b := range f.Blocks {
		if last := b.Last(); last == nil || !isTerminator[last.Op] {
			panic(p.module.Source.Errorf(b.Pos, "the block %s does not end in a branch or a return", b.Name))
		}
	}
	if len(f.Blocks) == 0 {
		panic(p.module.Source.Errorf(f.Pos, "@%s has no blocks", f.Name))
	}
}

var isTerminator = map[string]bool{"br": true, "switch": true, "ret": true, "unreachable": true, "indirectbr": true, "invoke": true, "resume": true,
	"callbr": true, "catchswitch": true, "catchret": true, "cleanupret": true}
