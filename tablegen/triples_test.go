package tablegen

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkTriples is how long evaluation takes to examine a triple of components. Triples are not enumerated, and have no screen, which
// drops most pairs before: those tried here are drawn from the functions of 2 and 3 leaves over the variables of three components.
// The numbers of such functions of 2 to 5 leaves are reported, too. docs/scale.md uses both.
func BenchmarkTriples(b *testing.B) {
	var s study
	for _, t := range studies(&Options{Leaves: 8}) {
		if t.name() == "signed-nn-paper" {
			s = t
		}
	}
	s.shape, s.leaves = "nnn", 8
	ops, ks, literals := s.signature()
	sp := newSpace[int32](s.world, ops, s.sorts(), ks, literals, s.largest())
	for range 5 {
		if err := sp.grow(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	w := newSearcher(sp, &screen{})
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func() part {
		n := 2 + rng.IntN(2)
		from, to := sp.levelOf(number, n)
		return part{component: component{sp.node(number, from+rng.Uint32N(to-from)), number, n}}
	}
	tuples := make([][]part, 1<<12)
	for i := range tuples {
		tuples[i] = []part{draw(), draw(), draw()}
	}
	for i := 0; b.Loop(); i++ {
		w.examine(tuples[i%len(tuples)])
	}
	for n, name := range map[int]string{2: "two", 3: "three", 4: "four", 5: "five"} {
		from, to := sp.levelOf(number, n)
		b.ReportMetric(float64(to-from), name+"-leaf-functions")
	}
}
