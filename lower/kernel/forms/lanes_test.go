package forms

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/eval"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// ragged are lengths of runs around those of vectors, of what loops take at once, and of parts.
var ragged = []int{0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 263, 264, 265, 511, 512, 513, 527, 528, 529, 1000, 2047, 4097, 5000, 9001, 40000}

// compared compares a form's kernel behind the passes of targets with steps, on runs of any length and all bits.
func compared(t *testing.T, name, form string, s kernel.Stage, rng *rand.Rand) {
	t.Helper()
	comparedAt(t, name, form, s, ragged, rng)
}

// comparedAt is the same on runs of some lengths.
func comparedAt(t *testing.T, name, form string, s kernel.Stage, lengths []int, rng *rand.Rand) {
	t.Helper()
	serial := kernel.Build(s)
	best, ok, why := Cheapest(Choices(serial))
	if !ok || best.Form != form {
		t.Errorf("%s: form %q, %s", name, best.Form, why)
		return
	}
	shaped, lacks := best.Kernel.Shape(kernel.Archsimd)
	if shaped == nil {
		t.Fatalf("%s: %s", name, lacks)
	}
	if err := shaped.Check(kernel.Archsimd); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for _, length := range lengths {
		in := eval.Input{Bits: 256}
		for _, typ := range serial.Streams {
			values := make([]uint64, length)
			for i := range values {
				values[i] = anyBits(typ, rng)
			}
			in.Streams = append(in.Streams, values)
		}
		for _, typ := range serial.State {
			in.State = append(in.State, anyBits(typ, rng))
		}
		if s.May.Compose {
			in.State = serial.Identity
		}
		if got, want := eval.State(shaped, in), eval.State(serial, in); !slices.Equal(got, want) {
			t.Fatalf("%s, %d elements: %x, not %x", name, length, got, want)
		}
	}
}

// anyBits is any value of a type, and its limits now and then.
func anyBits(t ir.Type, rng *rand.Rand) uint64 {
	switch {
	case t == ir.Bool:
		return rng.Uint64() & 1
	case rng.IntN(8) == 0:
		return t.Max()
	case rng.IntN(8) == 0:
		return t.Min()
	}
	return t.Wrap(rng.Uint64())
}

