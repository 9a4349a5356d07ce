package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// withTable is a memory of some text, a table of findfunctab's form at a place, and more text.
func withTable(at, functions, first int) []byte {
	memory := append(bytes.Repeat([]byte("\x00text"), at/5), make([]byte, at%5)...)
	for i := range functions * each {
		memory = binary.LittleEndian.AppendUint32(memory, uint32(first+i/each))
		memory = append(memory, make([]byte, record-4)...)
	}
	return append(memory, "\xff\xfflast"...)
}

// linked is a module with a memory: it imports two functions of type 0, and has one of type 1.
func linked(memory []byte) []byte {
	return join([]section{
		{0, []byte("\x04name")},
		{typeSection, []byte{2, 0x60, 0, 0, 0x60, 1, 0x7f, 0}},
		{importSection, []byte("\x02\x02go\x01a\x00\x00\x02go\x01b\x00\x00")},
		{functionSection, []byte{1, 1}},
		{5, []byte{1, 0, 16}},
		{elementSection, []byte{0}},
		{codeSection, []byte{1, 2, 0, 0x0b}},
		{dataSection, segments(memory)},
	})
}

// runWriter does what a start function does that writer writes, from the constants in its code.
func runWriter(t *testing.T, code, memory []byte) {
	t.Helper()
	r := reader{rest: code}
	if r.unsigned() != uint64(len(r.rest)) {
		t.Fatal("the length is of another function")
	}
	constant := func(before string) int {
		if got := r.bytes(uint64(len(before))); string(got) != before {
			t.Fatalf("code % x, not % x", got, before)
		}
		return int(r.address())
	}
	stride := constant("\x01\x01\x7f\x03\x40\x20\x00\x41")
	shift := constant("\x6c\x20\x00\x41")
	first := constant("\x76\x41")
	if got := r.bytes(3); string(got) != "\x6a\x36\x02" {
		t.Fatalf("% x is no store", got)
	}
	at := int(r.unsigned())
	step := constant("\x20\x00\x41")
	n := constant("\x6a\x22\x00\x41")
	if string(r.rest) != "\x49\x0d\x00\x0b\x0b" || r.bad {
		t.Fatalf("ends in % x", r.rest)
	}
	for i := 0; i < n; i += step {
		binary.LittleEndian.PutUint32(memory[at+i*stride:], uint32(first+i>>shift))
	}
}

// A smaller module has the same memory, of the data that is left and of what the start function writes; all else is as it was.
func TestShrunk(t *testing.T) {
	for _, functions := range []int{4, 5, 100, 6216} {
		memory := withTable(4096, functions, 1)
		module := linked(memory)
		small, err := shrunk(module)
		if err != nil || len(small) == 0 || len(small) > len(module)-functions {
			t.Fatalf("%d functions: %d bytes of %d, %v", functions, len(small), len(module), err)
		}
		all, err := sections(small)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := sections(module)
		if len(all) != len(before)+1 || all[5].id != startSection || !bytes.Equal(all[5].body, []byte{3}) {
			t.Fatalf("sections %v", all[:6])
		}
		if want := []byte{3, 0x60, 0, 0, 0x60, 1, 0x7f, 0, 0x60, 0, 0}; !bytes.Equal(all[1].body, want) {
			t.Errorf("types % x", all[1].body)
		}
		if want := []byte{2, 1, 2}; !bytes.Equal(all[3].body, want) {
			t.Errorf("functions % x", all[3].body)
		}
		code := all[7].body
		if want := []byte{2, 2, 0, 0x0b}; !bytes.Equal(code[:4], want) {
			t.Fatalf("code % x", code[:4])
		}
		got, err := image(all[8].body)
		if err != nil {
			t.Fatal(err)
		}
		if runWriter(t, code[4:], got); !bytes.Equal(got, memory) {
			t.Errorf("%d functions: another memory", functions)
		}
		if again, err := shrunk(small); err != nil || again != nil {
			t.Errorf("a second time: %d bytes, %v", len(again), err)
		}
	}
}

// A module without a table is left alone, and what is no module is said to be none.
func TestLeft(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.wasm")
	none := withTable(4096, 1, 1)
	module := linked(none)
	if err := os.WriteFile(file, module, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := shrink(file); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(file); !bytes.Equal(got, module) {
		t.Error("a module without a table is written anew")
	}
	for n := range len(module) {
		if small, err := shrunk(module[:n]); small != nil {
			t.Fatalf("%d bytes of %d: %d bytes, %v", n, len(module), len(small), err)
		}
	}
	if _, err := shrunk([]byte("text")); err == nil {
		t.Error("text is a module")
	}
}

// Memories come back from their segments, whatever zeros they have.
func FuzzSegments(f *testing.F) {
	f.Add([]byte("a\x00\x00b"))
	f.Add(append(make([]byte, 30), 1))
	f.Fuzz(func(t *testing.T, memory []byte) {
		got, err := image(segments(memory))
		if err != nil || !bytes.Equal(got, bytes.TrimRight(memory, "\x00")) {
			t.Fatalf("%q, %v", got, err)
		}
	})
}
