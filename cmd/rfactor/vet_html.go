package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"slices"

	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/rfactor"
)

//go:embed vet.html
var vetPage string

// vetCounts is a row of numbers.
type vetCounts struct {
	Name   string
	Counts []int
}

// vetHTML writes a page about packages, in one file that asks nobody for anything: loops seen, read and answered, and of each loop
// that carries values what is said of it.
func vetHTML(s *survey) ([]byte, error) {
	page := struct {
		*survey
		Columns                                     []string
		Packages, Obstacles                         []vetCounts
		Reductions, Staged, Refused, Fixes, Ignored int
	}{survey: s, Columns: []string{"loops", "innermost", "carry values", "read", "answered", "lifted"}}
	for _, r := range s.results {
		if r.err == nil && r.summary.Loops > 0 {
			n := r.summary
			page.Packages = append(page.Packages, vetCounts{r.name, []int{n.Loops, n.Innermost, n.Carried, n.Read, n.Answered, n.Lifted}})
		}
	}
	first := map[string]int{}
	for _, f := range s.Findings {
		switch {
		case f.Verdict == golang.Reduction:
			page.Reductions++
		case f.Verdict == golang.Refused && f.Code == string(rfactor.Staged):
			page.Staged++
		case f.Verdict == golang.Refused:
			page.Refused++
		case len(f.Obstacles) > 0:
			first[f.Obstacles[0].Kind]++
		}
		if f.HasFix() {
			page.Fixes++
		}
	}
	for kind, n := range first {
		page.Obstacles = append(page.Obstacles, vetCounts{kind, []int{n}})
	}
	slices.SortFunc(page.Obstacles, func(a, b vetCounts) int {
		return cmp.Or(cmp.Compare(b.Counts[0], a.Counts[0]), cmp.Compare(a.Name, b.Name))
	})
	page.Ignored = max(s.Sum.Carried-len(s.Findings), 0)
	t, err := template.New("vet").Parse(vetPage)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, page)
	return b.Bytes(), err
}
