package integers

import (
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// parser reads terms over variables that are declared as in "x0:u8,b:bool".
func parser(t testing.TB, types string) func(want ir.Type, text string) ir.Expr {
	pool, vars := ir.NewPool(), map[string]ir.Expr{}
	for i, declared := range strings.Split(types, ",") {
		name, typ, _ := strings.Cut(declared, ":")
		vars[name] = pool.Placeholder(ir.Leaf, name, i, ir.ParseType(typ))
	}
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }}
	return func(want ir.Type, text string) ir.Expr {
		t.Helper()
		e, err := program.ParseExpr(pool, scope, want, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return e
	}
}

func TestRestate(t *testing.T) {
	for _, test := range []struct{ types, term, want, given string }{
		{"x:i8,y:i8", "saturating_add(x, y)", "max(min(n0 + n1, 127), -128)", "-128 <= n0; n0 <= 127; -128 <= n1; n1 <= 127"},
		{"x:u8,y:u8", "x + y", "select(n0 + n1 < 256, n0 + n1 + 0, n0 + n1 + (-256))", "0 <= n0; n0 <= 255; 0 <= n1; n1 <= 255"},
		{"x:u8,y:u8", "saturating_sub(x, y)", "max(min(n0 - n1, 255), 0)", "0 <= n0; n0 <= 255; 0 <= n1; n1 <= 255"},
		{"x:i8", "-x", "select(0 - n0 < 128, 0 - n0 + 0, 0 - n0 + (-256))", "-128 <= n0; n0 <= 127"},
		{"x:u8", "~x", "-1 - n0 + 256", "0 <= n0; n0 <= 255"},
		{"x:u8,y:i16", "i16(x) * 2 + 1", "n0*2 + 1", "0 <= n0; n0 <= 255"},
		{"x:i8", "x * 3", "select(n0*3 < (-128), n0*3 + 256, select(n0*3 < 128, n0*3 + 0, n0*3 + (-256)))", "-128 <= n0; n0 <= 127"},
		{"x:u8", "x * 4", "n2", "0 <= n0; n0 <= 255; 0 <= n2; n2 <= 255"}, // it may wrap three times
		{"x:u8,y:u8", "x % y", "n0 % n1", "0 <= n0; n0 <= 255; 0 <= n1; n1 <= 255"},
		{"x:i8,y:i8", "x % y", "n2", "-128 <= n0; n0 <= 127; -128 <= n1; n1 <= 127; -128 <= n2; n2 <= 127"},
		{"x:i64,y:i64", "max(x, 3) + y", "n4", ""}, // it may overflow
		{"x:i32,y:i32", "i64(x) * i64(y)", "n0*n2", "-2147483648 <= n0; n0 <= 2147483647; -2147483648 <= n2; n2 <= 2147483647"},
		{"x:i8,y:i8", "(x ^ y) < 0", "n0 < 0", "-128 <= n0; n0 <= 127"},
		{"x:i8,y:bool", "select(!y, x, 1) == 1", "select(!b0, n0, 1) == 1", "-128 <= n0; n0 <= 127"},
		{"x:u8", "bool(x)", "b0", ""},
		{"x:u8", "x / 128", "select(n0 < 128, 0, 1)", "0 <= n0; n0 <= 255"},
		{"x:u8", "x & 127", "n0 - select(n0 < 128, 0, 1)*128", "0 <= n0; n0 <= 255"},
		{"x:i8", "x >> 6", "n0/64", "-128 <= n0; n0 <= 127"},
		{"x:i8", "x >> 7", "n0", "-128 <= n0; n0 <= 127"}, // 128 is no i8
		{"x:i8", "7 & x", "n0 - n0/8*8", "-128 <= n0; n0 <= 127"},
		{"x:u8", "x & 6", "n0", "0 <= n0; n0 <= 255"},
		{"x:i8", "x % 100", "n0 % 100", "-128 <= n0; n0 <= 127"},
		{"x:i8", "x / 0", "n0", "-128 <= n0; n0 <= 127"},
	} {
		e := parser(t, test.types)(ir.Invalid, test.term)
		given, left, right, err := Restate(nil, e, e)
		if err != nil || left != right {
			t.Errorf("%s: %v", test.term, err)
		} else if got, bounds := left.String(), strings.Trim(ir.Strings(given), "{}"); got != test.want || bounds != test.given {
			t.Errorf("%s is restated as %q given %q, not %q given %q", test.term, got, bounds, test.want, test.given)
		}
	}
	parse := parser(t, "x:u64,y:u64")
	e := parse(ir.U64, "(x + y) % 60")
	given, left, _, err := Restate([]ir.Expr{parse(ir.Bool, "x < 60 && 59 >= y")}, e, e)
	if got, want := left.String(), "n0 + n3 - select(n0 + n3 < 60, 0, 1)*60"; err != nil || got != want {
		t.Errorf("%s is restated as %s given %s, not %s: %v", e, got, ir.Strings(given), want, err)
	}
	if got, want := strings.Trim(ir.Strings(given[:2]), "{}"), "0 <= n0; 0 <= n3"; got != want {
		t.Errorf("of bounded words %s is given, not %s", got, want)
	}
	for bounds, want := range map[string]string{"x < 60 && y < 60": "n0 + n2 < 200", "x < 60": "n3 < 200"} { // where both are bounded it does not saturate
		sum := parse(ir.Bool, "saturating_add(x, y) < 200")
		if _, left, _, err := Restate([]ir.Expr{parse(ir.Bool, bounds)}, sum, sum); err != nil || left.String() != want {
			t.Errorf("%s given %s is restated as %s, not %s: %v", sum, bounds, left, want, err)
		}
	}
	f := parser(t, "x:f32")(ir.F32, "x")
	if _, _, _, err := Restate(nil, f, f); err == nil {
		t.Error("floats are restated")
	}
}

