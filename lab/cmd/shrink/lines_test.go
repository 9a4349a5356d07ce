package main

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// function is a record of pclntab: the offsets of tables of values, and of data.
type function struct {
	frame, file, line uint32
	compiler, data    []uint32
}

// tabled is a memory with a pclntab, behind some text: names of files, tables of values, one byte for each, and functions.
func tabled(values string, functions []function) []byte {
	words := func(ws ...uint32) (out []byte) {
		for _, w := range ws {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
		return out
	}
	const files = 72
	index, records := []byte{}, []byte{}
	for i, f := range functions {
		index = append(index, words(uint32(i<<16), uint32(8*len(functions)+len(records)))...)
		records = append(records, words(uint32(i<<16), 5, 6, 7, f.frame, f.file, f.line, uint32(len(f.compiler)), 8, 9)...)
		records = append(records, 1, 2, 0, byte(len(f.data)))
		records = append(append(records, words(f.compiler...)...), words(f.data...)...)
	}
	out := []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}
	for _, w := range []int{len(functions), 1, 0, 72, files, files, files + len("a.go"), files + len("a.go") + len(values)} {
		out = binary.LittleEndian.AppendUint64(out, uint64(w))
	}
	return append([]byte("text"), append(append(append(append(out, "a.go"...), values...), index...), records...)...)
}

// Files, lines, inlined calls and arguments are left out, and what stacks are walked by stays, also where functions share it.
func TestForget(t *testing.T) {
	const none = 1<<32 - 1
	before := tabled("-abcdefgh", []function{
		{1, 2, 3, []uint32{4, 5, 6}, []uint32{10, 11, 12, 13, 14, 15, 16, 17}},
		{7, 1, 3, []uint32{6}, []uint32{10, 11}},
		{8, 0, 0, nil, nil},
	})
	p, ok := findPclntab(before)
	if !ok {
		t.Fatal("no table is found")
	}
	p.forget()
	want := tabled("-a\x00\x00defgh", []function{ // b and c are a file and lines; f, of inlined calls, is something else of the second function
		{1, 0, 0, []uint32{4, 5, 0}, []uint32{10, 11, 12, none, 14, none, none, 17}},
		{7, 0, 0, []uint32{6}, []uint32{10, 11}},
		{8, 0, 0, nil, nil},
	})
	want = bytes.Replace(want, []byte("a.go"), make([]byte, 4), 1)
	for i := range p.n {
		clear(want[p.record(i)+compileUnit:][:8])
	}
	if !bytes.Equal(before, want) {
		t.Errorf("got\n%q, want\n%q", before, want)
	}
}

// What is cut off, or is of another version, is no table.
func TestNoTable(t *testing.T) {
	memory := tabled("-abc", []function{{1, 2, 3, []uint32{1, 2, 3}, []uint32{4}}})
	for n := range len(memory) {
		if _, ok := findPclntab(memory[:n]); ok {
			t.Errorf("%d bytes of %d have a table", n, len(memory))
		}
	}
	if _, ok := findPclntab(tabled("-abc", []function{{1, 2, 4, nil, nil}})); ok {
		t.Error("a table of values is outside of them")
	}
	memory[len("text")] = 0xf0
	if _, ok := findPclntab(memory); ok || strings.Contains(string(memory), "\xf1") {
		t.Error("another version has a table")
	}
}
