// Package wasm writes loops of stages as WebAssembly, which runs over arrays where they lie.
//
//	f() = f() + in(r)   →   loop: x += load(p); p += 4; r += 1; again if r < hi
//
//	stage.go   a stage becomes a function: loops, what stays within them, states in locals
//	rows.go    the innermost loop, with its indices compared once, or where they occur
//	lanes.go   several iterations at once, in vectors: folds, what changes nothing, chains of integers
//	places.go  where an element lies, and whether that is inside of its array
//	terms.go   expressions, each distinct subterm once
//	table.go   operations, by type
//	function.go, module.go   the bytes
package wasm

import (
	"encoding/binary"
	"runtime"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// The types of values.
const (
	i32 = 0x7f
	i64 = 0x7e
	f32 = 0x7d
	f64 = 0x7c
)

// Instructions that have no type.
const (
	opBlock  = 0x02
	opLoop   = 0x03
	opIf     = 0x04
	opElse   = 0x05
	opEnd    = 0x0b
	opBr     = 0x0c
	opBrIf   = 0x0d
	opReturn = 0x0f
	opCall   = 0x10
	opSelect = 0x1b
	opGet    = 0x20
	opSet    = 0x21
	opTee    = 0x22
	noResult = 0x40
)

// Instructions of i32 and i64.
const (
	eqz32, eq32, ne32           = 0x45, 0x46, 0x47
	lts32, ltu32, ges32         = 0x48, 0x49, 0x4e
	geu32                       = 0x4f
	eqz64, ltu64, geu64         = 0x50, 0x54, 0x5a
	add32, sub32, mul32         = 0x6a, 0x6b, 0x6c
	and32, or32, xor32          = 0x71, 0x72, 0x73
	shl32, shrs32, shru32       = 0x74, 0x75, 0x76
	add64, sub64, mul64         = 0x7c, 0x7d, 0x7e
	divs64, divu64              = 0x7f, 0x80
	and64, or64, xor64          = 0x83, 0x84, 0x85
	shl64, shrs64, shru64       = 0x86, 0x87, 0x88
	wrap, extendS, extendU      = 0xa7, 0xac, 0xad
	ext8, ext16                 = 0xc0, 0xc1
	bitsOf32, bitsOf64          = 0xbc, 0xbd
	floatOf32, floatOf64        = 0xbe, 0xbf
	promote, demote             = 0xbb, 0xb6
	saturating             byte = 0xfc
)

// function is code as it is written, and the types of its locals, the parameters first.
type function struct {
	code   []byte
	locals []byte
	params int
}

// value is a value in a local.
type value struct {
	local uint32
	t     ir.Type
}

// machineType is the type in which values of a type are held: integers of less than 32 bits are sign- or zero-extended, truth values 0 or 1.
func machineType(t ir.Type) byte {
	switch {
	case t == ir.F32:
		return f32
	case t == ir.F64:
		return f64
	case t.Bits() == 64:
		return i64
	}
	return i32
}

func (f *function) emit(code ...byte) { f.code = append(f.code, code...) }

// with emits an instruction with a number.
func (f *function) with(code byte, n uint32) {
	f.code = binary.AppendUvarint(append(f.code, code), uint64(n))
}

// local is a new local.
func (f *function) local(machine byte) uint32 {
	f.locals = append(f.locals, machine)
	return uint32(len(f.locals) - 1)
}

// take makes a value of what is on the stack.
func (f *function) take(t ir.Type) value {
	v := value{f.local(machineType(t)), t}
	f.with(opSet, v.local)
	return v
}

func (f *function) get(locals ...uint32) {
	for _, l := range locals {
		f.with(opGet, l)
	}
}

func (f *function) push(vs ...value) {
	for _, v := range vs {
		f.with(opGet, v.local)
	}
}

// number puts a number of type i32 or i64 on the stack.
func (f *function) number(machine byte, n int64) {
	if machine == i32 {
		n = int64(int32(n))
	}
	f.code = appendSigned(append(f.code, map[byte]byte{i32: 0x41, i64: 0x42}[machine]), n)
}

// constant puts bits of a type on the stack.
func (f *function) constant(t ir.Type, bits uint64) {
	switch machineType(t) {
	case f32:
		f.code = binary.LittleEndian.AppendUint32(append(f.code, 0x43), uint32(bits))
	case f64:
		f.code = binary.LittleEndian.AppendUint64(append(f.code, 0x44), bits)
	default:
		f.number(machineType(t), int64(bits))
	}
}

// loads and stores of elements, and how far their addresses are shifted.
var loads = [ir.NumTypes]struct{ load, store, shift byte }{
	ir.Bool: {0x2d, 0x3a, 0}, ir.I8: {0x2c, 0x3a, 0}, ir.U8: {0x2d, 0x3a, 0}, ir.I16: {0x2e, 0x3b, 1}, ir.U16: {0x2f, 0x3b, 1},
	ir.I32: {0x28, 0x36, 2}, ir.U32: {0x28, 0x36, 2}, ir.I64: {0x29, 0x37, 3}, ir.U64: {0x29, 0x37, 3}, ir.F32: {0x2a, 0x38, 2}, ir.F64: {0x2b, 0x39, 3},
}

// load loads an element at the address on the stack, and so many bytes behind it. Addresses are those of the machine, of which nothing is known but
// that elements lie at multiples of their size: the alignment is a hint that is left out.
func (f *function) load(t ir.Type, behind int) {
	f.emit(loads[t].load, 0)
	f.code = binary.AppendUvarint(f.code, uint64(behind))
}

// store stores an element, with the address below it on the stack.
func (f *function) store(t ir.Type, behind int) {
	f.emit(loads[t].store, 0)
	f.code = binary.AppendUvarint(f.code, uint64(behind))
}

// body is the function's bytes.
func (f *function) body() []byte {
	locals := f.locals[f.params:]
	var runs []byte
	count := 0
	for i := 0; i < len(locals); {
		j := i
		for j < len(locals) && locals[j] == locals[i] {
			j++
		}
		runs = append(binary.AppendUvarint(runs, uint64(j-i)), locals[i])
		count, i = count+1, j
	}
	body := append(binary.AppendUvarint(nil, uint64(count)), runs...)
	return sized(append(append(body, f.code...), opEnd))
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

// module is a module of one function "run" of three parameters i32 and a result i32, with a memory that may have up to 2^32 bytes. It imports
// "apply", which applies an operation at a type to two operands: see Applied. Where this process is WebAssembly itself, it imports the memory of that, too.
func (f *function) module() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content []byte) { out = append(append(out, id), sized(content)...) }
	name := func(s string) []byte { return sized([]byte(s)) }
	section(1, []byte{2, 0x60, 3, i32, i32, i32, 1, i32, 0x60, 3, i32, i64, i64, 1, i64})
	imports := slices.Concat([]byte{1}, name("ir"), name("apply"), []byte{0, 1})
	if shared := runtime.GOARCH == "wasm"; shared {
		imports[0]++
		section(2, slices.Concat(imports, name("ir"), name("memory"), []byte{2, 0, 0}))
		section(3, []byte{1, 0})
	} else {
		section(2, imports)
		section(3, []byte{1, 0})
		section(5, binary.AppendUvarint([]byte{1, 1, 1}, 1<<16))
	}
	section(7, slices.Concat([]byte{1}, name("run"), []byte{0, 1}))
	section(10, append([]byte{1}, f.body()...))
	return out
}
