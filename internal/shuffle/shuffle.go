// Package shuffle writes how the lanes of a vector of 256 bits are combined with those below them, as Go for simd/archsimd.
//
//	v = v.Add(…)   lane i has taken lane i-1, then i-2 and i-3, …: within each half of 128 bits, and then across
//
// What lanes without a neighbour take are those of a vector id. Texts name it, its bytes low, and other vectors that they say.
package shuffle

import (
	"fmt"
	"strings"
)

// Lane is a type of vectors of 256 bits.
type Lane struct {
	Vec  string // Int32x8
	Elem string // int32
	Bits int
}

func (l Lane) Lanes() int   { return 256 / l.Bits }
func (l Lane) Name() string { return strings.ToUpper(l.Elem[:1]) + l.Elem[1:] }
func (l Lane) Size() int    { return l.Bits / 8 }

// Bytes and Back read the same bits as bytes, and as lanes again.
func (l Lane) Bytes(v string) string {
	if l.Elem[0] != 'u' {
		v += ".ToBits()"
	}
	if l.Bits > 8 {
		v += ".ReshapeToUint8s()"
	}
	return v
}

func (l Lane) Back(v string) string {
	if l.Bits > 8 {
		v += fmt.Sprintf(".ReshapeToUint%ds()", l.Bits)
	}
	if l.Elem[0] != 'u' {
		v += ".BitsTo" + l.Name() + "()"
	}
	return v
}

// Up moves lanes up by some, within each half; those of id come in below.
func (l Lane) Up(v, id string, by int) string {
	return l.Back(fmt.Sprintf("%s.ConcatShiftBytesRightGrouped(%s, %d)", l.Bytes(v), id, 16-by*l.Size()))
}

// From moves lanes of a vector up by some, half of them at most; the last ones of the vector before come in below.
func (l Lane) From(before, v string, by int) string {
	across := before + ".ConcatPermute128Scalars(1, 2, " + v + ")"
	if by == l.Lanes()/2 {
		return across
	}
	return l.Back(fmt.Sprintf("%s.ConcatShiftBytesRightGrouped(%s, %d)", l.Bytes(v), l.Bytes(across), 16-by*l.Size()))
}

// Last is the last lane of each half, everywhere in that half.
func (l Lane) Last(v string) string {
	switch l.Elem {
	case "int32", "uint32":
		return v + ".PermuteScalarsGrouped(3, 3, 3, 3)"
	case "float32":
		return v + ".ConcatPermuteScalarsGrouped(3, 3, 3, 3, " + v + ")"
	case "float64", "int64", "uint64":
		return v + ".ConcatPermuteScalarsGrouped(1, 3, " + v + ")"
	}
	return l.Back(l.Bytes(v) + ".PermuteOrZeroGrouped(last)")
}

// Total is the last lane, everywhere.
func (l Lane) Total(v string) string { return l.Last(v) + ".ConcatPermute128Scalars(1, 1, " + v + ")" }

// Shifts are the distances within a half: 1, 2, 4, …
func (l Lane) Shifts() (list []int) {
	for d := 1; d*l.Size() < 16; d *= 2 {
		list = append(list, d)
	}
	return list
}

// Of is the lanes that hold elements of a Go type: int32, float64 and the like.
func Of(elem string) Lane {
	l := Lane{Elem: elem}
	fmt.Sscanf(strings.TrimLeft(elem, "uintfloa"), "%d", &l.Bits)
	l.Vec = fmt.Sprintf("%sx%d", l.Name(), l.Lanes())
	return l
}

// Table is the table of Last, for lanes that shuffle by bytes.
func (l Lane) Table() string {
	var list []string
	for i := range 32 {
		list = append(list, fmt.Sprint(16-l.Size()+i%l.Size()))
	}
	return strings.Join(list, ", ")
}

// TreeSteps combines the lanes of each vector v of a block by a tree. What has no lower half takes what id holds there.
func (l Lane) TreeSteps(op, v string) string {
	var b strings.Builder
	if l.Bits == 32 {
		fmt.Fprintf(&b, "%[1]s = %[1]s.%[2]s(%[1]s.ToBits().ReshapeToUint64s().ShiftAllLeft(32).Or(even).ReshapeToUint32s().BitsToFloat32())\n", v, op)
		fmt.Fprintf(&b, "%[1]s = %[1]s.%[2]s(id.ConcatPermuteScalarsGrouped(0, 0, 5, 5, %[1]s))\n", v, op)
	} else {
		fmt.Fprintf(&b, "%[1]s = %[1]s.%[2]s(id.ConcatPermuteScalarsGrouped(0, 2, %[1]s))\n", v, op)
	}
	fmt.Fprintf(&b, "%[1]s = %[1]s.%[2]s(id.ConcatPermute128Scalars(0, 2, %[3]s))\n", v, op, l.Last(v))
	return b.String()
}

// move is a step of the tree: lanes without bit by of their number keep what they have, the others take the last lane of the lower half.
type move struct {
	by int
	up func(v, id string) string // the lanes that are taken, those of id where none is
}

