package simd_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/simd"
)

// The kernels of a type take slices, element by element.
func ExampleFor() {
	x, y := []int32{3, -1, 4}, []int32{2, 2, 2}
	simd.For[int32]().Map.Max(x, x, y)
	fmt.Println(x)
	// Output:
	// [3 2 4]
}