// Powers of linear steps compute what steps do: modulo the width, of narrow elements, too.
func TestPowers(t *testing.T) {
	pool, rng := ir.NewPool(), rand.New(rand.NewPCG(7, 8))
	bytes, chars, shorts, ints := pool.Call(ir.U8, "bytes", 0), pool.Call(ir.I8, "chars", 0), pool.Call(ir.I16, "shorts", 0), pool.Call(ir.I32, "ints", 0)
	words, x, u := pool.Call(ir.U32, "words", 0), pool.X(0, ir.I32), pool.X(0, ir.U32)
	num := func(n int64) ir.Expr { return pool.Int(ir.I32, n) }
	shift := func(op ir.Op, e ir.Expr, by int64) ir.Expr { return ir.Make(op, e, pool.Int(ir.U32, by)) }
	xor := func(a, b ir.Expr) ir.Expr { return ir.Make(ir.BitXor, a, b) }
	b := pool.X(0, ir.U8)
	top := ir.Make(ir.Eq, ir.Make(ir.BitAnd, b, pool.Int(ir.U8, 128)), pool.Int(ir.U8, 128))
	crc := xor(ir.SelectOf(top, pool.Int(ir.U8, 29), pool.Int(ir.U8, 0)), ir.Make(ir.Shl, xor(b, bytes), pool.Int(ir.U8, 1)))
	bit := ir.SelectOf(ir.Make(ir.Ne, ir.Make(ir.Shr, b, pool.Int(ir.U8, 7)), pool.Int(ir.U8, 0)), pool.Int(ir.U8, 9), pool.Int(ir.U8, 200))
	rotated := ir.Make(ir.BitOr, shift(ir.Shl, u, 7), shift(ir.Shr, u, 25))
	for _, c := range []struct {
		name     string
		to, over ir.Expr
	}{
		{"bytes", ir.AddOf(ir.MulOf(x, num(31)), ir.CastTo(ir.I32, bytes)), bytes},
		{"signed bytes", ir.SubOf(ir.MulOf(num(-7), x), ir.CastTo(ir.I32, chars)), chars},
		{"numbers of 16 bits", ir.AddOf(ir.CastTo(ir.I32, shorts), ir.MulOf(x, num(1000003))), shorts},
		{"numbers", ir.AddOf(ir.MulOf(ir.AddOf(x, ints), num(33)), ir.MulOf(x, num(4))), ints},
		{"a step that vanishes", ir.AddOf(ir.MulOf(x, num(65536)), ints), ints},
		{"differences", ir.SubOf(ints, x), ints},
		{"digits", ir.AddOf(ir.MulOf(x, num(10)), ir.SelectOf(ir.LtOf(bytes, pool.Int(ir.U8, 58)), ir.SubOf(ir.CastTo(ir.I32, bytes), num(48)), num(0))), bytes},
		{"rotations", xor(rotated, words), words},
		{"rotations of what is combined", xor(ir.Subst(rotated, []ir.Expr{u}, []ir.Expr{xor(u, words)}), words), words},
		{"shifts", xor(xor(u, shift(ir.Shl, u, 9)), words), words},
		{"shifts down", xor(xor(u, shift(ir.Shr, u, 5)), words), words},
		{"a CRC of bytes", xor(crc, bytes), bytes},
		{"a register of bits", xor(xor(ir.Make(ir.BitAnd, crc, pool.Int(ir.U8, 0xf3)), ir.Make(ir.Shr, b, pool.Int(ir.U8, 3))), bit), bytes},
	} {
		compared(t, c.name, "powers", kernel.Stage{State: []ir.Type{c.to.Type()}, To: []ir.Expr{c.to}, Streams: []ir.Expr{c.over}}, rng)
	}
	p := pool.Y(0, ir.I32)
	compared(t, "steps", "powers", kernel.Stage{
		State: []ir.Type{ir.I32, ir.I32}, To: []ir.Expr{ir.MulOf(x, num(31)), ir.AddOf(ir.MulOf(pool.X(1, ir.I32), num(31)), ints)}, Streams: []ir.Expr{ints},
		Operator: []ir.Expr{ir.MulOf(x, p), ir.AddOf(ir.MulOf(pool.X(1, ir.I32), p), pool.Y(1, ir.I32))}, Identity: []ir.Expr{num(1), num(0)},
		May: kernel.May{Factored: true, Compose: true},
	}, rng)
}

// Components that are linear in one another meet powers of a matrix: sums and what they weigh, recurrences of a second order, one that takes from
// two others.
func TestPowersTogether(t *testing.T) {
	pool, rng := ir.NewPool(), rand.New(rand.NewPCG(17, 18))
	bytes, ints := pool.Call(ir.U8, "bytes", 0), pool.Call(ir.I32, "ints", 0)
	x := []ir.Expr{pool.X(0, ir.I32), pool.X(1, ir.I32), pool.X(2, ir.I32)}
	num := func(n int64) ir.Expr { return pool.Int(ir.I32, n) }
	y := ir.CastTo(ir.I32, bytes)
	for _, c := range []struct {
		name string
		to   []ir.Expr
		over ir.Expr
	}{
		{"a checksum", []ir.Expr{ir.AddOf(x[0], y), ir.AddOf(x[1], ir.AddOf(x[0], y))}, bytes},
		{"a recurrence", []ir.Expr{ir.AddOf(ir.SubOf(ir.MulOf(x[0], num(3)), ir.MulOf(num(2), x[1])), ints), x[0]}, ints},
		{"a swap", []ir.Expr{ir.AddOf(x[1], ints), ir.SubOf(x[0], ints)}, ints},
		{"three", []ir.Expr{ir.AddOf(x[0], ints), ir.SubOf(x[1], ir.AddOf(x[0], x[2])), ir.AddOf(ir.MulOf(x[2], num(5)), ints)}, ints},
		{"one that vanishes", []ir.Expr{ir.AddOf(ir.MulOf(x[1], num(65536)), ints), ir.MulOf(x[0], num(65536))}, ints},
	} {
		types := []ir.Type{ir.I32, ir.I32, ir.I32}[:len(c.to)]
		compared(t, c.name, "powers", kernel.Stage{State: types, To: c.to, Streams: []ir.Expr{c.over}}, rng)
	}
}

