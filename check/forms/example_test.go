package forms_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/check/forms"
)

func ExampleWrite() {
	op, options, err := check.Parse("x:i32,y:i32", "max(x, y)", check.Texts{})
	if err != nil {
		panic(err)
	}
	r, err := check.Operator(context.Background(), op, options)
	if err != nil {
		panic(err)
	}
	text, err := forms.Write("futhark", "greatest", r)
	if err != nil {
		panic(err)
	}
	fmt.Print(text)
	// Output:
	// -- max(x, y)
	// -- Proven by rfactor: associative, commutative, idempotent.
	// def greatest_combine (x: i32) (y: i32): i32 =
	//   (i32.max x y)
	//
	// def greatest [n] (xs: [n]i32): i32 = reduce_comm greatest_combine (-2147483648i32) xs
}
