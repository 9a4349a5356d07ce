package npy_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
)

// An array is written and read again. What is no .npy file is an error.
func Example() {
	a := ndarray.New([]ir.Type{ir.I32}, ndarray.Range{Extent: 3})
	copy(a.Data[0].([]int32), []int32{1, 2, 3})

	var file bytes.Buffer
	if err := npy.Write(&file, a, 0); err != nil {
		fmt.Println(err)
		return
	}
	b, err := npy.Read(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b.Data[0])

	_, err = npy.Read(strings.NewReader("1,2,3"))
	fmt.Println(err != nil)
	// Output:
	// [1 2 3]
	// true
}