// Steps of matrices of bits run in lanes, beside the columns of their power.
func TestPowersOfBits(t *testing.T) {
	pool, rng := ir.NewPool(), rand.New(rand.NewPCG(13, 14))
	bytes, zero := pool.Call(ir.U8, "bytes", 0), pool.Int(ir.U8, 0)
	times := func(column func(b int) ir.Expr, x ir.Expr) ir.Expr {
		var out ir.Expr
		for b := range 8 {
			set := ir.Make(ir.Ne, ir.Make(ir.BitAnd, x, pool.Int(ir.U8, 1<<b)), zero)
			if w := ir.SelectOf(set, column(b), zero); b == 0 {
				out = w
			} else {
				out = ir.Make(ir.BitXor, out, w)
			}
		}
		return out
	}
	s := kernel.Stage{Streams: []ir.Expr{bytes}, May: kernel.May{Factored: true, Compose: true, Wrap: true}}
	var columns [8]int64
	for b := range columns {
		columns[b] = int64(rng.IntN(256))
	}
	for i := range 9 {
		x := pool.X(i, ir.U8)
		to, join, none := times(func(b int) ir.Expr { return pool.Int(ir.U8, columns[b]) }, x), times(func(b int) ir.Expr { return pool.Y(b, ir.U8) }, x), pool.Int(ir.U8, 1<<(i%8))
		if i == 8 {
			to, join, none = ir.Make(ir.BitXor, to, bytes), ir.Make(ir.BitXor, join, pool.Y(8, ir.U8)), zero
		}
		s.State, s.To, s.Operator, s.Identity = append(s.State, ir.U8), append(s.To, to), append(s.Operator, join), append(s.Identity, none)
	}
	comparedAt(t, "a matrix of bits", "powers", s, ragged[:31], rng)
	s.May.Wrap = false
	if best, ok, _ := Cheapest(Choices(kernel.Build(s))); ok {
		t.Errorf("powers of an operator whose laws overflow breaks: form %q", best.Form)
	}
}

// Averages in lanes are those of steps, up to rounding, and bit by bit where they are not finite.
func TestPowersOfFloats(t *testing.T) {
	pool, rng := ir.NewPool(), rand.New(rand.NewPCG(9, 10))
	x, z, in := pool.X(0, ir.F32), pool.X(1, ir.F32), pool.Call(ir.F32, "in", 0)
	f := func(v float64) ir.Expr { return pool.Float(ir.F32, v) }
	average := ir.AddOf(ir.MulOf(x, f(0.75)), ir.MulOf(in, f(0.25)))
	for name, to := range map[string][]ir.Expr{
		"an average":          {average},
		"one of its averages": {average, ir.AddOf(ir.MulOf(z, f(0.5)), ir.MulOf(x, f(0.5)))},
		"a filter":            {ir.SubOf(ir.AddOf(ir.MulOf(x, f(0.5)), in), ir.MulOf(z, f(0.25))), ir.AddOf(x, ir.MulOf(z, f(0)))},
	} {
		types := []ir.Type{ir.F32, ir.F32}[:len(to)]
		serial := kernel.Build(kernel.Stage{State: types, To: to, Streams: []ir.Expr{in}, May: kernel.May{Factored: true, Regroup: true}})
		best, ok, why := Cheapest(Choices(serial))
		if !ok || best.Form != "powers" {
			t.Fatalf("%s: form %q, %s", name, best.Form, why)
		}
		for _, odd := range []float64{0, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32} {
			if odd == math.MaxFloat32 && name == "a filter" {
				continue // whose terms cancel, to what is left by rounding
			}
			for _, length := range []int{64, 100, 1000, 5000} {
				in := eval.Input{Bits: 256, State: []uint64{ir.FloatBits(ir.F32, 3), ir.FloatBits(ir.F32, -2)}[:len(to)], Streams: [][]uint64{make([]uint64, length)}}
				for i := range in.Streams[0] {
					in.Streams[0][i] = ir.FloatBits(ir.F32, rng.NormFloat64())
				}
				in.Streams[0][rng.IntN(length)] = ir.FloatBits(ir.F32, odd)
				lanes, steps := eval.State(best.Kernel, in), eval.State(serial, in)
				for c := range to {
					got, want := ir.Float(ir.F32, lanes[c]), ir.Float(ir.F32, steps[c])
					if got != want && !(got != got && want != want) && math.Abs(got-want) > 1e-4*max(1, math.Abs(want)) {
						t.Errorf("%s, %v among %d elements: component %d is %v, not %v", name, odd, length, c, got, want)
					}
				}
			}
		}
	}
	steep := kernel.Build(kernel.Stage{State: []ir.Type{ir.F32}, To: []ir.Expr{ir.AddOf(ir.MulOf(x, f(1e-9)), in)}, Streams: []ir.Expr{in}, May: kernel.May{Factored: true, Regroup: true}})
	if best, ok, _ := Cheapest(Choices(steep)); ok {
		t.Errorf("powers of 1e-9 vanish: form %q", best.Form)
	}
}

