package ir

import "testing"

// ParseValue reads values of each kind of type, and no value that the type does not hold.
func TestParseValue(t *testing.T) {
	for _, c := range []struct {
		of   Type
		text string
		want uint64
		ok   bool
	}{
		{Bool, "true", 1, true},
		{Bool, "2", 0, false},
		{I8, "-128", I8.Min(), true},
		{I8, "128", 0, false},
		{U16, "0xffff", 0xffff, true},
		{U16, "-1", 0, false},
		{F32, "1.5", FloatBits(F32, 1.5), true},
		{F32, "1e39", 0, false},
		{F64, "one", 0, false},
	} {
		if got, err := ParseValue(c.of, c.text); got != c.want || (err == nil) != c.ok {
			t.Errorf("%s of %s: %d, %v", c.text, c.of, got, err)
		}
	}
}

// Decided takes the branches that literals decide, and leaves other operands as they are.
func TestDecided(t *testing.T) {
	p := NewPool()
	x, y, c := p.X(0, I32), p.Y(0, I32), p.Y(1, Bool)
	yes, no := p.Bool(true), p.Bool(false)
	for _, row := range []struct{ e, want Expr }{
		{SelectOf(AndOf(yes, OrOf(no, yes)), AddOf(x, y), y), AddOf(x, y)},
		{SelectOf(NotOf(yes), x, y), y},
		{SelectOf(AndOf(c, yes), x, y), SelectOf(c, x, y)},
		{MaxOf(x, SelectOf(OrOf(c, no), y, x)), MaxOf(x, SelectOf(c, y, x))},
		{SelectOf(AndOf(c, no), x, p.Int(I32, 3)), p.Int(I32, 3)},
	} {
		if got := Decided(row.e); got != row.want {
			t.Errorf("%s becomes %s, want %s", row.e, got, row.want)
		}
	}
}
