package verify_test

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/verify"
)

// The line that rfactor match -json -proof prints is checked from its certificate alone. The same line with
// another identity is refused.
func ExampleCheck() {
	line := `{"schema":2,"name":"f","status":"associative","types":["i32"],"update":["x0 + y0"],
		"leaves":{"y0":{"type":"i32","text":"in(r)"}},
		"operator":{"types":["i32"],"exprs":["x0 + y0"],"identity":["0"],"identity_side":"two","commutative":true,"idempotent":false},
		"inject":["y0"],"assumes":[],"given":[],"via":"egraph:sum","groups":[[0]],
		"proof":{"steps":1,"certificate":{"groups":[{"components":[0],
			"operator":["x0 + y0"],"identity":["0"],"identity_side":"two","inject":["y0"],"operator_assumes":[],
			"commutative":true,"idempotent":false,
			"properties":{"associative":[{"kind":"equal"}],"left":[{"kind":"equal"}],"right":[{"kind":"equal"}],"commutative":[{"kind":"equal"}]},
			"update":[{"cases":{"kind":"equal"}}]}]}},"micros":100}`

	r, err := verify.Check([]byte(line))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Name, r.Status, r.Operator.Exprs)

	_, err = verify.Check([]byte(strings.ReplaceAll(line, `"identity":["0"]`, `"identity":["1"]`)))
	fmt.Println(err != nil)
	// Output:
	// f associative [x0 + y0]
	// true
}
