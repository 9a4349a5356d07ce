package par_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/golang/par"
)

// A loop that sums runs in blocks of its steps, which are merged in their order.
func ExampleReduce() {
	a := make([]int, 1_000_000)
	for i := range a {
		a[i] = i % 10
	}
	s := 7
	s = par.Reduce(len(a), 1<<16, s, 0, func(lo, hi int, s int) int {
		for _, v := range a[lo:hi] {
			s += v
		}
		return s
	}, func(x, y int) int { return x + y })
	fmt.Println(s)
	// Output: 4500007
}

// The first element that is negative, by a loop that ends there in each block.
func ExampleFind() {
	a := []int{3, 1, -4, 1, -5}
	at := par.Find(len(a), 1, func(lo, hi int) int {
		for i := lo; i < hi; i++ {
			if a[i] < 0 {
				return i
			}
		}
		return hi
	})
	fmt.Println(at)
	// Output: 2
}
