package forms

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/eval"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// leaves names the states x0, x1, … and the reads y0, y1, … of a canonical expression.
func leaves(e ir.Expr) *kernel.Value {
	if e.Op() != ir.Var {
		return nil
	}
	switch e.Kind() {
	case ir.State:
		return kernel.Leaf(kernel.State, e.Index(), e.Type())
	case ir.Leaf:
		return kernel.Leaf(kernel.Load, e.Index(), e.Type())
	}
	return nil
}

func names(v *kernel.Value) string {
	return fmt.Sprintf("%s%d", map[kernel.Op]string{kernel.State: "s", kernel.Load: "y", kernel.Right: "r"}[v.Op], v.Imm)
}

// Expressions become operations of both targets, by rules where a target has none, or there is a reason why not.
func TestPrint(t *testing.T) {
	pool := ir.NewPool()
	x := func(typ ir.Type) ir.Expr { return pool.X(0, typ) }
	y := func(typ ir.Type) ir.Expr { return pool.Y(0, typ) }
	one := func(typ ir.Type) ir.Expr { return pool.Int(typ, 1) }
	for _, c := range []struct {
		name string
		e    ir.Expr
		want string // or, after !, what is lacking
	}{
		{"sum", ir.AddOf(x(ir.I32), y(ir.I32)), "s0.Add(y0)"},
		{"minimum of words", ir.Make(ir.Min, x(ir.I64), y(ir.I64)), "s0.IfElse(s0.Less(y0), y0)"},
		{"minimum of floats", ir.Make(ir.Min, x(ir.F32), y(ir.F32)), "lesserFloat32s(s0, y0)"},
		{"order of bytes", ir.SelectOf(ir.LtOf(x(ir.U8), y(ir.U8)), x(ir.U8), y(ir.U8)), "s0.IfElse(s0.Max(y0).NotEqual(s0), y0)"},
		{"count", ir.AddOf(x(ir.I32), ir.SelectOf(ir.LtOf(one(ir.I32), y(ir.I32)), one(ir.I32), pool.Int(ir.I32, 0))), "s0.Sub(all0.Less(y0).ToInt32s())"},
		{"count, unsigned", ir.AddOf(x(ir.U32), ir.SelectOf(ir.LtOf(one(ir.U32), y(ir.U32)), one(ir.U32), pool.Int(ir.U32, 0))), "s0.Add(all0.Masked(all0.Less(y0)))"},
		{"quarter", ir.Make(ir.Div, y(ir.I32), pool.Int(ir.I32, 4)), "y0.ShiftAllRight(2)"},
		{"remainder", ir.Make(ir.Mod, y(ir.U16), pool.Int(ir.U16, 8)), "y0.And(all0)"},
		{"magnitude of unsigned", ir.Make(ir.Abs, y(ir.U16)), "y0"},
		{"difference", ir.AddOf(x(ir.F32), ir.NegOf(y(ir.F32))), "s0.Sub(y0)"},
		{"difference of unsigned", ir.AddOf(ir.NegOf(y(ir.U16)), x(ir.U16)), "s0.Sub(y0)"},
		{"negation of unsigned", ir.NegOf(y(ir.U8)), "all0.Sub(y0)"},
		{"magnitude of words", ir.Make(ir.Abs, y(ir.I64)), "y0.IfElse(y0.Greater(y0.Neg()), y0.Neg())"},
		{"not less, of floats", ir.SelectOf(ir.NotOf(ir.LtOf(x(ir.F64), y(ir.F64))), x(ir.F64), y(ir.F64)),
			"s0.IfElse(s0.GreaterEqual(y0).Or(s0.NotEqual(s0)).Or(y0.NotEqual(y0)), y0)"},
		{"third", ir.Make(ir.Div, y(ir.I32), pool.Int(ir.I32, 3)), "!lacks / of i32"},
		{"product of words", ir.Make(ir.Mul, x(ir.I64), y(ir.I64)), "!lacks * of i64"},
		{"another width", ir.CastTo(ir.I32, y(ir.I16)), "!no conversion of i16 to i32"},
	} {
		b := &kernel.Builder{Bits: c.e.Type().Bits(), Leaf: leaves}
		v, lacks := b.Value(c.e), b.Lacks()
		var legal []*kernel.Value
		if v != nil {
			legal, lacks = kernel.Simd.Legalize([]*kernel.Value{v})
		}
		if says, refused := strings.CutPrefix(c.want, "!"); refused {
			if legal != nil || !strings.Contains(lacks, says) {
				t.Errorf("%s: %v, %q does not say %q", c.name, legal, lacks, says)
			}
			continue
		}
		if legal == nil {
			t.Errorf("%s: %s", c.name, lacks)
		} else if got := (&kernel.Printer{Target: kernel.Simd, Leaf: names}).Text(legal[0]); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// Names of vectors of known width say how many lanes they have, and loads read arrays.
func TestArchsimd(t *testing.T) {
	p := &kernel.Printer{Target: kernel.Archsimd, Leaf: names}
	v := kernel.Apply(ir.Max, kernel.Leaf(kernel.State, 0, ir.F64), kernel.Spread(ir.F64, ir.FloatBits(ir.F64, 2)))
	if got := p.Text(v); got != "greaterFloat64s256(s0, all0)" || !slices.Equal(p.Hoisted, []string{"all0 := archsimd.BroadcastFloat64x4(2)"}) {
		t.Error(got, p.Hoisted)
	}
	if got := kernel.Archsimd.Load(ir.U8, "in[n:]"); got != "archsimd.LoadUint8x32Array((*[32]uint8)(in[n:]))" {
		t.Error(got)
	}
	if got := fmt.Sprintf(kernel.Archsimd.Ops[kernel.Key{Op: kernel.Lanes, Elem: ir.I16}], "m"); got != "m.ToInt16x16()" {
		t.Error(got)
	}
}

// Both targets have the same operations; what they lack is listed here, so that one that is added leaves the list.
func TestLacks(t *testing.T) {
	var lacks []string
	for _, o := range kernel.Operations {
		var missing []string
		for e := range ir.Type(ir.NumTypes) {
			key := kernel.Key{Op: o.Op, Elem: e}
			if !kernel.HasVectors(e) || o.Op == kernel.Op(ir.Not) {
				continue
			}
			if (kernel.Simd.Ops[key] == "") != (kernel.Archsimd.Ops[key] == "") {
				t.Errorf("one target alone has %s of %s", o.Op, ir.Type(e))
			}
			if kernel.Simd.Ops[key] == "" {
				missing = append(missing, ir.Type(e).String())
			}
		}
		if len(missing) > 0 {
			lacks = append(lacks, fmt.Sprintf("%s: %s", o.Op, strings.Join(missing, " ")))
		}
	}
	slices.Sort(lacks)
	want := []string{
		"&: f32 f64",
		"*: i8 i64 u8 u64",
		"-: u8 u16 u32 u64",
		"/: i8 i16 i32 i64 u8 u16 u32 u64",
		"<: u8",
		"<<: i8 u8 f32 f64",
		"<=: u8",
		">: u8",
		">=: u8",
		">>: i8 i64 u8 f32 f64",
		"^: f32 f64",
		"abs: i64 u8 u16 u32 u64",
		"max: i64 u64",
		"min: i64 u64",
		"muladd: i8 i16 i32 i64 u8 u16 u32 u64",
		"sqrt: i8 i16 i32 i64 u8 u16 u32 u64",
		"|: f32 f64",
		"~: f32 f64",
	}
	if got := strings.Join(lacks, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the targets lack\n%s", got)
	}
}

// sums is a kernel that adds a stream, and what it adds to; its loop is not shaped yet.
func sums(copies int) (*kernel.Kernel, kernel.Loop) {
	pool := ir.NewPool()
	x, y := pool.X(0, ir.I32), pool.Y(0, ir.I32)
	s := kernel.Leaf(kernel.State, 0, ir.I32)
	merges := []kernel.Merge{{Accumulators: []int{0}, Lanes: []*kernel.Value{kernel.Apply(ir.Add, s, kernel.Leaf(kernel.Right, 0, ir.I32))}, Plain: []ir.Expr{ir.AddOf(x, y)}}}
	in := pool.Call(ir.I32, "in", 0)
	serial := kernel.Build(kernel.Stage{State: []ir.Type{ir.I32}, To: []ir.Expr{ir.AddOf(x, in)}, Streams: []ir.Expr{in}})
	l := kernel.Loop{Vectors: copies, Copies: copies, Parts: 1, Single: true, Body: []kernel.Set{{Accumulators: []int{0}, To: []*kernel.Value{kernel.Apply(ir.Add, s, kernel.Leaf(kernel.Load, 0, ir.I32))}}}}
	return &kernel.Kernel{
		Streams: []ir.Type{ir.I32}, State: []ir.Type{ir.I32}, Least: copies, Serial: serial,
		Accumulators: []kernel.Accumulator{{Elem: ir.I32, Out: ir.I32, Copies: copies}},
		Body:         []kernel.Node{kernel.Start{Accumulators: []int{0}}, l, kernel.Store{Merges: merges}, kernel.Leave{}, kernel.Fold{Merges: merges}, kernel.Rest{}},
	}, l
}

func sumInput(length, lanes int, rng *rand.Rand) eval.Input {
	in := eval.Input{Bits: 32 * lanes, State: []uint64{7}, Streams: [][]uint64{make([]uint64, length)}}
	for i := range in.Streams[0] {
		in.Streams[0][i] = ir.I32.Wrap(rng.Uint64())
	}
	return in
}

// total is a state after a run of sums.
func total(state uint64, elements []uint64) []uint64 {
	for _, y := range elements {
		state += y
	}
	return []uint64{state}
}

// Places changes which copy gets which elements, and not the result.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, copies := range []int{1, 2, 3, 4} {
		for _, streams := range []int{1, 2, 3, 9} {
			before, _ := sums(copies)
			for len(before.Streams) < streams {
				before.Streams = append(before.Streams, ir.I32)
			}
			after := kernel.Places(before)
			if err := after.Check(kernel.Simd); err != nil {
				t.Error(err)
			}
			for length := range 200 {
				in := sumInput(length, 4, rng)
				want := []uint64{ir.I32.Wrap(total(7, in.Streams[0])[0])}
				if x, y := eval.State(before, in), eval.State(after, in); !slices.Equal(x, want) || !slices.Equal(y, want) {
					t.Fatalf("%d copies, %d streams, %d elements: %d before, %d after", copies, streams, length, x, y)
				}
			}
		}
	}
	k, l := sums(4)
	if got := kernel.Places(k).LoopOf(); got.Vectors != 8 || got.Parts != 4 {
		t.Errorf("a step takes %d vectors from %d parts", got.Vectors, got.Parts)
	}
	l.Body[0].To[0] = kernel.Apply(ir.BitOr, kernel.Leaf(kernel.State, 0, ir.I32), kernel.Leaf(kernel.Load, 0, ir.I32))
	if got := kernel.Places(k).LoopOf(); got.Vectors != 4 {
		t.Errorf("a step takes %d vectors of bitwise operations", got.Vectors)
	}
}

