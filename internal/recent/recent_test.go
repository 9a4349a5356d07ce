package recent_test

import (
	"sync"
	"testing"

	. "github.com/rfactor-go/rfactor/internal/recent"
)

func build(made *int, v int) func() (int, int) {
	return func() (int, int) { *made++; return v, 1 }
}

func TestMap(t *testing.T) {
	m := Map[int, int]{Most: 10}
	made := 0
	for i := range 1000 {
		if v := m.Get(i, build(&made, i*i)); v != i*i {
			t.Fatalf("%d: %d", i, v)
		}
		if v := m.Get(0, build(&made, -1)); v != 0 { // asked for in between, so that it stays
			t.Fatalf("0 was forgotten after %d: %d", i, v)
		}
		if w := m.Weight(); w > 10 {
			t.Fatalf("%d of 10 are kept after %d", w, i)
		}
	}
	if made != 1000 {
		t.Errorf("%d of 1000 values were made", made)
	}
	if v := m.Get(1, build(&made, 2)); v != 2 {
		t.Errorf("1 is kept after 999 others: %d", v)
	}
}

// TestGrow forgets the others where a value grows.
func TestGrow(t *testing.T) {
	m := Map[int, int]{Most: 10}
	made := 0
	m.Get(1, build(&made, 1))
	m.Get(2, build(&made, 2))
	for range 7 {
		m.Grow(1, 1)
		m.Grow(3, 1) // which is not kept
	}
	if _, ok := m.Peek(1); !ok || m.Weight() > 10 {
		t.Errorf("a value that grew is kept: %t, weight %d", ok, m.Weight())
	}
	m.Get(3, build(&made, 3))
	if _, ok := m.Peek(2); ok {
		t.Error("the other is kept")
	}
}

// TestHeavy keeps a value that weighs more than all may, and nothing beside it for long.
func TestHeavy(t *testing.T) {
	var m Map[string, int]
	m.Get("heavy", func() (int, int) { return 1, 100 })
	if v, ok := m.Peek("heavy"); !ok || v != 1 {
		t.Errorf("a heavy value is not kept")
	}
	m.Get("light", func() (int, int) { return 2, 1 })
	m.Get("other", func() (int, int) { return 3, 1 })
	if _, ok := m.Peek("heavy"); ok {
		t.Errorf("a heavy value is kept though two others were asked for")
	}
}

// TestTogether gives goroutines one and the same value of a key.
func TestTogether(t *testing.T) {
	m := Map[int, *int]{Most: 8}
	var wg sync.WaitGroup
	var got [4]*int
	for g := range got {
		wg.Go(func() {
			got[g] = m.Get(1, func() (*int, int) { return new(int), 1 })
		})
	}
	wg.Wait()
	for _, p := range got {
		if p != got[0] {
			t.Error("goroutines have different values of one key")
		}
	}
}
