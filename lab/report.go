package lab

import (
	_ "embed"
	"html/template"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/internal/save"
)

//go:embed report.html
var pageText string

var page = template.Must(template.New("report").Parse(pageText))

// Report writes the tables, the plots and the page into a directory: each file whole, or not at all.
func (s *Summary) Report(dir string) error {
	tables := s.tables()
	for _, t := range tables {
		if err := save.Text(filepath.Join(dir, t.name+".csv"), s.csv(t)); err != nil {
			return err
		}
	}
	figures, err := s.figures()
	if err != nil {
		return err
	}
	type picture struct {
		Name, Title string
		SVG         template.HTML // without its last tag
		Points      []point
	}
	var pictures []picture
	for _, f := range figures {
		if err := save.Text(filepath.Join(dir, f.name+".svg"), f.svg); err != nil {
			return err
		}
		_, inner, _ := strings.Cut(string(f.svg), "-->")
		pictures = append(pictures, picture{f.name, f.title, template.HTML(strings.TrimSuffix(strings.TrimSpace(inner), "</svg>")), f.points})
	}
	rows, err := data(tables)
	if err != nil {
		return err
	}
	var b strings.Builder
	err = page.Execute(&b, map[string]any{"Head": s.lines(), "Name": s.Head.Name, "Missing": s.Missing, "Headlines": s.headlines(), "Heats": s.heats(), "Pictures": pictures, "Tables": tables, "Data": template.JS(strings.ReplaceAll(string(rows), "</", `<\/`))})
	if err != nil {
		return err
	}
	return save.Text(filepath.Join(dir, reportFile), []byte(b.String()))
}