// A kernel is printed as its nodes, which is what rfactor lower -kernel shows.
func TestString(t *testing.T) {
	k, _ := sums(2)
	want := `streams i32
state i32
accumulator 0: component 0 in lanes of i32, 2 copies, from 0
start 0
loop of 2 vectors to 2 copies, then of one
	state0:i32 = +:i32(state0:i32, load0:i32)
store 0
	state0:i32 = +:i32(state0:i32, right0:i32)
leave
fold
	x0 = x0 + y0
rest
`
	if got := k.String(); got != want {
		t.Errorf("%s\nis not\n%s", got, want)
	}
}

// Kernels that are not well formed are refused, with the reason.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		says   string
		breaks func(k *kernel.Kernel, l *kernel.Loop)
	}{
		{"the rest of the run is left out", func(k *kernel.Kernel, _ *kernel.Loop) { k.Body = k.Body[:5] }},
		{"has no value to begin with", func(k *kernel.Kernel, _ *kernel.Loop) { k.Body = k.Body[1:] }},
		{"before they are stored", func(k *kernel.Kernel, _ *kernel.Loop) { k.Body = slices.Delete(k.Body, 2, 3) }},
		{"is none of the state", func(k *kernel.Kernel, _ *kernel.Loop) { k.Accumulators[0].Comp = 1 }},
		{"has not the copies of its loop", func(k *kernel.Kernel, _ *kernel.Loop) { k.Accumulators[0].Copies = 3 }},
		{"takes 4 vectors from 3 parts", func(_ *kernel.Kernel, l *kernel.Loop) { l.Parts = 3 }},
		{"has no value here", func(_ *kernel.Kernel, l *kernel.Loop) { l.Body[0].To[0] = kernel.Leaf(kernel.Right, 0, ir.I32) }},
		{"differ in type", func(_ *kernel.Kernel, l *kernel.Loop) { l.Body[0].To[0].Args[1] = kernel.Leaf(kernel.Load, 0, ir.U32) }},
		{"differ in width", func(_ *kernel.Kernel, l *kernel.Loop) { l.Body[0].To[0].Args[1] = kernel.Leaf(kernel.Load, 0, ir.I64) }},
		{"gets load0:i64", func(_ *kernel.Kernel, l *kernel.Loop) { l.Body[0].To[0] = kernel.Leaf(kernel.Load, 0, ir.I64) }},
		{"the target has no", func(_ *kernel.Kernel, l *kernel.Loop) {
			l.Body[0].To[0] = kernel.Apply(ir.Div, kernel.Leaf(kernel.State, 0, ir.I32), kernel.Leaf(kernel.Load, 0, ir.I32))
		}},
		{"read after it got a new value", func(_ *kernel.Kernel, l *kernel.Loop) { l.Body = append(l.Body, l.Body[0]) }},
		{"coordinates of parts", func(_ *kernel.Kernel, l *kernel.Loop) {
			l.Parts, l.Body[0].To[0].Args[1] = 2, kernel.Leaf(kernel.Place, 0, ir.I32)
		}},
	} {
		k, l := sums(4)
		c.breaks(k, &l)
		for i, n := range k.Body {
			if _, ok := n.(kernel.Loop); ok {
				k.Body[i] = l
			}
		}
		if err := k.Check(kernel.Simd); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v does not say %q", err, c.says)
		}
	}
}

