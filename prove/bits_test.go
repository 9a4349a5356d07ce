package prove

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// tricks are equations of words that are true in every width, in which W stands for the
// width less one; S is a signed type, U the unsigned one of that width.
var tricks = []struct{ typ, left, right string }{
	{"S", "(x & y) + (x | y)", "x + y"},
	{"U", "(x & y) + (x | y)", "x + y"},
	{"S", "x + y - 2*(x & y)", "x ^ y"},
	{"S", "(x | y) - (x ^ y)", "x & y"},
	{"S", "(x & y) + ((x ^ y) >> 1)", "(x | y) - (x ^ y) + ((x ^ y) >> 1)"},
	{"S", "(x & y) + ((x ^ y) >> 1)", "(x >> 1) + (y >> 1) + (x & y & 1)"},
	{"U", "(x & y) + ((x ^ y) >> 1)", "(x | y) - ((x ^ y) >> 1) - ((x ^ y) & 1)"},
	{"S", "(x ^ (x >> W)) - (x >> W)", "abs(x)"},
	{"S", "(x + (x >> W)) ^ (x >> W)", "abs(x)"},
	{"S", "y ^ ((x ^ y) & -S(x < y))", "min(x, y)"},
	{"S", "x ^ ((x ^ y) & -S(x < y))", "max(x, y)"},
	{"U", "y ^ ((x ^ y) & -U(x < y))", "min(x, y)"},
	{"S", "(x >> W) | S(U(-x) >> W)", "select(x < 0, -1, select(x > 0, 1, 0))"},
	{"S", "x - (x >> 3)*8", "x & 7"},
	{"S", "x - (x & 7)", "(x >> 3) << 3"},
	{"S", "x - x % 8", "x & -8"},
	{"S", "x / 8 * 8 + (x & 7)", "x"},
	{"U", "(x >> 3) + ((x & 7) >> 3)", "x / 8"},
	{"S", "x & -x", "x & (~x + 1)"},
	{"S", "x & (x - 1)", "x - (x & -x)"},
	{"S", "x ^ (x & -x)", "x & (x - 1)"},
	{"S", "(x | (x - 1)) + 1", "(x & (x - 1)) + 2*(x & -x)"},
	{"S", "x | (x + 1)", "x + (~x & (x + 1))"},
	{"S", "~x & (x + 1)", "~(x | (-2 - x))"},
	{"bool", "S(U(x) ^ (U(1) << W)) < S(U(y) ^ (U(1) << W))", "U(x) < U(y)"},
	{"bool", "(U(x) ^ (U(1) << W)) < (U(y) ^ (U(1) << W))", "x < y"},
	{"bool", "U(x) + U(y) < U(x)", "~U(x) < U(y)"},
	{"bool", "U(x) + U(y) < U(y)", "U(x) + U(y) < U(x)"},
	{"bool", "((x ^ (x + y)) & (y ^ (x + y))) < 0", "x + y != saturating_add(x, y)"},
	{"bool", "(x ^ y) < 0", "(x < 0) != (y < 0)"},
	{"bool", "x - y < 0", "(x < y) != (((x ^ y) & (x ^ (x - y))) < 0)"},
	{"U", "(x + y) | -U(x + y < x)", "saturating_add(x, y)"},
	{"U", "select(x > ~y, ~U(0), x + y)", "saturating_add(x, y)"},
	{"U", "x + min(y, ~x)", "saturating_add(x, y)"},
	{"U", "(x - y) & -U(x - y <= x)", "saturating_sub(x, y)"},
	{"U", "max(x, y) - y", "saturating_sub(x, y)"},
	{"U", "x - min(x, y)", "saturating_sub(x, y)"},
	{"S", "saturating_sub(x, y)", "~saturating_add(~x, y)"},
	{"U", "~saturating_add(~x, y)", "saturating_sub(x, y)"},
	{"S", "select(((x ^ (x+y)) & (y ^ (x+y))) < 0, (x >> W) ^ S(U(~U(0)) >> 1), x + y)", "saturating_add(x, y)"},
	{"U", "(x << 3) | (x >> (W - 2))", "(x << 3) ^ (x >> (W - 2))"},
	{"U", "(x << 3) + (x >> (W - 2))", "(x << 3) | (x >> (W - 2))"},
	{"U", "(x >> 1) ^ x ^ ((x ^ (x >> 1)) >> 2)", "x ^ (x >> 1) ^ (x >> 2) ^ (x >> 3)"},
	{"U", "(x & 85) + ((x >> 1) & 85)", "(x & 255) - ((x >> 1) & 85)"},
	{"bool", "((U(1) << U(x & 7)) & ((U(1) << U(x & 7)) - 1)) == 0", "true"},
	{"bool", "U(x & (x - 1)) == 0 && x != 0", "U(x ^ (x - 1)) > U(x - 1) && x != 0"},
	{"S", "max(x, y)", "x - ((x - y) & ((x - y) >> W)) + S(0)*x + select((x < y) != (x - y < 0), max(x,y) - x + ((x - y) & ((x - y) >> W)), 0)"},
	{"S", "-(x & y)", "~((x & y) - 1)"},
	{"S", "~(x - 1)", "-x"},
	{"S", "(x & z) | (y & ~z)", "((x ^ y) & z) ^ y"},
	{"S", "(x & y) | (y & z) | (x & z)", "(x & y) | ((x | y) & z)"},
	{"S", "(x ^ y) ^ ((x & y) << 1) ^ ((x + y) - (x ^ y))", "(x ^ y)"},
	{"bool", "(x | y) == 0", "x == 0 && y == 0"},
	{"bool", "(x & y) == -1", "x == -1 && y == -1"},
	{"bool", "(x ^ y) == 0", "x == y"},
	{"S", "S(x != 0)", "S(U(x | -x) >> W)"},
	{"S", "S(x == 0)", "S(U(~(x | -x)) >> W)"},
	{"S", "S(U(x) >> W)", "S(x < 0)"},
	{"S", "max(x, 0)", "x & ~(x >> W)"},
	{"S", "min(x, 0)", "x & (x >> W)"},
	{"S", "(x + y) + z + (x & y)", "x + (z + y) + (y & x)"},
	{"S", "select((x & 1) == 0, x, x - 1)", "x & -2"},
	{"U", "(x & ~y) | (~x & y)", "x ^ y"},
	{"U", "x * 5 & 3", "x & 3"},
	{"U", "(x * 3) ^ (x << 1)", "(x + (x << 1)) ^ (x + x)"},
	{"S", "S(x * y & 1)", "(x & 1) * (y & 1)"},
}

