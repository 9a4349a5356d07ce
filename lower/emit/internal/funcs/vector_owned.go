package funcs

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// ownedWriter writes parts that lanes own.
type ownedWriter struct {
	*vectorWriter
	o kernel.Owned
}

// loop writes the loop over blocks of parts, one for each lane of each copy.
func (w *ownedWriter) loop() {
	o := &w.o
	lanes, tile := o.Lanes(w.t.Bits), o.Tile()
	parts, first := lanes*o.Copies, 0
	length := fmt.Sprintf("((len(%s)/(blocks*%d)/%d - 1) | 1) * %d", w.lead(), parts, o.Line(), o.Line())
	if o.First != nil {
		first = 1
		length = fmt.Sprintf("(((len(%s)/(blocks*%d)-1)/%d-1)|1)*%d + 1", w.lead(), parts, o.Line(), o.Line())
	}
	w.F("var zero %s", w.t.Vector(o.Word))
	loop := w.Lines
	w.Lines = &scope.Lines{}
	w.F("blocks := (len(%s) + %d) / %d\npart := %s // an odd number of lines of a cache", w.lead(), parts*o.Most-1, parts*o.Most, length)
	for _, s := range w.k.Streams {
		w.F("%[1]sBlock := %[2]s\n%[1]s = %[1]s[%[3]d*part:]", s.Name, w.laneSlice(s, fmt.Sprintf("%s[:%d*part]", s.Name, parts)), parts)
	}
	w.begin(lanes)
	for _, s := range w.k.Streams { // one length and capacity let the compiler leave checks out
		for l := range parts {
			w.F("%[1]s_%[2]d := %[1]sBlock[%[2]d*part:][:part:part]", s.Name, l)
		}
	}
	w.F("for i := %[1]d; i <= part-%[2]d; i += %[2]d {", first, tile)
	for c := range o.Copies {
		w.F("{")
		w.tile(c, lanes)
		w.F("}")
	}
	w.F("}")
	for i, a := range w.v.Accumulators {
		for c := range o.Copies {
			w.F("%s.Store(lanes%d[%d:])", w.accumulator(i, letter(c)), a.Comp, c*lanes)
		}
	}
	w.restore()
	w.join(parts)
	w.save()
	body := w.Lines
	w.Lines = loop
	for _, h := range w.p.Hoisted {
		w.F("%s", h)
	}
	w.p.Hoisted = nil
	w.F("for len(%s) >= %d {\n%s}", w.lead(), parts*(o.Least+first), body.String())
}

// begin writes the declarations of the accumulators, which start with an identity or with the first element of each part.
func (w *ownedWriter) begin(lanes int) {
	o := &w.o
	if o.First == nil {
		for i, a := range w.v.Accumulators {
			for c := range o.Copies {
				w.F("%s := %s", w.accumulator(i, letter(c)), w.t.Broadcast(a.Elem, w.g.Use.GoLiteral(a.Elem, a.Start, false)))
			}
		}
		return
	}
	x := w.k.exprs(w.g, elements{element: func(s int) string {
		e := w.k.Streams[s].Name + "Block[i*part]"
		if w.v.Streams[s] == ir.Bool { // truth values are read as bytes
			return "(" + e + " != 0)"
		}
		return e
	}})
	w.F("for i := range %d {", lanes*o.Copies)
	for i, a := range w.v.Accumulators {
		switch first := o.First[i]; {
		case w.v.State[a.Comp] == ir.Bool:
			w.F("lanes%d[i] = -%s", a.Comp, x.Typed(ir.CastTo(a.Elem, first)))
		case first.Type() != a.Elem:
			w.F("lanes%d[i] = %s(%s)", a.Comp, kernel.GoType[a.Elem], x.Expr(first))
		default:
			w.F("lanes%d[i] = %s", a.Comp, x.Expr(first))
		}
	}
	w.F("}")
	for i, a := range w.v.Accumulators {
		for c := range o.Copies {
			w.F("%s := %s", w.accumulator(i, letter(c)), w.t.Load(a.Elem, fmt.Sprintf("lanes%d[%d:]", a.Comp, c*lanes)))
		}
	}
}

