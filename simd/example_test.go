package simd_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/simd"
)

// The kernels of a type reduce a slice, and take the initial value for one more element.
func ExampleFor() {
	kernels := simd.For[int32]()
	x := []int32{3, -1, 4}
	fmt.Println(kernels.Reduce.Add(x, 0), kernels.Reduce.Max(x, 5), kernels.Reduce.MaxAbs(nil, 7))
	fmt.Println(kernels.Map.Sqrt == nil) // there is no square root of integers
	// Output:
	// 6 5 7
	// true
}
