package read

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

func ExampleFunction() {
	m, err := syntax.Parse("f.ll", `
define internal void @.omp_combiner.(ptr noalias %out, ptr noalias %in) {
  %x = load i32, ptr %out
  %y = load i32, ptr %in
  %at = getelementptr i8, ptr %out, i64 0
  %z = call i32 @llvm.smax.i32(i32 %x, i32 %y)
  store i32 %z, ptr %at
  ret void
}
`)
	if err != nil {
		panic(err)
	}
	fmt.Println(ir.Strings(Function(m, m.Funcs[0], false).Update.Values))
	// Output:
	// max(x0, y0)
}

func TestSets(t *testing.T) {
	a := set{}.with(3).with(70)
	b := set{}.with(70).with(5)
	if u := a.union(b); !u.has(3) || !u.has(5) || !u.has(70) || u.has(4) || u.has(500) {
		t.Errorf("union %b", u)
	}
	if i := a.intersect(b); i.has(3) || !i.has(70) || !a.meets(b) || a.meets(set{}.with(4)) {
		t.Errorf("intersection %b", i)
	}
	if s := a.shifted(32); !s.has(35) || !s.has(102) || s.has(3) {
		t.Errorf("shifted %b", s)
	}
}
