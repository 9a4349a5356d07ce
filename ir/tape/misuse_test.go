package tape_test

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/ir/tape"
)

// Misuse panics with a text that begins with the package's name and says what was wrong.
func TestMisuse(t *testing.T) {
	x, other := ir.NewPool().X(0, ir.I32), ir.NewPool().X(0, ir.I32)
	row := []*[Lanes]uint64{new([Lanes]uint64)}
	for _, c := range []struct {
		want string
		do   func()
	}{
		{"tape: expression 0 is the zero Expr, or of another pool than the first", func() { New(ir.Expr{}) }},
		{"tape: expression 1 is the zero Expr, or of another pool than the first", func() { New(x, other) }},
		{"tape: expression 1 is the zero Expr, or of another pool than the first", func() { new(Registers).NewTape(x, ir.Expr{}) }},
		{"tape: a run at 64 points of 0 rows, with 1 inputs", func() { New(x).Run(nil) }},
		{"tape: a run at 65 points of 1 rows, with 1 inputs", func() { New(x).RunFirst(row, Lanes+1) }},
		{"tape: a run at -1 points of 1 rows, with 1 inputs", func() { New(x).RunFirst(row, -1) }},
		{"tape: the row of input 0 is nil", func() { New(x).Run(make([]*[Lanes]uint64, 1)) }},
	} {
		if got := panicOf(c.do); got != c.want {
			t.Errorf("panics with %v, want %s", got, c.want)
		}
	}
}

// panicOf is what f panics with; nil where it does not.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// The zero Tape, nil Registers and a tape before its first run are fine.
func TestZeroValues(t *testing.T) {
	if out := new(Tape).Run(nil); len(out) != 0 {
		t.Error(out)
	}
	x := ir.NewPool().X(0, ir.I32)
	tape := (*Registers)(nil).NewTape(ir.AddOf(x, x))
	if over := tape.Overflowed(ir.NSW); over != 0 {
		t.Error(over)
	}
	if out := tape.Run([]*[Lanes]uint64{{3, 5}}); out[0][0] != 6 || out[0][1] != 10 {
		t.Error(out[0])
	}
}
