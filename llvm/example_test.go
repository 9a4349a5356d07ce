package llvm_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm"
	"github.com/rfactor-go/rfactor/rfactor"
)

func ExampleModule_Loops() {
	m, err := llvm.Parse("count.ll", `
define i32 @count(ptr %p, i64 %n, i32 %k) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %a = load i32, ptr %at, align 4
  %c = icmp sgt i32 %a, %k
  %b = zext i1 %c to i32
  %t = add nsw i32 %s, %b
  %j = add nuw nsw i64 %i, 1
  %d = icmp eq i64 %j, %n
  br i1 %d, label %exit, label %loop

exit:
  ret i32 %t
}
`)
	if err != nil {
		panic(err)
	}
	for _, l := range m.Loops() {
		a, err := l.Match(context.Background(), rfactor.Options{})
		if err != nil {
			panic(err)
		}
		fmt.Println(l.Func, a.Status, ir.Strings(a.Operator.Exprs), "with", ir.Strings(a.Inject))
	}
	// Output:
	// count associative x0 + y0 with i32(k0 < y0)
}
