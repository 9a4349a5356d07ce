package combine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Reductions whose order matters, merged in random trees, give what the serial loop gives. Values are few, so that there are ties.
func TestTreesInOrder(t *testing.T) {
	for _, c := range []struct{ name, types, text string }{
		{"argmin, the first of equals", "x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1)"},
		{"argmin, the last of equals", "x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 <= x0, y1, x1)"},
		{"the last value", "x0:i32,y0:i32", "y0"},
		{"the last value that counts", "x0:i32,y0:i32,y1:bool", "select(y1, y0, x0)"},
		{"the first value", "x0:i32,x1:bool,y0:i32", "select(x1, x0, y0); true"},
		{"affine maps", "x0:i32,y0:i32,y1:i32", "x0*y0 + y1"},
		{"an automaton", "x0:u8,y0:u8", "select(y0 == 1, select(x0 == 0, 1, 2), select(x0 == 2, 2, 0))"},
	} {
		a := answer(t, c.types, c.text, 0)
		if r, err := New(a, make([]uint64, len(a.Types)), nil, true); err != nil || !r.Ordered {
			t.Errorf("%s is not ordered: %v", c.name, err)
		}
		for seed := range uint64(8) {
			checkTrees(t, c.name, a, seed)
		}
	}
}

// ordered is an affine reduction, whose operator does not commute.
func ordered(t *testing.T) *machine {
	t.Helper()
	m, err := reduction(t, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 1).compile()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ranges are parts of an accumulator, each with x + 1 for its elements.
func (m *machine) ranges(bounds ...int64) (Accumulator, error) {
	a := m.create()
	var err error
	for i := 0; i < len(bounds) && err == nil; i += 2 {
		a, err = m.insert(a, Part{bounds[i], bounds[i+1], []uint64{1, 1}})
	}
	return a, err
}

// Ranges that overlap are an error wherever they meet, and in either order.
func TestOverlap(t *testing.T) {
	m := ordered(t)
	for _, c := range [][2][]int64{
		{{0, 4}, {0, 4}}, {{0, 4}, {3, 5}}, {{0, 4}, {1, 2}}, {{2, 4}, {0, 3}}, {{0, 2, 4, 6}, {2, 5}}, {{0, 2, 4, 6}, {1, 4}}, {{0, 2, 4, 6}, {0, 6}},
	} {
		for side := range 2 {
			a, err := m.ranges(c[side]...)
			if err != nil {
				t.Fatal(err)
			}
			b, err := m.ranges(c[1-side]...)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.mergeTwo(a, b); err == nil || !strings.Contains(err.Error(), "occur twice") {
				t.Errorf("%v: %v", c, err)
			}
		}
	}
	for _, bounds := range [][]int64{{-1, 2}, {3, 3}, {3, 2}} {
		if _, err := m.ranges(bounds...); err == nil || !strings.Contains(err.Error(), "is empty or negative") {
			t.Errorf("%v: %v", bounds, err)
		}
	}
}

// Elements that are missing are an error at the start, between ranges and at the end, and of reductions that commute by their number.
func TestMissing(t *testing.T) {
	m := ordered(t)
	m.elements = 6
	for _, c := range []struct {
		bounds []int64
		want   string
	}{
		{[]int64{2, 6}, "the elements [0, 2) are missing"},
		{[]int64{0, 2, 4, 6}, "the elements [2, 4) are missing"},
		{[]int64{0, 5}, "the elements [5, 6) are missing"},
		{nil, "the elements [0, 6) are missing"},
		{[]int64{0, 8}, "8 elements arrived of 6"},
	} {
		a, err := m.ranges(c.bounds...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.extract(a); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: want an error with %q, got %v", c.bounds, c.want, err)
		}
	}
	r := reduction(t, "x0:i32,y0:i32", "x0 + y0")
	r.Elements = 3
	m, err := r.compile()
	if err != nil {
		t.Fatal(err)
	}
	a := m.create()
	for range 2 {
		if a, err = m.add(a, Row{Leaves: []uint64{1}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.extract(a); err == nil || !strings.Contains(err.Error(), "2 elements arrived of 3") {
		t.Error(err)
	}
}

// The limit of ranges holds for merges, too, and says what to do. At the limit a range that is adjacent still fits, as does the one that joins two.
func TestFragments(t *testing.T) {
	m := ordered(t)
	var even, odd []int64
	for i := range int64(DefaultFragments) {
		even, odd = append(even, 2*i, 2*i+1), append(odd, 2*i+1, 2*i+2)
	}
	a, err := m.ranges(even...)
	if err != nil {
		t.Fatal(err)
	}
	far, err := m.ranges(1<<40, 1<<40+1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.mergeTwo(a, far); err == nil || !strings.Contains(err.Error(), "more than 4096 ranges") || !strings.Contains(err.Error(), "larger blocks make fewer") {
		t.Error(err)
	}
	b, err := m.ranges(odd...)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = m.mergeTwo(a, b); err != nil || len(a.Parts) != 1 || a.Parts[0].To != 2*DefaultFragments {
		t.Errorf("%d ranges, %v", len(a.Parts), err)
	}
	if got, err := m.extract(a); err != nil || fmt.Sprint(got.Values) != fmt.Sprint([]uint64{1 + 2*DefaultFragments}) {
		t.Error(got, err)
	}
}

// Ranges in any order of merges become one.
func TestRanges(t *testing.T) {
	m := ordered(t)
	rng := rand.New(rand.NewPCG(1, 23))
	for range 100 {
		var forest []Accumulator
		for from := int64(0); from < 200; {
			to := from + 1 + rng.Int64N(20)
			a, err := m.ranges(from, to)
			if err != nil {
				t.Fatal(err)
			}
			forest = append(forest, a, m.create())
			from = to
		}
		rng.Shuffle(len(forest), func(i, j int) { forest[i], forest[j] = forest[j], forest[i] })
		for len(forest) > 1 {
			a, err := m.mergeTwo(forest[0], forest[1])
			if err != nil {
				t.Fatal(err)
			}
			forest = append(forest[2:], a)
			rng.Shuffle(len(forest), func(i, j int) { forest[i], forest[j] = forest[j], forest[i] })
		}
		if parts := forest[0].Parts; len(parts) != 1 || parts[0].From != 0 || parts[0].To < 200 {
			t.Fatal(parts)
		}
	}
}
