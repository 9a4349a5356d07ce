package funcs

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// room is where elements that are kept go: to slices, from a place on, while a condition says that there is room for a vector.
type room struct {
	to        []string
	at, while string
}

// do writes what is done with vector j of a step.
func (w *loopWriter) do(n kernel.Node, j int) {
	switch n := n.(type) {
	case kernel.Put:
		w.F("%s", w.t.Store(w.v.Outputs[n.Output], w.p.Text(n.Value), vectorAt(w.k.Outputs[n.Output], 1, j+w.vectors(n.At), 0)))
	case kernel.Until:
		w.F("if hits := %s.ToBits(); hits != 0 {\nendVectors()\nreturn count - len(%s) + %s.TrailingZeros%s\n}", w.mask(n.Holds), w.lead(), w.g.Use("bits"), firstLane(w.t.LanesOf(w.v.Wide())))
	case kernel.Keep:
		w.keepLanes(n)
	}
}

// mask is lanes that hold, as a mask that becomes bits on AVX2: of 16 bits that of their bytes does.
func (w *loopWriter) mask(v *kernel.Value) string {
	text := w.p.Text(v)
	if w.v.Wide().Bits() == 16 {
		text += ".ToInt16x16().ToBits().ReshapeToUint8s().BitsToInt8().ToMask()"
	}
	return text
}

// anyOf is a mask that holds where one of several does.
func anyOf(masks []string) string {
	if len(masks) == 1 {
		return masks[0]
	}
	half := len(masks) / 2
	return fmt.Sprintf("%s.Or(%s)", anyOf(masks[:half]), anyOf(masks[half:]))
}

// firstLane is the first of so many lanes whose bit is set, behind the name of a function that counts zeros.
func firstLane(lanes int) string {
	switch lanes {
	case 32:
		return "32(hits)"
	case 16: // of two bits a lane
		return "32(hits) / 2"
	}
	return "8(hits)"
}

// keepLanes stores vectors whose lanes that are kept a table has moved to the front.
func (w *loopWriter) keepLanes(n kernel.Keep) {
	table := packsOf(w.t.LanesOf(w.v.Wide()))
	w.g.Used["bits"], w.g.Used[table] = true, true
	w.F("m := %s.ToBits()", w.p.Text(n.Holds))
	for i, v := range n.Values {
		t := v.Type.Elem
		moved := fmt.Sprintf("%s.Permute(archsimd.LoadUint32x8Array(&%s[m]))", inLanes32(t, w.p.Text(v)), table)
		w.F("%s", w.t.Store(t, fromLanes32(t, moved), fmt.Sprintf("%s[%s:]", w.room.to[i], w.room.at)))
	}
	w.F("%s += bits.OnesCount8(m)", w.room.at)
}

// packsOf is the table that moves so many lanes.
func packsOf(lanes int) string {
	if lanes == 4 {
		return "pairs"
	}
	return "packs"
}

// inLanes32 is a vector as one of 8 lanes of 32 bits, and fromLanes32 is the way back.
func inLanes32(t ir.Type, v string) string {
	if !t.IsUnsigned() {
		v += ".ToBits()"
	}
	if t.Bits() == 64 {
		v += ".ReshapeToUint32s()"
	}
	return v
}

func fromLanes32(t ir.Type, v string) string {
	if t.Bits() == 64 {
		v += ".ReshapeToUint64s()"
	}
	switch {
	case t.IsFloat():
		v += fmt.Sprintf(".BitsToFloat%d()", t.Bits())
	case t.IsSigned():
		v += fmt.Sprintf(".BitsToInt%d()", t.Bits())
	}
	return v
}
