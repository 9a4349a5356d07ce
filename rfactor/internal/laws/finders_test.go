package laws

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/internal/gf2"
	"github.com/rfactor-go/rfactor/rfactor/internal/maxplus"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/extrema"
	"github.com/rfactor-go/rfactor/verify/integers"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// The rooms of the checker confirm what the finders find.

func sameExtrema(a, b ir.Expr, assume ir.Assume) error {
	fuel := 1 << 20
	return extrema.Equal(a, b, assume, &fuel)
}

// recorded reads equations of certificates, one a line: types, assumptions, given conditions, both sides.
func recorded(t testing.TB, kind string, check func(p proof.Problem)) {
	data, err := os.ReadFile("../../../verify/" + kind + "/testdata/equations.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		pool, vars := ir.NewPool(), map[string]ir.Expr{}
		for i, declared := range strings.Split(f[0], ",") {
			name, typ, _ := strings.Cut(declared, ":")
			vars[name] = pool.Placeholder(ir.Leaf, name, i, ir.ParseType(typ))
		}
		scope := program.Scope{Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }}
		parse := func(want ir.Type, text string) ir.Expr {
			e, err := program.ParseExpr(pool, scope, want, text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return e
		}
		p := proof.Problem{Left: parse(ir.Invalid, f[3])}
		p.Right = parse(p.Left.Type(), f[4])
		for _, g := range strings.FieldsFunc(f[2], func(r rune) bool { return r == ';' }) {
			p.Given = append(p.Given, parse(ir.Bool, g))
		}
		check(p)
	}
}

// sameRestated reports whether both restate an equation to the same terms.
func sameRestated(t testing.TB, p proof.Problem) (restated bool) {
	t.Helper()
	want, ok := overIntegers(p)
	given, left, right, err := integers.Restate(p.Given, p.Left, p.Right)
	if ok != (err == nil) {
		t.Errorf("%s = %s is restated: %t and %v", p.Left, p.Right, ok, err)
	} else if ok && (left != want.Left || right != want.Right || !slices.Equal(given, want.Given)) {
		t.Errorf("%s = %s is restated as\n%s = %s given %v\nnot\n%s = %s given %v", p.Left, p.Right, left, right, ir.Strings(given), want.Left, want.Right, ir.Strings(want.Given))
	}
	return ok
}

// Equations of certificates of kind integers are restated to the same terms.
func TestRestateAgreesOnRecorded(t *testing.T) {
	recorded(t, "integers", func(p proof.Problem) {
		if !sameRestated(t, p) {
			t.Errorf("%s = %s is not restated", p.Left, p.Right)
		}
	})
}

// Random equations of integers and flags are restated to the same terms.
func TestRestateAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	types := []ir.Type{ir.Bool, ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64, ir.F32}
	restated := 0
	for range 20000 {
		d := &drawn.Drawer{Pool: ir.NewPool(), Types: types, Choose: rng.IntN}
		u := d.Type()
		p := proof.Problem{Left: d.Term(u, rng.IntN(6)), Right: d.Term(u, rng.IntN(4))}
		if rng.IntN(3) == 0 {
			p.Given = append(p.Given, d.Term(ir.Bool, 2), d.Term(ir.Bool, 1))
		}
		if sameRestated(t, p) {
			restated++
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d of 20000 are restated", restated)
}

// TestRoomsConfirm asks the checker to confirm the random equations that the finders confirm. Package
// gf2 takes the lowest bit of a word for its truth, so that it confirms some equations of bool(word)
// that are false, and reads others as smaller than they are.
func TestRoomsConfirm(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	words, sums := 0, 0
	for range 3000 {
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
