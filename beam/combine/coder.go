package combine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/rfactor-go/rfactor/ir"
)

// The forms of accumulators, results and rows begin with these bytes. A later form takes others.
const (
	accumulatorForm = 0xA1
	tupleForm       = 0xB1
	rowForm         = 0xC1
)

// wireTypes gives each type its byte. The order is part of the form.
var wireTypes = []ir.Type{ir.Bool, ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64, ir.F32, ir.F64}

var errShort = errors.New("combine: an encoded value is cut short or damaged: the parts of the pipeline disagree on its coder")

func init() {
	beam.RegisterCoder(reflect.TypeFor[Accumulator](), encodeAccumulator, decodeAccumulator)
	beam.RegisterCoder(reflect.TypeFor[Tuple](), encodeTuple, decodeTuple)
	beam.RegisterCoder(reflect.TypeFor[Row](), encodeRow, decodeRow)
}

// encodeAccumulator writes the reduction, the types, and for each part its range and the values in the size of their types.
func encodeAccumulator(a Accumulator) []byte {
	b := []byte{accumulatorForm}
	b = binary.LittleEndian.AppendUint32(b, a.Reduction)
	b = appendTypes(b, a.Types)
	b = binary.AppendUvarint(b, uint64(len(a.Parts)))
	for _, p := range a.Parts {
		b = binary.AppendVarint(b, p.From)
		b = binary.AppendVarint(b, p.To)
		b = appendValues(b, a.Types, p.Values)
	}
	return b
}

func decodeAccumulator(b []byte) (Accumulator, error) {
	d := decoder{b: b}
	d.form(accumulatorForm, "accumulator")
	a := Accumulator{Reduction: d.uint32(), Types: d.types()}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		a.Parts = append(a.Parts, Part{d.varint(), d.varint(), d.values(a.Types)})
	}
	return a, d.end()
}

func encodeTuple(t Tuple) []byte {
	return appendValues(appendTypes([]byte{tupleForm}, t.Types), t.Types, t.Values)
}

func decodeTuple(b []byte) (Tuple, error) {
	d := decoder{b: b}
	d.form(tupleForm, "result")
	t := Tuple{Types: d.types()}
	t.Values = d.values(t.Types)
	return t, d.end()
}

func encodeRow(r Row) []byte {
	b := binary.AppendVarint([]byte{rowForm}, r.Index)
	b = binary.AppendUvarint(b, uint64(len(r.Leaves)))
	for _, v := range r.Leaves {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func decodeRow(b []byte) (Row, error) {
	d := decoder{b: b}
	d.form(rowForm, "row")
	r := Row{Index: d.varint()}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		r.Leaves = append(r.Leaves, d.fixed(8))
	}
	return r, d.end()
}

func appendTypes(b []byte, types []ir.Type) []byte {
	b = append(b, byte(len(types)))
	for _, t := range types {
		for i, w := range wireTypes {
			if w == t {
				b = append(b, byte(i))
			}
		}
	}
	return b
}

func appendValues(b []byte, types []ir.Type, values []uint64) []byte {
	for i, t := range types {
		for v, n := values[i], bytesOf(t); n > 0; n-- {
			b = append(b, byte(v))
			v >>= 8
		}
	}
	return b
}

func bytesOf(t ir.Type) int { return (t.Bits() + 7) / 8 }

// decoder reads a form from the front. After an error it gives zeros.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) take(n int) []byte {
	if d.err == nil && len(d.b) < n {
		d.err = errShort
	}
	if d.err != nil {
		return make([]byte, n)
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) form(want byte, what string) {
	if got := d.take(1)[0]; d.err == nil && got != want {
		d.err = fmt.Errorf("combine: an encoded %s begins with %#x where %#x is wanted: the parts of the pipeline disagree on its coder", what, got, want)
	}
}

func (d *decoder) uint32() uint32 { return binary.LittleEndian.Uint32(d.take(4)) }

func (d *decoder) fixed(n int) (v uint64) {
	for i, c := range d.take(n) {
		v |= uint64(c) << (8 * i)
	}
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.err = errShort
		return 0
	}
	d.take(n)
	return v
}

func (d *decoder) count() int {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > uint64(len(d.b)) { // each takes a byte at least
		d.err = errShort
		return 0
	}
	d.take(n)
	return int(v)
}

func (d *decoder) types() []ir.Type {
	out := make([]ir.Type, d.take(1)[0])
	for i := range out {
		c := d.take(1)[0]
		if int(c) >= len(wireTypes) {
			d.err = errShort
			c = 0
		}
		out[i] = wireTypes[c]
	}
	return out
}

func (d *decoder) values(types []ir.Type) []uint64 {
	out := make([]uint64, len(types))
	for i, t := range types {
		v := d.fixed(bytesOf(t))
		out[i] = t.Wrap(v)
		if bytesOf(t) < 8 && out[i]<<(64-8*bytesOf(t)) != v<<(64-8*bytesOf(t)) {
			d.err = errShort
		}
	}
	return out
}

func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		d.err = errShort
	}
	return d.err
}
