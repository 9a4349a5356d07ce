package emit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Kernels of programs that resemble what forms know have the bits of the steps of their stages, whatever elements are.
func TestNearKernels(t *testing.T) {
	rng := lowertest.Rand(53)
	draws, lanes := suite.More(60, 150), 0
	if lowertest.Full() {
		draws = 10000
	}
	j := judge{rng: rng, same: lowertest.SameBits}
	for i := range draws {
		p, _, text := lowertest.DrawNear(i, rng)
		if p == nil {
			continue
		}
		_, g, err := source(p, "p")
		if err != nil {
			continue
		}
		of := 1 << rng.IntN(9)
		j.draw = func(t ir.Type, rng *rand.Rand) uint64 {
			if of > 2 && rng.IntN(of) == 0 {
				return lowertest.Wild(t, rng)
			}
			return few(t, rng)
		}
		lanes += g.evaluated(t, text, j)
		if t.Failed() {
			return
		}
	}
	if lanes < draws/6 {
		t.Errorf("%d of %d programs have kernels in lanes", lanes, draws)
	}
}

// addNear adds packages of such programs, with tests that know what the serial program gives for a few inputs.
func addNear(t *testing.T, m *module) {
	rng := lowertest.Rand(54)
	draws := suite.More(8, 32)
	if lowertest.Full() {
		draws = 200
	}
	for i := range draws {
		p, opts, text := lowertest.DrawNear(i, rng)
		if p == nil {
			continue
		}
		pkg := fmt.Sprintf("near%d", i)
		files, err := Source(p, pkg)
		if err != nil {
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, nearHead, pkg, strings.ReplaceAll(text, "\n", "\n// "))
		for _, n := range []int{3, 65, 300} {
			if p.Program.Inputs[0].Dims > 1 {
				n = min(n, 40)
			}
			in := lowertest.WildInputs(p, rng, n)
			want, err := plan.RunSerial(p.Program, opts, in)
			if err != nil {
				t.Fatal(text, err)
			}
			nearCall(&b, p, in, want["f"])
		}
		delete(files, pkg+"_test.go")
		files["near_test.go"] = []byte(b.String() + "}\n")
		m.add(t, "near/"+pkg, files)
	}
}

// nearCall writes a call with inputs, and what it gives.
func nearCall(b *strings.Builder, p *plan.Plan, in *plan.Inputs, want *ndarray.Array) {
	list := func(data ndarray.Elements) string {
		var s strings.Builder
		for i := range data.Len() {
			fmt.Fprintf(&s, "%#x,", data.At(i))
		}
		return s.String()
	}
	var args, results []string
	for _, d := range p.Program.Inputs {
		a := in.Arrays[d.Name]
		arg := fmt.Sprintf("data[%s](%s)", kernel.GoType[d.Types[0]], list(a.Elements(0)))
		if d.Dims > 1 {
			arg = fmt.Sprintf("Image[%s]{Pix: %s, Width: %d, Height: %d, Stride: %[3]d}", kernel.GoType[d.Types[0]], arg, a.Dims[0].Extent, a.Dims[1].Extent)
		}
		args = append(args, arg)
	}
	for c := range want.Types() {
		results = append(results, fmt.Sprintf("f%d", c))
	}
	fmt.Fprintf(b, "{\n%s, err := F(%s)\nif err != nil {\nt.Fatal(err)\n}\n", strings.Join(results, ", "), strings.Join(args, ", "))
	for c := range want.Types() {
		fmt.Fprintf(b, "check(t, %q, f%d, %s)\n", fmt.Sprintf("component %d", c), c, list(want.Elements(c)))
	}
	b.WriteString("}\n")
}

const nearHead = `package %s

import (
	"encoding/binary"
	"bytes"
	"testing"
	"unsafe"
)

func data[T any](words ...uint64) []T {
	out := make([]T, len(words))
	for i, w := range words {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&out[i])), unsafe.Sizeof(out[i])), binary.LittleEndian.AppendUint64(nil, w))
	}
	return out
}

func check[T any](t *testing.T, name string, got T, words ...uint64) {
	t.Helper()
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, got); err != nil {
		t.Fatal(err)
	}
	each := b.Len() / max(len(words), 1)
	for i, w := range words {
		have, want := b.Bytes()[i*each:][:each], binary.LittleEndian.AppendUint64(nil, w)[:each]
		if !bytes.Equal(have, want) && !(nan(any(got), have) && nan(any(got), want)) {
			t.Fatalf("%%s, element %%d is %%x, not %%x", name, i, have, want)
		}
	}
}

func nan(of any, b []byte) bool {
	switch of.(type) {
	case float32, []float32:
		return binary.LittleEndian.Uint32(b)&^(1<<31) > 0x7f800000
	case float64, []float64:
		return binary.LittleEndian.Uint64(b)&^(1<<63) > 0x7ff0<<48
	}
	return false
}

// %s
func TestNear(t *testing.T) {
`
