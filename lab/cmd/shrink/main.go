// Shrink makes the WebAssembly that Go's linker writes smaller: its functions are the same once it is instantiated, and its memory but for lines.
//
// The runtime finds a function by a table, findfunctab, of one record for each 4,096 places of the program. In WebAssembly each
// function has 65,536 places: 16 records of 20 bytes that hold nothing but the function's number. The linker writes each of them as
// a data segment, 10 bytes that compress badly, until it has written as many segments as browsers allow, and all zeros after them.
// These segments are a ninth of a large program. Shrink leaves the table out, and adds a start function of some 40 bytes that writes
// it. A module that has no such table, or that starts with a function already, is left as it is.
//
// Another table, pclntab, says what traces of a panic print. Of it the names of functions stay, and a fifteenth of the compressed module goes: see lines.go.
//
//	go run -C lab ./cmd/shrink ../bin/playground/rfactor.wasm
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"

	"github.com/rfactor-go/rfactor/internal/save"
)

func main() {
	flag.Parse()
	for _, file := range flag.Args() {
		if err := shrink(file); err != nil {
			fmt.Fprintln(os.Stderr, "shrink:", file+":", err)
			os.Exit(2)
		}
	}
}

func shrink(file string) error {
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	small, err := shrunk(module)
	if err != nil || small == nil || len(small) >= len(module) {
		return err
	}
	return save.Text(file, small)
}

const (
	record   = 20 // bytes of a record of findfunctab
	each     = 16 // records of a function
	smallest = 64 // records of a table that is worth a function
)

// table is a run of records: the i-th is the word first + i/each, and zeros.
type table struct{ at, n, first int }

// longest finds the longest table in a memory.
func longest(memory []byte) (best table) {
	for at := 0; at+record <= len(memory); {
		t := table{at: at, first: int(binary.LittleEndian.Uint32(memory[at:]))}
		for t.first > 0 && t.at+(t.n+1)*record <= len(memory) && t.holds(memory) {
			t.n++
		}
		if t.n > best.n {
			best = t
		}
		if at += 4; t.n >= smallest {
			at = t.at + t.n*record
		}
	}
	return best
}

// holds reports whether the record after the last is of the table too.
func (t table) holds(memory []byte) bool {
	r := memory[t.at+t.n*record:][:record]
	return bytes.Equal(r[4:], make([]byte, record-4)) && int(binary.LittleEndian.Uint32(r)) == t.first+t.n/each
}

// writer is the code of a function that writes the table, with its length before it.
func (t table) writer() []byte {
	body := []byte{1, 1, 0x7f, 0x03, 0x40} // one local, i32 i; loop
	body = append(appendSigned(append(body, 0x20, 0, 0x41), record), 0x6c)
	body = append(body, 0x20, 0, 0x41, 4, 0x76) // i >> 4, the function
	body = append(appendSigned(append(body, 0x41), uint64(t.first)), 0x6a)
	body = binary.AppendUvarint(append(body, 0x36, 2), uint64(t.at)) // memory[t.at + 20*i] = t.first + i>>4
	body = append(body, 0x20, 0, 0x41, 1, 0x6a, 0x22, 0)             // i++
	body = appendSigned(append(body, 0x41), uint64(t.n))
	body = append(body, 0x49, 0x0d, 0, 0x0b, 0x0b) // while i < t.n
	return append(binary.AppendUvarint(nil, uint64(len(body))), body...)
}

// shrunk is the module without the table; nil if there is none.
func shrunk(module []byte) ([]byte, error) {
	all, err := sections(module)
	if err != nil {
		return nil, err
	}
	of := map[byte][]byte{}
	for _, s := range all {
		of[s.id] = s.body
	}
	if of[startSection] != nil {
		return nil, nil
	}
	memory, err := image(of[dataSection])
	if err != nil {
		return nil, err
	}
	t := longest(memory)
	if t.n < smallest {
		return nil, nil
	}
	if p, ok := findPclntab(memory); ok {
		p.forget()
	}
	clear(memory[t.at:][:t.n*record])
	return added(all, of, t.writer(), segments(memory))
}

// added is a module with a start function and other data.
func added(all []section, of map[byte][]byte, code, data []byte) ([]byte, error) {
	types, functions := reader{rest: of[typeSection]}, reader{rest: of[functionSection]}
	kind, own := types.unsigned(), functions.unsigned()
	imported, err := importedFunctions(of[importSection])
	if err != nil || types.bad || functions.bad {
		return nil, errModule
	}
	elements := map[byte][]byte{typeSection: {0x60, 0, 0}, functionSection: binary.AppendUvarint(nil, kind), codeSection: code}
	var out []section
	for _, s := range all {
		if element := elements[s.id]; element != nil {
			if s.body, err = appended(s.body, element); err != nil {
				return nil, err
			}
		}
		if s.id == elementSection {
			out = append(out, section{startSection, binary.AppendUvarint(nil, imported+own)})
		}
		if s.id == dataSection {
			s.body = data
		}
		out = append(out, s)
	}
	return join(out), nil
}

// importedFunctions counts imports, which are all functions in what Go's linker writes: other functions come after them.
func importedFunctions(imports []byte) (uint64, error) {
	r := reader{rest: imports}
	n := r.unsigned()
	for range n {
		r.bytes(r.unsigned())
		r.bytes(r.unsigned())
		if r.byte() != 0 {
			return 0, errModule
		}
		r.unsigned()
	}
	if r.bad {
		return 0, errModule
	}
	return n, nil
}
