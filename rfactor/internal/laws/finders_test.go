package laws_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/gf2"
	"github.com/rfactor-go/rfactor/rfactor/internal/maxplus"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/extrema"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// The rooms of the checker confirm what the finders find.

func sameExtrema(a, b ir.Expr, assume ir.Assume) error {
	fuel := 1 << 20
	return extrema.Equal(a, b, assume, &fuel)
}

// TestRoomsConfirm asks the checker to confirm the random equations that the finders confirm. Package
// gf2 takes the lowest bit of a word for its truth, so that it confirms some equations of bool(word)
// that are false, and reads others as smaller than they are.
func TestRoomsConfirm(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	words, sums := 0, 0
	for range suite.More(1000, 3000) {
		d := &drawn.Drawer{Pool: ir.NewPool(), Types: []ir.Type{ir.U8, ir.I8, ir.Bool}, Choose: rng.IntN}
		a := d.Term(d.Type(), 3)
		b := d.Respelled(a)
		if a != b && !takesTruth(a, b) && gf2.Equal(a, b, nil) {
			words++
			if err := equation.Check(proof.Problem{Left: a, Right: b}, 0, &proof.Tree{Kind: proof.Bits}); err != nil {
				t.Errorf("bits: %s = %s: %v", a, b, err)
			}
		}
		d.Types = []ir.Type{ir.I32, ir.U32, ir.F64, ir.Bool}
		d.Ops = []ir.Op{ir.Add, ir.Neg, ir.Min, ir.Max, ir.Select, ir.And, ir.Or, ir.Not, ir.Ne, ir.Lt, ir.Mul, ir.Cast}
		for range 4 {
			a = d.Term(d.Type(), 4)
			b = d.Respelled(a)
			assume := []ir.Assume{0, ir.NSW, ir.NUW, ir.DefaultAssumptions}[rng.IntN(4)]
			if a != b && !negatesNatural(a, b) && maxplus.Equal(a, b, assume, nil) {
				sums++
				if err := sameExtrema(a, b, assume); err != nil {
					t.Errorf("extrema: %s = %s under %s: %v", a, b, assume, err)
				}
			}
		}
	}
	t.Logf("%d equations of words and %d of sums are confirmed", words, sums)
}

// takesTruth reports whether the truth of a word is taken.
func takesTruth(es ...ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || e.Op() == ir.Cast && e.Type() == ir.Bool })
	return found
}

// negatesNatural reports whether unsigned integers are negated: such a term is an atom for the checker.
func negatesNatural(es ...ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || e.Op() == ir.Neg && e.Type().IsUnsigned() })
	return found
}