// tile writes the loads of 128 bits of each part of a copy, which are transposed, and the steps of what they hold.
func (w *ownedWriter) tile(copy, lanes int) {
	o := &w.o
	words := 128 / o.Word.Bits()
	for s := range w.k.Streams {
		for r := range words { // of two parts, one in each half
			var halves []string
			for _, part := range []int{copy*lanes + r, copy*lanes + r + words} {
				halves = append(halves, w.word128(s, o.Word, part))
			}
			w.F("r%d_%d := zero.SetLo(%s).SetHi(%s)", s, r, halves[0], halves[1])
		}
		w.transpose(s, "", words, o.Word.Bits(), 0)
	}
	w.copy = letter(copy)
	all := make([]int, len(w.v.Accumulators))
	for i := range all {
		all[i] = i
	}
	for j := range words {
		w.vector = letter(j)
		for _, step := range o.Steps {
			w.F("{")
			w.named(step, 3)
			w.sets([]kernel.Set{{Accumulators: all, To: step}})
			w.p.Named = nil
			w.F("}")
		}
	}
}

// word128 is 128 bits of a part as words.
func (w *ownedWriter) word128(stream int, word ir.Type, part int) string {
	s := w.k.Streams[stream]
	elem := kernel.LaneType(s.Call.Type())
	n := 128 / elem.Bits()
	from := fmt.Sprintf("%s_%d[i:i+%d:i+%d]", s.Name, part, n, n)
	text := w.t.LoadLanes(elem, 128/elem.Bits(), from)
	if !elem.IsUnsigned() {
		text += ".ToBits()"
	}
	if elem.Bits() < word.Bits() {
		text += fmt.Sprintf(".ReshapeToUint%ds()", word.Bits())
	}
	return text
}

// transpose gives the words of rows names, of each a word of all parts, from one on: within halves of 128 bits, in which rows lie. Pairs of rows are
// interleaved, whose lower and upper words are then transposed by as wide ones.
func (w *ownedWriter) transpose(s int, name string, rows, bits, from int) {
	row := func(i int) string { return fmt.Sprintf("%s%d_%d", cmp.Or(name, "r"), s, i) }
	as := func(bits, of int) string {
		if bits == of {
			return ""
		}
		return fmt.Sprintf(".ReshapeToUint%ds()", bits)
	}
	interleaved := func(lo, hi string, i int, reshape string) {
		w.F("%[1]s, %[2]s := %[3]s.InterleaveLoGrouped(%[4]s)%[5]s, %[3]s.InterleaveHiGrouped(%[4]s)%[5]s", lo, hi, row(i), row(i+1), reshape)
	}
	if rows == 2 {
		interleaved(fmt.Sprintf("y%d%s", s, letter(from)), fmt.Sprintf("y%d%s", s, letter(from+1)), 0, as(w.o.Word.Bits(), bits))
		return
	}
	lower, upper := name+"l", name+"h"
	for i := range rows / 2 {
		interleaved(fmt.Sprintf("%s%d_%d", lower, s, i), fmt.Sprintf("%s%d_%d", upper, s, i), 2*i, as(2*bits, bits))
	}
	w.transpose(s, lower, rows/2, 2*bits, from)
	w.transpose(s, upper, rows/2, 2*bits, from+rows/2)
}

// join joins the parts with the state.
func (w *ownedWriter) join(parts int) {
	o := &w.o
	x := w.k.exprs(w.g, elements{
		state: func(c int) string { return fmt.Sprintf("x%d", c) },
		right: func(c int) string {
			switch t := w.v.State[c]; {
			case t == ir.Bool:
				return fmt.Sprintf("(lanes%d[i] != 0)", c)
			case t != w.v.Accumulators[c].Elem:
				return fmt.Sprintf("%s(lanes%d[i])", kernel.GoType[t], c)
			}
			return fmt.Sprintf("lanes%d[i]", c)
		},
	})
	var states, to []string
	for i, e := range o.Join {
		if e != e.Pool().X(i, e.Type()) { // else it stays
			states, to = append(states, w.k.States()[i]), append(to, x.Expr(e))
		}
	}
	w.F("for i := range %d {\n%s = %s\n}", parts, strings.Join(states, ", "), strings.Join(to, ", "))
}
