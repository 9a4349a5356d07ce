package emit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/eval"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// movements are values that move the lanes of two vectors of a type, and masks of lanes.
func movements(t ir.Type) (out []*kernel.Value) {
	x, before, fill := kernel.Leaf(kernel.Load, 0, t), kernel.Leaf(kernel.Load, 1, t), kernel.Spread(t, 7)
	lanes := kernel.LanesIn(t)
	signed := func(mask *kernel.Value) *kernel.Value {
		return kernel.MaskLanes(mask, kernel.SignedOf(t.Bits()))
	}
	for by := 1; by < lanes; by *= 2 {
		if 2*by < lanes {
			out = append(out, kernel.Up(x, fill, by), signed(kernel.Where(t, func(lane int) bool { return lane&by != 0 })))
		}
		if t.Bits() >= 32 || 2*by == lanes {
			out = append(out, kernel.Lower(x, fill, by), kernel.Lower(x, nil, by))
		}
		out = append(out, kernel.Behind(before, x, by))
	}
	return append(out, kernel.Top(x), signed(kernel.UpperHalf(t)))
}

// Operations of a target that move lanes do what the evaluator of values says.
func addRows(t *testing.T, m *module) {
	b, use := &strings.Builder{}, kernel.Use(nil)
	array := func(elem ir.Type, lanes []uint64) string {
		var list []string
		for _, v := range lanes {
			list = append(list, use.GoLiteral(elem, v, false))
		}
		return fmt.Sprintf("[%d]%s{%s}", len(lanes), kernel.GoType[elem], strings.Join(list, ", "))
	}
	for elem := range ir.Type(ir.NumTypes) {
		if !kernel.HasVectors(elem) {
			continue
		}
		data := make([][]uint64, 2)
		for i := range 2 * kernel.LanesIn(elem) {
			v := uint64(i + 1)
			if elem.IsFloat() {
				v = ir.FloatBits(elem, float64(v))
			}
			data[i%2] = append(data[i%2], v)
		}
		for _, v := range movements(elem) {
			p := &kernel.Printer{Target: kernel.Archsimd, Leaf: func(v *kernel.Value) string { return fmt.Sprintf("y%d", v.Imm) }, Use: use}
			text := p.Text(v)
			fmt.Fprintf(b, "{\n")
			for i, d := range data {
				fmt.Fprintf(b, "in%[1]d := %[2]s\ny%[1]d := %[3]s\n_ = y%[1]d\n", i, array(elem, d), kernel.Archsimd.Load(elem, fmt.Sprintf("in%d[:]", i)))
			}
			to := v.Type.Elem
			got := fmt.Sprintf("var got [%d]%s\n%s", kernel.LanesIn(to), kernel.GoType[to], kernel.Archsimd.Store(to, text, "got[:]"))
			want := array(to, eval.Lanes(v, 256, func(l *kernel.Value) []uint64 { return data[l.Imm] }))
			fmt.Fprintf(b, "%s\n%s\nif want := (%s); got != want {\nt.Errorf(\"%%s: %%v, not %%v\", %q, got, want)\n}\n}\n", strings.Join(p.Hoisted, "\n"), got, want, v)
		}
	}
	m.add(t, "movements", map[string][]byte{
		"movements_test.go":  []byte("package movements\n\nimport \"testing\"\n\nfunc TestMovements(t *testing.T) { movements(t) }\n"),
		"movements_amd64.go": []byte("//go:build " + simdTag + "\n\npackage movements\n\nimport (\n\t\"simd\"\n\t\"simd/archsimd\"\n\t\"testing\"\n)\n\nfunc movements(t *testing.T) {\nif simd.VectorBitSize() < 256 {\nreturn\n}\n" + b.String() + "}\n"),
		"movements_other.go": []byte("//go:build !(" + simdTag + " && amd64)\n\npackage movements\n\nimport \"testing\"\n\nfunc movements(*testing.T) {}\n"),
	})
}
