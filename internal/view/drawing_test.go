package view

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// Drawings of random graphs are well-formed, the same each time, and no box is above another one. The last box of
// half of them begins a circle.
func TestDrawing(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		d := &Drawing{}
		for range 1 + rng.IntN(20) {
			box := Box{}
			for range 1 + rng.IntN(3) {
				box.Cells = append(box.Cells, []string{strings.Repeat("<", 1+rng.IntN(30)), "y"}[rng.IntN(2):])
			}
			d.Boxes = append(d.Boxes, box)
		}
		n := len(d.Boxes)
		for range 2 * n {
			from := rng.IntN(n)
			a := Arrow{From: from, Cell: rng.IntN(len(d.Boxes[from].Cells)), To: from + rng.IntN(n-from), Dashed: rng.IntN(2) == 0}
			if from == n-1 && seed%2 == 0 {
				a.To = 0
			}
			d.Arrows = append(d.Arrows, a)
		}
		got := d.SVG()
		if !bytes.Equal(got, d.SVG()) {
			t.Fatalf("seed %d: two drawings of the same differ", seed)
		}
		wellFormed(t, got)
		apart(t, got, n)
	}
}

func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	for r := xml.NewDecoder(bytes.NewReader(text)); ; {
		switch _, err := r.Token(); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			t.Fatalf("%v: %s", err, text)
		}
	}
}

// apart looks at the boxes of a drawing, which has n of them.
func apart(t *testing.T, text []byte, n int) {
	t.Helper()
	type area struct{ x, y, w, h float64 }
	var size area
	var boxes []area
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, `<svg xmlns="http://www.w3.org/2000/svg" width="%f" height="%f"`, &size.w, &size.h); err == nil {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "<g><rect "); ok {
			var a area
			if _, err := fmt.Sscanf(rest, `x="%f" y="%f" width="%f" height="%f"`, &a.x, &a.y, &a.w, &a.h); err != nil {
				t.Fatal(err)
			}
			for _, b := range boxes {
				if a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
					t.Errorf("boxes overlap: %v %v", a, b)
				}
			}
			if a.x < 0 || a.y < 0 || a.x+a.w > size.w || a.y+a.h > size.h {
				t.Errorf("a box leaves the drawing: %v of %v", a, size)
			}
			boxes = append(boxes, a)
		}
	}
	if len(boxes) != n {
		t.Errorf("%d boxes of %d are drawn", len(boxes), n)
	}
}
