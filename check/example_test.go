package check_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/check"
)

func ExampleOperator() {
	op, options, err := check.Parse("x:i32,y:i32", "max(x, y)", check.Texts{Identity: "0"})
	if err != nil {
		panic(err)
	}
	r, err := check.Operator(context.Background(), op, options)
	if err != nil {
		panic(err)
	}
	for _, l := range r.Lines() {
		fmt.Printf("%-12s %s\n", l.Label, l.Text)
	}
	fmt.Println("sound:", r.Sound())
	// Output:
	// associative  yes
	// commutative  yes
	// idempotent   yes
	// identity     not 0
	//              f(0, -1) = 0, not -1
	//              f(-1, 0) = 0, not -1
	// sound: false
}
