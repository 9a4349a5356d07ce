package plan

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scans"
)

// TestScanInOrder wants a pass whose totals may overflow to run in order, beside one that has totals, and to give what the serial loop gives.
func TestScanInOrder(t *testing.T) {
	prog := parseText(t, "scan.rf", "ImageParam a(UInt(64), 1), b(Bool(), 1); Func f; RDom r(0, a.width()); f() = {cast<uint64_t>(1), cast<bool>(0)}; "+
		"f() = {(f()[0] + a(r))/cast<uint64_t>(10), select(b(r), f()[1], (f()[0] + a(r)) % cast<uint64_t>(10) != cast<uint64_t>(0) || f()[1])}; f.update(0).scan(r, 4).parallel(r);")
	p, err := Factor(t.Context(), prog, anything)
	if err != nil {
		t.Fatal(err)
	}
	passes := p.Stages[1].Scan.Passes
	if len(passes) != 2 || !passes[0].InOrder || passes[1].InOrder || !strings.Contains(p.String(), "publish state0 behind the tile") {
		t.Fatalf("%v\n%s", passes, p)
	}
	rng := rand.New(rand.NewPCG(33, 12))
	for n := range 20 {
		in := &Inputs{}
		in.Arrays, in.Params = scans.Draw(rng, prog, n, true)
		want, err := RunSerial(prog, anything, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(in, rng.Uint64())
		if err != nil || nearlyEqual(got, want, true) != "" {
			t.Fatalf("%v %s", err, nearlyEqual(got, want, true))
		}
	}
}
