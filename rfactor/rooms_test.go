package rfactor

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/gf2"
	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/maxplus"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/bits"
	"github.com/rfactor-go/rfactor/verify/extrema"
	"github.com/rfactor-go/rfactor/verify/integers"
)

// The rooms of the checker confirm what the finders find.

func burnNothing(int) {}

// recorded reads equations of certificates, one a line: types, assumptions, given conditions, both sides.
func recorded(t testing.TB, kind string, check func(p prove.Problem, assume ir.Assume)) {
	data, err := os.ReadFile("../verify/" + kind + "/testdata/equations.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		pool, vars := ir.NewPool(), map[string]ir.Expr{}
		for i, declared := range strings.Split(f[0], ",") {
			name, typ, _ := strings.Cut(declared, ":")
			vars[name] = pool.Var(ir.Leaf, name, i, ir.ParseType(typ))
		}
		scope := ir.Scope{Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }}
		parse := func(want ir.Type, text string) ir.Expr {
			e, err := ir.ParseExpr(pool, scope, want, text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return e
		}
		p := prove.Problem{Left: parse(ir.Invalid, f[3])}
		p.Right = parse(p.Left.Type(), f[4])
		for _, g := range strings.FieldsFunc(f[2], func(r rune) bool { return r == ';' }) {
			p.Given = append(p.Given, parse(ir.Bool, g))
		}
		assume, err := ir.ParseAssume(f[1])
		if err != nil {
			t.Fatal(err)
		}
		check(p, assume)
	}
}

// sameRestated reports whether both restate an equation to the same terms.
func sameRestated(t testing.TB, p prove.Problem) (restated bool) {
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

func TestRoomsAgree(t *testing.T) {
	recorded(t, "bits", func(p prove.Problem, _ ir.Assume) {
		if err := bits.Equal(p.Left, p.Right, burnNothing); gf2.Equal(p.Left, p.Right) != (err == nil) {
			t.Errorf("%s = %s: %v", p.Left, p.Right, err)
		}
	})
	recorded(t, "extrema", func(p prove.Problem, assume ir.Assume) {
		if err := extrema.Equal(p.Left, p.Right, assume, burnNothing); maxplus.Equal(p.Left, p.Right, assume) != (err == nil) {
			t.Errorf("%s = %s: %v", p.Left, p.Right, err)
		}
	})
	recorded(t, "integers", func(p prove.Problem, _ ir.Assume) {
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
		d := drawer{ir.NewPool(), rng, types}
		u := types[rng.IntN(len(types))]
		p := prove.Problem{Left: d.term(u, rng.IntN(6)), Right: d.term(u, rng.IntN(4))}
		if rng.IntN(3) == 0 {
			p.Given = append(p.Given, d.term(ir.Bool, 2), d.term(ir.Bool, 1))
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

// drawer draws terms over two variables of each of its types.
type drawer struct {
	pool  *ir.Pool
	rng   *rand.Rand
	types []ir.Type
}

func (d drawer) term(t ir.Type, depth int) ir.Expr {
	if depth == 0 || d.rng.IntN(8) == 0 {
		if d.rng.IntN(3) == 0 {
			return d.pool.Const(t, [...]uint64{0, 1, ^uint64(0), t.Min(), t.Max(), d.rng.Uint64() >> d.rng.IntN(64)}[d.rng.IntN(6)])
		}
		return d.pool.Y(int(t)*2+d.rng.IntN(2), t)
	}
	u := d.types[d.rng.IntN(len(d.types))]
	for {
		op := ir.Op(d.rng.IntN(ir.NumOps))
		if op.Arity() == 0 || op == ir.Pow || op == ir.Exp || op == ir.Log {
			continue
		}
		if op == ir.Cast {
			return ir.CastTo(t, d.term(u, depth-1))
		}
		from := t
		if t == ir.Bool && (op.IsComparison() || op == ir.IsNaN) {
			from = u
		}
		args := slices.Repeat([]ir.Type{from}, op.Arity())
		if op == ir.Select {
			args[0] = ir.Bool
		}
		if result, err := ir.CheckTypes(op, args...); err != nil || result != t {
			continue
		}
		var es []ir.Expr
		for _, a := range args {
			es = append(es, d.term(a, depth-1))
		}
		return ir.Make(op, es...)
	}
}

// What the finders confirm of random equations is confirmed, unless it is false.
func TestRoomsConfirm(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	found, missed := 0, 0
	for range 3000 {
		d := &drawn.Drawer{Pool: ir.NewPool(), Types: []ir.Type{ir.U8, ir.I8, ir.Bool}, Choose: rng.IntN}
		a := d.Term(d.Type(), 3)
		b := d.Respelled(a)
		if a == b || !gf2.Equal(a, b) {
			continue
		}
		found++
		if err := bits.Equal(a, b, burnNothing); err != nil {
			missed++
			t.Logf("bits: %s = %s: %v", a, b, err)
		}
	}
	t.Logf("bits: %d found, %d missed", found, missed)
}
