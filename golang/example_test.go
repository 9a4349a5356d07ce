package golang_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/golang"
)

// The loops of a package are read, and each reduction is reported at its place. Packages with errors are left out, and
// their errors listed.
func ExampleInspector_Inspect() {
	ctx := context.Background()
	packages, problems, err := golang.Load(ctx, "../examples/golang", false, ".")
	if err != nil || len(problems) > 0 {
		fmt.Println(err, problems)
		return
	}
	var in golang.Inspector
	for _, p := range packages {
		findings, _, err := in.Inspect(ctx, p)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range findings {
			fmt.Println(f.Func, f.Verdict, f.Names)
		}
	}
	// Output:
	// Coldest reduction [argmin_first]
	// Balance lift [affine]
	// Above reduction [sum]
	// Total refused []
}
