package bits_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/internal/bits"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Work is bounded, the bound is counted, and the same certificate comes out each time.
func TestLimit(t *testing.T) {
	p := provetest.Problem(t, ir.NewPool(), ir.I32, "x:i32, y:i32", "(x & y) + ((x ^ y) >> 1)", "(x >> 1) + (y >> 1) + (x & y & 1)", "")
	w := bits.New()
	a := w.Decide(context.Background(), p, enough)
	if a.Tree == nil {
		t.Fatal("not proven")
	}
	if again := w.Decide(context.Background(), p, enough); again.Work.Total() != a.Work.Total() || !reflect.DeepEqual(again.Tree, a.Tree) {
		t.Error("the second proof is another")
	}
	needs := a.Work.Total()
	if b := w.Decide(context.Background(), p, needs); b.Tree == nil {
		t.Errorf("not proven within the work of %d that it needs", needs)
	}
	if b := w.Decide(context.Background(), p, needs/10); b.Tree != nil || b.Counter != nil {
		t.Errorf("decided within %d of the %d that it needs", b.Work.Total(), needs)
	}
}

const enough = 100_000_000

// trickster makes random terms of two words of 8 bits and their products, shifts, comparisons …
type trickster struct {
	*rand.Rand
	pool *ir.Pool
	typ  ir.Type
}

func (g trickster) leaf() ir.Expr {
	switch g.IntN(6) {
	case 0, 1:
		return g.pool.X(0, g.typ)
	case 2, 3:
		return g.pool.Y(0, g.typ)
	case 4:
		return g.pool.Int(g.typ, int64(g.IntN(4)-1))
	}
	return g.pool.Const(g.typ, g.typ.Wrap(g.Uint64()))
}

func (g trickster) term(size int) ir.Expr {
	if size <= 1 {
		return g.leaf()
	}
	op := []ir.Op{ir.Add, ir.Add, ir.Sub, ir.BitAnd, ir.BitAnd, ir.BitOr, ir.BitOr, ir.BitXor, ir.BitXor, ir.Shl, ir.Shr, ir.Mul,
		ir.Min, ir.Max, ir.SatAdd, ir.SatSub, ir.Div, ir.Mod, ir.Neg, ir.BitNot, ir.Abs, ir.Select, ir.Cast}[g.IntN(23)]
	left := 1 + g.IntN(size)
	switch op {
	case ir.Neg, ir.BitNot, ir.Abs:
		return ir.Make(op, g.term(size-1))
	case ir.Select:
		return ir.SelectOf(g.truth(size/3), g.term(size/3), g.term(size/3))
	case ir.Cast:
		via := []ir.Type{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.Bool}[g.IntN(6)]
		return ir.CastTo(g.typ, ir.CastTo(via, g.term(size-1)))
	case ir.Div, ir.Mod:
		return ir.Make(op, g.term(size-1), g.pool.Int(g.typ, 1<<g.IntN(7)))
	}
	return ir.Make(op, g.term(left), g.term(size-left))
}

func (g trickster) truth(size int) ir.Expr {
	if size > 2 && g.IntN(4) == 0 {
		return ir.Make([]ir.Op{ir.And, ir.Or, ir.Eq, ir.Ne}[g.IntN(4)], g.truth(size/2), ir.NotOf(g.truth(size/2)))
	}
	op := []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}[g.IntN(6)]
	left := 1 + g.IntN(max(size, 1))
	return ir.Make(op, g.term(left), g.term(size-left))
}

// every evaluates expressions at all values of two variables of 8 bits.
func every(x, y ir.Expr, es ...ir.Expr) [][]uint64 {
	code := tape.New(es...)
	out := make([][]uint64, len(es))
	in := make([]*[tape.Lanes]uint64, len(code.Inputs))
	for first := 0; first < 1<<16; first += tape.Lanes {
		for i, v := range code.Inputs {
			in[i] = new([tape.Lanes]uint64)
			for l := range tape.Lanes {
				n := uint64(first + l)
				if v == y {
					n >>= 8
				}
				in[i][l] = v.Type().Wrap(n)
			}
		}
		for i, row := range code.Run(in) {
			out[i] = append(out[i], row[:]...)
		}
	}
	return out
}