// wideSum is a kernel that adds elements of a type in lanes of 64 bits.
func wideSum(from ir.Type) *kernel.Kernel {
	pool := ir.NewPool()
	x, s, in := pool.X(0, ir.I64), kernel.Leaf(kernel.State, 0, ir.U64), pool.Call(from, "in", 0)
	merges := []kernel.Merge{{Accumulators: []int{0}, Lanes: []*kernel.Value{kernel.Apply(ir.Add, s, kernel.Leaf(kernel.Right, 0, ir.U64))}, Plain: []ir.Expr{ir.AddOf(x, ir.CastTo(ir.I64, pool.Y(0, ir.U64)))}}}
	l := kernel.Loop{Vectors: 4, Copies: 4, Parts: 1, Single: true, Body: []kernel.Set{{Accumulators: []int{0}, To: []*kernel.Value{kernel.Apply(ir.Add, s, kernel.SumsOf(kernel.Leaf(kernel.Load, 0, from)))}}}}
	return &kernel.Kernel{
		Serial:  kernel.Build(kernel.Stage{State: []ir.Type{ir.I64}, To: []ir.Expr{ir.AddOf(x, ir.CastTo(ir.I64, in))}, Streams: []ir.Expr{in}}),
		Streams: []ir.Type{from}, State: []ir.Type{ir.I64}, Least: 1, Accumulators: []kernel.Accumulator{{Elem: ir.U64, Out: ir.U64, Copies: 4}},
		Body: []kernel.Node{kernel.Start{Accumulators: []int{0}}, l, kernel.Store{Merges: merges}, kernel.Leave{}, kernel.Fold{Merges: merges}, kernel.Rest{}},
	}
}