// Parts that lanes own compute what steps do, where these compose in their order alone.
func TestOwned(t *testing.T) {
	pool, rng := ir.NewPool(), rand.New(rand.NewPCG(11, 12))
	a, b, m, bytes := pool.Call(ir.I32, "a", 0), pool.Call(ir.I32, "b", 0), pool.Call(ir.Bool, "m", 0), pool.Call(ir.I8, "bytes", 0)
	x, y := func(i int) ir.Expr { return pool.X(i, ir.I32) }, func(i int) ir.Expr { return pool.Y(i, ir.I32) }
	wide, right := func(i int) ir.Expr { return pool.X(i, ir.I64) }, func(i int) ir.Expr { return pool.Y(i, ir.I64) }
	zero, one := pool.Int(ir.I32, 0), pool.Int(ir.I32, 1)
	least := pool.Int(ir.I64, -1<<32)
	may := kernel.May{Factored: true, Compose: true}
	step := ir.CastTo(ir.I64, bytes)
	compared(t, "affine steps", "owned", kernel.Stage{
		State: []ir.Type{ir.I32, ir.I32}, To: []ir.Expr{ir.MulOf(x(0), a), ir.AddOf(ir.MulOf(x(1), a), b)}, Streams: []ir.Expr{a, b},
		Operator: []ir.Expr{ir.MulOf(x(0), y(0)), ir.AddOf(ir.MulOf(x(1), y(0)), y(1))}, Identity: []ir.Expr{one, zero}, May: may,
	}, rng)
	for _, wrap := range []bool{true, false} { // an operator whose laws overflow breaks keeps to plain loops
		s := kernel.Stage{
			State: []ir.Type{ir.I32, ir.I32}, To: []ir.Expr{ir.MulOf(x(0), a), ir.AddOf(ir.MulOf(x(1), a), b)}, Streams: []ir.Expr{a, b},
			Operator: []ir.Expr{ir.MulOf(x(0), y(0)), ir.AddOf(ir.MulOf(x(1), y(0)), y(1))}, Identity: []ir.Expr{one, zero}, May: kernel.May{Factored: true, Wrap: wrap},
		}
		if wrap {
			compared(t, "an operator that does not commute", "owned", s, rng)
		} else if best, ok, _ := Cheapest(Choices(kernel.Build(s))); ok {
			t.Errorf("an operator that overflow breaks: form %q", best.Form)
		}
	}
	reset, seen := pool.X(0, ir.Bool), pool.Y(0, ir.Bool)
	compared(t, "segments", "owned", kernel.Stage{
		State: []ir.Type{ir.Bool, ir.I32}, To: []ir.Expr{ir.OrOf(reset, ir.LtOf(a, zero)), ir.AddOf(ir.SelectOf(ir.LtOf(a, zero), zero, x(1)), a)}, Streams: []ir.Expr{a},
		Operator: []ir.Expr{ir.OrOf(reset, seen), ir.AddOf(ir.SelectOf(seen, zero, x(1)), y(1))}, Identity: []ir.Expr{pool.Bool(false), zero}, May: may,
	}, rng)
	compared(t, "sums that begin anew", "owned", kernel.Stage{
		State: []ir.Type{ir.Bool, ir.I64}, To: []ir.Expr{ir.OrOf(reset, m), ir.AddOf(ir.SelectOf(m, pool.Int(ir.I64, 0), wide(1)), pool.Int(ir.I64, 1))}, Streams: []ir.Expr{m},
		Operator: []ir.Expr{ir.OrOf(reset, seen), ir.AddOf(ir.SelectOf(seen, pool.Int(ir.I64, 0), wide(1)), right(1))}, Identity: []ir.Expr{pool.Bool(false), pool.Int(ir.I64, 0)}, May: may,
	}, rng)
	compared(t, "levels with a floor, in 32 bits", "owned", kernel.Stage{
		State: []ir.Type{ir.I64, ir.I64}, To: []ir.Expr{ir.AddOf(wide(0), step), ir.MaxOf(ir.AddOf(wide(1), step), pool.Int(ir.I64, 0))}, Streams: []ir.Expr{bytes},
		Operator: []ir.Expr{ir.AddOf(wide(0), right(0)), ir.MaxOf(ir.AddOf(wide(1), right(0)), right(1))}, Identity: []ir.Expr{pool.Int(ir.I64, 0), least}, May: may,
	}, rng)
}

