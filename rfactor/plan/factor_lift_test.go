package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// lifts are updates that have an operator on parameters of their steps alone; T is the type
// of in, b and m are an array of that type and one of bools, c is a parameter.
var lifts = []struct {
	name, types, init, update string
	nsw                       bool // steps compose only while nothing overflows
	floor                     bool // and the state is cut off below, so that terms may be very negative
}{
	{"horner", "i32 u8 i64 u16", "T(3)", "f()*c + in(R)", false, false},
	{"affine", "i32 u64", "T(1)", "f()*b(R) - in(R)", false, false},
	{"alternating sum", "i32 i8", "T(1)", "in(R) - f()", false, false},
	{"reset", "i32 u8", "T(0)", "select(m(R), 0, f() + in(R))", false, false},
	{"masked", "i32 u8", "T(5)", "select(m(R), f(), f()*c + in(R))", false, false},
	{"xor, and", "i32 u8", "T(77)", "(f() & in(R)) ^ b(R)", false, false},
	{"or, and", "u16 i64", "T(77)", "(f() & in(R)) | b(R)", false, false},
	{"row of a matrix", "i32", "{T(1), T(2)}", "{f()[0]*in(R) + f()[1]*b(R), f()[0]*b(R) + f()[1]}", false, false},
	{"fibonacci", "u32", "{T(0), T(1)}", "{f()[1], f()[0] + f()[1] + in(R)}", false, false},
	{"prefix sums", "i32 u8", "{T(0), T(0)}", "{f()[0] + in(R), f()[1] + f()[0] + in(R)}", false, false},
	{"implication", "i32", "cast<bool>(1)", "!f() || m(R)", false, false},
	{"nand", "i32", "cast<bool>(0)", "!(f() && m(R))", false, false},
	{"carry", "i32", "cast<bool>(0)", "in(R) > 2 || (m(R) && f())", false, false},
	{"no ones after zeros", "i32", "{cast<bool>(0), cast<bool>(1)}", "{f()[0] || !m(R), f()[1] && !(f()[0] && m(R))}", false, false},
	{"sorted", "i32 f32", "{T(-3), cast<bool>(1)}", "{in(R), f()[1] && f()[0] <= in(R)}", false, false},
	{"alternates", "i32", "{cast<bool>(0), cast<bool>(1)}", "{m(R), f()[1] && f()[0] != m(R)}", false, false},
	{"blocks", "i32", "{cast<bool>(0), T(0)}", "{m(R), f()[1] + select(m(R) && !f()[0], T(1), T(0))}", false, false},
	{"variation", "i32", "{T(0), T(0)}", "{in(R), f()[1] + abs(in(R) - f()[0])}", false, false},
	{"neighbours", "i32", "{T(0), T(0)}", "{in(R), f()[1] + f()[0]*in(R)}", false, false},
	{"affine and sum", "i32", "{T(0), T(0)}", "{f()[0]*c + in(R), f()[1] + b(R)}", false, false},
	{"rotate", "u8", "T(77)", "(f()*8 | (f() >> 5)) ^ in(R)", false, false},
	{"words", "u8 i32", "{T(3), T(5)}", "{(f()[0] & in(R)) ^ f()[1], (f()[0] | b(R)) ^ f()[1]}", false, false},
	{"flags", "i32", "{cast<bool>(1), cast<bool>(0), cast<bool>(1)}", "{f()[1], f()[2] != m(R), f()[0] && in(R) > 0}", false, false},
	{"xorshift", "u16 u8", "T(77)", "f() ^ (f() << 3) ^ in(R)", false, false},
	{"since the least", "i32 u8", "{T(50), T(0)}", "{min(f()[0], in(R)), select(in(R) < f()[0], b(R), f()[1] + 3)}", false, false},
	{"saturating sum", "i8 i16 i32", "T(3)", "saturating_add(f(), in(R))", false, false},
	{"saturating steps", "u8 i8", "T(3)", "select(m(R), saturating_add(f(), T(2)), saturating_sub(f(), T(3)))", false, false},
	{"capped count", "i32 u8", "T(3)", "select(m(R), select(f() < T(9), f() + T(1), f()), f())", false, false},
	{"cooldown", "i32 i8", "T(3)", "select(m(R), in(R), select(f() > T(0), f() - T(1), f()))", false, false},
	{"equal neighbours", "i32", "{T(0), T(0), T(0)}", "{in(R), select(in(R) == f()[0], f()[1] + 1, 1), max(f()[2], select(in(R) == f()[0], f()[1] + 1, 1))}", true, false},
	{"profit", "i32 i16", "{T(50), T(0)}", "{min(f()[0], in(R)), max(f()[1], in(R) - f()[0])}", true, false},
	{"hash", "i32", "T(5)", "(f()*31 + in(R)) % 1000003", true, false},
	{"wrapping counter", "i32 i16", "T(5)", "select(m(R), (f() + 1) % 3, f())", false, false},
	{"clamp", "i32 i16", "T(3)", "max(min(f() + in(R), 6), -5)", true, false},
	{"floor", "i32 i8", "T(3)", "max(f() + in(R), 0)", true, true},
	{"turned", "i32 i16", "T(3)", "max(in(R) - f(), -5)", true, false},
	{"decay", "i32", "T(3)", "max(f() - 1, in(R))", true, false},
	{"distance", "i32 i16", "T(9)", "min(f() + 1, in(R))", true, false},
	{"greatest sum of a part", "i32 i16", "{T(0), T(0)}", "{max(f()[0] + in(R), 0), max(f()[1], max(f()[0] + in(R), 0))}", true, true},
	{"balanced", "i32 i16", "{T(0), cast<bool>(1)}", "{f()[0] + in(R), f()[1] && f()[0] + in(R) >= 0}", true, false},
	{"window", "i32", "{T(0), cast<bool>(1)}", "{f()[0] + in(R), f()[1] && f()[0] < 9 && f()[0] >= -7}", true, false},
	{"longest run", "i32", "{T(0), T(0)}", "{select(m(R), f()[0] + 1, 0), max(f()[1], select(m(R), f()[0] + 1, 0))}", true, false},
	{"longest run and its end", "i32 i16", "{T(0), T(0), T(0)}", "{select(m(R), f()[0] + 1, 0), max(f()[1], select(m(R), f()[0] + 1, 0)), select(select(m(R), f()[0] + 1, 0) > f()[1], b(R), f()[2])}", true, false},
	{"greatest sum and its end", "i32", "{T(0), T(0), T(0)}", "{max(f()[0] + in(R), 0), max(f()[1], f()[0] + in(R)), select(f()[0] + in(R) >= f()[1], b(R), f()[2])}", true, false},
	{"count above a parameter", "i32", "T(0)", "select(m(R), select(f() < c, f(), f() + 1), 0)", true, false},
	{"greatest of neighbours", "i32 f32", "{T(0), T(0), T(0)}", "{in(R), f()[0], f()[2] + select(f()[0] > f()[1] && f()[0] > in(R), T(1), T(0))}", false, false},
	{"second differences", "i32 u16", "{T(0), T(7), T(0)}", "{f()[1], in(R), f()[2] + abs(in(R) - 2*f()[1] + f()[0])}", false, false},
	{"remainders in 64 bits", "u32 u16 u8", "T(7)", "cast<T>((cast<uint64_t>(f())*31 + cast<uint64_t>(in(R))) % 251)", false, false},
	{"drawdown", "i32 i16", "{T(0), T(0), T(0)}", "{f()[0] + in(R), max(f()[1], f()[0] + in(R)), max(f()[2], max(f()[1], f()[0] + in(R)) - (f()[0] + in(R)))}", true, false},
	{"colours", "i32 i16", "{T(0), T(1), T(2)}", "{min(f()[1], f()[2]) + in(R), min(f()[0], f()[2]) + b(R), min(f()[0], f()[1]) + 3}", true, false},
	{"two rounds of trade", "i32", "{T(-9), T(0), T(-9), T(0)}", "{max(f()[0], -in(R)), max(f()[1], f()[0] + in(R)), max(f()[2], f()[1] - in(R)), max(f()[3], f()[2] + in(R))}", true, false},
	{"changes of marked elements", "i32 u8", "{T(0), T(0)}", "{select(m(R), in(R), f()[0]), f()[1] + select(m(R) && in(R) != f()[0], T(1), T(0))}", false, false},
	{"spill", "i32 i16", "{T(0), T(0)}", "{min(f()[0] + in(R), 9), f()[1] + max(f()[0] + in(R) - 9, 0)}", true, false},
	{"clamp and flag", "i32", "{T(0), cast<bool>(0)}", "{min(f()[0] + in(R), 5), f()[1] != m(R)}", true, false},
}

