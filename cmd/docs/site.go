package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rfactor-go/rfactor/internal/save"
)

//go:embed page.html style.css
var assets embed.FS

var pageTemplate = template.Must(template.ParseFS(assets, "page.html"))

// indexPage is the first page. Its lists are the navigation of all pages.
const indexPage = "docs/index.md"

// blobs is where files of the tree that are no part of the site can be read.
const blobs = "https://github.com/rfactor-go/rfactor/blob/main/"

// A site is the pages of a tree and what they link to.
type site struct {
	tree  fs.FS
	pages map[string]*page // by their path in the tree
	nav   []section
	files map[string]bool // files in docs that pages link to

	playground string // its address; empty for no links to it
}

// A page is a Markdown file. Links in doc are as in the tree until the site is linked.
type page struct {
	path   string
	source []byte
	doc    ast.Node
	title  string
	ids    anchors
	inside []link // the headings of level 2
}

// A section is a heading of the index with the links of the list below it.
type section struct {
	Title string
	Links []link
}

type link struct {
	Title, Href string
	Here        bool
	Inside      []link // of the page that is shown
}

// markdown parses and renders pages, with links to a playground if there is one.
func markdown(playground string) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(code{playground}, 100))),
	)
}

// load reads the pages of a tree and resolves their links. Its error names every link that leads nowhere and every
// page that no link leads to.
func load(tree fs.FS) (*site, error) {
	s := &site{tree: tree, pages: map[string]*page{}, files: map[string]bool{}}
	names, err := fs.Glob(tree, "*.md")
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(tree, "docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		s.pages[name] = parse(name, source)
	}
	if s.pages[indexPage] == nil {
		return nil, fmt.Errorf("%s is missing", indexPage)
	}
	s.nav = navigation(s.pages[indexPage])
	return s, s.link()
}

func parse(name string, source []byte) *page {
	p := &page{path: name, source: source, ids: anchors{}}
	p.doc = markdown("").Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(p.ids))))
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		id, _ := h.AttributeString("id")
		switch here := plain(h, source); h.Level {
		case 1:
			p.title = here
		case 2:
			p.inside = append(p.inside, link{Title: here, Href: "#" + string(id.([]byte))})
		}
	}
	return p
}

// navigation reads the lists of a page, each under its heading; links are paths in the tree.
func navigation(p *page) (all []section) {
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			all = append(all, section{Title: plain(n, p.source)})
		case *ast.List:
			here := &all[len(all)-1]
			for _, l := range links(n) {
				dest := path.Join(path.Dir(p.path), string(l.Destination))
				here.Links = append(here.Links, link{Title: plain(l, p.source), Href: dest})
			}
		}
	}
	return slices.DeleteFunc(all, func(s section) bool { return s.Links == nil })
}

// links lists the links in a node, in their order.
func links(root ast.Node) (all []*ast.Link) {
	// The walker gives no error.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			all = append(all, l)
		}
		return ast.WalkContinue, nil
	})
	return all
}

// link makes links in the tree to links of the site.
func (s *site) link() error {
	var errs []error
	leads := map[string][]string{} // from page to page
	for _, p := range s.ordered() {
		_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			var dest *[]byte
			switch n := n.(type) {
			case *ast.Link:
				dest = &n.Destination
			case *ast.Image:
				dest = &n.Destination
			}
			if dest == nil || !entering {
				return ast.WalkContinue, nil
			}
			to, href, err := s.resolve(p, string(*dest))
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", p.path, err))
			}
			leads[p.path] = append(leads[p.path], to)
			*dest = []byte(href)
			return ast.WalkContinue, nil
		})
	}
	reached := map[string]bool{indexPage: true}
	for next := []string{indexPage}; len(next) > 0; next = next[1:] {
		for _, to := range leads[next[0]] {
			if !reached[to] {
				reached[to] = true
				next = append(next, to)
			}
		}
	}
	for _, p := range s.ordered() {
		if !reached[p.path] {
			errs = append(errs, fmt.Errorf("%s: no link leads from %s to it", p.path, indexPage))
		}
	}
	return errors.Join(errs...)
}

func (s *site) ordered() (pages []*page) {
	for _, name := range slices.Sorted(maps.Keys(s.pages)) {
		pages = append(pages, s.pages[name])
	}
	return pages
}

// resolve returns what a link of a page leads to in the tree, and as a link of the site. Of links to other sites it
// returns the link alone.
func (s *site) resolve(from *page, dest string) (to, href string, err error) {
	if strings.Contains(dest, "://") || strings.HasPrefix(dest, "mailto:") {
		return "", dest, nil
	}
	name, anchor, anchored := strings.Cut(dest, "#")
	to = from.path
	if name != "" {
		to = path.Join(path.Dir(from.path), name)
	}
	switch target := s.pages[to]; {
	case target != nil && anchored && !target.ids[anchor]:
		return "", "", fmt.Errorf("%s: %s has no heading of that name", dest, to)
	case target != nil:
		href = relative(from.out(), target.out())
		if anchored {
			href += "#" + anchor
		}
		return to, href, nil
	}
	info, err := fs.Stat(s.tree, to)
	switch inside, ok := strings.CutPrefix(to, "docs/"); {
	case err != nil:
		return "", "", err
	case ok && !info.IsDir():
		s.files[to] = true
		return to, relative(from.out(), inside), nil
	}
	return to, blobs + dest[len(dest)-len(strings.TrimLeft(dest, "./")):], nil
}

// out is where a page lies in the site: those of docs as there, those of the root beside them.
func (p *page) out() string {
	return strings.TrimSuffix(strings.TrimPrefix(p.path, "docs/"), ".md") + ".html"
}

// relative is the link from one file of the site to another.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// write renders all pages into a folder, with the style sheet and the files that pages link to.
func (s *site) write(dir string) error {
	for _, p := range s.ordered() {
		html, err := s.render(p)
		if err == nil {
			err = writeFile(filepath.Join(dir, p.out()), html)
		}
		if err != nil {
			return err
		}
	}
	for name := range s.files {
		data, err := fs.ReadFile(s.tree, name)
		if err == nil {
			err = writeFile(filepath.Join(dir, strings.TrimPrefix(name, "docs/")), data)
		}
		if err != nil {
			return err
		}
	}
	style, err := assets.ReadFile("style.css")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "style.css"), style)
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return save.Text(name, data)
}

func (s *site) render(p *page) ([]byte, error) {
	var body, html bytes.Buffer
	if err := markdown(s.playground).Renderer().Render(&body, p.source, p.doc); err != nil {
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	err := pageTemplate.Execute(&html, map[string]any{
		"Title": p.title,
		"Style": relative(p.out(), "style.css"),
		"Index": relative(p.out(), "index.html"),
		"Nav":   s.navOf(p),
		"Body":  template.HTML(body.String()),
	})
	return html.Bytes(), err
}

// navOf is the navigation with links that lead from a page.
func (s *site) navOf(p *page) (all []section) {
	for _, sec := range s.nav {
		here := section{Title: sec.Title}
		for _, l := range sec.Links {
			target := s.pages[l.Href]
			if target == nil {
				continue // no page of the site
			}
			l.Href, l.Here = relative(p.out(), target.out()), target == p
			if l.Here {
				l.Inside = p.inside
			}
			here.Links = append(here.Links, l)
		}
		all = append(all, here)
	}
	return all
}

// plain is the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
