package view

import (
	"context"
	"testing"
)

// A counterexample that is evaluated differs where the answer says so, and gives the values that it says.
func TestTrial(t *testing.T) {
	for _, r := range []Request{
		{Text: "x0*x0 + y0", Types: "x0:i32,y0:i32"},
		{Text: "x0 - y0*k0", Types: "x0:i8,y0:i8,k0:i8"},
		{Text: "x0 + y0; x0*x1 - x0*y1 + x1*x1*x1", Types: "x0:i32,x1:i32,y0:i32,y1:i32"},
		{Text: "x0/y0 + x0*x0", Types: "x0:f32,y0:f32"},
		{Text: "f() = f()*f() + in(r)"},
	} {
		p := r.Match(context.Background())
		if p.Failed != "" {
			t.Fatal(p.Failed)
		}
		u := p.Updates[0]
		c := u.answer.Counter
		if (c == nil) != (u.Trial == nil) {
			t.Errorf("%s: counterexample %v, trial %v", r.Text, c, u.Trial)
		}
		if c == nil {
			continue
		}
		if len(u.Trial.Steps) != 4 {
			t.Errorf("%s: %d steps", r.Text, len(u.Trial.Steps))
		}
		at := u.Trial.Differs
		if u.Trial.values[0][at] != c.Left || u.Trial.values[1][at] != c.Right || c.Left == c.Right {
			t.Errorf("%s: %+v, but %d and %d", r.Text, u.Trial, int64(c.Left), int64(c.Right))
		}
	}
}
