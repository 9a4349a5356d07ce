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

// tree is the loops of a fixed tree of floats for sums or products, whose first block and rest are the twin's.
func (l lane) tree(op, identity, even string) string {
	load, steps, store, peak := "v := LOAD(ARRAY(x))\n", l.TreeSteps(op, "v"), "", ""
	total, all := "v", []string{"v"}
	if l.Bits == 64 {
		load = "v, w := LOAD(ARRAY(x)), LOAD(ARRAY(x[LANES:]))\n"
		steps += l.TreeSteps(op, "w") + "w = w.OP(" + l.Total("v") + ")\n"
		total, all = "w", []string{"v", "w"}
	}
	for i, v := range all {
		store += fmt.Sprintf("%[1]s = start.OP(so.OP(%[1]s))\n%[1]s.StoreArray(ARRAY(dst[%[2]d:]))\nfinite = finite.Add(%[1]s.Sub(%[1]s))\n", v, i*l.Lanes())
		peak += fmt.Sprintf("peak = peak.Add(so.OP(%s).ToBits().And(size).BitsTo%s())\n", v, l.Name())
	}
	last := l.Total(total)
	if l.Bits == 32 {
		last = total + ".Permute(seven)"
	}
	head := `
	if !p.Begun {
		n := min(len(x), TreeLanes)
		FIRST
	}
	begin, ends := [1]ELEM{p.Total}, [3][LANES]ELEM{}
	id, so := archsimd.BroadcastVEC(` + identity + `), archsimd.BroadcastVEC(begin[0])
	` + even + "\n"
	if l.Bits == 32 {
		head += "seven := archsimd.BroadcastUint32x8(7)\n"
	}
	text := `
func reduce` + op + `TreeVEC(x []ELEM, p *Prefix[ELEM]) {
	` + strings.ReplaceAll(head, "FIRST", "reduce"+op+"Tree(x[:n], p)\nx = x[n:]") + `
	peak := archsimd.BroadcastVEC(0)
	size := archsimd.BroadcastUintNUM(1<<(BITS-1) - 1)
	for ; len(x) >= TreeLanes; x = x[TreeLanes:] {
		` + load + steps + "t := " + last + "\n" + peak + `so = so.OP(t)
	}
	so.StoreArray(&ends[0])
	peak.StoreArray(&ends[1])
	endVectors()
	p.Total = ends[0][0]
	for _, v := range ends[1] {
		p.Peak += v
	}
	reduce` + op + `Tree(x, p)
}

func scan` + op + `TreeVEC(dst, x []ELEM, from ELEM, p *Prefix[ELEM]) bool {
	dst = dst[:len(x)]
	fine := true
	` + strings.ReplaceAll(head, "FIRST", "fine = scan"+op+"Tree(dst[:n], x[:n], from, p)\ndst, x = dst[n:], x[n:]") + `
	starts := [1]ELEM{from}
	start := archsimd.BroadcastVEC(starts[0])
	finite := archsimd.BroadcastVEC(0)
	for ; len(x) >= TreeLanes && len(dst) >= TreeLanes; dst, x = dst[TreeLanes:], x[TreeLanes:] {
		` + load + steps + "t := " + last + "\n" + store + `so = so.OP(t)
	}
	so.StoreArray(&ends[0])
	finite.StoreArray(&ends[1])
	endVectors()
	p.Total = ends[0][0]
	for _, v := range ends[1] {
		fine = fine && v == 0
	}
	return scan` + op + `Tree(dst, x, from, p) && fine
}
`
	text = strings.NewReplacer(".OP(", "."+op+"(", "UintNUM", fmt.Sprintf("Uint%dx%d", l.Bits, l.Lanes()), "BITS", fmt.Sprint(l.Bits)).Replace(text)
	return l.in(text)
}

