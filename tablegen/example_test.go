package tablegen_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/tablegen"
)

// Verify proves an embedded table again. A table that was edited is an error.
func ExampleVerify() {
	types := []ir.Type{ir.Bool}
	name, text := pattern.TableName(types), pattern.TableText(types)
	fmt.Println(tablegen.Verify(context.Background(), name, text, 100))

	edited := strings.Replace(text, "idempotent", "commutative", 1)
	fmt.Println(tablegen.Verify(context.Background(), name, edited, 100))
	// Output:
	// <nil>
	// bool.txt:3: the line is not as it was generated: its check sum differs
}
