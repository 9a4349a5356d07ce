package main

import (
	"fmt"
	"strings"
)

// element is a type of elements and what the portable package can do with it.
type element struct {
	Elem string // int32
	Bits int
}

var elements = []element{
	{"int8", 8}, {"int16", 16}, {"int32", 32}, {"int64", 64},
	{"uint8", 8}, {"uint16", 16}, {"uint32", 32}, {"uint64", 64},
	{"float32", 32}, {"float64", 64},
}

func (e element) Name() string   { return strings.ToUpper(e.Elem[:1]) + e.Elem[1:] }
func (e element) Vec() string    { return "simd." + e.Name() + "s" }
func (e element) Float() bool    { return strings.HasPrefix(e.Elem, "float") }
func (e element) Unsigned() bool { return strings.HasPrefix(e.Elem, "uint") }
func (e element) Signed() bool   { return strings.HasPrefix(e.Elem, "int") }
func (e element) Integer() bool  { return !e.Float() }
func (e element) Lanes() int     { return 512 / e.Bits }
func (e element) Long() bool     { return e.Integer() && e.Bits == 64 }

// Mul tells whether the portable package multiplies such lanes.
func (e element) Mul() bool { return !e.Long() }

// Steps are the suffixes of the four vectors that one turn of a loop loads.
func (e element) Steps() []string { return []string{"", "[n:]", "[2*n:]", "[3*n:]"} }

// Wide is the 512-bit vector, WideMask its mask.
func (e element) Wide() string     { return fmt.Sprintf("%sx%d", e.Name(), e.Lanes()) }
func (e element) WideMask() string { return fmt.Sprintf("Mask%dx%d", e.Bits, e.Lanes()) }

// Groups are where the vectors of 64 elements begin.
func (e element) Groups() (at []int) {
	for i := 0; i < 64; i += e.Lanes() {
		at = append(at, i)
	}
	return at
}