// Every trick is proven, in every width, and the certificate is accepted.
func TestTricks(t *testing.T) {
	widths := []string{"8", "16", "32", "64"}
	if testing.Short() {
		widths = []string{"8", "32"}
	}
	byBits, w := 0, NewProver()
	for _, bits := range widths {
		for _, k := range tricks {
			p := trick(t, ir.NewPool(), bits, k.typ, k.left, k.right)
			begun := time.Now()
			a := w.Equation(context.Background(), p, 0)
			took := time.Since(begun)
			if a.Status != Proved {
				t.Errorf("%s = %s in %s bits: %s %v", k.left, k.right, bits, a.Status, a.Counter)
				continue
			}
			if err := check(p, 0, a.Proof); err != nil {
				t.Errorf("%s = %s in %s bits: %v", k.left, k.right, bits, err)
			}
			if MethodOf(a.Proof) == Bits {
				byBits++
				t.Logf("%s = %s in %s bits: %d gates, %d literals looked at, %d bytes, %s", k.left, k.right, bits, len(w.bits.gates), w.bits.solver.work, len(a.Proof.Lemmas), took)
			}
		}
	}
	if byBits < len(tricks)/3*len(widths) {
		t.Errorf("only %d of them need their bits", byBits)
	}
}

func trick(t *testing.T, pool *ir.Pool, bits, typ, left, right string) proof.Problem {
	t.Helper()
	width, _ := strconv.Atoi(bits)
	r := strings.NewReplacer("S(", "i"+bits+"(", "U(", "u"+bits+"(", "W", strconv.Itoa(width-1))
	of := program.ParseType(map[string]string{"S": "i", "U": "u", "bool": "i"}[typ] + bits)
	vars := "x:" + of.String() + ", y:" + of.String() + ", z:" + of.String()
	result := of
	if typ == "bool" {
		result = ir.Bool
	}
	return parseProblem(t, pool, result, vars, r.Replace(left), r.Replace(right), "")
}

// Bits prove nothing of integers that do not wrap, and nothing is proven by bits where a prover
// may use cases only.
func TestBitsOfWrapping(t *testing.T) {
	p := trick(t, ir.NewPool(), "8", "S", "(x + (x >> W)) ^ (x >> W)", "abs(x)")
	w := NewProver()
	a := w.Under(context.Background(), p, 0)
	if a.Status != Proved || MethodOf(a.Proof) != Bits || check(p, 0, a.Proof) != nil {
		t.Fatalf("%s", a.Status)
	}
	for n := range NumLemmas(a.Proof) / 2 { // the last ones follow anyway
		if check(p, 0, &proof.Tree{Kind: proof.Circuit, Lemmas: firstLemmas(a.Proof.Lemmas, n)}) == nil {
			t.Errorf("%d of %d clauses are accepted", n, NumLemmas(a.Proof))
		}
	}
	if check(p, ir.NSW, a.Proof) == nil {
		t.Error("the certificate is accepted under nsw")
	}
	if b := w.Under(context.Background(), p, ir.NSW); b.Status == Proved {
		t.Error("it is proven under nsw")
	}
	w.CasesOnly = true
	if b := w.Under(context.Background(), p, 0); b.Status == Proved {
		t.Error("it is proven by cases")
	}
}

// firstLemmas are the first n clauses.
func firstLemmas(lemmas []byte, n int) []byte {
	at := 0
	next := func() uint64 {
		v, size := binary.Uvarint(lemmas[at:])
		at += size
		return v
	}
	for range n {
		for range next() {
			next()
		}
	}
	return lemmas[:at]
}

