package view

import (
	"context"
	"slices"
	"testing"
)

// A proof names the assumptions that it needs: sums of floats are associative by reassoc, extrema without it.
func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		Request
		needed []string // by any claim
	}{
		{Request{Text: "x0 + y0", Types: "x0:f32,y0:f32"}, []string{"reassoc"}},
		{Request{Text: "x0 + y0", Types: "x0:i32,y0:i32"}, nil},
		{Request{Text: "f() = f() + in(r)/r", Types: "f32"}, []string{"reassoc"}}, // the type of numbers of a program
		{Request{Text: "f() = f() + in(r)/r"}, nil},
		{Request{Text: "max(x0, y0)", Types: "x0:f32,y0:f32"}, nil},
		{Request{Text: "max(x0 + y0, 0)", Types: "x0:i32,y0:i32", Assume: "+nsw"}, []string{"nsw"}},
	} {
		p := c.Answer(context.Background())
		if p.Failed != "" {
			t.Fatal(p.Failed)
		}
		u := p.Updates[0]
		var needed []string
		for _, d := range u.Proof {
			for _, n := range d.Needs {
				if !slices.Contains(u.answer.Assumes.Names(), n) {
					t.Errorf("%s: %s needs %s, and the answer assumes %s", c.Text, d.Title, n, u.answer.Assumes)
				}
				needed = append(needed, n)
			}
		}
		for _, n := range c.needed {
			if !slices.Contains(needed, n) {
				t.Errorf("%s: no claim needs %s: %+v", c.Text, n, u.Proof)
			}
		}
		if len(c.needed) == 0 && len(needed) > 0 {
			t.Errorf("%s: claims need %q", c.Text, needed)
		}
	}
}
