package rule_test

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/rule"
)

// A rule of integers claims an equation for each of their types, of words and of unbounded numbers.
func ExampleInstances() {
	r, _ := rules.ByName("min-of-nots")
	fmt.Println(r.Text)
	fmt.Println(len(rule.Instances(r)))

	_, err := rule.Read(strings.NewReader(`{"rule": 7}`))
	fmt.Println(err != nil)
	// Output:
	// min-of-nots [int] : min(~a, ~b) => ~max(a, b)
	// 16
	// true
}