// Sums of elements at the ends of their range do not outgrow the lanes that they are kept in, for longer than these last.
func TestStrip(t *testing.T) {
	for _, from := range []ir.Type{ir.U8, ir.I8, ir.U16, ir.I16, ir.U32, ir.I32} {
		for _, target := range []*kernel.Target{kernel.Simd, kernel.Archsimd, kernel.Archsimd512} {
			built := wideSum(from)
			k, lacks := built.Shape(target)
			if k == nil {
				t.Fatal(from, lacks)
			} else if err := k.Check(target); err != nil {
				t.Error(err)
			}
			for kind, at := range [][2]uint64{{from.Min(), from.Min()}, {from.Max(), from.Max()}, {from.Min(), from.Max()}} {
				length := map[int]int{8: 1<<13 + 5, 16: 1<<19 + 13, 32: 1<<10 + 3}[from.Bits()]
				in := eval.Input{Bits: 128, State: []uint64{7}, Streams: [][]uint64{make([]uint64, length)}}
				for i := range in.Streams[0] {
					in.Streams[0][i] = at[i%2]
				}
				if got, want := eval.State(k, in), total(7, in.Streams[0]); got[0] != want[0] {
					t.Errorf("%s, %s of %d bits, kind %d: %d, not %d", from, target.Package, target.Bits, kind, got[0], want[0])
				}
			}
		}
	}
}

