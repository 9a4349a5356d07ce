package lower

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npy"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// npyTypes are the names of types in NumPy's files, which are little-endian here.
var npyTypes = map[string]ir.Type{
	"|b1": ir.Bool, "|i1": ir.I8, "<i2": ir.I16, "<i4": ir.I32, "<i8": ir.I64,
	"|u1": ir.U8, "<u2": ir.U16, "<u4": ir.U32, "<u8": ir.U64, "<f4": ir.F32, "<f8": ir.F64,
}

// ReadNPY reads an array of one component. The last axis of the file is the first dimension
// here: both lie contiguous.
func ReadNPY(from io.Reader) (a *Array, err error) {
	r := bufio.NewReader(from)
	head, err := npyHeader(r)
	if err != nil {
		return nil, err
	}
	d := head.Descr
	t, ok := npyTypes[d.Type]
	if !ok {
		return nil, fmt.Errorf("elements of type %q cannot be read: they must be bool, integers or floats, little-endian", d.Type)
	}
	if d.Fortran && len(d.Shape) > 1 {
		return nil, fmt.Errorf("the array lies in Fortran's order; save numpy.ascontiguousarray(a)")
	}
	dims, err := npyDims(d.Shape)
	if err != nil {
		return nil, err
	}
	a = &Array{Dims: dims}
	data, err := readColumn(r, t, a.Dims.Len())
	if err != nil {
		return nil, fmt.Errorf("the file ends before its %d elements: %w", a.Dims.Len(), err)
	}
	a.Data = []any{data}
	return a, nil
}

// npyHeader guards against headers that npy.NewReader does not expect.
func npyHeader(r *bufio.Reader) (head npy.Header, err error) {
	if start, _ := r.Peek(12); len(start) == 12 && start[6] == 2 && binary.LittleEndian.Uint32(start[8:]) > 1<<16 {
		return head, fmt.Errorf("no NumPy file: its header is longer than %d bytes", 1<<16)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no NumPy file: its header is broken")
		}
	}()
	rd, err := npy.NewReader(r)
	if err != nil {
		return head, fmt.Errorf("no NumPy file: %w", err)
	}
	return rd.Header, nil
}

func npyDims(shape []int) ([]plan.FixedExtent, error) {
	var dims []plan.FixedExtent
	size := 1
	for _, n := range slices.Backward(shape) {
		if n < 0 || n > 0 && size > maxElements/n {
			return nil, fmt.Errorf("the shape %v is negative or has more than %d elements", shape, maxElements)
		}
		size *= n
		dims = append(dims, plan.FixedExtent{Extent: n})
	}
	return dims, nil
}

// readChunk is how much is read at once: a header may promise more than the file holds.
const readChunk = 16 << 20

// readColumn reads elements; memory grows with what was read.
func readColumn(r io.Reader, t ir.Type, n int) (any, error) {
	var raw []byte
	for want := n * sizeOf(t); len(raw) < want; {
		k := min(want-len(raw), max(readChunk, len(raw)))
		raw = slices.Grow(raw, k)
		if _, err := io.ReadFull(r, raw[len(raw):len(raw)+k]); err != nil {
			return nil, err
		}
		raw = raw[:len(raw)+k]
	}
	data := newColumn(t, n)
	if t == ir.Bool {
		for i, b := range raw {
			data.([]bool)[i] = b != 0
		}
		return data, nil
	}
	if _, err := binary.Decode(raw, binary.LittleEndian, data); err != nil {
		return nil, err
	}
	return data, nil
}

// WriteNPY writes one component of an array.
func WriteNPY(w io.Writer, a *Array, component int) error {
	head := npyHead(columnType(a.Data[component]), a.Dims)
	length := binary.LittleEndian.AppendUint16(nil, uint16(len(head)))
	if _, err := io.WriteString(w, "\x93NUMPY\x01\x00"+string(length)+head); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, a.Data[component])
}

// npyHead is a header that, behind its ten bytes of magic, ends at a multiple of 64.
func npyHead(t ir.Type, dims []plan.FixedExtent) string {
	descr := ""
	for name, u := range npyTypes {
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
