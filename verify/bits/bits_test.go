package bits

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// sides parses two terms over variables that are declared as in "x0:u8,b:bool".
func sides(t testing.TB, types, left, right string) (a, b ir.Expr) {
	t.Helper()
	return sidesIn(ir.NewPool(), t, types, left, right)
}

func sidesIn(pool *ir.Pool, t testing.TB, types, left, right string) (a, b ir.Expr) {
	t.Helper()
	vars := map[string]ir.Expr{}
	for i, declared := range strings.Split(types, ",") {
		name, typ, _ := strings.Cut(declared, ":")
		vars[name] = pool.Placeholder(ir.Leaf, name, i, ir.ParseType(typ))
	}
	scope := program.Scope{Var: func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }}
	var err error
	if a, err = program.ParseExpr(pool, scope, ir.Invalid, left); err == nil {
		b, err = program.ParseExpr(pool, scope, a.Type(), right)
	}
	if err != nil {
		t.Fatalf("%s = %s: %v", left, right, err)
	}
	return a, b
}

// checked runs a check of so many steps. It returns how many were taken where the check does not fail.
func checked(limit int, check func(*poly.Space)) (steps int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New(string(r.(poly.Failure)))
		}
	}()
	space := poly.NewSpace(0, limit)
	check(space)
	return limit - space.Fuel, nil
}

// equal checks an equation by diagrams.
func equal(a, b ir.Expr, limit int) (steps int, err error) {
	return checked(limit, func(s *poly.Space) { Equal(s, proof.Problem{Left: a, Right: b}, nil) })
}

const maxFuel = 1 << 24

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		types, left, right string
		want               string // of the error
	}{
		{"x:u32,y:bool", "(x << 1) | u32(y)", "x*2 + select(y, 1, 0)", ""},
		{"x:u32,y:u8", "(x << 8) ^ u32(y)", "x*256 + u32(y)", ""},
		{"x:u32,y:u8", "(x << 7) ^ u32(y)", "x*128 + u32(y)", "bit 8"},
		{"x:i32,y:i32", "(x ^ y) >> 2", "(x >> 2) ^ (y >> 2)", ""},
		{"x:i16", "i16(u16(x) >> 3)", "x >> 3", "bit 13"},
		{"x:i16", "i16(i32(x) >> 3)", "x >> 3", ""},
		{"x:u8", "select((x & (1 << 3)) == 0, x + (1 << 3), x)", "x | 8", ""},
		{"x:u8", "-x", "~x + 1", ""},
		{"x:u8", "x - (x & 240)", "x & 15", ""},
		{"x:u8,y:u8,z:u8", "(x ^ z) << (y & 7)", "(x << (y & 7)) ^ (z << (y & 7))", ""},
		{"x:u8,y:u8", "(x << (y & 7)) ^ y", "y ^ (x << (y & 7))", ""},
		{"x:u8,y:u8,z:u8", "(x << (y & 7)) << (z & 7)", "(x << (z & 7)) << (y & 7)", ""},
		{"x:u8,y:u8,z:u8", "(x << (y & 7)) << (z & 7)", "x << ((y & 7) + (z & 7))", ""},
		{"x:u8,y:u8,z:u8", "(x << (y & 7)) << (z & 7)", "x << ((y + z) & 7)", "is not the same"},
		{"x:u8,y:u8,z:u8", "(x << (select(y == 3, z, 1) & 3)) * 4", "(x << 2) << (select(y == 3, z, 1) & 3)", ""},
		{"x:u32,y:u32", "x << y", "x << y", ""},
		{"x:u32,y:u32,z:u32", "x << ((y / z) & 3)", "x << ((y / z) & 3)", ""},
		{"x:i8", "x % 16 + 16 * (x / 16)", "x", ""},
		{"x:i8", "x / -128", "-(x >> 7)", "is not the same"},
		{"x:i8", "x >> -1", "x >> 7", ""}, // a count is unsigned
		{"x:u8", "bool(x)", "x != 0", ""},
		{"x:u8", "bool(x)", "bool(x & 1)", "is not the same"},
		{"x:i8", "i16(x) >> 8", "i16(x) >> 15", ""},
		{"x:u8,y:u8", "x * y", "y * x", ""},
		{"x:u8,y:u8", "x * y & 3", "3 & x * y", ""},
		{"x:f32", "x", "x + 0.0", "is not the same"},
	} {
		a, b := sides(t, test.types, test.left, test.right)
		_, err := equal(a, b, maxFuel)
		if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s = %s: %v, not %q", test.left, test.right, err, test.want)
		}
	}
}

