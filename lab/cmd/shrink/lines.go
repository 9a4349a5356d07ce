package main

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// pclntab is the runtime's table of functions, by which it walks stacks, in a memory. All offsets are from where it begins: see runtime.pcHeader and
// runtime._func.
type pclntab struct {
	memory    []byte
	at        int
	files     int // the names of files
	values    int // tables of values by place, which functions share
	functions int // for each function its place, and where its record is behind this one
	n         int
}

// Offsets in a record of a function, all of whose fields have four bytes until the last.
const (
	pcFrame, pcFile, pcLine = 16, 20, 24
	numberOfPC              = 28 // tables of what the compiler says of places; that of inlined calls is the third
	compileUnit             = 32
	startLine               = 36
	numberOfData            = 43 // one byte
	recordBytes             = 44
	inlined                 = 2
	inlinedTree             = 3 // of the data
	arguments               = 5
	argumentsLive           = 6
)

// findPclntab finds the table; ok is false where there is none of this version of Go for WebAssembly.
func findPclntab(memory []byte) (p pclntab, ok bool) {
	p = pclntab{memory: memory, at: bytes.Index(memory, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8})}
	if p.at < 0 || p.at+72 > len(memory) {
		return p, false
	}
	word := func(i int) int { return int(binary.LittleEndian.Uint64(memory[p.at+8+8*i:])) }
	p.n, p.files, p.values, p.functions = word(0), word(4), word(6), word(7)
	if p.n <= 0 || p.files <= 0 || p.values < p.files || p.functions < p.values || p.functions >= len(memory)-p.at || p.n > (len(memory)-p.at-p.functions)/8 {
		return p, false
	}
	for i := range p.n {
		r := p.record(i)
		if r < p.at || r > len(memory)-recordBytes || r+recordBytes+4*(p.number(r+numberOfPC)+int(memory[r+numberOfData])) > len(memory) {
			return p, false
		}
		if slices.ContainsFunc(p.tables(r), func(at int) bool { return p.number(at) >= p.functions-p.values }) {
			return p, false
		}
	}
	return p, true
}

// number is a field, as a place in the memory.
func (p *pclntab) number(at int) int { return int(binary.LittleEndian.Uint32(p.memory[at:])) }

// record is where the record of the i-th function is.
func (p *pclntab) record(i int) int { return p.at + p.functions + p.number(p.at+p.functions+8*i+4) }

// tables are the fields of a function that say which of the values it has: of its frame, file and line, and what the compiler says more.
func (p *pclntab) tables(r int) (fields []int) {
	for i := range 3 {
		fields = append(fields, r+pcFrame+4*i)
	}
	for i := range p.number(r + numberOfPC) {
		fields = append(fields, r+recordBytes+4*i)
	}
	return fields
}

// forget leaves out what only traces of a panic print behind the names of functions: files, lines, calls that were inlined, and arguments. The runtime
// takes an offset of zero, and of data all ones, as that it does not know.
func (p *pclntab) forget() {
	used, all := map[int]bool{0: true}, []int{p.functions - p.values}
	for i := range p.n {
		r := p.record(i)
		fields := p.tables(r)
		for _, at := range fields {
			all = append(all, p.number(at))
		}
		for _, at := range append([]int{r + pcFile, r + pcLine, r + compileUnit, r + startLine}, fields[min(3+inlined, len(fields)):min(4+inlined, len(fields))]...) {
			clear(p.memory[at:][:4])
		}
		for _, at := range fields {
			used[p.number(at)] = true
		}
		for _, d := range []int{inlinedTree, arguments, argumentsLive} {
			if d < int(p.memory[r+numberOfData]) {
				copy(p.memory[r+recordBytes+4*(len(fields)-3+d):], "\xff\xff\xff\xff")
			}
		}
	}
	clear(p.memory[p.at+p.files : p.at+p.values])
	slices.Sort(all)
	all = slices.Compact(all)
	for i, at := range all[:len(all)-1] {
		if !used[at] {
			clear(p.memory[p.at+p.values+at : p.at+p.values+all[i+1]])
		}
	}
}