// Each form says why it does not come about, and the reason that is given is that of the form that comes nearest.
func TestWhy(t *testing.T) {
	pool := ir.NewPool()
	x, in := pool.X(0, ir.I64), pool.Call(ir.I64, "in", 0)
	y, wide := pool.Y(0, ir.I64), pool.Call(ir.I32, "wide", 0)
	xor := []ir.Expr{ir.Make(ir.BitXor, x, y)}
	for _, c := range []struct {
		name, form, why string
		stage           kernel.Stage
	}{
		{"a fold", "independent", "", kernel.Stage{To: []ir.Expr{ir.AddOf(x, in)}, Streams: []ir.Expr{in}}},
		{"a wide sum", "widening", "", kernel.Stage{To: []ir.Expr{ir.AddOf(x, ir.CastTo(ir.I64, wide))}, Streams: []ir.Expr{wide}}},
		{"steps in order", "", "the schedule keeps the order", kernel.Stage{To: []ir.Expr{ir.Make(ir.BitXor, ir.SubOf(in, x), in)}, Streams: []ir.Expr{in}}},
		{"an operator that does not commute", "", "does not commute", kernel.Stage{To: []ir.Expr{ir.Make(ir.BitXor, ir.SubOf(in, x), in)}, Streams: []ir.Expr{in}, Operator: xor, May: kernel.May{Factored: true}}},
		{"a flag", "", "lanes have no tuple", kernel.Stage{To: []ir.Expr{ir.SubOf(in, x)}, Streams: []ir.Expr{in}, Operator: xor, May: kernel.May{Factored: true, Commute: true, Seen: true}}},
		{"a product", "", "the package simd lacks * of i64", kernel.Stage{To: []ir.Expr{ir.MulOf(x, in)}, Streams: []ir.Expr{in}}},
		{"a condition", "", "a condition chooses", kernel.Stage{To: []ir.Expr{ir.SubOf(in, x)}, Where: []ir.Expr{ir.LtOf(in, in.Pool().Int(ir.I64, 3))}, Streams: []ir.Expr{in}}},
		{"two widths", "", "differ in width", kernel.Stage{To: []ir.Expr{ir.Make(ir.BitXor, ir.SubOf(ir.CastTo(ir.I64, wide), x), ir.CastTo(ir.I64, wide))}, Streams: []ir.Expr{wide}, Operator: xor, Identity: []ir.Expr{pool.Int(ir.I64, 0)}, May: kernel.May{Factored: true, Commute: true}}},
	} {
		c.stage.State = []ir.Type{ir.I64}
		k := kernel.Build(c.stage)
		best, ok, why := Cheapest(Choices(k))
		if best.Form != c.form || ok != (c.form != "") || !strings.Contains(why, c.why) || ok && why != "" {
			t.Errorf("%s: form %q, %q", c.name, best.Form, why)
		}
	}
}