// Lanes of parts are as narrow as what the parts' steps make: of 16 bits for counts and truth values.
func TestOwnedInWords(t *testing.T) {
	pool, rng := ir.NewPool(), rand.New(rand.NewPCG(15, 16))
	wide, right := func(i int) ir.Expr { return pool.X(i, ir.I64) }, func(i int) ir.Expr { return pool.Y(i, ir.I64) }
	for _, elem := range []ir.Type{ir.U8, ir.I8, ir.I16} {
		in := pool.Call(elem, "in", 0)
		up, down := ir.LtOf(in, pool.Int(elem, 20)), ir.LtOf(pool.Int(elem, 90), in)
		step := ir.SubOf(ir.CastTo(ir.I64, up), ir.CastTo(ir.I64, down))
		depth := kernel.Stage{
			State: []ir.Type{ir.I64, ir.I64}, To: []ir.Expr{ir.AddOf(wide(0), step), ir.MaxOf(wide(1), ir.SubOf(ir.NegOf(step), wide(0)))}, Streams: []ir.Expr{in},
			Operator: []ir.Expr{ir.AddOf(wide(0), right(0)), ir.MaxOf(wide(1), ir.SubOf(right(1), wide(0)))}, Identity: []ir.Expr{pool.Int(ir.I64, 0), pool.Int(ir.I64, -1<<32)},
			May: kernel.May{Factored: true, Compose: true},
		}
		compared(t, "depths of "+elem.String(), "owned", depth, rng)
		best, _, _ := Cheapest(Choices(kernel.Build(depth)))
		if got := best.Kernel.Accumulators[0].Elem; got != ir.I16 {
			t.Errorf("depths of %s in lanes of %s", elem, got)
		}
		flag, other := func(i int) ir.Expr { return pool.X(i, ir.Bool) }, func(i int) ir.Expr { return pool.Y(i, ir.Bool) }
		compared(t, "truth values of "+elem.String(), "owned", kernel.Stage{
			State: []ir.Type{ir.Bool, ir.Bool}, To: []ir.Expr{ir.AndOf(flag(0), up), ir.OrOf(ir.AndOf(flag(1), up), down)}, Streams: []ir.Expr{in},
			Operator: []ir.Expr{ir.AndOf(flag(0), other(0)), ir.OrOf(ir.AndOf(flag(1), other(0)), other(1))}, Identity: []ir.Expr{pool.Bool(true), pool.Bool(false)},
			May: kernel.May{Factored: true, Compose: true},
		}, rng)
	}
}

