package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// table is rows of cells, the first of which is the head.
type table struct {
	name  string // of its file, and of its place in the page
	title string
	rows  [][]string
}

func (t *table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case float64:
			row[i] = fmt.Sprintf("%.4g", c)
			if math.Abs(c) >= 1000 {
				row[i] = fmt.Sprintf("%.0f", c)
			}
		default:
			row[i] = fmt.Sprint(c)
		}
	}
	t.rows = append(t.rows, row)
}

// tables makes all tables; those that would be empty are left out.
func (s *Summary) tables() (out []*table) {
	for _, t := range []*table{s.coverage(), s.families(), s.times(), s.gains(), s.sweeps(), s.scrambled(), s.scrambledFamilies(), s.lost(), s.ablations(), s.redundant(), s.stages(), s.saturation(), s.joined(), s.updatesTable()} {
		if t != nil && len(t.rows) > 1 {
			out = append(out, t)
		}
	}
	return out
}

// csv returns a table with the head of the run as comments.
func (s *Summary) csv(t *table) []byte {
	var b bytes.Buffer
	for _, line := range s.lines() {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	if s.Missing > 0 {
		fmt.Fprintf(&b, "# partial: %d matches are missing\n", s.Missing)
	}
	for _, row := range t.rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(cell, ",\"\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// data returns what the script of the page reads: the tables as JSON.
func data(tables []*table) ([]byte, error) {
	type page struct {
		Name, Title string
		Rows        [][]string
	}
	var all []page
	for _, t := range tables {
		all = append(all, page{t.name, t.title, t.rows})
	}
	return json.Marshal(all)
}
