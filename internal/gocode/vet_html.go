package gocode

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/rfactor"
)

// vetPage is the page, with names in braces where texts come.
//
//go:embed vet.html
var vetPage string

// vetHTML writes a page about packages, in one file that asks nobody for anything: loops seen, read and answered, and of each loop
// that carries values what is said of it. It does without html/template: a program with that keeps every exported method of all
// its types, which is a fifth of the command.
func vetHTML(s *survey) []byte {
	var reductions, staged, refused, fixes int
	first := map[string]int{}
	var packages, obstacles, leftOut strings.Builder
	for _, f := range s.Findings {
		switch {
		case f.Verdict == golang.Reduction:
			reductions++
		case f.Verdict == golang.Refused && f.Code == string(rfactor.Staged):
			staged++
		case f.Verdict == golang.Refused:
			refused++
		case len(f.Obstacles) > 0:
			first[f.Obstacles[0].Kind]++
		}
		if f.HasFix() {
			fixes++
		}
	}
	for _, r := range s.results {
		if n := r.Summary; r.Err == nil && n.Loops > 0 {
			packages.WriteString(counts(r.Path, n.Loops, n.Innermost, n.Carried, n.Read, n.Answered, n.Lifted))
		}
	}
	kinds := slices.SortedFunc(maps.Keys(first), func(a, b string) int { return cmp.Or(cmp.Compare(first[b], first[a]), cmp.Compare(a, b)) })
	for _, kind := range kinds {
		obstacles.WriteString(counts(kind, first[kind]))
	}
	if len(s.LeftOut) > 0 {
		leftOut.WriteString("<h2>Packages that were left out</h2>\n<ul>")
		for _, why := range s.LeftOut {
			leftOut.WriteString("<li>" + html.EscapeString(why) + "</li>")
		}
		leftOut.WriteString("</ul>\n")
	}
	columns, ignored := "", ""
	for _, c := range columnNames {
		columns += `<th class="n"><button>` + c + "</button></th>"
	}
	if n := s.Sum.Carried + s.Sum.Outer + s.Sum.Searches + s.Sum.Histograms - len(s.Findings); n > 0 {
		ignored = fmt.Sprintf("%d are silenced by a comment and not listed here. ", n)
	}
	return []byte(strings.NewReplacer(
		"{loops}", fmt.Sprint(s.Sum.Loops), "{innermost}", fmt.Sprint(s.Sum.Innermost), "{carried}", fmt.Sprint(s.Sum.Carried), "{read}", fmt.Sprint(s.Sum.Read),
		"{answered}", fmt.Sprint(s.Sum.Answered), "{lifted}", fmt.Sprint(s.Sum.Lifted), "{reductions}", fmt.Sprint(reductions), "{staged}", fmt.Sprint(staged),
		"{refused}", fmt.Sprint(refused), "{fixes}", fmt.Sprint(fixes), "{ignored}", ignored, "{columns}", columns,
		"{packages}", packages.String(), "{leftout}", leftOut.String(), "{obstacles}", obstacles.String(), "{findings}", vetLoops(s.Findings),
	).Replace(vetPage))
}

// columnNames are what is counted of each package.
var columnNames = []string{"loops", "innermost", "carry values", "read", "answered", "lifted"}

// counts is a row of a name and numbers, which have the names of columns where the page is too narrow for these.
func counts(name string, numbers ...int) string {
	row := "\n<tr>" + cell("", name)
	for i, n := range numbers {
		row += cell(` class="n" data-name="`+columnNames[i]+`"`, n)
	}
	return row + "</tr>"
}

// cell is a cell of a table, whose text is escaped.
func cell(attributes string, v any) string {
	return "<td" + attributes + ">" + html.EscapeString(fmt.Sprint(v)) + "</td>"
}