// A saturating counter of bytes, whose sums of steps are wider than its bounds.
func TestOwnedMixed(t *testing.T) {
	pool := ir.NewPool()
	num := func(n int64) ir.Expr { return pool.Int(ir.I16, n) }
	clamp := func(x, lo, hi ir.Expr) ir.Expr { return ir.MaxOf(ir.MinOf(x, hi), lo) }
	in := pool.Call(ir.U8, "in", 0)
	up := ir.SelectOf(ir.Make(ir.Lt, pool.Int(ir.U8, 110), in), num(1), num(-1))
	moved := func(by, x, lo, hi ir.Expr) ir.Expr {
		return ir.CastTo(ir.U8, clamp(ir.AddOf(ir.CastTo(ir.I16, x), by), lo, hi))
	}
	x, y := []ir.Expr{pool.X(0, ir.I16), pool.X(1, ir.U8), pool.X(2, ir.U8)}, []ir.Expr{pool.Y(0, ir.I16), pool.Y(1, ir.U8), pool.Y(2, ir.U8)}
	by, lo, hi := clamp(y[0], num(-512), num(512)), ir.CastTo(ir.I16, y[1]), ir.CastTo(ir.I16, y[2])
	compared(t, "a saturating counter", "owned", kernel.Stage{
		State:    []ir.Type{ir.I16, ir.U8, ir.U8},
		To:       []ir.Expr{ir.AddOf(clamp(x[0], num(-512), num(512)), up), moved(up, x[1], num(0), num(255)), moved(up, x[2], num(0), num(255))},
		Streams:  []ir.Expr{in},
		Operator: []ir.Expr{ir.AddOf(clamp(x[0], num(-512), num(512)), by), moved(by, x[1], lo, hi), moved(by, x[2], lo, hi)},
		Identity: []ir.Expr{num(0), pool.Int(ir.U8, 0), pool.Int(ir.U8, 255)},
		May:      kernel.May{Factored: true, Compose: true},
	}, rand.New(rand.NewPCG(8, 42)))
}

// Wide components are kept in narrow lanes where elements are so small that those of a part fit, and only there.
func TestNarrowed(t *testing.T) {
	pool := ir.NewPool()
	num := func(n int64) ir.Expr { return pool.Int(ir.I64, n) }
	for _, elem := range []ir.Type{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32} {
		in, x := ir.CastTo(ir.I64, pool.Call(elem, "in", 0)), pool.X(0, ir.I64)
		short, byteLong := elem != ir.I32, elem == ir.I8 || elem == ir.U8
		for _, c := range []struct {
			name         string
			to           ir.Expr
			in32, in16   bool
			first, later string // of elements of 8 bits in 16
		}{
			{"a sum", ir.AddOf(x, in), short, byteLong, "1 + i64(in())", "x0 + i16(in())"},
			{"a sum of squares", ir.AddOf(x, ir.MulOf(in, in)), byteLong, false, "", ""},
			{"a product", ir.MulOf(x, in), false, false, "", ""},
			{"a greatest sum of some", ir.AddOf(ir.MaxOf(x, ir.SelectOf(ir.Make(ir.Lt, in, num(9)), in, num(math.MinInt64))), in), short, byteLong, "", ""},
		} {
			k := kernel.Build(kernel.Stage{State: []ir.Type{ir.I64}, To: []ir.Expr{c.to}, Streams: []ir.Expr{in.Arg(0)}, Identity: []ir.Expr{num(1)}, May: kernel.May{Compose: true}})
			if _, _, ok := narrowedOf(k, ir.I32, NarrowMost); ok != c.in32 {
				t.Errorf("%s of %s in 32 bits: %v", c.name, elem, ok)
			}
			first, to, ok := narrowedOf(steps([]ir.Type{ir.I64}, []uint64{1}, []ir.Expr{c.to}), ir.I16, 80)
			if ok != c.in16 {
				t.Errorf("%s of %s in 16 bits: %v", c.name, elem, ok)
			}
			if ok && c.first != "" && (first[0].String() != c.first || to[0].String() != c.later) {
				t.Errorf("%s of %s in 16 bits: %s, then %s", c.name, elem, first[0], to[0])
			}
		}
	}
}