// liftText is a program; without a schedule.
func liftText(typ, init, update string, dims int) string {
	var bounds []string
	for i := range dims {
		bounds = append(bounds, "0, in."+[]string{"width()", "height()"}[i])
	}
	text := fmt.Sprintf("ImageParam in(%s, %d), b(%s, %d), m(Bool(), %d);\nParam<int> k;\nExpr c = T(k);\nFunc f;\nVar u, v;\nRVar ro, ri, a, d;\nf() = %s;\nRDom r(%s);\nf() = %s;\n",
		haName(typ), dims, haName(typ), dims, dims, init, strings.Join(bounds, ", "), strings.ReplaceAll(update, "(R)", "("+strings.Join(coordNames(dims), ", ")+")"))
	text = strings.NewReplacer("<T>", "<"+cName(typ)+">", "T(", "cast<"+cName(typ)+">(").Replace(text)
	if dims == 1 {
		text = strings.ReplaceAll(text, "r.x", "r")
	}
	return text
}

// liftInputs are values of which ties are common; where the serial loop must not overflow
// they are small, with some that are very negative where that is safe.
func liftInputs(prog *program.Program, rng *rand.Rand, n int, nsw, floor bool) *Inputs {
	in := drawInputs(prog, rng, func(int) int { return n })
	for _, a := range in.Arrays {
		t := a.Types()[0]
		if t.IsFloat() {
			continue
		}
		deep := rng.IntN(2) == 0
		to := a.Elements(0)
		for i := range to.Len() {
			v := drawSmall(t, rng)
			switch {
			case floor && deep && rng.IntN(3) == 0:
				v = t.Wrap(t.Min() + uint64(rng.IntN(9)))
			case !nsw && deep && t != ir.Bool:
				v = t.Wrap(rng.Uint64())
			}
			to.Set(i, v)
		}
	}
	return in
}

