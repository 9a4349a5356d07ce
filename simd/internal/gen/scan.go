package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/internal/shuffle"
)

//go:embed scan.tmpl
var scanFile string

// lane is a type of vectors.
type lane struct{ shuffle.Lane }

func of(elem string) lane { return lane{shuffle.Of(elem)} }

// in puts the type's names into a text.
func (l lane) in(text string) string {
	shuffle := ""
	if l.Bits < 32 {
		shuffle = "last := archsimd.LoadInt8x32Array(&[32]int8{" + l.Table() + "})\n"
	}
	return strings.NewReplacer("VEC", l.Vec, "ELEM", l.Elem, "LANES", fmt.Sprint(l.Lanes()), "LOAD", "archsimd.Load"+l.Vec+"Array",
		"TABLE", shuffle, "ARRAY", fmt.Sprintf("(*[%d]%s)", l.Lanes(), l.Elem)).Replace(text)
}

// exact is the scan of an operation that does not round, by two vectors a turn.
func (l lane) exact(op, identity string) string {
	var up strings.Builder
	for _, v := range []string{"v", "w"} {
		up.WriteString(l.Combine(op, v))
	}
	text := l.in(`
func scan`+op+`VEC(dst, x []ELEM, init ELEM) ELEM {
	dst = dst[:len(x)]
	var end [LANES]ELEM
	id, carry := archsimd.BroadcastVEC(`+identity+`), archsimd.BroadcastVEC(init)
	low := `+l.Bytes("id")+`
	TABLE for ; len(x) >= 2*LANES && len(dst) >= 2*LANES; dst, x = dst[2*LANES:], x[2*LANES:] {
		v, w := LOAD(ARRAY(x)), LOAD(ARRAY(x[LANES:]))
`) + up.String() + l.in(`
		s, t := `+l.Total("v")+`, `+l.Total("w")+`
		v.OP(carry).StoreArray(ARRAY(dst))
		carry = carry.OP(s)
		w.OP(carry).StoreArray(ARRAY(dst[LANES:]))
		carry = carry.OP(t)
	}
	carry.StoreArray(&end)
	endVectors()
	return scan`+op+`(dst, x, end[0])
}
`)
	return strings.ReplaceAll(text, ".OP(", "."+op+"(")
}

// extremeOfFloats is the scan of an extremum of float32, taken as integers of the same order, in which −0 is below +0. NaN has no place in it: the rest,
// from the vectors on that have one, is the twin's.
func extremeOfFloats(op, identity string) string {
	const text = `
func scanOPFloat32x8(dst, x []float32, init float32) float32 {
	if init != init {
		return scanOP(dst, x, init)
	}
	dst = dst[:len(x)]
	var end [8]float32
	sign := archsimd.BroadcastInt32x8(1<<31 - 1)
	id, carry := archsimd.BroadcastInt32x8(IDENTITY), archsimd.BroadcastInt32x8(order(init))
	low := id.ToBits().ReshapeToUint8s()
	for ; len(x) >= 16 && len(dst) >= 16; dst, x = dst[16:], x[16:] {
		f, g := archsimd.LoadFloat32x8Array((*[8]float32)(x)), archsimd.LoadFloat32x8Array((*[8]float32)(x[8:]))
		if f.Equal(f).And(g.Equal(g)).ToBits() != 1<<8-1 {
			break
		}
		v, w := f.ToBits().BitsToInt32(), g.ToBits().BitsToInt32()
		v, w = v.Xor(v.ShiftAllRight(31).And(sign)), w.Xor(w.ShiftAllRight(31).And(sign))
`
	k := of("int32")
	var up strings.Builder
	for _, v := range []string{"v", "w"} {
		up.WriteString(k.Combine(op, v))
	}
	const rest = `
		s, t := TOTALV, TOTALW
		v = v.OP(carry)
		carry = carry.OP(s)
		w = w.OP(carry)
		carry = carry.OP(t)
		v.Xor(v.ShiftAllRight(31).And(sign)).ToBits().BitsToFloat32().StoreArray((*[8]float32)(dst))
		w.Xor(w.ShiftAllRight(31).And(sign)).ToBits().BitsToFloat32().StoreArray((*[8]float32)(dst[8:]))
	}
	carry.Xor(carry.ShiftAllRight(31).And(sign)).ToBits().BitsToFloat32().StoreArray(&end)
	endVectors()
	return scanOP(dst, x, end[0])
}
`
	return strings.NewReplacer("OP", op, "IDENTITY", identity, "TOTALV", k.Total("v"), "TOTALW", k.Total("w")).Replace(text + up.String() + rest)
}