// Components of narrower types are held in the lanes' type as the same numbers, which wrap where they did.
func TestHeld(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 41))
	answered := map[ir.Type]int{}
	for range 3000 {
		pool := ir.NewPool()
		as := []ir.Type{ir.I16, ir.I32}[rng.IntN(2)]
		types := []ir.Type{[]ir.Type{ir.I8, ir.U8, ir.U16}[rng.IntN(3)], as, ir.Bool}
		if types[0] == ir.U16 {
			as, types[1] = ir.I32, ir.I32
		}
		d := held{rng, pool, types}
		to := []ir.Expr{d.term(types[0], 3), d.term(as, 3), d.term(ir.Bool, 3)}
		_, narrow, ok := narrowedOf(steps(types, []uint64{0, 0, 0}, to), as, 80)
		if !ok {
			continue
		}
		answered[types[0]]++
		for range 20 {
			values := []uint64{types[0].Wrap(rng.Uint64()), as.Wrap(rng.Uint64()), rng.Uint64() % 2}
			env := &ir.Env{
				Call: func(ir.Expr, []uint64) uint64 { return uint64(values[1]) & 255 },
				Var:  func(v ir.Expr) uint64 { return values[v.Index()] },
			}
			want, got := ir.EvalAll(to, env), ir.EvalAll(narrow, env)
			for i := range to {
				if i < 2 && narrow[i].Type() != as || int64(got[i]) != int64(want[i]) {
					t.Fatalf("%s of %v in %s: %s: got %d, want %d", to[i], types, as, narrow[i], int64(got[i]), int64(want[i]))
				}
			}
		}
	}
	for _, typ := range []ir.Type{ir.I8, ir.U8, ir.U16} {
		if answered[typ] < 100 {
			t.Errorf("%d steps with %s are held", answered[typ], typ)
		}
	}
}

// held draws terms over components of types and bytes that are read.
type held struct {
	rng   *rand.Rand
	pool  *ir.Pool
	types []ir.Type
}

func (d held) term(t ir.Type, depth int) ir.Expr {
	if depth == 0 || d.rng.IntN(6) == 0 {
		return d.leaf(t)
	}
	sub := func(t ir.Type) ir.Expr { return d.term(t, depth-1) }
	if t == ir.Bool {
		of := d.types[d.rng.IntN(2)]
		return ir.Make([]ir.Op{ir.Lt, ir.Le, ir.Eq, ir.Ne}[d.rng.IntN(4)], sub(of), sub(of))
	}
	switch d.rng.IntN(5) {
	case 0:
		return ir.SelectOf(sub(ir.Bool), sub(t), sub(t))
	case 1:
		if from := d.types[d.rng.IntN(2)]; from != t {
			return ir.CastTo(t, sub(from))
		}
	}
	return ir.Make([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor}[d.rng.IntN(8)], sub(t), sub(t))
}

func (d held) leaf(t ir.Type) ir.Expr {
	switch d.rng.IntN(3) {
	case 0:
		return d.pool.Const(t, t.Wrap(d.rng.Uint64()))
	case 1:
		if t.IsInt() && t.Bits() > 8 || t == ir.U8 {
			return ir.CastTo(t, d.pool.Call(ir.U8, "in", 0))
		}
	}
	for i, u := range d.types {
		if u == t {
			return d.pool.X(i, t)
		}
	}
	panic("no component of type " + t.String())
}

// steps is a kernel of steps alone, from one that changes nothing.
func steps(state []ir.Type, identity []uint64, to []ir.Expr) *kernel.Kernel {
	return &kernel.Kernel{State: state, Identity: identity, Body: []kernel.Node{kernel.Each{To: to}}}
}

func narrowedOf(k *kernel.Kernel, as ir.Type, steps int) (first, to []ir.Expr, ok bool) {
	return serial{k, k.Each()}.narrowed(as, steps)
}