var overflowing = Options{Match: rfactor.Options{Allowed: ir.DefaultAssumptions | ir.NSW}}

// Schedules of lifted updates drawn at random give what the program gives without them, bit
// for bit.
func TestLiftedSchedules(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	rounds := suite.Sample(suite.More(2, 3), 8)
	accepted, updates := 0, 0
	for _, l := range lifts {
		for _, typ := range strings.Fields(l.types) {
			updates++
			for round := range rounds {
				dims := 1 + rng.IntN(2)
				loops := [][]string{{"r"}, {"r.y", "r.x"}}[dims-1]
				text := liftText(typ, l.init, l.update, dims)
				if round == 0 {
					text, dims = liftText(typ, l.init, l.update, 1)+"f.update(0).split(r, ro, ri, 16).rfactor(ro, u).compute_root().update(0).parallel(u).split(ri, a, d, 4).rfactor(a, v);\n", 1
				} else {
					text += randomSchedule(rng, loops)
				}
				prog := parseText(t, "lift.rf", text)
				p, err := Factor(context.Background(), prog, overflowing)
				if err != nil {
					if list, ok := err.(ir.ErrorList); !ok || round == 0 || !strings.Contains(list[0].Msg, "commute") && !strings.Contains(list[0].Msg, "fuse:") {
						t.Errorf("%s %s: %v\n%s", l.name, typ, err, text)
					}
					continue
				}
				accepted++
				if a := p.Answers[prog.Func("f").Updates[0]]; a != nil && (a.Status != rfactor.Lifted || a.Assumes.Has(ir.NSW) != l.nsw) {
					t.Errorf("%s %s is %s under %s", l.name, typ, a.Status, a.Assumes)
				}
				for _, n := range []int{0, 1, 2, 3, 63, 64, 65} {
					if dims == 2 {
						n = min(n, 9)
					}
					in := liftInputs(prog, rng, n, l.nsw, l.floor)
					want, err := RunSerial(prog, overflowing, in)
					if err != nil {
						t.Fatal(err)
					}
					got, err := p.Run(in, rng.Uint64())
					if err != nil {
						t.Fatalf("%v\n%s", err, p)
					}
					if !sameOutputs(got, want) {
						t.Fatalf("%s %s, n = %d\ngot  %v\nwant %v\n%s\n%s", l.name, typ, n, got["f"].Data, want["f"].Data, text, p)
					}
				}
			}
		}
	}
	if accepted < updates*rounds/3 {
		t.Errorf("%d of %d schedules were accepted", accepted, updates*rounds)
	}
}

// What cannot be factored soundly is refused.
func TestLiftRefused(t *testing.T) {
	const split = "f.update(0).split(r, ro, ri, 4).rfactor(ro, u);"
	for _, c := range []struct{ typ, init, update, schedule, want string }{
		{"i64", "T(0)", "max(f() + in(R), 0)", split, "nothing wider exists"},
		{"i32", "T(0)", "f()*c + in(R)", "f.update(0).split(r, ro, ri, 4).rfactor(ri, u);", "compose in the order of the serial loop"},
		{"i32", "T(0)", "f()*c + in(R)", "f.update(0).split(r, ro, ri, 4).reorder(ro, ri);", "does not commute"},
		{"i32", "T(0)", "f()*c + in(R)", "f.update(0).parallel(r);", "rfactor"},
		{"i32", "{T(0), T(0)}", "{max(f()[0] + in(R), 0), f()[1]*c + f()[1]*in(R) + 1}", split, "it multiplies"},
	} {
		_, err := Factor(context.Background(), parseText(t, "lift.rf", liftText(c.typ, c.init, c.update, 1)+c.schedule), overflowing)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s under %s: %v, not %q", c.update, c.schedule, err, c.want)
		}
	}
}