// Equations of certificates of kind integers are restated.
func TestRecorded(t *testing.T) {
	data, err := os.ReadFile("testdata/equations.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		parse := parser(t, f[0])
		left := parse(ir.Invalid, f[3])
		if _, _, _, err := Restate(nil, left, parse(left.Type(), f[4])); err != nil {
			t.Error(err)
		}
	}
}

// holds checks one restated term: it has the machine's value, within its bounds and those that are given.
func holds(t *testing.T, choose func(int) int) bool {
	d := &drawn.Drawer{
		Pool: ir.NewPool(), Choose: choose,
		Types: []ir.Type{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64, ir.Bool},
	}
	e := d.Term(d.Types[choose(8)], 5)
	if k := choose(6); k < 3 && e.NumArgs() > 0 { // quotients by a literal are rare among what is drawn
		e = ir.Make([...]ir.Op{ir.Div, ir.Mod, ir.BitAnd}[k], e, d.Pool.Const(e.Type(), [...]uint64{1, 3, 7, 60, 64, 127}[choose(6)]))
	}
	r := newRestater(d.Pool)
	var given []ir.Expr
	ir.Walk([]ir.Expr{e}, func(v ir.Expr) {
		if v.Op() == ir.Var && v.Type().IsInt() && choose(3) == 0 {
			limit := d.Pool.Const(v.Type(), uint64(choose(100)))
			given = append(given, ir.Make([...]ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq}[choose(5)], v, limit))
		}
	})
	for _, g := range given {
		r.bound(g)
	}
	n, sum := r.number(e), r.sum(e)
	stands := map[ir.Expr]ir.Expr{} // what a variable stands for
	for from, to := range r.numbers {
		stands[to.term] = from
	}
	for from, to := range r.truths {
		stands[to] = from
	}
	rng := rand.New(rand.NewPCG(uint64(e.Size()), 2))
	for range 20 {
		values := map[ir.Expr]uint64{}
		machine := &ir.Env{Var: func(v ir.Expr) uint64 {
			if _, ok := values[v]; !ok {
				t := v.Type()
				values[v] = [...]uint64{t.Min(), t.Max(), t.Wrap(rng.Uint64()), t.Wrap(rng.Uint64() >> rng.IntN(64)), t.Wrap(uint64(rng.IntN(100)))}[rng.IntN(5)]
			}
			return values[v]
		}}
		if slices.ContainsFunc(given, func(g ir.Expr) bool { return ir.Eval(g, machine) == 0 }) {
			continue
		}
		over := exact{vars: func(v ir.Expr) *big.Int {
			from := stands[v]
			return integer(from.Type(), ir.Eval(from, machine))
		}, done: map[ir.Expr]*big.Int{}}
		want, got := integer(e.Type(), ir.Eval(e, machine)), over.eval(n.term)
		if got.Cmp(want) != 0 {
			t.Fatalf("%s is restated as %s given %s: %d, not %d", e, n.term, ir.Strings(given), got, want)
		}
		unwrapped, size := over.eval(sum), new(big.Int).Lsh(big.NewInt(1), uint(e.Type().Bits()))
		if off := new(big.Int).Sub(unwrapped, want); off.Mod(off, size).Sign() != 0 {
			t.Fatalf("%s is restated as the sum %s given %s: %d, not %d", e, sum, ir.Strings(given), unwrapped, want)
		}
		if got.Cmp(n.lo) < 0 || got.Cmp(n.hi) > 0 {
			t.Fatalf("%s is %d, not from %d to %d", e, got, n.lo, n.hi)
		}
		for _, g := range r.given {
			if over.eval(g).Sign() == 0 {
				t.Fatalf("%s does not hold", g)
			}
		}
	}
	return n.term.Op() != ir.Var
}

