package program

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

var intTypes = []ir.Type{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}

// edges are the values of a type at which operations change what they do.
func edges(t ir.Type) (vs []uint64) {
	for _, v := range []int64{0, 1, 2, 7, 10, 33, 127} {
		for _, w := range []uint64{uint64(v), uint64(-v), t.Min() + uint64(v), t.Max() - uint64(v), t.Max()/2 + uint64(v)} {
			vs = append(vs, t.Wrap(w))
		}
	}
	return vs
}

func exact(t ir.Type, v uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(v)
}

// wrapped is the value of a type that an integer is, modulo the type's width.
func wrapped(t ir.Type, z *big.Int) uint64 {
	low := new(big.Int).And(z, new(big.Int).SetUint64(^uint64(0)))
	return t.Wrap(low.Uint64())
}

// references are what the functions compute, by other means.
var references = map[string]func(t ir.Type, a, b uint64) uint64{
	"quo": func(t ir.Type, a, b uint64) uint64 {
		if b == 0 {
			return 0
		}
		return wrapped(t, new(big.Int).Quo(exact(t, a), exact(t, b)))
	},
	"rem": func(t ir.Type, a, b uint64) uint64 {
		if b == 0 {
			return 0
		}
		return wrapped(t, new(big.Int).Rem(exact(t, a), exact(t, b)))
	},
	"lcm": func(t ir.Type, a, b uint64) uint64 {
		x, y := exact(t, a), exact(t, b)
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
		if g.Sign() == 0 {
			return 0
		}
		product := wrapped(t, new(big.Int).Mul(new(big.Int).Quo(x, g), y))
		return wrapped(t, new(big.Int).Abs(exact(t, product)))
	},
	"mulhi": func(t ir.Type, a, b uint64) uint64 {
		z := new(big.Int).Mul(exact(t, a), exact(t, b))
		return wrapped(t, z.Rsh(z, uint(t.Bits())))
	},
	"rotl": func(t ir.Type, a, b uint64) uint64 {
		n := int(b & uint64(t.Bits()-1))
		switch t.Bits() {
		case 8:
			return t.Wrap(uint64(bits.RotateLeft8(uint8(a), n)))
		case 16:
			return t.Wrap(uint64(bits.RotateLeft16(uint16(a), n)))
		case 32:
			return t.Wrap(uint64(bits.RotateLeft32(uint32(a), n)))
		}
		return bits.RotateLeft64(a, n)
	},
}

// The terms compute their functions, of variables and of literals, and of literals nothing
// overflows that the function itself does not.
func TestDerived(t *testing.T) {
	for name, reference := range references {
		for _, typ := range intTypes {
			p := ir.NewPool()
			types := fmt.Sprintf("x0:%s,y0:%s", typ, typ)
			u, err := ParseUpdate(p, types, name+"(x0, y0)")
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range edges(typ) {
				by, err := ParseUpdate(p, types, fmt.Sprintf("%s(x0, %s)", name, p.Const(typ, b)))
				if err != nil {
					t.Fatal(err)
				}
				code, row := tape.New(by.Values[0]), new([tape.Lanes]uint64)
				copy(row[:], edges(typ))
				code.Run([]*[tape.Lanes]uint64{row}[:len(code.Inputs)])
				if code.Overflowed(ir.NSW|ir.NUW) != 0 && name != "lcm" && !(name == "quo" && b == typ.Wrap(^uint64(0))) {
					t.Fatalf("%s(x0, %s) of %s overflows in %s", name, p.Const(typ, b), typ, by.Values[0])
				}
				for _, a := range edges(typ) {
					env := &ir.Env{Var: func(v ir.Expr) uint64 { return map[string]uint64{"x0": a, "y0": b}[v.Name()] }}
					want := reference(typ, a, b)
					for _, e := range []ir.Expr{u.Values[0], by.Values[0]} {
						if got := ir.Eval(e, env); got != want {
							t.Fatalf("%s(%s, %s) of %s is %#x, not %#x\n%s", name, p.Const(typ, a), p.Const(typ, b), typ, got, want, e)
						}
					}
				}
			}
		}
	}
}

