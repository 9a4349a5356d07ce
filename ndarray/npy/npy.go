// Package npy reads and writes arrays as NumPy's .npy files.
//
// The last axis of a file is the first dimension of an ndarray.Array: both lie contiguous.
// Only files in C's order with little-endian elements are read, and written. Read refuses others with an error that says what it found.
package npy

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
)

// types are the names of types in NumPy's files, which are little-endian here.
var types = map[string]ir.Type{
	"|b1": ir.Bool, "|i1": ir.I8, "<i2": ir.I16, "<i4": ir.I32, "<i8": ir.I64,
	"|u1": ir.U8, "<u2": ir.U16, "<u4": ir.U32, "<u8": ir.U64, "<f4": ir.F32, "<f8": ir.F64,
}

// maxElements bounds the shapes that a header may name.
const maxElements = min(1<<32, math.MaxInt)

// Read reads an array of one component. It is an error where r is no .npy file, where its
// elements are of a type that package ir has not, or where it ends before its last element.
func Read(r io.Reader) (*ndarray.Array, error) {
	buffered := bufio.NewReader(r)
	d, err := readHeader(buffered)
	if err != nil {
		return nil, err
	}
	t, ok := types[d.Type]
	if !ok {
		return nil, fmt.Errorf("elements of type %q cannot be read: they must be bool, integers or floats, little-endian", d.Type)
	}
	if d.Fortran { // the file is that of the transposed array
		slices.Reverse(d.Shape)
	}
	dims, err := boxOf(d.Shape)
	if err != nil {
		return nil, err
	}
	a, err := readElements(buffered, t, dims)
	if err != nil {
		return nil, fmt.Errorf("the file ends before its %d elements: %w", dims.Len(), err)
	}
	if d.Fortran && len(dims) > 1 {
		return transposed(a, t), nil
	}
	return a, nil
}

// transposed returns an array with its axes in the opposite order.
func transposed(a *ndarray.Array, t ir.Type) *ndarray.Array {
	dims := slices.Clone(a.Dims)
	slices.Reverse(dims)
	b := ndarray.New([]ir.Type{t}, dims...)
	from, to := a.Elements(0), b.Elements(0)
	at := make([]int, len(dims)) // coordinates of b
	for i := range dims.Len() {
		place := 0 // of the same element in a, whose first axis is the last of b
		for k := range dims {
			place = place*dims[k].Extent + at[k]
		}
		to.Set(i, from.At(place))
		for k := 0; k < len(dims); k++ {
			if at[k]++; at[k] < dims[k].Extent {
				break
			}
			at[k] = 0
		}
	}
	return b
}

// boxOf is the shape of a file, its axes from last to first.
func boxOf(shape []int) (ndarray.Box, error) {
	var dims ndarray.Box
	size := 1
	for _, n := range slices.Backward(shape) {
		if n < 0 || n > 0 && size > maxElements/n {
			return nil, fmt.Errorf("the shape %v is negative or has more than %d elements", shape, maxElements)
		}
		size *= n
		dims = append(dims, ndarray.Range{Extent: n})
	}
	return dims, nil
}

// readChunk is how much is read at once: a header may promise more than the file holds.
const readChunk = 16 << 20

// readElements reads elements of a type; memory grows with what was read.
func readElements(r io.Reader, t ir.Type, dims ndarray.Box) (*ndarray.Array, error) {
	var raw []byte
	for want := dims.Len() * ((t.Bits() + 7) / 8); len(raw) < want; {
		k := min(want-len(raw), max(readChunk, len(raw)))
		raw = slices.Grow(raw, k)
		if _, err := io.ReadFull(r, raw[len(raw):len(raw)+k]); err != nil {
			return nil, err
		}
		raw = raw[:len(raw)+k]
	}
	a := ndarray.New([]ir.Type{t}, dims...)
	if t == ir.Bool {
		for i, b := range raw {
			a.Data[0].([]bool)[i] = b != 0
		}
		return a, nil
	}
	if _, err := binary.Decode(raw, binary.LittleEndian, a.Data[0]); err != nil {
		return nil, err
	}
	return a, nil
}

// Write writes one component of an array. It is an error where the array has no such component
// or its Data is no slice of elements, and where w fails.
func Write(w io.Writer, a *ndarray.Array, component int) error {
	if a == nil || component < 0 || component >= len(a.Data) {
		return fmt.Errorf("npy: Write of component %d of an array that does not have it", component)
	}
	t := ndarray.TypeOf(a.Data[component])
	if t == ir.Invalid {
		return fmt.Errorf("npy: Write of %T, which is no slice of elements", a.Data[component])
	}
	head := header(t, a.Dims)
	length := binary.LittleEndian.AppendUint16(nil, uint16(len(head)))
	if _, err := io.WriteString(w, "\x93NUMPY\x01\x00"+string(length)+head); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, a.Data[component])
}

// header is a header that, behind its ten bytes of magic, ends at a multiple of 64.
func header(t ir.Type, dims ndarray.Box) string {
	descr := ""
	for name, u := range types {
		if u == t {
			descr = name
		}
	}
	shape := ""
	for _, d := range slices.Backward(dims) {
		shape += fmt.Sprintf("%d,", d.Extent)
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape)
	pad := 64 - (10+len(head)+1)%64
	return head + strings.Repeat(" ", pad) + "\n"
}
