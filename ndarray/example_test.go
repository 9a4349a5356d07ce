package ndarray_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
)

// An array of two rows of three bytes. Its elements are a plain slice, whose first dimension lies contiguous.
func Example() {
	a := ndarray.New([]ir.Type{ir.U8}, ndarray.Range{Extent: 3}, ndarray.Range{Extent: 2})
	bytes := a.Data[0].([]uint8)
	bytes[2+3*1] = 7 // the element (2, 1)
	fmt.Println(a.Types(), a.Dims.Len(), bytes)
	// Output: [u8] 6 [0 0 0 0 0 7]
}
