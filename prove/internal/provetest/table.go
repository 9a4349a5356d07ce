package provetest

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

// Group is equations over the same variables, on several types T, under one set of
// assumptions; all are expected to be proved unless a line or the group says otherwise.
type Group struct {
	Name   string
	On     string // the types T
	Vars   string
	Assume string
	Result ir.Type      // of the sides; T where not set
	Want   prove.Status // Proved where not set
	Lines  []Line
}

type Line struct {
	Left, Right string
	Given       string
	Want        prove.Status
}

func (l Line) Status(g Group) prove.Status {
	switch {
	case l.Want == Open:
		return prove.Unknown
	case l.Want == Never:
		return prove.Refuted
	case l.Want != 0:
		return l.Want
	case g.Want != 0:
		return g.Want
	}
	return prove.Proved
}

const (
	Open  prove.Status = 255 // a true equation that the prover is known to miss
	Never prove.Status = 254 // a false one that its test points are known to miss
)

const (
	words    = "i8 i16 i32 i64 u8 u16 u32 u64"
	signed   = "i8 i16 i32 i64"
	unsigned = "u8 u16 u32 u64"
)

var Equations = []Group{
	{Name: "ring", On: words, Vars: "x:T, y:T, z:T, p:bool", Assume: "none", Lines: []Line{
		{Left: "x + y", Right: "y + x"},
		{Left: "(x + y)*z", Right: "x*z + y*z"},
		{Left: "(x + y)*(x - y)", Right: "x*x - y*y"},
		{Left: "x - (y - z)", Right: "x - y + z"},
		{Left: "-(x - y)", Right: "y - x"},
		{Left: "-(-x)", Right: "x"},
		{Left: "x << 1", Right: "x + x"},
		{Left: "(x << 2) + x", Right: "x*5"},
		{Left: "select(p, x + y, x - y)", Right: "x + select(p, y, -y)"},
		{Left: "select(p, x*y, x)", Right: "x*select(p, y, 1)"},
		{Left: "x + 1", Right: "x", Want: prove.Refuted},
		{Left: "x*x", Right: "x", Want: prove.Refuted},
		{Left: "(x + y) + z", Right: "x + (y + z)"},
		{Left: "x*y*z", Right: "z*y*x"},
	}},
	{Name: "select", On: words, Vars: "x:T, y:T, z:T, p:bool, q:bool", Assume: "none", Lines: []Line{
		{Left: "select(p, x, x)", Right: "x"},
		{Left: "select(!p, x, y)", Right: "select(p, y, x)"},
		{Left: "select(p && q, x, y)", Right: "select(p, select(q, x, y), y)"},
		{Left: "select(p || q, x, y)", Right: "select(p, x, select(q, x, y))"},
		{Left: "select(p, select(p, x, y), z)", Right: "select(p, x, z)"},
		{Left: "select(p, min(x, y), min(x, z))", Right: "min(x, select(p, y, z))"},
		{Left: "select(x < y, x, y)", Right: "min(x, y)"},
		{Left: "select(x <= y, y, x)", Right: "max(x, y)"},
		{Left: "select(x > y, x - y, 0)", Right: "max(x, y) - y"},
		{Left: "select(x == y, x, y)", Right: "y"},
		{Left: "select(x == y, f(x), f(y))", Right: "f(y)"},
		{Left: "select(x != y, x*z, y*z)", Right: "x*z"},
		{Left: "select(P(x), f(x) + y, y)", Right: "y + select(P(x), f(x), 0)"},
		{Left: "f(x)", Right: "f(y)", Given: "x == y"},
		{Left: "f(x + 1)", Right: "f(1 + y)", Given: "y == x"},
		{Left: "f(x)", Right: "f(y)", Want: prove.Refuted},
		{Left: "x", Right: "y", Given: "x <= y; y <= x"},
		{Left: "select(p, x, y)", Right: "y", Given: "!p"},
	}},
	{Name: "gcd", On: words, Vars: "x:T, y:T, z:T, p:bool", Assume: "none", Lines: []Line{
		{Left: "gcd(gcd(x, y), z)", Right: "gcd(x, gcd(z, y))"},
		{Left: "gcd(x, gcd(x, y))", Right: "gcd(y, x)"},
		{Left: "gcd(gcd(x, 0), y)", Right: "gcd(x, y)"},
		{Left: "gcd(x + y, y + z)", Right: "gcd(z + y, y + x)"},
		{Left: "gcd(select(p, x, 0), gcd(y, z))", Right: "select(p, gcd(gcd(x, z), y), gcd(y, z))"},
		{Left: "gcd(x, 0)", Right: "0", Want: prove.Refuted},
		{Left: "gcd(x, y)", Right: "x", Want: prove.Refuted},
		{Left: "gcd(x + y, y)", Right: "gcd(x, y)", Want: prove.Refuted}, // sums wrap
		{Left: "gcd(x*z, y*z)", Right: "z*gcd(x, y)", Want: prove.Refuted},
	}},
	{Name: "gcd of naturals", On: "u8 u32", Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "gcd(x, x)", Right: "x"},
		{Left: "gcd(0, x)", Right: "x"},
	}},
	{Name: "gcd of signed numbers", On: "i8", Vars: "x:T, y:T, z:T", Assume: "none", Lines: []Line{
		{Left: "gcd(x, x)", Right: "x", Want: prove.Refuted},
		{Left: "gcd(0, x)", Right: "x", Want: prove.Refuted},
		{Left: "i8(gcd(u8(gcd(x, y)), u8(z)))", Right: "gcd(x, gcd(y, z))", Want: prove.Refuted},
		{Left: "i8(gcd(u8(x), u8(y)))", Right: "gcd(x, y)", Want: prove.Refuted},
	}},
	{Name: "bits", On: words, Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "popcount(x & y)", Right: "popcount(y & x)"},
		{Left: "clz(x + y)", Right: "clz(y + x)"},
		{Left: "popcount(x + y)", Right: "popcount(x) + popcount(y)", Want: prove.Refuted},
		{Left: "ctz(x)", Right: "clz(x)", Want: prove.Refuted},
		{Left: "bitreverse(x)", Right: "x", Want: prove.Refuted},
	}},
	{Name: "lattice", On: words + " f32 f64", Vars: "x:T, y:T, z:T, k:T", Assume: "none", Lines: []Line{
		{Left: "min(x, y)", Right: "min(y, x)"},
		{Left: "max(x, max(y, z))", Right: "max(max(x, y), z)"},
		{Left: "min(x, min(y, z))", Right: "min(min(x, y), z)"},
		{Left: "min(x, x)", Right: "x"},
		{Left: "min(x, max(y, z))", Right: "max(min(x, y), min(x, z))"},
		{Left: "max(x, min(y, z))", Right: "min(max(x, y), max(x, z))"},
		{Left: "max(min(x, k), y)", Right: "min(x, k)", Want: prove.Refuted},
		{Left: "max(min(max(min(x, k), y), k), z)", Right: "max(min(x, k), max(min(y, k), z))"},
	}},
	{Name: "absorption", On: words, Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "min(x, max(x, y))", Right: "x"},
		{Left: "max(x, min(x, y))", Right: "x"},
		{Left: "min(x, y) + max(x, y)", Right: "x + y"},
		{Left: "max(x, tmin)", Right: "x"},
		{Left: "min(x, tmax)", Right: "x"},
		{Left: "max(x, tmax)", Right: "tmax"},
	}},
	{Name: "order and ~", On: words, Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "~min(~x, ~y)", Right: "max(x, y)"},
		{Left: "~max(~x, ~y)", Right: "min(x, y)"},
	}},
	{Name: "order and −", On: signed, Vars: "x:T, y:T, z:T", Assume: "none", Want: prove.Refuted, Lines: []Line{
		{Left: "-max(-x, -y)", Right: "min(x, y)"},
		{Left: "x + min(y, z)", Right: "min(x + y, x + z)"},
		{Left: "select(x - y < 0, x, y)", Right: "min(x, y)"},
		{Left: "abs(x)*abs(y)", Right: "max(abs(x*y), 0)"},
	}},
	{Name: "order and −, nsw", On: signed, Vars: "x:T, y:T, z:T, k:T", Assume: "nsw", Lines: []Line{
		{Left: "-max(-x, -y)", Right: "min(x, y)"},
		{Left: "x + min(y, z)", Right: "min(x + y, x + z)"},
		{Left: "select(x - y < 0, x, y)", Right: "min(x, y)"},
		{Left: "select(x + 1 <= y, x, y)", Right: "min(x, y)"},
		{Left: "max(min(k - x, y), x)", Right: "max(min(k - x, y), x)"},
		{Left: "max(min(k - max(min(k - x, y), x), z), max(min(k - x, y), x))", Right: "max(min(k - x, max(min(k - y, z), y)), x)"},
		{Left: "max(x + z, y + z) - z", Right: "max(x, y)"},
		{Left: "min(x*2, y*2)", Right: "min(x, y)*2"},
		{Left: "max(x - y, y - x)", Right: "abs(x - y)"},
		{Left: "abs(-x)", Right: "abs(x)"},
		{Left: "abs(abs(x))", Right: "abs(x)"},
		{Left: "(x + 2*y) % 2", Right: "x % 2", Want: Open},
		{Left: "(x % k + y) % k", Right: "(x + y) % k"},
		{Left: "(x % k)*y % k", Right: "x*y % k"},
		{Left: "(x + 6) / 3", Right: "x/3 + 2"},
		{Left: "min(max(x, y), max(z, y)) - y", Right: "max(min(x, z) - y, 0)"},
		{Left: "x*y", Right: "x*y + 1", Want: prove.Refuted},
		{Left: "max(x*x, 0)", Right: "x*x", Want: Open},
	}},
	{Name: "paper's ninth", On: signed, Vars: "x:T, y:T, z:T, k:T", Assume: "none", Want: prove.Refuted, Lines: []Line{
		{Left: "max(min(k - max(min(k - x, y), x), z), max(min(k - x, y), x))", Right: "max(min(k - x, max(min(k - y, z), y)), x)"},
	}},
	{Name: "products, nsw", On: signed, Vars: "x:T, y:T, z:T, k:T", Assume: "nsw", Lines: []Line{
		{Left: "min(x, x*x)", Right: "x"},
		{Left: "max(-x, x*x)", Right: "x*x"},
		{Left: "select(x*x < x, k, max(x, y))", Right: "max(x, y)"},
		{Left: "min(min(x, y), x*x)", Right: "min(x, y)"},
		{Left: "min(max(y*y, x*x), y*y + x*x)", Right: "max(y*y, x*x)"},
		{Left: "select(x*y == y, x, y)", Right: "select(y == 0, x, select(x == 1, x, y))"},
		{Left: "select(x*y == 0, 0, 1)", Right: "select(x == 0, 0, select(y == 0, 0, 1))"},
		{Left: "z*max(y*max(x, 0), 0)", Right: "z*max(y, 0)*max(x, 0)"},
		{Left: "min(x, max(y, x*y))", Right: "select(x < y, min(x, max(y, x*y)), max(y, min(x, x*y)))"},
		{Left: "abs(x*y)", Right: "abs(x)*abs(y)"},
		{Left: "max(x*y, y*x)*k", Right: "x*y*k"},
		{Left: "select(x*x < y*y, y*y, x*x)", Right: "max(abs(x), abs(y))*max(abs(x), abs(y))"},
		{Left: "select(y*(x*y) == y, 1, 0)", Right: "select(y == 0, 1, select(x*y == 1, 1, 0))"},
		{Left: "min(x, x*x - x)", Right: "select(x == 1, 0, x)"},
		{Left: "select(x*x == x*y, 0, 1)", Right: "select(x == 0, 0, select(x == y, 0, 1))"},
		{Left: "min(x, x*y)", Right: "x*min(y, 1)", Want: prove.Refuted},
		{Left: "max(x*y, x*z)", Right: "x*max(y, z)", Want: prove.Refuted},
	}},
	{Name: "products, nuw", On: unsigned, Vars: "x:T, y:T, z:T", Assume: "nuw", Lines: []Line{
		{Left: "min(x, x*x)", Right: "x"},
		{Left: "max(x*y, x*z)", Right: "x*max(y, z)"},
		{Left: "min(x*y, x)", Right: "select(y == 0, 0, x)"},
	}},
	{Name: "products that wrap", On: words, Vars: "x:T, y:T", Assume: "none", Want: prove.Refuted, Lines: []Line{
		{Left: "min(x, x*x)", Right: "x"},
		{Left: "select(x*y == 0, 0, 1)", Right: "select(x == 0, 0, select(y == 0, 0, 1))"},
	}},
	{Name: "remainders", On: "i16 u16 i32 u32 i64", Vars: "x:T, y:T, p:bool", Assume: "none", Lines: []Line{
		{Left: "x % 3", Right: "x", Given: "0 <= x; x < 3"},
		{Left: "x % 3", Right: "x", Given: "0 <= x; x <= 3", Want: prove.Refuted},
		{Left: "x % 1000", Right: "x", Given: "0 <= x; x < 1000"},
		{Left: "select(p, select(x == 2, 0, x + 1), x)", Right: "(x + select(p, 1, 0)) % 3", Given: "0 <= x; x < 3"},
		{Left: "select(p, select(x == 2, 0, x + 1), x)", Right: "(x + select(p, 1, 0)) % 3", Given: "0 <= x", Want: prove.Refuted},
		{Left: "(x % 7 + y % 7) % 7", Right: "select(x % 7 + y % 7 < 7, x % 7 + y % 7, x % 7 + y % 7 - 7)"},
	}},
	{Name: "shifts, nsw", On: signed, Vars: "x:T, y:T", Assume: "nsw", Lines: []Line{
		{Left: "x << 1", Right: "x*2"},
		{Left: "max(x << 1, y << 1)", Right: "max(x, y) << 1"},
		{Left: "select(x << 1 < 0, 1, 0)", Right: "select(x < 0, 1, 0)"},
		{Left: "(x << 2) - (x << 1)", Right: "x + x"},
		{Left: "x << 1", Right: "x + 1", Want: prove.Refuted},
	}},
	{Name: "remainders, nsw", On: signed, Vars: "x:T, y:T", Assume: "nsw", Lines: []Line{
		{Left: "x - 7*(x/7)", Right: "x % 7"},
		{Left: "x - 7*(x/7)", Right: "x % 8", Want: prove.Refuted},
		{Left: "(x + y) % 5", Right: "(x % 5 + y % 5) % 5"},
		{Left: "select(x % 5 + y % 5 < 5, x % 5 + y % 5, x % 5 + y % 5 - 5)", Right: "(x + y) % 5"},
	}},
	{Name: "nuw", On: unsigned, Vars: "x:T, y:T, z:T", Assume: "nuw", Lines: []Line{
		{Left: "x + min(y, z)", Right: "min(x + y, x + z)"},
		{Left: "max(x + y, y)", Right: "x + y"},
		{Left: "max(x, 0)", Right: "x"},
	}},
	{Name: "abs", On: signed, Vars: "x:T, y:T, p:bool", Assume: "none", Lines: []Line{
		{Left: "abs(x)", Right: "select(x < 0, -x, x)"},
		{Left: "abs(x)", Right: "select(0 < x, x, -x)"},
		{Left: "abs(-x)", Right: "abs(x)"},
		{Left: "abs(tmin)", Right: "tmin"},
		{Left: "abs(x)", Right: "max(x, -x)"},
		{Left: "abs(x - y)", Right: "abs(y - x)"},
		{Left: "abs(x) + y", Right: "y + select(x >= 0, x, -x)"},
		{Left: "max(abs(x), 0)", Right: "abs(x)", Want: prove.Refuted},
	}},
	{Name: "saturating u", On: unsigned, Vars: "x:T, y:T, z:T", Assume: "none", Lines: []Line{
		{Left: "saturating_add(x, y)", Right: "select(x > tmax - y, tmax, x + y)"},
		{Left: "saturating_add(x, y)", Right: "x + min(y, tmax - x)"},
		{Left: "saturating_add(x, y)", Right: "min(x, ~y) + y"},
		{Left: "saturating_add(x, y)", Right: "select(x + y < x, tmax, x + y)"},
		{Left: "saturating_add(x, y)", Right: "saturating_add(y, x)"},
		{Left: "saturating_add(saturating_add(x, y), z)", Right: "saturating_add(x, saturating_add(y, z))"},
		{Left: "saturating_sub(x, y)", Right: "max(x, y) - y"},
		{Left: "saturating_sub(x, y)", Right: "select(x > y, x - y, 0)"},
		{Left: "saturating_sub(saturating_sub(x, y), z)", Right: "saturating_sub(x, saturating_add(y, z))"},
		{Left: "saturating_add(x, 0)", Right: "x"},
		{Left: "~saturating_sub(~x, y)", Right: "saturating_add(x, y)"},
		{Left: "saturating_add(x, y)", Right: "x + y", Want: prove.Refuted},
	}},
	{Name: "saturating i64", On: "i64", Vars: "x:T, y:T, z:T", Assume: "none", Lines: []Line{
		{Left: "saturating_add(x, y)", Right: "saturating_add(y, x)", Want: Open},
	}},
	{Name: "saturating i", On: "i8 i16 i32", Vars: "x:T, y:T, z:T", Assume: "none", Lines: []Line{
		{Left: "saturating_add(x, y)", Right: "saturating_add(y, x)"},
		{Left: "saturating_add(x, 0)", Right: "x"},
		{Left: "saturating_sub(x, 0)", Right: "x"},
		{Left: "saturating_add(saturating_add(x, y), z)", Right: "saturating_add(x, saturating_add(y, z))", Want: prove.Refuted},
		{Left: "saturating_sub(x, y)", Right: "saturating_add(x, -y)", Want: prove.Refuted},
	}},
	{Name: "saturating by widening", On: "u8 u16 u32", Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "saturating_add(x, y)", Right: "T(min(u64(x) + u64(y), u64(T(tmax))))"},
		{Left: "saturating_add(x, y)", Right: "T(select(u64(x) + u64(y) > u64(T(tmax)), u64(T(tmax)), u64(x) + u64(y)))"},
		{Left: "T(min(u64(x + y), u64(T(tmax))))", Right: "saturating_add(x, y)", Want: prove.Refuted},
	}},
	{Name: "bits", On: words, Vars: "x:T, y:T, z:T, w:T", Assume: "none", Lines: []Line{
		{Left: "(x ^ y) + ((x & y) << 1)", Right: "x + y"},
		{Left: "(x | y) + (x & y)", Right: "x + y"},
		{Left: "x | y", Right: "x + (y & ~x)"},
		{Left: "x ^ y", Right: "(x | y) - (x & y)"},
		{Left: "~(x & y)", Right: "~x | ~y"},
		{Left: "~x", Right: "-x - 1"},
		{Left: "-~x", Right: "x + 1"},
		{Left: "x & (y | z)", Right: "(x & y) | (x & z)"},
		{Left: "x ^ y ^ y", Right: "x"},
		{Left: "x ^ x", Right: "0"},
		{Left: "x & x", Right: "x"},
		{Left: "x & 0", Right: "0"},
		{Left: "x | tmin", Right: "x | tmin"},
		{Left: "(x & 12) | (x & 3)", Right: "x & 15", Want: Open},
		{Left: "(x | y) | z", Right: "x | (y | z)"},
		{Left: "(x ^ y) ^ z", Right: "x ^ (y ^ z)"},
		{Left: "x - y", Right: "(x ^ y) - 2*(~x & y)"},
		{Left: "~(~x - y)", Right: "x + y"},
		{Left: "x ^ ~0", Right: "~x"},
		{Left: "(x & y) + (x & ~y)", Right: "x"},
		{Left: "x | y", Right: "x + y", Want: prove.Refuted},
		{Left: "x ^ y", Right: "x + y - (x & y)", Want: prove.Refuted},
		{Left: "(x & z) | (y & ~z)", Right: "y ^ ((x ^ y) & z)"},
		{Left: "(x & y & z) + (x & y & ~z)", Right: "x & y"},
	}},
	{Name: "division u", On: unsigned, Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "x % 8", Right: "x & 7"},
		{Left: "x / 4", Right: "x >> 2"},
		{Left: "x / 0", Right: "0"},
		{Left: "x % 0", Right: "0"},
		{Left: "x % 1", Right: "0"},
		{Left: "x / 1", Right: "x"},
		{Left: "min(x % 10, 9)", Right: "x % 10"},
		{Left: "min(x & 7, 7)", Right: "x & 7"},
		{Left: "max(x/3*3, x)", Right: "x"},
	}},
	{Name: "division i", On: signed, Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "x % 8", Right: "x & 7"},
		{Left: "x / 4", Right: "x >> 2"},
		{Left: "max(x % 10, 0)", Right: "x % 10"},
		{Left: "(-7) / 2", Right: "-4"},
		{Left: "(-7) % 2", Right: "1"},
		{Left: "7 / (-2)", Right: "-3"},
		{Left: "(-7) / (-2)", Right: "4"},
		{Left: "(-7) % (-2)", Right: "1"},
		{Left: "tmin / (-1)", Right: "tmin"},
		{Left: "x / x", Right: "1", Want: prove.Refuted},
		{Left: "-(x / 2)", Right: "(-x) / 2", Want: prove.Refuted},
	}},
	{Name: "shifts", On: words, Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "x << 100", Right: "0", Want: Open},
		{Left: "x >> 0", Right: "x"},
		{Left: "x << 0", Right: "x"},
		{Left: "(x << 3) << 2", Right: "x << 5"},
		{Left: "(x + y) << 1", Right: "(x << 1) + (y << 1)"},
		{Left: "(x << 1) >> 1", Right: "x", Want: prove.Refuted},
	}},
	{Name: "truth", On: words, Vars: "x:T, y:T, p:bool, q:bool", Assume: "none", Result: ir.Bool, Lines: []Line{
		{Left: "x < y", Right: "!(y <= x)"},
		{Left: "x == y", Right: "x <= y && y <= x"},
		{Left: "x != y", Right: "x < y || y < x"},
		{Left: "p == q", Right: "!(p != q)"},
		{Left: "p && q", Right: "!(!p || !q)"},
		{Left: "x - y == 0", Right: "x == y"},
		{Left: "(x ^ y) == 0", Right: "x == y", Want: Open},
		{Left: "bool(x)", Right: "x != 0"},
		{Left: "is_nan(x)", Right: "false"},
		{Left: "x < y", Right: "x - y < 0", Want: prove.Refuted},
	}},
	{Name: "casts", On: "i32 u32", Vars: "x:T, b:u8, s:i8, h:u16, p:bool", Assume: "none", Lines: []Line{
		{Left: "T(u8(x))", Right: "x & 255", Want: Open},
		{Left: "T(b) + T(b)", Right: "2*T(b)"},
		{Left: "T(i64(x))", Right: "x"},
		{Left: "T(i64(x)*i64(x))", Right: "x*x"},
		{Left: "T(u64(x) + u64(x))", Right: "x + x"},
		{Left: "min(T(b), 255)", Right: "T(b)"},
		{Left: "T(p)", Right: "select(p, 1, 0)"},
		{Left: "T(u8(T(b) + 1))", Right: "T(b) + 1", Want: prove.Refuted},
		{Left: "T(u8(T(b)))", Right: "T(b)"},
		{Left: "T(u8(s))", Right: "T(s)", Want: prove.Refuted},
		{Left: "T(max(b, 3))", Right: "max(T(b), 3)"},
		{Left: "T(u8(x)) + T(b)", Right: "T(b) + T(u8(x))"},
		{Left: "T(f32(x))", Right: "x", Want: prove.Refuted},
	}},
	{Name: "exact floats", On: "f32 f64", Vars: "x:T, y:T, z:T, p:bool", Assume: "none", Lines: []Line{
		{Left: "x - y", Right: "x + (-y)"},
		{Left: "x + y", Right: "y + x"},
		{Left: "x*y", Right: "y*x"},
		{Left: "(-x)*y", Right: "-(x*y)"},
		{Left: "(-x)*(-y)", Right: "x*y"},
		{Left: "x*1", Right: "x"},
		{Left: "x + -0.0", Right: "x"},
		{Left: "x - 0.0", Right: "x"},
		{Left: "-(-x)", Right: "x"},
		{Left: "max(x, -inf)", Right: "x"},
		{Left: "min(x, inf)", Right: "x"},
		{Left: "-max(-x, -y)", Right: "min(x, y)", Want: Open},
		{Left: "select(p, x + y, x)", Right: "x + select(p, y, -0.0)"},
		{Left: "select(is_nan(x), x, min(x, y))", Right: "min(x, select(is_nan(x), 1, y))"},
		{Left: "abs(-x)", Right: "abs(x)"},
	}},
	{Name: "exact floats, false", On: "f32 f64", Vars: "x:T, y:T, z:T, p:bool", Assume: "none", Want: prove.Refuted, Lines: []Line{
		{Left: "(x + y) + z", Right: "x + (y + z)", Want: Never},
		{Left: "(x*y)*z", Right: "x*(y*z)"},
		{Left: "x*(y + z)", Right: "x*y + x*z"},
		{Left: "x + 0.0", Right: "x"},
		{Left: "x - x", Right: "0.0"},
		{Left: "x*0", Right: "0.0"},
		{Left: "x/x", Right: "1"},
		{Left: "select(x < y, x, y)", Right: "min(x, y)"},
		{Left: "select(x <= y, x, y)", Right: "min(x, y)"},
		{Left: "select(x == y, x, y)", Right: "y"},
		{Left: "max(x, y)", Right: "select(x > y, x, y)"},
		{Left: "select(p, x + y, x)", Right: "x + select(p, y, 0.0)"},
		{Left: "0.0 - x", Right: "-x"},
		{Left: "select(x < 0, -x, x)", Right: "abs(x)"},
	}},
	{Name: "floats nnan nsz", On: "f32 f64", Vars: "x:T, y:T, z:T", Assume: "nnan,nsz", Lines: []Line{
		{Left: "select(x < y, x, y)", Right: "min(x, y)"},
		{Left: "select(x <= y, x, y)", Right: "min(x, y)"},
		{Left: "select(x > y, x, y)", Right: "max(x, y)"},
		{Left: "x + 0.0", Right: "x"},
		{Left: "min(x, max(x, y))", Right: "x"},
		{Left: "(x + y) + z", Right: "x + (y + z)", Want: Never},
	}},
	{Name: "floats nnan", On: "f32 f64", Vars: "x:T, y:T, z:T", Assume: "nnan", Lines: []Line{
		{Left: "select(x < y, x, y)", Right: "min(x, y)", Want: Never}, // −0 and +0
		{Left: "select(x > y, x, y)", Right: "select(y < x, x, y)"},
		{Left: "select(select(x > y, x, y) > z, select(x > y, x, y), z)", Right: "select(x > select(y > z, y, z), x, select(y > z, y, z))"},
	}},
	{Name: "last maximum", On: "f32 f64", Vars: "x:T, y:T, z:T", Assume: "none", Want: prove.Refuted, Lines: []Line{
		{Left: "select(select(x > y, x, y) > z, select(x > y, x, y), z)", Right: "select(x > select(y > z, y, z), x, select(y > z, y, z))"},
	}},
	{Name: "reassoc", On: "f32 f64", Vars: "x:T, y:T, z:T, p:bool", Assume: "reassoc", Lines: []Line{
		{Left: "(x + y) + z", Right: "x + (y + z)"},
		{Left: "x*(y + z)", Right: "x*y + x*z"},
		{Left: "select(p, x + y, x - y)", Right: "x + select(p, y, -y)"},
		{Left: "x/2", Right: "x*0.5"},
		{Left: "x/y/z", Right: "x/(y*z)"},
		{Left: "(x + y)/z", Right: "x/z + y/z", Want: Open}, // 0/0 obeys no law of a field
		{Left: "x + y", Right: "x + 2*y", Want: prove.Refuted},
	}},
	{Name: "reals", On: "f32 f64", Vars: "x:T, y:T, z:T, p:bool", Assume: "reassoc,nnan,nsz", Lines: []Line{
		{Left: "x + min(y, z)", Right: "min(x + y, x + z)"},
		{Left: "(x + y)/z", Right: "x/z + y/z"},
		{Left: "-max(-x, -y)", Right: "min(x, y)"},
		{Left: "select(x < 0, -x, x)", Right: "abs(x)"},
		{Left: "max(x, -x)", Right: "abs(x)"},
		{Left: "max(x, -inf)", Right: "x"},
		{Left: "min(inf, x)", Right: "x"},
		{Left: "max(x, -inf) + y", Right: "y + x"},
		{Left: "min(x, -inf)", Right: "x", Want: Never},
		{Left: "abs(x*y)", Right: "abs(x)*abs(y)"},
		{Left: "x*max(y, 0)", Right: "select(y < 0, 0, x*y)"},
		{Left: "max(z*max(x*max(y, 0), 0), 0)", Right: "max(y, 0)*max(x, 0)*max(z, 0)"},
		{Left: "min(x, x*x)", Right: "x", Want: prove.Refuted}, // 1/2
		{Left: "1/(1/x + 1/y)", Right: "x*y/(x + y)"},
		{Left: "max(x*2, y*2)", Right: "2*max(x, y)"},
		{Left: "select(x/2 < y/2, x, y)", Right: "min(x, y)"},
		{Left: "x*x", Right: "max(x*x, 0)"},
	}},
	{Name: "quotients times their divisor", On: words, Vars: "x:T, y:T, z:T", Assume: "none", Lines: []Line{
		{Left: "x - (x >> 3)*8", Right: "x & 7"},
		{Left: "(x + y) - ((x + y) >> 2 << 2)", Right: "(x + y) % 4"},
		{Left: "x - x/10*10", Right: "x % 10"},
		{Left: "x - x/10*20", Right: "x % 10*2 - x"},
		{Left: "x - (x >> 3)*12", Right: "x & 7", Want: prove.Refuted},
		{Left: "x - (x >> 3)*4", Right: "x & 7", Want: prove.Refuted},
		{Left: "x/10*10", Right: "x", Want: prove.Refuted},
	}},
	{Name: "low bits of products", On: words, Vars: "x:T, y:T, z:T", Assume: "none", Lines: []Line{
		{Left: "(((x*y) & 31)*z) & 31", Right: "(x*((y*z) & 31)) & 31"},
		{Left: "((x & 63)*y) & 31", Right: "(x*y) & 31"},
		{Left: "((x & 15)*y) & 31", Right: "(x*y) & 31", Want: prove.Refuted},
	}},
	{Name: "masks beside literals", On: words, Vars: "x:T, y:T", Assume: "none", Lines: []Line{
		{Left: "((x ^ 4) | 4) & ~((x ^ 4) & 4)", Right: "x"},
		{Left: "(x & ~4) + 4", Right: "x | 4"},
		{Left: "((x & 4) - 7) ^ 2", Right: "(x & 4) - 5"},
		{Left: "((x & 4) - 6) ^ 2", Right: "(x & 4) - 4", Want: prove.Refuted},
		{Left: "((x & 6) + 4) ^ x", Right: "x & 6", Want: prove.Refuted},
	}},
	{Name: "floors", On: "f32 f64", Vars: "x:T, y:T, n:i32", Assume: "reassoc", Lines: []Line{
		{Left: "floor(x - floor(y))", Right: "floor(x) - floor(y)"},
		{Left: "floor(2.5 + x)", Right: "2.0 + floor(x + 0.5)"},
		{Left: "floor(floor(x)*floor(y) - 3.0*floor(y))", Right: "floor(x)*floor(y) - 3.0*floor(y)"},
		{Left: "floor(x + T(n))", Right: "floor(x) + T(n)"},
		{Left: "floor(x + y)", Right: "floor(x) + floor(y)", Want: prove.Refuted},
		{Left: "floor(floor(x)*0.5)", Right: "floor(x)*0.5", Want: prove.Refuted},
		{Left: "floor(floor(x)*y)", Right: "floor(x)*floor(y)", Want: prove.Refuted},
	}},
	{Name: "reals that may be NaN", On: "f32 f64", Vars: "x:T, y:T, z:T", Assume: "reassoc", Lines: []Line{
		{Left: "x + (-min(y, 1)) + z", Right: "x + z + (-min(y, 1))"},
		{Left: "x + (-select(is_nan(y), y, 1)) + z", Right: "x + z + (-select(is_nan(y), y, 1))"},
		{Left: "x + (-min(y, 1)) + z", Right: "x + z + (-min(y, 2))", Want: prove.Refuted},
	}},
	{Name: "squares of roots", On: "f32 f64", Vars: "x:T, y:T, z:T", Assume: "reassoc,nnan,nsz,afn", Lines: []Line{
		{Left: "sqrt(x)*sqrt(x)", Right: "x"},
		{Left: "sqrt(sqrt(x*x + y*y)*sqrt(x*x + y*y) + z*z)", Right: "sqrt(x*x + y*y + z*z)"},
		{Left: "pow(sqrt(x + y), 4)", Right: "x*x + 2*x*y + y*y"},
		{Left: "sqrt(x)*sqrt(y)", Right: "x", Want: prove.Refuted},
		{Left: "pow(x, 3)", Right: "x*x", Want: prove.Refuted},
	}},
	{Name: "roots of negative numbers", On: "f32 f64", Vars: "x:T", Assume: "reassoc,nsz,afn", Lines: []Line{
		{Left: "sqrt(x)*sqrt(x)", Right: "x", Want: Never},
	}},
}
