package program

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// ParseValue reads values of each kind of type, and no value that the type does not hold.
func TestParseValue(t *testing.T) {
	for _, c := range []struct {
		of   ir.Type
		text string
		want uint64
		ok   bool
	}{
		{ir.Bool, "true", 1, true},
		{ir.Bool, "2", 0, false},
		{ir.I8, "-128", ir.I8.Min(), true},
		{ir.I8, "128", 0, false},
		{ir.U16, "0xffff", 0xffff, true},
		{ir.U16, "-1", 0, false},
		{ir.F32, "1.5", ir.FloatBits(ir.F32, 1.5), true},
		{ir.F32, "1e39", 0, false},
		{ir.F64, "one", 0, false},
	} {
		if got, err := ParseValue(c.of, c.text); got != c.want || (err == nil) != c.ok {
			t.Errorf("%s of %s: %d, %v", c.text, c.of, got, err)
		}
	}
}
