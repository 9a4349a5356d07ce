package gocode

import (
	"cmp"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/internal/cli"
)

// vetLoops writes findings grouped by the folder of their package and by category: each a line that opens to its source, with the loop
// marked, and to what merges slices of it.
func vetLoops(findings []*golang.Finding) string {
	sources := sourceFiles{}
	var b strings.Builder
	for _, folder := range grouped(findings, func(f *golang.Finding) string { return filepath.Dir(f.Pos.Filename) }) {
		fmt.Fprintf(&b, "\n<section class=\"package\"><h3>%s <span class=\"count\">%s</span></h3>", html.EscapeString(folder.name), cli.Count(len(folder.findings), "loop"))
		for _, category := range grouped(folder.findings, func(f *golang.Finding) string { return f.Category }) {
			fmt.Fprintf(&b, "\n<section class=\"category\"><h4>%s</h4>", html.EscapeString(category.name))
			for _, f := range category.findings {
				b.WriteString(vetLoop(f, sources))
			}
			b.WriteString("</section>")
		}
		b.WriteString("</section>")
	}
	return b.String()
}

// group is findings that have something in common.
type group struct {
	name     string
	findings []*golang.Finding
}

// grouped groups findings by a name, in the order of the names. Each group keeps the order of its findings.
func grouped(findings []*golang.Finding, nameOf func(*golang.Finding) string) (out []group) {
	for _, f := range findings {
		name := nameOf(f)
		at := slices.IndexFunc(out, func(g group) bool { return g.name == name })
		if at < 0 {
			at = len(out)
			out = append(out, group{name: name})
		}
		out[at].findings = append(out[at].findings, f)
	}
	slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(a.name, b.name) })
	return out
}

// vetLoop writes one finding.
func vetLoop(f *golang.Finding, sources sourceFiles) string {
	place := fmt.Sprintf("%s:%d", filepath.Base(f.Pos.Filename), f.Pos.Line)
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details class=\"loop\" data-words=\"%s\"><summary><span class=\"verdict\">%s</span> <code title=\"%s\">%s</code> %s: %s</summary>",
		html.EscapeString(strings.ToLower(fmt.Sprint(f.Pos, " ", f.Category))), html.EscapeString(string(f.Verdict)), html.EscapeString(f.Pos.String()), html.EscapeString(place),
		html.EscapeString(f.Func), html.EscapeString(f.Message()))
	if before, loop := sources.loop(f); loop != "" {
		fmt.Fprintf(&b, "<pre>%s<mark>%s</mark></pre>", html.EscapeString(before), html.EscapeString(loop))
	}
	if merge := inGo(f); merge != "" {
		fmt.Fprintf(&b, "<p>Slices merge by <code>%s</code>, where a prime marks what the later slice has.</p>", html.EscapeString(merge))
	}
	if f.Fix != "" {
		fmt.Fprintf(&b, "<p>Fix: %s</p>", html.EscapeString(f.Fix))
	}
	b.WriteString("</details>")
	return b.String()
}

// operandNames matches the components of operands.
var operandNames = regexp.MustCompile(`\b[xy]\d+\b`)

// inGo writes the operator of a reduction with the variables of the loop: s = s + s′. It is "" for other verdicts, and where an
// operand is no variable of the loop.
func inGo(f *golang.Finding) string {
	if f.Verdict != golang.Reduction || len(f.Operator) != len(f.State) {
		return ""
	}
	known := true
	var texts []string
	for i, e := range f.Operator {
		texts = append(texts, f.State[i]+" = "+operandNames.ReplaceAllStringFunc(e, func(name string) string {
			at, err := strconv.Atoi(name[1:])
			if err != nil || at >= len(f.State) {
				known = false
				return name
			}
			if name[0] == 'y' {
				return f.State[at] + "′"
			}
			return f.State[at]
		}))
	}
	if !known {
		return ""
	}
	return strings.Join(texts, "; ")
}

// sourceFiles are lines of files that were read; nil of those that could not be.
type sourceFiles map[string][]string

// longestLoop bounds the lines of a loop that a page shows.
const longestLoop = 40

// loop returns the line before a loop and the lines of the loop. Of a file that cannot be read, or has changed, the loop is the line that the finding
// has. Where a loop ends is seen by its indentation, which gofmt gives all Go.
func (files sourceFiles) loop(f *golang.Finding) (before, loop string) {
	lines, read := files[f.Pos.Filename]
	if !read {
		if text, err := os.ReadFile(f.Pos.Filename); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		files[f.Pos.Filename] = lines
	}
	at := f.Pos.Line - 1
	if at < 0 || at >= len(lines) || f.Source != "" && strings.TrimSpace(lines[at]) != strings.TrimSpace(f.Source) {
		return "", f.Source
	}
	indent := lines[at][:len(lines[at])-len(strings.TrimLeft(lines[at], "\t "))]
	end := at + 1
	for end < len(lines) && end < at+longestLoop && !strings.HasPrefix(lines[end-1], indent+"}") {
		end++
	}
	if at > 0 {
		before = lines[at-1] + "\n"
	}
	return before, strings.Join(lines[at:end], "\n")
}