// affine is the scan of steps x ↦ x·a + b of integers.
func (l lane) affine() string {
	var up strings.Builder
	for _, d := range l.Shifts() {
		fmt.Fprintf(&up, "q = %s.Mul(p).Add(q)\np = p.Mul(%s)\n", l.Up("q", "low", d), l.Up("p", "ones", d))
	}
	return l.in(`
func scanAffineVEC(dst, a, b []ELEM, init ELEM) ELEM {
	dst, a = dst[:len(b)], a[:len(b)]
	var end [LANES]ELEM
	zero, one, carry := archsimd.BroadcastVEC(0), archsimd.BroadcastVEC(1), archsimd.BroadcastVEC(init)
	low, ones := `+l.Bytes("zero")+`, `+l.Bytes("one")+`
	TABLE for ; len(b) >= LANES && len(a) >= LANES && len(dst) >= LANES; dst, a, b = dst[LANES:], a[LANES:], b[LANES:] {
		p, q := LOAD(ARRAY(a)), LOAD(ARRAY(b))
`) + up.String() + l.in(`
		q = zero.ConcatPermute128Scalars(0, 2, `+l.Last("q")+`).Mul(p).Add(q)
		p = p.Mul(one.ConcatPermute128Scalars(0, 2, `+l.Last("p")+`))
		s, t := `+l.Total("p")+`, `+l.Total("q")+`
		carry.Mul(p).Add(q).StoreArray(ARRAY(dst))
		carry = carry.Mul(s).Add(t)
	}
	carry.StoreArray(&end)
	endVectors()
	return scanAffine(dst, a, b, end[0])
}
`)
}

// scans is the text of all kernels, and puts lists what puts them into tables.
func scans() (kernels, puts string) {
	var b, in strings.Builder
	as := func(field, name string, k, to lane, operands string) {
		if k.Elem == to.Elem {
			fmt.Fprintf(&in, "scanIn[%s](in).%s = %s\n", to.Elem, field, name)
			return
		}
		var args string
		for o := range strings.SplitSeq(operands, ", ") {
			args += fmt.Sprintf("reinterpret[%s](%s), ", k.Elem, o)
		}
		fmt.Fprintf(&in, "scanIn[%[1]s](in).%[2]s = func(%[3]s []%[1]s, init %[1]s) %[1]s { return %[1]s(%[4]s(%[5]s%[6]s(init))) }\n", to.Elem, field, operands, name, args, k.Elem)
	}
	for _, bits := range []int{8, 16, 32, 64} {
		u, s := of(fmt.Sprintf("uint%d", bits)), of(fmt.Sprintf("int%d", bits))
		for _, op := range [][2]string{{"Add", "0"}, {"And", "^" + u.Elem + "(0)"}, {"Or", "0"}, {"Xor", "0"}} {
			b.WriteString(u.exact(op[0], op[1]))
			as(op[0], "scan"+op[0]+u.Vec, u, u, "dst, x")
			as(op[0], "scan"+op[0]+u.Vec, u, s, "dst, x")
		}
		if bits == 64 {
			continue
		}
		for _, l := range []lane{u, s} {
			least, greatest := "0", "^"+u.Elem+"(0)"
			if l == s {
				least, greatest = fmt.Sprintf("-1 << %d", bits-1), fmt.Sprintf("1<<%d - 1", bits-1)
			}
			b.WriteString(l.exact("Min", greatest) + l.exact("Max", least))
			as("Min", "scanMin"+l.Vec, l, l, "")
			as("Max", "scanMax"+l.Vec, l, l, "")
		}
		if bits >= 16 {
			b.WriteString(s.exact("Mul", "1") + s.affine())
			for _, l := range []lane{u, s} {
				as("Mul", "scanMul"+s.Vec, s, l, "dst, x")
				as("Affine", "scanAffine"+s.Vec, s, l, "dst, a, b")
			}
		}
	}
	b.WriteString(extremeOfFloats("Min", "1<<31 - 1") + extremeOfFloats("Max", "-1 << 31"))
	for _, l := range []lane{of("float32"), of("float64")} {
		even, one := "even := archsimd.BroadcastUint64x4(1 << 31)", "even := archsimd.BroadcastUint64x4(0x3f800000)"
		if l.Bits == 64 {
			even, one = "", ""
		}
		b.WriteString(l.tree("Add", l.Elem+"(math.Copysign(0, -1))", even) + l.tree("Mul", "1", one) + l.affineTree() + l.powersTree())
		for _, op := range []string{"Add", "Mul"} {
			fmt.Fprintf(&in, "scanIn[%[1]s](in).%[2]sTree = &Tree[%[1]s]{reduce%[2]sTree%[3]s, scan%[2]sTree%[3]s}\n", l.Elem, op, l.Vec)
		}
		fmt.Fprintf(&in, "scanIn[%[1]s](in).AffineTree = &AffineTree[%[1]s]{reduceAffineTree%[2]s, scanAffineTree%[2]s, scanPowersTree%[2]s}\n", l.Elem, l.Vec)
	}
	return b.String(), in.String()
}

func scanText() struct{ Kernels, Puts string } {
	kernels, puts := scans()
	return struct{ Kernels, Puts string }{kernels, puts}
}
