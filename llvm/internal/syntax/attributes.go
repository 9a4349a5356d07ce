package syntax

import (
	"strings"
)

// attributes collects attributes up to a closing mark.
func (p *parser) attributes(until string) map[string]bool {
	set := map[string]bool{}
	for !p.is(until) && p.peek().kind != end && p.peek().kind != newline {
		p.attribute(set)
	}
	return set
}

// attribute adds one attribute to a set: noundef, memory(none), "no-nans-fp-math"="true".
func (p *parser) attribute(set map[string]bool) {
	t := p.next()
	name := strings.Trim(t.text, `"`)
	switch {
	case t.kind == punct && t.text == "(":
		p.at--
		p.parens()
		return
	case t.kind == text && p.is("="):
		p.next()
		if p.next().text == `"false"` {
			return
		}
	case t.kind == word && p.is("("):
		start := p.at
		p.parens()
		for _, part := range p.tokens[start:p.at] {
			name += part.text
		}
	}
	set[name] = true
}

// declaration notes the attributes of a function that is declared alone.
func (p *parser) declaration() {
	start := p.at
	p.initializer()
	name := ""
	for _, t := range p.tokens[start:p.at] {
		if t.kind == global && name == "" {
			name = "@" + unquoted(t.text[1:])
		} else if t.kind == hash {
			p.module.declared[name] = t.text
		}
	}
}
