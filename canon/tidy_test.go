package canon

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// TestTidy writes spellings that differ in the order of operands or in how products are multiplied out as one text.
func TestTidy(t *testing.T) {
	const i32 = "x0:i32,x1:i32,x2:i32,y0:i32,y1:i32,y2:i32"
	for _, c := range []struct{ types, text, want string }{
		{i32, "x1*y1 + (x0*y1 + x1*y0); x0; x1", "x0*y1 + x1*(y0 + y1)"},
		{i32, "x2 + (y2 + x0*y1); x0; x1", "x0*y1 + x2 + y2"},
		{i32, "x2 + x0*y1 + y2; x0; x1", "x0*y1 + x2 + y2"},
		{i32, "max(y0, x0 + (y1 + x1)); x0; x1", "max(x0 + x1 + y1, y0)"},
		{"x0:u32,y0:u32", "x0 + y0 - ((x0 + y0) >> 3)*8", "x0 + y0 - ((x0 + y0) >> 3)*8"}, // 4294967288 is no literal of it
		{"x0:u32,y0:u32", "y0*y0 + 1 + x0*0", "y0*y0 + 1"},
		{"x0:f64,y0:f64", "x0*y0 + (y0 + x0)", "x0*y0 + (y0 + x0)"}, // floats round
	} {
		u, err := program.ParseUpdate(ir.NewPool(), c.types, c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Tidy(u.Values[0]).String(); got != c.want {
			t.Errorf("%s is written as %s, want %s", c.text, got, c.want)
		}
	}
}
