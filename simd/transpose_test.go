package simd_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/simd"
)

// Rows have the elements of all lanes, whatever is left over of vectors and words.
func TestTranspose(t *testing.T) {
	testTranspose[bool](t)
	testTranspose[int8](t)
	testTranspose[uint16](t)
	testTranspose[float32](t)
	testTranspose[int64](t)
}

func testTranspose[T simd.Number | bool](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	var values []T
	draw := func() T { return values[rng.IntN(len(values))] }
	for range 97 {
		values = append(values, value[T](rng.Uint64()))
	}
	for _, rows := range []int{0, 1, 2, 3, 4, 7, 8, 16, 17} {
		for _, lanes := range []int{0, 1, 3, 4, 5, 8, 11, 16, 64} {
			each := rows + rng.IntN(5)
			x, dst, want := make([]T, max(lanes-1, 0)*each+rows), make([]T, rows*lanes), make([]T, rows*lanes)
			for i := range x {
				x[i] = draw()
			}
			for l := range lanes {
				for i := range rows {
					want[i*lanes+l] = x[l*each+i]
				}
			}
			if simd.Transpose(dst, x, rows, lanes, each); !slices.Equal(dst, want) {
				t.Fatalf("%T: %d rows of %d lanes, %d apart: %v of %v", values[0], rows, lanes, each, dst, x)
			}
		}
	}
}

// value has some of the bits, in each of its bytes.
func value[T any](bits uint64) (v T) {
	switch p := any(&v).(type) {
	case *bool:
		*p = bits%2 == 1
	case *int8:
		*p = int8(bits)
	case *uint16:
		*p = uint16(bits)
	case *float32:
		*p = float32(bits)
	case *int64:
		*p = int64(bits)
	}
	return v
}

func ExampleTranspose() {
	rows := make([]int32, 6)
	simd.Transpose(rows, []int32{1, 2, 3, 10, 20, 30}, 3, 2, 3)
	fmt.Println(rows)
	// Output: [1 10 2 20 3 30]
}