// A table is a function of every index.
func TestTable(t *testing.T) {
	entries := []string{"7", "-3", "7", "7", "0", "120"}
	for _, typ := range intTypes {
		u, err := ParseUpdate(ir.NewPool(), fmt.Sprintf("x0:i8,y0:%s", typ), fmt.Sprintf("table(y0, %s)", strings.Join(entries, ", ")))
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range edges(typ) {
			at := min(i, uint64(len(entries)-1))
			if typ.IsSigned() && int64(i) < 0 {
				at = 0
			}
			got := ir.Eval(u.Values[0], &ir.Env{Var: func(ir.Expr) uint64 { return i }})
			if fmt.Sprint(int64(got)) != entries[at] {
				t.Errorf("entry %d by %s is %d", int64(i), typ, int64(got))
			}
		}
	}
	for _, c := range []struct{ types, at, want string }{ // only entries 0 to 3 count
		{"x0:i32,y0:i32", "y0 & 3", "((y0 & 1)*12) ^ (((y0 >> 1) & 1)*10)"},
		{"x0:i32,y0:u8", "y0 % 4", "(i32((y0 % 4) & 1)*12) ^ (i32(((y0 % 4) >> 1) & 1)*10)"},
		{"x0:i32,y0:i32", "(y0 & 1) + 1", "select((y0 & 1) + 1 < 2, 12, 10)"},
		{"x0:i32,y0:i32", "2", "10"},
		{"x0:i32,y0:i32", "3 - (y0 & 7)", "select(3 - (y0 & 7) < 2, select(3 - (y0 & 7) < 1, 0, 12), select(3 - (y0 & 7) < 3, 10, 6))"},
	} {
		u, err := ParseUpdate(ir.NewPool(), c.types, "table("+c.at+", 0, 12, 10, 6, 99)")
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Values[0].String(); got != c.want {
			t.Errorf("at %s:\n%s, not\n%s", c.at, got, c.want)
		}
	}
	var long []string
	for i := range 300 {
		long = append(long, fmt.Sprint(i*i%251))
	}
	u, err := ParseUpdate(ir.NewPool(), "x0:u8,y0:u8", fmt.Sprintf("table(y0, %s)", strings.Join(long, ", ")))
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(256) {
		if got := ir.Eval(u.Values[0], &ir.Env{Var: func(ir.Expr) uint64 { return i }}); got != i*i%251 {
			t.Errorf("entry %d is %d", i, got)
		}
	}
}

// A table that is a sum over GF(2) is written as one, and any other is not.
func TestLinearTable(t *testing.T) {
	crc := make([]string, 256)
	want := make([]uint64, 256)
	for i := range crc {
		c := uint32(i)
		for range 8 {
			c = c>>1 ^ 0xedb88320*(c&1)
		}
		want[i], crc[i] = uint64(c^77), fmt.Sprint(c^77) // affine, not linear
	}
	for _, c := range []struct {
		types, at string
		entries   int
		linear    bool
	}{
		{"x0:u32,y0:u8", "y0", 256, true}, {"x0:u32,y0:i32", "y0 & 255", 256, true}, {"x0:u32,y0:i32", "y0 & 127", 256, true},
		{"x0:u32,y0:u8", "y0 % 200", 200, true}, {"x0:u32,y0:i8", "y0", 256, false}, {"x0:u32,y0:u8", "y0", 200, false},
	} {
		u, err := ParseUpdate(ir.NewPool(), c.types, fmt.Sprintf("table(%s, %s)", c.at, strings.Join(crc[:c.entries], ", ")))
		if err != nil {
			t.Fatal(err)
		}
		selects := false
		ir.Walk(u.Values, func(e ir.Expr) { selects = selects || e.Op() == ir.Select })
		if selects == c.linear {
			t.Errorf("table at %s is %s", c.at, u.Values[0])
		}
		typ := u.Vars[1].Type()
		scope := Scope{Var: func(string) (ir.Expr, bool) { return u.Vars[1], true }}
		index, err := ParseExpr(u.Pool, scope, ir.Invalid, c.at)
		if err != nil {
			t.Fatal(err)
		}
		for v := range uint64(1 << 10) {
			env := &ir.Env{Var: func(ir.Expr) uint64 { return typ.Wrap(v - 300) }}
			i := int64(ir.Eval(index, env))
			if got := ir.Eval(u.Values[0], env); got != want[max(0, min(i, int64(c.entries)-1))] {
				t.Fatalf("entry %d at %s is %d", i, c.at, got)
			}
		}
	}
}
