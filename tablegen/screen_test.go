package tablegen

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/simd"
)

// everyWorld runs a test in each world, for one component and for two.
func everyWorld(t *testing.T, run func(t *testing.T, s study)) {
	for i := range worlds {
		w := &worlds[i]
		for _, shape := range []string{"n", "nn", "nf", "f", "ff"} {
			if (w.values == truths) != (shape[0] == 'f') {
				continue
			}
			s := study{world: w, shape: shape, wide: shape != "nn", leaves: 4}
			t.Run(s.name(), func(t *testing.T) {
				t.Parallel()
				run(t, s)
			})
		}
	}
}

func ofWorld(t *testing.T, s study, signed func(*testing.T, study), unsigned, wide, narrow, float, double func(*testing.T, study)) {
	switch s.world.values {
	case signedWords:
		signed(t, s)
	case unsignedWords:
		unsigned(t, s)
	case integers, naturals:
		wide(t, s)
	case reals:
		double(t, s)
	case ieee, numbers:
		float(t, s)
	case truths:
		narrow(t, s)
	}
}

// smallSearcher is a searcher over levels of which only two are merged and have rows.
func smallSearcher[T simd.Number](t *testing.T, s study, levels int) *searcher[T] {
	ops, ks, literals := s.signature()
	sp := newSpace[T](s.world, ops, s.sorts(), ks, literals, 4)
	sp.merged = 2
	for range levels {
		if err := sp.grow(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return newSearcher(sp, newScreen(sp))
}

// associative is the test of a triple as it is meant, by trees.
func (w *searcher[T]) associative(tuple []part, tr triple[T]) bool {
	n := len(tuple)
	for i := range tuple {
		c := &tuple[i].component
		tr.left[i], tr.right[n+i] = w.value(c, &tr.xy), w.value(c, &tr.yz)
	}
	for i := range tuple {
		if !w.s.exact(tr.left[i], tuple[i].leaves) || !w.s.exact(tr.right[n+i], tuple[i].leaves) {
			return true
		}
	}
	for i := range tuple {
		c := &tuple[i].component
		if !w.s.same(w.value(c, &tr.left), w.value(c, &tr.right)) {
			return false
		}
	}
	return true
}

func (w *searcher[T]) associativeAt(tuple []part, ts []triple[T]) bool {
	for _, tr := range ts {
		if !w.associative(tuple, tr) {
			return false
		}
	}
	return true
}

// draw is a random function of a sort, with at most some leaves.
func (w *searcher[T]) draw(rng *rand.Rand, of sort, most int) part {
	for {
		n := 1 + rng.IntN(most)
		if from, to := w.s.levelOf(of, n); to > from {
			return w.screen.part(of, from+uint32(rng.IntN(int(to-from))), n)
		}
	}
}

// The screen and the tape say what trees say: the screen perhaps nothing.
func TestScreen(t *testing.T) {
	everyWorld(t, func(t *testing.T, s study) {
		ofWorld(t, s, testScreen[int32], testScreen[uint32], testScreen[int64], testScreen[int8], testScreen[float32], testScreen[float64])
	})
}

func testScreen[T simd.Number](t *testing.T, s study) {
	w := smallSearcher[T](t, s, 3)
	later, _ := laterPoints(w.s)
	refuted, passed, dropped, sided := 0, 0, 0, 0
	rng := rand.New(rand.NewPCG(7, 8))
	rounds := suite.Sample(suite.More(250, 800), 3000)
	for range rounds {
		var tuple []part
		for _, of := range w.s.types {
			tuple = append(tuple, w.draw(rng, of, 3))
		}
		name := w.candidate(tuple).exprs
		want := w.associativeAt(tuple, w.s.pts.triples[:])
		if w.screen.refutes(tuple) {
			if refuted++; want {
				t.Fatalf("%s is refuted by the screen, and not by evaluation", name)
			}
		}
		w.tape.compile(tuple)
		if got := w.tape.associates(tuple, w.triples); got != want {
			t.Fatalf("%s: tape %v, trees %v", name, got, want)
		}
		if want {
			passed++
			for at, b := 0, 0; b < len(w.others); b++ {
				ts := later[at : at+w.others[b].n]
				if got := w.tape.associates(tuple, w.others[b]); got != w.associativeAt(tuple, ts) {
					t.Fatalf("%s: tape %v, trees do not say so", name, got)
				}
				at += len(ts)
			}
		}
		reads := w.reads(tuple)
		for i := range tuple {
			for v := range 2 * len(tuple) {
				bit := v + v/len(tuple)*(4-len(tuple))
				if got, want := reads[i]>>bit&1 == 1, w.dependsOn(&tuple[i].component, v); got != want {
					t.Fatalf("%s: component %d reads operand %d: %v, want %v", name, i, v, got, want)
				}
			}
		}
		if len(tuple) < 2 {
			continue
		}
		w.screen.identify(&tuple[0], 0)
		w.screen.identify(&tuple[1], 1)
		if meet(tuple[0].identities, tuple[1].identities) != w.screen.mayShare(&tuple[0], 0, tuple[1].identities) {
			t.Fatalf("%s: two answers about its identities", name)
		}
		switch has := w.sided(tuple); {
		case !meet(tuple[0].identities, tuple[1].identities):
			if dropped++; has {
				t.Fatalf("%s has an identity that the screen denies", name)
			}
		case has:
			sided++
		}
	}
	t.Logf("%d of %d refuted by the screen, %d pass; %d without identity, %d with one", refuted, rounds, passed, dropped, sided)
	if refuted == 0 || len(s.shape) > 1 && dropped == 0 {
		t.Error("the screen does nothing")
	}
}

// dependsOn is what reads says, by trees.
func (w *searcher[T]) dependsOn(c *component, v int) bool {
	for i, e := range w.depend {
		a := w.value(c, &e)
		for _, j := range []int{1, 7, 20} {
			e[v] = w.depend[(i+j)%len(w.depend)][v]
			if !w.s.same(a, w.value(c, &e)) {
				return true
			}
		}
	}
	return false
}

// A row is the values at the places, as far as they have codes.
func TestRows(t *testing.T) {
	everyWorld(t, func(t *testing.T, s study) {
		ofWorld(t, s, testRows[int32], testRows[uint32], testRows[int64], testRows[int8], testRows[float32], testRows[float64])
	})
}

func testRows[T simd.Number](t *testing.T, s study) {
	w := smallSearcher[T](t, s, 3)
	c := newCoder(w.s, identities(w.s))
	k := &screen{}
	envs := c.triples(k)
	_, depend := laterPoints(w.s)
	envs = c.identities(k, envs, identities(w.s), depend)
	rng := rand.New(rand.NewPCG(9, 10))
	coded := 0
	for range 5000 {
		f := w.draw(rng, w.s.types[rng.IntN(len(w.s.types))], 3)
		i := rng.IntN(len(envs))
		got := w.screen.partAt(&f, i)
		v := w.value(&f.component, &envs[i])
		if c.exact(got) {
			coded++
			if !w.s.same(c.values[got], v) {
				t.Fatalf("%s at %v: %v, want %v", w.candidate([]part{f}).exprs, envs[i][:len(w.s.vars)], c.values[got], v)
			}
		} else if got != unknown && got != c.code(v) {
			t.Fatalf("%s at %v: code %d, want that of %v", w.candidate([]part{f}).exprs, envs[i][:len(w.s.vars)], got, v)
		}
	}
	if coded < 1000 {
		t.Errorf("only %d of 5000 values have codes", coded)
	}
}

// Pairs are found whether or not the space has the functions of the larger component, and
// are those that trying all of them finds.
func TestPairs(t *testing.T) {
	for _, name := range []string{"signed", "integers"} {
		s := study{world: worldOf(name), shape: "nn", leaves: 4}
		ofWorld(t, s, testPairs[int32], nil, testPairs[int64], nil, nil, nil)
	}
}

func testPairs[T simd.Number](t *testing.T, s study) {
	later, _ := laterPoints(newSpace[T](s.world, s.world.paper, s.sorts(), 1, nil, 3))
	of := [2]*searcher[T]{smallSearcher[T](t, s, 2), smallSearcher[T](t, s, 3)}
	for _, n := range [][2]int{{1, 2}, {2, 1}, {2, 2}, {3, 1}, {1, 3}} {
		var got [2][]candidate
		for i, w := range of {
			var u tally
			for part := range uint32(3) { // the tuples of the shares are those of the whole
				v := newSearcher(w.s, w.screen)
				if err := v.pairs(context.Background(), n[0], n[1], share{part, 3}); err != nil {
					t.Fatal(err)
				}
				got[i] = append(got[i], v.found...)
				u.add(v.tally)
			}
			if u.tried != u.early+u.independent+u.known+u.more+u.unsided+uint64(len(got[i])) {
				t.Errorf("%v: %d tried, but %s, found %d", n, u.tried, u, len(got[i]))
			}
			sortCandidates(got[i])
		}
		w := of[1]
		var want []candidate
		from0, to0 := w.s.levelOf(number, n[0])
		from1, to1 := w.s.levelOf(number, n[1])
		for a := from0; a < to0; a++ {
			for b := from1; b < to1; b++ {
				tuple := []part{w.screen.part(number, a, n[0]), w.screen.part(number, b, n[1])}
				if w.apart(tuple) || !w.associativeAt(tuple, w.s.pts.triples[:]) || !w.connected2(tuple) {
					continue
				}
				if _, known := w.key(tuple); !known && w.associativeAt(tuple, later) && w.sided(tuple) {
					want = append(want, w.candidate(tuple))
				}
			}
		}
		sortCandidates(want)
		want = slices.Compact(want)
		for i := range got {
			if d := cmp.Diff(want, got[i], cmp.AllowUnexported(candidate{})); d != "" {
				t.Errorf("%s %v: %s", s.name(), n, d)
			}
		}
	}
}

func (w *searcher[T]) connected2(tuple []part) bool {
	w.tape.compile(tuple)
	return w.connected(tuple)
}
