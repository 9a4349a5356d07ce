package view

import (
	"encoding/binary"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// wasmFunc is a function of WebAssembly as it is written: code, and the types of its locals.
type wasmFunc struct {
	code    []byte
	locals  []byte
	missing *bool // set where something has no form
}

// wasmValue is a value in a local.
type wasmValue struct {
	local uint32
	t     ir.Type
}

// wasmType is the type of a local; 0 where values of a type are none: integers of 8 and 16 bits would have to be wrapped.
func wasmType(t ir.Type) byte {
	switch t {
	case ir.Bool, ir.I32, ir.U32:
		return 0x7f
	case ir.I64, ir.U64:
		return 0x7e
	case ir.F32:
		return 0x7d
	case ir.F64:
		return 0x7c
	}
	return 0
}

// wasmSize is how many bytes a value takes in memory.
func wasmSize(t ir.Type) int {
	if t.Bits() == 64 {
		return 8
	}
	return 4
}

// forType picks the one of four that belongs to a type: i32, i64, f32, f64.
func forType(t ir.Type, codes [4]byte) byte { return codes[0x7f-max(wasmType(t), 0x7c)] }

func (f *wasmFunc) emit(code ...byte) { f.code = append(f.code, code...) }

func (f *wasmFunc) with(code byte, n uint32) {
	f.code = binary.AppendUvarint(append(f.code, code), uint64(n))
}

func (f *wasmFunc) local(t ir.Type) uint32 {
	w := wasmType(t)
	if w == 0 {
		*f.missing, w = true, 0x7f
	}
	f.locals = append(f.locals, w)
	return uint32(len(f.locals) - 1)
}

// take makes a value of what is on the stack.
func (f *wasmFunc) take(t ir.Type) wasmValue {
	v := wasmValue{f.local(t), t}
	f.with(0x21, v.local)
	return v
}

func (f *wasmFunc) get(vs ...wasmValue) {
	for _, v := range vs {
		f.with(0x20, v.local)
	}
}

// constant puts bits of a type on the stack.
func (f *wasmFunc) constant(t ir.Type, bits uint64) {
	f.emit(forType(t, [4]byte{0x41, 0x42, 0x43, 0x44}))
	switch wasmType(t) {
	case 0x7f:
		f.code = appendSigned(f.code, int64(int32(bits)))
	case 0x7e:
		f.code = appendSigned(f.code, int64(bits))
	case 0x7d:
		f.code = binary.LittleEndian.AppendUint32(f.code, uint32(bits))
	case 0x7c:
		f.code = binary.LittleEndian.AppendUint64(f.code, bits)
	}
}

func (f *wasmFunc) constants(ts []ir.Type, bits []uint64) (out []wasmValue) {
	for i, t := range ts {
		f.constant(t, bits[i])
		out = append(out, f.take(t))
	}
	return out
}

// copied copies values into locals of their own, which a loop may write.
func (f *wasmFunc) copied(vs []wasmValue) (out []wasmValue) {
	for _, v := range vs {
		f.get(v)
		out = append(out, f.take(v.t))
	}
	return out
}

// move moves values at the same time.
func (f *wasmFunc) move(to, from []wasmValue) {
	f.get(from...)
	for _, v := range slices.Backward(to) {
		f.with(0x21, v.local)
	}
}

func (f *wasmFunc) set(local uint32, n int) {
	f.constant(ir.I32, uint64(n))
	f.with(0x21, local)
}

// load loads element i of an array.
func (f *wasmFunc) load(t ir.Type, i uint32, array int) wasmValue {
	f.with(0x20, i)
	align := byte(2)
	if wasmSize(t) == 8 {
		align = 3
	}
	f.emit(0x41, align, 0x74, forType(t, [4]byte{0x28, 0x29, 0x2a, 0x2b})) // i << align
	f.with(align, uint32(array))
	return f.take(t)
}

// store stores values one behind another, eight bytes for each.
func (f *wasmFunc) store(at int, vs []wasmValue) {
	for i, v := range vs {
		f.emit(0x41, 0)
		f.get(v)
		f.emit(forType(v.t, [4]byte{0x36, 0x37, 0x38, 0x39}))
		f.with(2, uint32(at+8*i))
	}
}

func (f *wasmFunc) loop(n int, step func(i uint32)) {
	i := f.local(ir.I32)
	f.loopFrom(i, 0, n, func() { step(i) })
}

// loopFrom writes a loop of at least one step.
func (f *wasmFunc) loopFrom(i uint32, from, n int, step func()) {
	f.set(i, from)
	f.emit(0x03, 0x40)
	step()
	f.with(0x20, i)
	f.emit(0x41, 1, 0x6a)
	f.with(0x22, i)
	f.constant(ir.I32, uint64(n))
	f.emit(0x49, 0x0d, 0, 0x0b) // i + 1 < n: again
}

func (f *wasmFunc) body() []byte {
	body := binary.AppendUvarint(nil, uint64(len(f.locals)))
	for _, t := range f.locals {
		body = append(body, 1, t)
	}
	return sized(append(append(body, f.code...), 0x0b))
}

// wasmData is a data segment.
func wasmData(at int, data []byte) []byte {
	out := append(appendSigned([]byte{0, 0x41}, int64(at)), 0x0b)
	return append(binary.AppendUvarint(out, uint64(len(data))), data...)
}

// wasmModule is a module with a memory of so many bytes, data, and two functions without operands or results.
func wasmModule(memory int, serial, slices []byte, segments int, data []byte) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content []byte) { out = append(append(out, id), sized(content)...) }
	section(1, []byte{1, 0x60, 0, 0})
	section(3, []byte{2, 0, 0})
	section(5, binary.AppendUvarint([]byte{1, 0}, uint64((memory+1<<16-1)>>16)))
	section(7, []byte("\x03\x06memory\x02\x00\x06serial\x00\x00\x06slices\x00\x01"))
	section(10, append(append([]byte{2}, serial...), slices...))
	if segments > 0 {
		section(11, append(binary.AppendUvarint(nil, uint64(segments)), data...))
	}
	return out
}

func sized(content []byte) []byte {
	return append(binary.AppendUvarint(nil, uint64(len(content))), content...)
}

// appendSigned appends a signed LEB128 number.
func appendSigned(out []byte, n int64) []byte {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