// affineTree is the loops of a fixed tree of steps x ↦ x·a + b.
func (l lane) affineTree() string {
	load, steps, store, peak := "p, q := LOAD(ARRAY(a)), LOAD(ARRAY(b))\n", l.AffineSteps("p", "q"), "", ""
	lastP, lastQ, all := "p", "q", [][2]string{{"p", "q"}}
	if l.Bits == 64 {
		load += "r, s := LOAD(ARRAY(a[LANES:])), LOAD(ARRAY(b[LANES:]))\n"
		steps += l.AffineSteps("r", "s") + "s = " + l.Total("q") + ".Mul(r).Add(s)\nr = " + l.Total("p") + ".Mul(r)\n"
		lastP, lastQ, all = "r", "s", append(all, [2]string{"r", "s"})
	}
	for i, v := range all {
		join := fmt.Sprintf("%[2]s = sum.Mul(%[1]s).Add(%[2]s)\n%[1]s = factor.Mul(%[1]s)\n", v[0], v[1])
		store += join + fmt.Sprintf("%[2]s = start.Mul(%[1]s).Add(%[2]s)\n%[2]s.StoreArray(ARRAY(dst[%[3]d:]))\nfinite = finite.Add(%[2]s.Sub(%[2]s))\n", v[0], v[1], i*l.Lanes())
		peak += join + fmt.Sprintf("peaks = peaks.Add(%[1]s.ToBits().And(size).BitsTo%[3]s())\npeak = peak.Add(%[2]s.ToBits().And(size).BitsTo%[3]s())\n", v[0], v[1], l.Name())
	}
	even := ""
	total := l.Total
	if l.Bits == 32 {
		even = "even := archsimd.BroadcastUint64x4(0x3f800000)\nseven := archsimd.BroadcastUint32x8(7)\n"
		total = func(v string) string { return v + ".Permute(seven)" }
	}
	for _, step := range []int{1, 2, 4} {
		if step < l.Lanes() {
			even += fmt.Sprintf("idle%d := %s\n", step, l.Idle(step))
		}
	}
	head := `
	if !so.Begun {
		n := min(len(b), TreeLanes)
		FIRST
	}
	begin, ends := [2]ELEM{so.Factor, so.Total}, [4][LANES]ELEM{}
	zero, one := archsimd.BroadcastVEC(0), archsimd.BroadcastVEC(1)
	factor, sum := archsimd.BroadcastVEC(begin[0]), archsimd.BroadcastVEC(begin[1])
	` + even
	next := "t, u := " + total(lastP) + ", " + total(lastQ) + "\n"
	text := `
func reduceAffineTreeVEC(a, b []ELEM, so *Prefix[ELEM]) {
	a = a[:len(b)]
	` + strings.ReplaceAll(head, "FIRST", "reduceAffineTree(a[:n], b[:n], so)\na, b = a[n:], b[n:]") + `
	peaks, peak := zero, zero
	size := archsimd.BroadcastUintNUM(1<<(BITS-1) - 1)
	for ; len(b) >= TreeLanes && len(a) >= TreeLanes; a, b = a[TreeLanes:], b[TreeLanes:] {
		` + load + steps + next + peak + `sum = sum.Mul(t).Add(u)
		factor = factor.Mul(t)
	}
	factor.StoreArray(&ends[0])
	sum.StoreArray(&ends[1])
	peaks.StoreArray(&ends[2])
	peak.StoreArray(&ends[3])
	endVectors()
	so.Factor, so.Total = ends[0][0], ends[1][0]
	for i, v := range ends[2] {
		so.Factors += v
		so.Peak += ends[3][i]
	}
	reduceAffineTree(a, b, so)
}

func scanAffineTreeVEC(dst, a, b []ELEM, from ELEM, so *Prefix[ELEM]) bool {
	dst, a = dst[:len(b)], a[:len(b)]
	fine := true
	` + strings.ReplaceAll(head, "FIRST", "fine = scanAffineTree(dst[:n], a[:n], b[:n], from, so)\ndst, a, b = dst[n:], a[n:], b[n:]") + `
	starts := [1]ELEM{from}
	start := archsimd.BroadcastVEC(starts[0])
	finite := zero
	for ; len(b) >= TreeLanes && len(a) >= TreeLanes && len(dst) >= TreeLanes; dst, a, b = dst[TreeLanes:], a[TreeLanes:], b[TreeLanes:] {
		` + load + steps + next + store + `sum = sum.Mul(t).Add(u)
		factor = factor.Mul(t)
	}
	factor.StoreArray(&ends[0])
	sum.StoreArray(&ends[1])
	finite.StoreArray(&ends[2])
	endVectors()
	so.Factor, so.Total = ends[0][0], ends[1][0]
	for _, v := range ends[2] {
		fine = fine && v == 0
	}
	return scanAffineTree(dst, a, b, from, so) && fine
}
`
	return l.in(strings.NewReplacer("UintNUM", fmt.Sprintf("Uint%dx%d", l.Bits, l.Lanes()), "BITS", fmt.Sprint(l.Bits)).Replace(text))
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
		b.WriteString(l.tree("Add", l.Elem+"(math.Copysign(0, -1))", even) + l.tree("Mul", "1", one) + l.affineTree())
		for _, op := range []string{"Add", "Mul"} {
			fmt.Fprintf(&in, "scanIn[%[1]s](in).%[2]sTree = &Tree[%[1]s]{reduce%[2]sTree%[3]s, scan%[2]sTree%[3]s}\n", l.Elem, op, l.Vec)
		}
		fmt.Fprintf(&in, "scanIn[%[1]s](in).AffineTree = &AffineTree[%[1]s]{reduceAffineTree%[2]s, scanAffineTree%[2]s}\n", l.Elem, l.Vec)
	}
	return b.String(), in.String()
}

func scanText() struct{ Kernels, Puts string } {
	kernels, puts := scans()
	return struct{ Kernels, Puts string }{kernels, puts}
}
