package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/view"
)

const (
	slicesFile  = "../../docs/pictures/slices.svg"
	slicesOf    = "f() = select(in(r) > 9, f() + 1, f())"
	cell, line  = 52, 30 // sizes of a cell
	slicesLabel = 190    // width of the names of rows
)

// The picture of slices shows what the update of the first page computes: with -update it is drawn anew.
func TestExcerptsOfSlices(t *testing.T) {
	page := (&view.Request{Text: slicesOf}).Match(context.Background())
	page.Part(context.Background(), view.MergePart)
	m := page.Merged(0, []string{"0", "12 4 10 31 7 15 9 26"})
	if m.Failed != "" || !m.Equal {
		t.Fatalf("%s%s", m.Failed, m.Why)
	}
	drawn := drawSlices(m)
	if *update {
		if err := os.WriteFile(slicesFile, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(slicesFile); err != nil || string(kept) != drawn {
		t.Errorf("%s is not what the update computes (%v): go test ./cmd/docs -run Excerpts -update", slicesFile, err)
	}
}

// drawSlices draws a row of inputs, one of the serial loop, and below them the tree of slices.
func drawSlices(m *view.Merge) string {
	var b strings.Builder
	rows := 0
	row := func(name, class string, texts []string, widths []int) {
		y := rows*line + 4
		fmt.Fprintf(&b, `<text x="6" y="%d">%s</text>`+"\n", y+18, name)
		x := slicesLabel
		for i, text := range texts {
			w := cell * widths[i]
			fmt.Fprintf(&b, `<g class=%q><rect x="%d" y="%d" width="%d" height="%d" rx="4"/><text x="%d" y="%d" text-anchor="middle">%s</text></g>`+"\n",
				class, x+2, y, w-4, line-4, x+w/2, y+18, text)
			x += w
		}
		rows++
	}
	steps := len(m.Serial) - 1
	ones := make([]int, steps)
	for i := range ones {
		ones[i] = 1
	}
	row("in(r)", "data", m.Rows[1].Values, ones)
	row("the serial loop counts", "root", m.Serial[1:], ones)
	for n, level := range m.Levels {
		var texts []string
		var widths []int
		for _, s := range level {
			texts, widths = append(texts, s.Value), append(widths, s.Steps)
		}
		name := "a step adds y0"
		if n > 0 {
			name = fmt.Sprintf("slices of %d add up", level[0].Steps)
		}
		row(name, "data", texts, widths)
	}
	row("from 0: the same", "part", []string{m.Last.Value}, []int{steps})
	width, height := slicesLabel+steps*cell+4, rows*line+4
	const style = `svg{color-scheme:light dark}text{font:12px ui-monospace,"DejaVu Sans Mono",Menlo,monospace;fill:light-dark(#1c1f24,#dcdfe4)}rect{fill:light-dark(#f4f5f7,#1d2026);stroke:#888}.back{fill:light-dark(#fff,#14161a);stroke:none}.root rect{fill:light-dark(#cfe4ff,#1d3a5f)}.part rect{fill:light-dark(#ffe9a8,#574400)}`
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">
<style>%s</style>
<rect class="back" width="%d" height="%d"/>
%s</svg>
`, width, height, width, height, style, width, height, b.String())
}
