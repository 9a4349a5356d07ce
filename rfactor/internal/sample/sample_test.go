package sample_test

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	. "github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// The first points of a probe are valid and change the state, and reordering them changes
// nothing else.
func TestTellingFirst(t *testing.T) {
	pool := ir.NewPool()
	x, y := pool.X(0, ir.I32), pool.Y(0, ir.Bool)
	v := ir.SelectOf(y, ir.AddOf(x, pool.Int(ir.I32, 1)), x)
	p := &tuple.Part{Set: []int{0}, Types: []ir.Type{ir.I32}, States: []ir.Expr{x}, Values: []ir.Expr{v}}
	s := New(&Workspace{})
	s.Evaluate(p, nil, ir.NSW)
	s.Restrict([]ir.Expr{ir.LtOf(x, pool.Int(ir.I32, 5))})
	s.TellingFirst()
	again := s.Run(&s.Tape, nil)
	wrong, _ := s.Differ(p.Types, s.Want, again)
	if wrong != 0 {
		t.Errorf("the values are those of other points: %064b", wrong)
	}
	for lane := range tape.Lanes {
		state, step := int32(s.States[0][lane]), int32(s.Want[0][lane])
		if valid := state < 5; valid != (s.Valid>>lane&1 == 1) {
			t.Errorf("point %d with %d is valid: %v", lane, state, !valid)
		}
		telling := s.Telling>>lane&1 == 1
		if telling != (state < 5 && state != step) {
			t.Errorf("point %d from %d to %d tells something: %v", lane, state, step, telling)
		}
		if lane < tape.Few && !telling {
			t.Errorf("point %d of the first tells nothing", lane)
		}
	}
	if testpoint.Row(ir.I32, ir.NSW, 0) == s.States[0] {
		t.Error("shared rows were reordered")
	}
}
