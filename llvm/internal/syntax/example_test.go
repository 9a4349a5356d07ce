package syntax_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

func ExampleParse() {
	m, err := syntax.Parse("f.ll", `
%pair = type { i8, i32, [2 x double] }
define noundef i32 @f(ptr %p, i32) {
  %2 = getelementptr inbounds %pair, ptr %p, i64 0, i32 1
  %3 = load i32, ptr %2, align 4, !range !0
  %4 = add nuw nsw i32 %3, %0
  ret i32 %4
}
!0 = !{i32 -1, i32 7}
`)
	if err != nil {
		panic(err)
	}
	f := m.Funcs[0]
	for _, in := range f.Blocks[0].Insts {
		fmt.Println(in.Op, in.Type, len(in.Args), in.Flags["nsw"])
	}
	pair := f.Defs["%2"].Type
	size, _ := pair.Size()
	at, _ := pair.Offset(2)
	lo, hi, _ := m.Range("!0")
	fmt.Println(size, at, int64(lo), hi)
	// Output:
	// getelementptr %pair 3 false
	// load i32 1 false
	// add i32 2 true
	// ret <nil> 1 false
	// 24 8 -1 7
}