func integer(t ir.Type, v uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(v)
}

// exact evaluates restated terms over the integers.
type exact struct {
	vars func(ir.Expr) *big.Int
	done map[ir.Expr]*big.Int
}

func (x exact) eval(e ir.Expr) *big.Int {
	out, ok := x.done[e]
	if !ok {
		out = x.root(e)
		x.done[e] = out
	}
	return out
}

func (x exact) root(e ir.Expr) *big.Int {
	switch e.Op() {
	case ir.Var:
		return x.vars(e)
	case ir.Const:
		return big.NewInt(e.Int())
	case ir.Select:
		if x.eval(e.Arg(0)).Sign() != 0 {
			return x.eval(e.Arg(1))
		}
		return x.eval(e.Arg(2))
	}
	a, b, out := x.eval(e.Arg(0)), new(big.Int), new(big.Int)
	if e.NumArgs() == 2 {
		b = x.eval(e.Arg(1))
	}
	switch e.Op() {
	case ir.Add:
		return out.Add(a, b)
	case ir.Sub:
		return out.Sub(a, b)
	case ir.Mul:
		return out.Mul(a, b)
	case ir.Mod:
		if b.Sign() != 0 {
			out.Mod(a, b)
		}
		return out
	case ir.Div:
		if b.Sign() != 0 {
			out.Div(a, b)
		}
		return out
	case ir.Min:
		return bound(ir.Min, a, b)
	case ir.Max:
		return bound(ir.Max, a, b)
	case ir.Not:
		return out.Sub(big.NewInt(1), a)
	case ir.And:
		return out.Mul(a, b)
	case ir.Or:
		return bound(ir.Max, a, b)
	}
	order := a.Cmp(b)
	return integer(ir.Bool, ir.Apply2(e.Op(), ir.I8, uint64(int64(order)), 0))
}

func TestRestateIsTrue(t *testing.T) {
	rng, restated := rand.New(rand.NewPCG(5, 6)), 0
	for range 10000 {
		if holds(t, rng.IntN) {
			restated++
		}
	}
	if t.Logf("%d terms are restated", restated); restated < 3000 {
		t.Errorf("%d terms are restated: they test little", restated)
	}
}

// TestBounds has terms that are large when written out, which are restated, and too many terms, which are not.
func TestBounds(t *testing.T) {
	p := ir.NewPool()
	e := p.Y(0, ir.U8)
	for range 500 {
		e = ir.AddOf(e, e)
	}
	if _, _, _, err := Restate(nil, e, e); err != nil {
		t.Errorf("%d terms: %v", p.Len(), err)
	}
	row := make([]ir.Expr, 1<<13)
	for i := range row {
		row[i] = p.Y(i, ir.U8)
	}
	for len(row) > 1 {
		for i := range len(row) / 2 {
			row[i] = ir.SubOf(row[2*i], row[2*i+1])
		}
		row = row[:len(row)/2]
	}
	if _, _, _, err := Restate(nil, row[0], row[0]); err == nil {
		t.Errorf("%d terms are restated", p.Len())
	}
}

func FuzzRestate(f *testing.F) {
	for _, seed := range drawn.Seeds(20, 120) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { holds(t, drawn.FromBytes(data)) })
}
