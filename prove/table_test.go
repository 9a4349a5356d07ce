package prove

import "github.com/rfactor-go/rfactor/ir"

// group is equations over the same variables, on several types T, under one set of
// assumptions; all are expected to be proved unless a line or the group says otherwise.
type group struct {
	name   string
	on     string // the types T
	vars   string
	assume string
	result ir.Type // of the sides; T where not set
	want   Status  // Proved where not set
	lines  []line
}

type line struct {
	left, right string
	given       string
	want        Status
}

func (l line) status(g group) Status {
	switch {
	case l.want == open:
		return Unknown
	case l.want == never:
		return Refuted
	case l.want != 0:
		return l.want
	case g.want != 0:
		return g.want
	}
	return Proved
}

const (
	open  Status = 255 // a true equation that the prover is known to miss
	never Status = 254 // a false one that its test points are known to miss
)

const (
	words    = "i8 i16 i32 i64 u8 u16 u32 u64"
	signed   = "i8 i16 i32 i64"
	unsigned = "u8 u16 u32 u64"
)

var equations_ = []group{
	{name: "ring", on: words, vars: "x:T, y:T, z:T, p:bool", assume: "none", lines: []line{
		{left: "x + y", right: "y + x"},
		{left: "(x + y)*z", right: "x*z + y*z"},
		{left: "(x + y)*(x - y)", right: "x*x - y*y"},
		{left: "x - (y - z)", right: "x - y + z"},
		{left: "-(x - y)", right: "y - x"},
		{left: "-(-x)", right: "x"},
		{left: "x << 1", right: "x + x"},
		{left: "(x << 2) + x", right: "x*5"},
		{left: "select(p, x + y, x - y)", right: "x + select(p, y, -y)"},
		{left: "select(p, x*y, x)", right: "x*select(p, y, 1)"},
		{left: "x + 1", right: "x", want: Refuted},
		{left: "x*x", right: "x", want: Refuted},
		{left: "(x + y) + z", right: "x + (y + z)"},
		{left: "x*y*z", right: "z*y*x"},
	}},
	{name: "select", on: words, vars: "x:T, y:T, z:T, p:bool, q:bool", assume: "none", lines: []line{
		{left: "select(p, x, x)", right: "x"},
		{left: "select(!p, x, y)", right: "select(p, y, x)"},
		{left: "select(p && q, x, y)", right: "select(p, select(q, x, y), y)"},
		{left: "select(p || q, x, y)", right: "select(p, x, select(q, x, y))"},
		{left: "select(p, select(p, x, y), z)", right: "select(p, x, z)"},
		{left: "select(p, min(x, y), min(x, z))", right: "min(x, select(p, y, z))"},
		{left: "select(x < y, x, y)", right: "min(x, y)"},
		{left: "select(x <= y, y, x)", right: "max(x, y)"},
		{left: "select(x > y, x - y, 0)", right: "max(x, y) - y"},
		{left: "select(x == y, x, y)", right: "y"},
		{left: "select(x == y, f(x), f(y))", right: "f(y)"},
		{left: "select(x != y, x*z, y*z)", right: "x*z"},
		{left: "select(P(x), f(x) + y, y)", right: "y + select(P(x), f(x), 0)"},
		{left: "f(x)", right: "f(y)", given: "x == y"},
		{left: "f(x + 1)", right: "f(1 + y)", given: "y == x"},
		{left: "f(x)", right: "f(y)", want: Refuted},
		{left: "x", right: "y", given: "x <= y; y <= x"},
		{left: "select(p, x, y)", right: "y", given: "!p"},
	}},
	{name: "lattice", on: words + " f32 f64", vars: "x:T, y:T, z:T, k:T", assume: "none", lines: []line{
		{left: "min(x, y)", right: "min(y, x)"},
		{left: "max(x, max(y, z))", right: "max(max(x, y), z)"},
		{left: "min(x, min(y, z))", right: "min(min(x, y), z)"},
		{left: "min(x, x)", right: "x"},
		{left: "min(x, max(y, z))", right: "max(min(x, y), min(x, z))"},
		{left: "max(x, min(y, z))", right: "min(max(x, y), max(x, z))"},
		{left: "max(min(x, k), y)", right: "min(x, k)", want: Refuted},
		{left: "max(min(max(min(x, k), y), k), z)", right: "max(min(x, k), max(min(y, k), z))"},
	}},
	{name: "absorption", on: words, vars: "x:T, y:T", assume: "none", lines: []line{
		{left: "min(x, max(x, y))", right: "x"},
		{left: "max(x, min(x, y))", right: "x"},
		{left: "min(x, y) + max(x, y)", right: "x + y"},
		{left: "max(x, tmin)", right: "x"},
		{left: "min(x, tmax)", right: "x"},
		{left: "max(x, tmax)", right: "tmax"},
	}},
	{name: "order and ~", on: words, vars: "x:T, y:T", assume: "none", lines: []line{
		{left: "~min(~x, ~y)", right: "max(x, y)"},
		{left: "~max(~x, ~y)", right: "min(x, y)"},
	}},
	{name: "order and −", on: signed, vars: "x:T, y:T, z:T", assume: "none", want: Refuted, lines: []line{
		{left: "-max(-x, -y)", right: "min(x, y)"},
		{left: "x + min(y, z)", right: "min(x + y, x + z)"},
		{left: "select(x - y < 0, x, y)", right: "min(x, y)"},
		{left: "abs(x)*abs(y)", right: "max(abs(x*y), 0)"},
	}},
	{name: "order and −, nsw", on: signed, vars: "x:T, y:T, z:T, k:T", assume: "nsw", lines: []line{
		{left: "-max(-x, -y)", right: "min(x, y)"},
		{left: "x + min(y, z)", right: "min(x + y, x + z)"},
		{left: "select(x - y < 0, x, y)", right: "min(x, y)"},
		{left: "select(x + 1 <= y, x, y)", right: "min(x, y)"},
		{left: "max(min(k - x, y), x)", right: "max(min(k - x, y), x)"},
		{left: "max(min(k - max(min(k - x, y), x), z), max(min(k - x, y), x))", right: "max(min(k - x, max(min(k - y, z), y)), x)"},
		{left: "max(x + z, y + z) - z", right: "max(x, y)"},
		{left: "min(x*2, y*2)", right: "min(x, y)*2"},
		{left: "max(x - y, y - x)", right: "abs(x - y)"},
		{left: "abs(-x)", right: "abs(x)"},
		{left: "abs(abs(x))", right: "abs(x)"},
		{left: "(x + 2*y) % 2", right: "x % 2", want: open},
		{left: "(x % k + y) % k", right: "(x + y) % k"},
		{left: "(x % k)*y % k", right: "x*y % k"},
		{left: "(x + 6) / 3", right: "x/3 + 2"},
		{left: "min(max(x, y), max(z, y)) - y", right: "max(min(x, z) - y, 0)"},
		{left: "x*y", right: "x*y + 1", want: Refuted},
		{left: "max(x*x, 0)", right: "x*x", want: open},
	}},
	{name: "paper's ninth", on: signed, vars: "x:T, y:T, z:T, k:T", assume: "none", want: Refuted, lines: []line{
		{left: "max(min(k - max(min(k - x, y), x), z), max(min(k - x, y), x))", right: "max(min(k - x, max(min(k - y, z), y)), x)"},
	}},
	{name: "products, nsw", on: signed, vars: "x:T, y:T, z:T, k:T", assume: "nsw", lines: []line{
		{left: "min(x, x*x)", right: "x"},
		{left: "max(-x, x*x)", right: "x*x"},
		{left: "select(x*x < x, k, max(x, y))", right: "max(x, y)"},
		{left: "min(min(x, y), x*x)", right: "min(x, y)"},
		{left: "min(max(y*y, x*x), y*y + x*x)", right: "max(y*y, x*x)"},
		{left: "select(x*y == y, x, y)", right: "select(y == 0, x, select(x == 1, x, y))"},
		{left: "select(x*y == 0, 0, 1)", right: "select(x == 0, 0, select(y == 0, 0, 1))"},
		{left: "z*max(y*max(x, 0), 0)", right: "z*max(y, 0)*max(x, 0)"},
		{left: "min(x, max(y, x*y))", right: "select(x < y, min(x, max(y, x*y)), max(y, min(x, x*y)))"},
		{left: "abs(x*y)", right: "abs(x)*abs(y)"},
		{left: "max(x*y, y*x)*k", right: "x*y*k"},
		{left: "select(x*x < y*y, y*y, x*x)", right: "max(abs(x), abs(y))*max(abs(x), abs(y))"},
		{left: "select(y*(x*y) == y, 1, 0)", right: "select(y == 0, 1, select(x*y == 1, 1, 0))"},
		{left: "min(x, x*x - x)", right: "select(x == 1, 0, x)"},
		{left: "select(x*x == x*y, 0, 1)", right: "select(x == 0, 0, select(x == y, 0, 1))"},
		{left: "min(x, x*y)", right: "x*min(y, 1)", want: Refuted},
		{left: "max(x*y, x*z)", right: "x*max(y, z)", want: Refuted},
	}},
	{name: "products, nuw", on: unsigned, vars: "x:T, y:T, z:T", assume: "nuw", lines: []line{
		{left: "min(x, x*x)", right: "x"},
		{left: "max(x*y, x*z)", right: "x*max(y, z)"},
		{left: "min(x*y, x)", right: "select(y == 0, 0, x)"},
	}},
	{name: "products that wrap", on: words, vars: "x:T, y:T", assume: "none", want: Refuted, lines: []line{
		{left: "min(x, x*x)", right: "x"},
		{left: "select(x*y == 0, 0, 1)", right: "select(x == 0, 0, select(y == 0, 0, 1))"},
	}},
	{name: "remainders", on: "i16 u16 i32 u32 i64", vars: "x:T, y:T, p:bool", assume: "none", lines: []line{
		{left: "x % 3", right: "x", given: "0 <= x; x < 3"},
		{left: "x % 3", right: "x", given: "0 <= x; x <= 3", want: Refuted},
		{left: "x % 1000", right: "x", given: "0 <= x; x < 1000"},
		{left: "select(p, select(x == 2, 0, x + 1), x)", right: "(x + select(p, 1, 0)) % 3", given: "0 <= x; x < 3"},
		{left: "select(p, select(x == 2, 0, x + 1), x)", right: "(x + select(p, 1, 0)) % 3", given: "0 <= x", want: Refuted},
		{left: "(x % 7 + y % 7) % 7", right: "select(x % 7 + y % 7 < 7, x % 7 + y % 7, x % 7 + y % 7 - 7)"},
	}},
	{name: "shifts, nsw", on: signed, vars: "x:T, y:T", assume: "nsw", lines: []line{
		{left: "x << 1", right: "x*2"},
		{left: "max(x << 1, y << 1)", right: "max(x, y) << 1"},
		{left: "select(x << 1 < 0, 1, 0)", right: "select(x < 0, 1, 0)"},
		{left: "(x << 2) - (x << 1)", right: "x + x"},
		{left: "x << 1", right: "x + 1", want: Refuted},
	}},
	{name: "remainders, nsw", on: signed, vars: "x:T, y:T", assume: "nsw", lines: []line{
		{left: "x - 7*(x/7)", right: "x % 7"},
		{left: "x - 7*(x/7)", right: "x % 8", want: Refuted},
		{left: "(x + y) % 5", right: "(x % 5 + y % 5) % 5"},
		{left: "select(x % 5 + y % 5 < 5, x % 5 + y % 5, x % 5 + y % 5 - 5)", right: "(x + y) % 5"},
	}},
	{name: "nuw", on: unsigned, vars: "x:T, y:T, z:T", assume: "nuw", lines: []line{
		{left: "x + min(y, z)", right: "min(x + y, x + z)"},
		{left: "max(x + y, y)", right: "x + y"},
		{left: "max(x, 0)", right: "x"},
	}},
	{name: "abs", on: signed, vars: "x:T, y:T, p:bool", assume: "none", lines: []line{
		{left: "abs(x)", right: "select(x < 0, -x, x)"},
		{left: "abs(x)", right: "select(0 < x, x, -x)"},
		{left: "abs(-x)", right: "abs(x)"},
		{left: "abs(tmin)", right: "tmin"},
		{left: "abs(x)", right: "max(x, -x)"},
		{left: "abs(x - y)", right: "abs(y - x)"},
		{left: "abs(x) + y", right: "y + select(x >= 0, x, -x)"},
		{left: "max(abs(x), 0)", right: "abs(x)", want: Refuted},
	}},
	{name: "saturating u", on: unsigned, vars: "x:T, y:T, z:T", assume: "none", lines: []line{
		{left: "saturating_add(x, y)", right: "select(x > tmax - y, tmax, x + y)"},
		{left: "saturating_add(x, y)", right: "x + min(y, tmax - x)"},
		{left: "saturating_add(x, y)", right: "min(x, ~y) + y"},
		{left: "saturating_add(x, y)", right: "select(x + y < x, tmax, x + y)"},
		{left: "saturating_add(x, y)", right: "saturating_add(y, x)"},
		{left: "saturating_add(saturating_add(x, y), z)", right: "saturating_add(x, saturating_add(y, z))"},
		{left: "saturating_sub(x, y)", right: "max(x, y) - y"},
		{left: "saturating_sub(x, y)", right: "select(x > y, x - y, 0)"},
		{left: "saturating_sub(saturating_sub(x, y), z)", right: "saturating_sub(x, saturating_add(y, z))"},
		{left: "saturating_add(x, 0)", right: "x"},
		{left: "~saturating_sub(~x, y)", right: "saturating_add(x, y)"},
		{left: "saturating_add(x, y)", right: "x + y", want: Refuted},
	}},
	{name: "saturating i64", on: "i64", vars: "x:T, y:T, z:T", assume: "none", lines: []line{
		{left: "saturating_add(x, y)", right: "saturating_add(y, x)", want: open},
	}},
	{name: "saturating i", on: "i8 i16 i32", vars: "x:T, y:T, z:T", assume: "none", lines: []line{
		{left: "saturating_add(x, y)", right: "saturating_add(y, x)"},
		{left: "saturating_add(x, 0)", right: "x"},
		{left: "saturating_sub(x, 0)", right: "x"},
		{left: "saturating_add(saturating_add(x, y), z)", right: "saturating_add(x, saturating_add(y, z))", want: Refuted},
		{left: "saturating_sub(x, y)", right: "saturating_add(x, -y)", want: Refuted},
	}},
	{name: "saturating by widening", on: "u8 u16 u32", vars: "x:T, y:T", assume: "none", lines: []line{
		{left: "saturating_add(x, y)", right: "T(min(u64(x) + u64(y), u64(T(tmax))))"},
		{left: "saturating_add(x, y)", right: "T(select(u64(x) + u64(y) > u64(T(tmax)), u64(T(tmax)), u64(x) + u64(y)))"},
		{left: "T(min(u64(x + y), u64(T(tmax))))", right: "saturating_add(x, y)", want: Refuted},
	}},
	{name: "bits", on: words, vars: "x:T, y:T, z:T, w:T", assume: "none", lines: []line{
		{left: "(x ^ y) + ((x & y) << 1)", right: "x + y"},
		{left: "(x | y) + (x & y)", right: "x + y"},
		{left: "x | y", right: "x + (y & ~x)"},
		{left: "x ^ y", right: "(x | y) - (x & y)"},
		{left: "~(x & y)", right: "~x | ~y"},
		{left: "~x", right: "-x - 1"},
		{left: "-~x", right: "x + 1"},
		{left: "x & (y | z)", right: "(x & y) | (x & z)"},
		{left: "x ^ y ^ y", right: "x"},
		{left: "x ^ x", right: "0"},
		{left: "x & x", right: "x"},
		{left: "x & 0", right: "0"},
		{left: "x | tmin", right: "x | tmin"},
		{left: "(x & 12) | (x & 3)", right: "x & 15", want: open},
		{left: "(x | y) | z", right: "x | (y | z)"},
		{left: "(x ^ y) ^ z", right: "x ^ (y ^ z)"},
		{left: "x - y", right: "(x ^ y) - 2*(~x & y)"},
		{left: "~(~x - y)", right: "x + y"},
		{left: "x ^ -1", right: "~x"},
		{left: "(x & y) + (x & ~y)", right: "x"},
		{left: "x | y", right: "x + y", want: Refuted},
		{left: "x ^ y", right: "x + y - (x & y)", want: Refuted},
		{left: "(x & z) | (y & ~z)", right: "y ^ ((x ^ y) & z)"},
		{left: "(x & y & z) + (x & y & ~z)", right: "x & y"},
	}},
	{name: "division u", on: unsigned, vars: "x:T, y:T", assume: "none", lines: []line{
		{left: "x % 8", right: "x & 7"},
		{left: "x / 4", right: "x >> 2"},
		{left: "x / 0", right: "0"},
		{left: "x % 0", right: "0"},
		{left: "x % 1", right: "0"},
		{left: "x / 1", right: "x"},
		{left: "min(x % 10, 9)", right: "x % 10"},
		{left: "min(x & 7, 7)", right: "x & 7"},
		{left: "max(x/3*3, x)", right: "x"},
	}},
	{name: "division i", on: signed, vars: "x:T, y:T", assume: "none", lines: []line{
		{left: "x % 8", right: "x & 7"},
		{left: "x / 4", right: "x >> 2"},
		{left: "max(x % 10, 0)", right: "x % 10"},
		{left: "(-7) / 2", right: "-4"},
		{left: "(-7) % 2", right: "1"},
		{left: "7 / (-2)", right: "-3"},
		{left: "(-7) / (-2)", right: "4"},
		{left: "(-7) % (-2)", right: "1"},
		{left: "tmin / (-1)", right: "tmin"},
		{left: "x / x", right: "1", want: Refuted},
		{left: "-(x / 2)", right: "(-x) / 2", want: Refuted},
	}},
	{name: "shifts", on: words, vars: "x:T, y:T", assume: "none", lines: []line{
		{left: "x << 100", right: "0", want: open},
		{left: "x >> 0", right: "x"},
		{left: "x << 0", right: "x"},
		{left: "(x << 3) << 2", right: "x << 5"},
		{left: "(x + y) << 1", right: "(x << 1) + (y << 1)"},
		{left: "(x << 1) >> 1", right: "x", want: Refuted},
	}},
	{name: "truth", on: words, vars: "x:T, y:T, p:bool, q:bool", assume: "none", result: ir.Bool, lines: []line{
		{left: "x < y", right: "!(y <= x)"},
		{left: "x == y", right: "x <= y && y <= x"},
		{left: "x != y", right: "x < y || y < x"},
		{left: "p == q", right: "!(p != q)"},
		{left: "p && q", right: "!(!p || !q)"},
		{left: "x - y == 0", right: "x == y"},
		{left: "(x ^ y) == 0", right: "x == y", want: open},
		{left: "bool(x)", right: "x != 0"},
		{left: "is_nan(x)", right: "false"},
		{left: "x < y", right: "x - y < 0", want: Refuted},
	}},
	{name: "casts", on: "i32 u32", vars: "x:T, b:u8, s:i8, h:u16, p:bool", assume: "none", lines: []line{
		{left: "T(u8(x))", right: "x & 255", want: open},
		{left: "T(b) + T(b)", right: "2*T(b)"},
		{left: "T(i64(x))", right: "x"},
		{left: "T(i64(x)*i64(x))", right: "x*x"},
		{left: "T(u64(x) + u64(x))", right: "x + x"},
		{left: "min(T(b), 255)", right: "T(b)"},
		{left: "T(p)", right: "select(p, 1, 0)"},
		{left: "T(u8(T(b) + 1))", right: "T(b) + 1", want: Refuted},
		{left: "T(u8(T(b)))", right: "T(b)"},
		{left: "T(u8(s))", right: "T(s)", want: Refuted},
		{left: "T(max(b, 3))", right: "max(T(b), 3)"},
		{left: "T(u8(x)) + T(b)", right: "T(b) + T(u8(x))"},
		{left: "T(f32(x))", right: "x", want: Refuted},
	}},
	{name: "exact floats", on: "f32 f64", vars: "x:T, y:T, z:T, p:bool", assume: "none", lines: []line{
		{left: "x - y", right: "x + (-y)"},
		{left: "x + y", right: "y + x"},
		{left: "x*y", right: "y*x"},
		{left: "(-x)*y", right: "-(x*y)"},
		{left: "(-x)*(-y)", right: "x*y"},
		{left: "x*1", right: "x"},
		{left: "x + -0.0", right: "x"},
		{left: "x - 0.0", right: "x"},
		{left: "-(-x)", right: "x"},
		{left: "max(x, -inf)", right: "x"},
		{left: "min(x, inf)", right: "x"},
		{left: "-max(-x, -y)", right: "min(x, y)", want: open},
		{left: "select(p, x + y, x)", right: "x + select(p, y, -0.0)"},
		{left: "select(is_nan(x), x, min(x, y))", right: "min(x, select(is_nan(x), 1, y))"},
		{left: "abs(-x)", right: "abs(x)"},
	}},
	{name: "exact floats, false", on: "f32 f64", vars: "x:T, y:T, z:T, p:bool", assume: "none", want: Refuted, lines: []line{
		{left: "(x + y) + z", right: "x + (y + z)", want: never},
		{left: "(x*y)*z", right: "x*(y*z)"},
		{left: "x*(y + z)", right: "x*y + x*z"},
		{left: "x + 0.0", right: "x"},
		{left: "x - x", right: "0.0"},
		{left: "x*0", right: "0.0"},
		{left: "x/x", right: "1"},
		{left: "select(x < y, x, y)", right: "min(x, y)"},
		{left: "select(x <= y, x, y)", right: "min(x, y)"},
		{left: "select(x == y, x, y)", right: "y"},
		{left: "max(x, y)", right: "select(x > y, x, y)"},
		{left: "select(p, x + y, x)", right: "x + select(p, y, 0.0)"},
		{left: "0.0 - x", right: "-x"},
		{left: "select(x < 0, -x, x)", right: "abs(x)"},
	}},
	{name: "floats nnan nsz", on: "f32 f64", vars: "x:T, y:T, z:T", assume: "nnan,nsz", lines: []line{
		{left: "select(x < y, x, y)", right: "min(x, y)"},
		{left: "select(x <= y, x, y)", right: "min(x, y)"},
		{left: "select(x > y, x, y)", right: "max(x, y)"},
		{left: "x + 0.0", right: "x"},
		{left: "min(x, max(x, y))", right: "x"},
		{left: "(x + y) + z", right: "x + (y + z)", want: never},
	}},
	{name: "floats nnan", on: "f32 f64", vars: "x:T, y:T, z:T", assume: "nnan", lines: []line{
		{left: "select(x < y, x, y)", right: "min(x, y)", want: never}, // −0 and +0
		{left: "select(x > y, x, y)", right: "select(y < x, x, y)"},
		{left: "select(select(x > y, x, y) > z, select(x > y, x, y), z)", right: "select(x > select(y > z, y, z), x, select(y > z, y, z))"},
	}},
	{name: "last maximum", on: "f32 f64", vars: "x:T, y:T, z:T", assume: "none", want: Refuted, lines: []line{
		{left: "select(select(x > y, x, y) > z, select(x > y, x, y), z)", right: "select(x > select(y > z, y, z), x, select(y > z, y, z))"},
	}},
	{name: "reassoc", on: "f32 f64", vars: "x:T, y:T, z:T, p:bool", assume: "reassoc", lines: []line{
		{left: "(x + y) + z", right: "x + (y + z)"},
		{left: "x*(y + z)", right: "x*y + x*z"},
		{left: "select(p, x + y, x - y)", right: "x + select(p, y, -y)"},
		{left: "x/2", right: "x*0.5"},
		{left: "x/y/z", right: "x/(y*z)"},
		{left: "(x + y)/z", right: "x/z + y/z", want: open}, // 0/0 obeys no law of a field
		{left: "x + y", right: "x + 2*y", want: Refuted},
	}},
	{name: "reals", on: "f32 f64", vars: "x:T, y:T, z:T, p:bool", assume: "reassoc,nnan,nsz", lines: []line{
		{left: "x + min(y, z)", right: "min(x + y, x + z)"},
		{left: "(x + y)/z", right: "x/z + y/z"},
		{left: "-max(-x, -y)", right: "min(x, y)"},
		{left: "select(x < 0, -x, x)", right: "abs(x)"},
		{left: "max(x, -x)", right: "abs(x)"},
		{left: "max(x, -inf)", right: "x"},
		{left: "min(inf, x)", right: "x"},
		{left: "max(x, -inf) + y", right: "y + x"},
		{left: "min(x, -inf)", right: "x", want: never},
		{left: "abs(x*y)", right: "abs(x)*abs(y)"},
		{left: "x*max(y, 0)", right: "select(y < 0, 0, x*y)"},
		{left: "max(z*max(x*max(y, 0), 0), 0)", right: "max(y, 0)*max(x, 0)*max(z, 0)"},
		{left: "min(x, x*x)", right: "x", want: Refuted}, // 1/2
		{left: "1/(1/x + 1/y)", right: "x*y/(x + y)"},
		{left: "max(x*2, y*2)", right: "2*max(x, y)"},
		{left: "select(x/2 < y/2, x, y)", right: "min(x, y)"},
		{left: "x*x", right: "max(x*x, 0)"},
	}},
	{name: "quotients times their divisor", on: words, vars: "x:T, y:T, z:T", assume: "none", lines: []line{
		{left: "x - (x >> 3)*8", right: "x & 7"},
		{left: "(x + y) - ((x + y) >> 2 << 2)", right: "(x + y) % 4"},
		{left: "x - x/10*10", right: "x % 10"},
		{left: "x - x/10*20", right: "x % 10*2 - x"},
		{left: "x - (x >> 3)*12", right: "x & 7", want: Refuted},
		{left: "x - (x >> 3)*4", right: "x & 7", want: Refuted},
		{left: "x/10*10", right: "x", want: Refuted},
	}},
	{name: "low bits of products", on: words, vars: "x:T, y:T, z:T", assume: "none", lines: []line{
		{left: "(((x*y) & 31)*z) & 31", right: "(x*((y*z) & 31)) & 31"},
		{left: "((x & 63)*y) & 31", right: "(x*y) & 31"},
		{left: "((x & 15)*y) & 31", right: "(x*y) & 31", want: Refuted},
	}},
	{name: "masks beside literals", on: words, vars: "x:T, y:T", assume: "none", lines: []line{
		{left: "((x ^ 4) | 4) & ~((x ^ 4) & 4)", right: "x"},
		{left: "(x & ~4) + 4", right: "x | 4"},
		{left: "((x & 4) - 7) ^ 2", right: "(x & 4) - 5"},
		{left: "((x & 4) - 6) ^ 2", right: "(x & 4) - 4", want: Refuted},
		{left: "((x & 6) + 4) ^ x", right: "x & 6", want: Refuted},
	}},
	{name: "squares of roots", on: "f32 f64", vars: "x:T, y:T, z:T", assume: "reassoc,nnan,nsz,afn", lines: []line{
		{left: "sqrt(x)*sqrt(x)", right: "x"},
		{left: "sqrt(sqrt(x*x + y*y)*sqrt(x*x + y*y) + z*z)", right: "sqrt(x*x + y*y + z*z)"},
		{left: "pow(sqrt(x + y), 4)", right: "x*x + 2*x*y + y*y"},
		{left: "sqrt(x)*sqrt(y)", right: "x", want: Refuted},
		{left: "pow(x, 3)", right: "x*x", want: Refuted},
	}},
	{name: "roots of negative numbers", on: "f32 f64", vars: "x:T", assume: "reassoc,nsz,afn", lines: []line{
		{left: "sqrt(x)*sqrt(x)", right: "x", want: never},
	}},
}
