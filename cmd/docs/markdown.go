package main

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// anchors are the names of a page's headings, made as GitHub makes them: links work in both places.
type anchors map[string]bool

// Generate makes the name of a heading.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	unique := name
	for n := 1; a[unique]; n++ {
		unique = fmt.Sprintf("%s-%d", name, n)
	}
	a.Put([]byte(unique))
	return []byte(unique)
}

// Put says that a name is in use.
func (a anchors) Put(name []byte) { a[string(name)] = true }

// code renders fenced blocks, with the name of a file above its text and commands in bold, and code in lines. Programs of the gallery open
// in the playground, if it has an address.
type code struct{ playground string }

// RegisterFuncs is part of renderer.NodeRenderer.
func (c code) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, c.renderBlock)
	r.Register(ast.KindCodeSpan, renderSpan)
}

// unbroken is the most characters that code in a line may have and still not be broken into two lines.
const unbroken = 16

func renderSpan(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text := strings.ReplaceAll(plain(n, source), "\n", " ")
	class := ""
	if utf8.RuneCountInString(text) <= unbroken {
		class = ` class="short"`
	}
	fmt.Fprintf(w, "<code%s>%s</code>", class, html.EscapeString(text))
	return ast.WalkSkipChildren, nil
}

func (c code) renderBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	b := readFence(n.(*ast.FencedCodeBlock), source)
	if b.file != "" {
		fmt.Fprintf(w, "<p class=\"file\">%s</p>\n", html.EscapeString(b.file))
	}
	fmt.Fprint(w, `<pre tabindex="0"><code>`)
	for line := range strings.Lines(b.text) {
		escaped := html.EscapeString(line)
		if b.language == "console" && strings.HasPrefix(line, "$ ") {
			escaped = "<b>" + strings.TrimSuffix(escaped, "\n") + "</b>\n"
		}
		fmt.Fprint(w, escaped)
	}
	fmt.Fprint(w, "</code></pre>\n")
	if c.playground != "" && strings.HasPrefix(b.from, "docs/gallery/") {
		link := c.playground + "#" + url.Values{"text": {b.text}}.Encode()
		fmt.Fprintf(w, "<p class=\"file\"><a href=\"%s\">Open in the playground</a></p>\n", html.EscapeString(link))
	}
	return ast.WalkSkipChildren, nil
}

// A fence is a fenced block: ```language file=NAME, or ```language from=PATH.
type fence struct {
	language, file, from, text string
}

func readFence(n *ast.FencedCodeBlock, source []byte) (f fence) {
	if n.Info != nil {
		f.language, _, _ = strings.Cut(string(n.Info.Value(source)), " ")
		for word := range strings.FieldsSeq(string(n.Info.Value(source))) {
			if name, ok := strings.CutPrefix(word, "file="); ok {
				f.file = name
			}
			if name, ok := strings.CutPrefix(word, "from="); ok {
				f.from = name
			}
		}
	}
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(source))
	}
	f.text = b.String()
	return f
}
