package rfactor

import (
	"encoding/json"
	"testing"
)

// What is proven of a group is proven where integers wrap, or all of it where they are unbounded, but
// for equations that add nothing that may overflow; and a certificate that mixes them is not accepted.
func TestOneWorld(t *testing.T) {
	unbounded := 0
	for _, u := range []struct {
		types, exprs, assume string
		want                 Status
		mixes                bool // an equation where integers wrap will do: ⊕ has no operation that the update has not
	}{
		{"x0:i32,y0:i32,k0:i32", "max(min(k0 - x0, y0), x0)", "nsw", Associative, true},
		{"x0:i32,k0:i32,k1:i32", "saturating_sub(k1*k0, x0)", "nsw", Refused, false}, // ⊕ overflows where this does not
		{"x0:u16,y0:u16", "max((x0 + y0) - 100, -100)", "nuw", Refused, false},       // −100 is 65436, which is not x0 − 100's
		{"x0:u32,k0:u32", "min(x0 << 1, k0)", "nuw", Associative, false},
		{"x0:u32,k0:u32,y0:u32", "min(y0 + x0, k0)", "nuw", Associative, true},
		{"x0:i32,x1:i32,y0:i32", "x0 + y0; max(x1, x0 + y0)", "nsw", Associative, true},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; max(x1, x0 + y0); min(x2, x0 + y0)", "nsw", Associative, true},
		{"x0:i32,y0:i32", "select(x0 + 1 > x0, x0 + y0, x0)", "nsw", Associative, false},
	} {
		a := match(t, u.types, u.exprs, u.assume, 0)
		if a.Status != u.want {
			t.Errorf("%s under %s: %s, want %s", u.exprs, u.assume, a.Status, u.want)
		}
		if a.Status != Associative {
			continue
		}
		judge(t, a)
		if a.Groups[0].Operator.Assumes&overflow != 0 {
			unbounded++
		}
		if a.Assumes&overflow == 0 {
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if ok := Verify(withoutOverflow(t, line)) == nil; ok != u.mixes {
			t.Errorf("%s: an equation where integers wrap is accepted beside %v: %v", u.exprs, a.Assumes, ok)
		}
	}
	if unbounded < 4 {
		t.Errorf("%d groups of unbounded integers, want 4", unbounded)
	}
}

// withoutOverflow edits a record: its equations assume nothing of what overflows.
func withoutOverflow(t *testing.T, line []byte) []byte {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatal(err)
	}
	proof := r["proof"].(map[string]any)["certificate"].(map[string]any)
	for _, g := range proof["groups"].([]any) {
		for _, u := range g.(map[string]any)["update"].([]any) {
			u.(map[string]any)["assumes"] = []string{}
		}
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
