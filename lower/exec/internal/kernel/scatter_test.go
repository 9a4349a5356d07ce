package kernel

import (
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ndarray"
)

// Places that count have to be in the array, and others are left out.
func TestAddPlaces(t *testing.T) {
	d := ndarray.Range{Min: -2, Extent: 5} // -2 to 2
	keep := &Vector[bool]{V: []bool{true, false, true}}
	for _, test := range []struct {
		index []int32
		mask  *Vector[bool]
		want  []int // nil where one is not in the array
	}{
		{[]int32{-2, 0, 2}, nil, []int{10, 16, 22}},
		{[]int32{-2, 0, 3}, nil, nil},
		{[]int32{-3, 0, 2}, nil, nil},
		{[]int32{-2, 3, 2}, nil, nil},
		{[]int32{-2, 3, 2}, keep, []int{10, 10, 22}},
		{[]int32{-2, -9, 2}, keep, []int{10, 10, 22}},
		{[]int32{-2, 0, 7}, keep, nil},
	} {
		to := []int{10, 10, 10}
		if ok := AddPlaces(to, test.index, d, 3, test.mask); ok != (test.want != nil) || ok && !slices.Equal(to, test.want) {
			t.Errorf("%v: %v %v, want %v", test.index, to, ok, test.want)
		}
	}
}
