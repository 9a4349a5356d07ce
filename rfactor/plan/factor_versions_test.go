package plan

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ndarray"
)

// Each of these programs exists in three versions that give the same: serial, factored by
// hand, and factored by its schedule.
func TestVersions(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for name, output := range map[string]string{
		"sum": "out", "histogram": "hist", "circle": "sum", "matmul": "c", "argmin2d": "f", "complex-argmax": "out",
	} {
		serial := readProgram(t, "../../testdata/programs/versions/"+name+"-serial.rf")
		for _, n := range suite.More([]int{0, 3}, []int{0, 1, 3, 70}) {
			n = sizeFor(serial, n)
			in := drawInputs(serial, rng, func(int) int { return n })
			want, err := RunSerial(serial, plain, in)
			if err != nil {
				t.Fatal(err)
			}
			byHand := "versions/" + name + "-by-hand"
			if name == "histogram" {
				byHand = name + "-by-hand"
			}
			for _, version := range []string{byHand, name} {
				p, err := Factor(context.Background(), readProgram(t, "../../testdata/programs/"+version+".rf"), plain)
				if err != nil {
					t.Fatal(err)
				}
				got, err := p.Run(in, rng.Uint64())
				if err != nil {
					t.Fatalf("%s: n = %d: %v", version, n, err)
				}
				if !sameOutputs(map[string]*ndarray.Array{"": got[output]}, map[string]*ndarray.Array{"": want[output]}) {
					t.Errorf("%s: n = %d\ngot  %v\nwant %v", version, n, got[output], want[output])
				}
			}
		}
	}
}