// equalSums checks an equation by polynomials.
func equalSums(a, b ir.Expr, limit int) (steps int, err error) {
	return checked(limit, func(s *poly.Space) { Sums(s, proof.Problem{Left: a, Right: b}) })
}

func TestSums(t *testing.T) {
	for _, test := range []struct {
		types, left, right string
		want               string // of the error
	}{
		{"x:u8,y:u8", "(x ^ y) >> 1", "(x >> 1) ^ (y >> 1)", ""},
		{"x:u8,y:u8", "(x & y) ^ x", "x & y", "bit 0 of both sides is not the same polynomial"},
		{"x:u8,y:u8", "x | y", "(x & y) ^ x ^ y", ""},
		{"x:u8,y:u8", "x - (x & y)", "x & ~y", ""},
		{"x:u8", "-(x & 1) & 7", "select((x & 1) != 0, 7, 0)", ""},
		{"x:u8", "(x & 1)*7", "select(x % 2 == 1, 7, 0)", ""},
		{"x:u8", "x < 128", "(x >> 7) == 0", ""},
		{"x:i8", "x < 0", "bool((x >> 7) & 1)", ""},
		{"x:i8", "i16(x) >> 8", "i16(x) >> 15", ""},
		{"x:u8", "popcount(x & 7) & 1", "(x ^ (x >> 1) ^ (x >> 2)) & 1", ""},
		{"x:u8", "popcount(x)", "popcount(x) ^ 2", "bit 1"},
		{"x:u8,y:u8", "bitreverse(x ^ y) >> 4", "(bitreverse(x) >> 4) ^ (bitreverse(y) >> 4)", ""},
		{"x:u8,y:u8", "(x + y) & 1", "(x ^ y) & 1", ""},
		{"x:u8,y:u8", "(x + y) ^ (x + y)", "0", ""},
		{"x:u8,y:u8", "x*y", "y*x", "is not the same polynomial"},
		{"x:u8,a:bool,b:bool", "select(a, select(b, x, 0), 0)", "select(b && a, x, 0)", ""},
		{"a:bool,b:bool,c:bool,d:bool", "a && b && (c && d)", "d && c && b && a", ""},
		{"a:bool,b:bool,c:bool,d:bool,e:bool", "a && b && c && d && e", "a && b && c && (d && e)", "bit 0"},
		{"x:u8,y:u16", "x ^ x", "u8(y & 256)", ""},
		{"x:f32", "x", "x + 0.0", "is not the same polynomial"},
	} {
		a, b := sides(t, test.types, test.left, test.right)
		_, err := equalSums(a, b, maxFuel)
		if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s = %s: %v, not %q", test.left, test.right, err, test.want)
		}
	}
}

// Equations that certificates of kind bits have proven are confirmed.
func TestRecorded(t *testing.T) {
	data, err := os.ReadFile("testdata/equations.tsv")
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		a, b := sides(t, f[0], f[3], f[4])
		var first [][]string // in groups, as in y0,y1;x0
		for _, group := range strings.Split(f[5], ";") {
			first = append(first, strings.Split(group, ","))
		}
		steps, err := checked(maxFuel, func(s *poly.Space) { Equal(s, proof.Problem{Left: a, Right: b}, first) })
		if err != nil {
			t.Errorf("%s = %s: %v", a, b, err)
		}
		most = max(most, steps)
	}
	t.Logf("at most %d steps", most)
}

func TestGiven(t *testing.T) {
	for _, test := range []struct {
		types, given, left, right string
		want                      string // of the error
	}{
		{"x:u8,y:u8", "true", "(x & y) + (x | y)", "x + y", ""},
		{"x:bool,y:bool", "true", "x && y || x && !y", "x", ""},
		{"x:bool,y:bool", "true", "x && y", "y", "bit 0"},
		{"x:bool,y:bool", "x", "x && y", "y", ""},
		{"x:bool,y:bool", "!x", "x && y", "y", "bit 0"},
		{"x:bool,y:bool", "x && !x", "y", "!y", ""},
		{"x:i8,y:i8", "x <= y", "min(x, y)", "x", ""},
		{"x:i8,y:i8", "x <= y", "max(x, y)", "x", "bit 0"},
	} {
		a, b := sides(t, test.types, test.left, test.right)
		p := proof.Problem{Left: a, Right: b}
		given, _ := sidesIn(a.Pool(), t, test.types, test.given, test.given)
		p.Given = append(p.Given, given)
		_, err := checked(100000, func(s *poly.Space) { Equal(s, p, nil) })
		if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s = %s given %s: %v, not %q", a, b, given, err, test.want)
		}
	}
}