// Where the bits say that the sides differ, there is a counterexample if evaluation confirms it;
// what bits do not show, such as floats and calls, may be the reason that they seem to.
func TestBitsRefute(t *testing.T) {
	for _, c := range []struct {
		types, left, right string
		want               Status
	}{
		{"x:u32, y:u32", "select((x ^ y) == 123456789, x, y)", "y", Refuted},
		{"x:u32, y:u32, z:f32", "select((x ^ y) == 123456789 && z == z, x, y)", "y", Refuted},
		{"x:u32, y:u32, z:f32", "select((x ^ y) == 123456789 && z*z < 0.0, x, y)", "y", Unknown},
		{"x:u32, y:u32, z:u32", "select((x ^ y) == 123456789 && P(z), x, y)", "y", Unknown},
		{"x:u32, y:u32, z:f32", "select((x ^ y) == 123456789 && z < f32(u32(P(x))), x, y)", "y", Unknown},
	} {
		typ := program.ParseType(c.types[2:strings.Index(c.types, ",")])
		p := parseProblem(t, ir.NewPool(), typ, c.types, c.left, c.right, "")
		th := NewProver().AllUnder(context.Background(), []proof.Problem{{Left: p.Left, Right: p.Left}, p}, 0)
		if th.Status != c.want || th.Status == Refuted && th.Failed != 1 {
			t.Errorf("%s = %s: %s", c.left, c.right, th.Status)
		}
		if th.Status == Refuted {
			confirm(t, p, Answer{Status: Refuted, Counter: th.Counter})
		}
	}
}

// Work by bits is bounded, the bound is counted, and the same certificate comes out each time.
func TestBitsLimit(t *testing.T) {
	p := trick(t, ir.NewPool(), "32", "S", "(x & y) + ((x ^ y) >> 1)", "(x >> 1) + (y >> 1) + (x & y & 1)")
	w := NewProver()
	a := w.Under(context.Background(), p, 0)
	if a.Status != Proved {
		t.Fatal(a.Status)
	}
	need := w.bits.solver.work
	again := w.Under(context.Background(), p, 0)
	if !slices.Equal(a.Proof.Lemmas, again.Proof.Lemmas) || w.bits.solver.work != need {
		t.Error("the second proof is another")
	}
	for _, c := range []struct {
		limit int
		want  Status
	}{{bitShare * need, Proved}, {bitShare * need / 3, Unknown}} {
		w.Limit, w.Left = c.limit, 100*need
		if b := w.Under(context.Background(), p, 0); b.Status != c.want {
			t.Errorf("%s within %d steps of work, of which it needs %d", b.Status, c.limit, bitShare*need)
		}
		if w.Left > 100*need-need/3 {
			t.Errorf("%d steps were paid for", 100*need-w.Left)
		}
	}
}

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
	n := 150
	if testing.Short() {
		n = 40
	}
	count := map[Status]int{}
	for seed := range uint64(n) {
		decideWords(t, seed, count)
	}
	t.Logf("%d proved, %d refuted", count[Proved], count[Refuted])
	if count[Proved] < n/10 {
		t.Errorf("only %d of %d equations are true", count[Proved], n)
	}
}

func FuzzBits(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed + 1e6)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { decideWords(t, seed, map[Status]int{}) })
}

// decideWords proves or refutes, from the bits alone, that a random term is one that it may
// be equal to, and checks what comes out, also of mutated certificates.
func decideWords(t *testing.T, seed uint64, count map[Status]int) {
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
	w := NewProver()
	got := w.byBits(context.Background(), p)
	count[got.Status]++
	holds := holdsEverywhere(every(x, y, append([]ir.Expr{a, b}, p.Given...)...))
	switch {
	case got.Status == Unknown:
		t.Errorf("seed %d: %s = %s is not decided", seed, a, b)
	case got.Status == Refuted:
		if holds {
			t.Errorf("seed %d: %s = %s is refuted", seed, a, b)
		}
		confirm(t, p, got)
	case !holds:
		t.Errorf("seed %d: %s = %s is proved", seed, a, b)
	default:
		if err := replay(t, p, got); err != nil {
			t.Errorf("seed %d: %s = %s: %v", seed, a, b, err)
		}
	}
	// no certificate makes a false equation true
	cert := &proof.Tree{Kind: proof.Circuit}
	if got.Status == Proved {
		cert = got.Proof
	}
	for range 3 {
		q := p
		q.Right = ir.Make(ir.BitXor, b, ir.CastTo(g.typ, g.truth(2)))
		mutated := &proof.Tree{Kind: proof.Circuit, Lemmas: slices.Clone(cert.Lemmas)}
		for i := range mutated.Lemmas {
			if g.IntN(40) == 0 {
				mutated.Lemmas[i] ^= byte(1 << g.IntN(8))
			}
		}
		if !holdsEverywhere(every(x, y, append([]ir.Expr{a, q.Right}, p.Given...)...)) && equation.Check(q, 0, mutated) == nil {
			t.Errorf("seed %d: %s = %s is accepted", seed, q.Left, q.Right)
		}
	}
}
