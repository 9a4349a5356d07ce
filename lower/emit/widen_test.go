package emit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

var halideNames = map[string]string{
	"uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float32": "f32", "float64": "f64",
}

// Sums in a wider type are right on vectors of every width that the machine has, emulated
// ones included, for elements at the ends of their range and more of them than lanes take
// between two foldings.
func TestEmittedWidening(t *testing.T) {
	m := newModule(t)
	var imports, cases strings.Builder
	for i, c := range [][2]string{
		{"uint8", "uint16"}, {"uint8", "uint32"}, {"int8", "int16"}, {"int8", "uint32"}, {"uint16", "int32"}, {"uint16", "uint64"},
		{"int16", "int32"}, {"int16", "int64"}, {"uint32", "uint64"}, {"uint32", "int64"}, {"int32", "int64"}, {"float32", "float64"},
	} {
		from, to := c[0], c[1]
		pkg := fmt.Sprintf("p%d", i)
		p, err := lowertest.PlanOf(pkg+".rf", strings.NewReplacer("FROM", halideNames[from], "TO", halideNames[to]).Replace(`ImageParam in(FROM, 1); Func f; f() = cast<TO>(3);
RDom r(0, in.width()); f() += cast<TO>(in(r));
RVar ro, ri; Var u; Func intm = f.update(0).split(r, ro, ri, 4194304).rfactor(ro, u); intm.compute_root().update(0).parallel(u);`))
		if err != nil {
			t.Fatal(from, to, err)
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatal(from, to, err)
		}
		if !strings.Contains(string(files["kernel_simd_amd64.go"]), "add in wider lanes") {
			t.Errorf("%s in %s is not widened", from, to)
		}
		m.withoutTests(t, pkg, files)
		fmt.Fprintf(&imports, "\t\"emitted/%s\"\n", pkg)
		check := "check"
		if from == "float32" {
			check = "checkFloat"
		}
		fmt.Fprintf(&cases, "t.Run(%q, func(t *testing.T) { %s(t, %s.F) })\n", from+" in "+to, check, pkg)
	}
	test := `package emitted

import (
	"math/rand/v2"
	"testing"
` + imports.String() + `)

type integer interface{ int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 }

func check[S, W integer](t *testing.T, f func([]S) (W, error)) {
	least, greatest := S(0), ^S(0)
	if greatest < 0 {
		for least = greatest; least*2 < 0; {
			least *= 2
		}
		greatest = ^least
	}
	for kind, value := range []func(i int) S{
		func(int) S { return least },
		func(int) S { return greatest },
		func(i int) S { return []S{least, greatest}[i%2] },
		func(i int) S { return []S{greatest, least}[i%2] },
		func(int) S { return S(rand.Uint64()) },
	} {
		for _, n := range []int{0, 1, 63, 64, 65, 257, 4099, 3<<20 + 77} {
			in := make([]S, n+1)[1:]
			want := W(3)
			for i := range in {
				in[i] = value(i)
				want += W(in[i])
			}
			if got, err := f(in); err != nil || got != want {
				t.Errorf("kind %d, %d elements: %d, not %d", kind, n, got, want)
			}
		}
	}
}

// Sums of halves are exact in any order.
func checkFloat(t *testing.T, f func([]float32) (float64, error)) {
	for _, n := range []int{0, 1, 15, 16, 31, 32, 33, 257, 4099, 1<<20 + 77} {
		in := make([]float32, n+1)[1:]
		want := 3.0
		for i := range in {
			in[i] = float32(rand.IntN(1<<24)) / 2
			want += float64(in[i])
		}
		if got, err := f(in); err != nil || got != want {
			t.Errorf("%d elements: %v, not %v", n, got, want)
		}
	}
}

func TestAll(t *testing.T) {
` + cases.String() + "}\n"
	if suite.More(true, false) && !lowertest.Full() {
		return // CI compiles them
	}
	m.write(t, "", map[string][]byte{"all_test.go": []byte(test)})
	m.run(t, nil, "test", ".")
	needSIMD(t)
	m.run(t, append(simdEnv, "GOARCH=arm64"), "vet", "./...")
	m.run(t, simdEnv, "vet", "./...")
	m.run(t, simdEnv, "test", "-c", "-o", "all.test", ".")
	for _, bits := range []string{"0", "128", "256", "512"} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(m.dir, "all.test"))
		cmd.Dir, cmd.Env = m.dir, append(os.Environ(), "GODEBUG=simd="+bits)
		switch out, err := cmd.CombinedOutput(); {
		case strings.Contains(string(out), "is larger than the simd length"):
			t.Logf("the machine has no vectors of %s bits", bits)
		case err != nil:
			t.Errorf("vectors of %s bits: %v\n%s", bits, err, out)
		}
	}
}