func (l Lane) moves() []move {
	across := move{l.Lanes() / 2, func(v, id string) string { return id + ".ConcatPermute128Scalars(0, 2, " + l.Last(v) + ")" }}
	if l.Bits == 64 {
		return []move{{1, func(v, id string) string { return id + ".ConcatPermuteScalarsGrouped(0, 2, " + v + ")" }}, across}
	}
	pairs := func(v, id string) string {
		s := v + ".ToBits().ReshapeToUint64s().ShiftAllLeft(32)"
		if id == "one" {
			s += ".Or(even)"
		}
		return s + ".ReshapeToUint32s().BitsToFloat32()"
	}
	return []move{{1, pairs}, {2, func(v, id string) string { return id + ".ConcatPermuteScalarsGrouped(0, 0, 5, 5, " + v + ")" }}, across}
}

// AffineSteps does so for factors p and summands q. The summand of what has no lower half takes −0, which changes none.
func (l Lane) AffineSteps(p, q string) string {
	var b strings.Builder
	for _, m := range l.moves() {
		b.WriteString(l.summand(m, p, q) + factor(m, p))
	}
	return b.String()
}

// Powers declares what SummandSteps takes of factors p that are the same in all vectors, and combines p. SummandSteps is then AffineSteps of q.
func (l Lane) Powers(p string) string {
	var b strings.Builder
	for _, m := range l.moves() {
		fmt.Fprintf(&b, "by%d := %s\n%s", m.by, p, factor(m, p))
	}
	return b.String()
}

// SummandSteps combines summands q by the powers that are declared.
func (l Lane) SummandSteps(q string) string {
	var b strings.Builder
	for _, m := range l.moves() {
		b.WriteString(l.summand(m, fmt.Sprintf("by%d", m.by), q))
	}
	return b.String()
}

func (l Lane) summand(m move, p, q string) string {
	return fmt.Sprintf("%[2]s = %[3]s.Mul(%[1]s).ToBits().Or(idle%[4]d).BitsTo%[5]s().Add(%[2]s)\n", p, q, m.up(q, "zero"), m.by, l.Name())
}

func factor(m move, p string) string {
	return fmt.Sprintf("%[1]s = %[1]s.Mul(%[2]s)\n", p, m.up(p, "one"))
}

// Idle are the lanes that a step of the tree leaves alone: sign bits.
func (l Lane) Idle(step int) string {
	var list []string
	for i := range l.Lanes() {
		if i/step%2 == 0 {
			list = append(list, fmt.Sprintf("1 << %d", l.Bits-1))
		} else {
			list = append(list, "0")
		}
	}
	return fmt.Sprintf("archsimd.LoadUint%dx%dArray(&[%d]uint%d{%s})", l.Bits, l.Lanes(), l.Lanes(), l.Bits, strings.Join(list, ", "))
}

// Combine combines the lanes of a vector v with all below, by an operation whose identity all lanes of id hold; low is the bytes of id.
func (l Lane) Combine(op, v string) string {
	var b strings.Builder
	for _, d := range l.Shifts() {
		fmt.Fprintf(&b, "%[1]s = %[1]s.%[2]s(%[3]s)\n", v, op, l.Up(v, "low", d))
	}
	fmt.Fprintf(&b, "%[1]s = %[1]s.%[2]s(id.ConcatPermute128Scalars(0, 2, %[3]s))\n", v, op, l.Last(v))
	return b.String()
}

// Lower is the lanes that lanes with bit by of their number take in a step of a tree, the last of the lower half; other lanes have any. Texts name the
// tables that LowerTables declares.
func (l Lane) Lower(v string, by int) string {
	switch {
	case l.Bits == 32:
		return fmt.Sprintf("%s.Permute(low%d)", v, by)
	case by == 1:
		return fmt.Sprintf("%[1]s.ConcatPermuteScalarsGrouped(0, 2, %[1]s)", v)
	}
	return fmt.Sprintf("%s.ConcatPermute128Scalars(0, 2, %s)", v, l.Last(v))
}

// Top is the last lane, everywhere, by the tables of LowerTables.
func (l Lane) Top(v string) string {
	if l.Bits == 32 {
		return v + ".Permute(top)"
	}
	return l.Total(v)
}

// LowerTables declares what Lower and Top take, and masks up1, up2, …, which hold in the lanes that take something.
func (l Lane) LowerTables() string {
	var b strings.Builder
	declare := func(name, vec, elem string, of func(i int) int) {
		list := make([]string, l.Lanes())
		for i := range list {
			list[i] = fmt.Sprint(of(i))
		}
		fmt.Fprintf(&b, "%s := archsimd.Load%sArray(&[%d]%s{%s})", name, vec, l.Lanes(), elem, strings.Join(list, ", "))
	}
	ints := Of(fmt.Sprintf("int%d", l.Bits))
	for by := 1; by < l.Lanes(); by *= 2 {
		if l.Bits == 32 {
			declare(fmt.Sprintf("low%d", by), "Uint32x8", "uint32", func(i int) int { return i&^(2*by-1) + by - 1 })
			b.WriteString("\n")
		}
		declare(fmt.Sprintf("up%d", by), ints.Vec, ints.Elem, func(i int) int { return -(i & by / by) })
		fmt.Fprintf(&b, ".Less(archsimd.Broadcast%s(0))\n", ints.Vec)
	}
	if l.Bits == 32 {
		declare("top", "Uint32x8", "uint32", func(int) int { return l.Lanes() - 1 })
		b.WriteString("\n")
	}
	return b.String()
}
