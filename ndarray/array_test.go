package ndarray_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/ndarray"
)

// Every type carries its extremes and reads them again.
func TestElements(t *testing.T) {
	for typ := ir.Bool; typ <= ir.F64; typ++ {
		a := New([]ir.Type{typ}, Range{Min: -1, Extent: 2}, Range{Extent: 2})
		if got := a.Types()[0]; got != typ {
			t.Errorf("an array of %s has the type %s", typ, got)
		}
		e := a.Elements(0)
		if e.Len() != 4 {
			t.Errorf("%s: %d elements, not 4", typ, e.Len())
		}
		for i, v := range []uint64{0, 1, typ.Min(), typ.Max()} {
			if e.At(i) != 0 {
				t.Errorf("%s: element %d is %#x at first", typ, i, e.At(i))
			}
			if typ.IsFloat() && i == 1 {
				v = ir.FloatBits(typ, math.NaN())
			}
			if e.Set(i, v); e.At(i) != v {
				t.Errorf("%s: %#x comes back as %#x", typ, v, e.At(i))
			}
		}
	}
}

func TestOffset(t *testing.T) {
	b := Box{{Min: -1, Extent: 3}, {Min: 5, Extent: 2}}
	if i, err := b.Offset([]int64{1, 6}); i != 5 || err != nil || b.Len() != 6 {
		t.Error(i, err, b.Len())
	}
	if _, err := b.Offset([]int64{1, 7}); err == nil || err.Error() != "coordinate 2 is 7, outside of 5..6" {
		t.Error(err)
	}
	if i, err := (Box)(nil).Offset(nil); i != 0 || err != nil || (Box)(nil).Len() != 1 {
		t.Error(i, err)
	}
}

func TestMisuse(t *testing.T) {
	for _, c := range []struct {
		call func()
		want string
	}{
		{func() { New([]ir.Type{ir.Invalid}) }, "ndarray: New of type 0, which holds no values"},
		{func() { (&Array{}).Elements(0) }, "ndarray: component 0 of an array that has 0"},
		{func() { (&Array{Data: []any{[]int{1}}}).Elements(0) }, "ndarray: component 0 is []int, which is no slice of elements"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != c.want {
					t.Errorf("panic %q, not %q", got, c.want)
				}
			}()
			c.call()
		}()
	}
}
