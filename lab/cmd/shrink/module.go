package main

import (
	"encoding/binary"
	"errors"
)

// The numbers of the sections that are read or written.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	startSection    = 8
	elementSection  = 9
	codeSection     = 10
	dataSection     = 11
)

// section is a part of a module, as it stands in the file.
type section struct {
	id   byte
	body []byte
}

var errModule = errors.New("not a module as Go's linker writes it")

// reader reads a module from its front. What is not there is zero, and sets bad.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) bytes(n uint64) []byte {
	if r.bad || n > uint64(len(r.rest)) {
		r.bad = true
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *reader) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *reader) unsigned() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad = true
	}
	r.bytes(uint64(max(n, 0)))
	return v
}

// address reads a constant that is not negative, by signed LEB128.
func (r *reader) address() uint64 {
	before := r.rest
	v := r.unsigned()
	if n := len(before) - len(r.rest); n == 0 || before[n-1]&0x40 != 0 {
		r.bad = true
	}
	return v
}

// appendSigned appends a constant that is not negative by signed LEB128, whose last byte has a sign.
func appendSigned(b []byte, v uint64) []byte {
	for ; v >= 0x40; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

// sections cuts a module.
func sections(module []byte) ([]section, error) {
	r := reader{rest: module}
	if string(r.bytes(8)) != "\x00asm\x01\x00\x00\x00" {
		return nil, errModule
	}
	var out []section
	for len(r.rest) > 0 && !r.bad {
		id := r.byte()
		out = append(out, section{id, r.bytes(r.unsigned())})
	}
	if r.bad {
		return nil, errModule
	}
	return out, nil
}

// join is the module of sections.
func join(all []section) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range all {
		out = append(out, s.id)
		out = append(binary.AppendUvarint(out, uint64(len(s.body))), s.body...)
	}
	return out
}

// appended is a section's vector with one more element.
func appended(vector, element []byte) ([]byte, error) {
	r := reader{rest: vector}
	n := r.unsigned()
	if r.bad {
		return nil, errModule
	}
	return append(append(binary.AppendUvarint(nil, n+1), r.rest...), element...), nil
}

// image is what data segments write into a memory of zeros.
func image(data []byte) ([]byte, error) {
	r := reader{rest: data}
	var memory []byte
	for range r.unsigned() {
		if r.byte() != 0 || r.byte() != 0x41 { // to memory 0, from a constant
			return nil, errModule
		}
		at := r.address()
		if r.byte() != 0x0b || at > 1<<30 {
			return nil, errModule
		}
		text := r.bytes(r.unsigned())
		if end := int(at) + len(text); end > len(memory) {
			memory = append(memory, make([]byte, end-len(memory))...)
		}
		copy(memory[at:], text)
	}
	if r.bad || len(r.rest) > 0 {
		return nil, errModule
	}
	return memory, nil
}

// gap is how many zeros in a row end a segment: the next one takes up to 8 bytes, and compresses worse than they do.
const gap = 12

// most is how many segments browsers allow.
const most = 100_000

// segments writes a memory as data segments without long runs of zeros, the last of which may have them.
func segments(memory []byte) []byte {
	var out []byte
	n := uint64(0)
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end, zeros := at, 0
		for i := at; i < len(memory) && (zeros < gap || n == most-1); i++ {
			if zeros++; memory[i] != 0 {
				end, zeros = i+1, 0
			}
		}
		out = append(appendSigned(append(out, 0, 0x41), uint64(at)), 0x0b)
		out = append(binary.AppendUvarint(out, uint64(end-at)), memory[at:end]...)
		n++
		at = end
	}
	return append(binary.AppendUvarint(nil, n), out...)
}