// The order of variables decides what a proof costs, and nothing else.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		left, right string
		first       [][]string
		holds       bool
	}{
		{"(x >> (y & 31)) >> (z & 31)", "(x >> (z & 31)) >> (y & 31)", [][]string{{"y", "z"}}, true},
		{"(x >> (y & 31)) >> (z & 31)", "(x >> (z & 31)) >> (y & 63)", [][]string{{"y", "z"}}, false},
		{"x + y - z", "(x - z) + y", nil, true},
		{"x + y - z", "(x - z) + y", [][]string{{"y", "nobody"}, {"y"}}, false}, // it takes too long
	} {
		a, b := sides(t, "x:u32,y:u32,z:u32", test.left, test.right)
		if _, err := checked(1<<21, func(s *poly.Space) { Equal(s, proof.Problem{Left: a, Right: b}, test.first) }); (err == nil) != test.holds {
			t.Errorf("%s = %s, %v first: %v", a, b, test.first, err)
		}
	}
}

// Bits are those of integers that wrap.
func TestNoOverflow(t *testing.T) {
	a, _ := sides(t, "x:i8", "x", "x")
	for _, assume := range []ir.Assume{ir.NSW, ir.NUW} {
		p := proof.Problem{Left: a, Right: a}
		if _, err := checked(1000, func(s *poly.Space) { s.Assume = assume; Equal(s, p, nil) }); err == nil {
			t.Errorf("diagrams are accepted under %v", assume)
		}
		if _, err := checked(1000, func(s *poly.Space) { s.Assume = assume; Sums(s, p) }); err == nil {
			t.Errorf("polynomials are accepted under %v", assume)
		}
	}
}

// accepted checks one equation: what is confirmed holds at random points.
func accepted(t *testing.T, choose func(int) int) bool {
	d := &drawn.Drawer{Pool: ir.NewPool(), Types: []ir.Type{ir.U8, ir.I8, ir.Bool, ir.U16, ir.I16}, Choose: choose}
	a := d.Term(d.Type(), 3)
	b := d.Respelled(a)
	var first [][]string
	for _, v := range ir.Vars(a, b) {
		if choose(2) == 0 {
			first = append(first, []string{v.Name()})
		}
	}
	_, err := checked(200000, func(s *poly.Space) { Equal(s, proof.Problem{Left: a, Right: b}, first) })
	_, otherwise := equalSums(a, b, 200000)
	if a == b || err != nil && otherwise != nil {
		return false
	}
	rng := rand.New(rand.NewPCG(uint64(a.Size()), uint64(b.Size())))
	for range 60 {
		values := map[ir.Expr]uint64{}
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			if _, ok := values[v]; !ok {
				values[v] = [...]uint64{v.Type().Min(), v.Type().Max(), v.Type().Wrap(rng.Uint64()), v.Type().Wrap(rng.Uint64() & 3)}[rng.IntN(4)]
			}
			return values[v]
		}}
		if x, y := ir.Eval(a, env), ir.Eval(b, env); x != y {
			t.Fatalf("%s = %s is confirmed, but is %d and %d at %v", a, b, x, y, values)
		}
	}
	return true
}

func TestEqualIsTrue(t *testing.T) {
	rng, confirmed := rand.New(rand.NewPCG(3, 4)), 0
	for range suite.More(1000, 3000) {
		if accepted(t, rng.IntN) {
			confirmed++
		}
	}
	if t.Logf("%d equations are confirmed", confirmed); confirmed < suite.More(50, 150) {
		t.Errorf("%d equations are confirmed: they test little", confirmed)
	}
}

// TestBounds gives terms that are too large, which are refused after a bounded number of steps.
func TestBounds(t *testing.T) {
	p := ir.NewPool()
	e, product := p.Y(0, ir.U64), p.Y(0, ir.U64)
	for i := range 1000 {
		e = ir.AddOf(e, p.Y(i, ir.U64))
		product = ir.Make(ir.BitAnd, p.Y(i+1, ir.U64), ir.Make(ir.BitXor, product, p.Y(i, ir.U64)))
	}
	for _, large := range []ir.Expr{e, product} {
		other := ir.Make(ir.BitXor, large, p.Int(ir.U64, 1))
		if steps, err := equal(large, other, maxFuel); err == nil {
			t.Errorf("accepted after %d steps", steps)
		}
		if steps, err := equalSums(large, other, maxFuel); err == nil {
			t.Errorf("accepted after %d steps", steps)
		}
	}
}

func FuzzEqual(f *testing.F) {
	for _, seed := range drawn.Seeds(20, 60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { accepted(t, drawn.FromBytes(data)) })
}
