package emit

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// addPlaced adds programs that keep elements one behind another: the tests that are emitted with them pass, on vectors and without.
func addPlaced(t *testing.T, m *module) {
	for _, prog := range lowertest.PlacedPrograms() {
		p, err := plan.Factor(t.Context(), lowertest.Parse(t, "places.rf", prog.Text), plan.Options{Match: rfactor.Options{Allowed: ir.DefaultAssumptions}, Auto: true})
		if err != nil {
			t.Fatalf("%s: %v", prog.Name, err)
		}
		files, g, err := source(p, "p"+prog.Name)
		if err != nil {
			t.Fatalf("%s: %v", prog.Name, err)
		}
		vectors := 0
		for _, k := range g.keepers {
			if k.Vector != nil {
				vectors++
			}
		}
		if vectors != prog.Vectors {
			t.Errorf("%s: %d functions on vectors, wanted %d", prog.Name, vectors, prog.Vectors)
		}
		m.add(t, "places/"+prog.Name, files)
	}
	p, err := plan.Factor(t.Context(), lowertest.Parse(t, "room.rf", "ImageParam in(Int(32), 1); RDom r(0, in.width()); r.where(in(r) > 2); Func out, pos; Param<int> k; pos() = k; out(pos++) = in(r);"),
		plan.Options{Auto: true, Extents: map[string]ndarray.Box{"out": {{Min: 2, Extent: 3000}}}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := Source(p, "room")
	if err != nil {
		t.Fatal(err)
	}
	files["outside_test.go"] = []byte(outsideTest)
	m.add(t, "places/room", files)
}

// outsideTest is a test that compares a package with the loop where elements begin anywhere, and where there is no room for all of them.
const outsideTest = `package room

import (
	"fmt"
	"runtime"
	"testing"
)

func TestRoom(t *testing.T) {
	defer func(procs, grain int) {
		runtime.GOMAXPROCS(procs)
		grainBytes = grain
	}(runtime.GOMAXPROCS(3), grainBytes)
	for _, grainBytes = range []int{64, 1 << 20} {
		for _, every := range []int{1, 2, 7, 97, 999, 5000} {
			for _, k := range []int32{-1, 1, 2, 3, 50, 1999, 2001, 2995, 3001, 3002, 3500} {
				for _, n := range []int{0, 1, 63, 64, 200, 1001, 2990, 3000, 3007} {
					in := make([]int32, n)
					want, at, wrong := make([]int32, 3000), k, ""
					for i := range in {
						if i%every != every/2 {
							continue
						}
						in[i] = int32(i + 3)
						if at < 2 || at >= 3002 {
							wrong = fmt.Sprintf("out: coordinate %d is outside of 2..3001", at)
							break
						}
						want[at-2] = in[i]
						at++
					}
					for i := range in {
						if i%every == every/2 {
							in[i] = int32(i + 3)
						}
					}
					out, pos, err := OutAndPos(in, k)
					switch {
					case wrong != "":
						if err == nil || err.Error() != wrong {
							t.Errorf("every %d, from %d, %d elements: %v, wanted %s", every, k, n, err, wrong)
						}
					case err != nil || pos != at:
						t.Errorf("every %d, from %d, %d elements: %v, up to %d, wanted %d", every, k, n, err, pos, at)
					default:
						for i := range want {
							if out[i] != want[i] {
								t.Fatalf("every %d, from %d, %d elements: element %d is %d, wanted %d", every, k, n, i, out[i], want[i])
							}
						}
					}
				}
			}
		}
	}
}
`
