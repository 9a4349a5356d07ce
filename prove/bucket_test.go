package prove_test

import (
	"encoding/json"
	"hash/maphash"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// signer evaluates expressions over x0 and y0 of an 8-bit type at all 65536 points.
type signer struct {
	seed maphash.Seed
	tape tape.Tape
	in   []*[tape.Lanes]uint64
}

// sign hashes the values at a share of the points: 1 all of them, 64 every 64th.
func (s *signer) sign(e ir.Expr, share int) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	s.tape.Compile(e)
	for first := 0; first < 1<<16; first += tape.Lanes * share {
		s.in = s.in[:0]
		for _, v := range s.tape.Inputs {
			lanes := new([tape.Lanes]uint64)
			for l := range lanes {
				n := uint64(first + l*share)
				if v.Kind() == ir.Leaf {
					n >>= 8
				}
				lanes[l] = v.Type().Wrap(n)
			}
			s.in = append(s.in, lanes)
		}
		for _, v := range s.tape.Run(s.in)[0] {
			h.WriteByte(byte(v))
		}
	}
	return h.Sum64()
}

// Expressions that are equal at all 65536 points are not refuted, and what is proved of
// them is accepted by the checker; of expressions that differ somewhere nothing is proved.
// How many true equations are left unknown says how complete the prover is.
func TestEqualFunctions(t *testing.T) {
	n := suite.Sample(suite.More(120, 250), 1500)
	for _, typ := range []ir.Type{ir.I8, ir.U8} {
		s := &signer{seed: maphash.MakeSeed()}
		g := provetest.NewGenerator(uint64(typ)*7919, 0)
		g.Main = typ
		all, some := map[uint64][]ir.Expr{}, map[uint64][]ir.Expr{}
		for range n {
			e := g.Narrow(2 + g.IntN(5))
			k, l := s.sign(e, 1), s.sign(e, 16)
			all[k], some[l] = append(all[k], e), append(some[l], e)
		}
		count := map[prove.Status]int{}
		for _, es := range all {
			slices.SortFunc(es, func(a, b ir.Expr) int { return a.Size() - b.Size() })
			for _, e := range es[1:] {
				a := under(proof.Problem{Left: es[0], Right: e}, 0)
				count[a.Status]++
				switch a.Status {
				case prove.Refuted:
					t.Errorf("%s: %s = %s is refuted%s", typ, es[0], e, provetest.Values(a.Counter))
				case prove.Unknown:
					if testing.Verbose() && count[prove.Unknown] < 25 {
						t.Logf("%s: unknown: %s = %s", typ, es[0], e)
					}
				case prove.Proved:
					p := proof.Problem{Left: es[0], Right: e}
					if err := provetest.Check(t, p, a.Assumes, a.Proof()); err != nil {
						text, _ := json.Marshal(a.Proof())
						t.Errorf("%s: %s = %s: %v\n%s", typ, es[0], e, err, text)
					}
				}
			}
		}
		t.Logf("%s: of equal functions %d proved, %d unknown", typ, count[prove.Proved], count[prove.Unknown])
		clear(count)
		for _, es := range some {
			for _, e := range es[1:] {
				if s.sign(es[0], 1) == s.sign(e, 1) {
					continue
				}
				a := prove.Prove(t.Context(), []proof.Problem{{Left: es[0], Right: e}}, prove.Options{ProveFirst: true})
				count[a.Status]++
				if a.Status == prove.Proved {
					t.Errorf("%s: %s = %s is proved, but they differ", typ, es[0], e)
				}
			}
		}
		t.Logf("%s: of functions that differ at few points %d unknown", typ, count[prove.Unknown])
	}
}