// The form that is estimated lowest is taken, of those that are alike the first, and none that no target runs.
func TestCheapest(t *testing.T) {
	lanes := &kernel.Kernel{}
	for _, c := range []struct {
		want    string
		choices []Choice
	}{
		{"", nil},
		{"", []Choice{{Form: "a", Why: "no"}, {Form: "b", Kernel: lanes, Why: "lacks"}}},
		{"b", []Choice{{Form: "a", Why: "no"}, {Form: "b", Kernel: lanes, Cost: 2}}},
		{"a", []Choice{{Form: "a", Kernel: lanes, Cost: 1}, {Form: "b", Kernel: lanes, Cost: 0.95}}},
		{"b", []Choice{{Form: "a", Kernel: lanes, Cost: 1}, {Form: "b", Kernel: lanes, Cost: 0.5}, {Form: "c", Kernel: lanes, Cost: 0.49}}},
	} {
		if best, ok, _ := Cheapest(c.choices); best.Form != c.want || ok != (c.want != "") {
			t.Errorf("%v: %q", c.choices, best.Form)
		}
	}
}

// Plain kernels compute what serial ones do: in chunks, and with the first element apart.
func TestPlain(t *testing.T) {
	pool, rng := ir.NewPool(), rand.New(rand.NewPCG(3, 4))
	x, y := func(i int) ir.Expr { return pool.X(i, ir.I32) }, func(i int) ir.Expr { return pool.Y(i, ir.I32) }
	in, flag := pool.Call(ir.I32, "in", 0), pool.X(1, ir.Bool)
	one, two := pool.Int(ir.I32, 1), pool.Int(ir.I32, 2)
	for name, s := range map[string]kernel.Stage{
		"steps a·x + b of a constant a": {
			State: []ir.Type{ir.I32, ir.I32}, To: []ir.Expr{ir.MulOf(x(0), two), ir.AddOf(ir.MulOf(x(1), two), in)},
			Operator: []ir.Expr{ir.MulOf(x(0), y(0)), ir.AddOf(ir.MulOf(x(1), y(0)), y(1))}, Identity: []ir.Expr{one, pool.Int(ir.I32, 0)}, May: kernel.May{Factored: true, Compose: true},
		},
		"differences of all but the first": {
			State: []ir.Type{ir.I32, ir.Bool}, To: []ir.Expr{ir.SelectOf(flag, ir.SubOf(x(0), in), in), pool.Bool(true)}, May: kernel.May{Seen: true},
		},
	} {
		s.Streams = []ir.Expr{in}
		serial := kernel.Build(s)
		plain := serial.Plain()
		if err := plain.Check(nil); err != nil || len(plain.Body) != 2 {
			t.Errorf("%s: %d nodes, %v", name, len(plain.Body), err)
		}
		for length := range 150 {
			in := sumInput(length, 4, rng)
			in.State = make([]uint64, len(s.State))
			if got, want := eval.State(plain, in), eval.State(serial, in); !slices.Equal(got, want) {
				t.Fatalf("%s, %d elements: %d, not %d", name, length, got, want)
			}
		}
	}
}
