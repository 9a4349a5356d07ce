package tablegen

import "testing"

// Studies that are asked for by turns are made once, as long as there are no more than are kept.
func TestSpaces(t *testing.T) {
	var s Spaces
	all := studies(&Options{Leaves: 2})[:mostKept+1]
	made := func(i int) *keptSpace {
		if _, err := spaceOf[int64](t.Context(), &s, all[i]); err != nil {
			t.Fatal(err)
		}
		return s.kept[len(s.kept)-1]
	}
	first := made(0)
	for range 2 {
		for i := 1; i < mostKept; i++ {
			made(i)
		}
		if made(0) != first {
			t.Error("a study was made again")
		}
	}
	for i := 1; i <= mostKept; i++ {
		made(i)
	}
	if len(s.kept) != mostKept || made(0) == first {
		t.Errorf("%d studies are kept", len(s.kept))
	}
}
