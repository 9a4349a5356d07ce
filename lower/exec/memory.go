package exec

import (
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"slices"

	"github.com/rfactor-go/rfactor/lower/exec/internal/memory"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/ndarray"
)

// maxElements bounds the elements of each buffer of a program.
const maxElements = min(1<<32, math.MaxInt)

// unasked is how many bytes of buffers are made without asking how much memory there is.
const unasked = 64 << 20

// allocate makes the buffers of a run, unless they are more than the memory that there is.
func (run *execution) allocate() error {
	buffers := run.program.plan.Buffers
	total, largest, most := 0.0, "", 0.0
	for i, b := range buffers {
		if run.needless(b) {
			continue
		}
		if err := run.measure(i); err != nil {
			return err
		}
		if run.keeps(i) {
			continue
		}
		bytes := 0.0
		for _, t := range b.Types {
			bytes += float64(run.boxes[i].Len() * scalar.SizeOf(t))
		}
		if total += bytes; bytes > most {
			largest, most = b.Name, bytes
		}
	}
	if total > unasked && total > memory.Available() {
		debug.FreeOSMemory()
		if left := memory.Available(); total > left {
			return fmt.Errorf("its arrays would take %.1f GB of memory, %.1f of them %s, and there are %.1f", total/1e9, most/1e9, largest, left/1e9)
		}
	}
	for i, b := range buffers {
		switch m := run.Arrays[b.Name]; {
		case run.needless(b):
		case run.keeps(i):
			run.place(m, m.Array)
			for _, d := range m.Data {
				reflect.ValueOf(d).Clear()
			}
		default:
			run.place(m, ndarray.New(b.Types, slices.Clone(run.boxes[i])...))
		}
	}
	return nil
}

// keeps reports whether the i-th buffer is that of the run before.
func (run *execution) keeps(i int) bool {
	m := run.Arrays[run.program.plan.Buffers[i].Name]
	return m.Array != nil && slices.Equal(m.Dims, run.boxes[i])
}

// measure computes the box of a buffer.
func (run *execution) measure(at int) error {
	b, dims, size := run.program.plan.Buffers[at], run.boxes[at][:0], 1
	for i, d := range run.dims[at] {
		e := ndarray.Range{Min: int(int64(d[0]())), Extent: max(int(int64(d[1]())), 0)}
		if err := run.head.TakeError(); err != nil {
			return fmt.Errorf("dimension %d of %s: %w", i+1, b.Name, err)
		}
		if e.Min+e.Extent-1 > math.MaxInt32 {
			return fmt.Errorf("dimension %d of %s is %d..%d, more than coordinates, which are i32, can count", i+1, b.Name, e.Min, e.Min+e.Extent-1)
		}
		if e.Extent > 0 && size > maxElements/e.Extent {
			return fmt.Errorf("%s would have more than %d elements", b.Name, maxElements)
		}
		size *= e.Extent
		dims = append(dims, e)
	}
	run.boxes[at] = dims
	return nil
}