// holdsEverywhere compares the first two rows where the third, if there is one, is true.
func holdsEverywhere(rows [][]uint64) bool {
	for i := range rows[0] {
		if rows[0][i] != rows[1][i] && (len(rows) == 2 || rows[2][i] != 0) {
			return false
		}
	}
	return true
}

// Of words of 8 bits everything is decided, and as evaluation at all points says.
func TestBitsDecide(t *testing.T) {
	n := suite.Sample(suite.More(15, 40), 150)
	proved := 0
	for seed := range uint64(n) {
		if decideWords(t, seed) {
			proved++
		}
	}
	if t.Logf("%d proved of %d", proved, n); proved < n/10 {
		t.Errorf("only %d of %d equations are true", proved, n)
	}
}

func FuzzBits(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed + 1e6)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { decideWords(t, seed) })
}

// decideWords proves or refutes, from the bits alone, that a random term is one that it may
// be equal to, and checks what comes out, also of mutated certificates.
func decideWords(t *testing.T, seed uint64) (proved bool) {
	t.Helper()
	g := trickster{rand.New(rand.NewPCG(seed, 9)), ir.NewPool(), []ir.Type{ir.I8, ir.U8}[seed%2]}
	a := g.term(3 + g.IntN(8))
	x, y := g.pool.X(0, g.typ), g.pool.Y(0, g.typ)
	// b is a after a step that may hold at all points, at most, or at few
	b := [6]func() ir.Expr{
		func() ir.Expr { return ir.SubOf(ir.AddOf(ir.Make(ir.BitAnd, a, y), ir.Make(ir.BitOr, a, y)), y) },
		func() ir.Expr { return ir.Make(ir.BitXor, x, ir.Make(ir.BitXor, a, x)) },
		func() ir.Expr { return ir.SelectOf(g.truth(4), a, ir.Make(ir.BitOr, a, g.term(2))) },
		func() ir.Expr { return ir.AddOf(a, ir.CastTo(g.typ, g.truth(3))) },
		func() ir.Expr { return ir.NegOf(ir.AddOf(ir.Make(ir.BitNot, a), g.pool.Int(g.typ, 1))) },
		func() ir.Expr { return g.term(4) },
	}[g.IntN(6)]()
	p := proof.Problem{Left: a, Right: b}
	if g.IntN(3) == 0 {
		p.Given = []ir.Expr{g.truth(3)}
	}
	got := bits.New().Decide(context.Background(), p, enough)
	holds := holdsEverywhere(every(x, y, append([]ir.Expr{a, b}, p.Given...)...))
	switch {
	case got.Tree == nil && got.Counter == nil:
		t.Errorf("seed %d: %s = %s is not decided", seed, a, b)
	case got.Counter != nil:
		if holds {
			t.Errorf("seed %d: %s = %s is refuted", seed, a, b)
		}
		provetest.Confirm(t, p, got.Counter)
	case !holds:
		t.Errorf("seed %d: %s = %s is proved", seed, a, b)
	default:
		if err := provetest.Check(t, p, 0, got.Tree); err != nil {
			t.Errorf("seed %d: %s = %s: %v", seed, a, b, err)
		}
	}
	// no order makes a false equation true
	for range 3 {
		q := p
		q.Right = ir.Make(ir.BitXor, b, ir.CastTo(g.typ, g.truth(2)))
		mutated := &proof.Tree{Kind: proof.Bits, First: [][]string{{[]string{"x", "y", "z"}[g.IntN(3)]}}}
		if !holdsEverywhere(every(x, y, append([]ir.Expr{a, q.Right}, p.Given...)...)) && equation.Check(q, 0, mutated) == nil {
			t.Errorf("seed %d: %s = %s is accepted", seed, q.Left, q.Right)
		}
	}
	return got.Tree != nil
}
