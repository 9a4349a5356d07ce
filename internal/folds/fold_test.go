package folds_test

import (
	"testing"

	. "github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
)

// Each component is recognised: its operation and its leaf, or the key of a search and
// the payload that it takes.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		types    []ir.Type
		update   string
		parts    []string // "" where the component is no fold
		searches []string
	}{
		{[]ir.Type{ir.I32}, "x0 + y0", []string{"+ y0"}, nil},
		{[]ir.Type{ir.I32}, "x0 - y0", []string{"+ -y0"}, nil},
		{[]ir.Type{ir.I32}, "select(y0 < 3, x0 + 1, x0)", []string{"+ select(y0 < 3, 1, 0)"}, nil},
		{[]ir.Type{ir.I32}, "select(x0 < y0, y0, x0)", []string{"max y0"}, nil},
		{[]ir.Type{ir.F32}, "select(x0 < y0, y0, x0)", []string{""}, []string{"y0, which Max"}},
		{[]ir.Type{ir.F32}, "select(x0 < y0, y0, 5)", []string{""}, nil},
		{[]ir.Type{ir.F32}, "select(x0 < y0, x0*y1, y0)", []string{""}, nil},
		{[]ir.Type{ir.F32, ir.I32}, "min(x0, y0); select(x0 < y0, x1, y1 + x1)", []string{"min y0", ""}, nil},
		{[]ir.Type{ir.F32}, "select(y0 < 3, x0 + y0, x0)", []string{"+ select(y0 < 3.0, y0, -0.0)"}, nil},
		{[]ir.Type{ir.I32}, "x0", []string{"keeps"}, nil},
		{[]ir.Type{ir.I32}, "x0*x0 + y0", []string{""}, nil},
		{[]ir.Type{ir.I32, ir.I32}, "min(x0, y0); select(x0 < y0, x1, y1)", []string{"min y0", ""}, []string{"y0, which Last takes y1"}},
		{[]ir.Type{ir.I32, ir.I32}, "min(x0, y0); select(x0 <= y0, x1, y1)", []string{"min y0", ""}, []string{"y0, which takes y1"}},
		{[]ir.Type{ir.I32, ir.I32}, "min(x0, y0); select(y1 < y0, x1, y1)", []string{"min y0", ""}, nil},
	} {
		values, err := pattern.Parse(ir.NewPool(), c.types, c.update)
		if err != nil {
			t.Fatal(err)
		}
		parts, ok := All(values)
		for i := range values {
			got := ""
			switch {
			case ok[i] && parts[i].Op == ir.Const:
				got = "keeps"
			case ok[i]:
				got = parts[i].Op.String() + " " + parts[i].Leaf.String()
			}
			if got != c.parts[i] {
				t.Errorf("%s: component %d is %q, not %q", c.update, i, got, c.parts[i])
			}
		}
		var searches []string
		for _, s := range Searches(values, parts, ok) {
			text := s.Leaf.String() + ", which"
			if s.Max {
				text += " Max"
			}
			if s.Last {
				text += " Last"
			}
			for _, e := range s.Taken {
				text += " takes " + e.String()
			}
			searches = append(searches, text)
		}
		if len(searches) != len(c.searches) || len(searches) == 1 && searches[0] != c.searches[0] {
			t.Errorf("%s: searches %q, not %q", c.update, searches, c.searches)
		}
	}
}
