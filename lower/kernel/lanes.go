package kernel

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// This file moves lanes of vectors of 256 bits, of which instructions move those of each half of 128 bits, or the halves.

// half is how many lanes a half has.
func half(v *Value) int { return 128 / v.Type.Elem.Bits() }

// LanesIn is how many lanes of a type vectors have whose lanes are moved.
func LanesIn(t ir.Type) int { return 256 / t.Bits() }

// moved applies an operation that moves lanes.
func moved(op Op, imm uint64, a, b *Value) *Value {
	return &Value{Op: op, Type: a.Type, Args: []*Value{a, b}, Imm: imm}
}

// digits are the lanes that Halves and Pick take, the lowest first, as a number that begins with a 1.
func digits(lanes ...uint64) uint64 {
	n := uint64(1)
	for _, l := range lanes {
		n = n<<4 | l
	}
	return n
}

// Picked lists the lanes that Halves and Pick take.
func (v *Value) Picked() (lanes []int) {
	for n := v.Imm; n > 1; n >>= 4 {
		lanes = append([]int{int(n & 15)}, lanes...)
	}
	return lanes
}

// lanes is what a movement takes, as arguments in Go.
func (v *Value) lanes() string {
	if v.Op == Bytes {
		return fmt.Sprint(v.Imm)
	}
	var list []string
	for _, l := range v.Picked() {
		list = append(list, fmt.Sprint(l))
	}
	return strings.Join(list, ", ")
}

// inBytes is the bits of v as bytes, and back those of bytes as a type.
func inBytes(v *Value) *Value {
	v = SameBits(v, SignedOf(v.Type.Elem.Bits()).Unsigned())
	if v.Type.Elem == ir.U8 {
		return v
	}
	return as(Reshape, ir.U8, v)
}

func back(v *Value, t ir.Type) *Value {
	if u := SignedOf(t.Bits()).Unsigned(); u != ir.U8 {
		v = as(Reshape, u, v)
	}
	return SameBits(v, t)
}

// Up moves the lanes of each half up by some; those of fill come in below, which are the same in all lanes.
func Up(v, fill *Value, by int) *Value {
	t := v.Type.Elem
	return back(moved(Bytes, uint64(16-by*t.Bits()/8), inBytes(v), inBytes(fill)), t)
}

// Behind moves lanes up by some, at most half of them; the last ones of the vector before come in below.
func Behind(before, v *Value, by int) *Value {
	across := moved(Halves, digits(1, 2), before, v)
	if by == half(v) {
		return across
	}
	return Up(v, across, by)
}

// lastOfHalf is the last lane of each half, everywhere in that half.
func lastOfHalf(v *Value) *Value {
	switch t := v.Type.Elem; t.Bits() {
	case 32:
		return moved(Pick, digits(3, 3, 3, 3), v, v)
	case 64:
		return moved(Pick, digits(1, 3), v, v)
	default:
		var places [16]byte
		for i := range places {
			places[i] = byte(16 - t.Bits()/8 + i%(t.Bits()/8))
		}
		return back(as(LookUp, ir.U8, inBytes(v), constant(places)), t)
	}
}

// constant is bytes that each half has.
func constant(bytes [16]byte) *Value {
	of := func(b []byte) *Value {
		return &Value{Op: Literal, Type: Type{ir.U64, One}, Imm: binary.LittleEndian.Uint64(b)}
	}
	return as(Table, ir.U8, of(bytes[:8]), of(bytes[8:]))
}

// Top is the last lane, everywhere.
func Top(v *Value) *Value {
	if v.Type.Elem.Bits() == 32 {
		return as(Permute, v.Type.Elem, v, Spread(ir.U32, 7))
	}
	last := lastOfHalf(v)
	return moved(Halves, digits(1, 1), last, last)
}

// Lower is the last lane of the lower half of each 2·by lanes, in all lanes of the upper half. Other lanes are those of fill, the same in all lanes, or
// anything where fill is nil. Lanes narrower than 32 bits are moved from one half to the other alone.
func Lower(v, fill *Value, by int) *Value {
	t := v.Type.Elem
	anything := fill == nil
	if anything {
		fill = v
	}
	switch {
	case by == half(v):
		return moved(Halves, digits(0, 2), fill, lastOfHalf(v))
	case t.Bits() == 64:
		return moved(Pick, digits(0, 2), fill, v)
	case by == 2:
		return moved(Pick, digits(0, 0, 5, 5), fill, v)
	}
	words := Shifted(ir.Shl, as(Reshape, ir.U64, SameBits(v, ir.U32)), 32)
	if id, ok := fill.Literal(); !anything && (!ok || id != 0) {
		words = Apply(ir.BitOr, words, Spread(ir.U64, id&(1<<32-1)))
	}
	return SameBits(as(Reshape, ir.U32, words), t)
}

// Where is a mask that holds in the lanes of each half that holds gives, or, of a whole half, in the upper one.
func Where(t ir.Type, holds func(lane int) bool) *Value {
	s := SignedOf(t.Bits())
	var bytes [16]byte
	for i := range bytes {
		if holds(i / (t.Bits() / 8)) {
			bytes[i] = 255
		}
	}
	return Apply(ir.Lt, back(constant(bytes), s), Spread(s, 0))
}

// UpperHalf is a mask that holds in the upper half.
func UpperHalf(t ir.Type) *Value {
	s := SignedOf(t.Bits())
	return Apply(ir.Lt, moved(Halves, digits(0, 2), Spread(s, 0), Spread(s, ^uint64(0))), Spread(s, 0))
}

// Signed is v with the sign bit where a mask does not hold.
func Signed(v, mask *Value) *Value {
	t, u := v.Type.Elem, SignedOf(v.Type.Elem.Bits()).Unsigned()
	others := Apply(ir.BitNot, SameBits(as(Lanes, SignedOf(t.Bits()), mask), u))
	return SameBits(Apply(ir.BitOr, SameBits(v, u), Apply(ir.BitAnd, others, Spread(u, 1<<(t.Bits()-1)))), t)
}
